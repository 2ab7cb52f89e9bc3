//! Which strings stand around a place?
//!
//! Each string is cut in two at a place inside it, and looked up by what follows the place. Its first bytes are a key,
//! which at most places no string has; strings with the same key go on as a radix tree, and at its nodes stands what
//! strings have before the place. Many have the same second part, as a tag behind different indents.

use super::Found;

/// A string by number, cut at the place that it is looked up by.
pub(super) type Cut<'s> = (usize, (&'s [u8], &'s [u8]));

/// As many bytes are a key; as many as a string has from its place on.
const KEYS: [usize; 4] = [8, 4, 2, 1];

/// Strings, each cut in two.
#[derive(Clone, Debug)]
pub(super) struct Anchored {
    /// By hash of four bytes, a bit for each length that keys with these bytes have.
    long: Box<[u8]>,
    /// By byte, a bit for each length of shorter keys that begin with it.
    short: Box<[u8]>,
    tables: [Table; KEYS.len()],
    nodes: Vec<Node>,
    edges: Vec<(u8, u32)>,
    befores: Vec<Before>,
    /// The bytes of labels and of what strings have before their place.
    bytes: Vec<u8>,
}

/// Strings that share what follows their place, as far as this node.
#[derive(Clone, Debug)]
struct Node {
    /// Bytes beyond those of the parent.
    label: Part,
    /// Those that end here.
    befores: Part,
    /// Edges, sorted by the next byte.
    next: Part,
}

/// What one string has before its place.
#[derive(Clone, Debug)]
struct Before {
    string: u32,
    bytes: Part,
}

/// A part of a vector.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    start: u32,
    end: u32,
}

impl Part {
    #[inline(always)]
    fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.start as usize..self.end as usize]
    }
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
        let length = KEYS.iter().position(|&length| length <= from.len()).expect("a string goes on behind its place");
        Key { length, bytes: first_bytes(from) & mask(length) }
    }
}

/// The first eight bytes of a text, with zeros behind its end.
#[inline(always)]
fn first_bytes(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text.iter().rev().fold(0, |first, &byte| first << 8 | u64::from(byte)),
    }
}

#[inline(always)]
fn mask(length: usize) -> u64 {
    u64::MAX >> (64 - 8 * KEYS[length])
}

/// As many slots for four bytes are enough to tell a few thousand keys from the rest of a page.
const LONG_BITS: u32 = 13;

/// The place of four bytes among the long keys.
#[inline(always)]
fn slot_of_four(first: u64) -> usize {
    ((first as u32).wrapping_mul(0x9E37_79B1) >> (u32::BITS - LONG_BITS)) as usize
}

impl Anchored {
    pub(super) fn new(strings: &[Cut<'_>]) -> Self {
        let mut strings = strings.to_vec();
        strings.sort_by_key(|&(_, (before, from))| (from, before.len(), before));
        let mut anchored = Anchored {
            long: vec![0; 1 << LONG_BITS].into(),
            short: vec![0; 256].into(),
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
        let strings: Vec<Cut<'_>> =
            strings.iter().copied().filter(|string| Key::of(from(string)).length == length).collect();
        let mut nodes = Vec::new();
        for group in strings.chunk_by(|one, other| Key::of(from(one)) == Key::of(from(other))) {
            let first = Key::of(from(&group[0])).bytes;
            nodes.push((first, self.add(group, KEYS[length])));
            let (keys, slot) = if KEYS[length] < 4 {
                (&mut self.short, first as usize & 0xFF)
            } else {
                (&mut self.long, slot_of_four(first))
            };
            keys[slot] |= 1 << length;
        }
        self.tables[length] = Table::new(&nodes);
    }

    /// Adds the node of sorted strings that share their first `depth` bytes.
    fn add(&mut self, strings: &[Cut<'_>], depth: usize) -> u32 {
        let (first, last) = (from(&strings[0]), from(&strings[strings.len() - 1]));
        let shared = first[depth..].iter().zip(&last[depth..]).take_while(|(a, b)| a == b).count();
        let end = depth + shared;
        let (ending, longer) = strings.split_at(strings.partition_point(|string| from(string).len() == end));
        let node =
            Node { label: self.put(&first[depth..end]), befores: self.put_befores(ending), next: Part::default() };
        let number = self.nodes.len();
        self.nodes.push(node);
        let groups = longer.chunk_by(|one, other| from(one)[end] == from(other)[end]);
        let edges: Vec<(u8, u32)> = groups.map(|group| (from(&group[0])[end], self.add(group, end))).collect();
        self.nodes[number].next = append(&mut self.edges, edges);
        number as u32
    }

    fn put(&mut self, bytes: &[u8]) -> Part {
        append(&mut self.bytes, bytes.iter().copied())
    }

    fn put_befores(&mut self, strings: &[Cut<'_>]) -> Part {
        let befores: Vec<Before> = strings
            .iter()
            .map(|&(number, (before, _))| Before { string: number as u32, bytes: self.put(before) })
            .collect();
        append(&mut self.befores, befores)
    }

    /// Adds the strings that stand around a place.
    #[inline(always)]
    pub(super) fn find(&self, page: &[u8], at: usize, found: &mut Vec<Found>) {
        let first = first_bytes(&page[at..]);
        let mut lengths = self.long[slot_of_four(first)] | self.short[(first & 0xFF) as usize];
        while lengths != 0 {
            let length = lengths.trailing_zeros() as usize;
            if let Some(node) = self.tables[length].get(first & mask(length)) {
                self.walk(node, page, at, at + KEYS[length], found);
            }
            lengths &= lengths - 1;
        }
    }

    /// Adds the strings below a node, which stands for what lies between a place and a later one.
    fn walk(&self, mut node: u32, page: &[u8], at: usize, behind: usize, found: &mut Vec<Found>) {
        // A key ends behind the page when zeros are part of it.
        let Some(mut rest) = page.get(behind..) else { return };
        loop {
            let Node { label, befores, next } = &self.nodes[node as usize];
            let label = label.of(&self.bytes);
            if !begins_with(rest, label) {
                return;
            }
            rest = &rest[label.len()..];
            for before in befores.of(&self.befores) {
                let bytes = before.bytes.of(&self.bytes);
                if ends_with(&page[..at], bytes) {
                    found.push((before.string, (at - bytes.len()) as u32));
                }
            }
            let edge = rest.first().and_then(|byte| next.of(&self.edges).iter().find(|(next, _)| next == byte));
            let Some(&(_, child)) = edge else { return };
            node = child;
        }
    }
}

/// What follows a string's place.
fn from<'s>(&(_, (_, from)): &Cut<'s>) -> &'s [u8] {
    from
}

fn append<T>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Part {
    let start = all.len() as u32;
    all.extend(more);
    Part { start, end: all.len() as u32 }
}

// Not `starts_with`: most texts differ within a few bytes, and a call would cost more than it saves.
#[inline(always)]
fn begins_with(text: &[u8], beginning: &[u8]) -> bool {
    text.len() >= beginning.len() && text.iter().zip(beginning).all(|(a, b)| a == b)
}

#[inline(always)]
fn ends_with(text: &[u8], end: &[u8]) -> bool {
    text.len() >= end.len() && text.iter().rev().zip(end.iter().rev()).all(|(a, b)| a == b)
}

/// Nodes by key. A quarter full: most lookups are of keys that are not there, and end at an empty slot.
#[derive(Clone, Debug)]
struct Table {
    slots: Vec<(u64, u32)>,
    shift: u32,
}

const EMPTY: u32 = u32::MAX;

impl Table {
    fn new(nodes: &[(u64, u32)]) -> Self {
        let bits = (4 * nodes.len()).max(2).next_power_of_two().trailing_zeros();
        let mut table = Table { slots: vec![(0, EMPTY); 1 << bits], shift: u64::BITS - bits };
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
                anchored.find(page.as_bytes(), at, &mut found);
                found.sort();
                let expected: Vec<Found> = strings
                    .iter()
                    .enumerate()
                    .filter(|(_, (before, from))| page[..at].ends_with(before) && page[at..].starts_with(from))
                    .map(|(number, (before, _))| (number as u32, (at - before.len()) as u32))
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
