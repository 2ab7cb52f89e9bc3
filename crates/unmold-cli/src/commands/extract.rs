//! `unmold extract`: from pages to rows of values.

use super::learn;
use crate::{
    args::{ExtractArgs, Global, RowFormat},
    corpus::{Chunks, Corpus},
    exit::Outcome,
    molds::read_mold,
    output::{self, Table},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use std::{
    io::{self, Write},
    sync::{Mutex, PoisonError},
};
use unmold::{
    Text,
    apply::{Extraction, Extractor, Workspace},
    mold::Mold,
    report::rows::{self, Columns},
};

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
        rows.write(&corpus.texts, out)?;
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
            rows.write(&texts, out)?;
        }
        outcome = chunks.close(progress)?;
        Ok(rows.finish(out)?)
    })?;
    progress.say(&rows.describe());
    Ok(outcome)
}

/// Writes rows as pages come.
struct Rows<'m> {
    extractor: Extractor<'m>,
    /// One for each thread.
    workspaces: Vec<Mutex<Workspace>>,
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
        let workspaces = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        Rows { extractor, workspaces, format, columns, table: Table { names, rows: Vec::new() }, pages: 0, without: 0 }
    }

    fn write(&mut self, texts: &[Text], out: &mut dyn Write) -> io::Result<()> {
        let is_first = self.pages == 0;
        self.pages += texts.len();
        match self.format {
            RowFormat::Jsonl => self.write_json(texts, out),
            RowFormat::Csv => {
                self.add_rows(texts);
                let written = if is_first { self.table.write_csv(out) } else { self.table.write_csv_rows(out) };
                self.table.rows.clear();
                written
            }
            RowFormat::Parquet => {
                self.add_rows(texts);
                Ok(())
            }
        }
    }

    fn write_json(&mut self, texts: &[Text], out: &mut dyn Write) -> io::Result<()> {
        let row = |text: &Text, found: Extraction<'m>| {
            let mut row = Vec::new();
            rows::write_json(&mut row, text, &found);
            row.push(b'\n');
            row
        };
        let (rows, without) = self.extract(texts, row);
        self.without += without;
        rows.iter().try_for_each(|row| out.write_all(row))
    }

    fn add_rows(&mut self, texts: &[Text]) {
        let (rows, without) = self.extract(texts, |text, found| self.columns.row(text, found));
        self.without += without;
        self.table.rows.extend(rows);
    }

    /// The rows of pages, which each thread takes out with a workspace of its own, and how many fit no group.
    fn extract<R: Send>(&self, texts: &[Text], row: impl Fn(&Text, Extraction<'m>) -> R + Sync) -> (Vec<R>, usize) {
        let rows = texts.par_iter().map(|text| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.workspaces.len();
            let mut workspace = self.workspaces[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let found = self.extractor.extract_with(&mut workspace, text);
            (found.group.is_none(), row(text, found))
        });
        let (without, rows): (Vec<bool>, Vec<R>) = rows.unzip();
        (rows, without.into_iter().filter(|without| *without).count())
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
