//! Fields, as `extract` gives them: found without a word, and learned from one labelled page.

use super::{Measured, named};
use crate::commands::eval::{
    dataset::{Dataset, stem},
    score::PageScore,
};
use anyhow::Result;
use rayon::prelude::*;
use std::collections::HashMap;
use unmold::{
    Extraction, Learner, Mold, Reader, Text,
    evaluate::{
        examples,
        fields::{self, AttributeScore, Row},
        mean, words,
    },
    fields::{Example, Value},
    mold::FieldChoice,
    reader::Part,
};

/// A person looks at this many columns, or at that many.
const FIRST_COLUMNS: [usize; 2] = [10, 20];

pub fn measure(dataset: &Dataset) -> Result<Option<Measured>> {
    let Some(truth) = dataset.fields()? else {
        return Ok(None);
    };
    let mut mold = Learner::default().learn(&dataset.texts)?;
    let columns = mold
        .groups
        .iter()
        .map(|group| group.wanted().len())
        .max()
        .unwrap_or(0);
    let wanted = rows(&mold, &dataset.texts)?;
    mold.choose(&FieldChoice::All)?;
    let everything = rows(&mold, &dataset.texts)?;
    let scores = fields::score(&everything, &truth, &FIRST_COLUMNS);
    let (any, first) = fields::summary(&scores);
    let (in_wanted, _) = fields::summary(&fields::score(&wanted, &truth, &[]));
    let figures = [
        ("f1", any),
        ("first_10", first.first().copied().unwrap_or(0.0)),
        ("first_20", first.last().copied().unwrap_or(0.0)),
        ("wanted", in_wanted),
        (
            "wrapper_recall",
            mean(scores.iter().map(|score| score.wrapper_recall)),
        ),
        ("columns", columns as f64),
    ];
    let by_page = scores
        .into_iter()
        .map(|score| by_attribute(dataset, score))
        .collect();
    Ok(Some(Measured {
        pages: everything.len(),
        figures: named(figures),
        by_page,
    }))
}

/// What is lost is lost by attribute; the first page where it went wrong shows how.
fn by_attribute(dataset: &Dataset, score: AttributeScore) -> PageScore {
    let column = score.column.as_deref().unwrap_or("none");
    let first_ten = score.within.first().copied().unwrap_or(0.0);
    let wrong_on = score.wrong_on.len();
    PageScore {
        page: score
            .wrong_on
            .first()
            .map(|page| dataset.id_of(page).to_owned())
            .unwrap_or_default(),
        note: format!(
            "column {column}; wrong on {wrong_on} pages; in the first ten {first_ten:.3}"
        ),
        about: score.attribute,
        figure: score.f1,
    }
}

fn rows(mold: &Mold, texts: &[Text]) -> Result<Vec<Row>> {
    let reader: Reader = mold.reader().only(&[Part::Fields]);
    texts
        .par_iter()
        .map(|text| Ok(row(stem(text), &reader.read(text)?)))
        .collect()
}

fn row(page: &str, found: &Extraction<'_>) -> Row {
    let doubts = found
        .fields()
        .filter(|field| field.doubt().is_some())
        .map(|field| field.name().to_owned())
        .collect();
    let fields = found
        .fields()
        .map(|field| (field.name(), field.values().map(Value::text).collect()));
    Row {
        doubts,
        ..Row::new(page, fields)
    }
}

/// Learns from the page that has most attributes, the first of equals.
pub fn by_example(dataset: &Dataset) -> Result<Option<Measured>> {
    let Some(truth) = dataset.fields()? else {
        return Ok(None);
    };
    let attributes = |page: &HashMap<String, Vec<String>>| {
        page.values().filter(|values| !values.is_empty()).count()
    };
    let most = truth.pages.values().map(attributes).max().unwrap_or(0);
    let Some((page, values)) = truth
        .pages
        .iter()
        .find(|(_, page)| attributes(page) == most)
    else {
        return Ok(None);
    };
    let shown = truth.fields.iter().filter_map(|name| {
        let values = values.get(name).filter(|values| !values.is_empty())?;
        Some((
            name.clone(),
            values.iter().map(|value| words::folded(value)).collect(),
        ))
    });
    let example = Example {
        page: Some(page.clone()),
        fields: shown.collect(),
        content: None,
    };
    let mold = Learner::default()
        .examples(vec![example])
        .learn(&dataset.texts)?;
    let rows = rows(&mold, &dataset.texts)?;
    let score = examples::Score::of(&rows, &truth, &[page]);
    let figures = [
        ("f1", score.f1),
        ("wrong", score.wrong as f64),
        ("right", score.right as f64),
        ("silently", score.silently()),
        ("silent", score.silent as f64),
        ("alarms", score.alarms()),
    ];
    let by_page = examples::by_page(&rows, &truth, &[page]);
    let by_page = by_page.into_iter().map(|score| PageScore {
        page: dataset.id_of(&score.page).to_owned(),
        about: String::new(),
        figure: score.share(),
        note: what_went_wrong(&score),
    });
    Ok(Some(Measured {
        pages: rows.len().saturating_sub(1),
        figures: named(figures),
        by_page: by_page.collect(),
    }))
}

fn what_went_wrong(score: &examples::PageScore) -> String {
    let listed = |words: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{words} {}", names.join(", ")))
    };
    let parts = [
        listed("wrong:", &score.wrong),
        listed("missed:", &score.missed),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
