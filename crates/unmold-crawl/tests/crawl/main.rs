//! The crawler against a server on this machine, with several names that all lead to it.

#![allow(missing_docs, reason = "tests are read, not called")]

mod accounts;
mod bounds;
mod budgets;
mod certificates;
mod http2;
mod kills;
mod learned;
mod lists;
mod names;
mod polite;
mod refusals;
mod resume;
mod robots;
mod rotation;
mod secure;
mod server;

use std::{path::PathBuf, time::Duration};
use unmold_crawl::{
    CrawlError, Limits, Progress, Report, Settings, Start, Watch, address::Guard, crawl,
};
use unmold_io::{LoadSettings, load, save::Overwrite};

/// Settings for a server that has time for us.
pub fn settings(hosts: &[&str]) -> Settings {
    let guard = Guard::default().allow("127.0.0.1/32".parse().unwrap());
    let guard = hosts.iter().fold(guard, |guard, host| {
        guard.pin(host, "127.0.0.1".parse().unwrap())
    });
    Settings::new("mailto:test@a.example")
        .latency(Duration::from_millis(1))
        .backoff(Duration::from_millis(10))
        .guard(guard)
        .limits(limits())
}

/// Short, so that tests are.
pub fn limits() -> Limits {
    let (connect, first_byte, total) = (
        Duration::from_secs(2),
        Duration::from_secs(2),
        Duration::from_secs(3),
    );
    Limits {
        connect,
        first_byte,
        total,
        ..Limits::default()
    }
}

/// Looks on, and stops behind so many pages.
#[derive(Default)]
pub struct Notes {
    pub notes: Vec<String>,
    pub stop_at: Option<u64>,
    pub pages: u64,
}

impl Watch for Notes {
    fn progress(&mut self, progress: &Progress) {
        self.pages = progress.pages;
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn wants_to_stop(&self) -> bool {
        self.stop_at.is_some_and(|stop| self.pages >= stop)
    }
}

/// A crawl and what it wrote.
pub struct Crawled {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
    pub report: Report,
    pub notes: Vec<String>,
}

impl Crawled {
    /// The addresses of the pages in the archive, sorted.
    pub fn pages(&self) -> Vec<String> {
        pages_of(&self.path)
    }

    /// The archive, unpacked.
    pub fn text(&self) -> String {
        let bytes = std::fs::read(&self.path).unwrap();
        let mut text = Vec::new();
        std::io::Read::read_to_end(
            &mut flate2::bufread::MultiGzDecoder::new(&bytes[..]),
            &mut text,
        )
        .unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    /// What is said of the address that ends so.
    pub fn reason(&self, end: &str) -> &str {
        let failed = self
            .report
            .failed
            .iter()
            .find(|failed| failed.url.ends_with(end));
        failed.map_or("", |failed| failed.reason.as_str())
    }
}

pub fn pages_of(path: &std::path::Path) -> Vec<String> {
    let mut pages = load([path], &LoadSettings::default()).pages();
    let mut urls: Vec<String> = pages
        .by_ref()
        .map(|page| page.unwrap().url().unwrap().to_owned())
        .collect();
    assert_eq!(pages.tally().faults(), 0, "the archive is whole");
    urls.sort();
    urls
}

/// Crawls into a new archive.
pub fn run(settings: &Settings, given: &[String]) -> Crawled {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let mut notes = Notes::default();
    let report = begin(
        &path,
        Start::Anew(Overwrite::Refuse),
        settings,
        given,
        &mut notes,
    )
    .unwrap();
    assert!(report.is_finished);
    Crawled {
        _folder: folder,
        path,
        report,
        notes: notes.notes,
    }
}

pub fn begin(
    path: &std::path::Path,
    start: Start,
    settings: &Settings,
    given: &[String],
    notes: &mut Notes,
) -> Result<Report, CrawlError> {
    crawl(path, start, settings, Vec::from(given).into_iter(), notes)
}
