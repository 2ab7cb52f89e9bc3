//! From pages to their template, in one step.

use super::{FoundCutPoint, Settings, find_optimal};
use crate::{
    Span, Text,
    symbols::{
        encode::chars,
        index::{Index, IndexError},
    },
};

/// The template of pages, by the cut point that was found for them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cut {
    /// The index of the pages, read as characters.
    pub index: Index,
    /// What the search found.
    pub found: FoundCutPoint,
    /// Where each page is template, in order.
    pub template: Vec<Vec<Span>>,
}

impl Cut {
    /// Searches for a cut point and applies it; with `fold_space`, white space counts as one space,
    /// as in 2001.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn find(texts: &[Text], settings: Settings, fold_space: bool) -> Result<Self, IndexError> {
        let symbols = if fold_space {
            chars::encode_folding_space(texts)
        } else {
            chars::encode(texts)
        };
        let index = Index::new(symbols)?;
        let found = find_optimal(&index, settings);
        let template = found.template(&index);
        Ok(Cut {
            index,
            found,
            template,
        })
    }

    /// The cut point in words.
    pub fn describe(&self) -> String {
        let point = self.found.cut_point();
        format!(
            "cut point ({}, {}), alternation count {}",
            point.n, point.a, point.count
        )
    }
}
