//! Which columns do the candidates become, and what does each hold on the pages?
//!
//! A candidate is looked for on all pages by the votes of its views, as it will be on pages that
//! come later, and what the votes find is its column: where it stands on each page and what it says
//! there. What these values have in common decides the rest:
//!
//! 1. `gather` lets the views vote, and learns from what they find where they went wrong:
//!    `asides` that some pages put before the value, and labels that say where it is without any
//!    other view (`label_followers`);
//! 2. `items` drops columns that hold only the first item of a list;
//! 3. `forms` cuts labels and units off: "Price: $12.99" is one column with its label, and one
//!    without.
//!
//! Nothing changes a column once it is given out. What ranking asks about two columns is answered
//! here (`items`, `copies`), as is whether a column is absent without its label (`label_presence`).

mod asides;
mod column;
mod copies;
mod facts;
mod forms;
mod gather;
mod items;
mod label_followers;
mod label_presence;

pub(super) use self::{
    column::{Column, Form, MAX_LABEL_LETTERS, letters},
    copies::without_copies,
    facts::rounded,
    forms::{cut_around, half_of},
};
use super::{Field, sample::Sample};

/// The columns that candidates become, in all their forms.
pub(super) fn columns(sample: &Sample<'_>, candidates: Vec<Field>) -> Vec<Column> {
    let found = gather::gather(sample, candidates);
    forms::with_all_forms(items::without_first_items(found))
}
