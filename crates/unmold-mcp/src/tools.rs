//! The tools: a question, and its answer as JSON.
//!
//! Each is a function from [folders](Folders) and [parameters](crate::params). An error is a
//! sentence for the model that asked.

use crate::{
    answer::{rows_from, text_from},
    folders::Folders,
    params::{CleanParams, ExtractParams, FolderParams, PageParams, RecordsParams, VisitsParams},
};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use unmold::{
    Reader, Text,
    check::Limits,
    fields::{Example, Value as FieldValue},
    lists::{List, Record},
    mold::{FieldChoice, Group},
    read::{declared::Declared, guarded, tree::Tree},
};

type Answer = Result<Value, String>;

/// Which folders are there?
pub fn folders(folders: &Folders) -> Answer {
    let rows: Vec<Value> = folders
        .iter()
        .map(|(name, folder)| match folder.pages() {
            Ok(pages) => {
                json!({"folder": name, "pages": pages.texts.len(), "bad_inputs": pages.bad.len()})
            }
            Err(reason) => json!({"folder": name, "pages": 0, "error": reason}),
        })
        .collect();
    Ok(json!({ "folders": rows }))
}

/// Which pages are in a folder?
pub fn pages(folders: &Folders, asked: &FolderParams) -> Answer {
    let pages = folders.get(&asked.folder)?.pages()?;
    let rows = rows_from(pages.texts.len(), asked.from, None, |number| {
        let text = &pages.texts[number];
        match text.url() {
            Some(url) => json!({"page": text.id(), "url": url}),
            None => json!({"page": text.id()}),
        }
    });
    Ok(
        json!({"total": pages.texts.len(), "pages": rows.rows, "next": rows.next, "bad_inputs": pages.bad}),
    )
}

/// What do the pages of a folder have in common?
pub fn learn(folders: &Folders, asked: &FolderParams) -> Answer {
    let reader = folders.get(&asked.folder)?.reader()?;
    let groups = &reader.mold().groups;
    let rows = rows_from(groups.len(), asked.from, None, |number| {
        template(&groups[number])
    });
    Ok(json!({"total": groups.len(), "templates": rows.rows, "next": rows.next}))
}

fn template(group: &Group) -> Value {
    let fields: Vec<Value> = group
        .wanted()
        .iter()
        .map(|field| {
            json!({
                "name": field.name,
                "on_pages": percent(field.fill),
                "agreement": percent(field.agreement),
                "samples": field.samples.iter().take(2).collect::<Vec<_>>(),
            })
        })
        .collect();
    let lists: Vec<Value> = group
        .records
        .iter()
        .map(|list| {
            let columns = list.rule.columns().unwrap_or_default();
            let columns: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            json!({"name": list.name, "on_pages": percent(list.fill), "columns": columns})
        })
        .collect();
    json!({"template": group.name, "pages": group.pages, "fields": fields, "lists": lists})
}

fn percent(share: f64) -> f64 {
    (100.0 * share).round()
}

/// Which values do the pages of a folder have?
pub fn extract(folders: &Folders, asked: &ExtractParams) -> Answer {
    let folder = folders.get(&asked.folder)?;
    let pages = folder.pages()?;
    let reader = if !asked.example.is_empty() {
        Arc::new(folder.reader_by(example(asked))?)
    } else if asked.fields.is_empty() {
        folder.reader()?
    } else {
        let all = folder.reader()?;
        Arc::new(with_fields(&all, &asked.fields)?)
    };
    let rows = rows_from(pages.texts.len(), asked.from, asked.limit, |number| {
        row(&reader, &pages.texts[number])
    });
    Ok(json!({"total": pages.texts.len(), "rows": rows.rows, "next": rows.next}))
}

/// A reader that gives these fields alone.
fn with_fields(reader: &Reader, names: &[String]) -> Result<Reader, String> {
    let mut mold = reader.mold().clone();
    mold.choose(&FieldChoice::Named(names.to_vec()))
        .map_err(|error| error.to_string())?;
    Ok(mold.reader())
}

fn example(asked: &ExtractParams) -> Example {
    let fields = asked
        .example
        .iter()
        .map(|(name, value)| (name.clone(), vec![value.clone()]));
    Example {
        page: asked.example_page.clone(),
        fields: fields.collect(),
        content: None,
    }
}

/// The values of a page, and which of them are in doubt and why.
fn row(reader: &Reader, text: &Text) -> Value {
    let found = match reader.read(text) {
        Ok(found) => found,
        Err(error) => return json!({"page": text.id(), "error": error.to_string()}),
    };
    let (mut fields, mut doubts) = (Map::new(), Map::new());
    for field in found.fields() {
        let values: Vec<&str> = field.values().map(FieldValue::text).collect();
        let value = match values[..] {
            [] => Value::Null,
            [value] => json!(value),
            _ => json!(values),
        };
        fields.insert(field.name().to_owned(), value);
        if let Some(doubt) = field.doubt() {
            doubts.insert(field.name().to_owned(), json!(doubt.name()));
        }
    }
    let mut row = json!({"page": text.id(), "template": found.group(), "fields": fields});
    if !doubts.is_empty() {
        row["in_doubt"] = Value::Object(doubts);
    }
    row
}

/// What is the main content of a page?
pub fn clean(folders: &Folders, asked: &CleanParams) -> Answer {
    let folder = folders.get(&asked.folder)?;
    let (pages, number) = folder.page(&asked.page)?;
    let reader = folder.reader()?;
    let text = &pages.texts[number];
    let found = reader.read(text).map_err(|error| error.to_string())?;
    let content = found.content();
    let written = if asked.plain {
        content.text()
    } else {
        content.markdown()
    };
    let (piece, next) = text_from(&written, asked.from);
    let mut answer = json!({
        "page": text.id(),
        "title": found.about().title,
        "date": found.about().date,
        "content": piece,
        "characters": written.chars().count(),
        "next": next,
    });
    if let Some(lack) = content.lack() {
        answer["lack"] = json!(lack.name());
    }
    Ok(answer)
}

/// What does a page list?
pub fn records(folders: &Folders, asked: &RecordsParams) -> Answer {
    let folder = folders.get(&asked.folder)?;
    let (pages, number) = folder.page(&asked.page)?;
    let reader = folder.reader()?;
    let text = &pages.texts[number];
    let found = reader.read(text).map_err(|error| error.to_string())?;
    let lists: Vec<_> = found.lists().collect();
    let summary: Vec<Value> = lists
        .iter()
        .map(|found| json!({"name": found.name, "records": found.list.records.len()}))
        .collect();
    let chosen = match &asked.list {
        None => lists.first(),
        Some(name) => Some(
            lists
                .iter()
                .find(|found| found.name == name)
                .ok_or_else(|| {
                    format!(
                        "no list named {name:?} on this page; there are: {}",
                        json!(summary)
                    )
                })?,
        ),
    };
    let Some(chosen) = chosen else {
        return Ok(json!({"page": text.id(), "lists": [], "records": [], "next": null}));
    };
    let found_records = &chosen.list.records;
    let rows = rows_from(found_records.len(), asked.from, None, |number| {
        record_row(text, chosen.list, &found_records[number])
    });
    Ok(json!({
        "page": text.id(),
        "lists": summary,
        "list": chosen.name,
        "records": rows.rows,
        "next": rows.next,
    }))
}

/// The values of a record by column; several of one column are a list.
fn record_row(text: &Text, list: &List<'_>, record: &Record) -> Value {
    let mut row = Map::new();
    for field in &record.fields {
        let value = json!(field.value(text.as_str(), &list.columns));
        let name = &list.columns[field.column].name;
        match row.get_mut(name) {
            None => {
                row.insert(name.clone(), value);
            }
            Some(Value::Array(values)) => values.push(value),
            Some(known) => *known = Value::Array(vec![known.take(), value]),
        }
    }
    Value::Object(row)
}

/// What does a page declare for machines?
pub fn declared(folders: &Folders, asked: &PageParams) -> Answer {
    let (pages, number) = folders.get(&asked.folder)?.page(&asked.page)?;
    let text = &pages.texts[number];
    let declared = guarded(text, |text| {
        let declared = Declared::with_state(&Tree::new(text.as_str()));
        let statements: Vec<Value> = declared
            .statements()
            .iter()
            .map(|statement| {
                json!({
                    "from": statement.vocabulary.name(),
                    "type": statement.kind,
                    "path": statement.path,
                    "value": statement.value.text,
                })
            })
            .collect();
        statements
    })
    .map_err(|error| error.to_string())?;
    let total = declared.len();
    let rows = rows_from(total, asked.from, None, |number| declared[number].clone());
    Ok(json!({"page": text.id(), "total": total, "statements": rows.rows, "next": rows.next}))
}

/// Do the rules of the earlier visit still hold on the pages of the later one?
pub fn check(folders: &Folders, asked: &VisitsParams) -> Answer {
    let reader = folders.get(&asked.old)?.reader()?;
    let pages = folders.get(&asked.new)?.pages()?;
    let report = reader
        .mold()
        .checker()
        .measure(&pages.texts)
        .report(&Limits::default());
    let findings = &report.findings;
    let rows = rows_from(findings.len(), asked.from, None, |number| {
        json!(findings[number])
    });
    Ok(json!({
        "verdict": report.verdict,
        "pages": report.pages,
        "pages_of_no_template": report.unplaced.len(),
        "findings": rows.rows,
        "next": rows.next,
    }))
}

/// What changed on the site from one visit to the next?
pub fn changes(folders: &Folders, asked: &VisitsParams) -> Answer {
    let reader = folders.get(&asked.old)?.reader()?;
    let old = folders.get(&asked.old)?.pages()?;
    let new = folders.get(&asked.new)?.pages()?;
    let changes = reader.mold().changes(&old.texts, &new.texts);
    let total = changes.pages.len();
    let rows = rows_from(total, asked.from, None, |number| {
        json!(changes.pages[number])
    });
    Ok(json!({
        "changed": total,
        "unchanged": changes.unchanged,
        "not_compared": changes.failed.len(),
        "pages": rows.rows,
        "next": rows.next,
    }))
}
