//! Follows the automaton over the symbols of a page.

use super::{
    Part,
    automaton::ROOT,
    covered::{Covered, Met},
    memory::{Memory, Place, START, Standing},
};
use crate::{
    Span,
    encode::{
        flat::{CUTS, Lexicon, Reader},
        mutable::Look,
    },
};
use memchr::memchr3;
use std::ops::Range;

/// Takes the symbols of a page, one after the other.
pub(super) struct Matcher<'a> {
    part: &'a Part,
    page: &'a str,
    has_edges: bool,
    state: u32,
    symbols: Vec<Met>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(part: &'a Part, page: &'a str) -> Self {
        // Between ASCII characters, words begin and end where they are read to.
        let has_edges = part.has_edges && !page.is_ascii();
        Matcher { part, page, has_edges, state: ROOT, symbols: Vec::new() }
    }

    /// What strings cover, in order.
    pub(super) fn matches(mut self) -> Vec<Span> {
        self.symbols.reserve(self.page.len() / 2);
        let mut reader = Reader::new(self.page, &self.part.mutables);
        self.read(&mut reader, 0..self.page.len(), Standing::default());
        let mut covered = Covered::of_page(self.page.len());
        covered.by_symbols(&self.symbols);
        covered.in_order()
    }

    /// The same, without reading what is remembered.
    pub(super) fn matches_in_pieces(mut self, memory: &mut Memory) -> Vec<Span> {
        let (symbols, mut places) = memory.begin_page();
        self.symbols = symbols;
        self.read_pieces(memory, &mut places);
        let mut covered = Covered::of_page(self.page.len());
        let mut rest = self.symbols.as_slice();
        for place in places.iter().rev() {
            let (before, behind) = rest.split_at(place.read as usize);
            covered.by_symbols(behind);
            covered.by_piece(&memory.recall(*place));
            rest = before;
        }
        covered.by_symbols(rest);
        memory.end_page(self.symbols, places);
        covered.in_order()
    }

    /// Reads what is not remembered, and notes where the rest stands.
    fn read_pieces(&mut self, memory: &mut Memory, places: &mut Vec<Place>) {
        let bytes = self.page.as_bytes();
        let mut reader = Reader::new(self.page, &self.part.mutables);
        let [first, second, third] = CUTS;
        let mut at = memchr3(first, second, third, bytes).unwrap_or(bytes.len());
        let mut standing = self.read(&mut reader, 0..at, Standing::default());
        let mut last = START;
        while at < bytes.len() {
            let mut cut = None;
            let known = memory.follower(last, bytes, at, standing).or_else(|| {
                let cut = *cut.insert(memory.cut(bytes, at));
                memory.find(&bytes[at..cut.end], cut, standing)
            });
            let read = self.symbols.len();
            if let Some(piece) = known {
                if cut.is_some() {
                    memory.link(last, piece);
                }
                places.push(Place { piece, at: at as u32, read: read as u32 });
                let (length, behind) = memory.pass(piece);
                (last, standing, at) = (piece, behind, at + length);
            } else if let Some(cut) = cut {
                let before = standing;
                standing = self.read(&mut reader, at..cut.end, before);
                memory.keep(&bytes[at..cut.end], cut, before, standing, &self.symbols[read..]);
                at = cut.end;
            }
        }
    }

    fn read(&mut self, reader: &mut Reader<'_>, piece: Range<usize>, standing: Standing) -> Standing {
        self.state = standing.state;
        let spaced = reader.read(piece, standing.spaced, self);
        Standing { state: self.state, spaced }
    }

    /// Goes on with a symbol by number. It counts as unknown if it stands where no string may begin or end with it; see
    /// [`Edges`](crate::mold::template::Edges). Words are read whole, so only a letter of a script without spaces can
    /// stand right beside one, and strings with edges have none.
    #[inline(always)]
    fn take(&mut self, number: u32, spaced: bool, span: Span) {
        let fits = !self.has_edges || self.part.edges[number as usize].fit(self.page, span);
        self.state = if fits && number < self.part.unknown {
            self.part.automaton.step(self.state, number << 1 | u32::from(spaced))
        } else {
            ROOT
        };
        self.symbols.push(Met { span, longest: self.part.automaton.longest(self.state) });
    }
}

impl Lexicon for Matcher<'_> {
    #[inline]
    fn word(&mut self, text: &str, span: Span, look: Look) -> (u32, bool) {
        self.part.words.look_up(text.as_bytes(), span, look, &self.part.mutables)
    }

    #[inline]
    fn mark(&mut self, mark: u8) -> (u32, bool) {
        self.part.words.mark(mark)
    }

    #[inline]
    fn take_word(&mut self, word: u32, spaced: bool, span: Span) {
        self.take(word + self.part.mutables.len() as u32, spaced, span);
    }

    #[inline(never)]
    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
        self.take(pattern as u32, spaced, span);
    }
}
