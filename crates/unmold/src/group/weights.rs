//! How much does a path say?
//!
//! Paths that stand on exactly the same pages say the same thing over and over: the two hundred
//! paths of a site's frame are one observation, not two hundred. They share a weight of √n instead
//! of having n, so that the frame does not drown the few paths that make a page type. The paths
//! that only one page has are one observation too: that it is different.

use crate::symbols::index::PageSet;
use rapidhash::RapidHashMap;
use serde::{Deserialize, Serialize};

/// Weights are whole numbers, so that sums do not depend on the order of adding.
const ONE: f64 = 65_536.0;

/// What a page is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathSet {
    /// The numbers of the paths that are known, sorted.
    pub paths: Vec<u32>,
    /// How many paths it has that are not.
    pub others: u32,
}

/// The paths of more than one page, numbered, with their weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    numbers: RapidHashMap<u64, u32>,
    weights: Vec<u32>,
}

impl Weights {
    /// Weighs the paths of some pages, each given as a sorted set.
    pub fn of(pages: &[&[u64]]) -> Self {
        let mut holders: RapidHashMap<u64, Vec<usize>> = RapidHashMap::default();
        for (page, paths) in pages.iter().enumerate() {
            paths
                .iter()
                .for_each(|&path| holders.entry(path).or_default().push(page));
        }
        holders.retain(|_, pages| pages.len() > 1);
        let sets: Vec<(u64, PageSet)> = holders
            .into_iter()
            .map(|(path, pages)| (path, pages.into_iter().collect()))
            .collect();
        let mut sizes: RapidHashMap<PageSet, u32> = RapidHashMap::default();
        sets.iter()
            .for_each(|(_, set)| *sizes.entry(*set).or_default() += 1);
        sets.iter()
            .map(|(path, set)| (*path, weight(sizes[set])))
            .collect()
    }

    /// A page in terms of these paths.
    pub fn path_set(&self, paths: &[u64]) -> PathSet {
        let mut known: Vec<u32> = paths
            .iter()
            .filter_map(|path| self.numbers.get(path).copied())
            .collect();
        known.sort_unstable();
        PathSet {
            others: (paths.len() - known.len()) as u32,
            paths: known,
        }
    }

    /// How much of what two pages are made of is in both: weighted Jaccard, as a fraction of 2^32.
    pub fn similarity(&self, one: &PathSet, other: &PathSet) -> u64 {
        let (mut shared, mut at) = (0, 0);
        for path in &one.paths {
            at += other.paths[at..]
                .iter()
                .take_while(|&found| found < path)
                .count();
            if other.paths.get(at) == Some(path) {
                shared += self.weight(*path);
            }
        }
        let union = self.total(one) + self.total(other) - shared;
        (shared << 32).checked_div(union).unwrap_or(0)
    }

    /// The weight of a path by its number.
    pub fn weight(&self, path: u32) -> u64 {
        u64::from(self.weights[path as usize])
    }

    fn total(&self, page: &PathSet) -> u64 {
        let others = (ONE * f64::from(page.others).sqrt()).round() as u64;
        page.paths
            .iter()
            .map(|&path| self.weight(path))
            .sum::<u64>()
            + others
    }

    /// All paths with their weights, by hash.
    pub fn listed(&self) -> Vec<(u64, u32)> {
        let mut listed: Vec<(u64, u32)> = self
            .numbers
            .iter()
            .map(|(&path, &number)| (path, self.weights[number as usize]))
            .collect();
        listed.sort_unstable();
        listed
    }
}

/// Collects paths with their weights, numbering them by hash.
impl FromIterator<(u64, u32)> for Weights {
    fn from_iter<I: IntoIterator<Item = (u64, u32)>>(listed: I) -> Self {
        let mut listed: Vec<(u64, u32)> = listed.into_iter().collect();
        listed.sort_unstable();
        Weights {
            numbers: listed
                .iter()
                .zip(0..)
                .map(|(&(path, _), number)| (path, number))
                .collect(),
            weights: listed.into_iter().map(|(_, weight)| weight).collect(),
        }
    }
}

/// The weight of each of `count` paths that together weigh √count.
fn weight(count: u32) -> u32 {
    (ONE / f64::from(count).sqrt()).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_always_come_together_share_a_weight() {
        // 1 to 4 stand on all pages, 5 on two of them, 6 on one.
        let pages: [&[u64]; 3] = [&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5], &[1, 2, 3, 4, 6]];
        let weights = Weights::of(&pages);
        let listed = weights.listed();
        assert_eq!(
            listed.iter().map(|&(path, _)| path).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(listed[0].1, 32_768);
        assert_eq!(listed[4].1, 65_536);
        let sets: Vec<PathSet> = pages.iter().map(|page| weights.path_set(page)).collect();
        assert_eq!(weights.similarity(&sets[0], &sets[1]), 1 << 32);
        // Four halves shared, of four in all: one is on two pages, and one on the third alone.
        assert_eq!(weights.similarity(&sets[0], &sets[2]), (2 << 32) / 4);
        assert_eq!(
            weights.similarity(&PathSet::default(), &PathSet::default()),
            0
        );
    }
}
