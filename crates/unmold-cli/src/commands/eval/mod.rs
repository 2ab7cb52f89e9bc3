//! `unmold eval`: what the program finds on labelled pages, against what people say is there.

mod dataset;
mod floors;
mod html;
mod measures;
mod picture;
mod score;
mod table;

use self::{dataset::Dataset, floors::Floors, score::Score};
use crate::{
    args::{EvalArgs, EvalFormat, Global},
    exit::{Failure, Outcome},
    output,
    progress::Progress,
};
use anyhow::{Context, Result};

pub fn run(args: &EvalArgs, global: &Global) -> Result<Outcome> {
    let floors = args.floors.as_deref().map(|path| Floors::read(path, args.raise)).transpose()?;
    let mut progress = Progress::new(global.quiet);
    let (scores, outcome) = evaluate_all(args, global, &mut progress)?;
    drop(progress);
    output::write_to(args.output.as_deref(), args.overwrite, |out| match args.format {
        EvalFormat::Table => table::write(out, &scores),
        EvalFormat::Jsonl => scores.iter().try_for_each(|score| output::jsonl_row(out, score)),
        EvalFormat::Html => html::write(out, &scores),
    })?;
    let Some(mut floors) = floors else { return Ok(outcome) };
    let compared = floors.compare(&scores);
    if args.raise {
        floors.raise(&scores)?;
    }
    eprint!("{}", compared.report);
    compared.judge(&floors, args.raise).map(|()| outcome)
}

/// The scores of all data sets. One that is bad does not cost the scores of the others.
fn evaluate_all(args: &EvalArgs, global: &Global, progress: &mut Progress) -> Result<(Vec<Score>, Outcome)> {
    let (mut scores, mut outcome) = (Vec::new(), Outcome::Done);
    let places = dataset::find(&args.datasets)?;
    for place in &places {
        progress.begin("evaluating");
        let evaluated = Dataset::read(place).and_then(|dataset| measures::all(&dataset, args));
        match evaluated.with_context(|| format!("{}", place.folder.display())) {
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
        return Err(Failure::Nothing("no data set could be evaluated".to_owned()).into());
    }
    scores.sort_by_key(|score| score.measure);
    Ok((scores, outcome))
}
