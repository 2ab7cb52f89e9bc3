//! Which strings stand around a place?
//!
//! Each string is cut in two at a place inside it, and looked up by what follows the place. Its
//! first bytes are a key, which at most places no string has; strings with the same key go on as a
//! radix tree, and at its nodes stands what strings have before the place. Many have the same
//! second part, as a tag behind different indents.

use super::{
    DelimiterAt,
    piece::{Part, Piece},
};
use crate::read::first_bytes::{first_u64, last_u64};

/// A string by number, cut at the place that it is looked up by.
pub(super) type Cut<'s> = (usize, (&'s [u8], &'s [u8]));

/// As many bytes are a key; as many as a string has from its place on.
const KEYS: [usize; 4] = [8, 4, 2, 1];

/// Strings, each cut in two.
#[derive(Clone, Debug)]
pub(super) struct Anchored {
    /// By hash of four bytes, a bit for each length that keys with these bytes have.
    long: Box<[u8]>,
    /// The same for two bytes and shorter keys.
    short: Box<[u8]>,
    tables: [Table; KEYS.len()],
    nodes: Vec<Node>,
    edges: Vec<(u8, u32)>,
    befores: Vec<Before>,
    /// Of the pieces.
    bytes: Vec<u8>,
}

/// Strings that share what follows their place, as far as this node.
#[derive(Clone, Debug)]
struct Node {
    /// Bytes beyond those of the parent.
    label: Piece,
    /// Those that end here.
    befores: Part,
    /// Edges, sorted by the next byte.
    next: Part,
}

/// What one string has before its place.
#[derive(Clone, Debug)]
struct Before {
    string: u32,
    bytes: Piece,
}

/// The first bytes of a string from its place on, as many as [`KEYS`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The place in [`KEYS`]: the smaller, the longer.
    pub(super) length: usize,
    bytes: u64,
}

impl Key {
    /// The key of what stands from the place on.
    ///
    /// # Panics
    /// When nothing does.
    pub(super) fn of(from: &[u8]) -> Self {
        let length = KEYS
            .iter()
            .position(|&length| length <= from.len())
            .expect("a string goes on behind its place");
        Key {
            length,
            bytes: first_u64(from) & mask(length),
        }
    }
}

#[inline(always)]
fn mask(length: usize) -> u64 {
    u64::MAX >> (64 - 8 * KEYS[length])
}

/// As many slots are enough to tell a few thousand keys from the rest of a page.
const LONG_BITS: u32 = 13;
/// Short keys are few.
const SHORT_BITS: u32 = 11;

#[inline(always)]
fn slot_of_four(first: u64) -> usize {
    ((first as u32).wrapping_mul(0x9E37_79B1) >> (u32::BITS - LONG_BITS)) as usize
}

#[inline(always)]
fn slot_of_two(first: u64) -> usize {
    ((first as u32) << 16).wrapping_mul(0x9E37_79B1) as usize >> (u32::BITS - SHORT_BITS)
}

impl Anchored {
    pub(super) fn new(strings: &[Cut<'_>]) -> Self {
        let mut strings = strings.to_vec();
        strings.sort_by_key(|&(_, (before, from))| (from, before.len(), before));
        let mut anchored = Anchored {
            long: vec![0; 1 << LONG_BITS].into(),
            short: vec![0; 1 << SHORT_BITS].into(),
            tables: std::array::from_fn(|_| Table::new(&[])),
            nodes: Vec::new(),
            edges: Vec::new(),
            befores: Vec::new(),
            bytes: Vec::new(),
        };
        for length in 0..KEYS.len() {
            anchored.add_keys(length, &strings);
        }
        anchored
    }

    /// Adds the strings whose keys have a length.
    fn add_keys(&mut self, length: usize, strings: &[Cut<'_>]) {
        let strings: Vec<Cut<'_>> = strings
            .iter()
            .copied()
            .filter(|string| Key::of(from(string)).length == length)
            .collect();
        let mut nodes = Vec::new();
        for group in strings.chunk_by(|one, other| Key::of(from(one)) == Key::of(from(other))) {
            let first = Key::of(from(&group[0])).bytes;
            nodes.push((first, self.add(group, KEYS[length])));
            match KEYS[length] {
                1 => (0..=255)
                    .for_each(|next| self.short[slot_of_two(first | next << 8)] |= 1 << length),
                2 => self.short[slot_of_two(first)] |= 1 << length,
                _ => self.long[slot_of_four(first)] |= 1 << length,
            }
        }
        self.tables[length] = Table::new(&nodes);
    }

    /// Adds the node of sorted strings that share their first `depth` bytes.
    fn add(&mut self, strings: &[Cut<'_>], depth: usize) -> u32 {
        let (first, last) = (from(&strings[0]), from(&strings[strings.len() - 1]));
        let shared = first[depth..]
            .iter()
            .zip(&last[depth..])
            .take_while(|(a, b)| a == b)
            .count();
        let end = depth + shared;
        let (ending, longer) =
            strings.split_at(strings.partition_point(|string| from(string).len() == end));
        let node = Node {
            label: Piece::first(&first[depth..end], &mut self.bytes),
            befores: self.put_befores(ending),
            next: Part::default(),
        };
        let number = self.nodes.len();
        self.nodes.push(node);
        let groups = longer.chunk_by(|one, other| from(one)[end] == from(other)[end]);
        let edges: Vec<(u8, u32)> = groups
            .map(|group| (from(&group[0])[end], self.add(group, end)))
            .collect();
        self.nodes[number].next = Part::append(&mut self.edges, edges);
        number as u32
    }

    fn put_befores(&mut self, strings: &[Cut<'_>]) -> Part {
        let befores: Vec<Before> = strings
            .iter()
            .map(|&(number, (before, _))| Before {
                string: number as u32,
                bytes: Piece::last(before, &mut self.bytes),
            })
            .collect();
        Part::append(&mut self.befores, befores)
    }

    /// Adds the strings that stand around a place.
    #[inline(always)]
    pub(super) fn find(
        &self,
        page: &[u8],
        at: usize,
        watch: &mut impl Watch,
        found: &mut Vec<DelimiterAt>,
    ) {
        let first = first_u64(&page[at..]);
        let mut lengths = self.long[slot_of_four(first)] | self.short[slot_of_two(first)];
        while lengths != 0 {
            let length = lengths.trailing_zeros() as usize;
            if let Some(node) = self.tables[length].get(first & mask(length)) {
                self.walk(node, page, at, at + KEYS[length], watch, found);
            }
            lengths &= lengths - 1;
        }
    }

    /// Adds the strings below a node, which stands for what lies between a place and a later one.
    fn walk(
        &self,
        node: u32,
        page: &[u8],
        at: usize,
        mut behind: usize,
        watch: &mut impl Watch,
        found: &mut Vec<DelimiterAt>,
    ) {
        let before = &page[..at];
        let eight = last_u64(before);
        let mut node = &self.nodes[node as usize];
        // A key ends behind the page when zeros are part of it.
        while let Some(rest) = page.get(behind..) {
            watch.behind(|| behind - at + node.label.first_difference(rest, &self.bytes));
            if !node.label.begins(rest, &self.bytes) {
                return;
            }
            behind += node.label.len();
            for one in node.befores.of(&self.befores) {
                watch.before(|| one.bytes.last_difference(before, &self.bytes));
                if one.bytes.ends(before, eight, &self.bytes) {
                    found.push((one.string, (at - one.bytes.len()) as u32));
                }
            }
            watch.behind(|| behind - at + 1);
            let Some(next) = self.next(node, page, behind) else {
                return;
            };
            node = next;
        }
    }

    /// The node to go on with, if it is not known to be in vain.
    #[inline(always)]
    fn next(&self, node: &Node, page: &[u8], behind: usize) -> Option<&Node> {
        let child = match node.next.of(&self.edges) {
            [] => return None,
            [(_, child)] => *child,
            several => {
                several
                    .iter()
                    .find(|(byte, _)| page.get(behind) == Some(byte))?
                    .1
            }
        };
        Some(&self.nodes[child as usize])
    }
}

/// Takes note of how far a lookup looks.
pub(super) trait Watch {
    /// So many bytes before the place were looked at.
    fn before(&mut self, bytes: impl FnOnce() -> usize);
    /// So many bytes from the place on were looked at.
    fn behind(&mut self, bytes: impl FnOnce() -> usize);
}

/// Nobody wants to know.
impl Watch for () {
    #[inline(always)]
    fn before(&mut self, _: impl FnOnce() -> usize) {}
    #[inline(always)]
    fn behind(&mut self, _: impl FnOnce() -> usize) {}
}

/// What the outcome of a lookup depends on: so many bytes before the place and from it on. A byte
/// more than a page has stands for its beginning or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) before: usize,
    pub(super) behind: usize,
}

impl Reach {
    /// Every lookup depends on the bytes of the longest key.
    pub(super) const LEAST: Reach = Reach {
        before: 0,
        behind: KEYS[0],
    };
}

impl Watch for Reach {
    fn before(&mut self, bytes: impl FnOnce() -> usize) {
        self.before = self.before.max(bytes());
    }
    fn behind(&mut self, bytes: impl FnOnce() -> usize) {
        self.behind = self.behind.max(bytes());
    }
}

/// What follows a string's place.
fn from<'s>(&(_, (_, from)): &Cut<'s>) -> &'s [u8] {
    from
}

/// Nodes by key. A quarter full: most lookups are of keys that are not there, and end at an empty
/// slot.
#[derive(Clone, Debug)]
struct Table {
    slots: Vec<(u64, u32)>,
    shift: u32,
}

const EMPTY: u32 = u32::MAX;

impl Table {
    fn new(nodes: &[(u64, u32)]) -> Self {
        let bits = (4 * nodes.len())
            .max(2)
            .next_power_of_two()
            .trailing_zeros();
        let mut table = Table {
            slots: vec![(0, EMPTY); 1 << bits],
            shift: u64::BITS - bits,
        };
        for &(key, node) in nodes {
            let slot = table.slot(key);
            table.slots[slot] = (key, node);
        }
        table
    }

    #[inline(always)]
    fn get(&self, key: u64) -> Option<u32> {
        let (_, node) = self.slots[self.slot(key)];
        (node != EMPTY).then_some(node)
    }

    /// Where a key is, or would be.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while self.slots[slot].1 != EMPTY && self.slots[slot].0 != key {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lookups_find_what_comparing_finds(
            strings in prop::collection::btree_set(("[ab]{0,3}", "[ab]{1,12}"), 0..20),
            page in "[ab]{1,30}",
        ) {
            let cuts: Vec<Cut<'_>> = strings
                .iter()
                .map(|(before, from)| (before.as_bytes(), from.as_bytes()))
                .enumerate()
                .collect();
            let anchored = Anchored::new(&cuts);
            for at in 0..page.len() {
                let mut found = Vec::new();
                anchored.find(page.as_bytes(), at, &mut (), &mut found);
                found.sort();
                let expected: Vec<DelimiterAt> = strings
                    .iter()
                    .enumerate()
                    .filter(|(_, (before, from))| page[..at].ends_with(before) && page[at..].starts_with(from))
                    .map(|(number, (before, _))| (number as u32, (at - before.len()) as u32))
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }

        #[test]
        fn what_is_found_depends_on_the_bytes_looked_at(
            // Many with much in common.
            strings in prop::collection::btree_set(("[ab]{0,3}a{0,9}", "a{0,9}[ab]{1,4}"), 1..20),
            page in "[ab]{0,4}a{0,9}[ab]{4}a{4,9}[ab]{1,9}",
            other in "[ab]{30}",
        ) {
            let strings = strings.iter().map(|(before, from)| (before.as_bytes(), from.as_bytes()));
            let anchored = Anchored::new(&strings.enumerate().collect::<Vec<_>>());
            let found = |page: &str, at: usize, watch: &mut Reach| {
                let mut found = Vec::new();
                anchored.find(page.as_bytes(), at, watch, &mut found);
                found
            };
            for at in 0..page.len() {
                let mut reach = Reach::LEAST;
                let expected = found(&page, at, &mut reach);
                // The rest of the page becomes another one, which begins and ends where this does
                // only if that matters.
                let before = if reach.before > at { "" } else { &other[..other.len() - reach.before] };
                let behind = if at + reach.behind > page.len() { "" } else { other.as_str() };
                let same = &page[at.saturating_sub(reach.before)..page.len().min(at + reach.behind)];
                let changed = [before, same, behind].concat();
                let moved = before.len() + reach.before.min(at);
                let place = |&(string, offset): &DelimiterAt| (string, (offset as usize + moved - at) as u32);
                prop_assert_eq!(
                    found(&changed, moved, &mut Reach { before: 0, behind: 0 }),
                    expected.iter().map(place).collect::<Vec<_>>()
                );
            }
        }
    }
}
