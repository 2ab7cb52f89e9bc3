//! Which values do the pages of a template hold, and how are they found on the next page?
//!
//! [`learn`] takes pages that were printed from one template and gives the fields that a person would want as columns,
//! the most wanted first, with names that the page itself has for them:
//!
//! ```
//! use unmold::{Text, fields};
//!
//! let page = |name: &str, weight: &str| {
//!     Text::from_string("page", format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"))
//! };
//! let pages = [page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")];
//! let learned = fields::learn(&pages);
//! let names: Vec<_> = learned.fields.iter().map(|field| field.name.as_str()).collect();
//! assert_eq!(names, ["title", "Weight"]);
//! ```
//!
//! # How
//!
//! 1. `slots`: every text and attribute that may be a value, with a key for each way to find it again.
//! 2. `candidates`: keys that recur and whose values vary are fields; other keys of the same slots are more views.
//! 3. The fields are looked for on the pages, by the same votes as later on unseen ones (`apply`); what they
//!    find decides on `affixes`, duplicates, `names`, `types` and `rank`.
//!
//! Cost: a sort of all keys of the pages.

use super::{
    Field, Position, View, affixes,
    candidates::{Candidates, Draft},
    describe::{Ordinals, SlotContext},
    evidence::{self, Evidence, Form},
    landmarks,
    names::{self, NamedBy},
    rank::{self, Subjects},
    slots::{self, KIND_OF_KEY, Slot},
};
use crate::{Text, read::tree::Tree};
use rapidhash::RapidHashSet;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// What was learned about the fields of a template.
#[derive(Clone, Debug, Default)]
pub struct LearnedFields {
    /// The fields, the most wanted first.
    pub fields: Vec<Field>,
    /// How many of them, from the first, a person would keep.
    pub wanted: usize,
    /// Texts that stand once on nearly every page, from which places are counted.
    pub landmarks: Vec<String>,
    /// Who named each field.
    pub(crate) named_by: Vec<NamedBy>,
}

/// More fields than this are not for a person to choose from.
pub(super) const MOST_FIELDS: usize = 120;

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

    /// The slots, to be changed.
    pub fn own_slots(&self) -> Vec<Slot> {
        self.slots.to_vec()
    }
}

/// Pages to learn from, with landmarks of their own.
pub(crate) struct Sample<'a> {
    pub(super) trees: Vec<Arc<Tree<'a>>>,
    pub(super) slots: Vec<Vec<Slot>>,
    ordinals: Vec<Ordinals>,
    subjects: OnceLock<Subjects>,
}

impl<'a> Sample<'a> {
    pub(super) fn of(pages: &[ScannedPage<'a>]) -> Self {
        let trees = pages.iter().map(|page| page.tree.clone()).collect();
        let ordinals = pages.iter().map(|_| Ordinals::default()).collect();
        Sample {
            trees,
            slots: pages.par_iter().map(ScannedPage::own_slots).collect(),
            ordinals,
            subjects: OnceLock::new(),
        }
    }

    /// What names the subjects of the pages, once their slots are as they will be.
    pub(super) fn subjects(&self) -> &Subjects {
        self.subjects.get_or_init(|| Subjects::of(self))
    }

    /// Whether a page shows two texts, by their hashes.
    pub(super) fn has_together(&self, one: u64, other: u64) -> bool {
        let shows =
            |slots: &[Slot], text: u64| text != 0 && slots.iter().any(|slot| slot.is_seen_as(text));
        self.slots
            .iter()
            .any(|slots| shows(slots, one) && shows(slots, other))
    }

    pub(super) fn place(&self, (page, slot): (u32, u32)) -> SlotContext<'_> {
        let (page, at) = (page as usize, slot as usize);
        SlotContext {
            tree: &self.trees[page],
            slots: &self.slots[page],
            at,
            ordinals: &self.ordinals[page],
        }
    }
}

/// Learns the fields of pages that share a template.
pub fn learn(texts: &[Text]) -> LearnedFields {
    let scan = |text| ScannedPage::new(Arc::new(Tree::new(Text::as_str(text))));
    learn_scanned(&texts.par_iter().map(scan).collect::<Vec<_>>())
}

/// The same from pages that were read already.
pub(crate) fn learn_scanned(pages: &[ScannedPage<'_>]) -> LearnedFields {
    let mut sample = Sample::of(pages);
    let (evidence, landmarks) = evidence(&mut sample, &[]);
    let mut ranked = rank::ranked(&sample, evidence, MOST_FIELDS);
    ranked
        .fields
        .iter_mut()
        .for_each(|field| field.note_label(&sample));
    let named_by = names::give(
        &sample,
        &mut ranked.fields,
        ranked.wanted,
        RapidHashSet::default(),
    );
    let fields = ranked
        .fields
        .into_iter()
        .map(|evidence| evidence.field)
        .collect();
    LearnedFields {
        fields,
        wanted: ranked.wanted,
        landmarks,
        named_by,
    }
}

/// The fields that a sample supports, in all their forms, with what they find, and those that go by what can be said of some
/// slots that somebody points at, each by its page and number there; and the landmarks of the sample.
pub(super) fn evidence(
    sample: &mut Sample<'_>,
    pointed_at: &[(u32, u32)],
) -> (Vec<Evidence>, Vec<String>) {
    let landmarks = landmarks::set(sample);
    let mut candidates = Candidates::of(&sample.slots);
    let fields = candidates.fields();
    let pointed_at = pointed_at
        .iter()
        .flat_map(|&(page, slot)| candidates.of_slot(page, slot));
    let drafts = fields
        .into_iter()
        .chain(candidates.lists())
        .chain(pointed_at);
    let fields: Vec<Field> = drafts.filter_map(|draft| field(sample, &draft)).collect();
    let evidence = Evidence::gather(sample, &landmarks, fields);
    (
        affixes::split(evidence::without_first_items(evidence)),
        landmarks,
    )
}

/// A draft as a field with views in words; `None` if no view can be put into words.
fn field(sample: &Sample<'_>, draft: &Draft) -> Option<Field> {
    let views = draft.views.iter().filter_map(|view| {
        let position = sample.place(view.example).describe(view.which)?;
        Some(View::at(
            KIND_OF_KEY[view.which],
            Position {
                weight: view.weight,
                ..position
            },
        ))
    });
    let views: Vec<View> = views.collect();
    (!views.is_empty()).then(|| Field {
        many: draft.many,
        join: draft.join,
        views,
        ..Field::default()
    })
}

/// The fields that pages support before they are ranked: for the fit of the weights, and to see why a field ranks where it
/// does.
#[doc(hidden)]
pub struct Study {
    fields: Vec<Evidence>,
    features: Vec<rank::Features>,
}

/// A column in the order of ranks.
#[doc(hidden)]
pub type StudiedColumn = Vec<Vec<String>>;

impl Study {
    /// The fields of pages that share a template.
    pub fn of(texts: &[Text]) -> Self {
        let scan = |text| ScannedPage::new(Arc::new(Tree::new(Text::as_str(text))));
        let mut sample = Sample::of(&texts.par_iter().map(scan).collect::<Vec<_>>());
        let (fields, _) = evidence(&mut sample, &[]);
        let features = rank::features(&sample, &fields);
        Study { fields, features }
    }

    /// The names of the features, and what they count today.
    pub fn weights() -> Vec<(&'static str, f64)> {
        rank::WEIGHTS.to_vec()
    }

    /// The features of each field, and the columns that it may become: the first, or also the second, of these.
    pub fn fields(&self) -> impl Iterator<Item = (&[f64], Vec<StudiedColumn>)> {
        let columns = |number: usize| {
            let forms = self
                .fields
                .iter()
                .filter(move |field| field.number == number);
            forms
                .filter(|field| field.is_main() || matches!(field.form, Form::Text | Form::Unit))
                .map(column)
                .collect()
        };
        let mains = self
            .fields
            .iter()
            .zip(&self.features)
            .filter(|(field, _)| field.is_main());
        mains.map(move |(field, features)| (features.as_slice(), columns(field.number)))
    }

    /// All columns, ranked by some weights, and how many of them are wanted.
    pub fn ranked(&self, weights: &[f64]) -> (Vec<StudiedColumn>, usize) {
        let ranked = rank::ranked_by(self.fields.clone(), &self.features, weights, MOST_FIELDS);
        (ranked.fields.iter().map(column).collect(), ranked.wanted)
    }
}

fn column(field: &Evidence) -> StudiedColumn {
    field.found.iter().map(|(_, texts)| texts.clone()).collect()
}
