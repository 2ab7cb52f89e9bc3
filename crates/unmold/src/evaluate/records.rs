//! Were the records that a page lists found, and nothing else?
//!
//! IEPAD's two measures: *retrieval* is the share of true records that were found, *accuracy* the share of given records that
//! are true. Records are paired one to one, in the order of the page; a pair needs four fifths of the true record's words.
//!
//! ```
//! use unmold::evaluate::records::PageScore;
//!
//! let truth = ["first post of all", "a second one"];
//! let found = PageScore::of(&truth, &[vec!["menu", "first post of all", "a second one, too"]], 1).unwrap();
//! assert_eq!((found.retrieval(), found.accuracy()), (1.0, 2.0 / 3.0));
//! ```

use super::{
    ratio,
    words::{counted, folded, in_common, or_characters},
};

/// A true record needs this many words: one of a picture alone says nothing.
const FEWEST_WORDS: usize = 2;
/// A given record is a true one if it has this share of its words.
const SHARED_WORDS: f64 = 0.8;

/// What was found on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageScore {
    /// True records that were found.
    pub found: usize,
    /// Records that were given.
    pub given: usize,
    /// True records.
    pub truth: usize,
}

impl PageScore {
    /// Takes the best of the first lists that were found; nothing if the page has no true record to look for.
    pub fn of<T: AsRef<str>, L: AsRef<str>>(truth: &[T], lists: &[Vec<L>], first: usize) -> Option<Self> {
        let truth: Vec<String> = truth.iter().map(|record| folded(record.as_ref())).collect();
        let truth: Vec<Vec<&str>> = truth.iter().map(|record| or_characters(record)).collect();
        let truth: Vec<&Vec<&str>> = truth.iter().filter(|words| words.len() >= FEWEST_WORDS).collect();
        if truth.is_empty() {
            return None;
        }
        let mut best = PageScore { found: 0, given: 0, truth: truth.len() };
        for list in lists.iter().take(first) {
            let found = paired(&truth, list);
            if found > best.found || (found == best.found && list.len() < best.given) {
                best = PageScore { found, given: list.len(), ..best };
            }
        }
        Some(best)
    }

    /// The share of true records that were found.
    pub fn retrieval(self) -> f64 {
        ratio(self.found as f64, self.truth as f64)
    }

    /// The share of given records that are true.
    pub fn accuracy(self) -> f64 {
        ratio(self.found as f64, self.given as f64)
    }
}

/// How many true records can be paired with given ones, in order.
fn paired<L: AsRef<str>>(truth: &[&Vec<&str>], given: &[L]) -> usize {
    let given: Vec<String> = given.iter().map(|record| folded(record.as_ref())).collect();
    let given: Vec<_> = given.iter().map(|record| counted(or_characters(record))).collect();
    let mut row = vec![0; given.len() + 1];
    for words in truth {
        let bag = counted(words.iter().copied());
        let mut next = vec![0; row.len()];
        for (place, other) in given.iter().enumerate() {
            let is_pair = in_common(&bag, other) as f64 >= SHARED_WORDS * words.len() as f64;
            next[place + 1] = row[place + 1].max(next[place]).max(if is_pair { row[place] + 1 } else { 0 });
        }
        row = next;
    }
    row[given.len()]
}
