//! What of a text is the value, where label and value stand in one text?
//!
//! "Price: $12.99" on one page and "Price: $7.50" on the next: what all have in front is the label, and the rest is the
//! value. Both are given: the value, and the whole text as a column of its own, because only a person knows whether
//! "out of 5" belongs to a rating.

use super::evidence::Evidence;

/// Puts the value before the whole text for fields that have both.
pub(super) fn split(fields: Vec<Evidence>) -> Vec<Evidence> {
    let mut split = Vec::new();
    for field in fields {
        match inner(&field) {
            Some(inner) => split.extend([inner, Evidence { is_whole: true, ..field }]),
            None => split.push(field),
        }
    }
    split
}

/// The field without what all its values begin or end with.
fn inner(whole: &Evidence) -> Option<Evidence> {
    let values: Vec<&str> = whole.values().collect();
    if !whole.field.views.iter().any(|view| view.takes_text()) || values.len() < 2 {
        return None;
    }
    let (prefix, suffix) = (prefix(&values), suffix(&values));
    if prefix.is_empty() && suffix.is_empty() {
        return None;
    }
    let mut inner = whole.clone();
    for text in inner.found.iter_mut().flat_map(|(_, texts)| texts) {
        let cut = text.strip_prefix(prefix.as_str()).unwrap_or(text);
        *text = cut.strip_suffix(suffix.as_str()).unwrap_or(cut).trim().to_owned();
    }
    (inner.field.prefix, inner.field.suffix) = (prefix, suffix);
    inner.note_values();
    (inner.distinct() >= 2).then_some(inner)
}

/// What all values begin with, up to a mark or space that may end a label.
fn prefix(values: &[&str]) -> String {
    let first = values[0];
    let common = values.iter().fold(first.len(), |length, value| {
        let same = first[..length].char_indices().zip(value.chars()).take_while(|((_, a), b)| a == b);
        same.last().map_or(0, |((at, letter), _)| at + letter.len_utf8())
    });
    // A value must be left.
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    let common = &first[..common];
    let end = common.char_indices().rev().find(|&(at, letter)| ends_label(letter) && at + letter.len_utf8() < shortest);
    let label = end.map_or("", |(at, letter)| &common[..at + letter.len_utf8()]);
    if is_label(label, values.len()) { label.to_owned() } else { String::new() }
}

fn suffix(values: &[&str]) -> String {
    let first = values[0];
    let common = values.iter().fold(first.len(), |length, value| {
        let tail = first[first.len() - length..].chars().rev();
        tail.zip(value.chars().rev()).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum()
    });
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    let common = &first[first.len() - common..];
    let start = common.char_indices().find(|&(at, letter)| letter.is_whitespace() && common.len() - at < shortest);
    let tail = start.map_or("", |(at, _)| &common[at..]);
    if is_label(tail, values.len()) { tail.to_owned() } else { String::new() }
}

fn ends_label(letter: char) -> bool {
    letter.is_whitespace() || is_colon(letter)
}

fn is_colon(letter: char) -> bool {
    matches!(letter, ':' | '：')
}

/// Whether a text around values is a label rather than what a few values happen to share. Words need more pages to be
/// sure of than a colon does.
fn is_label(text: &str, values: usize) -> bool {
    /// As many values must share words without a colon.
    const ENOUGH: usize = 5;
    let colon = text.trim_end().ends_with(is_colon);
    let words = text.contains(char::is_alphabetic) && values >= ENOUGH;
    !text.is_empty() && !text.contains(char::is_numeric) && (colon || words)
}
