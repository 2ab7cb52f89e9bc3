//! Is this another template, or the same one with something left out?
//!
//! The *core* of a group is what nine in ten of its pages have. A core path is a group's *own*
//! against another group if at most one in ten pages there has it. Groups that have next to nothing
//! of their own against each other work on each other's pages: one template, whose optional parts
//! happened to divide the pages.
//!
//! Groups that are similar are two templates if **both** have something of their own
//! ([`Build::is_apart_from`]): a block that is left out makes pages that lack something and have
//! nothing instead, another page type has something instead.

use super::features::Features;
use rapidhash::RapidHashMap;

/// How many pages of a group have each path.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    pages: usize,
    counts: RapidHashMap<u64, usize>,
}

impl Profile {
    /// Counts the paths of some pages.
    pub fn of<'a>(pages: impl IntoIterator<Item = &'a [u64]>) -> Self {
        let mut profile = Profile::default();
        for paths in pages {
            profile.pages += 1;
            paths
                .iter()
                .for_each(|&path| *profile.counts.entry(path).or_default() += 1);
        }
        profile
    }

    /// What is left when the pages of a part are taken out.
    pub fn without(&self, part: &Profile) -> Profile {
        let mut rest = self.clone();
        rest.pages -= part.pages;
        for (path, count) in &part.counts {
            rest.counts.entry(*path).and_modify(|all| *all -= count);
        }
        rest
    }

    /// How many pages were counted.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// How many paths a page has on average.
    pub fn paths_per_page(&self) -> usize {
        self.counts.values().sum::<usize>() / self.pages.max(1)
    }

    /// Whether nine in ten pages have the path.
    pub fn is_core(&self, path: u64) -> bool {
        self.counts
            .get(&path)
            .is_some_and(|&count| is_core(count, self.pages))
    }

    fn is_rare(&self, path: u64) -> bool {
        self.counts
            .get(&path)
            .is_none_or(|count| count * 10 <= self.pages)
    }

    /// What nine in ten pages have.
    pub fn core(&self) -> impl Iterator<Item = u64> + '_ {
        self.counts
            .keys()
            .copied()
            .filter(|&path| self.is_core(path))
    }

    /// How many core paths the other group hardly has.
    pub fn own(&self, other: &Profile) -> usize {
        self.core().filter(|&path| other.is_rare(path)).count()
    }

    /// Whether both are the same template: neither has more than a twentieth of its core for
    /// itself.
    pub fn is_same_template(&self, other: &Profile) -> bool {
        let has_little = |one: &Profile, other: &Profile| one.own(other) * 20 <= one.core().count();
        has_little(self, other) && has_little(other, self)
    }
}

/// What a group has that another hardly has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Own {
    /// Paths on nine in ten pages here, and on one in twenty there.
    pub paths: usize,
    /// Steps, the same way.
    pub steps: usize,
    /// How many paths a page here has on average.
    pub paths_per_page: usize,
}

/// Fewer own paths than this are chance.
const LEAST_PATHS: usize = 3;

/// Own paths are so many hundredths of a page's at least.
const LEAST_SHARE: usize = 8;

/// One class that says in which state an element is makes all paths below it others, but it is one
/// step.
const LEAST_STEPS: usize = 2;

impl Own {
    /// How much is a group's own, in thousandths of a page; nothing if that does not make it a
    /// template of its own. Pages of two kinds are divided where this holds for both.
    pub fn share(self) -> Option<usize> {
        self.witnessed_share().filter(|_| self.paths >= LEAST_PATHS)
    }

    /// The same where something else says that the pages are of two kinds: few paths will do, on
    /// pages that have few.
    pub fn witnessed_share(self) -> Option<usize> {
        let share = 1000 * self.paths / self.paths_per_page.max(1);
        (self.steps >= LEAST_STEPS && share >= 10 * LEAST_SHARE).then_some(share)
    }
}

/// Whether something on so many of some pages is on nine in ten of them.
pub(super) fn is_core(count: usize, pages: usize) -> bool {
    count * 10 >= pages * 9
}

/// Whether something on so many of some pages is on at most one in twenty of them.
pub(super) fn is_hardly_there(count: usize, pages: usize) -> bool {
    count * 20 <= pages
}

/// How the pages of a group are built.
#[derive(Clone, Debug, Default)]
pub(super) struct Build {
    pub paths: Profile,
    steps: Profile,
}

impl Build {
    pub fn of<'a>(pages: impl Iterator<Item = &'a Features> + Clone) -> Self {
        let paths = Profile::of(pages.clone().map(|page| page.paths.as_slice()));
        Build {
            paths,
            steps: Profile::of(pages.map(|page| page.steps.as_slice())),
        }
    }

    /// Whether two groups that are similar are two templates: both have something of their own.
    pub fn is_apart_from(&self, other: &Build) -> bool {
        self.own(other).share().is_some() && other.own(self).share().is_some()
    }

    fn own(&self, other: &Build) -> Own {
        let count = |own: &Profile, other: &Profile| {
            let on_other = |path| other.counts.get(&path).copied().unwrap_or(0);
            own.core()
                .filter(|&path| is_hardly_there(on_other(path), other.pages))
                .count()
        };
        Own {
            paths: count(&self.paths, &other.paths),
            steps: count(&self.steps, &other.steps),
            paths_per_page: self.paths.paths_per_page(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(pages: &[&[u64]]) -> Profile {
        Profile::of(pages.iter().copied())
    }

    #[test]
    fn optional_parts_do_not_make_a_template() {
        let with = profile(&[&[1, 2, 3, 9], &[1, 2, 3]]);
        let without = profile(&[&[1, 2, 3], &[1, 2, 3, 8]]);
        assert!(with.is_same_template(&without));
    }

    #[test]
    fn what_only_one_group_has_on_all_pages_does() {
        let list = profile(&[&[1, 2, 5], &[1, 2, 5]]);
        let article = profile(&[&[1, 2, 6], &[1, 2, 6]]);
        assert_eq!(list.own(&article), 1);
        assert!(!list.is_same_template(&article));
    }

    #[test]
    fn parts_can_be_taken_out() {
        let all = profile(&[&[1, 2], &[1, 3], &[1, 3]]);
        let rest = all.without(&profile(&[&[1, 2]]));
        assert_eq!(
            (rest.pages(), rest.is_core(3), rest.is_core(2)),
            (2, true, false)
        );
    }
}
