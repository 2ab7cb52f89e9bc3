//! Do the rules work on pages that they were not learned from?
//!
//! A quarter of the pages is set aside, rules are learned from the others and looked for on these. What a field is found
//! on there, and how far its views agree there, says what to expect of pages that come later. The mold itself is then
//! learned from all pages.

use super::{
    Field,
    apply::{Finder, VotedSlots},
    evidence::rounded,
    learn::{LearnedFields, ScannedPage, learn_scanned},
};
use rapidhash::RapidHashMap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How a field did on pages that it was not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    /// The pages.
    pub pages: usize,
    /// The share of them that it was found on.
    pub fill: f64,
    /// How far its views agreed there.
    pub agreement: f64,
}

/// Every so many pages, one is set aside,
const EVERY: usize = 4;
/// if there are so many pages.
const LEAST: usize = 8;

/// Notes for each field how it does on pages that are set aside. Fields that are not found again under their name, and
/// those of few pages, keep no note.
pub(crate) fn judge(pages: &[ScannedPage<'_>], fields: &mut [Field]) {
    if pages.len() < LEAST {
        return;
    }
    let is_held_out = |at: &usize| at % EVERY == EVERY - 1;
    let (held_out, learned_from): (Vec<usize>, Vec<usize>) =
        (0..pages.len()).partition(is_held_out);
    let chosen = |numbers: &[usize]| {
        numbers
            .iter()
            .map(|&at| pages[at].clone())
            .collect::<Vec<_>>()
    };
    let notes = notes(&learn_scanned(&chosen(&learned_from)), &chosen(&held_out));
    for field in fields {
        field.held_out = notes.get(&field.name).copied();
    }
}

fn notes(learned: &LearnedFields, held_out: &[ScannedPage<'_>]) -> RapidHashMap<String, HeldOut> {
    let finder = Finder::new(&learned.fields, &learned.landmarks);
    let found: Vec<Vec<VotedSlots>> = held_out
        .par_iter()
        .map(|page| finder.find_on(page))
        .collect();
    let note = |at: usize| {
        let filled: Vec<f64> = found
            .iter()
            .map(|page| &page[at])
            .filter(|found| !found.slots.is_empty())
            .map(|found| found.agreement)
            .collect();
        let agreement = filled.iter().sum::<f64>() / filled.len().max(1) as f64;
        let fill = filled.len() as f64 / held_out.len() as f64;
        HeldOut {
            pages: held_out.len(),
            fill: rounded(fill),
            agreement: rounded(agreement),
        }
    };
    learned
        .fields
        .iter()
        .enumerate()
        .map(|(at, field)| (field.name.clone(), note(at)))
        .collect()
}
