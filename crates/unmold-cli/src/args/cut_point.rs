//! How the alternation count is used.

use crate::exit::Failure;
use clap::{Args as ClapArgs, ValueEnum};

/// How the alternation count is used.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Cut point options")]
pub struct CutPointOptions {
    /// What happens to n-grams that are as frequent as the last one taken [default: whole].
    #[arg(long, value_enum)]
    ties: Option<Ties>,
    /// How far the search goes [default: greedy].
    #[arg(long, value_enum)]
    search: Option<Search>,
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

impl CutPointOptions {
    /// What happens to equally frequent n-grams.
    pub fn ties(&self) -> Ties {
        self.ties.unwrap_or(Ties::Whole)
    }

    /// How far the search goes.
    pub fn search(&self) -> Search {
        self.search.unwrap_or(Search::Greedy)
    }

    /// Refuses these options where nothing would use them; `needed` is what they go with.
    pub fn refuse(&self, needed: &str) -> Result<(), Failure> {
        let given = [
            ("--ties", self.ties.is_some()),
            ("--search", self.search.is_some()),
            ("--fold-space", self.fold_space),
            ("--delimiters", !self.delimiters.is_empty()),
        ];
        for (option, is_given) in given {
            if is_given {
                return Err(Failure::Usage(format!("{option} goes with {needed}")));
            }
        }
        Ok(())
    }

    /// Refuses to fold white space where the method does not.
    pub fn refuse_folding(&self, method: &str) -> Result<(), Failure> {
        if self.fold_space {
            return Err(Failure::Usage(format!(
                "{method} reads white space as it is: leave out --fold-space"
            )));
        }
        Ok(())
    }
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
