//! Where the main content of pages is.
//!
//! [`rule`] is what stands in a mold, [`learn`](mod@learn) makes it from the pages of one template,
//! `families` from those of a pile, [`apply`] takes the content out of a page, and
//! [`write`](mod@write) writes it as text, Markdown or HTML.

pub(crate) mod alone;
pub mod apply;
mod comments;
mod discussion;
pub(crate) mod example;
pub mod explain;
pub(crate) mod families;
mod furniture;
pub mod learn;
mod located;
mod path;
pub(crate) mod reading;
pub(crate) mod region;
mod repeats;
pub mod rule;
mod stamp;
pub(crate) mod stated;
mod tail;
mod teasers;
pub mod write;

pub use {
    discussion::discussion,
    learn::learn,
    rule::{Region, Repeats, Rule},
};
