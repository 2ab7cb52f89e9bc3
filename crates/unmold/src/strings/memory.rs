//! What was read before need not be read again.
//!
//! A page is cut into pieces at [marks](CUTS), where it may be cut without being read otherwise.
//! What the automaton makes of a piece depends on the piece, on the state before it and on whether
//! white space stands before it: on nothing else. So all that is kept: the text of the piece, where
//! its symbols begin, what strings that end in it cover of it and how far they reach back beyond
//! it, and the state behind it.
//!
//! - A piece is looked up by a hash of its text; its text is then compared in full. But first the
//!   piece is tried that followed the last time, if it begins like it: two of three pieces that are
//!   remembered need no hash, and their end is not looked for.
//! - A piece is kept when it is met the second time. Most of what is met once is content and does
//!   not come again.
//! - Each piece has one place in the table. A page that is written so that its pieces compete for
//!   places is read as if nothing were remembered.
//! - Pieces are kept one behind the other, and the oldest ones make room for new ones: what comes
//!   again mostly does so soon. So the memory can be small enough to stay close to the processor,
//!   which matters more than what is lost. Room is made between pages only, since a page refers to
//!   pieces until its end.

use super::covered::{Covered, Met};
use crate::symbols::encode::flat::CUTS;
use std::{
    hash::{BuildHasher, RandomState},
    mem,
};
use wide::u8x16;

/// How many bytes a piece has at least, but for the last one of a page. With 16, 70 % of the bytes
/// of the JDK's documentation are remembered; with 32 it is 62 %, and with 8 it is 73 %, but in
/// twice as many pieces.
const SHORTEST: usize = 16;

/// Longer pieces are not kept.
const LONGEST: usize = u8::MAX as usize;

/// How many bytes there are for each place in the table.
const BYTES_A_SLOT: usize = 64;

/// Where the automaton stands between two pieces: its state, and whether white space was read since
/// the last symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) state: u32,
    pub(super) spaced: bool,
}

impl Standing {
    #[inline]
    fn to_number(self) -> u32 {
        self.state << 1 | u32::from(self.spaced)
    }

    #[inline]
    fn of_number(number: u32) -> Self {
        Standing {
            state: number >> 1,
            spaced: number & 1 == 1,
        }
    }
}

/// A place of a page where a piece begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here<'p> {
    page: &'p [u8],
    at: usize,
    before: Standing,
    /// A hash of how the piece begins.
    beginning: u64,
}

/// Where a piece ends, with a hash of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) end: usize,
    hash: u64,
}

/// A piece that is remembered: how many bytes had been kept before it.
pub(super) type Piece = u32;

/// No piece: what stands before the first one of a page.
pub(super) const NONE: Piece = 0;

/// What is kept first of a piece. Its text, where symbols begin and what is covered stand behind
/// it.
#[derive(Clone, Copy, Debug)]
struct Head {
    before: u32,
    behind: u32,
    own_reach: u32,
    length: u8,
    symbols: u8,
    covered: u8,
    /// The piece that followed the last time, and how it begins.
    next: Piece,
    next_tag: u32,
}

impl Head {
    const BYTES: usize = 24;
    /// Where what changes stands.
    const NEXT: usize = 16;

    #[inline]
    fn to_bytes(self) -> [u8; Head::BYTES] {
        let counts = u32::from_le_bytes([self.length, self.symbols, self.covered, 0]);
        let fields = [
            self.before,
            self.behind,
            self.own_reach,
            counts,
            self.next,
            self.next_tag,
        ];
        let mut bytes = [0; Head::BYTES];
        bytes
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(fields)
            .for_each(|(place, field)| *place = field.to_le_bytes());
        bytes
    }

    #[inline(always)]
    fn of_bytes(bytes: &[u8; Head::BYTES]) -> Self {
        let field = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let [length, symbols, covered, _] = field(12).to_le_bytes();
        Head {
            before: field(0),
            behind: field(4),
            own_reach: field(8),
            length,
            symbols,
            covered,
            next: field(Head::NEXT),
            next_tag: field(Head::NEXT + 4),
        }
    }
}

/// A place in the table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    piece: Piece,
    tag: u16,
    /// The tag of a piece that was met once.
    once: u16,
}

/// A piece that is passed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    pub(super) piece: Piece,
    pub(super) length: usize,
    /// Where the automaton stands behind it.
    pub(super) behind: Standing,
}

impl Passed {
    #[inline]
    fn new(piece: Piece, head: &Head) -> Self {
        Passed {
            piece,
            length: usize::from(head.length),
            behind: Standing::of_number(head.behind),
        }
    }
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
    /// Pieces one behind the other, round and round.
    bytes: Vec<u8>,
    /// How many bytes had been kept before the oldest piece that is remembered, and how many have
    /// been in all.
    oldest: u32,
    newest: u32,
    remembered_bytes: u64,
    covered: Covered,
    room: Room,
}

/// Room for what is found on a page.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) symbols: Vec<Met>,
    pub(super) places: Vec<PieceOnPage>,
}

/// Where a piece that is remembered stands on a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceOnPage {
    pub(super) piece: Piece,
    pub(super) at: u32,
    /// How many symbols of the page had been read before it.
    pub(super) read: u32,
}

impl Memory {
    pub(super) fn new(bytes: usize) -> Self {
        let bytes = bytes.clamp(1 << 10, 1 << 28).next_power_of_two();
        Memory {
            key: RandomState::new().hash_one(0u64) | 1,
            slots: vec![Slot::default(); bytes / BYTES_A_SLOT],
            bytes: vec![0; bytes],
            oldest: 1,
            newest: 1,
            remembered_bytes: 0,
            covered: Covered::default(),
            room: Room::default(),
        }
    }

    /// How many bytes were passed over because they were remembered.
    pub(super) fn remembered_bytes(&self) -> u64 {
        self.remembered_bytes
    }

    /// Makes room for what is found on a page.
    pub(super) fn begin_page(&mut self) -> Room {
        self.forget();
        let mut room = mem::take(&mut self.room);
        room.symbols.clear();
        room.places.clear();
        room
    }

    pub(super) fn end_page(&mut self, room: Room) {
        self.room = room;
    }

    /// Forgets the oldest pieces, so that there is room for those of a page.
    fn forget(&mut self) {
        let size = self.bytes.len() as u32;
        self.oldest = self
            .oldest
            .max((self.newest + size / 4).saturating_sub(size));
        if self.newest > u32::MAX / 2 {
            self.slots.fill(Slot::default());
            (self.oldest, self.newest) = (1, 1);
        }
    }

    /// Stands at the beginning of a piece.
    #[inline]
    pub(super) fn here<'p>(&self, page: &'p [u8], at: usize, before: Standing) -> Here<'p> {
        let beginning = page[at..]
            .first_chunk()
            .map_or(self.key, |first| self.mixed(self.key, first));
        Here {
            page,
            at,
            before,
            beginning,
        }
    }

    /// Cuts off the piece that begins here.
    #[inline]
    pub(super) fn cut(&self, here: &Here<'_>) -> Cut {
        let end = next_cut(here.page, here.at + SHORTEST);
        let text = &here.page[here.at..end];
        let Some(last) = text.last_chunk() else {
            // The last piece of a page: what is shorter need not be told apart.
            return Cut {
                end,
                hash: here.beginning,
            };
        };
        let mut hash = here.beginning ^ self.mixed(text.len() as u64, last);
        if text.len() > 2 * SHORTEST && text.len() <= LONGEST {
            let (middle, _) = text[SHORTEST..].as_chunks();
            hash = middle
                .iter()
                .fold(hash, |hash, bytes| self.mixed(hash, bytes));
        }
        Cut { end, hash }
    }

    #[inline]
    fn mixed(&self, hash: u64, bytes: &[u8; SHORTEST]) -> u64 {
        let bytes = u128::from_le_bytes(*bytes);
        let product = u128::from(bytes as u64 ^ self.key) * u128::from((bytes >> 64) as u64 ^ hash);
        product as u64 ^ (product >> 64) as u64
    }

    #[inline]
    fn slot(&self, cut: Cut, before: Standing) -> usize {
        let before = u64::from(before.to_number());
        ((cut.hash ^ before.wrapping_mul(self.key)) >> 32) as usize & (self.slots.len() - 1)
    }

    /// A piece, if it has not been forgotten.
    #[inline]
    fn kept(&self, piece: Piece) -> Option<(Head, &[u8])> {
        let at = piece as usize & (self.bytes.len() - 1);
        let (head, bytes) = self.bytes[at..].split_first_chunk()?;
        (piece >= self.oldest).then(|| (Head::of_bytes(head), bytes))
    }

    /// The piece that followed another the last time, if it follows here again.
    #[inline]
    pub(super) fn follower(&self, piece: Piece, here: &Here<'_>) -> Option<Passed> {
        let Here {
            page,
            at,
            before,
            beginning,
        } = *here;
        let (head, _) = self.kept(piece)?;
        if head.next_tag != beginning as u32 {
            return None;
        }
        let (next, bytes) = self.kept(head.next)?;
        let end = at + usize::from(next.length);
        let fits = next.before == before.to_number()
            && page.get(end).is_none_or(|byte| CUTS.contains(byte))
            && bytes.get(..usize::from(next.length))? == page.get(at..end)?;
        fits.then(|| Passed::new(head.next, &next))
    }

    /// The piece that was cut off, if it is remembered.
    #[inline]
    pub(super) fn find(&self, here: &Here<'_>, cut: Cut) -> Option<Passed> {
        let Here {
            page, at, before, ..
        } = *here;
        let text = &page[at..cut.end];
        let Slot { tag, piece, .. } = self.slots[self.slot(cut, before)];
        if tag != cut.hash as u16 {
            return None;
        }
        let (head, bytes) = self.kept(piece)?;
        let is_it = head.before == before.to_number()
            && usize::from(head.length) == text.len()
            && bytes.get(..text.len())? == text;
        is_it.then(|| Passed::new(piece, &head))
    }

    /// Remembers which piece followed another, and how it begins.
    #[inline]
    pub(super) fn link(&mut self, piece: Piece, next: Piece, here: &Here<'_>) {
        if piece < self.oldest {
            return;
        }
        let at = (piece as usize & (self.bytes.len() - 1)) + Head::NEXT;
        self.bytes[at..][..4].copy_from_slice(&next.to_le_bytes());
        self.bytes[at + 4..][..4].copy_from_slice(&(here.beginning as u32).to_le_bytes());
    }

    /// Counts a piece that is passed over.
    #[inline]
    pub(super) fn pass(&mut self, length: usize) {
        self.remembered_bytes += length as u64;
    }

    #[inline]
    pub(super) fn recall(&self, place: PieceOnPage) -> Recalled<'_> {
        let Some((head, bytes)) = self.kept(place.piece) else {
            unreachable!("nothing is forgotten during a page")
        };
        let (starts, bytes) = bytes[usize::from(head.length)..].split_at(usize::from(head.symbols));
        let (covered, _) = bytes[..2 * usize::from(head.covered)].as_chunks();
        Recalled {
            at: place.at,
            starts,
            covered,
            own_reach: head.own_reach,
        }
    }

    /// Keeps a piece that was read, if it has been met before. Takes where the automaton stands
    /// behind it, and its symbols.
    pub(super) fn keep(
        &mut self,
        here: &Here<'_>,
        cut: Cut,
        behind: Standing,
        symbols: &[Met],
    ) -> Option<Piece> {
        let Here {
            page,
            at: start,
            before,
            ..
        } = *here;
        let text = &page[start..cut.end];
        let (slot, tag) = (self.slot(cut, before), cut.hash as u16);
        if text.len() > LONGEST {
            return None;
        }
        if self.slots[slot].once != tag {
            self.slots[slot].once = tag;
            return None;
        }
        self.covered.clear();
        self.covered.by_symbols(symbols);
        let spans = self.covered.backwards();
        let head = Head {
            before: before.to_number(),
            behind: behind.to_number(),
            own_reach: self.covered.reach(),
            length: text.len() as u8,
            symbols: symbols.len() as u8,
            covered: spans.len() as u8,
            next: NONE,
            next_tag: 0,
        };
        let size = Head::BYTES + text.len() + symbols.len() + 2 * spans.len();
        let piece = room_for(size, self.bytes.len() as u32, self.oldest, &mut self.newest)?;
        let at = piece as usize & (self.bytes.len() - 1);
        self.bytes[at..][..Head::BYTES].copy_from_slice(&head.to_bytes());
        self.bytes[at + Head::BYTES..][..text.len()].copy_from_slice(text);
        let starts = symbols.iter().map(|met| met.span.start);
        let ends = spans.iter().flat_map(|span| [span.start, span.end]);
        let places = starts
            .chain(ends)
            .map(|place| (place as usize - start) as u8);
        self.bytes[at + Head::BYTES + text.len()..]
            .iter_mut()
            .zip(places)
            .for_each(|(byte, place)| *byte = place);
        self.slots[slot] = Slot {
            piece,
            tag,
            once: 0,
        };
        Some(piece)
    }
}

/// Where so many bytes can be kept, if there is room.
fn room_for(bytes: usize, size: u32, oldest: u32, newest: &mut u32) -> Option<Piece> {
    let left = size - *newest % size;
    let piece = if bytes <= left as usize {
        *newest
    } else {
        *newest + left
    };
    let end = piece + bytes as u32;
    (end <= oldest + size).then(|| {
        *newest = end;
        piece
    })
}

/// The first place to cut at from a place on.
#[inline]
fn next_cut(page: &[u8], mut at: usize) -> usize {
    while let Some(&sixteen) = page.get(at..).and_then(|rest| rest.first_chunk()) {
        let cuts = cuts_in(sixteen);
        if cuts != 0 {
            return at + cuts.trailing_zeros() as usize;
        }
        at += SHORTEST;
    }
    let rest = page.get(at..).unwrap_or_default();
    rest.iter()
        .position(|byte| CUTS.contains(byte))
        .map_or(page.len(), |found| at + found)
}

/// Which of sixteen bytes are marks to cut at: a bit for each.
#[inline]
fn cuts_in(sixteen: [u8; SHORTEST]) -> u32 {
    let bytes = u8x16::new(sixteen);
    CUTS.iter()
        .map(|&cut| bytes.simd_eq(u8x16::splat(cut)))
        .fold(u8x16::default(), |all, is| all | is)
        .to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_seen_sixteen_bytes_at_a_time() {
        for byte in 0..=u8::MAX {
            for at in 0..SHORTEST {
                let mut sixteen = [b'x'; SHORTEST];
                sixteen[at] = byte;
                assert_eq!(
                    cuts_in(sixteen),
                    u32::from(CUTS.contains(&byte)) << at,
                    "{byte} at {at}"
                );
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
            at = memory
                .cut(&memory.here(page.as_bytes(), at, Standing::default()))
                .end;
            ends.push(at);
        }
        assert_eq!(ends, [17, 318, page.len()]);
    }
}
