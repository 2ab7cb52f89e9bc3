//! How is a step on the way to a value written?
//!
//! ```text
//! tr.a        an element: its name and first class
//! td:2        the second of its name, where all records have the same number of them
//! a.*         its class varies from record to record
//! #Price      a text by the label it begins with; #2 by its position
//! @href       an attribute
//! ```

use crate::read::tree::{NodeId, Tree};
use memchr::memchr2;
use std::fmt::Write;

/// The attributes whose values are fields.
pub(super) const ATTRIBUTES: [&str; 4] = ["href", "src", "alt", "datetime"];
/// Among more like-named children than this, positions mean nothing.
pub(super) const MAX_ARITY: usize = 64;
/// Longer names are cut at this many characters.
const MAX_NAME: usize = 64;

/// A class name without the number in it: `style` of `style12`.
pub(super) fn stem(class: &str) -> &str {
    class
        .find(|c: char| c.is_ascii_digit())
        .map_or(class, |at| &class[..at])
}

/// Tells several texts of one element apart: by a label in front ("From: Berlin"), else by
/// position.
pub(super) fn text_step(text: &str, position: usize, several: bool) -> String {
    match label(text).filter(|_| several) {
        Some(label) => format!("#{label}"),
        None if position == 1 => String::new(),
        None => format!("#{position}"),
    }
}

/// The same as a text of its own.
pub(super) fn named_step(tree: &Tree<'_>, node: NodeId) -> String {
    let mut step = String::new();
    write_named_step(&mut step, tree, node);
    step
}

/// A name and its first class, which says what an element is; others tend to say how it is today.
pub(super) fn write_named_step(way: &mut String, tree: &Tree<'_>, node: NodeId) {
    way.push_str(cut(tree.name(node)));
    if let Some(class) = tree.classes(node).next() {
        way.push('.');
        way.push_str(cut(class));
    }
}

/// A name with any class or none.
pub(super) fn any_class(name: &str) -> String {
    format!("{}{ANY_CLASS}", cut(name))
}

/// Behind a name in a way: its class varies. No class is called so in a step that is written from a
/// page.
pub(super) const ANY_CLASS: &str = ".*";

/// A name and which of those it is.
pub(super) fn write_position(way: &mut String, name: &str, position: usize) {
    way.push_str(cut(name));
    way.push(':');
    write!(way, "{position}").expect("a string takes all");
}

fn cut(name: &str) -> &str {
    name.char_indices()
        .nth(MAX_NAME)
        .map_or(name, |(at, _)| &name[..at])
}

/// What a text begins with, up to a colon: "Price" of "Price: 7 €". Times and addresses have no
/// label.
pub(super) fn label(text: &str) -> Option<&str> {
    // Most texts have neither a colon nor the first byte of a wide one.
    memchr2(b':', "：".as_bytes()[0], text.as_bytes())?;
    let (label, rest) = text.split_once([':', '：'])?;
    let is_time = label.ends_with(char::is_numeric) && rest.starts_with(char::is_numeric);
    let label = label.trim();
    let is_name = label.chars().any(char::is_alphabetic) && label.chars().nth(MAX_NAME).is_none();
    (is_name && !is_time && !rest.trim().is_empty() && !rest.starts_with("//")).then_some(label)
}
