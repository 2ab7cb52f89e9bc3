//! `unmold check` and `unmold diff`.

use super::Inputs;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const CHECK_EXAMPLES: &str = "\
Examples:
  # what has changed; exit code 1 if anything has
  unmold check today/ --mold site.mold.json
  # the same for programs, and for continuous integration
  unmold check today/ --mold site.mold.json -f json
  unmold check today/ --mold site.mold.json -f junit > check.xml
  # daily: held against the moving averages of healthy days, kept in
  # site.mold.json.checks
  unmold check today/ --mold site.mold.json --remember
  # learn what broke again, and show what was changed
  unmold check today/ --mold site.mold.json --repair -o new.mold.json";

pub const DIFF_EXAMPLES: &str = "\
Examples:
  # what is different, field by field; exit code 1 if anything is
  unmold diff old.mold.json new.mold.json
  # the same for programs
  unmold diff -f json old.mold.json new.mold.json";

#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The mold to hold the pages against.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// Output format.
    #[arg(short, long, value_enum, default_value_t = CheckFormat::Table)]
    pub format: CheckFormat,
    /// Keep moving averages of healthy days in a file beside the mold, FILE.checks, and hold today
    /// against them.
    #[arg(long)]
    pub remember: bool,
    /// Learn what broke again from these pages, and write the mold to -o.
    #[arg(long, requires = "output")]
    pub repair: bool,
    /// With --repair: the file to write the mold to.
    #[arg(short, long, value_name = "NEW", value_hint = ValueHint::FilePath, requires = "repair")]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

#[derive(Debug, ClapArgs)]
pub struct DiffArgs {
    /// A mold.
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub before: PathBuf,
    /// Another one.
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub after: PathBuf,
    /// As what the differences are written.
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,
}

/// As what a check is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// Lines to read: what broke first.
    Table,
    /// A JSON document.
    Json,
    /// JUnit XML: a test suite per template, a test per field and list.
    Junit,
}

/// As what a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Lines to read.
    Table,
    /// A JSON document.
    Json,
}
