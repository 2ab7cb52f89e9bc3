//! One file for each command.

mod completions;
mod debug;
mod group;
mod man;

use crate::{
    args::{Command, Global},
    exit::Outcome,
};
use anyhow::Result;

/// Runs what was typed.
pub fn run(command: &Command, global: &Global) -> Result<Outcome> {
    match command {
        Command::Group(args) => group::run(args, global),
        Command::Debug(debug) => debug::run(debug, global),
        Command::Completions { shell } => completions::run(*shell),
        Command::Man { output } => man::run(output),
    }
}
