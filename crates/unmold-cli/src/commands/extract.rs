//! `unmold extract`: from pages to rows of values.

use super::learn;
use crate::{
    args::{ExtractArgs, Global, RowFormat},
    corpus::Corpus,
    exit::{Failure, Outcome},
    output::{self, Table},
    progress::Progress,
};
use anyhow::Result;
use rayon::prelude::*;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
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
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    let mold = match given {
        Some(mold) => mold,
        None => learn::learn(&corpus.texts, args.method, &args.cut_point, &mut progress)?,
    };
    progress.begin("extracting");
    let extractor = Extractor::new(&mold);
    let found: Vec<Extraction<'_>> = corpus.texts.par_iter().map(|text| extractor.extract(text)).collect();
    let without = found.iter().filter(|extraction| extraction.group.is_none()).count();
    let fitting = if without == 0 { String::new() } else { format!("; {without} fit no rule of the mold") };
    progress.end(&format!("extracted from {} pages{fitting}", found.len()));
    drop(progress);
    output::write_to(args.output.as_deref(), args.overwrite, |out| match args.format {
        RowFormat::Jsonl => write_jsonl(out, &corpus.texts, &found),
        RowFormat::Csv => table(&corpus.texts, &found, &mold).write_csv(out),
        RowFormat::Parquet => table(&corpus.texts, &found, &mold).write_parquet(out),
    })?;
    Ok(corpus.outcome())
}

/// Reads a mold from a file; what is wrong with it is named with the file.
pub fn read_mold(path: &Path) -> Result<Mold> {
    let refused = |reason: &dyn std::fmt::Display| Failure::Usage(format!("{}: {reason}", path.display()));
    let json = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
    Ok(Mold::from_json(&json).map_err(|error| refused(&error))?)
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
struct Fields<'a>(&'a [(&'a str, Vec<String>)]);

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

/// A row a page; the columns of all groups side by side.
fn table(texts: &[Text], found: &[Extraction<'_>], mold: &Mold) -> Table {
    let mut names: Vec<String> = vec!["page".to_owned(), "url".to_owned()];
    for field in mold.groups.iter().flat_map(|group| &group.fields) {
        if !names.contains(&field.name) {
            names.push(field.name.clone());
        }
    }
    let rows = texts.iter().zip(found).map(|(text, extraction)| {
        let value = |name: &String| {
            let values = extraction.values.iter().find(|(known, values)| known == name && !values.is_empty());
            values.map(|(_, values)| values.join("\n"))
        };
        let fixed = [Some(text.id().to_owned()), text.url().map(str::to_owned)];
        fixed.into_iter().chain(names[2..].iter().map(value)).collect()
    });
    Table { rows: rows.collect(), names }
}
