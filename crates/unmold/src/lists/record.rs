//! What is a record, and what are its columns?

use super::step::ANY_CLASS;
use crate::{
    Span,
    read::html::{joined_text, push_attribute, push_joined},
};
use rapidhash::RapidHashSet;
use serde::{Deserialize, Serialize};

/// A field that records have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// What the page calls it, as far as it can be read off: a label, a class name, a tag. Unique
    /// in its list.
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

    /// Whether a column of another page holds the same: it stands in the same place, be it that the
    /// class there varies or that the text has more or less markup on one of the two pages.
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
            push_attribute(text, raw);
        } else {
            push_joined(text, raw);
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
    /// The number of its column in the list's columns.
    pub column: usize,
    /// The bytes of the value.
    pub span: Span,
}

impl Record {
    /// All that a reader sees of the record: entities decoded, white space folded, words parted as
    /// lines part them.
    pub fn text(&self, page: &str) -> String {
        joined_text(self.span.of(page))
    }

    /// The values of all fields, in the order of the page.
    pub fn values(&self, page: &str, columns: &[Column]) -> impl Iterator<Item = String> {
        self.fields.iter().map(|field| field.value(page, columns))
    }

    /// The first value in a column, if the record has one.
    pub fn value(&self, page: &str, columns: &[Column], column: usize) -> Option<String> {
        self.fields
            .iter()
            .find(|field| field.column == column)
            .map(|field| field.value(page, columns))
    }
}

impl Field {
    /// The value as a reader or a browser reads it.
    pub fn value(&self, page: &str, columns: &[Column]) -> String {
        columns
            .get(self.column)
            .map_or_else(String::new, |column| column.value(self.span.of(page)))
    }
}

/// A name that no other column has.
pub(super) fn unique(names: &mut RapidHashSet<String>, name: String) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !names.contains(name))
        .unwrap_or(name);
    names.insert(free.clone());
    free
}
