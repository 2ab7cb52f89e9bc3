//! `unmold eval`.

use super::{CutPointOptions, named_format};
use clap::{ArgAction, Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const EVAL_EXAMPLES: &str = "\
Examples:
  # every measure that the truth beside the pages allows
  unmold eval testdata/sites
  # one of them
  unmold eval testdata/sites/shop-en --measure fields
  # with pictures, and the worst pages first
  unmold eval testdata/sites -f html -o scores.html --overwrite
  # for programs, and to be compared with later
  unmold eval testdata/sites -f jsonl -o scores.jsonl --overwrite
  # exit code 1 if a figure is worse than it was
  unmold eval testdata/sites --floors scores.jsonl
  # against what stands between pairs of delimiters
  unmold eval --between '<h1>' '</h1>' testdata/sites/news-de/pages

A data set is a folder with pages/ and truth beside it, and a folder of
such folders is all of them. docs/eval.md describes the files:
truth.json (fields), truth/NAME.txt (main content), truth/NAME.json or
records/NAME.json (records), labels.json (groups), spans/NAME.json
(content as spans), kinds.json (pages of many sites).";

#[derive(Debug, ClapArgs)]
pub struct EvalArgs {
    /// Folders with labelled pages, or folders of them.
    #[arg(required = true, value_name = "DATASET", value_hint = ValueHint::DirPath)]
    pub datasets: Vec<PathBuf>,
    /// What is measured; may be given several times. [default: all that the truth allows]
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub measure: Vec<Measure>,
    /// Take what stands between LEFT and RIGHT as the true content; may be given several times.
    #[arg(long, num_args = 2, value_names = ["LEFT", "RIGHT"], action = ArgAction::Append)]
    pub between: Vec<String>,
    /// As what figures are written. If none is given: as the ending of the file says, or as tables.
    #[arg(short, long, value_enum)]
    pub format: Option<EvalFormat>,
    /// Write to this file.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace a file that exists.
    #[arg(long)]
    pub overwrite: bool,
    /// Fail where a figure is lower than in these scores, which `-f jsonl` wrote.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub floors: Option<PathBuf>,
    /// Write higher figures into the file of --floors, and data sets that it does not have.
    #[arg(long, requires = "floors")]
    pub raise: bool,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
}

impl EvalArgs {
    /// As what figures are written.
    pub fn format(&self) -> EvalFormat {
        named_format(self.format, self.output.as_deref()).unwrap_or(EvalFormat::Table)
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Measure {
    /// Main content, as `clean` gives it.
    Content,
    /// Fields, as `extract` gives them: the best column for each, in the first 10, 20, the wanted
    /// and all columns.
    Fields,
    /// Fields learned from one labelled page, by their names.
    Examples,
    /// The records that pages list, as `records` gives them.
    Records,
    /// Which pages share a template, as `group` says it.
    Groups,
    /// What is template by cut points, letter by letter.
    Template,
}

impl Measure {
    pub fn name(self) -> &'static str {
        match self {
            Measure::Content => "content",
            Measure::Fields => "fields",
            Measure::Examples => "examples",
            Measure::Records => "records",
            Measure::Groups => "groups",
            Measure::Template => "template",
        }
    }
}

/// As what figures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvalFormat {
    /// A table to read.
    Table,
    /// One JSON object per data set and measure.
    Jsonl,
    /// A page with pictures, and the worst pages first.
    Html,
}
