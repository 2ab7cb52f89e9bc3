//! `unmold debug histogram`: how many strings are on how many pages, and where does template begin?

use crate::{
    args::{Format, Global, HistogramArgs},
    corpus::Corpus,
    exit::Outcome,
    learning, output,
    progress::Progress,
    terminal::{clipped, dimmed, visible},
};
use anyhow::Result;
use serde::Serialize;
use std::{
    cmp::Reverse,
    io::{self, Write},
};
use unmold::{
    papers::documents::{self, BINS, FrequentStrings, Maximal},
    report::picture::histogram_svg,
    symbols::{encode::Flat, index::Index},
};

pub fn run(args: &HistogramArgs, global: &Global) -> Result<Outcome> {
    let mutables = learning::mutables(&args.documents)?;
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("counting strings");
    let index = Index::new(
        Flat::default()
            .with_mutables(mutables)
            .encode(&corpus.texts),
    )?;
    let found = documents::find(&index, &learning::string_settings(&args.documents));
    progress.end(&format!("found {} maximal strings", found.strings().len()));
    drop(progress);
    if let Some(path) = &args.svg {
        output::write_text(path, args.output.overwrite, &histogram_svg(&found))?;
    }
    output::write(&args.output, |out| match args.output.format() {
        Format::Table => write_table(out, &index, &found, args.top),
        Format::Jsonl => found
            .strings()
            .iter()
            .try_for_each(|string| output::jsonl_row(out, &row(string, &index, &found))),
    })?;
    corpus.close()
}

/// A maximal string, for other programs.
#[derive(Serialize)]
struct Row {
    string: String,
    symbols: usize,
    tf: usize,
    df: usize,
    template: bool,
}

fn row(string: &Maximal, index: &Index, found: &FrequentStrings) -> Row {
    Row {
        string: index.show_run(string.positions()),
        symbols: string.length,
        tf: string.tf,
        df: string.df,
        template: string.df >= found.cutoff_pages(),
    }
}

const LINES: usize = 10;

fn write_table(
    out: &mut dyn Write,
    index: &Index,
    found: &FrequentStrings,
    top: usize,
) -> io::Result<()> {
    write_plot(out, found)?;
    let (template, language): (Vec<_>, Vec<_>) = found
        .strings()
        .iter()
        .partition(|string| string.df >= found.cutoff_pages());
    write_strings(out, "template", template, index, top)?;
    write_strings(out, "not", language, index, top)
}

/// The bins, upright and logarithmic; solid ones are template.
fn write_plot(out: &mut dyn Write, found: &FrequentStrings) -> io::Result<()> {
    let bins = found.histogram().bins();
    let highest = bins.iter().copied().max().unwrap_or(1).max(2) as f64;
    let height = |count: u64| {
        ((count as f64 + 1.0).ln() / (highest + 1.0).ln() * LINES as f64).ceil() as usize
    };
    for line in (1..=LINES).rev() {
        let cells = bins.iter().enumerate().map(|(bin, &count)| {
            match (height(count) >= line, bin >= found.cutoff()) {
                (true, true) => '█',
                (true, false) => '░',
                (false, _) => ' ',
            }
        });
        writeln!(out, "{}", cells.collect::<String>().trim_end())?;
    }
    writeln!(out, "{:>at$}", "^", at = found.cutoff() + 1)?;
    writeln!(
        out,
        "{}",
        dimmed(&format!(
            "strings by share of pages, 1 to {BINS} %, up to {highest} strings, logarithmic; █ is template: on {} pages or more",
            found.cutoff_pages()
        ))
    )
}

fn write_strings(
    out: &mut dyn Write,
    title: &str,
    mut strings: Vec<&Maximal>,
    index: &Index,
    top: usize,
) -> io::Result<()> {
    const WIDTH: usize = 80;
    strings.sort_by_key(|string| (Reverse(string.df * string.length), string.position));
    writeln!(
        out,
        "\n{:>8} {:>8} {:>8}  {title}: {} strings",
        "df",
        "tf",
        "symbols",
        strings.len()
    )?;
    for string in strings.iter().take(top) {
        let shown = index.show_run(string.positions());
        let shown = clipped(&visible(&shown), WIDTH).into_owned();
        writeln!(
            out,
            "{:>8} {:>8} {:>8}  {shown}",
            string.df, string.tf, string.length
        )?;
    }
    Ok(())
}
