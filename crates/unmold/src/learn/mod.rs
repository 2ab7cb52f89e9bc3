//! From pages of a site to a mold.
//!
//! Pages of different templates teach nothing about each other, so they are grouped first. Then
//! each group is learned on its own: its fields, and what its pages list. Where the main content is,
//! is learned from all groups that have it in the same place. A page is parsed once and lent to
//! all of these.
//!
//! ```
//! use unmold::{Mold, Text};
//!
//! let page = |name: &str, weight: &str| {
//!     Text::from_string(name, format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"))
//! };
//! let mold = Mold::learn(&[page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")])?;
//! let names: Vec<_> = mold.groups[0].fields.iter().map(|field| field.name.as_str()).collect();
//! assert_eq!(names, ["title", "Weight"]);
//! # Ok::<(), unmold::learn::LearnError>(())
//! ```
//!
//! # Methods
//!
//! [`Learner`] chooses one, and each has a file:
//!
//! | method | file | what it learns |
//! |---|---|---|
//! | the default | `by_views` | fields by several views that vote, lists, content |
//! | the default, with examples | `by_example` | the fields that examples name, lists, content |
//! | [`Learner::lr`] | `by_delimiters` | LR rules as in the paper, lists, content |
//! | [`Learner::strings`] | `by_strings` | template strings as in the thesis |
//! | [`Learner::content_only`] | `content_only` | content |
//! | [`Learner::lists_only`] | `lists_only` | lists |
//!
//! Each takes the pages and their [grouping](crate::group) and gives the rules of a mold.

mod by_delimiters;
mod by_example;
mod by_strings;
mod by_views;
mod content_only;
mod error;
mod joining;
mod learner;
mod lists_only;
mod pages;
mod progress;
mod rules;
mod sample;
mod shared_columns;
mod templates;
mod variants;

pub use error::LearnError;
pub use learner::{LearnOutcome, Learner};
pub use sample::{SAMPLE_PAGES, Sample};
