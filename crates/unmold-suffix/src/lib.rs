//! In which order do the suffixes of many sequences stand, and how much do neighbours share?
//!
//! [`sort`] takes the concatenation of a set of sequences and the [`Boundaries`] between them, and
//! returns the suffix array and the LCP array of the set. A suffix ends where its sequence ends:
//! nothing is ever compared across a boundary, and of two suffixes that are equal up to the ends of
//! their sequences the one of the earlier sequence comes first.
//!
//! ```
//! use unmold_suffix::{Boundaries, sort};
//!
//! let word = b"KINGKONG";
//! let sorted = sort::<u8, u32>(word, &Boundaries::new([word.len()]), 256)?;
//! assert_eq!(sorted.suffixes, [7, 3, 1, 0, 4, 6, 2, 5]);
//! assert_eq!(sorted.lcp, [0, 1, 0, 0, 1, 0, 2, 0]);
//! # Ok::<(), unmold_suffix::SortError>(())
//! ```
//!
//! # No reserved symbols
//!
//! Suffix sorters for sets of strings usually ask the caller to keep one value free as a separator.
//! Here every value of the alphabet is the caller's. Integer sequences get one end mark per
//! sequence, all different and all smaller than any symbol, by shifting the alphabet up. Byte
//! sequences are renumbered densely, in order, which frees the value 0 unless all 256 values occur
//! (in UTF-8 text they never do); in that case they are sorted as integers.
//!
//! Capping the LCP values at the ends instead, with no marks at all, would be cheaper and wrong:
//! what follows a boundary would then decide the order, and the occurrences of one string could be
//! torn apart.
//!
//! # Cost
//!
//! Linear time. With 32-bit offsets sorting integers holds four arrays of 4 bytes per symbol at its
//! peak (marked text, suffixes, PLCP, and the caller's symbols), sorting bytes 1 + 4 + 4 + 4. The
//! work is done by [libsais](https://github.com/IlyaGrebnov/libsais), on one thread: callers have
//! one site per thread.
//!
//! All `unsafe` code is in the private module `offset`: calls into C with lengths taken from
//! slices.

mod boundaries;
pub mod naive;
mod offset;

pub use boundaries::Boundaries;
pub use offset::{Offset, SortError};

/// The sorted suffixes of a set of sequences, and what neighbours have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorted<O> {
    /// Start positions of all suffixes, smallest suffix first.
    pub suffixes: Vec<O>,
    /// `lcp[i]` is how many symbols suffix `i` shares with suffix `i - 1`, within their sequences;
    /// `lcp[0]` is 0.
    pub lcp: Vec<O>,
}

/// A symbol that can be sorted: a byte or a 32-bit code.
pub trait Symbol: Copy + private::Sealed {
    #[doc(hidden)]
    fn sort_set<O: Offset>(
        symbols: &[Self],
        ends: &Boundaries,
        alphabet: usize,
    ) -> Result<Sorted<O>, SortError>;
}

/// Sorts the suffixes of the sequences that `symbols` holds end to end.
///
/// `alphabet` is one more than the largest code; memory grows with it, so codes should be dense.
/// For bytes it is not looked at.
///
/// # Errors
/// When the input does not fit the offset type, a code is not below `alphabet`, or memory runs out.
///
/// # Panics
/// When the last boundary is not the length of `symbols`.
pub fn sort<S: Symbol, O: Offset>(
    symbols: &[S],
    boundaries: &Boundaries,
    alphabet: usize,
) -> Result<Sorted<O>, SortError> {
    assert_eq!(
        boundaries.len(),
        symbols.len(),
        "the boundaries are those of the symbols"
    );
    if symbols.is_empty() {
        return Ok(Sorted {
            suffixes: Vec::new(),
            lcp: Vec::new(),
        });
    }
    S::sort_set(symbols, &boundaries.without_empty(), alphabet)
}

mod private {
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

impl Symbol for u8 {
    fn sort_set<O: Offset>(
        symbols: &[u8],
        ends: &Boundaries,
        _alphabet: usize,
    ) -> Result<Sorted<O>, SortError> {
        let Some(code_of) = dense_byte_codes(symbols) else {
            let codes: Vec<u32> = symbols.iter().map(|&byte| u32::from(byte)).collect();
            return u32::sort_set(&codes, ends, 256);
        };
        let marked = ends.marked();
        let mut text = Vec::with_capacity(marked.len());
        for sequence in ends.ranges() {
            text.extend(
                symbols[sequence]
                    .iter()
                    .map(|&byte| code_of[usize::from(byte)]),
            );
            text.push(0);
        }
        let suffixes = O::sort_bytes(&text)?;
        let lcp = O::lcp_of_bytes(text, &suffixes)?;
        Ok(without_marks(suffixes, lcp, &marked))
    }
}

impl Symbol for u32 {
    fn sort_set<O: Offset>(
        symbols: &[u32],
        ends: &Boundaries,
        alphabet: usize,
    ) -> Result<Sorted<O>, SortError> {
        let (mut text, marked) = marked_codes::<O>(symbols, ends, alphabet)?;
        let suffixes = O::sort_codes(&mut text, alphabet + ends.count())?;
        let lcp = O::lcp_of_codes(text, &suffixes)?;
        Ok(without_marks(suffixes, lcp, &marked))
    }
}

/// Sorts suffixes and stops there: the part that every other cost is measured against.
///
/// Returns how many suffixes were sorted.
///
/// # Errors
/// As [`sort`].
pub fn sort_alone<O: Offset>(
    symbols: &[u32],
    ends: &Boundaries,
    alphabet: usize,
) -> Result<usize, SortError> {
    let (mut text, marked) = marked_codes::<O>(symbols, ends, alphabet)?;
    O::sort_codes(&mut text, alphabet + ends.count()).map(|sorted| sorted.len() - marked.count())
}

/// Renumbers the bytes in use from 1 up, keeping their order; `None` when all 256 are in use.
fn dense_byte_codes(symbols: &[u8]) -> Option<[u8; 256]> {
    let mut used = [false; 256];
    for &byte in symbols {
        used[usize::from(byte)] = true;
    }
    let mut code_of = [0u8; 256];
    let mut next = 0u8;
    for (code, _) in code_of.iter_mut().zip(used).filter(|(_, used)| *used) {
        next = next.checked_add(1)?;
        *code = next;
    }
    Some(code_of)
}

/// The text with an end mark after each sequence: mark `i` for sequence `i`, symbols shifted above
/// all marks.
fn marked_codes<O: Offset>(
    symbols: &[u32],
    ends: &Boundaries,
    alphabet: usize,
) -> Result<(Vec<O>, Boundaries), SortError> {
    let marked = ends.marked();
    O::check_length(marked.len().max(alphabet + ends.count()))?;
    let shift = ends.count();
    let mut text = Vec::with_capacity(marked.len());
    for (mark, sequence) in ends.ranges().enumerate() {
        let codes = &symbols[sequence];
        if let Some(&code) = codes.iter().find(|&&code| code as usize >= alphabet) {
            return Err(SortError::CodeOutOfRange { code, alphabet });
        }
        text.extend(
            codes
                .iter()
                .map(|&code| O::from_usize(code as usize + shift)),
        );
        text.push(O::from_usize(mark));
    }
    Ok((text, marked))
}

/// Drops the rows of the end marks, which sort before all symbols, and turns positions in the
/// marked text into positions in the caller's text.
fn without_marks<O: Offset>(
    mut suffixes: Vec<O>,
    mut lcp: Vec<O>,
    marked: &Boundaries,
) -> Sorted<O> {
    let marks = marked.count();
    suffixes.drain(..marks);
    lcp.drain(..marks);
    for position in &mut suffixes {
        let at = position.to_usize();
        *position = O::from_usize(at - marked.sequence_of(at));
    }
    Sorted { suffixes, lcp }
}
