//! What counts as a word when texts are compared?
//!
//! A run of letters, digits and underscores of any script. Where scripts have no spaces, each
//! character is a word.
//!
//! ```
//! use unmold::evaluate::words;
//!
//! assert_eq!(words::of("It's 3 o’clock"), ["It", "s", "3", "o", "clock"]);
//! assert_eq!(words::or_characters("水 works"), ["水", "works"]);
//! assert_eq!(words::folded("a&nbsp;&amp;\n b "), "a & b");
//! ```

use regex::Regex;
use std::{collections::HashMap, hash::Hash, sync::LazyLock};

static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\p{L}\p{N}_]+").expect("the expression is fixed"));

/// A word, or one character of a script that is written without spaces.
static WORD_OR_CHARACTER: LazyLock<Regex> = LazyLock::new(|| {
    const UNSPACED: &str = r"\u{3040}-\u{30ff}\u{3400}-\u{9fff}\u{f900}-\u{faff}";
    Regex::new(&format!(r"[{UNSPACED}]|[\p{{L}}\p{{N}}_&&[^{UNSPACED}]]+"))
        .expect("the expression is fixed")
});

/// The words of a text.
pub fn of(text: &str) -> Vec<&str> {
    WORD.find_iter(text).map(|word| word.as_str()).collect()
}

/// The words of a text; characters of scripts without spaces are words each.
pub fn or_characters(text: &str) -> Vec<&str> {
    WORD_OR_CHARACTER
        .find_iter(text)
        .map(|word| word.as_str())
        .collect()
}

/// The characters of a text that are no white space.
pub fn characters(text: &str) -> Vec<&str> {
    let ends = text.char_indices().filter(|(_, letter)| !is_space(*letter));
    ends.map(|(start, letter)| &text[start..start + letter.len_utf8()])
        .collect()
}

/// Whether more than a fifth of a text, its spaces left out, is Japanese or Chinese.
pub fn is_unspaced(text: &str) -> bool {
    let (mut all, mut unspaced) = (0_usize, 0_usize);
    for letter in text.chars().filter(|letter| *letter != ' ') {
        all += 1;
        unspaced += usize::from(('\u{3040}'..='\u{9fff}').contains(&letter));
    }
    unspaced as f64 > 0.2 * all.max(1) as f64
}

/// A text with entities decoded (twice, since values of attributes are often escaped twice) and
/// white space folded.
pub fn folded(text: &str) -> String {
    let decoded = htmlize::unescape(htmlize::unescape(text).as_ref()).into_owned();
    let mut words = decoded.split(is_space).filter(|word| !word.is_empty());
    let mut folded = words.next().unwrap_or_default().to_owned();
    words.for_each(|word| {
        folded.push(' ');
        folded.push_str(word);
    });
    folded
}

/// White space, and the four control characters that separate fields, records, groups and files.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

/// How often each item stands in a list.
pub(super) fn counted<T: Hash + Eq>(items: impl IntoIterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

/// How many items two counted lists have in common.
pub(super) fn in_common<T: Hash + Eq>(one: &HashMap<T, usize>, other: &HashMap<T, usize>) -> usize {
    one.iter()
        .map(|(item, count)| other.get(item).map_or(0, |more| *count.min(more)))
        .sum()
}
