//! How many elements and texts may a page have?
//!
//! All that is done with a page takes time and memory for its elements and texts rather than for
//! its bytes, and `<p>a` is two of them in four bytes. A page may have [`FREE_NODES`], and one more for
//! each [`BYTES_PER_NODE`] of its bytes. One that has more is refused before anything is built of it, as an
//! error of its own kind, in every command.
//!
//! ```
//! use unmold::{Page, Text};
//!
//! let dense = "<p>a".repeat(400_000);
//! let error = Text::decode_guarded(Page::new("1.html", dense.into_bytes())).unwrap_err();
//! assert_eq!(error.reason(), "page too complex: 800,000 elements and texts, and 327,777 are read of a page of this size");
//! ```
//!
//! # Cost
//!
//! One search for `<`. Where these are so many that there may be too many nodes, the page is cut into tokens once.

use super::html::{Kind, tokens};
use memchr::memchr_iter;

/// The elements and texts that any page may have. Measured on pages of 1 and 10 MB of nothing but short paragraphs, the
/// dearest of all families of `eval/growth`, a command takes 335 bytes for each: this many take 50 MB, and with the program itself 64.
const FREE_NODES: usize = 150_000;

/// Beyond [`FREE_NODES`], a page has at least this many bytes for each element or text, so that these take less
/// than 40 times its size. Pages that people read have 20 bytes and more for each; tables of single digits have 6.
const BYTES_PER_NODE: usize = 9;

/// A page with more elements and texts than are read of a page of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "page too complex: {} elements and texts, and {} are read of a page of this size",
    grouped(*nodes),
    grouped(*most)
)]
pub struct TooComplex {
    nodes: usize,
    most: usize,
}

/// Refuses a page with too many elements and texts.
pub(super) fn check(page: &str) -> Result<(), TooComplex> {
    let most = FREE_NODES + page.len() / BYTES_PER_NODE;
    // Each tag makes a node at most, and so does the text after it.
    let tags = memchr_iter(b'<', page.as_bytes()).count();
    if 2 * tags < most {
        return Ok(());
    }
    let nodes = tokens(page)
        .filter(|token| matches!(token.kind, Kind::Start | Kind::Text | Kind::Cdata))
        .count();
    if nodes > most {
        return Err(TooComplex { nodes, most });
    }
    Ok(())
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_are_elements_and_texts() {
        // End tags, comments and scripts are tags, but make no node.
        let page = "<p>a</p><!-- b --></i></i></i></i>".repeat(FREE_NODES / 4);
        assert_eq!(check(&page), Ok(()));
        let dense = "<p>a".repeat(FREE_NODES);
        let error = check(&dense).unwrap_err();
        assert_eq!(error.nodes, 2 * FREE_NODES);
        assert!(
            error
                .to_string()
                .starts_with("page too complex: 300,000 elements")
        );
    }

    #[test]
    fn small_pages_may_be_as_dense_as_they_like() {
        assert_eq!(check(&"<b>".repeat(FREE_NODES)), Ok(()));
        assert_eq!(check(&"<".repeat(10 * FREE_NODES)), Ok(()));
        assert_eq!(check(""), Ok(()));
    }

    #[test]
    fn numbers_are_written_in_groups() {
        let written = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(written, ["0", "999", "1,000", "1,234,567"]);
    }
}
