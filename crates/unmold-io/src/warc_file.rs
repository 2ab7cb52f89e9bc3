//! How is a WARC file written that is whole at every moment?
//!
//! A [`WarcFile`] grows under its name with `.open` behind it, and gets its own name when it is
//! finished. Each record is a gzip member of its own (WARC 1.1, ISO 28500:2017, annex D), and the
//! members of one [`WarcFile::append`] reach the file in one write. What a process that was killed
//! may have left cut off at the end is taken off by [`WarcFile::resume`]:
//!
//! ```
//! use std::time::SystemTime;
//! use unmold_io::{LoadSettings, load, save::Overwrite, warc_file::{Record, WarcFile}};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("site.warc.gz");
//! let mut warc = WarcFile::create(&path, Overwrite::Refuse)?;
//! let response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello".to_vec();
//! warc.append(&[Record::response("https://example.org/", SystemTime::now(), response)])?;
//! warc.sync()?;
//! drop(warc);
//!
//! WarcFile::resume(&path, None)?.finish(Overwrite::Refuse)?;
//! let pages = load([path], &LoadSettings::default()).pages();
//! assert_eq!(pages.map(|page| page.unwrap().url().unwrap().to_owned()).collect::<Vec<_>>(), ["https://example.org/"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A caller that keeps a state of its own notes the length that [`WarcFile::sync`] gave together
//! with what it did, and resumes at that length: then file and state agree, whenever the process
//! was killed.
//!
//! Digests are SHA-256 in base 32. The ids of records are made from their content and place, so
//! that nothing is random.

use crate::save::{Overwrite, SaveError, check_file, folder_of, sync_folder};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use sha2::{Digest, Sha256};
use std::{
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// A record on its way to the file.
#[derive(Clone, Debug)]
pub struct Record {
    kind: &'static str,
    fields: Vec<(&'static str, String)>,
    block: Vec<u8>,
    /// Where the payload begins, where it is not the whole block.
    payload: Option<usize>,
    id: String,
}

impl Record {
    fn new(kind: &'static str, date: SystemTime, content_type: &str, block: Vec<u8>) -> Self {
        let fields = vec![
            ("WARC-Date", warc_date(date)),
            ("Content-Type", content_type.to_owned()),
        ];
        let mut record = Record {
            kind,
            fields,
            block,
            payload: None,
            id: String::new(),
        };
        record.name_by(&[]);
        record
    }

    /// What wrote the file, and how: lines of `name: value`.
    pub fn info(date: SystemTime, lines: &[(&str, &str)]) -> Self {
        Record::new(
            "warcinfo",
            date,
            "application/warc-fields",
            field_lines(lines),
        )
    }

    /// An HTTP response: status line, header, body.
    pub fn response(uri: &str, date: SystemTime, response: Vec<u8>) -> Self {
        let payload = body_start(&response);
        Record {
            payload: Some(payload),
            ..Record::new(
                "response",
                date,
                "application/http;msgtype=response",
                response,
            )
        }
        .with_field("WARC-Target-URI", uri)
    }

    /// The HTTP request that a response answers.
    pub fn request(uri: &str, date: SystemTime, request: Vec<u8>) -> Self {
        Record::new("request", date, "application/http;msgtype=request", request)
            .with_field("WARC-Target-URI", uri)
    }

    /// A response whose payload is in an earlier record, of which only the header is kept.
    pub fn revisit(uri: &str, date: SystemTime, head: Vec<u8>, profile: Profile) -> Self {
        Record::new("revisit", date, "application/http;msgtype=response", head)
            .with_field("WARC-Target-URI", uri)
            .with_field("WARC-Profile", profile.uri())
    }

    /// Something noted about another record: lines of `name: value`.
    pub fn metadata(uri: &str, date: SystemTime, lines: &[(&str, &str)]) -> Self {
        Record::new(
            "metadata",
            date,
            "application/warc-fields",
            field_lines(lines),
        )
        .with_field("WARC-Target-URI", uri)
    }

    /// Adds a field. Characters that would end the line become spaces.
    #[must_use]
    pub fn with_field(mut self, name: &'static str, value: impl AsRef<str>) -> Self {
        let value: String = value
            .as_ref()
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.fields.push((name, value));
        self.name_by(name.as_bytes());
        self
    }

    /// Says that the record was fetched together with another.
    #[must_use]
    pub fn concurrent_to(self, other: &Record) -> Self {
        let id = other.id().to_owned();
        self.with_field("WARC-Concurrent-To", id)
    }

    /// The id, with its angle brackets.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A UUID (version 8) of all that the record holds.
    fn name_by(&mut self, salt: &[u8]) {
        let mut hash = Sha256::new();
        hash.update(self.kind);
        self.fields
            .iter()
            .for_each(|(name, value)| hash.update(format!("{name}{value}\n")));
        hash.update(salt);
        hash.update(&self.block);
        let mut bytes: [u8; 16] = hash.finalize()[..16].try_into().unwrap_or_default();
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        self.id = format!("<urn:uuid:{}>", hyphenated(&bytes));
    }

    /// The record as it stands in the file, not compressed.
    fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!(
            "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Record-ID: {}\r\n",
            self.kind, self.id
        );
        self.fields
            .iter()
            .for_each(|(name, value)| _ = write!(head, "{name}: {value}\r\n"));
        _ = write!(head, "WARC-Block-Digest: {}\r\n", digest(&self.block));
        if let Some(start) = self.payload {
            _ = write!(
                head,
                "WARC-Payload-Digest: {}\r\n",
                digest(&self.block[start..])
            );
        }
        _ = write!(head, "Content-Length: {}\r\n\r\n", self.block.len());
        [head.as_bytes(), &self.block, b"\r\n\r\n"].concat()
    }
}

/// Why a payload is not stored again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The same bytes came as before.
    IdenticalPayload,
    /// The server said that nothing has changed.
    NotModified,
}

impl Profile {
    fn uri(self) -> &'static str {
        match self {
            Profile::IdenticalPayload => {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            }
            Profile::NotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
        }
    }
}

/// A WARC file that is being written.
#[derive(Debug)]
pub struct WarcFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl WarcFile {
    /// Where the file grows until it is finished.
    pub fn open_path(path: &Path) -> PathBuf {
        let mut name = OsString::from(path);
        name.push(".open");
        name.into()
    }

    /// Begins a file. One that was left unfinished under the same name is replaced where that is
    /// allowed.
    pub fn create(path: impl Into<PathBuf>, overwrite: Overwrite) -> Result<Self, SaveError> {
        let path = path.into();
        let open = Self::open_path(&path);
        check_file(&path, overwrite)?;
        check_file(&open, overwrite)?;
        let begun = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&open);
        let begun = begun.and_then(|file| sync_folder(folder_of(&open)).map(|()| file));
        let file = begun.map_err(|error| SaveError::from_write(open, error))?;
        Ok(WarcFile {
            path,
            file,
            length: 0,
        })
    }

    /// Goes on with an unfinished file: at the length that was noted, or else behind its last whole
    /// member.
    pub fn resume(path: impl Into<PathBuf>, noted: Option<u64>) -> Result<Self, SaveError> {
        let path = path.into();
        let open = Self::open_path(&path);
        let resumed = reopened(&open, noted);
        let (file, length) = resumed.map_err(|error| SaveError::from_write(open, error))?;
        Ok(WarcFile { path, file, length })
    }

    /// How long the file is.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes records, each as a member of its own, and gives the place where the first begins.
    pub fn append(&mut self, records: &[Record]) -> Result<u64, SaveError> {
        let mut members = Vec::new();
        for record in records {
            let mut member = GzEncoder::new(members, Compression::new(6));
            let written = member
                .write_all(&record.to_bytes())
                .and_then(|()| member.finish());
            members = written.map_err(|error| self.error(error))?;
        }
        self.file
            .write_all(&members)
            .map_err(|error| self.error(error))?;
        let start = self.length;
        self.length += members.len() as u64;
        Ok(start)
    }

    /// Forces what was written to the disk, and gives the length up to which the file now lasts.
    pub fn sync(&mut self) -> Result<u64, SaveError> {
        self.file.sync_data().map_err(|error| self.error(error))?;
        Ok(self.length)
    }

    /// Gives the file its name.
    pub fn finish(self, overwrite: Overwrite) -> Result<(), SaveError> {
        check_file(&self.path, overwrite)?;
        let named = self
            .file
            .sync_all()
            .and_then(|()| fs::rename(Self::open_path(&self.path), &self.path));
        named
            .and_then(|()| sync_folder(folder_of(&self.path)))
            .map_err(|error| self.error(error))
    }

    fn error(&self, error: io::Error) -> SaveError {
        SaveError::from_write(Self::open_path(&self.path), error)
    }
}

/// The unfinished file, cut at its last whole member or at the length that was noted.
fn reopened(open: &Path, noted: Option<u64>) -> io::Result<(File, u64)> {
    let mut file = OpenOptions::new().read(true).write(true).open(open)?;
    let there = file.metadata()?.len();
    let length = match noted {
        Some(noted) if noted <= there => noted,
        _ => whole_members(&file)?,
    };
    file.set_len(length)?;
    file.sync_all()?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, length))
}

/// How many bytes of a file are whole gzip members.
fn whole_members(file: &File) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    let mut whole = 0;
    while !reader.fill_buf()?.is_empty() {
        let mut member = GzDecoder::new(Counted {
            reader: &mut reader,
            count: 0,
        });
        if io::copy(&mut member, &mut io::sink()).is_err() {
            break;
        }
        whole += member.get_ref().count;
    }
    Ok(whole)
}

/// Counts what a decoder takes.
struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(out)?;
        self.count += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.reader.consume(amount);
    }
}

fn field_lines(lines: &[(&str, &str)]) -> Vec<u8> {
    let clean = |text: &str| {
        text.chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect::<String>()
    };
    lines
        .iter()
        .map(|(name, value)| format!("{}: {}\r\n", clean(name), clean(value)))
        .collect::<String>()
        .into_bytes()
}

/// Where the body of a response begins: behind the first empty line.
fn body_start(response: &[u8]) -> usize {
    memchr::memmem::find(response, b"\r\n\r\n").map_or(response.len(), |at| at + 4)
}

/// `sha256:` and the digest in base 32, as WARC files have it.
///
/// ```
/// use unmold_io::warc_file::digest;
///
/// assert_eq!(digest(b""), "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====");
/// ```
pub fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", base32(&Sha256::digest(bytes)))
}

pub(crate) fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut out = String::new();
    for five in bytes.chunks(5) {
        let number = five
            .iter()
            .fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
            << (8 * (5 - five.len()));
        let digits = (five.len() * 8).div_ceil(5);
        let letter = |at: usize| char::from(LETTERS[(number >> (35 - 5 * at) & 31) as usize]);
        out.extend((0..8).map(|at| if at < digits { letter(at) } else { '=' }));
    }
    out
}

fn hyphenated(bytes: &[u8; 16]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}

/// A time as WARC files have it: `2026-11-17T11:20:30.123456Z`.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use unmold_io::warc_file::warc_date;
///
/// assert_eq!(warc_date(UNIX_EPOCH + Duration::from_millis(951_782_400_500)), "2000-02-29T00:00:00.500000Z");
/// ```
pub fn warc_date(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let micros = since.subsec_micros();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// The date so many days behind 1970-01-01, in years that begin in March, so that the leap day is
/// the last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (
        era * 400 + year_of_era + u64::from(month <= 2),
        month,
        day_of_year - (153 * shifted + 2) / 5 + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn page(text: &str) -> Record {
        let response =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}").into_bytes();
        Record::response("https://example.org/", UNIX_EPOCH, response)
    }

    #[test]
    fn wherever_a_file_is_cut_its_whole_members_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let mut warc = WarcFile::create(&path, Overwrite::Refuse).unwrap();
        let ends: Vec<u64> = ["one", "two", "three"]
            .map(|text| warc.append(&[page(text)]).map(|_| warc.length()).unwrap())
            .to_vec();
        let bytes = fs::read(WarcFile::open_path(&path)).unwrap();
        for cut in 0..=bytes.len() {
            fs::write(WarcFile::open_path(&path), &bytes[..cut]).unwrap();
            let whole = ends
                .iter()
                .rev()
                .find(|&&end| end <= cut as u64)
                .copied()
                .unwrap_or(0);
            assert_eq!(
                WarcFile::resume(&path, None).unwrap().length(),
                whole,
                "cut at {cut}"
            );
        }
    }

    #[test]
    fn a_length_that_was_noted_is_believed_unless_the_file_is_shorter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let mut warc = WarcFile::create(&path, Overwrite::Refuse).unwrap();
        warc.append(&[page("one")]).unwrap();
        let noted = warc.sync().unwrap();
        warc.append(&[page("two")]).unwrap();
        let all = warc.length();
        assert_eq!(
            WarcFile::resume(&path, Some(all + 9)).unwrap().length(),
            all
        );
        assert_eq!(
            WarcFile::resume(&path, Some(noted)).unwrap().length(),
            noted
        );
        assert_eq!(
            fs::metadata(WarcFile::open_path(&path)).unwrap().len(),
            noted
        );
    }

    #[test]
    fn a_record_goes_on_behind_a_resumed_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        WarcFile::create(&path, Overwrite::Refuse)
            .unwrap()
            .append(&[page("one")])
            .unwrap();
        let mut warc = WarcFile::resume(&path, None).unwrap();
        warc.append(&[page("two")]).unwrap();
        warc.finish(Overwrite::Refuse).unwrap();
        let mut pages = crate::load([&path], &crate::LoadSettings::default()).pages();
        assert_eq!(pages.by_ref().filter(Result::is_ok).count(), 2);
        assert!(WarcFile::create(&path, Overwrite::Refuse).is_err());
    }

    #[test]
    fn nothing_in_a_field_can_begin_another() {
        let record = page("x").with_field("WARC-Truncated", "length\r\nWARC-Type: warcinfo");
        assert!(
            !String::from_utf8(record.to_bytes())
                .unwrap()
                .contains("\nWARC-Type: warcinfo")
        );
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let date = |seconds: u64| warc_date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(date(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(date(4_102_444_799), "2099-12-31T23:59:59.000000Z");
        assert_eq!(date(1_709_164_800), "2024-02-29T00:00:00.000000Z");
    }

    #[test]
    fn base_32_is_padded_as_rfc_4648_says() {
        let expected = [
            "",
            "MY======",
            "MZXQ====",
            "MZXW6===",
            "MZXW6YQ=",
            "MZXW6YTB",
            "MZXW6YTBOI======",
        ];
        let given: Vec<String> = (0..7).map(|end| base32(&b"foobar"[..end])).collect();
        assert_eq!(given, expected);
    }
}
