//! What is written, byte for byte as on the command line?

use crate::{
    answer::{Answer, Problem, nth},
    session::Session,
};
use rayon::prelude::*;
use serde::Serialize;
use unmold::{
    Mold, Text,
    export::{self, ExportedRule, Target},
    mold::Group,
    reader::Part,
    report::{
        rows::{self, Columns},
        table::{Csv, Table},
    },
};
use unmold_io::table::write_parquet;

/// A file for the browser to keep.
pub struct File {
    pub name: &'static str,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// What can be written.
pub fn export(session: &Session, format: &str) -> Answer<File> {
    let version = session.version();
    let (mold, texts) = (&version.mold, session.texts());
    let file = |name, media_type, bytes| {
        Ok(File {
            name,
            media_type,
            bytes,
        })
    };
    match format {
        "mold" => file(
            "site.mold.json",
            "application/json",
            mold.to_json().into_bytes(),
        ),
        "csv" => file(
            "site.csv",
            "text/csv; charset=utf-8",
            csv(&table(mold, texts))?,
        ),
        "jsonl" => file("site.jsonl", "application/jsonl", jsonl(mold, texts)),
        "parquet" => file(
            "site.parquet",
            "application/vnd.apache.parquet",
            parquet(&table(mold, texts))?,
        ),
        other => {
            let target: Target = other.parse().map_err(|_| Problem::Unknown)?;
            let pages = spread(&texts.iter().collect::<Vec<_>>());
            file(
                target.file_name(),
                "text/plain; charset=utf-8",
                rules(mold, target, &pages)?.text.into_bytes(),
            )
        }
    }
}

/// A list on all pages of its group.
pub fn list(session: &Session, group: usize, list: usize, format: &str) -> Answer<File> {
    let table = &session.list(group, list)?.table;
    let (name, media_type, bytes) = match format {
        "csv" => ("list.csv", "text/csv; charset=utf-8", csv(table)?),
        "jsonl" => ("list.jsonl", "application/jsonl", json_lines(table)),
        "parquet" => (
            "list.parquet",
            "application/vnd.apache.parquet",
            parquet(table)?,
        ),
        _ => return Err(Problem::Unknown),
    };
    Ok(File {
        name,
        media_type,
        bytes,
    })
}

/// A row of a table under the names of its columns.
struct NamedRow<'t>(&'t Table, &'t [Vec<String>]);

impl Serialize for NamedRow<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NamedRow(table, row) = self;
        let named = table.columns.iter().zip(*row);
        let filled = named.filter(|(_, cell)| !cell.is_empty());
        serializer.collect_map(filled.map(|(column, cell)| (&column.name, Values(cell))))
    }
}

/// One value, or a list of several.
struct Values<'t>(&'t [String]);

impl Serialize for Values<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [value] => value.serialize(serializer),
            values => values.serialize(serializer),
        }
    }
}

fn json_lines(table: &Table) -> Vec<u8> {
    let mut lines = Vec::new();
    for row in &table.rows {
        if let Ok(line) = serde_json::to_string(&NamedRow(table, row)) {
            lines.extend(line.into_bytes());
            lines.push(b'\n');
        }
    }
    lines
}

/// Rules are proven on no more pages than these.
const PROVEN_ON: usize = 60;

/// Pages spread evenly over all.
fn spread(texts: &[&Text]) -> Vec<Text> {
    let count = texts.len().min(PROVEN_ON);
    (0..count)
        .map(|at| Text::clone(texts[at * texts.len() / count]))
        .collect()
}

fn rules(mold: &Mold, target: Target, pages: &[Text]) -> Answer<export::Exported> {
    export::export(mold, target, pages).map_err(|error| Problem::Refused(error.to_string()))
}

/// The rule of a field for other tools.
#[derive(Serialize)]
pub struct FieldRules {
    css: Option<Rule>,
    xpath: Option<Rule>,
}

/// A rule in the form of another tool, and how sure it is.
#[derive(Serialize)]
struct Rule {
    rule: Option<String>,
    remark: Option<String>,
}

/// A field as CSS and as XPath, proven on pages of its group.
pub fn field_rules(session: &Session, group: usize, field: usize) -> Answer<FieldRules> {
    let (version, overview) = (session.version(), session.overview());
    let whole = nth(&version.mold.groups, group)?;
    let name = &nth(whole.wanted(), field)?.name;
    let mold = Mold::new(
        version.mold.learned.clone(),
        Vec::new(),
        vec![alone(whole, field)],
    );
    let texts: Vec<&Text> = overview.of_group[group]
        .iter()
        .map(|&page| &session.texts()[page])
        .collect();
    let pages = spread(&texts);
    let rule = |target| -> Answer<Option<Rule>> {
        let found = rules(&mold, target, &pages)?
            .rules
            .into_iter()
            .find(|rule| rule.name == *name);
        Ok(found.map(|rule: ExportedRule| Rule {
            remark: rule.remark(),
            rule: rule.rule,
        }))
    };
    Ok(FieldRules {
        css: rule(Target::Css)?,
        xpath: rule(Target::Xpath)?,
    })
}

/// The group with one field that is wanted; the others stay, since what stands behind their labels
/// is theirs.
fn alone(group: &Group, field: usize) -> Group {
    let mut alone = group.clone();
    alone.fields.swap(0, field);
    alone.wanted = Some(1);
    alone.records.clear();
    for look in &mut alone.looks {
        look.content = None;
    }
    alone
}

/// Pages that show an error of this program have no row, as on the command line.
fn table(mold: &Mold, texts: &[Text]) -> Table {
    let (columns, reader) = (Columns::of(mold), mold.reader().only(&[Part::Fields]));
    let rows = texts
        .par_iter()
        .filter_map(|text| Some(columns.row(&reader.read(text).ok()?)));
    let rows = rows.collect();
    Table {
        columns: columns.columns().to_vec(),
        rows,
    }
}

fn csv(table: &Table) -> Answer<Vec<u8>> {
    let mut bytes = Vec::new();
    Csv::default()
        .write(table, &mut bytes)
        .map_err(|error| Problem::Refused(error.to_string()))?;
    Ok(bytes)
}

fn parquet(table: &Table) -> Answer<Vec<u8>> {
    let mut bytes = Vec::new();
    write_parquet(table, &mut bytes).map_err(|error| Problem::Refused(error.to_string()))?;
    Ok(bytes)
}

fn jsonl(mold: &Mold, texts: &[Text]) -> Vec<u8> {
    let reader = mold.reader().only(&[Part::Fields, Part::Lists]);
    let lines = texts
        .par_iter()
        .filter_map(|text| Some(rows::json(&reader.read(text).ok()?) + "\n"));
    lines.collect::<Vec<String>>().concat().into_bytes()
}
