//! Which records does a page list?
//!
//! Search results, forum posts, rows of a table: pages print the same markup again and again around different text.
//! Two methods find it.
//!
//! **[`Iepad`]** is the paper's: read the page as tags, index them, and take the repeated strings that come at regular
//! distances. On its worked example, the page of country codes, there is one maximal repeat of more than two symbols,
//! at symbols 1 and 8:
//!
//! ```
//! use unmold::{Text, detect::records::Iepad, encode::tags::Level};
//!
//! let page = Text::from_string("congo", "<B>Congo</B><I>242</I><BR>\n<B>Egypt</B><I>20</I><BR>");
//! let iepad = Iepad::default().level(Level::All).min_count(2);
//! let repeats = iepad.repeats(&page)?;
//! assert_eq!(repeats.len(), 1);
//! assert_eq!(repeats[0].starts.iter().map(|start| start + 1).collect::<Vec<_>>(), [1, 8]);
//!
//! let pattern = &iepad.find(&page)?[0];
//! assert_eq!(pattern.notation, "<b>Text(_)</b><i>Text(_)</i><br>");
//! assert_eq!(pattern.records[1].values(page.as_str(), pattern).collect::<Vec<_>>(), ["Egypt", "20"]);
//! # Ok::<(), unmold::index::IndexError>(())
//! ```
//!
//! **[`Regions`]** is the default and asks for no thresholds. It looks for neighbours of like shape in the tree of the
//! page, so it sees what a flat string of tags hides: which list a row belongs to, records of two rows, a grid, a list
//! that goes on under another parent, and which list is the page's purpose rather than its menu.
//!
//! ```
//! use unmold::{Text, detect::records::Regions};
//!
//! let page = Text::from_string("shop", "
//!     <ul class=menu><li><a href=/>Home</a><li><a href=/new>New</a><li><a href=/about>About us</a></ul>
//!     <table>
//!       <tr class=a><td><a href=/1>Lamp</a><td>30 €<tr class=b><td colspan=2>Brass. <i>Two left</i>
//!       <tr class=a><td><a href=/2>Chair</a><td><tr class=b><td colspan=2>Oak.
//!       <tr class=a><td><a href=/3>Table</a><td>120 €<tr class=b><td colspan=2>Oak, too.
//!     </table>");
//! let patterns = Regions::default().find(&page);
//! let offers = &patterns[0];
//! assert_eq!(offers.notation, "<tr.a><td>[<td>|-]</tr><tr.b>");
//! let texts: Vec<_> = offers.records.iter().map(|record| record.text(page.as_str())).collect();
//! assert_eq!(texts, ["Lamp 30 € Brass. Two left", "Chair Oak.", "Table 120 € Oak, too."]);
//!
//! // The chair has no price: the field is absent, and no other takes its place.
//! let price = offers.columns.iter().position(|column| column.way == "tr.a/td:2").unwrap();
//! let prices = offers.records.iter().map(|record| record.value(page.as_str(), offers, price));
//! assert_eq!(prices.collect::<Vec<_>>(), [Some("30 €".into()), None, Some("120 €".into())]);
//! ```
//!
//! Both give [`Pattern`]s, best first: the pattern in the paper's notation, the paper's measures, the records as spans,
//! their fields in named columns, and a [`RecordRule`] that finds the records of the next page without looking for
//! patterns again.
//!
//! # Cost
//!
//! `Regions` is linear in the page. `Iepad` is a suffix sort, a walk, and for each of a bounded number of candidates a
//! pass over the page. Both take one to two milliseconds for a page of 25 KB.
//!
//! # Paper
//!
//! C.-H. Chang, S.-C. Lui, *IEPAD: Information Extraction based on Pattern Discovery*, WWW 2001. `Iepad` follows it
//! closely; its submodules say where it does not. `Regions` is ours.

mod columns;
mod iepad;
mod kinds;
mod known;
mod rank;
mod recall;
mod regions;
mod rule;
mod runs;
mod shape;
mod tidy;
mod ways;
mod weight;

pub(crate) use recall::Recall;
pub(crate) use rule::Ready;
pub use {
    iepad::{GeneralPattern, Iepad, Match, PatternRule, Repeat, Slot, align, matches, partition},
    regions::Regions,
    rule::{List, RecordRule, RegionRule, RuleError},
};

use crate::{
    Span,
    html::{push_attribute, push_visible, visible_text},
    mold::lr,
};
use serde::{Deserialize, Serialize};

/// Records that were printed by the same part of a template, and what is known of them.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The pattern in the paper's notation: `[a|b]` for either, `[a|-]` for what may be missing.
    pub notation: String,
    /// How regular, dense and large it is.
    pub measures: Measures,
    /// The fields that records have, in the order of the page.
    pub columns: Vec<Column>,
    /// The records, in the order of the page; no two overlap.
    pub records: Vec<Record>,
    rule: RecordRule,
}

impl Pattern {
    /// The records that stand between two delimiters on a page, as [`scoop`](super::scoop) finds them; each is one field.
    pub fn delimited(page: &str, delimiters: lr::Rule, records: &[Span]) -> Self {
        let starts: Vec<usize> = records.iter().map(|record| record.start as usize).collect();
        let bytes: usize = records.iter().map(|record| record.len()).sum();
        let extent = records.last().zip(records.first()).map_or(0, |(last, first)| (last.end - first.start) as usize);
        Pattern {
            notation: format!("{}Text(_){}", delimiters.left, delimiters.right),
            measures: Measures::new(&starts, bytes as f64 / records.len().max(1) as f64, extent, page.len()),
            columns: vec![Column { name: "text".to_owned(), way: String::new(), attribute: None }],
            records: records.iter().map(|&span| Record { span, fields: vec![Field { column: 0, span }] }).collect(),
            rule: RecordRule::Delimiters(delimiters),
        }
    }

    /// What finds the same records on other pages.
    pub fn rule(&self) -> &RecordRule {
        &self.rule
    }
}

/// A field that records have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// What the page calls it, as far as it can be read off: a label, a class name, a tag. Unique in its pattern.
    pub name: String,
    /// Where it stands in its record: `tr.a/td:2`.
    pub way: String,
    /// The attribute whose values these are; `None` for text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
}

impl Column {
    /// A value of this column as a reader or a browser reads it.
    pub fn value(&self, raw: &str) -> String {
        let mut value = String::new();
        self.push_value(&mut value, raw);
        value
    }

    /// Adds a value to a text.
    pub(crate) fn push_value(&self, text: &mut String, raw: &str) {
        if self.attribute.is_some() { push_attribute(text, raw) } else { push_visible(text, raw) }
    }
}

/// A record: a piece of the page, and the fields in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The bytes of the record.
    pub span: Span,
    /// The fields that it has, in the order of the page. A column may occur more than once.
    pub fields: Vec<Field>,
}

/// A value of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of its column in [`Pattern::columns`].
    pub column: usize,
    /// The bytes of the value.
    pub span: Span,
}

impl Record {
    /// All that a reader sees of the record: entities decoded, white space folded, every tag a space.
    pub fn text(&self, page: &str) -> String {
        visible_text(self.span.of(page))
    }

    /// The values of all fields, in the order of the page.
    pub fn values(&self, page: &str, pattern: &Pattern) -> impl Iterator<Item = String> {
        self.fields.iter().map(|field| field.value(page, pattern))
    }

    /// The first value in a column, if the record has one.
    pub fn value(&self, page: &str, pattern: &Pattern, column: usize) -> Option<String> {
        self.fields.iter().find(|field| field.column == column).map(|field| field.value(page, pattern))
    }
}

impl Field {
    /// The value as a reader or a browser reads it.
    pub fn value(&self, page: &str, pattern: &Pattern) -> String {
        pattern.columns.get(self.column).map_or_else(String::new, |column| column.value(self.span.of(page)))
    }
}

/// The paper's measures of a pattern (section 3.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Standard deviation of the distances between neighbours, divided by their mean; 0 is perfectly regular.
    pub regularity: f64,
    /// How much of the distance between neighbours a pattern fills; 1 is back to back.
    pub density: f64,
    /// The share of the page's bytes from the first record to the end of the last.
    pub coverage: f64,
}

impl Measures {
    /// Measures of patterns of a `length` that begin at `starts`, and take `bytes` of a page of `page` bytes.
    pub fn new(starts: &[usize], length: f64, bytes: usize, page: usize) -> Self {
        let extent = starts.last().zip(starts.first()).map_or(0, |(last, first)| last - first);
        let gaps = starts.len().saturating_sub(1) as f64;
        Measures {
            regularity: regularity(starts),
            density: if extent == 0 { 1.0 } else { gaps * length / extent as f64 },
            coverage: bytes as f64 / page.max(1) as f64,
        }
    }
}

/// Standard deviation of the distances between neighbours, divided by their mean.
pub fn regularity(starts: &[usize]) -> f64 {
    let gaps = starts.windows(2).map(|pair| (pair[1] - pair[0]) as f64);
    let count = gaps.len() as f64;
    let mean = gaps.clone().sum::<f64>() / count;
    let variance = gaps.map(|gap| (gap - mean).powi(2)).sum::<f64>() / count;
    if mean > 0.0 { variance.sqrt() / mean } else { 0.0 }
}
