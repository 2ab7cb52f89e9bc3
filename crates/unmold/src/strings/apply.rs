//! Where on a page does the template stand?
//!
//! ```
//! use unmold::{Text, read::mutable::Mutables, strings::{apply::Finder, rule::Template}};
//!
//! let template = Template::of(&Mutables::common(), ["Published on: {date-in-words}", "Read more"])?;
//! let finder = Finder::new([&template])?;
//! let page = "Published on: 27th February, 2007 Real estate developers met on Monday. Read more";
//! let removed: Vec<_> = finder.template(page).iter().map(|span| span.of(page)).collect();
//! assert_eq!(removed, ["Published on: 27th February, 2007", "Read more"]);
//! # Ok::<(), unmold::strings::BadTemplate>(())
//! ```
//!
//! All strings are looked for at once and every match counts, whichever other string covers part of
//! it too: the thesis' `aabb` is removed whole by `aabb` and `ab`, in any order.
//! [`Finder::matches`] gives the union of all matches; its answer is that of the
//! [expressions](Template::expressions) of the strings, but for places inside a date or an address,
//! which are one symbol here. [`Finder::template`] makes two corrections more:
//!
//! - what is left between two matches goes too if it is shorter than the [gap](Finder::merge_gap),
//!   and
//! - a match of a few characters inside text that stays, stays as well ([islands](Finder::island)).
//!
//! # Cost
//!
//! One pass over the page, which is read as it is read for learning, but words are only looked up,
//! never stored; and one pass back over those symbols that a string may have. While a page is
//! matched this takes 12 bytes for each of them.
//!
//! Pages of a template repeat each other, so what was read before is remembered: pieces of markup
//! with what the automaton made of them. A piece that stands there again is compared and passed
//! over. On the JDK's documentation this spares seven bytes in ten, and pages are cleaned 1.8 times
//! as fast. The answer does not depend on what is remembered. Each thread that cleans at the same
//! time has a memory of its own, of [2 MB](Finder::memory) and an eighth of that for keeping order.
//! Pages are read whole if a pattern of the user's own may match across a tag.

use super::{
    automaton::{Automaton, Code},
    expression::Edges,
    intervals,
    matcher::Matcher,
    memory::Memory,
    rule::{BadTemplate, Name, Parsed, Pattern, Symbol, Template},
    words::Words,
};
use crate::{
    Span,
    read::{mutable::Mutables, pool::Pool, vocabulary::Vocabulary},
    symbols::encode::flat::CUTS,
};

/// What is left between two matches goes if it has fewer characters than this.
pub const MERGE_GAP: usize = 3;
/// A match of fewer characters than this inside text that stays, stays as well.
pub const ISLAND: usize = 12;

/// Templates made ready for use.
#[derive(Clone, Debug)]
pub struct Finder {
    /// A part for each set of patterns: pages are read once for each.
    parts: Vec<Part>,
    merge_gap: usize,
    island: usize,
    memory: usize,
}

/// Strings over the same patterns.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) mutables: Mutables,
    pub(super) words: Words,
    pub(super) automaton: Automaton,
    /// Whether strings ask anything of the places before and behind them; and what, by the number
    /// of their first or last symbol.
    pub(super) has_edges: bool,
    pub(super) edges: Vec<Edges>,
    /// The number of all symbols that no string has.
    pub(super) unknown: u32,
    /// Whether pages may be read in pieces.
    has_pieces: bool,
    memories: Pool<Memory>,
}

impl Finder {
    /// Makes templates ready.
    ///
    /// # Errors
    /// When a pattern or a string of one makes no sense.
    pub fn new<'t>(templates: impl IntoIterator<Item = &'t Template>) -> Result<Self, BadTemplate> {
        let mut sets: Vec<(&[Pattern], Parsed)> = Vec::new();
        for template in templates {
            let parsed = template.parsed()?;
            let is_same = |set: &&mut (&[Pattern], Parsed)| {
                set.0 == template.patterns.as_slice() && set.1.has_edges == parsed.has_edges
            };
            match sets.iter_mut().find(is_same) {
                Some((_, set)) => set.strings.extend(parsed.strings),
                None => sets.push((&template.patterns, parsed)),
            }
        }
        let parts = sets
            .into_iter()
            .map(|(_, parsed)| Part::new(parsed))
            .collect();
        Ok(Finder {
            parts,
            merge_gap: MERGE_GAP,
            island: ISLAND,
            memory: 2 << 20,
        })
    }

    /// Removes what is left between two matches if it has fewer characters than this, white space
    /// not counted.
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

    /// Remembers so many bytes of what was read, in each thread that cleans at the same time:
    /// rounded up to a power of two, from 1 KB to 256 MB, or 0 for none. More does not help much:
    /// on 270 MB of the JDK's documentation, twice as many spare another 1 % of the bytes.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self.parts
            .iter_mut()
            .for_each(|part| part.memories = Pool::default());
        self
    }

    /// How many bytes of all pages so far were remembered and not read. A clone begins anew.
    pub fn remembered_bytes(&self) -> u64 {
        self.parts
            .iter()
            .map(|part| part.memories.sum(Memory::remembered_bytes))
            .sum()
    }

    /// The union of all matches, in order.
    pub fn matches(&self, page: &str) -> Vec<Span> {
        let mut found = self
            .parts
            .iter()
            .map(|part| part.matches(page, self.memory));
        let first = found.next().unwrap_or_default();
        found.fold(first, |all, more| {
            Span::union(all.into_iter().chain(more).collect())
        })
    }

    /// What of a page is template, in order.
    pub fn template(&self, page: &str) -> Vec<Span> {
        intervals::removed(page, self.matches(page), self.merge_gap, self.island)
    }
}

impl Part {
    fn new(parsed: Parsed) -> Self {
        let Parsed {
            mutables,
            strings,
            has_edges,
        } = parsed;
        let mut vocabulary = Vocabulary::default();
        let codes = |symbols: Vec<Symbol>, vocabulary: &mut Vocabulary| {
            symbols
                .iter()
                .map(|symbol| code(symbol, vocabulary, &mutables))
                .collect::<Vec<Code>>()
        };
        let strings: Vec<_> = strings
            .into_iter()
            .map(|symbols| codes(symbols, &mut vocabulary))
            .collect();
        let words = Words::new(vocabulary, &mutables);
        let mut edges: Vec<Edges> = (0..mutables.len())
            .map(|number| Edges::of_mutable(number, &mutables))
            .collect();
        edges.extend(words.iter().map(Edges::of_word));
        let unknown = words.unknown();
        edges.push(Edges::default());
        let automaton = Automaton::new(strings, edges.len());
        let has_pieces = mutables.stop_at(&CUTS);
        Part {
            mutables,
            words,
            automaton,
            has_edges,
            edges,
            unknown,
            has_pieces,
            memories: Pool::default(),
        }
    }

    fn matches(&self, page: &str, memory: usize) -> Vec<Span> {
        let matcher = Matcher::new(self, page);
        if memory == 0 || !self.has_pieces {
            return matcher.matches();
        }
        self.memories.lend_or_make(
            || Memory::new(memory),
            |memory| matcher.matches_in_pieces(memory),
        )
    }
}

fn code(symbol: &Symbol, vocabulary: &mut Vocabulary, mutables: &Mutables) -> Code {
    let number = match &symbol.name {
        Name::Mutable(number) => *number as u32,
        Name::Word(word) => vocabulary.intern(word) + mutables.len() as u32,
    };
    number << 1 | u32::from(symbol.spaced)
}
