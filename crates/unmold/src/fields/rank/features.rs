//! What speaks for a field, and what against it?
//!
//! Each feature is a number from 0 to 1 that means the same on a page of any language and kind, so that what was weighed on
//! some sites holds on others. Those of places are averages over a few pages, since a single one may be odd.

use super::{holds_sentences, letters, listing::Listings, subject::Subjects, weights::COUNT};
use crate::{
    fields::{
        Kind, Type, View,
        evidence::Evidence,
        learn::Sample,
        names::are_phones,
        position::hash,
        slots::{self, EACH, Slot},
    },
    read::{
        html::visible_text,
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;

/// What speaks for a field, in the order of [`WEIGHTS`](super::WEIGHTS).
pub(crate) type Features = [f64; COUNT];

/// Pages that are looked at for what can be seen on each.
const TRIED: usize = 8;

/// The fields of a sample, with what is counted once for all of them.
pub(super) struct Setting<'s, 'p> {
    sample: &'s Sample<'p>,
    subjects: &'s Subjects,
    listings: Listings,
    /// Lists of many values on a page, with their labels.
    long_lists: Vec<&'s Evidence>,
    /// How often each text stands at each class path, on all pages.
    texts: RapidHashMap<(u64, u64), usize>,
    /// How many fields stand at each class path, and how many of these have labels.
    at_path: RapidHashMap<u64, (usize, usize)>,
    /// On each page: how many texts with letters stand before each slot.
    texts_before: Vec<Vec<u32>>,
    /// On each page: the first slots of all fields that readers see, in order.
    starts: Vec<Vec<u32>>,
    /// On each page: what each node stands in.
    surroundings: Vec<Vec<Surroundings>>,
    /// On each page: the elements around its subject, the outermost first.
    around_subjects: Vec<Vec<NodeId>>,
}

impl<'s, 'p> Setting<'s, 'p> {
    pub fn of(sample: &'s Sample<'p>, fields: &'s [Evidence]) -> Self {
        let mut texts = RapidHashMap::default();
        for slot in sample.slots.iter().flatten() {
            *texts.entry((slot.keys[EACH], slot.text)).or_default() += 1;
        }
        let subjects = sample.subjects();
        let around_subjects = (0..sample.slots.len())
            .map(|page| around_subject(sample, subjects, page))
            .collect();
        let mut setting = Setting {
            sample,
            subjects,
            around_subjects,
            surroundings: sample
                .trees
                .par_iter()
                .map(|tree| Surroundings::of_nodes(tree))
                .collect(),
            listings: Listings::of(sample, fields),
            long_lists: fields.iter().filter(|field| field.is_long_list()).collect(),
            texts,
            at_path: RapidHashMap::default(),
            texts_before: sample
                .slots
                .iter()
                .map(|slots| texts_before(slots))
                .collect(),
            starts: starts(sample.slots.len(), fields),
        };
        for field in fields.iter().filter(|field| field.is_main()) {
            let (all, labelled) = setting
                .at_path
                .entry(setting.class_path(field))
                .or_default();
            *all += 1;
            *labelled += usize::from(field.label().is_some());
        }
        setting
    }

    fn class_path(&self, field: &Evidence) -> u64 {
        let (page, slot) = field.example();
        self.sample.slots[page as usize][slot as usize].keys[EACH]
    }

    /// What speaks for a field and against it.
    pub fn features(&self, field: &Evidence) -> Features {
        let parts: [&[f64]; 6] = [
            &self.of_values(field),
            &self.of_label(field),
            &self.of_markup(field),
            &self.of_place(field),
            &self.of_neighbours(field),
            &self.of_meaning(field),
        ];
        parts
            .concat()
            .try_into()
            .expect("as many features as weights")
    }

    fn of_values(&self, evidence: &Evidence) -> [f64; 7] {
        /// A text of more letters is more than a word.
        const LONGEST_WORD: usize = 20;
        let field = &evidence.field;
        let values: Vec<&str> = evidence.values().collect();
        let count = values.len().max(1) as f64;
        let distinct = evidence.distinct() as f64;
        // Not all scripts have spaces.
        let words = |value: &str| {
            value
                .split_whitespace()
                .count()
                .max(letters(value) / LONGEST_WORD)
        };
        let words = values.iter().map(|value| words(value)).sum::<usize>() as f64 / count;
        [
            field.fill,
            (distinct / evidence.pages().max(1) as f64).min(1.0),
            self.elsewhere(evidence),
            share(holds_sentences(evidence)),
            (words / 10.0).min(1.0),
            evidence.of_one_type,
            share(matches!(field.kind, Type::Date | Type::Time)),
        ]
    }

    /// What a field is to its page, as far as its place and looks tell: how many fields lie between the subject and it, whether
    /// it is the subject, a way to reach somebody, a list, or mostly says the same.
    fn of_meaning(&self, evidence: &Evidence) -> [f64; 5] {
        let (mut between, mut subjects, mut pages) = (0.0, 0.0, 0.0);
        for (page, slot) in evidence.places() {
            between += self.fields_between(page, slot);
            subjects += share(self.subjects.is_subject(self.sample, (page, slot)));
            pages += 1.0;
        }
        let pages = f64::max(pages, 1.0);
        let is_address =
            matches!(evidence.field.kind, Type::Url | Type::Email) || are_phones(evidence);
        [
            between / pages,
            subjects / pages,
            share(is_address),
            share(evidence.field.many),
            most_frequent(
                evidence
                    .values()
                    .map(|value| hash(value.as_bytes()))
                    .collect(),
            ),
        ]
    }

    fn of_label(&self, evidence: &Evidence) -> [f64; 3] {
        let Some(label) = evidence.label() else {
            return [0.0; 3];
        };
        let (_, labelled) = self
            .at_path
            .get(&self.class_path(evidence))
            .copied()
            .unwrap_or_default();
        [
            share(label.ends_with([':', '：'])),
            (label.split_whitespace().count() as f64 / 5.0).min(1.0),
            logarithm(labelled as f64, 20.0),
        ]
    }

    fn of_markup(&self, evidence: &Evidence) -> [f64; 5] {
        let kinds = evidence
            .field
            .views
            .iter()
            .filter_map(View::position)
            .map(|(kind, _)| kind);
        let kinds: RapidHashSet<Kind> = kinds.collect();
        let attribute = self.sample.place(evidence.example()).attribute();
        let (at_path, _) = self
            .at_path
            .get(&self.class_path(evidence))
            .copied()
            .unwrap_or_default();
        [
            kinds.len() as f64 / 11.0,
            share(attribute.is_empty()),
            share(attribute == "href"),
            share(matches!(attribute, "src" | "alt")),
            logarithm(at_path.saturating_sub(1) as f64, 20.0),
        ]
    }

    /// How far what stands around the values is the same on all pages.
    fn of_neighbours(&self, evidence: &Evidence) -> [f64; 5] {
        let (mut before, mut spread, mut inside, mut pages) = (Vec::new(), 0.0, 0.0, 0.0);
        for (page, at) in evidence.places() {
            let slots = &self.sample.slots[page as usize];
            let is_text = |slot: &&Slot| slot.attribute.is_empty() && !slot.is_mark;
            before.push(
                slots[..at as usize]
                    .iter()
                    .rev()
                    .find(is_text)
                    .map_or(0, |slot| slot.text),
            );
            let found = &evidence.found[page as usize].0.slots;
            pages += 1.0;
            if evidence.field.many {
                spread += self.listings.spread(page as usize, found);
            } else {
                inside += share(self.listings.holds(page as usize, at));
            }
        }
        let labels = evidence
            .values()
            .map(|value| hash(slots::within(value).unwrap_or_default().as_bytes()));
        [
            most_frequent(before),
            most_frequent(labels.collect()),
            spread / f64::max(pages, 1.0),
            inside / f64::max(pages, 1.0),
            share(self.long_lists.iter().any(|list| evidence.is_item_of(list))),
        ]
    }

    /// How many fields stand between the subject of a page and a slot behind it.
    fn fields_between(&self, page: u32, at: u32) -> f64 {
        /// Behind so many no field is near.
        const MOST: f64 = 100.0;
        let Some(subject) = self
            .subjects
            .of_page(page as usize)
            .filter(|subject| *subject <= at)
        else {
            return 1.0;
        };
        let starts = &self.starts[page as usize];
        let before = |slot: u32| starts.partition_point(|start| *start < slot);
        logarithm(before(at).saturating_sub(before(subject + 1)) as f64, MOST)
    }

    /// The share of a field's values that stand in like places outside of the field: those of lists do, since what is
    /// first on one page is second on another.
    fn elsewhere(&self, field: &Evidence) -> f64 {
        let places = (0..)
            .zip(&field.found)
            .flat_map(|(page, (found, _))| found.slots.iter().map(move |slot| (page, *slot)));
        let mut own: Vec<(u64, u64)> = Vec::new();
        for (page, slot) in places {
            let slot: &Slot = &self.sample.slots[page][slot as usize];
            own.push((slot.keys[EACH], slot.text));
        }
        own.sort_unstable();
        let is_outside = |same: &&[(u64, u64)]| {
            self.texts
                .get(&same[0])
                .is_some_and(|all| *all > same.len())
        };
        let outside: usize = own
            .chunk_by(|a, b| a == b)
            .filter(is_outside)
            .map(<[_]>::len)
            .sum();
        outside as f64 / own.len().max(1) as f64
    }

    fn of_place(&self, evidence: &Evidence) -> [f64; 6] {
        let mut sum = [0.0; 6];
        let places: Vec<(u32, u32)> = evidence.places().take(TRIED).collect();
        for &place in &places {
            sum.iter_mut()
                .zip(self.place(place))
                .for_each(|(sum, next)| *sum += next);
        }
        sum.map(|sum| sum / places.len().max(1) as f64)
    }

    fn place(&self, (page, at): (u32, u32)) -> [f64; 6] {
        let place = self.sample.place((page, at));
        let slots = &self.sample.slots[page as usize];
        let Surroundings {
            in_frame,
            in_form,
            in_title,
        } = self.surroundings[page as usize][slots[at as usize].node.index()];
        let subject = self.subjects.of_page(page as usize);
        let [behind, near, is_in_own_form] = subject.map_or([0.5, 0.5, 0.0], |subject| {
            self.beside_subject((page, at), subject)
        });
        let frame = in_frame || in_form && is_in_own_form == 0.0;
        [
            f64::from(at) / slots.len() as f64,
            behind,
            near,
            share(self.is_in_title(page as usize, &slots[at as usize], place.tree)),
            share(in_title),
            share(frame),
        ]
    }

    /// How far behind the subject of its page a slot stands, how many of the elements around the subject are around it too,
    /// and whether it shares a form with the subject: then the form is around the page.
    fn beside_subject(&self, (page, at): (u32, u32), subject: u32) -> [f64; 3] {
        /// What is this many texts away is as good as on another page.
        const FURTHEST: f64 = 200.0;
        let texts = &self.texts_before[page as usize];
        let between = texts[at as usize].abs_diff(texts[subject as usize]);
        let (tree, node) = (
            &self.sample.trees[page as usize],
            self.sample.slots[page as usize][at as usize].node,
        );
        let of_subject = &self.around_subjects[page as usize];
        let common = of_subject
            .iter()
            .take_while(|&&around| tree.holds(around, node))
            .count();
        let is_in_form = of_subject[..common]
            .iter()
            .any(|&node| tree.name(node) == "form");
        let behind = if at < subject {
            1.0
        } else {
            logarithm(f64::from(between), FURTHEST)
        };
        [
            behind,
            common as f64 / of_subject.len().max(1) as f64,
            share(is_in_form),
        ]
    }

    /// Whether the title of its page has a text.
    fn is_in_title(&self, page: usize, slot: &Slot, tree: &Tree<'_>) -> bool {
        /// Fewer letters stand in any title.
        const LEAST: usize = 3;
        let text = || visible_text(slot.span.of(tree.page())).to_lowercase();
        let is_said = |text: String| {
            text.chars().count() >= LEAST && self.subjects.title(page).contains(&text)
        };
        slot.attribute.is_empty() && is_said(text())
    }
}

/// What a node is or stands in.
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
            let mut here = tree
                .parent(node)
                .map_or(Self::default(), |parent| all[parent.index()]);
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

fn share(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// From 0 for nothing to 1 for `full` and more, faster at first.
fn logarithm(value: f64, full: f64) -> f64 {
    (value.ln_1p() / full.ln_1p()).min(1.0)
}

/// The share of the most frequent of some values.
fn most_frequent(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let most = values
        .chunk_by(|a, b| a == b)
        .map(<[u64]>::len)
        .max()
        .unwrap_or(0);
    most as f64 / values.len().max(1) as f64
}

/// The elements around the subject of a page, the outermost first.
fn around_subject(sample: &Sample<'_>, subjects: &Subjects, page: usize) -> Vec<NodeId> {
    let subject = subjects
        .of_page(page)
        .map(|slot| sample.place((page as u32, slot)));
    let mut around: Vec<NodeId> = subject.iter().flat_map(|place| place.around()).collect();
    around.reverse();
    around
}

fn texts_before(slots: &[Slot]) -> Vec<u32> {
    let mut texts = 0;
    let count = |slot: &Slot| {
        let before = texts;
        texts += u32::from(slot.attribute.is_empty() && !slot.is_mark);
        before
    };
    slots.iter().map(count).collect()
}

/// The first slots of all fields that readers see, on each page.
fn starts(pages: usize, fields: &[Evidence]) -> Vec<Vec<u32>> {
    let mut starts = vec![Vec::new(); pages];
    for field in fields
        .iter()
        .filter(|field| field.is_main() && field.is_seen())
    {
        field
            .places()
            .for_each(|(page, slot)| starts[page as usize].push(slot));
    }
    for slots in &mut starts {
        slots.sort_unstable();
        slots.dedup();
    }
    starts
}
