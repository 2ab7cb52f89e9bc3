//! From the options about cut points to the template of each page.

use crate::args::{CutPointOptions, Search, Ties};
use anyhow::Result;
use unmold::{
    Span, Text,
    papers::cut_point::{self, Found, Settings},
    symbols::{encode::chars, index::Index},
};

/// What a search found, and where the pages are template.
pub struct Cut {
    pub index: Index,
    pub found: Found,
    pub template: Vec<Vec<Span>>,
}

impl Cut {
    /// Searches for a cut point and applies it.
    pub fn find(texts: &[Text], options: &CutPointOptions) -> Result<Self> {
        let symbols = if options.fold_space { chars::encode_folding_space(texts) } else { chars::encode(texts) };
        let index = Index::new(symbols)?;
        let found = cut_point::find_optimal(&index, settings(options));
        let template = found.template(&index);
        Ok(Cut { index, found, template })
    }

    /// The cut point in words.
    pub fn describe(&self) -> String {
        let point = self.found.cut_point();
        format!("cut point ({}, {}), alternation count {}", point.n, point.a, point.count)
    }
}

/// The options as the library knows them.
pub fn settings(options: &CutPointOptions) -> Settings {
    let ties = match options.ties {
        Ties::Whole => cut_point::Ties::Whole,
        Ties::Split => cut_point::Ties::Split,
    };
    let search = match options.search {
        Search::Greedy => cut_point::Search::Greedy,
        Search::Global => cut_point::Search::Global,
    };
    Settings::default().ties(ties).search(search).delimiters(&options.delimiters)
}
