//! What of a text is the value, where label and value stand in one text?
//!
//! "Price: $12.99" on one page and "Price: $7.50" on the next: what all have in front is the label, and the rest is the
//! value. Both are given: the value, and the whole text as a column of its own, because only a person knows whether
//! "out of 5" belongs to a rating.
//!
//! "Publisher, Town" are two values in one text: where the same words or mark stand between two varying texts on every
//! page, each is a column too.

use super::{
    Part, View,
    evidence::{Evidence, Form},
    marks::has_partners,
    rank::holds_sentences,
    types::Type,
};

/// As many values must share words, or a mark in their middle, for it to be no chance.
const ENOUGH: usize = 5;

/// Puts the value before the text with its label for fields that have both, and behind them what is cut out of the value:
/// a number without its unit, the two halves.
pub(super) fn split(fields: Vec<Evidence>) -> Vec<Evidence> {
    let mut split = Vec::new();
    for field in fields {
        let (value, number) = forms(&field);
        let parts = parts(value.as_ref().unwrap_or(&field));
        match (value, number) {
            (value, Some(number)) if unit_is_known(value.as_ref().unwrap_or(&field), &number) => {
                split.extend([
                    Evidence {
                        form: Form::Value,
                        ..number
                    },
                    Evidence {
                        form: Form::Unit,
                        ..field
                    },
                ]);
            }
            (Some(value), number) => {
                let header = value
                    .label()
                    .map(str::to_owned)
                    .or_else(|| field.header.clone());
                split.extend([
                    value,
                    Evidence {
                        form: Form::Text,
                        header,
                        ..field
                    },
                ]);
                split.extend(number);
            }
            (None, number) => {
                split.push(field);
                split.extend(number);
            }
        }
        split.extend(parts);
    }
    split
}

/// The value without its label, and a number or date without its unit.
fn forms(field: &Evidence) -> (Option<Evidence>, Option<Evidence>) {
    let values: Vec<&str> = field.values().collect();
    if !field.field.views.iter().any(|view| view.takes_text()) || values.len() < 2 {
        return (None, None);
    }
    // What all names of things have in common is no label where the page tells machines that they are names.
    if field.field.views.iter().any(View::is_told_to_machines) {
        return (None, None);
    }
    let (prefix, suffix) = (prefix(&values), suffix(&values));
    let begins_unit = |letter: char| letter.is_alphabetic() || letter == '°';
    let is_unit = suffix.trim_start().starts_with(begins_unit) && !suffix.ends_with(is_colon);
    let value = cut(
        field,
        Form::Value,
        &prefix,
        if is_unit { "" } else { &suffix },
    );
    let number = cut(field, Form::Number, &prefix, &suffix).filter(|number| {
        is_unit && number.field.kind != Type::Text && field.field.kind == Type::Text
    });
    (value, number)
}

/// Whether the unit behind a number says no more than the label of the field: "Pages: 320 pages", "Seitenzahl: 320 Seiten". Words
/// have other endings in a label, and other beginnings in some languages, so that most of a word is enough.
fn unit_is_known(value: &Evidence, number: &Evidence) -> bool {
    /// Fewer letters stand in many words.
    const LEAST: usize = 3;
    let Some(label) = value.label().map(str::to_lowercase) else {
        return false;
    };
    let unit: Vec<char> = number
        .field
        .suffix
        .to_lowercase()
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .collect();
    let most = LEAST.max((3 * unit.len()).div_ceil(4));
    unit.windows(most)
        .any(|part| label.contains(&part.iter().collect::<String>()))
}

/// The two values of a field that has the same words or mark between them on every page: "Publisher, Town".
fn parts(whole: &Evidence) -> Vec<Evidence> {
    let values: Vec<&str> = whole.values().collect();
    let is_text =
        whole.field.kind == Type::Text && whole.field.views.iter().any(|view| view.takes_text());
    // In sentences any word may recur.
    if whole.field.many || !is_text || values.len() < ENOUGH || holds_sentences(whole) {
        return Vec::new();
    }
    let Some(separator) = separator(&values) else {
        return Vec::new();
    };
    let parts: Vec<Evidence> = (0..2)
        .map(|number| {
            half(
                whole,
                Part {
                    separator: separator.clone(),
                    number,
                },
            )
        })
        .collect();
    // What is the same everywhere is no value.
    if parts.iter().all(Evidence::varies) {
        parts
    } else {
        Vec::new()
    }
}

/// A field cut to one half of its texts, and absent where they have no two.
pub(super) fn half(whole: &Evidence, cut: Part) -> Evidence {
    let mut part = whole.clone();
    for (_, texts) in &mut part.found {
        *texts = texts
            .iter()
            .filter_map(|text| cut.of(text))
            .map(str::to_owned)
            .collect();
    }
    (part.field.part, part.form) = (Some(cut), Form::Part);
    part.note_values();
    part
}

/// What stands once in the middle of every value: a word or mark between spaces, or a mark before a space.
fn separator(values: &[&str]) -> Option<String> {
    let words: Vec<&str> = values[0].split(' ').collect();
    let between = words
        .iter()
        .skip(1)
        .take(words.len().saturating_sub(2))
        .map(|word| format!(" {word} "));
    let behind = words.iter().take(words.len() - 1).filter_map(|word| {
        let mark = word
            .chars()
            .next_back()
            .filter(|letter| !letter.is_alphanumeric())?;
        Some(format!("{mark} "))
    });
    let is_once = |separator: &String| values.iter().all(|value| is_between(value, separator));
    between.chain(behind).find(is_once)
}

fn is_between(value: &str, separator: &str) -> bool {
    let sides = value.split_once(separator);
    sides.is_some_and(|(left, right)| {
        let is_value = |side: &str| side.contains(char::is_alphanumeric);
        let is_whole = |side: &str| is_value(side) && has_partners(side);
        is_whole(left) && is_whole(right) && !right.contains(separator)
    })
}

/// A field without what all its values begin and end with; `None` if nothing is cut, nothing is left, or brackets lose
/// their partners.
pub(super) fn cut(whole: &Evidence, form: Form, prefix: &str, suffix: &str) -> Option<Evidence> {
    if prefix.is_empty() && suffix.is_empty() {
        return None;
    }
    let mut inner = whole.clone();
    for text in inner.found.iter_mut().flat_map(|(_, texts)| texts) {
        let cut = text.strip_prefix(prefix).unwrap_or(text);
        let cut = cut.strip_suffix(suffix).unwrap_or(cut).trim();
        if has_partners(text) && !has_partners(cut) {
            return None;
        }
        *text = cut.to_owned();
    }
    (inner.field.prefix, inner.field.suffix, inner.form) =
        (prefix.to_owned(), suffix.to_owned(), form);
    inner.note_values();
    inner.varies().then_some(inner)
}

/// What all values begin with, up to a mark or space that may end a label, or up to a date: scripts without spaces have
/// none between a word and a number.
fn prefix(values: &[&str]) -> String {
    let first = values[0];
    let common = values.iter().fold(first.len(), |length, value| {
        let same = first[..length]
            .char_indices()
            .zip(value.chars())
            .take_while(|((_, a), b)| a == b);
        same.last()
            .map_or(0, |((at, letter), _)| at + letter.len_utf8())
    });
    // A value must be left.
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    let common = &first[..common];
    let is_end = |at: usize, letter: char| {
        // The colon of an address is none of a label.
        ends_label(letter) && !first[at..].starts_with("://")
    };
    let end = common
        .char_indices()
        .rev()
        .find(|&(at, letter)| is_end(at, letter) && at + letter.len_utf8() < shortest);
    let label = end.map_or_else(
        || before_date(common, values),
        |(at, letter)| &common[..at + letter.len_utf8()],
    );
    if is_label(label, values.len()) {
        label.to_owned()
    } else {
        String::new()
    }
}

/// What stands before the date that each value ends with.
fn before_date<'v>(common: &'v str, values: &[&str]) -> &'v str {
    let label = common.trim_end_matches(|letter: char| !letter.is_alphabetic());
    let dates: Vec<&str> = values.iter().map(|value| &value[label.len()..]).collect();
    if Type::of(&dates) == Type::Date {
        label
    } else {
        ""
    }
}

fn suffix(values: &[&str]) -> String {
    let first = values[0];
    let common = values.iter().fold(first.len(), |length, value| {
        let tail = first[first.len() - length..].chars().rev();
        tail.zip(value.chars().rev())
            .take_while(|(a, b)| a == b)
            .map(|(letter, _)| letter.len_utf8())
            .sum()
    });
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    let common = &first[first.len() - common..];
    let start = common
        .char_indices()
        .find(|&(at, letter)| letter.is_whitespace() && common.len() - at < shortest);
    // A comma before the words goes with them.
    let is_joint = |letter: char| {
        matches!(
            letter,
            ',' | ';' | ':' | '-' | '–' | '—' | '|' | '/' | '·' | '•'
        )
    };
    let joint = |at: usize| {
        common[..at]
            .trim_end_matches(|letter: char| is_joint(letter) || letter == ' ')
            .len()
    };
    let tail = start.map_or("", |(at, _)| &common[joint(at)..]);
    if is_label(tail, values.len()) {
        tail.to_owned()
    } else {
        String::new()
    }
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
    let colon = text.trim_end().ends_with(is_colon);
    let words = text.contains(char::is_alphabetic) && values >= ENOUGH;
    !text.is_empty() && !text.contains(char::is_numeric) && (colon || words)
}
