//! All strings of one length.

use super::Index;
use std::ops::Range;

/// A string of n symbols and where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NgramClass {
    /// The first row of its occurrences.
    pub first: usize,
    /// How often it occurs.
    pub count: usize,
}

impl NgramClass {
    /// The rows of its occurrences.
    pub fn rows(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

impl Index {
    /// Every different string of `n` symbols, in order, those that occur once included. No string
    /// crosses a page end.
    ///
    /// One pass over the rows, whatever `n` is.
    ///
    /// ```
    /// use unmold::{Text, symbols::{encode::chars, index::Index}};
    ///
    /// let index = Index::new(chars::encode(&[Text::from_string("1", "abab"), Text::from_string("2", "ba")]))?;
    /// let pairs: Vec<_> = index.ngrams(2).map(|class| class.count).collect();
    /// assert_eq!(pairs, [2, 2]); // `ab` twice, `ba` twice: not the `bb` of the seam
    /// # Ok::<(), unmold::symbols::index::IndexError>(())
    /// ```
    pub fn ngrams(&self, n: usize) -> impl Iterator<Item = NgramClass> + '_ {
        let mut row = 0;
        std::iter::from_fn(move || {
            while row < self.len() {
                let first = row;
                row += 1;
                while row < self.len() && self.lcp(row) >= n {
                    row += 1;
                }
                if self.left_on_page(self.suffix(first)) >= n {
                    return Some(NgramClass {
                        first,
                        count: row - first,
                    });
                }
            }
            None
        })
    }
}
