//! Which texts does a template put before a value on some pages?
//!
//! Some restaurants have a link "View the menu" before the link that says what they cook. Both are links of the same make-up, so
//! that on these pages all counts are one off, and all views by place agree on the wrong text. Such an *aside* is told from a
//! value by four things: it recurs, another text of its make-up always follows, that text is what the field says on other
//! pages, and it does not stand in a row with it as the items of a list do. Where an aside is found, the value is what follows.
//!
//! Cost: a look at the slots behind those of each value that recurs.

use super::{
    Field, Kind, View,
    evidence::Evidence,
    learn::Sample,
    slots::{CLASS, Slot},
};
use crate::read::tree::NodeId;
use rapidhash::RapidHashSet;

/// What stands on fewer pages may be a value;
const LEAST_PAGES: usize = 3;
/// and so may what stands on less than this share of them.
const ONE_IN: usize = 10;
/// So many texts that follow are values of the field elsewhere.
const LEAST_VALUES: usize = 2;

/// The key of what follows a field's slot among those of the same tags and classes, 0 if the field is not found by these.
pub(super) fn next_key(field: &Field) -> u64 {
    let class = field
        .views
        .iter()
        .filter_map(View::position)
        .find(|(kind, _)| *kind == Kind::Class);
    class.map_or(0, |(kind, position)| {
        let mut next = position.clone();
        next.nth += 1;
        next.key(kind)
    })
}

/// The slot that follows an aside.
pub(super) fn next(slots: &[Slot], key: u64, aside: u32) -> Option<u32> {
    let behind = slots[aside as usize..]
        .iter()
        .position(|slot| slot.keys[CLASS] == key)?;
    Some(aside + behind as u32)
}

/// The values of a field that are asides.
pub(super) fn of(sample: &Sample<'_>, evidence: &Evidence) -> Vec<String> {
    let key = next_key(&evidence.field);
    if key == 0 || evidence.field.many || !evidence.is_seen() {
        return Vec::new();
    }
    let places = value_places(sample, evidence);
    let same = places.chunk_by(|a, b| a.text == b.text);
    let least = LEAST_PAGES.max(evidence.found.len() / ONE_IN);
    let asides =
        same.filter(|pages| pages.len() >= least && is_aside(sample, evidence, key, pages));
    asides
        .filter_map(|pages| evidence.found[pages[0].page].1.first().cloned())
        .collect()
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ValuePlace {
    /// The hash of its text.
    text: u64,
    page: usize,
    slot: u32,
}

/// Where the values of a field stand, equal ones together.
fn value_places(sample: &Sample<'_>, evidence: &Evidence) -> Vec<ValuePlace> {
    let place = |(page, slot): (u32, u32)| {
        let text = sample.slots[page as usize][slot as usize].text;
        ValuePlace {
            text,
            page: page as usize,
            slot,
        }
    };
    let mut places: Vec<ValuePlace> = evidence.places().map(place).collect();
    places.sort_unstable();
    places
}

/// Whether on each of some pages another text follows that does not stand in a row with it, and some of these are values elsewhere.
fn is_aside(sample: &Sample<'_>, evidence: &Evidence, key: u64, pages: &[ValuePlace]) -> bool {
    let follows = |aside: &ValuePlace| {
        let next = next(&sample.slots[aside.page], key, aside.slot)?;
        let slot = &sample.slots[aside.page][next as usize];
        (slot.text != aside.text && !is_in_a_row(sample, aside.page, aside.slot, next))
            .then_some(slot.text)
    };
    let Some(following) = pages
        .iter()
        .map(follows)
        .collect::<Option<RapidHashSet<u64>>>()
    else {
        return false;
    };
    let values: RapidHashSet<u64> = evidence
        .places()
        .map(|(page, slot)| sample.slots[page as usize][slot as usize].text)
        .collect();
    following.intersection(&values).count() >= LEAST_VALUES
}

/// Whether nothing else stands in the element that holds the second of two texts and not the first, as in rows of links and
/// lists of items.
fn is_in_a_row(sample: &Sample<'_>, page: usize, first: u32, second: u32) -> bool {
    let (tree, slots) = (&sample.trees[page], &sample.slots[page]);
    let (first, second) = (&slots[first as usize], &slots[second as usize]);
    let holds_both = |node: &NodeId| node.index() <= first.node.index();
    let Some(block) = tree
        .ancestors(second.node)
        .take_while(|node| !holds_both(node))
        .last()
    else {
        return true;
    };
    let inside = slots
        .iter()
        .filter(|slot| slot.node > block && slot.node.index() < tree.subtree_end(block));
    inside
        .filter(|slot| slot.attribute.is_empty() && !slot.is_mark)
        .nth(1)
        .is_none()
}
