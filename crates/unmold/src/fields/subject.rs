//! Where does a page name what it is about?
//!
//! Mostly in a heading, and again in its title. What people want to know closely follows it.

use super::slots::Slot;
use crate::read::{html::visible_text, tree::Tree};
use rapidhash::RapidHashMap;
use std::sync::Arc;

/// A text with fewer letters than this is in any title. Chosen by hand.
const MIN_LETTERS: usize = 3;
/// Being the whole of the title counts as much as this many first headings. Chosen by hand.
const TITLE_WEIGHT: f64 = 2.0;

/// The subjects of some pages.
pub(super) struct Subjects {
    /// The slot on each page that names its subject.
    slots: Vec<Option<u32>>,
    /// The titles, in small letters.
    titles: Vec<String>,
}

impl Subjects {
    pub fn of(trees: &[Arc<Tree<'_>>], slots: &[Vec<Slot>]) -> Self {
        let pages_with = pages_with_text(slots);
        // What more than half of the pages say is the site's.
        let most = (trees.len() / 2).max(1);
        let is_own = |slot: &Slot| {
            pages_with
                .get(&slot.text)
                .is_none_or(|pages| *pages <= most)
        };
        let mut subjects = Subjects {
            slots: Vec::with_capacity(trees.len()),
            titles: Vec::with_capacity(trees.len()),
        };
        for (tree, slots) in trees.iter().zip(slots) {
            let title = tree.title().to_lowercase();
            subjects.slots.push(subject(tree, slots, &title, is_own));
            subjects.titles.push(title);
        }
        subjects
    }

    /// The slot that names the subject of a page.
    pub fn of_page(&self, page: usize) -> Option<u32> {
        self.slots[page]
    }

    /// The title of a page in small letters.
    pub fn title(&self, page: usize) -> &str {
        &self.titles[page]
    }
}

/// On how many pages each text is.
fn pages_with_text(slots: &[Vec<Slot>]) -> RapidHashMap<u64, usize> {
    let mut counts: RapidHashMap<u64, (usize, usize)> = RapidHashMap::default();
    for (page, slots) in slots.iter().enumerate() {
        for slot in slots {
            let (pages, last) = counts.entry(slot.text).or_insert((0, usize::MAX));
            if *last != page {
                (*pages, *last) = (*pages + 1, page);
            }
        }
    }
    let counts = counts.into_iter();
    counts.map(|(text, (pages, _))| (text, pages)).collect()
}

/// The text that is most of a heading and most of the title; the first of equals.
fn subject(
    tree: &Tree<'_>,
    slots: &[Slot],
    title: &str,
    is_own: impl Fn(&Slot) -> bool,
) -> Option<u32> {
    let headings = headings(tree);
    let title_letters = title.chars().count();
    let mut best: Option<(f64, u32)> = None;
    for (at, slot) in (0..).zip(slots) {
        if !slot.is_words() || !is_own(slot) {
            continue;
        }
        let Some(heading) = headings[slot.node.index()] else {
            continue;
        };
        let text = visible_text(slot.span.of(tree.page())).to_lowercase();
        let letters = text.chars().count();
        let mut share = 0.0;
        if letters >= MIN_LETTERS && title.contains(text.as_str()) {
            share = letters as f64 / title_letters as f64;
        }
        let score = heading + TITLE_WEIGHT * share;
        if score > 0.0 && best.is_none_or(|(best, _)| score > best) {
            best = Some((score, at));
        }
    }
    best.map(|(_, at)| at)
}

/// How much of a heading each node is; `None` for what is in the title of the page itself.
fn headings(tree: &Tree<'_>) -> Vec<Option<f64>> {
    let mut headings: Vec<Option<f64>> = Vec::new();
    for node in tree.nodes() {
        let own = match tree.is_element(node).then(|| tree.name(node)) {
            Some("title" | "option" | "script") => None,
            Some("h1") => Some(1.0_f64),
            Some("h2") => Some(0.5),
            Some("h3") => Some(0.25),
            _ => Some(0.0),
        };
        let around = match tree.parent(node) {
            Some(parent) => headings[parent.index()],
            None => Some(0.0),
        };
        headings.push(own.zip(around).map(|(own, around)| own.max(around)));
    }
    headings
}
