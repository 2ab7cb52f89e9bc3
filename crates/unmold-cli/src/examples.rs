//! What somebody says that pages hold: `price=12.50`, or files of rows.

use crate::{exit::Failure, molds::read_file};
use anyhow::Result;
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;
use std::path::Path;
use unmold::fields::Example;

/// Reads what `--example` was given. Values by name are about one page, until a name comes again:
/// then the next is begun.
pub fn read(given: &[String]) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    let mut by_name: Vec<Example> = Vec::new();
    for text in given {
        match text.split_once('=').filter(|_| !Path::new(text).exists()) {
            Some((name, "")) => {
                return Err(Failure::Usage(format!("--example {name}= has no value")).into());
            }
            Some((name, value)) if !name.is_empty() => add_by_name(&mut by_name, name, value),
            _ if !Path::new(text).exists() => {
                return Err(Failure::Usage(format!(
                    "--example {text} is neither NAME=VALUE nor a file"
                ))
                .into());
            }
            _ => examples.extend(read_rows(Path::new(text))?),
        }
    }
    if by_name.iter().any(|example| example.fields.is_empty()) {
        return Err(Failure::Usage(
            "--example page=NAME says where values are: give a value, too".to_owned(),
        )
        .into());
    }
    examples.extend(by_name);
    Ok(examples)
}

fn add_by_name(examples: &mut Vec<Example>, name: &str, value: &str) {
    let has_it = |example: &Example| match name {
        "page" => example.page.is_some(),
        name => example.fields.iter().any(|(known, _)| known == name),
    };
    if examples.last().is_none_or(has_it) {
        examples.push(Example::default());
    }
    let Some(last) = examples.last_mut() else {
        return;
    };
    match name {
        "page" => last.page = Some(value.to_owned()),
        name => last.fields.push((name.to_owned(), vec![value.to_owned()])),
    }
}

/// The rows of a file: JSON, one JSON object a line, or CSV with a header.
fn read_rows(path: &Path) -> Result<Vec<Example>> {
    let text = read_file(path)?;
    let bad = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
    let is_csv = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("csv"));
    let rows = if is_csv {
        csv_rows(&text)
    } else {
        json_rows(&text)
    };
    let examples = rows.map_err(bad)?;
    if examples.is_empty() {
        return Err(bad("it has no rows".to_owned()).into());
    }
    Ok(examples)
}

fn json_rows(text: &str) -> Result<Vec<Example>, String> {
    let rows: Vec<Row> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|error| error.to_string())?
    } else if let Ok(row) = serde_json::from_str(text) {
        vec![row]
    } else {
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        let read = |(number, line)| {
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))
        };
        lines.map(read).collect::<Result<_, _>>()?
    };
    let numbered = rows.into_iter().enumerate();
    numbered
        .map(|(number, row)| {
            row.example()
                .map_err(|error| format!("row {}: {error}", number + 1))
        })
        .collect()
}

/// A row of a file: what `extract -f jsonl` writes is one, too, once somebody has put the values
/// right.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    page: Option<Value>,
    #[serde(default)]
    fields: Pairs,
    content: Option<Value>,
    #[serde(rename = "url")]
    _url: Option<IgnoredAny>,
    #[serde(rename = "group")]
    _group: Option<IgnoredAny>,
    #[serde(rename = "records")]
    _records: Option<IgnoredAny>,
    #[serde(rename = "doubts")]
    _doubts: Option<IgnoredAny>,
}

/// The members of an object, in their order.
#[derive(Default)]
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("names and values: {\"price\": \"12.50\"}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl Row {
    fn example(self) -> Result<Example, String> {
        let page = match self.page {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name),
            Some(other) => return Err(format!("{other} is no name of a page: give a text")),
        };
        let content = match self.content {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text),
            Some(other) => return Err(format!("{other} is no content: give a text")),
        };
        let fields = self
            .fields
            .0
            .into_iter()
            .map(|(name, value)| Ok((name, texts(value)?)));
        let fields = fields.collect::<Result<Vec<_>, String>>()?;
        let fields: Vec<_> = fields
            .into_iter()
            .filter(|(_, values)| !values.is_empty())
            .collect();
        if fields.is_empty() && content.is_none() {
            return Err("it needs \"fields\": {name: value}, or \"content\"".to_owned());
        }
        Ok(Example {
            page,
            fields,
            content,
        })
    }
}

/// The values of a field: none, one, or a list of them.
fn texts(value: Value) -> Result<Vec<String>, String> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text]),
        Value::Number(_) | Value::Bool(_) => Ok(vec![value.to_string()]),
        Value::Array(values) => Ok(values
            .into_iter()
            .map(texts)
            .collect::<Result<Vec<_>, _>>()?
            .concat()),
        other @ Value::Object(_) => Err(format!("{other} is no value")),
    }
}

/// A column called `page` names the pages, one called `content` is their text, and all others are
/// fields, but for those that `extract` writes before them.
fn csv_rows(text: &str) -> Result<Vec<Example>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.map_err(|error| error.to_string())?;
        let mut example = Example::default();
        for (name, value) in names
            .iter()
            .zip(&record)
            .filter(|(_, value)| !value.is_empty())
        {
            match name {
                "page" => example.page = Some(value.to_owned()),
                "content" => example.content = Some(value.to_owned()),
                "url" | "group" => {}
                name => {
                    // Tables have a line break between the values of a list.
                    let values = value.split('\n').filter(|value| !value.is_empty());
                    let values: Vec<String> = values.map(str::to_owned).collect();
                    if !values.is_empty() {
                        example.fields.push((name.to_owned(), values));
                    }
                }
            }
        }
        let says_nothing = example.fields.is_empty() && example.content.is_none();
        if says_nothing {
            Err("a row has no values".to_owned())
        } else {
            Ok(example)
        }
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
            fields: vec![
                ("price".to_owned(), vec!["12".to_owned()]),
                ("tag".to_owned(), vec!["x".to_owned()]),
            ],
            content: None,
        };
        let row = r#"{"page": "a.html", "fields": {"price": 12, "tag": ["x"], "none": null}}"#;
        assert_eq!(json_rows(row), Ok(vec![example.clone()]));
        assert_eq!(json_rows(&format!("[{row}]")), Ok(vec![example.clone()]));
        assert_eq!(
            json_rows(&format!("{row}\n{row}\n")),
            Ok(vec![example.clone(); 2])
        );
        assert_eq!(
            csv_rows("page,price,none,tag\na.html,12,,x\n"),
            Ok(vec![example])
        );
        let list = csv_rows("tag\n\"x\ny\"\n").unwrap();
        let values = ["x", "y"].map(str::to_owned).to_vec();
        assert_eq!(list[0].fields, [("tag".to_owned(), values)]);
        assert_eq!(
            json_rows("{\n"),
            Err("line 1: EOF while parsing an object at line 1 column 1".to_owned())
        );
        assert!(
            json_rows(r#"{"fileds": {"a": 1}, "content": "x"}"#)
                .unwrap_err()
                .contains("unknown field `fileds`")
        );
        assert_eq!(
            json_rows(r#"{"page": 1, "fields": {"a": 1}}"#),
            Err("row 1: 1 is no name of a page: give a text".to_owned())
        );
        assert_eq!(
            json_rows(r#"{"page": "a"}"#),
            Err("row 1: it needs \"fields\": {name: value}, or \"content\"".to_owned())
        );
    }

    #[test]
    fn what_extract_writes_is_a_row() {
        let fields = vec![
            ("z".to_owned(), vec!["1".to_owned()]),
            ("a".to_owned(), vec!["2".to_owned()]),
        ];
        let example = Example {
            page: Some("p".to_owned()),
            fields,
            content: None,
        };
        let row = r#"{"page": "p", "url": null, "group": 0, "doubts": ["z"], "fields": {"z": ["1"], "a": ["2"], "n": null}}"#;
        assert_eq!(json_rows(row), Ok(vec![example.clone()]));
        assert_eq!(
            csv_rows("page,url,group,z,a\np,,0,1,2\n"),
            Ok(vec![example])
        );
    }

    #[test]
    fn content_is_said_by_a_text() {
        let said = Example {
            page: Some("a".to_owned()),
            content: Some("All of it.".to_owned()),
            ..Example::default()
        };
        assert_eq!(
            json_rows(r#"{"page": "a", "content": "All of it."}"#),
            Ok(vec![said])
        );
        assert_eq!(
            json_rows(r#"{"content": 7}"#),
            Err("row 1: 7 is no content: give a text".to_owned())
        );
    }

    #[test]
    fn values_by_name_are_about_one_page() {
        let given = ["price=12".to_owned(), "title=A = B".to_owned()];
        let fields = [("price", "12"), ("title", "A = B")]
            .map(|(name, value)| (name.to_owned(), vec![value.to_owned()]));
        assert_eq!(
            read(&given).unwrap(),
            [Example {
                fields: fields.to_vec(),
                ..Example::default()
            }]
        );
        let again = ["page=a.html", "price=12", "page=b.html", "price=14"].map(str::to_owned);
        let pages: Vec<_> = read(&again)
            .unwrap()
            .into_iter()
            .map(|example| example.page)
            .collect();
        assert_eq!(
            pages,
            [Some("a.html".to_owned()), Some("b.html".to_owned())]
        );
        assert!(
            read(&["price=".to_owned()])
                .unwrap_err()
                .to_string()
                .contains("has no value")
        );
        assert!(
            read(&["page=a.html".to_owned()])
                .unwrap_err()
                .to_string()
                .contains("give a value")
        );
        assert!(
            read(&["no-such-file.json".to_owned()])
                .unwrap_err()
                .to_string()
                .contains("no-such-file.json")
        );
    }
}
