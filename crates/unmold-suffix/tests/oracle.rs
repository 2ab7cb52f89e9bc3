//! The fast sorter against the naive one, on thousands of small sets of sequences.

use proptest::prelude::*;
use unmold_suffix::{Boundaries, Offset, SortError, Sorted, Symbol, naive, sort};

/// Joins sequences and remembers where each ends.
fn joined<S: Copy>(sequences: &[Vec<S>]) -> (Vec<S>, Boundaries) {
    let ends = sequences.iter().scan(0, |end, sequence| {
        *end += sequence.len();
        Some(*end)
    });
    (sequences.concat(), Boundaries::new(ends))
}

fn widened<O: Offset>(sorted: &Sorted<O>) -> Sorted<usize> {
    let widen = |values: &[O]| values.iter().map(|value| value.to_usize()).collect();
    Sorted {
        suffixes: widen(&sorted.suffixes),
        lcp: widen(&sorted.lcp),
    }
}

fn agrees_with_naive<S: Symbol + Ord>(sequences: &[Vec<S>], alphabet: usize) {
    let (symbols, boundaries) = joined(sequences);
    let expected = naive::sort(&symbols, &boundaries);
    assert_eq!(
        widened(&sort::<S, u32>(&symbols, &boundaries, alphabet).unwrap()),
        expected
    );
    assert_eq!(
        widened(&sort::<S, u64>(&symbols, &boundaries, alphabet).unwrap()),
        expected
    );
}

fn sequences<S: std::fmt::Debug>(
    symbol: impl Strategy<Value = S>,
) -> impl Strategy<Value = Vec<Vec<S>>> {
    prop::collection::vec(prop::collection::vec(symbol, 0..24), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn few_different_bytes(set in sequences(b'a'..=b'c')) {
        agrees_with_naive(&set, 256);
    }

    #[test]
    fn any_bytes_zero_included(set in sequences(any::<u8>())) {
        agrees_with_naive(&set, 256);
    }

    #[test]
    fn few_different_codes(set in sequences(0u32..3)) {
        agrees_with_naive(&set, 3);
    }

    #[test]
    fn sparse_codes(set in sequences(0u32..5000)) {
        agrees_with_naive(&set, 5000);
    }
}

#[test]
fn all_256_byte_values_leave_no_room_for_a_separator() {
    let all: Vec<u8> = (0..=255).rev().collect();
    agrees_with_naive(&[all.clone(), vec![], all], 256);
}

#[test]
fn what_follows_a_boundary_does_not_tear_equal_strings_apart() {
    // Without end marks the suffix `ab` of the second page, followed by the third page's `cb`,
    // would sort between the two `abc`.
    agrees_with_naive(
        &[
            b"abca".to_vec(),
            b"xab".to_vec(),
            b"cb".to_vec(),
            b"abcd".to_vec(),
        ],
        256,
    );
}

#[test]
fn repetitive_texts() {
    agrees_with_naive(&[vec![7u8; 300], vec![7u8; 299]], 256);
    let mut fibonacci = (vec![0u32], vec![0u32, 1]);
    while fibonacci.1.len() < 400 {
        let next = [fibonacci.1.clone(), fibonacci.0].concat();
        fibonacci = (fibonacci.1, next);
    }
    agrees_with_naive(&[fibonacci.1], 2);
}

#[test]
fn a_code_outside_the_alphabet_is_refused() {
    let refused = sort::<u32, u32>(&[0, 9], &Boundaries::new([2]), 5);
    assert_eq!(
        refused,
        Err(SortError::CodeOutOfRange {
            code: 9,
            alphabet: 5
        })
    );
}

#[test]
fn an_alphabet_too_large_for_the_offsets_is_refused() {
    let refused = sort::<u32, u32>(&[0], &Boundaries::new([1]), 1 << 31);
    assert!(
        matches!(refused, Err(SortError::TooLong { .. })),
        "{refused:?}"
    );
}
