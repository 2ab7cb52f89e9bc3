//! Strings that the pages of a template have in common.
//!
//! [`rule`] is what stands in a mold, [`learn`](mod@learn) makes it from pages, [`apply`] finds all
//! strings on a page at once.

pub mod apply;
mod automaton;
mod covered;
mod edge_bytes;
mod expression;
mod intervals;
pub mod learn;
mod matcher;
mod memory;
pub mod rule;
mod words;

pub use {
    learn::learn,
    rule::{BadTemplate, Pattern, Template, TemplateString},
};
