//! Which groups are pages of one site?
//!
//! Headers and footers say the same on all pages of a site, whatever the page type. Groups belong
//! to one site if half of the strings that stand on nearly all pages of the one stand on nearly all
//! pages of the other. Sites of the same trade share words too, but measured no more than a third;
//! page types of a site nine tenths.

use super::template::Profile;
use rapidhash::RapidHashMap;

/// Fewer strings in common than this are no header.
const FEWEST_STRINGS: usize = 5;

/// For each group the number of its site, sites numbered in the order of their first group.
pub(super) fn sites(profiles: &[Profile]) -> Vec<usize> {
    let cores: Vec<Vec<u64>> = profiles
        .iter()
        .map(|profile| profile.core().collect())
        .collect();
    let mut parents: Vec<usize> = (0..profiles.len()).collect();
    for ((one, other), shared) in shared_strings(&cores) {
        let least = cores[one].len().min(cores[other].len());
        if shared >= FEWEST_STRINGS && shared * 2 >= least {
            let (a, b) = (root(&parents, one), root(&parents, other));
            parents[a.max(b)] = a.min(b);
        }
    }
    numbered((0..profiles.len()).map(|group| root(&parents, group)))
}

/// Numbers things by first appearance.
pub(super) fn numbered(roots: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut numbers: RapidHashMap<usize, usize> = RapidHashMap::default();
    roots
        .map(|root| {
            let next = numbers.len();
            *numbers.entry(root).or_insert(next)
        })
        .collect()
}

fn root(parents: &[usize], group: usize) -> usize {
    let mut at = group;
    while parents[at] != at {
        at = parents[at];
    }
    at
}

/// Strings that are the core of more groups than this are not compared by: they would cost the
/// square of the groups.
const COMMONPLACE: usize = 64;

/// How many core strings pairs of groups have in common.
fn shared_strings(cores: &[Vec<u64>]) -> RapidHashMap<(usize, usize), usize> {
    let mut holders: RapidHashMap<u64, Vec<usize>> = RapidHashMap::default();
    for (group, core) in cores.iter().enumerate() {
        core.iter()
            .for_each(|&string| holders.entry(string).or_default().push(group));
    }
    let mut shared: RapidHashMap<(usize, usize), usize> = RapidHashMap::default();
    for groups in holders.into_values() {
        // A chain of neighbours holds together what pairs would.
        let reach = if groups.len() > COMMONPLACE {
            1
        } else {
            groups.len()
        };
        for (at, &one) in groups.iter().enumerate() {
            groups[at + 1..]
                .iter()
                .take(reach)
                .for_each(|&other| *shared.entry((one, other)).or_default() += 1);
        }
    }
    shared
}
