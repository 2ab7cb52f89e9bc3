//! `unmold export`.

use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const EXPORT_EXAMPLES: &str = "\
Examples:
  unmold export --mold site.mold.json --to regex     one expression per field or string
  unmold export --mold site.mold.json --to regex -f json   with frequencies, for other programs";

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// The mold to export.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// The form to write it in.
    #[arg(long, value_enum)]
    pub to: ExportForm,
    /// As what it is written.
    #[arg(short, long, value_enum, default_value_t = ExportFormat::Text)]
    pub format: ExportFormat,
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
    /// Regular expressions: for a field, behind its name and a tab, with the value as first group; for a template string,
    /// alone on its line.
    Regex,
}

/// As what rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One rule per line, comments behind #.
    Text,
    /// A JSON array.
    Json,
}
