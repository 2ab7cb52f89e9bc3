//! Which strings of tags repeat on a page?

use crate::symbols::{
    encode::tags::TEXT,
    index::{Index, Node},
};

/// A maximal repeat: a string of symbols that occurs at several places and cannot be made longer at
/// all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The positions at which it begins, counted in symbols from 0, in ascending order.
    pub starts: Vec<usize>,
    /// Its length in symbols.
    pub length: usize,
}

impl Repeat {
    /// The symbols from the first occurrence to the end of the last.
    pub fn extent(&self) -> usize {
        self.starts
            .last()
            .zip(self.starts.first())
            .map_or(0, |(last, first)| last - first + self.length)
    }

    /// The paper's compactness: how much of the distance between neighbours the string fills.
    pub fn density(&self) -> f64 {
        let distance = self.extent().saturating_sub(self.length).max(1);
        (self.starts.len().saturating_sub(1) * self.length) as f64 / distance as f64
    }
}

/// The maximal repeats of an index of one page.
///
/// Cost: strings that overlap themselves more than `max_density` allows are left out before their
/// occurrences are looked at. That is what keeps a page of ten thousand equal rows linear: the
/// string of two rows, of three rows and so on are all maximal repeats, with as many occurrences
/// each as there are rows.
pub(super) fn repeats(
    index: &Index,
    min_length: usize,
    min_count: usize,
    max_density: f64,
) -> Vec<Repeat> {
    let is_sparse = |node: &Node| {
        let distance = index.len().saturating_sub(node.depth).max(1);
        ((node.tf - 1) * node.depth) as f64 / distance as f64 <= max_density
    };
    let wanted = |node: &Node| {
        node.left_diverse
            && node.depth >= min_length
            && node.tf >= min_count
            && is_sparse(node)
            && has_text(index, *node)
    };
    let mut repeats: Vec<Repeat> = index
        .nodes()
        .filter(wanted)
        .map(|node| repeat(index, node))
        .collect();
    repeats.sort_unstable_by_key(|repeat| (repeat.starts[0], repeat.length));
    repeats
}

fn repeat(index: &Index, node: Node) -> Repeat {
    let mut starts: Vec<usize> = index.occurrences(node).collect();
    starts.sort_unstable();
    Repeat {
        starts,
        length: node.depth,
    }
}

/// "Patterns that do not contain any text tokens are of no avail to users."
fn has_text(index: &Index, node: Node) -> bool {
    let start = index.suffix(node.first);
    (start..start + node.depth).any(|position| index.symbols().name(position) == TEXT)
}
