//! `unmold export`.

use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const EXPORT_EXAMPLES: &str = "\
Example:
  unmold export --mold site.mold.json --to regex     a regular expression for each field";

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// The mold to export.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// The form to write it in.
    #[arg(long, value_enum)]
    pub to: ExportForm,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// Forms that other tools use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// A regular expression a line, behind the name of its field and a tab.
    Regex,
}
