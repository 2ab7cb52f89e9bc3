//! Fetches the pages that templates are learned from: polite to servers, safe from them, and safe
//! from being killed.
//!
//! ```no_run
//! use std::path::Path;
//! use unmold_crawl::{Progress, Settings, Start, Watch, crawl};
//!
//! struct Quiet;
//! impl Watch for Quiet {
//!     fn progress(&mut self, _: &Progress) {}
//!     fn note(&mut self, note: &str) { eprintln!("{note}") }
//!     fn wants_to_stop(&self) -> bool { false }
//! }
//!
//! let settings = Settings::new("mailto:me@example.org").follow(true).sitemaps(true).enough(Some(30));
//! let given = ["https://example.org/".to_owned()].into_iter();
//! let report = crawl(Path::new("site.warc.gz"), Start::Resume, &settings, given, &mut Quiet)?;
//! println!("{} pages", report.pages);
//! # Ok::<(), unmold_crawl::CrawlError>(())
//! ```
//!
//! # The path of an address
//!
//! ```text
//! given, link,    urls     schedule     robots     address    fetch       answer     WARC file, then state
//! sitemap, feed -> normal -> its turn -> may it? -> public? -> one hop -> links ---> durable, then "done"
//! ```
//!
//! | module | the question it answers |
//! |---|---|
//! | [`schedule`] | Whose turn is it? A priority queue of domains by the earliest time, without a clock of its own |
//! | [`address`] | May this address be asked at all? |
//! | [`robots`] | May this page be asked for? |
//! | [`urls`] | Which page does an address mean, and is it a trap? |
//! | [`sessions`] | Which part of an address names the visitor, and not the page? |
//! | [`links`], [`sitemap`] | Where does a page, a sitemap, a feed lead? |
//! | [`paging`], `listing` | Which links of a list lead to its items, and which one to its next page? |
//! | `kinds` | Which kinds of pages does the site have, and of which are more wanted? |
//! | `fetch`, `body`, `resolve` | What does a server answer, within limits? |
//! | `state` | What was asked for already, also after the process was killed? |
//! | `crawl`, `answers`, `domain` | All of it together |
//!
//! # Promises
//!
//! - One request at a time to a registered domain, and its latency between an answer and the next
//!   request; so for redirects, retries, `robots.txt` and sitemaps, and behind a resume.
//! - Every request goes to an address that was checked, and to no other.
//! - An address is done only when its record is on the disk. A crawl that is killed goes on with no
//!   page twice and none missing.
//! - Everything that a server can make long has an end.

#![forbid(unsafe_code)]

pub mod address;
mod answers;
mod body;
mod crawl;
mod domain;
mod fetch;
mod kinds;
pub mod links;
mod listing;
pub mod paging;
mod report;
mod resolve;
pub mod robots;
pub mod schedule;
pub mod sessions;
mod settings;
pub mod sitemap;
mod state;
pub mod urls;

pub use crate::{
    crawl::{CrawlError, Start, crawl},
    kinds::Kind,
    report::{Budget, Counts, DomainTally, Failure, FailureKind, Progress, Report, Watch},
    resolve::{Names, SystemNames},
    settings::{Limits, Scope, Settings},
    state::{StateError, options_of},
};
