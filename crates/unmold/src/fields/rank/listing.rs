//! Which part of a page is what it lists?
//!
//! On a page of search results or posts, the columns that a person wants are what every result has;
//! what one of them has is of no interest. The *listing* of a page is the stretch over which the
//! values of a list are spread, if it holds most of the page's text.

use crate::fields::{columns::Column, sample::Sample, slots::Slot};
use std::ops::Range;

/// Fewer values than this are no listing. Chosen by hand.
const MIN_VALUES: usize = 3;
/// A listing holds more than this share of the text of its page. Chosen by hand.
const MIN_SHARE_OF_PAGE: f64 = 0.5;
/// No gap between two values of a listing is more than this share of it. Chosen by hand.
const MAX_GAP: f64 = 0.5;
/// Slots that are all in the listing, and too few to tell, are spread over this share of it: not
/// every post is signed. Chosen by hand.
const SPREAD_OF_FEW: f64 = 0.5;

/// The listings of some pages.
pub(super) struct Listings {
    /// On each page: how many bytes of text precede each slot, and the end.
    bytes: Vec<Vec<u32>>,
    /// The slots of each page's listing.
    listings: Vec<Option<Range<u32>>>,
}

impl Listings {
    pub fn of(sample: &Sample<'_>, columns: &[Column]) -> Self {
        let mut listings = Vec::with_capacity(sample.len());
        let mut bytes = Vec::with_capacity(sample.len());
        for (page, slots) in sample.all_slots().iter().enumerate() {
            let before = bytes_before(slots);
            listings.push(listing(columns, page, &before));
            bytes.push(before);
        }
        Listings { bytes, listings }
    }

    /// How much of a page's listing some slots are spread over.
    pub fn spread(&self, page: usize, slots: &[u32]) -> f64 {
        let (Some(listing), bytes) = (&self.listings[page], &self.bytes[page]) else {
            return 0.0;
        };
        let is_inside = slots.iter().all(|slot| listing.contains(slot));
        let least = if is_inside { SPREAD_OF_FEW } else { 0.0 };
        let Some(stretch) = stretch(slots, bytes) else {
            return least;
        };
        let both = listing.start.max(stretch.start)..listing.end.min(stretch.end);
        let share = f64::from(length(&both, bytes)) / f64::from(length(listing, bytes).max(1));
        share.clamp(least, 1.0)
    }

    /// Whether a slot is in its page's listing.
    pub fn holds(&self, page: usize, slot: u32) -> bool {
        let listing = self.listings[page].as_ref();
        listing.is_some_and(|listing| listing.contains(&slot))
    }
}

/// The slots of a page's listing: the longest stretch of a list, if it holds most of the text.
fn listing(columns: &[Column], page: usize, bytes: &[u32]) -> Option<Range<u32>> {
    let lists = columns.iter().filter(|column| column.is_list());
    let stretches = lists.filter_map(|list| stretch(&list.on_page(page).voted.slots, bytes));
    let longest = stretches.max_by_key(|stretch| length(stretch, bytes))?;
    let all = f64::from(*bytes.last()?);
    (f64::from(length(&longest, bytes)) > MIN_SHARE_OF_PAGE * all).then_some(longest)
}

fn bytes_before(slots: &[Slot]) -> Vec<u32> {
    let mut sum = 0;
    let mut before = Vec::with_capacity(slots.len() + 1);
    for slot in slots {
        before.push(sum);
        if slot.attribute.is_empty() {
            sum += slot.span.len() as u32;
        }
    }
    before.push(sum);
    before
}

/// How many bytes of text a stretch of slots has.
fn length(stretch: &Range<u32>, bytes: &[u32]) -> u32 {
    if stretch.is_empty() {
        return 0;
    }
    bytes[stretch.end as usize] - bytes[stretch.start as usize]
}

/// From the first to the last of some slots, if they are spread evenly enough.
fn stretch(slots: &[u32], bytes: &[u32]) -> Option<Range<u32>> {
    if slots.len() < MIN_VALUES {
        return None;
    }
    let stretch = *slots.first()?..*slots.last()? + 1;
    let gaps = slots
        .windows(2)
        .map(|pair| length(&(pair[0]..pair[1]), bytes));
    let is_even = f64::from(gaps.max()?) <= MAX_GAP * f64::from(length(&stretch, bytes));
    is_even.then_some(stretch)
}
