//! Strings that are looked up by a place inside them.

use super::tree::{Backward, Direction, Forward, Tree};
use std::collections::BTreeMap;

/// A string by number, cut at the byte that it is looked up by.
pub(super) type Cut<'s> = (usize, (&'s [u8], &'s [u8]));

/// Strings, each cut in two. Many have the same second part, as a tag behind different indents.
#[derive(Clone, Debug)]
pub(super) struct Anchored {
    from: Tree<Forward, Before>,
    is_empty: bool,
}

/// What strings have before the place at which they are looked up.
#[derive(Clone, Debug)]
enum Before {
    /// One string: its number and what it has.
    One(u32, Box<[u8]>),
    /// Several: numbers and lengths.
    Several(Box<Tree<Backward, (u32, u32)>>),
}

impl Anchored {
    pub(super) fn new(strings: &[Cut<'_>]) -> Self {
        let mut befores: BTreeMap<&[u8], Vec<(usize, &[u8])>> = BTreeMap::new();
        for &(number, (before, from)) in strings {
            befores.entry(from).or_default().push((number, before));
        }
        let from = Tree::new(befores.into_iter().map(|(from, befores)| (from, Before::new(&befores))));
        Anchored { from, is_empty: strings.is_empty() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Adds the strings whose second part begins at a place.
    #[inline]
    pub(super) fn find(&self, page: &[u8], at: usize, places: &mut [Vec<u32>]) {
        self.from.walk(&page[at..], |before| before.find(&page[..at], places));
    }
}

impl Before {
    fn new(befores: &[(usize, &[u8])]) -> Self {
        match befores {
            [(number, before)] => Before::One(*number as u32, (*before).into()),
            several => {
                let value = |&(number, before): &(usize, &'_ [u8])| (number as u32, before.len() as u32);
                Before::Several(Box::new(Tree::new(several.iter().map(|string| (string.1, value(string))))))
            }
        }
    }

    #[inline]
    fn find(&self, text: &[u8], places: &mut [Vec<u32>]) {
        let mut add = |number: u32, length: usize| places[number as usize].push((text.len() - length) as u32);
        match self {
            Before::One(number, before) if Backward::without(text, before).is_some() => add(*number, before.len()),
            Before::One(..) => {}
            Before::Several(tree) => tree.walk(text, |&(number, length)| add(number, length as usize)),
        }
    }
}
