//! Where do many strings occur on a page, in one pass?
//!
//! Delimiters nearly always hold a `<`, and a page has one every thirty bytes or so. So the pass jumps from `<` to `<`,
//! and at each walks down a tree of what delimiters have from their first `<` on; what they have before it is compared
//! backwards. That runs at memory speed, several times faster than an automaton that looks at every byte. Delimiters
//! without `<` are searched for one by one.

use memchr::{memchr_iter, memmem};
use std::collections::HashMap;

/// A set of strings to find.
#[derive(Clone, Debug, Default)]
pub(super) struct Delimiters {
    numbers: HashMap<String, usize>,
    anchored: Vec<Anchored>,
    tree: Tree,
    plain: Vec<(usize, memmem::Finder<'static>)>,
}

/// A string that holds a `<`, cut before the first one.
#[derive(Clone, Debug)]
struct Anchored {
    number: usize,
    before: Vec<u8>,
    from: Vec<u8>,
}

impl Delimiters {
    /// Adds a string and gives its number; the same string keeps its number.
    pub(super) fn add(&mut self, delimiter: &str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(delimiter.to_owned()).or_insert(next)
    }

    /// Builds the tree, after all strings have been added.
    pub(super) fn prepare(&mut self) {
        for (delimiter, &number) in &self.numbers {
            match delimiter.find('<') {
                Some(at) => {
                    let (before, from) = delimiter.as_bytes().split_at(at);
                    self.anchored.push(Anchored { number, before: before.to_vec(), from: from.to_vec() });
                }
                None => self.plain.push((number, memmem::Finder::new(delimiter.as_bytes()).into_owned())),
            }
        }
        self.anchored.sort_by(|a, b| (&a.from, a.number).cmp(&(&b.from, b.number)));
        let froms: Vec<&[u8]> = self.anchored.iter().map(|anchored| anchored.from.as_slice()).collect();
        self.tree = Tree::new(&froms);
    }

    /// For each string, by number, the offsets at which it begins, in order.
    pub(super) fn find(&self, page: &str) -> Vec<Vec<u32>> {
        let page = page.as_bytes();
        let mut places = vec![Vec::new(); self.numbers.len()];
        if !self.anchored.is_empty() {
            for at in memchr_iter(b'<', page) {
                self.tree.walk(&page[at..], |found| {
                    let Anchored { number, before, .. } = &self.anchored[found];
                    if page[..at].ends_with(before) {
                        places[*number].push((at - before.len()) as u32);
                    }
                });
            }
        }
        for (number, finder) in &self.plain {
            places[*number] = overlapping(page, finder);
        }
        places
    }
}

/// All occurrences of a string, overlapping ones too.
fn overlapping(page: &[u8], finder: &memmem::Finder<'_>) -> Vec<u32> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = finder.find(&page[from..]) {
        places.push((from + found) as u32);
        from += found + 1;
    }
    places
}

/// A tree over sorted strings that all begin with `<`.
#[derive(Clone, Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// Bytes that all strings below have, beyond those of the parent.
    label: Box<[u8]>,
    /// The strings that end here, by number.
    ends: std::ops::Range<usize>,
    /// The next byte and the node it leads to, sorted.
    next: Box<[(u8, u32)]>,
}

impl Tree {
    fn new(strings: &[&[u8]]) -> Self {
        let mut tree = Tree::default();
        if !strings.is_empty() {
            tree.add(strings, 0, 0);
        }
        tree
    }

    /// Adds the node of sorted strings that share their first `depth` bytes; they are numbered from `first`.
    fn add(&mut self, strings: &[&[u8]], first: usize, depth: usize) -> u32 {
        let (shortest, last) = (strings[0], strings[strings.len() - 1]);
        let shared = shortest[depth..].iter().zip(&last[depth..]).take_while(|(a, b)| a == b).count();
        let end = depth + shared;
        let ending = strings.iter().take_while(|string| string.len() == end).count();
        let number = self.nodes.len();
        self.nodes.push(Node { label: shortest[depth..end].into(), ends: first..first + ending, next: Box::default() });
        let mut next = Vec::new();
        let mut at = ending;
        for group in strings[ending..].chunk_by(|a, b| a[end] == b[end]) {
            next.push((group[0][end], self.add(group, first + at, end)));
            at += group.len();
        }
        self.nodes[number].next = next.into();
        number as u32
    }

    /// Gives the number of each string that `text` begins with.
    #[inline]
    fn walk(&self, mut text: &[u8], mut found: impl FnMut(usize)) {
        let mut at = 0usize;
        loop {
            let node = &self.nodes[at];
            let Some(rest) = text.strip_prefix(&*node.label) else { return };
            node.ends.clone().for_each(&mut found);
            let Some(byte) = rest.first() else { return };
            let Some((_, next)) = node.next.iter().find(|(first, _)| first == byte) else { return };
            (text, at) = (rest, *next as usize);
        }
    }
}
