//! Which options does one always type?
//!
//! Those stand in a file of JSON that `--config FILE` or `UNMOLD_CONFIG` names, or in variables such as `UNMOLD_THREADS`.
//! Names are those of the long options; what stands under the name of a command holds for that command:
//!
//! ```json
//! {"threads": 4, "quiet": true, "clean": {"format": "jsonl"}}
//! ```
//!
//! They are put before what was typed, which therefore counts: first the file, then the variables, then the command line.

use crate::{args::Args, exit::Failure};
use clap::{ArgAction, CommandFactory};
use serde_json::{Map, Value};
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

/// What was typed, with the defaults before it.
pub fn completed(words: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let root = Args::command();
    let Some((at, command)) = command_of(&root, &words) else {
        return Ok(words);
    };
    let mut defaults = match file_of(&words) {
        Some(path) => from_file(&path, &root, command)?,
        None => Vec::new(),
    };
    defaults.extend(from_environment(&root, command, |name| {
        std::env::var(name).ok()
    })?);
    let (before, typed) = words.split_at(at + 1);
    let defaults = defaults.into_iter().map(OsString::from);
    Ok(before
        .iter()
        .cloned()
        .chain(defaults)
        .chain(typed.iter().cloned())
        .collect())
}

/// The command that was typed and where; of `debug`, what is looked at.
fn command_of<'c>(
    root: &'c clap::Command,
    words: &[OsString],
) -> Option<(usize, &'c clap::Command)> {
    let named = |command: &'c clap::Command, word: &OsStr| command.find_subcommand(word);
    let (at, command) = words
        .iter()
        .enumerate()
        .skip(1)
        .find_map(|(at, word)| Some((at, named(root, word)?)))?;
    match words.get(at + 1).and_then(|word| named(command, word)) {
        Some(below) => Some((at + 1, below)),
        None => Some((at, command)),
    }
}

/// The file of defaults that was named.
fn file_of(words: &[OsString]) -> Option<PathBuf> {
    let after = |word: &OsString| word.to_str()?.strip_prefix("--config=").map(PathBuf::from);
    let mut typed = words.iter().enumerate().filter_map(|(at, word)| {
        if word == "--config" {
            words.get(at + 1).map(PathBuf::from)
        } else {
            after(word)
        }
    });
    typed
        .next_back()
        .or_else(|| std::env::var_os("UNMOLD_CONFIG").map(PathBuf::from))
}

fn from_file(
    path: &Path,
    root: &clap::Command,
    command: &clap::Command,
) -> Result<Vec<String>, Failure> {
    let refused = |reason: String| Failure::Usage(format!("--config {}: {reason}", path.display()));
    let file = fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let file: Map<String, Value> =
        serde_json::from_str(&file).map_err(|error| refused(error.to_string()))?;
    let mut words = Vec::new();
    for (name, value) in &file {
        match (root.find_subcommand(name), value) {
            (Some(of), Value::Object(own)) => {
                for (name, value) in own {
                    let option = option_of(root, of, name)
                        .ok_or_else(|| refused(unknown(name, of.get_name())))?;
                    if of.get_name() == command.get_name() {
                        words.extend(written(option, value).map_err(refused)?);
                    }
                }
            }
            // What all commands may be told is told to those that know it.
            _ if !is_known(root, name) => return Err(refused(unknown(name, "any command"))),
            _ => {
                if let Some(option) = option_of(root, command, name) {
                    words.extend(written(option, value).map_err(refused)?);
                }
            }
        }
    }
    Ok(words)
}

fn unknown(name: &str, of: &str) -> String {
    format!("{name:?} is no option of {of}")
}

fn is_known(root: &clap::Command, name: &str) -> bool {
    root.get_subcommands()
        .any(|command| option_of(root, command, name).is_some())
}

/// The option of a command by its long name; common ones are those of all.
fn option_of<'c>(
    root: &'c clap::Command,
    command: &'c clap::Command,
    name: &str,
) -> Option<&'c clap::Arg> {
    let is_named = |option: &&clap::Arg| option.get_long() == Some(name) && name != "config";
    command
        .get_arguments()
        .find(is_named)
        .or_else(|| root.get_arguments().find(is_named))
}

fn from_environment(
    root: &clap::Command,
    command: &clap::Command,
    value_of: impl Fn(&str) -> Option<String>,
) -> Result<Vec<String>, Failure> {
    let mut words = Vec::new();
    for option in root.get_arguments().chain(command.get_arguments()) {
        let Some(long) = option
            .get_long()
            .filter(|&long| !["config", "help", "version"].contains(&long))
        else {
            continue;
        };
        let variable = format!("UNMOLD_{}", long.replace('-', "_").to_uppercase());
        let Some(value) = value_of(&variable) else {
            continue;
        };
        let is_switch = matches!(option.get_action(), ArgAction::SetTrue);
        let value = if is_switch {
            Value::Bool(!["", "0", "false", "no"].contains(&value.as_str()))
        } else {
            value.into()
        };
        words.extend(
            written(option, &value)
                .map_err(|reason| Failure::Usage(format!("{variable}: {reason}")))?,
        );
    }
    Ok(words)
}

/// An option as it would have been typed.
fn written(option: &clap::Arg, value: &Value) -> Result<Vec<String>, String> {
    let long = option.get_long().unwrap_or_default();
    let is_switch = matches!(option.get_action(), ArgAction::SetTrue);
    match value {
        Value::Bool(is_on) if is_switch => {
            Ok(is_on.then(|| format!("--{long}")).into_iter().collect())
        }
        Value::String(value) if !is_switch => Ok(vec![format!("--{long}={value}")]),
        Value::Number(value) if !is_switch => Ok(vec![format!("--{long}={value}")]),
        Value::Array(values) if !is_switch => values
            .iter()
            .map(|value| written(option, value))
            .collect::<Result<Vec<_>, _>>()
            .map(|words| words.concat()),
        _ if is_switch => Err(format!("{long:?} is true or false")),
        _ => Err(format!("{long:?} is a text or a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &str) -> Vec<OsString> {
        words.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_command_is_found_among_options() {
        let root = Args::command();
        let found = |typed: &str| {
            command_of(&root, &words(typed))
                .map(|(at, command)| (at, command.get_name().to_owned()))
        };
        assert_eq!(
            found("unmold --threads 2 clean -q site"),
            Some((3, "clean".to_owned()))
        );
        assert_eq!(
            found("unmold debug index site"),
            Some((2, "index".to_owned()))
        );
        assert_eq!(found("unmold --help"), None);
    }

    #[test]
    fn variables_are_options() {
        let root = Args::command();
        let (_, clean) = command_of(&root, &words("unmold clean")).unwrap();
        let value = |name: &str| match name {
            "UNMOLD_QUIET" => Some("1".to_owned()),
            "UNMOLD_STRICT" => Some("0".to_owned()),
            "UNMOLD_FORMAT" => Some("jsonl".to_owned()),
            _ => None,
        };
        assert_eq!(
            from_environment(&root, clean, value).unwrap(),
            ["--quiet", "--format=jsonl"]
        );
    }
}
