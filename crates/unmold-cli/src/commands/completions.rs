//! `unmold completions`: completions for a shell, made from the arguments themselves.

use crate::{args::Args, exit::Outcome};
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

pub fn run(shell: Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "unmold", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Outcome::Done)
}
