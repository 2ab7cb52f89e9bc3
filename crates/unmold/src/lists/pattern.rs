//! What is found of the records of a page.

use super::{RecordRule, naming::Title, ways::ANY_CLASS};
use crate::{
    Span, Text, lr,
    papers::{
        cut_point,
        iepad::{self, Measures},
        scoop,
    },
    read::{
        gaps,
        html::{joined_text, push_attribute, push_joined},
    },
    symbols::{encode::tags::TEXT, index::IndexError},
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What a list is called of which nothing but strings is known.
const UNNAMED: &str = "records";

/// Records that were printed by the same part of a template, and what is known of them.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What the list is called: by the heading or caption before it, else by the words of its id or class.
    pub name: String,
    /// Where it stands, the same on every page of the template; empty where the method does not say.
    pub place: String,
    pub(super) title: Title,
    /// The pattern in the paper's notation: `[a|b]` for either, `[a|-]` for what may be missing.
    pub notation: String,
    /// How regular, dense and large it is.
    pub measures: Measures,
    /// The fields that records have, in the order of the page.
    pub columns: Vec<Column>,
    /// The records, in the order of the page; no two overlap.
    pub records: Vec<Record>,
    pub(super) rule: RecordRule,
}

impl Pattern {
    /// The patterns of a page as IEPAD finds them, those that cover most of it most regularly first; each text of a record
    /// is a field.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn by_iepad(iepad: iepad::Iepad, text: &Text) -> Result<Vec<Self>, IndexError> {
        Ok(iepad.find(text)?.into_iter().map(Pattern::from).collect())
    }

    /// The records that stand between two delimiters on a page; each is one field.
    pub fn delimited(page: &str, delimiters: lr::Rule, records: &[Span]) -> Self {
        let starts: Vec<usize> = records.iter().map(|record| record.start as usize).collect();
        let bytes: usize = records.iter().map(|record| record.len()).sum();
        let extent = records
            .last()
            .zip(records.first())
            .map_or(0, |(last, first)| (last.end - first.start) as usize);
        Pattern {
            name: UNNAMED.to_owned(),
            place: String::new(),
            title: Title::default(),
            notation: format!("{}Text(_){}", delimiters.left, delimiters.right),
            measures: Measures::new(
                &starts,
                bytes as f64 / records.len().max(1) as f64,
                extent,
                page.len(),
            ),
            columns: vec![Column {
                name: "text".to_owned(),
                way: String::new(),
                attribute: None,
                whole: false,
            }],
            records: records
                .iter()
                .map(|&span| Record {
                    span,
                    fields: vec![Field { column: 0, span }],
                })
                .collect(),
            rule: RecordRule::Delimiters(delimiters),
        }
    }

    /// The records of each page by the tags around its content parts, which are told from what all pages have in common.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn by_delimiters(texts: &[Text]) -> Result<Vec<Vec<Self>>, IndexError> {
        let cut = cut_point::Cut::find(texts, cut_point::Settings::default(), false)?;
        let found = texts.par_iter().zip(&cut.template).map(|(text, template)| {
            let page = text.as_str();
            Pattern::by_scoop(page, &gaps(page.len(), template))
        });
        Ok(found.map(|pattern| pattern.into_iter().collect()).collect())
    }

    /// The records of a page as [`scoop`] finds them from its content parts.
    pub fn by_scoop(page: &str, content: &[Span]) -> Option<Self> {
        let scoop::Delimited {
            left,
            right,
            records,
        } = scoop::records(page, content)?;
        Some(Pattern::delimited(page, lr::Rule { left, right }, &records))
    }

    /// What finds the same records on other pages.
    pub fn rule(&self) -> &RecordRule {
        &self.rule
    }
}

/// Texts become columns by their place in the pattern.
impl From<iepad::RecordPattern> for Pattern {
    fn from(found: iepad::RecordPattern) -> Self {
        let column = |number: usize| Column {
            name: format!("text {number}"),
            way: format!("{TEXT}:{number}"),
            attribute: None,
            whole: false,
        };
        let fields = |texts: &[(usize, Span)]| {
            texts
                .iter()
                .map(|&(column, span)| Field { column, span })
                .collect()
        };
        let records = found.records.iter().map(|record| Record {
            span: record.span,
            fields: fields(&record.texts),
        });
        Pattern {
            name: UNNAMED.to_owned(),
            place: String::new(),
            title: Title::default(),
            notation: found.rule.to_string(),
            measures: found.measures,
            columns: (1..=found.texts).map(column).collect(),
            records: records.collect(),
            rule: RecordRule::Iepad(found.rule),
        }
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
    /// Whether a value is all that stands in an element, in whatever markup.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

impl Column {
    /// A value of this column as a reader or a browser reads it.
    pub fn value(&self, raw: &str) -> String {
        let mut value = String::new();
        self.push_value(&mut value, raw);
        value
    }

    /// Whether it holds the cells of one column of a table, as they stand.
    pub fn is_cells(&self) -> bool {
        let cell = self.way.rsplit('/').next().unwrap_or_default();
        self.whole && matches!(cell.split([':', '.']).next(), Some("td" | "th"))
    }

    /// Whether a column of another page holds the same: it stands in the same place, be it that the class there varies or
    /// that the text has more or less markup on one of the two pages.
    pub(crate) fn is_in_place_of(&self, other: &Column) -> bool {
        if self.attribute != other.attribute {
            return false;
        }
        let mut steps = (self.way.split('/'), other.way.split('/'));
        loop {
            match (steps.0.next(), steps.1.next()) {
                (Some(step), Some(others)) if is_same_step(step, others) => {}
                (None, None) => return true,
                (None, Some(_)) => return self.whole && self.attribute.is_none(),
                (Some(_), None) => return other.whole && self.attribute.is_none(),
                _ => return false,
            }
        }
    }

    /// Adds a value to a text.
    pub(crate) fn push_value(&self, text: &mut String, raw: &str) {
        if self.attribute.is_some() {
            push_attribute(text, raw)
        } else {
            push_joined(text, raw)
        }
    }
}

/// Whether two steps of ways are the same, or one of them with any class.
fn is_same_step(step: &str, other: &str) -> bool {
    let is_any = |any: &str, step: &str| {
        let name = any.strip_suffix(ANY_CLASS);
        name.is_some_and(|name| {
            step.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    step == other || is_any(step, other) || is_any(other, step)
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
    /// All that a reader sees of the record: entities decoded, white space folded, words parted as lines part them.
    pub fn text(&self, page: &str) -> String {
        joined_text(self.span.of(page))
    }

    /// The values of all fields, in the order of the page.
    pub fn values(&self, page: &str, pattern: &Pattern) -> impl Iterator<Item = String> {
        self.fields.iter().map(|field| field.value(page, pattern))
    }

    /// The first value in a column, if the record has one.
    pub fn value(&self, page: &str, pattern: &Pattern, column: usize) -> Option<String> {
        self.fields
            .iter()
            .find(|field| field.column == column)
            .map(|field| field.value(page, pattern))
    }
}

impl Field {
    /// The value as a reader or a browser reads it.
    pub fn value(&self, page: &str, pattern: &Pattern) -> String {
        pattern
            .columns
            .get(self.column)
            .map_or_else(String::new, |column| column.value(self.span.of(page)))
    }
}
