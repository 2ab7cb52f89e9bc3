//! How fast are values taken out of pages by a mold, and how long does it take to learn the mold?
//!
//! `bench-fields [FOLDER...]`: each folder holds pages of one site. Decoding, and for `jsonl` and
//! `csv` the rows that are written, are part of the work; each round begins with an extractor that
//! has seen no page. Before a time is printed, the mold must have found a value for most pages and
//! fields that it was learned from, and rows must be those of pages taken one by one.

use anyhow::{Result, ensure};
use std::{path::Path, time::Duration};
use unmold::{
    Mold, Page, Reader, Text,
    read::tree::Tree,
    reader::Part,
    report::{
        rows,
        table::{Csv, Table},
    },
};
use unmold_bench::{fastest_on_core, folders};
use unmold_io::LoadSettings;

/// Learning is timed on this many pages too, those of the folder over and over.
const MANY: usize = 1000;

fn main() -> Result<()> {
    // Everything on one thread, so that the time on its core is all the time.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()?;
    println!(
        "on one core                  KB a page    tree    csv   jsonl MB/s   learn    learn {MANY}"
    );
    let (mut bytes, mut csv, mut jsonl) = (0, Duration::ZERO, Duration::ZERO);
    for folder in folders() {
        let measured = Measured::of(&folder)?;
        measured.print(&folder);
        bytes += measured.bytes;
        csv += measured.csv;
        jsonl += measured.jsonl;
    }
    println!(
        "{:<28} {:>17} {:>6.0} {:>7.0}",
        "all",
        "",
        rate(bytes, csv),
        rate(bytes, jsonl)
    );
    Ok(())
}

/// What one site took.
struct Measured {
    pages: usize,
    bytes: usize,
    tree: Duration,
    csv: Duration,
    jsonl: Duration,
    learn: Duration,
    learn_many: Duration,
}

impl Measured {
    fn of(folder: &Path) -> Result<Self> {
        let pages = unmold_io::load([folder], &LoadSettings::default())
            .read_all()
            .pages;
        let texts: Vec<Text> = pages.iter().cloned().map(Text::decode).collect();
        let mold = Mold::learn(&texts)?;
        check(&mold, &texts)?;
        ensure!(
            jsonl_rows(&mold, &pages) == rows_one_by_one(&mold, &texts),
            "pages give other rows one by one"
        );
        let many: Vec<Text> = texts.iter().cycle().take(MANY).cloned().collect();
        Ok(Measured {
            pages: pages.len(),
            bytes: texts.iter().map(|text| text.as_str().len()).sum(),
            tree: round(&|| {
                texts
                    .iter()
                    .map(|text| Tree::new(text.as_str()).len())
                    .sum()
            }),
            csv: round(&|| csv_rows(&mold, &pages).len()),
            jsonl: round(&|| jsonl_rows(&mold, &pages).len()),
            learn: fastest_on_core(|| Mold::learn(&texts).is_ok()),
            learn_many: fastest_on_core(|| Mold::learn(&many).is_ok()),
        })
    }

    fn print(&self, folder: &Path) {
        let site = folder
            .file_name()
            .filter(|name| *name != "pages")
            .or_else(|| folder.parent()?.file_name());
        println!(
            "{:<28} {:>9} {:>7.0} {:>6.0} {:>7.0}      {:>6.2} s {:>9.2} s",
            site.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            self.bytes / self.pages.max(1) / 1000,
            rate(self.bytes, self.tree),
            rate(self.bytes, self.csv),
            rate(self.bytes, self.jsonl),
            self.learn.as_secs_f64(),
            self.learn_many.as_secs_f64(),
        );
    }
}

/// The time for one round of work over all pages: the clock of the core is too coarse for less than
/// several.
fn round(work: &dyn Fn() -> usize) -> Duration {
    const ROUNDS: u32 = 8;
    fastest_on_core(|| (0..ROUNDS).map(|_| work()).sum::<usize>()) / ROUNDS
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e6
}

/// What rows of JSON need of a page.
fn json_reader(mold: &Mold) -> Reader {
    mold.reader().only(&[Part::Fields, Part::Lists])
}

/// From bytes to rows of JSON, with what pages list.
fn jsonl_rows(mold: &Mold, pages: &[Page]) -> Vec<u8> {
    let reader = json_reader(mold);
    let mut out = Vec::new();
    for page in pages {
        let text = Text::decode(page.clone());
        rows::write_json(&mut out, &reader.read(&text).expect("no page fails"));
        out.push(b'\n');
    }
    out
}

/// The same rows, each page on its own.
fn rows_one_by_one(mold: &Mold, texts: &[Text]) -> Vec<u8> {
    let reader = json_reader(mold);
    let row = |text| rows::json(&reader.read_alone(text).expect("no page fails")) + "\n";
    texts
        .iter()
        .flat_map(|text| row(text).into_bytes())
        .collect()
}

/// From bytes to rows of a table.
fn csv_rows(mold: &Mold, pages: &[Page]) -> Vec<u8> {
    let reader = mold.reader().only(&[Part::Fields]);
    let columns = rows::Columns::of(mold);
    let mut out = Vec::new();
    let mut table = Table {
        columns: columns.columns().to_vec(),
        rows: Vec::new(),
    };
    for page in pages {
        let text = Text::decode(page.clone());
        table
            .rows
            .push(columns.row(&reader.read(&text).expect("no page fails")));
        Csv::default()
            .write_rows(&table, &mut out)
            .expect("memory takes all");
        table.rows.clear();
    }
    out
}

fn check(mold: &Mold, texts: &[Text]) -> Result<()> {
    let reader = json_reader(mold);
    let filled = |text| {
        let found = reader.read(text).expect("no page fails");
        if found.group().is_none() {
            0
        } else {
            found
                .fields()
                .filter(|field| field.values().len() > 0)
                .count()
        }
    };
    let filled: usize = texts.iter().map(filled).sum();
    let learned: f64 = mold
        .groups
        .iter()
        .map(|group| group.fields.iter().map(|field| field.fill).sum::<f64>() * group.pages as f64)
        .sum();
    ensure!(
        filled as f64 >= 0.9 * learned,
        "{filled} values found, {learned:.0} learned"
    );
    Ok(())
}
