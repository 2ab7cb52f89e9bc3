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
    fmt::Write as _,
    io::{self, Write},
};
use unmold::{
    papers::documents::{self, BINS, FrequentStrings, Maximal},
    symbols::{encode::Flat, index::Index},
};

pub fn run(args: &HistogramArgs, global: &Global) -> Result<Outcome> {
    let mutables = learning::mutables(&args.documents)?;
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("counting strings");
    let index = Index::new(Flat::default().with_mutables(mutables).encode(&corpus.texts))?;
    let found = documents::find(&index, &learning::string_settings(&args.documents));
    progress.end(&format!("found {} maximal strings", found.strings().len()));
    drop(progress);
    if let Some(path) = &args.svg {
        output::write_text(path, args.output.overwrite, &svg(&found))?;
    }
    output::write(&args.output, |out| match args.output.format {
        Format::Table => write_table(out, &index, &found, args.top),
        Format::Jsonl => {
            found.strings().iter().try_for_each(|string| output::jsonl_row(out, &row(string, &index, &found)))
        }
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

fn write_table(out: &mut dyn Write, index: &Index, found: &FrequentStrings, top: usize) -> io::Result<()> {
    write_plot(out, found)?;
    let (template, language): (Vec<_>, Vec<_>) =
        found.strings().iter().partition(|string| string.df >= found.cutoff_pages());
    write_strings(out, "template", template, index, top)?;
    write_strings(out, "not", language, index, top)
}

/// The bins, upright and logarithmic; solid ones are template.
fn write_plot(out: &mut dyn Write, found: &FrequentStrings) -> io::Result<()> {
    let bins = found.histogram().bins();
    let highest = bins.iter().copied().max().unwrap_or(1).max(2) as f64;
    let height = |count: u64| ((count as f64 + 1.0).ln() / (highest + 1.0).ln() * LINES as f64).ceil() as usize;
    for line in (1..=LINES).rev() {
        let cells = bins.iter().enumerate().map(|(bin, &count)| match (height(count) >= line, bin >= found.cutoff()) {
            (true, true) => '█',
            (true, false) => '░',
            (false, _) => ' ',
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
    writeln!(out, "\n{:>8} {:>8} {:>8}  {title}: {} strings", "df", "tf", "symbols", strings.len())?;
    for string in strings.iter().take(top) {
        let shown = index.show_run(string.positions());
        let shown = clipped(&visible(&shown), WIDTH).into_owned();
        writeln!(out, "{:>8} {:>8} {:>8}  {shown}", string.df, string.tf, string.length)?;
    }
    Ok(())
}

/// The histogram as a picture, with the cut.
fn svg(found: &FrequentStrings) -> String {
    const BAR: f64 = 8.0;
    const HEIGHT: f64 = 300.0;
    const MARGIN: f64 = 50.0;
    let bins = found.histogram().bins();
    let highest = bins.iter().copied().max().unwrap_or(1).max(2) as f64;
    let (width, bottom) = (2.0 * MARGIN + BAR * BINS as f64, MARGIN + HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"15\">strings by the share of pages they are on; red is template</text>\n",
        bottom + MARGIN
    );
    for (bin, &count) in bins.iter().enumerate() {
        let height = (count as f64 + 1.0).ln() / (highest + 1.0).ln() * HEIGHT;
        let (x, y) = (MARGIN + bin as f64 * BAR, bottom - height);
        let colour = if bin >= found.cutoff() { "#c02" } else { "#9ab" };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{height:.1}\" fill=\"{colour}\"><title>{} %: {count}</title></rect>",
            BAR - 1.0,
            bin + 1
        );
    }
    let cut = MARGIN + found.cutoff() as f64 * BAR - 0.5;
    let _ = writeln!(svg, "<path d=\"M{cut} {MARGIN}V{bottom}\" stroke=\"black\" stroke-dasharray=\"4 3\"/>");
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\">on {} pages or more</text>",
        cut + 4.0,
        MARGIN + 12.0,
        found.cutoff_pages()
    );
    for percent in (0..=BINS).step_by(20) {
        let x = MARGIN + percent as f64 * BAR;
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{percent} %</text>", bottom + 18.0);
    }
    svg + "</svg>\n"
}
