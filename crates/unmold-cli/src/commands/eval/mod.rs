//! `unmold eval`: what the program finds on labelled pages, against what people say is there.

mod dataset;
mod floors;
mod html;
mod measures;
mod picture;
mod score;
mod table;

use self::{
    dataset::{Dataset, Place},
    floors::Floors,
    score::Score,
};
use crate::{
    args::{EvalArgs, EvalFormat, Global},
    exit::{Failure, Outcome},
    output::{self, Destinations},
    progress::Progress,
    terminal::tell,
};
use anyhow::{Context, Result};

pub fn run(args: &EvalArgs, global: &Global) -> Result<Outcome> {
    let output = args.output.as_deref();
    output::check_extension(args.format(), args.format.is_some(), false, output)?;
    Destinations::beside(&args.datasets, args.overwrite).file(output)?;
    let floors = args
        .floors
        .as_deref()
        .map(|path| Floors::read(path, args.raise))
        .transpose()?;
    let mut progress = Progress::new(global.quiet);
    let (scores, outcome) = evaluate_all(args, global, &mut progress)?;
    drop(progress);
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        match args.format() {
            EvalFormat::Table => table::write(out, &scores),
            EvalFormat::Jsonl => scores
                .iter()
                .try_for_each(|score| output::jsonl_row(out, score)),
            EvalFormat::Html => html::write(out, &scores),
        }
    })?;
    let Some(mut floors) = floors else {
        return Ok(outcome);
    };
    let compared = floors.compare(&scores);
    if args.raise {
        floors.raise(&scores)?;
    }
    tell(compared.report.trim_end());
    compared.judge(&floors, args.raise).map(|()| outcome)
}

/// The scores of all data sets. One that is bad does not cost the scores of the others, and one
/// without the truth that is asked for is passed over.
fn evaluate_all(
    args: &EvalArgs,
    global: &Global,
    progress: &mut Progress,
) -> Result<(Vec<Score>, Outcome)> {
    let (mut scores, mut without_truth, mut outcome) = (Vec::new(), Vec::new(), Outcome::Done);
    let places = dataset::find(&args.datasets)?;
    for place in &places {
        progress.begin("evaluating");
        let evaluated = Dataset::read(place).and_then(|dataset| measures::all(&dataset, args));
        match evaluated.with_context(|| format!("{}", place.folder.display())) {
            Ok(measured) if measured.is_empty() => without_truth.push(place),
            Ok(measured) => {
                progress.end(&format!("evaluated {}", place.name));
                scores.extend(measured);
            }
            Err(error) if places.len() > 1 && !global.strict => {
                progress.warn(&format!("bad input: {error:#}"));
                outcome = Outcome::SomeBad;
            }
            Err(error) => return Err(error),
        }
    }
    if scores.is_empty() {
        return Err(Failure::Nothing(nothing_found(args, &without_truth)).into());
    }
    say_skipped(args, &without_truth, progress);
    scores.sort_by_key(|score| score.measure);
    Ok((scores, outcome))
}

/// Names the data sets without truth, once.
fn say_skipped(args: &EvalArgs, places: &[&Place], progress: &Progress) {
    if !places.is_empty() {
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        progress.say(&format!(
            "skipped, as there is no {}: {}",
            measures::truth_sought(args),
            names.join(", ")
        ));
    }
}

/// What was looked for and where.
fn nothing_found(args: &EvalArgs, places: &[&Place]) -> String {
    let folders: Vec<String> = places
        .iter()
        .map(|place| place.folder.display().to_string())
        .collect();
    if folders.is_empty() {
        return "no data set could be evaluated".to_owned();
    }
    let (sought, folders) = (measures::truth_sought(args), folders.join(", "));
    format!("no truth was found: looked for {sought} beside pages/ in {folders}")
}
