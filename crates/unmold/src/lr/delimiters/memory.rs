//! What was found on pages before.
//!
//! Pages of one template have most of their bytes in common, in stretches of hundreds. What stands
//! in such a stretch was found before and need not be looked for again, and comparing is many times
//! as fast as searching.
//!
//! A few pages are remembered, with what was found at their [sites](super::sites) and which bytes
//! around a site that depends on. At a site of another page, a remembered one with the same bytes
//! behind it is looked for. As far as both pages go on alike from there, what was found on one is
//! found on the other; only near the ends of the stretch sites are looked at again. So a memory
//! makes a search faster and never changes its outcome.

use super::{DelimiterAt, anchored::Reach, blanks::Seen};
use std::ops::Range;

/// How many bytes of pages are remembered at most. One page of a template is nearly as good as
/// many.
const MOST: usize = 1 << 19;

/// By as many bytes sites are told apart.
const KEY: usize = 16;

/// Shorter stretches are not worth the trouble.
const SHORTEST: usize = KEY + Reach::LEAST.behind;

/// So many remembered sites behind the last stretch are tried before all others: a page goes on
/// with its template where it left it, or a little later.
const NEAR: usize = 2;

/// Stands before and behind each remembered page and in no page, because texts have no such byte.
const END: u8 = 0xFF;

/// As many bits of a hash choose a slot.
const SLOT_BITS: u32 = 15;

/// Remembers pages for one set of strings.
#[derive(Clone, Debug, Default)]
pub(in crate::lr) struct Memory {
    /// The remembered pages between [`END`]s.
    pages: Vec<u8>,
    /// Their sites, in order.
    sites: Vec<Site>,
    /// By hash, the last site that has it: its hash, and one more than its number, or 0 if there is
    /// none.
    slots: Vec<(u32, u32)>,
    events: Vec<Event>,
    found: Vec<DelimiterAt>,
    /// Whether the last page was for the most part like those remembered.
    is_enough: bool,
    /// What lies in stretches of white space.
    pub(super) blanks: Seen,
    /// For what is found on a page, so that not every page needs a vector of its own.
    buffer: Vec<DelimiterAt>,
}

#[derive(Clone, Copy, Debug)]
struct Site {
    at: u32,
    /// Of the bytes from there on.
    hash: u32,
    /// How many events there are before what is found from there on.
    events: u32,
}

/// Something was found at a site, or that nothing was depends on more than the bytes that are
/// always looked at.
#[derive(Clone, Copy, Debug)]
struct Event {
    site: u32,
    /// The bytes that the outcome depends on.
    from: u32,
    to: u32,
    /// What was found lies between the end of the event before and this.
    found_to: u32,
}

/// What a page has in common with a remembered one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The remembered site that it begins with, by number.
    site: usize,
    /// Where it begins on the page.
    at: usize,
    length: usize,
}

impl Stretch {
    /// Where to go on: outcomes at sites before are remembered.
    pub(super) fn end(&self) -> usize {
        self.at + self.saved()
    }

    /// How much of the page need not be searched.
    pub(super) fn saved(&self) -> usize {
        self.length - Reach::LEAST.behind
    }
}

impl Memory {
    /// A memory that wants no page.
    pub(in crate::lr) fn none() -> Self {
        Memory {
            is_enough: true,
            ..Memory::default()
        }
    }

    /// A vector with nothing in it.
    pub(super) fn take_buffer(&mut self) -> Vec<DelimiterAt> {
        std::mem::take(&mut self.buffer)
    }

    /// Takes a vector for later, unless one page has made it huge.
    pub(super) fn give_back(&mut self, mut buffer: Vec<DelimiterAt>) {
        if buffer.capacity() <= MOST {
            buffer.clear();
            self.buffer = buffer;
        }
    }

    /// Whether a page should be remembered.
    pub(super) fn wants(&self, page: &[u8]) -> bool {
        !self.is_enough && self.pages.len() + page.len() < MOST
    }

    /// Takes note of how much of a page was remembered.
    pub(super) fn note(&mut self, page: &[u8], remembered: usize) {
        self.is_enough = 2 * remembered >= page.len();
    }

    /// Begins to remember a page. What is found at its sites is to be told in their order.
    pub(super) fn remember(&mut self, page: &[u8]) -> Recorder<'_> {
        self.is_enough = true;
        self.slots.resize(1 << SLOT_BITS, (0, 0));
        if self.pages.is_empty() {
            self.pages.push(END);
        }
        let start = self.pages.len();
        self.pages.extend_from_slice(page);
        self.pages.push(END);
        self.sites.reserve(page.len() / 8);
        Recorder {
            start,
            memory: self,
        }
    }

    /// The stretch that begins with a site of a page, if there is one. `near` is the remembered
    /// site behind the last.
    #[inline]
    pub(super) fn recall(&self, page: &[u8], at: usize, near: &mut usize) -> Option<Stretch> {
        if self.sites.is_empty() {
            return None;
        }
        let hash = hash(&page[at..])?;
        let site = self.near(hash, *near).or_else(|| self.anywhere(hash))?;
        let start = self.sites[site].at as usize;
        let length = shared(&page[at..], &self.pages[start..]);
        if length < SHORTEST {
            return None;
        }
        let stretch = Stretch { site, at, length };
        *near = self.first_behind(site, stretch.saved());
        Some(stretch)
    }

    #[inline]
    fn near(&self, hash: u32, from: usize) -> Option<usize> {
        let sites = self.sites.get(from..)?;
        sites
            .iter()
            .take(NEAR)
            .position(|site| site.hash == hash)
            .map(|behind| from + behind)
    }

    #[inline]
    fn anywhere(&self, hash: u32) -> Option<usize> {
        let &(known, site) = self.slots.get(slot(hash))?;
        if known == hash {
            site.checked_sub(1).map(|site| site as usize)
        } else {
            None
        }
    }

    /// The first site that is so many bytes behind another.
    #[inline]
    fn first_behind(&self, site: usize, bytes: usize) -> usize {
        let sites = &self.sites[site..];
        let (nearest, end) = (&sites[..sites.len().min(bytes)], sites[0].at + bytes as u32);
        site + nearest.partition_point(|site| site.at < end)
    }

    /// Adds what was found in a stretch; calls back for sites to look at again.
    #[inline]
    pub(super) fn replay(
        &self,
        stretch: Stretch,
        found: &mut Vec<DelimiterAt>,
        mut look: impl FnMut(usize, &mut Vec<DelimiterAt>),
    ) {
        let Site {
            at: start,
            events: first,
            ..
        } = self.sites[stretch.site];
        let (end, saved_end) = (
            start + stretch.length as u32,
            start + stretch.saved() as u32,
        );
        let moved = |place: u32| place.wrapping_sub(start).wrapping_add(stretch.at as u32);
        let put = |known: Range<u32>, found: &mut Vec<DelimiterAt>| {
            let known = &self.found[known.start as usize..known.end as usize];
            found.extend(
                known
                    .iter()
                    .map(|&(string, offset)| (string, moved(offset))),
            );
        };
        let (before, behind) = self.events.split_at(first as usize);
        let begin = before.last().map_or(0, |event| event.found_to);
        let mut known = begin..begin;
        for event in behind.iter().take_while(|event| event.site < saved_end) {
            if event.from >= start && event.to <= end {
                known.end = event.found_to;
            } else {
                put(known, found);
                look(moved(event.site) as usize, found);
                known = event.found_to..event.found_to;
            }
        }
        put(known, found);
    }
}

/// A page that is being remembered.
pub(super) struct Recorder<'m> {
    /// Where the page begins among those remembered.
    start: usize,
    memory: &'m mut Memory,
}

impl Recorder<'_> {
    /// Takes note of what was found at a site and of how far that reaches.
    pub(super) fn event(&mut self, site: usize, reach: Reach, found: &[DelimiterAt]) {
        let start = self.start as u32;
        self.memory.found.extend(
            found
                .iter()
                .map(|&(string, offset)| (string, start + offset)),
        );
        let site = start + site as u32;
        let (from, to) = (site - reach.before as u32, site + reach.behind as u32);
        self.memory.events.push(Event {
            site,
            from,
            to,
            found_to: self.memory.found.len() as u32,
        });
    }

    /// Takes note of a site, behind the white space before it.
    pub(super) fn site(&mut self, page: &[u8], site: usize) {
        let Some(hash) = hash(&page[site..]) else {
            return;
        };
        let (at, events) = ((self.start + site) as u32, self.memory.events.len() as u32);
        self.memory.sites.push(Site { at, hash, events });
        self.memory.slots[slot(hash)] = (hash, self.memory.sites.len() as u32);
    }
}

/// A hash of the first bytes of a text, if it has enough. Texts that share one by chance, or by
/// intent, are compared in vain and no more.
#[inline(always)]
fn hash(text: &[u8]) -> Option<u32> {
    let key = u128::from_le_bytes(*text.first_chunk::<KEY>()?);
    let mixed =
        (key as u64 ^ ((key >> 64) as u64).rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Some((mixed >> 32) as u32)
}

#[inline(always)]
fn slot(hash: u32) -> usize {
    (hash >> (u32::BITS - SLOT_BITS)) as usize
}

/// How many bytes two texts have in common from their beginnings on.
#[inline]
fn shared(one: &[u8], other: &[u8]) -> usize {
    const WIDE: usize = 32;
    let wide = one
        .as_chunks::<WIDE>()
        .0
        .iter()
        .zip(other.as_chunks::<WIDE>().0);
    let start = WIDE * wide.take_while(|(one, other)| one == other).count();
    let rest = one[start..].iter().zip(&other[start..]);
    start + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_bytes_are_counted_to_the_first_difference() {
        let text: Vec<u8> = (0..100).collect();
        for difference in 0..100 {
            let mut other = text.clone();
            other[difference] = 200;
            assert_eq!(shared(&text, &other), difference);
        }
        assert_eq!(shared(&text, &text[..70]), 70);
        assert_eq!(shared(&[], &text), 0);
    }
}
