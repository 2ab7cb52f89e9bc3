//! Sixty-four bytes of a text looked at together.
//!
//! Where words begin and end is found for all of them at once, without a look at each byte:
//! branches on single bytes of text are what a processor foresees worst.

use crate::Span;
use wide::u8x16;

/// How many bytes there are in a block.
pub(super) const BYTES: usize = 64;

/// How many bytes are read at most: there is a bit for what stands behind each.
const MOST: usize = BYTES - 1;

/// What the bytes of a block are: a bit for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// Letters, digits and underscores of ASCII.
    words: u64,
    digits: u64,
    capitals: u64,
    /// White space of ASCII.
    spaces: u64,
    pub(super) ampersands: u64,
    /// Parts of characters that are none of ASCII.
    pub(super) others: u64,
}

impl Block {
    /// The block that begins at a place. Behind the end of the text stand zeros.
    #[inline(always)]
    pub(super) fn at(text: &[u8], place: usize) -> Self {
        let rest = &text[place..];
        match rest.first_chunk() {
            Some(bytes) => Block::of(bytes),
            None => Block::of_last(rest),
        }
    }

    #[cold]
    fn of_last(rest: &[u8]) -> Self {
        let mut bytes = [0; BYTES];
        bytes[..rest.len()].copy_from_slice(rest);
        Block::of(&bytes)
    }

    /// How many of the first bytes can be read: up to a place, or to the word at the end of the
    /// block, which may go on.
    #[inline(always)]
    pub(super) fn readable(&self, bytes_left: usize) -> usize {
        if bytes_left <= MOST {
            return bytes_left;
        }
        MOST - (self.words << 1).leading_ones() as usize
    }

    /// The words and marks among the first bytes, of which there are at most [`MOST`]. Takes where
    /// the block begins and whether white space stands before it.
    #[inline(always)]
    pub(super) fn tokens(&self, length: usize, place: usize, spaced: bool) -> Tokens {
        let here = lowest(length);
        let words = self.words & here;
        let marks = here & !self.words & !self.spaces;
        let starts = words & !(words << 1);
        let capitals = self.capitals & here;
        // Carried from a digit through the rest of its word, or from the beginning of a word
        // through its capitals, a bit comes out behind the word: if it has a digit, and if all are
        // capitals.
        let behind_digits = words + (self.digits & here);
        let behind_capitals = capitals + (starts & capitals);
        Tokens {
            place: place as u32,
            starts: starts | marks,
            lasts: words & !(words >> 1) | marks,
            behind_digits: behind_digits & !words,
            behind_capitals: behind_capitals & !capitals & !words,
            behind_spaces: self.spaces << 1 | u64::from(spaced),
        }
    }

    /// Whether a byte is white space, counted from the beginning of the block.
    #[inline(always)]
    pub(super) fn is_space(&self, at: usize) -> bool {
        self.spaces >> at & 1 == 1
    }

    #[inline(always)]
    fn of(bytes: &[u8; BYTES]) -> Self {
        let (quarters, _) = bytes.as_chunks::<{ BYTES / 4 }>();
        let mut block = Block::default();
        for (at, &quarter) in quarters.iter().enumerate() {
            let bytes = u8x16::new(quarter);
            let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
            let capitals = between(bytes, b'A', b'Z');
            let letters = between(bytes | u8x16::splat(0x20), b'a', b'z');
            let digits = between(bytes, b'0', b'9');
            let place = |bits: u8x16| u64::from(bits.to_bitmask()) << (at * BYTES / 4);
            block.words |= place(letters | digits | is(b'_'));
            block.digits |= place(digits);
            block.capitals |= place(capitals);
            block.spaces |= place(white_space(bytes));
            block.ampersands |= place(is(b'&'));
            block.others |= place(bytes);
        }
        block
    }
}

/// The words and marks of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens {
    /// Where the block begins.
    place: u32,
    /// The first and the last bytes of those that are left.
    starts: u64,
    lasts: u64,
    /// The bytes behind words that have a digit.
    pub(super) behind_digits: u64,
    /// The bytes behind words that are all capitals.
    pub(super) behind_capitals: u64,
    /// The bytes behind white space.
    behind_spaces: u64,
}

/// A word or a mark of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) span: Span,
    /// Whether white space stands before it.
    pub(crate) spaced: bool,
    /// Whether it has one byte.
    pub(crate) is_short: bool,
    /// The place behind it, counted from the beginning of the block.
    pub(super) end: u32,
}

impl Iterator for Tokens {
    type Item = Token;

    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        if self.starts == 0 {
            return None;
        }
        let (first, last) = (self.starts.trailing_zeros(), self.lasts.trailing_zeros());
        self.starts &= self.starts - 1;
        self.lasts &= self.lasts - 1;
        Some(Token {
            span: Span {
                start: self.place + first,
                end: self.place + last + 1,
            },
            spaced: self.behind_spaces >> first & 1 == 1,
            is_short: first == last,
            end: last + 1,
        })
    }
}

/// Which bytes are white space of ASCII.
#[inline(always)]
pub(crate) fn white_space(bytes: u8x16) -> u8x16 {
    between(bytes, b'\t', b'\r') | bytes.simd_eq(u8x16::splat(b' '))
}

/// Which bytes are in a range.
#[inline(always)]
fn between(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let from_first = bytes - u8x16::splat(first);
    from_first.simd_eq(from_first.min(u8x16::splat(last - first)))
}

/// The lowest bits.
#[inline(always)]
pub(super) fn lowest(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_what_it_is_at_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..BYTES {
                let mut text = [b' '; BYTES + 1];
                text[at + 1] = byte;
                let block = Block::at(&text, 1);
                let is = |bits: u64| bits >> at & 1 == 1;
                assert_eq!(
                    is(block.words),
                    byte.is_ascii_alphanumeric() || byte == b'_'
                );
                assert_eq!(is(block.digits), byte.is_ascii_digit());
                assert_eq!(is(block.capitals), byte.is_ascii_uppercase());
                assert_eq!(
                    is(block.spaces),
                    byte.is_ascii() && char::from(byte).is_whitespace()
                );
                assert_eq!(is(block.ampersands), byte == b'&');
                assert_eq!(is(block.others), !byte.is_ascii());
                assert_eq!(block.words & !(1 << at), 0);
            }
        }
    }

    #[test]
    fn words_and_marks() {
        let text = "a1 <B>x_2y CD Ef 3 G";
        let tokens = Block::at(text.as_bytes(), 0).tokens(text.len(), 0, false);
        let places = |bits: u64| {
            (0..64)
                .filter(|at| bits >> at & 1 == 1)
                .collect::<Vec<usize>>()
        };
        let words: Vec<&str> = tokens.map(|token| token.span.of(text)).collect();
        assert_eq!(words, ["a1", "<", "B", ">", "x_2y", "CD", "Ef", "3", "G"]);
        let spaced: Vec<&str> = tokens
            .filter(|token| token.spaced)
            .map(|token| token.span.of(text))
            .collect();
        assert_eq!(spaced, ["<", "CD", "Ef", "3", "G"]);
        assert_eq!(places(tokens.behind_digits), [2, 10, 18]);
        assert_eq!(places(tokens.behind_capitals), [5, 13, 20]);
    }

    #[test]
    fn a_word_that_may_go_on_is_not_read() {
        let text = format!("{} {}", "x".repeat(60), "y".repeat(60));
        assert_eq!(Block::at(text.as_bytes(), 0).readable(text.len()), 61);
        assert_eq!(Block::at(text.as_bytes(), 0).readable(63), 63);
        assert_eq!(Block::at(text.as_bytes(), 61).readable(60), 60);
        assert_eq!(Block::at("z".repeat(70).as_bytes(), 0).readable(70), 0);
    }

    #[test]
    fn the_lowest_bits() {
        assert_eq!((lowest(0), lowest(3), lowest(64)), (0, 7, u64::MAX));
    }
}
