//! What somebody says that pages hold: `price=12.50`, or files of rows.

use crate::{exit::Failure, molds::read_file};
use anyhow::Result;
use serde_json::Value;
use std::path::Path;
use unmold::fields::Example;

/// Reads what `--example` was given. Values by name are about one page, whichever has all of them.
pub fn read(given: &[String]) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    let mut by_name = Example::default();
    for text in given {
        match text.split_once('=').filter(|_| !Path::new(text).exists()) {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                by_name.fields.push((name.to_owned(), vec![value.to_owned()]));
            }
            _ => examples.extend(read_rows(Path::new(text))?),
        }
    }
    if !by_name.fields.is_empty() {
        examples.push(by_name);
    }
    Ok(examples)
}

/// The rows of a file: JSON, one JSON object a line, or CSV with a header.
fn read_rows(path: &Path) -> Result<Vec<Example>> {
    let text = read_file(path)?;
    let bad = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
    let is_csv = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
    let rows = if is_csv { csv_rows(&text) } else { json_rows(&text) };
    let examples = rows.map_err(bad)?;
    if examples.is_empty() {
        return Err(bad("it has no rows".to_owned()).into());
    }
    Ok(examples)
}

fn json_rows(text: &str) -> Result<Vec<Example>, String> {
    let values = match serde_json::from_str(text) {
        Ok(Value::Array(rows)) => rows,
        Ok(row) => vec![row],
        Err(_) => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let read =
                |(number, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1));
            lines.map(read).collect::<Result<_, _>>()?
        }
    };
    values
        .iter()
        .enumerate()
        .map(|(number, row)| json_row(row).map_err(|error| format!("row {}: {error}", number + 1)))
        .collect()
}

fn json_row(row: &Value) -> Result<Example, String> {
    let page = row["page"].as_str().map(str::to_owned);
    let content = match &row["content"] {
        Value::Null => None,
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        other => return Err(format!("{other} is no content: give a text")),
    };
    let fields = match &row["fields"] {
        Value::Null if content.is_some() => Vec::new(),
        fields => json_fields(fields)?,
    };
    Ok(Example { page, fields, content })
}

fn json_fields(fields: &Value) -> Result<Vec<(String, Vec<String>)>, String> {
    let fields = fields.as_object().ok_or("it needs \"fields\": {name: value}, or \"content\"")?;
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        other => Err(format!("{other} is no value")),
    };
    let read = |(name, value): (&String, &Value)| {
        let values = match value {
            Value::Array(values) => values.iter().map(text).collect::<Result<Vec<_>, _>>()?,
            Value::Null => Vec::new(),
            value => vec![text(value)?],
        };
        Ok((name.clone(), values))
    };
    let fields = fields.iter().map(read).collect::<Result<Vec<_>, String>>()?;
    let fields: Vec<_> = fields.into_iter().filter(|(_, values)| !values.is_empty()).collect();
    if fields.is_empty() { Err("it has no values".to_owned()) } else { Ok(fields) }
}

/// A column called `page` names the pages, all others are fields.
fn csv_rows(text: &str) -> Result<Vec<Example>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.map_err(|error| error.to_string())?;
        let mut example = Example::default();
        for (name, value) in names.iter().zip(&record).filter(|(_, value)| !value.is_empty()) {
            match name {
                "page" => example.page = Some(value.to_owned()),
                name => example.fields.push((name.to_owned(), vec![value.to_owned()])),
            }
        }
        if example.fields.is_empty() { Err("a row has no values".to_owned()) } else { Ok(example) }
    };
    reader.records().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_from_json_lines_and_tables() {
        let example = Example {
            page: Some("a.html".to_owned()),
            fields: vec![("price".to_owned(), vec!["12".to_owned()]), ("tag".to_owned(), vec!["x".to_owned()])],
            content: None,
        };
        let row = r#"{"page": "a.html", "fields": {"price": 12, "tag": ["x"], "none": null}}"#;
        assert_eq!(json_rows(row), Ok(vec![example.clone()]));
        assert_eq!(json_rows(&format!("[{row}]")), Ok(vec![example.clone()]));
        assert_eq!(json_rows(&format!("{row}\n{row}\n")), Ok(vec![example.clone(); 2]));
        assert_eq!(csv_rows("page,price,none,tag\na.html,12,,x\n"), Ok(vec![example]));
        assert_eq!(json_rows("{\n"), Err("line 1: EOF while parsing an object at line 1 column 1".to_owned()));
        assert_eq!(
            json_rows(r#"{"page": "a"}"#),
            Err("row 1: it needs \"fields\": {name: value}, or \"content\"".to_owned())
        );
    }

    #[test]
    fn content_is_said_by_a_text() {
        let said = Example { page: Some("a".to_owned()), content: Some("All of it.".to_owned()), ..Example::default() };
        assert_eq!(json_rows(r#"{"page": "a", "content": "All of it."}"#), Ok(vec![said]));
        assert_eq!(json_rows(r#"{"content": 7}"#), Err("row 1: 7 is no content: give a text".to_owned()));
    }

    #[test]
    fn values_by_name_are_about_one_page() {
        let given = ["price=12".to_owned(), "title=A = B".to_owned()];
        let fields =
            [("price", "12"), ("title", "A = B")].map(|(name, value)| (name.to_owned(), vec![value.to_owned()]));
        assert_eq!(read(&given).unwrap(), [Example { fields: fields.to_vec(), ..Example::default() }]);
        assert!(read(&["no-such-file.json".to_owned()]).unwrap_err().to_string().contains("no-such-file.json"));
    }
}
