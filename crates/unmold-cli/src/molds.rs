//! From a file to the rules in it.

use crate::{args::FieldOptions, exit::Failure, output, terminal::visible};
use anyhow::{Result, anyhow};
use serde::de::IgnoredAny;
use std::{collections::HashMap, fmt::Display, path::Path};
use unmold::mold::Mold;
use unmold_io::{MAX_RULE_FILE_BYTES, read_rule_file};

/// Why a mold may fit no page, and what to do then.
pub const ANOTHER_SITE: &str =
    "the mold was learned from another site, or the site has changed: learn a new one";

/// A mold as it is written, once it was read back: a command that reports success never leaves a
/// mold that no command reads.
pub fn readable_json(mold: &Mold) -> Result<String> {
    let json = mold.to_json();
    if json.len() as u64 > MAX_RULE_FILE_BYTES {
        return Err(Failure::Limit(format!(
            "the mold has {} bytes, and none beyond {MAX_RULE_FILE_BYTES} is read: learn from fewer templates",
            json.len()
        ))
        .into());
    }
    Mold::from_json(&json)
        .map_err(|error| anyhow!("the mold could not be read back, and is not written: {error}"))?;
    Ok(json)
}

/// Writes a mold to a file.
pub fn write_mold(path: &Path, overwrite: bool, mold: &Mold) -> Result<()> {
    output::write_text(path, overwrite, &readable_json(mold)?)
}

/// The files that commands write for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Mold,
    KnownGroups,
    History,
}

impl FileKind {
    /// Molds last, as others have groups, too.
    const ALL: [Self; 3] = [Self::History, Self::KnownGroups, Self::Mold];

    /// What no kind behind it has.
    fn key(self) -> &'static str {
        match self {
            Self::Mold => "groups",
            Self::KnownGroups => "unmold_groups",
            Self::History => "unmold_check",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mold => "a mold",
            Self::KnownGroups => "a file of known groups",
            Self::History => "the history of checks",
        }
    }

    /// The kind of a file, if it is one of ours.
    fn of(json: &str) -> Option<Self> {
        let file: HashMap<String, IgnoredAny> = serde_json::from_str(json).ok()?;
        Self::ALL
            .into_iter()
            .find(|kind| file.contains_key(kind.key()))
    }

    /// Why a file is not what it should be: it is something else of ours, or makes no sense.
    pub fn refuse(self, path: &Path, json: &str, reason: &dyn Display) -> Failure {
        let name = path.to_string_lossy();
        let path = visible(&name);
        match Self::of(json).filter(|found| *found != self) {
            Some(found) => {
                Failure::Usage(format!("{path} is {}, not {}", found.name(), self.name()))
            }
            None => Failure::Usage(format!("{path}: {reason}")),
        }
    }
}

fn refused(path: &Path, reason: &dyn Display) -> Failure {
    Failure::Usage(format!("{}: {reason}", visible(&path.to_string_lossy())))
}

/// Reads a text file of rules or examples; what is wrong with it is named with the file.
pub fn read_file(path: &Path) -> Result<String> {
    let text = read_rule_file(path, MAX_RULE_FILE_BYTES);
    Ok(text.map_err(|error| refused(path, &error))?)
}

/// Reads a mold from a file.
pub fn read_mold(path: &Path) -> Result<Mold> {
    let json = read_file(path)?;
    Ok(Mold::from_json(&json).map_err(|error| FileKind::Mold.refuse(path, &json, &error))?)
}

/// Leaves the fields in a mold that were asked for.
pub fn choose(mold: &mut Mold, options: &FieldOptions) -> Result<(), Failure> {
    mold.choose(&options.choice())
        .map_err(|unknown| Failure::Usage(unknown.to_string()))
}
