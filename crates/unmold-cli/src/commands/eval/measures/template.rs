//! What is template by cut points, letter by letter: the measure of the alternation count papers.

use super::{Measured, named, page_score};
use crate::{
    args::{EvalArgs, Measure},
    commands::eval::{
        dataset::{Dataset, stem},
        score::PageScore,
    },
    learning,
};
use anyhow::Result;
use unmold::{
    Span, Text,
    evaluate::{Confusion, between, fields::Truth, share_whole},
    papers::cut_point::{Cut, CutPoint},
};

pub fn measure(dataset: &Dataset, args: &EvalArgs) -> Result<Option<Measured>> {
    let truth = match between_delimiters(&dataset.texts, &args.between) {
        Some(truth) => Some(truth),
        None => dataset.spans()?,
    };
    let attributes = dataset.fields()?;
    // The share of values left whole says little alone: it is given where it was asked for.
    if truth.is_none() && (attributes.is_none() || !args.measure.contains(&Measure::Template)) {
        return Ok(None);
    }
    let cut = learning::cut(&dataset.texts, &args.cut_point)?;
    let CutPoint { n, a, .. } = cut.found.cut_point();
    let (mut figures, mut by_page) = (Vec::new(), Vec::new());
    if let Some(truth) = truth {
        let compared = compare(&dataset.texts, &cut, &truth);
        let all = compared
            .iter()
            .copied()
            .fold(Confusion::default(), Confusion::and);
        figures.extend([
            ("accuracy", all.accuracy()),
            ("recall", all.recall()),
            ("precision", all.precision()),
        ]);
        by_page.extend(
            dataset
                .texts
                .iter()
                .zip(&compared)
                .map(|(text, page)| by_letters(text, *page)),
        );
    }
    if let Some(attributes) = attributes {
        figures.push(("whole", share_whole(valued(dataset, &cut, &attributes))));
    }
    figures.extend([
        ("covered", covered(&dataset.texts, &cut)),
        ("n", n as f64),
        ("a", f64::from(a)),
    ]);
    Ok(Some(Measured {
        pages: dataset.texts.len(),
        figures: named(figures),
        by_page,
    }))
}

/// Each page with its template and its true values.
fn valued<'d>(
    dataset: &'d Dataset,
    cut: &'d Cut,
    attributes: &'d Truth,
) -> impl Iterator<Item = (&'d str, &'d [Span], Vec<&'d str>)> {
    let values = |text: &Text| {
        let page = attributes.pages.get(stem(text));
        page.into_iter()
            .flat_map(|page| page.values().flatten())
            .map(String::as_str)
            .collect()
    };
    let pages = dataset.texts.iter().zip(&cut.template);
    pages.map(move |(text, template)| (text.as_str(), template.as_slice(), values(text)))
}

/// How well the letters of a page were told apart.
fn by_letters(text: &Text, page: Confusion) -> PageScore {
    let note = format!(
        "{} letters of content lost, {} of template left",
        page.lost, page.left
    );
    page_score(text, page.accuracy(), note)
}

fn between_delimiters(texts: &[Text], delimiters: &[String]) -> Option<Vec<Vec<Span>>> {
    let pairs: Vec<(&str, &str)> = delimiters
        .chunks_exact(2)
        .map(|pair| (pair[0].as_str(), pair[1].as_str()))
        .collect();
    (!pairs.is_empty()).then(|| {
        texts
            .iter()
            .map(|text| between(text.as_str(), &pairs))
            .collect()
    })
}

/// Each page's template against its true content.
fn compare(texts: &[Text], cut: &Cut, truth: &[Vec<Span>]) -> Vec<Confusion> {
    let pages = texts.iter().zip(&cut.template).zip(truth);
    pages
        .map(|((text, template), content)| Confusion::of(text.as_str(), template, content))
        .collect()
}

/// The share of bytes taken for template.
fn covered(texts: &[Text], cut: &Cut) -> f64 {
    let bytes: usize = texts.iter().map(|text| text.as_str().len()).sum();
    let template: usize = cut.template.iter().flatten().map(|span| span.len()).sum();
    template as f64 / bytes.max(1) as f64
}
