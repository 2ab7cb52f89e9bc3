//! Is a table one, and which of its cells stand below each other?
//!
//! Old sites arrange whole pages by tables, so most elements called `table` are none. One is where
//! two rows at least have cells of a few words: no tables inside, no headings, no listings. What
//! only arranges is taken apart.
//!
//! A cell may reach over several rows and columns. [`grid`] lays cells out as a browser does; where
//! a row of three cells claims a million places, the claims are not believed, so that the cost
//! stays linear in the cells that are there.

use super::document::{Block, Cell, Piece, Run, Table, runs_of};
use crate::read::tree::{NodeId, Tree};

/// The most that browsers believe a cell.
const MOST_COLUMNS: u32 = 1000;
const MOST_ROWS: u32 = 65534;
/// No cell of a table says more than this many bytes, but for those of tables with headings.
const CELL_BYTES: usize = 400;

/// A part of a table element, as it was read.
pub(super) enum Part {
    /// A row of cells.
    Row(Vec<ReadCell>),
    /// Its caption.
    Caption(Vec<Block>),
    /// What stands outside of cells.
    Stray(Vec<Block>),
}

/// A cell as it was read.
pub(super) struct ReadCell {
    pub heading: bool,
    pub columns: u32,
    pub rows: u32,
    pub blocks: Vec<Block>,
}

impl ReadCell {
    /// A cell with what its attributes say about it.
    pub fn new(tree: &Tree<'_>, node: NodeId, blocks: Vec<Block>) -> Self {
        let number = |name| {
            tree.attribute(node, name)
                .and_then(|value| value.trim().parse().ok())
        };
        ReadCell {
            heading: tree.name(node) == "th",
            columns: number("colspan").unwrap_or(1).clamp(1, MOST_COLUMNS),
            rows: number("rowspan").unwrap_or(1).clamp(1, MOST_ROWS),
            blocks,
        }
    }
}

/// The table that the parts make, or all their blocks where it only arranges them.
pub(super) fn table(parts: Vec<Part>) -> Vec<Block> {
    if !is_table(&parts) {
        return parts.into_iter().flat_map(blocks_of).collect();
    }
    let mut table = Table::default();
    let mut stray = Vec::new();
    for part in parts {
        match part {
            Part::Row(cells) => table.rows.push(cells.into_iter().map(cell).collect()),
            Part::Caption(blocks) => table.caption = runs_of(blocks),
            Part::Stray(blocks) => stray.extend(blocks),
        }
    }
    // A row without words keeps its place only where cells of other rows reach into it.
    let reaches = table.rows.iter().flatten().any(|cell| cell.rows > 1);
    table
        .rows
        .retain(|row| reaches || row.iter().any(|cell| !cell.runs.is_empty()));
    table.has_header = has_header(&table.rows);
    // Browsers move what stands between cells before the table.
    stray.push(Block::Table(table));
    stray
}

fn blocks_of(part: Part) -> Vec<Block> {
    match part {
        Part::Row(cells) => cells.into_iter().flat_map(|cell| cell.blocks).collect(),
        Part::Caption(blocks) | Part::Stray(blocks) => blocks,
    }
}

fn cell(read: ReadCell) -> Cell {
    Cell {
        heading: read.heading,
        columns: read.columns,
        rows: read.rows,
        runs: runs_of(read.blocks),
    }
}

fn is_table(parts: &[Part]) -> bool {
    let rows: Vec<&Vec<ReadCell>> = parts
        .iter()
        .filter_map(|part| {
            if let Part::Row(cells) = part {
                Some(cells)
            } else {
                None
            }
        })
        .filter(|row| row.iter().any(|cell| !cell.blocks.is_empty()))
        .collect();
    let cells = || rows.iter().copied().flatten();
    let is_named = cells().any(|cell| cell.heading && !cell.blocks.is_empty())
        || parts.iter().any(|part| matches!(part, Part::Caption(_)));
    let is_short = |cell: &ReadCell| cell.blocks.iter().map(size).sum::<usize>() <= CELL_BYTES;
    rows.len() > 1
        && rows
            .iter()
            .any(|row| row.iter().filter(|cell| !cell.blocks.is_empty()).count() > 1)
        && cells().flat_map(|cell| &cell.blocks).all(fits_cell)
        && (is_named || cells().all(is_short))
}

/// Whether a block can be written in a cell without loss of what counts.
fn fits_cell(block: &Block) -> bool {
    match block {
        Block::Paragraph(_) | Block::Rule => true,
        Block::Preformatted(code) => code.text.trim().lines().count() <= 1,
        Block::List { items, .. } => items.iter().flatten().all(fits_cell),
        Block::Figure { blocks, .. } | Block::Quote(blocks) => blocks.iter().all(fits_cell),
        Block::Terms(terms) => terms.iter().flat_map(|(_, blocks)| blocks).all(fits_cell),
        Block::Heading(..) | Block::Table(_) => false,
    }
}

/// How many bytes of text a block has.
fn size(block: &Block) -> usize {
    match block {
        Block::Paragraph(runs) | Block::Heading(_, runs) => runs.iter().map(run_size).sum(),
        Block::Preformatted(code) => code.text.len(),
        Block::List { items, .. } => items.iter().flatten().map(size).sum(),
        Block::Figure { blocks, .. } | Block::Quote(blocks) => blocks.iter().map(size).sum(),
        Block::Terms(terms) => terms.iter().flat_map(|(_, blocks)| blocks).map(size).sum(),
        Block::Table(_) | Block::Rule => 0,
    }
}

fn run_size(run: &Run) -> usize {
    if let Piece::Text(text) = &run.piece {
        text.len()
    } else {
        0
    }
}

/// Whether the first row names the columns: it says so, or nothing in the table names anything.
fn has_header(rows: &[Vec<Cell>]) -> bool {
    let mut named = rows
        .iter()
        .flatten()
        .filter(|cell| !cell.runs.is_empty())
        .map(|cell| cell.heading);
    let first = rows.first().map_or(&[][..], |row| &row[..]);
    first
        .iter()
        .filter(|cell| !cell.runs.is_empty())
        .all(|cell| cell.heading)
        || !named.any(|is_heading| is_heading)
}

/// The cells of a table by rows and columns; `None` where another cell reaches to, or none stands.
pub(super) fn grid(rows: &[Vec<Cell>]) -> Vec<Vec<Option<&Cell>>> {
    let cells: usize = rows.iter().map(Vec::len).sum();
    let most = 4 * cells + 64;
    let plain = || {
        rows.iter()
            .map(|row| row.iter().map(Some).collect())
            .collect()
    };
    let mut grid = Layout::new(rows, most).grid(rows).unwrap_or_else(plain);
    let width = grid.iter().map(Vec::len).max().unwrap_or(0);
    // Rows of the same length look better, if they do not cost more than what is there.
    if width * grid.len() <= most {
        grid.iter_mut().for_each(|row| row.resize(width, None));
    } else if let Some(first) = grid.first_mut() {
        first.resize(width, None);
    }
    grid
}

/// Cells on their way to their columns.
struct Layout {
    /// For each column, how many rows from here on a cell above reaches into.
    taken: Vec<u32>,
    /// How many columns rows of several cells have: one that is alone in its row reaches no
    /// further.
    width: u32,
    places: usize,
    /// How many places there may be.
    most: usize,
}

impl Layout {
    fn new(rows: &[Vec<Cell>], most: usize) -> Self {
        let several = rows.iter().filter(|row| row.len() > 1);
        let width = several
            .map(|row| {
                row.iter()
                    .fold(0, |sum: u32, cell| sum.saturating_add(cell.columns))
            })
            .max();
        Layout {
            taken: Vec::new(),
            width: width.unwrap_or(1),
            places: 0,
            most,
        }
    }

    /// The rows, unless they have more places than there may be.
    fn grid(mut self, rows: &[Vec<Cell>]) -> Option<Vec<Vec<Option<&Cell>>>> {
        rows.iter().map(|row| self.row(row)).collect()
    }

    fn row<'c>(&mut self, row: &'c [Cell]) -> Option<Vec<Option<&'c Cell>>> {
        let mut line: Vec<Option<&Cell>> = Vec::new();
        for cell in row {
            while self.take(line.len()) {
                line.push(None);
            }
            let columns = if row.len() > 1 {
                cell.columns
            } else {
                cell.columns.min(self.width)
            };
            let end = line.len() + columns as usize;
            if self.places + end > self.most {
                return None;
            }
            (line.len()..end).for_each(|column| self.reserve(column, cell.rows - 1));
            line.push(Some(cell));
            line.resize(end, None);
        }
        (line.len()..self.taken.len()).for_each(|column| _ = self.take(column));
        self.places += line.len().max(self.taken.len());
        (self.places <= self.most).then_some(line)
    }

    /// Whether a cell above reaches into a column of this row.
    fn take(&mut self, column: usize) -> bool {
        let Some(rows) = self.taken.get_mut(column).filter(|rows| **rows > 0) else {
            return false;
        };
        *rows -= 1;
        true
    }

    /// Keeps a column of the rows below for a cell of this one.
    fn reserve(&mut self, column: usize, rows: u32) {
        if self.taken.len() <= column {
            self.taken.resize(column + 1, 0);
        }
        // Cells of two rows may overlap, in broken tables.
        self.taken[column] = self.taken[column].saturating_sub(1).max(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::write::document::Document;

    /// The texts of a table, laid out.
    fn laid_out(page: &str) -> Vec<Vec<String>> {
        let blocks = Document::new(page, &[]).blocks;
        let [Block::Table(table)] = &blocks[..] else {
            panic!("{blocks:?}")
        };
        let text = |cell: &Option<&Cell>| {
            cell.map_or(String::new(), |cell| cell.runs.iter().map(word).collect())
        };
        grid(&table.rows)
            .iter()
            .map(|row| row.iter().map(text).collect())
            .collect()
    }

    fn word(run: &Run) -> &str {
        if let Piece::Text(text) = &run.piece {
            text
        } else {
            "/"
        }
    }

    #[test]
    fn cells_stand_below_each_other_as_in_a_browser() {
        let page = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td>f<td>g<tr><td colspan=99>h</table>";
        assert_eq!(
            laid_out(page),
            [
                ["a", "b", ""],
                ["", "c", "d"],
                ["e", "f", "g"],
                ["h", "", ""]
            ]
        );
        assert_eq!(
            laid_out("<table><tr><td>a<td rowspan=9>b<tr><td>c</table>"),
            [["a", "b"], ["c", ""]]
        );
    }

    #[test]
    fn blocks_of_a_cell_are_lines() {
        let page = "<table><tr><th>a<th>b<tr><td><p>c<p>d<td><ul><li>e<li>f</ul></table>";
        assert_eq!(laid_out(page), [["a", "b"], ["c/d", "e/f"]]);
    }

    #[test]
    fn claims_that_no_table_bears_out_are_not_believed() {
        let row = "<tr>".to_owned() + &"<td colspan=1000 rowspan=60000>x".repeat(500);
        let page = format!("<table>{}</table>", row.repeat(4));
        let rows = laid_out(&page);
        assert!(rows.iter().all(|row| row.len() == 500));
        let ragged = format!(
            "<table><tr>{}{}</table>",
            "<td>x".repeat(1000),
            "<tr><td>y".repeat(1000)
        );
        assert_eq!(laid_out(&ragged).iter().map(Vec::len).sum::<usize>(), 2000);
    }
}
