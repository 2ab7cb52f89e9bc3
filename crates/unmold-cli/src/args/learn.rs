//! `unmold learn`.

use super::{CutPointOptions, Inputs};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const LEARN_EXAMPLES: &str = "\
Examples:
  unmold learn site/ -o site.mold.json               learn from the pages of a folder
  unmold learn --limit 200 crawl.warc.gz -o site.mold.json";

#[derive(Debug, ClapArgs)]
pub struct LearnArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How to learn.
    #[arg(long, value_enum, default_value_t = LearnMethod::Fields)]
    pub method: LearnMethod,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// The file to write the mold to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LearnMethod {
    /// Fields by several views each, which vote.
    Fields,
    /// LR wrappers: the strings before and behind each value, from alternation counts.
    Lr,
}
