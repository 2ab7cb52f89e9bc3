//! When does a label alone say where a value is?
//!
//! "Contact information:" is followed by a link on the pages that were learned from, and by plain
//! text on others. None of the views finds that text, not even the label, which goes by the element
//! as well. But where the label preceded the value on all pages, and nothing else on any page, what
//! follows it is the value in whatever element it is. It is taken where the views find nothing, and
//! since so few agree on it, it is in doubt.
//!
//! Cost: one look at the slots of the pages, and one at each page for each column.

use super::{
    super::{
        Type,
        sample::Sample,
        slots::{Slot, SlotId},
        votes::label_alone::{labels, may_be_value},
    },
    column::Column,
};
use crate::read::html::visible_text;
use rapidhash::RapidHashMap;
use rayon::prelude::*;

/// On fewer pages than this it may be chance that the value always follows its label. Chosen by
/// hand.
const MIN_PAGES: usize = 4;

/// What follows a text on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follower {
    One(u32),
    Several,
}

/// What follows each text of some pages.
pub(super) struct LabelFollowers {
    pages: Vec<RapidHashMap<u64, Follower>>,
}

impl LabelFollowers {
    pub fn of(sample: &Sample<'_>) -> Self {
        let pages = 0..sample.len();
        LabelFollowers {
            pages: pages
                .into_par_iter()
                .map(|page| followers(sample.slots(page)))
                .collect(),
        }
    }

    /// On how many pages a column's label finds it where its views do not, if the label precedes
    /// nothing but its values on all pages.
    pub fn pages_by_label(&self, sample: &Sample<'_>, column: &Column) -> Option<usize> {
        let labels = labels(column.rule());
        if labels.is_empty()
            || column.is_list()
            || !column.is_seen()
            || column.filled_pages() < MIN_PAGES
        {
            return None;
        }
        let mut more = 0;
        for (page, values) in column.pages().iter().enumerate() {
            let found = values.voted.slots.first();
            let mut followers = labels
                .iter()
                .filter_map(|label| self.pages[page].get(label));
            match (found, followers.next(), followers.next()) {
                (None, None, _) => {}
                (Some(slot), Some(Follower::One(follower)), None) if slot == follower => {}
                (None, Some(&Follower::One(slot)), None) => {
                    let place = SlotId {
                        page: page as u32,
                        slot,
                    };
                    if !is_of_type(sample, place, column.kind()) {
                        return None;
                    }
                    more += 1;
                }
                _ => return None,
            }
        }
        Some(more)
    }
}

fn followers(slots: &[Slot]) -> RapidHashMap<u64, Follower> {
    let mut followers: RapidHashMap<u64, Follower> = RapidHashMap::default();
    for (at, slot) in (0..).zip(slots) {
        if !may_be_value(slot) {
            continue;
        }
        followers
            .entry(slot.label)
            .and_modify(|known| *known = Follower::Several)
            .or_insert(Follower::One(at));
    }
    followers
}

/// Whether a text is of a type that few other texts have.
fn is_of_type(sample: &Sample<'_>, place: SlotId, kind: Type) -> bool {
    if kind == Type::Text {
        return false;
    }
    let page = sample.page(place.page as usize);
    let text = visible_text(sample.slot(place).span.of(page));
    Type::of(&[&text]) == kind
}
