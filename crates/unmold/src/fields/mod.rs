//! The values that the pages of a template hold, and how each is found on the next page.
//!
//! [`rule`] is what stands in a mold, [`learn`](mod@learn) makes it from pages of one template, `apply` lets the views of all
//! fields vote on a page.

mod affixes;
pub(crate) mod apply;
mod asides;
mod candidates;
mod describe;
mod evidence;
pub(crate) mod example;
pub(crate) mod held_out;
pub(crate) mod json_ld;
mod label_alone;
mod landmarks;
pub mod learn;
mod marks;
pub(crate) mod names;
mod part;
mod position;
mod rank;
pub mod rule;
pub(crate) mod slots;
mod types;

pub use {
    apply::Value,
    example::{Assumed, Example, Unfit},
    held_out::HeldOut,
    learn::learn,
    part::Part,
    position::{Kind, Position},
    rule::{Field, View},
    types::Type,
};
