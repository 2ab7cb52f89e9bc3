//! What can be typed after `unmold config`.

use clap::{Args as ClapArgs, ValueEnum};

pub const CONFIG_EXAMPLES: &str = "\
Examples:
  # every default that is set, and by which file or variable
  unmold config
  # those of one command
  unmold config extract
  # for programs
  unmold config -f jsonl

A file of defaults, unmold.toml in the working directory or above it:
  threads = 4
  quiet = true
  [extract]
  format = \"csv\"";

#[derive(Debug, ClapArgs)]
pub struct ConfigArgs {
    /// Print the defaults of this command only.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Output format.
    #[arg(short, long, value_enum, default_value_t = ConfigFormat::Table)]
    pub format: ConfigFormat,
}

/// In which form defaults are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfigFormat {
    /// A table to read.
    Table,
    /// One JSON object per line.
    Jsonl,
}
