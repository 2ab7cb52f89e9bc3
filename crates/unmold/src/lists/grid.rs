//! Which cell of a table stands in which column?
//!
//! A *plain* table has text in its cells and nothing that divides them further. It comes out as it is seen: a record for
//! each row of its body, a column for each of its columns, named by its header. A cell that spans several rows or columns
//! is the value in all of them.
//!
//! ```
//! use unmold::{Text, lists::Regions};
//!
//! let page = Text::from_string("page", "<table>
//!     <tr><th>Town<th colspan=2>Trains
//!     <tr><td rowspan=2>Ulm<td>7:00<td>daily
//!     <tr><td colspan=2>on request</table>");
//! let table = &Regions::default().find(&page)[0];
//! let names: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["Town", "Trains", "Trains 2"]);
//! let rows = table.records.iter().map(|row| row.values(page.as_str(), table).collect::<Vec<_>>().join("|"));
//! assert_eq!(rows.collect::<Vec<_>>(), ["Ulm|7:00|daily", "Ulm|on request|on request"]);
//! ```
//!
//! The header is `<thead>`, or the first rows that have nothing but `<th>`; of several rows, what they say is put
//! together. Tables that follow each other under the same header are one list. In other tables the header names the first
//! text of each cell.
//!
//! Cost: linear in the table and in the cells it shows; spans are cut at [`MAX_COLUMNS`] columns and at the table's last
//! row.

use super::{
    Column, Field, Record,
    columns::unique,
    ways::{write_named_step, write_position},
};
use crate::{
    Span,
    read::{
        html::{elements::breaks_line, joined_text},
        tree::{NodeId, Tree},
    },
};
use rapidhash::RapidHashSet;

/// Wider tables are no tables of records.
const MAX_COLUMNS: usize = 200;

/// The tables of a page that are plain.
pub(super) fn plain_tables(tree: &Tree<'_>) -> Vec<Grid> {
    let tables = tree.nodes().filter(|&node| tree.name(node) == "table");
    let mut grids: Vec<Grid> = Vec::new();
    for grid in tables.filter_map(|table| Grid::of(tree, table)) {
        match grids.last_mut().filter(|last| last.goes_on_in(&grid)) {
            Some(last) => {
                last.tables.extend(grid.tables);
                last.rows.extend(grid.rows);
            }
            None => grids.push(grid),
        }
    }
    grids
}

/// A table as it is seen.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// What the header says of each column; none of what it does not name.
    names: Vec<Option<String>>,
    /// The element, or several of one header.
    pub(super) tables: Vec<NodeId>,
    /// The rows of the body.
    pub(super) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) element: NodeId,
    is_header: bool,
    /// The cell in each column, be it one of a row above.
    cells: Vec<Option<NodeId>>,
}

impl Grid {
    /// A table, if it is plain and has more than one column and row.
    fn of(tree: &Tree<'_>, table: NodeId) -> Option<Grid> {
        let rows = rows(tree, table)?;
        let headers = rows.iter().take_while(|row| row.is_header).count();
        let (header, body) = rows.split_at(headers);
        let width = rows.iter().map(|row| row.cells.len()).max()?;
        let is_bare = |row: &Row| {
            let has_class = |node: NodeId| tree.classes(node).next().is_some();
            !has_class(row.element)
                && !row
                    .cells
                    .iter()
                    .flatten()
                    .any(|&cell| has_class(cell) || has_parts(tree, cell))
        };
        // A row of one cell goes with the row before; several such, and records are of several rows.
        let is_wide = |row: &&Row| {
            row.cells.len() == width && row.cells.iter().all(|cell| *cell == row.cells[0])
        };
        if body.iter().filter(is_wide).count() * 4 >= body.len() {
            return None;
        }
        // Without a header, classes may say that several rows are one record, and parts that each cell is one.
        if width < 2 || body.len() < 2 || header.is_empty() && !body.iter().all(is_bare) {
            return None;
        }
        let names = (0..width)
            .map(|column| name(tree, header, column))
            .collect();
        Some(Grid {
            names,
            tables: vec![table],
            rows: body.to_vec(),
        })
    }

    /// Whether another table has the same header, and there is one.
    fn goes_on_in(&self, next: &Grid) -> bool {
        self.names == next.names && self.names.iter().any(Option::is_some)
    }

    /// The columns of the table, and its rows as records.
    pub(super) fn aligned(&self, tree: &Tree<'_>) -> (Vec<Column>, Vec<Record>) {
        let mut names = RapidHashSet::default();
        let column = |(at, name): (usize, &Option<String>)| Column {
            name: unique(
                &mut names,
                name.clone().unwrap_or_else(|| format!("column {}", at + 1)),
            ),
            way: self.way(tree, at),
            attribute: None,
            whole: true,
        };
        let columns = self.names.iter().enumerate().map(column).collect();
        let record = |row: &Row| {
            let field = |(column, cell): (usize, &Option<NodeId>)| {
                Some(Field {
                    column,
                    span: inside(tree, (*cell)?)?,
                })
            };
            Record {
                span: tree.span(row.element),
                fields: row.cells.iter().enumerate().filter_map(field).collect(),
            }
        };
        (columns, self.rows.iter().map(record).collect())
    }

    /// The way to the cells of a column, by the first row that has one of its own there.
    fn way(&self, tree: &Tree<'_>, column: usize) -> String {
        let own = |row: &&Row| {
            let cell = row.cells.get(column).copied().flatten();
            cell.is_some_and(|cell| tree.parent(cell) == Some(row.element))
        };
        let row = self.rows.iter().find(own).unwrap_or(&self.rows[0]);
        let mut way = String::new();
        write_named_step(&mut way, tree, row.element);
        way.push('/');
        let name = row
            .cells
            .get(column)
            .copied()
            .flatten()
            .map_or("td", |cell| tree.name(cell));
        write_position(&mut way, name, column + 1);
        way
    }
}

/// What the header of the table around a row says of each of its columns, be the table plain or not; empty if it has none.
pub(super) fn header_around(tree: &Tree<'_>, row: NodeId) -> Vec<Option<String>> {
    let table = tree
        .ancestors(row)
        .find(|&around| tree.name(around) == "table")
        .filter(|_| tree.name(row) == "tr");
    let Some(table) = table else {
        return Vec::new();
    };
    let mut reaching = Vec::new();
    let rows = row_elements(tree, table).map_while(|(element, is_in_head)| {
        let cells: Vec<NodeId> = tree.elements(element).collect();
        let is_header = is_header(tree, &cells, is_in_head);
        is_header.then(|| Row {
            element,
            is_header,
            cells: placed(tree, &cells, &mut reaching),
        })
    });
    let header: Vec<Row> = rows.collect();
    let width = header.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    (0..width)
        .map(|column| name(tree, &header, column))
        .collect()
}

/// The cells of a row in the columns that they stand in, if none reaches down from above.
pub(super) fn cells_of(tree: &Tree<'_>, row: NodeId) -> Vec<Option<NodeId>> {
    placed(
        tree,
        &tree.elements(row).collect::<Vec<_>>(),
        &mut Vec::new(),
    )
}

/// What the rows of a header say of a column.
fn name(tree: &Tree<'_>, header: &[Row], column: usize) -> Option<String> {
    let mut said: Vec<String> = Vec::new();
    for cell in header
        .iter()
        .filter_map(|row| row.cells.get(column).copied().flatten())
    {
        let text = inside(tree, cell)
            .map(|span| joined_text(span.of(tree.page())))
            .unwrap_or_default();
        if !text.is_empty() && said.last() != Some(&text) {
            said.push(text);
        }
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// What stands in a cell.
fn inside(tree: &Tree<'_>, cell: NodeId) -> Option<Span> {
    tree.children(cell)
        .map(|child| tree.span(child))
        .reduce(Span::to)
}

/// The rows of a table, and whether each stands in its head.
fn row_elements(tree: &Tree<'_>, table: NodeId) -> impl Iterator<Item = (NodeId, bool)> {
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

fn is_header(tree: &Tree<'_>, cells: &[NodeId], is_in_head: bool) -> bool {
    is_in_head || !cells.is_empty() && cells.iter().all(|&cell| tree.name(cell) == "th")
}

/// The rows of a table with their cells in place; `None` if it is not plain.
fn rows(tree: &Tree<'_>, table: NodeId) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    // What reaches down into each column from the rows above: the cell, and into how many rows still.
    let mut reaching: Vec<Option<(NodeId, usize)>> = Vec::new();
    for (element, is_in_head) in row_elements(tree, table) {
        let cells: Vec<NodeId> = tree.elements(element).collect();
        if !cells.iter().all(|&cell| is_plain_cell(tree, cell)) {
            return None;
        }
        let is_header = is_header(tree, &cells, is_in_head);
        let row = Row {
            element,
            is_header,
            cells: placed(tree, &cells, &mut reaching),
        };
        if row.cells.iter().any(Option::is_some) {
            rows.push(row);
        }
    }
    Some(rows)
}

/// The cells of a row in their columns, with those that reach down from above.
fn placed(
    tree: &Tree<'_>,
    cells: &[NodeId],
    reaching: &mut Vec<Option<(NodeId, usize)>>,
) -> Vec<Option<NodeId>> {
    let mut row: Vec<Option<NodeId>> = Vec::new();
    let mut own = cells.iter().copied();
    let mut next = own.next();
    while row.len() < MAX_COLUMNS && (next.is_some() || row.len() < reaching.len()) {
        let column = row.len();
        if column >= reaching.len() {
            reaching.resize(column + 1, None);
        }
        if let Some((cell, rows)) = reaching[column] {
            reaching[column] = (rows > 1).then_some((cell, rows - 1));
            row.push(Some(cell));
        } else if let Some(cell) = next {
            let (columns, rows) = (
                spanned(tree, cell, "colspan"),
                spanned(tree, cell, "rowspan"),
            );
            for column in column..(column + columns).min(MAX_COLUMNS) {
                if column >= reaching.len() {
                    reaching.resize(column + 1, None);
                }
                reaching[column] = (rows > 1).then_some((cell, rows - 1));
                row.push(Some(cell));
            }
            next = own.next();
        } else {
            row.push(None);
        }
    }
    row.truncate(
        row.iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1),
    );
    row
}

/// How many rows or columns a cell spans.
fn spanned(tree: &Tree<'_>, cell: NodeId, attribute: &str) -> usize {
    let said = tree
        .attribute(cell, attribute)
        .and_then(|value| value.trim().parse().ok());
    said.unwrap_or(1).clamp(1, u16::MAX.into())
}

/// Whether a cell holds more than one element.
fn has_parts(tree: &Tree<'_>, cell: NodeId) -> bool {
    tree.elements(cell)
        .filter(|&part| tree.name(part) != "br")
        .nth(1)
        .is_some()
}

/// Whether a cell has text and nothing that divides it: lines and paragraphs do not.
fn is_plain_cell(tree: &Tree<'_>, cell: NodeId) -> bool {
    let divides = |node: NodeId| {
        let name = tree.name(node);
        tree.is_element(node) && breaks_line(name) && !matches!(name, "br" | "p" | "wbr")
    };
    matches!(tree.name(cell), "td" | "th") && !tree.subtree(cell).skip(1).any(divides)
}
