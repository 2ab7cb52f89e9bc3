//! Which values do the pages of a template hold, and how are they found on the next page?

mod candidates;
mod describe;
mod position;
pub(crate) mod slots;

pub use position::{Kind, Position};
