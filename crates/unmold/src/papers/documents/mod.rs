//! Which strings are on too many pages to be content?
//!
//! Pages of one site say different things in the same frame. So a string of words that stands on
//! nearly all of them is frame, and how many pages are "nearly all" can be read off the pages:
//! count strings by the number of pages they are on, and there are many on few pages (language) and
//! many on nearly all (template), with a valley between.
//!
//! ```
//! use unmold::{Text, papers::documents, read::mutable::Mutables, symbols::{encode::Flat, index::Index}};
//!
//! let pages = ["fishes", "stones", "clouds", "horses"].map(|word| {
//!     Text::from_string(word, format!("Permanent link | no responses | About {word} and more | Read more"))
//! });
//! let index = Index::new(Flat::default().with_mutables(Mutables::common()).encode(&pages))?;
//! let found = documents::find(&index, &documents::Settings::default());
//! assert_eq!(found.cutoff_pages(), 3);
//! let mut strings: Vec<_> = found.template().map(|string| index.show_run(string.positions())).collect();
//! strings.sort();
//! assert_eq!(strings, ["Permanent link | no responses | About", "and more | Read more"]);
//! # Ok::<(), unmold::symbols::index::IndexError>(())
//! ```
//!
//! # The method
//!
//! 1. Pages are read [flat](crate::symbols::encode::Flat), with dates, numbers and other
//!    [mutable patterns](crate::read::mutable) as one symbol each.
//! 2. Of all strings that repeat, only *maximal* ones count: those that are not merely part of a
//!    longer string with the same occurrences. Strings on one page only and single symbols are
//!    dropped.
//! 3. The [`Histogram`] of the number of pages that strings are on, in 100 bins, is cut where two
//!    clusters explain it best (equation 3.1). What is on the right is template.
//!
//! [`strings::rule`](crate::strings::rule) makes regular expressions of them, and
//! [`strings::apply`](crate::strings::apply) takes them out of pages.
//!
//! # Cost
//!
//! One walk over the nodes of the index, and 40 bytes for each maximal string that is on two pages.
//!
//! # Paper
//!
//! L. Foschini, *A fast and parameter-free template detection method for web pages and online
//! newspapers*, thesis, Pisa
//! 2007. Departures: punctuation marks are symbols of their own rather than part of words, so that
//!       `Home</a>` and
//! `Home</b>` both hold `Home`; x and y of equation 3.1 are solved for each cut rather than
//! searched; where cuts are equally good the one nearest to the middle counts, which decides the
//! cases that the thesis leaves open (no template at all, or nothing else).

mod histogram;

pub use histogram::{BINS, Histogram};

use crate::symbols::index::{Index, Node};
use rayon::prelude::*;
use std::ops::Range;

/// Which strings are looked at.
#[derive(Clone, Debug)]
pub struct Settings {
    min_pages: usize,
    min_symbols: usize,
    cutoff: Option<usize>,
}

impl Default for Settings {
    /// As in the thesis: on two pages at least, two symbols at least, and the cut where equation
    /// 3.1 puts it.
    fn default() -> Self {
        Settings {
            min_pages: 2,
            min_symbols: 2,
            cutoff: None,
        }
    }
}

impl Settings {
    /// Drops strings that are on fewer pages; at least 1.
    #[must_use]
    pub fn min_pages(mut self, pages: usize) -> Self {
        self.min_pages = pages.max(1);
        self
    }

    /// Drops strings of fewer symbols; at least 1.
    #[must_use]
    pub fn min_symbols(mut self, symbols: usize) -> Self {
        self.min_symbols = symbols.max(1);
        self
    }

    /// Takes strings in this bin and those above it for template, instead of where equation 3.1
    /// cuts.
    #[must_use]
    pub fn cutoff(mut self, bin: usize) -> Self {
        self.cutoff = Some(bin);
        self
    }
}

/// A maximal string: one of its occurrences, and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maximal {
    /// The first row of its occurrences in the index; they take [`tf`](Self::tf) rows.
    pub first: usize,
    /// The position of the first of them.
    pub position: usize,
    /// How many symbols it has.
    pub length: usize,
    /// How often it occurs.
    pub tf: usize,
    /// On how many pages.
    pub df: usize,
}

impl Maximal {
    /// The positions of one of its occurrences.
    pub fn positions(&self) -> Range<usize> {
        self.position..self.position + self.length
    }
}

/// The maximal strings of pages, and which of them are template.
#[derive(Clone, Debug)]
pub struct FrequentStrings {
    pages: usize,
    strings: Vec<Maximal>,
    histogram: Histogram,
    cutoff: usize,
}

/// Finds the maximal strings of an index and where to cut.
pub fn find(index: &Index, settings: &Settings) -> FrequentStrings {
    let strings: Vec<Maximal> = index
        .par_nodes_with::<()>()
        .filter(|node| {
            node.left_diverse && node.df >= settings.min_pages && node.depth >= settings.min_symbols
        })
        .map(
            |Node {
                 first,
                 depth,
                 tf,
                 df,
                 ..
             }| Maximal {
                first,
                position: index.suffix(first),
                length: depth,
                tf,
                df,
            },
        )
        .collect();
    let pages = index.symbols().pages().count();
    let histogram = Histogram::of(pages, strings.iter().map(|string| string.df));
    let cutoff = settings.cutoff.unwrap_or_else(|| histogram.cutoff());
    FrequentStrings {
        pages,
        strings,
        histogram,
        cutoff,
    }
}

impl FrequentStrings {
    /// How many strings are on how many pages.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// The lowest bin that is template.
    pub fn cutoff(&self) -> usize {
        self.cutoff
    }

    /// On how many pages a string must be to be template.
    pub fn cutoff_pages(&self) -> usize {
        self.cutoff * self.pages / BINS + 1
    }

    /// All maximal strings, in the order of the index.
    pub fn strings(&self) -> &[Maximal] {
        &self.strings
    }

    /// Those that are template.
    pub fn template(&self) -> impl Iterator<Item = &Maximal> {
        self.strings
            .iter()
            .filter(|string| string.df >= self.cutoff_pages())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Text, symbols::encode::Flat};

    #[test]
    fn bins_and_pages_say_the_same() {
        for pages in 1..300 {
            for cutoff in 0..BINS {
                let found = FrequentStrings {
                    pages,
                    strings: Vec::new(),
                    histogram: Histogram::of(pages, []),
                    cutoff,
                };
                let lowest = (1..=pages).find(|&df| Histogram::bin(pages, df) >= cutoff);
                assert_eq!(
                    lowest,
                    (found.cutoff_pages() <= pages).then_some(found.cutoff_pages())
                );
            }
        }
    }

    #[test]
    fn parts_of_longer_strings_are_not_strings() {
        let pages = ["x one two three y", "z one two three w", "q two three"]
            .map(|page| Text::from_string(page, page));
        let index = Index::new(Flat::default().encode(&pages)).unwrap();
        let found = find(&index, &Settings::default());
        let mut strings: Vec<_> = found
            .strings()
            .iter()
            .map(|string| (index.show_run(string.positions()), string.df))
            .collect();
        strings.sort();
        assert_eq!(
            strings,
            [("one two three".to_owned(), 2), ("two three".to_owned(), 3)]
        );
    }
}
