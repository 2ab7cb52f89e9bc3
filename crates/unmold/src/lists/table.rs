//! What are the rows of a table, and which of them are its header?
//!
//! Rows of `<thead>` and leading rows of nothing but `<th>` are the header, and so is a first row with
//! the only `<th>` of the table. Many tables have neither
//! and a first row of `<td>` all the same that says what is in the columns. Such a row is told by
//! the rows below: it has short texts without digits and links, and below is a column in which
//! nearly all cells have a digit or a link; or it is bold, and they are not.
//!
//! A row that says what a header says is one, too: long tables repeat theirs.
//!
//! Cost: linear in the cells of tables.

use super::seen::{Seen, nodes_of};
use crate::read::{
    html::joined_text,
    tree::{NodeId, Tree},
};
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};

/// So many rows that say the same are headers: two can be records by chance.
const MIN_REPEATED: usize = 3;
/// Longer texts name no column, in letters.
const MAX_NAME: usize = 40;
/// This share of the cells below a name have a digit or a link, and of the rows below a header no
/// `<th>`. Not swept: nearly all.
const NEARLY_ALL: f64 = 0.9;

/// The rows of all tables of a page that say what is in the columns, and the title rows before them.
pub(super) fn header_rows(tree: &Tree<'_>, seen: &Seen) -> RapidHashSet<NodeId> {
    let mut headers = RapidHashSet::default();
    for table in tree.nodes().filter(|&node| tree.name(node) == "table") {
        let rows: Vec<(NodeId, bool)> = row_elements(tree, table).collect();
        let is_title = |row: NodeId| tree.elements(row).nth(1).is_none();
        let titles = rows
            .iter()
            .take_while(|&&(row, is_in_head)| !is_in_head && is_title(row))
            .count();
        // In a table of one column, no row is the title of columns.
        let titles = if titles < rows.len() { titles } else { 0 };
        let marked = marked_headers(tree, &rows[titles..]);
        let named = if marked > 0 {
            marked
        } else {
            usize::from(names_columns(tree, seen, &rows[titles..]))
        };
        // A table of nothing but headers has no header.
        if named > 0 && titles + named < rows.len() {
            headers.extend(rows[..titles + named].iter().map(|&(row, _)| row));
        }
    }
    add_repeated(tree, seen, &mut headers);
    headers
}

/// Adds the rows that say what a header says, and those of several cells that say the same again and
/// again: long tables repeat their header, and each month has one of its own below a title.
fn add_repeated(tree: &Tree<'_>, seen: &Seen, headers: &mut RapidHashSet<NodeId>) {
    let mut alike: RapidHashMap<u64, Vec<NodeId>> = RapidHashMap::default();
    for row in tree.nodes().filter(|&node| tree.name(node) == "tr") {
        let nodes = nodes_of(tree, row);
        let has_cells = tree.elements(row).nth(1).is_some();
        if has_cells && seen.has_text(&nodes) && !seen.has_digit(&nodes) && !seen.has_link(&nodes) {
            alike.entry(said(tree, row)).or_default().push(row);
        }
    }
    for rows in alike.into_values() {
        if rows.len() >= MIN_REPEATED || rows.iter().any(|row| headers.contains(row)) {
            headers.extend(rows);
        }
    }
}

/// What the cells of a row say, as a number; rows with a cell that says nothing, or as another does,
/// have one of their own.
fn said(tree: &Tree<'_>, row: NodeId) -> u64 {
    let mut texts = RapidHashSet::default();
    let mut said = Vec::new();
    for cell in tree.elements(row) {
        let text = joined_text(tree.span(cell).of(tree.page()));
        said.extend(rapidhash_v3(text.as_bytes()).to_le_bytes());
        if !text.contains(char::is_alphabetic) || !texts.insert(text) {
            said.extend(row.index().to_le_bytes());
        }
    }
    rapidhash_v3(&said)
}

/// How many rows from the first are marked as a header: by `<thead>`, by nothing but `<th>`, or by any
/// `<th>` where hardly a row below has one.
fn marked_headers(tree: &Tree<'_>, rows: &[(NodeId, bool)]) -> usize {
    let is_th = |cell: NodeId| tree.name(cell) == "th";
    let marked = rows
        .iter()
        .take_while(|&&(row, is_in_head)| {
            let mut cells = tree.elements(row).peekable();
            is_in_head || cells.peek().is_some() && cells.all(is_th)
        })
        .count();
    let Some((&(first, _), below)) = rows.split_first().filter(|_| marked == 0) else {
        return marked;
    };
    let has_th = |row: NodeId| tree.elements(row).any(is_th);
    let with_th = below.iter().filter(|&&(row, _)| has_th(row)).count();
    usize::from(has_th(first) && with_th as f64 <= (1.0 - NEARLY_ALL) * below.len() as f64)
}

/// Whether the first of some rows of `<td>` says what is in the columns below it.
fn names_columns(tree: &Tree<'_>, seen: &Seen, rows: &[(NodeId, bool)]) -> bool {
    let Some((&(first, _), below)) = rows.split_first() else {
        return false;
    };
    let cells = |row: NodeId| tree.elements(row).map(|cell| nodes_of(tree, cell));
    let names: Vec<_> = cells(first).collect();
    let is_name = |name: &std::ops::Range<usize>| {
        (1..=MAX_NAME).contains(&seen.letters(name))
            && !seen.has_digit(name)
            && !seen.has_link(name)
    };
    if names.len() < 2 || !names.iter().all(is_name) {
        return false;
    }
    let mut columns = vec![Below::default(); names.len()];
    let mut rows_below = 0;
    for &(row, _) in below {
        let cells: Vec<_> = cells(row).collect();
        if cells.len() != names.len() {
            continue;
        }
        rows_below += 1;
        for (column, cell) in columns.iter_mut().zip(&cells) {
            column.cells += usize::from(seen.has_text(cell));
            column.with_digit += usize::from(seen.has_digit(cell));
            column.with_link += usize::from(seen.has_link(cell));
            column.strong += usize::from(seen.is_strong(cell));
        }
    }
    if rows_below < 2 || 2 * rows_below < below.len() {
        return false;
    }
    let strong_below: usize = columns.iter().map(|column| column.strong).sum();
    let all_below: usize = columns.iter().map(|column| column.cells).sum();
    let is_bold = names.iter().all(|name| seen.is_strong(name)) && 2 * strong_below <= all_below;
    is_bold || columns.iter().any(Below::is_of_other_kind)
}

/// What is in the cells below a name.
#[derive(Clone, Copy, Default)]
struct Below {
    cells: usize,
    with_digit: usize,
    with_link: usize,
    strong: usize,
}

impl Below {
    /// Whether nearly all have what a name has not.
    fn is_of_other_kind(&self) -> bool {
        let least = NEARLY_ALL * self.cells as f64;
        self.cells >= 2 && (self.with_digit as f64 >= least || self.with_link as f64 >= least)
    }
}

/// The rows of a table, and whether each stands in its head.
pub(super) fn row_elements(tree: &Tree<'_>, table: NodeId) -> impl Iterator<Item = (NodeId, bool)> {
    let rows = |part: NodeId| match tree.name(part) {
        "tr" => vec![(part, false)],
        name @ ("thead" | "tbody" | "tfoot") => {
            let rows = tree.elements(part).filter(|&row| tree.name(row) == "tr");
            rows.map(|row| (row, name == "thead")).collect()
        }
        _ => Vec::new(),
    };
    tree.elements(table).flat_map(rows)
}
