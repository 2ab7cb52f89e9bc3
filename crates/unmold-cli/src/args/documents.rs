//! Options about template strings.

use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

/// How template strings are found.
#[derive(Debug, Default, ClapArgs)]
#[command(next_help_heading = "Options of --method documents")]
pub struct DocumentsOptions {
    /// More patterns to read as one symbol each: a file with one NAME=REGEX per line, comments
    /// behind #.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub patterns: Option<PathBuf>,
    /// Drop strings that are on fewer pages.
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub min_pages: usize,
    /// Drop strings of fewer words and marks.
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub min_symbols: usize,
    /// Take strings on at least this share of pages, in per cent, instead of cutting where the
    /// histogram says.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub cutoff: Option<u8>,
}

/// How template strings are taken out of pages.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of --method documents")]
pub struct CleanerOptions {
    /// Also remove what is left between two strings if it has fewer characters than this.
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub merge_gap: usize,
    /// Leave strings of fewer characters than this that stand inside longer text that stays.
    #[arg(long, default_value_t = 12, value_name = "N")]
    pub island: usize,
}
