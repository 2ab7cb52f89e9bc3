//! `unmold debug symbols`: how pages are read.

use super::encode;
use crate::{
    args::{Format, Global, SymbolsArgs},
    corpus::Corpus,
    exit::Outcome,
    output,
    progress::Progress,
    terminal::{bold, clipped, dimmed, visible},
};
use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write};
use unmold::{Text, symbols::encode::Symbols};

/// Wide enough for words and tags, narrow enough for a terminal.
const NAME_WIDTH: usize = 80;

pub fn run(args: &SymbolsArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("encoding pages");
    let symbols = encode(&corpus.texts, &args.reading)?;
    progress.end(&format!(
        "encoded {} symbols, {} different",
        symbols.len(),
        symbols.alphabet()
    ));
    drop(progress);
    output::write(&args.output, |out| match args.output.format() {
        Format::Table => write_tables(out, &symbols, &corpus.texts, args.top),
        Format::Jsonl => write_rows(out, &symbols, &corpus.texts),
    })?;
    corpus.close()
}

fn write_tables(
    out: &mut dyn Write,
    symbols: &Symbols,
    texts: &[Text],
    top: usize,
) -> io::Result<()> {
    for (page, text) in texts.iter().enumerate() {
        let positions = symbols.page(page);
        let what = format!(
            "{} by {}, {} symbols",
            text.charset(),
            text.evidence(),
            positions.len()
        );
        writeln!(out, "{}  {}", bold(&visible(text.id())), dimmed(&what))?;
        for position in positions.clone().take(top) {
            let span = symbols.span(position);
            let name = symbols.name(position);
            let place = format!("{:>8} {:>8}..{:<8}", position, span.start, span.end);
            writeln!(
                out,
                "{} {}",
                dimmed(&place),
                clipped(&visible(&name), NAME_WIDTH)
            )?;
        }
        if positions.len() > top {
            writeln!(
                out,
                "{}",
                dimmed(&format!(
                    "     ... and {} more; --top shows them",
                    positions.len() - top
                ))
            )?;
        }
    }
    Ok(())
}

/// A symbol, for other programs.
#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    position: usize,
    start: u32,
    end: u32,
    code: u32,
    symbol: &'a str,
}

fn write_rows(out: &mut dyn Write, symbols: &Symbols, texts: &[Text]) -> io::Result<()> {
    for (page, text) in texts.iter().enumerate() {
        for position in symbols.page(page) {
            let span = symbols.span(position);
            let row = Row {
                page: text.id(),
                position,
                start: span.start,
                end: span.end,
                code: symbols.code(position),
                symbol: &symbols.name(position),
            };
            output::jsonl_row(out, &row)?;
        }
    }
    Ok(())
}
