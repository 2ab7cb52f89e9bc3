//! In which ways can a value be found again on another page?
//!
//! A *view* finds a field by one thing only: the classes around its value, the label before it, its
//! path from the root, a name that the page's author gave to an element. Each of them can break
//! when a site changes, but they seldom break together, and so a field has several, which vote.
//!
//! A view in a mold is words, a [`Position`], so that a mold can be read. To find it on a page it
//! becomes a single number, its *key*, which the page's values have too (`slots`):
//!
//! ```
//! use unmold::fields::{Position, ViewKind};
//!
//! let weight = Position { text: "Weight:".to_string(), path: "td".to_string(), ..Position::default() };
//! let without_colon = Position { text: "Weight".to_string(), ..weight.clone() };
//! assert_eq!(weight.key(ViewKind::LabelOfBlock), without_colon.key(ViewKind::LabelOfBlock));
//! assert_ne!(weight.key(ViewKind::LabelOfBlock), weight.key(ViewKind::LabelBefore));
//! ```
//!
//! # A new kind of view
//!
//! All that is particular to a kind is in this file: its variant of [`ViewKind`] and of [`View`],
//! its row in the table of [`ViewKind`]'s traits, its [`SlotKey`]s, its words for people. Every
//! match over kinds is exhaustive, so the compiler names the three places that are left: `slots`
//! computes the key of a value, `describe` puts a key into words, and `export::views` writes a
//! selector.

use super::{
    hashing::{START, hash, mix, sibling, subject},
    label_text::label_text,
};
use crate::{lr, read::STRING_BYTES};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// What a view goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViewKind {
    /// The tags from the root, each with its number among its siblings of the name.
    Path,
    /// Tags and classes of the nearest elements, and the number among all values with these on the
    /// page.
    ClassPath,
    /// The same without the number: every such value; with a number, those in this column of a
    /// table, from 1; with a last step `br`, those after one line break of the element, with two
    /// such steps, those after two.
    AllOfClassPath,
    /// The nearest tags without their classes, and the number among all values with these on the
    /// page.
    TagPath,
    /// The text right before.
    LabelBefore,
    /// The first text of an element around, and the tags from there.
    LabelOfBlock,
    /// The text before a colon in the text itself.
    InlineLabel,
    /// The nearest element with a name of its own (`id`, `itemprop`, `property`, `name`, `data-`),
    /// and the path from there.
    NamedElement,
    /// The nearest landmark before, and how many texts there are between.
    AfterLandmark,
    /// The nearest landmark after, and how many texts there are between.
    BeforeLandmark,
    /// The type and the names that lead to a value in the page's JSON-LD, and which of several
    /// there.
    JsonLd,
}

/// What a kind of view says about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Only where it is.
    Place,
    /// What readers are told that it is.
    Label,
    /// What the author of the markup calls it.
    Name,
}

/// How the path of a position is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathHash {
    /// From the outermost step.
    Outermost,
    /// From the outermost step, each with its number among its siblings.
    Numbered,
    /// From the innermost step, as the walk over a page goes up from a value.
    Innermost,
}

/// A row of the table of kinds.
struct Traits {
    /// What a mold calls it; the serialised names of [`View`] are the same.
    name: &'static str,
    /// What people call it.
    title: &'static str,
    /// How far a candidate of the kind is trusted where candidates compete for the same values,
    /// from 0 to 1. Names and labels say what a value is, numbers only where it is. Chosen by hand:
    /// only the order matters much.
    trust: f64,
    /// How often the weight of a view counts in a vote. A label says what a value is, and counts
    /// twice. JSON-LD says so whatever the page looks like: with seven votes it is as much as makes
    /// a third (`votes::MIN_AGREEMENT`) of all other views together, and is enough alone. Chosen by
    /// hand on the labelled sites.
    vote_factor: u32,
    meaning: Meaning,
    /// Whether one key finds all items of a list; others find one item each, by its number.
    finds_all_items: bool,
    path_hash: PathHash,
}

impl ViewKind {
    /// All kinds, in the order in which reports list them.
    pub const ALL: [ViewKind; 11] = [
        ViewKind::Path,
        ViewKind::ClassPath,
        ViewKind::AllOfClassPath,
        ViewKind::TagPath,
        ViewKind::LabelBefore,
        ViewKind::LabelOfBlock,
        ViewKind::InlineLabel,
        ViewKind::NamedElement,
        ViewKind::AfterLandmark,
        ViewKind::BeforeLandmark,
        ViewKind::JsonLd,
    ];

    fn traits(self) -> Traits {
        /// A kind that says where a single value is, and nothing else.
        const PLACE: Traits = Traits {
            name: "",
            title: "",
            trust: 0.0,
            vote_factor: 1,
            meaning: Meaning::Place,
            finds_all_items: false,
            path_hash: PathHash::Outermost,
        };
        const LABEL: Traits = Traits {
            meaning: Meaning::Label,
            vote_factor: 2,
            ..PLACE
        };
        match self {
            ViewKind::Path => Traits {
                name: "path",
                title: "path",
                trust: 0.88,
                path_hash: PathHash::Numbered,
                ..PLACE
            },
            ViewKind::ClassPath => Traits {
                name: "class-path",
                title: "class path",
                trust: 0.92,
                ..PLACE
            },
            ViewKind::AllOfClassPath => Traits {
                name: "all-of-class-path",
                title: "all of class path",
                trust: 0.92,
                finds_all_items: true,
                ..PLACE
            },
            ViewKind::TagPath => Traits {
                name: "tag-path",
                title: "tag path",
                trust: 0.80,
                ..PLACE
            },
            ViewKind::LabelBefore => Traits {
                name: "label-before",
                title: "label before",
                trust: 0.98,
                ..LABEL
            },
            ViewKind::LabelOfBlock => Traits {
                name: "label-of-block",
                title: "label of block",
                trust: 0.98,
                finds_all_items: true,
                path_hash: PathHash::Innermost,
                ..LABEL
            },
            ViewKind::InlineLabel => Traits {
                name: "inline-label",
                title: "inline label",
                trust: 0.96,
                finds_all_items: true,
                ..LABEL
            },
            ViewKind::NamedElement => Traits {
                name: "named-element",
                title: "named element",
                trust: 1.0,
                meaning: Meaning::Name,
                path_hash: PathHash::Numbered,
                ..PLACE
            },
            ViewKind::AfterLandmark => Traits {
                name: "after-landmark",
                title: "after landmark",
                trust: 0.86,
                ..PLACE
            },
            ViewKind::BeforeLandmark => Traits {
                name: "before-landmark",
                title: "before landmark",
                trust: 0.86,
                ..PLACE
            },
            ViewKind::JsonLd => Traits {
                name: "json-ld",
                title: "JSON-LD",
                trust: 1.0,
                vote_factor: 7,
                meaning: Meaning::Name,
                finds_all_items: true,
                ..PLACE
            },
        }
    }

    /// What a mold calls it: `class-path`.
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// How far it is trusted where kinds disagree about which values are one field.
    pub(super) fn trust(self) -> f64 {
        self.traits().trust
    }

    /// Whether it goes by a text that tells readers what the value is.
    pub(crate) fn is_label(self) -> bool {
        self.traits().meaning == Meaning::Label
    }

    /// Whether it goes by a label outside of the value.
    pub(super) fn is_outer_label(self) -> bool {
        self.is_label() && self != ViewKind::InlineLabel
    }

    /// Whether it says where a value is, and not what it is.
    pub(super) fn is_place(self) -> bool {
        self.traits().meaning == Meaning::Place
    }

    /// Whether one key finds all items of a list.
    pub(super) fn finds_all_items(self) -> bool {
        self.traits().finds_all_items
    }

    /// How much a view of the kind counts in a vote.
    pub(super) fn vote_weight(self, position: &Position) -> u32 {
        u32::from(position.weight) * self.traits().vote_factor
    }

    /// The key of a value from what it goes by, its number among several, and the hash of its
    /// attribute. Zero means that there is no such key.
    #[inline]
    pub(super) fn key(self, subject: u64, nth: u32, attribute: u64) -> u64 {
        mix(subject, (u64::from(nth) << 8 | self as u64) ^ attribute).max(1)
    }
}

/// The keys of a slot, in the order in which they break ties. Most kinds of views have one; a block
/// label is looked for in two blocks around, and all values of a class path are told apart by
/// column or line as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SlotKey {
    Path,
    ClassPath,
    AllOfClassPath,
    TagPath,
    LabelBefore,
    LabelOfBlock,
    LabelOfOuterBlock,
    InlineLabel,
    NamedElement,
    AfterLandmark,
    BeforeLandmark,
    JsonLd,
    /// Every value with the same classes after as many line breaks of its element, or else in one
    /// column of a table.
    ColumnOrLine,
}

impl SlotKey {
    pub const COUNT: usize = 13;

    pub const ALL: [SlotKey; Self::COUNT] = [
        SlotKey::Path,
        SlotKey::ClassPath,
        SlotKey::AllOfClassPath,
        SlotKey::TagPath,
        SlotKey::LabelBefore,
        SlotKey::LabelOfBlock,
        SlotKey::LabelOfOuterBlock,
        SlotKey::InlineLabel,
        SlotKey::NamedElement,
        SlotKey::AfterLandmark,
        SlotKey::BeforeLandmark,
        SlotKey::JsonLd,
        SlotKey::ColumnOrLine,
    ];

    /// The kind of the views that look for it.
    #[inline]
    pub fn kind(self) -> ViewKind {
        match self {
            SlotKey::Path => ViewKind::Path,
            SlotKey::ClassPath => ViewKind::ClassPath,
            SlotKey::AllOfClassPath | SlotKey::ColumnOrLine => ViewKind::AllOfClassPath,
            SlotKey::TagPath => ViewKind::TagPath,
            SlotKey::LabelBefore => ViewKind::LabelBefore,
            SlotKey::LabelOfBlock | SlotKey::LabelOfOuterBlock => ViewKind::LabelOfBlock,
            SlotKey::InlineLabel => ViewKind::InlineLabel,
            SlotKey::NamedElement => ViewKind::NamedElement,
            SlotKey::AfterLandmark => ViewKind::AfterLandmark,
            SlotKey::BeforeLandmark => ViewKind::BeforeLandmark,
            SlotKey::JsonLd => ViewKind::JsonLd,
        }
    }
}

/// The keys of a slot, zero where it has no such key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys([u64; SlotKey::COUNT]);

impl Keys {
    /// Whether the slot has none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; SlotKey::COUNT]
    }

    /// The keys that the slot has.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (SlotKey, u64)> {
        let keys = SlotKey::ALL.into_iter().zip(self.0);
        keys.filter(|(_, key)| *key != 0)
    }
}

impl Index<SlotKey> for Keys {
    type Output = u64;

    #[inline]
    fn index(&self, which: SlotKey) -> &u64 {
        &self.0[which as usize]
    }
}

impl IndexMut<SlotKey> for Keys {
    #[inline]
    fn index_mut(&mut self, which: SlotKey) -> &mut u64 {
        &mut self.0[which as usize]
    }
}

/// A place on a page, by one thing that it is known by. Parts that are not needed are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// A label, a landmark, or the name of an element (`itemprop=price`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The elements down to the value, separated by spaces.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Which of several, from 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub nth: u32,
    /// The attribute that holds the value; empty if its text does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub attribute: String,
    /// How much it counts, in percent; in a file that does not say so, fully.
    #[serde(default = "full_weight")]
    pub weight: u8,
}

fn full_weight() -> u8 {
    100
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What a path ends with for each line break of its last element that precedes the value.
pub(super) const BREAK: &str = " br";

/// The hashes of the parts of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionHashes {
    /// What it goes by: its text and path.
    pub subject: u64,
    pub attribute: u64,
}

impl Position {
    /// The number by which the position is looked up, the same for a slot of a page and for the
    /// text that describes it.
    pub fn key(&self, kind: ViewKind) -> u64 {
        let hashes = self.hashes(kind);
        kind.key(hashes.subject, self.nth, hashes.attribute)
    }

    pub(super) fn hashes(&self, kind: ViewKind) -> PositionHashes {
        let traits = kind.traits();
        let text = match traits.meaning {
            Meaning::Name => hash(self.text.as_bytes()),
            Meaning::Label | Meaning::Place => {
                label_text(&self.text).map_or(0, |text| hash(text.as_bytes()))
            }
        };
        let path = path_hash(&self.path, traits.path_hash);
        let attribute = if self.attribute.is_empty() {
            0
        } else {
            hash(self.attribute.as_bytes())
        };
        PositionHashes {
            subject: subject(text, path),
            attribute,
        }
    }

    /// The path of the element that it leads into, and how many line breaks of that element precede
    /// the value.
    fn element_and_breaks(&self) -> (&str, usize) {
        let element = self.path.trim_end_matches(BREAK);
        (element, (self.path.len() - element.len()) / BREAK.len())
    }

    /// Whether its path leads to what follows a line break of the last element.
    pub(crate) fn is_after_break(&self) -> bool {
        self.path.ends_with(BREAK)
    }

    fn check(&self) -> Result<(), String> {
        let longest = self
            .text
            .len()
            .max(self.path.len())
            .max(self.attribute.len());
        if longest > STRING_BYTES {
            return Err(format!("a position is longer than {STRING_BYTES} bytes"));
        }
        if self.weight > 100 {
            return Err(format!("a weight of {} percent", self.weight));
        }
        Ok(())
    }
}

fn path_hash(path: &str, how: PathHash) -> u64 {
    let steps = path.split(' ').filter(|step| !step.is_empty());
    match how {
        PathHash::Outermost => steps.map(step_hash).fold(START, mix),
        PathHash::Numbered => steps.map(numbered_step_hash).fold(START, mix),
        PathHash::Innermost => steps.rev().map(step_hash).fold(START, mix),
    }
}

fn step_hash(step: &str) -> u64 {
    hash(step.as_bytes())
}

/// A step such as `td[2]`, or `td` for the first.
fn numbered_step_hash(step: &str) -> u64 {
    let (tag, number) = split_number(step).unwrap_or((step, 1));
    sibling(hash(tag.as_bytes()), number)
}

fn split_number(step: &str) -> Option<(&str, u32)> {
    let (tag, number) = step.strip_suffix(']')?.rsplit_once('[')?;
    Some((tag, number.parse().ok()?))
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
    #[serde(alias = "class")]
    ClassPath(Position),
    /// By the same, all of them, or all in one column of a table, or in one line of such elements.
    #[serde(alias = "each")]
    AllOfClassPath(Position),
    /// By the nearest tags.
    #[serde(alias = "tags")]
    TagPath(Position),
    /// By the text right before.
    #[serde(alias = "label")]
    LabelBefore(Position),
    /// By the first text of an element around.
    #[serde(alias = "under")]
    LabelOfBlock(Position),
    /// By what precedes a colon in the text itself.
    #[serde(alias = "within")]
    InlineLabel(Position),
    /// By an element that has a name.
    #[serde(alias = "hook")]
    NamedElement(Position),
    /// By a landmark before.
    #[serde(alias = "after")]
    AfterLandmark(Position),
    /// By a landmark after.
    #[serde(alias = "before")]
    BeforeLandmark(Position),
    /// By the names that lead to it in the page's JSON-LD.
    #[serde(alias = "data")]
    JsonLd(Position),
    /// By its plain name among what the page declares of the thing that it is about.
    Declared(DeclaredView),
    /// By the text before a list.
    HeadedList(HeadedListView),
}

/// A property of the thing that a page declares to be about, in whatever vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclaredView {
    /// The plain name of the property: `price`.
    #[serde(default)]
    pub property: String,
}

/// The list after a heading, with all its items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadedListView {
    /// The text before the list, without a colon at its end: `Ingredients`.
    #[serde(default)]
    pub heading: String,
}

impl View {
    /// A view by position.
    pub fn at(kind: ViewKind, position: Position) -> View {
        match kind {
            ViewKind::Path => View::Path(position),
            ViewKind::ClassPath => View::ClassPath(position),
            ViewKind::AllOfClassPath => View::AllOfClassPath(position),
            ViewKind::TagPath => View::TagPath(position),
            ViewKind::LabelBefore => View::LabelBefore(position),
            ViewKind::LabelOfBlock => View::LabelOfBlock(position),
            ViewKind::InlineLabel => View::InlineLabel(position),
            ViewKind::NamedElement => View::NamedElement(position),
            ViewKind::AfterLandmark => View::AfterLandmark(position),
            ViewKind::BeforeLandmark => View::BeforeLandmark(position),
            ViewKind::JsonLd => View::JsonLd(position),
        }
    }

    /// The kind and the position of a view by position.
    pub fn position(&self) -> Option<(ViewKind, &Position)> {
        Some(match self {
            View::Lr(_) | View::Declared(_) | View::HeadedList(_) => return None,
            View::Path(position) => (ViewKind::Path, position),
            View::ClassPath(position) => (ViewKind::ClassPath, position),
            View::AllOfClassPath(position) => (ViewKind::AllOfClassPath, position),
            View::TagPath(position) => (ViewKind::TagPath, position),
            View::LabelBefore(position) => (ViewKind::LabelBefore, position),
            View::LabelOfBlock(position) => (ViewKind::LabelOfBlock, position),
            View::InlineLabel(position) => (ViewKind::InlineLabel, position),
            View::NamedElement(position) => (ViewKind::NamedElement, position),
            View::AfterLandmark(position) => (ViewKind::AfterLandmark, position),
            View::BeforeLandmark(position) => (ViewKind::BeforeLandmark, position),
            View::JsonLd(position) => (ViewKind::JsonLd, position),
        })
    }

    /// The property that it goes by among what pages declare.
    pub(crate) fn declared_property(&self) -> Option<&str> {
        match self {
            View::Declared(view) => Some(&view.property),
            View::Lr(_)
            | View::HeadedList(_)
            | View::Path(_)
            | View::ClassPath(_)
            | View::AllOfClassPath(_)
            | View::TagPath(_)
            | View::LabelBefore(_)
            | View::LabelOfBlock(_)
            | View::InlineLabel(_)
            | View::NamedElement(_)
            | View::AfterLandmark(_)
            | View::BeforeLandmark(_)
            | View::JsonLd(_) => None,
        }
    }

    /// The text before the list that it finds.
    pub(crate) fn heading(&self) -> Option<&str> {
        if let View::HeadedList(view) = self {
            Some(&view.heading)
        } else {
            None
        }
    }

    /// Whether it finds lines of elements, not all of their texts.
    pub(super) fn is_line(&self) -> bool {
        matches!(self, View::AllOfClassPath(position) if position.is_after_break())
    }

    /// Whether it goes by what the page declares to machines that a value is.
    pub(super) fn is_declared(&self) -> bool {
        match self {
            View::JsonLd(_) | View::Declared(_) => true,
            View::NamedElement(position) => position.declared_name().is_some(),
            View::Lr(_)
            | View::HeadedList(_)
            | View::Path(_)
            | View::ClassPath(_)
            | View::AllOfClassPath(_)
            | View::TagPath(_)
            | View::LabelBefore(_)
            | View::LabelOfBlock(_)
            | View::InlineLabel(_)
            | View::AfterLandmark(_)
            | View::BeforeLandmark(_) => false,
        }
    }

    /// Whether it finds texts rather than attributes.
    pub(crate) fn takes_text(&self) -> bool {
        self.position()
            .is_some_and(|(_, position)| position.attribute.is_empty())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        match (self, self.position()) {
            (View::Lr(rule), _) => rule.check(),
            (View::Declared(view), _) if view.property.len() > STRING_BYTES => {
                Err(format!("a property is longer than {STRING_BYTES} bytes"))
            }
            (View::HeadedList(view), _) if view.heading.len() > STRING_BYTES => {
                Err(format!("a heading is longer than {STRING_BYTES} bytes"))
            }
            (_, Some((_, position))) => position.check(),
            (_, None) => Ok(()),
        }
    }
}

impl Position {
    /// The `price` of a named element `itemprop=price` that holds the value itself.
    pub(super) fn declared_name(&self) -> Option<&str> {
        if !self.path.is_empty() {
            return None;
        }
        let (attribute, name) = self.text.split_once('=')?;
        matches!(attribute, "itemprop" | "property").then_some(name)
    }
}

/// What people read about a view.
impl View {
    /// What people call the kind of view: `class path`.
    pub fn title(&self) -> &'static str {
        match self.position() {
            Some((kind, _)) => kind.traits().title,
            None if matches!(self, View::Declared(_)) => "declared",
            None if matches!(self, View::HeadedList(_)) => "headed list",
            None => "lr",
        }
    }

    /// Where it finds a value, in words: `right behind “Weight:”`.
    pub fn words(&self) -> String {
        let (kind, position) = match (self, self.position()) {
            (_, Some(found)) => found,
            (View::Lr(rule), _) => {
                let (left, right) = (clipped(&rule.left), clipped(&rule.right));
                return format!("between {left:?} and {right:?}");
            }
            (View::Declared(view), _) => {
                return format!("as the page declares its {}", clipped(&view.property));
            }
            (View::HeadedList(view), _) => {
                return format!("each item of the list behind “{}”", clipped(&view.heading));
            }
            (_, None) => return String::new(),
        };
        let (path, text) = (clipped(&position.path), clipped(&position.text));
        let number = ordinal(position.nth);
        let words = match kind {
            ViewKind::Path => format!("at {path}"),
            ViewKind::ClassPath => format!("{number} of {path}"),
            ViewKind::AllOfClassPath => words_for_all(position),
            ViewKind::TagPath => format!("{number} of {path}, whatever the classes"),
            ViewKind::LabelBefore => format!("right behind “{text}”"),
            ViewKind::LabelOfBlock => format!("in the block that begins with “{text}”"),
            ViewKind::InlineLabel => format!("behind “{text}” in the same text"),
            ViewKind::NamedElement => format!("in the element {text}"),
            ViewKind::AfterLandmark => format!("{number} text behind “{text}”"),
            ViewKind::BeforeLandmark => format!("{number} text before “{text}”"),
            ViewKind::JsonLd => format!("in the page’s data as {text}"),
        };
        if position.attribute.is_empty() {
            words
        } else {
            format!("{words}, attribute {}", position.attribute)
        }
    }
}

/// All values of a class path, or those in one column or line.
fn words_for_all(position: &Position) -> String {
    let (element, breaks) = position.element_and_breaks();
    let element = clipped(element);
    if breaks > 0 {
        format!("every {element}, line {}", breaks + 1)
    } else if position.nth > 0 {
        format!("every {element} in column {}", position.nth)
    } else {
        format!("every {element}")
    }
}

fn ordinal(nth: u32) -> String {
    match nth {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        more => format!("number {}", more + 1),
    }
}

fn clipped(text: &str) -> String {
    /// Longer words do not fit into a line of the viewer.
    const MAX_LETTERS: usize = 80;
    let mut clipped: String = text.chars().take(MAX_LETTERS).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table and the format of molds must use the same names.
    #[test]
    fn kinds_are_serialised_by_their_names() {
        for kind in ViewKind::ALL {
            let view = serde_json::to_value(View::at(kind, Position::default())).unwrap();
            assert_eq!(view["kind"], kind.name());
        }
    }

    #[test]
    fn keys_are_listed_in_their_order() {
        for (at, key) in SlotKey::ALL.into_iter().enumerate() {
            assert_eq!(key as usize, at);
        }
    }
}
