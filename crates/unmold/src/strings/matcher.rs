//! Follows the automaton over the symbols of a page.

use super::{
    apply::Part,
    automaton::ROOT,
    covered::{Covered, Met},
    memory::{Memory, NONE, Passed, PieceOnPage, Room, Standing},
};
use crate::{
    Span,
    symbols::encode::{
        block::{Token, Tokens},
        flat::{Begins, CUTS, Lexicon, Reader, Word},
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
        Matcher {
            part,
            page,
            has_edges,
            state: ROOT,
            symbols: Vec::new(),
        }
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
        let Room {
            symbols,
            mut places,
        } = memory.begin_page();
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
        memory.end_page(Room {
            symbols: self.symbols,
            places,
        });
        covered.in_order()
    }

    /// Reads what is not remembered, and notes where the rest stands.
    fn read_pieces(&mut self, memory: &mut Memory, places: &mut Vec<PieceOnPage>) {
        let bytes = self.page.as_bytes();
        let mut reader = Reader::new(self.page, &self.part.mutables);
        let [first, second, third] = CUTS;
        let mut at = memchr3(first, second, third, bytes).unwrap_or(bytes.len());
        let mut standing = self.read(&mut reader, 0..at, Standing::default());
        let mut last = NONE;
        while at < bytes.len() {
            let here = memory.here(bytes, at, standing);
            let read = self.symbols.len();
            let followed = memory.follower(last, &here);
            let cut = if followed.is_none() {
                Some(memory.cut(&here))
            } else {
                None
            };
            let found = followed.or_else(|| memory.find(&here, cut?));
            if let Some(Passed {
                piece,
                length,
                behind,
            }) = found
            {
                if cut.is_some() {
                    memory.link(last, piece, &here);
                }
                memory.pass(length);
                places.push(PieceOnPage {
                    piece,
                    at: at as u32,
                    read: read as u32,
                });
                (last, standing, at) = (piece, behind, at + length);
            } else if let Some(cut) = cut {
                standing = self.read(&mut reader, at..cut.end, standing);
                if let Some(piece) = memory.keep(&here, cut, standing, &self.symbols[read..]) {
                    memory.link(last, piece, &here);
                    last = piece;
                }
                at = cut.end;
            }
        }
    }

    fn read(
        &mut self,
        reader: &mut Reader<'_>,
        piece: Range<usize>,
        standing: Standing,
    ) -> Standing {
        self.state = standing.state;
        let spaced = reader.read(piece, standing.spaced, self);
        Standing {
            state: self.state,
            spaced,
        }
    }

    /// Whether a symbol stands where a string may begin or end with it; see
    /// [`Edges`](crate::strings::expression::Edges). Words are read whole, so only a letter of a
    /// script without spaces can stand right beside one, and strings with edges have none.
    #[inline(always)]
    fn fits(&self, number: u32, span: Span) -> bool {
        !self.has_edges || self.part.edges[number as usize].fit(self.page, span)
    }

    /// The state behind one more symbol.
    #[inline(always)]
    fn behind(&self, state: u32, number: u32, spaced: bool, span: Span) -> u32 {
        if number == self.part.unknown || !self.fits(number, span) {
            return ROOT;
        }
        self.part
            .automaton
            .step(state, number << 1 | u32::from(spaced))
    }

    /// Notes a symbol with the state behind it. If no string has begun there, the symbol is no part
    /// of any.
    #[inline(always)]
    fn note(&mut self, state: u32, span: Span) {
        if state != ROOT {
            self.symbols.push(Met {
                span,
                longest: self.part.automaton.longest(state),
            });
        }
    }
}

impl Lexicon for Matcher<'_> {
    #[inline]
    fn word(&mut self, text: &str, span: Span) -> (u32, bool) {
        self.part.words.look_up(text, span)
    }

    #[inline]
    fn take_word(
        &mut self,
        Word {
            number,
            spaced,
            span,
        }: Word,
    ) {
        self.state = self.behind(self.state, number, spaced, span);
        self.note(self.state, span);
    }

    /// As it would be done word by word, but that the state is kept at hand and short words are
    /// found faster.
    #[inline(always)]
    fn take_words(&mut self, text: &str, tokens: &mut Tokens, begins: Begins) -> Option<Word> {
        let words = &self.part.words;
        let mut state = self.state;
        for token in tokens {
            let Token {
                span,
                spaced,
                is_short,
                ..
            } = token;
            let (number, is_beginning) = if is_short {
                words.look_up_short(text.as_bytes()[span.start as usize])
            } else {
                words.look_up(text, span)
            };
            if is_beginning | begins.with(&token) {
                self.state = state;
                return Some(Word {
                    number,
                    spaced,
                    span,
                });
            }
            state = self.behind(state, number, spaced, span);
            self.note(state, span);
        }
        self.state = state;
        None
    }

    #[inline(never)]
    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
        self.take_word(Word {
            number: pattern as u32,
            spaced,
            span,
        });
    }
}
