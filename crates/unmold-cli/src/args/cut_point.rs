//! How the alternation count is used.

use clap::{Args as ClapArgs, ValueEnum};

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
    #[arg(
        long,
        value_name = "CHARACTERS",
        default_value = "",
        hide_default_value = true
    )]
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
