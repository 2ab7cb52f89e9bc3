//! Which of the keys that recur are fields, and which slots does each field take?

use super::{
    keys::{RecurringKey, RecurringKeys},
    views::{DraftView, LABELLED, views},
};
use crate::fields::{
    ViewKind,
    hashing::subject,
    slots::{Slot, SlotId},
    view::SlotKey,
};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::cmp::Reverse;

/// A candidate of whose slots at least this share belong to fields is no new field. Chosen by hand.
const OWNED: f64 = 0.6;
/// A key of all values of a class path and column is a column of its own if it has less than this
/// share of the values of the class path. Chosen by hand: with more, the classes tell it.
const COLUMN_SHARE: f64 = 0.6;
/// Values are a list only if what is around them is at least so alike, from 0 to 1. Chosen by hand.
const LIST_PURITY: f64 = 0.5;
/// A text on at least one page of this many is the template's, and may be a label. Chosen by hand.
const PAGES_PER_LABEL: usize = 5;
/// The same with fewer pages than this is counted as if there were this many. Chosen by hand.
const FEW_PAGES: usize = 10;

/// A field in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// Its slots on each page: none where it is absent, several only if it is a list.
    slots: Vec<Vec<u32>>,
    /// Whether a page may have several.
    pub many: bool,
    /// Whether texts of one element are one value.
    pub join: bool,
    /// The ways to find it, the surest first.
    pub views: Vec<DraftView>,
}

impl Draft {
    fn new(keys: &RecurringKeys<'_>, found: &[SlotId], many: bool) -> Self {
        let mut slots = vec![Vec::new(); keys.pages().len()];
        for one in found {
            slots[one.page as usize].push(one.slot);
        }
        Draft {
            slots,
            many,
            join: false,
            views: views(keys, found, many),
        }
    }

    /// Whether no page has both.
    fn excludes(&self, other: &Draft) -> bool {
        let mut pages = self.slots.iter().zip(&other.slots);
        pages.all(|(one, other)| one.is_empty() || other.is_empty())
    }

    /// Takes the slots and views of another.
    fn take(&mut self, other: Draft) {
        for (own, other) in self.slots.iter_mut().zip(other.slots) {
            own.extend(other);
        }
        let known = self.views.len();
        for view in other.views {
            if !self.views[..known].contains(&view) {
                self.views.push(view);
            }
        }
    }
}

/// The texts of a page.
#[derive(Default)]
struct PageTexts {
    /// How often each is at each class path.
    at_paths: RapidHashMap<(u64, u64), u32>,
    /// All of them, and what precedes them (see [`label_with_element`]).
    all: RapidHashSet<u64>,
}

/// Makes fields of the keys that recur.
pub(super) struct Drafter<'k, 'p> {
    keys: &'k RecurringKeys<'p>,
    texts: Vec<PageTexts>,
    /// On how many pages each text is.
    page_counts: RapidHashMap<u64, u32>,
    /// Texts that hold a value beside its label ("From: Leeds"): they are no labels.
    with_value: RapidHashSet<u64>,
    /// How well each key makes a single field; 0 if it makes none.
    scores: Vec<f64>,
    /// On each page: which slots are taken by fields.
    owned: Vec<Vec<bool>>,
}

impl<'k, 'p> Drafter<'k, 'p> {
    pub fn of(keys: &'k RecurringKeys<'p>) -> Self {
        let mut drafter = Drafter {
            keys,
            texts: Vec::with_capacity(keys.pages().len()),
            page_counts: RapidHashMap::default(),
            with_value: RapidHashSet::default(),
            scores: Vec::new(),
            owned: Vec::new(),
        };
        for slots in keys.pages() {
            drafter.note_texts(slots);
            drafter.owned.push(vec![false; slots.len()]);
        }
        let scores = keys.all().iter().map(|key| drafter.score(key));
        drafter.scores = scores.collect();
        drafter
    }

    fn note_texts(&mut self, slots: &[Slot]) {
        let mut on_page = PageTexts::default();
        for slot in slots {
            let place = (slot.keys[SlotKey::AllOfClassPath], slot.text);
            *on_page.at_paths.entry(place).or_default() += 1;
            if on_page.all.insert(slot.text) {
                *self.page_counts.entry(slot.text).or_default() += 1;
            }
            on_page.all.insert(label_with_element(slot));
            if holds_value(slot) {
                self.with_value.insert(slot.text);
            }
        }
        self.texts.push(on_page);
    }

    /// The single fields, each slot in at most one.
    pub fn single_fields(&mut self) -> Vec<Draft> {
        let mut fields = Vec::new();
        for number in self.by_score() {
            let singles = self.keys.single_slots_of(&self.keys.all()[number]);
            let mut new = Vec::new();
            for one in &singles {
                if !self.owned[one.page as usize][one.slot as usize] {
                    new.push(*one);
                }
            }
            let owned = singles.len() - new.len();
            if owned as f64 >= OWNED * singles.len() as f64 || new.len() < 2 {
                continue;
            }
            for one in &new {
                self.owned[one.page as usize][one.slot as usize] = true;
            }
            fields.push(Draft::new(self.keys, &new, false));
        }
        self.without_variants(fields)
    }

    /// The keys that may be single fields, the best first; of equals, the first on the pages.
    fn by_score(&self) -> Vec<usize> {
        let may_be_field = |number: &usize| self.scores[*number] > 0.0;
        let mut order: Vec<usize> = (0..self.scores.len()).filter(may_be_field).collect();
        order.sort_by_cached_key(|&number| {
            let key = &self.keys.all()[number];
            let first = self.keys.slots_of(key)[0];
            let score = (self.scores[number] * 1e6) as u64;
            (Reverse(score), first, key.which)
        });
        order
    }

    /// What each label of a slot finds on nearly all pages, whatever other fields have of it:
    /// somebody has pointed at the slot, and its label says what it is.
    pub fn by_labels_of(&self, slot: SlotId) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for number in self.keys.of_slot(slot) {
            let label = &self.keys.all()[number];
            if self.scores[number] == 0.0 || !label.which.kind().is_label() {
                continue;
            }
            let singles = self.keys.single_slots_of(label);
            let is_usual = singles.len() as f64 >= LABELLED * self.keys.pages().len() as f64;
            if !is_usual || !singles.contains(&slot) {
                continue;
            }
            let draft = Draft::new(self.keys, &singles, false);
            if draft.views.iter().any(|view| view.which == label.which) {
                drafts.push(draft);
            }
        }
        drafts
    }

    /// Makes one field of those that follow the same text, no two of them on the same page: one
    /// value in two markups, as where names are links on some pages only.
    fn without_variants(&self, fields: Vec<Draft>) -> Vec<Draft> {
        let mut joined: Vec<Draft> = Vec::new();
        let mut followers: RapidHashMap<u64, Vec<usize>> = RapidHashMap::default();
        for field in fields {
            let Some(label) = self.text_before(&field) else {
                joined.push(field);
                continue;
            };
            let same = followers.entry(label).or_default();
            let other = same.iter().find(|&&known| joined[known].excludes(&field));
            if let Some(&known) = other {
                joined[known].take(field);
                continue;
            }
            same.push(joined.len());
            joined.push(field);
        }
        joined
    }

    /// The text that right precedes nearly all values of a field.
    fn text_before(&self, field: &Draft) -> Option<u64> {
        let mut labels = Vec::new();
        for (page, slots) in field.slots.iter().enumerate() {
            for slot in slots {
                let slot = &self.keys.pages()[page][*slot as usize];
                if !slot.attribute.is_empty() {
                    return None;
                }
                labels.push(slot.label);
            }
        }
        let all = labels.len();
        let (most, label) = *counted(labels.into_iter()).first()?;
        (label != 0 && 10 * most >= 9 * all).then_some(label)
    }

    /// Values of the same make-up, on some pages more than on others: those in a row under one
    /// label ("Genres: Crime, Drama"), and what the records of a page have of one field. They may
    /// be single fields as well, so no slot is taken away by them.
    pub fn lists(&self) -> Vec<Draft> {
        let all = self.keys.all().iter();
        let mut lists: Vec<&RecurringKey> = all.filter(|key| self.may_be_list(key)).collect();
        lists.sort_by_key(|list| (self.keys.slots_of(list)[0], list.which));
        lists.into_iter().map(|list| self.list(list)).collect()
    }

    fn list(&self, key: &RecurringKey) -> Draft {
        let slots = self.keys.slots_of(key);
        let mut draft = Draft::new(self.keys, slots, true);
        draft.join = key.which.kind() == ViewKind::AllOfClassPath;
        if key.which == SlotKey::ColumnOrLine {
            draft.views.push(DraftView {
                which: SlotKey::ColumnOrLine,
                weight: 100,
                example: slots[0],
            });
        }
        draft
    }

    fn may_be_list(&self, key: &RecurringKey) -> bool {
        match key.which {
            SlotKey::ColumnOrLine => self.is_column(key) && self.is_uneven(key),
            SlotKey::AllOfClassPath => self.is_uneven(key),
            SlotKey::LabelOfBlock | SlotKey::LabelOfOuterBlock => {
                self.is_uneven(key) && self.is_in_a_row(self.keys.slots_of(key))
            }
            SlotKey::JsonLd => self.is_array(key),
            SlotKey::Path
            | SlotKey::ClassPath
            | SlotKey::TagPath
            | SlotKey::LabelBefore
            | SlotKey::InlineLabel
            | SlotKey::NamedElement
            | SlotKey::AfterLandmark
            | SlotKey::BeforeLandmark => false,
        }
    }

    /// Whether several pages have several values, not all the same number of them, and different
    /// ones.
    fn is_uneven(&self, key: &RecurringKey) -> bool {
        let slots = self.keys.slots_of(key);
        let on_pages = slots.chunk_by(|a, b| a.page == b.page);
        let counts: Vec<usize> = on_pages.map(<[SlotId]>::len).collect();
        let several = counts.iter().filter(|count| **count > 1).count();
        let is_uneven = counts.iter().any(|count| *count != counts[0]);
        several >= 2
            && is_uneven
            && self.purity(slots) > LIST_PURITY
            && !self.is_menu(slots, counts.len())
    }

    /// Whether it is one of several columns of a table whose cells have the same classes, so that
    /// these do not tell it.
    fn is_column(&self, key: &RecurringKey) -> bool {
        let slots = self.keys.slots_of(key);
        let class_path = self.keys.slot(slots[0]).keys[SlotKey::AllOfClassPath];
        let all = match self.keys.number(class_path) {
            Some(number) => self.keys.slots_of(&self.keys.all()[number]).len(),
            None => 0,
        };
        (slots.len() as f64) < COLUMN_SHARE * all as f64
    }

    /// Whether it is an array of the pages' data that has several values on some page: it says
    /// itself that it is a list.
    fn is_array(&self, key: &RecurringKey) -> bool {
        key.which == SlotKey::JsonLd
            && key.single_pages < key.pages
            && !self.is_menu(self.keys.slots_of(key), key.pages)
    }

    /// Whether most of what pages list is on most of these pages: menus are the same, or nearly so,
    /// everywhere. Values that recur, as genres do, are no menu.
    fn is_menu(&self, slots: &[SlotId], pages: usize) -> bool {
        let items = slots.iter().map(|at| (self.keys.slot(*at).text, at.page));
        let mut items: Vec<(u64, u32)> = items.collect();
        items.sort_unstable();
        items.dedup();
        let mut on_most = 0;
        for same in items.chunk_by(|a, b| a.0 == b.0) {
            if 2 * same.len() > pages {
                on_most += same.len();
            }
        }
        2 * on_most > items.len()
    }

    /// Whether nothing but marks is between the values of a page.
    fn is_in_a_row(&self, slots: &[SlotId]) -> bool {
        for pair in slots.windows(2) {
            if pair[0].page != pair[1].page {
                continue;
            }
            let page = &self.keys.pages()[pair[0].page as usize];
            let between = &page[pair[0].slot as usize + 1..pair[1].slot as usize];
            if between.iter().any(Slot::is_words) {
                return false;
            }
        }
        true
    }

    /// How well a key makes a single field: on how many pages it has one value, how sure that is,
    /// how far its kind is trusted, and how alike what is around its values is.
    fn score(&self, key: &RecurringKey) -> f64 {
        let kind = key.which.kind();
        if kind == ViewKind::AllOfClassPath || self.is_array(key) {
            return 0.0;
        }
        let singles = self.keys.single_slots_of(key);
        if singles.len() < 2 || !self.varies(&singles) {
            return 0.0;
        }
        let certain = key.single_pages as f64 / key.pages as f64;
        singles.len() as f64 * certain.powi(2) * kind.trust() * self.purity(&singles).powi(2)
    }

    /// Whether the values of a candidate differ and exclude each other.
    fn varies(&self, slots: &[SlotId]) -> bool {
        let frequent = counted(slots.iter().map(|at| self.keys.slot(*at).text));
        let [(most, first), (_, second), ..] = frequent[..] else {
            return false;
        };
        if most < 2 {
            return true;
        }
        let mut beside = 0;
        for at in slots {
            let slot = self.keys.slot(*at);
            let other = if slot.text == first { second } else { first };
            // Where a menu of all values is beside the value, the value is there too.
            if self.times(*at, slot.text) == 1 && self.times(*at, other) > 0 {
                beside += 1;
            }
        }
        2 * beside < slots.len()
    }

    /// How often a text is on the page of a slot with the classes of the slot.
    fn times(&self, at: SlotId, text: u64) -> u32 {
        let path = self.keys.slot(at).keys[SlotKey::AllOfClassPath];
        let at_paths = &self.texts[at.page as usize].at_paths;
        at_paths.get(&(path, text)).copied().unwrap_or(0)
    }

    /// How alike the surroundings of a candidate's slots are, from 0 to 1.
    fn purity(&self, slots: &[SlotId]) -> f64 {
        let paths = slots
            .iter()
            .map(|at| self.keys.slot(*at).keys[SlotKey::AllOfClassPath]);
        let same_path = counted(paths)[0].0 as f64 / slots.len() as f64;
        same_path.sqrt() * self.label_purity(slots)
    }

    /// The share of slots after the most frequent label, if these are labels of different rows:
    /// then both are on the same pages, each before a value. Labels that exclude each other
    /// ("Director", "Directors") are variants of one, and a link that some pages have before a
    /// heading is no label of it.
    fn label_purity(&self, slots: &[SlotId]) -> f64 {
        let mut labelled = Vec::new();
        for at in slots {
            if self.is_of_template(self.keys.slot(*at).label) {
                labelled.push(*at);
            }
        }
        let label = |at: &SlotId| label_with_element(self.keys.slot(*at));
        let labels = counted(labelled.iter().map(label));
        let [(most, first), (_, second), ..] = labels[..] else {
            return 1.0;
        };
        let mut on_same_page = 0;
        for at in &labelled {
            let other = if label(at) == first { second } else { first };
            if self.texts[at.page as usize].all.contains(&other) {
                on_same_page += 1;
            }
        }
        if 2 * on_same_page > labelled.len() {
            most as f64 / labelled.len() as f64
        } else {
            1.0
        }
    }

    /// Whether a text is on enough pages to be a label of the template, and holds no value.
    fn is_of_template(&self, text: u64) -> bool {
        let pages = self.page_counts.get(&text).copied().unwrap_or(0) as usize;
        PAGES_PER_LABEL * pages >= self.keys.pages().len().max(FEW_PAGES)
            && !self.with_value.contains(&text)
    }
}

/// How often each of some values occurs, the most frequent first.
fn counted(values: impl Iterator<Item = u64>) -> Vec<(usize, u64)> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    let mut counts = Vec::new();
    for same in values.chunk_by(|a, b| a == b) {
        counts.push((same.len(), same[0]));
    }
    counts.sort_unstable_by_key(|count| Reverse(*count));
    counts
}

/// Whether a text holds a value after a label of its own.
fn holds_value(slot: &Slot) -> bool {
    let label_alone = ViewKind::InlineLabel.key(subject(slot.text, slot.tag), 0, 0);
    let own = slot.keys[SlotKey::InlineLabel];
    own != 0 && own != label_alone
}

/// The text before a slot, with the element that the slot is in: the same text before a link and
/// before a heading is no label of both.
fn label_with_element(slot: &Slot) -> u64 {
    match slot.keys[SlotKey::LabelBefore] {
        0 => slot.label,
        key => key,
    }
}
