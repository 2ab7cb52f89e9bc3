//! `unmold export`.

use super::{FieldOptions, Inputs};
use clap::{
    Args as ClapArgs, ValueEnum, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use std::path::PathBuf;
use unmold::export::Target;

pub const EXPORT_EXAMPLES: &str = "\
Examples:
  # CSS selectors, each proven on the pages of a folder
  unmold export --mold site.mold.json --to css site/
  # a spider
  unmold export --mold site.mold.json --to scrapy site/ -o spider.py
  # for other programs, with what was proven
  unmold export --mold site.mold.json --to xpath -f json site/
  # without pages: as the mold says, not proven
  unmold export --mold site.mold.json --to parsel
  # one expression per field or string
  unmold export --mold site.mold.json --to regex site/";

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// Sample pages to prove each rule on: those that the mold was learned from, or others of the
    /// site.
    #[arg(value_name = "PAGES", value_hint = ValueHint::AnyPath)]
    pub pages: Vec<PathBuf>,
    /// The mold to export.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// The form to write it in.
    #[arg(long, value_parser = targets())]
    pub to: Target,
    /// As what it is written: as the form is, or as rules with their proofs.
    #[arg(short, long, value_enum, default_value_t = ExportFormat::Text)]
    pub format: ExportFormat,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
    /// Prove on no more than this many pages.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub choice: FieldOptions,
}

impl ExportArgs {
    /// The sample pages as inputs.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            inputs: self.pages.clone(),
            limit: self.limit,
            include: Vec::new(),
            url_field: "url".to_owned(),
            html_field: "html".to_owned(),
            errors: None,
            hold: None,
        }
    }
}

/// The forms that other tools use, as the library lists them.
fn targets() -> impl TypedValueParser<Value = Target> {
    let shown = |target: Target| PossibleValue::new(target.name()).help(target.about());
    PossibleValuesParser::new(Target::ALL.map(shown)).try_map(|name| name.parse())
}

/// As what rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The file that the other tool reads; of css, xpath and regex one rule per line, comments
    /// behind #.
    Text,
    /// A JSON array of rules, each with its proof.
    Json,
}
