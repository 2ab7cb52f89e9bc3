//! What came of a crawl?

use crate::kinds::Kind;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

/// What came of a crawl.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many pages are in the file, those of earlier runs included.
    pub pages: u64,
    /// How many bytes came over the network in this run.
    pub bytes: u64,
    /// How many requests were sent in this run.
    pub requests: u64,
    /// How long it took.
    pub took: Duration,
    /// Whether there was nothing left to do; otherwise it can be resumed.
    pub is_finished: bool,
    /// What was used up, if that is why it ended; it can be resumed.
    pub stopped: Option<Budget>,
    /// With a dry run: the pages that would be asked for, in that order.
    pub planned: Vec<String>,
    /// Each registered domain.
    pub domains: BTreeMap<String, DomainTally>,
    /// Given addresses of which there is no page, and why; the first thousand.
    pub failed: Vec<Failure>,
    /// All addresses of which there is no page, those that links led to included, in the order of
    /// addresses.
    pub without_page: Vec<Failure>,
    /// What became of all addresses.
    pub counts: Counts,
    /// The files of the archive, those of earlier runs included.
    pub files: Vec<PathBuf>,
    /// The kinds of pages of each domain, where they were asked for, and how many pages were like
    /// no other.
    pub kinds: BTreeMap<String, (Vec<Kind>, usize)>,
}

/// What a run may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Bytes over the network.
    Bytes,
    /// Time.
    Time,
    /// Room on the disk.
    Disk,
}

/// What became of the addresses that were given or found: each is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All addresses: the sum of the others.
    pub known: usize,
    /// Those that were answered: pages, redirects, sitemaps and feeds.
    pub fetched: usize,
    /// Those whose answer was no page, or that did not answer.
    pub failed: usize,
    /// Those that may not be asked, by `robots.txt` or because of where they lead.
    pub refused: usize,
    /// Those that were not asked: set aside, over a limit, or still waiting.
    pub left: usize,
}

impl Counts {
    /// Counts an address that has no page.
    pub(crate) fn add_failure(&mut self, kind: FailureKind) {
        self.known += 1;
        match kind {
            FailureKind::Refused | FailureKind::Robots => self.refused += 1,
            FailureKind::Left => self.left += 1,
            FailureKind::Name
            | FailureKind::Connection
            | FailureKind::Certificate
            | FailureKind::Timeout
            | FailureKind::Slow
            | FailureKind::Header
            | FailureKind::Protocol
            | FailureKind::NotAPage
            | FailureKind::Status
            | FailureKind::Redirect
            | FailureKind::Unreadable => self.failed += 1,
        }
    }
}

/// What came of one registered domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DomainTally {
    /// Pages in the file.
    pub pages: u64,
    /// Bytes of this run.
    pub bytes: u64,
    /// Addresses without a page: errors, or no pages.
    pub failed: u64,
    /// Addresses that `robots.txt` keeps to itself.
    pub disallowed: u64,
    /// Addresses that look like a trap, or are more than a limit allows.
    pub trapped: u64,
    /// Pages that ask not to be listed.
    pub noindex: u64,
    /// Addresses that still waited at the end: set aside, or beyond the limit.
    pub left: usize,
    /// Why no more was asked, if it was given up.
    pub stopped: Option<String>,
}

impl DomainTally {
    pub(crate) fn count_failure(&mut self, kind: FailureKind) {
        match kind {
            FailureKind::Robots => self.disallowed += 1,
            FailureKind::Left => self.left += 1,
            _ => self.failed += 1,
        }
    }
}

/// An address of which there is no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The address, as it was given.
    pub url: String,
    /// What kind of thing went wrong.
    pub kind: FailureKind,
    /// What went wrong.
    pub reason: String,
}

/// What kind of thing went wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// It may not be asked: no public address, no web, a password in it.
    Refused,
    /// `robots.txt` keeps it to itself, or cannot be read.
    Robots,
    /// Its name leads nowhere.
    Name,
    /// There is no connection.
    Connection,
    /// The certificate is not trusted.
    Certificate,
    /// It took too long.
    Timeout,
    /// It came too slowly.
    Slow,
    /// The header is too large.
    Header,
    /// The answer is no HTTP, or broke off.
    Protocol,
    /// It is a picture, a film, a program.
    NotAPage,
    /// The server said so by the status.
    Status,
    /// It leads on to where it does not end, or may not be followed.
    Redirect,
    /// What came cannot be read.
    Unreadable,
    /// It was not asked for: set aside, over a limit, or still waiting when the crawl ended.
    Left,
}

/// Why there is no page of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Why {
    pub(crate) kind: FailureKind,
    pub(crate) reason: String,
}

impl Why {
    pub(crate) fn new(kind: FailureKind, reason: impl Into<String>) -> Self {
        Why {
            kind,
            reason: reason.into(),
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Why::new(FailureKind::Status, format!("HTTP status {status}"))
    }

    /// The same, of this address.
    pub(crate) fn of(self, url: &str) -> Failure {
        Failure {
            url: url.to_owned(),
            kind: self.kind,
            reason: self.reason,
        }
    }
}

/// How far a crawl is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Pages in the file.
    pub pages: u64,
    /// Bytes that came in this run.
    pub bytes: u64,
    /// Domains that were met.
    pub domains: usize,
    /// Requests that are under way.
    pub asking: usize,
    /// Addresses that wait.
    pub waiting: usize,
    /// How long it takes at least to ask for what waits now.
    pub left: Duration,
}

/// Looks on while a crawl runs.
pub trait Watch {
    /// Told every moment how far it is.
    fn progress(&mut self, progress: &Progress);
    /// Told what a person should know: a domain that is given up, a trap.
    fn note(&mut self, note: &str);
    /// Asked every moment whether to stop. What has come so far is kept, and the crawl can be
    /// resumed.
    fn wants_to_stop(&self) -> bool;
}
