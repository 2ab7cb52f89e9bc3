//! `unmold export`.

use super::{FieldOptions, Inputs};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;
use unmold::export::Target;

pub const EXPORT_EXAMPLES: &str = "\
Examples:
  unmold export --mold site.mold.json --to css site/      CSS selectors, each proven on the pages of a folder
  unmold export --mold site.mold.json --to scrapy site/ -o spider.py
  unmold export --mold site.mold.json --to xpath -f json site/   for other programs, with what was proven
  unmold export --mold site.mold.json --to parsel         without pages: as the mold says, not proven
  unmold export --mold site.mold.json --to regex site/    one expression per field or string";

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// Sample pages to prove each rule on: those that the mold was learned from, or others of the site.
    #[arg(value_name = "PAGES", value_hint = ValueHint::AnyPath)]
    pub pages: Vec<PathBuf>,
    /// The mold to export.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// The form to write it in.
    #[arg(long, value_enum)]
    pub to: ExportForm,
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
            include: None,
            url_field: "url".to_owned(),
            html_field: "html".to_owned(),
            errors: None,
            hold: None,
        }
    }
}

/// Forms that other tools use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// CSS selectors: a name, a selector and what of it is the value on a line.
    Css,
    /// XPath 1.0 expressions, likewise.
    Xpath,
    /// Python functions on parsel.
    Parsel,
    /// A Scrapy spider.
    Scrapy,
    /// A schema for crawl4ai's JsonXPathExtractionStrategy.
    Crawl4ai,
    /// A site file for full-text feed readers: where the content is, and what to strip.
    Ftr,
    /// Regular expressions: for a field, behind its name and a tab, with the value as first group; for a template string,
    /// alone on its line.
    Regex,
    /// A JSON Schema of the rows that `extract -f jsonl` writes.
    JsonSchema,
}

impl From<ExportForm> for Target {
    fn from(form: ExportForm) -> Self {
        match form {
            ExportForm::Css => Target::Css,
            ExportForm::Xpath => Target::Xpath,
            ExportForm::Parsel => Target::Parsel,
            ExportForm::Scrapy => Target::Scrapy,
            ExportForm::Crawl4ai => Target::Crawl4ai,
            ExportForm::Ftr => Target::Ftr,
            ExportForm::Regex => Target::Regex,
            ExportForm::JsonSchema => Target::JsonSchema,
        }
    }
}

/// As what rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The file that the other tool reads; of css, xpath and regex one rule per line, comments behind #.
    Text,
    /// A JSON array of rules, each with its proof.
    Json,
}
