//! Words and marks as symbols, markup or not.
//!
//! A flat view of a page: it does not know what a tag is, so it reads pages, feeds and plain text alike.
//!
//! ```
//! use unmold::{decode::Text, encode::Flat};
//!
//! let symbols = Flat::default().encode(&[Text::from_string("1", "<b>It's  東京!</b>")]);
//! let names: Vec<_> = symbols.page(0).map(|position| symbols.name(position)).collect();
//! assert_eq!(names, ["<", "b", ">", "It", "'", "s", "東", "京", "!", "<", "/", "b", ">"]);
//! ```
//!
//! - A word is a run of letters, digits, marks on letters and underscores, of any script that puts spaces between
//!   words; an entity that stands for a letter is one. In scripts that do not, every character is a symbol, and so is
//!   everything else but white space.
//! - White space is no symbol, but a symbol with white space before it is another one than the same without: `Read
//!   more` and `Read-more` are told apart, and how much white space there is does not matter.
//! - Where a symbol ends is decided by the two characters there and nothing else. That is what makes a string of
//!   symbols a regular expression; see [`mold::template`](crate::mold::template).
//! - A [`mutable`](super::mutable) pattern is tried at the beginning of a word or mark, but not at the name of a tag:
//!   `h1` and `h2` are not two instances of one thing.
//!
//! Cost: linear; a pass over the bytes and a look-up for each word.

use super::{
    Sink, Symbols, encode_marked_pages,
    mutable::{Look, Mutables},
    words::{Class, ascii_classes, class_of},
};
use crate::{Span, decode::Text};
use memchr::memchr;
use std::ops::Range;

/// Reads pages as words and marks.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    mutables: Mutables,
}

/// The bit of a code that says that white space stands before the symbol; the number stands above it.
pub(crate) const SPACED: u32 = 1;

impl Flat {
    /// Makes every match of a mutable pattern one symbol, the same whatever it matched.
    #[must_use]
    pub fn with_mutables(mut self, mutables: Mutables) -> Self {
        self.mutables = mutables;
        self
    }

    /// Encodes pages.
    pub fn encode(&self, texts: &[Text]) -> Symbols {
        encode_marked_pages(texts, self.mutables.clone(), SPACED, |text, sink| {
            let mutables = sink.mutables();
            read(text, mutables, &mut Interning { sink, marks: [UNSEEN; 128] });
        })
    }
}

/// What knows words by number and takes the symbols that are read.
pub(crate) trait Lexicon {
    /// The number of a word (or of a mark or letter that is a symbol of its own), and whether a mutable pattern may
    /// begin with it.
    fn word(&mut self, text: &str, word: Span, look: Look) -> (u32, bool);

    /// The same for a mark of one byte.
    fn mark(&mut self, mark: u8) -> (u32, bool);

    /// Takes a word.
    fn take_word(&mut self, word: u32, spaced: bool, span: Span);

    /// Takes a mutable pattern.
    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span);
}

/// Marks at which a page may be cut: a piece that begins with one, and ends before one or with the page, is read as it
/// would be read anywhere else.
///
/// Each is a symbol of its own, and it is white space before it and nothing else that counts. So this holds where no
/// [pattern goes across them](Mutables::stop_at).
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
        Reader { text, mutables, emails: Emails::new(text, mutables) }
    }

    /// Reads a piece that stands behind those read before. Takes whether white space stands before it, and says whether it
    /// ends with white space.
    #[inline]
    pub(crate) fn read(&mut self, piece: Range<usize>, mut spaced: bool, lexicon: &mut impl Lexicon) -> bool {
        let (text, mutables) = (self.text, self.mutables);
        let bytes = text.as_bytes();
        let Range { start: mut at, end } = piece;
        while at < end {
            let start = at;
            let (word, begins) = match ASCII.get(usize::from(bytes[at])) {
                Some(Class::Space) => {
                    at += 1;
                    spaced = true;
                    continue;
                }
                Some(Class::Mark) if bytes[at] != b'&' => {
                    at += 1;
                    lexicon.mark(bytes[start])
                }
                _ => {
                    let (class, width) = class_or_entity_at(text, at);
                    at += width;
                    let look = match class {
                        Class::Space => {
                            spaced = true;
                            continue;
                        }
                        Class::Word => word_end(text, start, &mut at),
                        Class::Mark | Class::Single => Look::of(&text[start..at]),
                    };
                    lexicon.word(text, Span { start: start as u32, end: at as u32 }, look)
                }
            };
            let begins_email = self.emails.begins(start);
            if (begins || begins_email || mutables.begin_anywhere())
                && mutables.is_worth_trying(bytes, start, at)
                && !is_tag_name(bytes, start)
                && let Some(found) = mutables.find_at(text, start, end)
                && found.end >= at
            {
                at = found.end;
                lexicon.take_mutable(found.pattern, spaced, Span { start: start as u32, end: at as u32 });
            } else {
                lexicon.take_word(word, spaced, Span { start: start as u32, end: at as u32 });
            }
            spaced = false;
        }
        spaced
    }
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
    let c = text[at..].chars().next().expect("a place is on a character boundary");
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
    let length = name.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count() + 1;
    if text.as_bytes().get(at + length) != Some(&b';') {
        return None;
    }
    let decoded = htmlize::unescape(&text[at..=at + length]);
    let mut letters = decoded.chars();
    let is_letter = letters.next().is_some_and(|c| class(c) == Class::Word) && letters.next().is_none();
    is_letter.then_some(length + 1)
}

/// As words have it, but for characters that are no white space to regular expressions.
pub(crate) fn class(c: char) -> Class {
    match class_of(c) {
        Class::Space if !c.is_whitespace() => Class::Mark,
        class => class,
    }
}

/// Goes to the end of a word, of which the first character has been read, and says how it looks.
#[inline]
fn word_end(text: &str, start: usize, at: &mut usize) -> Look {
    let bytes = text.as_bytes();
    let first = LETTERS[usize::from(bytes[start])];
    // An entity, or a letter that is none of ASCII, stands first.
    let mut seen = if first == 0 { OTHER } else { first };
    while let Some(&byte) = bytes.get(*at)
        && LETTERS[usize::from(byte)] != 0
    {
        seen |= LETTERS[usize::from(byte)];
        *at += 1;
    }
    if seen & OTHER == 0 && bytes.get(*at).is_none_or(|&byte| byte < 0x80 && byte != b'&') {
        return Look { digit: seen & DIGIT != 0, upper: seen == UPPER };
    }
    *at = long_word_end(text, *at);
    Look::of(&text[start..*at])
}

fn long_word_end(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        match class_or_entity_at(text, at) {
            (Class::Word, width) => at += width,
            _ => break,
        }
    }
    at
}

const UPPER: u8 = 1;
const DIGIT: u8 = 2;
const LOWER: u8 = 4;
/// How a letter looks that is none of ASCII: unknown.
const OTHER: u8 = 8;

/// What a byte is as a letter; 0 if it may be none.
static LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 128u8 {
        letters[byte as usize] = match byte {
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'_' => LOWER,
            _ => 0,
        };
        byte += 1;
    }
    letters
};

/// Regular expressions take control characters for marks, so this reader does.
static ASCII: [Class; 128] = ascii_classes(Class::Mark);

/// Where the next e-mail address may begin: at the start of the run of its characters before an `@`.
struct Emails<'t> {
    text: &'t [u8],
    /// The start of that run, and the `@`.
    start: usize,
    at: usize,
}

impl<'t> Emails<'t> {
    fn new(text: &'t str, mutables: &Mutables) -> Self {
        let text = if mutables.may_begin_anywhere("@") { text.as_bytes() } else { &[] };
        let mut emails = Emails { text, start: usize::MAX, at: usize::MAX };
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

    fn find(&mut self, from: usize) {
        let Some(found) = self.text.get(from..).and_then(|rest| memchr(b'@', rest)) else {
            (self.start, self.at) = (usize::MAX, usize::MAX);
            return;
        };
        let before = &self.text[from..from + found];
        let run = before.iter().rev().take_while(|&&byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte));
        let run = &before[before.len() - run.count()..];
        let marks = run.iter().take_while(|&&byte| b".+-".contains(&byte)).count();
        self.at = from + found;
        self.start = self.at - run.len() + marks;
    }
}

/// A word has not been met.
const UNSEEN: u32 = u32::MAX;

/// Numbers words in the order they are met.
struct Interning<'s, 'm> {
    sink: &'s mut Sink<'m>,
    /// Numbers of marks of one byte, which are most of the symbols of a page; the lowest bit says whether a mutable
    /// pattern may begin with it.
    marks: [u32; 128],
}

impl Lexicon for Interning<'_, '_> {
    #[inline]
    fn word(&mut self, text: &str, word: Span, _: Look) -> (u32, bool) {
        self.sink.intern(word.of(text))
    }

    #[inline]
    fn mark(&mut self, mark: u8) -> (u32, bool) {
        let known = self.marks[usize::from(mark)];
        if known != UNSEEN {
            return (known >> 1, known & 1 == 1);
        }
        let (word, begins) = self.sink.intern(char::from(mark).encode_utf8(&mut [0; 4]));
        self.marks[usize::from(mark)] = word << 1 | u32::from(begins);
        (word, begins)
    }

    #[inline]
    fn take_word(&mut self, word: u32, spaced: bool, span: Span) {
        let number = word + self.sink.mutables().len() as u32;
        self.sink.push_code(number << SPACED | u32::from(spaced), span);
    }

    fn take_mutable(&mut self, pattern: usize, spaced: bool, span: Span) {
        self.sink.push_code((pattern as u32) << SPACED | u32::from(spaced), span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(page: &str) -> Vec<String> {
        let symbols = Flat::default().with_mutables(Mutables::common()).encode(&[Text::from_string("page", page)]);
        symbols.page(0).map(|position| symbols.name(position).into_owned()).collect()
    }

    #[test]
    fn mutable_patterns_but_not_names_of_tags() {
        assert_eq!(names("<h1>I'm 24, </h1>"), ["<", "h1", ">", "I", "'", "m", "{number}", ",", "<", "/", "h1", ">"]);
        assert_eq!(names("全12件中3件"), ["全", "{number}", "件", "中", "{number}", "件"]);
        assert_eq!(names("$5 or 9,50 €"), ["{money}", "or", "{amount}"]);
        assert_eq!(names("@media a.b@mail.example, @x"), ["@", "media", "{email}", ",", "@", "x"]);
    }

    #[test]
    fn entities_are_letters_where_they_stand_for_one() {
        assert_eq!(
            names("f&uuml;r&nbsp;R&#228;der &amp; &Auml;"),
            ["f&uuml;r", "&", "nbsp", ";", "R&#228;der", "&", "amp", ";", "&Auml;"]
        );
    }

    #[test]
    fn white_space_before_a_symbol_makes_another_symbol() {
        let symbols = Flat::default().encode(&[Text::from_string("page", "a  b\nb-b")]);
        let codes: Vec<u32> = symbols.page(0).map(|position| symbols.code(position)).collect();
        assert_eq!(codes[1], codes[2]);
        assert_eq!(codes[1] ^ codes[4], SPACED);
    }
}
