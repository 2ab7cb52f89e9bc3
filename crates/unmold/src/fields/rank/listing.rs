//! Which part of a page is what it lists?
//!
//! On a page of search results or posts, the fields that a person wants are what every result has; what one of them has is
//! of no interest. The *listing* of a page is the stretch over which the values of a list are spread, if it holds most of
//! the page's text.

use crate::fields::{evidence::Evidence, learn::Sample, slots::Slot};
use std::ops::Range;

/// Fewer values are no listing.
const LEAST: usize = 3;
/// A listing holds more than this share of the text,
const MOST_OF_THE_PAGE: f64 = 0.5;
/// and none of its gaps is more than this share of it.
const LARGEST_GAP: f64 = 0.5;

/// The listings of some pages.
pub(super) struct Listings {
    /// On each page: how many bytes of text stand before each slot, and before the end.
    bytes: Vec<Vec<u32>>,
    /// The slots of each page's listing.
    listings: Vec<Option<Range<u32>>>,
}

impl Listings {
    pub fn of(sample: &Sample<'_>, fields: &[Evidence]) -> Self {
        let bytes: Vec<Vec<u32>> = sample
            .slots
            .iter()
            .map(|slots| bytes_before(slots))
            .collect();
        let listings = bytes.iter().enumerate().map(|(page, bytes)| {
            let lists = fields.iter().filter(|field| field.field.many);
            let stretches = lists.filter_map(|list| stretch(&list.found[page].0.slots, bytes));
            let longest = stretches.max_by_key(|stretch| length(stretch, bytes))?;
            let all = f64::from(*bytes.last()?);
            (f64::from(length(&longest, bytes)) > MOST_OF_THE_PAGE * all).then_some(longest)
        });
        let listings = listings.collect();
        Listings { bytes, listings }
    }

    /// How much of a page's listing some slots are spread over. Half of it, if they all stand in the listing and are too few
    /// to tell: not every post is signed.
    pub fn spread(&self, page: usize, slots: &[u32]) -> f64 {
        let Some(listing) = &self.listings[page] else {
            return 0.0;
        };
        let is_inside = slots.iter().all(|slot| listing.contains(slot));
        let least = if is_inside { 0.5 } else { 0.0 };
        let Some(stretch) = stretch(slots, &self.bytes[page]) else {
            return least;
        };
        let both = listing.start.max(stretch.start)..listing.end.min(stretch.end);
        let share = f64::from(length(&both, &self.bytes[page]))
            / f64::from(length(listing, &self.bytes[page]).max(1));
        share.clamp(least, 1.0)
    }

    /// Whether a slot stands in its page's listing.
    pub fn holds(&self, page: usize, slot: u32) -> bool {
        self.listings[page]
            .as_ref()
            .is_some_and(|listing| listing.contains(&slot))
    }
}

fn bytes_before(slots: &[Slot]) -> Vec<u32> {
    let mut sum = 0;
    let mut before = Vec::with_capacity(slots.len() + 1);
    for slot in slots {
        before.push(sum);
        sum += if slot.attribute.is_empty() {
            slot.span.len() as u32
        } else {
            0
        };
    }
    before.push(sum);
    before
}

fn length(stretch: &Range<u32>, bytes: &[u32]) -> u32 {
    if stretch.is_empty() {
        0
    } else {
        bytes[stretch.end as usize] - bytes[stretch.start as usize]
    }
}

/// From the first to the last of some slots, if they are spread evenly enough.
fn stretch(slots: &[u32], bytes: &[u32]) -> Option<Range<u32>> {
    let stretch = *slots.first()?..*slots.last()? + 1;
    let largest = slots
        .windows(2)
        .map(|pair| length(&(pair[0]..pair[1]), bytes))
        .max()?;
    let is_even = f64::from(largest) <= LARGEST_GAP * f64::from(length(&stretch, bytes));
    (slots.len() >= LEAST && is_even).then_some(stretch)
}
