//! How does a mold do today? The verdicts, and the counts behind them.

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
    /// What broke or drifted, the worst first: a line each.
    pub findings: Vec<Finding>,
    /// Why the verdict is what it is, beyond the groups.
    pub reasons: Vec<String>,
    /// Each group of the mold.
    pub groups: Vec<GroupReport>,
}

/// Something that broke or drifted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// How it does.
    pub verdict: Verdict,
    /// What it is: `site`, `template`, `field` or `list`.
    pub what: &'static str,
    /// The name of its group; empty for the site.
    pub group: String,
    /// What it is called.
    pub name: String,
    /// Why the verdict is what it is.
    pub reason: String,
    /// A page of today that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// Says it in a line.
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Finding {
            verdict,
            what,
            group,
            name,
            reason,
            page,
        } = self;
        write!(f, "{verdict:8} {what}")?;
        if !name.is_empty() {
            write!(f, " {name}")?;
        }
        if !group.is_empty() {
            write!(f, " of {group}")?;
        }
        write!(f, ": {reason}")?;
        match page {
            Some(page) => write!(f, "; see {page}"),
            None => Ok(()),
        }
    }
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
    /// The share of fields that a kind of view found where they were learned, and of those that it
    /// finds on no page now.
    pub views_lost: f64,
    /// What of this says that the template has changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
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
    /// A page of today that does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_on: Option<String>,
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
    /// A page of today that does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_on: Option<String>,
}

impl Report {
    /// Whether something has changed.
    pub fn has_changed(&self) -> bool {
        self.verdict >= Verdict::Drifted
    }
}
