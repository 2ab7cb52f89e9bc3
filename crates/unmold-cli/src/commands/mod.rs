//! One file for each command.

mod check;
mod clean;
mod completions;
mod debug;
mod diff;
mod eval;
mod export;
mod extract;
mod group;
mod learn;
mod man;
mod records;

use crate::{
    args::{Command, Global},
    exit::Outcome,
};
use anyhow::Result;

/// Runs what was typed.
pub fn run(command: &Command, global: &Global) -> Result<Outcome> {
    match command {
        Command::Learn(args) => learn::run(args, global),
        Command::Extract(args) => extract::run(args, global),
        Command::Clean(args) => clean::run(args, global),
        Command::Export(args) => export::run(args, global),
        Command::Check(args) => check::run(args, global),
        Command::Diff(args) => diff::run(args),
        Command::Eval(args) => eval::run(args, global),
        Command::Records(args) => records::run(args, global),
        Command::Group(args) => group::run(args, global),
        Command::Debug(debug) => debug::run(debug, global),
        Command::Completions { shell } => completions::run(*shell),
        Command::Man { output } => man::run(output),
    }
}
