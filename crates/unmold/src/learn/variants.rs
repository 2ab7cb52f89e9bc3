//! What does each group of a template have of the rules that were learned from all of them?
//!
//! Pages with an optional part and pages without it are groups of their own, and stay so in the
//! mold: a page is in the same group wherever it is asked. The fields of all are learned together,
//! so that they have the same names and the rules of the most pages. Each group keeps those that its
//! own pages have, with the share of *its* pages that have them, and learns its own lists: what one
//! page type lists is not what the next one lists.
//!
//! Cost: the fields are looked for once more on the pages of templates that were joined.

use super::{
    pages::Pages,
    sample::sampled,
    templates::{Template, Variant},
};
use crate::{
    fields::{Field, apply::Finder, declared, headed},
    mold::Group,
};
use rayon::prelude::*;

/// Which fields a group keeps that none of its pages has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// None of them.
    Dropped,
    /// All of them: a person asked for them by name.
    Kept,
}

/// A group of the mold with the number that grouping gave it.
pub(super) type Numbered = (usize, Group);

/// The groups of a template, each with its part of the rules.
pub(super) fn divided(
    pages: &Pages<'_>,
    template: &Template,
    whole: Group,
    missing: Missing,
) -> Vec<Numbered> {
    if let [only] = &template.variants[..] {
        return vec![(only.number, whole)];
    }
    let finder = Finder::new(&whole.fields, &whole.landmarks);
    let mut groups = Vec::new();
    for variant in &template.variants {
        let group = part_of(pages, variant, &whole, &finder, missing);
        groups.push((variant.number, group));
    }
    groups
}

/// The groups of all templates in the order of their numbers, as grouping has them.
pub(super) fn in_order(mut groups: Vec<Numbered>) -> Vec<Group> {
    groups.sort_by_key(|(number, _)| *number);
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The part of a template's rules that one of its variants has.
fn part_of(
    pages: &Pages<'_>,
    variant: &Variant,
    whole: &Group,
    finder: &Finder,
    missing: Missing,
) -> Group {
    let sample = sampled(&variant.pages);
    let filled = pages_with_each_field(pages, &sample, whole, finder);
    let wanted_of_whole = whole.wanted.unwrap_or(whole.fields.len());
    let mut fields: Vec<Field> = Vec::new();
    let mut wanted = 0;
    for (at, field) in whole.fields.iter().enumerate() {
        if filled[at] == 0 && missing == Missing::Dropped {
            continue;
        }
        if at < wanted_of_whole {
            wanted += 1;
        }
        fields.push(Field {
            fill: share(filled[at], sample.len()),
            ..field.clone()
        });
    }
    Group {
        fields,
        wanted: whole.wanted.map(|_| wanted),
        landmarks: whole.landmarks.clone(),
        ..variant.group()
    }
}

/// On how many of some pages each field is found, where it is shown or declared.
fn pages_with_each_field(
    pages: &Pages<'_>,
    sample: &[usize],
    whole: &Group,
    finder: &Finder,
) -> Vec<usize> {
    let found: Vec<Vec<bool>> = sample
        .par_iter()
        .map(|&page| {
            let scanned = pages.scanned(page);
            let shown = finder.find_on(&scanned);
            let declared = declared::are_declared(&whole.fields, scanned.tree());
            let listed = headed::are_listed(&whole.fields, scanned.tree());
            let otherwise = declared.into_iter().zip(listed);
            let either = shown.iter().zip(otherwise);
            either
                .map(|(shown, (declared, listed))| declared || listed || !shown.slots.is_empty())
                .collect()
        })
        .collect();
    let mut filled = vec![0; whole.fields.len()];
    for page in found {
        for (at, is_found) in page.into_iter().enumerate() {
            filled[at] += usize::from(is_found);
        }
    }
    filled
}

/// A share of some pages, in thousandths.
fn share(pages: usize, of: usize) -> f64 {
    (1000.0 * pages as f64 / of.max(1) as f64).round() / 1000.0
}
