//! A few bytes beside a place, looked at together.

use crate::symbols::encode::block::white_space;
use wide::u8x16;

/// How many bytes are looked at.
pub(super) const EDGE: usize = 16;

/// The first bytes of a text, or the last ones read backwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeBytes {
    bytes: u8x16,
    /// How many bytes the text has.
    length: usize,
}

impl EdgeBytes {
    /// The first bytes of a part of a page.
    #[inline(always)]
    pub(super) fn first(page: &[u8], start: u32, end: u32) -> Self {
        let rest = &page[start as usize..];
        let bytes = rest
            .first_chunk()
            .copied()
            .unwrap_or_else(|| padded(rest.iter()));
        EdgeBytes {
            bytes: u8x16::new(bytes),
            length: (end - start) as usize,
        }
    }

    /// The last bytes of a part of a page, the last one first.
    #[inline(always)]
    pub(super) fn last(page: &[u8], start: u32, end: u32) -> Self {
        let rest = &page[..end as usize];
        let bytes = rest
            .last_chunk()
            .map(|&bytes| u128::from_be_bytes(bytes).to_le_bytes());
        EdgeBytes {
            bytes: u8x16::new(bytes.unwrap_or_else(|| padded(rest.iter().rev()))),
            length: (end - start) as usize,
        }
    }

    /// How many bytes stand before the first `<` or `>`: up to all of the text, or of these.
    #[inline(always)]
    pub(super) fn bytes_before_mark(&self) -> usize {
        // The two differ in one bit.
        let marks = (self.bytes | u8x16::splat(0x02))
            .simd_eq(u8x16::splat(b'>'))
            .to_bitmask();
        (marks | 1 << self.length.min(EDGE)).trailing_zeros() as usize
    }

    /// How many of so many bytes are not white space; none if some are not ASCII.
    #[inline(always)]
    pub(super) fn size(&self, bytes: usize) -> Option<usize> {
        let spaces = white_space(self.bytes);
        let these = (1 << bytes) - 1;
        (self.bytes.to_bitmask() & these == 0).then(|| count(!spaces.to_bitmask() & these))
    }

    /// Whether there are no bytes but these.
    #[inline(always)]
    pub(super) fn are_all(&self) -> bool {
        self.length <= EDGE
    }

    /// How many bytes of the text these are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.length.min(EDGE)
    }
}

/// Fewer bytes, with zeros behind them.
#[cold]
fn padded<'b>(bytes: impl Iterator<Item = &'b u8>) -> [u8; EDGE] {
    let mut padded = [0; EDGE];
    padded
        .iter_mut()
        .zip(bytes)
        .for_each(|(place, &byte)| *place = byte);
    padded
}

/// How many of sixteen bits are set. Most processors have an instruction for this, but not all that
/// a program for any of them may use.
#[inline(always)]
fn count(bits: u32) -> usize {
    static COUNTS: [u8; 256] = {
        let mut counts = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            counts[byte] = (byte as u8).count_ones() as u8;
            byte += 1;
        }
        counts
    };
    let [low, high, ..] = bits.to_le_bytes();
    usize::from(COUNTS[usize::from(low)] + COUNTS[usize::from(high)])
}
