//! The records that pages list, as users get them: learned from the pages of a data set, and read
//! by the mold.

use super::{Measured, named, page_score};
use crate::commands::eval::dataset::Dataset;
use anyhow::Result;
use rayon::prelude::*;
use unmold::{
    Learner, Mold, Reader, Text,
    evaluate::{f1, mean, records::PageScore},
    reader::Part,
};

/// The best of this many lists is taken, beside the first.
const FIRST_LISTS: usize = 3;

pub fn measure(dataset: &Dataset) -> Result<Option<Measured>> {
    let truths = dataset.records()?;
    let labelled: Vec<(&Text, &Vec<String>)> = dataset
        .texts
        .iter()
        .zip(&truths)
        .filter_map(|(text, truth)| Some((text, truth.as_ref()?)))
        .collect();
    if labelled.is_empty() {
        return Ok(None);
    }
    let mold = Learner::lists_only()
        .learn(&dataset.texts)
        .unwrap_or_else(|_| Mold::nothing());
    let reader = mold.reader().only(&[Part::Lists]);
    let compared: Vec<Option<(&Text, PageScore, PageScore)>> = labelled
        .par_iter()
        .map(|(text, truth)| {
            let lists = listed(&reader, text)?;
            let first = PageScore::of(truth, &lists, 1);
            let best = PageScore::of(truth, &lists, FIRST_LISTS);
            Ok(first.zip(best).map(|(first, best)| (*text, first, best)))
        })
        .collect::<Result<_>>()?;
    let compared: Vec<_> = compared.into_iter().flatten().collect();
    let figures = [
        (
            "first_retrieval",
            mean(compared.iter().map(|(_, first, _)| first.retrieval())),
        ),
        (
            "first_accuracy",
            mean(compared.iter().map(|(_, first, _)| first.accuracy())),
        ),
        (
            "first_matching",
            mean(compared.iter().map(|(_, first, _)| first.matching())),
        ),
        (
            "retrieval",
            mean(compared.iter().map(|(_, _, best)| best.retrieval())),
        ),
        (
            "accuracy",
            mean(compared.iter().map(|(_, _, best)| best.accuracy())),
        ),
        (
            "matching",
            mean(compared.iter().map(|(_, _, best)| best.matching())),
        ),
    ];
    let by_page = compared.iter().map(|(text, first, _)| {
        let note = format!(
            "{} of {} records, {} given",
            first.found, first.truth, first.given
        );
        page_score(text, f1(first.accuracy(), first.retrieval()), note)
    });
    Ok(Some(Measured {
        pages: compared.len(),
        figures: named(figures),
        by_page: by_page.collect(),
    }))
}

/// The texts of the records of each list of a page, the best list first.
fn listed(reader: &Reader, text: &Text) -> Result<Vec<Vec<String>>> {
    let found = reader.read(text)?;
    let lists = found.lists().map(|found| {
        let records = found.list.records.iter();
        records.map(|record| record.text(text.as_str())).collect()
    });
    Ok(lists.collect())
}
