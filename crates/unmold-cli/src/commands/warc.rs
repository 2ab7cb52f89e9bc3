//! `unmold warc check`: is an archive whole?

use crate::{
    args::{Format, Warc, WarcCheckArgs},
    exit::{Failure, Outcome},
    output::{self, Destinations},
    terminal::{counted, tell, visible},
};
use anyhow::Result;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
};
use unmold_io::{
    save::Overwrite,
    warc_check::{WarcReport, check, repair},
};

pub fn run(command: &Warc) -> Result<Outcome> {
    match command {
        Warc::Check(args) => run_check(args),
    }
}

fn run_check(args: &WarcCheckArgs) -> Result<Outcome> {
    if args.repair.is_some() && args.files.len() > 1 {
        return Err(Failure::Usage("--repair takes one file at a time".into()).into());
    }
    Destinations::beside(&args.files, args.overwrite).file(args.repair.as_deref())?;
    let mut out = io::stdout().lock();
    let mut outcome = Outcome::Done;
    for path in &args.files {
        let report = match check(path) {
            Ok(report) => report,
            Err(error) => {
                tell(&format!("{}: {error}", visible(&path.to_string_lossy())));
                outcome = Outcome::SomeBad;
                continue;
            }
        };
        if !report.is_whole() {
            outcome = Outcome::SomeBad;
        }
        match args.format {
            Format::Table => out.write_all(summary(path, &report).as_bytes())?,
            Format::Jsonl => output::jsonl_row(&mut out, &Row::of(path, &report))?,
        }
        if let Some(new) = &args.repair {
            let overwrite = if args.overwrite {
                Overwrite::Allow
            } else {
                Overwrite::Refuse
            };
            let bytes = repair(path, &report, new, overwrite)?;
            tell(&format!(
                "{}: {} with all whole records, {} bytes",
                visible(&new.to_string_lossy()),
                counted(report.all_records() as usize, "record"),
                bytes
            ));
        }
    }
    Ok(outcome)
}

/// What was found, as JSON has it.
#[derive(Serialize)]
struct Row<'r> {
    file: String,
    bytes: u64,
    whole_to: u64,
    members: u64,
    records: &'r BTreeMap<String, u64>,
    digests: u64,
    unchecked: u64,
    faults: Vec<FaultRow<'r>>,
}

#[derive(Serialize)]
struct FaultRow<'r> {
    at: u64,
    reason: &'r str,
}

impl<'r> Row<'r> {
    fn of(path: &Path, report: &'r WarcReport) -> Self {
        let faults = report.faults.iter().map(|fault| FaultRow {
            at: fault.at,
            reason: &fault.reason,
        });
        Row {
            file: path.display().to_string(),
            bytes: report.bytes,
            whole_to: report.whole_to,
            members: report.members,
            records: &report.records,
            digests: report.digests,
            unchecked: report.unchecked,
            faults: faults.collect(),
        }
    }
}

/// What was found, in words.
fn summary(path: &Path, report: &WarcReport) -> String {
    let name = path.to_string_lossy();
    let name = visible(&name);
    let kinds: Vec<String> = report
        .records
        .iter()
        .map(|(kind, count)| format!("{count} {}", visible(kind)))
        .collect();
    let mut text = format!(
        "{name}: {}",
        counted(report.all_records() as usize, "record")
    );
    if !kinds.is_empty() {
        _ = write!(text, " ({})", kinds.join(", "));
    }
    _ = write!(
        text,
        ", {} right",
        counted(report.digests as usize, "digest")
    );
    if report.unchecked > 0 {
        _ = write!(text, ", {} of another kind not checked", report.unchecked);
    }
    if report.is_whole() {
        return text + ", whole\n";
    }
    _ = writeln!(
        text,
        ", {}; whole up to byte {} of {}",
        counted(report.faults.len(), "fault"),
        report.whole_to,
        report.bytes
    );
    for fault in &report.faults {
        _ = writeln!(text, "  {name}#{}: {}", fault.at, visible(&fault.reason));
    }
    text
}
