//! How well was the main text of pages found?
//!
//! Two measures that are in use: strings of four words, summed over the pages of a site (the
//! article extraction benchmark), and bags of words, page by page (WCXB).
//!
//! ```
//! use unmold::evaluate::content::{Overlap, Score, word_f1};
//!
//! let truth = "the river rose by two metres";
//! let score = Score::over([Overlap::of("the river rose by two metres overnight", truth)]);
//! assert_eq!((score.precision, score.recall), (0.75, 1.0));
//! assert_eq!(word_f1("The river", "the river"), 1.0);
//! ```

use super::{
    f1, ratio,
    words::{self, counted, in_common},
};
use serde::Serialize;

/// This many words make a string.
const SHINGLE: usize = 4;

/// What a found text and the true one of a page have in common, as shares of all they have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    both: f64,
    only_found: f64,
    only_true: f64,
}

impl Overlap {
    /// Compares the text that was found on a page with the true one.
    pub fn of(found: &str, truth: &str) -> Self {
        let (found, truth) = (tokens(found), tokens(truth));
        let (found, truth) = (counted(shingles(&found)), counted(shingles(&truth)));
        let both = in_common(&found, &truth);
        let (found, truth) = (found.values().sum::<usize>(), truth.values().sum::<usize>());
        let share = |count: usize| ratio(count as f64, (found + truth - both) as f64);
        Overlap {
            both: share(both),
            only_found: share(found - both),
            only_true: share(truth - both),
        }
    }

    /// F1 of this page alone; 1 where there is nothing and nothing was found.
    pub fn f1(self) -> f64 {
        if self == Overlap::default() {
            1.0
        } else {
            Score::over([self]).f1
        }
    }
}

fn tokens(text: &str) -> Vec<&str> {
    if words::is_unspaced(text) {
        words::characters(text)
    } else {
        words::of(text)
    }
}

/// Strings of four words; all of a text that is shorter.
fn shingles<'w>(words: &'w [&'w str]) -> impl Iterator<Item = &'w [&'w str]> {
    let length = SHINGLE.min(words.len()).max(1);
    words.windows(length)
}

/// Precision, recall and F1 over the pages of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The harmonic mean of the other two.
    pub f1: f64,
    /// The share of what was found that is true.
    pub precision: f64,
    /// The share of what is true that was found.
    pub recall: f64,
    /// How many pages were compared.
    pub pages: usize,
}

impl Score {
    /// Adds pages up: each counts the same, however long it is.
    pub fn over(pages: impl IntoIterator<Item = Overlap>) -> Self {
        let (mut all, mut count) = (Overlap::default(), 0);
        for page in pages {
            all.both += page.both;
            all.only_found += page.only_found;
            all.only_true += page.only_true;
            count += 1;
        }
        let precision = ratio(all.both, all.both + all.only_found);
        let recall = ratio(all.both, all.both + all.only_true);
        Score {
            f1: f1(precision, recall),
            precision,
            recall,
            pages: count,
        }
    }
}

/// The overlap of two texts as bags of lower-case words: twice what they share, divided by all they
/// have.
pub fn word_f1(found: &str, truth: &str) -> f64 {
    let (found, truth) = (found.to_lowercase(), truth.to_lowercase());
    let (found, truth) = (counted(words::of(&found)), counted(words::of(&truth)));
    let all = found.values().sum::<usize>() + truth.values().sum::<usize>();
    if all == 0 {
        1.0
    } else {
        2.0 * in_common(&found, &truth) as f64 / all as f64
    }
}
