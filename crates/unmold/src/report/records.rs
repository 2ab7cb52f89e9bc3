//! The records of pages as rows for other programs.

use super::{rows::BETWEEN_VALUES, table::Table};
use crate::{
    Text,
    lists::{Field, Pattern, Record},
};
use serde::Serialize;
use std::collections::HashMap;

/// A page and its patterns, the best first.
#[derive(Serialize)]
pub struct PageRow<'p> {
    page: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'p str>,
    patterns: Vec<PatternRow<'p>>,
}

impl<'p> PageRow<'p> {
    /// The row of a page.
    pub fn new(text: &'p Text, patterns: &'p [Pattern]) -> Self {
        let patterns = patterns.iter().map(|pattern| PatternRow::new(text.as_str(), pattern)).collect();
        PageRow { page: text.id(), url: text.url(), patterns }
    }
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

/// A table with a row for each record of the best pattern of each page, made page by page; columns of the same name are
/// one, in the order in which they are first met.
#[derive(Debug, Default)]
pub struct RecordTable {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    rows: Vec<RecordCells>,
}

/// Where a record stands, and its cells.
#[derive(Debug)]
struct RecordCells {
    page: String,
    number: usize,
    /// By column; columns that come later are left out.
    cells: Vec<Option<String>>,
}

impl RecordTable {
    /// Adds the records of a page.
    pub fn add(&mut self, text: &Text, patterns: &[Pattern]) {
        let Some(best) = patterns.first() else { return };
        let columns: Vec<usize> = best.columns.iter().map(|column| self.number(&column.name)).collect();
        for (number, record) in best.records.iter().enumerate() {
            let mut cells: Vec<Option<String>> = vec![None; self.names.len()];
            for field in &record.fields {
                let value = field.value(text.as_str(), best);
                let cell = &mut cells[columns[field.column]];
                *cell = Some(cell.take().map_or(value.clone(), |before| before + BETWEEN_VALUES + &value));
            }
            self.rows.push(RecordCells { page: text.id().to_owned(), number: number + 1, cells });
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    /// The whole table.
    pub fn finish(self) -> Table {
        let width = self.names.len();
        let names = ["page", "record"].into_iter().map(str::to_owned).chain(self.names).collect();
        let row = |record: RecordCells| {
            let mut cells = record.cells;
            cells.resize(width, None);
            [Some(record.page), Some(record.number.to_string())].into_iter().chain(cells).collect()
        };
        Table { names, rows: self.rows.into_iter().map(row).collect() }
    }
}
