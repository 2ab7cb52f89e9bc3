//! Which pages are nearer to each other than to any others?
//!
//! Average linkage: the two groups whose pages are most similar on average become one, until no two
//! are similar enough. Chains of nearest neighbours (Murtagh 1983) find all such pairs in O(n²)
//! time and memory for n pages. Averages are kept as exact sums, so the outcome depends on nothing
//! but the similarities; ties go to the first page.

use rayon::prelude::*;

/// Groups of items with the sums of similarities between them.
#[derive(Clone, Debug)]
pub(super) struct Linkage {
    /// The items of each group; empty for a group that went into another.
    members: Vec<Vec<usize>>,
    /// For each pair of groups, the similarities of all pairs of their items, added up.
    sums: Vec<Vec<u64>>,
}

/// An average: a sum and by how much it is to be divided.
#[derive(Clone, Copy, Debug)]
struct Average(u64, u64);

impl Average {
    fn is_over(self, other: Average) -> bool {
        u128::from(self.0) * u128::from(other.1) > u128::from(other.0) * u128::from(self.1)
    }
}

/// A similarity from 0 to 1 as a fraction of 2^32.
pub(super) fn fraction(similarity: f64) -> u64 {
    (similarity * 4_294_967_296.0) as u64
}

impl Linkage {
    /// Every item alone; similarities are fractions of 2^32.
    pub fn new(items: usize, similarity: impl Fn(usize, usize) -> u64 + Sync) -> Self {
        let row = |one: usize| {
            (0..items)
                .map(|other| {
                    if one == other {
                        0
                    } else {
                        similarity(one, other)
                    }
                })
                .collect()
        };
        Linkage {
            members: (0..items).map(|item| vec![item]).collect(),
            sums: (0..items).into_par_iter().map(row).collect(),
        }
    }

    /// Joins groups until no two are similar enough on average.
    pub fn join_above(&mut self, least: f64) {
        let least = Average(fraction(least), 1);
        let mut active: Vec<usize> = self.groups().collect();
        let mut chain: Vec<usize> = Vec::new();
        while let Some(&first) = active.first() {
            let last = *chain.last().unwrap_or(&first);
            if chain.is_empty() {
                chain.push(last);
            }
            let before = chain.len().checked_sub(2).map(|at| chain[at]);
            match self.nearest(last, before, &active) {
                // Similarity grows along the chain, and joining others never brings anything nearer
                // than it was: none of these will be joined again.
                Some(near) if least.is_over(self.average(last, near)) => {
                    active.retain(|group| !chain.contains(group));
                    chain.clear();
                }
                None => active.clear(),
                Some(near) if Some(near) == before => {
                    chain.truncate(chain.len() - 2);
                    let (kept, gone) = (near.min(last), near.max(last));
                    self.join(kept, gone);
                    active.retain(|&group| group != gone);
                }
                Some(near) => chain.push(near),
            }
        }
    }

    /// The most similar group; among equals `preferred`, then the first.
    fn nearest(&self, group: usize, preferred: Option<usize>, active: &[usize]) -> Option<usize> {
        let others = preferred
            .into_iter()
            .chain(active.iter().copied())
            .filter(|&other| other != group);
        others.reduce(|best, other| {
            if self
                .average(group, other)
                .is_over(self.average(group, best))
            {
                other
            } else {
                best
            }
        })
    }

    fn average(&self, one: usize, other: usize) -> Average {
        let pairs = self.members[one].len() * self.members[other].len();
        Average(self.sums[one][other], pairs as u64)
    }

    /// The average similarity of the items of two groups, from 0 to 1.
    pub fn similarity(&self, one: usize, other: usize) -> f64 {
        let Average(sum, pairs) = self.average(one, other);
        sum as f64 / pairs as f64 / 4_294_967_296.0
    }

    /// Makes two groups one, under the number of the first.
    pub fn join(&mut self, kept: usize, gone: usize) {
        let moved = std::mem::take(&mut self.members[gone]);
        self.members[kept].extend(moved);
        self.members[kept].sort_unstable();
        for other in 0..self.sums.len() {
            let sum = self.sums[kept][other] + self.sums[gone][other];
            self.sums[kept][other] = sum;
            self.sums[other][kept] = sum;
        }
    }

    /// The numbers of the groups.
    pub fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.members.len()).filter(|&group| !self.members[group].is_empty())
    }

    /// The items of a group, sorted.
    pub fn members(&self, group: usize) -> &[usize] {
        &self.members[group]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn groups(linkage: &Linkage) -> Vec<Vec<usize>> {
        linkage
            .groups()
            .map(|group| linkage.members(group).to_vec())
            .collect()
    }

    /// Joins the best pair of all, again and again.
    fn naive(
        items: usize,
        similarity: &dyn Fn(usize, usize) -> u64,
        least: f64,
    ) -> Vec<Vec<usize>> {
        let mut linkage = Linkage::new(items, |_, _| 0);
        linkage.sums = (0..items)
            .map(|a| {
                (0..items)
                    .map(|b| if a == b { 0 } else { similarity(a, b) })
                    .collect()
            })
            .collect();
        loop {
            let all: Vec<usize> = linkage.groups().collect();
            let pairs = all
                .iter()
                .flat_map(|&a| all.iter().filter(move |&&b| a < b).map(move |&b| (a, b)));
            let best = pairs.reduce(|x, y| {
                if linkage.similarity(y.0, y.1) > linkage.similarity(x.0, x.1) {
                    y
                } else {
                    x
                }
            });
            match best {
                Some((a, b)) if linkage.similarity(a, b) >= least => linkage.join(a, b),
                _ => return groups(&linkage),
            }
        }
    }

    proptest! {
        #[test]
        fn chains_find_what_exhaustive_search_finds(items in 0usize..24, seed: u64) {
            // Ties may be broken in different ways, so there must be none, among averages either: a
            // hash that is linear in the pair makes equal sums, one that mixes does not.
            let similarity = |a: usize, b: usize| {
                let mut bits = seed.wrapping_add(((a.min(b) * 24 + a.max(b) + 1) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                (bits ^ (bits >> 31)) >> 32
            };
            let mut linkage = Linkage::new(items, similarity);
            linkage.join_above(0.45);
            prop_assert_eq!(groups(&linkage), naive(items, &similarity, 0.45));
        }
    }
}
