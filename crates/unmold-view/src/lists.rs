//! Which lists does a page have, and which of them is meant?

use crate::answer::{Answer, Problem};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use unmold::{
    Mold, Span, Text,
    lists::{Column, Pattern, Record, Regions},
    papers::iepad::Iepad,
    read::guarded,
    reader::{FoundList, Part},
    report::{records::RecordTable, table::Table},
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
    /// The number of the list of the mold that finds the same records.
    list: Option<usize>,
    table: RowsOfPage,
}

/// A list of a page that the mold finds.
#[derive(Clone, Serialize)]
pub struct OwnList {
    number: Option<usize>,
    name: String,
    notation: String,
    regularity: f64,
    density: f64,
    coverage: f64,
    /// Where its records are.
    #[serde(skip)]
    pub spans: Vec<Span>,
    table: RowsOfPage,
}

/// The records of a page as rows.
#[derive(Clone, Serialize)]
struct RowsOfPage {
    columns: Vec<String>,
    rows: Vec<Row>,
    /// All records, of which the rows are the first.
    total: usize,
}

#[derive(Clone, Serialize)]
struct Row {
    s: u32,
    e: u32,
    cells: Vec<String>,
}

/// All lists of a page.
#[derive(Serialize)]
pub struct PageLists {
    own: Vec<OwnList>,
    patterns: Vec<ListPattern>,
}

/// A list on all pages of a group, as it would be written.
pub struct GroupList {
    pub table: Table,
    /// The page of each row, and where its record begins.
    pub places: Vec<(usize, u32)>,
}

/// Max. number of records of a page shown as rows.
const ROWS: usize = 300;
/// Max. number of columns shown.
const COLUMNS: usize = 40;
/// Max. number of letters shown of a value.
const LETTERS: usize = 300;

impl RowsOfPage {
    fn of(page: &str, columns: &[Column], records: &[Record]) -> Self {
        let mut rows = Vec::new();
        for record in records.iter().take(ROWS) {
            let mut cells = vec![String::new(); columns.len().min(COLUMNS)];
            for field in &record.fields {
                let Some(cell) = cells.get_mut(field.column) else {
                    continue;
                };
                if !cell.is_empty() {
                    cell.push_str(" · ");
                }
                let value = field.value(page, columns);
                cell.extend(value.chars().take(LETTERS));
            }
            rows.push(Row {
                s: record.span.start,
                e: record.span.end,
                cells,
            });
        }
        let names = columns.iter().take(COLUMNS);
        RowsOfPage {
            columns: names.map(|column| column.name.clone()).collect(),
            rows,
            total: records.len(),
        }
    }
}

impl OwnList {
    pub fn of(text: &Text, found: FoundList<'_>) -> Self {
        let measures = &found.list.measures;
        OwnList {
            number: found.number,
            name: found.name.to_owned(),
            notation: found.list.pattern.to_string(),
            regularity: measures.regularity,
            density: measures.density,
            coverage: measures.coverage,
            spans: found
                .list
                .records
                .iter()
                .map(|record| record.span)
                .collect(),
            table: RowsOfPage::of(text.as_str(), &found.list.columns, &found.list.records),
        }
    }

    /// How many records it has.
    pub fn len(&self) -> usize {
        self.spans.len()
    }
}

impl GroupList {
    /// A list of the mold on some pages.
    pub fn of(mold: &Mold, texts: &[Text], pages: &[usize], list: usize) -> Self {
        let reader = mold.reader().only(&[Part::Lists]);
        let of_page = |&page: &usize| {
            let (mut table, mut places) = (RecordTable::default(), Vec::new());
            if let Ok(found) = reader.read(&texts[page]) {
                for found in found.lists().filter(|found| found.number == Some(list)) {
                    table.add(&texts[page], &found.list.columns, &found.list.records);
                    let starts = found.list.records.iter().map(|record| record.span.start);
                    places.extend(starts.map(|start| (page, start)));
                }
            }
            (table, places)
        };
        let parts: Vec<_> = pages.par_iter().map(of_page).collect();
        let (mut table, mut places) = (RecordTable::default(), Vec::new());
        for (part, of_part) in parts {
            table.join(part);
            places.extend(of_part);
        }
        GroupList {
            table: table.finish(),
            places,
        }
    }
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

/// All lists of a page: those of the mold, and the patterns by both methods.
pub fn described(text: &Text, own: &[OwnList]) -> Answer<PageLists> {
    let mut described = Vec::new();
    for method in [Method::Regions, Method::Iepad] {
        for (number, found) in patterns(text, method)?.iter().enumerate() {
            described.push(describe(text, method, number, found, own));
        }
    }
    Ok(PageLists {
        own: own.to_vec(),
        patterns: described,
    })
}

fn describe(
    text: &Text,
    method: Method,
    number: usize,
    found: &Pattern,
    own: &[OwnList],
) -> ListPattern {
    let is_same = |list: &&OwnList| {
        let starts = found.records.iter().map(|record| record.span.start);
        list.len() == found.records.len()
            && starts
                .zip(&list.spans)
                .all(|(start, span)| start == span.start)
    };
    ListPattern {
        method,
        number,
        notation: found.notation.clone(),
        records: found.records.len(),
        regularity: found.measures.regularity,
        density: found.measures.density,
        coverage: found.measures.coverage,
        list: own.iter().find(is_same).and_then(|list| list.number),
        table: RowsOfPage::of(text.as_str(), &found.columns, &found.records),
    }
}
