//! `unmold extract`: from pages to rows of values.

mod rows;
mod split;

use self::{
    rows::{Found, RowMaker, Rows},
    split::Split,
};
use crate::{
    args::{ExtractArgs, ExtractMethod, Global, RowFormat},
    corpus::{Chunks, Corpus, faults},
    examples,
    exit::{Failure, Outcome},
    learning,
    molds::read_mold,
    output::{self, Destinations},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use unmold::{Learner, Mold, Text};
use unmold_io::Fault;

pub fn run(args: &ExtractArgs, global: &Global) -> Result<Outcome> {
    args.table.check(args.format)?;
    check_format(args)?;
    let given = args.mold.as_deref().map(read_mold).transpose()?;
    Destinations::of(&args.inputs, args.overwrite)?
        .reads(args.mold.as_deref())
        .file(args.output.as_deref())?
        .folder(args.split_groups.as_deref())?;
    let mut progress = Progress::new(global.quiet);
    match given {
        Some(mut mold) => {
            mold.choose(&args.choice.choice())?;
            apply_to_inputs(args, global, &mold, &mut progress)
        }
        None => learn_and_apply(args, global, &mut progress),
    }
}

/// Refuses formats for where they cannot go.
fn check_format(args: &ExtractArgs) -> Result<(), Failure> {
    if args.format == RowFormat::Parquet && args.output.is_none() && args.split_groups.is_none() {
        return output::refuse_binary_on_terminal();
    }
    if args.format == RowFormat::Table && args.split_groups.is_some() {
        return Err(Failure::Usage("-f table shows one table: --split-groups goes with the other formats".to_owned()));
    }
    if args.format == RowFormat::Jsonl && args.doubts {
        return Err(Failure::Usage("--doubts goes with -f csv, parquet and table: JSONL has doubts anyway".to_owned()));
    }
    Ok(())
}

fn learn_and_apply(args: &ExtractArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    learning::check_examples(&args.examples, args.method == ExtractMethod::Fields)?;
    let learner = match args.method {
        ExtractMethod::Fields => Learner::default(),
        ExtractMethod::Lr => Learner::lr(learning::cut_settings(&args.cut_point)),
    };
    let learner = learner.examples(examples::read(&args.examples)?);
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    let mut mold = learning::learn(&learner, &mut corpus, progress)?;
    mold.choose(&args.choice.choice())?;
    learning::describe(&mold, corpus.texts.len(), progress);
    progress.begin("extracting");
    let maker = RowMaker::new(&mold, args);
    let found = corpus.good(find(&maker, &corpus.texts), progress)?;
    let mut found = Some(found);
    let fit = write(&mold, args, || Ok(found.take()))?;
    progress.end(&fit.describe());
    say_left_out(&mold, args, progress);
    corpus.close()
}

/// Takes the values out of pages as they are read, without holding the pages.
fn apply_to_inputs(args: &ExtractArgs, global: &Global, mold: &Mold, progress: &mut Progress) -> Result<Outcome> {
    let maker = RowMaker::new(mold, args);
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let fit = write(mold, args, || {
        let Some(texts) = chunks.next(progress)? else { return Ok(None) };
        chunks.good(find(&maker, &texts), progress).map(Some)
    })?;
    let outcome = chunks.close(progress)?;
    progress.say(&fit.describe());
    say_left_out(mold, args, progress);
    fit.judge(outcome, progress)
}

/// Takes the values out of pages.
fn find(maker: &RowMaker, texts: &[Text]) -> Vec<Result<Found, Fault>> {
    faults(texts.par_iter().map(|text| maker.find(text)))
}

/// Writes rows, batch by batch, to where they were asked for.
fn write(mold: &Mold, args: &ExtractArgs, mut next: impl FnMut() -> Result<Option<Vec<Found>>>) -> Result<Fit> {
    let mut fit = Fit::default();
    if let Some(folder) = &args.split_groups {
        let mut split = Split::new(mold, args);
        while let Some(found) = next()? {
            fit.note(&found);
            split.add(found);
        }
        split.write(folder)?;
        return Ok(fit);
    }
    let mut rows = Rows::new(mold, args);
    output::stream_to(args.output.as_deref(), args.overwrite, |out| {
        while let Some(found) = next()? {
            fit.note(&found);
            found.into_iter().for_each(|found| rows.add(found.row));
            rows.write(out)?;
        }
        rows.finish(out)?;
        Ok(out.flush()?)
    })?;
    Ok(fit)
}

/// Says that what pages list has no place in a row of a table.
fn say_left_out(mold: &Mold, args: &ExtractArgs, progress: &Progress) {
    let lists: usize = mold.groups.iter().map(|group| group.records.len()).sum();
    let is_table = args.format != RowFormat::Jsonl && args.split_groups.is_none();
    if is_table && lists > 0 {
        let (are, them) = if lists == 1 { ("is", "it") } else { ("are", "them") };
        let where_else = format!("--split-groups DIR writes {them} as tables, -f jsonl with their pages");
        progress.say(&format!("{} {are} not in this table: {where_else}", counted(lists, "list")));
    }
}

/// How many pages fit the mold.
#[derive(Default)]
struct Fit {
    pages: usize,
    without: usize,
    /// Fields that pages have, one of each page,
    values: usize,
    /// and how many of these may be wrong.
    doubts: usize,
}

impl Fit {
    fn note(&mut self, found: &[Found]) {
        self.pages += found.len();
        self.without += found.iter().filter(|found| found.group.is_none()).count();
        self.values += found.iter().map(|found| found.values).sum::<usize>();
        self.doubts += found.iter().map(|found| found.doubts).sum::<usize>();
    }

    fn describe(&self) -> String {
        let fitting =
            if self.without == 0 { String::new() } else { format!("; {} fit no group of the mold", self.without) };
        let (are, values) = (if self.doubts == 1 { "is" } else { "are" }, counted(self.values, "value"));
        let doubts =
            if self.doubts == 0 { String::new() } else { format!("; {} of {values} {are} in doubt", self.doubts) };
        format!("extracted from {}{fitting}{doubts}", counted(self.pages, "page"))
    }

    /// How a command has ended that applied a mold from elsewhere: one that fits no page is of another site.
    fn judge(&self, outcome: Outcome, progress: &Progress) -> Result<Outcome> {
        let why = "the mold was learned from another site, or the site has changed: learn a new one";
        if self.pages > 0 && self.without == self.pages {
            return Err(Failure::Nothing(format!("no page fits a group of the mold; {why}")).into());
        }
        if 2 * self.without > self.pages {
            progress.warn(&format!("most pages fit no group of the mold; {why}"));
        }
        Ok(outcome)
    }
}
