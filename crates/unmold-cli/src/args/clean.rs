//! `unmold clean`.

use super::{CleanerOptions, CutPointOptions, DocumentsOptions, Inputs};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const CLEAN_EXAMPLES: &str = "\
Examples:
  unmold clean site/                                 the content of each page as text
  unmold clean site/ -o texts/                       a file for each page
  unmold clean site/ -f jsonl -o clean.jsonl         text and byte spans, a JSON object a page
  unmold clean --show site/ | less -R                pages with their template in grey
  unmold clean --method documents site/              by the strings that are on nearly all pages
  unmold clean --method documents --mold site.mold.json new/
                                                     by those that `learn --method documents` has kept";

#[derive(Debug, ClapArgs)]
pub struct CleanArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How to tell template from content.
    #[arg(long, value_enum, default_value_t = CleanMethod::CutPoint)]
    pub method: CleanMethod,
    /// With --method documents: the mold whose strings are template, instead of learning them from the pages.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    #[command(flatten)]
    pub documents: DocumentsOptions,
    #[command(flatten)]
    pub cleaner: CleanerOptions,
    /// As what the content is written.
    #[arg(short, long, value_enum, default_value_t = CleanFormat::Text)]
    pub format: CleanFormat,
    /// For text a folder, which gets a file for each page; for jsonl a file. Standard output if none is given.
    #[arg(short, long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub output: Option<PathBuf>,
    /// Replace output files that exist.
    #[arg(long)]
    pub overwrite: bool,
    /// Show the source of each page with its template in grey, instead of its content.
    #[arg(long, conflicts_with_all = ["format", "output"])]
    pub show: bool,
}

/// How to tell template from content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CleanMethod {
    /// Frequent n-grams are template, by alternation counts.
    CutPoint,
    /// Strings whose frequency natural language does not explain are template, by substring amplification.
    Amplify,
    /// Strings that are on nearly all pages are template, by the histogram of document frequencies.
    Documents,
}

/// As what content is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CleanFormat {
    /// Plain text, a line a block.
    Text,
    /// A JSON object a page, with text and byte spans of content and template.
    Jsonl,
}
