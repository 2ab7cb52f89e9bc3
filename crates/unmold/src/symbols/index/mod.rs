//! What repeats, how often, on which pages?
//!
//! All methods of this project are statistics over one structure: the sorted suffixes of all pages
//! with the tree of their common prefixes. A *node* of that tree is a string that occurs at least
//! twice and can be followed by different symbols (or by the end of a page); every other repeated
//! string is the beginning of exactly one node and occurs where the node occurs. [`Index::nodes`]
//! walks them all and says of each how often it occurs, on how many pages and on which, and what
//! stands before it.
//!
//! ```
//! use unmold::{Text, symbols::{encode::bytes, index::Index}};
//!
//! let index = Index::new(bytes::encode(&[Text::from_string("ape", "KINGKONG")]))?;
//! let suffixes: Vec<_> = (0..index.len()).map(|row| index.suffix(row)).collect();
//! assert_eq!(suffixes, [7, 3, 1, 0, 4, 6, 2, 5]);
//!
//! // `K` (before `ING` and `ONG`) and `NG` (before `KONG` and the end) repeat, and so does the `G` of the latter.
//! let repeats: Vec<_> = index.nodes().map(|node| (index.show(node), node.tf, node.left_diverse)).collect();
//! assert_eq!(repeats, [("G".into(), 2, false), ("K".into(), 2, true), ("NG".into(), 2, true)]);
//! # Ok::<(), unmold::symbols::index::IndexError>(())
//! ```
//!
//! # Cost
//!
//! Building is linear; one walk over all nodes is linear but for a binary search per row in the
//! stack of open nodes. Memory at rest is 8 bytes a symbol beside the symbols themselves, 16 beyond
//! 2^31 symbols. Nothing is ever compared across the end of a page, and no symbol is reserved to
//! mark it.

mod mass;
mod ngrams;
mod nodes;

pub use ngrams::NgramClass;
pub use nodes::{Node, Nodes, PageSet, Pages};

use super::encode::{Codes, Symbols};
use rayon::prelude::*;
use std::ops::Range;
use unmold_suffix::{Offset, SortError, Sorted, Symbol, sort};

/// The sorted suffixes of all pages, and what neighbours share.
///
/// A *row* counts suffixes in sorted order; a *position* counts symbols in page order.
#[derive(Clone)]
pub struct Index {
    symbols: Symbols,
    rows: Rows,
}

/// Positions and common prefix lengths by row, as narrow as the corpus allows.
#[derive(Clone)]
enum Rows {
    Narrow(Sorted<u32>),
    Wide(Sorted<u64>),
}

/// Why an index could not be built.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot index {symbols} symbols: {source}")]
pub struct IndexError {
    symbols: usize,
    source: SortError,
}

/// Walks in parallel are cut into about this many pieces: enough to keep cores busy where pieces
/// differ in cost.
const PIECES: usize = 64;

impl Index {
    /// Sorts the suffixes of all pages.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(symbols: Symbols) -> Result<Self, IndexError> {
        // Each page takes one place more while it is sorted.
        let places = (symbols.len() + symbols.pages().count())
            .max(symbols.alphabet() + symbols.pages().count());
        if places <= u32::LIMIT {
            Self::build(symbols, Rows::Narrow)
        } else {
            Self::wide(symbols)
        }
    }

    /// As [`new`](Self::new), with 64-bit positions even where 32 would do.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn wide(symbols: Symbols) -> Result<Self, IndexError> {
        Self::build(symbols, Rows::Wide)
    }

    fn build<O: Offset>(
        symbols: Symbols,
        rows: impl Fn(Sorted<O>) -> Rows,
    ) -> Result<Self, IndexError> {
        let sorted = match symbols.codes() {
            Codes::Bytes(codes) => sorted(codes, &symbols),
            Codes::Wide(codes) => sorted(codes, &symbols),
        };
        match sorted {
            Ok(sorted) => Ok(Index {
                rows: rows(sorted),
                symbols,
            }),
            Err(source) => Err(IndexError {
                symbols: symbols.len(),
                source,
            }),
        }
    }

    /// The symbols that are indexed.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// How many suffixes there are: one for each symbol.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there is nothing to index.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position at which the suffix in a row begins.
    #[inline]
    pub fn suffix(&self, row: usize) -> usize {
        match &self.rows {
            Rows::Narrow(sorted) => sorted.suffixes[row] as usize,
            Rows::Wide(sorted) => sorted.suffixes[row] as usize,
        }
    }

    /// How many symbols the suffix in a row shares with the one before it; 0 for the first.
    #[inline]
    pub fn lcp(&self, row: usize) -> usize {
        match &self.rows {
            Rows::Narrow(sorted) => sorted.lcp[row] as usize,
            Rows::Wide(sorted) => sorted.lcp[row] as usize,
        }
    }

    /// How many symbols are left from a position to the end of its page.
    #[inline]
    fn left_on_page(&self, position: usize) -> usize {
        let pages = self.symbols.pages();
        pages.end(pages.sequence_of(position)) - position
    }

    /// All nodes with at least one symbol, children before parents.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self, 0..self.len())
    }

    /// All nodes, walked by several threads; collected in order they are those of
    /// [`nodes`](Self::nodes).
    pub fn par_nodes(&self) -> impl ParallelIterator<Item = Node> + '_ {
        self.par_nodes_with()
    }

    /// The same, with what is asked for about pages: a fingerprint, or `()`.
    pub fn par_nodes_with<P: Pages + Send>(&self) -> impl ParallelIterator<Item = Node<P>> + '_ {
        self.pieces()
            .into_par_iter()
            .flat_map_iter(|rows| Nodes::new(self, rows))
    }

    /// The rows cut between suffixes that share nothing, so that no node lies on a cut.
    fn pieces(&self) -> Vec<Range<usize>> {
        let size = self.len().div_ceil(PIECES).max(1);
        let mut cuts = vec![0];
        while let Some(&start) = cuts.last()
            && start < self.len()
        {
            let next = (start + size..self.len()).find(|&row| self.lcp(row) == 0);
            cuts.push(next.unwrap_or(self.len()));
        }
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// The positions at which a node's string occurs, in no particular order.
    pub fn occurrences(&self, node: Node) -> impl ExactSizeIterator<Item = usize> + '_ {
        node.rows().map(|row| self.suffix(row))
    }

    /// A node's string, for people: the names of its symbols with a space where the page has one.
    pub fn show(&self, node: Node) -> String {
        let start = self.suffix(node.first);
        self.show_run(start..start + node.depth)
    }

    /// The names of a run of symbols, with a space where the page has a gap.
    pub fn show_run(&self, positions: Range<usize>) -> String {
        let mut shown = String::new();
        let mut before: Option<u32> = None;
        for position in positions {
            let span = self.symbols.span(position);
            if before.is_some_and(|end| end != span.start) {
                shown.push(' ');
            }
            shown.push_str(&self.symbols.name(position));
            before = Some(span.end);
        }
        shown
    }
}

fn sorted<S: Symbol, O: Offset>(codes: &[S], symbols: &Symbols) -> Result<Sorted<O>, SortError> {
    sort(codes, symbols.pages(), symbols.alphabet())
}

/// The first rows as a table: row, position, page, what is shared with the row before, and how the
/// suffix begins.
impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN_ROWS: usize = 50;
        const SHOWN_SYMBOLS: usize = 8;
        writeln!(
            f,
            "Index of {} symbols on {} pages",
            self.len(),
            self.symbols.pages().count()
        )?;
        writeln!(
            f,
            "{:>8} {:>9} {:>6} {:>6}  suffix",
            "row", "position", "page", "lcp"
        )?;
        for row in 0..self.len().min(SHOWN_ROWS) {
            let position = self.suffix(row);
            let page = self.symbols.pages().sequence_of(position);
            let end = position + self.left_on_page(position).min(SHOWN_SYMBOLS);
            let suffix = self.show_run(position..end);
            writeln!(
                f,
                "{row:>8} {position:>9} {page:>6} {:>6}  {}",
                self.lcp(row),
                suffix.escape_debug()
            )?;
        }
        if self.len() > SHOWN_ROWS {
            writeln!(f, "     ... and {} rows more", self.len() - SHOWN_ROWS)?;
        }
        Ok(())
    }
}
