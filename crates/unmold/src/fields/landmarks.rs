//! Which texts are once on nearly every page?
//!
//! They are the milestones of a template: a value is this many texts after one, or before one.

use super::slots::Slot;
use crate::read::{html::visible_text, tree::Tree};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::{cmp::Reverse, sync::Arc};

/// A landmark is on at least this many of ten pages. Chosen by hand.
const MIN_TENTHS: usize = 9;
/// More landmarks than this say nothing more. Chosen by hand.
const MAX_LANDMARKS: usize = 100;

/// The landmarks of some pages.
#[derive(Default)]
pub(super) struct Landmarks {
    /// As most pages write them.
    pub texts: Vec<String>,
    hashes: RapidHashSet<u64>,
}

impl Landmarks {
    /// Whether a text is one, by its hash.
    pub fn hold(&self, text: u64) -> bool {
        self.hashes.contains(&text)
    }
}

/// The landmarks of pages, in the order of the page that has most of them.
pub(super) fn find(trees: &[Arc<Tree<'_>>], pages: &[Vec<Slot>]) -> Landmarks {
    let mut counts: RapidHashMap<u64, usize> = RapidHashMap::default();
    for slots in pages {
        for text in texts_that_are_once(slots) {
            *counts.entry(text).or_default() += 1;
        }
    }
    let least = (pages.len() * MIN_TENTHS).div_ceil(10);
    let is_landmark = |slot: &&Slot| {
        slot.attribute.is_empty() && counts.get(&slot.text).is_some_and(|&count| count >= least)
    };
    let by_page = pages
        .iter()
        .map(|slots| slots.iter().filter(is_landmark).collect::<Vec<&Slot>>());
    let most = by_page
        .enumerate()
        .max_by_key(|(page, found)| (found.len(), Reverse(*page)));
    let Some((_, found)) = most else {
        return Landmarks::default();
    };
    let step = found.len().div_ceil(MAX_LANDMARKS).max(1);
    let chosen: Vec<u64> = found.iter().step_by(step).map(|slot| slot.text).collect();
    let mut spellings = usual_spellings(trees, pages, &chosen);
    let texts = chosen
        .iter()
        .map(|text| spellings.remove(text).unwrap_or_default())
        .collect();
    Landmarks {
        texts,
        hashes: chosen.into_iter().collect(),
    }
}

/// How most pages write some texts, which are the same text with a colon and without. Of equals, as
/// the first page does.
fn usual_spellings(
    trees: &[Arc<Tree<'_>>],
    pages: &[Vec<Slot>],
    texts: &[u64],
) -> RapidHashMap<u64, String> {
    let mut counts: RapidHashMap<u64, Vec<(String, usize)>> =
        texts.iter().map(|&text| (text, Vec::new())).collect();
    for (tree, slots) in trees.iter().zip(pages) {
        for slot in slots.iter().filter(|slot| slot.attribute.is_empty()) {
            if let Some(known) = counts.get_mut(&slot.text) {
                count(known, visible_text(slot.span.of(tree.page())));
            }
        }
    }
    let mut usual = RapidHashMap::default();
    for (text, spellings) in counts {
        let most = spellings.into_iter().rev().max_by_key(|(_, count)| *count);
        usual.insert(text, most.map(|(spelling, _)| spelling).unwrap_or_default());
    }
    usual
}

fn count(spellings: &mut Vec<(String, usize)>, spelling: String) {
    match spellings.iter_mut().find(|(known, _)| *known == spelling) {
        Some((_, count)) => *count += 1,
        None => spellings.push((spelling, 1)),
    }
}

/// The texts that a page has once.
fn texts_that_are_once(slots: &[Slot]) -> Vec<u64> {
    let shown = slots.iter().filter(|slot| slot.attribute.is_empty());
    let mut texts: Vec<u64> = shown.map(|slot| slot.text).collect();
    texts.sort_unstable();
    let same = texts.chunk_by(|a, b| a == b);
    same.filter(|same| same.len() == 1)
        .map(|same| same[0])
        .collect()
}
