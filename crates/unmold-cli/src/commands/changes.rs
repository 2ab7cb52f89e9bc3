//! `unmold changes`: what changed on a site between two visits?

use crate::{
    args::{ChangesArgs, ChangesFormat, Global, Inputs, named_format},
    corpus::Corpus,
    exit::{Failure, Outcome},
    molds::read_mold,
    output::{self, Destinations},
    progress::Progress,
    terminal::{bold, clipped, counted, visible},
};
use anyhow::Result;
use std::io::{self, Write};
use unmold::{
    Mold,
    changes::{self, PageChange, SiteChanges},
    report::table::Csv,
};
use unmold_io::Fault;

/// A line of the table is cut after this many signs.
const LINE_WIDTH: usize = 160;
/// Changes of one page beyond this many are in the other formats.
const SHOWN_OF_PAGE: usize = 12;

pub fn run(args: &ChangesArgs, global: &Global) -> Result<Outcome> {
    let output = args.output.as_deref();
    let format = named_format(args.format, output).unwrap_or(ChangesFormat::Table);
    output::check_extension(format, args.format.is_some(), false, output)?;
    Destinations::of(&args.inputs, args.overwrite)?
        .reads([args.mold.as_path()])
        .file(output)?;
    let mold = read_mold(&args.mold)?;
    let mut progress = Progress::new(global.quiet);
    let (changes, outcome) = match &args.inputs.inputs[..] {
        [_] => within(args, global, &mold, &mut progress)?,
        [_, _] => between(args, global, &mold, &mut progress)?,
        more => {
            let reason = format!(
                "changes takes the old pages and the new ones, not {}",
                more.len()
            );
            return Err(Failure::Usage(reason).into());
        }
    };
    let (changed, same) = (changes.pages.len(), changes.unchanged);
    progress.end(&format!(
        "compared {}: {changed} changed, {same} the same",
        counted(changed + same, "page")
    ));
    drop(progress);
    output::write_to(output, args.overwrite, |out| match format {
        ChangesFormat::Table => write_table(&changes, out),
        ChangesFormat::Jsonl => changes
            .pages
            .iter()
            .try_for_each(|page| output::jsonl_row(out, page)),
        ChangesFormat::Csv => Csv::default().write(&changes.table(), out),
        ChangesFormat::Html => out.write_all(changes::html(&changes).as_bytes()),
    })?;
    Ok(if changes.is_empty() {
        outcome
    } else {
        Outcome::Changed
    })
}

/// What changed from the first input to the second.
fn between(
    args: &ChangesArgs,
    global: &Global,
    mold: &Mold,
    progress: &mut Progress,
) -> Result<(SiteChanges, Outcome)> {
    let side = |at: usize| Inputs {
        inputs: vec![args.inputs.inputs[at].clone()],
        ..args.inputs.clone()
    };
    let (old_inputs, new_inputs) = (side(0), side(1));
    let old = Corpus::read(&old_inputs, global, progress)?;
    let mut new = Corpus::read(&new_inputs, global, progress)?;
    if old.texts.is_empty() && new.texts.is_empty() {
        return Err(Failure::Nothing("there is no page to compare".to_owned()).into());
    }
    progress.begin("comparing");
    let changes = mold.changes(&old.texts, &new.texts);
    for error in &changes.failed {
        new.refuse(Fault::of_page_error(error), progress)?;
    }
    let outcome = match old.close()? {
        Outcome::Done => new.close()?,
        bad => {
            new.close()?;
            bad
        }
    };
    Ok((changes, outcome))
}

/// What changed from the first copy of each page to the last one.
fn within(
    args: &ChangesArgs,
    global: &Global,
    mold: &Mold,
    progress: &mut Progress,
) -> Result<(SiteChanges, Outcome)> {
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    if corpus.texts.is_empty() {
        return Err(Failure::Nothing("there is no page to compare".to_owned()).into());
    }
    progress.begin("comparing");
    let changes = mold.changes_within(&corpus.texts);
    for error in &changes.failed {
        corpus.refuse(Fault::of_page_error(error), progress)?;
    }
    Ok((changes, corpus.close()?))
}

fn write_table(changes: &SiteChanges, out: &mut (dyn Write + Send)) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "nothing has changed");
    }
    for page in &changes.pages {
        write_page(page, out)?;
    }
    Ok(())
}

fn write_page(page: &PageChange, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let name = page.url.as_ref().unwrap_or(&page.page);
    writeln!(out, "{}", bold(&visible(name)))?;
    let rows: Vec<_> = page.rows().collect();
    for row in rows.iter().take(SHOWN_OF_PAGE) {
        let line = row.to_string();
        let line = line
            .strip_prefix(&format!("{}: ", row.page))
            .unwrap_or(&line);
        let line = line.replace('\n', " ");
        writeln!(out, "  {}", clipped(&visible(&line), LINE_WIDTH))?;
    }
    match rows.len().saturating_sub(SHOWN_OF_PAGE) {
        0 => Ok(()),
        more => writeln!(out, "  ... and {}", counted(more, "more change")),
    }
}
