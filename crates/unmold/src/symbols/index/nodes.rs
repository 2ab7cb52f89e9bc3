//! The walk over all nodes, with everything that is counted about them.
//!
//! Rows are visited from top to bottom with a stack of the nodes that are still open (Abouelhoda,
//! Kurtz, Ohlebusch 2004). Occurrences are counted by rows. Distinct pages are counted as Hui's
//! colour set size: each row counts one for its page, and each pair of rows of the same page that
//! follow each other counts one off at the deepest node that holds both. That node is on the stack
//! when the second row is met, so a binary search finds it. The set of pages is hashed the same
//! way, with a random 128-bit key per page in place of the one.

use super::Index;
use std::ops::Range;

/// A string that occurs at least twice, with what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node<P = PageSet> {
    /// The length of the string in symbols.
    pub depth: usize,
    /// The length of the parent's string: the longest shorter node that begins this one. Strings of
    /// a length in `parent_depth + 1 ..= depth` that begin here have the same occurrences.
    pub parent_depth: usize,
    /// Term frequency: how often the string occurs.
    pub tf: usize,
    /// Document frequency: on how many pages it occurs.
    pub df: usize,
    /// Which pages those are, as a fingerprint, if that was asked for.
    pub pages: P,
    /// Whether different symbols (or the start of a page) stand before its occurrences. If not, it
    /// is only part of a longer string that has the same occurrences; if so, it is a *maximal
    /// repeat*.
    pub left_diverse: bool,
    /// The first row of its occurrences; they take [`tf`](Self::tf) rows.
    pub first: usize,
}

impl<P> Node<P> {
    /// The rows of its occurrences.
    pub fn rows(&self) -> Range<usize> {
        self.first..self.first + self.tf
    }
}

/// A fingerprint of a set of pages: equal sets have equal fingerprints, and different sets almost
/// surely do not.
///
/// It is the sum of one 128-bit key per page. The keys depend on nothing but the page's number, so
/// fingerprints are comparable between encodings of the same pages.
///
/// ```
/// use unmold::symbols::index::PageSet;
///
/// assert_eq!([3, 1].into_iter().collect::<PageSet>(), [1, 3].into_iter().collect());
/// assert_ne!([1, 2].into_iter().collect::<PageSet>(), [3].into_iter().collect());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageSet(u128);

/// What is summed up about the pages of a node: [`PageSet`], or nothing, which is faster.
pub trait Pages: Copy + Default {
    #[doc(hidden)]
    fn of(page: usize) -> Self;
    #[doc(hidden)]
    fn add(&mut self, other: Self);
    #[doc(hidden)]
    fn remove(&mut self, other: Self);
}

impl Pages for PageSet {
    #[inline]
    fn of(page: usize) -> Self {
        let half = |salt: u64| u128::from(mixed(page as u64 ^ salt));
        PageSet((half(0x9E37_79B9_7F4A_7C15) << 64) | half(0xD1B5_4A32_D192_ED03))
    }

    #[inline]
    fn add(&mut self, other: PageSet) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline]
    fn remove(&mut self, other: PageSet) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

impl Pages for () {
    #[inline]
    fn of(_: usize) {}

    #[inline]
    fn add(&mut self, (): ()) {}

    #[inline]
    fn remove(&mut self, (): ()) {}
}

/// Collects distinct pages.
impl FromIterator<usize> for PageSet {
    fn from_iter<I: IntoIterator<Item = usize>>(pages: I) -> Self {
        let mut set = PageSet::default();
        pages
            .into_iter()
            .for_each(|page| set.add(PageSet::of(page)));
        set
    }
}

/// The finaliser of splitmix64: every bit of the input moves every bit of the output.
#[inline]
fn mixed(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// What is summed up over the rows of a node.
#[derive(Clone, Copy, Debug)]
struct Sums<P> {
    first: usize,
    /// May fall below zero for a while: a page is counted off before its rows have been passed up.
    df: i64,
    pages: P,
    left: Left,
}

impl<P: Pages> Sums<P> {
    #[inline]
    fn add(&mut self, child: &Sums<P>) {
        self.df += child.df;
        self.pages.add(child.pages);
        self.left = self.left.and(child.left);
    }
}

/// The symbol before all occurrences, or that there is no such one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left(u32);

impl Left {
    /// Different symbols, or the start of a page; no symbol has this code.
    const DIVERSE: Left = Left(u32::MAX);

    #[inline]
    fn and(self, other: Left) -> Left {
        if self == other { self } else { Left::DIVERSE }
    }
}

/// A node that is open: its last row has not been met.
#[derive(Clone, Copy, Debug)]
struct Open<P> {
    depth: usize,
    sums: Sums<P>,
}

/// A row of this number has not been met.
const NEVER: usize = usize::MAX;

/// What is looked up for a row: two reads in far places.
#[derive(Clone, Copy, Debug)]
struct RowContext {
    page: u32,
    left: Left,
}

/// How many rows are looked up at once. The walk branches unpredictably, and each wrong guess would
/// throw away the reads under way for later rows; in a loop that does nothing else they all
/// overlap.
const LOOK_AHEAD: usize = 256;

/// The nodes of an index, children before parents; see [`Index::nodes`].
pub struct Nodes<'a, P = PageSet> {
    index: &'a Index,
    /// The next row.
    row: usize,
    end: usize,
    /// How much the next row shares with the one before it.
    shared: usize,
    /// The row before it, or the node that was closed last: what goes to the node above.
    carried: Sums<P>,
    /// Open nodes, the root at the bottom.
    open: Vec<Open<P>>,
    /// The last row of each page.
    last_row: Vec<usize>,
    /// Places of the rows from `ahead_from` on.
    ahead: Vec<RowContext>,
    ahead_from: usize,
}

impl<'a, P: Pages> Nodes<'a, P> {
    /// Walks over rows that share nothing with the rows outside.
    pub(super) fn new(index: &'a Index, rows: Range<usize>) -> Self {
        let nothing = Sums {
            first: rows.start,
            df: 0,
            pages: P::default(),
            left: Left::DIVERSE,
        };
        let mut nodes = Nodes {
            index,
            row: rows.start,
            end: rows.end,
            shared: 0,
            carried: nothing,
            open: vec![Open {
                depth: 0,
                sums: nothing,
            }],
            last_row: vec![NEVER; index.symbols.pages().count()],
            ahead: Vec::with_capacity(LOOK_AHEAD),
            ahead_from: rows.start,
        };
        if !rows.is_empty() {
            nodes.meet_row();
        }
        nodes
    }

    /// Takes up the next row: its page and the symbol before it.
    #[inline]
    fn meet_row(&mut self) {
        let RowContext { page, left } = self.place();
        let key = P::of(page as usize);
        let before = std::mem::replace(&mut self.last_row[page as usize], self.row);
        if before != NEVER {
            let holder = self.deepest_holding(before);
            holder.df -= 1;
            holder.pages.remove(key);
        }
        self.carried = Sums {
            first: self.row,
            df: 1,
            pages: key,
            left,
        };
        self.row += 1;
        self.shared = if self.row < self.end {
            self.index.lcp(self.row)
        } else {
            0
        };
    }

    #[inline]
    fn place(&mut self) -> RowContext {
        if self.row - self.ahead_from >= self.ahead.len() {
            self.look_ahead();
        }
        self.ahead[self.row - self.ahead_from]
    }

    fn look_ahead(&mut self) {
        let symbols = &self.index.symbols;
        let pages = symbols.pages();
        let rows = self.row..self.end.min(self.row + LOOK_AHEAD);
        self.ahead_from = rows.start;
        self.ahead.clear();
        // First the reads in far places, with nothing to guess between them; whether a page starts
        // is told afterwards.
        self.ahead.extend(rows.clone().map(|row| {
            let position = self.index.suffix(row);
            RowContext {
                page: 0,
                left: Left(symbols.code(position.saturating_sub(1))),
            }
        }));
        for (row, place) in rows.zip(&mut self.ahead) {
            let position = self.index.suffix(row);
            let page = pages.sequence_of(position);
            if position == pages.start(page) {
                place.left = Left::DIVERSE;
            }
            place.page = page as u32;
        }
    }

    /// The deepest open node that holds a row met before.
    #[inline]
    fn deepest_holding(&mut self, row: usize) -> &mut Sums<P> {
        let top = self.open.len() - 1;
        // In templates the same page tends to come back at once.
        let at = if self.open[top].sums.first <= row {
            top
        } else {
            self.open.partition_point(|open| open.sums.first <= row) - 1
        };
        &mut self.open[at].sums
    }

    /// Closes the topmost node.
    #[inline]
    fn close(&mut self) -> Node<P> {
        let mut closed = self.open.pop().expect("the root is never closed");
        closed.sums.add(&self.carried);
        self.carried = closed.sums;
        let Sums {
            first,
            df,
            pages,
            left,
        } = closed.sums;
        let above = self.open.last().map_or(0, |open| open.depth);
        Node {
            depth: closed.depth,
            parent_depth: above.max(self.shared),
            tf: self.row - first,
            df: df as usize,
            pages,
            left_diverse: left == Left::DIVERSE,
            first,
        }
    }
}

impl<P: Pages> Iterator for Nodes<'_, P> {
    type Item = Node<P>;

    #[inline]
    fn next(&mut self) -> Option<Node<P>> {
        loop {
            let top = self.open.last_mut().expect("the root is never closed");
            if top.depth > self.shared {
                return Some(self.close());
            }
            if top.depth == self.shared {
                top.sums.add(&self.carried);
            } else {
                self.open.push(Open {
                    depth: self.shared,
                    sums: self.carried,
                });
            }
            if self.row >= self.end {
                return None;
            }
            self.meet_row();
        }
    }
}
