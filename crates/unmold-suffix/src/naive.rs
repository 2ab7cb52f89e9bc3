//! The same answers by brute force: the oracle that the fast path is tested against.

use crate::{Boundaries, Sorted};

/// Sorts suffixes by comparing them, and counts common prefixes by looking. Quadratic and worse.
///
/// ```
/// use unmold_suffix::{Boundaries, naive};
///
/// let sorted = naive::sort(b"KINGKONG", &Boundaries::new([8]));
/// assert_eq!(sorted.suffixes, [7, 3, 1, 0, 4, 6, 2, 5]);
/// ```
pub fn sort<S: Copy + Ord>(symbols: &[S], boundaries: &Boundaries) -> Sorted<usize> {
    let suffix =
        |position: usize| &symbols[position..boundaries.end(boundaries.sequence_of(position))];
    let mut suffixes: Vec<usize> = (0..symbols.len()).collect();
    // Positions break ties: of equal suffixes the one of the earlier sequence comes first.
    suffixes.sort_by_key(|&position| (suffix(position), position));
    let shared = |a: usize, b: usize| {
        suffix(a)
            .iter()
            .zip(suffix(b))
            .take_while(|(x, y)| x == y)
            .count()
    };
    let lcp = (0..suffixes.len()).map(|row| {
        if row == 0 {
            0
        } else {
            shared(suffixes[row - 1], suffixes[row])
        }
    });
    let lcp = lcp.collect();
    Sorted { suffixes, lcp }
}
