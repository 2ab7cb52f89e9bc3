//! Which slots are the same field on every page?
//!
//! Every key that recurs from page to page (`keys`) is a candidate for a field: it names a slot on
//! each page that has it. The candidates are taken best first (`drafts`). One whose slots belong to
//! earlier fields already is another view of these (`views`); one whose slots are new is a new
//! field. So each slot ends up in one field, found by the clearest thing that it can be found by,
//! with all other ways to find it beside.
//!
//! What makes a candidate: it has a value on enough pages, the values differ, and they exclude each
//! other. Where a row is left out, the labels of a table move up; then the same place has "Fuel" on
//! one page and "Engine" on another, but both are on both pages. A value that varies, however often
//! it occurs ("PG-13"), does not do that.

mod drafts;
mod keys;
mod views;

use super::{Field, Position, View, sample::Sample, slots::SlotId};
use drafts::{Draft, Drafter};
use keys::RecurringKeys;

/// The rules that the pages of a sample support, and those that go by the labels of some slots that
/// somebody points at.
pub(super) fn candidates(sample: &Sample<'_>, pointed_at: &[SlotId]) -> Vec<Field> {
    let keys = RecurringKeys::of(sample.all_slots());
    let mut drafter = Drafter::of(&keys);
    let mut drafts = drafter.single_fields();
    drafts.extend(drafter.lists());
    for &slot in pointed_at {
        drafts.extend(drafter.by_labels_of(slot));
    }
    drafts
        .iter()
        .filter_map(|draft| in_words(sample, draft))
        .collect()
}

/// A draft as a rule with views in words; `None` if no view can be put into words.
fn in_words(sample: &Sample<'_>, draft: &Draft) -> Option<Field> {
    let mut views = Vec::with_capacity(draft.views.len());
    for view in &draft.views {
        if let Some(position) = sample.context(view.example).describe(view.which) {
            let weight = view.weight;
            views.push(View::at(view.which.kind(), Position { weight, ..position }));
        }
    }
    if views.is_empty() {
        return None;
    }
    Some(Field {
        many: draft.many,
        join: draft.join,
        views,
        ..Field::default()
    })
}
