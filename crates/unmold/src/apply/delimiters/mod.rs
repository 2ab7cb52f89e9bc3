//! Where do many strings occur on a page, in one pass?
//!
//! Each string is looked for only at [`sites`] that it holds, the `<` and the beginnings of words. Of those it holds, it
//! is looked up by the one whose next bytes the fewest other strings have, because what many delimiters have in common
//! stands everywhere on a page. Strings of nothing but white space are looked up stretch by stretch. What holds no
//! site, which only people write, is left to an automaton.

mod anchored;
mod blanks;
mod piece;
mod sites;

use crate::lists::Lists;
use aho_corasick::AhoCorasick;
use anchored::{Anchored, Key};
use blanks::{Blanks, Seen};
use memchr::memchr_iter;
use std::collections::HashMap;

/// A set of strings to find.
#[derive(Clone, Debug)]
pub(super) struct Delimiters {
    numbers: HashMap<String, usize>,
    /// Strings that hold a site.
    anchored: Anchored,
    /// Whether each of them is looked up at a `<`, and nothing else is to be found at sites.
    only_tags: bool,
    blanks: Blanks,
    /// Strings that can be anywhere.
    others: Vec<usize>,
    automaton: Option<AhoCorasick>,
}

/// A string by number, and where it begins.
type Found = (u32, u32);

impl Delimiters {
    pub(super) fn new<'s>(delimiters: impl Iterator<Item = &'s str>) -> Self {
        let mut numbers = HashMap::new();
        for delimiter in delimiters {
            let next = numbers.len();
            numbers.entry(delimiter.to_owned()).or_insert(next);
        }
        let only_tags = numbers.keys().all(|delimiter| delimiter.contains('<'));
        let (mut cuts, mut blank, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let shared = sites_by_key(numbers.keys().map(String::as_str));
        for (delimiter, &number) in &numbers {
            let bytes = delimiter.as_bytes();
            let sites = sites::within(bytes).filter(|&at| !only_tags || bytes[at] == b'<');
            let rarest = sites.min_by_key(|&at| {
                let key = Key::of(&bytes[at..]);
                (key.length, shared[&key], at)
            });
            match rarest {
                Some(at) => cuts.push((number, bytes.split_at(at))),
                None if bytes.iter().all(|&byte| sites::is_blank(byte)) => blank.push((number, bytes)),
                None => others.push((number, bytes)),
            }
        }
        let automaton = (!others.is_empty()).then(|| {
            let strings = others.iter().map(|(_, string)| string);
            AhoCorasick::new(strings).expect("a mold has far fewer delimiters than an automaton can hold")
        });
        let others = others.iter().map(|(number, _)| *number).collect();
        let (anchored, blanks) = (Anchored::new(&cuts), Blanks::new(&blank));
        Delimiters { anchored, only_tags, blanks, others, automaton, numbers }
    }

    /// The number of a string of the set.
    ///
    /// # Panics
    /// When it is none.
    pub(super) fn number(&self, delimiter: &str) -> usize {
        self.numbers[delimiter]
    }

    /// For each string, by number, the offsets at which it begins, in order.
    pub(super) fn find(&self, page: &str) -> Lists<u32> {
        let page = page.as_bytes();
        let mut found = Vec::with_capacity(page.len() / 32);
        if self.only_tags {
            memchr_iter(b'<', page).for_each(|at| self.anchored.find(page, at, &mut found));
        } else {
            self.find_at_sites(page, &mut found);
        }
        for hit in self.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(page)) {
            found.push((self.others[hit.pattern().as_usize()] as u32, hit.start() as u32));
        }
        Lists::sorted(self.numbers.len(), found.iter().copied())
    }

    fn find_at_sites(&self, page: &[u8], found: &mut Vec<Found>) {
        let mut seen = Seen::default();
        let looks_at_blanks = !self.blanks.is_empty();
        sites::each(page, |at, blank| {
            if looks_at_blanks && !blank.is_empty() {
                self.blanks.find(page, blank, &mut seen, found);
            }
            if at < page.len() {
                self.anchored.find(page, at, found);
            }
        });
    }
}

/// At how many sites of all strings each key stands.
fn sites_by_key<'s>(strings: impl Iterator<Item = &'s str>) -> HashMap<Key, usize> {
    let mut counts = HashMap::new();
    for string in strings.map(str::as_bytes) {
        for at in sites::within(string) {
            *counts.entry(Key::of(&string[at..])).or_default() += 1;
        }
    }
    counts
}
