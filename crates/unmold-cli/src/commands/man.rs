//! `unmold man`: manual pages, made from the arguments themselves.

use crate::{
    args::Args,
    exit::Outcome,
    output::{self, Destinations},
};
use anyhow::Result;
use clap::{ArgAction, CommandFactory};
use clap_mangen::Man;
use std::path::{Path, PathBuf};
use unmold_io::save::{self, SaveError};

pub fn run(folder: &Path, overwrite: bool) -> Result<Outcome> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    render(&command, folder, &mut pages)?;
    // What exists is said before anything is written.
    let mut destinations = Destinations::beside(&[], overwrite);
    save::create_folder(folder)?;
    for (path, _) in &pages {
        destinations = destinations.file(Some(path))?;
    }
    for (path, page) in &pages {
        output::write_text(path, overwrite, page)?;
    }
    Ok(Outcome::Done)
}

/// The page of a command and of those below it, each with the file that it goes to.
fn render(
    command: &clap::Command,
    folder: &Path,
    pages: &mut Vec<(PathBuf, String)>,
) -> Result<()> {
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        render(below, folder, pages)?;
    }
    let examples = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let source = format!("unmold {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone().after_help(None::<&'static str>))
        .source(source)
        .manual("Unmold");
    let mut page = Vec::new();
    man.render(&mut page)
        .map_err(|error| SaveError::from_write(folder, error))?;
    let page = with_dots(&String::from_utf8_lossy(&page), command);
    let (before, behind) =
        page.split_at(page.find("\n.SH VERSION").map_or(page.len(), |at| at + 1));
    let page = format!("{before}{}{behind}", as_they_are(&examples));
    pages.push((folder.join(man.get_filename()), page));
    Ok(())
}

/// The page with dots behind what may be given several times, in its synopsis: the renderer leaves
/// them out.
fn with_dots(page: &str, command: &clap::Command) -> String {
    let mut page = page.to_owned();
    for argument in command
        .get_positionals()
        .filter(|argument| takes_several(argument))
    {
        let name = argument
            .get_value_names()
            .and_then(|names| names.first())
            .map_or("", |name| name.as_str());
        for closing in [">", "]"] {
            let shown = format!("\\fI{name}\\fR{closing}");
            page = page.replacen(&shown, &format!("{shown}..."), 1);
        }
    }
    page
}

fn takes_several(argument: &clap::Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
        || argument
            .get_num_args()
            .is_some_and(|range| range.max_values() > 1)
}

/// Lines that stay lines.
fn as_they_are(lines: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    // Manual pages indent by themselves.
    let line = |line: &str| {
        let line = line.strip_prefix("  ").unwrap_or(line);
        format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-"))
    };
    // The section has a heading of its own.
    let lines = lines.lines().skip_while(|line| line.starts_with("Example"));
    format!(
        ".SH EXAMPLES\n.nf\n{}.fi\n",
        lines.map(line).collect::<String>()
    )
}
