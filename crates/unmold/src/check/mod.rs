//! Has the site changed since its mold was learned, and what broke?
//!
//! Today's pages are read by the mold, and what is found is held against what was found where the
//! mold was learned:
//!
//! ```
//! use unmold::{Mold, Text, check::Verdict};
//!
//! let page = |name: &str, weight: u32| Text::from_string(name, format!(
//!     "<h1>{name}</h1><table class=spec><tr><th>Weight:<td>{weight} g</table><p>All rights reserved"));
//! let pages = |first: u32| (first..first + 9).map(|n| page(&format!("Kettle {n}"), 100 * n)).collect::<Vec<_>>();
//! let mold = Mold::learn(&pages(1))?;
//! let checker = mold.checker();
//! assert_eq!(checker.check(&pages(11)).verdict, Verdict::Healthy);
//!
//! let changed: Vec<Text> = pages(21).iter()
//!     .map(|page| Text::from_string(page.id(), page.as_str().replace("<table class=spec>", "<div id=new><table>")))
//!     .collect();
//! let report = checker.check(&changed);
//! assert_eq!(report.verdict, Verdict::Drifted);
//! assert!(report.groups[0].reasons[0].contains("that nearly all pages had"));
//! # Ok::<(), unmold::learn::LearnError>(())
//! ```
//!
//! # How
//!
//! 1. [`Checker::measure`] reads each page and counts: of a field how often it is found, how far
//!    its views agree and which kinds of views find it, whether values look as before; of a
//!    template which elements and fixed texts are there.
//! 2. [`Measured::report`] judges the counts by [`Limits`]. A count is held against chance: with
//!    how many pages the mold was learned and checked matters as much as the share that was found.
//!    What nearly all pages had and none of today has is broken, however few pages say so.
//! 3. [`History`] keeps moving averages of healthy days. Where there is one, today is held against
//!    it.
//! 4. [`Mold::repair`](crate::Mold::repair) learns from today's pages and gives each field its new
//!    views; what today's pages do not have is retired, so that a repaired mold is healthy on them;
//!    [`diff()`] says what is different between two molds.

mod chance;
pub mod diff;
mod history;
mod judge;
mod measure;
mod repair;
mod report;
mod settle;

pub use {
    diff::{Difference, diff},
    history::History,
    judge::Limits,
    measure::{Checker, Measured},
    repair::{Change, Fate, Repair},
    report::{
        FieldReport, Finding, GroupReport, ListReport, Report, Share, TemplateReport, Verdict,
    },
};
