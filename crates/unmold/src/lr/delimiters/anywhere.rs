//! Strings that may stand at any place, by an automaton.

use super::DelimiterAt;
use aho_corasick::AhoCorasick;

/// A few strings, or many that are looked for in little text.
#[derive(Clone, Debug)]
pub(super) struct Anywhere {
    numbers: Vec<u32>,
    /// None if there is no string.
    automaton: Option<AhoCorasick>,
}

impl Anywhere {
    /// Makes strings with numbers ready.
    pub(super) fn new(strings: &[(usize, &[u8])]) -> Self {
        let automaton = (!strings.is_empty()).then(|| {
            let strings = strings.iter().map(|(_, string)| string);
            AhoCorasick::new(strings)
                .expect("a mold has far fewer delimiters than an automaton can hold")
        });
        Anywhere {
            numbers: strings.iter().map(|&(number, _)| number as u32).collect(),
            automaton,
        }
    }

    /// Adds the strings in a text, each in order, overlapping ones too.
    pub(super) fn find(&self, text: &[u8], found: &mut Vec<DelimiterAt>) {
        for hit in self
            .automaton
            .iter()
            .flat_map(|automaton| automaton.find_overlapping_iter(text))
        {
            found.push((self.numbers[hit.pattern().as_usize()], hit.start() as u32));
        }
    }
}
