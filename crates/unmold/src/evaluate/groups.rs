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
use std::hash::Hash;

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
    pub fn of<T: Hash + Eq + Copy, F: Hash + Eq + Copy>(truth: &[Option<T>], found: &[Option<F>]) -> Self {
        let (truth, found) = (alone(truth), alone(found));
        let both: Vec<_> = truth.iter().zip(&found).collect();
        let (by_truth, by_found, by_both) = (counted(&truth), counted(&found), counted(both.iter().copied()));
        let together = |page: &(_, _)| by_both[page] as f64;
        let precision = mean(both.iter().map(|page| together(page) / by_found[page.1] as f64));
        let recall = mean(both.iter().map(|page| together(page) / by_truth[page.0] as f64));
        let pairs = [pairs(by_both.into_values()), pairs(by_truth.into_values()), pairs(by_found.into_values())];
        let rand = adjusted_rand(pairs, two_of(truth.len()));
        Score { f1: f1(precision, recall), precision, recall, rand, pages: truth.len() }
    }
}

/// Groups, where each page without one is a group of its own.
fn alone<T: Copy>(groups: &[Option<T>]) -> Vec<Result<T, usize>> {
    groups.iter().enumerate().map(|(page, group)| group.ok_or(page)).collect()
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
    if most == by_chance { 1.0 } else { (both - by_chance) / (most - by_chance) }
}
