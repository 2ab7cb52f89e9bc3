//! Which number does a word have?

use hashbrown::HashTable;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_micro_inline};
use std::hash::{BuildHasher, RandomState};

/// Different words, numbered in the order they were first seen.
///
/// The words come from pages, so the hash is keyed afresh in every process: no page can be written
/// to make all of its words collide. Numbers do not depend on the key.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    words: Words,
    table: HashTable<Entry>,
}

/// The words by number, and how they are hashed.
#[derive(Clone, Debug)]
struct Words {
    /// All words, end to end.
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<usize>,
    secrets: RapidSecrets,
}

/// A word's number with part of its hash, so that a different word is told apart without looking at
/// its letters.
#[derive(Clone, Copy, Debug)]
struct Entry {
    word: u32,
    hash: u32,
}

impl Words {
    #[inline]
    fn range(&self, number: u32) -> std::ops::Range<usize> {
        let number = number as usize;
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1]
        };
        start..self.ends[number]
    }

    #[inline]
    fn get(&self, number: u32) -> &str {
        &self.text[self.range(number)]
    }

    #[inline]
    fn hash(&self, word: &str) -> u64 {
        rapidhash_v3_micro_inline::<true, false>(word.as_bytes(), &self.secrets)
    }

    #[inline]
    fn is(&self, entry: &Entry, word: &str, hash: u64) -> bool {
        entry.hash == hash as u32
            && &self.text.as_bytes()[self.range(entry.word)] == word.as_bytes()
    }
}

impl Default for Vocabulary {
    fn default() -> Self {
        let secrets = RapidSecrets::seed(RandomState::new().hash_one(0u64));
        Vocabulary {
            words: Words {
                text: String::new(),
                ends: Vec::new(),
                secrets,
            },
            table: HashTable::new(),
        }
    }
}

impl Vocabulary {
    /// How many different words there are.
    pub fn len(&self) -> usize {
        self.words.ends.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word with a number.
    ///
    /// # Panics
    /// When no word has it.
    #[inline]
    pub fn word(&self, number: u32) -> &str {
        self.words.get(number)
    }

    /// Its bytes, for comparing.
    #[inline]
    pub(crate) fn bytes(&self, number: u32) -> &[u8] {
        &self.words.text.as_bytes()[self.words.range(number)]
    }

    /// All words, by number.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|number| self.word(number))
    }

    /// The number of a word, if it has been seen.
    #[inline]
    pub fn number(&self, word: &str) -> Option<u32> {
        let hash = self.words.hash(word);
        self.table
            .find(hash, |entry| self.words.is(entry, word, hash))
            .map(|entry| entry.word)
    }

    /// The number of a word; a new word gets the next number.
    #[inline]
    pub(crate) fn intern(&mut self, word: &str) -> u32 {
        let hash = self.words.hash(word);
        match self
            .table
            .find(hash, |entry| self.words.is(entry, word, hash))
        {
            Some(entry) => entry.word,
            None => self.add(word, hash),
        }
    }

    #[cold]
    fn add(&mut self, word: &str, hash: u64) -> u32 {
        let number =
            u32::try_from(self.len()).expect("a corpus has fewer than 2^32 different words");
        self.words.text.push_str(word);
        self.words.ends.push(self.words.text.len());
        let Vocabulary { words, table } = self;
        table.insert_unique(
            hash,
            Entry {
                word: number,
                hash: hash as u32,
            },
            |entry| words.hash(words.get(entry.word)),
        );
        number
    }
}
