//! Which values do the pages of a template hold, and how is each found on the next page?
//!
//! [`rule`] is what is in a mold, [`learn`](mod@learn) makes it from pages of one template, `apply`
//! finds it on a page. Learning goes through stages. Each takes what the one before gave, and
//! changes none of it:
//!
//! | stage | from | to |
//! |---|---|---|
//! | `slots` | the tree of a page | the texts and attributes that may be values, each with keys |
//! | `candidates` | the slots of a `sample` of pages | rules: which keys find the same field |
//! | `votes` | rules and the slots of a page | the slots that the views of each rule agree on |
//! | `columns` | rules, and what they find | what each holds on each page, in all its forms |
//! | `rank` | columns | the same, the most wanted first, each once |
//! | `names` | ranked columns | a name for each |
//! | `declared` | fields, and what pages declare | declared fields first, each with the shown one |
//!
//! What a kind of view is stands in one file, `view`. Where an [`Example`] says what is wanted,
//! `example` chooses among the columns instead of `rank`.

pub(crate) mod apply;
mod candidates;
mod columns;
pub(crate) mod declared;
mod describe;
pub(crate) mod example;
mod hashing;
pub(crate) mod headed;
pub(crate) mod held_out;
pub(crate) mod json_ld;
pub(crate) mod label_text;
mod landmarks;
pub mod learn;
mod marks;
pub(crate) mod names;
mod part;
mod rank;
pub mod rule;
pub(crate) mod sample;
pub(crate) mod slots;
mod subject;
mod types;
mod view;
pub(crate) mod votes;

pub use {
    apply::Value,
    example::{Assumed, Example, Unfit},
    learn::learn,
    part::Part,
    rule::{Field, HeldOut},
    types::Type,
    view::{DeclaredView, HeadedListView, Position, View, ViewKind},
};
