//! Everything the index says, against counting all substrings by hand.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use unmold::{
    Text,
    read::mutable::Mutables,
    symbols::{
        encode::{Symbols, Tags, Words, bytes, chars},
        index::{Index, PageSet},
    },
};

/// A string of codes, and where it occurs.
type Occurrences = BTreeMap<Vec<u32>, Vec<usize>>;

/// Every substring of every page with its positions.
fn all_substrings(symbols: &Symbols) -> Occurrences {
    let mut found = Occurrences::new();
    for page in 0..symbols.pages().count() {
        let range = symbols.page(page);
        for start in range.clone() {
            let mut string = Vec::new();
            for position in start..range.end {
                string.push(symbols.code(position));
                found.entry(string.clone()).or_default().push(start);
            }
        }
    }
    found
}

/// What follows or precedes an occurrence; page edges are all different from each other.
fn neighbour(symbols: &Symbols, position: usize, at: Option<usize>) -> (usize, Option<u32>) {
    let page = symbols.pages().sequence_of(position);
    match at.filter(|at| symbols.page(page).contains(at)) {
        Some(at) => (0, Some(symbols.code(at))),
        None => (position + 1, None),
    }
}

fn branches_right(symbols: &Symbols, string: &[u32], at: &[usize]) -> bool {
    let next: BTreeSet<_> = at
        .iter()
        .map(|&start| neighbour(symbols, start, Some(start + string.len())))
        .collect();
    at.len() > 1 && next.len() > 1
}

fn branches_left(symbols: &Symbols, at: &[usize]) -> bool {
    at.iter()
        .map(|&start| neighbour(symbols, start, start.checked_sub(1)))
        .collect::<BTreeSet<_>>()
        .len()
        > 1
}

fn pages_of(symbols: &Symbols, at: &[usize]) -> BTreeSet<usize> {
    at.iter()
        .map(|&start| symbols.pages().sequence_of(start))
        .collect()
}

/// Compares all node statistics with the substrings counted by hand.
fn nodes_agree(index: &Index) {
    let symbols = index.symbols();
    let substrings = all_substrings(symbols);
    let mut expected: Occurrences = substrings
        .iter()
        .filter(|(string, at)| branches_right(symbols, string, at))
        .map(|(s, a)| (s.clone(), a.clone()))
        .collect();
    let branching: BTreeSet<Vec<u32>> = expected.keys().cloned().collect();
    for node in index.nodes() {
        let mut at: Vec<usize> = index.occurrences(node).collect();
        at.sort_unstable();
        let string: Vec<u32> = (at[0]..at[0] + node.depth)
            .map(|position| symbols.code(position))
            .collect();
        assert_eq!(
            expected.remove(&string),
            Some(at.clone()),
            "a node is a branching string, given once"
        );
        assert_eq!(node.tf, at.len());
        let pages = pages_of(symbols, &at);
        assert_eq!(node.df, pages.len());
        assert_eq!(node.pages, pages.into_iter().collect::<PageSet>());
        assert_eq!(node.left_diverse, branches_left(symbols, &at));
        let parent = (1..node.depth)
            .rev()
            .find(|&depth| branching.contains(&string[..depth]))
            .unwrap_or(0);
        assert_eq!(node.parent_depth, parent);
    }
    assert_eq!(
        expected,
        Occurrences::new(),
        "every branching string is a node"
    );
}

fn ngrams_agree(index: &Index) {
    let symbols = index.symbols();
    let substrings = all_substrings(symbols);
    for n in 1..=6 {
        let expected: Vec<Vec<usize>> = substrings
            .iter()
            .filter(|(string, _)| string.len() == n)
            .map(|(_, at)| at.clone())
            .collect();
        let given: Vec<Vec<usize>> = index
            .ngrams(n)
            .map(|class| {
                let mut at: Vec<usize> = class.rows().map(|row| index.suffix(row)).collect();
                at.sort_unstable();
                at
            })
            .collect();
        assert_eq!(given, expected, "{n}-grams");
    }
}

fn mass_agrees(index: &Index) {
    let mut expected = BTreeMap::new();
    for at in all_substrings(index.symbols()).values() {
        *expected.entry(at.len()).or_insert(0) += at.len() as u64;
    }
    assert_eq!(index.substring_mass(), expected);
}

fn everything_agrees(symbols: &Symbols) {
    let index = Index::new(symbols.clone()).unwrap();
    nodes_agree(&index);
    ngrams_agree(&index);
    mass_agrees(&index);
    let wide = Index::wide(symbols.clone()).unwrap();
    assert!(
        wide.nodes().eq(index.nodes()),
        "64-bit positions change nothing"
    );
    use rayon::iter::ParallelIterator;
    assert!(
        index
            .par_nodes()
            .collect::<Vec<_>>()
            .into_iter()
            .eq(index.nodes()),
        "threads change nothing"
    );
}

fn corpus(page: &'static str) -> impl Strategy<Value = Vec<Text>> {
    let pages = prop::collection::vec(page, 0..6);
    pages.prop_map(|pages| {
        pages
            .into_iter()
            .map(|page| Text::from_string("page", page))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn of_bytes(pages in corpus("[ab\u{e9}]{0,12}")) {
        everything_agrees(&bytes::encode(&pages));
    }

    #[test]
    fn of_characters(pages in corpus("[abあ]{0,14}")) {
        everything_agrees(&chars::encode(&pages));
    }

    #[test]
    fn of_words(pages in corpus("(<p>|</p>|x |y |<a href=x>|1 |東|, ){0,10}")) {
        everything_agrees(&Words::default().encode(&pages));
    }

    #[test]
    fn of_words_and_patterns(pages in corpus("(<p>|x |[1-3] |2007-01-0[1-3] |\\$[1-9]){0,10}")) {
        everything_agrees(&Words::default().with_mutables(Mutables::common()).encode(&pages));
    }

    #[test]
    fn of_tags(pages in corpus("(<b>|</b>|<i class=x>|x|<br>){0,14}")) {
        everything_agrees(&Tags::default().with_classes(true).encode(&pages));
    }
}
