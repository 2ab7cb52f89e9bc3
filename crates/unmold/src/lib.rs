//! Unmold takes web pages out of their mold.
//!
//! Give it pages that a program printed from a template (a site, a crawl, a list page) and it finds what the template
//! is, without training and without knowing the language. This crate holds every algorithm; it reads no files, opens
//! no connections and prints nothing.
//!
//! ```
//! use unmold::{Text, symbols::{encode::Words, index::Index}};
//!
//! let pages = [
//!     Text::from_string("1", "<h1>Congo</h1><p>Calling code: 242</p>"),
//!     Text::from_string("2", "<h1>Egypt</h1><p>Calling code: 20</p>"),
//!     Text::from_string("3", "<h1>Spain</h1><p>Calling code: 34</p>"),
//! ];
//! let index = Index::new(Words::default().encode(&pages))?;
//! let everywhere: Vec<_> = index.nodes().filter(|node| node.left_diverse && node.df == 3).collect();
//! let mut template: Vec<_> = everywhere.iter().map(|&node| index.show(node)).collect();
//! template.sort();
//! assert_eq!(template, ["</h1><p>Calling code:", "</p>", "<h1>"]);
//! # Ok::<(), unmold::symbols::index::IndexError>(())
//! ```
//!
//! # The data path
//!
//! Each step is a module, and each takes only what stands to its left:
//!
//! ```text
//! page -> decode -> encode -> index -> detect   -> mold -> apply
//! Page    Text      Symbols   Index    template    Mold    values
//! ```
//!
//! [`tree`] stands beside it: the elements of one page, for what is asked of one page alone.
//!
//! # Themes
//!
//! - **Spans.** Every answer comes down to byte ranges of a page's text, on character boundaries.
//! - **Positions and rows.** A position counts symbols over all pages; a row counts suffixes in sorted order.
//! - **Settings** are chained onto a default that needs no tuning.
//! - **No surprises.** Same input, same output, whatever the number of threads; no input makes anything panic.

#![forbid(unsafe_code)]

pub mod content;
pub mod evaluate;
pub mod export;
pub mod fields;
pub mod group;
pub mod learn;
pub mod lists;
pub mod lr;
pub mod mold;
pub mod papers;
pub mod read;
pub mod reader;
pub mod report;
pub mod strings;
pub mod symbols;

pub use {
    learn::Learner,
    mold::Mold,
    read::{Page, Span, Text},
    reader::{Extraction, Reader},
};

/// The Rust example of the README, kept true.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
