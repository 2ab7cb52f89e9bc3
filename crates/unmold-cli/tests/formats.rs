//! Rows are as docs/formats.md and the schemas in docs/schemas say.

use crate::common::{pages, rows, stderr, unmold};
use serde_json::Value;
use std::{fs, path::PathBuf};

fn schema(name: &str) -> Value {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    serde_json::from_slice(&fs::read(folder.join(format!("{name}.schema.json"))).unwrap()).unwrap()
}

/// Where a value is not what a schema says, if it is not. Knows the words that the schemas use, and
/// no others.
fn wrong(value: &Value, schema: &Value, place: &str) -> Option<String> {
    const WORDS: [&str; 11] = [
        "$schema",
        "title",
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "enum",
        "minimum",
    ];
    let words = schema.as_object().unwrap();
    assert!(
        words.keys().all(|word| WORDS.contains(&word.as_str())),
        "{words:?}"
    );
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    let is_of_type = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        other => panic!("{other}"),
    };
    let is_listed = schema["enum"]
        .as_array()
        .is_none_or(|values| values.contains(value));
    if !is_of_type || !is_listed {
        return Some(format!("{place}: {value}"));
    }
    let of_items = value
        .as_array()
        .filter(|_| words.contains_key("items"))
        .and_then(|items| {
            let within = |limit: &str, holds: fn(u64, u64) -> bool| {
                schema[limit]
                    .as_u64()
                    .is_none_or(|limit| holds(items.len() as u64, limit))
            };
            if !within("minItems", |count, least| count >= least)
                || !within("maxItems", |count, most| count <= most)
            {
                return Some(format!("{place}: {} items", items.len()));
            }
            items
                .iter()
                .find_map(|item| wrong(item, &schema["items"], &format!("{place}[]")))
        });
    of_items.or_else(|| {
        value
            .as_object()
            .and_then(|object| wrong_member(object, schema, place))
    })
}

fn wrong_member(
    object: &serde_json::Map<String, Value>,
    schema: &Value,
    place: &str,
) -> Option<String> {
    let required = schema["required"].as_array().into_iter().flatten();
    if let Some(missing) = required
        .map(|name| name.as_str().unwrap())
        .find(|name| !object.contains_key(*name))
    {
        return Some(format!("{place}: no {missing}"));
    }
    object.iter().find_map(|(name, value)| {
        let place = format!("{place}.{name}");
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(own), _) => wrong(value, own, &place),
            (None, Value::Bool(false)) => Some(format!("{place}: not in the schema")),
            (None, other @ Value::Object(_)) => wrong(value, other, &place),
            (None, _) => None,
        }
    })
}

fn check(name: &str, rows: &[Value]) {
    let schema = schema(name);
    assert!(!rows.is_empty(), "{name}");
    for row in rows {
        assert_eq!(wrong(row, &schema, name), None, "{row}");
    }
}

#[test]
fn rows_are_as_their_schemas_say() {
    for site in ["shop-en", "forum-ru", "search-zh"] {
        check(
            "extract",
            &rows(unmold(&["extract", "-q"]).arg(pages(site))),
        );
        check(
            "extract",
            &rows(unmold(&["extract", "-q", "--typed", "--all-fields"]).arg(pages(site))),
        );
        check(
            "clean",
            &rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site))),
        );
        check(
            "records",
            &rows(unmold(&["records", "-q", "-f", "jsonl"]).arg(pages(site))),
        );
        check(
            "records",
            &rows(unmold(&["records", "-q", "-f", "jsonl", "--typed"]).arg(pages(site))),
        );
        check(
            "group",
            &rows(unmold(&["group", "-q", "-f", "jsonl"]).arg(pages(site))),
        );
    }
}

#[test]
fn bad_inputs_and_events_are_as_their_schemas_say() {
    let folder = tempfile::tempdir().unwrap();
    let (errors, log, lines) = (
        folder.path().join("errors.jsonl"),
        folder.path().join("log.jsonl"),
        folder.path().join("p.jsonl"),
    );
    fs::write(&lines, "{\"html\":\"<p>one\"}\nnot json\n").unwrap();
    let mut command = unmold(&["clean", "-q", "no-such-file.html", "--errors"]);
    command
        .arg(&errors)
        .arg("--log")
        .arg(&log)
        .arg(&lines)
        .arg(pages("news-de"))
        .assert()
        .code(3);
    let read = |path: &PathBuf| -> Vec<Value> {
        fs::read_to_string(path)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    check("bad-input", &read(&errors));
    let events = read(&log);
    check("log", &events);
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!((names[0], names[names.len() - 1]), ("start", "exit"));
    assert_eq!(names.iter().filter(|&&name| name == "bad-input").count(), 2);
    assert_eq!(events[events.len() - 1]["code"], 3);
}

#[test]
fn rows_stand_in_the_order_of_the_input() {
    let expected: Vec<String> = (1..=21).map(|number| format!("{number:04}.html")).collect();
    for command in ["extract", "clean", "records", "group"] {
        let rows = rows(unmold(&[command, "-q", "-f", "jsonl"]).arg(pages("shop-en")));
        let ids: Vec<&str> = rows
            .iter()
            .map(|row| row["page"].as_str().unwrap())
            .collect();
        assert_eq!(ids, expected, "{command}");
    }
}

#[test]
fn a_schema_that_is_broken_is_noticed() {
    let schema = schema("group");
    for (row, place) in [
        (r#"{"page":"1"}"#, "group: no group"),
        (r#"{"page":"1","group":-1}"#, "group.group: -1"),
        (
            r#"{"page":"1","group":1,"x":1}"#,
            "group.x: not in the schema",
        ),
    ] {
        assert_eq!(
            wrong(&serde_json::from_str(row).unwrap(), &schema, "group").as_deref(),
            Some(place)
        );
    }
}

#[test]
fn the_ending_of_a_file_says_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let written = |command: &[&str], input: &PathBuf, name: &str| {
        let file = folder.path().join(name);
        unmold(&["-q"])
            .args(command)
            .arg(input)
            .arg("-o")
            .arg(&file)
            .assert()
            .success();
        fs::read(&file).unwrap()
    };
    let (site, page, sites) = (
        pages("shop-en"),
        pages("shop-en").join("0019.html"),
        pages("shop-en").parent().unwrap().to_owned(),
    );
    let begins = |command: &[&str], input: &PathBuf, name: &str, start: &str| {
        let text = String::from_utf8_lossy(&written(command, input, name)).into_owned();
        assert!(
            text.starts_with(start),
            "{name}: {}",
            text.chars().take(80).collect::<String>()
        );
    };
    begins(&["extract"], &site, "values.csv", "page,url,group,");
    begins(&["extract"], &site, "values.parquet", "PAR1");
    begins(&["records"], &page, "offers.csv", "page,url,record,");
    // An extension that no format has is a mistake, and so is one of another format.
    for (words, name, reason) in [
        (&["extract"][..], "values.out", "extension out"),
        (&["records"], "values.out", "extension out"),
        (&["extract", "-f", "jsonl"], "json.csv", "extension of csv"),
    ] {
        let file = folder.path().join(name);
        let refused = unmold(&["-q"])
            .args(words)
            .arg(&site)
            .arg("-o")
            .arg(&file)
            .assert()
            .code(2);
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
        assert!(!file.exists());
    }
    begins(&["group"], &site, "groups.jsonl", "{\"page\":");
    begins(&["clean"], &site, "texts.jsonl", "{\"page\":");
    begins(&["clean"], &page, "page.html", "<");
    begins(
        &["eval", "--measure", "content"],
        &sites,
        "scores.HTML",
        "<!doctype html>",
    );
}
