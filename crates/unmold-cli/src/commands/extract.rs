//! `unmold extract`: from pages to rows of values.

use crate::{
    args::{ExtractArgs, ExtractMethod, Global, RowFormat},
    corpus::{Chunks, Corpus, faults},
    exit::Outcome,
    learning,
    molds::read_mold,
    output,
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use std::io::{self, Write};
use unmold::{
    Learner, Mold, Reader, Text,
    reader::Part,
    report::{
        rows::{self, Columns},
        table::Table,
    },
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
    let learner = match args.method {
        ExtractMethod::Fields => Learner::default(),
        ExtractMethod::Lr => Learner::lr(learning::cut_settings(&args.cut_point)),
    };
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    let mold = learning::learn(&learner, &mut corpus, progress)?;
    learning::describe(&mold, corpus.texts.len(), progress);
    progress.begin("extracting");
    let mut rows = Rows::new(&mold, args.format);
    let found = corpus.good(rows.find(&corpus.texts), progress)?;
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        rows.write(found, out)?;
        rows.finish(out)
    })?;
    progress.end(&rows.describe());
    corpus.close()
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
struct PageRow {
    /// Whether it is like one of the mold's groups.
    fits: bool,
    row: Row,
}

enum Row {
    /// With the end of the line.
    Json(Vec<u8>),
    Cells(Vec<Option<String>>),
}

/// Writes rows as pages come.
struct Rows<'m> {
    reader: Reader,
    format: RowFormat,
    columns: Columns<'m>,
    /// The rows that have not been written.
    table: Table,
    has_header: bool,
    pages: usize,
    without: usize,
}

impl<'m> Rows<'m> {
    fn new(mold: &'m Mold, format: RowFormat) -> Self {
        let columns = Columns::of(mold);
        let names = columns.names().iter().map(|name| (*name).to_owned()).collect();
        // Tables have no place for lists.
        let parts: &[Part] = match format {
            RowFormat::Jsonl => &[Part::Fields, Part::Lists],
            RowFormat::Csv | RowFormat::Parquet => &[Part::Fields],
        };
        let reader = mold.reader().only(parts);
        let table = Table { names, rows: Vec::new() };
        Rows { reader, format, columns, table, has_header: false, pages: 0, without: 0 }
    }

    /// Takes the values out of pages.
    fn find(&self, texts: &[Text]) -> Vec<Result<PageRow, Fault>> {
        faults(texts.par_iter().map(|text| {
            let found = self.reader.read(text)?;
            let row = match self.format {
                RowFormat::Jsonl => {
                    let mut line = Vec::new();
                    rows::write_json(&mut line, &found);
                    line.push(b'\n');
                    Row::Json(line)
                }
                RowFormat::Csv | RowFormat::Parquet => Row::Cells(self.columns.row(&found)),
            };
            Ok(PageRow { fits: found.group().is_some(), row })
        }))
    }

    fn write(&mut self, found: Vec<PageRow>, out: &mut dyn Write) -> io::Result<()> {
        self.pages += found.len();
        self.without += found.iter().filter(|found| !found.fits).count();
        for PageRow { row, .. } in found {
            match row {
                Row::Json(line) => out.write_all(&line)?,
                Row::Cells(cells) => self.table.rows.push(cells),
            }
        }
        if self.format == RowFormat::Csv {
            if !std::mem::replace(&mut self.has_header, true) {
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
        if self.format == RowFormat::Parquet { output::write_parquet(&self.table, out) } else { Ok(()) }
    }

    fn describe(&self) -> String {
        let fitting =
            if self.without == 0 { String::new() } else { format!("; {} fit no group of the mold", self.without) };
        format!("extracted from {}{fitting}", counted(self.pages, "page"))
    }
}
