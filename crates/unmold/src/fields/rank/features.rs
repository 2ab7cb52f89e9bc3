//! What speaks for a column, and what against it?
//!
//! Each feature is a number from 0 to 1 that means the same on a page of any language and kind, so
//! that what was weighed on some sites holds on others. Those of places are averages over a few
//! pages, since a single one may be odd.
//!
//! Cost: a look at each slot of the pages, and at each place of each column.

use super::{listing::Listings, weights::Features};
use crate::{
    fields::{
        Type, View, ViewKind,
        columns::{Column, letters},
        hashing::hash,
        label_text::{ends_with_colon, inline_label},
        sample::Sample,
        slots::{Slot, SlotId},
        types::are_phones,
        view::SlotKey,
    },
    read::{
        html::visible_text,
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;

/// The weights were fitted when there were this many kinds of views.
const KINDS_WHEN_FITTED: f64 = 11.0;

/// Pages that are looked at for what is around a value.
const TRIED: usize = 8;

/// The columns of a sample, with what is counted once for all of them.
pub(super) struct Setting<'s, 'p> {
    sample: &'s Sample<'p>,
    listings: Listings,
    /// Lists of many values on a page, with their labels.
    long_lists: Vec<&'s Column>,
    /// How often each text is at each class path, on all pages.
    texts: RapidHashMap<(u64, u64), usize>,
    /// The columns at each class path.
    at_path: RapidHashMap<u64, ColumnsAtPath>,
    pages: Vec<PageSetting>,
}

/// How many columns are at a class path, and how many of these have labels.
#[derive(Clone, Copy, Default)]
struct ColumnsAtPath {
    all: usize,
    labelled: usize,
}

/// What is counted once for all columns of a page.
struct PageSetting {
    /// For each slot: how many texts with words precede it, and the hash of the last of them.
    texts_before: Vec<(u32, u64)>,
    /// The first slots of all columns that readers see, in order.
    starts: Vec<u32>,
    /// What each node is in.
    surroundings: Vec<Surroundings>,
    /// The slot that names the subject, and the elements around it, the outermost first.
    subject: Option<u32>,
    around_subject: Vec<NodeId>,
}

/// The features of a place.
#[derive(Default)]
struct PlaceFeatures {
    late: f64,
    after_subject: f64,
    near_subject: f64,
    in_title_text: f64,
    in_title_element: f64,
    in_frame: f64,
}

/// How a slot is to the subject of its page.
struct BesideSubject {
    after: f64,
    near: f64,
    /// Whether a form is around both: then it is around the page.
    shares_form: bool,
}

impl<'s, 'p> Setting<'s, 'p> {
    pub fn of(sample: &'s Sample<'p>, columns: &'s [Column]) -> Self {
        let mut texts = RapidHashMap::default();
        for slot in sample.all_slots().iter().flatten() {
            let place = (slot.keys[SlotKey::AllOfClassPath], slot.text);
            *texts.entry(place).or_default() += 1;
        }
        let mut at_path: RapidHashMap<u64, ColumnsAtPath> = RapidHashMap::default();
        for column in columns.iter().filter(|column| column.is_main()) {
            let counts = at_path.entry(class_path(sample, column)).or_default();
            counts.all += 1;
            counts.labelled += usize::from(column.label().is_some());
        }
        let starts = starts(sample, columns);
        let pages = starts.into_par_iter().enumerate();
        Setting {
            sample,
            listings: Listings::of(sample, columns),
            long_lists: columns
                .iter()
                .filter(|column| column.is_long_list())
                .collect(),
            texts,
            at_path,
            pages: pages
                .map(|(page, starts)| PageSetting::of(sample, page, starts))
                .collect(),
        }
    }

    /// What speaks for a column and against it.
    pub fn features(&self, column: &Column) -> Features {
        let mut features = Features::default();
        self.add_values(column, &mut features);
        self.add_label(column, &mut features);
        self.add_markup(column, &mut features);
        self.add_place(column, &mut features);
        self.add_neighbours(column, &mut features);
        self.add_meaning(column, &mut features);
        features
    }

    fn add_values(&self, column: &Column, features: &mut Features) {
        let (mut values, mut words) = (0, 0);
        for value in column.values() {
            values += 1;
            words += count_words(value);
        }
        let mean_words = words as f64 / f64::max(values as f64, 1.0);
        let different = column.distinct() as f64 / column.filled_pages().max(1) as f64;
        features.filled = column.rule().fill;
        features.different = different.min(1.0);
        features.elsewhere = self.elsewhere(column);
        features.sentences = share(column.holds_sentences());
        features.words = (mean_words / 10.0).min(1.0);
        features.of_one_type = column.of_one_type();
        features.is_time = share(matches!(column.kind(), Type::Date | Type::Time));
    }

    /// The share of a column's values that are in like places outside of the column: those of lists
    /// are, since what is first on one page is second on another.
    fn elsewhere(&self, column: &Column) -> f64 {
        let mut own: Vec<(u64, u64)> = Vec::new();
        for (page, values) in column.pages().iter().enumerate() {
            for slot in &values.voted.slots {
                let slot = &self.sample.slots(page)[*slot as usize];
                own.push((slot.keys[SlotKey::AllOfClassPath], slot.text));
            }
        }
        own.sort_unstable();
        let mut outside = 0;
        for same in own.chunk_by(|a, b| a == b) {
            if self
                .texts
                .get(&same[0])
                .is_some_and(|all| *all > same.len())
            {
                outside += same.len();
            }
        }
        outside as f64 / own.len().max(1) as f64
    }

    fn add_label(&self, column: &Column, features: &mut Features) {
        let Some(label) = column.label() else {
            return;
        };
        let labelled = self.at_path_of(column).labelled;
        features.label_colon = share(ends_with_colon(label));
        features.label_words = (label.split_whitespace().count() as f64 / 5.0).min(1.0);
        features.labels_in_like_places = logarithm(labelled as f64, 20.0);
    }

    fn add_markup(&self, column: &Column, features: &mut Features) {
        let kinds = column.rule().views.iter().filter_map(View::position);
        let kinds: RapidHashSet<ViewKind> = kinds.map(|(kind, _)| kind).collect();
        let attribute = self.sample.slot(column.example()).attribute;
        let others = self.at_path_of(column).all.saturating_sub(1);
        features.view_kinds = kinds.len() as f64 / KINDS_WHEN_FITTED;
        features.is_text = share(attribute.is_empty());
        features.is_link_address = share(attribute == "href");
        features.is_picture = share(matches!(attribute, "src" | "alt"));
        features.columns_in_like_places = logarithm(others as f64, 20.0);
    }

    fn at_path_of(&self, column: &Column) -> ColumnsAtPath {
        let path = class_path(self.sample, column);
        self.at_path.get(&path).copied().unwrap_or_default()
    }

    fn add_place(&self, column: &Column, features: &mut Features) {
        let mut sum = PlaceFeatures::default();
        let mut places = 0.0;
        for at in column.places().take(TRIED) {
            let place = self.place(at);
            places += 1.0;
            sum.late += place.late;
            sum.after_subject += place.after_subject;
            sum.near_subject += place.near_subject;
            sum.in_title_text += place.in_title_text;
            sum.in_title_element += place.in_title_element;
            sum.in_frame += place.in_frame;
        }
        let places = f64::max(places, 1.0);
        features.late = sum.late / places;
        features.after_subject = sum.after_subject / places;
        features.near_subject = sum.near_subject / places;
        features.in_title_text = sum.in_title_text / places;
        features.in_title_element = sum.in_title_element / places;
        features.in_frame = sum.in_frame / places;
    }

    fn place(&self, at: SlotId) -> PlaceFeatures {
        let slot = self.sample.slot(at);
        let page = &self.pages[at.page as usize];
        let around = page.surroundings[slot.node.index()];
        let beside = self.beside_subject(at);
        PlaceFeatures {
            late: f64::from(at.slot) / self.sample.slots(at.page as usize).len() as f64,
            after_subject: beside.after,
            near_subject: beside.near,
            in_title_text: share(self.is_in_title_text(at)),
            in_title_element: share(around.in_title),
            in_frame: share(around.in_frame || around.in_form && !beside.shares_form),
        }
    }

    /// How far after the subject of its page a slot is, and how many of the elements around the
    /// subject are around it too.
    fn beside_subject(&self, at: SlotId) -> BesideSubject {
        /// What is this many texts away is as good as on another page.
        const FURTHEST: f64 = 200.0;
        let page = &self.pages[at.page as usize];
        let Some(subject) = page.subject else {
            return BesideSubject {
                after: 0.5,
                near: 0.5,
                shares_form: false,
            };
        };
        let (tree, node) = (
            self.sample.tree(at.page as usize),
            self.sample.slot(at).node,
        );
        let is_around = |around: &&NodeId| tree.holds(**around, node);
        let common = page.around_subject.iter().take_while(is_around).count();
        let both = &page.around_subject[..common];
        let count_before = |slot: u32| page.texts_before[slot as usize].0;
        let between = count_before(at.slot).abs_diff(count_before(subject));
        BesideSubject {
            after: if at.slot < subject {
                1.0
            } else {
                logarithm(f64::from(between), FURTHEST)
            },
            near: common as f64 / page.around_subject.len().max(1) as f64,
            shares_form: both.iter().any(|&node| tree.name(node) == "form"),
        }
    }

    /// Whether the title of its page has a text.
    fn is_in_title_text(&self, at: SlotId) -> bool {
        /// Fewer letters than this are in any title.
        const MIN_LETTERS: usize = 3;
        let slot = self.sample.slot(at);
        if !slot.attribute.is_empty() {
            return false;
        }
        let page = at.page as usize;
        let text = visible_text(slot.span.of(self.sample.page(page))).to_lowercase();
        text.chars().count() >= MIN_LETTERS && self.sample.subjects().title(page).contains(&text)
    }

    /// How far what is around the values is the same on all pages.
    fn add_neighbours(&self, column: &Column, features: &mut Features) {
        let mut before = Vec::new();
        let (mut spread, mut inside, mut pages) = (0.0, 0.0, 0.0);
        for at in column.places() {
            let page = at.page as usize;
            pages += 1.0;
            before.push(self.pages[page].texts_before[at.slot as usize].1);
            if column.is_list() {
                let slots = &column.on_page(page).voted.slots;
                spread += self.listings.spread(page, slots);
            } else {
                inside += share(self.listings.holds(page, at.slot));
            }
        }
        let label = |value: &str| hash(inline_label(value).unwrap_or_default().as_bytes());
        let in_long_list = self.long_lists.iter().any(|list| column.is_item_of(list));
        features.same_text_before = share_of_most_frequent(before);
        features.same_inline_label = share_of_most_frequent(column.values().map(label).collect());
        features.spread_over_listing = spread / f64::max(pages, 1.0);
        features.in_listing = inside / f64::max(pages, 1.0);
        features.in_long_list = share(in_long_list);
    }

    /// What a column is to its page, as far as its place and looks tell.
    fn add_meaning(&self, column: &Column, features: &mut Features) {
        let (mut between, mut subjects, mut pages) = (0.0, 0.0, 0.0);
        for at in column.places() {
            between += self.pages[at.page as usize].columns_from_subject(at.slot);
            subjects += share(self.sample.is_subject(at));
            pages += 1.0;
        }
        let pages = f64::max(pages, 1.0);
        let is_address = matches!(column.kind(), Type::Url | Type::Email);
        let hashes = column.values().map(|value| hash(value.as_bytes()));
        features.columns_from_subject = between / pages;
        features.is_subject = subjects / pages;
        features.is_contact = share(is_address || are_phones(column.values()));
        features.is_list = share(column.is_list());
        features.same = share_of_most_frequent(hashes.collect());
    }
}

impl PageSetting {
    fn of(sample: &Sample<'_>, page: usize, starts: Vec<u32>) -> Self {
        let subject = sample.subjects().of_page(page);
        let mut around_subject = Vec::new();
        if let Some(slot) = subject {
            let page = page as u32;
            around_subject.extend(sample.context(SlotId { page, slot }).around());
            around_subject.reverse();
        }
        PageSetting {
            texts_before: texts_before(sample.slots(page)),
            starts,
            surroundings: Surroundings::of_nodes(sample.tree(page)),
            subject,
            around_subject,
        }
    }

    /// How many columns are between the subject of the page and a slot after it.
    fn columns_from_subject(&self, at: u32) -> f64 {
        /// After this many no column is near.
        const MOST: f64 = 100.0;
        let Some(subject) = self.subject.filter(|subject| *subject <= at) else {
            return 1.0;
        };
        let before = |slot: u32| self.starts.partition_point(|start| *start < slot);
        logarithm(before(at).saturating_sub(before(subject + 1)) as f64, MOST)
    }
}

/// What a node is or is in.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    in_frame: bool,
    in_form: bool,
    in_title: bool,
}

impl Surroundings {
    fn of_nodes(tree: &Tree<'_>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for node in tree.nodes() {
            let mut here = match tree.parent(node) {
                Some(parent) => all[parent.index()],
                None => Self::default(),
            };
            match tree.is_element(node).then(|| tree.name(node)) {
                Some("nav" | "header" | "footer" | "aside" | "select") => here.in_frame = true,
                Some("form") => here.in_form = true,
                Some("title") => here.in_title = true,
                _ => {}
            }
            all.push(here);
        }
        all
    }
}

/// The class path of the first place of a column.
fn class_path(sample: &Sample<'_>, column: &Column) -> u64 {
    sample.slot(column.example()).keys[SlotKey::AllOfClassPath]
}

/// How many words a value has. Scripts without spaces have as many as fit into its letters.
fn count_words(value: &str) -> usize {
    /// A text with more letters than this is more than a word. Chosen by hand.
    const LONGEST_WORD: usize = 20;
    let words = value.split_whitespace().count();
    words.max(letters(value) / LONGEST_WORD)
}

fn share(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// From 0 for nothing to 1 for `full` and more, faster at first.
fn logarithm(value: f64, full: f64) -> f64 {
    (value.ln_1p() / full.ln_1p()).min(1.0)
}

/// The share of the most frequent of some values.
fn share_of_most_frequent(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let same = values.chunk_by(|a, b| a == b);
    let most = same.map(<[u64]>::len).max().unwrap_or(0);
    most as f64 / values.len().max(1) as f64
}

/// For each slot, how many texts with words precede it, and the hash of the last of them.
fn texts_before(slots: &[Slot]) -> Vec<(u32, u64)> {
    let mut before = Vec::with_capacity(slots.len());
    let (mut texts, mut last) = (0, 0);
    for slot in slots {
        before.push((texts, last));
        if slot.is_words() {
            texts += 1;
            last = slot.text;
        }
    }
    before
}

/// The first slots of all columns that readers see, on each page.
fn starts(sample: &Sample<'_>, columns: &[Column]) -> Vec<Vec<u32>> {
    let mut starts = vec![Vec::new(); sample.len()];
    for column in columns {
        if !column.is_main() || !column.is_seen() {
            continue;
        }
        for at in column.places() {
            starts[at.page as usize].push(at.slot);
        }
    }
    for slots in &mut starts {
        slots.sort_unstable();
        slots.dedup();
    }
    starts
}
