//! `unmold records`: the records that pages list.

mod table;

use super::debug::level;
use crate::{
    args::{Global, RecordsArgs, RecordsMethod, RowFormat},
    corpus::{Chunks, Corpus, faults},
    exit::{Failure, Outcome},
    molds::read_rule,
    output::{self, Destinations},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use std::{
    io::{self, Write},
    path::Path,
};
use unmold::{
    Page, Text,
    lists::{Pattern, RecordRule, Regions},
    papers::iepad::Iepad,
    read::guarded,
    report::{
        records::{PageRow, RecordTable},
        table::Csv,
    },
};
use unmold_io::{Fault, LoadSettings, table::write_parquet};

pub fn run(args: &RecordsArgs, global: &Global) -> Result<Outcome> {
    args.output.table.check(args.output.format)?;
    if args.output.format == RowFormat::Parquet && args.output.output.is_none() {
        output::refuse_binary_on_terminal()?;
    }
    Destinations::of(&args.inputs, args.output.overwrite)?
        .reads(args.rule.rule.as_deref())
        .reads(args.rule.learn_from.as_deref())
        .file(args.output.output.as_deref())?
        .file(args.rule.save_rule.as_deref())?;
    let rule = chosen_rule(args)?;
    let mut progress = Progress::new(global.quiet);
    if rule.is_none() && args.method == RecordsMethod::Delimiters {
        return together(args, global, &mut progress);
    }
    let mut chunks = Chunks::open(&args.inputs, global, &mut progress);
    let mut rows = Rows::new(args);
    let mut outcome = Outcome::Done;
    if args.output.output.is_none() && !rows.waits() {
        progress.make_way_for_rows();
    }
    output::stream_to(args.output.output.as_deref(), args.output.overwrite, |out| {
        while let Some(texts) = chunks.next(&mut progress)? {
            let found = chunks.good(find_all(&texts, rule.as_ref(), args), &progress)?;
            rows.write(&found, out)?;
        }
        outcome = chunks.close(&mut progress)?;
        progress.say(&rows.describe());
        Ok(rows.finish(out)?)
    })?;
    Ok(outcome)
}

/// Finds records by what all pages have in common, which needs all of them at once.
fn together(args: &RecordsArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let corpus = Corpus::read(&args.inputs, global, progress)?;
    progress.begin("finding records");
    let found: Vec<Found<'_>> = corpus.texts.iter().zip(Pattern::by_delimiters(&corpus.texts)?).collect();
    let mut rows = Rows::new(args);
    output::write_to(args.output.output.as_deref(), args.output.overwrite, |out| {
        rows.write(&found, out)?;
        rows.finish(out)
    })?;
    progress.end(&rows.describe());
    drop(found);
    corpus.close()
}

/// A page and its patterns, the best first.
type Found<'t> = (&'t Text, Vec<Pattern>);

fn find_all<'t>(texts: &'t [Text], rule: Option<&RecordRule>, args: &RecordsArgs) -> Vec<Result<Found<'t>, Fault>> {
    let found = faults(texts.par_iter().map(|text| guarded(text, |text| find(text, rule, args))));
    let found = texts.iter().zip(found).map(|(text, found)| match found? {
        Ok(patterns) => Ok((text, patterns)),
        Err(error) => Err(Fault::of_page(text.id(), format!("{error:#}"))),
    });
    found.collect()
}

fn find(text: &Text, rule: Option<&RecordRule>, args: &RecordsArgs) -> Result<Vec<Pattern>> {
    Ok(match rule {
        Some(rule) => rule.find(text)?.into_iter().collect(),
        None => learned(text, args)?,
    })
}

/// The patterns of a page by the method that was asked for, or the one of them that was.
fn learned(text: &Text, args: &RecordsArgs) -> Result<Vec<Pattern>> {
    let patterns = match args.method {
        RecordsMethod::Regions => {
            Regions::default().min_records(args.min_records).max_patterns(wanted(args)).find(text)
        }
        RecordsMethod::Iepad => Pattern::by_iepad(iepad(args), text)?,
        RecordsMethod::Delimiters => Pattern::by_delimiters(std::slice::from_ref(text))?.swap_remove(0),
    };
    Ok(match args.list {
        Some(number) => patterns.into_iter().skip(usize::from(number) - 1).take(1).collect(),
        None => patterns,
    })
}

/// How many patterns of a page have to be found.
fn wanted(args: &RecordsArgs) -> usize {
    args.list.map_or(args.patterns, |number| args.patterns.max(number.into()))
}

fn iepad(args: &RecordsArgs) -> Iepad {
    let thresholds = &args.iepad;
    Iepad::default()
        .level(level(thresholds.level))
        .min_length(thresholds.min_length)
        .min_count(thresholds.min_count)
        .max_regularity(thresholds.max_regularity)
        .block_regularity(thresholds.block_regularity)
        .density(thresholds.min_density, thresholds.max_density)
        .min_coverage(thresholds.min_coverage)
        .max_variable(thresholds.max_variable)
        .max_patterns(wanted(args))
}

/// The rule that was asked for, from a file or from a page, if one was.
fn chosen_rule(args: &RecordsArgs) -> Result<Option<RecordRule>> {
    if let Some(file) = &args.rule.rule {
        return read_rule(file).map(Some);
    }
    let Some(page) = &args.rule.learn_from else { return Ok(None) };
    let rule = learn_rule(page, args)?;
    if let Some(file) = &args.rule.save_rule {
        output::write_text(file, args.output.overwrite, &rule.to_json())?;
    }
    Ok(Some(rule))
}

fn learn_rule(page: &Path, args: &RecordsArgs) -> Result<RecordRule> {
    let nothing = |what: &str| Failure::Nothing(format!("{what} {}", page.display()));
    let pages: Vec<Page> = unmold_io::load([page], &LoadSettings::default().limit(1)).read_all().pages;
    let page = pages.into_iter().next().ok_or_else(|| nothing("no page was found in"))?;
    let best = guarded(&Text::decode_guarded(page)?, |text| learned(text, args))??.into_iter().next();
    Ok(best.ok_or_else(|| nothing("no records were found on"))?.rule().clone())
}

/// Writes records as pages come.
struct Rows {
    format: RowFormat,
    csv: Csv,
    is_typed: bool,
    top: usize,
    table: RecordTable,
    /// Pages written.
    written: usize,
    pages: usize,
    records: usize,
}

impl Rows {
    fn new(args: &RecordsArgs) -> Self {
        let (format, top, options) = (args.output.format, args.top, &args.output.table);
        let (csv, is_typed) = (options.csv(), options.typed);
        let table = RecordTable::default().all_columns(args.all_columns);
        Rows { format, csv, is_typed, top, table, written: 0, pages: 0, records: 0 }
    }

    /// Whether nothing is written before the last page was read.
    fn waits(&self) -> bool {
        matches!(self.format, RowFormat::Csv | RowFormat::Parquet)
    }

    fn write(&mut self, found: &[Found<'_>], out: &mut dyn Write) -> io::Result<()> {
        for (text, patterns) in found {
            match self.format {
                RowFormat::Table => table::write(out, text, patterns, self.top, self.written == 0)?,
                RowFormat::Jsonl => output::jsonl_row(out, &PageRow::new(text, patterns, self.is_typed))?,
                RowFormat::Csv | RowFormat::Parquet => {
                    let best = patterns.first().map(|best| (best.columns.as_slice(), best.records.as_slice()));
                    best.into_iter().for_each(|(columns, records)| self.table.add(text, columns, records));
                }
            }
            self.written += 1;
            if let Some(best) = patterns.first() {
                self.pages += 1;
                self.records += best.records.len();
            }
        }
        Ok(())
    }

    /// Writes what can only be written when all columns are known.
    fn finish(&mut self, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let table = std::mem::take(&mut self.table).finish();
        match self.format {
            RowFormat::Csv => self.csv.write(&table, out),
            RowFormat::Parquet => write_parquet(&table, out),
            RowFormat::Table | RowFormat::Jsonl => Ok(()),
        }
    }

    fn describe(&self) -> String {
        format!("found {} on {}", counted(self.records, "record"), counted(self.pages, "page"))
    }
}
