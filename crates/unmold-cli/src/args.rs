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
  unmold group crawl/                    which pages of a crawl share a template
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
    /// Sort a pile of pages by template: which pages were printed from the same one?
    #[command(after_help = GROUP_EXAMPLES)]
    Group(GroupArgs),
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
    /// Show which frequencies stand out: the masses F, the heights G, the peaks and their words.
    #[command(after_help = AMPLIFY_EXAMPLES)]
    Amplify(AmplifyArgs),
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

const AMPLIFY_EXAMPLES: &str = "\
Examples:
  unmold debug amplify site/                      what stands out from natural language
  unmold debug amplify --delta 10 site/           what stands out from its neighbours, as in the paper
  unmold debug amplify --svg peaks.svg site/      the plots of F and G
  unmold debug amplify -e words -f jsonl site/    all frequencies, for other programs";

const GROUP_EXAMPLES: &str = "\
Examples:
  unmold group crawl/                                 sites and page types, with what they share
  unmold group -f jsonl crawl.warc.gz                 a line a page: {\"page\": ..., \"group\": 3}
  unmold group --save groups.json monday/             keep the groups ...
  unmold group --add groups.json tuesday/             ... and put later pages into them
  unmold group --method amplify crawl/                by substring amplification, as in the paper";

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

#[derive(Debug, ClapArgs)]
pub struct AmplifyArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub output: Output,
    /// Take frequencies for peaks whose mass is more than this many times that of their neighbours, instead of those
    /// that natural language does not explain.
    #[arg(long, value_name = "DELTA", conflicts_with = "risk")]
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

#[derive(Debug, ClapArgs)]
pub struct GroupArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub output: Output,
    /// How pages are grouped.
    #[arg(long, value_enum, default_value_t = GroupMethod::Layout)]
    pub method: GroupMethod,
    /// Put pages into the groups of this file, which --save wrote; pages that fit none make new ones.
    #[arg(long, value_name = "GROUPS", value_hint = ValueHint::FilePath)]
    pub add: Option<PathBuf>,
    /// Keep what is known of the groups in this file, for --add.
    #[arg(long, value_name = "GROUPS", value_hint = ValueHint::FilePath)]
    pub save: Option<PathBuf>,
}

/// How pages are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroupMethod {
    /// By what they are built of.
    Layout,
    /// By substring amplification: pages that hold the words of a peak.
    Amplify,
}
