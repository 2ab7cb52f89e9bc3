//! What is different between two molds?
//!
//! ```
//! use unmold::{Mold, check::diff};
//!
//! let mold = |names: &[&str]| {
//!     let fields: Vec<String> = names.iter()
//!         .map(|name| format!(r#"{{"name": "{name}", "fill": 1, "views": [{{"kind": "lr", "left": "<i>", "right": "<"}}]}}"#))
//!         .collect();
//!     Mold::from_json(&format!(r#"{{"unmold": 1, "learned": {{"method": "lr", "pages": 1, "bytes": 1, "hash": ""}},
//!         "groups": [{{"name": "shop", "pages": 3, "fields": [{}]}}]}}"#, fields.join(","))).unwrap()
//! };
//! let differences = diff(&mold(&["price", "name"]), &mold(&["name", "weight"]));
//! let lines: Vec<String> = differences.iter().map(|difference| difference.to_string()).collect();
//! assert_eq!(lines, ["shop: field price is gone", "shop: field weight is new: 1 view"]);
//! ```

use crate::{
    Mold,
    fields::{Field, Part, View},
    mold::Group,
};
use serde::Serialize;
use std::{cmp::Reverse, collections::HashMap, fmt};

/// One thing that is different.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The group, empty for the mold as a whole.
    pub group: String,
    /// What it is: `field`, `list`, `group`, `content`, `looks`, `order`.
    pub what: &'static str,
    /// What it is called.
    pub name: String,
    /// What happened to it.
    pub change: ChangeKind,
    /// How it is different, line by line.
    pub details: Vec<String>,
}

/// What happened to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// Only the second mold has it.
    New,
    /// Only the first has it.
    Gone,
    /// Both have it, and not the same.
    Changed,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.group.is_empty() {
            write!(f, "{}: ", self.group)?;
        }
        let name = if self.name.is_empty() {
            String::new()
        } else {
            format!(" {}", self.name)
        };
        let happened = match self.change {
            ChangeKind::New => "is new",
            ChangeKind::Gone => "is gone",
            ChangeKind::Changed => "is different",
        };
        write!(f, "{}{name} {happened}", self.what)?;
        match self.details.as_slice() {
            [] => Ok(()),
            [one] => write!(f, ": {one}"),
            many => many.iter().try_for_each(|line| write!(f, "\n    {line}")),
        }
    }
}

/// What is different in the second mold. Groups, fields and lists are the same if they are called
/// the same; of several groups of a name, those are whose fields are found in the most of the same
/// ways.
pub fn diff(before: &Mold, after: &Mold) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (group, partner) in paired(
        &before.groups,
        &after.groups,
        |group| &group.name,
        shared_views,
    ) {
        match (group, partner) {
            (Some(before), Some(after)) => differences.extend(in_group(before, after)),
            (Some(gone), None) => differences.push(whole_group(gone, ChangeKind::Gone)),
            (None, Some(new)) => differences.push(whole_group(new, ChangeKind::New)),
            (None, None) => {}
        }
    }
    if before.contents != after.contents {
        let details = vec![format!(
            "{}, {} before",
            counted(after.contents.len(), "rule"),
            before.contents.len()
        )];
        differences.push(difference("", "content", "", ChangeKind::Changed, details));
    }
    differences
}

fn difference(
    group: &str,
    what: &'static str,
    name: &str,
    change: ChangeKind,
    details: Vec<String>,
) -> Difference {
    Difference {
        group: group.to_owned(),
        what,
        name: name.to_owned(),
        change,
        details,
    }
}

fn whole_group(group: &Group, change: ChangeKind) -> Difference {
    let (fields, lists) = (
        counted(group.fields.len(), "field"),
        counted(group.records.len(), "list"),
    );
    let details = vec![format!(
        "{fields}, {lists}, {}",
        counted(group.pages, "page")
    )];
    difference("", "group", &group.name, change, details)
}

/// Things of one name, in the order of the first and then of what only the second has.
type Pairs<'a, T> = Vec<(Option<&'a T>, Option<&'a T>)>;

/// The things of two lists by name; of several of a name each goes with the one that is most like
/// it, or with the first.
fn paired<'a, T>(
    before: &'a [T],
    after: &'a [T],
    name: impl Fn(&T) -> &String,
    likeness: impl Fn(&T, &T) -> usize,
) -> Pairs<'a, T> {
    let namesakes = before.iter().enumerate().flat_map(|(old, one)| {
        let (name, likeness) = (&name, &likeness);
        let others = after
            .iter()
            .enumerate()
            .filter(move |(_, other)| name(one) == name(other));
        others.map(move |(new, other)| (Reverse(likeness(one, other)), old, new))
    });
    let mut namesakes: Vec<(Reverse<usize>, usize, usize)> = namesakes.collect();
    namesakes.sort_unstable();
    let (mut partners, mut is_taken) = (vec![None; before.len()], vec![false; after.len()]);
    for (_, old, new) in namesakes {
        if partners[old].is_none() && !is_taken[new] {
            (partners[old], is_taken[new]) = (Some(&after[new]), true);
        }
    }
    let new = after
        .iter()
        .zip(is_taken)
        .filter(|(_, is_taken)| !is_taken)
        .map(|(new, _)| (None, Some(new)));
    before.iter().map(Some).zip(partners).chain(new).collect()
}

/// How many views the fields of two groups have in common.
fn shared_views(one: &Group, other: &Group) -> usize {
    let fields: HashMap<&str, &Field> = other
        .fields
        .iter()
        .map(|field| (field.name.as_str(), field))
        .collect();
    let shared = |field: &Field, namesake: &Field| {
        field
            .views
            .iter()
            .filter(|view| namesake.views.iter().any(|other| is_same(view, other)))
            .count()
    };
    one.fields
        .iter()
        .filter_map(|field| Some(shared(field, fields.get(field.name.as_str())?)))
        .sum()
}

fn in_group(before: &Group, after: &Group) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut say = |what, name: &str, change, details| {
        differences.push(difference(&before.name, what, name, change, details));
    };
    for pair in paired(&before.fields, &after.fields, |field| &field.name, |_, _| 0) {
        match pair {
            (Some(old), Some(new)) if old != new => {
                let details = Some(field_details(old, new)).filter(|details| !details.is_empty());
                let details = details
                    .unwrap_or_else(|| vec!["its samples, tests or weights alone".to_owned()]);
                say("field", &old.name, ChangeKind::Changed, details);
            }
            (Some(old), None) => say("field", &old.name, ChangeKind::Gone, Vec::new()),
            (None, Some(new)) => say(
                "field",
                &new.name,
                ChangeKind::New,
                vec![counted(new.views.len(), "view")],
            ),
            _ => {}
        }
    }
    for pair in paired(&before.records, &after.records, |list| &list.name, |_, _| 0) {
        match pair {
            (Some(old), Some(new)) if old != new => {
                say(
                    "list",
                    &old.name,
                    ChangeKind::Changed,
                    vec!["its rule or its columns".to_owned()],
                );
            }
            (Some(old), None) => say("list", &old.name, ChangeKind::Gone, Vec::new()),
            (None, Some(new)) => say("list", &new.name, ChangeKind::New, Vec::new()),
            _ => {}
        }
    }
    if before.looks != after.looks {
        let details = vec![format!(
            "{} fingerprints, {} before",
            after.looks.len(),
            before.looks.len()
        )];
        say("looks", "", ChangeKind::Changed, details);
    }
    if before.content != after.content {
        say("content", "", ChangeKind::Changed, Vec::new());
    }
    if order(before, after) != order(after, before) {
        say(
            "order",
            "of wanted fields",
            ChangeKind::Changed,
            vec![order(after, before).join(", ")],
        );
    }
    differences
}

/// The wanted fields that another group wants too.
fn order<'g>(group: &'g Group, other: &Group) -> Vec<&'g str> {
    let is_shared = |name: &&str| other.wanted().iter().any(|field| field.name == *name);
    group
        .wanted()
        .iter()
        .map(|field| field.name.as_str())
        .filter(is_shared)
        .collect()
}

/// How two fields of one name differ.
pub(super) fn field_details(before: &Field, after: &Field) -> Vec<String> {
    let mut details = Vec::new();
    let mut say = |what: &str, before: String, after: String| {
        if before != after {
            details.push(format!("{what}: {before} -> {after}"));
        }
    };
    say(
        "label",
        format!("{:?}", before.label),
        format!("{:?}", after.label),
    );
    say(
        "type",
        format!("{:?}", before.kind),
        format!("{:?}", after.kind),
    );
    say(
        "several values",
        before.many.to_string(),
        after.many.to_string(),
    );
    say("joined", before.join.to_string(), after.join.to_string());
    say(
        "needs its label",
        before.needs_label.to_string(),
        after.needs_label.to_string(),
    );
    say(
        "fill",
        format!("{:.2}", before.fill),
        format!("{:.2}", after.fill),
    );
    say(
        "agreement",
        format!("{:.2}", before.agreement),
        format!("{:.2}", after.agreement),
    );
    say("cut off", cut(before), cut(after));
    let only = |these: &[View], others: &[View], sign: char| {
        let only = these
            .iter()
            .filter(|view| !others.iter().any(|other| is_same(view, other)));
        only.map(|view| format!("{sign} {}", written(view)))
            .collect::<Vec<_>>()
    };
    details.extend(only(&before.views, &after.views, '-'));
    details.extend(only(&after.views, &before.views, '+'));
    details
}

fn cut(field: &Field) -> String {
    let part = field
        .part
        .as_ref()
        .map(|Part { separator, number }| format!(", part {number} at {separator:?}"));
    format!(
        "{:?}, {:?}{}",
        field.prefix,
        field.suffix,
        part.unwrap_or_default()
    )
}

/// Whether two views find the same; their weights may differ.
fn is_same(one: &View, other: &View) -> bool {
    match (one.position(), other.position()) {
        (Some((kind, one)), Some((other_kind, other))) => {
            kind == other_kind && one.key(kind) == other.key(kind)
        }
        _ => one == other,
    }
}

/// A view on one line.
fn written(view: &View) -> String {
    let json = serde_json::to_value(view).unwrap_or_default();
    let text = |name: &str| json[name].as_str().unwrap_or_default();
    let parts = ["kind", "text", "path", "attribute", "left", "right"].map(text);
    let nth = json["nth"].as_u64().map(|nth| format!("number {nth}"));
    let parts = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .chain(nth);
    parts.collect::<Vec<_>>().join(" ")
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mold with a group for each class, all of one name.
    fn mold(classes: [&str; 2]) -> Mold {
        let group = |class: &str| {
            let view = format!(r#"{{"kind": "lr", "left": "<b class={class}>", "right": "<"}}"#);
            format!(
                r#"{{"name": "shop", "pages": 3, "fields": [{{"name": "price", "fill": 1, "views": [{view}]}}]}}"#
            )
        };
        let learned = r#"{"method": "lr", "pages": 1, "bytes": 1, "hash": ""}"#;
        let groups = classes.map(group).join(",");
        Mold::from_json(&format!(
            r#"{{"unmold": 1, "learned": {learned}, "groups": [{groups}]}}"#
        ))
        .unwrap()
    }

    #[test]
    fn groups_of_one_name_are_told_apart_by_their_fields() {
        assert_eq!(diff(&mold(["a", "b"]), &mold(["b", "a"])), []);
        assert_eq!(diff(&mold(["a", "b"]), &mold(["b", "c"])).len(), 1);
    }
}
