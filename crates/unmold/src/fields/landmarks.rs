//! Which texts stand once on nearly every page?
//!
//! They are the milestones of a template: a value is so many texts behind one, or before one.

use super::{
    learn::Sample,
    slots::{self, Everything, Slot},
};
use crate::read::html::visible_text;
use rapidhash::RapidHashMap;

/// A landmark stands on this share of the pages at least, in tenths.
const TENTHS: usize = 9;
/// More landmarks than this say nothing more.
const MOST: usize = 100;

/// Finds landmarks and sets the keys that go by them.
pub(super) fn set(sample: &mut Sample<'_>) -> Vec<String> {
    let mut counts: RapidHashMap<u64, usize> = RapidHashMap::default();
    for slots in &sample.slots {
        for text in once(slots) {
            *counts.entry(text).or_default() += 1;
        }
    }
    let least = (sample.slots.len() * TENTHS).div_ceil(10);
    let is_landmark = |slot: &&Slot| {
        slot.attribute.is_empty() && counts.get(&slot.text).is_some_and(|&count| count >= least)
    };
    // In the order of the page that has most of them.
    let by_page = sample
        .slots
        .iter()
        .map(|slots| slots.iter().filter(is_landmark).collect::<Vec<&Slot>>())
        .enumerate();
    let most = by_page.max_by_key(|(page, found)| (found.len(), std::cmp::Reverse(*page)));
    let Some((_, found)) = most else {
        return Vec::new();
    };
    let step = found.len().div_ceil(MOST).max(1);
    let chosen: Vec<&Slot> = found.into_iter().step_by(step).collect();
    let known: Vec<u64> = chosen.iter().map(|slot| slot.text).collect();
    let mut spellings = usual_spellings(sample, &known);
    let texts = known
        .iter()
        .map(|text| spellings.remove(text).unwrap_or_default())
        .collect();
    for slots in &mut sample.slots {
        slots::set_landmark_keys(slots, &Everything, |text| known.contains(&text));
    }
    texts
}

/// How most pages write some texts, which are the same text with a colon and without. Of equals, as the first page does.
fn usual_spellings(sample: &Sample<'_>, texts: &[u64]) -> RapidHashMap<u64, String> {
    let mut counts: RapidHashMap<u64, Vec<(String, usize)>> =
        texts.iter().map(|&text| (text, Vec::new())).collect();
    for (tree, slots) in sample.trees.iter().zip(&sample.slots) {
        for slot in slots.iter().filter(|slot| slot.attribute.is_empty()) {
            let Some(known) = counts.get_mut(&slot.text) else {
                continue;
            };
            count(known, visible_text(slot.span.of(tree.page())));
        }
    }
    let usual = |spellings: Vec<(String, usize)>| {
        let most = spellings.into_iter().rev().max_by_key(|(_, count)| *count);
        most.map_or_else(String::new, |(spelling, _)| spelling)
    };
    counts
        .into_iter()
        .map(|(text, spellings)| (text, usual(spellings)))
        .collect()
}

fn count(spellings: &mut Vec<(String, usize)>, spelling: String) {
    match spellings.iter_mut().find(|(known, _)| *known == spelling) {
        Some((_, count)) => *count += 1,
        None => spellings.push((spelling, 1)),
    }
}

/// The texts that a page has once.
fn once(slots: &[Slot]) -> impl Iterator<Item = u64> {
    let mut texts: Vec<u64> = slots
        .iter()
        .filter(|slot| slot.attribute.is_empty())
        .map(|slot| slot.text)
        .collect();
    texts.sort_unstable();
    let texts: Vec<u64> = texts
        .chunk_by(|a, b| a == b)
        .filter(|same| same.len() == 1)
        .map(|same| same[0])
        .collect();
    texts.into_iter()
}
