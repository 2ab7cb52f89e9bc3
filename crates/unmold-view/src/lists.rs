//! Which lists does a page have, and which of them is meant?

use crate::answer::{Answer, Problem};
use serde::{Deserialize, Serialize};
use unmold::{
    Span, Text,
    lists::{Pattern, Regions},
    papers::iepad::Iepad,
    read::guarded,
};

/// How patterns are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Neighbours of like shape in the tree.
    Regions,
    /// Repeated strings of tags, as in the paper.
    Iepad,
}

/// A list of a page, with the paper's measures.
#[derive(Serialize)]
pub struct ListPattern {
    method: Method,
    number: usize,
    notation: String,
    records: usize,
    regularity: f64,
    density: f64,
    coverage: f64,
    columns: Vec<String>,
    /// The first records, as texts.
    samples: Vec<String>,
    /// Whether the mold finds the same records.
    chosen: bool,
    /// Where it begins.
    start: u32,
}

/// So many patterns of each method are shown.
const SHOWN: usize = 8;

/// The patterns of a page, the best first.
pub fn patterns(text: &Text, method: Method) -> Answer<Vec<Pattern>> {
    let found = guarded(text, |text| match method {
        Method::Regions => Ok(Regions::default().find(text)),
        Method::Iepad => Pattern::by_iepad(Iepad::default(), text),
    });
    let mut found = found?.map_err(|error| Problem::Refused(error.to_string()))?;
    found.truncate(SHOWN);
    Ok(found)
}

/// The patterns of a page by both methods, where the mold finds these records.
pub fn described(text: &Text, chosen: &[Span]) -> Answer<Vec<ListPattern>> {
    let mut described = Vec::new();
    for method in [Method::Regions, Method::Iepad] {
        let patterns = patterns(text, method)?;
        described.extend(
            patterns
                .iter()
                .enumerate()
                .map(|(at, found)| describe(text, method, at, found, chosen)),
        );
    }
    Ok(described)
}

fn describe(
    text: &Text,
    method: Method,
    number: usize,
    found: &Pattern,
    chosen: &[Span],
) -> ListPattern {
    const SAMPLES: usize = 3;
    const LETTERS: usize = 120;
    let samples = found
        .records
        .iter()
        .take(SAMPLES)
        .map(|record| record.text(text.as_str()));
    ListPattern {
        method,
        number,
        notation: found.notation.clone(),
        records: found.records.len(),
        regularity: found.measures.regularity,
        density: found.measures.density,
        coverage: found.measures.coverage,
        columns: found
            .columns
            .iter()
            .map(|column| column.name.clone())
            .collect(),
        samples: samples
            .map(|text| text.chars().take(LETTERS).collect())
            .collect(),
        chosen: !chosen.is_empty() && is_same(found, chosen),
        start: found.records.first().map_or(0, |record| record.span.start),
    }
}

fn is_same(found: &Pattern, chosen: &[Span]) -> bool {
    let starts = || found.records.iter().map(|record| record.span.start);
    starts().eq(chosen.iter().map(|span| span.start))
}
