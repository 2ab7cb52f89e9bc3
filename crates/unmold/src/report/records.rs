//! The records of pages as rows for other programs.

use super::{
    links::Links,
    table::{self, Cell, Names, Table},
    typed::{Reading, Typed},
};
use crate::{
    Text,
    lists::{Column, Field, List, Record},
};
use serde::Serialize;
use std::collections::HashSet;

/// A page and its lists, the best first.
#[derive(Serialize)]
pub struct PageRow<'p> {
    page: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'p str>,
    patterns: Vec<PatternRow<'p>>,
}

impl<'p> PageRow<'p> {
    /// The row of a page, with values as text or, where all of their column on the page are, as
    /// what they mean.
    pub fn new(text: &'p Text, lists: &[&'p List<'p>], is_typed: bool) -> Self {
        let links = Links::of(text);
        let row = |list: &&'p List<'p>| PatternRow::new(text.as_str(), &links, list, is_typed);
        let patterns = lists.iter().map(row).collect();
        PageRow {
            page: text.id(),
            url: text.url(),
            patterns,
        }
    }
}

#[derive(Serialize)]
struct PatternRow<'p> {
    name: &'p str,
    pattern: &'p str,
    regularity: f64,
    density: f64,
    coverage: f64,
    occurrences: Vec<RecordRow<'p>>,
}

impl<'p> PatternRow<'p> {
    fn new(page: &str, links: &Links, pattern: &'p List<'p>, is_typed: bool) -> Self {
        let readings = if is_typed {
            readings(page, pattern)
        } else {
            vec![Reading::Text; pattern.columns.len()]
        };
        PatternRow {
            name: &pattern.name,
            pattern: &pattern.pattern,
            regularity: rounded(pattern.measures.regularity),
            density: rounded(pattern.measures.density),
            coverage: rounded(pattern.measures.coverage),
            occurrences: pattern
                .records
                .iter()
                .map(|record| RecordRow::new(page, links, pattern, record, &readings))
                .collect(),
        }
    }
}

/// What the values of each column mean.
fn readings(page: &str, pattern: &List<'_>) -> Vec<Reading> {
    let mut values = vec![Vec::new(); pattern.columns.len()];
    for field in pattern.records.iter().flat_map(|record| &record.fields) {
        values[field.column].push(field.value(page, &pattern.columns));
    }
    values
        .iter()
        .map(|values| Reading::of(values.iter().map(String::as_str)))
        .collect()
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
    fn new(
        page: &str,
        links: &Links,
        pattern: &'p List<'p>,
        record: &Record,
        readings: &[Reading],
    ) -> Self {
        let field =
            |field: &Field| FieldRow::new(page, links, pattern, field, readings[field.column]);
        RecordRow {
            start: record.span.start,
            end: record.span.end,
            text: record.text(page),
            fields: record.fields.iter().map(field).collect(),
        }
    }
}

#[derive(Serialize)]
struct FieldRow<'p> {
    name: &'p str,
    value: Written,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'p str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Typed(Typed),
}

impl<'p> FieldRow<'p> {
    fn new(
        page: &str,
        links: &Links,
        pattern: &'p List<'p>,
        field: &Field,
        reading: Reading,
    ) -> Self {
        let column = &pattern.columns[field.column];
        let value = links.whole(column, field.value(page, &pattern.columns));
        FieldRow {
            name: &column.name,
            value: reading
                .read(&value)
                .map_or(Written::Text(value), Written::Typed),
            start: field.span.start,
            end: field.span.end,
            attribute: column.attribute.as_deref(),
        }
    }
}

/// A table with a row for each record of a list, made page by page. Columns of different pages are
/// one if they stand in the same place of their records, else if they have the same name; they come
/// in the order in which they are first met.
#[derive(Debug)]
pub struct RecordTable {
    table: Table,
    names: Names,
    /// The columns of earlier pages, and which column of the table each is.
    known: Vec<(Column, usize)>,
    keeps_all_columns: bool,
}

/// Which record a row is.
const RECORD: &[&str] = &["page", "url", "record"];
/// Columns that fewer records have, of a hundred, are left out unless they are asked for.
const MIN_FILL: usize = 10;

impl Default for RecordTable {
    fn default() -> Self {
        let columns = vec![
            table::Column::text("page"),
            table::Column::text("url"),
            table::Column::whole("record"),
        ];
        RecordTable {
            table: Table {
                columns,
                rows: Vec::new(),
            },
            names: Names::new(RECORD),
            known: Vec::new(),
            keeps_all_columns: false,
        }
    }
}

/// Whether a row has a value in a column.
fn has(row: &[Cell], column: usize) -> bool {
    row.get(column).is_some_and(|cell| !cell.is_empty())
}

impl RecordTable {
    /// Keeps columns that hardly any record has.
    #[must_use]
    pub fn all_columns(mut self, keeps_all_columns: bool) -> Self {
        self.keeps_all_columns = keeps_all_columns;
        self
    }

    /// Adds the records of a page, which have these columns; they are counted from one.
    pub fn add(&mut self, text: &Text, columns: &[Column], records: &[Record]) {
        let places = self.places(columns);
        let links = Links::of(text);
        for (number, record) in records.iter().enumerate() {
            let mut row = vec![Cell::new(); self.table.columns.len()];
            row[0].push(text.id().to_owned());
            row[1].extend(text.url().map(str::to_owned));
            row[2].push((number + 1).to_string());
            for field in &record.fields {
                let column = &columns[field.column];
                let value = links.whole(column, column.value(field.span.of(text.as_str())));
                row[places[field.column]].push(value);
            }
            self.table.rows.push(row);
        }
    }

    /// Adds the records of further pages.
    pub fn join(&mut self, other: RecordTable) {
        let mut places: Vec<usize> = (0..RECORD.len()).collect();
        places.extend(
            other
                .names
                .in_order()
                .into_iter()
                .map(|name| self.place(name)),
        );
        let new = other
            .known
            .into_iter()
            .map(|(column, place)| (column, places[place]));
        let new: Vec<_> = new
            .filter(|(column, _)| !self.known.iter().any(|(known, _)| known.way == column.way))
            .collect();
        self.known.extend(new);
        for cells in other.table.rows {
            let mut row = vec![Cell::new(); self.table.columns.len()];
            cells
                .into_iter()
                .zip(&places)
                .for_each(|(cell, &place)| row[place] = cell);
            self.table.rows.push(row);
        }
    }

    /// The columns of the table that columns of a page are, no two of them the same.
    fn places(&mut self, columns: &[Column]) -> Vec<usize> {
        let mut taken: HashSet<usize> = HashSet::new();
        let mut places: Vec<Option<usize>> = vec![None; columns.len()];
        let same_way = |column: &Column, known: &Column| column.way == known.way;
        for is_same in [same_way, Column::is_in_place_of] {
            for (place, column) in places
                .iter_mut()
                .zip(columns)
                .filter(|(place, _)| place.is_none())
            {
                let known = self
                    .known
                    .iter()
                    .find(|(known, at)| is_same(column, known) && !taken.contains(at));
                *place = known.map(|(_, place)| *place);
                taken.extend(*place);
            }
        }
        let mut all = Vec::with_capacity(columns.len());
        for (place, column) in places.into_iter().zip(columns) {
            let place = place.unwrap_or_else(|| self.free_place(&column.name, &taken));
            if !self.known.iter().any(|(known, _)| known.way == column.way) {
                self.known.push((column.clone(), place));
            }
            taken.insert(place);
            all.push(place);
        }
        all
    }

    /// The column of a name that no other column of the page is, with a number behind it if need
    /// be.
    fn free_place(&mut self, name: &str, taken: &HashSet<usize>) -> usize {
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| {
            self.names
                .place(name)
                .is_none_or(|place| !taken.contains(&place))
        };
        let name = names.find(is_free).unwrap_or_default();
        self.place(&name)
    }

    fn place(&mut self, name: &str) -> usize {
        let (place, new) = self.names.column(name);
        self.table.columns.extend(new.map(table::Column::values));
        place
    }

    /// Whether enough records have each column, and no other column says the same; the columns of a
    /// plain table are those that its author made.
    fn is_kept(&self) -> Vec<bool> {
        let width = self.table.columns.len();
        let filled: Vec<usize> = (0..width)
            .map(|at| self.table.rows.iter().filter(|row| has(row, at)).count())
            .collect();
        let is_often = |at: usize| 100 * filled[at] >= MIN_FILL * self.table.rows.len();
        let is_made = |at: usize| {
            self.known
                .iter()
                .any(|(column, place)| *place == at && column.is_cells())
        };
        let is_own = |at: usize| {
            let others =
                (RECORD.len()..width).filter(|&other| (filled[other], at) > (filled[at], other));
            is_made(at) || !others.into_iter().any(|other| self.is_said_by(at, other))
        };
        let is_kept =
            |at: usize| at < RECORD.len() || self.keeps_all_columns || is_often(at) && is_own(at);
        (0..width).map(is_kept).collect()
    }

    /// Whether another column has every value of a column, in the same records. Numbers agree by
    /// chance.
    fn is_said_by(&self, column: usize, other: usize) -> bool {
        let mut rows = self.table.rows.iter().filter(|row| has(row, column));
        let is_word = |row: &Vec<Cell>| {
            row[column]
                .iter()
                .any(|value| value.contains(char::is_alphabetic))
        };
        rows.all(|row| is_word(row) && row.get(other) == Some(&row[column]))
    }

    /// The whole table, and which of its columns are links.
    pub(crate) fn finish_with_links(self) -> (Table, Vec<bool>) {
        let kept = self.is_kept();
        let mut is_link = vec![false; self.table.columns.len()];
        for (column, place) in &self.known {
            is_link[*place] |= column.attribute.as_deref() == Some("href");
        }
        let mut at = 0;
        is_link.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        (self.finish(), is_link)
    }

    /// The whole table.
    pub fn finish(self) -> Table {
        let kept = self.is_kept();
        let width = self.table.columns.len();
        let row = |mut row: Vec<Cell>| {
            row.resize(width, Cell::new());
            row.into_iter()
                .zip(&kept)
                .filter(|(_, kept)| **kept)
                .map(|(cell, _)| cell)
                .collect()
        };
        let rows = self.table.rows.into_iter().map(row).collect();
        let columns = self
            .table
            .columns
            .into_iter()
            .zip(&kept)
            .filter(|(_, kept)| **kept);
        Table {
            columns: columns.map(|(column, _)| column).collect(),
            rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::Regions;

    fn columns(row: impl Fn(usize) -> String) -> Vec<String> {
        let rows: String = (1..=5).map(row).collect();
        let text = Text::from_string("page", format!("<h1>Towns</h1>{rows}"));
        let list = Regions::default().find(&text).swap_remove(0);
        let mut table = RecordTable::default();
        table.add(&text, &list.columns, &list.records);
        let mut joined = RecordTable::default();
        joined.join(table);
        joined
            .finish()
            .columns
            .into_iter()
            .skip(RECORD.len())
            .map(|column| column.name)
            .collect()
    }

    #[test]
    fn what_says_the_same_is_left_out_but_not_from_a_table_that_an_author_made() {
        let item = |n| {
            format!("<li class=a><b class=town>Town {n}</b> <p>is <i class=place>Town {n}</i></li>")
        };
        assert_eq!(
            columns(|n| if n == 1 {
                "<ul>".to_owned() + &item(n)
            } else {
                item(n)
            })
            .len(),
            1
        );
        let header = "<table><tr><th>From<th>To</tr>";
        let row = |n| {
            format!(
                "{}<tr><td>Town {n}</td><td>Town {n}</td></tr>",
                if n == 1 { header } else { "" }
            )
        };
        assert_eq!(columns(row), ["From", "To"]);
    }
}
