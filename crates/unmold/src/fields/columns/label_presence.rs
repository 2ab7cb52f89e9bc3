//! Is a column absent from pages that do not have its label?

use super::{
    super::{label_text::text_hash, sample::Sample, slots::SlotId},
    column::Column,
};

/// A label is not further before its value than this many slots. Chosen by hand.
const FURTHEST_SLOTS: usize = 64;
/// On fewer pages than this it may be chance that all have the label. Chosen by hand.
const MIN_PAGES: usize = 4;
/// At most one page in this many may show another label in the place of this one. Chosen by hand.
const PAGES_PER_EXCEPTION: usize = 5;

impl Column {
    /// Whether all pages that have the column have its label, or those few that have not show
    /// another one in its place. Another form of the label ("Directors:" for "Director:") is on no
    /// page with it; a label of something else is.
    ///
    /// What names the subject of a page needs no label: the text above a heading is none.
    pub fn needs_label(&self, sample: &Sample<'_>) -> bool {
        if self.prefix_is_label() || self.filled_pages() < MIN_PAGES {
            return false;
        }
        let Some(label) = self.label().and_then(text_hash) else {
            return false;
        };
        if self.places().next().is_some_and(|at| sample.is_subject(at)) {
            return false;
        }
        let mut exceptions = Vec::new();
        for place in self.places() {
            if !is_before(sample, label, place) {
                exceptions.push(place);
            }
        }
        if PAGES_PER_EXCEPTION * exceptions.len() > self.filled_pages() {
            return false;
        }
        exceptions
            .iter()
            .all(|place| sample.has_together(label, sample.slot(*place).label))
    }
}

/// Whether a label closely precedes a slot.
fn is_before(sample: &Sample<'_>, label: u64, place: SlotId) -> bool {
    let before = &sample.slots(place.page as usize)[..place.slot as usize];
    let near = &before[before.len().saturating_sub(FURTHEST_SLOTS)..];
    near.iter().any(|slot| slot.is_seen_as(label))
}
