//! How much text occurs how often?

use super::Index;
use std::collections::BTreeMap;

impl Index {
    /// F(f) of the substring amplification paper: how many occurrences the strings with exactly `f`
    /// occurrences have together, for every `f` that occurs.
    ///
    /// All strings that begin a node and are longer than its parent have the node's occurrences, so
    /// a node stands for `depth - parent_depth` strings; the rows below them stand for the strings
    /// that occur once.
    ///
    /// ```
    /// use unmold::{Text, symbols::{encode::chars, index::Index}};
    ///
    /// let index = Index::new(chars::encode(&[Text::from_string("1", "aab")]))?;
    /// // `a` occurs twice; `aa`, `aab`, `ab` and `b` once.
    /// assert_eq!(index.substring_mass().into_iter().collect::<Vec<_>>(), [(1, 4), (2, 2)]);
    /// # Ok::<(), unmold::symbols::index::IndexError>(())
    /// ```
    pub fn substring_mass(&self) -> BTreeMap<usize, u64> {
        let mut mass = BTreeMap::new();
        let once: u64 = (0..self.len()).map(|row| self.unshared(row) as u64).sum();
        if once > 0 {
            mass.insert(1, once);
        }
        for node in self.nodes() {
            *mass.entry(node.tf).or_default() +=
                (node.tf * (node.depth - node.parent_depth)) as u64;
        }
        mass
    }

    /// How many strings begin at the suffix in a row and occur nowhere else.
    fn unshared(&self, row: usize) -> usize {
        let below = if row + 1 < self.len() {
            self.lcp(row + 1)
        } else {
            0
        };
        self.left_on_page(self.suffix(row)) - self.lcp(row).max(below)
    }
}
