//! Which groups are one template with optional parts?
//!
//! Groups whose rules work on each other's pages are learned from together. Rules are learned from
//! a few pages of each group and tried on a few pages of the next ones; but only on those of the
//! same site that look most alike, so that a pile with a thousand groups is not tried a million
//! times.
//!
//! The groups stay what they are: [`variants`](super::variants) gives each its own part of what was
//! learned from all.

use super::{pages::Pages, templates::Template};
use crate::fields::{
    Field,
    apply::Finder,
    learn::{LearnedFields, learn_scanned},
};
use rayon::prelude::*;
use std::{cell::OnceCell, collections::BTreeMap};

/// So many groups that look most like another are asked whether they are one with it.
const ASKED: usize = 8;

/// A template, with its fields if they were learned from all its pages on the way.
pub(super) type Joined = (Template, Option<LearnedFields>);

/// Groups with those put together whose rules work on each other's pages: only groups of one site,
/// so that sites are worked on side by side.
pub(super) fn joined(pages: &Pages<'_>, templates: Vec<Template>) -> Vec<Joined> {
    let mut sites: BTreeMap<usize, Vec<(usize, Template)>> = BTreeMap::new();
    for (number, template) in templates.into_iter().enumerate() {
        sites
            .entry(template.site)
            .or_default()
            .push((number, template));
    }
    let joined = sites
        .into_par_iter()
        .flat_map_iter(|(_, templates)| joined_of_site(pages, templates));
    let mut joined: Vec<(usize, Joined)> = joined.collect();
    joined.sort_by_key(|(number, _)| *number);
    joined.into_iter().map(|(_, joined)| joined).collect()
}

/// A template while others of its site are joined to it, with its number and its rules, which are
/// learned when they are first tried: those of many templates never are.
struct Growing {
    number: usize,
    template: Template,
    probe: OnceCell<Probe>,
}

impl Growing {
    fn of((number, template): (usize, Template)) -> Self {
        Growing {
            number,
            template,
            probe: OnceCell::new(),
        }
    }

    /// Whether its rules work on the pages of another.
    fn fits(&self, pages: &Pages<'_>, other: &Template) -> bool {
        self.probe
            .get_or_init(|| Probe::of(pages, &self.template.pages))
            .fits(pages, &other.pages)
    }

    /// Takes in another template.
    fn take(&mut self, other: Template) {
        if self.template.pages.len() < Probe::LEARNED_FROM {
            self.probe.take();
        }
        self.template.take(other);
    }

    fn finish(self) -> (usize, Joined) {
        let is_whole = self.template.pages.len() <= Probe::LEARNED_FROM;
        let probe = self.probe.into_inner().filter(|_| is_whole);
        (
            self.number,
            (self.template, probe.map(|probe| probe.learned)),
        )
    }
}

/// The templates of one site, each with its number.
fn joined_of_site(
    pages: &Pages<'_>,
    mut templates: Vec<(usize, Template)>,
) -> Vec<(usize, Joined)> {
    if templates.len() == 1 {
        return templates
            .drain(..)
            .map(|(number, template)| (number, (template, None)))
            .collect();
    }
    let mut growing: Vec<Growing> = Vec::new();
    for (number, template) in templates {
        let fits = |at: &usize| growing[*at].fits(pages, &template);
        match asked(&growing, &template).into_iter().find(fits) {
            Some(at) => growing[at].take(template),
            None => growing.push(Growing::of((number, template))),
        }
    }
    growing.into_iter().map(Growing::finish).collect()
}

/// The templates that look most like another, in their order.
fn asked(growing: &[Growing], template: &Template) -> Vec<usize> {
    let alike = |known: &Template| {
        let pairs = known
            .looks()
            .flat_map(|look| template.looks().map(move |other| (look, other)));
        pairs
            .map(|(one, other)| one.fingerprint.similarity(&other.fingerprint))
            .max()
            .unwrap_or(0)
    };
    let mut asked: Vec<(u32, usize)> = growing
        .iter()
        .enumerate()
        .map(|(at, known)| (alike(&known.template), at))
        .collect();
    asked.sort_unstable_by_key(|&(alike, at)| (std::cmp::Reverse(alike), at));
    asked.truncate(ASKED);
    let mut asked: Vec<usize> = asked.into_iter().map(|(_, at)| at).collect();
    asked.sort_unstable();
    asked
}

/// The rules of a group, to see whether they work on other pages.
struct Probe {
    learned: LearnedFields,
    finder: Finder,
    /// How much they find on a page of the group.
    found: f64,
}

impl Probe {
    /// So many pages tell.
    const TRIED: usize = 10;
    const LEARNED_FROM: usize = 2 * Self::TRIED;

    fn of(pages: &Pages<'_>, known: &[usize]) -> Self {
        /// The fields that count: what comes later is often the frame, which pages of a site share.
        const FIRST: usize = 20;
        let sample = &known[..known.len().min(Self::LEARNED_FROM)];
        let learned = learn_scanned(
            &sample
                .iter()
                .map(|&page| pages.scanned(page))
                .collect::<Vec<_>>(),
            pages.with_labels,
        );
        let fields = &learned.fields[..learned.fields.len().min(FIRST)];
        let finder = Finder::new(fields, &learned.landmarks);
        Probe {
            found: fields_a_page(&finder, pages, known),
            finder,
            learned,
        }
    }

    /// Whether the rules find at least half as much on other pages.
    fn fits(&self, pages: &Pages<'_>, others: &[usize]) -> bool {
        2.0 * fields_a_page(&self.finder, pages, others) >= self.found
    }
}

/// Whether fields that were learned from one template are found nearly as often on the pages of
/// another.
pub(super) fn work_on(
    pages: &Pages<'_>,
    (fields, landmarks): (&[Field], &[String]),
    known: &Template,
    other: &Template,
) -> bool {
    /// Fewer are what pages of any template of a site share.
    const NEARLY: f64 = 0.75;
    let finder = Finder::new(fields, landmarks);
    let found = fields_a_page(&finder, pages, &known.pages);
    fields_a_page(&finder, pages, &other.pages) >= NEARLY * found
}

/// How many fields are found on one of the first pages, on average.
fn fields_a_page(finder: &Finder, pages: &Pages<'_>, numbers: &[usize]) -> f64 {
    let tried = &numbers[..numbers.len().min(Probe::TRIED)];
    let filled = |&page: &usize| {
        finder
            .find_on(&pages.scanned(page))
            .iter()
            .filter(|found| !found.slots.is_empty())
            .count()
    };
    tried.iter().map(filled).sum::<usize>() as f64 / tried.len().max(1) as f64
}
