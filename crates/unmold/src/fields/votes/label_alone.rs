//! What can the label of a field say without any other view?
//!
//! Where the label precedes nothing but the field's values, what follows it is the value in
//! whatever element it is. When a label is such a one is decided where columns are made.

use super::super::{Field, ViewKind, label_text::text_hash, slots::Slot};

/// The hashes of the texts right before a field's values.
pub(in crate::fields) fn labels(field: &Field) -> Vec<u64> {
    let positions = field.positions(ViewKind::LabelBefore);
    positions
        .filter_map(|position| text_hash(&position.text))
        .collect()
}

/// Whether a slot may be the value of a field whose label it follows.
pub(in crate::fields) fn may_be_value(slot: &Slot) -> bool {
    slot.is_words() && slot.label != 0
}
