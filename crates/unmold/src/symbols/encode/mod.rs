//! Which symbols is a page made of?
//!
//! Everything behind this module works on sequences of symbols and does not care what they are.
//! Each encoding reads pages at another grain:
//!
//! | encoding | a symbol is | for |
//! |---|---|---|
//! | [`bytes`] | a byte | any data at all |
//! | [`chars`] | a character | alternation counts, LR wrappers, amplification |
//! | [`words`] | a word, a punctuation mark, a piece of a tag; or a [`mutable`] pattern | repeats of markup |
//! | [`flat`] | a word or a mark, with or without white space before it; or a [`mutable`] pattern | template strings |
//! | [`tags`] | a tag, or all the text between two tags | records, paths |
//!
//! ```
//! use unmold::{Text, symbols::encode};
//!
//! let pages = [Text::from_string("1", "<b>Congo</b>"), Text::from_string("2", "<b>Egypt</b>")];
//! let symbols = encode::Words::default().encode(&pages);
//! let names: Vec<_> = symbols.page(1).map(|position| symbols.name(position)).collect();
//! assert_eq!(names, ["<b>", "Egypt", "</b>"]);
//! assert_eq!(symbols.span(symbols.page(1).start + 1).of(pages[1].as_str()), "Egypt");
//! ```
//!
//! A *position* counts symbols over all pages, end to end; it is the one coordinate that the index
//! and the detectors use. Every position knows its page and its [`Span`] there.
//!
//! Pages are encoded in parallel. Codes are given in the order of first appearance, page after
//! page, so the result does not depend on the number of threads.

pub(crate) mod block;
pub mod bytes;
pub mod chars;
pub mod flat;
pub mod tags;
pub mod words;

use crate::{
    Span, Text,
    read::{
        mutable::{self, Mutables},
        vocabulary::Vocabulary,
    },
};
use rayon::prelude::*;
use std::{
    borrow::{Borrow, Cow},
    ops::Range,
};
use unmold_suffix::Boundaries;
pub use {flat::Flat, tags::Tags, words::Words};

/// The pages of a corpus as sequences of symbols.
#[derive(Clone, Debug)]
pub struct Symbols {
    codes: Codes,
    places: Places,
    pages: Boundaries,
    alphabet: Alphabet,
}

/// The symbols by number: one byte where the alphabet is bytes, four otherwise.
#[derive(Clone, Debug)]
pub enum Codes {
    /// Symbols that are bytes.
    Bytes(Vec<u8>),
    /// Symbols of any alphabet, numbered densely.
    Wide(Vec<u32>),
}

/// Where symbols stand in their pages.
#[derive(Clone, Debug)]
enum Places {
    /// Symbol and byte are the same thing.
    Bytes,
    Listed(Listed),
}

/// Start and length of each symbol. Lengths are short but for a few, which are kept apart.
#[derive(Clone, Debug, Default)]
struct Listed {
    starts: Vec<u32>,
    lengths: Vec<u16>,
    long: Vec<(usize, u32)>,
}

#[derive(Clone, Debug)]
enum Alphabet {
    Bytes,
    /// The numbers of the mutable patterns come first, then those of the vocabulary.
    Words {
        vocabulary: Vocabulary,
        mutables: Mutables,
        /// How many bits below the number say something else about a symbol.
        marks: u32,
    },
}

impl Symbols {
    /// How many symbols there are in all pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there is no symbol at all.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The symbols by number.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// How many different codes there may be.
    pub fn alphabet(&self) -> usize {
        match &self.alphabet {
            Alphabet::Bytes => 256,
            Alphabet::Words {
                vocabulary,
                mutables,
                marks,
            } => (mutables.len() + vocabulary.len()) << marks,
        }
    }

    /// Which positions belong to which page.
    pub fn pages(&self) -> &Boundaries {
        &self.pages
    }

    /// The positions of one page.
    pub fn page(&self, page: usize) -> Range<usize> {
        self.pages.range(page)
    }

    /// The symbol at a position, by number.
    #[inline]
    pub fn code(&self, position: usize) -> u32 {
        match &self.codes {
            Codes::Bytes(codes) => u32::from(codes[position]),
            Codes::Wide(codes) => codes[position],
        }
    }

    /// Where the symbol at a position stands in its page.
    #[inline]
    pub fn span(&self, position: usize) -> Span {
        match &self.places {
            Places::Bytes => {
                let start = position - self.pages.start(self.pages.sequence_of(position));
                Span::new(start, start + 1)
            }
            Places::Listed(listed) => listed.span(position),
        }
    }

    /// Where a run of symbols of one page stands in it, gaps included.
    ///
    /// # Panics
    /// When the run is empty.
    pub fn span_of(&self, positions: Range<usize>) -> Span {
        self.span(positions.start).to(self.span(positions.end - 1))
    }

    /// The symbol at a position, for people: the word, the tag, or a pattern's name in curly
    /// brackets.
    pub fn name(&self, position: usize) -> Cow<'_, str> {
        self.name_of_code(self.code(position))
    }

    /// A symbol by number, for people.
    pub fn name_of_code(&self, code: u32) -> Cow<'_, str> {
        match &self.alphabet {
            Alphabet::Bytes => Cow::Owned((code as u8).escape_ascii().to_string()),
            Alphabet::Words {
                vocabulary,
                mutables,
                marks,
            } => match mutables.get((code >> marks) as usize) {
                Some(pattern) => Cow::Owned(format!("{{{}}}", pattern.name())),
                None => Cow::Borrowed(vocabulary.word((code >> marks) - mutables.len() as u32)),
            },
        }
    }

    /// The pattern that a code stands for, if it stands for one.
    pub fn mutable(&self, code: u32) -> Option<&mutable::Mutable> {
        match &self.alphabet {
            Alphabet::Bytes => None,
            Alphabet::Words {
                mutables, marks, ..
            } => mutables.get((code >> marks) as usize),
        }
    }
}

impl Listed {
    const LONG: u16 = u16::MAX;

    #[inline]
    fn push(&mut self, span: Span) {
        let length = u16::try_from(span.len()).unwrap_or(Self::LONG);
        if length == Self::LONG {
            self.long.push((self.starts.len(), span.len() as u32));
        }
        self.starts.push(span.start);
        self.lengths.push(length);
    }

    #[inline]
    fn span(&self, position: usize) -> Span {
        let start = self.starts[position];
        let length = match self.lengths[position] {
            Self::LONG => self.long_length(position),
            length => u32::from(length),
        };
        Span {
            start,
            end: start + length,
        }
    }

    #[cold]
    fn long_length(&self, position: usize) -> u32 {
        let at = self.long.partition_point(|&(long, _)| long < position);
        self.long[at].1
    }

    fn append(&mut self, other: &Listed) {
        let shift = self.starts.len();
        self.long.extend(
            other
                .long
                .iter()
                .map(|&(position, length)| (position + shift, length)),
        );
        self.starts.extend_from_slice(&other.starts);
        self.lengths.extend_from_slice(&other.lengths);
    }

    fn reserve(&mut self, additional: usize) {
        self.starts.reserve_exact(additional);
        self.lengths.reserve_exact(additional);
    }
}

/// What an encoding writes its symbols to: a few pages' worth, with a vocabulary of their own.
pub(crate) struct Sink<'m> {
    mutables: &'m Mutables,
    /// How many bits of a code stand below the number of the word.
    marks: u32,
    vocabulary: Vocabulary,
    /// For each word, whether a mutable pattern may begin with it; decided once per word.
    begins_mutable: Vec<bool>,
    codes: Vec<u32>,
    listed: Listed,
    page_ends: Vec<usize>,
}

impl<'m> Sink<'m> {
    fn new(mutables: &'m Mutables, marks: u32) -> Self {
        Sink {
            mutables,
            marks,
            vocabulary: Vocabulary::default(),
            begins_mutable: Vec::new(),
            codes: Vec::new(),
            listed: Listed::default(),
            page_ends: Vec::new(),
        }
    }

    /// Adds the symbol called `word`.
    #[inline]
    pub(crate) fn push(&mut self, word: &str, span: Span) {
        let word = self.vocabulary.intern(word);
        self.push_word(word, span);
    }

    #[inline]
    fn push_word(&mut self, word: u32, span: Span) {
        self.codes.push(word + self.mutables.len() as u32);
        self.listed.push(span);
    }

    /// Adds the symbol of a mutable pattern.
    pub(crate) fn push_mutable(&mut self, pattern: usize, span: Span) {
        self.codes.push(pattern as u32);
        self.listed.push(span);
    }

    /// Adds a symbol by its code: the number of a pattern or of a word behind the patterns, and the
    /// bits below it.
    #[inline]
    pub(crate) fn push_code(&mut self, code: u32, span: Span) {
        self.codes.push(code);
        self.listed.push(span);
    }

    /// The number of a word, and whether a mutable pattern may begin with it.
    #[inline]
    pub(crate) fn intern(&mut self, word: &str) -> (u32, bool) {
        let code = self.vocabulary.intern(word);
        if code as usize >= self.begins_mutable.len() {
            self.judge_new_words();
        }
        (code, self.begins_mutable[code as usize])
    }

    #[cold]
    fn judge_new_words(&mut self) {
        let new = self.begins_mutable.len() as u32..self.vocabulary.len() as u32;
        let judged = new.map(|word| self.mutables.may_begin_with(self.vocabulary.word(word)));
        self.begins_mutable.extend(judged);
    }

    pub(crate) fn mutables(&self) -> &'m Mutables {
        self.mutables
    }
}

/// Text that one thread encodes before results are put together: large enough that few words are
/// met twice, small enough that the copies awaiting their place stay a small share of memory.
const BLOCK_BYTES: usize = 4 << 20;

/// Encodes pages in parallel and gives out codes in order of first appearance.
pub(crate) fn encode_pages<T: Borrow<Text> + Sync>(
    texts: &[T],
    mutables: Mutables,
    encode_page: impl Fn(&str, &mut Sink<'_>) + Sync,
) -> Symbols {
    encode_marked_pages(texts, mutables, 0, encode_page)
}

/// The same, with some bits of each code below the number of its word.
fn encode_marked_pages<T: Borrow<Text> + Sync>(
    texts: &[T],
    mutables: Mutables,
    marks: u32,
    encode_page: impl Fn(&str, &mut Sink<'_>) + Sync,
) -> Symbols {
    let mut whole = Sink::new(&mutables, marks);
    let blocks = blocks(texts);
    // Waves bound how much finished work waits; two blocks a thread keep threads busy where blocks
    // differ in cost.
    for wave in blocks.chunks(2 * rayon::current_num_threads()) {
        let parts: Vec<Sink<'_>> = wave
            .par_iter()
            .map(|block| encode_block(block, Sink::new(&mutables, marks), &encode_page))
            .collect();
        if whole.codes.is_empty() {
            let first: usize = parts.iter().map(|part| part.codes.len()).sum();
            let estimate = first * blocks.len().div_ceil(wave.len());
            whole.codes.reserve_exact(estimate);
            whole.listed.reserve(estimate);
        }
        parts.iter().for_each(|part| append(&mut whole, part));
    }
    let Sink {
        vocabulary,
        codes,
        listed,
        page_ends,
        ..
    } = whole;
    Symbols {
        codes: Codes::Wide(codes),
        places: Places::Listed(listed),
        pages: Boundaries::new(page_ends),
        alphabet: Alphabet::Words {
            vocabulary,
            mutables,
            marks,
        },
    }
}

/// Cuts the corpus into runs of pages of about [`BLOCK_BYTES`].
fn blocks<T: Borrow<Text>>(texts: &[T]) -> Vec<&[T]> {
    let mut blocks = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        bytes += text.borrow().as_str().len();
        if bytes >= BLOCK_BYTES || at + 1 == texts.len() {
            blocks.push(&texts[start..=at]);
            (start, bytes) = (at + 1, 0);
        }
    }
    blocks
}

fn encode_block<'m, T: Borrow<Text>>(
    texts: &[T],
    mut sink: Sink<'m>,
    encode_page: &(impl Fn(&str, &mut Sink<'_>) + Sync),
) -> Sink<'m> {
    let bytes: usize = texts.iter().map(|text| text.borrow().as_str().len()).sum();
    // Words of markup are 6 to 8 bytes apart on real pages.
    sink.codes.reserve(bytes / 6);
    sink.listed.reserve(bytes / 6);
    for text in texts {
        encode_page(text.borrow().as_str(), &mut sink);
        sink.page_ends.push(sink.codes.len());
    }
    sink
}

/// Puts a block behind those before it, with its words renumbered.
fn append(whole: &mut Sink<'_>, part: &Sink<'_>) {
    let mutables = whole.mutables.len() as u32;
    let renumbered: Vec<u32> = (0..mutables)
        .chain(
            part.vocabulary
                .words()
                .map(|word| mutables + whole.vocabulary.intern(word)),
        )
        .collect();
    let shift = whole.codes.len();
    let marks = whole.marks;
    let below = (1 << marks) - 1;
    whole.codes.extend(
        part.codes
            .iter()
            .map(|&code| renumbered[(code >> marks) as usize] << marks | code & below),
    );
    whole.listed.append(&part.listed);
    whole
        .page_ends
        .extend(part.page_ends.iter().map(|end| end + shift));
}
