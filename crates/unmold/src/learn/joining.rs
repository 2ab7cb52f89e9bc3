//! Which groups are one template with optional parts?
//!
//! Groups whose rules work on each other's pages are learned from together. Rules are learned from a few pages of each
//! group and tried on a few pages of the next ones; but only on those of the same site that look most alike, so that a
//! pile with a thousand groups is not tried a million times.

use super::{pages::Pages, templates::Template};
use crate::fields::{apply::Finder, learn::learn_scanned};
use rayon::prelude::*;

/// So many groups that look most like another are asked whether they are one with it.
const ASKED: usize = 8;

/// Groups with those put together whose rules work on each other's pages.
pub(super) fn joined(pages: &Pages<'_>, templates: Vec<Template>) -> Vec<Template> {
    if templates.len() < 2 {
        return templates;
    }
    let mut probes: Vec<Probe> = templates.par_iter().map(|template| Probe::of(pages, &template.pages)).collect();
    probes.reverse();
    let mut joined: Vec<(Template, Probe)> = Vec::new();
    for template in templates {
        let probe = probes.pop().expect("each template has a probe");
        match asked(&joined, &template).into_iter().find(|&at| joined[at].1.fits(pages, &template.pages)) {
            Some(at) => {
                let (known, probe) = &mut joined[at];
                let told = known.pages.len();
                known.pages.extend(template.pages);
                known.looks.extend(template.looks);
                if told < Probe::LEARNED_FROM {
                    *probe = Probe::of(pages, &known.pages);
                }
            }
            None => joined.push((template, probe)),
        }
    }
    joined.into_iter().map(|(template, _)| template).collect()
}

/// The templates of the same site that look most like another, in their order.
fn asked(joined: &[(Template, Probe)], template: &Template) -> Vec<usize> {
    let alike = |known: &Template| {
        let pairs = known.looks.iter().flat_map(|look| template.looks.iter().map(move |other| (look, other)));
        pairs.map(|(one, other)| one.fingerprint.similarity(&other.fingerprint)).max().unwrap_or(0)
    };
    let same_site = joined.iter().enumerate().filter(|(_, (known, _))| known.site == template.site);
    let mut asked: Vec<(u32, usize)> = same_site.map(|(at, (known, _))| (alike(known), at)).collect();
    asked.sort_unstable_by_key(|&(alike, at)| (std::cmp::Reverse(alike), at));
    asked.truncate(ASKED);
    let mut asked: Vec<usize> = asked.into_iter().map(|(_, at)| at).collect();
    asked.sort_unstable();
    asked
}

/// The rules of a group, to see whether they work on other pages.
struct Probe {
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
        let learned = learn_scanned(&sample.iter().map(|&page| pages.scanned(page)).collect::<Vec<_>>());
        let fields = &learned.fields[..learned.fields.len().min(FIRST)];
        let finder = Finder::new(fields, &learned.landmarks);
        Probe { found: fields_a_page(&finder, pages, known), finder }
    }

    /// Whether the rules find at least half as much on other pages.
    fn fits(&self, pages: &Pages<'_>, others: &[usize]) -> bool {
        2.0 * fields_a_page(&self.finder, pages, others) >= self.found
    }
}

/// How many fields are found on one of the first pages, on average.
fn fields_a_page(finder: &Finder, pages: &Pages<'_>, numbers: &[usize]) -> f64 {
    let tried = &numbers[..numbers.len().min(Probe::TRIED)];
    let filled =
        |&page: &usize| finder.find_on(&pages.scanned(page)).iter().filter(|found| !found.slots.is_empty()).count();
    tried.iter().map(filled).sum::<usize>() as f64 / tried.len().max(1) as f64
}
