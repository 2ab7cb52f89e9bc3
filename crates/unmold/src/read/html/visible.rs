//! What does a reader see of a piece of a page?

use super::{Kind, breaks_line, tokens};
use htmlize::unescape;
use memchr::memchr2;

/// The words of a piece of a page as a reader sees them: entities decoded, white space folded,
/// every tag a space.
///
/// ```
/// use unmold::read::html::visible_text;
///
/// assert_eq!(visible_text("<li><b>Fish</b>&nbsp;&amp; chips<br>7,<i>50</i><script>x()</script>\n"), "Fish & chips 7, 50");
/// ```
pub fn visible_text(page: &str) -> String {
    let mut visible = String::new();
    push_visible(&mut visible, page);
    visible
}

/// The same, added to a text with a space between.
pub(crate) fn push_visible(visible: &mut String, page: &str) {
    if memchr2(b'<', b'&', page.as_bytes()).is_none() {
        return push_words(visible, page);
    }
    for token in tokens(page) {
        match token.kind {
            Kind::Text => push_words(visible, &unescape(token.span.of(page))),
            Kind::Cdata => push_words(visible, cdata(token.span.of(page))),
            _ => {}
        }
    }
}

/// The words of a piece of a page as they stand on its lines: entities decoded, white space folded,
/// and a space only where there is one, where a line or a picture comes between, or where one
/// element ends and the next begins.
///
/// ```
/// use unmold::read::html::joined_text;
///
/// assert_eq!(joined_text("<li>£48<sup>.50</sup><br><b>u</b>pper <a>Reply</a><a>Report</a>"), "£48.50 upper Reply Report");
/// ```
pub fn joined_text(page: &str) -> String {
    let mut joined = String::new();
    push_joined(&mut joined, page);
    joined
}

/// The same, added to a text with a space between.
pub(crate) fn push_joined(joined: &mut String, page: &str) {
    if memchr2(b'<', b'&', page.as_bytes()).is_none() {
        return push_words(joined, page);
    }
    let mut is_parted = true;
    let mut before = Kind::Text;
    for token in tokens(page) {
        let text = match token.kind {
            Kind::Text => unescape(token.span.of(page)),
            Kind::Cdata => cdata(token.span.of(page)).into(),
            kind => {
                let name = token.name.of(page);
                let parts = matches!(kind, Kind::Start | Kind::End) && parts_words(name);
                is_parted |= parts || (before, kind) == (Kind::End, Kind::Start);
                before = kind;
                continue;
            }
        };
        before = Kind::Text;
        is_parted |= text.starts_with(char::is_whitespace);
        let Some(first) = text.split_whitespace().next() else {
            continue;
        };
        if is_parted {
            push_words(joined, &text);
        } else {
            joined.push_str(first);
            push_words(joined, &text.trim_start()[first.len()..]);
        }
        is_parted = text.ends_with(char::is_whitespace);
    }
}

/// Whether words before and behind a tag of this name are two.
fn parts_words(name: &str) -> bool {
    (breaks_line(name) || name.eq_ignore_ascii_case("img")) && !name.eq_ignore_ascii_case("wbr")
}

/// The value of an attribute as a browser reads it: entities decoded, white space folded.
///
/// ```
/// assert_eq!(unmold::read::html::attribute_text(" /s?a=1&amp;b=2&copy=3 "), "/s?a=1&b=2&copy=3");
/// ```
pub fn attribute_text(value: &str) -> String {
    let mut visible = String::new();
    push_attribute(&mut visible, value);
    visible
}

/// The same, added to a text with a space between.
pub(crate) fn push_attribute(visible: &mut String, value: &str) {
    push_words(visible, &htmlize::unescape_attribute(value));
}

/// The content of a CDATA section, which may have been cut off by the end of the page.
fn cdata(section: &str) -> &str {
    let inside = section.strip_prefix("<![CDATA[").unwrap_or(section);
    inside.strip_suffix("]]>").unwrap_or(inside)
}

/// Adds words with one space between them.
fn push_words(visible: &mut String, text: &str) {
    if is_folded(text.as_bytes()) {
        push_word(visible, text);
    } else if text.is_ascii() {
        let words = text
            .as_bytes()
            .split(|byte| matches!(byte, b' ' | b'\t'..=b'\r'));
        let words = words
            .filter(|word| !word.is_empty())
            .filter_map(|word| std::str::from_utf8(word).ok());
        words.for_each(|word| push_word(visible, word));
    } else {
        text.split_whitespace()
            .for_each(|word| push_word(visible, word));
    }
}

fn push_word(visible: &mut String, word: &str) {
    if !visible.is_empty() {
        visible.push(' ');
    }
    visible.push_str(word);
}

/// Whether a text is ASCII with single spaces between words and none around. Most are, and need no
/// second look.
pub(crate) fn is_folded(text: &[u8]) -> bool {
    let ([first, rest @ ..], [.., last]) = (text, text) else {
        return false;
    };
    // Without early ends, so that many bytes are looked at in one step.
    let strange = text.iter().fold(false, |strange, byte| {
        strange | !matches!(byte, b' '..=b'~')
    });
    let doubled = text
        .iter()
        .zip(rest)
        .fold(false, |doubled, pair| doubled | (pair == (&b' ', &b' ')));
    !strange && !doubled && *first != b' ' && *last != b' '
}
