//! Which characters do these bytes stand for?
//!
//! [`Text::decode`] turns a [`Page`] into text. It never fails: every byte sequence becomes some
//! text, and the answer says which charset was chosen and on what [`Evidence`].
//!
//! ```
//! use unmold::{Page, Text, read::decode::Evidence};
//!
//! // The declaration says Latin-1, the bytes are UTF-8.
//! let page = Page::new("lying.html", "<meta charset=iso-8859-1><p>Grüße".into()).with_charset("iso-8859-1");
//! let text = Text::decode(page);
//! assert!(text.as_str().ends_with("Grüße"));
//! assert_eq!((text.charset(), text.evidence()), ("UTF-8", Evidence::Utf8));
//! ```
//!
//! Evidence is taken in this order:
//!
//! 1. a byte order mark;
//! 2. the look of the bytes, where it leaves no doubt: UTF-32, UTF-16 without a mark (zeros in
//!    every other place), the escape sequences of ISO-2022-JP, and UTF-8. Text in another charset
//!    is practically never valid UTF-8 by chance, while declarations on real pages are often wrong,
//!    so valid UTF-8 wins over all of them. A few broken characters among many good ones (a page
//!    cut in the middle of a character, a Latin-1 name pasted into a UTF-8 page) change nothing,
//!    and no more than half of them do where the page says that it is UTF-8;
//! 3. the charset of the transport header, if the bytes are well-formed in it;
//! 4. the charset of `<meta>` or of the XML declaration, likewise;
//! 5. statistical detection over the first 4 KB from the first byte that is not ASCII.
//!
//! Spans refer to the decoded text. [`Text::raw_offsets`] leads back to the bytes of the page.

use super::{
    budget,
    guard::{PageError, PageErrorKind, guarded_by_id},
};
use crate::{Page, Span};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::string::FromUtf8Error;

/// Detection is slow (4 to 16 MB/s) and gains nothing from more than this.
const DETECTION_BYTES: usize = 4096;
/// Browsers look for a declaration in the first 1024 bytes; pages that put scripts first go a
/// little beyond.
const DECLARATION_BYTES: usize = 4096;
/// A page is UTF-8 if it has at least this many well-formed multi-byte characters for one
/// malformed. Of 2,181 pages in 18 older charsets (labelled pages of all languages, written in each that has
/// their letters), none has more than 0.8, but for pages that are UTF-8 read wrongly once before.
const GOOD_PER_BROKEN: usize = 4;

/// The same for a page that says it is UTF-8: text in another charset has hardly any by chance.
const GOOD_PER_BROKEN_DECLARED: usize = 1;

/// Why a charset was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A byte order mark.
    Mark,
    /// Nothing but ASCII, which is the same in all charsets that could be meant.
    Ascii,
    /// Multi-byte characters that are well-formed UTF-8 (all, or all but a few).
    Utf8,
    /// The shape of the bytes: zeros in every other place, or escape sequences.
    Shape,
    /// The charset of the transport header.
    Header,
    /// The charset of a `<meta>` element or an XML declaration.
    Meta,
    /// Statistics of the bytes.
    Detected,
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Evidence::Mark => "byte order mark",
            Evidence::Ascii => "plain ASCII",
            Evidence::Utf8 => "valid UTF-8",
            Evidence::Shape => "shape of the bytes",
            Evidence::Header => "transport header",
            Evidence::Meta => "declaration in the page",
            Evidence::Detected => "statistics",
        })
    }
}

/// The text of a page, and how it came to be.
#[derive(Clone, Debug)]
pub struct Text {
    id: String,
    url: Option<String>,
    string: String,
    /// Kept where the text is not simply the bytes: the way back from spans goes through them.
    raw: Option<Vec<u8>>,
    /// How many bytes there were, if they were UTF-32: four a character.
    wide: Option<usize>,
    charset: &'static Encoding,
    evidence: Evidence,
    malformed: bool,
    truncated: bool,
}

impl Text {
    /// Decodes a page and refuses one that would take more than its share of time and memory; a
    /// panic becomes an error.
    ///
    /// # Errors
    /// When the page is too complex for its size, or decoding panics.
    pub fn decode_guarded(page: Page) -> Result<Self, PageError> {
        let id = page.id().to_owned();
        let text = guarded_by_id(&id, || Text::decode(page))?;
        let complexity = guarded_by_id(&id, || budget::check(text.as_str()))?;
        complexity.map_err(|error| PageError {
            page: id,
            kind: PageErrorKind::TooComplex,
            message: error.to_string(),
        })?;
        Ok(text)
    }

    /// Decodes a page. Well-formed UTF-8 is taken over without copying.
    pub fn decode(page: Page) -> Self {
        let id = page.id().to_owned();
        let url = page.url().map(str::to_owned);
        let header = page
            .charset()
            .and_then(|label| Encoding::for_label(label.trim().as_bytes()));
        let truncated = page.is_truncated();
        let text = |string, raw, wide, malformed, charset, evidence| Text {
            id,
            url,
            string,
            raw,
            wide,
            charset,
            evidence,
            malformed,
            truncated,
        };
        let bytes = match String::from_utf8(page.into_bytes()) {
            Ok(string) if is_plain_utf8(string.as_bytes()) => {
                let evidence = if string.is_ascii() {
                    Evidence::Ascii
                } else {
                    Evidence::Utf8
                };
                return text(string, None, None, false, UTF_8, evidence);
            }
            other => other.map_or_else(FromUtf8Error::into_bytes, String::into_bytes),
        };
        if let Some(string) = utf32::decode(&bytes) {
            let malformed = string.contains(char::REPLACEMENT_CHARACTER);
            return text(
                string,
                None,
                Some(bytes.len()),
                malformed,
                UTF_8,
                Evidence::Shape,
            );
        }
        let (charset, evidence) = choose(&bytes, header);
        let (string, malformed) = charset.decode_with_bom_removal(&bytes);
        let string = string.into_owned();
        text(string, Some(bytes), None, malformed, charset, evidence)
    }

    /// A text that was never bytes, for examples and tests.
    pub fn from_string(id: impl Into<String>, string: impl Into<String>) -> Self {
        Text::decode(Page::new(id, string.into().into_bytes()))
    }

    /// The name of the page.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The address of the page, where it is known.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The characters of the page.
    pub fn as_str(&self) -> &str {
        &self.string
    }

    /// The name of the charset that was chosen, as the Encoding Standard spells it.
    pub fn charset(&self) -> &'static str {
        self.charset.name()
    }

    /// Why that charset was chosen.
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Whether some bytes made no sense in the charset and became U+FFFD.
    pub fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// How many characters were put for bytes that made no sense. Those that the page itself has
    /// count too, if there are others.
    pub fn replaced(&self) -> usize {
        if self.malformed {
            self.string.matches('\u{FFFD}').count()
        } else {
            0
        }
    }

    /// Whether the page is known to be cut short.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The way back from offsets in the text to offsets in the bytes of the page.
    ///
    /// Costs nothing for text that is the bytes; otherwise the page is decoded once more, byte by
    /// byte.
    pub fn raw_offsets(&self) -> RawOffsets {
        if let Some(length) = self.wide {
            return RawOffsets::of_fours(&self.string, length);
        }
        match &self.raw {
            None => RawOffsets {
                steps: Vec::new(),
                end: (self.string.len(), self.string.len()),
            },
            Some(raw) => RawOffsets::trace(raw, self.charset),
        }
    }
}

/// Whether bytes that are well-formed UTF-8 are nothing else: they have no mark, and not the shape
/// of another charset.
fn is_plain_utf8(bytes: &[u8]) -> bool {
    // UTF-32 of ASCII is well-formed, and full of zeros.
    let is_wide = || memchr::memchr(0, bytes).is_some() && utf32::decode(bytes).is_some();
    Encoding::for_bom(bytes).is_none() && shape(bytes).is_none() && !is_wide()
}

/// Decides on a charset; see the module documentation for the order.
fn choose(bytes: &[u8], header: Option<&'static Encoding>) -> (&'static Encoding, Evidence) {
    if let Some((charset, _)) = Encoding::for_bom(bytes) {
        return (charset, Evidence::Mark);
    }
    if let Some(charset) = shape(bytes) {
        return (charset, Evidence::Shape);
    }
    if bytes.is_ascii() {
        return (UTF_8, Evidence::Ascii);
    }
    let declared = [
        (header, Evidence::Header),
        (declaration(bytes), Evidence::Meta),
    ];
    let is_declared = declared.iter().any(|(charset, _)| *charset == Some(UTF_8));
    if is_nearly_utf8(
        bytes,
        if is_declared {
            GOOD_PER_BROKEN_DECLARED
        } else {
            GOOD_PER_BROKEN
        },
    ) {
        return (UTF_8, Evidence::Utf8);
    }
    for (charset, evidence) in declared {
        if let Some(charset) = charset.filter(|charset| is_plausible(bytes, charset)) {
            return (charset, evidence);
        }
    }
    (detect(bytes), Evidence::Detected)
}

/// Charsets whose bytes cannot be mistaken.
fn shape(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some(charset) = utf16(bytes) {
        return Some(charset);
    }
    let is_escape = |at: usize| matches!(bytes[at + 1..], [b'$', b'B' | b'@', ..]);
    let escaped = memchr::memchr_iter(b'\x1b', bytes).any(is_escape) && bytes.is_ascii();
    escaped.then_some(ISO_2022_JP)
}

/// Which UTF-16 a page without a mark is in. Markup is ASCII, so that some of every second byte is
/// zero, whatever the language of the page, and none of the others; text in Chinese leaves few of
/// them.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    /// One in so many characters of a page is ASCII at least.
    const ASCII_SHARE: usize = 12;
    /// Fewer zeros may be stray ones, unless most characters have one.
    const SURE: usize = 5;
    let sample = &bytes[..bytes.len().min(DETECTION_BYTES) / 2 * 2];
    let zeros = |parity: usize| {
        sample
            .iter()
            .skip(parity)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    let (charset, zeros, others) = if odd > even {
        (UTF_16LE, odd, even)
    } else {
        (UTF_16BE, even, odd)
    };
    let is_likely = 2 * zeros > pairs || zeros >= SURE && zeros * ASCII_SHARE > pairs;
    let is_wide = pairs >= 4 && is_likely && others * 20 < zeros;
    // Stray zeros in other text do not make pairs that all are characters. A pair of surrogates may
    // be cut at the end.
    let makes_sense = || {
        let (text, malformed) = charset.decode_without_bom_handling(&sample[..sample.len() - 2]);
        text.contains('<') && !malformed || 2 * zeros > pairs
    };
    (is_wide && makes_sense()).then_some(charset)
}

/// Whether text of these first bytes is in UTF-16 or UTF-32: it is full of zeros, and is no binary
/// data.
pub fn is_wide(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff")
        || utf32::decode(bytes).is_some()
        || utf16(bytes).is_some()
}

/// UTF-32, which browsers do not read and the Encoding Standard does not name: it is called UTF-8
/// once it is read.
mod utf32 {
    use super::DETECTION_BYTES;

    /// The text of bytes in UTF-32, if that is what they are: by their mark, or because every four
    /// of them are a character and many of these are ASCII.
    pub(super) fn decode(bytes: &[u8]) -> Option<String> {
        let little = |four: [u8; 4]| u32::from_le_bytes(four);
        let big = |four: [u8; 4]| u32::from_be_bytes(four);
        if is_utf32(bytes, little) {
            Some(text(bytes, little))
        } else {
            is_utf32(bytes, big).then(|| text(bytes, big))
        }
    }

    fn is_utf32(bytes: &[u8], number: fn([u8; 4]) -> u32) -> bool {
        let sample = &bytes[..bytes.len().min(DETECTION_BYTES)];
        let numbers = || sample.as_chunks().0.iter().map(|four| number(*four));
        let are_chars = || numbers().all(|number| number != 0 && char::from_u32(number).is_some());
        let ascii = || numbers().filter(|number| *number < 0x80).count();
        sample.len() >= 8 && are_chars() && 8 * ascii() >= numbers().count()
    }

    fn text(bytes: &[u8], number: fn([u8; 4]) -> u32) -> String {
        let (fours, rest) = bytes.as_chunks();
        let char_of =
            |four: &[u8; 4]| char::from_u32(number(*four)).unwrap_or(char::REPLACEMENT_CHARACTER);
        let cut = (!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
        fours
            .iter()
            .map(char_of)
            .chain(cut)
            .enumerate()
            .filter(|(at, c)| *at > 0 || *c != '\u{FEFF}')
            .map(|(_, c)| c)
            .collect()
    }
}

/// Whether the bytes that are not ASCII form UTF-8, but for one in so many characters.
fn is_nearly_utf8(bytes: &[u8], good_per_broken: usize) -> bool {
    let (mut good, mut broken) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    good > 0 && broken * good_per_broken <= good
}

/// The charset that the page itself declares in its first bytes: `<meta>` or the XML declaration.
fn declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES)];
    let charset = labels_after(head, b"charset")
        .chain(labels_after(head, b"encoding"))
        .find_map(Encoding::for_label)?;
    // A declaration that could be read as ASCII is not UTF-16, whatever it says.
    if charset == UTF_16LE || charset == UTF_16BE {
        Some(UTF_8)
    } else {
        Some(charset)
    }
}

/// What stands behind each `key` and its equals sign, without quotes.
fn labels_after<'a>(head: &'a [u8], key: &'static [u8]) -> impl Iterator<Item = &'a [u8]> {
    let starts = memchr::memchr2_iter(key[0], key[0].to_ascii_uppercase(), head);
    starts.filter_map(move |start| {
        let rest = head[start..].get(key.len()..)?;
        let matches = head[start..start + key.len()].eq_ignore_ascii_case(key);
        let value = rest
            .trim_ascii_start()
            .strip_prefix(b"=")?
            .trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let end = value
            .iter()
            .position(|byte| b"\"'>;/? \t\r\n".contains(byte))
            .unwrap_or(value.len());
        matches.then_some(&value[..end])
    })
}

/// Whether a declared charset fits: no byte sequence that means nothing in it. A character cut off
/// at the end of the page is the cut's fault, not the declaration's.
fn is_plausible(bytes: &[u8], charset: &'static Encoding) -> bool {
    if charset == UTF_16LE || charset == UTF_16BE {
        return false;
    }
    let mut decoder = charset.new_decoder_without_bom_handling();
    let mut output = [0u8; 4096];
    let mut rest = bytes;
    loop {
        let (result, read, _) =
            decoder.decode_to_utf8_without_replacement(rest, &mut output, false);
        match result {
            DecoderResult::InputEmpty => return true,
            DecoderResult::OutputFull => rest = &rest[read..],
            DecoderResult::Malformed(..) => return false,
        }
    }
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[start..bytes.len().min(start + DETECTION_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, start + sample.len() == bytes.len());
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == UTF_8 { WINDOWS_1252 } else { guess }
}

/// Leads from offsets in a decoded text back to offsets in the bytes it was decoded from.
///
/// ```
/// use unmold::{Page, Span, Text};
///
/// let page = Page::new("sjis", b"\x93\xfa\x96\x7b!".to_vec()).with_charset("shift_jis");
/// let text = Text::decode(page);
/// assert_eq!(text.as_str(), "日本!");
/// assert_eq!(text.raw_offsets().span(Span::new(3, 6)), 2..4);
/// ```
#[derive(Clone, Debug)]
pub struct RawOffsets {
    /// Text offset and byte offset of each character (or group of characters made by one byte
    /// sequence), in order; empty where the two are the same.
    steps: Vec<(u32, u32)>,
    /// The lengths of the text and of the bytes.
    end: (usize, usize),
}

impl RawOffsets {
    /// The way back to UTF-32, with or without its mark.
    fn of_fours(text: &str, length: usize) -> Self {
        let mark = 4 * (length.div_ceil(4) - text.chars().count());
        let steps = text
            .char_indices()
            .zip(0..)
            .map(|((at, _), number)| (at as u32, (mark + 4 * number) as u32));
        RawOffsets {
            steps: steps.collect(),
            end: (text.len(), length),
        }
    }

    fn trace(raw: &[u8], charset: &'static Encoding) -> Self {
        let mut decoder = charset.new_decoder_with_bom_removal();
        let mut steps = Vec::with_capacity(raw.len() / 2);
        let mut output = [0u8; 64];
        let (mut text_at, mut sequence_start) = (0usize, 0usize);
        for at in 0..raw.len() {
            let last = at + 1 == raw.len();
            let (_, _, written, _) = decoder.decode_to_utf8(&raw[at..=at], &mut output, last);
            if written > 0 {
                steps.push((text_at as u32, sequence_start as u32));
                text_at += written;
                sequence_start = at + 1;
            }
        }
        RawOffsets {
            steps,
            end: (text_at, raw.len()),
        }
    }

    /// The byte that the character at `offset` begins at.
    pub fn offset(&self, offset: usize) -> usize {
        let (text_end, raw_end) = self.end;
        if offset >= text_end {
            return raw_end;
        }
        match self
            .steps
            .partition_point(|&(text, _)| text as usize <= offset)
        {
            0 => offset,
            after => self.steps[after - 1].1 as usize,
        }
    }

    /// The bytes that a span of the text came from.
    pub fn span(&self, span: Span) -> std::ops::Range<usize> {
        self.offset(span.start as usize)..self.offset(span.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_says_it_is_utf8_stays_so_with_a_few_bad_bytes() {
        let page = b"<meta charset=utf-8><p>a \xe2\x80\x9criver\xe2\x80\x9d and caf\xe9 Gr\xc3\xbc\xc3\x9fe".to_vec();
        let text = Text::decode(Page::new("1", page.clone()).with_charset("utf-8"));
        assert!(
            text.as_str().contains("“river” and caf\u{FFFD} Grüße"),
            "{}",
            text.as_str()
        );
        assert_eq!((text.charset(), text.replaced()), ("UTF-8", 1));
        // Text in another charset is not taken for it because its header is wrong.
        let lying = Text::decode(
            Page::new("1", b"<p>caf\xe9 d\xe9j\xe0 vu".to_vec()).with_charset("utf-8"),
        );
        assert!(
            lying.as_str().ends_with("café déjà vu"),
            "{}",
            lying.as_str()
        );
    }

    #[test]
    fn a_fifth_of_broken_characters_does_not_change_the_charset() {
        let page = |good: usize, broken: usize| {
            let mut page = b"<p>".to_vec();
            page.extend("\u{444} ".repeat(good).into_bytes());
            page.extend(b"\xff ".repeat(broken));
            Text::decode(Page::new("1", page))
        };
        let (some, many) = (page(38, 3), page(8, 3));
        assert_eq!((some.charset(), some.replaced()), ("UTF-8", 3));
        assert_ne!(many.charset(), "UTF-8");
        // Text of an older charset that has two bytes for a character.
        let (chinese, _, _) = encoding_rs::GB18030.encode("<p>\u{4ECA}\u{5929}\u{5929}\u{6C14}\u{5F88}\u{597D}\u{FF0C}\u{6211}\u{4EEC}\u{53BB}\u{6CB3}\u{8FB9}\u{6563}\u{6B65}");
        assert_ne!(
            Text::decode(Page::new("2", chinese.into_owned())).charset(),
            "UTF-8"
        );
    }

    #[test]
    fn wide_pages_without_a_mark_are_read_in_any_language_and_lead_back() {
        let page = "<p>東京都の天気は晴れで、明日は雨が降るでしょう。気温は平年並みです。</p>";
        let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let four: Vec<u8> = page
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let four_big: Vec<u8> = format!("\u{FEFF}{page}")
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        for (bytes, expected) in [
            (little, 6..8),
            (big, 6..8),
            (four, 12..16),
            (four_big, 16..20),
        ] {
            assert!(is_wide(&bytes));
            let text = Text::decode(Page::new("1", bytes));
            assert_eq!(
                text.as_str(),
                page,
                "{} by {}",
                text.charset(),
                text.evidence()
            );
            assert_eq!(text.raw_offsets().span(Span::new(3, 6)), expected);
        }
        assert!(!is_wide(b"<p>one \0 zero, and a few\0 more \0 in a page"));
        assert!(!is_wide(b"\0<!-- c -->"));
    }
    use proptest::prelude::*;

    fn decoded(bytes: &[u8]) -> Text {
        Text::decode(Page::new("page", bytes.to_vec()))
    }

    fn declared(bytes: &[u8], charset: &str) -> Text {
        Text::decode(Page::new("page", bytes.to_vec()).with_charset(charset))
    }

    const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。";
    const RUSSIAN: &str =
        "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива.";

    #[test]
    fn declared_legacy_charsets_are_read() {
        for (label, sample) in [
            ("shift_jis", JAPANESE),
            ("euc-jp", JAPANESE),
            ("iso-2022-jp", JAPANESE),
            ("windows-1251", RUSSIAN),
            ("koi8-r", RUSSIAN),
            ("gb18030", "学而时习之，不亦说乎？"),
            ("big5", "學而時習之，不亦說乎？"),
            ("windows-1256", "إنما الأعمال بالنيات"),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let bytes = encoding.encode(sample).0;
            assert_eq!(
                declared(&bytes, label).as_str(),
                sample,
                "{label} by header"
            );
            let meta =
                format!("<meta http-equiv=Content-Type content=\"text/html; charset={label}\"><p>");
            let page = [meta.as_bytes(), &bytes].concat();
            assert!(decoded(&page).as_str().ends_with(sample), "{label} by meta");
        }
    }

    #[test]
    fn undeclared_legacy_charsets_are_detected() {
        for (label, sample) in [
            ("shift_jis", JAPANESE),
            ("euc-jp", JAPANESE),
            ("windows-1251", RUSSIAN),
        ] {
            let bytes = Encoding::for_label(label.as_bytes())
                .unwrap()
                .encode(sample)
                .0;
            let text = decoded(&bytes);
            assert_eq!(
                (text.as_str(), text.evidence()),
                (sample, Evidence::Detected),
                "{label}"
            );
        }
    }

    #[test]
    fn a_header_that_contradicts_the_bytes_gives_way_to_the_meta() {
        let (bytes, _, _) = encoding_rs::EUC_JP.encode(JAPANESE);
        let page = [&b"<meta charset='euc-jp'>"[..], &bytes].concat();
        let text = declared(&page, "shift_jis");
        assert_eq!(
            (text.charset(), text.evidence()),
            ("EUC-JP", Evidence::Meta)
        );
    }

    #[test]
    fn utf8_cut_in_the_middle_of_a_character_stays_utf8() {
        let bytes = JAPANESE.as_bytes();
        let text = declared(&bytes[..bytes.len() - 1], "windows-1252");
        assert_eq!((text.charset(), text.is_malformed()), ("UTF-8", true));
    }

    #[test]
    fn utf16_is_seen_with_and_without_its_mark() {
        let page = "<html><title>Привет</title><body>мир</body></html>";
        let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decoded(&little).as_str(), page);
        assert_eq!(decoded(&big).as_str(), page);
        let marked = [&[0xFE, 0xFF][..], &big].concat();
        assert_eq!(
            (decoded(&marked).as_str(), decoded(&marked).evidence()),
            (page, Evidence::Mark)
        );
    }

    #[test]
    fn a_declaration_in_ascii_is_not_utf16() {
        let text = decoded(b"<meta charset=utf-16><p>caf\xe9");
        assert!(text.as_str().starts_with("<meta"));
    }

    #[test]
    fn a_mark_is_not_part_of_the_text_but_of_the_way_back() {
        let text = decoded("\u{FEFF}abc".as_bytes());
        assert_eq!(text.as_str(), "abc");
        assert_eq!(text.raw_offsets().span(Span::new(1, 2)), 4..5);
    }

    proptest! {
        #[test]
        fn characters_lead_back_to_their_own_bytes(sample in "[ -~\u{410}-\u{44f}\u{3041}-\u{3090}]{0,60}") {
            for charset in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::GB18030] {
                let (bytes, _, unmappable) = charset.encode(&sample);
                prop_assert!(!unmappable, "all three charsets have these characters");
                let back = RawOffsets::trace(&bytes, charset);
                for (at, c) in sample.char_indices() {
                    let raw = back.span(Span::new(at, at + c.len_utf8()));
                    let (again, _) = charset.decode_without_bom_handling(&bytes[raw]);
                    prop_assert_eq!(again.chars().next(), Some(c));
                }
            }
        }
    }
}
