//! The command line `unmold`, as a function: [`run`] takes what was typed and gives the exit code.
//!
//! Two programs call it: the binary in `main.rs`, and the Python package, whose wheel has the command
//! in this form. It acts on the whole process (standard streams, interrupts, the thread pool), so a
//! process calls it once.
//!
//! Here is glue only. `args` holds what can be typed, `commands` one file for each command, and
//! everything that is not about files, terminals and words typed is in the library `unmold`.

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
mod resumed;
mod standard_input;
mod table_view;
mod terminal;

use args::Args;
use clap::Parser;
use exit::Outcome;
use std::{
    ffi::OsString,
    io::{ErrorKind, Write},
};

/// Runs what was typed, the name of the program first, and gives the exit code. Results go to
/// standard output, errors and progress to standard error.
pub fn run(typed: impl IntoIterator<Item = OsString>) -> u8 {
    let typed: Vec<OsString> = typed.into_iter().collect();
    let words = match defaults::completed(typed.clone()).and_then(resumed::completed) {
        Ok(words) => words,
        Err(error) => return exit::report(&error.into()),
    };
    let mut args = match Args::try_parse_from(&words) {
        Ok(args) => args,
        Err(message) => return print_usage(&message),
    };
    if let args::Command::Crawl(crawl) = &mut args.command {
        crawl.words = resumed::kept(&words);
    }
    // So that tests can see that a page which makes the program fail costs no other.
    #[cfg(debug_assertions)]
    if let Ok(text) = std::env::var("UNMOLD_FAIL_AT") {
        unmold::read::fail_on_purpose_at(text);
    }
    interrupt::handle();
    match run_command(&args, &typed) {
        Ok(outcome) => {
            log::Log::chosen().event("exit", "done", &[("code", outcome.code().into())]);
            outcome.code()
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

/// Prints the help that was asked for, or what is wrong with what was typed.
fn print_usage(message: &clap::Error) -> u8 {
    let printed = message.print().and_then(|()| std::io::stdout().flush());
    // Help is a result. Nobody may be there to read it any more, which is no failure.
    if let Err(error) = printed
        && !message.use_stderr()
        && error.kind() != ErrorKind::BrokenPipe
    {
        return exit::UNWRITTEN;
    }
    u8::try_from(message.exit_code()).unwrap_or(exit::USAGE)
}

fn run_command(args: &Args, typed: &[OsString]) -> anyhow::Result<Outcome> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(args.global.threads))
        .build_global()?;
    terminal::choose_color(args.global.color);
    log::open(args.global.log.as_deref(), typed, args.command.inputs())?;
    commands::run(&args.command, &args.global)
}
