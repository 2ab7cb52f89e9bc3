//! Where do many strings occur on a page, in one pass?
//!
//! Each string is looked for only where it can be. Delimiters nearly always hold a `<`, and a page has one every thirty
//! bytes or so: one pass jumps from `<` to `<`. Those without `<` begin with white space, so their first letter begins a
//! word: another pass looks at the beginnings of [`Words`] and at the white space before them. From such a place on,
//! the strings are a [`Tree`], and so is what they have before it. What is left, which only people write, is left to an
//! automaton.

mod anchored;
mod tree;
mod words;

use aho_corasick::AhoCorasick;
use anchored::Anchored;
use memchr::memchr_iter;
use std::collections::HashMap;
use words::Words;

/// A set of strings to find.
#[derive(Clone, Debug)]
pub(super) struct Delimiters {
    numbers: HashMap<String, usize>,
    /// Strings that hold a `<`.
    tags: Anchored,
    /// Strings that begin with white space and hold no `<`.
    words: Words,
    /// Strings that can be anywhere.
    others: Vec<usize>,
    automaton: Option<AhoCorasick>,
}

impl Delimiters {
    pub(super) fn new<'s>(delimiters: impl Iterator<Item = &'s str>) -> Self {
        let mut numbers = HashMap::new();
        for delimiter in delimiters {
            let next = numbers.len();
            numbers.entry(delimiter.to_owned()).or_insert(next);
        }
        let (mut tags, mut words, mut blank, mut others) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (delimiter, &number) in &numbers {
            let bytes = delimiter.as_bytes();
            let letters = bytes.iter().position(|&byte| !words::is_blank(byte));
            match (delimiter.find('<'), letters) {
                (Some(at), _) => tags.push((number, bytes.split_at(at))),
                (None, None) => blank.push((number, bytes)),
                (None, Some(at)) if at > 0 && bytes.len() - at >= words::SHORTEST => {
                    words.push((number, bytes.split_at(at)));
                }
                _ => others.push((number, bytes)),
            }
        }
        let automaton = (!others.is_empty()).then(|| {
            let strings = others.iter().map(|(_, string)| string);
            AhoCorasick::new(strings).expect("a mold has far fewer delimiters than an automaton can hold")
        });
        let others = others.iter().map(|(number, _)| *number).collect();
        let (tags, words) = (Anchored::new(&tags), Words::new(&words, &blank));
        Delimiters { tags, words, others, automaton, numbers }
    }

    /// The number of a string of the set.
    ///
    /// # Panics
    /// When it is none.
    pub(super) fn number(&self, delimiter: &str) -> usize {
        self.numbers[delimiter]
    }

    /// For each string, by number, the offsets at which it begins, in order.
    pub(super) fn find(&self, page: &str) -> Vec<Vec<u32>> {
        let page = page.as_bytes();
        let mut places = vec![Vec::new(); self.numbers.len()];
        if !self.tags.is_empty() {
            memchr_iter(b'<', page).for_each(|at| self.tags.find(page, at, &mut places));
        }
        self.words.find(page, &mut places);
        for found in self.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(page)) {
            places[self.others[found.pattern().as_usize()]].push(found.start() as u32);
        }
        places
    }
}
