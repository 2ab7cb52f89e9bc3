//! `unmold eval`.

use super::{CutPointOptions, Format};
use clap::{ArgAction, Args as ClapArgs, ValueHint};
use std::path::PathBuf;

pub const EVAL_EXAMPLES: &str = "\
Examples:
  unmold eval testdata/sites/*/                      against the truth that stands beside the pages
  unmold eval --between '<h1>' '</h1>' --between '<!-- body -->' '<!-- end -->' site/
                                                     against what stands between pairs of delimiters

A data set is a folder with pages/ and, beside it, spans/NAME.json ({\"content\": [[start, end], ...]}, bytes of the
decoded page), truth.json (values of fields), both or neither; with --between, any folder of pages. The columns are the
cut point, the share of bytes taken for template, how well that agrees with the truth, and the share of true field
values that are left whole.";

#[derive(Debug, ClapArgs)]
pub struct EvalArgs {
    /// Folders with labelled pages.
    #[arg(required = true, value_name = "DATASET", value_hint = ValueHint::DirPath)]
    pub datasets: Vec<PathBuf>,
    /// Take what stands between LEFT and RIGHT as the true content; may be given several times.
    #[arg(long, num_args = 2, value_names = ["LEFT", "RIGHT"], action = ArgAction::Append)]
    pub between: Vec<String>,
    /// As what figures are written.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
}
