//! `unmold`: the command line.
//!
//! The binary is glue. [`args`] holds what can be typed, `commands` one file for each command, and everything that is
//! not about files, terminals and words typed is in the library.

mod args;
mod commands;
mod corpus;
mod defaults;
mod examples;
mod exit;
mod interrupt;
mod learning;
mod log;
mod molds;
mod output;
mod progress;
mod standard_input;
mod table_view;
mod terminal;

use args::Args;
use clap::Parser;
use exit::Outcome;
use std::process::ExitCode;

/// The allocator of musl takes a third longer on one thread, and more on two.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match defaults::completed(std::env::args_os().collect()) {
        Ok(words) => Args::parse_from(words),
        Err(error) => return exit::report(&error.into()),
    };
    // So that tests can see that a page which makes the program fail costs no other.
    #[cfg(debug_assertions)]
    if let Ok(text) = std::env::var("UNMOLD_FAIL_AT") {
        unmold::read::fail_on_purpose_at(text);
    }
    interrupt::handle();
    match run(&args) {
        Ok(outcome) => {
            log::Log::chosen().event("exit", "done", &[("code", outcome.code().into())]);
            outcome.into()
        }
        Err(error) => {
            log::Log::chosen().event(
                "exit",
                &format!("{error:#}"),
                &[("code", exit::code_of(&error).into())],
            );
            exit::report(&error)
        }
    }
}

fn run(args: &Args) -> anyhow::Result<Outcome> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(args.global.threads))
        .build_global()?;
    terminal::choose_color(args.global.color);
    log::open(args.global.log.as_deref(), args.command.inputs())?;
    commands::run(&args.command, &args.global)
}
