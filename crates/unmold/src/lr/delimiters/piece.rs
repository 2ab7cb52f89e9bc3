//! Does a text begin, or end, with a piece?
//!
//! Pieces are short and mostly differ from a text within a few bytes. A loop over bytes ends now
//! here, now there, and a processor that guesses wrong loses more time than the comparison takes:
//! eight bytes are compared at once.

use crate::read::first_bytes::{first_u64, last_u64};

/// A part of a vector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    start: u32,
    end: u32,
}

impl Part {
    /// What is put behind everything in a vector.
    pub(super) fn append<T>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Self {
        let start = all.len() as u32;
        all.extend(more);
        Part {
            start,
            end: all.len() as u32,
        }
    }

    #[inline(always)]
    pub(super) fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.start as usize..self.end as usize]
    }
}

/// Bytes that texts may begin with, or end with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The eight bytes that are compared first; of fewer, those that the mask leaves.
    eight: u64,
    mask: u64,
    length: u32,
    /// The other bytes, in a vector of many pieces.
    rest: Part,
}

impl Piece {
    /// A piece for the beginning of texts.
    pub(super) fn first(bytes: &[u8], all: &mut Vec<u8>) -> Self {
        let (eight, rest) = bytes.split_at(bytes.len().min(8));
        let mask = u64::MAX
            .checked_shr(64 - 8 * eight.len() as u32)
            .unwrap_or(0);
        let rest = Part::append(all, rest.iter().copied());
        Piece {
            eight: first_u64(eight),
            mask,
            length: bytes.len() as u32,
            rest,
        }
    }

    /// A piece for the end of texts.
    pub(super) fn last(bytes: &[u8], all: &mut Vec<u8>) -> Self {
        let (rest, eight) = bytes.split_at(bytes.len().saturating_sub(8));
        let mask = u64::MAX
            .checked_shl(64 - 8 * eight.len() as u32)
            .unwrap_or(0);
        let rest = Part::append(all, rest.iter().copied());
        Piece {
            eight: last_u64(eight),
            mask,
            length: bytes.len() as u32,
            rest,
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether a text begins with a piece made by [`first`](Self::first).
    #[inline(always)]
    pub(super) fn begins(&self, text: &[u8], all: &[u8]) -> bool {
        self.is_like(text, first_u64(text))
            && (self.length <= 8 || text[8..].starts_with(self.rest.of(all)))
    }

    /// Whether a text ends with a piece made by [`last`](Self::last), given its last eight bytes.
    #[inline(always)]
    pub(super) fn ends(&self, text: &[u8], eight: u64, all: &[u8]) -> bool {
        self.is_like(text, eight)
            && (self.length <= 8 || text[..text.len() - 8].ends_with(self.rest.of(all)))
    }

    /// How many bytes of a text tell whether it begins with a piece: up to the first that differs,
    /// or all.
    pub(super) fn first_difference(&self, text: &[u8], all: &[u8]) -> usize {
        let differs = (first_u64(text) ^ self.eight) & self.mask;
        let same = match differs {
            0 if self.length > 8 => {
                8 + text
                    .iter()
                    .skip(8)
                    .zip(self.rest.of(all))
                    .take_while(|(a, b)| a == b)
                    .count()
            }
            _ => differs.trailing_zeros() as usize / 8,
        };
        (same.min(text.len()) + 1).min(self.len())
    }

    /// The same for the end of a text.
    pub(super) fn last_difference(&self, text: &[u8], all: &[u8]) -> usize {
        let differs = (last_u64(text) ^ self.eight) & self.mask;
        let same = match differs {
            0 if self.length > 8 => {
                let rest = self.rest.of(all).iter().rev();
                8 + text
                    .iter()
                    .rev()
                    .skip(8)
                    .zip(rest)
                    .take_while(|(a, b)| a == b)
                    .count()
            }
            _ => differs.leading_zeros() as usize / 8,
        };
        (same.min(text.len()) + 1).min(self.len())
    }

    #[inline(always)]
    fn is_like(&self, text: &[u8], eight: u64) -> bool {
        (eight ^ self.eight) & self.mask == 0 && text.len() >= self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn eight_at_once_are_one_by_one(
            text in prop::collection::vec(0..2_u8, 0..14),
            piece in prop::collection::vec(0..2_u8, 0..12),
            cut in 0..14_usize,
        ) {
            // Half of the pieces are taken from the text, so that many are found.
            let beginning = if cut % 2 == 0 { &text[..cut.min(text.len())] } else { &piece };
            let end = if cut % 2 == 0 { &text[cut.min(text.len())..] } else { &piece };
            let mut all = vec![9];
            let (first, last) = (Piece::first(beginning, &mut all), Piece::last(end, &mut all));
            prop_assert_eq!(first.begins(&text, &all), text.starts_with(beginning));
            prop_assert_eq!(last.ends(&text, last_u64(&text), &all), text.ends_with(end));
            prop_assert_eq!(first.first_difference(&text, &all), to_difference(beginning.iter(), text.iter()));
            prop_assert_eq!(last.last_difference(&text, &all), to_difference(end.iter().rev(), text.iter().rev()));
        }
    }

    /// Up to the first byte of a piece that a text does not have, or all bytes.
    fn to_difference<'b>(
        piece: impl ExactSizeIterator<Item = &'b u8>,
        text: impl Iterator<Item = &'b u8>,
    ) -> usize {
        let length = piece.len();
        (piece
            .zip(text)
            .take_while(|(one, other)| one == other)
            .count()
            + 1)
        .min(length)
    }
}
