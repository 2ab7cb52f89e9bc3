//! Which field is meant by whoever clicks at a value?
//!
//! The fields of the mold that find it, those first that find nothing else on the page, then those
//! that more pages have.

use crate::{
    answer::{Answer, nth},
    page::overlaps,
    session::{Session, Version},
};
use rayon::prelude::*;
use serde::Serialize;
use unmold::{Extraction, Span, Text, fields::Type, read::html::visible_text, reader::FoundField};

/// What was clicked at, and what would find it.
#[derive(Serialize)]
pub struct Picked {
    value: String,
    group: Option<usize>,
    candidates: Vec<Candidate>,
    /// Fields of the table that find the same value in another place of the page.
    equals: Vec<Equal>,
}

/// A field that finds the same text elsewhere.
#[derive(Serialize)]
struct Equal {
    field: usize,
    name: String,
}

/// A field that finds what was clicked at.
#[derive(Serialize)]
struct Candidate {
    field: usize,
    name: String,
    /// Whether it is in the table.
    on: bool,
    many: bool,
    #[serde(rename = "type")]
    kind: Type,
    /// How many values it finds on the page.
    here: usize,
    /// Whether that is what was clicked at, and nothing else.
    exact: bool,
    /// How many pages of those that were looked at have it.
    filled: usize,
    looked: usize,
    samples: Vec<Sample>,
}

/// What a field finds on another page.
#[derive(Clone, Serialize)]
struct Sample {
    page: usize,
    value: String,
}

/// So many candidates are shown,
const SHOWN: usize = 12;
/// with so many values on other pages.
const SAMPLES: usize = 4;
/// So many pages are looked at.
const LOOKED: usize = 300;

/// The fields that find a piece of a page.
pub fn pick(session: &Session, page: usize, piece: Span, datum: &str) -> Answer<Picked> {
    let (text, version) = (session.text(page)?, session.version());
    // A declared datum is known by its text: its place may be written in several layers.
    let value = if datum.is_empty() {
        visible_text(text.as_str().get(piece.range()).unwrap_or_default())
    } else {
        datum.to_owned()
    };
    let found = version.reader_of_all().read(text)?;
    let Some(group) = found.group() else {
        return Ok(Picked {
            value,
            group: None,
            candidates: Vec::new(),
            equals: Vec::new(),
        });
    };
    let equals = equals(&found, &version, group, piece, &value)?;
    let mut candidates = candidates(&found, &version, group, piece, &value)?;
    let overview = session.overview();
    let mut others = overview.of_group[group].clone();
    others.sort_by_key(|&other| other == page);
    let count = others.len().min(LOOKED);
    let looked: Vec<usize> = (0..count)
        .map(|at| others[at * others.len() / count])
        .collect();
    count_pages(&mut candidates, &version, session.texts(), &looked);
    candidates.sort_by_key(|candidate| {
        (
            !candidate.exact,
            !candidate.on,
            std::cmp::Reverse(candidate.filled),
        )
    });
    Ok(Picked {
        value,
        group: Some(group),
        candidates,
        equals,
    })
}

/// Fields of the table that find this value, but not here.
fn equals(
    found: &Extraction<'_>,
    version: &Version,
    group: usize,
    piece: Span,
    value: &str,
) -> Answer<Vec<Equal>> {
    let wanted = nth(&version.mold.groups, group)?.wanted().len();
    let mut equals = Vec::new();
    for (at, field) in found.fields().enumerate().take(wanted) {
        let is_equal = field.values().any(|found| found.text() == value);
        let is_here = field.values().any(|v| overlaps(&[v.span()], piece));
        if is_equal && !is_here {
            equals.push(Equal {
                field: at,
                name: field.name().to_owned(),
            });
        }
    }
    Ok(equals)
}

fn candidates(
    found: &Extraction<'_>,
    version: &Version,
    group: usize,
    piece: Span,
    value: &str,
) -> Answer<Vec<Candidate>> {
    let group = nth(&version.mold.groups, group)?;
    let wanted = group.wanted().len();
    let fields = found
        .fields()
        .enumerate()
        .filter(|(_, field)| field.values().any(|v| overlaps(&[v.span()], piece)));
    let candidate = |(at, field): (usize, FoundField<'_>)| Candidate {
        field: at,
        name: field.name().to_owned(),
        on: at < wanted,
        many: field.rule().many,
        kind: field.rule().kind,
        exact: field.values().all(|found| found.text() == value),
        here: field.values().len(),
        filled: 0,
        looked: 0,
        samples: Vec::new(),
    };
    let mut candidates: Vec<Candidate> = fields.map(candidate).collect();
    candidates.sort_by_key(|candidate| (!candidate.exact, candidate.field));
    candidates.truncate(SHOWN);
    Ok(candidates)
}

/// Notes how many pages have each candidate, and what some of them have.
fn count_pages(candidates: &mut [Candidate], version: &Version, texts: &[Text], looked: &[usize]) {
    let fields: Vec<usize> = candidates.iter().map(|candidate| candidate.field).collect();
    let firsts = |&page: &usize| -> Vec<Option<Sample>> {
        let Ok(found) = version.reader_of_all().read(&texts[page]) else {
            return vec![None; fields.len()];
        };
        let values: Vec<Option<String>> = found
            .fields()
            .map(|field| Some(field.values().next()?.text().to_owned()))
            .collect();
        let first = |&field: &usize| {
            Some(Sample {
                page,
                value: values.get(field)?.clone()?,
            })
        };
        fields.iter().map(first).collect()
    };
    let rows: Vec<Vec<Option<Sample>>> = looked.par_iter().map(firsts).collect();
    for (at, candidate) in candidates.iter_mut().enumerate() {
        let found = || rows.iter().filter_map(|row| row[at].as_ref());
        (candidate.filled, candidate.looked) = (found().count(), looked.len());
        candidate.samples = found().take(SAMPLES).cloned().collect();
    }
}
