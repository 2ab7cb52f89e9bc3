//! What can be typed after `unmold warc`.

use super::Format;
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use std::path::PathBuf;

pub const WARC_CHECK_EXAMPLES: &str = "\
Examples:
  # is the archive whole, and do its digests hold
  unmold warc check site.warc.gz
  # keep the whole records of a file whose end was torn off
  unmold warc check site.warc.gz --repair mended.warc.gz
  # for programs: one JSON object per file
  unmold warc check -f jsonl site.warc.gz

The exit code is 3 if anything is wrong.";

/// What can be done with archives.
#[derive(Debug, Subcommand)]
pub enum Warc {
    /// Check digests, lengths and gzip members, and say up to where a file is whole.
    #[command(after_help = WARC_CHECK_EXAMPLES)]
    Check(WarcCheckArgs),
}

#[derive(Debug, ClapArgs)]
pub struct WarcCheckArgs {
    /// The archives: .warc or .warc.gz, also one that is still being written (.open).
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Write the whole records of the one FILE to this file.
    #[arg(long, value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub repair: Option<PathBuf>,
    /// Replace NEW if it exists.
    #[arg(long)]
    pub overwrite: bool,
    /// Output format.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}
