//! Were the fields that a person named found on the other pages, and were wrong values marked as
//! doubtful?
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
    fields::{Row, Truth, are_true, told},
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

/// What became of the attributes of one page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageScore {
    /// What the page is called in the truth.
    pub page: String,
    /// How many attributes were found and are true.
    pub right: usize,
    /// Attributes of which something was said that is not true.
    pub wrong: Vec<String>,
    /// Attributes that the page has and of which nothing was said.
    pub missed: Vec<String>,
}

impl PageScore {
    fn of(row: &Row, truth: &Truth) -> Self {
        let mut score = PageScore {
            page: row.page.clone(),
            ..PageScore::default()
        };
        for attribute in &truth.fields {
            match verdict(row, attribute, truth) {
                Verdict::Right => score.right += 1,
                Verdict::Wrong { .. } => score.wrong.push(attribute.clone()),
                Verdict::Missed => score.missed.push(attribute.clone()),
                Verdict::Absent => {}
            }
        }
        score
    }

    /// The share of attributes that came out right; 1 of none.
    pub fn share(&self) -> f64 {
        let all = self.right + self.wrong.len() + self.missed.len();
        if all == 0 {
            1.0
        } else {
            self.right as f64 / all as f64
        }
    }
}

/// Compares page by page what [`Score::of`] adds up.
///
/// ```
/// use unmold::evaluate::{examples::by_page, fields::{Row, Truth}};
///
/// let truth: Truth = serde_json::from_str(r#"{"fields": ["name", "price"], "pages": {"1": {"name": ["Cup"], "price": ["£5"]}}}"#)?;
/// let page = &by_page(&[Row::new("1", [("price", vec!["£8"])])], &truth, &[])[0];
/// assert_eq!((page.right, page.wrong[0].as_str(), page.missed[0].as_str()), (0, "price", "name"));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn by_page(rows: &[Row], truth: &Truth, learned_from: &[&str]) -> Vec<PageScore> {
    judged(rows, truth, learned_from)
        .map(|row| PageScore::of(row, truth))
        .collect()
}

/// The rows of labelled pages that were not learned from.
fn judged<'r>(
    rows: &'r [Row],
    truth: &Truth,
    learned_from: &[&str],
) -> impl Iterator<Item = &'r Row> {
    let is_judged = |row: &&Row| {
        truth.pages.contains_key(&row.page) && !learned_from.contains(&row.page.as_str())
    };
    rows.iter().filter(is_judged)
}

/// What became of an attribute on a page.
enum Verdict {
    Right,
    /// Something was said that is not true; the page may not have the attribute at all.
    Wrong {
        has: bool,
    },
    /// The page has it, and nothing was said.
    Missed,
    /// The page does not have it, and nothing was said.
    Absent,
}

fn verdict(row: &Row, attribute: &str, truth: &Truth) -> Verdict {
    let wanted = truth.values(&row.page, attribute);
    let found = row.fields.iter().find(|(name, _)| name == attribute);
    let found = found.map(|(_, values)| told(values)).unwrap_or_default();
    match (wanted.is_empty(), found.is_empty()) {
        (true, true) => Verdict::Absent,
        (false, true) => Verdict::Missed,
        (is_absent, false) if is_absent || !are_true(&found, &wanted, attribute) => {
            Verdict::Wrong { has: !is_absent }
        }
        _ => Verdict::Right,
    }
}

impl Score {
    /// Compares rows whose columns are called like the attributes, on pages that were not learned
    /// from.
    pub fn of(rows: &[Row], truth: &Truth, learned_from: &[&str]) -> Self {
        let rows: Vec<&Row> = judged(rows, truth, learned_from).collect();
        let mut score = Score::default();
        let figures: Vec<f64> = truth
            .fields
            .iter()
            .filter_map(|attribute| score.add(attribute, &rows, truth))
            .collect();
        score.f1 = mean(figures);
        score
    }

    /// Counts an attribute, and gives its F1 if a page has it.
    fn add(&mut self, attribute: &str, rows: &[&Row], truth: &Truth) -> Option<f64> {
        let (mut has, mut said, mut right) = (0_usize, 0_usize, 0_usize);
        for row in rows {
            let verdict = verdict(row, attribute, truth);
            has += usize::from(!matches!(
                verdict,
                Verdict::Absent | Verdict::Wrong { has: false }
            ));
            if matches!(verdict, Verdict::Absent | Verdict::Missed) {
                continue;
            }
            let is_right = matches!(verdict, Verdict::Right);
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
