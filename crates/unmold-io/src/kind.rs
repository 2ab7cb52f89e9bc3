//! What is this file, and is that payload a page?
//!
//! Content decides where it can: archives, tables and binary data start with bytes that nothing
//! else starts with. Names decide where content cannot: an empty or damaged archive is still known
//! by its extension.

use serde::de::IgnoredAny;
use unmold::read::decode::is_wide;

/// The kinds of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Warc,
    Arc,
    Jsonl,
    Parquet,
    Page,
}

impl Kind {
    /// The kind that the first unpacked bytes show, or else the name.
    pub(crate) fn of(head: &[u8], name: &str, html_field: &str) -> Kind {
        match head {
            head if head.starts_with(b"WARC/") => Kind::Warc,
            head if head.starts_with(b"filedesc:") => Kind::Arc,
            head if head.starts_with(b"PAR1") => Kind::Parquet,
            _ => Kind::of_name(name).unwrap_or_else(|| Kind::of_text(head, html_field)),
        }
    }

    /// The kind that a name promises, whatever it is compressed with. Pages promise nothing.
    pub(crate) fn of_name(name: &str) -> Option<Kind> {
        match extension(name).as_deref() {
            Some("warc" | "wet" | "wat") => Some(Kind::Warc),
            Some("arc") => Some(Kind::Arc),
            Some("jsonl" | "ndjson") => Some(Kind::Jsonl),
            Some("parquet") => Some(Kind::Parquet),
            _ => None,
        }
    }

    fn of_text(head: &[u8], html_field: &str) -> Kind {
        if looks_like_jsonl(head, html_field) {
            Kind::Jsonl
        } else {
            Kind::Page
        }
    }
}

/// The extension in lower case, looking through `.gz` and `.zst`.
fn extension(name: &str) -> Option<String> {
    let name = name
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(name)
        .to_ascii_lowercase();
    let inner = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(&name);
    inner
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_owned())
}

/// Whether the first line is a JSON object with the field that holds the page.
fn looks_like_jsonl(head: &[u8], html_field: &str) -> bool {
    let text = without_bom(head).trim_ascii_start();
    if !text.starts_with(b"{") {
        return false;
    }
    let key = serde_json::to_vec(html_field).unwrap_or_default();
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or(text);
    let whole = line.len() < text.len() || text.len() < crate::stream::BUFFER / 2;
    memchr::memmem::find(line, &key).is_some() && (!whole || is_json(line))
}

pub(crate) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Whether the bytes are one JSON object or array.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    let text = without_bom(bytes).trim_ascii_start();
    matches!(text.first(), Some(b'{' | b'[')) && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

/// Whether there is nothing to read.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    without_bom(bytes).trim_ascii().is_empty()
}

/// The media type that a file name suggests.
pub(crate) fn media_type_of_name(name: &str) -> Option<&'static str> {
    Some(match extension(name)?.as_str() {
        "html" | "htm" => "text/html",
        "xhtml" | "xht" => "application/xhtml+xml",
        "xml" | "rss" | "atom" | "rdf" => "application/xml",
        "txt" | "text" => "text/plain",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

/// Whether a page can have this media type.
pub(crate) fn is_page_type(media_type: &str) -> bool {
    match media_type {
        "text/html" | "text/plain" | "text/xml" | "application/xml" => true,
        "image/svg+xml" => false,
        other => other.ends_with("+xml"),
    }
}

/// Names the binary format that bytes are in, if they are in one.
pub(crate) fn binary_format(bytes: &[u8]) -> Option<&'static str> {
    if let Some(name) = office_format(bytes) {
        return Some(name);
    }
    SIGNATURES
        .iter()
        .find(|(magic, _)| bytes.starts_with(magic))
        .map(|&(_, name)| name)
        .or_else(|| (is_full_of_controls(bytes) && !is_wide(bytes)).then_some("binary data"))
}

const SIGNATURES: [(&[u8], &str); 18] = [
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"RIFF", "RIFF media"),
    (b"%PDF-", "a PDF document"),
    (b"\x1f\x8b\x08", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"),
];

/// Names the office program whose documents these zipped bytes are, by the names of the files in
/// them.
fn office_format(bytes: &[u8]) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(4 * LOOKED_AT)];
    let names = [
        ("word/", "a Word document"),
        ("xl/", "an Excel workbook"),
        ("ppt/", "a PowerPoint presentation"),
        ("application/vnd.oasis.opendocument", "an OpenDocument file"),
        ("application/epub+zip", "an EPUB book"),
    ];
    let is_zip = bytes.starts_with(b"PK\x03\x04");
    let mut found = names
        .iter()
        .filter(|(name, _)| memchr::memmem::find(head, name.as_bytes()).is_some());
    found.next().filter(|_| is_zip).map(|&(_, format)| format)
}

/// How much of a payload is looked at to tell binary data from text.
const LOOKED_AT: usize = 1024;

/// Whether more than a tenth of the first bytes are control characters that text does not use.
///
/// A stray NUL is common in broken pages; ISO-2022 text escapes often. Both stay well below a
/// tenth.
fn is_full_of_controls(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let controls = head.iter().filter(|&&byte| is_odd_control(byte)).count();
    controls * 10 > head.len()
}

fn is_odd_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b) || byte == 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_before_the_name() {
        assert_eq!(Kind::of(b"WARC/1.0\r\n", "page.html", "html"), Kind::Warc);
        assert_eq!(Kind::of(b"filedesc://x", "-", "html"), Kind::Arc);
        assert_eq!(Kind::of(b"PAR1", "x.jsonl", "html"), Kind::Parquet);
    }

    #[test]
    fn name_decides_where_content_cannot() {
        assert_eq!(Kind::of(b"", "x.WARC.GZ", "html"), Kind::Warc);
        assert_eq!(Kind::of(b"?", "x.ndjson.zst", "html"), Kind::Jsonl);
        assert_eq!(Kind::of(b"<p>", "warc", "html"), Kind::Page);
    }

    #[test]
    fn json_lines_are_told_from_a_json_document_by_the_field() {
        assert_eq!(Kind::of(b"{\"html\": \"<p>\"}\n", "-", "html"), Kind::Jsonl);
        assert_eq!(
            Kind::of(b"\xef\xbb\xbf{\"html\": 1}", "-", "html"),
            Kind::Jsonl
        );
        assert_eq!(Kind::of(b"{\"a\": 1}\n", "-", "html"), Kind::Page);
        assert_eq!(Kind::of(b"{\n \"html\": 1}", "-", "html"), Kind::Page);
    }

    #[test]
    fn binary_is_found_without_a_signature_and_utf16_is_not_binary() {
        assert_eq!(binary_format(b"%PDF-1.7"), Some("a PDF document"));
        assert_eq!(
            binary_format(b"PK\x03\x04..word/document.xml"),
            Some("a Word document")
        );
        assert_eq!(binary_format(b"PK\x03\x04..a.html"), Some("a zip archive"));
        assert_eq!(
            binary_format(&[0, 1, 2, 3, 200, 0, 0, 9]),
            Some("binary data")
        );
        let utf16: Vec<u8> = "<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(binary_format(&utf16), None);
        assert_eq!(binary_format(b"<p>one NUL \0 in a page"), None);
        assert_eq!(binary_format(b""), None);
    }

    #[test]
    fn feeds_are_pages_and_drawings_are_not() {
        assert!(is_page_type("application/rss+xml"));
        assert!(!is_page_type("image/svg+xml"));
        assert!(!is_page_type("application/json"));
    }
}
