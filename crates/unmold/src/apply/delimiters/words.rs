//! Which strings begin with the word that begins here, and which lie in the white space before it?
//!
//! A page has a word every seven bytes or so, and nearly none begins a string: a bit for each beginning of a string says
//! so without a look at the strings. White space is mostly one space, or one of a few indents, over and over: what lies
//! in each is found once.

use super::{
    anchored::{Anchored, Cut},
    tree::{Forward, Tree},
};
use std::collections::HashMap;

/// Strings that begin with white space, and hold no `<`.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// Those with a word, cut before it.
    strings: Anchored,
    beginnings: Beginnings,
    blanks: Blanks,
}

/// Strings of fewer bytes from the word on are not found here.
pub(super) const SHORTEST: usize = 2;
/// Strings of at least as many bytes are told apart by so many of them, shorter ones by [`SHORTEST`].
const LONG: usize = 4;

/// White space and control characters; all other bytes are parts of words here.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

impl Words {
    /// Makes ready strings, and strings of nothing but white space by number.
    pub(super) fn new(strings: &[Cut<'_>], blank: &[(usize, &[u8])]) -> Self {
        let beginnings = Beginnings::of(strings.iter().map(|(_, (_, from))| *from));
        Words { strings: Anchored::new(strings), beginnings, blanks: Blanks::new(blank) }
    }

    /// Adds all occurrences on a page, in order.
    pub(super) fn find<'p>(&self, page: &'p [u8], places: &mut [Vec<u32>]) {
        if self.strings.is_empty() && self.blanks.shortest == usize::MAX {
            return;
        }
        let mut seen: Seen<'p> = HashMap::default();
        beginnings_of_words(page, |at| {
            self.blanks.find(page, at, &mut seen, places);
            if self.beginnings.may_begin(&page[at..]) {
                self.strings.find(page, at, places);
            }
        });
        if page.last().is_some_and(|&byte| is_blank(byte)) {
            self.blanks.find(page, page.len(), &mut seen, places);
        }
    }
}

/// Strings of nothing but white space.
#[derive(Clone, Debug)]
struct Blanks {
    /// Their numbers.
    strings: Tree<Forward, usize>,
    /// How long the shortest is; no white space is long enough if there is none.
    shortest: usize,
}

/// Stretches of white space on a page, each with the strings that lie in it: number and offset, in order of offset.
type Seen<'p> = HashMap<&'p [u8], Vec<(usize, u32)>, rapidhash::fast::RandomState>;

impl Blanks {
    fn new(strings: &[(usize, &[u8])]) -> Self {
        let shortest = strings.iter().map(|(_, string)| string.len()).min().unwrap_or(usize::MAX);
        Blanks { strings: Tree::new(strings.iter().map(|&(number, string)| (string, number))), shortest }
    }

    /// Adds the strings in the white space that ends at a place.
    #[inline]
    fn find<'p>(&self, page: &'p [u8], end: usize, seen: &mut Seen<'p>, places: &mut [Vec<u32>]) {
        let is_long_enough = |end: usize| end >= self.shortest && is_blank(page[end - self.shortest]);
        if !is_long_enough(end) {
            return;
        }
        let start = page[..end].iter().rposition(|&byte| !is_blank(byte)).map_or(0, |at| at + 1);
        let inside = seen.entry(&page[start..end]).or_insert_with(|| self.inside(&page[start..end]));
        inside.iter().for_each(|&(number, offset)| places[number].push(start as u32 + offset));
    }

    /// The strings that lie in a stretch, overlapping ones too.
    fn inside(&self, stretch: &[u8]) -> Vec<(usize, u32)> {
        let mut inside = Vec::new();
        for offset in 0..stretch.len() {
            self.strings.walk(&stretch[offset..], |&number| inside.push((number, offset as u32)));
        }
        inside
    }
}

fn first_bytes(string: &[u8], count: usize) -> u32 {
    string[..count].iter().rev().fold(0, |first, &byte| first << 8 | u32::from(byte))
}

/// Calls back with each place where white space ends. Looks at eight bytes at a time.
#[inline]
fn beginnings_of_words(page: &[u8], mut each: impl FnMut(usize)) {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (blocks, rest) = page.as_chunks::<8>();
    // The highest bit of a byte says that it is part of a word; at first nothing is white space before it.
    let mut before = 0x80;
    for (number, block) in blocks.iter().enumerate() {
        let bytes = u64::from_le_bytes(*block);
        let in_word = (((bytes & !HIGH) + 0x5F5F_5F5F_5F5F_5F5F) | bytes) & HIGH;
        let mut begins = in_word & !(in_word << 8 | before);
        before = in_word >> 56;
        while begins != 0 {
            each(8 * number + begins.trailing_zeros() as usize / 8);
            begins &= begins - 1;
        }
    }
    let mut after_blank = before == 0;
    for (at, &byte) in rest.iter().enumerate() {
        if after_blank && !is_blank(byte) {
            each(page.len() - rest.len() + at);
        }
        after_blank = is_blank(byte);
    }
}

/// The first bytes of strings, as a bit for the hash of each.
#[derive(Clone, Debug)]
struct Beginnings {
    long: Box<[u64]>,
    short: Box<[u64]>,
}

impl Beginnings {
    const BITS: u32 = 16;

    fn of<'s>(strings: impl Iterator<Item = &'s [u8]>) -> Self {
        let none = || vec![0; 1 << (Self::BITS - 6)].into_boxed_slice();
        let mut beginnings = Beginnings { long: none(), short: none() };
        for string in strings {
            let is_long = string.len() >= LONG;
            let (word, bit) = Self::place(first_bytes(string, if is_long { LONG } else { SHORTEST }));
            let bits = if is_long { &mut beginnings.long } else { &mut beginnings.short };
            bits[word] |= bit;
        }
        beginnings
    }

    /// Whether some string may begin a text; `false` is certain.
    #[inline]
    fn may_begin(&self, text: &[u8]) -> bool {
        let is_set = |bits: &[u64], (word, bit): (usize, u64)| bits[word] & bit != 0;
        match text.first_chunk::<LONG>() {
            Some(&bytes) => {
                let first = u32::from_le_bytes(bytes);
                is_set(&self.long, Self::place(first)) || is_set(&self.short, Self::place(first & 0xFFFF))
            }
            None => text.len() >= SHORTEST,
        }
    }

    #[inline]
    fn place(first: u32) -> (usize, u64) {
        let hash = first.wrapping_mul(0x9E37_79B1) >> (32 - Self::BITS);
        ((hash >> 6) as usize, 1 << (hash & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_begin_where_white_space_ends(page in prop::collection::vec(prop::sample::select(vec![0, 9, 32, 33, 127, 128, 160, 161, 255]), 0..40)) {
            let mut found = Vec::new();
            beginnings_of_words(&page, |at| found.push(at));
            let expected: Vec<usize> =
                (1..page.len()).filter(|&at| is_blank(page[at - 1]) && !is_blank(page[at])).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
