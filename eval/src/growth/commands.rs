//! What the commands do with a pile of pages, without files.

use super::counter::{Cost, cost_of};
use unmold::{
    Extraction, Learner, Mold, Text,
    lists::{List, Pattern},
    papers::iepad::Iepad,
    reader::Part,
    report::{
        cleaned::CleanedRow,
        paint,
        records::{PageRow, RecordTable},
        rows::{self, Columns},
        table::{Csv, Table},
    },
};

/// A command, or what is special in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Learn,
    Extract,
    Clean,
    Check,
    Records,
    Iepad,
}

impl Command {
    /// In the order in which [`run_all`] runs them.
    pub const ALL: [Command; 6] = [
        Command::Learn,
        Command::Extract,
        Command::Clean,
        Command::Check,
        Command::Records,
        Command::Iepad,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Command::Learn => "learn",
            Command::Extract => "extract",
            Command::Clean => "clean",
            Command::Check => "check",
            Command::Records => "records",
            Command::Iepad => "iepad",
        }
    }
}

/// Runs all commands over the pages.
pub fn run_all(pages: &[Text]) -> [Cost; 6] {
    let (mold, learn) = cost_of(|| {
        // Pages from which nothing can be learned are read without a mold.
        let mold = Learner::default()
            .learn(pages)
            .unwrap_or_else(|_| Mold::nothing());
        let json = mold.to_json();
        let read = Mold::from_json(&json).expect("what was learned can be read");
        (read, json.len() as u64)
    });
    [
        learn,
        cost_of(|| ((), extract(&mold, pages))).1,
        cost_of(|| ((), clean(&mold, pages))).1,
        cost_of(|| ((), check(&mold, pages))).1,
        cost_of(|| ((), records(pages))).1,
        cost_of(|| ((), iepad(pages))).1,
    ]
}

/// The bytes of values and lists as JSON and as CSV, whichever is more.
fn extract(mold: &Mold, pages: &[Text]) -> u64 {
    let reader = mold.reader().only(&[Part::Fields, Part::Lists]);
    let columns = Columns::of(mold);
    let (mut json, mut csv) = (Vec::new(), Vec::new());
    let mut table = Table {
        columns: columns.columns().to_vec(),
        rows: Vec::new(),
    };
    for page in pages {
        let found = reader.read(page).expect("no page panics");
        rows::write_json(&mut json, &found);
        table.rows.push(columns.row(&found));
    }
    Csv::default()
        .write(&table, &mut csv)
        .expect("memory takes what is written");
    json.len().max(csv.len()) as u64
}

/// The bytes of content in the form in which it is longest.
fn clean(mold: &Mold, pages: &[Text]) -> u64 {
    let reader = mold.reader().only(&[Part::Content, Part::About]);
    let mut written = [0; 5];
    for page in pages {
        let found = reader.read(page).expect("no page panics");
        let lengths = forms(page, &found);
        for (sum, length) in written.iter_mut().zip(lengths) {
            *sum += length as u64;
        }
    }
    written.into_iter().max().unwrap_or_default()
}

fn forms(page: &Text, found: &Extraction<'_>) -> [usize; 5] {
    let content = found.content();
    let row = CleanedRow::new(found, &content, false);
    [
        content.text().len(),
        content.markdown().len(),
        content.html().len(),
        serde_json::to_string(&row).map_or(0, |json| json.len()),
        paint::page(page, &content).len(),
    ]
}

fn check(mold: &Mold, pages: &[Text]) -> u64 {
    let report = mold.checker().check(pages);
    serde_json::to_string(&report).map_or(0, |json| json.len() as u64)
}

/// The bytes of records as JSON and as CSV, whichever is more.
fn records(pages: &[Text]) -> u64 {
    let mold = Learner::lists_only()
        .learn(pages)
        .unwrap_or_else(|_| Mold::nothing());
    let reader = mold.reader().only(&[Part::Lists]);
    let (mut json, mut table) = (0, RecordTable::default());
    for page in pages {
        let lists = reader.read(page).expect("no page panics").into_lists();
        json += json_of(page, &lists);
        if let Some(first) = lists.first() {
            table.add(page, &first.columns, &first.records);
        }
    }
    let mut csv = Vec::new();
    Csv::default()
        .write(&table.finish(), &mut csv)
        .expect("memory takes what is written");
    json.max(csv.len() as u64)
}

fn iepad(pages: &[Text]) -> u64 {
    let found = pages.iter().map(|page| {
        let lists = Pattern::by_iepad(Iepad::default(), page).expect("memory suffices");
        json_of(page, &List::named(lists))
    });
    found.sum()
}

fn json_of(page: &Text, lists: &[List<'_>]) -> u64 {
    let lists: Vec<&List<'_>> = lists.iter().collect();
    let row = PageRow::new(page, &lists, false);
    serde_json::to_string(&row).map_or(0, |json| json.len() as u64)
}
