//! What may a person be shown of what a stranger wrote?
//!
//! Titles, addresses, names of files and of fields come from pages. Control characters in them
//! could move the cursor, rename the window or hide text, and marks of direction could make one
//! thing look like another.
//!
//! ```
//! use unmold::read::printable;
//!
//! assert_eq!(printable("\u{1b}]0;x\u{7} a\u{202E}b\n"), "\\u{1b}]0;x\\u{7} a\\u{202e}b\\n");
//! assert_eq!(printable("日本 🚀"), "日本 🚀");
//! ```

use std::{borrow::Cow, fmt::Write};

/// Whether a terminal would obey a character instead of showing it, or show others in another order
/// or place because of it: control characters of both sets, marks of direction, separators of
/// lines.
pub fn is_commanding(c: char) -> bool {
    let is_direction = matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_direction || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The text on one line, with every character that a terminal would obey shown as an escape.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_commanding) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            c if is_commanding(c) => {
                write!(shown, "\\u{{{:x}}}", c as u32).expect("writing to a string");
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A name without such characters: each run of them is a space.
pub(crate) fn clean_name(name: &str) -> String {
    let words = name
        .split(is_commanding)
        .map(str::trim)
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
