//! What was read before need not be read again.
//!
//! A page is cut into pieces at [marks](CUTS), where it may be cut without being read otherwise. What the automaton makes
//! of a piece depends on the piece, on the state before it and on whether white space stands before it: on nothing else.
//! So all that is kept: the text of the piece, where its symbols begin, what strings that end in it cover of it and how
//! far they reach back beyond it, and the state behind it.
//!
//! - A piece is looked up by a hash of its text; its text is then compared in full. But first the piece is tried that
//!   followed the last time: two of three pieces that are remembered need no hash, and their end is not looked for.
//! - A piece is kept when it is met the second time. Most of what is met once is content and does not come again.
//! - Each piece has one place in the table. A page that is written so that its pieces compete for places is read as if
//!   nothing were remembered.
//! - When memory is full, nothing is kept any more; before the next page everything is forgotten.

use super::covered::{Covered, Met};
use crate::encode::flat::CUTS;
use memchr::memchr3;
use std::{
    hash::{BuildHasher, RandomState},
    mem,
};

/// How many bytes a piece has at least, but for the last one of a page. With 16, 70 % of the bytes of the JDK's
/// documentation are remembered; with 32 it is 62 %, and with 8 it is 73 %, but in twice as many pieces.
const SHORTEST: usize = 16;

/// Longer pieces are not kept.
const LONGEST: usize = u8::MAX as usize;

/// How many bytes there are for each place in the table, and for each piece.
const BYTES_A_SLOT: usize = 256;
const BYTES_A_PIECE: usize = 64;

/// Where the automaton stands between two pieces: its state, and whether white space was read since the last symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) state: u32,
    pub(super) spaced: bool,
}

/// A piece of a page, with a hash of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) end: usize,
    hash: u64,
}

/// A piece that is remembered, by number.
pub(super) type Piece = u32;

/// What stands before the first piece of a page.
pub(super) const START: Piece = 0;

/// What is kept of a piece, its bytes apart.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    before: Standing,
    behind: Standing,
    own_reach: u32,
    /// The piece that followed the last time.
    next: Piece,
    /// Where its bytes begin: text, where symbols begin, what is covered.
    at: u32,
    length: u8,
    symbols: u8,
    covered: u8,
}

/// A place in the table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    tag: u32,
    piece: Piece,
    /// The tag of a piece that was met once.
    once: u32,
}

/// A piece of a page that is remembered.
#[derive(Debug)]
pub(super) struct Recalled<'m> {
    /// Where it begins on the page.
    pub(super) at: u32,
    /// Where its symbols begin.
    pub(super) starts: &'m [u8],
    /// What strings that end in it cover of it, last one first: starts and ends.
    pub(super) covered: &'m [[u8; 2]],
    /// How many symbols before it they reach back.
    pub(super) own_reach: u32,
}

/// Pieces of pages.
#[derive(Debug)]
pub(super) struct Memory {
    key: u64,
    slots: Vec<Slot>,
    /// The first one is none, and what follows it begins pages.
    pieces: Vec<Kept>,
    bytes: Vec<u8>,
    most_bytes: usize,
    remembered_bytes: u64,
    /// Kept for its room.
    covered: Covered,
    symbols: Vec<Met>,
    places: Vec<Place>,
}

/// Where a piece that is remembered stands on a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) piece: Piece,
    pub(super) at: u32,
    /// How many symbols of the page had been read before it.
    pub(super) read: u32,
}

impl Memory {
    pub(super) fn new(bytes: usize) -> Self {
        let slots = (bytes / BYTES_A_SLOT).next_power_of_two();
        Memory {
            key: RandomState::new().hash_one(0u64) | 1,
            slots: vec![Slot::default(); slots],
            pieces: vec![Kept::default()],
            bytes: Vec::new(),
            most_bytes: bytes,
            remembered_bytes: 0,
            covered: Covered::default(),
            symbols: Vec::new(),
            places: Vec::new(),
        }
    }

    /// How many bytes were passed over because they were remembered.
    pub(super) fn remembered_bytes(&self) -> u64 {
        self.remembered_bytes
    }

    /// Room for the symbols of a page, and for pieces that are remembered.
    pub(super) fn begin_page(&mut self) -> (Vec<Met>, Vec<Place>) {
        if self.is_full() {
            self.slots.fill(Slot::default());
            self.pieces.truncate(1);
            self.bytes.clear();
        }
        self.symbols.clear();
        self.places.clear();
        (mem::take(&mut self.symbols), mem::take(&mut self.places))
    }

    pub(super) fn end_page(&mut self, symbols: Vec<Met>, places: Vec<Place>) {
        (self.symbols, self.places) = (symbols, places);
    }

    fn is_full(&self) -> bool {
        self.bytes.len() >= self.most_bytes || self.pieces.len() > self.most_bytes / BYTES_A_PIECE
    }

    /// Cuts off the piece that begins at a place.
    #[inline]
    pub(super) fn cut(&self, page: &[u8], start: usize) -> Cut {
        let mut hash = self.key;
        let mut at = start;
        while let Some(&eight) = page[at..].first_chunk()
            && at - start <= LONGEST
        {
            let eight = u64::from_le_bytes(eight);
            let marks = if at - start < SHORTEST { 0 } else { cuts_in(eight) };
            if marks != 0 {
                let count = marks.trailing_zeros() / 8;
                return Cut { end: at + count as usize, hash: self.mixed(hash, eight & !(u64::MAX << (8 * count))) };
            }
            hash = self.mixed(hash, eight);
            at += 8;
        }
        let from = page.len().min(at.max(start + SHORTEST));
        let [first, second, third] = CUTS;
        let end = memchr3(first, second, third, &page[from..]).map_or(page.len(), |found| from + found);
        if end - start <= LONGEST {
            hash = page[at..end].iter().fold(hash, |hash, &byte| self.mixed(hash, u64::from(byte)));
        }
        Cut { end, hash }
    }

    #[inline]
    fn mixed(&self, hash: u64, bytes: u64) -> u64 {
        let product = u128::from(hash ^ bytes) * u128::from(self.key);
        product as u64 ^ (product >> 64) as u64
    }

    #[inline]
    fn slot(&self, cut: Cut, before: Standing) -> usize {
        let before = u64::from(before.state << 1 | u32::from(before.spaced));
        ((cut.hash ^ before.wrapping_mul(self.key)) >> 32) as usize & (self.slots.len() - 1)
    }

    /// The piece that followed another the last time, if it follows here again.
    #[inline]
    pub(super) fn follower(&self, piece: Piece, page: &[u8], at: usize, before: Standing) -> Option<Piece> {
        let next = self.pieces[piece as usize].next;
        let kept = self.pieces.get(next as usize)?;
        let end = at + usize::from(kept.length);
        let fits = kept.before == before
            && kept.length > 0
            && page.get(end).is_none_or(|byte| CUTS.contains(byte))
            && self.is(kept, page.get(at..end)?);
        fits.then_some(next)
    }

    #[inline]
    fn is(&self, kept: &Kept, text: &[u8]) -> bool {
        usize::from(kept.length) == text.len() && self.bytes[kept.at as usize..][..text.len()] == *text
    }

    /// The piece with this text, if it is remembered.
    #[inline]
    pub(super) fn find(&self, text: &[u8], cut: Cut, before: Standing) -> Option<Piece> {
        let slot = self.slots[self.slot(cut, before)];
        if slot.tag != cut.hash as u32 {
            return None;
        }
        let kept = &self.pieces[slot.piece as usize];
        (kept.before == before && self.is(kept, text) && !text.is_empty()).then_some(slot.piece)
    }

    /// Remembers which piece followed another.
    #[inline]
    pub(super) fn link(&mut self, piece: Piece, next: Piece) {
        self.pieces[piece as usize].next = next;
    }

    /// Passes over a piece. Says how long it is and where the automaton stands behind it.
    #[inline]
    pub(super) fn pass(&mut self, piece: Piece) -> (usize, Standing) {
        let Kept { length, behind, .. } = self.pieces[piece as usize];
        self.remembered_bytes += u64::from(length);
        (usize::from(length), behind)
    }

    #[inline]
    pub(super) fn recall(&self, place: Place) -> Recalled<'_> {
        let Kept { at, length, symbols, covered, own_reach, .. } = self.pieces[place.piece as usize];
        let bytes = &self.bytes[at as usize + usize::from(length)..];
        let (starts, bytes) = bytes.split_at(usize::from(symbols));
        let (covered, _) = bytes[..2 * usize::from(covered)].as_chunks();
        Recalled { at: place.at, starts, covered, own_reach }
    }

    /// Keeps a piece that was read, if it has been met before.
    pub(super) fn keep(&mut self, text: &[u8], cut: Cut, before: Standing, behind: Standing, symbols: &[Met]) {
        let (slot, tag) = (self.slot(cut, before), cut.hash as u32);
        if text.len() > LONGEST || self.is_full() {
            return;
        }
        if self.slots[slot].once != tag {
            self.slots[slot].once = tag;
            return;
        }
        let piece = self.pieces.len() as Piece;
        self.slots[slot] = Slot { tag, piece, once: 0 };
        self.covered.clear();
        self.covered.by_symbols(symbols);
        let spans = self.covered.backwards();
        self.pieces.push(Kept {
            before,
            behind,
            own_reach: self.covered.reach(),
            // What is kept next most likely follows.
            next: piece + 1,
            at: self.bytes.len() as u32,
            length: text.len() as u8,
            symbols: symbols.len() as u8,
            covered: spans.len() as u8,
        });
        // The first symbol is the mark that the piece begins with.
        let start = symbols.first().map_or(0, |first| first.span.start);
        self.bytes.extend_from_slice(text);
        self.bytes.extend(symbols.iter().map(|met| (met.span.start - start) as u8));
        self.bytes.extend(spans.iter().flat_map(|span| [span.start, span.end].map(|place| (place - start) as u8)));
    }
}

/// Which of eight bytes are marks to cut at: the highest bit of each, up to the first that is one.
#[inline]
fn cuts_in(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let zeros = |bytes: u64| bytes.wrapping_sub(EACH) & !bytes & (0x80 * EACH);
    // `<` and `>` differ in one bit.
    let is = |bytes: u64, mark: u8| zeros(bytes ^ (u64::from(mark) * EACH));
    is(eight | (0x02 * EACH), b'>') | is(eight, b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_seen_eight_bytes_at_a_time() {
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                let mut eight = [b'x'; 8];
                eight[at] = byte;
                let first = cuts_in(u64::from_le_bytes(eight)).trailing_zeros() as usize / 8;
                assert_eq!(first, if CUTS.contains(&byte) { at } else { 8 }, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn pieces_tile_a_page() {
        let memory = Memory::new(1 << 10);
        let text = "x".repeat(300);
        let page = format!("<a href=\"/one\"><b>{text}</b>\"\"<<>>");
        let (mut at, mut ends) = (0, Vec::new());
        while at < page.len() {
            at = memory.cut(page.as_bytes(), at).end;
            ends.push(at);
        }
        assert_eq!(ends, [17, 318, page.len()]);
    }
}
