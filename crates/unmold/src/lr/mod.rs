//! Rules that say between which strings a value stands: LR wrappers.
//!
//! [`rule`] is what stands in a mold, [`learn`](mod@learn) makes rules from pages and their content
//! parts, [`apply`] finds the values of all rules at once.

pub mod apply;
mod delimiters;
pub mod expression;
pub mod learn;
pub mod rule;

pub use {learn::learn, rule::Rule};
