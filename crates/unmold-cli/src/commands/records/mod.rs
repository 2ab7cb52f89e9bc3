//! `unmold records`: the records that pages list.

mod rows;
mod rule;
mod table;

use super::debug::level;
use crate::{
    args::{Global, RecordsArgs, RecordsFormat, RecordsMethod},
    corpus::Corpus,
    exit::Outcome,
    output,
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use unmold::{
    Text,
    lists::{Pattern, RecordRule, Regions},
    papers::{
        cut_point::{self, Settings},
        iepad::Iepad,
    },
    read::gaps,
    symbols::{encode::chars, index::Index},
};

pub fn run(args: &RecordsArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let rule = rule::chosen(args)?;
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("finding records");
    let found = match (&rule, args.method) {
        (None, RecordsMethod::Delimiters) => delimited(&corpus.texts)?,
        _ => corpus.texts.par_iter().map(|text| found(text, rule.as_ref(), args)).collect::<Result<Vec<_>>>()?,
    };
    progress.end(&summary(&found));
    drop(progress);
    let pages: Vec<Found<'_>> = corpus.texts.iter().zip(found).collect();
    output::write_to(args.output.output.as_deref(), args.output.overwrite, |out| match args.output.format {
        RecordsFormat::Table => table::write(out, &pages, args.top),
        RecordsFormat::Jsonl => rows::write_jsonl(out, &pages),
        RecordsFormat::Csv => rows::table(&pages).write_csv(out),
        RecordsFormat::Parquet => rows::table(&pages).write_parquet(out),
    })?;
    Ok(corpus.outcome())
}

/// A page and its patterns, the best first.
type Found<'t> = (&'t Text, Vec<Pattern>);

fn found(text: &Text, rule: Option<&RecordRule>, args: &RecordsArgs) -> Result<Vec<Pattern>> {
    Ok(match rule {
        Some(rule) => rule.find(text)?.into_iter().collect(),
        None => learned(text, args)?,
    })
}

/// The patterns of a page by the method that was asked for.
fn learned(text: &Text, args: &RecordsArgs) -> Result<Vec<Pattern>> {
    Ok(match args.method {
        RecordsMethod::Regions => {
            Regions::default().min_records(args.min_records).max_patterns(args.patterns).find(text)
        }
        RecordsMethod::Iepad => Pattern::by_iepad(iepad(args), text)?,
        RecordsMethod::Delimiters => delimited(std::slice::from_ref(text))?.swap_remove(0),
    })
}

/// The records of each page by the tags around its content parts, which are told from what all pages have in common.
fn delimited(texts: &[Text]) -> Result<Vec<Vec<Pattern>>> {
    let index = Index::new(chars::encode(texts))?;
    let template = cut_point::find_optimal(&index, Settings::default()).template(&index);
    let found = texts.par_iter().zip(&template).map(|(text, template)| {
        let page = text.as_str();
        Pattern::by_scoop(page, &gaps(page.len(), template))
    });
    Ok(found.map(|pattern| pattern.into_iter().collect()).collect())
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
        .max_patterns(args.patterns)
}

fn summary(found: &[Vec<Pattern>]) -> String {
    let best = found.iter().filter_map(|patterns| patterns.first());
    let (pages, records) = best.fold((0, 0), |(pages, records), best| (pages + 1, records + best.records.len()));
    format!("found {} on {}", counted(records, "record"), counted(pages, "page"))
}
