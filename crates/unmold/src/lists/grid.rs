//! Which cell of a table stands in which column?
//!
//! A *plain* table has text in its cells and nothing that divides them further. It comes out as it
//! is seen: a record for each row of its body, a column for each of its columns, named by its
//! header. A cell that spans several rows or columns is the value in all of them.
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
//! let rows = table.records.iter().map(|row| row.values(page.as_str(), &table.columns).collect::<Vec<_>>().join("|"));
//! assert_eq!(rows.collect::<Vec<_>>(), ["Ulm|7:00|daily", "Ulm|on request|on request"]);
//! ```
//!
//! The [header](super::table) names the columns; of several rows, what they say is put together. A
//! row of one cell above others is a heading and no record. Tables that follow each other under the same header are one list. In
//! other tables the header names the first text of each cell.
//!
//! Cost: linear in the table: spans are cut at [`MAX_COLUMNS`] columns and at the table's last row,
//! and a table that shows its cells more than [`MAX_SHOWN`] times is not plain.

use super::{
    headings,
    record::{Column, Field, Record, unique},
    seen::{Seen, nodes_of},
    shape::both_have,
    step::{ATTRIBUTES, write_named_step, write_position},
    table::row_elements,
    turns::Turns,
};
use crate::{
    Span,
    read::{
        html::{elements::breaks_line, joined_text},
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};
use std::{collections::BTreeMap, ops::Range};

/// Wider tables are no tables of records.
const MAX_COLUMNS: usize = 200;
/// Links deeper in a cell than this have the end of their way alone.
const MAX_STEPS: usize = 16;
/// So many rows above a header can be the title of a table.
const MAX_TITLES: usize = 3;
/// A column is named by no more rows than this.
const MAX_HEADERS: usize = 8;

/// How many places in the grid a cell may fill on average; a table whose cells claim more
/// (`rowspan=65534` in every row) is not read as a grid. Tables that nest groups by `rowspan` six
/// deep fill seven.
const MAX_SHOWN: usize = 16;

/// What the name of a column counts as structure of each row, in nodes. That somebody named the columns
/// says more than a label in each row would (2). Swept over all of 20 dockets and 96 lists of courts, none
/// held back: from 4 to 6 the same lists come first; with 2, one docket's table does not.
pub(super) const LABEL_SIZE: f64 = 4.0;

/// More parts of a cell than this are not counted.
const MAX_PARTS: usize = 64;

/// The tables of a page that are plain.
pub(super) fn plain_tables(
    tree: &Tree<'_>,
    seen: &Seen,
    turns: &Turns,
    headers: &RapidHashSet<NodeId>,
) -> Vec<Grid> {
    let tables = tree.nodes().filter(|&node| tree.name(node) == "table");
    let mut grids: Vec<Grid> = Vec::new();
    for table in tables {
        let mut rows = row_elements(tree, table);
        if rows.any(|(row, _)| turns.contains_key(&row)) {
            continue;
        }
        let Some(grid) = Grid::of(tree, seen, headers, table) else {
            continue;
        };
        match grids.last_mut().filter(|last| last.goes_on_in(&grid)) {
            Some(last) => {
                last.tables.extend(grid.tables);
                last.rows.extend(grid.rows);
            }
            None => grids.push(grid),
        }
    }
    for grid in &mut grids {
        grid.size = grid.shared_structure(tree);
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
    /// How much structure two of its rows can be expected to share, in nodes. Tables elsewhere on
    /// the page may be made of other rows and say nothing about these.
    pub(super) size: f64,
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
    fn of(
        tree: &Tree<'_>,
        seen: &Seen,
        headers: &RapidHashSet<NodeId>,
        table: NodeId,
    ) -> Option<Grid> {
        let rows = rows(tree, seen, headers, table)?;
        // The title of a table may stand above its header; a long one repeats its header below.
        let titles = rows.iter().take(MAX_TITLES).position(|row| row.is_header);
        let rows = &rows[titles.unwrap_or(0)..];
        let headers = rows.iter().take_while(|row| row.is_header).count();
        let (header, body) = rows.split_at(headers);
        let body: Vec<&Row> = body.iter().filter(|row| !row.is_header).collect();
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
        let is_wide = |row: &Row| {
            row.cells.len() == width && row.cells.iter().all(|cell| *cell == row.cells[0])
        };
        let wide = body.iter().filter(|row| is_wide(row)).count();
        // A row of one cell above others is the heading of those; it is no record.
        let are_headings = wide > 0
            && body.first().is_some_and(|row| is_wide(row))
            && !body.last().is_some_and(|row| is_wide(row))
            && 2 * wide <= body.len();
        let body: Vec<Row> = body
            .iter()
            .filter(|row| !are_headings || !is_wide(row))
            .map(|row| Row::clone(row))
            .collect();
        // Elsewhere it goes with the row before; several such, and records are of several rows.
        if !are_headings && 4 * wide >= body.len() {
            return None;
        }
        // Without a header, classes may say that several rows are one record, and parts that each
        // cell is one.
        if width < 2 || body.len() < 2 || header.is_empty() && !body.iter().all(is_bare) {
            return None;
        }
        let names = names(tree, header, width);
        Some(Grid {
            names,
            tables: vec![table],
            rows: body,
            size: 0.0,
        })
    }

    /// The expected number of nodes that two rows have in common, each in its column; a column that
    /// the header names has its label for all rows.
    fn shared_structure(&self, tree: &Tree<'_>) -> f64 {
        let mut times: RapidHashMap<(usize, u64), usize> = RapidHashMap::default();
        for row in &self.rows {
            let mut in_row: RapidHashSet<(usize, u64)> = RapidHashSet::default();
            for (column, cell) in row.cells.iter().enumerate() {
                let is_own = |cell: &NodeId| tree.parent(*cell) == Some(row.element);
                let is_repeated = column > 0 && row.cells[column - 1] == *cell;
                let Some(cell) = cell.filter(is_own).filter(|_| !is_repeated) else {
                    continue;
                };
                in_row.extend(ways_inside(tree, cell).into_iter().map(|way| (column, way)));
            }
            for part in in_row {
                *times.entry(part).or_default() += 1;
            }
        }
        let count = self.rows.len() as f64;
        let mut parts: Vec<usize> = times.into_values().collect();
        // In one order, or the sum would differ in its last digits from run to run.
        parts.sort_unstable();
        let parts: f64 = parts
            .into_iter()
            .map(|times| both_have(times as f64, count))
            .sum();
        1.0 + parts + LABEL_SIZE * self.names.iter().flatten().count() as f64
    }

    /// Whether another table has the same header, and there is one.
    fn goes_on_in(&self, next: &Grid) -> bool {
        self.names == next.names && self.names.iter().any(Option::is_some)
    }

    /// The columns of the table, and its rows as records. Links, pictures and times of cells have
    /// columns of their own, right after the text of their cell.
    pub(super) fn aligned(&self, tree: &Tree<'_>, seen: &Seen) -> (Vec<Column>, Vec<Record>) {
        let attributes = self.attributes(tree);
        let mut names = RapidHashSet::default();
        let mut columns: Vec<Column> = Vec::new();
        let mut records: Vec<Record> = self
            .rows
            .iter()
            .map(|row| Record {
                span: tree.span(row.element),
                fields: Vec::new(),
            })
            .collect();
        for (at, name) in self.names.iter().enumerate() {
            let name = name.clone().unwrap_or_else(|| format!("column {}", at + 1));
            let name = unique(&mut names, name);
            let way = self.way(tree, at);
            for (row, record) in self.rows.iter().zip(&mut records) {
                let cell = row.cells.get(at).copied().flatten();
                let span = cell.and_then(|cell| inside(tree, cell));
                record.fields.extend(span.map(|span| Field {
                    column: columns.len(),
                    span,
                }));
            }
            columns.push(Column {
                name: name.clone(),
                way: way.clone(),
                attribute: None,
                whole: true,
            });
            for found in attributes.iter().filter(|found| found.column == at) {
                if columns.len() >= 2 * MAX_COLUMNS {
                    break;
                }
                for &(row, span) in &found.values {
                    records[row].fields.push(Field {
                        column: columns.len(),
                        span,
                    });
                }
                columns.push(Column {
                    name: unique(&mut names, format!("{name} {}", found.attribute)),
                    way: format!("{way}{}@{}", found.usual_way(), found.attribute),
                    attribute: Some(found.attribute.to_owned()),
                    // A cell that spans several rows has its links in all of them.
                    whole: true,
                });
            }
        }
        let rows: Vec<Range<usize>> = self
            .rows
            .iter()
            .map(|row| nodes_of(tree, row.element))
            .collect();
        headings::add(tree, seen, &rows, &mut columns, &mut records);
        (columns, records)
    }

    /// The attributes in the cells of each column that tell rows apart.
    fn attributes(&self, tree: &Tree<'_>) -> Vec<CellAttribute> {
        let mut found: BTreeMap<(usize, &'static str), CellAttribute> = BTreeMap::new();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, cell) in row.cells.iter().enumerate() {
                let Some(cell) = *cell else {
                    continue;
                };
                // A cell over several columns has its links in the first of them.
                if column > 0 && row.cells[column - 1] == Some(cell) {
                    continue;
                }
                for (attribute, way, span) in attributes_in(tree, cell) {
                    let found = found
                        .entry((column, attribute))
                        .or_insert_with(|| CellAttribute {
                            column,
                            attribute,
                            ways: BTreeMap::new(),
                            values: Vec::new(),
                        });
                    *found.ways.entry(way).or_default() += 1;
                    found.values.push((number, span));
                }
            }
        }
        found.retain(|_, found| found.tells_apart(tree.page()));
        found.into_values().collect()
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

/// What the cells of a column have of one attribute.
struct CellAttribute {
    column: usize,
    attribute: &'static str,
    /// The ways from the cell to the elements that have it, with how many there are.
    ways: BTreeMap<String, usize>,
    /// The number of the row, and the value.
    values: Vec<(usize, Span)>,
}

impl CellAttribute {
    /// The way that most of the elements have.
    fn usual_way(&self) -> &str {
        let most = self
            .ways
            .iter()
            .rev()
            .max_by_key(|&(_, &times)| times)
            .map(|(way, _)| way.as_str());
        most.unwrap_or_default()
    }

    /// Whether it says something, and not the same in several rows alone.
    fn tells_apart(&self, page: &str) -> bool {
        let (_, first) = self.values[0];
        let differs = |&(_, value): &(usize, Span)| value.of(page) != first.of(page);
        let says_something =
            |(_, value): &(usize, Span)| value.of(page).contains(char::is_alphanumeric);
        (self.values.len() == 1 || self.values.iter().any(differs))
            && self.values.iter().any(says_something)
    }
}

/// The attributes in a cell whose values are fields: name, way from the cell, and value.
fn attributes_in(tree: &Tree<'_>, cell: NodeId) -> Vec<(&'static str, String, Span)> {
    let page = tree.page();
    let mut found = Vec::new();
    for element in tree.subtree(cell).filter(|&node| tree.is_element(node)) {
        for attribute in tree.attributes(element) {
            let name = ATTRIBUTES
                .into_iter()
                .find(|name| name.eq_ignore_ascii_case(attribute.name.of(page)));
            let (Some(name), Some(value)) = (name, attribute.value) else {
                continue;
            };
            if !value.is_empty() {
                found.push((name, way_inside(tree, cell, element), value));
            }
        }
    }
    found
}

/// The steps from a cell to an element in it, each with a slash before it.
fn way_inside(tree: &Tree<'_>, cell: NodeId, element: NodeId) -> String {
    let mut steps: Vec<NodeId> = std::iter::once(element)
        .chain(tree.ancestors(element))
        .take_while(|&node| node != cell)
        .take(MAX_STEPS)
        .collect();
    steps.reverse();
    let mut way = String::new();
    for step in steps {
        way.push('/');
        write_named_step(&mut way, tree, step);
    }
    way
}

/// What the header of the table around a row says of each of its columns, be the table plain or
/// not; empty if it has none.
pub(super) fn header_around(
    tree: &Tree<'_>,
    headers: &RapidHashSet<NodeId>,
    row: NodeId,
) -> Vec<Option<String>> {
    let table = tree
        .ancestors(row)
        .find(|&around| tree.name(around) == "table")
        .filter(|_| tree.name(row) == "tr");
    let Some(table) = table else {
        return Vec::new();
    };
    let mut reaching = Vec::new();
    let rows = row_elements(tree, table)
        .map(|(element, _)| element)
        .enumerate()
        .skip_while(|(at, element)| at + 1 < MAX_TITLES && !headers.contains(element))
        .map(|(_, element)| element)
        .take_while(|element| headers.contains(element))
        .take(MAX_HEADERS);
    let rows = rows.map(|element| {
        let cells: Vec<NodeId> = tree.elements(element).collect();
        Row {
            element,
            is_header: true,
            cells: placed(tree, &cells, &mut reaching),
        }
    });
    let header: Vec<Row> = rows.collect();
    let width = header.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    names(tree, &header, width)
}

/// The cells of a row in the columns that they stand in, if none reaches down from above.
pub(super) fn cells_of(tree: &Tree<'_>, row: NodeId) -> Vec<Option<NodeId>> {
    placed(
        tree,
        &tree.elements(row).collect::<Vec<_>>(),
        &mut Vec::new(),
    )
}

/// What a header says of each column. A row of one cell is the title of the table and says nothing
/// of its columns.
fn names(tree: &Tree<'_>, header: &[Row], width: usize) -> Vec<Option<String>> {
    let of_columns: Vec<&Row> = header
        .iter()
        .filter(|row| width < 2 || row.cells.iter().any(|cell| *cell != row.cells[0]))
        .collect();
    (0..width)
        .map(|column| name(tree, &of_columns, column))
        .collect()
}

/// What the rows of a header say of a column.
fn name(tree: &Tree<'_>, header: &[&Row], column: usize) -> Option<String> {
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

/// The rows of a table with their cells in place; `None` if it is not plain.
fn rows(
    tree: &Tree<'_>,
    seen: &Seen,
    headers: &RapidHashSet<NodeId>,
    table: NodeId,
) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    // What reaches down into each column from the rows above: the cell, and into how many rows
    // still.
    let mut reaching: Vec<Option<(NodeId, usize)>> = Vec::new();
    let (mut own, mut shown) = (0, 0);
    for (element, _) in row_elements(tree, table) {
        let cells: Vec<NodeId> = tree.elements(element).collect();
        if !cells.iter().all(|&cell| is_plain_cell(tree, cell)) {
            return None;
        }
        let is_header = headers.contains(&element);
        let row = Row {
            element,
            is_header,
            cells: placed(tree, &cells, &mut reaching),
        };
        own += cells.len();
        shown += row.cells.len();
        if shown > MAX_SHOWN * own + MAX_COLUMNS {
            return None;
        }
        // An empty row keeps others apart and is no record.
        if is_header || seen.has_text(&nodes_of(tree, element)) {
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

/// The ways from a cell to all that stands in it, the cell and its text with them, as hashes.
fn ways_inside(tree: &Tree<'_>, cell: NodeId) -> Vec<u64> {
    let mut ways: Vec<(NodeId, u64)> = vec![(cell, 0)];
    let mut at = 0;
    while at < ways.len() && ways.len() < MAX_PARTS {
        let (node, way) = ways[at];
        at += 1;
        for child in tree.children(node) {
            let name = tree.name_code(child).map_or(u64::MAX, u64::from);
            let way = rapidhash_v3(&[way, name].map(u64::to_le_bytes).concat());
            ways.push((child, way));
        }
    }
    ways.into_iter().map(|(_, way)| way).collect()
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
