//! Which pages share a template, as `group` says it.

use super::{Measured, named};
use crate::commands::eval::{
    dataset::{Dataset, stem},
    score::PageScore,
};
use anyhow::Result;
use std::collections::HashMap;
use unmold::{
    evaluate::groups::{Score, by_page},
    group,
};

pub fn measure(dataset: &Dataset) -> Result<Option<Measured>> {
    let Some(labels) = dataset.labels()? else {
        return Ok(None);
    };
    let grouping = group::group(&dataset.texts);
    let places = dataset.texts.iter().zip(grouping.places());
    let found: HashMap<&str, Option<usize>> = places
        .map(|(text, place)| (stem(text), place.group()))
        .collect();
    let truth: Vec<Option<&str>> = labels.values().map(Option::as_deref).collect();
    let found: Vec<Option<usize>> = labels
        .keys()
        .map(|page| found.get(page.as_str()).copied().flatten())
        .collect();
    let score = Score::of(&truth, &found);
    let figures = [
        ("f1", score.f1),
        ("rand", score.rand),
        ("precision", score.precision),
        ("recall", score.recall),
    ];
    let by_page =
        labels
            .keys()
            .zip(by_page(&truth, &found))
            .enumerate()
            .map(|(place, (page, figure))| PageScore {
                page: dataset.id_of(page).to_owned(),
                about: String::new(),
                figure,
                note: note(truth[place], found[place], &truth, &found),
            });
    Ok(Some(Measured {
        pages: score.pages,
        figures: named(figures),
        by_page: by_page.collect(),
    }))
}

/// With how many pages one was put together that are of another template, and from how many of its
/// own it was kept apart.
fn note(
    own: Option<&str>,
    put: Option<usize>,
    truth: &[Option<&str>],
    found: &[Option<usize>],
) -> String {
    let pages = || truth.iter().zip(found);
    let strangers = pages()
        .filter(|(label, group)| put.is_some() && **group == put && **label != own)
        .count();
    let apart = pages()
        .filter(|(label, group)| own.is_some() && **label == own && **group != put)
        .count();
    format!(
        "{}: with {strangers} of others, without {apart} of its own",
        own.unwrap_or("alone")
    )
}
