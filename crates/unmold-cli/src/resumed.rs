//! With which options does a crawl go on that was cut off?
//!
//! With those it was begun with: they are kept in its state, as they were typed. What is typed with
//! `--resume` must not contradict them; only budgets may change, and what is no matter of the crawl
//! itself (`--quiet`, `--errors`).

use crate::{args::Args, exit::Failure};
use clap::{ArgAction, ArgMatches, CommandFactory, parser::ValueSource};
use std::{ffi::OsString, path::PathBuf};

/// What another run may be told anew: its budgets.
const BUDGETS: [&str; 4] = ["limit", "max_bytes", "max_time", "keep_free"];
/// What belongs to one run, and is not kept.
const OF_ONE_RUN: [&str; 10] = [
    "resume",
    "overwrite",
    "dry_run",
    "output",
    "errors",
    "quiet",
    "log",
    "color",
    "threads",
    "config",
];

/// The options of `crawl` that are kept in the state, as words.
pub fn kept(words: &[OsString]) -> Vec<String> {
    crawl_matches(words).map_or_else(Vec::new, |typed| {
        written(&typed, |id| !OF_ONE_RUN.contains(&id))
    })
}

/// What was typed, with the options of the crawl that is resumed.
pub fn completed(words: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let Some(typed) = crawl_matches(&words).filter(|typed| typed.get_flag("resume")) else {
        return Ok(words);
    };
    let Some(archive) = typed.get_one::<PathBuf>("output") else {
        return Ok(words);
    };
    let kept = unmold_crawl::options_of(archive);
    let kept = kept.map_err(|error| Failure::Usage(error.to_string()))?;
    if kept.is_empty() {
        return Ok(words);
    }
    let begun: Vec<OsString> = ["unmold", "crawl", "--output=x"]
        .into_iter()
        .chain(kept.iter().map(String::as_str))
        .map(OsString::from)
        .collect();
    let Some(begun) = crawl_matches(&begun) else {
        return Err(Failure::Usage(format!(
            "{}: the crawl was begun by another version, with options that are not known: {}",
            archive.display(),
            kept.join(" ")
        )));
    };
    for id in typed_ids(&typed) {
        let is_free = BUDGETS.contains(&id.as_str()) || OF_ONE_RUN.contains(&id.as_str());
        if is_free || id == "urls" || values(&typed, &id) == values(&begun, &id) {
            continue;
        }
        let name = id.replace('_', "-");
        let was = match written(&begun, |own| own == id).join(" ") {
            none if none.is_empty() => format!("without --{name}"),
            some => format!("with {some}"),
        };
        return Err(Failure::Usage(format!(
            "the crawl in {} was begun {was}, and --resume cannot change that",
            archive.display()
        )));
    }
    let mut all: Vec<OsString> = vec![words[0].clone(), "crawl".into()];
    let is_new = |id: &str| !typed_ids(&typed).iter().any(|typed| typed == id);
    // Standard input was read by the run that was cut off.
    let earlier = written(&begun, |id| id != "output" && (id == "urls" || is_new(id)));
    all.extend(
        earlier
            .into_iter()
            .filter(|word| word != "-")
            .map(OsString::from),
    );
    all.extend(written(&typed, |_| true).into_iter().map(OsString::from));
    Ok(all)
}

/// What was typed after `crawl`, if that is what was typed.
fn crawl_matches(words: &[OsString]) -> Option<ArgMatches> {
    let mut matches = Args::command().try_get_matches_from(words).ok()?;
    let (name, typed) = matches.remove_subcommand()?;
    (name == "crawl").then_some(typed)
}

/// The options that were typed, and not left at their defaults.
fn typed_ids(typed: &ArgMatches) -> Vec<String> {
    // Matches have ids of groups, too; options are those of the command.
    let root = Args::command();
    let Some(crawl) = root.find_subcommand("crawl") else {
        return Vec::new();
    };
    let mut ids = Vec::new();
    for option in crawl.get_arguments().chain(root.get_arguments()) {
        let id = option.get_id().as_str();
        if typed.value_source(id) == Some(ValueSource::CommandLine) {
            ids.push(id.to_owned());
        }
    }
    ids
}

/// The values of an option, as they were typed.
fn values(typed: &ArgMatches, id: &str) -> Vec<OsString> {
    if typed.value_source(id) != Some(ValueSource::CommandLine) {
        return Vec::new();
    }
    let raw = typed.try_get_raw(id).ok().flatten();
    raw.map_or_else(Vec::new, |raw| raw.map(OsString::from).collect())
}

/// Options as they can be typed again, addresses last.
fn written(typed: &ArgMatches, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let root = Args::command();
    let Some(crawl) = root.find_subcommand("crawl") else {
        return Vec::new();
    };
    let (mut words, mut addresses) = (Vec::new(), Vec::new());
    for option in crawl.get_arguments().chain(root.get_arguments()) {
        let id = option.get_id().as_str();
        if !is_wanted(id) || typed.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let Some(long) = option.get_long() else {
            let values = values(typed, id).into_iter();
            addresses.extend(values.map(|value| value.to_string_lossy().into_owned()));
            continue;
        };
        if matches!(option.get_action(), ArgAction::SetTrue) {
            words.push(format!("--{long}"));
            continue;
        }
        for value in values(typed, id) {
            words.push(format!("--{long}={}", value.to_string_lossy()));
        }
    }
    words.extend(addresses);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &str) -> Vec<OsString> {
        words.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn options_are_kept_as_they_can_be_typed_again() {
        let typed = words(
            "unmold crawl -q --follow --include a --include b http://a/ --limit 5 -o x --latency=2s",
        );
        assert_eq!(
            kept(&typed),
            [
                "--follow",
                "--include=a",
                "--include=b",
                "--latency=2s",
                "--limit=5",
                "http://a/"
            ]
        );
        assert!(kept(&words("unmold learn x -o y")).is_empty());
    }
}
