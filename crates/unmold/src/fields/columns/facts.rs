//! What do some values have in common?

use super::super::{label_text::inline_label, types::Type};
use rapidhash::{RapidHashMap, RapidHashSet};

/// How many samples of its values a field keeps.
const SAMPLES: usize = 3;

/// What the values of a column look like.
pub(super) struct Facts {
    /// The type that all of them have.
    pub kind: Type,
    /// The share of those that have the most frequent type.
    pub of_one_type: f64,
    /// The fewest and the most letters that they usually have.
    pub letters: Option<(usize, usize)>,
    /// What most of them have before a colon; empty if they have nothing.
    pub inline_label: String,
    /// The first different ones.
    pub samples: Vec<String>,
}

impl Facts {
    pub fn of(values: &[&str]) -> Self {
        let (kind, of_one_type) = Type::shared(values);
        Facts {
            kind,
            of_one_type,
            letters: usual_letters(values),
            inline_label: usual_inline_label(values),
            samples: samples(values),
        }
    }
}

fn samples(values: &[&str]) -> Vec<String> {
    let mut seen = RapidHashSet::default();
    let mut samples = Vec::new();
    for value in values {
        if samples.len() == SAMPLES {
            break;
        }
        if seen.insert(*value) {
            samples.push((*value).to_owned());
        }
    }
    samples
}

/// How many letters some values have, from the shortest to the longest; not counting one that is
/// much longer than all others, which may not belong to them.
fn usual_letters(values: &[&str]) -> Option<(usize, usize)> {
    /// Among fewer values than this, one may well be longer than all others. Chosen by hand.
    const MIN_VALUES: usize = 10;
    /// A value with more than this many times the letters of the next longest does not belong to
    /// them. Chosen by hand.
    const MUCH_LONGER: usize = 2;
    let mut letters: Vec<usize> = values.iter().map(|value| value.chars().count()).collect();
    letters.sort_unstable();
    let (shortest, longest) = (*letters.first()?, *letters.last()?);
    let next = letters.iter().rev().nth(1).copied().unwrap_or(longest);
    let is_outlier = letters.len() >= MIN_VALUES && longest > MUCH_LONGER * next;
    Some((shortest, if is_outlier { next } else { longest }))
}

/// What precedes a colon in more than two thirds of some values, and in three at least; empty if
/// nothing does.
fn usual_inline_label(values: &[&str]) -> String {
    let mut counts: RapidHashMap<&str, usize> = RapidHashMap::default();
    for value in values {
        if let Some(label) = inline_label(value) {
            *counts.entry(label).or_default() += 1;
        }
    }
    let most = counts
        .into_iter()
        .max_by_key(|(label, count)| (*count, *label));
    match most {
        Some((label, count)) if count >= 3 && 3 * count > 2 * values.len() => label.to_owned(),
        _ => String::new(),
    }
}

/// How many values nearly all pages have, if this is more than one: an address has as many lines
/// everywhere. Pages without a value do not count.
pub(super) fn usual_count(values_on_pages: impl Iterator<Item = usize>) -> Option<usize> {
    /// On fewer pages than this it may be chance that they have as many values. Chosen by hand.
    const MIN_PAGES: usize = 5;
    let mut counts: Vec<usize> = values_on_pages.filter(|&count| count > 0).collect();
    counts.sort_unstable();
    let usual = *counts.get(counts.len() / 2)?;
    let same = counts.iter().filter(|count| **count == usual).count();
    let is_usual = usual > 1 && counts.len() >= MIN_PAGES && 5 * same >= 4 * counts.len();
    is_usual.then_some(usual)
}

/// A share with three places, which are enough and read better.
pub(in crate::fields) fn rounded(share: f64) -> f64 {
    // The sum of no numbers is -0, and is written as 0.
    (share * 1000.0).round() / 1000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_that_is_much_longer_does_not_count() {
        let mut values = vec!["ab"; 9];
        values.push("a sentence of some length");
        assert_eq!(usual_letters(&values), Some((2, 2)));
        assert_eq!(usual_letters(&values[5..]), Some((2, 25)));
    }

    #[test]
    fn pages_without_values_do_not_change_the_usual_count() {
        assert_eq!(usual_count([3, 3, 0, 3, 3, 3, 2].into_iter()), Some(3));
        assert_eq!(usual_count([3, 3, 3, 3].into_iter()), None);
        assert_eq!(usual_count([1; 9].into_iter()), None);
    }

    #[test]
    fn most_values_must_have_an_inline_label() {
        assert_eq!(
            usual_inline_label(&["Pris: 4", "Pris: 9", "Pris: 1", "5"]),
            "Pris"
        );
        assert_eq!(usual_inline_label(&["Pris: 4", "Pris: 9", "5"]), "");
    }
}
