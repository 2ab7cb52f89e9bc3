//! Bytes as symbols: no knowledge of anything.
//!
//! ```
//! use unmold::{Text, symbols::encode::bytes};
//!
//! let symbols = bytes::encode(&[Text::from_string("1", "né")]);
//! assert_eq!(symbols.len(), 3);
//! assert_eq!(symbols.name(1), r"\xc3");
//! ```
//!
//! This is the one encoding whose spans may lie inside a character.

use super::{Alphabet, Codes, Places, Symbols};
use crate::Text;
use unmold_suffix::Boundaries;

/// Every byte of the decoded text is a symbol.
pub fn encode(texts: &[Text]) -> Symbols {
    let mut codes = Vec::with_capacity(texts.iter().map(|text| text.as_str().len()).sum());
    let ends = texts.iter().map(|text| {
        codes.extend_from_slice(text.as_str().as_bytes());
        codes.len()
    });
    let pages = Boundaries::new(ends);
    Symbols {
        codes: Codes::Bytes(codes),
        places: Places::Bytes,
        pages,
        alphabet: Alphabet::Bytes,
    }
}
