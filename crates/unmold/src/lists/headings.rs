//! Under which heading does a record stand?
//!
//! Lists are often parted by what all records of a part have in common: the decisions of a day under
//! that day, the products of a kind under its name. What stands between records, in the same element
//! again and again and with another text each time, is a column of the records after it:
//!
//! ```
//! use unmold::{Text, lists::Regions};
//!
//! let part = |day: &str, names: &[&str]| {
//!     let items: String = names.iter().map(|name| format!("<li><a href=/{name}>{name}</a> decided")).collect();
//!     format!("<h3>{day}</h3><ul>{items}</ul>")
//! };
//! let page = format!("{}{}", part("May 1", &["Ross", "Lindt", "Ahn"]), part("May 2", &["Weiss", "Brandt"]));
//! let page = Text::from_string("page", page);
//! let list = &Regions::default().find(&page)[0];
//! let heading = list.columns.iter().position(|column| column.name == "heading").unwrap();
//! let days = list.records.iter().map(|record| record.value(page.as_str(), &list.columns, heading).unwrap());
//! assert_eq!(days.collect::<Vec<_>>(), ["May 1", "May 1", "May 1", "May 2", "May 2"]);
//! ```
//!
//! A heading is a short text with an element of its own. A row of a table with several cells is none,
//! so that a header is not taken for one. A record right after another has the heading of that one.
//!
//! Cost: linear in what stands between the records.

use super::{
    record::{Column, Record},
    seen::{Seen, nodes_of},
    step::named_step,
};
use crate::{
    Span,
    read::{
        html::{
            elements::{breaks_line, heading_level},
            joined_text,
        },
        tree::{NodeId, Tree},
    },
};
use rapidhash::RapidHashSet;
use std::{collections::BTreeMap, ops::Range};

/// What the column is called: it is not known what the headings have in common.
const NAME: &str = "heading";
/// A way that begins with this leads to what stands before a record. No element is called so.
const BEFORE: char = '^';
/// Longer texts are paragraphs, in characters.
const MAX_LETTERS: usize = 80;
/// Elements of more bytes than this hold more than a heading.
const MAX_BYTES: usize = 4096;
/// A heading is among this many texts before its records.
const MAX_TEXTS: usize = 8;
/// The heading of the first record is looked for in this many nodes before it.
const BEFORE_FIRST: usize = 200;
/// This share of the places between records where anything is said has the heading. Not swept: nearly
/// all.
const NEARLY_ALL: f64 = 0.8;

/// Whether a column holds headings.
pub(super) fn is_of_headings(column: &Column) -> bool {
    column.way.starts_with(BEFORE)
}

/// Adds the headings of records as a column, if they have any or the column is known.
pub(super) fn add(
    tree: &Tree<'_>,
    seen: &Seen,
    rows: &[Range<usize>],
    columns: &mut Vec<Column>,
    records: &mut [Record],
) {
    if let Some(at) = columns.iter().position(is_of_headings) {
        return read(tree, rows, at, &columns[at], records);
    }
    let Some(step) = usual_step(tree, seen, rows) else {
        return;
    };
    let headings = found(tree, rows, &step);
    let texts: RapidHashSet<&str> = headings
        .iter()
        .flatten()
        .map(|heading| heading.of(tree.page()))
        .collect();
    if texts.len() < 2 {
        return;
    }
    let names: RapidHashSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let name = (2..)
        .map(|number| format!("{NAME} {number}"))
        .find(|name| !names.contains(name.as_str()))
        .filter(|_| names.contains(NAME));
    let column = Column {
        name: name.unwrap_or_else(|| NAME.to_owned()),
        way: format!("{BEFORE}{step}"),
        attribute: None,
        whole: true,
    };
    read(tree, rows, columns.len(), &column, records);
    columns.push(column);
}

/// Reads the headings of records into a column of which the way is known.
pub(super) fn read(
    tree: &Tree<'_>,
    rows: &[Range<usize>],
    number: usize,
    column: &Column,
    records: &mut [Record],
) {
    let step = column.way.trim_start_matches(BEFORE);
    for (record, heading) in records.iter_mut().zip(found(tree, rows, step)) {
        if let Some(span) = heading {
            let field = super::record::Field {
                column: number,
                span,
            };
            record.fields.insert(0, field);
        }
    }
}

/// What stands before each record: from the end of the one before it.
fn gaps(rows: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> + '_ {
    let starts = rows.iter().map(|rows| rows.start);
    let first = rows.first().map_or(0, |rows| rows.start);
    let ends =
        std::iter::once(first.saturating_sub(BEFORE_FIRST)).chain(rows.iter().map(|rows| rows.end));
    ends.zip(starts).map(|(end, start)| end.min(start)..start)
}

/// The heading of each record, by what its element is called.
fn found(tree: &Tree<'_>, rows: &[Range<usize>], step: &str) -> Vec<Option<Span>> {
    let mut last = None;
    let mut headings = Vec::with_capacity(rows.len());
    for gap in gaps(rows) {
        let nodes: Vec<NodeId> = tree.nodes_in(gap.clone()).collect();
        let heading = nodes
            .into_iter()
            .rev()
            .filter(|&node| tree.is_element(node) && named_step(tree, node) == step)
            .find_map(|node| heading(tree, &gap, node));
        last = heading.or(last);
        headings.push(last);
    }
    headings
}

/// What an element says if it can be a heading of what comes after a gap.
fn heading(tree: &Tree<'_>, gap: &Range<usize>, element: NodeId) -> Option<Span> {
    if tree.subtree_end(element) > gap.end || tree.span(element).len() > MAX_BYTES {
        return None;
    }
    let row = std::iter::once(element)
        .chain(tree.ancestors(element))
        .take_while(|node| node.index() >= gap.start)
        .find(|&node| tree.name(node) == "tr");
    if row.is_some_and(|row| tree.elements(row).nth(1).is_some()) {
        return None;
    }
    let text = joined_text(tree.span(element).of(tree.page()));
    let is_short = text.contains(char::is_alphanumeric) && text.chars().count() <= MAX_LETTERS;
    let inside = tree.children(element).map(|child| tree.span(child));
    inside.reduce(Span::to).filter(|_| is_short)
}

/// What the elements of most headings are called.
fn usual_step(tree: &Tree<'_>, seen: &Seen, rows: &[Range<usize>]) -> Option<String> {
    // How many gaps have such an element, how far it is from the records in all, and whether it is a
    // heading by its name.
    let mut times: BTreeMap<String, (usize, usize, bool)> = BTreeMap::new();
    let mut with_text = 0;
    for (number, gap) in gaps(rows).enumerate() {
        if number > 0 && !seen.has_text(&gap) {
            continue;
        }
        with_text += usize::from(number > 0);
        let mut in_gap: RapidHashSet<String> = RapidHashSet::default();
        for (distance, element) in texts_before(tree, seen, &gap).into_iter().enumerate() {
            let step = named_step(tree, element);
            if heading(tree, &gap, element).is_none() || !in_gap.insert(step.clone()) {
                continue;
            }
            let is_heading = is_named_heading(tree, element);
            let known = times.entry(step).or_insert((0, 0, is_heading));
            known.0 += usize::from(number > 0);
            known.1 += distance;
        }
    }
    times
        .into_iter()
        .filter(|(_, (times, _, is_heading))| {
            let is_regular = *times as f64 >= NEARLY_ALL * with_text as f64;
            is_regular && (*times > 1 || *times == 1 && *is_heading)
        })
        .max_by_key(|(_, (times, distance, _))| (*times, std::cmp::Reverse(*distance)))
        .map(|(step, _)| step)
}

/// Whether an element is a heading by what it is.
fn is_named_heading(tree: &Tree<'_>, element: NodeId) -> bool {
    let name = tree.name(element);
    heading_level(name).is_some() || matches!(name, "caption" | "summary" | "dt" | "legend")
}

/// The elements of the last texts in a gap, the nearest to its end first: each the outermost that holds
/// nothing else, or the line that the text is part of.
fn texts_before(tree: &Tree<'_>, seen: &Seen, gap: &Range<usize>) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    let nodes: Vec<NodeId> = tree.nodes_in(gap.clone()).collect();
    for node in nodes.into_iter().rev() {
        if tree.is_element(node) || !seen.has_text(&nodes_of(tree, node)) {
            continue;
        }
        let is_inside =
            |around: NodeId| around.index() >= gap.start && tree.subtree_end(around) <= gap.end;
        let mut element = node;
        for around in tree.ancestors(node) {
            let holds_more =
                seen.letters(&nodes_of(tree, around)) > seen.letters(&nodes_of(tree, element));
            let is_line = !tree.is_element(element) || !breaks_line(tree.name(element));
            if !is_inside(around) || holds_more && !is_line {
                break;
            }
            element = around;
        }
        if tree.is_element(element) && found.last() != Some(&element) {
            found.push(element);
            if found.len() == MAX_TEXTS {
                break;
            }
        }
    }
    found
}
