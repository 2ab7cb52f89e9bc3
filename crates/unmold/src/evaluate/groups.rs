//! Were pages of one template put together, and others kept apart?
//!
//! ```
//! use unmold::evaluate::groups::Score;
//!
//! let truth = [Some("article"), Some("article"), Some("list"), None];
//! let score = Score::of(&truth, &[Some(7), Some(7), None, None]);
//! assert_eq!((score.f1, score.rand), (1.0, 1.0));
//! ```

use super::{f1, mean, words::counted};
use serde::Serialize;
use std::{collections::HashMap, hash::Hash};

/// How well one grouping of pages agrees with another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// B-cubed F1.
    pub f1: f64,
    /// For a page of those grouped with it, the share that belongs with it: the mean over pages.
    pub precision: f64,
    /// For a page of those that belong with it, the share grouped with it: the mean over pages.
    pub recall: f64,
    /// The adjusted Rand index: agreement over pairs of pages, 0 by chance.
    pub rand: f64,
    /// How many pages were compared.
    pub pages: usize,
}

impl Score {
    /// Compares true groups with found ones, page by page; a page without a group stands alone.
    pub fn of<T: Hash + Eq + Copy, F: Hash + Eq + Copy>(
        truth: &[Option<T>],
        found: &[Option<F>],
    ) -> Self {
        let (truth, found) = (alone(truth), alone(found));
        let counts = Counts::of(&truth, &found);
        let (precision, recall): (Vec<f64>, Vec<f64>) = truth
            .iter()
            .zip(&found)
            .map(|page| counts.precision_and_recall(page))
            .unzip();
        let (precision, recall) = (mean(precision), mean(recall));
        let Counts {
            by_truth,
            by_found,
            by_both,
        } = counts;
        let pairs = [
            pairs(by_both.into_values()),
            pairs(by_truth.into_values()),
            pairs(by_found.into_values()),
        ];
        let rand = adjusted_rand(pairs, two_of(truth.len()));
        Score {
            f1: f1(precision, recall),
            precision,
            recall,
            rand,
            pages: truth.len(),
        }
    }
}

/// B-cubed F1 of each page: how well those that it was put with are those that it belongs with.
///
/// ```
/// use unmold::evaluate::groups::by_page;
///
/// let truth = [Some("article"), Some("article"), Some("list")];
/// assert_eq!(by_page(&truth, &[Some(7), Some(8), Some(9)]), [2.0 / 3.0, 2.0 / 3.0, 1.0]);
/// ```
pub fn by_page<T: Hash + Eq + Copy, F: Hash + Eq + Copy>(
    truth: &[Option<T>],
    found: &[Option<F>],
) -> Vec<f64> {
    let (truth, found) = (alone(truth), alone(found));
    let counts = Counts::of(&truth, &found);
    let of_page = |page| {
        let (precision, recall) = counts.precision_and_recall(page);
        f1(precision, recall)
    };
    truth.iter().zip(&found).map(of_page).collect()
}

/// How many pages each true group has, each found one, and each pair of both.
struct Counts<'g, T, F> {
    by_truth: HashMap<&'g T, usize>,
    by_found: HashMap<&'g F, usize>,
    by_both: HashMap<(&'g T, &'g F), usize>,
}

impl<'g, T: Hash + Eq, F: Hash + Eq> Counts<'g, T, F> {
    fn of(truth: &'g [T], found: &'g [F]) -> Self {
        Counts {
            by_truth: counted(truth),
            by_found: counted(found),
            by_both: counted(truth.iter().zip(found)),
        }
    }

    fn precision_and_recall(&self, page: (&'g T, &'g F)) -> (f64, f64) {
        let together = self.by_both[&page] as f64;
        (
            together / self.by_found[page.1] as f64,
            together / self.by_truth[page.0] as f64,
        )
    }
}

/// Groups, where each page without one is a group of its own.
fn alone<T: Copy>(groups: &[Option<T>]) -> Vec<Result<T, usize>> {
    groups
        .iter()
        .enumerate()
        .map(|(page, group)| group.ok_or(page))
        .collect()
}

fn two_of(count: usize) -> f64 {
    count as f64 * (count as f64 - 1.0) / 2.0
}

fn pairs(sizes: impl Iterator<Item = usize>) -> f64 {
    sizes.map(two_of).sum()
}

fn adjusted_rand([both, truth, found]: [f64; 3], all: f64) -> f64 {
    let by_chance = if all > 0.0 { truth * found / all } else { 0.0 };
    let most = (truth + found) / 2.0;
    if most == by_chance {
        1.0
    } else {
        (both - by_chance) / (most - by_chance)
    }
}
