//! Where on a page does the template stand?
//!
//! ```
//! use unmold::{Text, apply::template::Cleaner, encode::mutable::Mutables, mold::template::Template};
//!
//! let template = Template::of(&Mutables::common(), ["Published on: {date-in-words}", "Read more"])?;
//! let cleaner = Cleaner::new([&template])?;
//! let page = "Published on: 27th February, 2007 Real estate developers met on Monday. Read more";
//! let removed: Vec<_> = cleaner.clean(page).iter().map(|span| span.of(page)).collect();
//! assert_eq!(removed, ["Published on: 27th February, 2007", "Read more"]);
//! # Ok::<(), unmold::mold::template::BadTemplate>(())
//! ```
//!
//! All strings are looked for at once and every match counts, whichever other string covers part of it too: the thesis'
//! `aabb` is removed whole by `aabb` and `ab`, in any order. [`Cleaner::matches`] gives the union of all matches; its
//! answer is that of the [expressions](Template::expressions) of the strings, but for places inside a date or an
//! address, which are one symbol here. [`Cleaner::clean`] makes two corrections more:
//!
//! - what is left between two matches goes too if it is shorter than the [gap](Cleaner::merge_gap), and
//! - a match of a few characters inside text that stays, stays as well ([islands](Cleaner::island)).
//!
//! # Cost
//!
//! One pass over the page, which is read as it is read for learning, but words are only looked up, never stored.

mod automaton;
mod intervals;

use crate::{
    Span,
    encode::{
        Vocabulary,
        flat::{self, Lexicon},
        mutable::Mutables,
    },
    mold::template::{BadTemplate, Name, Symbol, Template},
};
use automaton::{Automaton, Code, Ending, Expected, NO_SYMBOL};

/// Templates made ready for use.
#[derive(Clone, Debug)]
pub struct Cleaner {
    /// A part for each set of patterns: pages are read once for each.
    parts: Vec<Part>,
    merge_gap: usize,
    island: usize,
}

/// Strings over the same patterns.
#[derive(Clone, Debug)]
struct Part {
    mutables: Mutables,
    words: Words,
    automaton: Automaton,
    /// All words, end to end: what states expect.
    text: Vec<u8>,
}

/// What is known about words: their numbers, and whether a mutable pattern may begin with them.
#[derive(Clone, Debug)]
struct Words {
    vocabulary: Vocabulary,
    begins: Vec<bool>,
    /// The same for marks of one byte, which are most of the symbols of a page.
    marks: Vec<(Code, bool)>,
}

impl Cleaner {
    /// Makes templates ready.
    ///
    /// # Errors
    /// When a pattern or a string of one makes no sense.
    pub fn new<'t>(templates: impl IntoIterator<Item = &'t Template>) -> Result<Self, BadTemplate> {
        let mut sets: Vec<Vec<&Template>> = Vec::new();
        for template in templates {
            match sets.iter_mut().find(|set| set[0].patterns == template.patterns) {
                Some(set) => set.push(template),
                None => sets.push(vec![template]),
            }
        }
        let parts = sets.iter().map(|set| Part::new(set)).collect::<Result<_, _>>()?;
        Ok(Cleaner { parts, merge_gap: 3, island: 12 })
    }

    /// Removes what is left between two matches if it has fewer characters than this, white space not counted.
    #[must_use]
    pub fn merge_gap(mut self, characters: usize) -> Self {
        self.merge_gap = characters;
        self
    }

    /// Leaves matches of fewer characters than this that stand inside longer text that stays.
    #[must_use]
    pub fn island(mut self, characters: usize) -> Self {
        self.island = characters;
        self
    }

    /// The union of all matches, in order.
    pub fn matches(&self, page: &str) -> Vec<Span> {
        let mut found = self.parts.iter().map(|part| part.matches(page));
        let first = found.next().unwrap_or_default();
        found.fold(first, |all, more| Span::union(all.into_iter().chain(more).collect()))
    }

    /// What of a page is template, in order.
    pub fn clean(&self, page: &str) -> Vec<Span> {
        let merged = intervals::merged(page, self.matches(page), self.merge_gap);
        intervals::without_islands(page, &merged, self.island)
    }
}

impl Part {
    fn new(templates: &[&Template]) -> Result<Self, BadTemplate> {
        let mutables = templates[0].mutables()?;
        let mut vocabulary = Vocabulary::default();
        let mut strings = Vec::new();
        for template in templates {
            for (symbols, edges) in template.strings_with_edges(&mutables)? {
                let codes = symbols.iter().map(|symbol| code(symbol, &mut vocabulary, &mutables)).collect();
                strings.push((codes, Ending { length: symbols.len() as u32, edges }));
            }
        }
        let words = Words::new(vocabulary, &mutables);
        let automaton = Automaton::new(strings, mutables.len() + words.vocabulary.len());
        let mut part = Part { mutables, words, automaton, text: Vec::new() };
        part.expect_words();
        Ok(part)
    }

    /// Tells the states which words they expect. A word that may begin a pattern is only known when it is read.
    fn expect_words(&mut self) {
        let mut places = Vec::new();
        for word in self.words.vocabulary.words() {
            let (start, length) = (self.text.len() as u32, word.len() as u32);
            self.text.extend_from_slice(word.as_bytes());
            let is_word = word.bytes().next_back().is_some_and(flat::may_continue_word) || word.starts_with('&');
            places.push(Expected { start, length, is_word });
        }
        let Part { mutables, words, automaton, .. } = self;
        automaton.expect(|code| match (code >> 1).checked_sub(mutables.len() as u32) {
            Some(word) if !words.begins[word as usize] && !mutables.begin_anywhere() => places[word as usize],
            _ => Expected::default(),
        });
    }

    fn matches(&self, page: &str) -> Vec<Span> {
        let mut matcher = Matcher { part: self, page, state: 0, starts: Vec::new(), found: Vec::new() };
        flat::read(page, &self.mutables, &mut matcher);
        matcher.found
    }
}

fn code(symbol: &Symbol, vocabulary: &mut Vocabulary, mutables: &Mutables) -> Code {
    let number = match &symbol.name {
        Name::Mutable(number) => *number as u32,
        Name::Word(word) => vocabulary.intern(word) + mutables.len() as u32,
    };
    number << 1 | u32::from(symbol.spaced)
}

impl Words {
    fn new(mut vocabulary: Vocabulary, mutables: &Mutables) -> Self {
        // Words that are in no list can begin a pattern only by how they look, which needs no table.
        mutables.names().for_each(|name| _ = vocabulary.intern(name));
        let begins = vocabulary.words().map(|word| mutables.may_begin_with(word)).collect();
        let mut words = Words { vocabulary, begins, marks: Vec::new() };
        words.marks =
            (0..128u8).map(|mark| words.look_up(char::from(mark).encode_utf8(&mut [0; 4]), mutables)).collect();
        words
    }

    #[inline]
    fn look_up(&self, word: &str, mutables: &Mutables) -> (u32, bool) {
        match self.vocabulary.number(word) {
            Some(number) => (number, self.begins[number as usize]),
            None => (NO_SYMBOL, mutables.may_begin_with_shape(word)),
        }
    }
}

/// Follows the automaton over the symbols of a page.
struct Matcher<'a> {
    part: &'a Part,
    page: &'a str,
    state: u32,
    /// Where the symbols since the last one that no string has begin.
    starts: Vec<u32>,
    found: Vec<Span>,
}

impl Lexicon for Matcher<'_> {
    #[inline]
    fn word(&mut self, word: &str) -> (u32, bool) {
        self.part.words.look_up(word, &self.part.mutables)
    }

    #[inline]
    fn mark(&mut self, mark: u8) -> (u32, bool) {
        self.part.words.marks[usize::from(mark)]
    }

    #[inline]
    fn take_expected(&mut self, page: &[u8], at: usize, spaced: bool) -> Option<usize> {
        let (Expected { start, length, is_word }, is_spaced) = self.part.automaton.expected(self.state);
        let (start, length) = (start as usize, length as usize);
        let text = &self.part.text;
        if length == 0 || is_spaced != spaced || page[at] != text[start] {
            return None;
        }
        let is_there = length == 1 || page[at..].starts_with(&text[start..start + length]);
        let goes_on = is_word && page.get(at + length).is_some_and(|&byte| flat::may_continue_word(byte));
        if !is_there || goes_on {
            return None;
        }
        self.starts.push(at as u32);
        self.state += 1;
        self.arrive((at + length) as u32);
        Some(length)
    }

    #[inline]
    fn take_word(&mut self, word: u32, spaced: bool, span: Span) {
        if word == NO_SYMBOL {
            self.state = 0;
            self.starts.clear();
        } else {
            self.take(word + self.part.mutables.len() as u32, spaced, span);
        }
    }

    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
        self.take(pattern as u32, spaced, span);
    }
}

impl Matcher<'_> {
    #[inline]
    fn take(&mut self, number: u32, spaced: bool, span: Span) {
        self.starts.push(span.start);
        self.state = self.part.automaton.step(self.state, number << 1 | u32::from(spaced));
        self.arrive(span.end);
    }

    /// Takes up the strings that end at the state just entered.
    #[inline]
    fn arrive(&mut self, end: u32) {
        for ending in self.part.automaton.endings(self.state) {
            let start = self.starts[self.starts.len() - ending.length as usize];
            let found = Span { start, end };
            if ending.edges.fit(self.page, found) {
                intervals::add(&mut self.found, found);
                break;
            }
        }
    }
}
