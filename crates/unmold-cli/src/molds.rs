//! From a file to the rules in it.

use crate::{args::FieldOptions, exit::Failure, terminal::visible};
use anyhow::Result;
use std::{fs::File, io::Read, path::Path};
use unmold::{lists::RecordRule, mold::Mold};

/// Why a mold may fit no page, and what to do then.
pub const ANOTHER_SITE: &str = "the mold was learned from another site, or the site has changed: learn a new one";

/// No file of a rule is anywhere near as large.
const MAX_RULE_BYTES: u64 = 4 << 20;

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{}: {reason}", visible(&path.to_string_lossy())))
}

/// Reads a text file; what is wrong with it is named with the file.
pub fn read_file(path: &Path) -> Result<String> {
    Ok(std::fs::read_to_string(path).map_err(|error| refused(path, &error))?)
}

/// Reads a mold from a file.
pub fn read_mold(path: &Path) -> Result<Mold> {
    Ok(Mold::from_json(&read_file(path)?).map_err(|error| refused(path, &error))?)
}

/// Leaves the fields in a mold that were asked for.
pub fn choose(mold: &mut Mold, options: &FieldOptions) -> Result<(), Failure> {
    mold.choose(&options.choice()).map_err(|unknown| Failure::Usage(unknown.to_string()))
}

/// Reads a rule for records from a file.
pub fn read_rule(path: &Path) -> Result<RecordRule> {
    let mut json = String::new();
    let file = File::open(path).map_err(|error| refused(path, &error))?;
    file.take(MAX_RULE_BYTES).read_to_string(&mut json).map_err(|error| refused(path, &error))?;
    Ok(RecordRule::from_json(&json)
        .map_err(|reason| Failure::Usage(format!("{} is no rule: {reason}", visible(&path.to_string_lossy()))))?)
}
