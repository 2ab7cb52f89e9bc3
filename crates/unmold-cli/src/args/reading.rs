//! How pages are read as symbols.

use clap::{ArgAction, Args as ClapArgs, ValueEnum};

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
