//! `unmold debug index`: the sorted suffixes, and what is counted in them.

use super::encode;
use crate::{
    args::{Format, Global, IndexArgs},
    corpus::Corpus,
    exit::Outcome,
    output,
    progress::Progress,
    terminal::{clipped, dimmed, visible},
};
use anyhow::Result;
use indicatif::HumanCount;
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, Write};
use unmold::{Text, symbols::index::Index};

/// How many symbols of a suffix are shown.
const SUFFIX_SYMBOLS: usize = 12;
const SUFFIX_WIDTH: usize = 70;

pub fn run(args: &IndexArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("building the index");
    let index = Index::new(encode(&corpus.texts, &args.reading)?)?;
    progress.end(&format!(
        "indexed {} symbols",
        HumanCount(index.len() as u64)
    ));
    drop(progress);
    output::write(&args.output, |out| match args.output.format() {
        Format::Table => write_table(out, &index, &corpus.texts, args.top),
        Format::Jsonl => {
            rows(&index, &corpus.texts).try_for_each(|row| output::jsonl_row(out, &row))
        }
    })?;
    corpus.close()
}

/// A suffix, in sorted order.
#[derive(Serialize)]
struct Row<'a> {
    row: usize,
    position: usize,
    page: &'a str,
    lcp: usize,
    suffix: String,
}

fn rows<'a>(index: &'a Index, texts: &'a [Text]) -> impl Iterator<Item = Row<'a>> {
    let pages = index.symbols().pages();
    (0..index.len()).map(move |row| {
        let position = index.suffix(row);
        let page = pages.sequence_of(position);
        let end = pages.end(page).min(position + SUFFIX_SYMBOLS);
        let suffix = index.show_run(position..end);
        Row {
            row,
            position,
            page: texts[page].id(),
            lcp: index.lcp(row),
            suffix,
        }
    })
}

fn write_table(out: &mut dyn Write, index: &Index, texts: &[Text], top: usize) -> io::Result<()> {
    write_summary(out, index)?;
    writeln!(
        out,
        "\n{:>9} {:>9} {:>6}  {:<20} suffix",
        "row", "position", "lcp", "page"
    )?;
    for row in rows(index, texts).take(top) {
        let page = clipped(&visible(row.page), 20).into_owned();
        let suffix = clipped(&visible(&row.suffix), SUFFIX_WIDTH).into_owned();
        writeln!(
            out,
            "{:>9} {:>9} {:>6}  {page:<20} {suffix}",
            row.row, row.position, row.lcp
        )?;
    }
    if index.len() > top {
        writeln!(
            out,
            "{}",
            dimmed(&format!(
                "     ... and {} rows more; --top shows them",
                index.len() - top
            ))
        )?;
    }
    Ok(())
}

fn write_summary(out: &mut dyn Write, index: &Index) -> io::Result<()> {
    let summary = Summary::of(index);
    for (name, value) in [
        ("pages", index.symbols().pages().count()),
        ("symbols", index.len()),
        ("different symbols", index.symbols().alphabet()),
        ("repeated strings that branch", summary.nodes),
        ("  of those maximal", summary.maximal),
        ("  of those on every page", summary.everywhere),
        ("longest repeat, in symbols", summary.deepest),
    ] {
        writeln!(
            out,
            "{name:<30} {:>14}",
            HumanCount(value as u64).to_string()
        )?;
    }
    Ok(())
}

/// What the nodes of an index add up to.
#[derive(Clone, Copy, Default)]
struct Summary {
    nodes: usize,
    maximal: usize,
    everywhere: usize,
    deepest: usize,
}

impl Summary {
    fn of(index: &Index) -> Self {
        let pages = index.symbols().pages().count();
        let of_node = |node: unmold::symbols::index::Node| Summary {
            nodes: 1,
            maximal: usize::from(node.left_diverse),
            everywhere: usize::from(node.left_diverse && node.df == pages),
            deepest: node.depth,
        };
        index
            .par_nodes()
            .map(of_node)
            .reduce(Summary::default, Summary::and)
    }

    fn and(self, other: Self) -> Self {
        Summary {
            nodes: self.nodes + other.nodes,
            maximal: self.maximal + other.maximal,
            everywhere: self.everywhere + other.everywhere,
            deepest: self.deepest.max(other.deepest),
        }
    }
}
