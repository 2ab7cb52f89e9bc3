//! Do pages that are built alike fall into parts, each with something of its own?
//!
//! Average similarity cannot tell an optional block from another page type: the pages of a site
//! share their frame, and what a type has for itself is a few paths among hundreds. But the two
//! differ in *kind*. A block that is left out makes pages that lack something and have nothing
//! instead. Another type has something instead: there are paths on nearly all pages of the one part
//! that the other part hardly has, and paths of the other part that the one hardly has.
//!
//! So a group is divided where **both** parts have paths of their own, and the parts are divided
//! again. Where one part only has some, a second witness is needed: the group is divided if their
//! [addresses](super::address) are made otherwise.
//!
//! Cost: a few dozen ways to divide are tried, those that most paths agree on; each is a pass over
//! the paths of the pages.

use super::{
    address::{Address, DEPTH, Segment},
    features::Features,
    template::{Own, is_core, is_hardly_there},
};
use rapidhash::RapidHashMap;
use std::cmp::Reverse;

/// Parts need this many pages.
const FEWEST: usize = 3;

/// A part that addresses tell needs one page in this many of the group.
const LEAST_SHARE: usize = 20;

/// So many ways to divide a group are tried.
const TRIED: usize = 64;

/// The parts of a group, as numbers of its pages; one part with all if it does not fall apart.
pub(super) fn parts(pages: &[&Features]) -> Vec<Vec<usize>> {
    let mut open = vec![(0..pages.len()).collect::<Vec<usize>>()];
    let mut done = Vec::new();
    while let Some(part) = open.pop() {
        match Parting::of(part.iter().map(|&page| pages[page])).best() {
            None => done.push(part),
            Some(has) => {
                let (one, other): (Vec<_>, Vec<_>) =
                    part.into_iter().zip(has).partition(|(_, has)| *has);
                open.extend(
                    [one, other]
                        .map(|side| side.into_iter().map(|(page, _)| page).collect::<Vec<_>>()),
                );
            }
        }
    }
    done
}

/// A group that may be divided.
struct Parting<'a> {
    addresses: Vec<&'a Address>,
    paths: Holders,
    steps: Holders,
    /// How many paths each page has.
    sizes: Vec<usize>,
}

/// The pages that have each path, or each step.
#[derive(Default)]
struct Holders(Vec<Vec<u32>>);

impl Holders {
    fn of<'a>(pages: impl Iterator<Item = &'a [u64]>) -> Self {
        let mut holders: RapidHashMap<u64, Vec<u32>> = RapidHashMap::default();
        for (page, paths) in (0..).zip(pages) {
            paths
                .iter()
                .for_each(|&path| holders.entry(path).or_default().push(page));
        }
        Holders(holders.into_values().collect())
    }

    /// How many are one side's own, for both sides.
    fn own(&self, has: &[bool], pages: [usize; 2]) -> [usize; 2] {
        let mut own = [0, 0];
        for holders in &self.0 {
            let inside = holders.iter().filter(|&&page| has[page as usize]).count();
            let on = [holders.len() - inside, inside];
            let is_own = |side: usize| {
                is_core(on[side], pages[side]) && is_hardly_there(on[1 - side], pages[1 - side])
            };
            (0..2)
                .filter(|&side| is_own(side))
                .for_each(|side| own[side] += 1);
        }
        own
    }
}

impl<'a> Parting<'a> {
    fn of(pages: impl Iterator<Item = &'a Features> + Clone) -> Self {
        Parting {
            addresses: pages.clone().map(|page| &page.address).collect(),
            paths: Holders::of(pages.clone().map(|page| page.paths.as_slice())),
            steps: Holders::of(pages.clone().map(|page| page.steps.as_slice())),
            sizes: pages.map(|page| page.paths.len()).collect(),
        }
    }

    /// The best way to divide the pages, if there is one: for each page, on which side it is.
    fn best(&self) -> Option<Vec<bool>> {
        let by_paths = self.ways().into_iter().filter_map(|holders| {
            let mut has = vec![false; self.sizes.len()];
            holders.iter().for_each(|&page| has[page as usize] = true);
            let [one, other] = self.own(&has).map(Own::share);
            Some((one?.min(other?), has))
        });
        best(by_paths).or_else(|| best(self.by_addresses()))
    }

    /// Ways to divide the pages by what their addresses are made of, if one side has something of
    /// its own.
    fn by_addresses(&self) -> impl Iterator<Item = (usize, Vec<bool>)> + '_ {
        let ways = (0..DEPTH).flat_map(|place| Segment::ALL.map(|segment| (place, segment)));
        ways.filter_map(|(place, segment)| {
            let found: Vec<Segment> = self
                .addresses
                .iter()
                .map_while(|address| address.segment(place))
                .collect();
            let has: Vec<bool> = found.into_iter().map(|found| found == segment).collect();
            let count = has.iter().filter(|has| **has).count();
            let fewest = FEWEST.max(self.sizes.len().div_ceil(LEAST_SHARE));
            let is_large = count >= fewest && has.len() - count >= fewest;
            if has.len() < self.sizes.len() || !is_large {
                return None;
            }
            let own = self
                .own(&has)
                .into_iter()
                .filter_map(Own::witnessed_share)
                .max()?;
            Some((own, has))
        })
    }

    /// Sets of pages that share paths which the others lack, those of most paths first.
    fn ways(&self) -> Vec<&[u32]> {
        let most = self.sizes.len().saturating_sub(FEWEST);
        let mut masses: RapidHashMap<&[u32], usize> = RapidHashMap::default();
        for holders in self
            .paths
            .0
            .iter()
            .filter(|holders| (FEWEST..=most).contains(&holders.len()))
        {
            *masses.entry(holders).or_default() += 1;
        }
        let mut ways: Vec<(&[u32], usize)> = masses.into_iter().collect();
        let balance = |holders: &[u32]| holders.len().min(self.sizes.len() - holders.len());
        ways.sort_unstable_by_key(|(holders, mass)| {
            (Reverse(*mass), Reverse(balance(holders)), *holders)
        });
        ways.into_iter()
            .take(TRIED)
            .map(|(holders, _)| holders)
            .collect()
    }

    /// What each side has of its own.
    fn own(&self, has: &[bool]) -> [Own; 2] {
        let (mut pages, mut sizes) = ([0, 0], [0, 0]);
        for (size, &has) in self.sizes.iter().zip(has) {
            pages[usize::from(has)] += 1;
            sizes[usize::from(has)] += size;
        }
        let (paths, steps) = (self.paths.own(has, pages), self.steps.own(has, pages));
        [0, 1].map(|side| Own {
            paths: paths[side],
            steps: steps[side],
            paths_per_page: sizes[side] / pages[side].max(1),
        })
    }
}

/// The way with the most, the first of equals.
fn best(ways: impl Iterator<Item = (usize, Vec<bool>)>) -> Option<Vec<bool>> {
    ways.reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, has)| has)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages of a frame, each with some of its own.
    fn features(own: &[std::ops::Range<u64>]) -> Vec<Features> {
        let page = |own: &std::ops::Range<u64>| {
            let paths: Vec<u64> = (0..20).chain(own.clone()).collect();
            Features {
                steps: paths.clone(),
                paths,
                ..Features::default()
            }
        };
        own.iter().map(page).collect()
    }

    fn sizes(own: &[std::ops::Range<u64>]) -> Vec<usize> {
        let pages = features(own);
        let mut sizes: Vec<usize> = parts(&pages.iter().collect::<Vec<_>>())
            .iter()
            .map(Vec::len)
            .collect();
        sizes.sort_unstable();
        sizes
    }

    #[test]
    fn pages_with_something_else_instead_are_another_part() {
        let (list, article, form) = (30..36, 40..46, 50..56);
        assert_eq!(sizes(&[vec![list; 5], vec![article; 4]].concat()), [4, 5]);
        assert_eq!(
            sizes(&[vec![30..31, 40..41], vec![form; 4]].concat()),
            [6],
            "two pages are no part"
        );
    }

    #[test]
    fn a_block_that_is_left_out_divides_nothing() {
        assert_eq!(sizes(&[vec![30..40; 5], vec![0..0; 5]].concat()), [10]);
    }

    #[test]
    fn a_block_and_addresses_divide_together() {
        let mut pages = features(&[vec![30..40; 5], vec![0..0; 5]].concat());
        let at = |segment| Address {
            site: None,
            route: vec![segment],
        };
        pages[..5]
            .iter_mut()
            .for_each(|page| page.address = at(Segment::Word));
        pages[5..]
            .iter_mut()
            .for_each(|page| page.address = at(Segment::Number));
        assert_eq!(parts(&pages.iter().collect::<Vec<_>>()).len(), 2);
        pages[4..]
            .iter_mut()
            .for_each(|page| page.address = at(Segment::Word));
        assert_eq!(parts(&pages.iter().collect::<Vec<_>>()).len(), 1);
    }

    #[test]
    fn a_class_for_a_state_divides_nothing() {
        let mut pages = features(&[vec![30..40; 5], vec![50..60; 5]].concat());
        // Ten paths differ, but they stand below one element that has another class.
        pages.iter_mut().for_each(|page| page.steps.truncate(21));
        assert_eq!(parts(&pages.iter().collect::<Vec<_>>()).len(), 1);
    }
}
