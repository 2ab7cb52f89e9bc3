//! What a mold says of a field: its name, its values, and the ways to find it.

use super::{HeldOut, Kind, Part, Position, Type};
use crate::{
    lr::{self, rule::MOST_RULES},
    read::STRING_BYTES,
};
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
    /// Whether it is absent from pages that do not have its label: all pages where it was learned have both.
    #[serde(default, skip_serializing_if = "is_false")]
    pub needs_label: bool,
    /// Whether what follows its label is its value in whatever element it stands: it never was anything else.
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
    /// Texts of the template that some pages have where others have the value: there, the value is what follows them among texts
    /// with the same tags and classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asides: Vec<String>,
    /// Values it had where it was learned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<String>,
    /// The ways to find it.
    pub views: Vec<View>,
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

/// A way to find a field on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum View {
    /// Between two strings.
    Lr(lr::Rule),
    /// By the tags from the root, with their numbers.
    Path(Position),
    /// By tags and classes of the nearest elements.
    #[serde(rename = "class-path", alias = "class")]
    Class(Position),
    /// By the same, all of them, or all in one column of a table, or in one line of such elements.
    #[serde(rename = "all-of-class-path", alias = "each")]
    Each(Position),
    /// By the nearest tags.
    #[serde(rename = "tag-path", alias = "tags")]
    Tags(Position),
    /// By the text right before.
    #[serde(rename = "label-before", alias = "label")]
    Label(Position),
    /// By the first text of an element around.
    #[serde(rename = "label-of-block", alias = "under")]
    Under(Position),
    /// By what stands before a colon in the text itself.
    #[serde(rename = "inline-label", alias = "within")]
    Within(Position),
    /// By an element that has a name.
    #[serde(rename = "named-element", alias = "hook")]
    Hook(Position),
    /// By a landmark before.
    #[serde(rename = "after-landmark", alias = "after")]
    After(Position),
    /// By a landmark behind.
    #[serde(rename = "before-landmark", alias = "before")]
    Before(Position),
    /// By the names that lead to it in the page's JSON-LD.
    #[serde(rename = "json-ld", alias = "data")]
    Data(Position),
}

impl View {
    /// A view by position.
    pub fn at(kind: Kind, position: Position) -> View {
        match kind {
            Kind::Path => View::Path(position),
            Kind::Class => View::Class(position),
            Kind::Each => View::Each(position),
            Kind::Tags => View::Tags(position),
            Kind::Label => View::Label(position),
            Kind::Under => View::Under(position),
            Kind::Within => View::Within(position),
            Kind::Hook => View::Hook(position),
            Kind::After => View::After(position),
            Kind::Before => View::Before(position),
            Kind::Data => View::Data(position),
        }
    }

    /// What a view by position goes by.
    pub fn position(&self) -> Option<(Kind, &Position)> {
        Some(match self {
            View::Lr(_) => return None,
            View::Path(position) => (Kind::Path, position),
            View::Class(position) => (Kind::Class, position),
            View::Each(position) => (Kind::Each, position),
            View::Tags(position) => (Kind::Tags, position),
            View::Label(position) => (Kind::Label, position),
            View::Under(position) => (Kind::Under, position),
            View::Within(position) => (Kind::Within, position),
            View::Hook(position) => (Kind::Hook, position),
            View::After(position) => (Kind::After, position),
            View::Before(position) => (Kind::Before, position),
            View::Data(position) => (Kind::Data, position),
        })
    }

    /// Whether it finds lines of elements, not all of their texts.
    pub(crate) fn is_line(&self) -> bool {
        matches!(self, View::Each(position) if position.is_behind_break())
    }

    /// Whether it goes by what the page tells machines that a value is.
    pub(crate) fn is_told_to_machines(&self) -> bool {
        self.position().is_some_and(|(kind, position)| {
            let is_property = || {
                ["itemprop=", "property="]
                    .iter()
                    .any(|name| position.text.starts_with(name))
            };
            kind == Kind::Data || kind == Kind::Hook && position.path.is_empty() && is_property()
        })
    }

    /// Whether it finds texts rather than attributes.
    pub(crate) fn takes_text(&self) -> bool {
        self.position()
            .is_some_and(|(_, position)| position.attribute.is_empty())
    }
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
    /// Whether one place alone says where it is, with nothing that could disagree.
    pub(crate) fn has_one_place(&self) -> bool {
        let says_what = |kind: Kind| kind.is_labelled() || matches!(kind, Kind::Hook | Kind::Data);
        let mut kinds = self
            .views
            .iter()
            .map(|view| view.position().map(|(kind, _)| kind));
        let first = kinds.next().flatten();
        first.is_some_and(|first| !says_what(first) && kinds.all(|next| next == Some(first)))
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if self.name.is_empty() || self.name.len() > STRING_BYTES {
            return Err("the name is empty or too long".to_owned());
        }
        self.views.iter().try_for_each(|view| match view {
            View::Lr(rule) => rule.check(),
            _ => view
                .position()
                .map_or(Ok(()), |(_, position)| position.check()),
        })
    }
}
