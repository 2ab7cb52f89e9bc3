//! Each measure: what the program finds, as its own command would, against the truth.
//!
//! A file for each; [`all`] chooses among them by what was asked for and what the truth allows.

mod content;
mod fields;
mod groups;
mod records;
mod template;

use super::{
    dataset::Dataset,
    score::{PageScore, Score},
};
use crate::{
    args::{EvalArgs, Measure},
    exit::Failure,
};
use anyhow::Result;
use unmold::Text;

/// All measures that were asked for and that the truth of a data set allows.
pub fn all(dataset: &Dataset, args: &EvalArgs) -> Result<Vec<Score>> {
    let every =
        [Measure::Content, Measure::Fields, Measure::Examples, Measure::Records, Measure::Groups, Measure::Template];
    let is_wanted = |measure: &Measure| match args.measure.as_slice() {
        // Delimiters are a truth about one measure.
        [] if !args.between.is_empty() => *measure == Measure::Template,
        [] => true,
        wanted => wanted.contains(measure),
    };
    let mut scores = Vec::new();
    for measure in every.into_iter().filter(is_wanted) {
        scores.extend(one(measure, dataset, args)?);
    }
    if scores.is_empty() {
        return Err(Failure::Nothing("there is no truth beside its pages that was asked for".to_owned()).into());
    }
    Ok(scores)
}

fn one(measure: Measure, dataset: &Dataset, args: &EvalArgs) -> Result<Option<Score>> {
    let measured = match measure {
        Measure::Content => content::measure(dataset)?,
        Measure::Fields => fields::measure(dataset)?,
        Measure::Examples => fields::by_example(dataset)?,
        Measure::Records => records::measure(dataset)?,
        Measure::Groups => groups::measure(dataset)?,
        Measure::Template => template::measure(dataset, args)?,
    };
    Ok(measured.map(|Measured { pages, figures, by_page }| Score {
        dataset: dataset.name.clone(),
        measure,
        pages,
        digest: dataset.digest.clone(),
        folder: dataset.pages_folder(),
        figures,
        by_page,
    }))
}

/// What a measure gives.
struct Measured {
    pages: usize,
    figures: Vec<(String, f64)>,
    by_page: Vec<PageScore>,
}

fn page_score(text: &Text, figure: f64, note: String) -> PageScore {
    PageScore { page: text.id().to_owned(), about: String::new(), figure, note }
}

fn named<'n>(figures: impl IntoIterator<Item = (&'n str, f64)>) -> Vec<(String, f64)> {
    figures.into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()
}
