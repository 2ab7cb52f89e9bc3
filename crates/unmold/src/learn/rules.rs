//! What does a method of learning give?

use crate::{
    content,
    fields::{Assumed, Unfit},
    mold::Group,
};

/// The rules that go into a mold, and what could not be learned.
#[derive(Default)]
pub(super) struct Rules {
    pub contents: Vec<content::Rule>,
    pub groups: Vec<Group>,
    /// The fields that examples name and that no rule finds.
    pub unfit: Vec<Unfit>,
    /// The pages that examples without a page were taken to be about.
    pub assumed: Vec<Assumed>,
    /// The number of template strings that were left out.
    pub left_out: usize,
}
