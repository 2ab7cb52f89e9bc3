//! Follows the automaton over the symbols of a page.

use super::{Part, automaton::ROOT};
use crate::{
    Span,
    encode::{flat::Lexicon, mutable::Look},
};

/// Takes the symbols of a page, one after the other.
pub(super) struct Matcher<'a> {
    part: &'a Part,
    page: &'a str,
    has_edges: bool,
    state: u32,
    symbols: Vec<Met>,
}

/// A symbol of the page, and how many symbols the longest string has that ends with it.
#[derive(Clone, Copy, Debug)]
struct Met {
    span: Span,
    longest: u32,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(part: &'a Part, page: &'a str) -> Self {
        // Between ASCII characters, words begin and end where they are read to.
        let has_edges = part.has_edges && !page.is_ascii();
        Matcher { part, page, has_edges, state: ROOT, symbols: Vec::with_capacity(page.len() / 2) }
    }

    /// What strings cover, in order.
    ///
    /// Seen from the end of the page, a symbol is covered if a string that ends with it, or with a later one, reaches back
    /// that far.
    pub(super) fn covered(&self) -> Vec<Span> {
        let mut covered: Vec<Span> = Vec::new();
        let mut reach: u32 = 0;
        for &Met { span, longest } in self.symbols.iter().rev() {
            let is_joined = reach > 1;
            reach = longest.max(reach.saturating_sub(1));
            if reach == 0 {
                continue;
            }
            match covered.last_mut() {
                Some(next) if is_joined || next.start == span.end => next.start = span.start,
                _ => covered.push(span),
            }
        }
        covered.reverse();
        covered
    }

    /// Goes on with a symbol by number. It counts as unknown if it stands where no string may begin or end with it; see
    /// [`Edges`](crate::mold::template::Edges). Words are read whole, so only a letter of a script without spaces can
    /// stand right beside one, and strings with edges have none.
    #[inline]
    fn take(&mut self, number: u32, spaced: bool, span: Span) {
        let fits = !self.has_edges || self.part.edges[number as usize].fit(self.page, span);
        let number = if fits { number } else { self.part.unknown };
        self.state = self.part.automaton.step(self.state, number << 1 | u32::from(spaced));
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

    #[inline]
    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
        self.take(pattern as u32, spaced, span);
    }
}
