//! Unmold takes web pages out of their mold.
//!
//! Give it pages that a program printed from a template (a site, a crawl, a list page) and it finds
//! what the template is, without training and without knowing the language. This crate holds every
//! algorithm; it reads no files, opens no connections and prints nothing.
//!
//! ```
//! use unmold::{Mold, Text};
//!
//! let page = |name: &str, code: u32| Text::from_string(name, format!("<h1>{name}</h1><p>Calling code: <b>{code}</b></p>"));
//! let mold = Mold::learn(&[page("Congo", 242), page("Egypt", 20), page("Spain", 34)])?;
//!
//! let reader = mold.reader();
//! let next = page("Chad", 235);
//! let found = reader.read(&next)?;
//! let code = found.fields().find(|field| field.name() == "Calling_code").unwrap();
//! assert_eq!(code.values().next().unwrap().text(), "235");
//! assert_eq!(code.values().next().unwrap().span().of(next.as_str()), "235");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The front door
//!
//! [`Mold::learn`] makes a [`Mold`] from pages: a file of rules, which [`Mold::to_json`] writes and
//! [`Mold::from_json`] reads. [`Mold::reader`] makes it ready, and [`Reader::read`] gives what a
//! page holds: an [`Extraction`] with fields, lists, content, and what the page says about itself.
//! [`Learner`] has the settings.
//!
//! # The rooms behind it
//!
//! Each module uses only those to its left:
//!
//! ```text
//! read  symbols  papers  group  |  lr  strings  lists  content  fields  |  mold  |  learn  reader  |  check  export  report  join  changes  evaluate
//! ```
//!
//! Pages are read in two ways: as [symbols] over one index, which the [papers'](papers) methods
//! stand on, and as elements of one [tree](read::tree), which the defaults stand on. Five rooms,
//! one for each kind of rule, have the same plan: `rule` is what stands in the mold, `learn` makes
//! it from pages, `apply` finds by it.
//!
//! # Themes
//!
//! - **Spans.** Every answer comes down to byte ranges of a page's text, on character boundaries.
//! - **Settings** are chained onto a default that needs no tuning.
//! - **No surprises.** Same input, same output, whatever the number of threads; a page that makes
//!   this program fail costs that page and no other.

#![forbid(unsafe_code)]

pub mod changes;
pub mod check;
pub mod content;
pub mod evaluate;
pub mod export;
pub mod fields;
pub mod group;
pub mod join;
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
