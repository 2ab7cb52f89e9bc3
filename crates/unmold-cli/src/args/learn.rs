//! `unmold learn`.

use super::{CutPointOptions, DocumentsOptions, Inputs};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const LEARN_EXAMPLES: &str = "\
Examples:
  # learn from the pages of a folder
  unmold learn site/ -o site.mold.json
  # exactly these fields, under these names
  unmold learn site/ -o site.mold.json \\
    --example name=Kettle --example price=£48.50
  # from the first 200 pages of an archive
  unmold learn --limit 200 crawl.warc.gz -o site.mold.json
  # the strings that are on nearly all pages
  unmold learn --method documents site/ -o site.mold.json
  # without those that other sites have too
  unmold learn --method documents site/ -o site.mold.json \\
    --across a.mold.json b.mold.json";

#[derive(Debug, ClapArgs)]
pub struct LearnArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How to learn.
    #[arg(long, value_enum, default_value_t = LearnMethod::Fields)]
    pub method: LearnMethod,
    /// Learn exactly these fields: a value by its name, or a file of rows (JSON, JSONL, CSV) with
    /// pages and values. May be given several times.
    #[arg(long = "example", value_name = "NAME=VALUE|FILE")]
    pub examples: Vec<String>,
    /// Take all pages as of one template, whatever they look like.
    #[arg(long)]
    pub one_template: bool,
    /// Also keep the whole text of values that have their label in it: Price_text beside Price.
    #[arg(long)]
    pub with_labels: bool,
    /// Molds of other sites: plain-language strings that at least half of them have are dropped.
    #[arg(long, num_args = 1.., value_name = "MOLD", value_hint = ValueHint::FilePath, help_heading = "Options of --method documents")]
    pub across: Vec<PathBuf>,
    /// The file to write the mold to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    #[command(flatten)]
    pub documents: DocumentsOptions,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LearnMethod {
    /// Fields by several views each, which vote.
    Fields,
    /// LR wrappers: the strings before and behind each value, from alternation counts.
    Lr,
    /// Template strings: what is on nearly all pages, dates and numbers set aside.
    Documents,
}
