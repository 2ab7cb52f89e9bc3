//! Which sequence does a position belong to?
//!
//! A binary search over the ends answers that in a dozen dependent cache misses; a table with one
//! entry per symbol answers at once but is as large as the text. [`Boundaries`] keeps one entry per
//! block of positions, blocks being a small part of a sequence as sequences go: few entries, which
//! stay in cache, and most blocks lie in one sequence.

use std::ops::Range;

/// How many blocks a sequence of average length has.
const BLOCKS_A_SEQUENCE: usize = 16;

/// Where each of a set of sequences ends in their concatenation.
///
/// ```
/// let three = unmold_suffix::Boundaries::new([4, 4, 9]);
/// assert_eq!(three.sequence_of(3), 0);
/// assert_eq!(three.sequence_of(4), 2); // the second sequence is empty
/// assert_eq!(three.range(2), 4..9);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundaries {
    ends: Vec<usize>,
    /// The sequence that holds the first position of each block, and a last entry behind all
    /// blocks.
    block_sequence: Vec<u32>,
    /// How long a block is, as a power of two.
    block_bits: u32,
}

impl Boundaries {
    /// Takes the ends of the sequences, in order; an empty sequence repeats the end before it.
    ///
    /// # Panics
    /// When an end is smaller than the one before it, or there are more than `u32::MAX` sequences.
    pub fn new(ends: impl IntoIterator<Item = usize>) -> Self {
        let ends: Vec<usize> = ends.into_iter().collect();
        assert!(ends.is_sorted(), "sequences end in order");
        assert!(
            u32::try_from(ends.len()).is_ok(),
            "sequences are counted in 32 bits"
        );
        let length = ends.last().copied().unwrap_or(0);
        let block_bits = (length / ends.len().max(1) / BLOCKS_A_SEQUENCE)
            .max(1)
            .ilog2();
        let mut sequence = 0;
        let mut block_sequence: Vec<u32> = (0..length)
            .step_by(1 << block_bits)
            .map(|start| {
                sequence += ends[sequence..].partition_point(|&end| end <= start);
                sequence as u32
            })
            .collect();
        block_sequence.push(ends.len().saturating_sub(1) as u32);
        Boundaries {
            ends,
            block_sequence,
            block_bits,
        }
    }

    /// How many sequences there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The length of all sequences together.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Whether there is no symbol in any sequence.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sequence that holds `position`.
    ///
    /// # Panics
    /// When the position is not below [`len`](Self::len).
    #[inline]
    pub fn sequence_of(&self, position: usize) -> usize {
        let block = position >> self.block_bits;
        let sequence = self.block_sequence[block] as usize;
        if self.ends[sequence] > position {
            sequence
        } else {
            self.later_in_block(block, position)
        }
    }

    /// Sequences differ in length: a block may hold many short ones.
    #[cold]
    fn later_in_block(&self, block: usize, position: usize) -> usize {
        let (first, last) = (
            self.block_sequence[block] as usize,
            self.block_sequence[block + 1] as usize,
        );
        first + self.ends[first..last].partition_point(|&end| end <= position)
    }

    /// Where sequence number `sequence` starts.
    #[inline]
    pub fn start(&self, sequence: usize) -> usize {
        if sequence == 0 {
            0
        } else {
            self.ends[sequence - 1]
        }
    }

    /// Where sequence number `sequence` ends.
    #[inline]
    pub fn end(&self, sequence: usize) -> usize {
        self.ends[sequence]
    }

    /// The positions of sequence number `sequence`.
    #[inline]
    pub fn range(&self, sequence: usize) -> Range<usize> {
        self.start(sequence)..self.end(sequence)
    }

    /// The positions of each sequence, in order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.count()).map(|sequence| self.range(sequence))
    }

    /// The boundaries with empty sequences left out: libsais takes no empty ones, and they have no
    /// suffixes.
    pub(crate) fn without_empty(&self) -> Self {
        Boundaries::new(
            self.ranges()
                .filter(|range| !range.is_empty())
                .map(|range| range.end),
        )
    }

    /// The boundaries after an end mark has been put behind each sequence.
    pub(crate) fn marked(&self) -> Self {
        Boundaries::new(
            self.ends
                .iter()
                .enumerate()
                .map(|(sequence, end)| end + sequence + 1),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_found_among_empty_and_long_sequences() {
        let lengths = [0, 0, 3, 0, 200, 1, 1, 0, 64, 0];
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let boundaries = Boundaries::new(ends);
        for (sequence, length) in lengths.into_iter().enumerate() {
            assert_eq!(boundaries.range(sequence).len(), length);
            for position in boundaries.range(sequence) {
                assert_eq!(boundaries.sequence_of(position), sequence);
            }
        }
    }

    #[test]
    fn no_sequences_at_all() {
        let none = Boundaries::new([]);
        assert_eq!((none.count(), none.len()), (0, 0));
        assert!(none.is_empty());
    }
}
