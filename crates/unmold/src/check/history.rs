//! What did healthy days look like? Moving averages, small enough to stand beside a mold.
//!
//! A mold knows the pages that it was learned from. After some days it is better to know how the
//! days before were: a field that half of all new products lack is no alarm every morning. Only
//! days that were healthy are added, so a slow decline does not become the custom.

use super::report::{FieldReport, GroupReport, Report, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Moving averages of healthy days.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The version of the form.
    unmold_check: u32,
    /// How many healthy days went into it.
    pub days: usize,
    /// By the name of the group.
    groups: BTreeMap<String, GroupHistory>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupHistory {
    /// Pages, old ones counted less.
    pages: f64,
    /// By the name of the field.
    fields: BTreeMap<String, FieldHistory>,
}

/// What a field had on healthy days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldHistory {
    pub fill: f64,
    pub agreement: f64,
    pub types: f64,
    pub doubts: f64,
    /// From how many pages that is, old ones counted less.
    pub pages: f64,
}

/// The version that this program writes, and the newest it reads.
const VERSION: u32 = 1;
/// What earlier days count beside a new one of as many pages.
const KEPT: f64 = 0.8;
/// Fewer pages say less than those that were learned from.
const ENOUGH: f64 = 5.0;

/// Why a history was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// It is not JSON, or not the JSON of a history.
    #[error("not a history of checks: {0}")]
    Format(#[from] serde_json::Error),
    /// It was written by a newer program.
    #[error("the history is of version {0}; this program reads versions up to {VERSION}")]
    Newer(u32),
}

impl History {
    /// Reads a history.
    ///
    /// # Errors
    /// When it is none, or of a newer version.
    pub fn from_json(json: &str) -> Result<Self, HistoryError> {
        let history: History = serde_json::from_str(json)?;
        if history.unmold_check > VERSION {
            Err(HistoryError::Newer(history.unmold_check))
        } else {
            Ok(history)
        }
    }

    /// Writes a history for people to read.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a history has nothing that JSON cannot say")
            + "\n"
    }

    /// Takes up what a healthy day had. Of a day that was not healthy, groups that were are taken
    /// up.
    pub fn add(&mut self, report: &Report) {
        self.unmold_check = VERSION;
        self.days += usize::from(report.verdict == Verdict::Healthy);
        for group in report
            .groups
            .iter()
            .filter(|group| group.verdict == Verdict::Healthy)
        {
            self.groups
                .entry(group.name.clone())
                .or_default()
                .add(group);
        }
    }

    /// What a field had, if enough pages say so.
    pub(super) fn field(&self, group: &str, field: &str) -> Option<FieldHistory> {
        let known = *self.groups.get(group)?.fields.get(field)?;
        (known.pages >= ENOUGH).then_some(known)
    }
}

impl GroupHistory {
    fn add(&mut self, group: &GroupReport) {
        self.pages = KEPT * self.pages + group.pages as f64;
        for field in &group.fields {
            self.fields
                .entry(field.name.clone())
                .or_default()
                .add(field, group.pages as f64);
        }
    }
}

impl FieldHistory {
    fn add(&mut self, field: &FieldReport, pages: f64) {
        let old = KEPT * self.pages;
        let mixed = |known: f64, found: f64| {
            rounded((old * known + pages * found) / (old + pages).max(1.0))
        };
        self.fill = mixed(self.fill, field.fill.found);
        // A day without the field says nothing about its values.
        if field.fill.found > 0.0 {
            self.agreement = mixed(self.agreement, field.agreement.found);
            self.types = mixed(self.types, field.types.found);
            self.doubts = mixed(self.doubts, field.doubts.found);
        }
        self.pages = rounded(old + pages);
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::report::Share;

    fn day(verdict: Verdict, found: f64) -> Report {
        let share = Share {
            expected: 1.0,
            found,
        };
        let field = FieldReport {
            name: "a".to_owned(),
            fill: share,
            agreement: share,
            types: share,
            ..FieldReport::default()
        };
        let group = GroupReport {
            name: "g".to_owned(),
            verdict,
            pages: 10,
            fields: vec![field],
            ..GroupReport::default()
        };
        Report {
            verdict,
            pages: 10,
            groups: vec![group],
            ..Report::default()
        }
    }

    #[test]
    fn healthy_days_become_the_custom_and_others_do_not() {
        let mut history = History::default();
        (0..30).for_each(|_| history.add(&day(Verdict::Healthy, 0.5)));
        (0..30).for_each(|_| history.add(&day(Verdict::Broken, 0.0)));
        let field = history.field("g", "a").unwrap();
        assert!(
            (field.fill - 0.5).abs() < 0.01 && field.pages < 51.0 && history.days == 30,
            "{history:?}"
        );
        assert_eq!(History::from_json(&history.to_json()).unwrap(), history);
    }

    #[test]
    fn a_newer_history_is_refused() {
        let error =
            History::from_json(r#"{"unmold_check": 9, "days": 0, "groups": {}}"#).unwrap_err();
        assert!(error.to_string().contains("version 9"), "{error}");
    }
}
