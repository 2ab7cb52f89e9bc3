//! Which n-grams are template, if the frequent ones are?
//!
//! Mark every letter that some frequent n-gram covers. If n is too small or the bar for "frequent"
//! too high, marked and unmarked stretches alternate wildly; where they alternate least, the marked
//! ones are the template. That number of changes is the *alternation count*:
//!
//! ```
//! use unmold::papers::cut_point::{alternation_count, range_string};
//!
//! let range = range_string("accbaacbc", &["cb", "ba"]);
//! assert_eq!(range, "110001001");
//! assert_eq!(alternation_count(&range), 4);
//! ```
//!
//! A *cut point* (n, a) takes the a per cent most frequent different n-grams. [`Landscape`] knows
//! the alternation count of every cut point; [`find_optimal`] walks down on it from (2, 1), making
//! n or a one larger, whichever count is smaller, as long as it falls:
//!
//! ```
//! use unmold::{Text, papers::cut_point::{Settings, find_optimal}, symbols::{encode::chars, index::Index}};
//!
//! let report = |number: u64| {
//!     let content = format!("{:x}", number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
//!     Text::from_string("report", format!("<html><h1>Report</h1><p>{content}</p><hr>All rights reserved</html>"))
//! };
//! let pages: Vec<Text> = (1..=40).map(report).collect();
//! let index = Index::new(chars::encode(&pages))?;
//! let found = find_optimal(&index, Settings::default());
//! let template = found.template(&index);
//! let parts: Vec<_> = template[0].iter().map(|span| span.of(pages[0].as_str())).collect();
//! assert_eq!(parts, ["<html><h1>Report</h1><p>", "</p><hr>All rights reserved</html>"]);
//! # Ok::<(), unmold::symbols::index::IndexError>(())
//! ```
//!
//! # Papers
//!
//! D. Ikeda, Y. Yamada, S. Hirokawa, *Eliminating Useless Parts in Semi-structured Documents using
//! Alternation Counts*, 2001 (white space folded:
//! [`chars::encode_folding_space`](crate::symbols::encode::chars::encode_folding_space)), and Y.
//! Yamada, D. Ikeda, S. Hirokawa, 2004 (raw text:
//! [`chars::encode`](crate::symbols::encode::chars::encode)).
//!
//! Where the papers are loose: an n-gram is n letters (figure 2 writes `x[i..i + n]`, which would
//! be n + 1); n-grams do not cross pages, and counts are summed over pages (figure 2 joins all
//! pages); "the first a/100" of the n-grams is rounded down, and is at least one. The papers cut
//! inside groups of equally frequent n-grams by accident of sorting; here [`Ties`] says how.
//!
//! # Cost
//!
//! The papers count in O(n²N + nN log N). Here one row of the landscape, all values of a for one n,
//! is O(N log n) with a small constant, and a walk to (n, a) needs n rows: a letter is template
//! from the smallest a on at which one of the n-grams that cover it is taken, so a boundary between
//! two letters counts exactly for the values of a between theirs, which is one entry in a
//! difference array. That smallest a is one byte a letter. How often n-grams occur is carried from
//! row to row: only classes of equal n-grams that split are counted anew.
//!
//! # Known weakness
//!
//! Values of low entropy ("PG-13", "Public", "In stock") are frequent, so they are taken for
//! template; and on some sites the walk stops at a = 1 with most of the template unmarked.

mod cut;
mod landscape;
mod occurrences;
mod search;

pub use cut::Cut;
pub use landscape::Landscape;
pub use search::{FoundCutPoint, find_optimal, search};

/// A length n, a share a per cent of the n-grams, and what they come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutPoint {
    /// The length of the n-grams.
    pub n: usize,
    /// How many per cent of the different n-grams count as frequent.
    pub a: u8,
    /// The alternation count: changes between template and content, summed over pages.
    pub count: u64,
}

/// What happens to n-grams that are as frequent as the last one taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// All or none: as soon as one is taken, all are. The default: mean accuracy on the project's
    /// six sites is 0.73 against 0.60, and it does not depend on the order of the pages.
    #[default]
    Whole,
    /// Exactly a per cent are taken, as in the papers; among equals, those that come first in
    /// sorted order.
    Split,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// To the first point at which the count rises in both directions: the papers' algorithm.
    #[default]
    Greedy,
    /// To the lowest of all points that some falling path from (2, 1) ends at: what the papers call
    /// optimal cut points, of which the greedy walk finds one. A point without any change between
    /// template and content tells nothing apart, and is none of them.
    Global,
}

/// How cut points are counted and searched.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    ties: Ties,
    search: Search,
    delimiters: String,
}

impl Settings {
    /// Chooses what happens to equally frequent n-grams.
    #[must_use]
    pub fn ties(mut self, ties: Ties) -> Self {
        self.ties = ties;
        self
    }

    /// Chooses how far the search goes.
    #[must_use]
    pub fn search(mut self, search: Search) -> Self {
        self.search = search;
        self
    }

    /// Leaves out n-grams that have one of these characters anywhere but at their ends: the
    /// grammar-aware n-grams that the 2001 paper names as a next step, with `<>.?`. Measured, they
    /// are no gain: 0.45 mean accuracy against 0.73.
    #[must_use]
    pub fn delimiters(mut self, delimiters: impl Into<String>) -> Self {
        self.delimiters = delimiters.into();
        self
    }
}

/// For each character of `text`, `0` if some occurrence of some word covers it, else `1`.
pub fn range_string(text: &str, words: &[&str]) -> String {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let mut range = vec!['1'; starts.len()];
    for (from, &at) in starts.iter().enumerate() {
        for word in words.iter().filter(|word| text[at..].starts_with(**word)) {
            range[from..from + word.chars().count()].fill('0');
        }
    }
    range.into_iter().collect()
}

/// How often neighbours differ in a range string.
pub fn alternation_count(range: &str) -> usize {
    range
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .count()
}
