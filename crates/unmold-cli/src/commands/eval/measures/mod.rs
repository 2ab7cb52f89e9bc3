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
use crate::args::{EvalArgs, Measure};
use anyhow::Result;
use clap::ValueEnum;
use unmold::Text;

/// All measures that were asked for and that the truth of a data set allows; none, if it has no
/// such truth.
pub fn all(dataset: &Dataset, args: &EvalArgs) -> Result<Vec<Score>> {
    let scores = wanted(args).map(|measure| one(measure, dataset, args));
    Ok(scores
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// What was asked for, in the order in which it is shown.
fn wanted(args: &EvalArgs) -> impl Iterator<Item = Measure> {
    let is_wanted = |measure: &Measure| match args.measure.as_slice() {
        // Delimiters are a truth about one measure.
        [] if !args.between.is_empty() => *measure == Measure::Template,
        [] => true,
        wanted => wanted.contains(measure),
    };
    Measure::value_variants().iter().copied().filter(is_wanted)
}

/// The files that say what is true, for what was asked for.
pub fn truth_sought(args: &EvalArgs) -> String {
    let mut files: Vec<&str> = wanted(args).flat_map(truth_of).copied().collect();
    files.sort_unstable();
    files.dedup();
    files.join(" or ")
}

fn truth_of(measure: Measure) -> &'static [&'static str] {
    match measure {
        Measure::Content => &["truth/NAME.txt"],
        Measure::Fields | Measure::Examples => &["truth.json"],
        Measure::Records => &["records/NAME.json", "truth/NAME.json"],
        Measure::Groups => &["labels.json"],
        Measure::Template => &["spans/NAME.json", "truth.json"],
    }
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
    Ok(measured.map(
        |Measured {
             pages,
             figures,
             by_page,
         }| Score {
            dataset: dataset.name.clone(),
            measure,
            pages,
            digest: dataset.digest.clone(),
            folder: dataset.pages_folder(),
            figures,
            by_page,
        },
    ))
}

/// What a measure gives.
struct Measured {
    pages: usize,
    figures: Vec<(String, f64)>,
    by_page: Vec<PageScore>,
}

fn page_score(text: &Text, figure: f64, note: String) -> PageScore {
    PageScore {
        page: text.id().to_owned(),
        about: String::new(),
        figure,
        note,
    }
}

fn named<'n>(figures: impl IntoIterator<Item = (&'n str, f64)>) -> Vec<(String, f64)> {
    figures
        .into_iter()
        .map(|(name, figure)| (name.to_owned(), figure))
        .collect()
}
