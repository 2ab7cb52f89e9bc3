//! `unmold clean`.

use super::{CleanerOptions, CutPointOptions, DocumentsOptions, Inputs, named_format};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;
use unmold::papers::amplify::SHORTEST_WORD;

pub const CLEAN_EXAMPLES: &str = "\
Examples:
  # the main content of each page as text
  unmold clean site/
  # one file per page
  unmold clean site/ -o texts/
  # with headings, lists, tables and links
  unmold clean site/ -f markdown -o texts/
  # one page, one file
  unmold clean page.html -f markdown -o page.md
  # one JSON object per page: title, text, spans
  unmold clean site/ -f jsonl -o clean.jsonl
  # other pages of the site, as they stream by
  unmold clean --mold site.mold.json crawl.warc.gz -f jsonl -o crawl.jsonl
  # the same as a table
  unmold clean site/ -f parquet -o clean.parquet
  # exit code 3 if text of a page is left out as a whole
  unmold clean --strict-empty site/ -o texts/
  # pages as people see them, their template faded
  unmold clean -f html --paint site/ -o painted/
  # posts and answers too
  unmold clean --keep comments forum/
  # pages with their template in grey
  unmold clean --show site/ | less -R
  # by the strings that are on nearly all pages
  unmold clean --method documents site/
  # by those of a mold
  unmold clean --method documents --mold site.mold.json new/";

#[derive(Debug, ClapArgs)]
pub struct CleanArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// Clean by a mold that `unmold learn` wrote, page by page, instead of learning from these
    /// pages.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    /// How to tell template from content [default: content, or what the mold was learned by]
    #[arg(long, value_enum)]
    pub method: Option<CleanMethod>,
    /// Take all pages as of one template, whatever they look like.
    #[arg(long, conflicts_with = "mold")]
    pub one_template: bool,
    /// With -f jsonl and a mold: the fields of the mold too.
    #[arg(long, requires = "mold")]
    pub with_fields: bool,
    /// Also keep what would be left out.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub keep: Option<Keep>,
    /// As what the content is written. If none is given: as the ending of the file says, or as
    /// text.
    #[arg(short, long, value_enum)]
    pub format: Option<CleanFormat>,
    /// A folder, which gets one file per page; for jsonl and parquet a file, and for one page a
    /// file whose name ends like page.md. Standard output if none is given.
    #[arg(short, long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub output: Option<PathBuf>,
    /// Replace output files that exist.
    #[arg(long)]
    pub overwrite: bool,
    /// Go on where a run was cut off: files of pages that are in the folder already stay as they
    /// are.
    #[arg(long, requires = "output", conflicts_with = "overwrite")]
    pub resume: bool,
    /// Exit with code 3 if a page has text and gave none or hardly any of it.
    #[arg(long)]
    pub strict_empty: bool,
    /// Show the source of each page with its template in grey, instead of its content. In colour
    /// also where it goes to a pager, unless NO_COLOR is set.
    #[arg(long, conflicts_with_all = ["format", "output"])]
    pub show: bool,
    /// With -f html: each page for a browser, with its template faded; or its source.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "page", value_name = "WHAT")]
    pub paint: Option<Paint>,
    #[command(flatten)]
    pub cut_point: CutPointOptions,
    /// Remove only strings of at least this many characters [default: 24].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Options of --method amplify")]
    pub shortest_word: Option<u32>,
    #[command(flatten)]
    pub documents: DocumentsOptions,
    #[command(flatten)]
    pub cleaner: CleanerOptions,
}

impl CleanArgs {
    /// As what the content is written.
    pub fn format(&self) -> CleanFormat {
        named_format(self.format, self.output.as_deref()).unwrap_or(CleanFormat::Text)
    }

    /// How many characters a string has at least that `--method amplify` removes.
    pub fn shortest_word(&self) -> usize {
        self.shortest_word
            .map_or(SHORTEST_WORD, |symbols| symbols as usize)
    }

    /// Whether all pages go into one file, and not each into one of its own.
    pub fn writes_one_file(&self) -> bool {
        matches!(self.format(), CleanFormat::Jsonl | CleanFormat::Parquet) || self.names_a_page()
    }

    /// Whether what is written is called as a file of its format is, and is no folder.
    pub fn names_a_page(&self) -> bool {
        let format = self.format();
        !matches!(format, CleanFormat::Jsonl | CleanFormat::Parquet)
            && named_format(None, self.output.as_deref()) == Some(format)
    }
}

/// How to tell template from content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CleanMethod {
    /// The main content: where text of the page's own adds up on the pages of its template.
    Content,
    /// Frequent n-grams are template, by alternation counts.
    CutPoint,
    /// Strings whose frequency natural language does not explain are template, by substring
    /// amplification.
    Amplify,
    /// Strings that are on nearly all pages are template, by the histogram of document frequencies.
    Documents,
}

/// As what content is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CleanFormat {
    /// Plain text, one line per block.
    #[value(alias = "txt")]
    Text,
    /// HTML of headings, paragraphs, lists, tables, links and pictures, without style and scripts.
    #[value(alias = "htm")]
    Html,
    /// Markdown.
    #[value(alias = "md")]
    Markdown,
    /// One JSON object per page: title, authors, date, language and more where the page says them,
    /// text, byte spans.
    Jsonl,
    /// The same as a table; needs -o.
    Parquet,
}

/// What is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paint {
    /// The page as people see it, without scripts and outside styles.
    Page,
    /// Its source.
    Source,
}

/// What may be kept besides the main content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Keep {
    /// What people wrote below the content: the list with most text outside of links.
    Comments,
}
