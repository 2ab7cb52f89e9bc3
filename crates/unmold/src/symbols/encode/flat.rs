//! Words and marks as symbols, markup or not.
//!
//! A flat view of a page: it does not know what a tag is, so it reads pages, feeds and plain text
//! alike.
//!
//! ```
//! use unmold::{Text, symbols::encode::Flat};
//!
//! let symbols = Flat::default().encode(&[Text::from_string("1", "<b>It's  東京!</b>")]);
//! let names: Vec<_> = symbols.page(0).map(|position| symbols.name(position)).collect();
//! assert_eq!(names, ["<", "b", ">", "It", "'", "s", "東", "京", "!", "<", "/", "b", ">"]);
//! ```
//!
//! - A word is a run of letters, digits, marks on letters and underscores, of any script that puts
//!   spaces between words; an entity that stands for a letter is one. In scripts that do not, every
//!   character is a symbol, and so is everything else but white space.
//! - White space is no symbol, but a symbol with white space before it is another one than the same
//!   without: `Read more` and `Read-more` are told apart, and how much white space there is does
//!   not matter.
//! - Where a symbol ends is decided by the two characters there and nothing else. That is what
//!   makes a string of symbols a regular expression; see [`strings`](crate::strings).
//! - A [`mutable`](super::mutable) pattern is tried at the beginning of a word or mark, but not at
//!   the name of a tag: `h1` and `h2` are not two instances of one thing.
//!
//! Cost: linear; a pass over the bytes and a look-up for each word.

use super::{
    Sink, Symbols,
    block::{BYTES, Block, Token, Tokens, lowest},
    encode_marked_pages,
    words::{Class, ascii_classes, class_of},
};
use crate::{
    Span, Text,
    read::mutable::{Look, MutableMatch, Mutables},
};
use memchr::memchr;
use std::{borrow::Borrow, ops::Range};

/// Reads pages as words and marks.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    mutables: Mutables,
}

/// The bit of a code that says that white space stands before the symbol; the number stands above
/// it.
pub(crate) const SPACED: u32 = 1;

impl Flat {
    /// Makes every match of a mutable pattern one symbol, the same whatever it matched.
    #[must_use]
    pub fn with_mutables(mut self, mutables: Mutables) -> Self {
        self.mutables = mutables;
        self
    }

    /// Encodes pages.
    pub fn encode<T: Borrow<Text> + Sync>(&self, texts: &[T]) -> Symbols {
        encode_marked_pages(texts, self.mutables.clone(), SPACED, |text, sink| {
            let mutables = sink.mutables();
            read(
                text,
                mutables,
                &mut Interning {
                    sink,
                    short: [UNSEEN; 128],
                },
            );
        })
    }
}

/// What knows words by number and takes the symbols that are read.
pub(crate) trait Lexicon {
    /// The number of a word (or of a mark or letter that is a symbol of its own), and whether a
    /// mutable pattern may begin with it because of what it is; how it looks need not be
    /// considered.
    fn word(&mut self, text: &str, word: Span) -> (u32, bool);

    /// Takes a word.
    fn take_word(&mut self, word: Word);

    /// Takes the words of a block up to the first one that a mutable pattern may begin with, which
    /// is given back.
    #[inline]
    fn take_words(&mut self, text: &str, tokens: &mut Tokens, begins: Begins) -> Option<Word> {
        for token in tokens {
            let (number, is_beginning) = self.word(text, token.span);
            let word = Word {
                number,
                spaced: token.spaced,
                span: token.span,
            };
            if is_beginning || begins.with(&token) {
                return Some(word);
            }
            self.take_word(word);
        }
        None
    }

    /// Takes a mutable pattern.
    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span);
}

/// A word of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) number: u32,
    /// Whether white space stands before it.
    pub(crate) spaced: bool,
    pub(crate) span: Span,
}

/// The words of a block that a mutable pattern may begin with because of how they look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begins(u64);

impl Begins {
    #[inline(always)]
    pub(crate) fn with(self, token: &Token) -> bool {
        self.0 >> token.end & 1 == 1
    }
}

/// Marks at which a page may be cut: a piece that begins with one, and ends before one or with the
/// page, is read as it would be read anywhere else.
///
/// Each is a symbol of its own, and it is white space before it and nothing else that counts. So
/// this holds where no [pattern goes across them](Mutables::stop_at).
pub(crate) const CUTS: [u8; 3] = [b'<', b'>', b'"'];

/// Reads a page from its start to its end.
#[inline]
pub(crate) fn read(text: &str, mutables: &Mutables, lexicon: &mut impl Lexicon) {
    Reader::new(text, mutables).read(0..text.len(), false, lexicon);
}

/// Reads a page in pieces; see [`CUTS`].
pub(crate) struct Reader<'t> {
    text: &'t str,
    mutables: &'t Mutables,
    emails: Emails<'t>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, mutables: &'t Mutables) -> Self {
        Reader {
            text,
            mutables,
            emails: Emails::new(text, mutables),
        }
    }

    /// Reads a piece that stands behind those read before. Takes whether white space stands before
    /// it, and says whether it ends with white space.
    #[inline]
    pub(crate) fn read(
        &mut self,
        piece: Range<usize>,
        spaced: bool,
        lexicon: &mut impl Lexicon,
    ) -> bool {
        let mut at = At {
            place: piece.start,
            spaced,
        };
        while at.place < piece.end {
            let block = Block::at(self.text.as_bytes(), at.place);
            let length = block.readable(piece.end - at.place);
            at = if length > 0 && self.is_plain(&block, at.place, length) {
                self.read_block(&block, length, at, piece.end, lexicon)
            } else {
                self.read_characters(at, piece.end, lexicon)
            };
        }
        at.spaced
    }

    /// Whether all of these bytes are ASCII and stand for no other letters, and no e-mail address
    /// begins there.
    #[inline(always)]
    fn is_plain(&mut self, block: &Block, place: usize, length: usize) -> bool {
        let here = lowest(length);
        let mut ampersands = block.ampersands & here;
        while ampersands != 0 {
            if letter_entity(self.text, place + ampersands.trailing_zeros() as usize).is_some() {
                return false;
            }
            ampersands &= ampersands - 1;
        }
        block.others & here == 0 && !self.emails.begin_before(place, place + length)
    }

    /// Reads the first bytes of a block.
    #[inline(always)]
    fn read_block(
        &mut self,
        block: &Block,
        length: usize,
        at: At,
        end: usize,
        lexicon: &mut impl Lexicon,
    ) -> At {
        let mut tokens = block.tokens(length, at.place, at.spaced);
        let begins = Begins(
            self.mutables
                .of_looks(tokens.behind_digits, tokens.behind_capitals),
        );
        while let Some(word) = lexicon.take_words(self.text, &mut tokens, begins) {
            match self.find_mutable(word.span, end) {
                Some(MutableMatch { pattern, end }) => {
                    lexicon.take_mutable(
                        pattern,
                        word.spaced,
                        Span {
                            end: end as u32,
                            ..word.span
                        },
                    );
                    return At {
                        place: end,
                        spaced: false,
                    };
                }
                None => lexicon.take_word(word),
            }
        }
        At {
            place: at.place + length,
            spaced: block.is_space(length - 1),
        }
    }

    /// Reads about as much as a block, character by character.
    #[inline(never)]
    fn read_characters(&mut self, at: At, end: usize, lexicon: &mut impl Lexicon) -> At {
        let At {
            mut place,
            mut spaced,
        } = at;
        while place < end.min(at.place + BYTES) {
            let start = place;
            let (class, width) = class_or_entity_at(self.text, start);
            place += width;
            if class == Class::Space {
                spaced = true;
                continue;
            }
            if class == Class::Word {
                place = word_end(self.text, place);
            }
            let span = Span {
                start: start as u32,
                end: place as u32,
            };
            let (number, begins) = lexicon.word(self.text, span);
            let begins = begins
                || self
                    .mutables
                    .may_begin_with_look(Look::of(span.of(self.text)));
            let may_begin = self.emails.begins(start) || begins || self.mutables.begin_anywhere();
            match may_begin.then(|| self.find_mutable(span, end)).flatten() {
                Some(MutableMatch { pattern, end }) => {
                    place = end;
                    lexicon.take_mutable(
                        pattern,
                        spaced,
                        Span {
                            end: end as u32,
                            ..span
                        },
                    );
                }
                None => lexicon.take_word(Word {
                    number,
                    spaced,
                    span,
                }),
            }
            spaced = false;
        }
        At { place, spaced }
    }

    /// The mutable pattern that begins with a word, if one does and is at least as long.
    #[inline(never)]
    fn find_mutable(&self, word: Span, end: usize) -> Option<MutableMatch> {
        let bytes = self.text.as_bytes();
        let Range {
            start,
            end: word_end,
        } = word.range();
        if !self.mutables.is_worth_trying(bytes, start, word_end) || is_tag_name(bytes, start) {
            return None;
        }
        self.mutables
            .find_at(self.text, start, end)
            .filter(|found| found.end >= word_end)
    }
}

/// How far a page has been read, and whether white space was the last thing there.
#[derive(Clone, Copy, Debug)]
struct At {
    place: usize,
    spaced: bool,
}

/// Whether the word at a place is the name of a tag.
fn is_tag_name(bytes: &[u8], start: usize) -> bool {
    let before = |back: usize| start.checked_sub(back).map(|at| bytes[at]);
    before(1) == Some(b'<') || before(1) == Some(b'/') && before(2) == Some(b'<')
}

/// The class of the character at a place, and its width in bytes.
#[inline]
fn class_at(text: &str, at: usize) -> (Class, usize) {
    let byte = text.as_bytes()[at];
    if byte < 0x80 {
        return (ASCII[usize::from(byte)], 1);
    }
    let c = text[at..]
        .chars()
        .next()
        .expect("a place is on a character boundary");
    (class(c), c.len_utf8())
}

/// The same, with an entity that stands for a letter as a letter.
#[inline]
fn class_or_entity_at(text: &str, at: usize) -> (Class, usize) {
    match letter_entity(text, at) {
        Some(width) => (Class::Word, width),
        None => class_at(text, at),
    }
}

/// The length of an entity that stands for a letter: `&uuml;` in the middle of a word.
#[inline]
fn letter_entity(text: &str, at: usize) -> Option<usize> {
    if text.as_bytes()[at] != b'&' {
        return None;
    }
    decoded_letter(text, at)
}

#[cold]
fn decoded_letter(text: &str, at: usize) -> Option<usize> {
    const LONGEST: usize = 12;
    let name = text.as_bytes()[at + 1..].iter().take(LONGEST);
    let length = name
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
        .count()
        + 1;
    if text.as_bytes().get(at + length) != Some(&b';') {
        return None;
    }
    let decoded = htmlize::unescape(&text[at..=at + length]);
    let mut letters = decoded.chars();
    let is_letter =
        letters.next().is_some_and(|c| class(c) == Class::Word) && letters.next().is_none();
    is_letter.then_some(length + 1)
}

/// As words have it, but for characters that are no white space to regular expressions.
pub(crate) fn class(c: char) -> Class {
    match class_of(c) {
        Class::Space if !c.is_whitespace() => Class::Mark,
        class => class,
    }
}

/// The end of a word, of which the first character has been read.
fn word_end(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        match class_or_entity_at(text, at) {
            (Class::Word, width) => at += width,
            _ => break,
        }
    }
    at
}

/// Regular expressions take control characters for marks, so this reader does.
static ASCII: [Class; 128] = ascii_classes(Class::Mark);

/// Where the next e-mail address may begin: at the start of the run of its characters before an
/// `@`.
struct Emails<'t> {
    text: &'t [u8],
    /// The start of that run, and the `@`.
    start: usize,
    at: usize,
}

impl<'t> Emails<'t> {
    fn new(text: &'t str, mutables: &Mutables) -> Self {
        let text = if mutables.may_begin_anywhere("@") {
            text.as_bytes()
        } else {
            &[]
        };
        let mut emails = Emails {
            text,
            start: usize::MAX,
            at: usize::MAX,
        };
        emails.find(0);
        emails
    }

    #[inline]
    fn begins(&mut self, place: usize) -> bool {
        if place > self.at {
            self.find(place);
        }
        place == self.start
    }

    /// Whether one may begin between two places; all before them have been passed.
    #[inline]
    fn begin_before(&mut self, place: usize, end: usize) -> bool {
        if place > self.at {
            self.find(place);
        }
        self.start < end
    }

    fn find(&mut self, from: usize) {
        let Some(found) = self.text.get(from..).and_then(|rest| memchr(b'@', rest)) else {
            (self.start, self.at) = (usize::MAX, usize::MAX);
            return;
        };
        let before = &self.text[from..from + found];
        let run = before
            .iter()
            .rev()
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte));
        let run = &before[before.len() - run.count()..];
        let marks = run
            .iter()
            .take_while(|&&byte| b".+-".contains(&byte))
            .count();
        self.at = from + found;
        self.start = self.at - run.len() + marks;
    }
}

/// A word has not been met.
const UNSEEN: u32 = u32::MAX;

/// Numbers words in the order they are met.
struct Interning<'s, 'm> {
    sink: &'s mut Sink<'m>,
    /// Numbers of words and marks of one byte, which are most of the symbols of a page; the lowest
    /// bit says whether a mutable pattern may begin with it.
    short: [u32; 128],
}

impl Lexicon for Interning<'_, '_> {
    #[inline]
    fn word(&mut self, text: &str, word: Span) -> (u32, bool) {
        if word.len() > 1 {
            return self.sink.intern(word.of(text));
        }
        let byte = usize::from(text.as_bytes()[word.start as usize]);
        let known = self.short[byte];
        if known != UNSEEN {
            return (known >> 1, known & 1 == 1);
        }
        let (number, begins) = self.sink.intern(word.of(text));
        self.short[byte] = number << 1 | u32::from(begins);
        (number, begins)
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
        let number = number + self.sink.mutables().len() as u32;
        self.sink
            .push_code(number << SPACED | u32::from(spaced), span);
    }

    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
        self.sink
            .push_code((pattern as u32) << SPACED | u32::from(spaced), span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(page: &str) -> Vec<String> {
        let symbols = Flat::default()
            .with_mutables(Mutables::common())
            .encode(&[Text::from_string("page", page)]);
        symbols
            .page(0)
            .map(|position| symbols.name(position).into_owned())
            .collect()
    }

    #[test]
    fn mutable_patterns_but_not_names_of_tags() {
        assert_eq!(
            names("<h1>I'm 24, </h1>"),
            [
                "<", "h1", ">", "I", "'", "m", "{number}", ",", "<", "/", "h1", ">"
            ]
        );
        assert_eq!(
            names("全12件中3件"),
            ["全", "{number}", "件", "中", "{number}", "件"]
        );
        assert_eq!(names("$5 or 9,50 €"), ["{money}", "or", "{amount}"]);
        assert_eq!(
            names("@media a.b@mail.example, @x"),
            ["@", "media", "{email}", ",", "@", "x"]
        );
    }

    /// Takes what is read as it is.
    #[derive(Default)]
    struct Listing(Vec<(Span, bool, Option<usize>)>);

    impl Lexicon for Listing {
        fn word(&mut self, text: &str, word: Span) -> (u32, bool) {
            (0, Mutables::common().may_begin_with(word.of(text)))
        }

        fn take_word(&mut self, Word { spaced, span, .. }: Word) {
            self.0.push((span, spaced, None));
        }

        fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
            self.0.push((span, spaced, Some(pattern)));
        }
    }

    /// What is read by blocks, and character by character.
    fn both_ways(page: &str) -> [Vec<(Span, bool, Option<usize>)>; 2] {
        let mutables = Mutables::common();
        let (mut blocks, mut characters) = (Listing::default(), Listing::default());
        read(page, &mutables, &mut blocks);
        let mut reader = Reader::new(page, &mutables);
        let mut at = At {
            place: 0,
            spaced: false,
        };
        while at.place < page.len() {
            at = reader.read_characters(at, page.len(), &mut characters);
        }
        [blocks.0, characters.0]
    }

    proptest! {
        #[test]
        fn blocks_are_read_like_characters(
            page in "([ \\n]{1,3}|[a-z]{1,9}|[A-Z]{1,4}|[a-z]{60,70}|x9|_|[0-9]{1,3}|[<>\"/.,:&@$%-]|<h1|</h1>|May 5, |2007-02-27|a.b@c.example|&nbsp;|&uuml;|東京|é){0,60}",
        ) {
            let [blocks, characters] = both_ways(&page);
            prop_assert_eq!(blocks, characters);
        }
    }

    #[test]
    fn entities_are_letters_where_they_stand_for_one() {
        assert_eq!(
            names("f&uuml;r&nbsp;R&#228;der &amp; &Auml;"),
            [
                "f&uuml;r",
                "&",
                "nbsp",
                ";",
                "R&#228;der",
                "&",
                "amp",
                ";",
                "&Auml;"
            ]
        );
    }

    #[test]
    fn white_space_before_a_symbol_makes_another_symbol() {
        let symbols = Flat::default().encode(&[Text::from_string("page", "a  b\nb-b")]);
        let codes: Vec<u32> = symbols
            .page(0)
            .map(|position| symbols.code(position))
            .collect();
        assert_eq!(codes[1], codes[2]);
        assert_eq!(codes[1] ^ codes[4], SPACED);
    }
}
