//! Rules in files.

use super::learned;
use crate::{args::RecordsArgs, exit::Failure, output};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{fs::File, io::Read, path::Path};
use unmold::{Page, Text, lists::RecordRule};
use unmold_io::LoadSettings;

/// No rule is anywhere near as large.
const MAX_BYTES: u64 = 4 << 20;
/// The form of rule files that this program writes.
const VERSION: u32 = 1;

/// A rule as it is kept in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    unmold: u32,
    records: RecordRule,
}

/// The rule that was asked for, from a file or from a page, if one was.
pub fn chosen(args: &RecordsArgs) -> Result<Option<RecordRule>> {
    if let Some(file) = &args.rule.rule {
        return read(file).map(Some);
    }
    let Some(page) = &args.rule.learn_from else { return Ok(None) };
    let rule = learn(page, args)?;
    if let Some(file) = &args.rule.save_rule {
        save(file, args.output.overwrite, &rule)?;
    }
    Ok(Some(rule))
}

fn learn(page: &Path, args: &RecordsArgs) -> Result<RecordRule> {
    let nothing = |what: &str| Failure::Nothing(format!("{what} {}", page.display()));
    let pages: Vec<Page> = unmold_io::load([page], &LoadSettings::default().limit(1)).read_all().pages;
    let page = pages.into_iter().next().ok_or_else(|| nothing("no page was found in"))?;
    let best = learned(&Text::decode(page), args)?.into_iter().next();
    Ok(best.ok_or_else(|| nothing("no records were found on"))?.rule().clone())
}

fn read(path: &Path) -> Result<RecordRule> {
    let mut json = String::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    file.take(MAX_BYTES).read_to_string(&mut json).with_context(|| format!("cannot read {}", path.display()))?;
    let bad = |reason: String| Failure::Usage(format!("{} is no rule: {reason}", path.display()));
    let version: Version = serde_json::from_str(&json).map_err(|error| bad(error.to_string()))?;
    if version.unmold > VERSION {
        return Err(bad(format!("it is of version {}, this program knows {VERSION}", version.unmold)).into());
    }
    let file: RuleFile = serde_json::from_str(&json).map_err(|error| bad(error.to_string()))?;
    Ok(file.records)
}

/// The part of a rule file that no version changes.
#[derive(Deserialize)]
struct Version {
    unmold: u32,
}

fn save(path: &Path, overwrite: bool, rule: &RecordRule) -> Result<()> {
    let file = RuleFile { unmold: VERSION, records: rule.clone() };
    output::write_to(Some(path), overwrite, |out| {
        serde_json::to_writer_pretty(&mut *out, &file)?;
        out.write_all(b"\n")
    })
}
