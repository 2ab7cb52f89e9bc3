//! Do the rules work on pages that they were not learned from?
//!
//! A quarter of the pages is set aside, rules are learned from the others and looked for on these.
//! What a field is found on there, and how far its views agree there, says what to expect of pages
//! that come later. The mold itself is then learned from all pages.

use super::{
    Field,
    apply::Finder,
    columns::rounded,
    learn::{LearnedFields, learn_scanned},
    rule::HeldOut,
    sample::ScannedPage,
    votes::VotedSlots,
};
use rapidhash::RapidHashMap;
use rayon::prelude::*;

/// One page of this many is set aside.
const PAGES_PER_HELD_OUT: usize = 4;
/// Of fewer pages than this none is set aside: those that are left would be too few to learn from.
const MIN_PAGES: usize = 8;

/// Notes for each field how it does on pages that are set aside. Fields that are not found again
/// under their name, and those of few pages, keep no note.
pub(crate) fn judge(pages: &[ScannedPage<'_>], fields: &mut [Field], with_labels: bool) {
    if pages.len() < MIN_PAGES {
        return;
    }
    let (mut held_out, mut learned_from) = (Vec::new(), Vec::new());
    for (at, page) in pages.iter().enumerate() {
        let is_held_out = at % PAGES_PER_HELD_OUT == PAGES_PER_HELD_OUT - 1;
        let to = if is_held_out {
            &mut held_out
        } else {
            &mut learned_from
        };
        to.push(page.clone());
    }
    let notes = notes(&learn_scanned(&learned_from, with_labels), &held_out);
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
    let mut notes = RapidHashMap::default();
    for (at, field) in learned.fields.iter().enumerate() {
        let (mut filled, mut agreement) = (0, 0.0);
        for found in found.iter().map(|page| &page[at]) {
            if !found.slots.is_empty() {
                filled += 1;
                agreement += found.agreement;
            }
        }
        let note = HeldOut {
            pages: held_out.len(),
            fill: rounded(f64::from(filled) / held_out.len() as f64),
            agreement: rounded(agreement / f64::from(filled.max(1))),
        };
        notes.insert(field.name.clone(), note);
    }
    notes
}
