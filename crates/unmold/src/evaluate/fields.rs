//! Does a table have the columns that a person looks for, and how far to the left?
//!
//! For each true attribute the best single column is taken, among all columns and among the first
//! of them. A page counts as right if the column gives at least one value there and every value it
//! gives is a true one. A true value that begins with its label ("ISBN: 123") is also right
//! without it: a column has the label for its name.
//!
//! ```
//! use unmold::evaluate::fields::{Row, Truth, score};
//!
//! let truth: Truth = serde_json::from_str(r#"{"fields": ["price"], "pages": {"1": {"price": ["£5"]}, "2": {"price": ["£7"]}}}"#)?;
//! let row = |page: &str, price: &str| Row::new(page, [("name", vec!["Cup"]), ("cost", vec![price])]);
//! let scores = score(&[row("1", "£5"), row("2", "£ 7")], &truth, &[1, 2]);
//! assert_eq!(scores[0].column.as_deref(), Some("cost"));
//! assert_eq!((scores[0].f1, scores[0].within.as_slice()), (0.5, [0.0, 0.5].as_slice()));
//! assert_eq!(scores[0].wrong_on, ["2"]);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The *wrapper recall* of the alternation count papers is stricter: an attribute counts on a page
//! if the column gives exactly what the page has of it, no value more and none less. A rule that
//! takes several attributes at once thereby counts for none of them, as in the paper.
//!
//! ```
//! # use unmold::evaluate::fields::{Row, Truth, score};
//! let truth: Truth = serde_json::from_str(r#"{"fields": ["author"], "pages": {"1": {"author": ["Ann", "Bo"]}, "2": {"author": ["Cy"]}}}"#)?;
//! let rows = [Row::new("1", [("by", vec!["Ann"])]), Row::new("2", [("by", vec!["Cy"])])];
//! let author = &score(&rows, &truth, &[])[0];
//! assert_eq!((author.f1, author.wrapper_recall), (1.0, 0.5));
//! # Ok::<(), serde_json::Error>(())
//! ```

use super::{f1, mean, ratio, words::folded};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a person says of the pages of a site.
#[derive(Clone, Debug, Deserialize)]
pub struct Truth {
    /// The attributes, in the order in which figures are given.
    pub fields: Vec<String>,
    /// By page, the values of each attribute; a page without an attribute leaves it out.
    pub pages: BTreeMap<String, HashMap<String, Vec<String>>>,
}

impl Truth {
    pub(super) fn values(&self, page: &str, attribute: &str) -> BTreeSet<String> {
        let values = self.pages.get(page).and_then(|page| page.get(attribute));
        values.map_or_else(BTreeSet::new, |values| told(values))
    }
}

/// The values that say something, as they are compared.
pub(super) fn told(values: &[String]) -> BTreeSet<String> {
    values
        .iter()
        .map(|value| folded(value))
        .filter(|value| !value.is_empty())
        .collect()
}

/// Whether all values that a column gives on a page are true.
///
/// ```
/// use unmold::evaluate::fields::are_true;
/// use std::collections::BTreeSet;
///
/// let set = |value: &str| BTreeSet::from([value.to_owned()]);
/// assert!(are_true(&set("123"), &set("ISBN: 123"), "code"));
/// assert!(are_true(&set("Slate"), &set("Colour Slate"), "colour"));
/// assert!(!are_true(&set("23"), &set("ISBN: 123"), "code"));
/// ```
pub fn are_true(found: &BTreeSet<String>, wanted: &BTreeSet<String>, column: &str) -> bool {
    found
        .iter()
        .all(|value| wanted.contains(value) || is_true_without_label(value, wanted, column))
}

/// Whether a value is a true one without the label that precedes it there.
fn is_true_without_label(value: &str, wanted: &BTreeSet<String>, column: &str) -> bool {
    for wanted in wanted {
        let Some(label) = wanted.strip_suffix(value) else {
            continue;
        };
        if is_label(label.trim(), column) {
            return true;
        }
    }
    false
}

/// Whether a text before a value is its label: it ends with a colon, or is what the column is
/// called.
fn is_label(text: &str, column: &str) -> bool {
    /// A label has no more letters than this.
    const MAX_LETTERS: usize = 40;
    if text.is_empty() || text.chars().count() > MAX_LETTERS {
        return false;
    }
    let words = text.trim_end_matches([':', '：']).trim();
    text.ends_with([':', '：']) || words.to_lowercase() == column.replace('_', " ").to_lowercase()
}

/// What was found on a page: columns from left to right.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the page is called in the truth.
    pub page: String,
    /// Names of columns with the values of the page.
    pub fields: Vec<(String, Vec<String>)>,
    /// Names of the columns whose values were given with a doubt.
    pub doubts: Vec<String>,
}

impl Row {
    /// A row without doubts.
    pub fn new<'v>(page: &str, fields: impl IntoIterator<Item = (&'v str, Vec<&'v str>)>) -> Self {
        let owned = |(name, values): (&str, Vec<&str>)| {
            (
                name.to_owned(),
                values.into_iter().map(str::to_owned).collect::<Vec<_>>(),
            )
        };
        Row {
            page: page.to_owned(),
            fields: fields.into_iter().map(owned).collect(),
            doubts: Vec::new(),
        }
    }
}

/// How well an attribute was found.
#[derive(Clone, Debug, Serialize)]
pub struct AttributeScore {
    /// The attribute.
    pub attribute: String,
    /// F1 of the column that fits it best.
    pub f1: f64,
    /// The name of that column.
    pub column: Option<String>,
    /// F1 of the best among the first columns, for each number of columns that was asked for.
    pub within: Vec<f64>,
    /// Of the pages that have the attribute, the share on which a column, the best one, gives
    /// exactly its values.
    pub wrapper_recall: f64,
    /// The pages on which the column of the best F1 misses the attribute, or says something that is
    /// not true.
    pub wrong_on: Vec<String>,
}

/// Scores all attributes that stand on a page of the rows; each number in `within` asks for the
/// best of that many columns.
pub fn score(rows: &[Row], truth: &Truth, within: &[usize]) -> Vec<AttributeScore> {
    let table = Table::new(rows, truth);
    truth
        .fields
        .iter()
        .filter_map(|attribute| table.score(attribute, truth, within))
        .collect()
}

/// The mean over attributes: of the best columns, and of the best within each number of columns.
pub fn summary(scores: &[AttributeScore]) -> (f64, Vec<f64>) {
    let numbers = scores.first().map_or(0, |score| score.within.len());
    let within = (0..numbers).map(|number| mean(scores.iter().map(|score| score.within[number])));
    (mean(scores.iter().map(|score| score.f1)), within.collect())
}

/// What a column says, by page.
type Column = HashMap<String, BTreeSet<String>>;
/// The true values of an attribute, by page.
type Wanted<'t> = HashMap<&'t str, BTreeSet<String>>;

/// Rows by columns.
struct Table {
    /// In the order in which they first appear.
    columns: Vec<(String, Column)>,
    pages: BTreeSet<String>,
}

impl Table {
    fn new(rows: &[Row], truth: &Truth) -> Self {
        let mut table = Table {
            columns: Vec::new(),
            pages: BTreeSet::new(),
        };
        let mut places = HashMap::new();
        for row in rows
            .iter()
            .filter(|row| truth.pages.contains_key(&row.page))
        {
            table.pages.insert(row.page.clone());
            for (name, values) in &row.fields {
                let place = *places.entry(name.as_str()).or_insert_with(|| {
                    table.columns.push((name.clone(), HashMap::new()));
                    table.columns.len() - 1
                });
                let values = told(values);
                if !values.is_empty() {
                    table.columns[place].1.insert(row.page.clone(), values);
                }
            }
        }
        table
    }

    fn score(&self, attribute: &str, truth: &Truth, within: &[usize]) -> Option<AttributeScore> {
        let true_values = self
            .pages
            .iter()
            .map(|page| (page.as_str(), truth.values(page, attribute)));
        let wanted: Wanted<'_> = true_values
            .filter(|(_, values)| !values.is_empty())
            .collect();
        if wanted.is_empty() {
            return None;
        }
        let figures: Vec<f64> = self
            .columns
            .iter()
            .map(|(name, found)| column_f1(name, found, &wanted))
            .collect();
        let best_of = |first: usize| {
            figures
                .iter()
                .take(first)
                .fold(0.0, |best: f64, figure| best.max(*figure))
        };
        let f1 = best_of(figures.len());
        let best = figures
            .iter()
            .position(|figure| *figure == f1 && f1 > 0.0)
            .map(|place| &self.columns[place]);
        Some(AttributeScore {
            attribute: attribute.to_owned(),
            f1,
            column: best.map(|(name, _)| name.clone()),
            within: within.iter().map(|first| best_of(*first)).collect(),
            wrapper_recall: self
                .columns
                .iter()
                .map(|(_, found)| same(found, &wanted))
                .fold(0.0, f64::max),
            wrong_on: self.wrong_on(best, &wanted),
        })
    }

    /// The pages on which a column, or none, says something else than it should.
    fn wrong_on(&self, column: Option<&(String, Column)>, wanted: &Wanted<'_>) -> Vec<String> {
        let mut wrong_on = Vec::new();
        for page in &self.pages {
            let found = column.and_then(|(name, found)| Some((name, found.get(page)?)));
            let is_right = match (found, wanted.get(page.as_str())) {
                (Some((name, found)), Some(wanted)) => are_true(found, wanted, name),
                (found, wanted) => found.is_none() && wanted.is_none(),
            };
            if !is_right {
                wrong_on.push(page.clone());
            }
        }
        wrong_on
    }
}

fn column_f1(name: &str, found: &Column, wanted: &Wanted<'_>) -> f64 {
    let mut right = 0.0;
    for (page, values) in found {
        let wanted = wanted.get(page.as_str());
        if wanted.is_some_and(|wanted| are_true(values, wanted, name)) {
            right += 1.0;
        }
    }
    f1(
        ratio(right, found.len() as f64),
        ratio(right, wanted.len() as f64),
    )
}

/// The share of pages on which a column gives exactly what is wanted.
fn same(found: &Column, wanted: &Wanted<'_>) -> f64 {
    let is_same = |(page, values): &(&&str, &BTreeSet<String>)| found.get(**page) == Some(*values);
    ratio(
        wanted.iter().filter(is_same).count() as f64,
        wanted.len() as f64,
    )
}
