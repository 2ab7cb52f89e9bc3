//! When does a label alone say where a value stands?
//!
//! "Contact information:" is followed by a link on the pages that were learned from, and by plain text on others. None of the
//! views finds that text, not even the label, which goes by the element as well. But where the label stood right before the value
//! on all pages, and on no page before anything else, what follows it is the value in whatever element it stands. It is taken
//! where the views find nothing, and since so few agree on it, it is in doubt.
//!
//! Cost: one look at the slots of the pages, and one at each page for each field.

use super::{
    Field, Kind, Type, View,
    evidence::Evidence,
    learn::Sample,
    slots::{Slot, text_hash},
};
use crate::read::html::visible_text;
use rapidhash::RapidHashMap;
use rayon::prelude::*;

/// On fewer pages, it may be chance that a label always has its value behind it.
const LEAST_PAGES: usize = 4;

/// The hashes of the texts right before a field's values.
pub(super) fn labels(field: &Field) -> Vec<u64> {
    let positions = field
        .views
        .iter()
        .filter_map(View::position)
        .filter(|(kind, _)| *kind == Kind::Label);
    positions
        .filter_map(|(_, position)| text_hash(&position.text))
        .collect()
}

/// Whether a slot may be the value of a field whose label it stands behind.
pub(super) fn may_be_value(slot: &Slot) -> bool {
    slot.attribute.is_empty() && !slot.is_mark && slot.label != 0
}

/// What stands behind each text of some pages.
pub(super) struct Behind {
    /// On each page: the slot behind a text, `None` if several are.
    pages: Vec<RapidHashMap<u64, Option<u32>>>,
}

impl Behind {
    pub fn of(sample: &Sample<'_>) -> Self {
        let page = |slots: &Vec<Slot>| {
            let mut behind: RapidHashMap<u64, Option<u32>> = RapidHashMap::default();
            for (at, slot) in (0..).zip(slots).filter(|(_, slot)| may_be_value(slot)) {
                behind
                    .entry(slot.label)
                    .and_modify(|known| *known = None)
                    .or_insert(Some(at));
            }
            behind
        };
        Behind {
            pages: sample.slots.par_iter().map(page).collect(),
        }
    }

    /// On how many pages a field's label alone says where it is, if it says nothing else on any page.
    pub fn pages_by_label(&self, sample: &Sample<'_>, evidence: &Evidence) -> Option<usize> {
        let labels = labels(&evidence.field);
        if labels.is_empty()
            || evidence.field.many
            || !evidence.is_seen()
            || evidence.pages() < LEAST_PAGES
        {
            return None;
        }
        let mut more = 0;
        for (page, (found, _)) in evidence.found.iter().enumerate() {
            let mut behind = labels
                .iter()
                .filter_map(|label| self.pages[page].get(label));
            match (found.slots.first(), behind.next(), behind.next()) {
                (None, None, _) => {}
                (Some(slot), Some(Some(behind)), None) if slot == behind => {}
                (None, Some(Some(behind)), None)
                    if is_of_type(sample, page, *behind, evidence.field.kind) =>
                {
                    more += 1
                }
                _ => return None,
            }
        }
        Some(more)
    }
}

/// Whether a text is of a type that few other texts have.
fn is_of_type(sample: &Sample<'_>, page: usize, slot: u32, kind: Type) -> bool {
    let text = visible_text(
        sample.slots[page][slot as usize]
            .span
            .of(sample.trees[page].page()),
    );
    kind != Type::Text && Type::of(&[&text]) == kind
}
