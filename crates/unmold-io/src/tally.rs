//! What became of every item?
//!
//! Everything the loader sees ends in exactly one of three ways: it becomes a page (perhaps one
//! that was cut at the size limit), it is [`Skipped`] because it is not one, or it is a [`Fault`].
//! The [`Tally`] counts all three, so that nothing is lost in silence:
//! `seen = pages + skipped + faults`, always.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use unmold::Page;

use crate::fault::{At, Fault, FaultKind, Printable};

/// One item of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// A page.
    Page(Page),
    /// The beginning of a page beyond the size limit, and the fault that says so. It counts as a
    /// page.
    Cut(Page, Fault),
    /// Something whole that is not a page, or that was not asked for.
    Skipped(Skipped),
    /// Something broken.
    Fault(Fault),
}

/// Why an item that is not broken did not become a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SkipKind {
    /// A `request` record.
    Request,
    /// A `warcinfo` record, or the file header of an ARC.
    Warcinfo,
    /// A `metadata` record.
    Metadata,
    /// A `revisit` record: the page stands elsewhere.
    Revisit,
    /// A `continuation` record: a later part of a split record.
    Continuation,
    /// A response whose status is not a success.
    Status,
    /// A media type that is not a page: an image, a style sheet, a script, a DNS answer.
    MediaType,
    /// Binary data, whatever its media type says.
    Binary,
    /// A JSON document.
    Json,
    /// Nothing, or only white space.
    Empty,
    /// Cut short, and such pages were not wanted.
    Truncated,
    /// Left out by the `include` pattern.
    NotIncluded,
    /// A link to a folder inside a folder.
    LinkedFolder,
}

impl SkipKind {
    /// The name under which the kind is serialised, such as `media-type`.
    pub fn name(self) -> &'static str {
        match self {
            SkipKind::Request => "request",
            SkipKind::Warcinfo => "warcinfo",
            SkipKind::Metadata => "metadata",
            SkipKind::Revisit => "revisit",
            SkipKind::Continuation => "continuation",
            SkipKind::Status => "status",
            SkipKind::MediaType => "media-type",
            SkipKind::Binary => "binary",
            SkipKind::Json => "json",
            SkipKind::Empty => "empty",
            SkipKind::Truncated => "truncated",
            SkipKind::NotIncluded => "not-included",
            SkipKind::LinkedFolder => "linked-folder",
        }
    }
}

/// One item that is whole but is not a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    id: String,
    at: At,
    kind: SkipKind,
    reason: String,
}

impl Skipped {
    pub(crate) fn new(file: &str, at: At, kind: SkipKind, reason: impl Into<String>) -> Self {
        Skipped {
            id: at.id_in(file),
            at,
            kind,
            reason: reason.into(),
        }
    }

    /// The id that the item would have had as a page.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it is a row of a table or a line of JSON.
    pub fn is_row(&self) -> bool {
        matches!(self.at, At::Row(_) | At::Line(_))
    }

    /// Why, as a kind.
    pub fn kind(&self) -> SkipKind {
        self.kind
    }

    /// Why, for a person to read.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", Printable(&self.id), Printable(&self.reason))
    }
}

/// Something that was put right on the way, or that a user should know about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Note {
    /// An archive compressed as a whole: its records cannot be found again by their offset.
    NotSeekable,
    /// `Transfer-Encoding: chunked` was declared, but the body was not chunked.
    NotChunked,
    /// The chunks of a body stopped making sense: the rest was taken as it stands.
    BrokenChunks,
    /// `Content-Encoding` named a compression that the body does not have.
    WrongEncoding,
    /// The body was compressed once more than `Content-Encoding` said.
    UndeclaredEncoding,
    /// The address was in brackets or held white space.
    RepairedUri,
    /// A record without an address.
    NoUri,
}

impl Note {
    /// What it means, for a person to read.
    pub fn reason(self) -> &'static str {
        match self {
            Note::NotSeekable => {
                "the archive is compressed as a whole: its records cannot be read alone"
            }
            Note::NotChunked => {
                "the body was said to be chunked and is not: it was taken as it stands"
            }
            Note::BrokenChunks => {
                "the chunks of the body stop making sense: the rest was taken as it stands"
            }
            Note::WrongEncoding => {
                "the body was said to be compressed and is not, or in another way"
            }
            Note::UndeclaredEncoding => "the body was compressed once more than was said",
            Note::RepairedUri => "the address was in brackets or held white space",
            Note::NoUri => "the record has no address",
        }
    }

    /// The name under which the note is serialised, such as `not-seekable`.
    pub fn name(self) -> &'static str {
        match self {
            Note::NotSeekable => "not-seekable",
            Note::NotChunked => "not-chunked",
            Note::BrokenChunks => "broken-chunks",
            Note::WrongEncoding => "wrong-encoding",
            Note::UndeclaredEncoding => "undeclared-encoding",
            Note::RepairedUri => "repaired-uri",
            Note::NoUri => "no-uri",
        }
    }
}

/// How many items became what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pages: u64,
    bytes: u64,
    truncated: u64,
    skipped: BTreeMap<SkipKind, u64>,
    faults: BTreeMap<FaultKind, u64>,
    notes: BTreeMap<Note, u64>,
}

impl Tally {
    /// Counts one item.
    pub fn count(&mut self, item: &Loaded) {
        match item {
            Loaded::Page(page) | Loaded::Cut(page, _) => self.count_page(page),
            Loaded::Skipped(skipped) => *self.skipped.entry(skipped.kind()).or_default() += 1,
            Loaded::Fault(fault) => *self.faults.entry(fault.kind()).or_default() += 1,
        }
    }

    fn count_page(&mut self, page: &Page) {
        self.pages += 1;
        self.bytes += page.bytes().len() as u64;
        self.truncated += u64::from(page.is_truncated());
    }

    pub(crate) fn note(&mut self, note: Note) {
        *self.notes.entry(note).or_default() += 1;
    }

    /// All items: pages, skipped and faults.
    pub fn seen(&self) -> u64 {
        self.pages + self.skipped() + self.faults()
    }

    /// The pages given.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The bytes of the pages given.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many of the pages are cut short.
    pub fn truncated(&self) -> u64 {
        self.truncated
    }

    /// The items skipped, of all kinds.
    pub fn skipped(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// The items skipped, by kind.
    pub fn skipped_by_kind(&self) -> impl Iterator<Item = (SkipKind, u64)> + '_ {
        self.skipped.iter().map(|(&kind, &count)| (kind, count))
    }

    /// The faults, of all kinds.
    pub fn faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// The faults, by kind.
    pub fn faults_by_kind(&self) -> impl Iterator<Item = (FaultKind, u64)> + '_ {
        self.faults.iter().map(|(&kind, &count)| (kind, count))
    }

    /// What was put right or noticed on the way. These are remarks on items, not items.
    pub fn notes(&self) -> impl Iterator<Item = (Note, u64)> + '_ {
        self.notes.iter().map(|(&note, &count)| (note, count))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            self.pages,
            if self.pages == 1 { "page" } else { "pages" }
        )?;
        if self.truncated > 0 {
            write!(f, " ({} cut short)", self.truncated)?;
        }
        write!(f, ", {} skipped", self.skipped())?;
        write_counts(
            f,
            self.skipped
                .iter()
                .map(|(kind, count)| (kind.name(), *count)),
        )?;
        write!(
            f,
            ", {} {}",
            self.faults(),
            if self.faults() == 1 {
                "fault"
            } else {
                "faults"
            }
        )?;
        write_counts(
            f,
            self.faults
                .iter()
                .map(|(kind, count)| (kind.name(), *count)),
        )
    }
}

fn write_counts(
    f: &mut fmt::Formatter<'_>,
    counts: impl Iterator<Item = (&'static str, u64)>,
) -> fmt::Result {
    let listed: Vec<String> = counts
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    if listed.is_empty() {
        Ok(())
    } else {
        write!(f, " ({})", listed.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Stage;

    #[test]
    fn display_lists_every_count() {
        let mut tally = Tally::default();
        tally.count(&Loaded::Page(
            Page::new("a", vec![b'x']).with_truncated(true),
        ));
        tally.count(&Loaded::Skipped(Skipped::new(
            "b",
            At::File,
            SkipKind::Empty,
            "empty",
        )));
        tally.count(&Loaded::Fault(Fault::new(
            "c",
            At::File,
            Stage::Open,
            FaultKind::NotFound,
            "gone",
        )));
        assert_eq!(tally.seen(), 3);
        assert_eq!(
            tally.to_string(),
            "1 page (1 cut short), 1 skipped (empty 1), 1 fault (not-found 1)"
        );
    }
}
