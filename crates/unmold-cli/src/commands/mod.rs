//! One file for each command.

mod changes;
mod check;
mod clean;
mod completions;
mod config;
mod crawl;
mod debug;
mod diff;
mod eval;
mod export;
mod extract;
mod group;
mod junit;
mod learn;
mod man;
mod mcp;
mod records;
mod view;
mod warc;

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
        Command::Crawl(args) => crawl::run(args, global),
        Command::Export(args) => export::run(args, global),
        Command::Changes(args) => changes::run(args, global),
        Command::Check(args) => check::run(args, global),
        Command::Diff(args) => diff::run(args),
        Command::Eval(args) => eval::run(args, global),
        Command::Records(args) => records::run(args, global),
        Command::Group(args) => group::run(args, global),
        Command::View(args) => view::run(args, global),
        Command::Mcp(args) => mcp::run(args),
        Command::Warc(command) => warc::run(command),
        Command::Debug(debug) => debug::run(debug, global),
        Command::Config(args) => config::run(args, global),
        Command::Completions { shell } => completions::run(*shell),
        Command::Man { output, overwrite } => man::run(output, *overwrite),
    }
}
