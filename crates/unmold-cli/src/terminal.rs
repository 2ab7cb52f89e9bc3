//! What a terminal may be sent.
//!
//! Pages, titles and addresses come from strangers. Control characters in them could move the cursor, rename the
//! window or hide text, and directional overrides could make one thing look like another; all are shown as escapes.

use clap::ColorChoice;
use indicatif::HumanCount;
use std::{
    borrow::Cow,
    fmt::Write,
    io::IsTerminal,
    sync::atomic::{AtomicBool, Ordering},
};

static COLOR: AtomicBool = AtomicBool::new(false);

/// Decides once whether output is coloured: as asked for, else not with NO_COLOR, else with CLICOLOR_FORCE, else on
/// terminals.
pub fn choose_color(choice: ColorChoice) {
    let is_forced = is_set("CLICOLOR_FORCE") || std::io::stdout().is_terminal();
    COLOR.store(is_colored(choice, is_set("NO_COLOR"), is_forced), Ordering::Relaxed);
}

/// Decides it again for what says nothing without colours: these go into a pipe as well.
pub fn keep_color(choice: ColorChoice) {
    COLOR.store(is_colored(choice, is_set("NO_COLOR"), true), Ordering::Relaxed);
}

fn is_colored(choice: ColorChoice, is_refused: bool, is_wanted: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_wanted && !is_refused,
    }
}

/// Whether a variable says yes: it is there, and neither empty nor 0.
fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The text in a dimmed colour, where there are colours.
pub fn dimmed(text: &str) -> Cow<'_, str> {
    if COLOR.load(Ordering::Relaxed) { Cow::Owned(format!("\x1b[2m{text}\x1b[0m")) } else { Cow::Borrowed(text) }
}

/// The text in bold, where there is bold.
pub fn bold(text: &str) -> Cow<'_, str> {
    if COLOR.load(Ordering::Relaxed) { Cow::Owned(format!("\x1b[1m{text}\x1b[0m")) } else { Cow::Borrowed(text) }
}

/// The text with everything that a terminal would obey shown as an escape.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_commanding) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            c if is_commanding(c) => write!(shown, "\\u{{{:x}}}", c as u32).expect("writing to a string"),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn is_commanding(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A number of things: "1 page", "2 pages".
pub fn counted(number: usize, what: &str) -> String {
    format!("{} {what}{}", HumanCount(number as u64), if number == 1 { "" } else { "s" })
}

/// At most `width` characters, with an ellipsis where something is left out of the middle.
pub fn clipped(text: &str, width: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= width {
        return Cow::Borrowed(text);
    }
    let head = width.saturating_sub(1) * 2 / 3;
    let tail = width.saturating_sub(1) - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    Cow::Owned(format!("{start}…{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_overrides_lose_their_power() {
        assert_eq!(visible("\x1b]0;x\x07"), "\\u{1b}]0;x\\u{7}");
        assert_eq!(visible("a\u{202E}b\n"), "a\\u{202e}b\\n");
        assert_eq!(visible("日本 🚀"), "日本 🚀");
    }

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(clipped("abcdefghij", 7), "abcd…ij");
        assert_eq!(clipped("abc", 7), "abc");
    }
}
