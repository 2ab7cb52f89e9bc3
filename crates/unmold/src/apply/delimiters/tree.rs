//! Which strings of a set does a text begin with, or end with?

/// Which way a tree is walked.
pub(super) trait Direction {
    /// The next byte of a text.
    fn next(text: &[u8]) -> Option<u8>;
    /// The text without a label, if it comes next.
    fn without<'t>(text: &'t [u8], label: &[u8]) -> Option<&'t [u8]>;
    /// A string in the order in which its bytes come.
    fn ordered(string: &[u8]) -> Vec<u8>;
    /// A label, given in the order in which its bytes come, as it stands in a text.
    fn label(bytes: &[u8]) -> Box<[u8]>;
}

/// From the beginning of a text on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forward;

/// From the end of a text back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backward;

impl Direction for Forward {
    #[inline]
    fn next(text: &[u8]) -> Option<u8> {
        text.first().copied()
    }

    #[inline]
    fn without<'t>(text: &'t [u8], label: &[u8]) -> Option<&'t [u8]> {
        // Not `strip_prefix`: most texts differ within a few bytes, and a call would cost more than it saves.
        let begins = text.len() >= label.len() && text.iter().zip(label).all(|(a, b)| a == b);
        begins.then(|| &text[label.len()..])
    }

    fn ordered(string: &[u8]) -> Vec<u8> {
        string.to_vec()
    }

    fn label(bytes: &[u8]) -> Box<[u8]> {
        bytes.into()
    }
}

impl Direction for Backward {
    #[inline]
    fn next(text: &[u8]) -> Option<u8> {
        text.last().copied()
    }

    #[inline]
    fn without<'t>(text: &'t [u8], label: &[u8]) -> Option<&'t [u8]> {
        let ends = text.len() >= label.len() && text.iter().rev().zip(label.iter().rev()).all(|(a, b)| a == b);
        ends.then(|| &text[..text.len() - label.len()])
    }

    fn ordered(string: &[u8]) -> Vec<u8> {
        string.iter().rev().copied().collect()
    }

    fn label(bytes: &[u8]) -> Box<[u8]> {
        bytes.iter().rev().copied().collect()
    }
}

/// A tree over different strings, each with something that belongs to it.
#[derive(Clone, Debug)]
pub(super) struct Tree<D, T> {
    nodes: Vec<Node<T>>,
    /// For each byte that may come first, the node to go on with; `NOWHERE` for most.
    first: Box<[u32]>,
    /// What belongs to the empty string.
    empty: Option<T>,
    direction: std::marker::PhantomData<D>,
}

#[derive(Clone, Debug)]
struct Node<T> {
    /// Bytes that all strings below have, beyond those of the parent.
    label: Box<[u8]>,
    /// What belongs to the string that ends here.
    end: Option<T>,
    /// The next byte and the node it leads to, sorted.
    next: Box<[(u8, u32)]>,
}

const NOWHERE: u32 = u32::MAX;

impl<D: Direction, T: Clone> Tree<D, T> {
    /// A tree of strings that are all different.
    pub(super) fn new<'s>(strings: impl IntoIterator<Item = (&'s [u8], T)>) -> Self {
        let mut strings: Vec<(Vec<u8>, T)> =
            strings.into_iter().map(|(string, value)| (D::ordered(string), value)).collect();
        strings.sort_by(|(one, _), (other, _)| one.cmp(other));
        let (empty, rest) = match strings.split_first() {
            Some(((string, value), rest)) if string.is_empty() => (Some(value.clone()), rest),
            _ => (None, &strings[..]),
        };
        let mut tree = Tree { nodes: Vec::new(), first: Box::default(), empty, direction: std::marker::PhantomData };
        let groups = tree.add_groups(rest, 0);
        if !groups.is_empty() {
            let mut first = vec![NOWHERE; 256];
            groups.iter().for_each(|&(byte, node)| first[usize::from(byte)] = node);
            tree.first = first.into();
        }
        tree
    }

    /// Adds a node for each byte that sorted strings have behind their first `depth`.
    fn add_groups(&mut self, strings: &[(Vec<u8>, T)], depth: usize) -> Vec<(u8, u32)> {
        let groups = strings.chunk_by(|(one, _), (other, _)| one[depth] == other[depth]);
        groups.map(|group| (group[0].0[depth], self.add(group, depth))).collect()
    }

    /// Adds the node of sorted strings that share their first `depth` bytes and the next.
    fn add(&mut self, strings: &[(Vec<u8>, T)], depth: usize) -> u32 {
        let ((first, value), last) = (&strings[0], &strings[strings.len() - 1].0);
        let shared = first[depth..].iter().zip(&last[depth..]).take_while(|(a, b)| a == b).count();
        let end = depth + shared;
        let ends_here = first.len() == end;
        let number = self.nodes.len();
        let label = D::label(&first[depth..end]);
        self.nodes.push(Node { label, end: ends_here.then(|| value.clone()), next: Box::default() });
        self.nodes[number].next = self.add_groups(&strings[usize::from(ends_here)..], end).into();
        number as u32
    }

    /// Calls back with what belongs to each string that the text begins (or ends) with, the shortest first.
    #[inline]
    pub(super) fn walk<'t>(&'t self, text: &[u8], mut found: impl FnMut(&'t T)) {
        self.empty.iter().for_each(&mut found);
        let first = D::next(text).and_then(|byte| self.first.get(usize::from(byte)));
        let (mut at, mut rest) = (first.copied().unwrap_or(NOWHERE), text);
        while at != NOWHERE {
            let node = &self.nodes[at as usize];
            let Some(behind) = D::without(rest, &node.label) else { return };
            rest = behind;
            node.end.iter().for_each(&mut found);
            let next = D::next(rest).and_then(|byte| node.next.iter().find(|(first, _)| *first == byte));
            at = next.map_or(NOWHERE, |(_, next)| *next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_walk_finds_what_comparing_finds(strings in prop::collection::btree_set("[ab]{0,5}", 0..12), text in "[ab]{0,8}") {
            let strings: BTreeSet<String> = strings;
            let tree = || strings.iter().map(|string| (string.as_bytes(), string.clone()));
            let (mut begins, mut ends) = (Vec::new(), Vec::new());
            Tree::<Forward, _>::new(tree()).walk(text.as_bytes(), |found| begins.push(found.clone()));
            Tree::<Backward, _>::new(tree()).walk(text.as_bytes(), |found| ends.push(found.clone()));
            let mut expected: Vec<String> = strings.iter().filter(|string| text.starts_with(*string)).cloned().collect();
            expected.sort_by_key(String::len);
            prop_assert_eq!(begins, expected);
            let mut expected: Vec<String> = strings.iter().filter(|string| text.ends_with(*string)).cloned().collect();
            expected.sort_by_key(String::len);
            prop_assert_eq!(ends, expected);
        }
    }
}
