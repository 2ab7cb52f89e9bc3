//! Which rows of a table take turns?
//!
//! A record of two or three table rows is often printed without a class that says so: a row with
//! the title, a row with the details, perhaps an empty row, and again from the start. What tells
//! the rows apart is how their cells are laid out, and that each layout is followed by the next:
//!
//! ```
//! use unmold::{Text, lists::Regions};
//!
//! let row = |at: usize| format!(
//!     "<tr><td>{at}.<td><a href=/{at}>Story {at}</a><tr><td><td>{at} points <a href=/u{at}>user {at}</a>");
//! let page: String = (1..=5).map(row).collect();
//! let page = Text::from_string("page", format!("<table>{page}</table>"));
//! let list = &Regions::default().find(&page)[0];
//! assert_eq!(list.records.len(), 5);
//! assert_eq!(list.records[1].text(page.as_str()), "2. Story 2 2 points user 2");
//! ```
//!
//! The *layout* of a row is how many columns each of its cells spans and, if that alone shows no
//! turns, whether there is text, a link, or text beside a link in it; failing that, the label in its
//! first cell (Number, Parties, Day, and again from Number). Rows that say nothing are
//! left out. Rows under a cell that spans several rows do not take turns: that cell says what
//! belongs together.
//!
//! Cost: linear in the cells of tables.

use super::{
    seen::{Seen, nodes_of},
    table::row_elements,
};
use crate::read::{
    html::joined_text,
    tree::{NodeId, Tree},
};
use rapidhash::RapidHashMap;

/// A record has at most this many rows that take turns.
const MAX_TURNS: usize = 10;
/// Cells of more bytes than this, with their markup, are no labels.
const MAX_LABEL: usize = 400;
/// Fewer rounds than this can be chance: two layouts that alternate by chance do so for three
/// rounds in one of sixteen tables.
const MIN_ROUNDS: usize = 3;
/// This share of the rows of a layout is followed by the next layout, and this share of all rows
/// takes turns: a record now and then lacks its second row. Not swept.
const REGULAR: f64 = 0.8;

/// The place of a row in its record, counted from 0.
pub(super) type Turn = u8;

/// The rows of a page that take turns.
pub(super) type Turns = RapidHashMap<NodeId, Turn>;

/// The rows of all tables of a page that take turns.
pub(super) fn turns(tree: &Tree<'_>, seen: &Seen) -> Turns {
    let mut turns = Turns::default();
    for table in tree.nodes().filter(|&node| tree.name(node) == "table") {
        let rows: Vec<NodeId> = row_elements(tree, table)
            .filter(|&(row, is_in_head)| !is_in_head && !seen.is_silent(&nodes_of(tree, row)))
            .map(|(row, _)| row)
            .collect();
        if rows.len() < 2 * MIN_ROUNDS || rows.iter().any(|&row| has_spanned_rows(tree, row)) {
            continue;
        }
        let by_columns: Vec<Vec<Cell>> = rows
            .iter()
            .map(|&row| layout(tree, seen, row, false))
            .collect();
        if !take_turns(&rows, &by_columns, &mut turns) {
            let by_content: Vec<Vec<Cell>> = rows
                .iter()
                .map(|&row| layout(tree, seen, row, true))
                .collect();
            if !take_turns(&rows, &by_content, &mut turns) {
                take_turns(&rows, &by_label(tree, &rows), &mut turns);
            }
        }
    }
    turns
}

/// The layouts of rows by the labels in their first cells: a text that comes again and again there.
/// All rows without a label are alike.
fn by_label(tree: &Tree<'_>, rows: &[NodeId]) -> Vec<Vec<Cell>> {
    let labels: Vec<Option<String>> = rows.iter().map(|&row| label_of(tree, row)).collect();
    let mut times: RapidHashMap<&str, usize> = RapidHashMap::default();
    for label in labels.iter().flatten() {
        *times.entry(label).or_default() += 1;
    }
    let is_again = |label: &&String| times[label.as_str()] >= MIN_ROUNDS;
    let layout = |label: &Option<String>| {
        vec![Cell {
            columns: label.as_ref().filter(is_again).cloned(),
            ..Cell::default()
        }]
    };
    labels.iter().map(layout).collect()
}

/// What stands in the first of several cells, if it is short and without figures.
fn label_of(tree: &Tree<'_>, row: NodeId) -> Option<String> {
    let mut cells = tree.elements(row);
    let (first, _) = (cells.next()?, cells.next()?);
    let span = tree.span(first);
    if span.len() > MAX_LABEL {
        return None;
    }
    let text = joined_text(span.of(tree.page()));
    let is_label = text.contains(char::is_alphabetic) && !text.contains(char::is_numeric);
    is_label.then_some(text)
}

/// What is seen of a cell when only its layout counts.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Cell {
    /// How many columns it spans, or its label where that counts.
    columns: Option<String>,
    /// Whether there is text outside links,
    has_text: bool,
    /// and whether there is a link.
    has_link: bool,
}

/// The cells of a row, with what is in them if that is asked for.
fn layout(tree: &Tree<'_>, seen: &Seen, row: NodeId, with_content: bool) -> Vec<Cell> {
    let cell = |cell: NodeId| {
        let nodes = nodes_of(tree, cell);
        Cell {
            columns: tree.attribute(cell, "colspan").map(str::to_owned),
            has_text: with_content && seen.has_text_beside_links(&nodes),
            has_link: with_content && seen.has_link(&nodes),
        }
    };
    tree.elements(row).map(cell).collect()
}

fn has_spanned_rows(tree: &Tree<'_>, row: NodeId) -> bool {
    tree.elements(row).any(
        |cell| matches!(tree.attribute(cell, "rowspan").map(str::trim), Some(rows) if rows != "1"),
    )
}

/// Notes the turn of each row if rows of different layouts follow each other in a circle.
fn take_turns(
    rows: &[NodeId],
    layouts: &[Vec<Cell>],
    turns: &mut RapidHashMap<NodeId, Turn>,
) -> bool {
    let Some(circle) = circle(layouts) else {
        return false;
    };
    for (row, layout) in rows.iter().zip(layouts) {
        if let Some(turn) = circle.iter().position(|known| *known == layout) {
            turns.insert(*row, turn as Turn);
        }
    }
    true
}

/// The layouts that follow each other in a circle, from the one that comes first; none if too few
/// rows are of such.
fn circle(layouts: &[Vec<Cell>]) -> Option<Vec<&Vec<Cell>>> {
    let mut followers: RapidHashMap<&Vec<Cell>, Followers<'_>> = RapidHashMap::default();
    for (at, layout) in layouts.iter().enumerate() {
        let known = followers.entry(layout).or_default();
        known.rows += 1;
        if let Some(next) = layouts.get(at + 1) {
            *known.times.entry(next).or_default() += 1;
        }
    }
    // The first row may be a heading without a class; the circle begins with the first layout that
    // comes round.
    let first = layouts
        .iter()
        .find(|layout| followers[layout].rows >= MIN_ROUNDS)?;
    let mut circle = vec![first];
    loop {
        let known = &followers[circle[circle.len() - 1]];
        let next = known.usual()?;
        if known.rows < MIN_ROUNDS {
            return None;
        }
        if next == first {
            break;
        }
        if circle.contains(&next) || circle.len() == MAX_TURNS {
            return None;
        }
        circle.push(next);
    }
    let in_circle: usize = circle.iter().map(|layout| followers[layout].rows).sum();
    let is_regular = in_circle as f64 >= REGULAR * layouts.len() as f64;
    (circle.len() > 1 && is_regular).then_some(circle)
}

/// What follows the rows of one layout.
#[derive(Default)]
struct Followers<'l> {
    rows: usize,
    times: RapidHashMap<&'l Vec<Cell>, usize>,
}

impl<'l> Followers<'l> {
    /// The layout that nearly all of them are followed by. Nothing follows the last row.
    fn usual(&self) -> Option<&'l Vec<Cell>> {
        let all: usize = self.times.values().sum();
        let (&next, &times) = self.times.iter().max_by_key(|&(_, &times)| times)?;
        (times as f64 >= REGULAR * all as f64).then_some(next)
    }
}
