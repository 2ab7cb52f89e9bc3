//! What went wrong, and where?
//!
//! One bad item costs one [`Fault`], and reading goes on after it. A fault is a row, not an
//! exception: it says which file, where in it, at which [`Stage`], of which [`FaultKind`], and for
//! what reason, and it serialises, so that a run can list what it did not use next to what it did.
//!
//! ```
//! use unmold_io::{LoadSettings, Loaded, load};
//!
//! let mut items = load(["no/such/page.html"], &LoadSettings::default());
//! let Some(Loaded::Fault(fault)) = items.next() else { panic!("a missing file is a fault") };
//! assert_eq!(fault.to_string(), "no/such/page.html: open: no such file or folder");
//! ```

use std::fmt;
use std::io;
use std::ops::Range;

use serde::Serialize;
use unmold::read::{PageError, PageErrorKind};

/// A position inside an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum At {
    /// The file as a whole.
    File,
    /// A byte of the file as it is stored: a reader can seek there.
    Byte(u64),
    /// A byte that exists only after decompression, in a file that is not compressed record by
    /// record.
    Inside {
        /// Where the compressed member starts in the file.
        member: u64,
        /// The byte in what the member unpacks to.
        byte: u64,
    },
    /// A line, counted from one.
    Line(u64),
    /// A row of a table, counted from zero.
    Row(u64),
}

impl At {
    /// The id of the item at this position of the file `name`: `name`, `name#784`, `name#0+488`.
    pub(crate) fn id_in(self, name: &str) -> String {
        match self {
            At::File => name.to_owned(),
            At::Byte(n) | At::Line(n) | At::Row(n) => format!("{name}#{n}"),
            At::Inside { member, byte } => format!("{name}#{member}+{byte}"),
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::File => f.write_str("whole file"),
            At::Byte(n) => write!(f, "byte {n}"),
            At::Inside { member, byte } => write!(f, "byte {byte} of the member at byte {member}"),
            At::Line(n) => write!(f, "line {n}"),
            At::Row(n) => write!(f, "row {n}"),
        }
    }
}

/// The step at which an item was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Stage {
    /// Finding and opening the file.
    Open,
    /// Reading and decompressing it.
    Unpack,
    /// Finding the record in the archive and reading its header.
    Record,
    /// Reading the HTTP response inside the record.
    Http,
    /// Reading a line or a row.
    Row,
    /// Making a page of what was read.
    Page,
    /// Working on the page after it was loaded.
    Work,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Open => "open",
            Stage::Unpack => "unpack",
            Stage::Record => "record",
            Stage::Http => "http",
            Stage::Row => "row",
            Stage::Page => "page",
            Stage::Work => "work",
        })
    }
}

/// What kind of fault it is: the key under which a [`Tally`](crate::Tally) counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FaultKind {
    /// There is nothing at that path, or a link that leads nowhere.
    NotFound,
    /// The operating system refuses to open or read it.
    Unreadable,
    /// A named pipe, a socket or a device.
    NotAFile,
    /// An archive or table of zero bytes.
    EmptyFile,
    /// The file ends in the middle of an item.
    Truncated,
    /// Compressed data that do not unpack, or a checksum that does not agree.
    Corrupt,
    /// Compressed data that unpack to absurdly much.
    Bomb,
    /// Bytes where an archive record should start, or a record header that makes no sense.
    BadRecord,
    /// A record whose declared length does not lead to the next record.
    WrongLength,
    /// An HTTP response without a readable status line and header.
    BadHttp,
    /// A line that is not a JSON object.
    BadLine,
    /// A line beyond the length limit.
    LongLine,
    /// A line or a table without the field that holds the page.
    MissingField,
    /// The field that holds the page is not text.
    WrongType,
    /// A table that cannot be read.
    BadTable,
    /// A page beyond the size limit: its beginning was used.
    Cut,
    /// A page that shows an error of this program.
    Panic,
    /// A page that would take more than its share of time and memory.
    TooComplex,
}

impl FaultKind {
    /// The name under which the kind is serialised, such as `wrong-length`.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NotFound => "not-found",
            FaultKind::Unreadable => "unreadable",
            FaultKind::NotAFile => "not-a-file",
            FaultKind::EmptyFile => "empty-file",
            FaultKind::Truncated => "truncated",
            FaultKind::Corrupt => "corrupt",
            FaultKind::Bomb => "bomb",
            FaultKind::BadRecord => "bad-record",
            FaultKind::WrongLength => "wrong-length",
            FaultKind::BadHttp => "bad-http",
            FaultKind::BadLine => "bad-line",
            FaultKind::LongLine => "long-line",
            FaultKind::MissingField => "missing-field",
            FaultKind::WrongType => "wrong-type",
            FaultKind::BadTable => "bad-table",
            FaultKind::Cut => "cut",
            FaultKind::Panic => "panic",
            FaultKind::TooComplex => "too-complex",
        }
    }
}

/// One item that could not be loaded, or only in part, or not be worked on.
///
/// Its display is one line, with control characters and direction overrides escaped, so that a
/// hostile file name or address cannot write to the terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    file: String,
    at: At,
    stage: Stage,
    kind: FaultKind,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Range<u64>>,
}

impl Fault {
    pub(crate) fn new(
        file: &str,
        at: At,
        stage: Stage,
        kind: FaultKind,
        reason: impl Into<String>,
    ) -> Self {
        Fault {
            file: file.to_owned(),
            at,
            stage,
            kind,
            reason: reason.into(),
            lost: None,
        }
    }

    /// The fault of a page, by its id, on which work has failed for a reason that lies in this
    /// program.
    pub fn of_page(id: &str, reason: impl Into<String>) -> Self {
        Fault::new(id, At::File, Stage::Work, FaultKind::Panic, reason)
    }

    /// The fault of a page that could not be worked on.
    pub fn of_page_error(error: &PageError) -> Self {
        let kind = match error.kind {
            PageErrorKind::TooComplex => FaultKind::TooComplex,
            _ => FaultKind::Panic,
        };
        Fault::new(&error.page, At::File, Stage::Work, kind, error.reason())
    }

    /// The fault of a page of which only the first `limit` bytes were used, and whose size may be
    /// known.
    pub(crate) fn of_cut(file: &str, at: At, size: Option<u64>, limit: usize) -> Self {
        let size = size.map_or_else(|| format!("more than {limit}"), |size| size.to_string());
        let reason = format!("the page has {size} bytes and was cut at the limit of {limit}");
        Fault::new(file, at, Stage::Page, FaultKind::Cut, reason)
    }

    pub(crate) fn with_lost(mut self, lost: Range<u64>) -> Self {
        self.lost = Some(lost);
        self
    }

    /// The fault of a file that the operating system did not open or list.
    pub(crate) fn from_open(file: &str, error: &io::Error) -> Self {
        let (kind, reason) = match error.kind() {
            io::ErrorKind::NotFound => (FaultKind::NotFound, "no such file or folder".to_owned()),
            io::ErrorKind::PermissionDenied => {
                (FaultKind::Unreadable, "permission denied".to_owned())
            }
            _ => (FaultKind::Unreadable, error.to_string()),
        };
        Fault::new(file, At::File, Stage::Open, kind, reason)
    }

    /// The input as it is named in page ids.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where in the file.
    pub fn at(&self) -> At {
        self.at
    }

    /// At which step.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Of which kind.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The reason, for a person to read.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The bytes of the file (the rows, for a table) that were passed over because of it.
    pub fn lost(&self) -> Option<Range<u64>> {
        self.lost.clone()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", Printable(&self.file))?;
        if self.at != At::File {
            write!(f, "{}: ", self.at)?;
        }
        write!(f, "{}: {}", self.stage, Printable(&self.reason))?;
        match &self.lost {
            Some(lost) if matches!(self.at, At::Row(_)) => {
                write!(f, " (rows {} to {} lost)", lost.start, lost.end)
            }
            Some(lost) => write!(f, " (bytes {} to {} lost)", lost.start, lost.end),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// Shows text that came from outside on one line: what a terminal would obey is escaped.
pub(crate) struct Printable<'a>(pub(crate) &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&unmold::read::printable(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_is_one_line_without_escape_sequences() {
        let fault = Fault::new(
            "a\n\u{1b}[31m.warc",
            At::Byte(7),
            Stage::Record,
            FaultKind::BadRecord,
            "x\u{202e}y\r",
        )
        .with_lost(7..19);
        assert_eq!(
            fault.to_string(),
            "a\\n\\u{1b}[31m.warc: byte 7: record: x\\u{202e}y\\r (bytes 7 to 19 lost)"
        );
    }

    #[test]
    fn serialised_kind_is_its_name() {
        let json = serde_json::to_value(Fault::new(
            "f",
            At::Line(3),
            Stage::Row,
            FaultKind::LongLine,
            "long",
        ))
        .unwrap();
        assert_eq!(json["kind"], FaultKind::LongLine.name());
        assert_eq!(json["at"]["line"], 3);
        assert!(json.get("lost").is_none());
    }
}
