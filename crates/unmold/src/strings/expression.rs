//! A template string as a regular expression.
//!
//! The expression finds what the string finds, if it is searched for in the ordinary way, each
//! match behind the last:
//!
//! - Words are escaped, white space is `\s+`, a mutable pattern is itself in a group.
//! - A string that begins or ends with a letter or digit must not begin or end inside a word: `\b`.
//!   Not so on sites in a script without spaces: to `\b` a number between two of its letters
//!   neither begins nor ends a word.
//! - A string may overlap itself: `a b a` is twice in `a b a b a`. An ordinary search would pass
//!   over the second, so the expression goes on over it: `a b a(?: b a)*`.
//!
//! Only what means the same to Rust's `regex`, Python's `re` and PCRE is used, and nothing that
//! needs backtracking: a string is a chain, and each of its links is told from the next by its
//! first character.

use super::rule::{Name, Symbol};
use crate::{
    Span,
    lr::expression::literal,
    read::mutable::Mutables,
    symbols::encode::{flat, words::Class},
};
use regex_syntax::is_word_character;

/// The expression of a string.
pub(super) fn of(symbols: &[Symbol], mutables: &Mutables, edges: Edges) -> String {
    let head = if edges.starts_word { r"\b" } else { "" };
    let tail = if edges.ends_word { r"\b" } else { "" };
    let mut expression = format!("{head}{}{tail}", chain(symbols, true, mutables));
    let further = shifts(symbols).into_iter().map(|shift| {
        let added = &symbols[symbols.len() - shift..];
        chain(added, false, mutables) + tail
    });
    let further: Vec<String> = further.collect();
    if !further.is_empty() {
        expression += &format!("(?:{})*", further.join("|"));
    }
    expression
}

/// What a string asks of the places before and behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edges {
    /// Whether it may only begin where a word begins.
    pub(crate) starts_word: bool,
    /// Whether it may only end where a word ends.
    pub(crate) ends_word: bool,
}

impl Edges {
    pub(super) fn of(symbols: &[Symbol], mutables: &Mutables) -> Self {
        let of_symbol = |symbol: &Symbol| match &symbol.name {
            Name::Word(word) => Edges::of_word(word),
            Name::Mutable(number) => Edges::of_mutable(*number, mutables),
        };
        Edges {
            starts_word: symbols
                .first()
                .is_some_and(|first| of_symbol(first).starts_word),
            ends_word: symbols.last().is_some_and(|last| of_symbol(last).ends_word),
        }
    }

    /// The edges of a string that is this word.
    pub(crate) fn of_word(word: &str) -> Self {
        Edges {
            starts_word: word.chars().next().is_some_and(is_plain),
            ends_word: word.chars().next_back().is_some_and(is_plain),
        }
    }

    /// The edges of a string that is this pattern. How a pattern ends is its own business.
    pub(crate) fn of_mutable(number: usize, mutables: &Mutables) -> Self {
        Edges {
            starts_word: mutables
                .get(number)
                .is_some_and(|known| known.starts_with_word()),
            ends_word: false,
        }
    }

    /// Whether a match is one at its place. Words are read whole, so only letters of scripts
    /// without spaces can stand right beside it.
    #[inline]
    pub(crate) fn fit(self, page: &str, found: Span) -> bool {
        let bytes = page.as_bytes();
        let (start, end) = (found.start as usize, found.end as usize);
        let is_plain = |at: usize| bytes.get(at).is_none_or(u8::is_ascii);
        let free_before = || {
            !page[..start]
                .chars()
                .next_back()
                .is_some_and(is_word_character)
        };
        let free_behind = || !page[end..].chars().next().is_some_and(is_word_character);
        (!self.starts_word || is_plain(start.wrapping_sub(1)) || free_before())
            && (!self.ends_word || is_plain(end) || free_behind())
    }
}

/// Whether a symbol is a letter of a script without spaces.
pub(super) fn is_spaceless(symbol: &Symbol) -> bool {
    let is_single = |c: char| flat::class(c) == Class::Single;
    matches!(&symbol.name, Name::Word(word) if word.starts_with(is_single))
}

/// Whether a character is part of a word to all three dialects: marks on letters and joiners are
/// not to Python.
fn is_plain(c: char) -> bool {
    flat::class(c) == Class::Word
        && (c.is_ascii() || c.is_alphanumeric() && is_word_character(c))
        && !is_vowel_sign(c)
}

/// Whether a character counts as alphabetic although it is a mark: the vowel signs of Indic scripts
/// and their like.
fn is_vowel_sign(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{0610}'..='\u{061A}' | '\u{064B}'..='\u{065F}')
        || matches!(c, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{0981}'..='\u{0DF3}')
}

fn chain(symbols: &[Symbol], is_start: bool, mutables: &Mutables) -> String {
    let mut chain = String::new();
    for (at, symbol) in symbols.iter().enumerate() {
        if symbol.spaced && !(is_start && at == 0) {
            chain.push_str(r"\s+");
        }
        match &symbol.name {
            Name::Word(word) => chain.push_str(&literal(word)),
            Name::Mutable(number) => {
                let pattern = mutables
                    .get(*number)
                    .map_or("", |mutable| mutable.pattern());
                chain.push_str("(?:");
                chain.push_str(pattern);
                chain.push(')');
            }
        }
    }
    chain
}

/// By how many symbols a string can be shifted against itself, the least first, without the
/// multiples of the first, which repeating the first covers.
fn shifts(symbols: &[Symbol]) -> Vec<usize> {
    // White space before the first symbol does not matter, so the rest is compared behind it.
    let shared = shared_with_start(&symbols[1..]);
    let fits = |shift: &usize| {
        symbols[*shift].name == symbols[0].name
            && shared
                .get(*shift)
                .is_none_or(|&length| *shift + 1 + length == symbols.len())
    };
    let mut shifts: Vec<usize> = (1..symbols.len()).filter(fits).collect();
    if let Some(&first) = shifts.first() {
        shifts.retain(|shift| *shift == first || !shift.is_multiple_of(first));
    }
    shifts
}

/// For each place of a sequence, how much of what follows is how the sequence begins (the Z
/// function): linear.
fn shared_with_start<T: PartialEq>(sequence: &[T]) -> Vec<usize> {
    let mut shared = vec![0; sequence.len()];
    let (mut left, mut right) = (0, 0);
    for at in 1..sequence.len() {
        let mut length = if at < right {
            shared[at - left].min(right - at)
        } else {
            0
        };
        while at + length < sequence.len() && sequence[length] == sequence[at + length] {
            length += 1;
        }
        if at + length > right {
            (left, right) = (at, at + length);
        }
        shared[at] = length;
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strings::rule::Template;

    fn expression(string: &str) -> String {
        Template::of(&Mutables::common(), [string])
            .unwrap()
            .expressions()
            .unwrap()
            .remove(0)
    }

    #[test]
    fn strings_that_overlap_themselves_go_on() {
        assert_eq!(expression("a b a"), r"\ba\s+b\s+a\b(?:\s+b\s+a\b)*");
        assert_eq!(expression("- - -"), r"-\s+-\s+-(?:\s+-)*");
        assert_eq!(expression("<b></b><b>"), "<b></b><b>(?:</b><b>)*");
        assert_eq!(expression("a b"), r"\ba\s+b\b");
    }

    #[test]
    fn words_of_all_scripts_are_closed_where_all_dialects_agree() {
        assert_eq!(expression("Über uns"), r"\bÜber\s+uns\b");
        assert_eq!(expression("हिन्दी में"), r"\bहिन्दी\s+में");
        assert_eq!(expression("続きを読む"), "続きを読む");
        assert_eq!(expression("Telefon: "), r"\bTelefon:");
    }
}
