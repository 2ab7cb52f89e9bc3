//! `unmold extract`.

use super::{CutPointOptions, Inputs};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const EXTRACT_EXAMPLES: &str = "\
Examples:
  unmold extract site/                               learn and extract: one JSON object per page
  unmold extract --mold site.mold.json new/ -f csv   apply what was learned to other pages";

#[derive(Debug, ClapArgs)]
pub struct ExtractArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The mold to apply; without one, the pages are learned from first.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    /// Without a mold: how to learn.
    #[arg(long, value_enum, default_value_t = ExtractMethod::Fields)]
    pub method: ExtractMethod,
    /// As what values are written.
    #[arg(short, long, value_enum, default_value_t = RowFormat::Jsonl)]
    pub format: RowFormat,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
}

/// How to learn values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtractMethod {
    /// Fields by several views each, which vote.
    Fields,
    /// LR wrappers: the strings before and behind each value, from alternation counts.
    Lr,
}

/// As what rows of values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// One JSON object per page.
    Jsonl,
    /// A table with a header; several values of a field stand in one cell, one per line.
    Csv,
    /// The same rows as a Parquet file.
    Parquet,
}
