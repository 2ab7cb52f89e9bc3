//! What can be typed.
//!
//! Only words and numbers are checked here; what they mean is decided by the commands.

use clap::{ArgAction, Args as ClapArgs, ColorChoice, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Takes web pages out of their mold: finds what the pages of a site have in common and what is their own.
#[derive(Debug, Parser)]
#[command(name = "unmold", version, propagate_version = true, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  unmold records list.html               the records of a page: results, posts, offers
  unmold debug repeats site/             what repeats on the pages of a folder, and on how many
  unmold debug symbols page.html         how one page is read
  unmold completions bash > unmold.bash  completions for a shell

Exit codes:
  0 done   2 usage   3 done, but some inputs were bad   4 nothing to work on   5 output not writable";

/// Options of all commands.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Common options")]
pub struct Global {
    /// How many threads work; 0 means one for each core. Does not change the output.
    #[arg(long, global = true, default_value_t = 0, value_name = "N")]
    pub threads: usize,
    /// Print no progress and no messages but errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to use colours.
    #[arg(long, global = true, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Stop at the first bad input.
    #[arg(long, global = true)]
    pub strict: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the records that pages list: search results, posts, rows, offers.
    #[command(after_help = RECORDS_EXAMPLES)]
    Records(RecordsArgs),
    /// Look at any stage of the work.
    #[command(subcommand)]
    Debug(Debug),
    /// Print completions for a shell.
    #[command(after_help = "Example:\n  unmold completions zsh > ~/.zfunc/_unmold")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages.
    #[command(after_help = "Example:\n  unmold man -o ~/.local/share/man/man1")]
    Man {
        /// The folder to write them to; it is made if it does not exist.
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: PathBuf,
    },
}

const RECORDS_EXAMPLES: &str = "\
Examples:
  unmold records list.html                              the records of a page as a table
  unmold records -f csv -o offers.csv pages/            a row a record, all pages of a folder
  unmold records -f jsonl crawl.warc.gz                 patterns, records and fields for other programs
  unmold records --learn-from pages/1.html pages/       what the records of one page look like, on all pages
  unmold records --learn-from 1.html --save-rule r.json 1.html   keep the rule ...
  unmold records --rule r.json -f csv new/              ... and use it later
  unmold records --method iepad --min-count 3 list.html as in the paper";

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
}

const SYMBOLS_EXAMPLES: &str = "\
Examples:
  unmold debug symbols page.html                   words and markup
  unmold debug symbols --mutable page.html         dates, numbers and the like as one symbol each
  unmold debug symbols -e tags --level block a/    IEPAD's block-level encoding, all pages of a folder
  unmold debug symbols -f jsonl crawl.warc.gz      a line a symbol, for other programs";

const INDEX_EXAMPLES: &str = "\
Examples:
  echo -n KINGKONG | unmold debug index -e bytes -   the textbook suffix array
  unmold debug index --top 100 site/                 the first 100 rows";

const REPEATS_EXAMPLES: &str = "\
Examples:
  unmold debug repeats site/                          what is on most pages, longest first
  unmold debug repeats --min-df 3 --by length site/   the longest strings on three pages or more
  unmold debug repeats -e tags list.html              repeated tag patterns of one page
  unmold debug repeats -f jsonl -o repeats.jsonl site/";

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
    /// Leave out patterns with fewer records.
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub min_records: usize,
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
    /// Learn what records look like from this page, and find those on all inputs.
    #[arg(long, value_name = "PAGE", value_hint = ValueHint::FilePath, conflicts_with = "rule")]
    pub learn_from: Option<PathBuf>,
    /// Find the records that this rule describes.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub rule: Option<PathBuf>,
    /// Write the rule of the best pattern of --learn-from to this file.
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
    /// Leave out patterns that are less regular (standard deviation of distances / mean), unless blocks of them are.
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
}

/// Where records go, and as what.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output options")]
pub struct RecordsOutput {
    /// As what records are written.
    #[arg(short, long, value_enum, default_value_t = RecordsFormat::Table)]
    pub format: RecordsFormat,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace output files that exist.
    #[arg(long)]
    pub overwrite: bool,
}

/// As what records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RecordsFormat {
    /// A table to read.
    Table,
    /// A JSON object a page: patterns, their records and fields.
    Jsonl,
    /// A row for each record of the best pattern, a column for each field.
    Csv,
}

/// Where pages come from.
#[derive(Debug, ClapArgs)]
pub struct Inputs {
    /// Files, folders (all files below them), .warc[.gz|.zst], .arc[.gz], .jsonl[.gz|.zst], .parquet, or - for standard
    /// input.
    #[arg(required = true, value_name = "INPUT", value_hint = ValueHint::AnyPath)]
    pub inputs: Vec<PathBuf>,
    /// Read no more than this many pages.
    #[arg(long, value_name = "N", help_heading = "Input options")]
    pub limit: Option<u64>,
    /// Take only pages whose name or address matches this pattern (* and ? as in a shell; without them, any part).
    #[arg(long, value_name = "PATTERN", help_heading = "Input options")]
    pub include: Option<String>,
    /// The field with the address, in .jsonl and .parquet.
    #[arg(long, value_name = "NAME", default_value = "url", help_heading = "Input options")]
    pub url_field: String,
    /// The field with the page, in .jsonl and .parquet.
    #[arg(long, value_name = "NAME", default_value = "html", help_heading = "Input options")]
    pub html_field: String,
    /// Also write each bad input to this file, a JSON object a line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Input options")]
    pub errors: Option<PathBuf>,
}

/// How pages are read.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Reading options")]
pub struct Reading {
    /// What a symbol is.
    #[arg(short, long, value_enum, default_value_t = Encoding::Words)]
    pub encoding: Encoding,
    /// With words: read dates, numbers, addresses and the like as one symbol each.
    #[arg(long)]
    pub mutable: bool,
    /// With words: one more such pattern; may be given several times.
    #[arg(long, value_name = "NAME=REGEX", action = ArgAction::Append)]
    pub pattern: Vec<String>,
    /// With words: make every match of this expression a symbol, instead of knowing markup.
    #[arg(long, value_name = "REGEX")]
    pub token: Option<String>,
    /// With tags: which tags are symbols.
    #[arg(long, value_enum, default_value_t = Level::All)]
    pub level: Level,
    /// With tags: tell tags apart by class.
    #[arg(long)]
    pub classes: bool,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// Bytes of the decoded text.
    Bytes,
    /// Characters.
    Chars,
    /// Characters, with each run of white space as one.
    FoldedChars,
    /// Words, punctuation marks and pieces of tags.
    Words,
    /// Tags, and the text between two tags.
    Tags,
}

/// Which tags are symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// All tags.
    All,
    /// All but b, i, font and the like.
    NoPhysical,
    /// All but links, images, line breaks.
    NoSpecial,
    /// Block-level tags only.
    Block,
}

/// Where results go, and as what.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output options")]
pub struct Output {
    /// As what results are written.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// As what results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table to read.
    Table,
    /// A JSON object a line.
    Jsonl,
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
    /// Pages times length: how much of a site it makes up, counted once a page.
    Weight,
    /// The number of occurrences.
    Tf,
    /// The number of pages.
    Df,
    /// The number of symbols.
    Length,
}
