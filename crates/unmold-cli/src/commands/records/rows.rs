//! Records for other programs: JSON lines and CSV.

use super::Found;
use crate::output::{self, Table};
use serde::Serialize;
use std::{
    collections::HashMap,
    io::{self, Write},
};
use unmold::lists::{Field, Pattern, Record};

/// Between the values of a field that a record has several of.
const BETWEEN_VALUES: &str = " | ";

pub fn write_jsonl(out: &mut dyn Write, pages: &[Found<'_>]) -> io::Result<()> {
    for (text, patterns) in pages {
        let patterns = patterns.iter().map(|pattern| PatternRow::new(text.as_str(), pattern)).collect();
        output::jsonl_row(out, &PageRow { page: text.id(), url: text.url(), patterns })?;
    }
    Ok(())
}

#[derive(Serialize)]
struct PageRow<'p> {
    page: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'p str>,
    patterns: Vec<PatternRow<'p>>,
}

#[derive(Serialize)]
struct PatternRow<'p> {
    pattern: &'p str,
    regularity: f64,
    density: f64,
    coverage: f64,
    occurrences: Vec<RecordRow<'p>>,
}

impl<'p> PatternRow<'p> {
    fn new(page: &str, pattern: &'p Pattern) -> Self {
        PatternRow {
            pattern: &pattern.notation,
            regularity: rounded(pattern.measures.regularity),
            density: rounded(pattern.measures.density),
            coverage: rounded(pattern.measures.coverage),
            occurrences: pattern.records.iter().map(|record| RecordRow::new(page, pattern, record)).collect(),
        }
    }
}

/// Four digits say all there is to say.
fn rounded(measure: f64) -> f64 {
    (measure * 1e4).round() / 1e4
}

#[derive(Serialize)]
struct RecordRow<'p> {
    start: u32,
    end: u32,
    text: String,
    fields: Vec<FieldRow<'p>>,
}

impl<'p> RecordRow<'p> {
    fn new(page: &str, pattern: &'p Pattern, record: &Record) -> Self {
        RecordRow {
            start: record.span.start,
            end: record.span.end,
            text: record.text(page),
            fields: record.fields.iter().map(|field| FieldRow::new(page, pattern, field)).collect(),
        }
    }
}

#[derive(Serialize)]
struct FieldRow<'p> {
    name: &'p str,
    value: String,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'p str>,
}

impl<'p> FieldRow<'p> {
    fn new(page: &str, pattern: &'p Pattern, field: &Field) -> Self {
        let column = &pattern.columns[field.column];
        FieldRow {
            name: &column.name,
            value: field.value(page, pattern),
            start: field.span.start,
            end: field.span.end,
            attribute: column.attribute.as_deref(),
        }
    }
}

/// A row for each record of the best pattern of each page; columns of the same name are one.
pub fn table(pages: &[Found<'_>]) -> Table {
    let names = names(pages);
    let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(number, &name)| (name, number)).collect();
    let mut table = Table {
        names: ["page", "record"].iter().chain(&names).map(|&name| name.to_owned()).collect(),
        rows: Vec::new(),
    };
    for (text, patterns) in pages {
        let Some(best) = patterns.first() else { continue };
        for (number, record) in best.records.iter().enumerate() {
            let mut row = vec![None; names.len()];
            for field in &record.fields {
                let cell: &mut Option<String> = &mut row[numbers[best.columns[field.column].name.as_str()]];
                let value = field.value(text.as_str(), best);
                *cell = Some(cell.take().map_or(value.clone(), |before| before + BETWEEN_VALUES + &value));
            }
            let place = [Some(text.id().to_owned()), Some((number + 1).to_string())];
            table.rows.push(place.into_iter().chain(row).collect());
        }
    }
    table
}

/// The names of all columns, in the order in which they are first met.
fn names<'p>(pages: &'p [Found<'_>]) -> Vec<&'p str> {
    let best = pages.iter().filter_map(|(_, patterns)| patterns.first());
    let mut seen = std::collections::HashSet::new();
    let names = best.flat_map(|pattern| &pattern.columns).map(|column| column.name.as_str());
    names.filter(|name| seen.insert(*name)).collect()
}
