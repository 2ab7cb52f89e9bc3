//! How often does the n-gram at each position occur, for growing n?
//!
//! Equal n-grams stand in neighbouring rows of the index. When n grows by one, most of these
//! classes stay as they are, and only those that split are looked at: for all but the first few n,
//! hardly any.

use crate::{read::jagged::Jagged, symbols::index::Index};
use std::{collections::BTreeMap, ops::Range};

/// The n-grams of an index for one n at a time.
pub(super) struct Occurrences<'i> {
    index: &'i Index,
    n: usize,
    /// For each position, how often its n-gram occurs. Once also where the page ends too early for
    /// one.
    times: Vec<u32>,
    /// How many classes have how many rows.
    classes: BTreeMap<usize, usize>,
    firsts: Firsts,
    /// Rows by the number of symbols they share with the one before.
    rows: Jagged<u32>,
}

impl<'i> Occurrences<'i> {
    /// For n = 0, at which all rows are alike.
    ///
    /// # Panics
    /// When the index has more rows than 32 bits can number.
    pub(super) fn new(index: &'i Index) -> Self {
        let rows = u32::try_from(index.len()).expect("rows are numbered in 32 bits");
        let shared = (0..rows).map(|row| (index.lcp(row as usize) as u32, row));
        let most_shared = (0..index.len())
            .map(|row| index.lcp(row))
            .max()
            .unwrap_or(0);
        Occurrences {
            index,
            n: 0,
            times: vec![rows; index.len()],
            classes: BTreeMap::from([(index.len(), 1)]),
            firsts: Firsts::new(index.len()),
            rows: Jagged::sorted(most_shared + 1, shared),
        }
    }

    /// Goes on to a larger n.
    pub(super) fn grow(&mut self, n: usize) {
        while self.n < n {
            if self.n < self.rows.len() {
                self.split();
            }
            self.n += 1;
        }
    }

    /// How often the n-gram at each position occurs; once also where the page ends too early for
    /// one.
    pub(super) fn times(&self) -> &[u32] {
        &self.times
    }

    /// By how often they occur, the rarest first, how many n-grams there are that occur more than
    /// once.
    pub(super) fn repeated(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        self.classes
            .range(2..)
            .map(|(&times, &number)| (times, number))
    }

    /// Splits the classes whose rows share no more than n symbols.
    fn split(&mut self) {
        let Occurrences {
            index,
            times,
            classes,
            firsts,
            rows,
            ..
        } = self;
        let mut new_class = |rows: Range<usize>| {
            *classes.entry(rows.len()).or_default() += 1;
            let count = rows.len() as u32;
            rows.for_each(|row| times[index.suffix(row)] = count);
        };
        let mut old_sizes = Vec::new();
        let mut new_firsts = rows
            .list(self.n)
            .iter()
            .map(|&row| row as usize)
            .filter(|&row| row > 0)
            .peekable();
        while let Some(row) = new_firsts.next() {
            let old = firsts.class_of(row);
            old_sizes.push(old.len());
            new_class(old.start..row);
            let mut first = row;
            while let Some(next) = new_firsts.next_if(|&next| next < old.end) {
                new_class(first..next);
                firsts.set(first);
                first = next;
            }
            new_class(first..old.end);
            firsts.set(first);
        }
        old_sizes.into_iter().for_each(|size| forget(classes, size));
    }
}

fn forget(classes: &mut BTreeMap<usize, usize>, size: usize) {
    if let Some(number) = classes.get_mut(&size) {
        *number -= 1;
        if *number == 0 {
            classes.remove(&size);
        }
    }
}

/// The first row of each class, as a bit for each row and one behind the last.
struct Firsts {
    bits: Vec<u64>,
}

impl Firsts {
    /// All rows in one class.
    fn new(rows: usize) -> Self {
        let mut firsts = Firsts {
            bits: vec![0; rows / 64 + 1],
        };
        firsts.set(0);
        firsts.set(rows);
        firsts
    }

    fn set(&mut self, row: usize) {
        self.bits[row / 64] |= 1 << (row % 64);
    }

    /// The class that holds a row which is not its first.
    fn class_of(&self, row: usize) -> Range<usize> {
        let (word, bit) = (row / 64, row % 64);
        let (below, above) = (
            self.bits[word] & !(u64::MAX << bit),
            self.bits[word] & (u64::MAX << bit),
        );
        let before = std::iter::once(below).chain(self.bits[..word].iter().rev().copied());
        let after = std::iter::once(above).chain(self.bits[word + 1..].iter().copied());
        let (back, last) = before
            .enumerate()
            .find(|(_, bits)| *bits != 0)
            .expect("row 0 is a first one");
        let (forth, next) = after
            .enumerate()
            .find(|(_, bits)| *bits != 0)
            .expect("a bit stands behind the last row");
        let start = 64 * (word - back) + 63 - last.leading_zeros() as usize;
        start..64 * (word + forth) + next.trailing_zeros() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Text, symbols::encode::chars};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn times_are_those_of_counting(pages in prop::collection::vec("[ab]{0,30}", 1..5), n in 1..8_usize) {
            let texts: Vec<Text> = pages.iter().map(|page| Text::from_string("page", page.clone())).collect();
            let index = Index::new(chars::encode(&texts)).unwrap();
            let mut occurrences = Occurrences::new(&index);
            (1..=n).for_each(|n| occurrences.grow(n));

            let grams: Vec<Option<&str>> =
                pages.iter().flat_map(|page| (0..page.len()).map(|at| page.get(at..at + n))).collect();
            let count = |gram: &Option<&str>| grams.iter().filter(|other| *other == gram).count();
            let times: Vec<u32> = grams.iter().map(|gram| gram.map_or(1, |_| count(gram) as u32)).collect();
            let mut expected: BTreeMap<usize, usize> = BTreeMap::new();
            times.iter().filter(|times| **times > 1).for_each(|times| *expected.entry(*times as usize).or_default() += 1);
            expected.iter_mut().for_each(|(times, places)| *places /= times);

            prop_assert_eq!(occurrences.times(), times);
            prop_assert_eq!(occurrences.repeated().collect::<BTreeMap<_, _>>(), expected);
        }
    }
}
