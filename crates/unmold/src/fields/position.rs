//! In which ways can a value be found again on another page?
//!
//! A [`Position`] describes the place of a value by one thing only: the classes around it, the label before it, its way
//! from the root, a name that the page's author gave to an element. Each of them can break when a site changes, but
//! they seldom break together. What a position says is plain text, so that a mold can be read; to find it on a page it
//! becomes a single number, its *key*, which the page's values have too (`slots`):
//!
//! ```
//! use unmold::fields::{Kind, Position};
//!
//! let weight = Position { text: "Weight:".to_string(), path: "td".to_string(), ..Position::default() };
//! let without_colon = Position { text: "Weight".to_string(), ..weight.clone() };
//! assert_eq!(weight.key(Kind::Under), without_colon.key(Kind::Under));
//! assert_ne!(weight.key(Kind::Under), weight.key(Kind::Label));
//! ```

use super::slots::label_text;
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};

/// What a position goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The tags from the root, each with its number among its siblings of the name.
    Path,
    /// Tags and classes of the nearest elements, and the number among all values with these on the page.
    Class,
    /// The same without the number: every such value; with a number, those in this column of a table, from 1; with a last step
    /// `br`, those behind one line break of the element, with two such steps, those behind two.
    Each,
    /// The nearest tags without their classes, and the number among all values with these on the page.
    Tags,
    /// The text right before.
    Label,
    /// The first text of an element around, and the tags from there.
    Under,
    /// What stands before a colon in the text itself.
    Within,
    /// The nearest element with a name of its own (`id`, `itemprop`, `property`, `name`, `data-`), and the way from there.
    Hook,
    /// The nearest landmark before, and how many texts behind it.
    After,
    /// The nearest landmark behind, and how many texts before it.
    Before,
    /// The type and the names that lead to a value in the page's JSON-LD, and which of several there.
    Data,
}

impl Kind {
    /// The keys of these depend on which elements have which numbers and names only, not on any text.
    pub(crate) fn is_labelled(self) -> bool {
        matches!(self, Kind::Label | Kind::Under | Kind::Within)
    }
}

/// A place on a page, by one thing that it is known by. What is not needed is empty.
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
    #[serde(default = "fully")]
    pub weight: u8,
}

fn fully() -> u8 {
    100
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Position {
    /// The number by which the position is looked up, the same for a slot of a page and for the text that describes it.
    pub fn key(&self, kind: Kind) -> u64 {
        self.key_and_subject(kind).0
    }

    /// Its key, and the number of what it goes by: its key without the number among several and the attribute.
    pub(crate) fn key_and_subject(&self, kind: Kind) -> (u64, u64) {
        let (text, path, attribute) = self.hashes(kind);
        let subject = subject(text, path);
        (key_of(kind, subject, self.nth, attribute), subject)
    }

    /// The hashes of text, path and attribute.
    pub(super) fn hashes(&self, kind: Kind) -> (u64, u64, u64) {
        let text = match kind {
            Kind::Hook | Kind::Data => hash(self.text.as_bytes()),
            _ => label_text(&self.text).map_or(0, |text| hash(text.as_bytes())),
        };
        let steps = self.path.split(' ').filter(|step| !step.is_empty());
        let path = match kind {
            Kind::Path | Kind::Hook => steps.map(numbered_step).fold(START, mix),
            Kind::Under => steps
                .rev()
                .map(|step| hash(step.as_bytes()))
                .fold(START, mix),
            _ => steps.map(|step| hash(step.as_bytes())).fold(START, mix),
        };
        let attribute = if self.attribute.is_empty() {
            0
        } else {
            hash(self.attribute.as_bytes())
        };
        (text, path, attribute)
    }

    /// The path of the element that it leads into, and how many line breaks of that element stand before the value.
    pub fn element_and_breaks(&self) -> (&str, usize) {
        let element = self.path.trim_end_matches(BREAK);
        (element, (self.path.len() - element.len()) / BREAK.len())
    }

    /// Whether its path leads behind a line break of the last element.
    pub(crate) fn is_behind_break(&self) -> bool {
        self.path.ends_with(BREAK)
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        let longest = self
            .text
            .len()
            .max(self.path.len())
            .max(self.attribute.len());
        if longest > crate::read::STRING_BYTES {
            return Err(format!(
                "a position is longer than {} bytes",
                crate::read::STRING_BYTES
            ));
        }
        if self.weight > 100 {
            return Err(format!("a weight of {} percent", self.weight));
        }
        Ok(())
    }
}

/// What a path ends with for each line break of its last element that stands before the value.
pub(crate) const BREAK: &str = " br";

/// What a way begins with.
pub(crate) const START: u64 = 0x9E37_79B9_7F4A_7C15;

/// Joins a hash to those before it.
#[inline]
pub(crate) fn mix(before: u64, next: u64) -> u64 {
    let product =
        u128::from(before ^ 0xA076_1D64_78BD_642F) * u128::from(next ^ 0xE703_7ED1_A0B4_28DB);
    (product as u64) ^ (product >> 64) as u64 ^ before.rotate_left(23)
}

#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    rapidhash_v3(bytes)
}

/// The key of a position from the hashes of its parts.
#[inline]
pub(crate) fn key(kind: Kind, text: u64, path: u64, nth: u32, attribute: u64) -> u64 {
    key_of(kind, subject(text, path), nth, attribute)
}

/// What a position goes by.
#[inline]
pub(crate) fn subject(text: u64, path: u64) -> u64 {
    mix(text, path)
}

#[inline]
pub(crate) fn key_of(kind: Kind, subject: u64, nth: u32, attribute: u64) -> u64 {
    // Zero means that there is no such key.
    mix(subject, (u64::from(nth) << 8 | kind as u64) ^ attribute).max(1)
}

/// The hash of a step among its siblings of the same name, from 1.
#[inline]
pub(crate) fn sibling(tag: u64, number: u32) -> u64 {
    tag.wrapping_add(u64::from(number).wrapping_mul(START))
}

/// A step such as `td[2]`, or `td` for the first.
fn numbered_step(step: &str) -> u64 {
    let numbered = step
        .strip_suffix(']')
        .and_then(|step| step.rsplit_once('['));
    let number = numbered.and_then(|(tag, number)| Some((tag, number.parse().ok()?)));
    let (tag, number) = number.unwrap_or((step, 1));
    sibling(hash(tag.as_bytes()), number)
}
