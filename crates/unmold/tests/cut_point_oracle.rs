//! Alternation counts against a literal transcription of the paper's figures 2 and 3.

use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};
use unmold::{
    Text,
    papers::cut_point::{Landscape, Search, Settings, Ties, find_optimal},
    symbols::{encode::chars, index::Index},
};

/// The subroutine `countsort`: all n-grams of all pages, most frequent first. Among equals the
/// order is that of the index, which the caller gives as a rank for every n-gram.
fn countsort(
    pages: &[Vec<char>],
    n: usize,
    order: &BTreeMap<Vec<char>, usize>,
) -> Vec<(Vec<char>, usize)> {
    let mut counts: BTreeMap<Vec<char>, usize> = BTreeMap::new();
    for page in pages {
        for gram in page.windows(n) {
            *counts.entry(gram.to_vec()).or_default() += 1;
        }
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by_key(|(gram, count)| (std::cmp::Reverse(*count), order[gram]));
    sorted
}

/// The subroutine `alternation`, page by page.
fn alternation(
    pages: &[Vec<char>],
    sorted: &[(Vec<char>, usize)],
    n: usize,
    a: usize,
    ties: Ties,
) -> u64 {
    if sorted.is_empty() {
        return 0;
    }
    let taken = (sorted.len() * a / 100).max(1);
    let is_taken = |at: usize| match ties {
        Ties::Split => at < taken,
        Ties::Whole => sorted[at].1 >= sorted[taken - 1].1,
    };
    let words: HashSet<&[char]> = (0..sorted.len())
        .filter(|&at| is_taken(at))
        .map(|at| sorted[at].0.as_slice())
        .collect();
    let mut boundaries = 0;
    for page in pages {
        let mut range = vec![1; page.len()];
        for (at, gram) in page.windows(n).enumerate() {
            if words.contains(gram) {
                range[at..at + n].fill(0);
            }
        }
        boundaries += range.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    }
    boundaries
}

struct Paper {
    pages: Vec<Vec<char>>,
    order: BTreeMap<Vec<char>, usize>,
    ties: Ties,
}

impl Paper {
    fn new(texts: &[Text], index: &Index, ties: Ties) -> Self {
        let pages: Vec<Vec<char>> = texts
            .iter()
            .map(|text| text.as_str().chars().collect())
            .collect();
        // The order of the index: n-grams by the row they first appear in.
        let letters: Vec<char> = pages.concat();
        let bounds = index.symbols().pages();
        let mut order = BTreeMap::new();
        for row in 0..index.len() {
            let start = index.suffix(row);
            for end in start + 1..=bounds.end(bounds.sequence_of(start)) {
                order.entry(letters[start..end].to_vec()).or_insert(row);
            }
        }
        Paper { pages, order, ties }
    }

    fn count(&self, n: usize, a: usize) -> u64 {
        alternation(
            &self.pages,
            &countsort(&self.pages, n, &self.order),
            n,
            a,
            self.ties,
        )
    }

    /// Figure 3, with `if` and `else if` in the paper's order.
    fn find_optimal(&self) -> (usize, usize) {
        let (mut n, mut a) = (2, 1);
        let mut val0 = self.count(n, a);
        let longest = self.pages.iter().map(Vec::len).max().unwrap_or(0);
        while n <= longest && a < 100 {
            let val1 = self.count(n, a + 1);
            let val2 = self.count(n + 1, a);
            if val0 <= val1 && val0 <= val2 {
                break;
            } else if val0 > val1 && val1 < val2 {
                a += 1;
                val0 = val1;
            } else if val0 > val2 && val2 <= val1 {
                n += 1;
                val0 = val2;
            }
        }
        (n, a)
    }
}

fn corpus() -> impl Strategy<Value = Vec<Text>> {
    let page = "(<b>[a-d]{1,6}</b><i>[ab]{1,3}</i>|[ab]{0,9}|xyz[a-c]{0,5}xyz){0,6}";
    prop::collection::vec(page, 1..6).prop_map(|pages| {
        pages
            .into_iter()
            .map(|page| Text::from_string("page", page))
            .collect()
    })
}

fn ties() -> impl Strategy<Value = Ties> {
    prop::sample::select(vec![Ties::Whole, Ties::Split])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whole_rows_equal_the_pseudo_code(texts in corpus(), ties in ties()) {
        let index = Index::new(chars::encode(&texts)).unwrap();
        let paper = Paper::new(&texts, &index, ties);
        let mut landscape = Landscape::new(&index, Settings::default().ties(ties));
        for n in [2, 3, 4, 7, 12] {
            for a in [1, 2, 3, 10, 33, 50, 80, 99, 100] {
                prop_assert_eq!(landscape.count(n, a), paper.count(n, usize::from(a)), "n {} a {}", n, a);
            }
        }
    }

    #[test]
    fn the_greedy_walk_equals_the_pseudo_code(texts in corpus(), ties in ties()) {
        let index = Index::new(chars::encode(&texts)).unwrap();
        let found = find_optimal(&index, Settings::default().ties(ties)).cut_point();
        prop_assert_eq!((found.n, usize::from(found.a)), Paper::new(&texts, &index, ties).find_optimal());
    }

    #[test]
    fn the_global_search_is_never_worse_and_its_path_falls(texts in corpus()) {
        let index = Index::new(chars::encode(&texts)).unwrap();
        let greedy = find_optimal(&index, Settings::default()).cut_point();
        let global = find_optimal(&index, Settings::default().search(Search::Global));
        // The papers' walk may end where nothing is told apart; the search of all does not.
        prop_assert!(greedy.count == 0 || global.cut_point().count <= greedy.count);
        prop_assert!(global.path().windows(2).all(|pair| pair[0].count > pair[1].count));
        prop_assert_eq!((global.path()[0].n, global.path()[0].a), (2, 1));
    }
}

/// Pages of one template and content that never repeats, so that the best division is known.
fn known_corpus() -> (Vec<Text>, Vec<Vec<(u32, u32)>>) {
    let words = |seed: usize| -> String {
        (0..12)
            .map(|at| char::from_u32(0x4E00 + ((seed * 12 + at) * 37 % 5000) as u32).unwrap())
            .collect()
    };
    let (head, middle, foot) = (
        "<html><title>",
        "</title><p class=body>",
        "</p><hr>All rights reserved</html>",
    );
    let mut content = Vec::new();
    let texts = (0..40)
        .map(|page| {
            let (title, body) = (words(2 * page), words(2 * page + 1));
            let start = head.len() as u32;
            let end = start + title.len() as u32;
            let body_start = end + middle.len() as u32;
            content.push(vec![
                (start, end),
                (body_start, body_start + body.len() as u32),
            ]);
            Text::from_string("page", format!("{head}{title}{middle}{body}{foot}"))
        })
        .collect();
    (texts, content)
}

#[test]
fn a_known_division_is_found_to_the_letter() {
    let (texts, content) = known_corpus();
    let index = Index::new(chars::encode(&texts)).unwrap();
    for settings in [
        Settings::default(),
        Settings::default().search(Search::Global),
    ] {
        let template = find_optimal(&index, settings).template(&index);
        for ((page, spans), text) in template.iter().zip(&content).zip(&texts) {
            let gaps: Vec<(u32, u32)> = page
                .windows(2)
                .map(|pair| (pair[0].end, pair[1].start))
                .collect();
            assert_eq!(&gaps, spans);
            assert_eq!(
                (page[0].start, page.last().unwrap().end as usize),
                (0, text.as_str().len())
            );
        }
    }
}

#[test]
fn no_pages_and_empty_pages_are_no_obstacle() {
    for pages in [&[][..], &[""], &["a"], &["", "ab"]] {
        let texts: Vec<Text> = pages
            .iter()
            .map(|page| Text::from_string("page", *page))
            .collect();
        let index = Index::new(chars::encode(&texts)).unwrap();
        for search in [Search::Greedy, Search::Global] {
            let found = find_optimal(&index, Settings::default().search(search));
            assert_eq!(found.template(&index).len(), pages.len());
        }
    }
}

#[test]
fn delimiters_stay_at_the_ends_of_n_grams() {
    // `a>b` is the only thing that repeats; with `>` as a delimiter no 3-gram may hold it inside.
    let texts = [
        Text::from_string("1", "xa>by"),
        Text::from_string("2", "za>bw"),
    ];
    let index = Index::new(chars::encode(&texts)).unwrap();
    let plain = Landscape::new(&index, Settings::default()).template(3, 1);
    assert_eq!(
        plain[0]
            .iter()
            .map(|span| span.of(texts[0].as_str()))
            .collect::<Vec<_>>(),
        ["a>b"]
    );
    let aware = Landscape::new(&index, Settings::default().delimiters("<>.?")).template(3, 1);
    assert_ne!(plain, aware);
}
