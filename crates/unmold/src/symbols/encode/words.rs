//! Words as symbols, markup included.
//!
//! The default reads markup and text each in its own way:
//!
//! ```
//! use unmold::{Text, symbols::encode::Words};
//!
//! let page = r#"<p><a href="/2007/x.html">It's 東京!</a></p>"#;
//! let symbols = Words::default().encode(&[Text::from_string("1", page)]);
//! let names: Vec<_> = symbols.page(0).map(|position| symbols.name(position).into_owned()).collect();
//! assert_eq!(names, [
//!     "<p>", "<a", "href=\"", "/", "2007/", "x.html", "\">",
//!     "It", "'", "s", "東", "京", "!", "</a>", "</p>",
//! ]);
//! ```
//!
//! - A word is a run of letters, digits, marks and underscores, of any script that puts spaces
//!   between words. In scripts that do not (Han, kana, Thai, Lao, Khmer, Burmese, Tibetan) every
//!   character is a symbol.
//! - A punctuation mark is a symbol in text; in scripts and comments a run of them is one.
//! - A tag without attributes is one symbol. Otherwise its name is one, each attribute up to its
//!   value another, and values are cut at spaces and behind the delimiters of addresses.
//! - White space is no symbol.
//!
//! [`Words::split_by`] reads by a regular expression instead, markup or not: `\S+` is what the
//! thesis on template strings does. Either way, [`Words::with_mutables`] makes one symbol of each
//! date, number or other pattern that changes from page to page.
//!
//! Cost: linear; most of it is spent on looking up words.

use super::{Sink, Symbols, encode_pages};
use crate::{
    Span, Text,
    read::{
        html::{self, Kind, Token},
        mutable::Mutables,
    },
};
use regex::Regex;
use std::sync::LazyLock;

/// Reads pages as words; the default knows markup from text.
#[derive(Clone, Debug, Default)]
pub struct Words {
    pattern: Option<Regex>,
    mutables: Mutables,
}

impl Words {
    /// Makes every match of `pattern` a symbol and everything between matches none.
    #[must_use]
    pub fn split_by(mut self, pattern: Regex) -> Self {
        self.pattern = Some(pattern);
        self
    }

    /// Makes every match of a mutable pattern one symbol, the same whatever it matched.
    #[must_use]
    pub fn with_mutables(mut self, mutables: Mutables) -> Self {
        self.mutables = mutables;
        self
    }

    /// Encodes pages.
    pub fn encode(&self, texts: &[Text]) -> Symbols {
        encode_pages(texts, self.mutables.clone(), |text, sink| {
            match &self.pattern {
                None => encode_markup(text, sink),
                Some(pattern) => encode_matches(text, pattern, sink),
            }
        })
    }
}

fn encode_matches(text: &str, pattern: &Regex, sink: &mut Sink<'_>) {
    let mut writer = Writer::new(text, Span::new(0, text.len()), sink);
    pattern
        .find_iter(text)
        .filter(|found| !found.is_empty())
        .for_each(|found| writer.word(found.start(), found.end()));
}

fn encode_markup(text: &str, sink: &mut Sink<'_>) {
    for token in html::tokens(text) {
        match token.kind {
            Kind::Text | Kind::Cdata => encode_piece(text, token.span, Grain::Text, sink),
            Kind::Start | Kind::End => encode_tag(text, token, sink),
            _ => encode_piece(text, token.span, Grain::Code, sink),
        }
    }
}

fn encode_tag(text: &str, tag: Token, sink: &mut Sink<'_>) {
    let bare = tag.name.end + 1 == tag.span.end;
    let head = Span {
        start: tag.span.start,
        end: if bare { tag.span.end } else { tag.name.end },
    };
    sink.push(head.of(text), head);
    if bare {
        return;
    }
    let mut at = tag.name.end;
    for value in html::attributes(text, tag).filter_map(|attribute| attribute.value) {
        encode_piece(
            text,
            Span {
                start: at,
                end: value.start,
            },
            Grain::Markup,
            sink,
        );
        encode_piece(text, value, Grain::Value, sink);
        at = value.end;
    }
    encode_piece(
        text,
        Span {
            start: at,
            end: tag.span.end,
        },
        Grain::Markup,
        sink,
    );
}

/// How finely a stretch of a page is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    /// Words and punctuation marks.
    Text,
    /// Words and runs of punctuation marks.
    Code,
    /// What stands between spaces: `class="`, `">`.
    Markup,
    /// What stands between the delimiters of addresses, each delimiter with what it ends: `docs/`,
    /// `?id=`.
    Value,
}

/// Encodes a stretch of a page.
fn encode_piece(text: &str, piece: Span, grain: Grain, sink: &mut Sink<'_>) {
    let mut writer = Writer::new(text, piece, sink);
    let mut at = piece.start as usize;
    let end = piece.end as usize;
    while at < end {
        let (class, width) = class_at(text, at);
        let start = at;
        at += width;
        match (class, grain) {
            (Class::Space, _) => continue,
            (Class::Single, _) | (Class::Mark, Grain::Text) => {}
            (class, Grain::Text | Grain::Code) => at = run_end(text, at, end, |next| next == class),
            (_, Grain::Markup) => at = run_end(text, at, end, |next| next != Class::Space),
            (_, Grain::Value) => at = value_end(text, start, end),
        }
        writer.word(start, at);
    }
}

/// Where a piece of an attribute value ends that begins at `start`.
fn value_end(text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < end {
        if b"/?&#=;:,".contains(&bytes[at]) {
            return at + 1;
        }
        let (class, width) = class_at(text, at);
        if matches!(class, Class::Space | Class::Single) {
            break;
        }
        at += width;
    }
    at
}

/// Puts words into a sink, or the mutable pattern that begins with them.
struct Writer<'t, 's, 'm> {
    text: &'t str,
    /// No pattern reaches beyond this.
    limit: usize,
    sink: &'s mut Sink<'m>,
    /// Set where any word may begin a pattern.
    all_begin: bool,
    /// Words before this have become part of a pattern.
    taken: usize,
}

impl<'t, 's, 'm> Writer<'t, 's, 'm> {
    #[inline]
    fn new(text: &'t str, piece: Span, sink: &'s mut Sink<'m>) -> Self {
        let all_begin = sink.mutables().may_begin_anywhere(piece.of(text));
        Writer {
            text,
            limit: piece.end as usize,
            all_begin,
            sink,
            taken: 0,
        }
    }

    #[inline]
    fn word(&mut self, start: usize, end: usize) {
        let start = start.max(self.taken);
        if start >= end {
            return;
        }
        let (word, begins) = self.sink.intern(&self.text[start..end]);
        if (begins || self.all_begin)
            && let Some(found) = self.sink.mutables().find_at(self.text, start, self.limit)
            && found.end >= end
        {
            self.taken = found.end;
            self.sink
                .push_mutable(found.pattern, Span::new(start, found.end));
        } else {
            self.sink.push_word(word, Span::new(start, end));
        }
    }
}

/// What a character is to a reader of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Space,
    Word,
    /// A letter of a script that does not put spaces between words.
    Single,
    Mark,
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
    (class_of(c), c.len_utf8())
}

/// Where a run of characters ends that goes on at `at`.
#[inline]
fn run_end(text: &str, mut at: usize, end: usize, goes_on: impl Fn(Class) -> bool) -> usize {
    while at < end {
        let (next, width) = class_at(text, at);
        if !goes_on(next) {
            break;
        }
        at += width;
    }
    at
}

static ASCII: [Class; 128] = ascii_classes(Class::Space);

/// The classes of the ASCII characters; `control` is that of control characters that are no white
/// space.
pub(super) const fn ascii_classes(control: Class) -> [Class; 128] {
    let mut classes = [Class::Mark; 128];
    let mut byte = 0;
    while byte < 128u8 {
        classes[byte as usize] = match byte {
            b'\t'..=b'\r' | b' ' => Class::Space,
            b'_' => Class::Word,
            _ if byte.is_ascii_alphanumeric() => Class::Word,
            _ if byte.is_ascii_control() => control,
            _ => Class::Mark,
        };
        byte += 1;
    }
    classes
}

/// The classes of the characters that have 16 bits: nearly all that occur. Made once, since the
/// Unicode tables behind it are searched, not indexed.
static SHORT: LazyLock<Vec<Class>> = LazyLock::new(|| {
    (0..=0xFFFF)
        .map(|code| char::from_u32(code).map_or(Class::Mark, class_by_tables))
        .collect()
});

#[inline]
pub(super) fn class_of(c: char) -> Class {
    SHORT
        .get(c as usize)
        .copied()
        .unwrap_or_else(|| class_by_tables(c))
}

fn class_by_tables(c: char) -> Class {
    if c.is_whitespace() || c == '\u{FEFF}' {
        Class::Space
    } else if is_spaceless(c) {
        Class::Single
    } else if regex_syntax::is_word_character(c) {
        Class::Word
    } else {
        Class::Mark
    }
}

/// Whether a letter belongs to a script that does not put spaces between words.
fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0FFF}'     // Thai, Lao, Tibetan
        | '\u{1000}'..='\u{109F}'   // Burmese
        | '\u{1780}'..='\u{17FF}'   // Khmer
        | '\u{3005}'..='\u{3007}'   // 々〆〇
        | '\u{3041}'..='\u{312F}'   // kana, bopomofo
        | '\u{31A0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'   // Han
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'   // half-width kana
        | '\u{20000}'..='\u{3FFFF}')
        // Not c.is_alphanumeric(): vowel signs and tone marks are no letters to it.
        && regex_syntax::is_word_character(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(page: &str, words: &Words) -> Vec<String> {
        let symbols = words.encode(&[Text::from_string("page", page)]);
        symbols
            .page(0)
            .map(|position| symbols.name(position).into_owned())
            .collect()
    }

    #[test]
    fn words_of_many_scripts() {
        let words = |text| names(text, &Words::default());
        assert_eq!(words("Grüße, Welt"), ["Grüße", ",", "Welt"]);
        assert_eq!(words("нельзя — можно"), ["нельзя", "—", "можно"]);
        assert_eq!(words("السَّلام عليكم؟"), ["السَّلام", "عليكم", "؟"]);
        assert_eq!(words("안녕하세요 세계"), ["안녕하세요", "세계"]);
        assert_eq!(words("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(words("猫である。"), ["猫", "で", "あ", "る", "。"]);
        assert_eq!(words("ไทย").len(), 3);
        assert_eq!(words("a\u{3000}b\u{a0}c"), ["a", "b", "c"]);
        assert_eq!(words("👩\u{200D}🚀!").concat(), "👩\u{200D}🚀!");
    }

    #[test]
    fn a_pattern_splits_markup_like_any_text() {
        let by_space = Words::default().split_by(Regex::new(r"\S+").unwrap());
        assert_eq!(
            names("hello! How are you?", &by_space),
            ["hello!", "How", "are", "you?"]
        );
    }

    #[test]
    fn mutables_are_one_symbol_and_stop_at_tags() {
        let words = Words::default().with_mutables(Mutables::common());
        assert_eq!(
            names("<p>on 27th February, 2007 at 9:30</p>", &words),
            ["<p>", "on", "{date-in-words}", "at", "{time}", "</p>"]
        );
        assert_eq!(
            names("<b>27</b> February", &words),
            ["<b>", "{number}", "</b>", "{month}"]
        );
        assert_eq!(
            names("I'm 24 years old", &words),
            ["I", "'", "m", "{number}", "years", "old"]
        );
    }

    #[test]
    fn a_number_inside_a_word_is_no_number() {
        let words = Words::default().with_mutables(Mutables::common());
        assert_eq!(
            names("<h1>a1 x</h1>", &words),
            ["<h1>", "{id}", "x", "</h1>"]
        );
    }
}
