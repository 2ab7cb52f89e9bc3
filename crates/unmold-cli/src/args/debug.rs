//! `unmold debug`.

use super::{CutPointOptions, DocumentsOptions, Inputs, Output, Reading};
use clap::{Args as ClapArgs, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Stages to look at.
#[derive(Debug, Subcommand)]
pub enum Debug {
    /// Show the symbols that pages are read as, each with its place in the page.
    #[command(after_help = SYMBOLS_EXAMPLES)]
    Symbols(SymbolsArgs),
    /// Show the sorted suffixes of all pages, and what the index counts in them.
    #[command(after_help = INDEX_EXAMPLES)]
    Index(IndexArgs),
    /// Show the strings that repeat: how often, on how many pages.
    #[command(after_help = REPEATS_EXAMPLES)]
    Repeats(RepeatsArgs),
    /// Show how many strings are on how many pages, and where template begins.
    #[command(after_help = HISTOGRAM_EXAMPLES)]
    Histogram(HistogramArgs),
    /// Show how the alternation count falls, and which cut point it leads to.
    #[command(after_help = CUT_POINT_EXAMPLES)]
    CutPoint(CutPointArgs),

    /// Show which frequencies stand out: the masses F, the heights G, the peaks and their words.
    #[command(after_help = AMPLIFY_EXAMPLES)]
    Amplify(AmplifyArgs),
    /// Show what a page declares to machines: JSON-LD, microdata, RDFa, meta tags, state.
    #[command(after_help = DECLARED_EXAMPLES)]
    Declared(DeclaredArgs),
    /// Show which elements were taken for the content of a page, and what was left out and why.
    #[command(after_help = CONTENT_EXAMPLES)]
    Content(ContentArgs),
}

/// Examples of `unmold debug`.
pub const DEBUG_EXAMPLES: &str = "\
Examples:
  # which charset was chosen, and how many symbols a page has
  unmold debug symbols -q page.html | head -n 1
  # the strings that repeat most
  unmold debug repeats --top 10 site/
  # help for one stage
  unmold debug cut-point --help";

const CONTENT_EXAMPLES: &str = "\
Examples:
  # why is this text missing, or that one there?
  unmold debug content page.html
  # by the rules of a mold
  unmold debug content --mold site.mold.json page.html";

const SYMBOLS_EXAMPLES: &str = "\
Examples:
  # words and markup
  unmold debug symbols page.html
  # dates, numbers and the like as one symbol each
  unmold debug symbols --mutable page.html
  # IEPAD's block level, all pages of a folder
  unmold debug symbols -e tags --level block a/
  # one line per symbol, for other programs
  unmold debug symbols -f jsonl crawl.warc.gz";

const INDEX_EXAMPLES: &str = "\
Examples:
  # the textbook suffix array
  echo -n KINGKONG | unmold debug index -e bytes -
  # the first 100 rows
  unmold debug index --top 100 site/";

const CUT_POINT_EXAMPLES: &str = "\
Examples:
  # the path and the landscape it goes over
  unmold debug cut-point site/
  # the landscape as a picture
  unmold debug cut-point --svg landscape.svg site/
  # each page with its template in grey
  unmold debug cut-point --html painted/ site/
  # the lowest of all low points, and exactly a per cent of the n-grams
  unmold debug cut-point --search global --ties split site/";

const REPEATS_EXAMPLES: &str = "\
Examples:
  # the heaviest first: pages times length
  unmold debug repeats site/
  # the longest strings on three pages or more
  unmold debug repeats --min-df 3 --by length site/
  # repeated tag patterns of one page
  unmold debug repeats -e tags list.html
  # for other programs
  unmold debug repeats -f jsonl -o repeats.jsonl site/";

const HISTOGRAM_EXAMPLES: &str = "\
Examples:
  # the histogram, its cut, strings on both sides
  unmold debug histogram site/
  # the same as a picture
  unmold debug histogram --svg cut.svg site/
  # all maximal strings, for other programs
  unmold debug histogram -f jsonl site/";

const AMPLIFY_EXAMPLES: &str = "\
Examples:
  # what stands out from natural language
  unmold debug amplify site/
  # what stands out from its neighbours (paper)
  unmold debug amplify --delta 10 site/
  # the plots of F and G
  unmold debug amplify --svg peaks.svg site/
  # all frequencies, for other programs
  unmold debug amplify -e words -f jsonl site/";

const DECLARED_EXAMPLES: &str = "\
Examples:
  # as a tree
  unmold debug declared page.html
  # everything, for other programs
  unmold debug declared -f jsonl site/ -o declared.jsonl";

#[derive(Debug, ClapArgs)]
pub struct DeclaredArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub output: Output,
    /// In the tree, show no more than this many lines of a block.
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub top: usize,
}

#[derive(Debug, ClapArgs)]
pub struct SymbolsArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub output: Output,
    /// In the table, show no more than this many symbols of a page.
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub top: usize,
}

#[derive(Debug, ClapArgs)]
pub struct ContentArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// Read the pages by a mold that `unmold learn` wrote, instead of each on its own.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    /// Show no more than this many paths of a page.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,
}

#[derive(Debug, ClapArgs)]
pub struct IndexArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub output: Output,
    /// Show no more than this many rows.
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub top: usize,
}

#[derive(Debug, ClapArgs)]
pub struct RepeatsArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub output: Output,
    /// Show no more than this many strings.
    #[arg(long, default_value_t = 30, value_name = "N")]
    pub top: usize,
    /// Leave out strings that occur less often.
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub min_tf: usize,
    /// Leave out strings that are on fewer pages.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub min_df: usize,
    /// Leave out strings of fewer symbols.
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub min_length: usize,
    /// What stands first.
    #[arg(long, value_enum, default_value_t = By::Weight)]
    pub by: By,
}

/// What stands first among repeated strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Pages times length: how much of a site it makes up, counted once per page.
    Weight,
    /// The number of occurrences.
    Tf,
    /// The number of pages.
    Df,
    /// The number of symbols.
    Length,
}

#[derive(Debug, ClapArgs)]
pub struct CutPointArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// Write the landscape with the path to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,
    /// Write each page with its template in grey to this folder.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub html: Option<PathBuf>,
    /// Replace output files that exist.
    #[arg(long)]
    pub overwrite: bool,
    /// Show rows of the landscape up to this n [default: a few beyond the path].
    #[arg(long, value_name = "N")]
    pub rows: Option<usize>,
}

#[derive(Debug, ClapArgs)]
pub struct HistogramArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub documents: DocumentsOptions,
    #[command(flatten)]
    pub output: Output,
    /// Show no more than this many strings on either side of the cut.
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub top: usize,
    /// Also draw the histogram to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct AmplifyArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub output: Output,
    /// Take frequencies for peaks whose mass is more than this many times that of their neighbours,
    /// instead of those that natural language does not explain.
    #[arg(long, value_name = "DELTA", value_parser = positive, conflicts_with = "risk")]
    pub delta: Option<f64>,
    /// How likely may a frequency of natural language be taken for a peak?
    #[arg(long, value_name = "ALPHA", default_value_t = 0.001)]
    pub risk: f64,
    /// Show no more than this many peaks.
    #[arg(long, default_value_t = 12, value_name = "N")]
    pub top: usize,
    /// Also draw F and G to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,
}

/// A number above zero.
fn positive(typed: &str) -> Result<f64, String> {
    match typed.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_owned()),
    }
}
