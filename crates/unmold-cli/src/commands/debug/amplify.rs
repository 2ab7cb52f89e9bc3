//! `unmold debug amplify`: which frequencies stand out?

use super::encode;
use crate::{
    args::{AmplifyArgs, Format, Global},
    corpus::Corpus,
    exit::{Failure, Outcome},
    output,
    progress::Progress,
    terminal::{clipped, dimmed, visible},
};
use anyhow::Result;
use indicatif::HumanCount;
use serde::Serialize;
use std::{
    cmp::Reverse,
    io::{self, Write},
};
use unmold::{
    papers::amplify::{Amplification, Peak, Threshold},
    report::picture::amplification_svg,
    symbols::index::{Index, Node},
};

const WORD_WIDTH: usize = 80;
/// How many words of a peak are shown.
const WORDS: usize = 3;

pub fn run(args: &AmplifyArgs, global: &Global) -> Result<Outcome> {
    let threshold = threshold(args)?;
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("counting strings");
    let index = Index::new(encode(&corpus.texts, &args.reading)?)?;
    let amplification = Amplification::of(&index);
    let peaks = amplification.peaks(threshold);
    progress.end(&format!(
        "found {} peaks among {} frequencies",
        peaks.len(),
        amplification.masses().count()
    ));
    drop(progress);
    if let Some(path) = &args.svg {
        output::write_text(
            path,
            args.output.overwrite,
            &amplification_svg(&amplification, &peaks),
        )?;
    }
    output::write(&args.output, |out| match args.output.format() {
        Format::Table => write_table(out, &index, &amplification, &peaks, args.top),
        Format::Jsonl => {
            rows(&amplification, &peaks).try_for_each(|row| output::jsonl_row(out, &row))
        }
    })?;
    corpus.close()
}

fn threshold(args: &AmplifyArgs) -> Result<Threshold> {
    if !(args.risk > 0.0 && args.risk < 1.0) {
        return Err(Failure::Usage("--risk: a probability between 0 and 1".to_owned()).into());
    }
    Ok(args
        .delta
        .map_or(Threshold::Risk(args.risk), Threshold::Delta))
}

/// A frequency, for other programs.
#[derive(Serialize)]
struct Row {
    frequency: usize,
    variety: u64,
    mass: u64,
    height: f64,
    share: f64,
    peak: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    multiple_of: Option<usize>,
}

fn rows<'a>(amplification: &'a Amplification, peaks: &'a [Peak]) -> impl Iterator<Item = Row> + 'a {
    amplification.masses().map(move |(frequency, mass)| {
        let peak = peaks
            .binary_search_by_key(&frequency, |peak| peak.frequency)
            .ok()
            .map(|at| peaks[at]);
        Row {
            frequency,
            variety: amplification.variety(frequency),
            mass,
            height: amplification.height(frequency),
            share: amplification.share(frequency),
            peak: peak.is_some(),
            multiple_of: peak.and_then(|peak| peak.multiple_of),
        }
    })
}

fn write_table(
    out: &mut dyn Write,
    index: &Index,
    amplification: &Amplification,
    peaks: &[Peak],
    top: usize,
) -> io::Result<()> {
    write_plot(out, amplification, peaks)?;
    let mut heaviest = peaks.to_vec();
    heaviest.sort_by_key(|peak| (Reverse(peak.mass), peak.frequency));
    heaviest.truncate(top);
    writeln!(out, "\n{:>9} {:>14} {:>10}  peak", "f", "F(f)", "G(f)")?;
    for peak in &heaviest {
        writeln!(
            out,
            "{:>9} {:>14} {:>10.1}  {}",
            peak.frequency,
            HumanCount(peak.mass).to_string(),
            peak.height,
            explained(peak, index)
        )?;
        write_words(out, index, peak)?;
    }
    if peaks.len() > heaviest.len() {
        writeln!(
            out,
            "{}",
            dimmed(&format!(
                "    ... and {} more; --top shows them",
                peaks.len() - heaviest.len()
            ))
        )?;
    }
    Ok(())
}

/// What a frequency means, in terms of pages and other peaks.
fn explained(peak: &Peak, index: &Index) -> String {
    let pages = index.symbols().pages().count();
    match peak.multiple_of {
        Some(base) => format!("{} × {base}", peak.frequency / base),
        None if peak.frequency == pages => "once on every page".to_owned(),
        None if peak.frequency.is_multiple_of(pages) => {
            format!("{} times on every page", peak.frequency / pages)
        }
        None => String::new(),
    }
}

fn write_words(out: &mut dyn Write, index: &Index, peak: &Peak) -> io::Result<()> {
    let mut words: Vec<Node> = peak.words(index).collect();
    words.sort_by_key(|node| (Reverse(node.depth), node.first));
    for &word in words.iter().take(WORDS) {
        let shown = index.show(word);
        let shown = clipped(&visible(&shown), WORD_WIDTH).into_owned();
        writeln!(
            out,
            "{:>36}  {}",
            format!("on {} pages", word.df),
            dimmed(&shown)
        )?;
    }
    Ok(())
}

/// Columns of the plot: each stands for a range of frequencies, on a logarithmic axis.
const COLUMNS: usize = 72;
const LINES: usize = 12;

/// F over f, both logarithmic; columns with a peak are solid.
fn write_plot(
    out: &mut dyn Write,
    amplification: &Amplification,
    peaks: &[Peak],
) -> io::Result<()> {
    let last = amplification
        .masses()
        .last()
        .map_or(1, |(frequency, _)| frequency);
    let column = |f: usize| ((f as f64).ln() / ((last + 1) as f64).ln() * COLUMNS as f64) as usize;
    let mut heights = [0u64; COLUMNS];
    let mut marked = [false; COLUMNS];
    amplification
        .masses()
        .for_each(|(f, mass)| heights[column(f)] = heights[column(f)].max(mass));
    peaks
        .iter()
        .for_each(|peak| marked[column(peak.frequency)] = true);
    let top = heights.iter().copied().max().unwrap_or(1).max(2) as f64;
    let lines = |mass: u64| ((mass as f64 + 1.0).ln() / top.ln() * LINES as f64).ceil() as usize;
    for line in (1..=LINES).rev() {
        let cells = (0..COLUMNS).map(|at| match (lines(heights[at]) >= line, marked[at]) {
            (true, true) => '█',
            (true, false) => '░',
            (false, _) => ' ',
        });
        writeln!(out, "{}", cells.collect::<String>().trim_end())?;
    }
    writeln!(
        out,
        "{}",
        dimmed(&format!(
            "f from 1 to {last}, F(f) up to {}, both logarithmic; █ has a peak",
            HumanCount(top as u64)
        ))
    )
}
