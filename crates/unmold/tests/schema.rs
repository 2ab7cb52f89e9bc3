//! docs/mold.schema.json says what the types say.
//!
//! The names that a part of a mold may have are asked of the types themselves: a name that is none
//! is refused, and the refusal lists those that are. They must be the properties of the schema, no
//! more and no fewer.

use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path};
use unmold::{Mold, Text};

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mold.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A mold with everything that has a type of its own.
fn full() -> Value {
    let content = json!({"regions": [{"path": "html body"}], "repeats": {"text": []}});
    json!({
        "unmold": 2,
        "learned": {"method": "fields"},
        "contents": [content],
        "groups": [{
            "name": "g",
            "looks": [{"fingerprint": {"pages": 1, "paths": ""}}],
            "content": content,
            "template": {"patterns": [{"name": "n", "regex": "x"}], "strings": [{"string": "a", "tf": 1, "df": 1}]},
            "fields": [{
                "name": "a",
                "held_out": {"pages": 1, "fill": 1.0, "agreement": 1.0},
                "part": {"separator": ", ", "number": 0},
                "views": [{"kind": "path", "path": "html"}, {"kind": "lr", "left": "<", "right": ">"}],
            }],
            "records": [{"name": "r", "fill": 1.0, "rule": {"method": "delimiters", "left": "<", "right": ">"}}],
        }],
    })
}

/// The names in the refusal of a mold, behind "expected one of" or "expected".
fn refusal(mold: &Value) -> String {
    Mold::from_json(&mold.to_string()).unwrap_err().to_string()
}

fn expected(refusal: &str) -> BTreeSet<String> {
    let list = refusal
        .split_once(", expected ")
        .unwrap_or_else(|| panic!("{refusal}"))
        .1;
    list.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn properties(schema: &Value) -> BTreeSet<String> {
    schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

#[test]
fn the_schema_has_the_names_that_the_types_have() {
    let schema = schema();
    Mold::from_json(&full().to_string()).unwrap();
    for (place, definition) in [
        ("", ""),
        ("/learned", "Provenance"),
        ("/contents/0", "Content"),
        ("/contents/0/regions/0", "Region"),
        ("/contents/0/repeats", "Repeats"),
        ("/groups/0", "Group"),
        ("/groups/0/looks/0", "Look"),
        ("/groups/0/looks/0/fingerprint", "Fingerprint"),
        ("/groups/0/template", "Template"),
        ("/groups/0/template/patterns/0", "Pattern"),
        ("/groups/0/template/strings/0", "TemplateString"),
        ("/groups/0/fields/0", "Field"),
        ("/groups/0/fields/0/held_out", "HeldOut"),
        ("/groups/0/fields/0/part", "Part"),
        ("/groups/0/records/0", "List"),
    ] {
        let mut mold = full();
        mold.pointer_mut(place).unwrap()["surprise"] = json!(1);
        let defined = if definition.is_empty() {
            &schema
        } else {
            &schema["$defs"][definition]
        };
        assert_eq!(expected(&refusal(&mold)), properties(defined), "{place}");
    }
}

#[test]
fn the_schema_has_the_views_that_the_types_have_each_with_an_example_that_is_read() {
    let schema = schema();
    let mut mold = full();
    mold["groups"][0]["fields"][0]["views"] = json!([{"kind": "surprise"}]);
    let kinds = expected(&refusal(&mold));
    let views = schema["$defs"]["View"]["anyOf"].as_array().unwrap();
    let mut known = BTreeSet::new();
    for view in views {
        let names = view["properties"]["kind"]["enum"].as_array().unwrap();
        known.extend(names.iter().map(|name| name.as_str().unwrap().to_owned()));
        mold["groups"][0]["fields"][0]["views"] = view["examples"].clone();
        let read = Mold::from_json(&mold.to_string()).unwrap();
        let written = serde_json::to_value(&read.groups[0].fields[0].views[0]).unwrap();
        assert_eq!(written, view["examples"][0]);
        mold["groups"][0]["fields"][0]["views"][0]["surprise"] = json!(1);
        let mut names = expected(&refusal(&mold));
        names.insert("kind".to_owned());
        assert_eq!(names, properties(view));
    }
    assert!(kinds.is_subset(&known), "{kinds:?} {known:?}");
    // Names of version 1 are read too, though the refusal does not list them.
    for name in &known {
        let view = json!([if name == "lr" {
            json!({"kind": name, "left": "<", "right": ">"})
        } else {
            json!({"kind": name})
        }]);
        mold["groups"][0]["fields"][0]["views"] = view;
        Mold::from_json(&mold.to_string()).unwrap();
    }
}

#[test]
fn a_field_needs_a_name_and_one_view() {
    let mold = json!({"unmold": 2, "groups": [{"name": "product", "fields": [
        {"name": "price", "views": [{"kind": "named-element", "text": "itemprop=price"}]}]}]});
    let mold = Mold::from_json(&mold.to_string()).unwrap();
    let page = Text::from_string(
        "1",
        "<h1>Kettle</h1><p>Only <b itemprop=price>£48.50</b> today</p>",
    );
    let reader = mold.reader();
    let found = reader.read(&page).unwrap();
    let price: Vec<_> = found
        .fields()
        .flat_map(|field| field.values().map(|value| value.text().to_owned()))
        .collect();
    assert_eq!((found.group(), price), (Some(0), vec!["£48.50".to_owned()]));
}
