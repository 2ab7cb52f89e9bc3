//! Were the records that a page lists found, and nothing else?
//!
//! IEPAD's three measures: *retrieval* is the share of true records that were found, *accuracy* the
//! share of given records that are true, and the *matching percentage* says how much of a true
//! record the given one has, as a list may hold a part of each record only. A record counts as
//! found if that is more than a bound, which the paper leaves to the user: here it is four fifths
//! of the true record's words. Records are paired one to one, in the order of the page. Over a page
//! the matching percentage is the mean of the records that were found.
//!
//! ```
//! use unmold::evaluate::records::PageScore;
//!
//! let truth = ["first post of all", "a second one"];
//! let found = PageScore::of(&truth, &[vec!["menu", "first post of all", "a second one, too"]], 1).unwrap();
//! assert_eq!((found.retrieval(), found.accuracy()), (1.0, 2.0 / 3.0));
//!
//! // Of the first record one word of five is missing, of the second none.
//! let truth = ["first post of all time", "a second one"];
//! let found = PageScore::of(&truth, &[vec!["first post of all", "a second one"]], 1).unwrap();
//! assert_eq!((found.retrieval(), found.matching()), (1.0, 0.9));
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageScore {
    /// True records that were found.
    pub found: usize,
    /// Records that were given.
    pub given: usize,
    /// True records.
    pub truth: usize,
    /// The shares of the words of those that were found, added up.
    pub matched: f64,
}

impl PageScore {
    /// Takes the best of the first lists that were found; nothing if the page has no true record to
    /// look for.
    pub fn of<T: AsRef<str>, L: AsRef<str>>(
        truth: &[T],
        lists: &[Vec<L>],
        first: usize,
    ) -> Option<Self> {
        let truth: Vec<String> = truth.iter().map(|record| folded(record.as_ref())).collect();
        let truth: Vec<Vec<&str>> = truth.iter().map(|record| or_characters(record)).collect();
        let truth: Vec<&Vec<&str>> = truth
            .iter()
            .filter(|words| words.len() >= FEWEST_WORDS)
            .collect();
        if truth.is_empty() {
            return None;
        }
        let mut best = PageScore {
            found: 0,
            given: 0,
            truth: truth.len(),
            matched: 0.0,
        };
        for list in lists.iter().take(first) {
            let Pairs {
                count: found,
                matched,
            } = paired(&truth, list);
            if found > best.found || (found == best.found && list.len() < best.given) {
                best = PageScore {
                    found,
                    given: list.len(),
                    matched,
                    ..best
                };
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

    /// The matching percentage: the mean share of their words that the records that were found
    /// have; 0 where there are none.
    pub fn matching(self) -> f64 {
        ratio(self.matched, self.found as f64)
    }
}

/// Pairs of true records and given ones.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    count: usize,
    /// The shares of the true records' words, added up.
    matched: f64,
}

impl Pairs {
    /// The one with more pairs, of equals the one whose pairs have more in common.
    fn or(self, other: Self) -> Self {
        let is_more =
            other.count > self.count || (other.count == self.count && other.matched > self.matched);
        if is_more { other } else { self }
    }
}

/// How many true records can be paired with given ones, in order.
fn paired<L: AsRef<str>>(truth: &[&Vec<&str>], given: &[L]) -> Pairs {
    let given: Vec<String> = given.iter().map(|record| folded(record.as_ref())).collect();
    let given: Vec<_> = given
        .iter()
        .map(|record| counted(or_characters(record)))
        .collect();
    let mut row = vec![Pairs::default(); given.len() + 1];
    for words in truth {
        let bag = counted(words.iter().copied());
        let mut next = vec![Pairs::default(); row.len()];
        for (place, other) in given.iter().enumerate() {
            let matched = in_common(&bag, other) as f64;
            let is_pair = matched >= SHARED_WORDS * words.len() as f64;
            let before = row[place];
            let with = Pairs {
                count: before.count + 1,
                matched: before.matched + matched / words.len() as f64,
            };
            next[place + 1] =
                row[place + 1]
                    .or(next[place])
                    .or(if is_pair { with } else { Pairs::default() });
        }
        row = next;
    }
    row[given.len()]
}
