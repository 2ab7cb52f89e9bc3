//! Where do many strings occur on a page, in one pass?
//!
//! Delimiters nearly always hold a `<`, and a page has one every thirty bytes or so. So one pass jumps from `<` to `<`,
//! and at each walks down a tree of what delimiters have from their first `<` on; what they have before it is compared
//! backwards. Delimiters without `<` are left to a search that compares many bytes with many strings at once (Teddy, of
//! the aho-corasick crate), or to an automaton where they are too many for that.

use aho_corasick::{AhoCorasick, Span, packed};
use memchr::{memchr_iter, memmem};
use std::collections::HashMap;

/// A set of strings to find.
#[derive(Clone, Debug)]
pub(super) struct Delimiters {
    numbers: HashMap<String, usize>,
    /// Strings that hold a `<`, sorted by what they have from it on.
    anchored: Vec<Anchored>,
    tree: Tree,
    plain: Plain,
    /// Strings of nothing but white space.
    blank: Vec<(usize, memmem::Finder<'static>)>,
}

/// A string, cut at the byte that it is looked up by.
#[derive(Clone, Debug)]
struct Anchored {
    number: usize,
    before: Vec<u8>,
    from: Vec<u8>,
}

impl Anchored {
    fn new(number: usize, string: &str, at: usize) -> Self {
        let (before, from) = string.as_bytes().split_at(at);
        Anchored { number, before: before.to_vec(), from: from.to_vec() }
    }

    /// Adds an occurrence whose second part was found at a place, if its first part stands before it.
    #[inline]
    fn add_if_whole(&self, page: &[u8], at: usize, places: &mut [Vec<u32>]) {
        if page[..at].ends_with(&self.before) {
            places[self.number].push((at - self.before.len()) as u32);
        }
    }
}

impl Delimiters {
    pub(super) fn new<'s>(delimiters: impl Iterator<Item = &'s str>) -> Self {
        let mut numbers = HashMap::new();
        for delimiter in delimiters {
            let next = numbers.len();
            numbers.entry(delimiter.to_owned()).or_insert(next);
        }
        let (mut anchored, mut plain, mut blank) = (Vec::new(), Vec::new(), Vec::new());
        for (delimiter, &number) in &numbers {
            if let Some(at) = delimiter.find('<') {
                anchored.push(Anchored::new(number, delimiter, at));
            } else if let Some(at) = delimiter.find(|c: char| !c.is_whitespace()) {
                plain.push(Anchored::new(number, delimiter, at));
            } else {
                blank.push((number, memmem::Finder::new(delimiter.as_bytes()).into_owned()));
            }
        }
        anchored.sort_by(|a, b| (&a.from, a.number).cmp(&(&b.from, b.number)));
        let froms: Vec<&[u8]> = anchored.iter().map(|anchored| anchored.from.as_slice()).collect();
        let (tree, plain) = (Tree::new(&froms), Plain::new(plain));
        Delimiters { anchored, tree, plain, blank, numbers }
    }

    /// The number of a string of the set.
    ///
    /// # Panics
    /// When it is none.
    pub(super) fn number(&self, delimiter: &str) -> usize {
        self.numbers[delimiter]
    }

    /// For each string, by number, the offsets at which it begins, in order.
    pub(super) fn find(&self, page: &str) -> Vec<Vec<u32>> {
        let page = page.as_bytes();
        let mut places = vec![Vec::new(); self.numbers.len()];
        if !self.anchored.is_empty() {
            for at in memchr_iter(b'<', page) {
                self.tree.walk(&page[at..], |found| self.anchored[found].add_if_whole(page, at, &mut places));
            }
        }
        self.plain.find(page, &mut places);
        for (number, finder) in &self.blank {
            places[*number] = overlapping(page, finder).map(|at| at as u32).collect();
        }
        places
    }
}

/// All occurrences of a string, overlapping ones too.
fn overlapping(page: &[u8], finder: &memmem::Finder<'_>) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = from + finder.find(page.get(from..)?)?;
        from = found + 1;
        Some(found)
    })
}

/// Strings without `<`, cut before their first letter; white space in front is compared backwards, since it is what
/// pages have most of.
#[derive(Clone, Debug, Default)]
struct Plain {
    strings: Vec<Anchored>,
    /// For each string, those whose letters begin it, itself included.
    prefixes: Vec<Vec<usize>>,
    searcher: Option<Searcher>,
}

/// How strings without `<` are found.
#[derive(Clone, Debug)]
enum Searcher {
    /// Many bytes at a time; gives the leftmost, then longest string.
    Packed(packed::Searcher),
    /// A byte at a time, for more strings than fit the other.
    Automaton(AhoCorasick),
}

impl Plain {
    fn new(strings: Vec<Anchored>) -> Self {
        let begins = |of: &Anchored| (0..strings.len()).filter(|&at| of.from.starts_with(&strings[at].from)).collect();
        let prefixes = strings.iter().map(begins).collect();
        let searcher = Searcher::new(&strings);
        Plain { strings, prefixes, searcher }
    }

    fn find(&self, page: &[u8], places: &mut [Vec<u32>]) {
        match &self.searcher {
            Some(Searcher::Packed(searcher)) => self.find_at_once(searcher, page, places),
            Some(Searcher::Automaton(automaton)) => automaton
                .find_overlapping_iter(page)
                .for_each(|found| self.strings[found.pattern().as_usize()].add_if_whole(page, found.start(), places)),
            None => {}
        }
    }

    /// The searcher gives one string at a place and nothing that overlaps it; so the others that begin there are those
    /// that begin the one given, and the search goes on one byte further.
    fn find_at_once(&self, searcher: &packed::Searcher, page: &[u8], places: &mut [Vec<u32>]) {
        let mut from = 0;
        while let Some(found) = searcher.find_in(page, Span::from(from..page.len())) {
            for &prefix in &self.prefixes[found.pattern().as_usize()] {
                self.strings[prefix].add_if_whole(page, found.start(), places);
            }
            from = found.start() + 1;
        }
    }
}

impl Searcher {
    fn new(strings: &[Anchored]) -> Option<Self> {
        if strings.is_empty() {
            return None;
        }
        let letters = || strings.iter().map(|string| &string.from);
        let mut packed = packed::Config::new().match_kind(packed::MatchKind::LeftmostLongest).builder();
        if let Some(packed) = packed.extend(letters()).build() {
            return Some(Searcher::Packed(packed));
        }
        let automaton =
            AhoCorasick::new(letters()).expect("a mold has far fewer delimiters than an automaton can hold");
        Some(Searcher::Automaton(automaton))
    }
}

/// `text.starts_with(prefix)` for texts that mostly differ within a few bytes, where a call would cost more than it
/// saves.
#[inline]
fn begins_with(text: &[u8], prefix: &[u8]) -> bool {
    text.len() >= prefix.len() && text.iter().zip(prefix).all(|(a, b)| a == b)
}

/// A tree over sorted strings that all begin with `<`.
#[derive(Clone, Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    /// For each byte that may follow the `<`, the node to go on with; `NOWHERE` for most.
    second: Vec<u32>,
    /// The strings that are nothing but `<`.
    bare: std::ops::Range<usize>,
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

const NOWHERE: u32 = u32::MAX;

impl Tree {
    fn new(strings: &[&[u8]]) -> Self {
        let bare = strings.iter().take_while(|string| string.len() == 1).count();
        let mut tree = Tree { nodes: Vec::new(), second: vec![NOWHERE; 256], bare: 0..bare };
        for (byte, node) in tree.add_groups(&strings[bare..], bare, 1) {
            tree.second[usize::from(byte)] = node;
        }
        tree
    }

    /// Adds a node for each byte that strings, sorted and numbered from `first`, have behind their first `depth`.
    fn add_groups(&mut self, strings: &[&[u8]], first: usize, depth: usize) -> Vec<(u8, u32)> {
        let mut at = first;
        let groups = strings.chunk_by(|a, b| a[depth] == b[depth]).map(|group| {
            let node = self.add(group, at, depth);
            at += group.len();
            (group[0][depth], node)
        });
        groups.collect()
    }

    /// Adds the node of sorted strings that share their first `depth` bytes and the next; they are numbered from `first`.
    fn add(&mut self, strings: &[&[u8]], first: usize, depth: usize) -> u32 {
        let (shortest, last) = (strings[0], strings[strings.len() - 1]);
        let shared = shortest[depth..].iter().zip(&last[depth..]).take_while(|(a, b)| a == b).count();
        let end = depth + shared;
        let ending = strings.iter().take_while(|string| string.len() == end).count();
        let number = self.nodes.len();
        self.nodes.push(Node { label: shortest[depth..end].into(), ends: first..first + ending, next: Box::default() });
        self.nodes[number].next = self.add_groups(&strings[ending..], first + ending, end).into();
        number as u32
    }

    /// Gives the number of each string that `text`, which begins with `<`, begins with.
    #[inline]
    fn walk(&self, text: &[u8], mut found: impl FnMut(usize)) {
        self.bare.clone().for_each(&mut found);
        let mut rest = &text[1..];
        let mut at = rest.first().map_or(NOWHERE, |&byte| self.second[usize::from(byte)]);
        while at != NOWHERE {
            let node = &self.nodes[at as usize];
            if !begins_with(rest, &node.label) {
                return;
            }
            rest = &rest[node.label.len()..];
            node.ends.clone().for_each(&mut found);
            let next = rest.first().and_then(|byte| node.next.iter().find(|(first, _)| first == byte));
            at = next.map_or(NOWHERE, |(_, next)| *next);
        }
    }
}
