//! Main content, as `clean` gives it.

use super::{Measured, named, page_score};
use crate::commands::eval::dataset::{Dataset, stem};
use anyhow::Result;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use unmold::{
    Learner, Text,
    evaluate::{
        content::{Overlap, Score, word_f1},
        mean, words,
    },
    reader::Part,
};

/// A text in a note is cut at this many characters.
const NOTED: usize = 160;

pub fn measure(dataset: &Dataset) -> Result<Option<Measured>> {
    let truths = dataset.contents()?;
    if truths.iter().all(Option::is_none) {
        return Ok(None);
    }
    let together = cleaned(&dataset.texts)?;
    if let Some(kinds) = dataset.kinds()? {
        return many_sites(dataset, &truths, &together, &kinds).map(Some);
    }
    let labelled = || dataset.texts.iter().zip(&together).zip(&truths);
    let compared: Vec<(&Text, Overlap, String)> = labelled()
        .filter_map(|((text, found), truth)| {
            let truth = truth.as_ref()?;
            Some((text, Overlap::of(found, truth), difference(found, truth)))
        })
        .collect();
    let score = Score::over(compared.iter().map(|(_, overlap, _)| *overlap));
    let by_page = compared
        .into_iter()
        .map(|(text, overlap, note)| page_score(text, overlap.f1(), note))
        .collect();
    let figures = [
        ("f1", score.f1),
        ("precision", score.precision),
        ("recall", score.recall),
    ];
    Ok(Some(Measured {
        pages: score.pages,
        figures: named(figures),
        by_page,
    }))
}

/// Pages of as many sites: all as one pile, and each alone.
fn many_sites(
    dataset: &Dataset,
    truths: &[Option<String>],
    together: &[String],
    kinds: &HashMap<String, String>,
) -> Result<Measured> {
    let alone: Vec<String> = dataset
        .texts
        .par_iter()
        .map(|text| Ok(cleaned(std::slice::from_ref(text))?.remove(0)))
        .collect::<Result<_>>()?;
    let mut by_page = Vec::new();
    let (mut in_pile, mut on_their_own, mut by_kind) =
        (Vec::new(), Vec::new(), BTreeMap::<&str, Vec<f64>>::new());
    for (place, text) in dataset.texts.iter().enumerate() {
        let Some(truth) = &truths[place] else {
            continue;
        };
        let figure = word_f1(&together[place], truth);
        in_pile.push(figure);
        on_their_own.push(word_f1(&alone[place], truth));
        let kind = kinds.get(stem(text)).map_or("", String::as_str);
        if !kind.is_empty() {
            by_kind.entry(kind).or_default().push(figure);
        }
        by_page.push(page_score(
            text,
            figure,
            format!("{kind}: {}", difference(&together[place], truth)),
        ));
    }
    let mut figures = named([
        ("words", mean(in_pile.iter().copied())),
        ("alone", mean(on_their_own)),
    ]);
    figures.extend(
        by_kind
            .into_iter()
            .map(|(kind, all)| (kind_name(kind), mean(all))),
    );
    Ok(Measured {
        pages: in_pile.len(),
        figures,
        by_page,
    })
}

/// What the figure of a kind of pages is called: like the kind, unless a row has something else of
/// that name.
fn kind_name(kind: &str) -> String {
    let taken = ["dataset", "measure", "pages", "digest", "words", "alone"];
    if taken.contains(&kind) {
        format!("kind {kind}")
    } else {
        kind.to_owned()
    }
}

fn cleaned(texts: &[Text]) -> Result<Vec<String>> {
    let reader = Learner::content_only()
        .learn(texts)?
        .reader()
        .only(&[Part::Content]);
    texts
        .par_iter()
        .map(|text| Ok(reader.read(text)?.content().text()))
        .collect()
}

/// The first words of a true text that were not found, or of a found text that is not true.
fn difference(found: &str, truth: &str) -> String {
    let missing = only_in(truth, found);
    let extra = only_in(found, truth);
    match (missing, extra) {
        (None, None) => String::new(),
        (Some(missing), None) => format!("misses “{missing}”"),
        (None, Some(extra)) => format!("has too much “{extra}”"),
        (Some(missing), Some(extra)) => format!("misses “{missing}”, has too much “{extra}”"),
    }
}

/// The longest line of one text that the other does not have.
fn only_in(one: &str, other: &str) -> Option<String> {
    let other = words::folded(other);
    let lines = one
        .lines()
        .map(words::folded)
        .filter(|line| !line.is_empty() && !other.contains(line));
    lines
        .max_by_key(String::len)
        .map(|line| line.chars().take(NOTED).collect())
}
