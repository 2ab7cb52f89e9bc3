//! `unmold extract`.

use super::{CutPointOptions, Inputs, LearnMethod};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const EXTRACT_EXAMPLES: &str = "\
Examples:
  unmold extract site/                               learn and extract in one go, a JSON object a page
  unmold extract --mold site.mold.json new/ -f csv   apply what was learned to other pages";

#[derive(Debug, ClapArgs)]
pub struct ExtractArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The mold to apply; without one, the pages are learned from first.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    /// Without a mold: how to learn.
    #[arg(long, value_enum, default_value_t = LearnMethod::Fields)]
    pub method: LearnMethod,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// As what values are written.
    #[arg(short, long, value_enum, default_value_t = RowFormat::Jsonl)]
    pub format: RowFormat,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// As what rows of values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// A JSON object a page.
    Jsonl,
    /// A table with a header; several values of a field stand in one cell, a line each.
    Csv,
    /// The same rows as a Parquet file.
    Parquet,
}
