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

const LEARN_EXAMPLES: &str = "\
Examples:
  unmold learn site/ -o site.mold.json               learn from the pages of a folder
  unmold learn --limit 200 crawl.warc.gz -o site.mold.json";

const EXTRACT_EXAMPLES: &str = "\
Examples:
  unmold extract site/                               learn and extract in one go, a JSON object a page
  unmold extract --mold site.mold.json new/ -f csv   apply what was learned to other pages";

const CLEAN_EXAMPLES: &str = "\
Examples:
  unmold clean site/                                 the content of each page as text
  unmold clean site/ -o texts/                       a file for each page
  unmold clean site/ -f jsonl -o clean.jsonl         text and byte spans, a JSON object a page
  unmold clean --show site/ | less -R                pages with their template in grey";

const EXPORT_EXAMPLES: &str = "\
Example:
  unmold export --mold site.mold.json --to regex     a regular expression for each field";

const EVAL_EXAMPLES: &str = "\
Examples:
  unmold eval testdata/sites/*                       against the truth that stands beside the pages
  unmold eval --between '<h1>' '</h1>' --between '<!-- body -->' '<!-- end -->' site/
                                                     against what stands between pairs of delimiters

A data set is a folder with pages/ and, beside it, spans/NAME.json ({\"content\": [[start, end], ...]}, bytes of the
decoded page), truth.json (values of fields), both or neither; with --between, any folder of pages. The columns are the
cut point, the share of bytes taken for template, how well that agrees with the truth, and the share of true field
values that are left whole.";

const EXAMPLES: &str = "\
Examples:
  unmold extract site/                   learn from the pages of a folder and take their values out
  unmold clean site/ -o texts/           the pages without their template, a text file each
  unmold learn site/ -o site.mold.json   keep what was learned, to apply it to other pages
  unmold records list.html               the records of a page: results, posts, offers

  unmold group crawl/                    which pages of a crawl share a template
  unmold debug repeats site/             what repeats on the pages of a folder, and on how many
  unmold debug symbols page.html         how one page is read
  unmold completions bash > unmold.bash  completions for a shell

Exit codes:
  0 done   1 failed   2 usage   3 done, but some inputs were bad   4 nothing to work on   5 output not writable";

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
    /// Learn the rules of a site from its pages and write them to a mold.
    #[command(after_help = LEARN_EXAMPLES)]
    Learn(LearnArgs),
    /// Take the values out of pages: by a mold, or by what the pages themselves teach.
    #[command(after_help = EXTRACT_EXAMPLES)]
    Extract(ExtractArgs),
    /// Take the template out of pages and leave their content.
    #[command(after_help = CLEAN_EXAMPLES)]
    Clean(CleanArgs),
    /// Write the rules of a mold in a form that other tools use.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArgs),
    /// Score a method against labelled pages.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArgs),
    /// Find the records that pages list: search results, posts, rows, offers.
    #[command(after_help = RECORDS_EXAMPLES)]
    Records(RecordsArgs),

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
    /// Show how the alternation count falls, and which cut point it leads to.
    #[command(after_help = CUT_POINT_EXAMPLES)]
    CutPoint(CutPointArgs),

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

const CUT_POINT_EXAMPLES: &str = "\
Examples:
  unmold debug cut-point site/                       the path and the landscape it goes over
  unmold debug cut-point --svg landscape.svg site/   the landscape as a picture
  unmold debug cut-point --html painted/ site/       each page with its template in grey
  unmold debug cut-point --search global --ties split site/";

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
    /// What stands between the most frequent pair of tags at the borders of content, by alternation counts.
    Delimiters,
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
    /// The same rows as a Parquet file.
    Parquet,
}

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

/// How the alternation count is used.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Cut point options")]
pub struct CutPointOptions {
    /// What happens to n-grams that are as frequent as the last one taken.
    #[arg(long, value_enum, default_value_t = Ties::Whole)]
    pub ties: Ties,
    /// How far the search goes.
    #[arg(long, value_enum, default_value_t = Search::Greedy)]
    pub search: Search,
    /// Take each run of white space as one space.
    #[arg(long)]
    pub fold_space: bool,
    /// Leave out n-grams that have one of these characters anywhere but at their ends.
    #[arg(long, value_name = "CHARACTERS", default_value = "", hide_default_value = true)]
    pub delimiters: String,
}

/// What happens to equally frequent n-grams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ties {
    /// All or none of them are taken.
    Whole,
    /// Exactly a per cent are taken, as in the papers.
    Split,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// To the first low point, as in the papers.
    Greedy,
    /// To the lowest of all low points that a falling path leads to.
    Global,
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
    /// Show rows of the landscape up to this n.
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub rows: usize,
}

#[derive(Debug, ClapArgs)]
pub struct LearnArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How to learn.
    #[arg(long, value_enum, default_value_t = LearnMethod::Lr)]
    pub method: LearnMethod,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// The file to write the mold to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LearnMethod {
    /// LR wrappers: the strings before and behind each value, from alternation counts.
    Lr,
}

#[derive(Debug, ClapArgs)]
pub struct ExtractArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The mold to apply; without one, the pages are learned from first.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    /// Without a mold: how to learn.
    #[arg(long, value_enum, default_value_t = LearnMethod::Lr)]
    pub method: LearnMethod,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// As what values are written.
    #[arg(short, long, value_enum, default_value_t = RowFormat::Jsonl)]
    pub format: RowFormat,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// As what rows of values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// A JSON object a page.
    Jsonl,
    /// A table with a header; several values of a field stand in one cell, a line each.
    Csv,
    /// The same rows as a Parquet file.
    Parquet,
}

#[derive(Debug, ClapArgs)]
pub struct CleanArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How to tell template from content.
    #[arg(long, value_enum, default_value_t = CleanMethod::CutPoint)]
    pub method: CleanMethod,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
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
}

/// As what content is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CleanFormat {
    /// Plain text, a line a block.
    Text,
    /// A JSON object a page, with text and byte spans of content and template.
    Jsonl,
}

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// The mold to export.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: PathBuf,
    /// The form to write it in.
    #[arg(long, value_enum)]
    pub to: ExportForm,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

/// Forms that other tools use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// A regular expression a line, behind the name of its field and a tab.
    Regex,
}

#[derive(Debug, ClapArgs)]
pub struct EvalArgs {
    /// Folders with labelled pages.
    #[arg(required = true, value_name = "DATASET", value_hint = ValueHint::DirPath)]
    pub datasets: Vec<PathBuf>,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// Take what stands between LEFT and RIGHT as the true content; may be given several times.
    #[arg(long, num_args = 2, value_names = ["LEFT", "RIGHT"], action = ArgAction::Append)]
    pub between: Vec<String>,
    /// As what figures are written.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
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
