//! `unmold man`: manual pages, made from the arguments themselves.

use crate::{args::Args, exit::Outcome, output};
use anyhow::Result;
use clap::CommandFactory;
use clap_mangen::Man;
use std::path::Path;
use unmold_io::save::{self, SaveError};

pub fn run(folder: &Path) -> Result<Outcome> {
    save::create_folder(folder)?;
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    write(&command, folder)?;
    Ok(Outcome::Done)
}

/// Writes the page of a command and of those below it.
fn write(command: &clap::Command, folder: &Path) -> Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below, folder)?;
    }
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command.clone().after_help(None::<&'static str>));
    let mut page = Vec::new();
    man.render(&mut page).map_err(|error| SaveError::from_write(folder, error))?;
    let page = String::from_utf8_lossy(&page);
    let (before, behind) = page.split_at(page.find("\n.SH VERSION").map_or(page.len(), |at| at + 1));
    let page = format!("{before}{}{behind}", as_they_are(&examples));
    output::write_text(&folder.join(man.get_filename()), true, &page)
}

/// Lines that stay lines.
fn as_they_are(lines: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let line = |line: &str| format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-"));
    format!(".SH EXAMPLES\n.nf\n{}.fi\n", lines.lines().map(line).collect::<String>())
}
