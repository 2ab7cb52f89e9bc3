//! `unmold records`: the records that pages list.

mod table;
mod tables;

use self::tables::Tables;
use super::debug::level;
use crate::{
    args::{Global, RecordsArgs, RecordsMethod, RecordsOutput, RowFormat},
    corpus::{Chunks, Corpus, faults},
    exit::{Failure, Outcome},
    learning,
    molds::{read_mold, write_mold},
    output::{self, Destinations},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use std::{
    io::{self, Write},
    path::Path,
};
use unmold::{
    Learner, Mold, Page, Reader, Text,
    lists::{List, Pattern, Regions, list_rule},
    papers::iepad::Iepad,
    read::guarded,
    reader::Part,
    report::{
        records::PageRow,
        table::{Csv, Table},
    },
};
use unmold_io::{Fault, LoadSettings, save, table::write_parquet};

pub fn run(args: &RecordsArgs, global: &Global) -> Result<Outcome> {
    check(args)?;
    output::check_extension(
        args.output.format(),
        args.output.format.is_some(),
        false,
        args.output.output.as_deref(),
    )?;
    Destinations::of(&args.inputs, args.output.overwrite)?
        .reads(args.rule.mold.as_deref())
        .reads(args.rule.rule.as_deref())
        .reads(args.rule.learn_from.as_deref())
        .file(args.output.output.as_deref())?
        .folder(args.output.split_lists.as_deref())?
        .file(args.rule.save_rule.as_deref())?;
    let given = chosen_mold(args)?;
    let mut progress = Progress::new(global.quiet);
    match (given, args.method) {
        (Some(mold), _) => one_by_one(&Way::reader(&mold, args), args, global, &mut progress),
        (None, RecordsMethod::Regions) if args.alone => one_by_one(
            &Way::reader(&Mold::nothing(), args),
            args,
            global,
            &mut progress,
        ),
        (None, RecordsMethod::Regions) => side_by_side(args, global, &mut progress),
        (None, RecordsMethod::Iepad) => one_by_one(&Way::Iepad, args, global, &mut progress),
        (None, RecordsMethod::Delimiters) => together(args, global, &mut progress),
    }
}

/// Refuses options that make no sense together.
fn check(args: &RecordsArgs) -> Result<()> {
    let RecordsOutput {
        output,
        split_lists,
        table,
        ..
    } = &args.output;
    let format = args.output.format();
    table.check(format)?;
    let is_table = matches!(format, RowFormat::Csv | RowFormat::Parquet);
    if split_lists.is_some() && !is_table {
        return Err(
            Failure::Usage("--split-lists goes with -f csv or -f parquet".to_owned()).into(),
        );
    }
    if format == RowFormat::Parquet && output.is_none() && split_lists.is_none() {
        output::refuse_binary_on_terminal()?;
    }
    Ok(())
}

/// By what the lists of a page are found.
enum Way {
    /// By a mold.
    Reader(Box<Reader>),
    /// As in the paper, by the page alone.
    Iepad,
}

impl Way {
    fn reader(mold: &Mold, args: &RecordsArgs) -> Self {
        let reader = mold.reader().only(&[Part::Lists]).regions(regions(args));
        Way::Reader(Box::new(reader))
    }
}

/// Finds records on pages as they are read.
fn one_by_one(
    way: &Way,
    args: &RecordsArgs,
    global: &Global,
    progress: &mut Progress,
) -> Result<Outcome> {
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let mut rows = Rows::new(args);
    let mut outcome = Outcome::Done;
    if args.output.output.is_none() && !rows.waits() {
        progress.make_way_for_rows();
    }
    rows.write_all(args, progress, |rows, out, progress| {
        while let Some(texts) = chunks.next(progress)? {
            let found = chunks.good(find_all(&texts, way, args), progress)?;
            rows.write(&found, out)?;
        }
        outcome = chunks.close(progress)?;
        Ok(())
    })?;
    progress.say(&rows.describe());
    Ok(outcome)
}

/// Learns what pages list from all of them, and reads them.
fn side_by_side(args: &RecordsArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let mut corpus = Corpus::sampled(&args.inputs, global, true, progress)?;
    let learner = Learner::lists_only().one_template(args.one_template);
    let mold = learning::learn_if_anything(&learner, &mut corpus, progress)?;
    let way = Way::reader(&mold.unwrap_or_else(Mold::nothing), args);
    let mut pages = corpus.again(progress);
    let mut rows = Rows::new(args);
    progress.begin("finding records");
    rows.write_all(args, progress, |rows, out, progress| {
        while let Some(texts) = pages.next(progress)? {
            let found = pages.good(find_all(&texts, &way, args), progress)?;
            rows.write(&found, out)?;
        }
        Ok(())
    })?;
    progress.end(&rows.describe());
    pages.close()
}

/// Finds records by what all pages have in common, which needs all of them at once.
fn together(args: &RecordsArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let corpus = Corpus::read(&args.inputs, global, progress)?;
    progress.begin("finding records");
    let lists = Pattern::by_delimiters(&corpus.texts)?;
    let found: Vec<PageLists<'_>> = corpus
        .texts
        .iter()
        .zip(lists)
        .map(|(text, patterns)| PageLists::alone(text, List::named(patterns)))
        .collect();
    let mut rows = Rows::new(args);
    rows.write_all(args, progress, |rows, out, _| Ok(rows.write(&found, out)?))?;
    progress.end(&rows.describe());
    drop(found);
    corpus.close()
}

/// A page and its lists, the best first.
struct PageLists<'t> {
    text: &'t Text,
    /// The number of its template.
    template: Option<usize>,
    lists: Vec<List<'t>>,
}

impl<'t> PageLists<'t> {
    fn alone(text: &'t Text, lists: Vec<List<'t>>) -> Self {
        PageLists {
            text,
            template: None,
            lists,
        }
    }
}

fn find_all<'t>(
    texts: &'t [Text],
    way: &'t Way,
    args: &RecordsArgs,
) -> Vec<Result<PageLists<'t>, Fault>> {
    let found = faults(
        texts
            .par_iter()
            .map(|text| guarded(text, |_| find(text, way, args))),
    );
    let found = texts.iter().zip(found).map(|(text, found)| {
        found?.map_err(|error| Fault::of_page(text.id(), format!("{error:#}")))
    });
    found.collect()
}

fn find<'t>(text: &'t Text, way: &'t Way, args: &RecordsArgs) -> Result<PageLists<'t>> {
    let mut page = match way {
        Way::Reader(reader) => {
            let found = reader.read(text)?;
            PageLists {
                text,
                template: found.group(),
                lists: found.into_lists(),
            }
        }
        Way::Iepad => {
            let patterns = Pattern::by_iepad(iepad(args), text)?;
            PageLists::alone(text, List::named(patterns))
        }
    };
    if let Some(least) = args.min_records {
        page.lists.retain(|list| list.records.len() >= least);
    }
    // Of a page that is learned from, the list was chosen then.
    if args.rule.learn_from.is_none() {
        page.lists = chosen(page.lists, args);
    }
    page.lists.truncate(wanted(args));
    Ok(page)
}

fn regions(args: &RecordsArgs) -> Regions {
    let regions = Regions::default().max_patterns(wanted(args));
    match args.min_records {
        Some(least) => regions.min_records(least),
        None => regions,
    }
}

/// All lists of a page, or the one that was asked for.
fn chosen<T>(lists: Vec<T>, args: &RecordsArgs) -> Vec<T> {
    match args.list {
        Some(number) => lists
            .into_iter()
            .skip(usize::from(number) - 1)
            .take(1)
            .collect(),
        None => lists,
    }
}

/// How many lists of a page have to be found: tables are made of the first, unless all were asked
/// for.
fn wanted(args: &RecordsArgs) -> usize {
    let is_table = matches!(args.output.format(), RowFormat::Csv | RowFormat::Parquet);
    let takes_first = is_table && args.output.split_lists.is_none();
    let patterns = if takes_first {
        args.patterns.min(1)
    } else {
        args.patterns
    };
    args.list
        .map_or(patterns, |number| patterns.max(number.into()))
}

fn iepad(args: &RecordsArgs) -> Iepad {
    let thresholds = &args.iepad;
    Iepad::default()
        .level(level(thresholds.level))
        .min_length(thresholds.min_length)
        .min_count(thresholds.min_count)
        .max_regularity(thresholds.max_regularity)
        .block_regularity(thresholds.block_regularity)
        .density(thresholds.min_density, thresholds.max_density)
        .min_coverage(thresholds.min_coverage)
        .max_variable(thresholds.max_variable)
        .max_patterns(wanted(args))
}

/// The mold that was asked for, from a file or from a page, if one was.
fn chosen_mold(args: &RecordsArgs) -> Result<Option<Mold>> {
    if let Some(file) = args.rule.mold.as_ref().or(args.rule.rule.as_ref()) {
        return read_mold(file).map(Some);
    }
    let Some(page) = &args.rule.learn_from else {
        return Ok(None);
    };
    let mold = learn_from(page, args)?;
    if let Some(file) = &args.rule.save_rule {
        write_mold(file, args.output.overwrite, &mold)?;
    }
    Ok(Some(mold))
}

/// A mold of one list of a page.
fn learn_from(page: &Path, args: &RecordsArgs) -> Result<Mold> {
    let nothing = |what: &str| Failure::Nothing(format!("{what} {}", page.display()));
    let pages: Vec<Page> = unmold_io::load([page], &LoadSettings::default().limit(1))
        .read_all()
        .pages;
    let read = pages
        .into_iter()
        .next()
        .ok_or_else(|| nothing("no page was found in"))?;
    let text = Text::decode_guarded(read)?;
    let patterns = guarded(&text, |text| patterns(text, args))??;
    let pattern = chosen(patterns, args).into_iter().next().ok_or_else(|| {
        nothing(
            &args
                .list
                .map_or("no records were found on".to_owned(), |number| {
                    format!("there is no list {number} on")
                }),
        )
    })?;
    let rule = guarded(&text, |text| list_rule(&pattern, &[text]))?;
    Ok(Mold::of_list(rule))
}

/// The lists of one page by the method that was asked for.
fn patterns(text: &Text, args: &RecordsArgs) -> Result<Vec<Pattern>> {
    Ok(match args.method {
        RecordsMethod::Regions => regions(args).find(text),
        RecordsMethod::Iepad => Pattern::by_iepad(iepad(args), text)?,
        RecordsMethod::Delimiters => {
            Pattern::by_delimiters(std::slice::from_ref(text))?.swap_remove(0)
        }
    })
}

/// Writes records as pages come.
struct Rows {
    format: RowFormat,
    csv: Csv,
    is_typed: bool,
    top: usize,
    tables: Tables,
    /// Whether each list is a table, or only the first of each page.
    takes_all: bool,
    /// The number of the list that was asked for on each page: a rule was learned from one, and
    /// finds what it finds.
    list: Option<u16>,
    /// Pages written.
    written: usize,
    pages: usize,
    records: usize,
}

impl Rows {
    fn new(args: &RecordsArgs) -> Self {
        let RecordsOutput {
            table, split_lists, ..
        } = &args.output;
        Rows {
            format: args.output.format(),
            csv: table.csv(),
            is_typed: table.typed,
            top: args.top,
            tables: Tables::new(args.all_columns),
            takes_all: split_lists.is_some(),
            list: args.list.filter(|_| args.rule.learn_from.is_none()),
            written: 0,
            pages: 0,
            records: 0,
        }
    }

    /// Whether nothing is written before the last page was read.
    fn waits(&self) -> bool {
        matches!(self.format, RowFormat::Csv | RowFormat::Parquet)
    }

    /// Writes the rows that a function gives to where they were asked for.
    fn write_all(
        &mut self,
        args: &RecordsArgs,
        progress: &mut Progress,
        give: impl FnOnce(&mut Self, &mut dyn Write, &mut Progress) -> Result<()>,
    ) -> Result<()> {
        let RecordsOutput {
            output,
            split_lists,
            overwrite,
            ..
        } = &args.output;
        if let Some(folder) = split_lists {
            give(self, &mut io::sink(), progress)?;
            return self.write_tables(folder, *overwrite, progress);
        }
        output::stream_to(output.as_deref(), *overwrite, |out| {
            give(self, out, progress)?;
            let table = std::mem::take(&mut self.tables).first();
            Ok(self.write_table(&table, out)?)
        })
    }

    fn write(&mut self, pages: &[PageLists<'_>], out: &mut dyn Write) -> io::Result<()> {
        for page in pages {
            match self.format {
                RowFormat::Table => {
                    table::write(out, page.text, &page.lists, self.top, self.written == 0)?;
                }
                RowFormat::Jsonl => {
                    let lists: Vec<&List<'_>> = page.lists.iter().collect();
                    output::jsonl_row(out, &PageRow::new(page.text, &lists, self.is_typed))?;
                }
                RowFormat::Csv | RowFormat::Parquet if self.takes_all => {
                    self.tables.add_all(page.text, page.template, &page.lists);
                }
                RowFormat::Csv | RowFormat::Parquet => {
                    self.tables.add_first(page.text, &page.lists);
                }
            }
            self.written += 1;
            let counted = if self.takes_all {
                page.lists.as_slice()
            } else {
                &page.lists[..page.lists.len().min(1)]
            };
            self.pages += usize::from(!counted.is_empty());
            self.records += counted.iter().map(|list| list.records.len()).sum::<usize>();
        }
        Ok(())
    }

    /// Writes what can only be written when all columns are known.
    fn write_table(&self, table: &Table, out: &mut (dyn Write + Send)) -> io::Result<()> {
        match self.format {
            RowFormat::Csv => self.csv.write(table, out),
            RowFormat::Parquet => write_parquet(table, out),
            RowFormat::Table | RowFormat::Jsonl => Ok(()),
        }
    }

    /// Writes a file for each list.
    fn write_tables(&mut self, folder: &Path, overwrite: bool, progress: &Progress) -> Result<()> {
        let ending = if self.format == RowFormat::Csv {
            "csv"
        } else {
            "parquet"
        };
        save::create_folder(folder)?;
        for (name, table) in std::mem::take(&mut self.tables).named() {
            let file = folder.join(format!("{name}.{ending}"));
            progress.say(&format!(
                "{}: {}",
                file.display(),
                counted(table.rows.len(), "record")
            ));
            output::write_file(&file, overwrite, |out| self.write_table(&table, out))?;
        }
        Ok(())
    }

    fn describe(&self) -> String {
        if let Some(number) = self.list.filter(|_| self.records == 0) {
            return format!(
                "no page has a list {number}: without --list all that pages have are shown"
            );
        }
        format!(
            "found {} on {}",
            counted(self.records, "record"),
            counted(self.pages, "page")
        )
    }
}
