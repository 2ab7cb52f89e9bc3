//! What a terminal may be sent.
//!
//! Pages, titles and addresses come from strangers. Control characters in them could move the
//! cursor, rename the window or hide text, and directional overrides could make one thing look like
//! another; all are shown as escapes.

use clap::ColorChoice;
use indicatif::HumanCount;
use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use unmold::read::{is_commanding, printable};

static COLOR: AtomicBool = AtomicBool::new(false);

/// Prints a line for people, beside the results. Where nobody listens any more, nothing is lost by
/// that: the work goes on.
pub fn tell(line: &str) {
    _ = writeln!(io::stderr(), "{line}");
}

/// Decides once whether output is coloured: as asked for, else not with NO_COLOR, else with
/// CLICOLOR_FORCE, else on terminals.
pub fn choose_color(choice: ColorChoice) {
    let is_forced = is_set("CLICOLOR_FORCE") || std::io::stdout().is_terminal();
    COLOR.store(
        is_colored(choice, is_set("NO_COLOR"), is_forced),
        Ordering::Relaxed,
    );
}

/// Decides it again for what says nothing without colours: these go into a pipe as well.
pub fn keep_color(choice: ColorChoice) {
    COLOR.store(
        is_colored(choice, is_set("NO_COLOR"), true),
        Ordering::Relaxed,
    );
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
    if COLOR.load(Ordering::Relaxed) {
        Cow::Owned(format!("\x1b[2m{text}\x1b[0m"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text in bold, where there is bold.
pub fn bold(text: &str) -> Cow<'_, str> {
    if COLOR.load(Ordering::Relaxed) {
        Cow::Owned(format!("\x1b[1m{text}\x1b[0m"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text with everything that a terminal would obey shown as an escape.
pub fn visible(text: &str) -> Cow<'_, str> {
    printable(text)
}

/// Lets results through to a terminal with what it would obey escaped, but for line breaks, tabs
/// and this program's own colours: a page may not command the terminal of whoever looks at it.
/// Files and pipes get results as they are.
pub struct Escaping<W> {
    out: W,
    /// A character that has begun.
    begun: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    pub fn new(out: W) -> Self {
        Escaping {
            out,
            begun: Vec::new(),
        }
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(|c| is_commanding(c) && !matches!(c, '\n' | '\t')) {
            self.out.write_all(&rest.as_bytes()[..at])?;
            let own = OWN_COLORS
                .iter()
                .find(|color| rest[at..].starts_with(**color));
            let taken = own.map_or_else(
                || rest[at..].chars().next().map_or(1, char::len_utf8),
                |color| color.len(),
            );
            let piece = &rest[at..at + taken];
            self.out.write_all(
                if own.is_some() {
                    piece.into()
                } else {
                    visible(piece)
                }
                .as_bytes(),
            )?;
            rest = &rest[at + taken..];
        }
        self.out.write_all(rest.as_bytes())
    }
}

/// What [`dimmed`] and [`bold`] write.
const OWN_COLORS: [&str; 3] = ["\x1b[0m", "\x1b[1m", "\x1b[2m"];

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.write_text(chunk.valid())?;
            let is_begun = chunks.peek().is_none()
                && std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
            if is_begun {
                self.begun = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.out.write_all("\u{FFFD}".as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A number of things: "1 page", "2 pages".
pub fn counted(number: usize, what: &str) -> String {
    format!(
        "{} {what}{}",
        HumanCount(number as u64),
        if number == 1 { "" } else { "s" }
    )
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
    fn what_a_page_writes_cannot_command_a_terminal_wherever_it_is_cut() {
        let page = "\x1b[2mdim\x1b[0m\t日本\n\x1b]0;x\x07 \u{9b}31m a\u{202E}b \u{61c}";
        let expected = "\x1b[2mdim\x1b[0m\t日本\n\\u{1b}]0;x\\u{7} \\u{9b}31m a\\u{202e}b \\u{61c}";
        for cut in (0..page.len()).filter(|cut| *cut > 13) {
            let mut out = Escaping::new(Vec::new());
            out.write_all(&page.as_bytes()[..cut]).unwrap();
            out.write_all(&page.as_bytes()[cut..]).unwrap();
            assert_eq!(String::from_utf8(out.out).unwrap(), expected, "{cut}");
        }
    }

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(clipped("abcdefghij", 7), "abcd…ij");
        assert_eq!(clipped("abc", 7), "abc");
    }
}
