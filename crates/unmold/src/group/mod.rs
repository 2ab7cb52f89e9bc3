//! Which pages share a template?
//!
//! A crawl is a pile: several sites, several page types on each, pages that are like no other.
//! [`group`] sorts it, with nothing to set and nothing to know about sites or languages:
//!
//! ```
//! use unmold::{Text, group::{Membership, group}};
//!
//! let product = |n: u32| format!("<title>Item {n} - Shop</title><div class=item><h1>{n}</h1><b class=price>{n}</b></div>");
//! let thread = |n: u32| format!("<title>Topic {n} - Talk</title><table class=posts><tr><td class=who>{n}<td>{n}</table>");
//! let pile = [product(1), thread(1), product(2), thread(2), product(3), "<p>hello".to_string()];
//! let texts: Vec<Text> = pile.iter().enumerate().map(|(n, page)| Text::from_string(format!("{n}"), page)).collect();
//!
//! let grouping = group(&texts);
//! assert_eq!(grouping.groups()[0].pages, [0, 2, 4]);
//! assert_eq!(grouping.groups()[0].name, "Item … Shop");
//! assert_eq!(grouping.groups()[1].pages, [1, 3]);
//! assert!(matches!(grouping.places()[5], Membership::Alone { .. }));
//! ```
//!
//! # How
//!
//! 1. A page is the set of its class paths: tag and classes of each element below those of its
//!    parent and grandparent. Paths that stand on exactly the same pages share a weight of √n, so
//!    that a site's frame counts, but not for all.
//! 2. Pages that share enough on average belong together (average linkage over weighted Jaccard
//!    similarity), unless both groups have something on nearly all their pages that the other
//!    hardly has: then they are two page types in one frame. Groups of which neither has anything
//!    that the other lacks are one template with optional parts, even if they share less. Pages
//!    whose addresses say that they are of different sites must be nearly the same. Of a pile of up
//!    to four pages of which no two share enough, paths count plainly, since a frame cannot be told
//!    from a page type by so few. What comes out is a *layout*.
//! 3. Page types can be built almost alike. A layout is divided where two witnesses agree: its
//!    titles fall into classes that share an end or a beginning, and a class has paths of its own.
//! 4. Groups whose fixed strings are half the same are pages of one *site*.
//!
//! So groups are nested: a site holds layouts, a layout holds groups. Most layouts are one group.
//!
//! # What is promised
//!
//! - Neither the order of the pages nor their ids matter: pages are put into an order of their own,
//!   groups are numbered by size, then by their first page in that order, and every sum is of whole
//!   numbers. Neither does the number of threads.
//! - The pages that [`KnownGroups`] were found with are recognised when they come again.
//! - Later pages can be added to groups that are [`KnownGroups`] without the pages these were found
//!   in. KnownGroups groups never change by that, so it does not matter in how many steps pages are
//!   added: each goes where it would have gone alone. Pages that fit no known group are grouped
//!   among themselves, and there steps do matter: two halves of a new group that come in different
//!   steps join the same group only if the first half was enough to make one. Nor is adding the
//!   same as grouping all pages at once: what paths weigh was settled by the first ones.
//! - Up to a thousand pages, all pairs are compared; beyond that, a sample, and the rest is placed.
//!   Time and memory grow with the pages, not with their square.
//!
//! # Where it is weak
//!
//! Pages without classes, in a frame without titles, are told apart by their tags alone. Page types
//! that differ only in what is written on them, under titles that do not say so, stay together.
//!
//! The way of the substring amplification paper, which inspired this, is [`by_peaks`].

mod address;
mod features;
pub mod fingerprint;
mod grouper;
mod known;
mod layout;
mod linkage;
mod names;
mod parts;
pub(crate) mod paths;
mod peaks;
mod sites;
mod template;
mod titles;
mod weights;

pub use fingerprint::{Fingerprint, Placement, TemplateFinder};
pub use grouper::Grouper;
pub use known::{KnownGroup, KnownGroups, KnownGroupsError};
pub use peaks::by_peaks;

use crate::{Text, read::PageError};
use features::Features;
use grouper::{Kept, Said};
use known::NewGroup;
use layout::{ALIKE, Exemplars, Layouts, Near, spread};
use names::Evidence;
use rayon::prelude::*;
use std::cmp::Reverse;
use template::Profile;
use titles::{Affix, Titled};
use weights::PathSet;

/// Pages by group.
#[derive(Clone, Debug)]
pub struct Grouping {
    groups: Vec<PageGroup>,
    places: Vec<Membership>,
    closest: Option<Closest>,
    known: KnownGroups,
    failed: Vec<PageError>,
}

/// Pages that share a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageGroup {
    /// Its number. Groups that were known before keep theirs; new ones follow, the largest first.
    pub number: usize,
    /// Its pages, as numbers of the texts that were given, sorted.
    pub pages: Vec<usize>,
    /// The shape of its addresses, or what its titles share.
    pub name: String,
    /// The page that is most like the others.
    pub representative: usize,
    /// Strings that nearly all its pages have; first those that other groups lack.
    pub evidence: Vec<String>,
    /// The number of its layout.
    pub layout: usize,
    /// The number of its site.
    pub site: usize,
    /// By what its pages are told from others.
    pub fingerprint: Fingerprint,
}

/// The two pages of a pile without groups that share most.
#[derive(Clone, Debug, PartialEq)]
pub struct Closest {
    /// The ids of both.
    pub pages: (String, String),
    /// How much of what they are made of they share, from 0 to 1.
    pub share: f64,
    /// How much pages of one template share at least.
    pub needed: f64,
}

/// Says what decided.
impl std::fmt::Display for Closest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Closest {
            pages: (one, other),
            share,
            needed,
        } = self;
        write!(
            f,
            "{one} and {other} share most, {share:.2} of their elements; {needed:.2} is needed"
        )
    }
}

/// Where a page belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Membership {
    /// To the group with this number.
    In(usize),
    /// To no group: no other page is enough like it.
    Alone {
        /// The number of the nearest group and how similar it is, from 0 to 1; at least
        /// [`Membership::ALIKE`] belongs.
        nearest: Option<(usize, f64)>,
    },
    /// To no group: it has no markup to go by.
    Bare,
    /// To no group: it shows an error of this program.
    Failed,
}

impl Membership {
    /// How much pages of a group share with each other, on average.
    pub const ALIKE: f64 = ALIKE;

    /// The number of the group, if there is one.
    pub fn group(self) -> Option<usize> {
        match self {
            Membership::In(group) => Some(group),
            _ => None,
        }
    }
}

/// Says why a page has no group, or which it has.
impl std::fmt::Display for Membership {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Membership::In(group) => write!(f, "in group {group}"),
            Membership::Alone {
                nearest: Some((group, similarity)),
            } => {
                write!(
                    f,
                    "like no other page: shares {similarity:.2} with the nearest group, {group}; {ALIKE} is needed"
                )
            }
            Membership::Alone { nearest: None } => write!(f, "like no other page"),
            Membership::Bare => write!(f, "no markup to go by"),
            Membership::Failed => write!(f, "an error of this program"),
        }
    }
}

impl Grouping {
    /// The groups that these pages made, in the order of their numbers. Groups that were known
    /// before are not among them.
    pub fn groups(&self) -> &[PageGroup] {
        &self.groups
    }

    /// Where each page belongs, in the order of the texts.
    pub fn places(&self) -> &[Membership] {
        &self.places
    }

    /// The pages that show an error of this program, in the order of the texts.
    pub fn failed(&self) -> &[PageError] {
        &self.failed
    }

    /// Where there is no group: the two pages that share most, of the first two hundred in an order
    /// of their own.
    pub fn closest(&self) -> Option<&Closest> {
        self.closest.as_ref()
    }

    /// All groups, for later pages.
    pub fn known(&self) -> &KnownGroups {
        &self.known
    }
}

/// Finds the groups of a pile of pages.
pub fn group(texts: &[Text]) -> Grouping {
    add(&KnownGroups::default(), texts)
}

/// Puts pages into groups that are known, and groups those that fit none.
///
/// ```
/// use unmold::{Text, group::{add, group}};
///
/// let page = |n: u32| Text::from_string(format!("{n}"), format!("<div class=item><h1>{n}</h1><b class=price>{n}</b>"));
/// let first = group(&[page(1), page(2)]);
/// let later = add(first.known(), &[page(3)]);
/// assert_eq!(later.places()[0].group(), Some(0));
/// assert_eq!(later.known().groups()[0].pages, 3);
/// ```
pub fn add(known: &KnownGroups, texts: &[Text]) -> Grouping {
    let mut grouper = Grouper::default();
    grouper.read(texts);
    grouper.add_to(known)
}

/// Finds the groups of pages that stand elsewhere.
pub(crate) fn group_lent(texts: &[&Text]) -> Grouping {
    let mut grouper = Grouper::default();
    grouper.read(texts);
    grouper.add_to(&KnownGroups::default())
}

/// Puts pages that stand elsewhere into one group, whatever they are made of.
pub(crate) fn one_group_lent(texts: &[&Text]) -> Grouping {
    let mut grouper = Grouper::default();
    grouper.read(texts);
    grouper.into_one_group()
}

/// Pages in an order that does not depend on how they came.
struct Sorted {
    pages: Vec<Kept>,
    /// Where each of them stood.
    given: Vec<usize>,
    said: Said,
}

/// A group while it is made; pages are numbers in the pile.
struct Draft {
    pages: Vec<usize>,
    affix: Option<Affix>,
    layout: usize,
    scale: usize,
}

impl Sorted {
    fn add(&self, known: KnownGroups) -> Grouping {
        let nearest = self.nearest(&known, |_| true);
        let placed = |page: &usize| nearest[*page].is_some_and(|near| known.holds(&near));
        // Pages that were cut short can be placed, but nothing is learned from them.
        let new: Vec<usize> = (0..self.pages.len())
            .filter(|page| !placed(page) && !self.pages[*page].is_truncated)
            .collect();
        let known_pages: usize = known.groups().iter().map(|group| group.pages).sum();
        let (drafts, layouts) = self.drafts(&new, known_pages + self.pages.len());
        self.grouped(&drafts, layouts, known)
    }

    /// One group of all pages that could be read.
    fn as_one_group(&self) -> Grouping {
        let good: Vec<usize> = (0..self.pages.len())
            .filter(|&page| self.pages[page].error.is_none())
            .collect();
        let features: Vec<&Features> = good.iter().map(|&page| self.features(page)).collect();
        let keys: Vec<u64> = good.iter().map(|&page| self.pages[page].hash).collect();
        let layouts = Layouts::of_one_template(&features, &keys);
        let draft = Draft {
            pages: good,
            affix: None,
            layout: 0,
            scale: 0,
        };
        let drafts = if draft.pages.is_empty() {
            Vec::new()
        } else {
            vec![draft]
        };
        self.grouped(&drafts, layouts, KnownGroups::default())
    }

    /// All that is told about drafted groups and those that were known.
    fn grouped(&self, drafts: &[Draft], layouts: Layouts, mut known: KnownGroups) -> Grouping {
        let groups = self.groups(drafts, &layouts, &known);
        let found = self.found(drafts, &groups, &layouts);
        let first = known.groups().len();
        known.learn(layouts.scales.into_iter().map(|scale| scale.weights), found);
        let places = self.places(drafts, first, &mut known);
        Grouping {
            closest: self.closest(&known),
            groups,
            places,
            known,
            failed: self.failed(),
        }
    }

    /// The two pages that share most, if there is no group.
    fn closest(&self, known: &KnownGroups) -> Option<Closest> {
        if !known.groups().is_empty() {
            return None;
        }
        let pages: Vec<usize> = (0..self.pages.len())
            .filter(|&page| !self.features(page).paths.is_empty())
            .collect();
        let features: Vec<&Features> = pages.iter().map(|&page| self.features(page)).collect();
        let found = layout::closest_pair(&features)?;
        let id = |at: usize| self.pages[pages[at]].id.clone();
        Some(Closest {
            pages: (id(found.pages.0), id(found.pages.1)),
            share: found.share,
            needed: found.needed,
        })
    }

    /// What went wrong, in the order given.
    fn failed(&self) -> Vec<PageError> {
        let mut failed: Vec<(usize, &PageError)> = self
            .given
            .iter()
            .zip(&self.pages)
            .filter_map(|(&at, page)| Some((at, page.error.as_ref()?)))
            .collect();
        failed.sort_by_key(|(given, _)| *given);
        failed.into_iter().map(|(_, error)| error.clone()).collect()
    }

    fn features(&self, page: usize) -> &Features {
        &self.pages[page].features
    }

    /// The known group that each of some pages is nearest to; nothing for the others.
    fn nearest(
        &self,
        known: &KnownGroups,
        is_asked: impl Fn(usize) -> bool + Sync,
    ) -> Vec<Option<Near>> {
        let near = |page: usize| {
            if is_asked(page) {
                known.nearest(self.features(page))
            } else {
                None
            }
        };
        (0..self.pages.len()).into_par_iter().map(near).collect()
    }

    /// The groups of some pages: the largest first, then the one with the smallest page.
    fn drafts(&self, pages: &[usize], pile_size: usize) -> (Vec<Draft>, Layouts) {
        let features: Vec<&Features> = pages.iter().map(|&page| self.features(page)).collect();
        let keys: Vec<u64> = pages.iter().map(|&page| self.pages[page].hash).collect();
        let mut layouts = Layouts::of(&features, &keys, pile_size);
        layouts
            .layouts
            .iter_mut()
            .flat_map(|layout| &mut layout.pages)
            .for_each(|page| *page = pages[*page]);
        let mut drafts: Vec<Draft> = Vec::new();
        for (number, layout) in layouts.layouts.iter().enumerate() {
            let titled: Vec<Titled<'_>> =
                layout.pages.iter().map(|&page| self.titled(page)).collect();
            drafts.extend(
                titles::divided(&titled)
                    .into_iter()
                    .map(|(mut pages, affix)| {
                        pages.sort_unstable();
                        Draft {
                            pages,
                            affix,
                            layout: number,
                            scale: layout.scale,
                        }
                    }),
            );
        }
        drafts.sort_by_key(|draft| (Reverse(draft.pages.len()), draft.pages[0]));
        (drafts, layouts)
    }

    fn titled(&self, page: usize) -> Titled<'_> {
        let Features {
            title,
            address,
            paths,
            ..
        } = self.features(page);
        Titled {
            page,
            title,
            address,
            paths,
        }
    }

    /// The drafts with all that is told about groups.
    fn groups(&self, drafts: &[Draft], layouts: &Layouts, known: &KnownGroups) -> Vec<PageGroup> {
        let strings = |draft: &Draft| {
            Profile::of(
                draft
                    .pages
                    .iter()
                    .map(|&page| self.features(page).strings.as_slice()),
            )
        };
        let profiles: Vec<Profile> = drafts.par_iter().map(strings).collect();
        let representatives: Vec<usize> = drafts
            .par_iter()
            .map(|draft| self.representative(draft, layouts))
            .collect();
        let (free_layout, free_site) = known.free_numbers();
        let layout_numbers = sites::numbered(drafts.iter().map(|draft| draft.layout));
        let site_numbers = sites::sites(&profiles);
        let evidence = self.evidence(&profiles, &representatives);
        let names = self.names(drafts, &representatives, &site_numbers, &evidence);
        let of_draft = |(at, (name, evidence)): (usize, (String, Evidence))| PageGroup {
            number: known.groups().len() + at,
            pages: self.given(&drafts[at].pages),
            name,
            representative: self.given[representatives[at]],
            evidence: evidence.strings,
            layout: free_layout + layout_numbers[at],
            site: free_site + site_numbers[at],
            fingerprint: self.fingerprint(&drafts[at]),
        };
        names
            .into_iter()
            .zip(evidence)
            .enumerate()
            .map(of_draft)
            .collect()
    }

    fn evidence(&self, profiles: &[Profile], representatives: &[usize]) -> Vec<Evidence> {
        let strings: Vec<&[u64]> = representatives
            .iter()
            .map(|&page| self.features(page).strings.as_slice())
            .collect();
        names::evidence(profiles, &strings, &self.said)
    }

    fn fingerprint(&self, draft: &Draft) -> Fingerprint {
        Fingerprint::of(
            draft.pages.iter().map(|&page| self.features(page)),
            draft.affix.as_ref(),
        )
    }

    fn given(&self, pages: &[usize]) -> Vec<usize> {
        let mut given: Vec<usize> = pages.iter().map(|&page| self.given[page]).collect();
        given.sort_unstable();
        given
    }

    /// What groups are called, each by the number of its site.
    fn names(
        &self,
        drafts: &[Draft],
        shown: &[usize],
        sites: &[usize],
        evidence: &[Evidence],
    ) -> Vec<String> {
        let plain = |(draft, &shown): (&Draft, &usize)| {
            let urls: Option<Vec<&str>> = draft
                .pages
                .iter()
                .map(|&page| self.pages[page].url.as_deref())
                .collect();
            let titles: Vec<&str> = draft
                .pages
                .iter()
                .map(|&page| self.features(page).title.as_str())
                .collect();
            names::name(
                urls,
                &titles,
                &self.features(shown).title,
                &self.pages[shown].id,
            )
        };
        let names: Vec<String> = drafts.iter().zip(shown).map(plain).collect();
        names::told_apart(&names, sites, evidence)
    }

    /// Of some pages of a group, the one that is most like the others.
    fn representative(&self, draft: &Draft, layouts: &Layouts) -> usize {
        let weights = &layouts.scales[draft.scale].weights;
        let sets: Vec<(usize, PathSet)> = spread(&draft.pages)
            .map(|page| (page, weights.path_set(&self.features(page).paths)))
            .collect();
        let likeness = |page: &PathSet| {
            sets.iter()
                .map(|(_, other)| weights.similarity(page, other))
                .sum::<u64>()
        };
        let best = sets
            .iter()
            .max_by_key(|(page, paths)| (likeness(paths), Reverse(*page)));
        best.map_or(draft.pages[0], |(page, _)| *page)
    }

    fn found(&self, drafts: &[Draft], groups: &[PageGroup], layouts: &Layouts) -> Vec<NewGroup> {
        let of_draft = |(draft, group): (&Draft, &PageGroup)| {
            let weights = &layouts.scales[draft.scale].weights;
            let set = |page: usize| weights.path_set(&self.features(page).paths);
            let exemplars: Vec<PathSet> = spread(&draft.pages).map(set).collect();
            let known: Exemplars = std::iter::once(exemplars.clone()).collect();
            let similarities = draft
                .pages
                .par_iter()
                .map(|&page| known.similarity(weights, 0, &set(page)));
            NewGroup {
                name: group.name.clone(),
                // Pages are counted when they are placed.
                pages: 0,
                representative: self.pages[self.position(group.representative)].id.clone(),
                layout: group.layout,
                site: group.site,
                affix: draft.affix.clone(),
                scale: draft.scale,
                // Rounded down, so that no digit is lost in the file.
                least: (similarities.reduce(|| ALIKE, f64::min) * 1e6).floor() / 1e6,
                exemplars,
            }
        };
        drafts.iter().zip(groups).map(of_draft).collect()
    }

    fn position(&self, given: usize) -> usize {
        self.given.iter().position(|&at| at == given).unwrap_or(0)
    }

    /// Where each page belongs, in the order given; counts the pages of each group.
    fn places(&self, drafts: &[Draft], first: usize, known: &mut KnownGroups) -> Vec<Membership> {
        let mut drafted: Vec<Option<usize>> = vec![None; self.pages.len()];
        for (at, draft) in drafts.iter().enumerate() {
            draft
                .pages
                .iter()
                .for_each(|&page| drafted[page] = Some(first + at));
        }
        let nearest = self.nearest(known, |page| drafted[page].is_none());
        let mut places = vec![Membership::Bare; self.pages.len()];
        for (page, near) in nearest.into_iter().enumerate() {
            let is_held = near.is_some_and(|near| known.holds(&near));
            let place = self.place(page, drafted[page], near.map(|near| (near, is_held)), first);
            place
                .group()
                .into_iter()
                .for_each(|group| known.count(group));
            places[self.given[page]] = place;
        }
        places
    }

    /// Where a page belongs that was drafted for a group, or is near to one that holds it or not.
    fn place(
        &self,
        page: usize,
        drafted: Option<usize>,
        near: Option<(Near, bool)>,
        first: usize,
    ) -> Membership {
        // A page that was grouped with others stays there, and one that was not stays alone, even
        // where the few pages by which groups are known would say otherwise.
        let was_placed = |near: &Near| near.group < first || self.pages[page].is_truncated;
        match (drafted, near) {
            (Some(group), _) => Membership::In(group),
            (None, Some((near, true))) if was_placed(&near) => Membership::In(near.group),
            (None, _) if self.pages[page].error.is_some() => Membership::Failed,
            (None, _) if self.features(page).paths.is_empty() => Membership::Bare,
            (None, near) => Membership::Alone {
                nearest: near.map(|(near, _)| (near.group, near.similarity)),
            },
        }
    }
}
