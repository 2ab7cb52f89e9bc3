//! `unmold records`.

use super::{Inputs, Level, RowFormat, TableOptions, named_format};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const RECORDS_EXAMPLES: &str = "\
Examples:
  # the records of a page as a table
  unmold records list.html
  # one row per record
  unmold records -f csv -o offers.csv pages/
  # the second list of a page
  unmold records --list 2 -f csv page.html
  # a file for each list that pages have
  unmold records -f csv --split-lists lists/ pages/
  # the same for other programs
  unmold records -f jsonl crawl.warc.gz
  # the lists of a mold
  unmold records --mold site.mold.json -f csv new/
  # learn from one page, find on all
  unmold records --learn-from pages/1.html pages/
  # keep what was learned ...
  unmold records --learn-from 1.html --save-rule r.json 1.html
  # ... and use it later
  unmold records --mold r.json -f csv new/
  # as in the paper
  unmold records --method iepad --min-count 3 list.html";

/// Finding records.
#[derive(Debug, ClapArgs)]
pub struct RecordsArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How records are found.
    #[arg(long, value_enum, default_value_t = RecordsMethod::Regions)]
    pub method: RecordsMethod,
    /// Give no more than this many patterns of a page, the best first.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub patterns: usize,
    /// Leave out lists with fewer records [default: 2 on a page of no template].
    #[arg(long, value_name = "N")]
    pub min_records: Option<usize>,
    /// Give only the Nth list of each page, as `--patterns` counts them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub list: Option<u16>,
    /// Look at each page by itself, as it is read, and not beside the other pages of its site.
    #[arg(long)]
    pub alone: bool,
    /// Take all pages as of one template, whatever they look like.
    #[arg(long, conflicts_with = "alone")]
    pub one_template: bool,
    /// In CSV and Parquet, keep columns that fewer than a tenth of the records have.
    #[arg(long)]
    pub all_columns: bool,
    /// In the table, show no more than this many records of a page.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,
    #[command(flatten)]
    pub rule: RuleArgs,
    #[command(flatten)]
    pub iepad: IepadArgs,
    #[command(flatten)]
    pub output: RecordsOutput,
}

/// Rules that are learned once and used again.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Rule options")]
pub struct RuleArgs {
    /// Find the lists of this mold.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["learn_from", "rule"])]
    pub mold: Option<PathBuf>,
    /// Learn what records look like from this page, and find those on all inputs.
    #[arg(long, value_name = "PAGE", value_hint = ValueHint::FilePath, conflicts_with = "rule")]
    pub learn_from: Option<PathBuf>,
    /// The same as --mold; reads rule files of earlier versions, too.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub rule: Option<PathBuf>,
    /// Write the best list of --learn-from to this file, as a mold.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "learn_from")]
    pub save_rule: Option<PathBuf>,
}

/// The paper's thresholds.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of --method iepad")]
pub struct IepadArgs {
    /// Which tags are symbols.
    #[arg(long, value_enum, default_value_t = Level::Block)]
    pub level: Level,
    /// Leave out patterns of fewer symbols.
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub min_length: usize,
    /// Leave out patterns that occur less often.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub min_count: usize,
    /// Leave out patterns that are less regular (standard deviation of distances / mean), unless
    /// blocks of them are.
    #[arg(long, default_value_t = 0.5, value_name = "R")]
    pub max_regularity: f64,
    /// How regular a block of occurrences has to be.
    #[arg(long, default_value_t = 0.1, value_name = "R")]
    pub block_regularity: f64,
    /// Leave out patterns that fill less of the distance between occurrences.
    #[arg(long, default_value_t = 0.25, value_name = "D")]
    pub min_density: f64,
    /// Leave out patterns that overlap more.
    #[arg(long, default_value_t = 1.5, value_name = "D")]
    pub max_density: f64,
    /// Leave out patterns that reach over a smaller share of the page.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub min_coverage: f64,
    /// Do not generalise patterns with more positions that vary.
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub max_variable: usize,
}

/// How records are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RecordsMethod {
    /// Neighbours of like shape in the tree of the page; needs no thresholds.
    Regions,
    /// Repeated strings of tags at regular distances, as in the IEPAD paper.
    Iepad,
    /// What stands between the most frequent pair of tags at the borders of content, by alternation
    /// counts.
    Delimiters,
}

/// Where records go, and as what.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output options")]
pub struct RecordsOutput {
    /// As what records are written. If none is given: as the ending of the file says, JSONL into
    /// any other file, and as a table to look at otherwise.
    #[arg(short, long, value_enum)]
    pub format: Option<RowFormat>,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Write a file per list to this folder instead, named after the list, with what all pages of a
    /// template have in it.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "output")]
    pub split_lists: Option<PathBuf>,
    /// Replace output files that exist.
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub table: TableOptions,
}

impl RecordsOutput {
    /// As what records are written. A table leaves out what does not fit, so nobody gets one in a
    /// file unasked.
    pub fn format(&self) -> RowFormat {
        let otherwise = if self.output.is_some() {
            RowFormat::Jsonl
        } else {
            RowFormat::Table
        };
        named_format(self.format, self.output.as_deref()).unwrap_or(otherwise)
    }
}
