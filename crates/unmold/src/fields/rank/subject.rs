//! Where does a page name what it is about?
//!
//! Mostly in a heading, and again in its title. What people want to know stands close behind it.

use crate::{
    fields::{learn::Sample, slots::Slot},
    read::{html::visible_text, tree::Tree},
};
use rapidhash::RapidHashMap;

/// The subjects of some pages.
pub(in crate::fields) struct Subjects {
    /// The slot on each page that names its subject.
    slots: Vec<Option<u32>>,
    /// The titles, in small letters.
    titles: Vec<String>,
}

impl Subjects {
    pub fn of(sample: &Sample<'_>) -> Self {
        let mut pages_with: RapidHashMap<u64, (usize, usize)> = RapidHashMap::default();
        for (page, slots) in sample.slots.iter().enumerate() {
            for slot in slots {
                let (pages, last) = pages_with.entry(slot.text).or_insert((0, usize::MAX));
                if *last != page {
                    (*pages, *last) = (*pages + 1, page);
                }
            }
        }
        let most = sample.trees.len() / 2;
        let titles: Vec<String> = sample
            .trees
            .iter()
            .map(|tree| tree.title().to_lowercase())
            .collect();
        let pages = sample.trees.iter().zip(&sample.slots).zip(&titles);
        let is_own = |slot: &Slot| {
            pages_with
                .get(&slot.text)
                .is_none_or(|(pages, _)| *pages <= most.max(1))
        };
        let slots = pages
            .map(|((tree, slots), title)| subject(tree, slots, title, &is_own))
            .collect();
        Subjects { slots, titles }
    }

    pub fn of_page(&self, page: usize) -> Option<u32> {
        self.slots[page]
    }

    /// Whether what stands at a place is what names the subject of the page.
    pub fn is_subject(&self, sample: &Sample<'_>, (page, slot): (u32, u32)) -> bool {
        let text = |slot: u32| sample.slots[page as usize][slot as usize].text;
        self.of_page(page as usize)
            .is_some_and(|subject| text(subject) == text(slot))
    }

    pub fn title(&self, page: usize) -> &str {
        &self.titles[page]
    }
}

/// The text that is most of a heading and most of the title; the first of equals.
fn subject(
    tree: &Tree<'_>,
    slots: &[Slot],
    title: &str,
    is_own: &impl Fn(&Slot) -> bool,
) -> Option<u32> {
    let headings = headings(tree);
    let mut best: Option<(f64, u32)> = None;
    for (at, slot) in (0..).zip(slots) {
        if !slot.attribute.is_empty() || slot.is_mark || !is_own(slot) {
            continue;
        }
        let Some(heading) = headings[slot.node.index()] else {
            continue;
        };
        let text = visible_text(slot.span.of(tree.page())).to_lowercase();
        let letters = text.chars().count();
        let is_named = letters >= 3 && title.contains(text.as_str());
        let share = if is_named {
            letters as f64 / title.chars().count() as f64
        } else {
            0.0
        };
        let score = heading + 2.0 * share;
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
        let around = tree
            .parent(node)
            .map_or(Some(0.0), |parent| headings[parent.index()]);
        headings.push(own.zip(around).map(|(own, around)| own.max(around)));
    }
    headings
}
