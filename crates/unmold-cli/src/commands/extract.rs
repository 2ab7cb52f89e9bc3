//! `unmold extract`: from pages to rows of values.

use super::learn;
use crate::{
    args::{ExtractArgs, Global, RowFormat},
    corpus::{Chunks, Corpus},
    exit::Outcome,
    molds::read_mold,
    output::{self, Table},
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};
use unmold::{
    Text,
    apply::{Extraction, Extractor},
    detect::records::{Pattern, Record},
    mold::Mold,
};

pub fn run(args: &ExtractArgs, global: &Global) -> Result<Outcome> {
    let given = args.mold.as_deref().map(read_mold).transpose()?;
    let mut progress = Progress::new(global.quiet);
    match given {
        Some(mold) => apply_to_inputs(args, global, &mold, &mut progress),
        None => learn_and_apply(args, global, &mut progress),
    }
}

fn learn_and_apply(args: &ExtractArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let corpus = Corpus::read(&args.inputs, global, progress)?;
    let mold = learn::learn(&corpus.texts, args.method, &args.cut_point, progress)?;
    progress.begin("extracting");
    let mut rows = Rows::new(&mold, args.format);
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        rows.write(&corpus.texts, out)?;
        rows.finish(out)
    })?;
    progress.end(&rows.describe());
    Ok(corpus.outcome())
}

/// Takes the values out of pages as they are read, without holding them all.
fn apply_to_inputs(args: &ExtractArgs, global: &Global, mold: &Mold, progress: &mut Progress) -> Result<Outcome> {
    let mut rows = Rows::new(mold, args.format);
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let mut outcome = Outcome::Done;
    output::stream_to(args.output.as_deref(), args.overwrite, |out| {
        while let Some(texts) = chunks.next(progress)? {
            rows.write(&texts, out)?;
        }
        outcome = chunks.close(progress)?;
        Ok(rows.finish(out)?)
    })?;
    progress.say(&rows.describe());
    Ok(outcome)
}

/// Writes rows as pages come.
struct Rows<'m> {
    extractor: Extractor<'m>,
    format: RowFormat,
    /// The rows that have not been written, and the columns of all.
    table: Table,
    pages: usize,
    without: usize,
}

impl<'m> Rows<'m> {
    fn new(mold: &'m Mold, format: RowFormat) -> Self {
        let table = Table { names: columns(mold), rows: Vec::new() };
        // Tables have no place for lists.
        let extractor = match format {
            RowFormat::Jsonl => Extractor::new(mold),
            RowFormat::Csv | RowFormat::Parquet => Extractor::new(mold).fields_only(),
        };
        Rows { extractor, format, table, pages: 0, without: 0 }
    }

    fn write(&mut self, texts: &[Text], out: &mut dyn Write) -> io::Result<()> {
        let found: Vec<Extraction<'_>> = texts.par_iter().map(|text| self.extractor.extract(text)).collect();
        let is_first = self.pages == 0;
        self.pages += found.len();
        self.without += found.iter().filter(|extraction| extraction.group.is_none()).count();
        match self.format {
            RowFormat::Jsonl => write_jsonl(out, texts, &found),
            RowFormat::Csv => {
                self.add_rows(texts, &found);
                let written = if is_first { self.table.write_csv(out) } else { self.table.write_csv_rows(out) };
                self.table.rows.clear();
                written
            }
            RowFormat::Parquet => {
                self.add_rows(texts, &found);
                Ok(())
            }
        }
    }

    /// Writes what can only be written at the end.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.format == RowFormat::Parquet { self.table.write_parquet(out) } else { Ok(()) }
    }

    fn add_rows(&mut self, texts: &[Text], found: &[Extraction<'_>]) {
        let rows = texts.iter().zip(found).map(|(text, extraction)| row(&self.table.names, text, extraction));
        let rows: Vec<_> = rows.collect();
        self.table.rows.extend(rows);
    }

    fn describe(&self) -> String {
        let fitting =
            if self.without == 0 { String::new() } else { format!("; {} fit no group of the mold", self.without) };
        format!("extracted from {}{fitting}", counted(self.pages, "page"))
    }
}

/// A page's values, for other programs.
#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    group: Option<usize>,
    fields: Fields<'a>,
    #[serde(skip_serializing_if = "Lists::is_empty")]
    records: Lists<'a>,
}

/// The lists of a page, each with its records.
struct Lists<'a> {
    page: &'a str,
    lists: &'a [(&'a str, Pattern)],
}

impl Lists<'_> {
    fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

impl Serialize for Lists<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |pattern: &Pattern, record: &Record| -> BTreeMap<String, Vec<String>> {
            let mut row = BTreeMap::new();
            for field in &record.fields {
                let name = pattern.columns[field.column].name.clone();
                row.entry(name).or_insert_with(Vec::new).push(field.value(self.page, pattern));
            }
            row
        };
        serializer.collect_map(self.lists.iter().map(|(name, pattern)| {
            (name, pattern.records.iter().map(|record| row(pattern, record)).collect::<Vec<_>>())
        }))
    }
}

/// An object in the order of the mold, `null` for what the page does not have.
pub struct Fields<'a>(pub &'a [(&'a str, Vec<String>)]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, values) in self.0 {
            map.serialize_entry(name, &(!values.is_empty()).then_some(values))?;
        }
        map.end()
    }
}

fn write_jsonl(out: &mut dyn Write, texts: &[Text], found: &[Extraction<'_>]) -> io::Result<()> {
    texts.iter().zip(found).try_for_each(|(text, extraction)| {
        let fields = Fields(&extraction.values);
        let records = Lists { page: text.as_str(), lists: &extraction.records };
        output::jsonl_row(out, &Row { page: text.id(), url: text.url(), group: extraction.group, fields, records })
    })
}

/// The columns of all groups side by side; a name that several groups have is one column.
fn columns(mold: &Mold) -> Vec<String> {
    let mut names: Vec<String> = vec!["page".to_owned(), "url".to_owned()];
    for field in mold.groups.iter().flat_map(|group| &group.fields) {
        if !names.contains(&field.name) {
            names.push(field.name.clone());
        }
    }
    names
}

/// The row of a page.
fn row(names: &[String], text: &Text, extraction: &Extraction<'_>) -> Vec<Option<String>> {
    let values: HashMap<&str, &Vec<String>> = extraction
        .values
        .iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(name, values)| (*name, values))
        .collect();
    let fixed = [Some(text.id().to_owned()), text.url().map(str::to_owned)];
    let cells = names[2..].iter().map(|name| values.get(name.as_str()).map(|values| values.join("\n")));
    fixed.into_iter().chain(cells).collect()
}
