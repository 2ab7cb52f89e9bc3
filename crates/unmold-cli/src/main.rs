//! `unmold`: the command line.
//!
//! The binary is glue. [`args`] holds what can be typed, `commands` one file for each command, and everything that is
//! not about files, terminals and words typed is in the library.

mod args;
mod commands;
mod corpus;
mod examples;
mod exit;
mod interrupt;
mod learning;
mod molds;
mod output;
mod progress;
mod table_view;
mod terminal;

use args::Args;
use clap::Parser;
use exit::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    // So that tests can see that a page which makes the program fail costs no other.
    #[cfg(debug_assertions)]
    if let Ok(text) = std::env::var("UNMOLD_FAIL_AT") {
        unmold::read::fail_on_purpose_at(text);
    }
    interrupt::handle();
    match run(&args) {
        Ok(outcome) => outcome.into(),
        Err(error) => exit::report(&error),
    }
}

fn run(args: &Args) -> anyhow::Result<Outcome> {
    rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.global.threads)).build_global()?;
    terminal::choose_color(args.global.color);
    commands::run(&args.command, &args.global)
}
