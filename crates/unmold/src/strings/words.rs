//! What is known about words: their numbers, and whether a mutable pattern may begin with them.

use crate::{
    Span,
    read::{first_bytes::first_u64, mutable::Mutables, vocabulary::Vocabulary},
};
use std::{
    cmp::Reverse,
    hash::{BuildHasher, RandomState},
    hint::select_unpredictable,
};

/// The words of templates, and those that begin mutable patterns.
///
/// Most words are short, and nearly all are told apart by their first eight bytes and their length.
/// So these stand in a table, and no two of them at the same place (a perfect hash): a word is
/// looked for at one place only. Those few that begin alike are left to the vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Words {
    vocabulary: Vocabulary,
    begins: Vec<bool>,
    /// The number of the first word; there are other symbols before.
    offset: u32,
    table: Vec<Entry>,
    /// By how many bits the hashes that begin alike are turned, so that all find a free place.
    turns: Vec<u8>,
    seed: u64,
    /// The numbers of words and marks of one byte, which are most of the symbols of a page; the
    /// lowest bit as there.
    short: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The first bytes.
    first: u64,
    /// How many bytes there are; 0 for no word.
    length: u32,
    /// Its number, and in the lowest bit whether a mutable pattern may begin with it.
    known: u32,
}

impl Words {
    pub(super) fn new(mut vocabulary: Vocabulary, mutables: &Mutables) -> Self {
        let offset = mutables.len() as u32;
        // Words that are in no list can begin a pattern only by how they look, which needs no
        // table.
        mutables
            .names()
            .for_each(|name| _ = vocabulary.intern(name));
        let begins: Vec<bool> = vocabulary
            .words()
            .map(|word| mutables.may_begin_with(word))
            .collect();
        let entry = |(number, word): (u32, &str)| Entry {
            first: first_bytes(word.as_bytes(), Span::new(0, word.len())),
            length: word.len() as u32,
            known: (number + offset) << 1 | u32::from(begins[number as usize]),
        };
        let mut entries: Vec<Entry> = (0..).zip(vocabulary.words()).map(entry).collect();
        entries.sort_unstable_by_key(|entry| (entry.first, entry.length));
        entries.dedup_by_key(|entry| (entry.first, entry.length));
        let mut words = Words {
            vocabulary,
            begins,
            offset,
            table: Vec::new(),
            turns: Vec::new(),
            seed: 0,
            short: Vec::new(),
        };
        // Nearly every seed works. They are other ones in every process, so no words can be chosen
        // that fit none.
        let seeds = RandomState::new();
        (0..).find(|&tries| words.enter(&entries, tries, seeds.hash_one(tries) | 1));
        let short =
            |byte: u8| words.look_up(char::from(byte).encode_utf8(&mut [0; 4]), Span::new(0, 1));
        words.short = (0..128)
            .map(short)
            .map(|(number, begins)| number << 1 | u32::from(begins))
            .collect();
        words
    }

    /// Gives each word a place of its own, if that can be done with this seed.
    fn enter(&mut self, entries: &[Entry], tries: u32, seed: u64) -> bool {
        const TRIES_A_SIZE: u32 = 16;
        let size = (entries.len().max(1) << (1 + tries / TRIES_A_SIZE)).next_power_of_two();
        self.seed = seed;
        self.table = vec![Entry::default(); size];
        self.turns = vec![0; size / 2];
        let mut groups = vec![Vec::new(); self.turns.len()];
        entries.iter().for_each(|entry| {
            groups[self.group(self.hash(entry.first, entry.length))].push(*entry);
        });
        let mut largest_first: Vec<usize> = (0..groups.len())
            .filter(|&group| !groups[group].is_empty())
            .collect();
        largest_first.sort_by_key(|&group| Reverse(groups[group].len()));
        largest_first
            .into_iter()
            .all(|group| (0..64).any(|turn| self.enter_group(group, &groups[group], turn)))
    }

    fn enter_group(&mut self, group: usize, entries: &[Entry], turn: u8) -> bool {
        self.turns[group] = turn;
        let place =
            |words: &Words, entry: &Entry| words.place(words.hash(entry.first, entry.length));
        for (entered, entry) in entries.iter().enumerate() {
            let at = place(self, entry);
            if self.table[at].length != 0 {
                entries[..entered].iter().for_each(|entry| {
                    let at = place(self, entry);
                    self.table[at] = Entry::default();
                });
                return false;
            }
            self.table[at] = *entry;
        }
        true
    }

    /// The number of all words that are not known.
    #[inline]
    pub(super) fn unknown(&self) -> u32 {
        self.offset + self.vocabulary.len() as u32
    }

    /// All words, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.words()
    }

    #[inline(always)]
    fn hash(&self, first: u64, length: u32) -> u64 {
        let product =
            u128::from(first ^ u64::from(length).wrapping_mul(self.seed)) * u128::from(self.seed);
        product as u64 ^ (product >> 64) as u64
    }

    #[inline(always)]
    fn group(&self, hash: u64) -> usize {
        (hash >> 40) as usize & (self.turns.len() - 1)
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        let turn = self.turns[self.group(hash)];
        hash.rotate_right(u32::from(turn)) as usize & (self.table.len() - 1)
    }

    /// The number of a word of a page, and whether a mutable pattern may begin with it because of
    /// what it is.
    #[inline(always)]
    pub(super) fn look_up(&self, page: &str, word: Span) -> (u32, bool) {
        let (first, length) = (first_bytes(page.as_bytes(), word), word.len() as u32);
        let entry = self.table[self.place(self.hash(first, length))];
        let is_known = (entry.first == first) & (entry.length == length);
        if is_known & (word.len() > FIRST) {
            return self.look_up_long(word.of(page));
        }
        // Which words are known cannot be foreseen, so this is no branch.
        let known = select_unpredictable(is_known, entry.known, self.unknown() << 1);
        (known >> 1, known & 1 == 1)
    }

    /// The same for a word or mark of one byte.
    #[inline(always)]
    pub(super) fn look_up_short(&self, byte: u8) -> (u32, bool) {
        let known = self.short[usize::from(byte)];
        (known >> 1, known & 1 == 1)
    }

    /// The same for a word that begins like one that is known.
    fn look_up_long(&self, word: &str) -> (u32, bool) {
        match self.vocabulary.number(word) {
            Some(number) => (number + self.offset, self.begins[number as usize]),
            None => (self.unknown(), false),
        }
    }
}

/// How many bytes of a word stand in the table.
const FIRST: usize = 8;

/// The first bytes of a word.
#[inline(always)]
fn first_bytes(page: &[u8], word: Span) -> u64 {
    let mask = u64::MAX
        .checked_shr(64 - 8 * word.len().min(FIRST) as u32)
        .unwrap_or(0);
    first_u64(&page[word.start as usize..]) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_number() {
        // Many begin alike, and many differ in their length and one bit only.
        let words: Vec<String> = (0u8..64)
            .flat_map(|byte| {
                let c = char::from(b'0' + byte);
                [
                    format!("{c}"),
                    format!("abcdefg{c}"),
                    format!("abcdefg{c}x"),
                    format!("abcdefgh{c}"),
                ]
            })
            .collect();
        let mut vocabulary = Vocabulary::default();
        words.iter().for_each(|word| _ = vocabulary.intern(word));
        let table = Words::new(vocabulary, &Mutables::none());
        for (number, word) in (0..).zip(&words) {
            assert_eq!(
                table.look_up(word, Span::new(0, word.len())),
                (number, false),
                "{word}"
            );
        }
        for word in ["ab", "abcdefghi_", "abcdefgh!x", "東京"] {
            assert_eq!(
                table.look_up(word, Span::new(0, word.len())).0,
                table.unknown(),
                "{word}"
            );
        }
    }

    #[test]
    fn names_begin_patterns() {
        let table = Words::new(Vocabulary::default(), &Mutables::common());
        assert!(table.look_up("May 5", Span::new(0, 3)).1);
        assert!(table.look_up("September 5", Span::new(0, 9)).1);
        assert!(!table.look_up("Mayor", Span::new(0, 5)).1);
        assert!(table.look_up_short(b'$').1);
        assert!(!table.look_up_short(b'a').1);
    }
}
