//! Which pages are built alike?
//!
//! All pairs of pages are compared, but only among a sample: up to [`SAMPLE`] pages are grouped by
//! average linkage, each other page then goes to the group it is nearest to, and what fits none is
//! sampled again. The cost is linear in the number of pages; up to [`SAMPLE`] pages nothing is
//! sampled at all.

use super::{
    features::Features,
    linkage::{Linkage, fraction},
    parts,
    template::Build,
    weights::{PathSet, Weights},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;

/// How many pages are compared all with all.
const SAMPLE: usize = 1000;

/// Pages belong together if they share this much of what they are made of, on average. Of 0.35,
/// 0.4, ... 0.65 it did best over four collections together: page types of two large sites among
/// noise, product sites, news sites, and the documentation of a programming language.
pub(super) const ALIKE: f64 = 0.45;

/// In a pile of up to this many pages, in which no two are alike by weighted paths, paths count
/// plainly: two or three pages cannot tell the paths of the frame from those of the page type, and
/// sharing one weight leaves 300 shared paths no more to say than 20 own ones.
const FEW_PAGES: usize = 4;

/// Few pages are of one template if they share this much, as the mean of their shares of paths and
/// of steps. Fitted on 8,895 pairs of pages of three large sites, drawn from their labelled page types,
/// and looked at by halves of these: 1.000 and 0.949 of the pairs of one type share so much
/// (weighted paths: 0.967 and 0.921), and so do 0.212 and 0.195 of the pairs of two types (0.080 and
/// 0.135). No pair that has half of its paths in common shares less.
const PLAINLY_ALIKE: f64 = 0.52;

/// The two pages that share most are looked for among this many.
const COMPARED_FOR_CLOSEST: usize = 200;

/// Pages that share so much are never asked whether they are two templates, nor of which site they
/// are. Of 0.6, 0.7, 0.8 none did better.
const NEARLY_THE_SAME: f64 = 0.7;

/// Groups less similar than this are not even asked whether they are one template with optional
/// parts.
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

/// What the two most similar pages of a pile share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClosestPair {
    /// The two pages.
    pub pages: (usize, usize),
    /// How much they share, from 0 to 1,
    pub share: f64,
    /// and how much they would have to share.
    pub needed: f64,
}

/// The layouts of some pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Layouts {
    pub scales: Vec<Scale>,
    pub layouts: Vec<Layout>,
    /// Whether the whole pile has only a few pages.
    is_of_few: bool,
}

impl Layouts {
    /// Finds the layouts of pages, each given by its features and a number that is the same in any
    /// order of pages. They belong to a pile of `pile_size` pages, of which others may have been
    /// placed already.
    pub fn of(pages: &[&Features], keys: &[u64], pile_size: usize) -> Self {
        let mut found = Layouts {
            is_of_few: pile_size <= FEW_PAGES,
            ..Layouts::default()
        };
        let mut pool: Vec<usize> = (0..pages.len())
            .filter(|&page| !pages[page].paths.is_empty())
            .collect();
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
        found.divide(pages);
        found
    }

    /// One layout with all pages, whatever they are built of.
    pub fn of_one_template(pages: &[&Features], keys: &[u64]) -> Self {
        let all: Vec<usize> = (0..pages.len()).collect();
        let paths: Vec<&[u64]> = sample(&all, keys, 0)
            .into_iter()
            .map(|page| pages[page].paths.as_slice())
            .collect();
        let mut found = Layouts::default();
        found.push(Weights::of(&paths), vec![all]);
        found
    }

    /// Divides layouts whose pages fall into parts.
    fn divide(&mut self, pages: &[&Features]) {
        let divided = self.layouts.par_iter().flat_map_iter(|layout| {
            let parts = parts::parts(
                &layout
                    .pages
                    .iter()
                    .map(|&page| pages[page])
                    .collect::<Vec<_>>(),
            )
            .into_iter();
            parts.map(|part| Layout {
                scale: layout.scale,
                pages: part.into_iter().map(|at| layout.pages[at]).collect(),
            })
        });
        self.layouts = divided.collect();
    }

    /// Groups the sample, places the other pages of the pool, and says which pages have a layout
    /// now.
    fn round(
        &mut self,
        pages: &[&Features],
        pool: &[usize],
        sample: &[usize],
    ) -> RapidHashSet<usize> {
        let sampled: Vec<&Features> = sample.iter().map(|&page| pages[page]).collect();
        let weights = Weights::of(
            &sampled
                .iter()
                .map(|page| page.paths.as_slice())
                .collect::<Vec<_>>(),
        );
        let mut groups = groups(&weights, &sampled);
        if groups.is_empty() && self.is_of_few {
            groups = groups_of_few(&sampled);
        }
        groups
            .iter_mut()
            .flatten()
            .for_each(|member| *member = sample[*member]);
        let known = Exemplars::of(
            &weights,
            groups.iter().map(|group| (group.as_slice(), pages)),
        );
        let sampled: RapidHashSet<usize> = sample.iter().copied().collect();
        let others: Vec<usize> = pool
            .iter()
            .copied()
            .filter(|page| !sampled.contains(page))
            .collect();
        let nearest: Vec<Option<Near>> = others
            .par_iter()
            .map(|&page| known.nearest(&weights, &weights.path_set(&pages[page].paths)))
            .collect();
        for (page, near) in others.into_iter().zip(nearest) {
            let may_be_of = |group: &[usize]| {
                spread(group).any(|other| pages[other].may_be_of_one_site(pages[page]))
            };
            let least = |group: usize| {
                if may_be_of(&groups[group]) {
                    ALIKE
                } else {
                    NEARLY_THE_SAME
                }
            };
            if let Some(near) = near.filter(|near| near.similarity >= least(near.group)) {
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
    let key = |page: usize| {
        (keys[page] ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    };
    let mut sample = pool.to_vec();
    sample.sort_unstable_by_key(|&page| (key(page), page));
    sample.truncate(SAMPLE);
    sample.sort_unstable();
    sample
}

/// The groups of at least two pages, by average linkage and then by template.
fn groups(weights: &Weights, pages: &[&Features]) -> Vec<Vec<usize>> {
    let sets: Vec<PathSet> = pages
        .par_iter()
        .map(|page| weights.path_set(&page.paths))
        .collect();
    let likeness = Likeness::of(weights, &sets);
    let similarity = |one: usize, other: usize| {
        let similarity = likeness.between(one, other);
        let is_enough =
            pages[one].may_be_of_one_site(pages[other]) || similarity >= fraction(NEARLY_THE_SAME);
        if is_enough { similarity } else { 0 }
    };
    let mut linkage = Linkage::new(pages.len(), similarity);
    linkage.join_above(NEARLY_THE_SAME);
    Joining::new(&mut linkage, pages).join_all();
    linkage
        .groups()
        .map(|group| linkage.members(group).to_vec())
        .filter(|members| members.len() > 1)
        .collect()
}

/// The groups of at least two of a few pages, by average linkage over what they plainly share.
fn groups_of_few(pages: &[&Features]) -> Vec<Vec<usize>> {
    let similarity = |one: usize, other: usize| {
        if pages[one].may_be_of_one_site(pages[other]) {
            plain_share(pages[one], pages[other])
        } else {
            0
        }
    };
    let mut linkage = Linkage::new(pages.len(), similarity);
    linkage.join_above(PLAINLY_ALIKE);
    linkage
        .groups()
        .map(|group| linkage.members(group).to_vec())
        .filter(|members| members.len() > 1)
        .collect()
}

/// The mean of the shares of paths and of steps that two pages have in common, as a fraction of 2^32.
fn plain_share(one: &Features, other: &Features) -> u64 {
    (jaccard(&one.paths, &other.paths) + jaccard(&one.steps, &other.steps)) / 2
}

/// Which share of two sorted sets is in both, as a fraction of 2^32.
fn jaccard(one: &[u64], other: &[u64]) -> u64 {
    let (mut shared, mut at) = (0_u64, 0);
    for hash in one {
        while other.get(at).is_some_and(|found| found < hash) {
            at += 1;
        }
        if other.get(at) == Some(hash) {
            shared += 1;
        }
    }
    let union = (one.len() + other.len()) as u64 - shared;
    (shared << 32).checked_div(union).unwrap_or(0)
}

/// The two pages that share most, of the first ones, to say why no pages were put together.
pub(super) fn closest_pair(pages: &[&Features]) -> Option<ClosestPair> {
    let pages = &pages[..pages.len().min(COMPARED_FOR_CLOSEST)];
    let paths: Vec<&[u64]> = pages.iter().map(|page| page.paths.as_slice()).collect();
    let weights = Weights::of(&paths);
    let sets: Vec<PathSet> = paths.iter().map(|paths| weights.path_set(paths)).collect();
    let is_few = pages.len() <= FEW_PAGES;
    let mut best: Option<(u64, usize, usize)> = None;
    for one in 0..pages.len() {
        for other in one + 1..pages.len() {
            let share = if is_few {
                plain_share(pages[one], pages[other])
            } else {
                weights.similarity(&sets[one], &sets[other])
            };
            if best.is_none_or(|(most, _, _)| share > most) {
                best = Some((share, one, other));
            }
        }
    }
    let (share, one, other) = best?;
    let needed = match (is_few, pages[one].may_be_of_one_site(pages[other])) {
        (true, true) => PLAINLY_ALIKE,
        (false, true) => ALIKE,
        (_, false) => NEARLY_THE_SAME,
    };
    Some(ClosestPair {
        pages: (one, other),
        share: share as f64 / 4_294_967_296.0,
        needed,
    })
}

/// How similar pages are. Many pages of a template have the same paths: they are compared once.
struct Likeness {
    /// The number of each page's paths among the different ones,
    kinds: Vec<usize>,
    /// and how similar those are.
    similarities: Vec<Vec<u64>>,
}

impl Likeness {
    fn of(weights: &Weights, pages: &[PathSet]) -> Self {
        let mut numbers: RapidHashMap<&PathSet, usize> = RapidHashMap::default();
        let mut different: Vec<&PathSet> = Vec::new();
        let kind = |page| {
            *numbers.entry(page).or_insert_with(|| {
                different.push(page);
                different.len() - 1
            })
        };
        let kinds = pages.iter().map(kind).collect();
        let row = |one: &&PathSet| {
            different
                .iter()
                .map(|other| weights.similarity(one, other))
                .collect()
        };
        Likeness {
            kinds,
            similarities: different.par_iter().map(row).collect(),
        }
    }

    fn between(&self, one: usize, other: usize) -> u64 {
        self.similarities[self.kinds[one]][self.kinds[other]]
    }
}

/// Groups of pages that are nearly the same, while those of one template are joined.
struct Joining<'l> {
    linkage: &'l mut Linkage,
    pages: &'l [&'l Features],
    /// How the pages of each group are built; nothing for those of too few pages.
    builds: RapidHashMap<usize, Build>,
    /// Pairs of groups that are different templates.
    apart: RapidHashSet<(usize, usize)>,
}

impl<'l> Joining<'l> {
    fn new(linkage: &'l mut Linkage, pages: &'l [&'l Features]) -> Self {
        let groups: Vec<usize> = linkage.groups().collect();
        let mut joining = Joining {
            linkage,
            pages,
            builds: RapidHashMap::default(),
            apart: RapidHashSet::default(),
        };
        groups.into_iter().for_each(|group| joining.note(group));
        joining
    }

    fn note(&mut self, group: usize) {
        let members = self.linkage.members(group);
        if members.len() >= FEWEST {
            self.builds.insert(
                group,
                Build::of(members.iter().map(|&page| self.pages[page])),
            );
        }
        self.apart
            .retain(|&(one, other)| one != group && other != group);
    }

    /// Joins the most similar groups first, until all that are left are different.
    fn join_all(&mut self) {
        while let Some((similarity, one, other)) = self.most_similar() {
            if self.is_one_template(similarity, one, other) {
                self.linkage.join(one, other);
                self.builds.remove(&other);
                self.note(other);
                self.note(one);
            } else {
                self.apart.insert((one, other));
            }
        }
    }

    fn most_similar(&self) -> Option<(f64, usize, usize)> {
        let groups: Vec<usize> = self.linkage.groups().collect();
        let best = groups.par_iter().enumerate().filter_map(|(at, &one)| {
            let others = groups[at + 1..]
                .iter()
                .filter(|&&other| !self.apart.contains(&(one, other)));
            let pairs = others.map(|&other| (self.linkage.similarity(one, other), one, other));
            pairs
                .filter(|pair| pair.0 >= RELATED)
                .reduce(|best, next| if next.0 > best.0 { next } else { best })
        });
        let best: Vec<(f64, usize, usize)> = best.collect();
        best.into_iter()
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    fn is_one_template(&self, similarity: f64, one: usize, other: usize) -> bool {
        match (self.builds.get(&one), self.builds.get(&other)) {
            (Some(one), Some(other)) if similarity >= ALIKE => !one.is_apart_from(other),
            (Some(one), Some(other)) => one.paths.is_same_template(&other.paths),
            _ => similarity >= ALIKE,
        }
    }
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
    holders: RapidHashMap<u32, Vec<usize>>,
}

/// How many groups are compared in full, of those that share most with a page.
const CANDIDATES: usize = 6;

impl Exemplars {
    /// Takes some pages of each group.
    pub fn of<'a>(
        weights: &Weights,
        groups: impl Iterator<Item = (&'a [usize], &'a [&'a Features])>,
    ) -> Self {
        groups
            .map(|(members, pages)| {
                spread(members)
                    .map(|page| weights.path_set(&pages[page].paths))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// The group that a page is most similar to on average; the first among equals.
    pub fn nearest(&self, weights: &Weights, page: &PathSet) -> Option<Near> {
        self.near(weights, page).reduce(|best, next| {
            if next.similarity > best.similarity {
                next
            } else {
                best
            }
        })
    }

    /// The groups that share most with a page, in order, and how similar they are to it on average.
    pub fn near(&self, weights: &Weights, page: &PathSet) -> impl Iterator<Item = Near> {
        let candidates = self.candidates(weights, page).into_iter();
        candidates.map(|group| Near {
            group,
            similarity: self.similarity(weights, group, page),
        })
    }

    /// How similar a page is to a group, on average.
    pub fn similarity(&self, weights: &Weights, group: usize, page: &PathSet) -> f64 {
        let exemplars = &self.groups[group];
        let sum: u64 = exemplars
            .iter()
            .map(|exemplar| weights.similarity(exemplar, page))
            .sum();
        sum as f64 / exemplars.len().max(1) as f64 / 4_294_967_296.0
    }

    /// The groups that share most with a page, in order.
    fn candidates(&self, weights: &Weights, page: &PathSet) -> Vec<usize> {
        let mut shared: RapidHashMap<usize, u64> = RapidHashMap::default();
        for path in &page.paths {
            for &group in self.holders.get(path).into_iter().flatten() {
                *shared.entry(group).or_default() += weights.weight(*path);
            }
        }
        let mut candidates: Vec<(u64, usize)> = shared
            .into_iter()
            .map(|(group, weight)| (weight, group))
            .collect();
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
        let mut holders: RapidHashMap<u32, Vec<usize>> = RapidHashMap::default();
        for (number, group) in groups.iter().enumerate() {
            let paths: RapidHashSet<u32> = group
                .iter()
                .flat_map(|page| page.paths.iter().copied())
                .collect();
            paths
                .into_iter()
                .for_each(|path| holders.entry(path).or_default().push(number));
        }
        Exemplars { groups, holders }
    }
}

/// Up to [`EXEMPLARS`] pages of a group, evenly spread.
pub(super) fn spread(members: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let taken = members.len().min(EXEMPLARS);
    (0..taken).map(move |at| members[at * members.len() / taken])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(paths: impl IntoIterator<Item = u64>) -> Features {
        let paths: Vec<u64> = paths.into_iter().collect();
        Features {
            steps: paths.clone(),
            paths,
            ..Features::default()
        }
    }

    fn sizes(pages: &[Features]) -> Vec<usize> {
        let pages: Vec<&Features> = pages.iter().collect();
        let keys: Vec<u64> = (0..pages.len() as u64).collect();
        let layouts = Layouts::of(&pages, &keys, pages.len()).layouts;
        layouts.iter().map(|layout| layout.pages.len()).collect()
    }

    #[test]
    fn two_pages_that_share_half_of_their_paths_are_of_one_template() {
        let first = features((0..300).chain(1000..1100));
        let second = features((0..300).chain(2000..2100));
        assert_eq!(sizes(&[first.clone(), second]), [2]);
        let another_type = features((0..150).chain(3000..3250));
        assert_eq!(sizes(&[first, another_type]), [] as [usize; 0]);
    }

    #[test]
    fn what_three_pages_of_five_share_is_weighed() {
        // Five pages that share a frame of 300 paths and have 130 of their own: more pages than a
        // few, and the frame is one observation.
        let pages: Vec<Features> = (1..6)
            .map(|page| features((0..300).chain(page * 1000..page * 1000 + 130)))
            .collect();
        assert_eq!(sizes(&pages[..4]), [4]);
        assert_eq!(sizes(&pages), [] as [usize; 0]);
    }

    #[test]
    fn the_closest_pair_says_what_it_shares_and_needs() {
        let pages = [features(0..10), features(5..15), features(100..110)];
        let closest = closest_pair(&pages.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((closest.pages, closest.needed), ((0, 1), PLAINLY_ALIKE));
        assert!((closest.share - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(closest_pair(&[&pages[0]]), None);
    }
}
