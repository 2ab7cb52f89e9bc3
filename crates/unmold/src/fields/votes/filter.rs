//! Which hashes of a page can a mold have?

use super::super::slots::Wanted;

/// Hashes that a mold has: most of those of a page are in no mold, and are told by one look.
#[derive(Clone)]
pub(crate) struct Filter(Vec<u64>);

impl Filter {
    /// 64 Ki bits.
    const WORDS: usize = 1 << 10;

    fn place(hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize % Self::WORDS, 1 << (hash & 63))
    }

    pub(in crate::fields) fn add(&mut self, hash: u64) {
        let (word, bit) = Self::place(hash);
        self.0[word] |= bit;
    }

    /// False for nearly all hashes that were not added.
    #[inline]
    pub(in crate::fields) fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0[word] & bit != 0
    }
}

impl Default for Filter {
    fn default() -> Self {
        Filter(vec![0; Self::WORDS])
    }
}

impl Wanted for Filter {
    #[inline]
    fn wants(&self, subject: u64) -> bool {
        self.may_have(subject)
    }
}
