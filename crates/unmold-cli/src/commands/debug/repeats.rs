//! `unmold debug repeats`: the maximal repeats of a corpus.

use super::encode;
use crate::{
    args::{By, Format, Global, RepeatsArgs},
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
use std::{
    cmp::Reverse,
    io::{self, Write},
};
use unmold::symbols::index::{Index, Node};

const STRING_WIDTH: usize = 90;

pub fn run(args: &RepeatsArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("finding repeats");
    let index = Index::new(encode(&corpus.texts, &args.reading)?)?;
    let repeats = repeats(&index, args);
    progress.end(&format!(
        "found {} maximal repeats",
        HumanCount(repeats.len() as u64)
    ));
    drop(progress);
    output::write(&args.output, |out| match args.output.format() {
        Format::Table => write_table(out, &index, &repeats, args.top),
        Format::Jsonl => repeats
            .iter()
            .take(args.top)
            .try_for_each(|&node| output::jsonl_row(out, &Row::new(&index, node))),
    })?;
    corpus.close()
}

/// The maximal repeats that the options let through, the most important first.
fn repeats(index: &Index, args: &RepeatsArgs) -> Vec<Node> {
    let wanted = |node: &Node| {
        node.left_diverse
            && node.tf >= args.min_tf
            && node.df >= args.min_df
            && node.depth >= args.min_length
    };
    let mut repeats: Vec<Node> = index.par_nodes().filter(wanted).collect();
    let importance = |node: &Node| match args.by {
        By::Weight => node.df * node.depth,
        By::Tf => node.tf,
        By::Df => node.df,
        By::Length => node.depth,
    };
    // Rows break ties, so that the order is always the same.
    repeats.par_sort_unstable_by_key(|node| {
        (Reverse(importance(node)), Reverse(node.depth), node.first)
    });
    repeats
}

fn write_table(out: &mut dyn Write, index: &Index, repeats: &[Node], top: usize) -> io::Result<()> {
    writeln!(out, "{:>7} {:>7} {:>7}  string", "pages", "times", "length")?;
    for &node in repeats.iter().take(top) {
        let string = index.show(node);
        let string = clipped(&visible(&string), STRING_WIDTH).into_owned();
        writeln!(
            out,
            "{:>7} {:>7} {:>7}  {string}",
            node.df, node.tf, node.depth
        )?;
    }
    if repeats.len() > top {
        writeln!(
            out,
            "{}",
            dimmed(&format!(
                "    ... and {} more; --top shows them",
                repeats.len() - top
            ))
        )?;
    }
    Ok(())
}

/// A repeated string, for other programs.
#[derive(Serialize)]
struct Row {
    string: String,
    length: usize,
    tf: usize,
    df: usize,
}

impl Row {
    fn new(index: &Index, node: Node) -> Self {
        Row {
            string: index.show(node),
            length: node.depth,
            tf: node.tf,
            df: node.df,
        }
    }
}
