//! What is known about words: their numbers, and whether a mutable pattern may begin with them.

use crate::{
    Span,
    apply::eight::first_eight,
    encode::{
        Vocabulary,
        mutable::{Look, Mutables},
    },
};
use std::hash::{BuildHasher, RandomState};

/// The words of templates, and those that begin mutable patterns.
///
/// Most words are short, and nearly all are told apart by their first eight bytes and their length. So these stand in the
/// table itself, at a place that depends on them.
#[derive(Clone, Debug)]
pub(super) struct Words {
    vocabulary: Vocabulary,
    begins: Vec<bool>,
    table: Vec<Entry>,
    /// Odd, and another one in every process: no page can be written to make its words meet in the table.
    key: u64,
    /// Numbers of marks of one byte, which are most of the symbols of a page.
    marks: Vec<(u32, bool)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The first bytes.
    first: u64,
    /// How many bytes there are; 0 for no word.
    length: u32,
    number: u32,
}

impl Words {
    pub(super) fn new(mut vocabulary: Vocabulary, mutables: &Mutables) -> Self {
        // Words that are in no list can begin a pattern only by how they look, which needs no table.
        mutables.names().for_each(|name| _ = vocabulary.intern(name));
        let begins = vocabulary.words().map(|word| mutables.may_begin_with(word)).collect();
        let table = vec![Entry::default(); (4 * vocabulary.len()).next_power_of_two()];
        let key = RandomState::new().hash_one(0) | 1;
        let mut words = Words { vocabulary, begins, table, key, marks: Vec::new() };
        (0..words.len()).for_each(|number| words.enter(number));
        let mark = |mark: u8| {
            let mark = char::from(mark).to_string();
            words.look_up(mark.as_bytes(), Span::new(0, 1), Look::of(&mark), mutables)
        };
        words.marks = (0..128).map(mark).collect();
        words
    }

    fn enter(&mut self, number: u32) {
        let word = self.vocabulary.word(number).as_bytes();
        let (first, length) = (first_bytes(word, Span::new(0, word.len())), word.len() as u32);
        let mut at = self.place(first, length);
        while self.table[at].length != 0 {
            at = (at + 1) % self.table.len();
        }
        self.table[at] = Entry { first, length, number };
    }

    /// How many words there are; the number of every other word.
    pub(super) fn len(&self) -> u32 {
        self.vocabulary.len() as u32
    }

    /// All words, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.words()
    }

    #[inline]
    fn place(&self, first: u64, length: u32) -> usize {
        let mixed = (first ^ u64::from(length)).wrapping_mul(self.key);
        (mixed >> 32) as usize & (self.table.len() - 1)
    }

    /// The number of a word of a page, and whether a mutable pattern may begin with it.
    #[inline]
    pub(super) fn look_up(&self, page: &[u8], span: Span, look: Look, mutables: &Mutables) -> (u32, bool) {
        let (first, length) = (first_bytes(page, span), span.len() as u32);
        let mut at = self.place(first, length);
        loop {
            let entry = self.table[at];
            if entry.length == 0 {
                return (self.len(), mutables.may_begin_with_look(look));
            }
            if (entry.first, entry.length) == (first, length) && self.ends_like(entry.number, &page[span.range()]) {
                return (entry.number, self.begins[entry.number as usize]);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Whether the word with a number is this word, which begins like it.
    #[inline]
    fn ends_like(&self, number: u32, word: &[u8]) -> bool {
        word.len() <= FIRST || self.vocabulary.word(number).as_bytes() == word
    }

    #[inline]
    pub(super) fn mark(&self, mark: u8) -> (u32, bool) {
        self.marks[usize::from(mark)]
    }
}

/// How many bytes of a word stand in the table.
const FIRST: usize = 8;

/// The first bytes of a word.
#[inline]
fn first_bytes(page: &[u8], word: Span) -> u64 {
    let mask = u64::MAX.checked_shr(64 - 8 * word.len().min(FIRST) as u32).unwrap_or(0);
    first_eight(&page[word.start as usize..]) & mask
}
