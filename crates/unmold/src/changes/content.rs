//! Which lines of a page's main content are others?

use super::{
    said::{letters_of, unescaped},
    side::Side,
    words::{Piece, pieces, words},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use serde::Serialize;

/// Two lines are one line that changed if they share this part of the words of the shorter one. Not
/// fitted: with less than half, most of the line would be new.
const SHARED_WORDS: f64 = 0.5;

/// A word that more lines than this have in common tells no line from another.
const MOST_WITH_WORD: usize = 8;

/// A line that is on one side only, or says something else.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LineChange {
    /// What it said; nothing for a new line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What it says; nothing for a line that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Where both are there: of which words they are made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
}

/// The lines that are others: those of the new side in their order, then those that are gone.
pub(super) fn changed(before: &Side<'_>, after: &Side<'_>) -> Vec<LineChange> {
    let (old_text, new_text) = (before.found.content().text(), after.found.content().text());
    if old_text == new_text {
        return Vec::new();
    }
    let old = unsaid_lines(&old_text, &new_text, after);
    let new = unsaid_lines(&new_text, &old_text, before);
    let partners = partners(&old, &new);
    let mut is_taken = vec![false; old.len()];
    let mut changes = Vec::new();
    for (line, partner) in new.iter().zip(partners) {
        let change = match partner {
            Some(at) => {
                is_taken[at] = true;
                LineChange {
                    pieces: pieces(old[at], line),
                    old: Some(old[at].to_owned()),
                    new: Some((*line).to_owned()),
                }
            }
            None => LineChange {
                old: None,
                new: Some((*line).to_owned()),
                pieces: Vec::new(),
            },
        };
        changes.push(change);
    }
    for (line, is_taken) in old.iter().zip(is_taken) {
        if !is_taken {
            changes.push(LineChange {
                old: Some((*line).to_owned()),
                new: None,
                pieces: Vec::new(),
            });
        }
    }
    changes
}

/// The lines of a content that the other side says nowhere, neither in its content nor outside of
/// it: what is said there is only cut or placed otherwise.
fn unsaid_lines<'t>(content: &'t str, other_content: &str, other: &Side<'_>) -> Vec<&'t str> {
    let known: RapidHashSet<String> = other_content.lines().map(letters).collect();
    let mut lines = Vec::new();
    for line in content.lines() {
        let line = line.trim();
        if !line.is_empty() && !known.contains(&letters(line)) && !other.said.says(line) {
            lines.push(line);
        }
    }
    lines
}

/// The letters and digits of a line: markup may put spaces between them or not.
fn letters(line: &str) -> String {
    letters_of(&unescaped(line)).collect()
}

/// For each new line the old one that it was, if there is one: that with most words in common, each
/// word counted that few lines have.
fn partners(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut by_word: RapidHashMap<&str, Vec<usize>> = RapidHashMap::default();
    for (at, line) in old.iter().enumerate() {
        for word in different_words(line) {
            by_word.entry(word).or_default().push(at);
        }
    }
    let mut is_taken = vec![false; old.len()];
    let mut partners = Vec::new();
    for line in new {
        let mut shared: RapidHashMap<usize, usize> = RapidHashMap::default();
        let mut telling = 0;
        for word in different_words(line) {
            let lines = by_word.get(word).map_or(&[][..], Vec::as_slice);
            if lines.len() > MOST_WITH_WORD {
                continue;
            }
            telling += 1;
            for &at in lines {
                *shared.entry(at).or_default() += 1;
            }
        }
        let mut best: Option<(usize, usize)> = None;
        for (at, count) in shared {
            let is_enough = count as f64 >= SHARED_WORDS * telling as f64;
            if is_taken[at] || !is_enough {
                continue;
            }
            // The first of those that share as much, whatever the order of the table.
            if best.is_none_or(|(known, most)| (count, old.len() - at) > (most, old.len() - known))
            {
                best = Some((at, count));
            }
        }
        let partner = best.map(|(at, _)| at);
        if let Some(at) = partner {
            is_taken[at] = true;
        }
        partners.push(partner);
    }
    partners
}

fn different_words(line: &str) -> RapidHashSet<&str> {
    words(line).into_iter().map(|word| word.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_marks_are_no_letters() {
        assert_eq!(letters("1. La collecte"), letters("1La collecte"));
        assert_eq!(letters("30&nbsp;juin"), letters("30 juin"));
        assert_ne!(letters("30 juin"), letters("31 juin"));
    }

    #[test]
    fn a_line_is_known_again_by_its_words() {
        let old = [
            "The fee is 12 pounds a year.",
            "Parcels are sent on Mondays.",
        ];
        let new = [
            "Parcels are sent on Fridays.",
            "We never sell your data.",
            "The fee is 15 pounds a year.",
        ];
        assert_eq!(partners(&old, &new), [Some(1), None, Some(0)]);
    }
}
