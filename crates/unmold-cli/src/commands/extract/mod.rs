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
    molds::{ANOTHER_SITE, choose, read_mold},
    output::{self, Destinations},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use unmold::{
    Learner, Mold, Text, join::Joined, mold::Group, reader::Part, report::rows::OwnColumn,
};
use unmold_io::Fault;

pub fn run(args: &ExtractArgs, global: &Global) -> Result<Outcome> {
    args.table.check(args.format())?;
    check_format(args)?;
    output::check_extension(
        args.format(),
        args.format.is_some(),
        false,
        args.output.as_deref(),
    )?;
    let given = args.mold.as_deref().map(read_mold).transpose()?;
    Destinations::of(&args.inputs, args.overwrite)?
        .reads(args.mold.as_deref())
        .file(args.output.as_deref())?
        .folder(args.split_groups.as_deref())?;
    let mut progress = Progress::new(global.quiet);
    match given {
        Some(mut mold) => {
            choose(&mut mold, &args.choice)?;
            apply_to_inputs(args, global, &mold, &mut progress)
        }
        None => learn_and_apply(args, global, &mut progress),
    }
}

/// Refuses formats for where they cannot go.
fn check_format(args: &ExtractArgs) -> Result<(), Failure> {
    if args.format() == RowFormat::Parquet && args.output.is_none() && args.split_groups.is_none() {
        return output::refuse_binary_on_terminal();
    }
    if args.format() == RowFormat::Table && args.split_groups.is_some() {
        return Err(Failure::Usage(
            "-f table shows one table: --split-groups goes with the other formats".to_owned(),
        ));
    }
    if args.format() == RowFormat::Jsonl && args.doubts {
        return Err(Failure::Usage(
            "--doubts goes with -f csv, parquet and table: JSONL has doubts anyway".to_owned(),
        ));
    }
    Ok(())
}

fn learn_and_apply(
    args: &ExtractArgs,
    global: &Global,
    progress: &mut Progress,
) -> Result<Outcome> {
    learning::check_examples(&args.examples, args.method == ExtractMethod::Fields)?;
    let learner = match args.method {
        ExtractMethod::Fields => {
            args.cut_point.refuse("--method lr")?;
            Learner::default()
        }
        ExtractMethod::Lr => {
            args.cut_point.refuse_folding("--method lr")?;
            Learner::lr(learning::cut_settings(&args.cut_point))
        }
    };
    let learner = learner
        .examples(examples::read(&args.examples)?)
        .one_template(args.one_template)
        .with_labels(args.with_labels);
    let mut corpus = Corpus::sampled(&args.inputs, global, true, progress)?;
    // Examples and LR wrappers say what other pages have: there is no row without them.
    let may_be_alone = args.method == ExtractMethod::Fields && args.examples.is_empty();
    let mut mold = if may_be_alone {
        learning::learn_for_rows(&learner, &mut corpus, progress)?
    } else {
        learning::learn(&learner, &mut corpus, progress)?
    };
    choose(&mut mold, &args.choice)?;
    learning::describe(&mold, corpus.pages, progress);
    progress.begin("extracting");
    let own = own_columns(&mold, args, &corpus.texts);
    let maker = RowMaker::new(&mold, &own, args);
    let mut pages = corpus.again(progress);
    let fit = write(&mold, &own, args, progress, |progress| {
        let Some(texts) = pages.next(progress)? else {
            return Ok(None);
        };
        pages.good(find(&maker, &texts), progress).map(Some)
    })?;
    progress.end(&fit.describe());
    say_left_out(&mold, args, &fit, progress);
    if mold.groups.is_empty() && fit.values == 0 {
        let reason = "no page declares a value, labels one or has a headline";
        return Err(Failure::Nothing(reason.to_owned()).into());
    }
    pages.close()
}

/// The columns of pages that have no template in common, for tables.
fn own_columns(mold: &Mold, args: &ExtractArgs, texts: &[Text]) -> Vec<OwnColumn> {
    if !mold.groups.is_empty() || args.format() == RowFormat::Jsonl && !args.join {
        return Vec::new();
    }
    let reader = mold.reader().only(&[Part::Fields]);
    let mut columns: Vec<OwnColumn> = Vec::new();
    for text in texts {
        // A page that cannot be read is named when it is read again for its row.
        let Ok(found) = reader.read(text) else {
            continue;
        };
        for field in found.fields() {
            let many = field.rule().many;
            match columns
                .iter_mut()
                .find(|column| column.name == field.name())
            {
                Some(column) => column.many |= many,
                None => columns.push(OwnColumn {
                    name: field.name().to_owned(),
                    many,
                }),
            }
        }
    }
    columns
}

/// Takes the values out of pages as they are read, without holding the pages.
fn apply_to_inputs(
    args: &ExtractArgs,
    global: &Global,
    mold: &Mold,
    progress: &mut Progress,
) -> Result<Outcome> {
    let maker = RowMaker::new(mold, &[], args);
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let fit = write(mold, &[], args, progress, |progress| {
        let Some(texts) = chunks.next(progress)? else {
            return Ok(None);
        };
        chunks.good(find(&maker, &texts), progress).map(Some)
    })?;
    let outcome = chunks.close(progress)?;
    progress.say(&fit.describe());
    say_left_out(mold, args, &fit, progress);
    fit.judge(outcome, progress)
}

/// Takes the values out of pages.
fn find(maker: &RowMaker, texts: &[Text]) -> Vec<Result<Found, Fault>> {
    faults(texts.par_iter().map(|text| maker.find(text)))
}

/// Writes rows, batch by batch, to where they were asked for.
fn write(
    mold: &Mold,
    own: &[OwnColumn],
    args: &ExtractArgs,
    progress: &mut Progress,
    mut next: impl FnMut(&mut Progress) -> Result<Option<Vec<Found>>>,
) -> Result<Fit> {
    let mut fit = Fit::of(mold);
    if let Some(folder) = &args.split_groups {
        let mut split = Split::new(mold, args);
        while let Some(found) = next(progress)? {
            fit.note(&found);
            split.add(found);
        }
        split.write(folder)?;
        return Ok(fit);
    }
    let mut rows = Rows::new(mold, own, args);
    if args.output.is_none() {
        progress.make_way_for_rows();
    }
    output::stream_to(args.output.as_deref(), args.overwrite, |out| {
        while let Some(found) = next(progress)? {
            fit.note(&found);
            found.into_iter().for_each(|found| rows.add(found.row));
            rows.write(out)?;
        }
        rows.finish(out)?;
        Ok(out.flush()?)
    })?;
    if let Some(joined) = rows.joined() {
        say_joined(joined, progress);
    }
    Ok(fit)
}

/// Says how many records have their page, which pages are missing, and which no record leads to.
fn say_joined(joined: &Joined, progress: &Progress) {
    if joined.table.rows.is_empty() {
        progress.warn("no list links to two or more pages of the input: there is nothing to join");
        return;
    }
    let (records, found) = (counted(joined.table.rows.len(), "record"), joined.found);
    progress.say(&format!(
        "{found} of {records} joined with the page they link to"
    ));
    let absent = counted(joined.absent.len(), "linked page");
    let unlinked = counted(joined.unlinked.len(), "page");
    for (what, names) in [
        (format!("{absent} not in the input"), &joined.absent),
        (
            format!("{unlinked} not linked by any list"),
            &joined.unlinked,
        ),
    ] {
        if names.is_empty() {
            continue;
        }
        let shown = names[..names.len().min(NAMED)].join(", ");
        let more = if names.len() > NAMED { ", ..." } else { "" };
        progress.say(&format!("{what}: {shown}{more}"));
    }
}

/// Max. number of pages named that could not be joined.
const NAMED: usize = 10;

/// Says that what pages list has no place in a row of a table.
fn say_left_out(mold: &Mold, args: &ExtractArgs, fit: &Fit, progress: &Progress) {
    let lists: usize = mold.groups.iter().map(|group| group.records.len()).sum();
    let is_table = !args.join && args.format() != RowFormat::Jsonl && args.split_groups.is_none();
    if is_table && lists > 0 && fit.without < fit.pages {
        let (are, them) = (plural(lists, "is", "are"), plural(lists, "it", "them"));
        let where_else =
            format!("--split-groups DIR writes {them} as tables, -f jsonl with their pages");
        progress.say(&format!(
            "{} {are} not in this table: {where_else}",
            counted(lists, "list")
        ));
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// How many pages fit the mold.
struct Fit {
    pages: usize,
    without: usize,
    /// How many fields pages of each group had where they were learned, on average.
    usual: Vec<f64>,
    /// How many fields were found on the pages that fit, and would have been on as many of those.
    filled: usize,
    expected: f64,
    /// How many fields were found on all pages,
    values: usize,
    /// and how many of these may be wrong.
    doubts: usize,
}

impl Fit {
    fn of(mold: &Mold) -> Self {
        let wanted = |group: &Group| group.wanted.unwrap_or(group.fields.len());
        let usual = mold.groups.iter().map(|group| {
            group
                .fields
                .iter()
                .take(wanted(group))
                .map(|field| field.fill)
                .sum()
        });
        Fit {
            pages: 0,
            without: 0,
            usual: usual.collect(),
            filled: 0,
            expected: 0.0,
            values: 0,
            doubts: 0,
        }
    }

    fn note(&mut self, found: &[Found]) {
        self.pages += found.len();
        for page in found {
            self.values += page.values;
            self.doubts += page.doubts;
            match page.group {
                Some(group) => {
                    self.filled += page.values;
                    self.expected += self.usual[group];
                }
                None => self.without += 1,
            }
        }
    }

    /// The share of the usual values that were found, if that is so little that the site must have
    /// changed.
    fn drift(&self) -> Option<f64> {
        /// Pages of the same site fill nearly as many fields as those that taught them.
        const USUAL: f64 = 0.7;
        Some(self.filled as f64 / self.expected).filter(|share| *share < USUAL)
    }

    fn describe(&self) -> String {
        let (fit, are) = (
            plural(self.without, "fits", "fit"),
            plural(self.doubts, "is", "are"),
        );
        let fitting = format!("{} {fit} no template; ", counted(self.without, "page"));
        let doubts = format!(
            "{} of {} {are} in doubt; ",
            self.doubts,
            counted(self.values, "value")
        );
        let notes = [(self.without, fitting), (self.doubts, doubts)]
            .into_iter()
            .filter(|(count, _)| *count > 0);
        let notes: String = notes.map(|(_, note)| note).collect();
        format!("{notes}extracted from {}", counted(self.pages, "page"))
    }

    /// How a command has ended that applied a mold from elsewhere: one that fits no page is of
    /// another site.
    fn judge(&self, outcome: Outcome, progress: &Progress) -> Result<Outcome> {
        let why = ANOTHER_SITE;
        if self.pages > 0 && self.without == self.pages {
            return Err(
                Failure::Nothing(format!("no page fits a group of the mold; {why}")).into(),
            );
        }
        if 2 * self.without > self.pages {
            progress.warn(&format!("most pages fit no group of the mold; {why}"));
        } else if let Some(share) = self.drift() {
            let share = 100.0 * share;
            progress.warn(&format!(
                "only {share:.0} % of the values were found that pages used to have; {why}"
            ));
        }
        Ok(outcome)
    }
}
