//! Which pages are fields learned from, and what do all questions about them need?
//!
//! A [`ScannedPage`] is a page with its slots, and is lent to many. A [`Sample`] are the pages that
//! one learning is about: landmarks are theirs, and so are the keys that go by these.

use super::{
    describe::{Ordinals, PageTexts, SlotContext},
    landmarks,
    slots::{self, Everything, Slot, SlotId},
    subject::Subjects,
};
use crate::{Text, read::tree::Tree};
use rayon::prelude::*;
use std::sync::Arc;

/// A page read for learning; it can be lent to many.
#[derive(Clone)]
pub(crate) struct ScannedPage<'a> {
    tree: Arc<Tree<'a>>,
    slots: Arc<[Slot]>,
}

impl<'a> ScannedPage<'a> {
    /// Finds the slots of a page.
    pub fn new(tree: Arc<Tree<'a>>) -> Self {
        ScannedPage {
            slots: slots::scan(&tree).into(),
            tree,
        }
    }

    /// Pages of texts.
    pub(super) fn of_texts(texts: &'a [Text]) -> Vec<Self> {
        texts
            .par_iter()
            .map(|text| ScannedPage::new(Arc::new(Tree::new(text.as_str()))))
            .collect()
    }

    /// The tree of the page.
    pub fn tree(&self) -> &Tree<'a> {
        &self.tree
    }

    /// The slots, to be changed.
    pub fn own_slots(&self) -> Vec<Slot> {
        self.slots.to_vec()
    }
}

/// Pages to learn from, with landmarks of their own.
pub(super) struct Sample<'a> {
    trees: Vec<Arc<Tree<'a>>>,
    slots: Vec<Vec<Slot>>,
    landmarks: Vec<String>,
    subjects: Subjects,
    texts: Vec<PageTexts>,
    ordinals: Vec<Ordinals>,
}

impl<'a> Sample<'a> {
    pub fn of(pages: &[ScannedPage<'a>]) -> Self {
        let trees: Vec<Arc<Tree<'a>>> = pages.iter().map(|page| page.tree.clone()).collect();
        let mut slots: Vec<Vec<Slot>> = pages.par_iter().map(ScannedPage::own_slots).collect();
        let landmarks = landmarks::find(&trees, &slots);
        for slots in &mut slots {
            slots::set_landmark_keys(slots, &Everything, |text| landmarks.hold(text));
        }
        Sample {
            subjects: Subjects::of(&trees, &slots),
            texts: slots.iter().map(|slots| PageTexts::of(slots)).collect(),
            ordinals: pages.iter().map(|_| Ordinals::default()).collect(),
            landmarks: landmarks.texts,
            trees,
            slots,
        }
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Texts that are once on nearly every page, from which places are counted.
    pub fn landmarks(&self) -> &[String] {
        &self.landmarks
    }

    /// What names the subjects of the pages.
    pub fn subjects(&self) -> &Subjects {
        &self.subjects
    }

    pub fn tree(&self, page: usize) -> &Tree<'a> {
        &self.trees[page]
    }

    /// The text of a page.
    pub fn page(&self, page: usize) -> &str {
        self.trees[page].page()
    }

    /// The slots of all pages.
    pub fn all_slots(&self) -> &[Vec<Slot>] {
        &self.slots
    }

    /// The slots of a page.
    pub fn slots(&self, page: usize) -> &[Slot] {
        &self.slots[page]
    }

    pub fn slot(&self, at: SlotId) -> &Slot {
        &self.slots[at.page as usize][at.slot as usize]
    }

    /// A slot with what is around it.
    pub fn context(&self, at: SlotId) -> SlotContext<'_> {
        let page = at.page as usize;
        SlotContext {
            tree: &self.trees[page],
            slots: &self.slots[page],
            at: at.slot as usize,
            texts: &self.texts[page],
            ordinals: &self.ordinals[page],
        }
    }

    /// Whether a slot says what names the subject of its page.
    pub fn is_subject(&self, at: SlotId) -> bool {
        let subject = self.subjects.of_page(at.page as usize);
        subject.is_some_and(|slot| self.slot(SlotId { slot, ..at }).text == self.slot(at).text)
    }

    /// Whether a page shows two texts, by their hashes.
    pub fn has_together(&self, one: u64, other: u64) -> bool {
        if one == 0 || other == 0 {
            return false;
        }
        let shows = |slots: &[Slot], text: u64| slots.iter().any(|slot| slot.is_seen_as(text));
        self.slots
            .iter()
            .any(|slots| shows(slots, one) && shows(slots, other))
    }
}
