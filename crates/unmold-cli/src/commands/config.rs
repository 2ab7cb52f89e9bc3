//! `unmold config`: which defaults are in force, and who sets them?

use crate::{
    args::{Args, ConfigArgs, ConfigFormat, Global},
    defaults::{self, FILE_NAME, Setting},
    exit::{Failure, Outcome},
};
use anyhow::Result;
use clap::CommandFactory;
use serde_json::json;
use std::{fmt::Write as _, io::Write};

/// Instead of the name of a command, for the options that all commands have.
const EVERY_COMMAND: &str = "(all)";

pub fn run(args: &ConfigArgs, global: &Global) -> Result<Outcome> {
    let rows = rows_in_force(args.command.as_deref(), global)?;
    let text = match args.format {
        ConfigFormat::Table => table(&rows),
        ConfigFormat::Jsonl => lines(&rows),
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// A default that is in force for a command.
struct Row {
    command: String,
    setting: Setting,
}

/// The defaults of one command or of all; each option of all commands once.
fn rows_in_force(command: Option<&str>, global: &Global) -> Result<Vec<Row>> {
    let root = Args::command();
    if let Some(name) = command
        && root.find_subcommand(name).is_none()
    {
        return Err(Failure::Usage(format!("no command named {name}")).into());
    }
    let file = defaults::file_in_force(global.config.as_deref());
    let mut rows: Vec<Row> = Vec::new();
    for subcommand in root.get_subcommands() {
        for setting in defaults::settings(&root, subcommand, file.as_deref())? {
            rows.push(Row {
                command: subcommand.get_name().to_owned(),
                setting,
            });
        }
    }
    join_common(&root, &mut rows);
    if let Some(name) = command {
        rows.retain(|row| row.command == name || row.command == EVERY_COMMAND);
    }
    rows.sort_by(|a, b| (&a.command, &a.setting.option).cmp(&(&b.command, &b.setting.option)));
    Ok(rows)
}

/// Makes one row of an option that all commands have, where it has the same default for each of
/// them. A table of the file may say otherwise for one command.
fn join_common(root: &clap::Command, rows: &mut Vec<Row>) {
    let commands = root.get_subcommands().count();
    for option in root.get_arguments().filter_map(clap::Arg::get_long) {
        let mut of_option = rows.iter().filter(|row| row.setting.option == option);
        let Some(first) = of_option.next() else {
            continue;
        };
        let value = first.setting.value.clone();
        let alike = 1 + of_option.filter(|row| row.setting.value == value).count();
        if alike < commands {
            continue;
        }
        let mut is_first = true;
        rows.retain(|row| row.setting.option != option || std::mem::replace(&mut is_first, false));
        for row in rows.iter_mut() {
            if row.setting.option == option {
                EVERY_COMMAND.clone_into(&mut row.command);
            }
        }
    }
}

fn table(rows: &[Row]) -> String {
    if rows.is_empty() {
        return format!(
            "No defaults are set: there is no {FILE_NAME} here or above, and no variable UNMOLD_*.\n"
        );
    }
    let width_of = |title: &str, text_of: fn(&Row) -> &str| {
        let widest = rows.iter().map(|row| text_of(row).len()).max();
        widest.unwrap_or(0).max(title.len())
    };
    let command_width = width_of("command", |row| &row.command);
    let option_width = width_of("option", |row| &row.setting.option);
    let value_width = width_of("value", |row| &row.setting.value);
    let mut text = String::new();
    _ = writeln!(
        text,
        "{:command_width$}  {:option_width$}  {:value_width$}  from",
        "command", "option", "value"
    );
    for Row { command, setting } in rows {
        _ = writeln!(
            text,
            "{command:command_width$}  {:option_width$}  {:value_width$}  {}",
            setting.option, setting.value, setting.origin
        );
    }
    text
}

fn lines(rows: &[Row]) -> String {
    let mut text = String::new();
    for Row { command, setting } in rows {
        let command = (command != EVERY_COMMAND).then_some(command);
        let line = json!({
            "command": command,
            "option": setting.option,
            "value": setting.value,
            "from": setting.origin.to_string(),
        });
        _ = writeln!(text, "{line}");
    }
    text
}
