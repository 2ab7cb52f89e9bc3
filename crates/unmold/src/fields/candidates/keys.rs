//! Which keys recur from page to page, and which slots have them?
//!
//! Cost: a look at each key of each slot, in tables of the keys that more than one page may have.

use super::super::{
    slots::{Slot, SlotId},
    view::SlotKey,
};
use rapidhash::RapidHashMap;
use std::ops::Range;

/// A candidate must have values on this share of the pages, and on two. Chosen by hand: a field of
/// fewer pages is seldom wanted, and each candidate costs time.
const MIN_SHARE: f64 = 0.15;

/// A key that enough pages have.
pub(super) struct RecurringKey {
    pub which: SlotKey,
    /// Its slots among all that are listed.
    slots: Range<usize>,
    pub pages: usize,
    /// The pages on which it has exactly one slot.
    pub single_pages: usize,
}

/// The keys that recur on some pages.
pub(super) struct RecurringKeys<'p> {
    pages: &'p [Vec<Slot>],
    /// The slots of the first key, then those of the second, each in their order.
    slots: Vec<SlotId>,
    keys: Vec<RecurringKey>,
    by_hash: RapidHashMap<u64, usize>,
}

impl<'p> RecurringKeys<'p> {
    pub fn of(pages: &'p [Vec<Slot>]) -> Self {
        let common = CommonKeys::of(pages);
        let mut uses = KeyUses::default();
        for (page, slots) in (0..).zip(pages) {
            for (number, slot) in (0..).zip(slots) {
                let at = SlotId { page, slot: number };
                for (which, key) in slot.keys.iter() {
                    if common.may_have(key) {
                        uses.push(key, which, at);
                    }
                }
            }
        }
        let (slots, counts) = uses.by_key();
        let mut recurring = RecurringKeys {
            pages,
            slots,
            keys: Vec::new(),
            by_hash: RapidHashMap::default(),
        };
        recurring.keep_keys_of_enough_pages(&counts);
        recurring
    }

    fn keep_keys_of_enough_pages(&mut self, counts: &[KeyCount]) {
        let least = least_pages(self.pages.len());
        let mut start = 0;
        for count in counts {
            let slots = start..start + count.uses;
            start = slots.end;
            let (mut pages, mut single_pages) = (0, 0);
            for on_page in self.slots[slots.clone()].chunk_by(|a, b| a.page == b.page) {
                pages += 1;
                single_pages += usize::from(on_page.len() == 1);
            }
            if pages < least {
                continue;
            }
            self.by_hash.insert(count.key, self.keys.len());
            self.keys.push(RecurringKey {
                which: count.which,
                slots,
                pages,
                single_pages,
            });
        }
    }

    pub fn pages(&self) -> &'p [Vec<Slot>] {
        self.pages
    }

    pub fn all(&self) -> &[RecurringKey] {
        &self.keys
    }

    /// The number of the recurring key that has a hash.
    pub fn number(&self, hash: u64) -> Option<usize> {
        self.by_hash.get(&hash).copied()
    }

    /// The recurring keys that a slot has, by number.
    pub fn of_slot(&self, at: SlotId) -> impl Iterator<Item = usize> {
        let keys = self.slot(at).keys.iter();
        keys.filter_map(|(_, key)| self.number(key))
    }

    pub fn slot(&self, at: SlotId) -> &'p Slot {
        &self.pages[at.page as usize][at.slot as usize]
    }

    /// The slots that have a key, in the order of pages.
    pub fn slots_of(&self, key: &RecurringKey) -> &[SlotId] {
        &self.slots[key.slots.clone()]
    }

    /// The slots of a key on pages where it has one.
    pub fn single_slots_of(&self, key: &RecurringKey) -> Vec<SlotId> {
        let mut singles = Vec::new();
        for on_page in self.slots_of(key).chunk_by(|a, b| a.page == b.page) {
            if let [one] = on_page {
                singles.push(*one);
            }
        }
        singles
    }
}

/// The fewest pages that a candidate of some pages must have values on.
fn least_pages(pages: usize) -> usize {
    ((pages as f64 * MIN_SHARE).ceil() as usize).max(2)
}

/// A key, and how many slots have it.
struct KeyCount {
    key: u64,
    which: SlotKey,
    uses: usize,
}

/// The slots of all keys, as they come on the pages, and sorted by key in the end: there are few
/// keys beside their slots, so that to number them is faster than to compare them.
#[derive(Default)]
struct KeyUses {
    numbers: RapidHashMap<u64, u32>,
    keys: Vec<KeyCount>,
    /// Each with the number of its key.
    all: Vec<(u32, SlotId)>,
}

impl KeyUses {
    fn push(&mut self, key: u64, which: SlotKey, slot: SlotId) {
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(KeyCount {
                key,
                which,
                uses: 0,
            });
            self.keys.len() as u32 - 1
        });
        self.keys[number as usize].uses += 1;
        self.all.push((number, slot));
    }

    /// The slots of the first key, then those of the second, each in their order.
    fn by_key(self) -> (Vec<SlotId>, Vec<KeyCount>) {
        let mut next = Vec::with_capacity(self.keys.len());
        let mut start = 0;
        for key in &self.keys {
            next.push(start);
            start += key.uses;
        }
        let mut sorted = vec![SlotId::default(); self.all.len()];
        for (number, slot) in self.all {
            let place = &mut next[number as usize];
            sorted[*place] = slot;
            *place += 1;
        }
        (sorted, self.keys)
    }
}

/// The keys that enough pages have, and few others: most keys are of one page, and need not be
/// sorted.
struct CommonKeys {
    /// By the last digits of a key: the last page that has it, from 1, and how many pages have it.
    /// Small numbers, as they are looked at in no order: the fewer bytes they take, the more of
    /// them are near.
    counts: Vec<(u16, u16)>,
    least: u16,
}

impl CommonKeys {
    fn of(pages: &[Vec<Slot>]) -> Self {
        let least = u16::try_from(least_pages(pages.len()));
        let (Ok(_), Ok(least)) = (u16::try_from(pages.len()), least) else {
            return Self::all();
        };
        let slots: usize = pages.iter().map(Vec::len).sum();
        let mut counts = vec![(0, 0); (slots * SlotKey::COUNT / 2).next_power_of_two()];
        for (page, slots) in (1..).zip(pages) {
            for (_, key) in slots.iter().flat_map(|slot| slot.keys.iter()) {
                let place = Self::place(key, counts.len());
                let (last, count) = &mut counts[place];
                *count += u16::from(*last != page);
                *last = page;
            }
        }
        CommonKeys { counts, least }
    }

    /// Any key, where there are more pages than can be counted.
    fn all() -> Self {
        CommonKeys {
            counts: vec![(0, 0)],
            least: 0,
        }
    }

    fn place(key: u64, places: usize) -> usize {
        key as usize & (places - 1)
    }

    /// False for nothing that enough pages have.
    fn may_have(&self, key: u64) -> bool {
        self.counts[Self::place(key, self.counts.len())].1 >= self.least
    }
}
