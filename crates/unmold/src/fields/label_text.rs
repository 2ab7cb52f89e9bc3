//! How is a text compared as a label?
//!
//! "Weight:", " weight " with a line break in it, and "Weight" are one label: entities are decoded,
//! white space is folded, and the marks at both ends do not count. Labels are compared by the hash
//! of this text, so that none of them is kept.

use super::hashing::hash;
use crate::read::html::is_folded;
use htmlize::unescape;
use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// Labels are compared by this many bytes from their beginning; texts that differ later are the
/// same label. Chosen by hand: long enough for any label, short enough to keep paragraphs cheap.
const LABEL_BYTES: usize = 80;

/// An inline label ("Price: $12") ends within this many bytes. Chosen by hand: a colon that comes
/// later belongs to a sentence.
const INLINE_LABEL_BYTES: usize = 48;

/// Bytes of source that are read for one byte of a label, since an entity or a run of white space
/// becomes one letter.
const SOURCE_BYTES_PER_BYTE: usize = 4;

/// A text as a label: entities decoded, white space folded, without the marks around it, and no
/// longer than it needs to be. `None` if nothing is left.
pub(crate) fn label_text(raw: &str) -> Option<String> {
    let mut folded = String::new();
    label_in(raw, &mut folded).map(str::to_owned)
}

/// The hash of a text as a label.
pub(crate) fn text_hash(raw: &str) -> Option<u64> {
    hash_in(raw, &mut String::new())
}

/// The same, with a string to work in that is used again and again.
pub(super) fn hash_in(raw: &str, scratch: &mut String) -> Option<u64> {
    label_in(raw, scratch).map(|text| hash(text.as_bytes()))
}

/// A text as a label, written into a string that is used again and again, or left where it is if it
/// needs no change.
pub(super) fn label_in<'s>(raw: &'s str, folded: &'s mut String) -> Option<&'s str> {
    if let Some(plain) = plain_text(raw) {
        return Some(without_ascii_marks(plain));
    }
    fold(raw, folded);
    if folded.is_empty() {
        return None;
    }
    let bare = folded.trim_matches(|letter: char| !letter.is_alphanumeric());
    // A text of marks alone is compared as it is.
    Some(if bare.is_empty() {
        folded.as_str()
    } else {
        bare
    })
}

/// A short text of ASCII letters and marks without entities, with single spaces between words;
/// `None` for others.
fn plain_text(raw: &str) -> Option<&str> {
    let plain = raw.trim_ascii();
    let is_plain = plain.len() <= LABEL_BYTES
        && is_folded(plain.as_bytes())
        && memchr(b'&', plain.as_bytes()).is_none();
    is_plain.then_some(plain)
}

fn without_ascii_marks(plain: &str) -> &str {
    let first = plain.bytes().position(|byte| byte.is_ascii_alphanumeric());
    let last = plain.bytes().rposition(|byte| byte.is_ascii_alphanumeric());
    match (first, last) {
        (Some(first), Some(last)) => &plain[first..=last],
        _ => plain,
    }
}

/// Decodes entities and folds white space, up to the length of a label.
fn fold(raw: &str, folded: &mut String) {
    let raw = &raw[..boundary(raw, SOURCE_BYTES_PER_BYTE * LABEL_BYTES)];
    let decoded = if raw.contains('&') {
        unescape(raw)
    } else {
        Cow::Borrowed(raw)
    };
    folded.clear();
    for word in decoded.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
        if folded.len() >= LABEL_BYTES {
            folded.truncate(boundary(folded, LABEL_BYTES));
            return;
        }
    }
}

/// What precedes the first colon of a text, if it is as short as labels are.
pub(crate) fn inline_label(raw: &str) -> Option<&str> {
    let start = &raw[..boundary(raw, INLINE_LABEL_BYTES)];
    // Most texts have neither a colon nor the first byte of a wide one.
    memchr2(b':', "：".as_bytes()[0], start.as_bytes())?;
    let (before, _) = start.split_once(is_colon)?;
    before.contains(char::is_alphabetic).then_some(before)
}

/// Whether a letter is a colon, in any width.
pub(super) fn is_colon(letter: char) -> bool {
    matches!(letter, ':' | '：')
}

/// Whether a text ends with a colon, as labels do and values do not.
pub(crate) fn ends_with_colon(text: &str) -> bool {
    text.ends_with(is_colon)
}

/// The end of the longest beginning of a text that has no more than this many bytes.
fn boundary(text: &str, bytes: usize) -> usize {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
