//! `unmold check`: has the site changed, and what broke?

use crate::{
    args::{CheckArgs, CheckFormat, Global},
    commands::junit,
    corpus::Corpus,
    exit::{Failure, Outcome},
    molds::{ANOTHER_SITE, FileKind, read_file, read_mold, write_mold},
    output::{self, Destinations},
    progress::Progress,
    terminal::{bold, clipped, counted, dimmed, visible},
};
use anyhow::{Result, anyhow};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
};
use unmold::{
    Mold,
    check::{Change, Fate, FieldReport, GroupReport, History, Limits, Report, Verdict},
    learn::LearnError,
};
use unmold_io::Fault;

pub fn run(args: &CheckArgs, global: &Global) -> Result<Outcome> {
    Destinations::of(&args.inputs, args.overwrite)?
        .reads([args.mold.as_path()])
        .file(args.output.as_deref())?;
    let mold = read_mold(&args.mold)?;
    let mut history = if args.remember {
        Some(known_history(&args.mold)?)
    } else {
        None
    };
    let mut progress = Progress::new(global.quiet);
    let mut corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    if corpus.texts.is_empty() {
        return Err(
            Failure::Nothing("there is no page to hold against the mold".to_owned()).into(),
        );
    }
    progress.begin("checking");
    let checker = history.iter().fold(mold.checker(), |checker, history| {
        checker.history(history.clone())
    });
    let measured = checker.measure(&corpus.texts);
    for error in measured.failed() {
        corpus.refuse(Fault::of_page_error(error), &progress)?;
    }
    let report = measured.report(&Limits::default());
    progress.end(&format!("checked {}", counted(report.pages, "page")));
    let changes = if args.repair {
        Some(repair(args, &mold, &report, &corpus)?)
    } else {
        None
    };
    drop(progress);
    output::write_to(None, false, |out| match args.format {
        CheckFormat::Json => output::jsonl_row(
            out,
            &Document {
                report: &report,
                repair: changes.as_deref(),
            },
        ),
        CheckFormat::Junit => junit::write(&report, out),
        CheckFormat::Table => write_report(&report, changes.as_deref(), out),
    })?;
    if let Some(history) = &mut history {
        history.add(&report);
        output::write_text(&history_path(&args.mold), true, &history.to_json())?;
    }
    let outcome = corpus.close()?;
    // What a repair found again is no reason to look at it any more.
    let is_left = match &changes {
        Some(changes) => changes.iter().any(|change| change.fate == Fate::Lost),
        None => report.has_changed(),
    };
    Ok(if is_left { Outcome::Changed } else { outcome })
}

/// What is written as JSON.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<&'a [Change]>,
}

/// Where the moving averages of a mold are kept.
fn history_path(mold: &Path) -> PathBuf {
    let mut name = mold.as_os_str().to_owned();
    name.push(".checks");
    PathBuf::from(name)
}

fn known_history(mold: &Path) -> Result<History> {
    let path = history_path(mold);
    if !path.exists() {
        return Ok(History::default());
    }
    let json = read_file(&path)?;
    Ok(
        History::from_json(&json)
            .map_err(|error| FileKind::History.refuse(&path, &json, &error))?,
    )
}

/// Learns again what broke and writes the mold.
fn repair(args: &CheckArgs, mold: &Mold, report: &Report, corpus: &Corpus) -> Result<Vec<Change>> {
    let repaired = mold.repair(&corpus.texts).map_err(|error| match error {
        LearnError::OnePage | LearnError::AllTheSame | LearnError::NoTemplate(_) => {
            Failure::Nothing(format!("nothing can be repaired: {error}")).into()
        }
        other => anyhow!(other),
    })?;
    if report.unplaced.len() == report.pages && most_are_lost(&repaired.changes) {
        return Err(Failure::Nothing(format!(
            "nothing can be repaired: no page fits a group of the mold; {ANOTHER_SITE}"
        ))
        .into());
    }
    if let Some(path) = &args.output {
        write_mold(path, args.overwrite, &repaired.mold)?;
    }
    Ok(repaired.changes)
}

/// Whether hardly a field of the mold was found again. One or two may be like some other by chance.
fn most_are_lost(changes: &[Change]) -> bool {
    let lost = changes
        .iter()
        .filter(|change| change.fate == Fate::Lost)
        .count();
    let found = changes
        .iter()
        .filter(|change| !matches!(change.fate, Fate::Lost | Fate::New))
        .count();
    lost > found
}

fn write_report(
    report: &Report,
    changes: Option<&[Change]>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let unplaced = report.unplaced.len();
    writeln!(
        out,
        "{}: {}, {unplaced} of no group",
        bold(&report.verdict.to_string()),
        counted(report.pages, "page")
    )?;
    for finding in &report.findings {
        writeln!(out, "  {}", visible(&finding.to_string()))?;
    }
    for page in report.unplaced.iter().take(SHOWN) {
        writeln!(out, "  {} fits no group", visible(page))?;
    }
    report
        .groups
        .iter()
        .try_for_each(|group| write_group(group, out))?;
    let Some(changes) = changes else {
        return Ok(());
    };
    writeln!(out, "\n{}", bold("repaired"))?;
    if changes.is_empty() {
        return writeln!(out, "  nothing had to be changed");
    }
    let mut new_by_group: BTreeMap<&str, usize> = BTreeMap::new();
    for change in changes {
        if change.fate == Fate::New {
            *new_by_group.entry(&change.group).or_default() += 1;
        } else {
            write_change(change, out)?;
        }
    }
    for (group, fields) in new_by_group {
        let fields = counted(fields, "field");
        writeln!(out, "  new           {}: {fields}", visible(group))?;
    }
    Ok(())
}

/// Pages and new fields beyond this many are in the JSON.
const SHOWN: usize = 5;

fn write_group(group: &GroupReport, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let name = visible(&group.name).into_owned();
    writeln!(
        out,
        "\n{} {}, {}, {:.2} of the template is there",
        bold(&name),
        group.verdict,
        counted(group.pages, "page"),
        group.template.coverage
    )?;
    group
        .reasons
        .iter()
        .try_for_each(|reason| writeln!(out, "  {}", visible(reason)))?;
    if group.verdict == Verdict::Unseen {
        return Ok(());
    }
    if !group.fields.is_empty() {
        writeln!(
            out,
            "{}",
            dimmed("  verdict  found  was    agree  was    type   doubt  field")
        )?;
    }
    group
        .fields
        .iter()
        .try_for_each(|field| write_field(field, out))?;
    for list in &group.lists {
        let (found, was) = (list.fill.found, list.fill.expected);
        let name = visible(&list.name);
        writeln!(
            out,
            "  {:8} {found:5.2}  {was:5.2}  list {name}: {:.1} records a page",
            list.verdict, list.records
        )?;
    }
    Ok(())
}

fn write_field(field: &FieldReport, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let FieldReport {
        fill,
        agreement,
        types,
        doubts,
        ..
    } = field;
    let sample = |values: &[String]| {
        let first = values.first().map_or("-", String::as_str);
        clipped(&visible(first), 30).into_owned()
    };
    writeln!(
        out,
        "  {:8} {:5.2}  {:5.2}  {:5.2}  {:5.2}  {:5.2}  {:5.2}  {}: {} -> {}",
        field.verdict,
        fill.found,
        fill.expected,
        agreement.found,
        agreement.expected,
        types.found,
        doubts.found,
        visible(&field.name),
        sample(&field.before),
        sample(&field.now)
    )?;
    let lost = field.views_lost.join(", ");
    let lost = (!lost.is_empty() && field.verdict != Verdict::Healthy)
        .then(|| format!("no longer found by {lost}"));
    field
        .reasons
        .iter()
        .chain(&lost)
        .try_for_each(|reason| writeln!(out, "           {}", visible(reason)))
}

fn write_change(change: &Change, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let sample = |values: &[String]| {
        clipped(&visible(values.first().map_or("-", String::as_str)), 30).into_owned()
    };
    let name = visible(&change.field).into_owned();
    let learned = change.learned_as.as_ref().map_or_else(String::new, |name| {
        format!(" (learned as {})", visible(name))
    });
    let (before, after) = change.fill;
    match change.fate {
        Fate::Kept => writeln!(out, "  {:13} {name}", change.fate),
        Fate::Lost => writeln!(
            out,
            "  {:13} {name}: was {}; show it again with --example",
            change.fate,
            sample(&change.before)
        ),
        Fate::SameValues | Fate::Matched | Fate::New => writeln!(
            out,
            "  {:13} {name}{learned}: fill {before:.2} -> {after:.2}, {} -> {}",
            change.fate,
            sample(&change.before),
            sample(&change.now)
        ),
    }
}
