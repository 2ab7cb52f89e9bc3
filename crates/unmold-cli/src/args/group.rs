//! `unmold group`.

use super::{Inputs, Output};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::path::PathBuf;

pub const GROUP_EXAMPLES: &str = "\
Examples:
  # sites and page types, with what they share
  unmold group crawl/
  # one line per page: {\"page\": ..., \"group\": 3}
  unmold group -f jsonl crawl.warc.gz
  # keep the groups ...
  unmold group --save groups.json monday/
  # ... and put later pages into them
  unmold group --add groups.json tuesday/
  # by substring amplification, as in the paper
  unmold group --method amplify crawl/";

#[derive(Debug, ClapArgs)]
pub struct GroupArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// How pages are grouped.
    #[arg(long, value_enum, default_value_t = GroupMethod::Layout)]
    pub method: GroupMethod,
    /// Put pages into the groups of this file, which --save wrote; pages that fit none make new
    /// ones.
    #[arg(long, value_name = "GROUPS", value_hint = ValueHint::FilePath)]
    pub add: Option<PathBuf>,
    /// Keep what is known of the groups in this file, for --add.
    #[arg(long, value_name = "GROUPS", value_hint = ValueHint::FilePath)]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

/// How pages are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroupMethod {
    /// By what they are built of.
    Layout,
    /// By substring amplification: pages that hold the words of a peak.
    Amplify,
}
