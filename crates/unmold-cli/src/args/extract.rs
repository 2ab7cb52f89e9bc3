//! `unmold extract`.

use super::{CutPointOptions, Inputs, TableOptions, named_format};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::{io::IsTerminal, num::NonZeroUsize, path::PathBuf};
use unmold::mold::FieldChoice;

pub const EXTRACT_EXAMPLES: &str = "\
Examples:
  # learn and extract: a table to look at
  unmold extract site/
  # one JSON object per page
  unmold extract -f jsonl -o site.jsonl site/
  # a row per page, a column per field
  unmold extract -f csv -o site.csv site/
  # a table per template, and one for each list
  unmold extract -f csv --split-groups tables/ site/
  # the rows of the lists, each with the fields of the page it links to
  unmold extract --join -f csv -o items.csv site.warc.gz
  # apply what was learned to other pages
  unmold extract --mold site.mold.json new/ -f csv
  # these fields, in this order
  unmold extract site/ --fields title,price,Weight
  # exactly these, named by their values on any page
  unmold extract site/ --example name=Kettle --example price=£48.50
  # what a person would hardly keep, too
  unmold extract site/ --all-fields";

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
    /// Learn exactly these fields: a value by its name, or a file of rows (JSON, JSONL, CSV) with
    /// pages and values. May be given several times; page=NAME says which page the values are of.
    #[arg(
        long = "example",
        conflicts_with = "mold",
        value_name = "NAME=VALUE|FILE"
    )]
    pub examples: Vec<String>,
    /// Take all pages as of one template, whatever they look like.
    #[arg(long, conflicts_with = "mold")]
    pub one_template: bool,
    /// Also keep the whole text of values that have their label in it: Price_text beside Price.
    #[arg(long, conflicts_with = "mold")]
    pub with_labels: bool,
    /// As what values are written. If none is given: as the ending of the file says; on a terminal
    /// a table to look at, JSONL elsewhere.
    #[arg(short, long, value_enum)]
    pub format: Option<RowFormat>,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Write a file per template to this folder instead, with its fields alone; with -f csv and
    /// parquet also one for each list that its pages have, a row per record.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "output")]
    pub split_groups: Option<PathBuf>,
    /// Write a row for each record of the lists instead, with the fields of the page that it links
    /// to: columns list.* and those of the page. What is linked but absent, and present but not
    /// linked, is counted and named.
    #[arg(long, conflicts_with_all = ["split_groups", "doubts"])]
    pub join: bool,
    /// Replace output files that exist.
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub choice: FieldOptions,
    /// With -f csv, parquet and table: a last column that names the fields whose values may be
    /// wrong; JSONL has them anyway.
    #[arg(long)]
    pub doubts: bool,
    #[command(flatten)]
    pub table: TableOptions,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
}

impl ExtractArgs {
    /// As what values are written: rows of JSON are for programs, which read files and pipes.
    pub fn format(&self) -> RowFormat {
        let is_looked_at =
            self.output.is_none() && self.split_groups.is_none() && std::io::stdout().is_terminal();
        let otherwise = if is_looked_at {
            RowFormat::Table
        } else {
            RowFormat::Jsonl
        };
        named_format(self.format, self.output.as_deref()).unwrap_or(otherwise)
    }
}

/// Which fields are written; without any of these, those that a person would keep.
#[derive(Debug, ClapArgs)]
#[group(multiple = false)]
pub struct FieldOptions {
    /// Write all fields of the mold, not only those that a person would keep.
    #[arg(long)]
    pub all_fields: bool,
    /// Write these fields, in this order.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub fields: Vec<String>,
    /// Write so many fields of each template, the most useful ones.
    #[arg(long, value_name = "N")]
    pub max_fields: Option<NonZeroUsize>,
}

impl FieldOptions {
    /// The fields to write.
    pub fn choice(&self) -> FieldChoice {
        match (self.all_fields, self.max_fields) {
            (true, _) => FieldChoice::All,
            (_, Some(count)) => FieldChoice::First(count.get()),
            _ if !self.fields.is_empty() => FieldChoice::Named(
                self.fields
                    .iter()
                    .map(|name| name.trim().to_owned())
                    .collect(),
            ),
            _ => FieldChoice::Wanted,
        }
    }
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
    /// The same rows as a Parquet file, with numbers, days and lists as such.
    Parquet,
    /// The first rows and columns, for people.
    Table,
}
