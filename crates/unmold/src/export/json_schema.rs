//! What rows does `extract -f jsonl` write with a mold? A JSON Schema of them.

use super::{Exported, ExportedRule, Proof, State};
use crate::{
    Mold, Text,
    fields::{Field, Type},
    mold::Group,
};
use serde_json::{Map, Value, json};

pub(super) fn export(mold: &Mold, pages: &[Text]) -> Exported {
    let of_none = json!({"properties": {"group": {"const": null}}});
    let groups = mold
        .groups
        .iter()
        .enumerate()
        .map(|(at, group)| row(at, group))
        .chain([of_none]);
    let groups: Vec<Value> = groups.collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A row of `unmold extract -f jsonl`",
        "description": format!(
            "Exported by unmold {} from a mold that was learned from {} pages (method {}, hash {}).",
            env!("CARGO_PKG_VERSION"), mold.learned.pages, mold.learned.method, mold.learned.hash
        ),
        "type": "object",
        "required": ["page", "group"],
        "properties": {
            "page": {"type": "string", "description": "Which page."},
            "url": {"type": "string", "description": "Its address."},
            "group": {"description": "The group of the mold that it fits, from 0.", "type": ["integer", "null"]},
            "fields": {"type": "object"},
            "doubts": {"type": "array", "items": {"type": "string"}, "description": "Fields whose values may be wrong."},
            "records": {"type": "object"},
        },
        "anyOf": groups,
    });
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n";
    Exported {
        text,
        rules: rules(mold, pages),
    }
}

/// A row of a page of one group.
fn row(at: usize, group: &Group) -> Value {
    let fields: Map<String, Value> = group
        .wanted()
        .iter()
        .map(|field| (field.name.clone(), of_field(field)))
        .collect();
    let lists: Map<String, Value> = group
        .records
        .iter()
        .map(|list| (list.name.clone(), of_list()))
        .collect();
    let names: Vec<&String> = fields.keys().collect();
    json!({
        "title": group.name,
        "properties": {
            "group": {"const": at},
            "fields": {"type": "object", "required": names, "properties": fields, "additionalProperties": false},
            "records": {"type": "object", "properties": lists},
        },
    })
}

fn of_field(field: &Field) -> Value {
    let mut values = json!({
        "type": ["array", "null"],
        "items": {"type": "string", "minLength": 1},
        "description": about(field),
        "examples": [field.samples],
    });
    if !field.many {
        values["maxItems"] = json!(1);
    }
    values
}

fn about(field: &Field) -> String {
    let kind = match field.kind {
        Type::Text => "text",
        Type::Number => "numbers",
        Type::Money => "amounts of money",
        Type::Date => "days",
        Type::Time => "times of day",
        Type::Url => "addresses",
        Type::Email => "e-mail addresses",
        Type::Id => "names of letters and digits",
    };
    let label = if field.label.is_empty() {
        String::new()
    } else {
        format!(", called {:?} on the pages", field.label)
    };
    format!(
        "Mostly {kind}, on {:.0} % of the pages{label}.",
        100.0 * field.fill
    )
}

fn of_list() -> Value {
    let record = json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}});
    json!({"type": "array", "items": record})
}

/// Each field as a rule: on how many sample pages the rows of the mold are what the schema says.
fn rules(mold: &Mold, pages: &[Text]) -> Vec<ExportedRule> {
    let reader = mold.reader();
    let found: Vec<_> = pages
        .iter()
        .filter_map(|page| reader.read(page).ok())
        .collect();
    let mut rules = Vec::new();
    for (at, group) in mold.groups.iter().enumerate() {
        let own: Vec<_> = found
            .iter()
            .filter(|found| found.group() == Some(at))
            .collect();
        for (number, field) in group.wanted().iter().enumerate() {
            let count = |found: &&&crate::Extraction<'_>| {
                found
                    .fields()
                    .nth(number)
                    .is_none_or(|found| field.many || found.values().count() <= 1)
            };
            let proof = Proof {
                pages: own.len(),
                equal: own.iter().filter(count).count(),
            };
            rules.push(ExportedRule {
                number: at,
                group: group.name.clone(),
                name: field.name.clone(),
                rule: Some(of_field(field).to_string()),
                many: field.many,
                state: State::of(proof, true),
                proof,
                ..ExportedRule::default()
            });
        }
    }
    rules
}
