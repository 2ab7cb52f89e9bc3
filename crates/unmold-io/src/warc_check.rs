//! Is a WARC file whole: every member, every length, every digest?
//!
//! A reader gets along with damage ([`load`](crate::load) reports it and goes on). Whoever keeps an
//! archive wants to know more: whether each record is what its digests say, and up to where a file
//! is whole whose end was torn off.
//!
//! ```
//! use std::time::SystemTime;
//! use unmold_io::{save::Overwrite, warc_check::check, warc_file::{Record, WarcFile}};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("site.warc.gz");
//! let mut warc = WarcFile::create(&path, Overwrite::Refuse)?;
//! let response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello".to_vec();
//! warc.append(&[Record::response("https://example.org/", SystemTime::now(), response)])?;
//! warc.finish(Overwrite::Refuse)?;
//!
//! let found = check(&path)?;
//! assert!(found.is_whole());
//! assert_eq!((found.records["response"], found.digests), (1, 2));
//!
//! // A file whose end is missing is whole up to its last whole record.
//! let bytes = std::fs::read(&path)?;
//! std::fs::write(&path, [&bytes[..], &bytes[..100]].concat())?;
//! let found = check(&path)?;
//! assert_eq!((found.whole_to, found.faults.len()), (bytes.len() as u64, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is checked:
//!
//! | of | what |
//! |---|---|
//! | gzip | each member has its end, its length and its checksum; a record has a member of its own |
//! | a record | version, the four fields that every record has, a length that leads to the end of the record |
//! | digests | `WARC-Block-Digest` and `WARC-Payload-Digest` in SHA-1, SHA-256 and SHA-512, base 32 or hexadecimal; others are counted as not checked |
//! | ids | none is there twice |
//!
//! After damage the next record is looked for, so that one torn record is one fault.
//!
//! Cost: one pass, plus a second one over what is damaged. Memory: one header, and eight bytes for
//! each record.

use crate::save::{Overwrite, SaveError, check_file};
use flate2::bufread::GzDecoder;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::Path,
};

/// What is in a WARC file, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct WarcReport {
    /// How long the file is.
    pub bytes: u64,
    /// Everything before this byte is whole.
    pub whole_to: u64,
    /// How many gzip members it has; none where it is not packed.
    pub members: u64,
    /// How many whole records of each type it has.
    pub records: BTreeMap<String, u64>,
    /// How many digests were found right.
    pub digests: u64,
    /// How many digests are of a kind that is not checked.
    pub unchecked: u64,
    /// What is wrong, in the order of the file; the first thousand.
    pub faults: Vec<WarcFault>,
    /// The bytes that are whole records.
    whole: Vec<Range<u64>>,
}

/// Something wrong with a WARC file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarcFault {
    /// Where the record or member starts.
    pub at: u64,
    /// What is wrong with it.
    pub reason: String,
    /// Whether its bytes are no record; otherwise they are one with something wrong in it.
    pub is_damage: bool,
}

/// The most faults that are listed.
const MAX_FAULTS: usize = 1000;
/// No header is longer, in bytes.
const MAX_HEADER: usize = 1 << 20;

impl WarcReport {
    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.faults.is_empty()
    }

    /// How many whole records there are.
    pub fn all_records(&self) -> u64 {
        self.records.values().sum()
    }

    fn fault(&mut self, at: u64, reason: impl Into<String>, is_damage: bool) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(WarcFault {
                at,
                reason: reason.into(),
                is_damage,
            });
        }
    }

    fn add_whole(&mut self, range: Range<u64>) {
        match self.whole.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.whole.push(range),
        }
    }
}

/// Checks a WARC file, packed with gzip or plain.
pub fn check(path: &Path) -> io::Result<WarcReport> {
    let mut file = BufReader::new(File::open(path)?);
    let mut report = WarcReport {
        bytes: fs::metadata(path)?.len(),
        ..WarcReport::default()
    };
    let first = file.fill_buf()?;
    if first.starts_with(&ZSTD) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "packed with Zstandard, which is not checked: unpack it first (zstd -d)",
        ));
    }
    let is_packed = first.starts_with(&GZIP[..2]);
    let mut checker = Checker {
        report: &mut report,
        ids: HashSet::new(),
    };
    if is_packed {
        checker.check_members(&mut file)?;
    } else {
        checker.check_plain(&mut file)?;
    }
    let damage = report.faults.iter().find(|fault| fault.is_damage);
    report.whole_to = damage.map_or(report.bytes, |fault| fault.at);
    Ok(report)
}

/// Writes the whole records of a file into another. The file itself is not touched.
pub fn repair(
    path: &Path,
    report: &WarcReport,
    into: &Path,
    overwrite: Overwrite,
) -> Result<u64, SaveError> {
    check_file(into, overwrite)?;
    let copied = copy_ranges(path, &report.whole, into);
    copied.map_err(|error| SaveError::from_write(into.to_owned(), error))
}

fn copy_ranges(path: &Path, ranges: &[Range<u64>], into: &Path) -> io::Result<u64> {
    let mut from = File::open(path)?;
    let folder = crate::save::folder_of(into);
    let mut to = tempfile::NamedTempFile::new_in(folder)?;
    let mut copied = 0;
    for range in ranges {
        from.seek(SeekFrom::Start(range.start))?;
        copied += io::copy(&mut (&from).take(range.end - range.start), &mut to)?;
    }
    to.flush()?;
    to.as_file().sync_all()?;
    to.persist(into).map_err(|error| error.error)?;
    crate::save::sync_folder(folder)?;
    Ok(copied)
}

/// How a gzip member begins: magic number and the only method there is.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

struct Checker<'r> {
    report: &'r mut WarcReport,
    /// Hashes of the ids of records.
    ids: HashSet<u64>,
}

/// Why bytes are no record.
enum Broken {
    /// They cannot be read from the disk.
    Disk(io::Error),
    /// This is wrong with them.
    Record(String),
}

impl Checker<'_> {
    fn check_members(&mut self, file: &mut BufReader<File>) -> io::Result<()> {
        let mut at = 0;
        while !file.fill_buf()?.is_empty() {
            match self.check_member(file, at) {
                Ok(length) => {
                    self.report.members += 1;
                    self.report.add_whole(at..at + length);
                    at += length;
                }
                Err(Broken::Disk(error)) => return Err(error),
                Err(Broken::Record(reason)) => {
                    let next = next_member(file, at + 1)?;
                    let reason = if next.is_none() {
                        format!("{reason}; nothing whole follows")
                    } else {
                        reason
                    };
                    self.report.fault(at, reason, true);
                    let Some(next) = next else { return Ok(()) };
                    file.seek(SeekFrom::Start(next))?;
                    at = next;
                }
            }
        }
        Ok(())
    }

    /// Checks one member, and gives its length.
    fn check_member(&mut self, file: &mut BufReader<File>, at: u64) -> Result<u64, Broken> {
        let mut counted = Counted {
            inner: &mut *file,
            count: 0,
            error: None,
        };
        let mut found = Vec::new();
        let read = {
            let mut member = BufReader::new(GzDecoder::new(&mut counted));
            read_all(&mut member, &mut found)
        };
        if let Some(error) = counted.error {
            return Err(Broken::Disk(error));
        }
        let length = counted.count;
        read.map_err(|reason| Broken::Record(format!("gzip member: {reason}")))?;
        if found.is_empty() {
            return Err(Broken::Record("gzip member without a record".into()));
        }
        if found.len() > 1 {
            let reason = format!(
                "{} records in one gzip member: none of them can be read alone",
                found.len()
            );
            self.report.fault(at, reason, false);
        }
        for record in &found {
            self.add(at, record);
        }
        Ok(length)
    }

    fn check_plain(&mut self, file: &mut BufReader<File>) -> io::Result<()> {
        let mut at = 0;
        loop {
            let mut counted = Counted {
                inner: &mut *file,
                count: 0,
                error: None,
            };
            let read = read_record(&mut counted);
            let length = counted.count;
            if let Some(error) = counted.error {
                return Err(error);
            }
            match read {
                Ok(None) => return Ok(()),
                Ok(Some(record)) => {
                    self.add(at, &record);
                    self.report.add_whole(at..at + length);
                    at += length;
                }
                Err(reason) => {
                    let next = next_plain(file, at + 1)?;
                    let reason = if next.is_none() {
                        format!("{reason}; nothing whole follows")
                    } else {
                        reason
                    };
                    self.report.fault(at, reason, true);
                    let Some(next) = next else { return Ok(()) };
                    file.seek(SeekFrom::Start(next))?;
                    at = next;
                }
            }
        }
    }

    /// Takes up a whole record, with what is wrong inside it.
    fn add(&mut self, at: u64, record: &Checked) {
        *self.report.records.entry(record.kind.clone()).or_default() += 1;
        self.report.digests += record.digests;
        self.report.unchecked += record.unchecked;
        for reason in &record.faults {
            self.report.fault(at, reason.clone(), false);
        }
        if let Some(id) = &record.id {
            let mut hash = DefaultHasher::new();
            id.hash(&mut hash);
            if !self.ids.insert(hash.finish()) {
                let reason = format!("the record id {id} is there twice");
                self.report.fault(at, reason, false);
            }
        }
    }
}

/// A record that was read to its end.
struct Checked {
    kind: String,
    id: Option<String>,
    digests: u64,
    unchecked: u64,
    faults: Vec<String>,
}

/// Reads all records of a member.
fn read_all(member: &mut impl BufRead, found: &mut Vec<Checked>) -> Result<(), String> {
    while let Some(record) = read_record(member)? {
        found.push(record);
    }
    Ok(())
}

/// Reads one record to its end; nothing at the end of the bytes.
fn read_record(bytes: &mut impl BufRead) -> Result<Option<Checked>, String> {
    let Some(header) = read_header(bytes)? else {
        return Ok(None);
    };
    let field = |name: &str| {
        let named = |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        header.iter().find(named).map(|(_, value)| value.as_str())
    };
    let kind = field("WARC-Type")
        .unwrap_or("without a type")
        .to_ascii_lowercase();
    let mut record = Checked {
        id: field("WARC-Record-ID").map(str::to_owned),
        digests: 0,
        unchecked: 0,
        faults: Vec::new(),
        kind,
    };
    for name in ["WARC-Type", "WARC-Record-ID", "WARC-Date"] {
        if field(name).is_none() {
            record.faults.push(format!("no {name}"));
        }
    }
    let length = field("Content-Length").ok_or("no Content-Length")?;
    let length: u64 = length
        .trim()
        .parse()
        .map_err(|_| format!("Content-Length is {length:?}"))?;
    // The payload of a revisit is in another record.
    let has_payload = record.kind != "revisit";
    let is_http = field("Content-Type").is_some_and(|value| value.starts_with("application/http"));
    let mut block = Expected::of(field("WARC-Block-Digest"));
    let mut payload = Expected::of(field("WARC-Payload-Digest").filter(|_| has_payload));
    let mut head = HeadEnd::new(is_http);
    let mut left = length;
    while left > 0 {
        let chunk = bytes.fill_buf().map_err(|error| error.to_string())?;
        if chunk.is_empty() {
            return Err(format!("its block ends {left} bytes too early"));
        }
        let taken = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        block.update(&chunk[..taken]);
        payload.update(&chunk[head.skip(&chunk[..taken])..taken]);
        bytes.consume(taken);
        left -= taken as u64;
    }
    let mut end = Vec::new();
    let read = bytes.by_ref().take(4).read_to_end(&mut end);
    read.map_err(|error| error.to_string())?;
    if end != b"\r\n\r\n" {
        return Err(format!(
            "its block of {length} bytes is not followed by two empty lines"
        ));
    }
    for (name, expected) in [("block", block), ("payload", payload)] {
        match expected.verdict() {
            Verdict::None => {}
            Verdict::Right => record.digests += 1,
            Verdict::Unknown => record.unchecked += 1,
            Verdict::Wrong(given) => record
                .faults
                .push(format!("the {name} is not what its digest says: {given}")),
        }
    }
    Ok(Some(record))
}

/// The fields of a header; nothing at the end of the bytes.
fn read_header(bytes: &mut impl BufRead) -> Result<Option<Vec<(String, String)>>, String> {
    let Some(version) = read_line(bytes)? else {
        return Ok(None);
    };
    if !version.starts_with("WARC/") {
        return Err("no record starts here".into());
    }
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut length = 0;
    loop {
        let line = read_line(bytes)?.ok_or("its header has no end")?;
        length += line.len();
        if length > MAX_HEADER {
            return Err("its header has no end".into());
        }
        if line.is_empty() {
            return Ok(Some(fields));
        }
        // A line that begins with a space goes on with the field before it.
        if line.starts_with([' ', '\t'])
            && let Some((_, value)) = fields.last_mut()
        {
            value.push_str(line.trim());
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(format!("a line of its header is no field: {line:?}"));
        };
        fields.push((name.trim().to_owned(), value.trim().to_owned()));
    }
}

fn read_line(bytes: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = Vec::new();
    let read = bytes
        .by_ref()
        .take(MAX_HEADER as u64)
        .read_until(b'\n', &mut line);
    read.map_err(|error| error.to_string())?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err("its header has no end".into());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// Finds where the header of an HTTP message ends, as its bytes pass by.
struct HeadEnd {
    /// The line ends that have been seen of the four characters that end a header.
    seen: usize,
}

impl HeadEnd {
    const END: &[u8; 4] = b"\r\n\r\n";

    fn new(is_http: bool) -> Self {
        HeadEnd {
            seen: if is_http { 0 } else { Self::END.len() },
        }
    }

    /// How many of the next bytes are still header.
    fn skip(&mut self, bytes: &[u8]) -> usize {
        for (at, &byte) in bytes.iter().enumerate() {
            if self.seen == Self::END.len() {
                return at;
            }
            self.seen = if byte == Self::END[self.seen] {
                self.seen + 1
            } else {
                usize::from(byte == b'\r')
            };
        }
        bytes.len()
    }
}

/// A digest that bytes are held against.
enum Expected {
    None,
    Unknown,
    Sha1(Sha1, String),
    Sha256(Sha256, String),
    Sha512(Sha512, String),
}

enum Verdict {
    None,
    Right,
    Unknown,
    Wrong(String),
}

impl Expected {
    fn of(field: Option<&str>) -> Self {
        let Some(field) = field else {
            return Expected::None;
        };
        let Some((name, value)) = field.split_once(':') else {
            return Expected::Unknown;
        };
        let value = value.trim().to_owned();
        match name.trim().to_ascii_lowercase().as_str() {
            "sha1" | "sha-1" => Expected::Sha1(Sha1::new(), value),
            "sha256" | "sha-256" => Expected::Sha256(Sha256::new(), value),
            "sha512" | "sha-512" => Expected::Sha512(Sha512::new(), value),
            _ => Expected::Unknown,
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Expected::None | Expected::Unknown => {}
            Expected::Sha1(hash, _) => hash.update(bytes),
            Expected::Sha256(hash, _) => hash.update(bytes),
            Expected::Sha512(hash, _) => hash.update(bytes),
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Expected::None => Verdict::None,
            Expected::Unknown => Verdict::Unknown,
            Expected::Sha1(hash, given) => compared(&hash.finalize(), given),
            Expected::Sha256(hash, given) => compared(&hash.finalize(), given),
            Expected::Sha512(hash, given) => compared(&hash.finalize(), given),
        }
    }
}

/// Compares a digest with one in base 32, with or without padding, or in hexadecimal digits.
fn compared(digest: &[u8], given: String) -> Verdict {
    let base32 = crate::warc_file::base32(digest);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let bare = given.trim_end_matches('=');
    if bare.eq_ignore_ascii_case(base32.trim_end_matches('=')) || bare.eq_ignore_ascii_case(&hex) {
        Verdict::Right
    } else {
        Verdict::Wrong(given)
    }
}

/// The next place where a gzip member with a record starts.
fn next_member(file: &mut BufReader<File>, from: u64) -> io::Result<Option<u64>> {
    next_place(file, from, &GZIP, |file| {
        let mut start = [0; 5];
        let read = GzDecoder::new(file).read_exact(&mut start);
        read.is_ok() && &start == b"WARC/"
    })
}

/// The next place where a line starts like a record.
fn next_plain(file: &mut BufReader<File>, from: u64) -> io::Result<Option<u64>> {
    let found = next_place(file, from.saturating_sub(1), b"\nWARC/", |_| true)?;
    Ok(found.map(|at| at + 1))
}

/// The next place with these bytes of which something else is true, too.
fn next_place(
    file: &mut BufReader<File>,
    from: u64,
    wanted: &[u8],
    is_it: impl Fn(&mut BufReader<File>) -> bool,
) -> io::Result<Option<u64>> {
    let mut from = from;
    let mut window = Vec::new();
    loop {
        file.seek(SeekFrom::Start(from))?;
        window.clear();
        file.by_ref().take(WINDOW).read_to_end(&mut window)?;
        if window.len() < wanted.len() {
            return Ok(None);
        }
        for at in memchr::memmem::find_iter(&window, wanted) {
            let place = from + at as u64;
            file.seek(SeekFrom::Start(place))?;
            if is_it(file) {
                return Ok(Some(place));
            }
        }
        // What is looked for may lie across the end of the window.
        from += (window.len() - wanted.len() + 1) as u64;
    }
}

/// How many bytes are looked through at once, in bytes.
const WINDOW: u64 = 1 << 20;

/// Counts what is taken, and keeps an error of the disk, which decoders hide.
struct Counted<R> {
    inner: R,
    count: u64,
    error: Option<io::Error>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let taken = available.len().min(out.len());
        out[..taken].copy_from_slice(&available[..taken]);
        self.consume(taken);
        Ok(taken)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.inner.fill_buf() {
            Ok(bytes) => Ok(bytes),
            Err(error) => {
                self.error = Some(io::Error::new(error.kind(), error.to_string()));
                Err(error)
            }
        }
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.inner.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warc_file::{Record, WarcFile};
    use std::{path::PathBuf, time::UNIX_EPOCH};

    fn page(text: &str) -> Record {
        let response =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}").into_bytes();
        Record::response("https://example.org/", UNIX_EPOCH, response)
    }

    /// An archive of three pages, and where each record ends.
    fn archive(folder: &Path) -> (PathBuf, Vec<usize>) {
        let path = folder.join("a.warc.gz");
        let mut warc = WarcFile::create(&path, Overwrite::Refuse).unwrap();
        let mut ends = Vec::new();
        for text in ["one", "two", "three"] {
            warc.append(&[page(text)]).unwrap();
            ends.push(warc.length() as usize);
        }
        warc.finish(Overwrite::Refuse).unwrap();
        (path, ends)
    }

    #[test]
    fn wherever_an_archive_is_cut_it_is_whole_up_to_its_last_whole_record() {
        let folder = tempfile::tempdir().unwrap();
        let (path, ends) = archive(folder.path());
        let bytes = fs::read(&path).unwrap();
        let (torn, mended) = (folder.path().join("torn"), folder.path().join("mended"));
        for cut in 0..=bytes.len() {
            fs::write(&torn, &bytes[..cut]).unwrap();
            let report = check(&torn).unwrap();
            let whole = ends.iter().rev().find(|&&end| end <= cut).copied();
            let whole = whole.unwrap_or_default();
            assert_eq!(report.whole_to, whole as u64, "cut at {cut}");
            assert_eq!(report.is_whole(), whole == cut, "cut at {cut}");
            repair(&torn, &report, &mended, Overwrite::Allow).unwrap();
            assert_eq!(fs::read(&mended).unwrap(), bytes[..whole], "cut at {cut}");
        }
    }

    #[test]
    fn a_flipped_bit_costs_one_record() {
        let folder = tempfile::tempdir().unwrap();
        let (path, ends) = archive(folder.path());
        let mut bytes = fs::read(&path).unwrap();
        bytes[(ends[0] + ends[1]) / 2] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let report = check(&path).unwrap();
        assert_eq!(report.all_records(), 2, "{:?}", report.faults);
        assert_eq!(report.whole_to, ends[0] as u64);
        let mended = folder.path().join("mended");
        repair(&path, &report, &mended, Overwrite::Refuse).unwrap();
        let report = check(&mended).unwrap();
        assert!(report.is_whole());
        assert_eq!(report.all_records(), 2);
        let again = repair(&path, &report, &mended, Overwrite::Refuse);
        assert!(again.is_err(), "nothing is replaced unasked");
    }

    fn plain(fields: &str, block: &str) -> String {
        let length = block.len();
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n{fields}Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    }

    fn checked(text: &str) -> WarcReport {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        fs::write(&path, text).unwrap();
        check(&path).unwrap()
    }

    #[test]
    fn digests_of_all_writings_are_checked() {
        // Of the text "abc".
        for digest in [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ] {
            let record = plain(
                &format!("WARC-Record-ID: <a:1>\r\nWARC-Block-Digest: {digest}\r\n"),
                "abc",
            );
            let report = checked(&record);
            assert_eq!((report.digests, report.faults), (1, vec![]), "{digest}");
            let report = checked(&record.replace("abc\r\n", "abd\r\n"));
            assert!(!report.is_whole(), "{digest}");
            assert_eq!(report.whole_to, report.bytes, "the record itself is whole");
        }
        let report = checked(&plain(
            "WARC-Record-ID: <a:1>\r\nWARC-Block-Digest: md5:x\r\n",
            "a",
        ));
        assert_eq!((report.digests, report.unchecked), (0, 1));
    }

    #[test]
    fn wrong_lengths_missing_fields_and_ids_that_are_there_twice_are_named() {
        let one = plain("WARC-Record-ID: <a:1>\r\n", "one");
        let report = checked(&format!("{one}{one}"));
        assert_eq!(report.faults.len(), 1);
        assert!(report.faults[0].reason.contains("there twice"));
        let report = checked(&plain("", "one"));
        assert_eq!(report.faults[0].reason, "no WARC-Record-ID");
        let two = plain("WARC-Record-ID: <a:2>\r\n", "two");
        let report = checked(&format!("{}{two}", one.replace("Length: 3", "Length: 2")));
        assert_eq!(report.all_records(), 1, "the next one is found again");
        assert!(report.faults[0].is_damage);
        assert_eq!(report.whole_to, 0);
    }
}
