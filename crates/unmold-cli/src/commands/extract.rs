//! `unmold extract`: from pages to rows of values.

use super::learn;
use crate::{
    args::{ExtractArgs, Global, RowFormat},
    corpus::{Chunks, Corpus},
    exit::Outcome,
    guard,
    molds::read_mold,
    output::{self, Table},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use std::io::{self, Write};
use unmold::{
    Text,
    mold::Mold,
    reader::{Extraction, Extractor},
    report::rows::{self, Columns},
};
use unmold_io::Fault;

pub fn run(args: &ExtractArgs, global: &Global) -> Result<Outcome> {
    let given = args.mold.as_deref().map(read_mold).transpose()?;
    let mut progress = Progress::new(global.quiet);
    match given {
        Some(mold) => apply_to_inputs(args, global, &mold, &mut progress),
        None => learn_and_apply(args, global, &mut progress),
    }
}

fn learn_and_apply(args: &ExtractArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let corpus = Corpus::read(&args.inputs, global, progress)?;
    let mold = learn::learn(&corpus.texts, args.method, &args.cut_point, progress)?;
    progress.begin("extracting");
    let mut rows = Rows::new(&mold, args.format);
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        let found = rows.find(&corpus.texts).into_iter();
        rows.write(found.collect::<Result<_, _>>().map_err(io::Error::other)?, out)?;
        rows.finish(out)
    })?;
    progress.end(&rows.describe());
    Ok(corpus.outcome())
}

/// Takes the values out of pages as they are read, without holding them all.
fn apply_to_inputs(args: &ExtractArgs, global: &Global, mold: &Mold, progress: &mut Progress) -> Result<Outcome> {
    let mut rows = Rows::new(mold, args.format);
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let mut outcome = Outcome::Done;
    output::stream_to(args.output.as_deref(), args.overwrite, |out| {
        while let Some(texts) = chunks.next(progress)? {
            let found = chunks.good(rows.find(&texts), progress)?;
            rows.write(found, out)?;
        }
        outcome = chunks.close(progress)?;
        Ok(rows.finish(out)?)
    })?;
    progress.say(&rows.describe());
    Ok(outcome)
}

/// What a page gives.
struct Found {
    /// Whether it is like one of the mold's groups.
    fits: bool,
    row: Row,
}

enum Row {
    /// With the end of the line.
    Json(Vec<u8>),
    Cells(Vec<Option<String>>),
}

fn json_line(text: &Text, found: &Extraction<'_>) -> Vec<u8> {
    let mut line = Vec::new();
    rows::write_json(&mut line, text, found);
    line.push(b'\n');
    line
}

/// Writes rows as pages come.
struct Rows<'m> {
    extractor: Extractor<'m>,
    format: RowFormat,
    columns: Columns<'m>,
    /// The rows that have not been written.
    table: Table,
    pages: usize,
    without: usize,
}

impl<'m> Rows<'m> {
    fn new(mold: &'m Mold, format: RowFormat) -> Self {
        let columns = Columns::of(mold);
        let names = columns.names().iter().map(|name| (*name).to_owned()).collect();
        // Tables have no place for lists.
        let extractor = match format {
            RowFormat::Jsonl => Extractor::new(mold),
            RowFormat::Csv | RowFormat::Parquet => Extractor::new(mold).fields_only(),
        };
        Rows { extractor, format, columns, table: Table { names, rows: Vec::new() }, pages: 0, without: 0 }
    }

    /// Takes the values out of pages.
    fn find(&self, texts: &[Text]) -> Vec<Result<Found, Fault>> {
        guard::each_page(texts.par_iter(), |text| {
            let found = self.extractor.extract(text);
            let fits = found.group.is_some();
            let row = match self.format {
                RowFormat::Jsonl => Row::Json(json_line(text, &found)),
                RowFormat::Csv | RowFormat::Parquet => Row::Cells(self.columns.row(text, found)),
            };
            Found { fits, row }
        })
    }

    fn write(&mut self, found: Vec<Found>, out: &mut dyn Write) -> io::Result<()> {
        let is_first = self.pages == 0;
        self.pages += found.len();
        self.without += found.iter().filter(|found| !found.fits).count();
        for Found { row, .. } in found {
            match row {
                Row::Json(line) => out.write_all(&line)?,
                Row::Cells(cells) => self.table.rows.push(cells),
            }
        }
        if self.format == RowFormat::Csv {
            if is_first {
                self.table.write_csv(out)?;
            } else {
                self.table.write_csv_rows(out)?;
            }
            self.table.rows.clear();
        }
        Ok(())
    }

    /// Writes what can only be written at the end.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.format == RowFormat::Parquet { self.table.write_parquet(out) } else { Ok(()) }
    }

    fn describe(&self) -> String {
        let fitting =
            if self.without == 0 { String::new() } else { format!("; {} fit no group of the mold", self.without) };
        format!("extracted from {}{fitting}", counted(self.pages, "page"))
    }
}
