//! Were the fields that a person named found on the other pages, and were wrong values marked as doubtful?
//!
//! ```
//! use unmold::evaluate::{examples::Score, fields::{Row, Truth}};
//!
//! let truth: Truth = serde_json::from_str(r#"{"fields": ["price"], "pages": {"1": {"price": ["£5"]}, "2": {"price": ["£7"]}}}"#)?;
//! let rows = [Row::new("1", [("price", vec!["£5"])]), Row::new("2", [("price", vec!["£8"])])];
//! let score = Score::of(&rows, &truth, &["1"]);
//! assert_eq!((score.right, score.wrong, score.silent), (0, 1, 1));
//! # Ok::<(), serde_json::Error>(())
//! ```

use super::{
    fields::{Row, Truth, told},
    mean, ratio,
};
use serde::Serialize;

/// What became of values, over all attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The mean of F1 over attributes.
    pub f1: f64,
    /// Pages and attributes where all that was said is true.
    pub right: usize,
    /// Where something is not.
    pub wrong: usize,
    /// Wrong ones that were given without a doubt.
    pub silent: usize,
    /// Right ones that were doubted.
    pub doubted: usize,
}

impl Score {
    /// Compares rows whose columns are called like the attributes, on pages that were not learned from.
    pub fn of(rows: &[Row], truth: &Truth, learned_from: &[&str]) -> Self {
        let is_judged = |row: &&Row| truth.pages.contains_key(&row.page) && !learned_from.contains(&row.page.as_str());
        let rows: Vec<&Row> = rows.iter().filter(is_judged).collect();
        let mut score = Score::default();
        let figures: Vec<f64> =
            truth.fields.iter().filter_map(|attribute| score.add(attribute, &rows, truth)).collect();
        score.f1 = mean(figures);
        score
    }

    /// Counts an attribute, and gives its F1 if a page has it.
    fn add(&mut self, attribute: &str, rows: &[&Row], truth: &Truth) -> Option<f64> {
        let (mut has, mut said, mut right) = (0_usize, 0_usize, 0_usize);
        for row in rows {
            let wanted = truth.values(&row.page, attribute);
            let found = row.fields.iter().find(|(name, _)| name == attribute);
            let found = found.map(|(_, values)| told(values)).unwrap_or_default();
            has += usize::from(!wanted.is_empty());
            if found.is_empty() {
                continue;
            }
            let is_right = !wanted.is_empty() && found.is_subset(&wanted);
            said += 1;
            right += usize::from(is_right);
            self.count(is_right, row.doubts.iter().any(|doubt| doubt == attribute));
        }
        (has > 0).then(|| 2.0 * right as f64 / (said + has) as f64)
    }

    fn count(&mut self, is_right: bool, is_doubted: bool) {
        self.right += usize::from(is_right);
        self.wrong += usize::from(!is_right);
        self.silent += usize::from(!is_right && !is_doubted);
        self.doubted += usize::from(is_right && is_doubted);
    }

    /// The share of wrong values that were given without a doubt.
    pub fn silently(&self) -> f64 {
        ratio(self.silent as f64, self.wrong as f64)
    }

    /// The share of right values that were doubted.
    pub fn alarms(&self) -> f64 {
        ratio(self.doubted as f64, self.right as f64)
    }
}
