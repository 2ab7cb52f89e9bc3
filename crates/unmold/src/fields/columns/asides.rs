//! Which texts does a template put before a value on some pages?
//!
//! Some restaurants have a link "View the menu" before the link that says what they cook. Both are
//! links of the same make-up, so that on these pages all counts are one off, and all views by place
//! agree on the wrong text. Such an *aside* is told from a value by four things: it recurs, another
//! text of its make-up always follows, that text is what the column says on other pages, and it is
//! not in a row with it as the items of a list are. Where an aside is found, the value is what
//! follows.
//!
//! Cost: a look at the slots that follow each value that recurs.

use super::{
    super::{
        sample::Sample,
        slots::SlotId,
        votes::asides::{next, next_key},
    },
    column::Column,
};
use crate::read::tree::NodeId;
use rapidhash::RapidHashSet;

/// A text on fewer pages than this may be a value. Chosen by hand.
const MIN_PAGES: usize = 3;
/// So may a text on less than one page of this many. Chosen by hand.
const PAGES_PER_ASIDE: usize = 10;
/// This many of the texts that follow are values of the column on other pages. Chosen by hand: one
/// may be chance.
const MIN_VALUES: usize = 2;

/// The values of a column that are asides.
pub(super) fn of(sample: &Sample<'_>, column: &Column) -> Vec<String> {
    let key = next_key(column.rule());
    if key == 0 || column.is_list() || !column.is_seen() {
        return Vec::new();
    }
    let least = MIN_PAGES.max(sample.len() / PAGES_PER_ASIDE);
    let mut asides = Vec::new();
    for same in places_by_text(sample, column).chunk_by(|a, b| a.0 == b.0) {
        if same.len() < least || !is_aside(sample, column, key, same) {
            continue;
        }
        let (_, first) = same[0];
        asides.extend(column.on_page(first.page as usize).texts.first().cloned());
    }
    asides
}

/// Where the values of a column are, equal ones together: the hash of the text, and the slot.
fn places_by_text(sample: &Sample<'_>, column: &Column) -> Vec<(u64, SlotId)> {
    let places = column
        .places()
        .map(|place| (sample.slot(place).text, place));
    let mut places: Vec<(u64, SlotId)> = places.collect();
    places.sort_unstable();
    places
}

/// Whether after each of some equal texts another one follows that is not in a row with it, and
/// some of those are values on other pages.
fn is_aside(sample: &Sample<'_>, column: &Column, key: u64, same: &[(u64, SlotId)]) -> bool {
    let mut following: RapidHashSet<u64> = RapidHashSet::default();
    for &(text, aside) in same {
        let Some(slot) = next(sample.slots(aside.page as usize), key, aside.slot) else {
            return false;
        };
        let after = SlotId { slot, ..aside };
        if sample.slot(after).text == text || are_in_a_row(sample, aside, after) {
            return false;
        }
        following.insert(sample.slot(after).text);
    }
    let values: RapidHashSet<u64> = column.places().map(|at| sample.slot(at).text).collect();
    following.intersection(&values).count() >= MIN_VALUES
}

/// Whether nothing else is in the element that holds the second of two texts and not the first, as
/// in rows of links and lists of items.
fn are_in_a_row(sample: &Sample<'_>, first: SlotId, second: SlotId) -> bool {
    let (tree, slots) = (
        sample.tree(first.page as usize),
        sample.slots(first.page as usize),
    );
    let (first, second) = (sample.slot(first), sample.slot(second));
    let holds_both = |node: &NodeId| node.index() <= first.node.index();
    let around = tree.ancestors(second.node);
    let Some(block) = around.take_while(|node| !holds_both(node)).last() else {
        return true;
    };
    let end = tree.subtree_end(block);
    let start = slots.partition_point(|slot| slot.node <= block);
    let inside = slots[start..]
        .iter()
        .take_while(|slot| slot.node.index() < end);
    inside.filter(|slot| slot.is_words()).nth(1).is_none()
}
