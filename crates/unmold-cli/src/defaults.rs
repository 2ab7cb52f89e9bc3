//! Which options does one always type?
//!
//! They are in a file `unmold.toml` in the working directory or above it, or in variables such as
//! `UNMOLD_THREADS`. Names are those of the long options; a table named after a command holds for
//! that command:
//!
//! ```toml
//! threads = 4
//! quiet = true
//!
//! [clean]
//! format = "jsonl"
//! ```
//!
//! `--config FILE` or `UNMOLD_CONFIG` names another file, which may be JSON too. Defaults are put
//! before what was typed, so that what was typed wins: first the file, then the variables, then the
//! command line. `unmold config` prints them.

use crate::{args::Args, exit::Failure};
use clap::{ArgAction, CommandFactory};
use serde_json::{Map, Value};
use std::{
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
};

/// The name of the file that is looked for in the working directory and above it.
pub const FILE_NAME: &str = "unmold.toml";

/// The variable that names a file of defaults; if it is empty, no file is looked for.
const FILE_VARIABLE: &str = "UNMOLD_CONFIG";

/// A file of defaults larger than this many bytes is refused: it is some other file.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Options of which no default is taken: they are about defaults, or print something else.
const NEVER_DEFAULTS: [&str; 3] = ["config", "help", "version"];

/// A default: an option of a command, its value, and where it is from.
#[derive(Debug)]
pub struct Setting {
    /// The long name of the option.
    pub option: String,
    /// Its value as it would be typed; `true` or `false` for a switch.
    pub value: String,
    /// Who sets it.
    pub origin: Origin,
    /// The option as it would be typed; nothing for a switch that is off.
    words: Vec<String>,
}

/// Where a default is from.
#[derive(Clone, Debug)]
pub enum Origin {
    File(PathBuf),
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File(path) => path.display().fmt(formatter),
            Origin::Variable(name) => formatter.write_str(name),
        }
    }
}

/// What was typed, with the defaults before it.
pub fn completed(words: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let root = Args::command();
    let Some((at, command)) = command_of(&root, &words) else {
        return Ok(words);
    };
    let mut all = words[..=at].to_vec();
    for setting in settings(&root, command, file_of(&words).as_deref())? {
        // Of an option that may be given several times, all that is given counts: a default would
        // add to what was typed.
        if !is_typed(&root, command, &setting.option, &words) {
            all.extend(setting.words.into_iter().map(OsString::from));
        }
    }
    all.extend_from_slice(&words[at + 1..]);
    Ok(all)
}

/// Whether an option was typed, by its long or its short name.
fn is_typed(
    root: &clap::Command,
    command: &clap::Command,
    option: &str,
    words: &[OsString],
) -> bool {
    let long = format!("--{option}");
    let with_value = format!("--{option}=");
    let short = option_of(root, command, option)
        .and_then(clap::Arg::get_short)
        .map(|letter| format!("-{letter}"));
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        if word == "--" {
            return false;
        }
        if word == long || word.starts_with(&with_value) {
            return true;
        }
        if let Some(short) = &short
            && word.starts_with(short.as_str())
        {
            return true;
        }
    }
    false
}

/// The defaults of a command, each option once: a table of the file counts before what the file
/// has for all commands, and a variable before the file.
pub fn settings(
    root: &clap::Command,
    command: &clap::Command,
    file: Option<&Path>,
) -> Result<Vec<Setting>, Failure> {
    let mut all = match file {
        Some(path) => from_file(path, root, command)?,
        None => Vec::new(),
    };
    all.extend(from_environment(root, command, |name| {
        std::env::var(name).ok()
    })?);
    let mut settings: Vec<Setting> = Vec::new();
    for setting in all {
        settings.retain(|earlier| earlier.option != setting.option);
        settings.push(setting);
    }
    Ok(settings)
}

/// The command that was typed and where; of `debug`, the command below it.
fn command_of<'c>(
    root: &'c clap::Command,
    words: &[OsString],
) -> Option<(usize, &'c clap::Command)> {
    for (at, word) in words.iter().enumerate().skip(1) {
        let Some(command) = root.find_subcommand(word) else {
            continue;
        };
        let below = words
            .get(at + 1)
            .and_then(|next: &OsString| command.find_subcommand(next));
        return match below {
            Some(below) => Some((at + 1, below)),
            None => Some((at, command)),
        };
    }
    None
}

/// The file of defaults: the one that was typed, or else the variable's, or else the nearest
/// `unmold.toml` in the working directory or above it.
fn file_of(words: &[OsString]) -> Option<PathBuf> {
    if let Some(typed) = typed_file(words) {
        return Some(typed);
    }
    match std::env::var_os(FILE_VARIABLE) {
        Some(named) if named.is_empty() => None,
        Some(named) => Some(PathBuf::from(named)),
        None => nearest_file(&std::env::current_dir().ok()?),
    }
}

/// What follows the last `--config` that was typed.
fn typed_file(words: &[OsString]) -> Option<PathBuf> {
    let mut typed = None;
    for (at, word) in words.iter().enumerate() {
        if word == "--config" {
            typed = words.get(at + 1).map(PathBuf::from);
        } else if let Some(path) = word
            .to_str()
            .and_then(|word| word.strip_prefix("--config="))
        {
            typed = Some(PathBuf::from(path));
        }
    }
    typed
}

/// The file of defaults of `unmold config`, which has no other options to find it by.
pub fn file_in_force(named: Option<&Path>) -> Option<PathBuf> {
    match named {
        Some(path) => Some(path.to_owned()),
        None => file_of(&[]),
    }
}

fn nearest_file(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file())
}

/// The defaults that a file has for a command, those of its own table last. Names of options that
/// no command has are refused, so that a misspelt one is noticed.
fn from_file(
    path: &Path,
    root: &clap::Command,
    command: &clap::Command,
) -> Result<Vec<Setting>, Failure> {
    let refused = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
    let (mut settings, mut own_settings) = (Vec::new(), Vec::new());
    for (name, value) in &read_file(path).map_err(refused)? {
        if let (Some(of), Value::Object(own)) = (root.find_subcommand(name), value) {
            for (name, value) in own {
                let Some(option) = option_of(root, of, name) else {
                    return Err(refused(unknown(name, of.get_name())));
                };
                if of.get_name() == command.get_name() {
                    let origin = Origin::File(path.to_owned());
                    own_settings.push(setting(option, value, origin).map_err(refused)?);
                }
            }
            continue;
        }
        if !is_known(root, name) {
            return Err(refused(unknown(name, "any command")));
        }
        // An option that some commands have is given to those.
        if let Some(option) = option_of(root, command, name) {
            let origin = Origin::File(path.to_owned());
            settings.push(setting(option, value, origin).map_err(refused)?);
        }
    }
    settings.extend(own_settings);
    Ok(settings)
}

/// The content of a file of defaults, TOML or JSON.
fn read_file(path: &Path) -> Result<Map<String, Value>, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?;
    // What is no regular file has no size that says when it ends.
    if !size.is_file() {
        return Err("not a regular file".to_owned());
    }
    if size.len() > MAX_FILE_BYTES {
        return Err(format!(
            "larger than {MAX_FILE_BYTES} bytes: not a file of defaults"
        ));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| error.to_string())
    } else {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
    }
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
    if NEVER_DEFAULTS.contains(&name) {
        return None;
    }
    command
        .get_arguments()
        .chain(root.get_arguments())
        .find(|option| option.get_long() == Some(name))
}

fn from_environment(
    root: &clap::Command,
    command: &clap::Command,
    value_of: impl Fn(&str) -> Option<String>,
) -> Result<Vec<Setting>, Failure> {
    let mut settings = Vec::new();
    for option in root.get_arguments().chain(command.get_arguments()) {
        let Some(long) = option.get_long() else {
            continue;
        };
        if NEVER_DEFAULTS.contains(&long) {
            continue;
        }
        let variable = format!("UNMOLD_{}", long.replace('-', "_").to_uppercase());
        let Some(text) = value_of(&variable) else {
            continue;
        };
        let value = if is_switch(option) {
            Value::Bool(!["", "0", "false", "no"].contains(&text.as_str()))
        } else {
            Value::String(text)
        };
        let refused = |reason: String| Failure::Usage(format!("{variable}: {reason}"));
        let origin = Origin::Variable(variable.clone());
        settings.push(setting(option, &value, origin).map_err(refused)?);
    }
    Ok(settings)
}

fn is_switch(option: &clap::Arg) -> bool {
    matches!(option.get_action(), ArgAction::SetTrue)
}

/// A value of an option as a default.
fn setting(option: &clap::Arg, value: &Value, origin: Origin) -> Result<Setting, String> {
    let long = option.get_long().unwrap_or_default();
    let (value, words) = if is_switch(option) {
        let Value::Bool(is_on) = value else {
            return Err(format!("{long:?} is true or false"));
        };
        let words = if *is_on {
            vec![format!("--{long}")]
        } else {
            Vec::new()
        };
        (is_on.to_string(), words)
    } else {
        let texts = texts_of(value).ok_or_else(|| format!("{long:?} is a text or a number"))?;
        let words = texts.iter().map(|text| format!("--{long}={text}"));
        (texts.join(" "), words.collect())
    };
    Ok(Setting {
        option: long.to_owned(),
        value,
        origin,
        words,
    })
}

/// The texts that a value stands for: itself, or those of a list.
fn texts_of(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Number(number) => Some(vec![number.to_string()]),
        Value::Array(values) => {
            let mut texts = Vec::new();
            for value in values {
                texts.extend(texts_of(value)?);
            }
            Some(texts)
        }
        Value::Bool(_) | Value::Null | Value::Object(_) => None,
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
        let words: Vec<_> = from_environment(&root, clean, value)
            .unwrap()
            .into_iter()
            .flat_map(|setting| setting.words)
            .collect();
        assert_eq!(words, ["--quiet", "--format=jsonl"]);
    }
}
