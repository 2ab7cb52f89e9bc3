//! Where do many strings occur on a page, in one pass?
//!
//! Each string is looked for only at [`sites`] that it holds, the `<` and the beginnings of words.
//! Of those it holds, it is looked up by the one whose next bytes the fewest other strings have,
//! because what many delimiters have in common stands everywhere on a page. Strings of nothing but
//! white space are looked up stretch by stretch. What holds no site, which only people write, is
//! left to an automaton.
//!
//! Parts that a page has in common with one before are not searched again: a [`Memory`] has what
//! was found there.

mod anchored;
mod anywhere;
mod blanks;
mod memory;
mod piece;
mod sites;

use crate::read::jagged::Jagged;
use anchored::{Anchored, Key, Reach};
use anywhere::Anywhere;
use blanks::Blanks;
use memchr::memchr;
pub(super) use memory::Memory;
use memory::Recorder;
use rapidhash::fast::RandomState;
use std::{collections::HashMap, ops::Range};

/// A set of strings to find.
#[derive(Clone, Debug)]
pub(super) struct Delimiters {
    numbers: HashMap<String, usize, RandomState>,
    /// Strings that hold a site.
    anchored: Anchored,
    /// Whether each of them is looked up at a `<`, and nothing else is to be found at sites.
    only_tags: bool,
    blanks: Blanks,
    /// Strings that hold none.
    others: Anywhere,
}

/// A string by number, and where it begins.
type DelimiterAt = (u32, u32);

impl Delimiters {
    pub(super) fn new<'s>(delimiters: impl Iterator<Item = &'s str>) -> Self {
        let mut numbers = HashMap::default();
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
                None if bytes.iter().all(|&byte| sites::is_blank(byte)) => {
                    blank.push((number, bytes));
                }
                None => others.push((number, bytes)),
            }
        }
        let (anchored, blanks, others) = (
            Anchored::new(&cuts),
            Blanks::new(&blank),
            Anywhere::new(&others),
        );
        Delimiters {
            anchored,
            only_tags,
            blanks,
            others,
            numbers,
        }
    }

    /// How many strings there are, each with a number below.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a string of the set.
    ///
    /// # Panics
    /// When it is none.
    pub(super) fn number(&self, delimiter: &str) -> usize {
        self.numbers[delimiter]
    }

    /// For each string, by number, the offsets at which it begins, in order. The memory must be new
    /// or have been used with these strings only.
    pub(super) fn find(&self, page: &str, memory: &mut Memory) -> Jagged<u32> {
        let found = self.find_unsorted(page.as_bytes(), memory);
        let lists = Jagged::sorted(self.numbers.len(), found.iter().copied());
        memory.give_back(found);
        lists
    }

    /// The numbers of the strings that stand on a page, in order; at no cost for those that do not.
    /// The memory is as for [`find`](Self::find).
    pub(super) fn find_any(&self, page: &str, memory: &mut Memory) -> Vec<u32> {
        let found = self.find_unsorted(page.as_bytes(), memory);
        let mut numbers: Vec<u32> = found.iter().map(|&(number, _)| number).collect();
        memory.give_back(found);
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn find_unsorted(&self, page: &[u8], memory: &mut Memory) -> Vec<DelimiterAt> {
        let mut found = memory.take_buffer();
        if memory.wants(page) {
            self.find_and_remember(page, memory, &mut found);
        } else {
            let remembered = self.find_or_recall(page, memory, &mut found);
            memory.note(page, remembered);
        }
        self.others.find(page, &mut found);
        found
    }

    /// Adds what is found at sites, where it is not remembered; and says how many bytes were.
    fn find_or_recall(
        &self,
        page: &[u8],
        memory: &mut Memory,
        found: &mut Vec<DelimiterAt>,
    ) -> usize {
        let mut blanks = std::mem::take(&mut memory.blanks);
        let (mut near, mut remembered) = (0, 0);
        self.each_site(page, |at, blank| {
            self.blanks.find(page, blank, &mut blanks, found);
            if at == page.len() {
                return None;
            }
            let Some(stretch) = memory.recall(page, at, &mut near) else {
                self.anchored.find(page, at, &mut (), found);
                return None;
            };
            memory.replay(stretch, found, |site, found| {
                self.anchored.find(page, site, &mut (), found);
            });
            remembered += stretch.saved();
            Some(stretch.end())
        });
        memory.blanks = blanks;
        remembered
    }

    fn find_and_remember(&self, page: &[u8], memory: &mut Memory, found: &mut Vec<DelimiterAt>) {
        let mut blanks = std::mem::take(&mut memory.blanks);
        let mut recorder = memory.remember(page);
        self.each_site(page, |at, blank| {
            let before = found.len();
            self.blanks.find(page, blank.clone(), &mut blanks, found);
            if at == page.len() {
                return None;
            }
            if found.len() > before {
                recorder.event(
                    at,
                    Reach {
                        before: blank.len(),
                        behind: 1,
                    },
                    &found[before..],
                );
            }
            self.find_at(page, at, &mut recorder, found);
            None
        });
        memory.blanks = blanks;
    }

    fn find_at(
        &self,
        page: &[u8],
        at: usize,
        recorder: &mut Recorder<'_>,
        found: &mut Vec<DelimiterAt>,
    ) {
        let before = found.len();
        let mut reach = Reach::LEAST;
        self.anchored.find(page, at, &mut reach, found);
        recorder.site(page, at);
        if found.len() > before || reach != Reach::LEAST {
            recorder.event(at, reach, &found[before..]);
        }
    }

    /// Calls back as [`sites::each`] does, with no more sites than need be.
    #[inline(always)]
    fn each_site(&self, page: &[u8], mut found: impl FnMut(usize, Range<usize>) -> Option<usize>) {
        if !self.only_tags {
            return sites::each(page, found);
        }
        let mut from = 0;
        while let Some(at) = memchr(b'<', &page[from..]).map(|tag| from + tag) {
            from = found(at, at..at).unwrap_or(at + 1);
        }
    }
}

/// At how many sites of all strings each key stands.
fn sites_by_key<'s>(strings: impl Iterator<Item = &'s str>) -> HashMap<Key, usize, RandomState> {
    let mut counts = HashMap::default();
    for string in strings.map(str::as_bytes) {
        for at in sites::within(string) {
            *counts.entry(Key::of(&string[at..])).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_before_is_not_searched_again() {
        let delimiters = Delimiters::new(["<b>", "</b>", " of "].into_iter());
        let page = |name: &str| {
            format!(
                "<p>The population of this country</p><b>{name}</b><p>Its size in square km</p>"
            )
        };
        let mut memory = Memory::default();
        let remembered = |memory: &mut Memory, name: &str| {
            delimiters.find_or_recall(page(name).as_bytes(), memory, &mut Vec::new())
        };
        assert_eq!(remembered(&mut memory, "Congo"), 0);
        delimiters.find_and_remember(page("Egypt").as_bytes(), &mut memory, &mut Vec::new());
        assert!(remembered(&mut memory, "Belize") > 40);
        assert_eq!(
            delimiters.find(&page("Spain"), &mut memory),
            delimiters.find(&page("Spain"), &mut Memory::default())
        );
    }

    #[test]
    fn what_lies_before_a_stretch_may_matter_in_it() {
        // The first is looked up by `two hund`, which no other has.
        let delimiters =
            Delimiters::new(["x <b>one two hundred", "<b>one three", " more "].into_iter());
        let page = |before: char| format!("<p>{before} <b>one two hundred and some more words</b>");
        for (remembered, other) in [('x', 'y'), ('y', 'x')] {
            let mut memory = Memory::default();
            delimiters.find(&page(remembered), &mut memory);
            let found = delimiters.find(&page(other), &mut memory);
            assert_eq!(found, delimiters.find(&page(other), &mut Memory::none()));
            assert_eq!(
                found.list(delimiters.number("x <b>one two hundred")).len(),
                usize::from(other == 'x')
            );
        }
    }

    #[test]
    fn a_memory_has_its_limits() {
        let delimiters = Delimiters::new(["<b>", " a"].into_iter());
        let mut memory = Memory::default();
        for number in 0..60 {
            let page: String = (0..2000)
                .map(|word| format!("<b>{} a ", number * 10_000 + word))
                .collect();
            delimiters.find(&page, &mut memory);
        }
        assert!(memory.wants(b"A small page that is unlike all others is still wanted."));
        assert!(!memory.wants(&[b' '; 30_000]));
    }
}
