//! Characters as symbols: no knowledge of markup or language.
//!
//! ```
//! use unmold::{Text, symbols::encode::chars};
//!
//! let symbols = chars::encode(&[Text::from_string("1", "山田")]);
//! assert_eq!(symbols.len(), 2);
//! assert_eq!((symbols.span(1).start, symbols.span(1).end), (3, 6));
//! ```

use super::{Symbols, encode_pages};
use crate::{Span, Text, read::mutable::Mutables};
use std::borrow::Borrow;

/// Every character (Unicode scalar value) is a symbol, raw: case, width and white space as they
/// are.
pub fn encode<T: Borrow<Text> + Sync>(texts: &[T]) -> Symbols {
    encode_pages(texts, Mutables::none(), |text, sink| {
        for (start, c) in text.char_indices() {
            let span = Span::new(start, start + c.len_utf8());
            sink.push(span.of(text), span);
        }
    })
}

/// As [`encode`], but each run of spaces, tabs and line breaks is one symbol, a space: the
/// preparation of the 2001 paper on alternation counts.
///
/// ```
/// use unmold::{Text, symbols::encode::chars};
///
/// let symbols = chars::encode_folding_space(&[Text::from_string("1", "a \n\t b")]);
/// assert_eq!(symbols.len(), 3);
/// assert_eq!(symbols.span(1).len(), 4);
/// ```
pub fn encode_folding_space<T: Borrow<Text> + Sync>(texts: &[T]) -> Symbols {
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    encode_pages(texts, Mutables::none(), |text, sink| {
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let mut end = start + c.len_utf8();
            if !is_space(c) {
                sink.push(&text[start..end], Span::new(start, end));
                continue;
            }
            while chars.next_if(|&(_, next)| is_space(next)).is_some() {
                end += 1;
            }
            sink.push(" ", Span::new(start, end));
        }
    })
}
