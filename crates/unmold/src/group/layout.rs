//! Which pages are built alike?
//!
//! All pairs of pages are compared, but only among a sample: up to [`SAMPLE`] pages are grouped by average linkage, each
//! other page then goes to the group it is nearest to, and what fits none is sampled again. The cost is linear in the
//! number of pages; up to [`SAMPLE`] pages nothing is sampled at all.

use super::{
    features::Features,
    linkage::Linkage,
    template::Profile,
    weights::{PathSet, Weights},
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// How many pages are compared all with all.
const SAMPLE: usize = 1000;

/// Pages belong together if they share this much of what they are made of, on average. Of 0.35, 0.4, ... 0.65 it did
/// best over four collections together: page types of two large sites among noise, product sites, news sites, and the
/// documentation of a programming language.
pub(super) const ALIKE: f64 = 0.45;

/// Groups less similar than this are not even asked whether they are one template with optional parts.
const RELATED: f64 = 0.3;

/// Below this many pages, what a group has in common is chance.
const FEWEST: usize = 3;

/// A group is known by this many of its pages.
const EXEMPLARS: usize = 8;

/// Paths with their weights, and the pages by which groups are known in terms of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scale {
    pub weights: Weights,
}

/// Pages that are built alike.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Which scale it was found with.
    pub scale: usize,
    /// Its pages, sorted.
    pub pages: Vec<usize>,
}

/// The layouts of some pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Layouts {
    pub scales: Vec<Scale>,
    pub layouts: Vec<Layout>,
}

impl Layouts {
    /// Finds the layouts of pages, each given by its features and a number that is the same in any order of pages.
    pub fn of(pages: &[Features], keys: &[u64]) -> Self {
        let mut found = Layouts::default();
        let mut pool: Vec<usize> = (0..pages.len()).filter(|&page| !pages[page].paths.is_empty()).collect();
        // Rounds that find little must not make the whole quadratic.
        let rounds = 2 + 2 * pool.len().div_ceil(SAMPLE) as u64;
        for round in 0..rounds {
            let sample = sample(&pool, keys, round);
            let was_whole = sample.len() == pool.len();
            let placed = found.round(pages, &pool, &sample);
            pool.retain(|page| !placed.contains(page));
            if was_whole || pool.is_empty() {
                break;
            }
        }
        found
    }

    /// Groups the sample, places the other pages of the pool, and says which pages have a layout now.
    fn round(&mut self, pages: &[Features], pool: &[usize], sample: &[usize]) -> HashSet<usize> {
        let paths: Vec<&[u64]> = sample.iter().map(|&page| pages[page].paths.as_slice()).collect();
        let weights = Weights::of(&paths);
        let mut groups = groups(&weights, &paths);
        groups.iter_mut().flatten().for_each(|member| *member = sample[*member]);
        let known = Exemplars::of(&weights, groups.iter().map(|group| (group.as_slice(), pages)));
        let sampled: HashSet<usize> = sample.iter().copied().collect();
        let others: Vec<usize> = pool.iter().copied().filter(|page| !sampled.contains(page)).collect();
        let nearest: Vec<Option<Near>> =
            others.par_iter().map(|&page| known.nearest(&weights, &weights.path_set(&pages[page].paths))).collect();
        for (page, near) in others.into_iter().zip(nearest) {
            if let Some(near) = near.filter(|near| near.similarity >= ALIKE) {
                groups[near.group].push(page);
            }
        }
        let placed = groups.iter().flatten().copied().collect();
        self.push(weights, groups);
        placed
    }

    fn push(&mut self, weights: Weights, groups: Vec<Vec<usize>>) {
        if groups.is_empty() {
            return;
        }
        let scale = self.scales.len();
        self.scales.push(Scale { weights });
        self.layouts.extend(groups.into_iter().map(|mut pages| {
            pages.sort_unstable();
            Layout { scale, pages }
        }));
    }
}

/// The pages of the pool with the smallest keys, sorted; another round, another choice.
fn sample(pool: &[usize], keys: &[u64], round: u64) -> Vec<usize> {
    let key =
        |page: usize| (keys[page] ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mut sample = pool.to_vec();
    sample.sort_unstable_by_key(|&page| (key(page), page));
    sample.truncate(SAMPLE);
    sample.sort_unstable();
    sample
}

/// The groups of at least two pages, by average linkage and then by template.
fn groups(weights: &Weights, pages: &[&[u64]]) -> Vec<Vec<usize>> {
    let sets: Vec<PathSet> = pages.par_iter().map(|paths| weights.path_set(paths)).collect();
    let mut linkage = Linkage::new(pages.len(), |one, other| weights.similarity(&sets[one], &sets[other]));
    linkage.join_above(ALIKE);
    join_same_templates(&mut linkage, pages);
    linkage.groups().map(|group| linkage.members(group).to_vec()).filter(|members| members.len() > 1).collect()
}

/// Joins groups that have nothing of their own against each other, the most similar first.
fn join_same_templates(linkage: &mut Linkage, pages: &[&[u64]]) {
    let of = |linkage: &Linkage, group: usize| Profile::of(linkage.members(group).iter().map(|&page| pages[page]));
    let mut profiles: HashMap<usize, Profile> = HashMap::new();
    for group in linkage.groups().filter(|&group| linkage.members(group).len() >= FEWEST) {
        profiles.insert(group, of(linkage, group));
    }
    while let Some((kept, gone)) = most_similar_twins(linkage, &profiles) {
        linkage.join(kept, gone);
        profiles.remove(&gone);
        profiles.insert(kept, of(linkage, kept));
    }
}

fn most_similar_twins(linkage: &Linkage, profiles: &HashMap<usize, Profile>) -> Option<(usize, usize)> {
    let mut groups: Vec<usize> = profiles.keys().copied().collect();
    groups.sort_unstable();
    let pairs = groups.iter().flat_map(|&one| groups.iter().filter(move |&&other| one < other).map(move |&o| (one, o)));
    let twins =
        pairs.map(|(one, other)| (linkage.similarity(one, other), one, other)).filter(|&(similarity, one, other)| {
            similarity >= RELATED && profiles[&one].is_same_template(&profiles[&other])
        });
    let (_, one, other) = twins.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some((one, other))
}

/// Which group a page is nearest to, and how near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    pub group: usize,
    pub similarity: f64,
}

/// Groups as some of their pages, and which groups have which paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Exemplars {
    groups: Vec<Vec<PathSet>>,
    holders: HashMap<u32, Vec<usize>>,
}

/// How many groups are compared in full, of those that share most with a page.
const CANDIDATES: usize = 6;

impl Exemplars {
    /// Takes some pages of each group.
    pub fn of<'a>(weights: &Weights, groups: impl Iterator<Item = (&'a [usize], &'a [Features])>) -> Self {
        groups
            .map(|(members, pages)| {
                spread(members).map(|page| weights.path_set(&pages[page].paths)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The group that a page is most similar to on average; the first among equals.
    pub fn nearest(&self, weights: &Weights, page: &PathSet) -> Option<Near> {
        let near = |group: usize| Near { group, similarity: self.similarity(weights, group, page) };
        let candidates = self.candidates(weights, page).into_iter().map(near);
        candidates.reduce(|best, next| if next.similarity > best.similarity { next } else { best })
    }

    /// How similar a page is to a group, on average.
    pub fn similarity(&self, weights: &Weights, group: usize, page: &PathSet) -> f64 {
        let exemplars = &self.groups[group];
        let sum: u64 = exemplars.iter().map(|exemplar| weights.similarity(exemplar, page)).sum();
        sum as f64 / exemplars.len().max(1) as f64 / 4_294_967_296.0
    }

    /// The groups that share most with a page, in order.
    fn candidates(&self, weights: &Weights, page: &PathSet) -> Vec<usize> {
        let mut shared: HashMap<usize, u64> = HashMap::new();
        for path in &page.paths {
            for &group in self.holders.get(path).into_iter().flatten() {
                *shared.entry(group).or_default() += weights.weight(*path);
            }
        }
        let mut candidates: Vec<(u64, usize)> = shared.into_iter().map(|(group, weight)| (weight, group)).collect();
        candidates.sort_unstable_by_key(|&(weight, group)| (std::cmp::Reverse(weight), group));
        candidates.truncate(CANDIDATES);
        let mut groups: Vec<usize> = candidates.into_iter().map(|(_, group)| group).collect();
        groups.sort_unstable();
        groups
    }
}

/// Collects the exemplars of groups.
impl FromIterator<Vec<PathSet>> for Exemplars {
    fn from_iter<I: IntoIterator<Item = Vec<PathSet>>>(groups: I) -> Self {
        let groups: Vec<Vec<PathSet>> = groups.into_iter().collect();
        let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            let paths: HashSet<u32> = group.iter().flat_map(|page| page.paths.iter().copied()).collect();
            paths.into_iter().for_each(|path| holders.entry(path).or_default().push(number));
        }
        Exemplars { groups, holders }
    }
}

/// Up to [`EXEMPLARS`] pages of a group, evenly spread.
pub(super) fn spread(members: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let taken = members.len().min(EXEMPLARS);
    (0..taken).map(move |at| members[at * members.len() / taken])
}
