//! What can be typed: a module for each command, and here what they share.
//!
//! Only words and numbers are checked here; what they mean is decided by the commands.

mod changes;
mod check;
mod clean;
mod config;
mod crawl;
mod cut_point;
mod debug;
mod documents;
mod eval;
mod export;
mod extract;
mod group;
mod learn;
mod mcp;
mod reading;
mod records;
mod table;
mod view;
mod warc;

pub use self::{
    changes::*, check::*, clean::*, config::*, crawl::*, cut_point::*, debug::*, documents::*,
    eval::*, export::*, extract::*, group::*, learn::*, mcp::*, reading::*, records::*, table::*,
    view::*, warc::*,
};
use clap::{Args as ClapArgs, ColorChoice, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::{Path, PathBuf};

/// Takes web pages out of their mold: finds what the pages of a site have in common and what is
/// their own.
#[derive(Debug, Parser)]
#[command(name = "unmold", version, propagate_version = true, after_help = EXAMPLES, max_term_width = 100, args_override_self = true)]
pub struct Args {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  # learn from the pages of a folder and take their values out
  unmold extract site/
  # the main content of each page, one text file per page
  unmold clean site/ -o texts/
  # keep what was learned, to apply it to other pages
  unmold learn site/ -o site.mold.json
  # the records of a page: results, posts, offers
  unmold records list.html

  # fetch enough pages of a site to learn from
  unmold crawl --contact me@b.example https://a.example/ \\
    --until learned -o site.warc.gz
  # has the site changed, and what broke
  unmold check today/ --mold site.mold.json
  # which pages of a crawl share a template
  unmold group crawl/
  # what repeats on the pages of a folder, and on how many
  unmold debug repeats site/
  # how one page is read
  unmold debug symbols page.html
  # completions for a shell
  unmold completions bash > unmold.bash

Exit codes:
  0 done    1 failed    2 usage    3 some inputs were bad
  4 nothing to work on    5 cannot write    6 more than --hold allows
  130 interrupted";

/// Options of all commands.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Common options")]
pub struct Global {
    /// How many threads work; 0 means one per core. Does not change the output.
    #[arg(long, global = true, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=512))]
    pub threads: u16,
    /// Print no progress and no messages but errors and bad inputs.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to use colours.
    #[arg(long, global = true, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Stop at the first bad input.
    #[arg(long, global = true)]
    pub strict: bool,
    /// Take defaults for options from this TOML or JSON file [default: unmold.toml, here or above].
    /// Environment variables such as UNMOLD_THREADS=4 set defaults too.
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Add what happens to this file, one JSON object per line.
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Option<PathBuf>,
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
    /// Fetch the pages to learn from, politely, into an archive.
    #[command(after_help = CRAWL_EXAMPLES)]
    Crawl(CrawlArgs),
    /// Hold today's pages against a mold: has the site changed, and what broke?
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Show what changed on a site between two visits: values, rows, words, never the frame.
    #[command(after_help = CHANGES_EXAMPLES)]
    Changes(ChangesArgs),
    /// Show what is different between two molds.
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Write the rules of a mold in a form that other tools use.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArgs),
    /// Measure every command against labelled pages.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArgs),
    /// Find the records that pages list: search results, posts, rows, offers.
    #[command(after_help = RECORDS_EXAMPLES)]
    Records(RecordsArgs),

    /// Sort a pile of pages by template: which pages were printed from the same one?
    #[command(after_help = GROUP_EXAMPLES)]
    Group(GroupArgs),
    /// Look at what a mold finds, and choose, on a page in the browser.
    #[command(after_help = VIEW_EXAMPLES, mut_arg("inputs", |inputs| inputs.required(false).required_unless_present("mold")))]
    View(ViewArgs),
    /// Serve read-only tools over folders of pages to agents, by the Model Context Protocol.
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Check archives.
    #[command(subcommand, after_help = WARC_CHECK_EXAMPLES)]
    Warc(Warc),
    /// Look at any stage of the work.
    #[command(subcommand, after_help = DEBUG_EXAMPLES)]
    Debug(Debug),
    /// Print the defaults in force, and where they are from.
    #[command(after_help = CONFIG_EXAMPLES)]
    Config(ConfigArgs),
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
        /// Replace manual pages that are there.
        #[arg(long)]
        overwrite: bool,
    },
}

impl Command {
    /// The inputs of the commands that read pages.
    pub fn inputs(&self) -> &[PathBuf] {
        match self {
            Command::Learn(args) => &args.inputs.inputs,
            Command::Extract(args) => &args.inputs.inputs,
            Command::Clean(args) => &args.inputs.inputs,
            Command::Records(args) => &args.inputs.inputs,
            Command::Group(args) => &args.inputs.inputs,
            _ => &[],
        }
    }
}

/// Where pages come from.
#[derive(Clone, Debug, ClapArgs)]
pub struct Inputs {
    /// Files, folders (all files below them), .warc[.gz|.zst], .arc[.gz], .jsonl[.gz|.zst],
    /// .parquet, or - for standard input.
    #[arg(required = true, value_name = "INPUT", value_hint = ValueHint::AnyPath)]
    pub inputs: Vec<PathBuf>,
    /// Read no more than this many pages.
    #[arg(long, value_name = "N", help_heading = "Input options")]
    pub limit: Option<u64>,
    /// Take only pages whose name or URL matches this pattern (* and ? as in a shell; without
    /// them, any part). May be given several times: one match is enough.
    #[arg(long, value_name = "PATTERN", help_heading = "Input options")]
    pub include: Vec<String>,
    /// The field with the address, in .jsonl and .parquet.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "url",
        help_heading = "Input options"
    )]
    pub url_field: String,
    /// The field with the page, in .jsonl and .parquet.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "html",
        help_heading = "Input options"
    )]
    pub html_field: String,
    /// Hold no more than this much text of pages while learning and grouping, such as 500M or 2G.
    /// Of more, a sample of each template is learned from, and all pages are read a second time.
    /// [default: 128M]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Input options")]
    pub hold: Option<usize>,
    /// Also write each bad input to this file, one JSON object per line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Input options")]
    pub errors: Option<PathBuf>,
}

/// A number of bytes, with K, M or G behind it for thousands, millions and billions of them.
fn size(typed: &str) -> Result<usize, String> {
    let wrong = || "not a size: give a number, with K, M or G behind it".to_owned();
    let digits = typed
        .trim_end_matches(['b', 'B'])
        .trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let factor = match typed[digits.len()..]
        .chars()
        .next()
        .map(|unit| unit.to_ascii_uppercase())
    {
        Some('K') => 1_000,
        Some('M') => 1_000_000,
        Some('G') => 1_000_000_000,
        _ => 1,
    };
    digits
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(wrong)
}

/// Where results go, and as what.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output options")]
pub struct Output {
    /// As what results are written. If none is given: as the ending of the file says, or as a
    /// table.
    #[arg(short, long, value_enum)]
    pub format: Option<Format>,
    /// The file to write to; standard output if none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub overwrite: bool,
}

impl Output {
    /// As what results are written.
    pub fn format(&self) -> Format {
        named_format(self.format, self.output.as_deref()).unwrap_or(Format::Table)
    }
}

/// The format that is asked for, or else the one that the ending of the output names: nobody who
/// writes to values.csv wants JSON.
pub fn named_format<F: ValueEnum>(asked: Option<F>, output: Option<&Path>) -> Option<F> {
    let is_folder =
        |path: &Path| path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir();
    let ending = || {
        output
            .filter(|path| !is_folder(path))?
            .extension()?
            .to_str()
    };
    asked.or_else(|| {
        let ending = ending()?;
        let is_json_lines = JSON_LINES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending));
        F::from_str(if is_json_lines { "jsonl" } else { ending }, true).ok()
    })
}

/// Extensions that files of JSON lines have, too.
const JSON_LINES: [&str; 2] = ["json", "ndjson"];

/// As what results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table to read.
    Table,
    /// One JSON object per line.
    Jsonl,
}
