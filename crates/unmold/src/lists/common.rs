//! What do the pages of a site say alike?
//!
//! Menus, carts and filters are lists too, and often larger than the one that is meant. On one page
//! they can only be told by what they look like; beside another page of the site they are what both
//! pages list, and what is wanted is what each lists for itself.
//!
//! Cost: a hash for each text of the pages that are looked at.

use crate::read::tree::Tree;
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};

/// The texts of some pages of a site, and how many pages have each.
#[derive(Clone, Debug, Default)]
pub struct Common {
    pages: u32,
    times: RapidHashMap<u64, u32>,
}

impl Common {
    /// Takes up what a page says.
    pub(crate) fn add(&mut self, tree: &Tree<'_>) {
        let texts = tree.nodes().filter(|&node| !tree.is_element(node));
        let texts: RapidHashSet<u64> = texts
            .map(|node| key(tree.span(node).of(tree.page())))
            .collect();
        texts
            .into_iter()
            .for_each(|text| *self.times.entry(text).or_default() += 1);
        self.pages += 1;
    }

    /// Whether there are no other pages.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages < 2
    }

    /// The share of other pages that have a text, from 0 to 1.
    pub(crate) fn share(&self, text: &str) -> f64 {
        let times = self.times.get(&key(text)).copied().unwrap_or(0);
        f64::from(times.saturating_sub(1)) / f64::from(self.pages.saturating_sub(1).max(1))
    }
}

fn key(text: &str) -> u64 {
    rapidhash_v3(text.trim().as_bytes())
}
