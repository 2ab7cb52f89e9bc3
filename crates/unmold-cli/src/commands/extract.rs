//! `unmold extract`: from pages to rows of values.

use super::learn;
use crate::{
    args::{ExtractArgs, Global, RowFormat},
    corpus::Corpus,
    exit::{Failure, Outcome},
    output,
    progress::Progress,
};
use anyhow::Result;
use rayon::prelude::*;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::{
    io::{self, Write},
    path::Path,
};
use unmold::{
    Text,
    apply::{Extraction, Extractor},
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
        RowFormat::Csv => write_csv(out, &corpus.texts, &found, &mold),
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
        output::jsonl_row(out, &Row { page: text.id(), url: text.url(), group: extraction.group, fields })
    })
}

fn write_csv(out: &mut dyn Write, texts: &[Text], found: &[Extraction<'_>], mold: &Mold) -> io::Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for field in mold.groups.iter().flat_map(|group| &group.fields) {
        if !names.contains(&field.name.as_str()) {
            names.push(&field.name);
        }
    }
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["page", "url"].iter().chain(&names).map(|name| output::cell(name).into_owned()))?;
    for (text, extraction) in texts.iter().zip(found) {
        let value = |name: &&str| {
            let values = extraction.values.iter().find(|(known, _)| known == name);
            values.map_or(String::new(), |(_, values)| values.join("\n"))
        };
        let fixed = [text.id().to_owned(), text.url().unwrap_or_default().to_owned()];
        let row = fixed.into_iter().chain(names.iter().map(value));
        table.write_record(row.map(|value| output::cell(&value).into_owned()))?;
    }
    table.flush()
}
