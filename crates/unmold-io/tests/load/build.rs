//! Builds inputs: records, archives, compressed members, folders.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use unmold_io::{Everything, LoadSettings, Loaded, SkipKind, load, load_reader};

/// One WARC record with the header fields given and a true length.
pub fn record(kind: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A `response` record for `http://example.org/{path}`.
pub fn response(path: &str, header: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 200 OK\r\n{header}\r\n").as_bytes(), body].concat();
    let uri = format!(
        "WARC-Target-URI: http://example.org/{path}\r\nContent-Type: application/http; msgtype=response\r\n"
    );
    record("response", &uri, &block)
}

/// A `response` record that holds an HTML page with its own number in it.
pub fn page(number: usize) -> Vec<u8> {
    response(
        &number.to_string(),
        "Content-Type: text/html; charset=utf-8\r\n",
        body(number).as_bytes(),
    )
}

/// The body of page `number`.
pub fn body(number: usize) -> String {
    format!(
        "<html>\n<h1>Page {number}</h1>\n<p>{}</p>",
        "text ".repeat(number % 7 + 1)
    )
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// A folder that is gone after the test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

/// Loads bytes as a file and as a pipe: both must see the same.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Everything {
    load_bytes_with(name, bytes, &LoadSettings::default())
}

pub fn load_bytes_with(name: &str, bytes: &[u8], settings: &LoadSettings) -> Everything {
    let folder = Folder::new();
    let path = folder.write(name, bytes);
    let from_file = load([path], settings).read_all();
    let from_pipe = load_reader(name, Cursor::new(bytes.to_vec()), settings).read_all();
    assert_eq!(from_file.pages, from_pipe.pages);
    assert_eq!(from_file.faults, from_pipe.faults);
    assert_eq!(from_file.tally, from_pipe.tally);
    check_counts(&from_file);
    from_file
}

/// Nothing may get lost between the items and the counts.
pub fn check_counts(everything: &Everything) {
    let tally = &everything.tally;
    assert_eq!(tally.pages(), everything.pages.len() as u64);
    assert_eq!(tally.faults(), everything.faults.len() as u64);
    assert_eq!(
        tally.seen(),
        tally.pages() + tally.skipped() + tally.faults()
    );
}

/// The kinds of what was skipped, in order.
pub fn skips(name: &str, bytes: &[u8]) -> Vec<SkipKind> {
    load_reader(name, Cursor::new(bytes.to_vec()), &LoadSettings::default())
        .filter_map(|item| match item {
            Loaded::Skipped(skipped) => Some(skipped.kind()),
            _ => None,
        })
        .collect()
}

/// The numbers of the pages built by [`page`] that were loaded whole.
pub fn numbers(everything: &Everything) -> Vec<usize> {
    let number = |url: &str| url.strip_prefix("http://example.org/")?.parse().ok();
    let whole = everything.pages.iter().filter_map(|page| {
        let number = number(page.url()?)?;
        (page.bytes() == body(number).as_bytes()).then_some(number)
    });
    whole.collect()
}
