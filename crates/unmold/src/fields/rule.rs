//! What a mold says of a field: its name, its values, and the ways to find it.

use super::{Part, Position, Type, View, ViewKind};
use crate::{lr::rule::MOST_RULES, read::STRING_BYTES};
use serde::{Deserialize, Serialize};

/// A value that every page, or nearly every page, has one of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The column it becomes.
    pub name: String,
    /// What the pages call it, as they write it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Whether it is absent from pages that do not have its label: all pages where it was learned
    /// have both.
    #[serde(default, skip_serializing_if = "is_false")]
    pub needs_label: bool,
    /// Whether what follows its label is its value in whatever element it stands: it never was
    /// anything else.
    #[serde(default, skip_serializing_if = "is_false")]
    pub label_alone: bool,
    /// What its values look like.
    #[serde(default, rename = "type", skip_serializing_if = "Type::is_text")]
    pub kind: Type,
    /// Whether a page may have several.
    #[serde(default, skip_serializing_if = "is_false")]
    pub many: bool,
    /// Whether texts of one element, between line breaks, are one value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub join: bool,
    /// The share of pages that have it; all, if nobody says otherwise.
    #[serde(default = "all")]
    pub fill: f64,
    /// How far its views agree where it is found.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub agreement: f64,
    /// The fewest and the most letters of its values where it was learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letters: Option<(usize, usize)>,
    /// How many values nearly all pages have, where this is more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// The words before a colon that nearly all its values begin with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub inline_label: String,
    /// How it did on pages that it was not learned from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// What stands before every value in the same text, and is not part of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// What stands behind every value in the same text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suffix: String,
    /// Which part of the text it is, where the text holds two values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Texts of the template that some pages have where others have the value: there, the value is
    /// what follows them among texts with the same tags and classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asides: Vec<String>,
    /// Values it had where it was learned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<String>,
    /// The ways to find it.
    pub views: Vec<View>,
}

/// How a field did on pages that it was not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    /// The pages.
    pub pages: usize,
    /// The share of them that it was found on.
    pub fill: f64,
    /// How far its views agreed there.
    pub agreement: f64,
}

fn all() -> f64 {
    1.0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_unknown(share: &f64) -> bool {
    *share == 0.0
}

/// No group that is learned has as many fields: applying them takes time with every one.
const MOST_FIELDS: usize = 10_000;

/// Whether a group has no more fields than could have been learned.
pub(crate) fn check_number(fields: &[Field]) -> Result<(), String> {
    let views = fields.iter().flat_map(|field| &field.views);
    let rules = views.filter(|view| matches!(view, View::Lr(_))).count();
    if rules > MOST_RULES {
        return Err(format!(
            "a group has at most {MOST_RULES} views by strings, not {rules}"
        ));
    }
    if fields.len() > MOST_FIELDS {
        return Err(format!(
            "a group has at most {MOST_FIELDS} fields, not {}",
            fields.len()
        ));
    }
    Ok(())
}

impl Field {
    /// The positions of its views of a kind.
    pub(super) fn positions(&self, wanted: ViewKind) -> impl Iterator<Item = &Position> {
        let positions = self.views.iter().filter_map(View::position);
        positions
            .filter(move |(kind, _)| *kind == wanted)
            .map(|(_, position)| position)
    }

    /// Whether it is the whole of the texts that its views find.
    pub(super) fn is_whole(&self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty() && self.part.is_none()
    }

    /// Whether it is cut out of its texts as another one is.
    pub(super) fn is_cut_like(&self, other: &Field) -> bool {
        self.prefix == other.prefix && self.suffix == other.suffix && self.part == other.part
    }

    /// Whether one place alone says where it is, with nothing that could disagree.
    pub(crate) fn has_one_place(&self) -> bool {
        let mut kinds = self
            .views
            .iter()
            .map(|view| view.position().map(|(kind, _)| kind));
        let first = kinds.next().flatten();
        first.is_some_and(|first| first.is_place() && kinds.all(|next| next == Some(first)))
    }

    /// The property that it is among what pages declare, if it has such a view.
    pub(crate) fn declared_property(&self) -> Option<&str> {
        self.views.iter().find_map(View::declared_property)
    }

    /// The heading of the list that it is, if it has such a view.
    pub(crate) fn heading(&self) -> Option<&str> {
        self.views.iter().find_map(View::heading)
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if self.name.is_empty() || self.name.len() > STRING_BYTES {
            return Err("the name is empty or too long".to_owned());
        }
        self.views.iter().try_for_each(View::check)
    }
}
