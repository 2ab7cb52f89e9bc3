//! Has the site changed since its mold was learned, and what broke?
//!
//! Today's pages are read by the mold, and what is found is held against what was found where the mold was learned:
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
//! 1. [`Checker::measure`] reads each page and counts: of a field how often it is found, how far its views agree and which
//!    kinds of views find it, whether values look as before; of a template which elements and fixed texts are there.
//! 2. [`Measured::report`] judges the counts by [`Limits`]. A count is held against chance: with how many pages the
//!    mold was learned and checked matters as much as the share that was found.
//! 3. [`History`] keeps moving averages of healthy days. Where there is one, today is held against it.
//! 4. [`Mold::repair`](crate::Mold::repair) learns from today's pages and gives each field its new views;
//!    [`diff()`] says what is different between two molds.

mod chance;
pub mod diff;
mod history;
mod judge;
mod measure;
mod repair;

pub use {
    diff::{Difference, diff},
    history::History,
    judge::Limits,
    measure::{Checker, Measured},
    repair::{Change, Fate, Repair},
};

use serde::Serialize;

/// How a field or a template does today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No page of today says anything about it.
    #[default]
    Unseen,
    /// As where it was learned.
    Healthy,
    /// It has changed; values are still found.
    Drifted,
    /// Values are no longer found, or are others.
    Broken,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Unseen => "unseen",
            Verdict::Healthy => "healthy",
            Verdict::Drifted => "drifted",
            Verdict::Broken => "broken",
        })
    }
}

/// What today's pages say about a mold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The worst of the groups, and of the pages that fit none.
    pub verdict: Verdict,
    /// How many pages were read.
    pub pages: usize,
    /// The pages that fit no group.
    pub unplaced: Vec<String>,
    /// Why the verdict is what it is, beyond the groups.
    pub reasons: Vec<String>,
    /// Each group of the mold.
    pub groups: Vec<GroupReport>,
}

/// What today's pages say about a group.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GroupReport {
    /// What the group is called.
    pub name: String,
    /// How it does.
    pub verdict: Verdict,
    /// How many pages of today are of it.
    pub pages: usize,
    /// Why the verdict is what it is.
    pub reasons: Vec<String>,
    /// How the pages are built beside those that were learned from.
    pub template: TemplateReport,
    /// The wanted fields.
    pub fields: Vec<FieldReport>,
    /// The lists.
    pub lists: Vec<ListReport>,
}

/// How today's pages of a group are built.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TemplateReport {
    /// The share of what nearly all pages had, elements and fixed texts, that is still there.
    pub coverage: f64,
    /// How many elements nearly all pages had,
    pub elements: usize,
    /// how many of these are on no page of today,
    pub elements_gone: usize,
    /// and how many are new, and on nearly all of them.
    pub elements_new: usize,
    /// How many fixed texts nearly all pages had,
    pub texts: usize,
    /// those that are on no page of today,
    pub texts_gone: Vec<String>,
    /// and those that are written otherwise on all of them: labels without their colon.
    pub texts_rewritten: Vec<String>,
    /// The share of fields that a kind of view found where they were learned, and of those that it finds on no page now.
    pub views_lost: f64,
}

/// A share then and now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// What is to be expected.
    pub expected: f64,
    /// What is found today.
    pub found: f64,
}

/// What today's pages say about a field.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldReport {
    /// What the field is called.
    pub name: String,
    /// How it does.
    pub verdict: Verdict,
    /// Why the verdict is what it is.
    pub reasons: Vec<String>,
    /// The share of pages that have it.
    pub fill: Share,
    /// How far its views agree.
    pub agreement: Share,
    /// The share of values that look as those did that it was learned from.
    pub types: Share,
    /// The share of values that come with a doubt.
    pub doubts: Share,
    /// The kinds of views that found it where it was learned, and that find it on no page of today.
    pub views_lost: Vec<&'static str>,
    /// Values that it had.
    pub before: Vec<String>,
    /// Values that it has.
    pub now: Vec<String>,
}

/// What today's pages say about a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ListReport {
    /// What the list is called.
    pub name: String,
    /// How it does.
    pub verdict: Verdict,
    /// The share of pages that have it.
    pub fill: Share,
    /// How many records a page with it has, on average.
    pub records: f64,
}

impl Report {
    /// Whether something has changed.
    pub fn has_changed(&self) -> bool {
        self.verdict >= Verdict::Drifted
    }
}
