//! `unmold changes`.

use super::Inputs;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const CHANGES_EXAMPLES: &str = "\
Examples:
  # what changed between two visits; exit code 1 if anything did
  unmold changes monday/ tuesday/ --mold site.mold.json
  # between the first and the last copy of each page of an archive
  unmold changes crawl.warc.gz --mold site.mold.json
  # one row per change
  unmold changes old/ new/ --mold site.mold.json -f csv -o changes.csv
  # one JSON object per page that changed
  unmold changes old/ new/ --mold site.mold.json -f jsonl
  # to read in a browser
  unmold changes old/ new/ --mold site.mold.json -o changes.html";

#[derive(Debug, ClapArgs)]
pub struct ChangesArgs {
    /// The old pages, then the new ones; one input alone is searched for several copies of a page.
    #[command(flatten)]
    pub inputs: Inputs,
    /// The mold that says what is a value, a row and content.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// Output format [default: from the file extension, else table].
    #[arg(short, long, value_enum)]
    pub format: Option<ChangesFormat>,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// As what changes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChangesFormat {
    /// One line per change.
    Table,
    /// One JSON object per page that changed.
    Jsonl,
    /// One row per change.
    Csv,
    /// A page for a browser.
    #[value(alias = "htm")]
    Html,
}
