//! A table for people: as much of it as a terminal shows, and what was left out.

use crate::terminal::{bold, clipped, counted, dimmed, visible};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;
use unmold::report::table::{Table, joined};

/// How much of a table is shown.
pub struct TableView {
    rows: usize,
    width: usize,
}

/// A cell is shown up to this width.
const CELL_WIDTH: usize = 26;
/// What stands between columns.
const GAP: &str = "  ";

impl Default for TableView {
    fn default() -> Self {
        TableView {
            rows: 20,
            width: terminal_width(),
        }
    }
}

/// The columns of characters that fit onto a line: of the terminal, or what most have.
fn terminal_width() -> usize {
    /// Lines in pipes are as long as on wide terminals.
    const USUAL: usize = 120;
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(USUAL, |(width, _)| usize::from(width.0))
}

impl TableView {
    /// Writes the first rows and columns of a table, and how many more there are.
    pub fn write(&self, table: &Table, out: &mut dyn Write) -> io::Result<()> {
        let rows = table.rows.len().min(self.rows);
        let (shown, empty) = self.columns(table, rows);
        let header = shown
            .iter()
            .map(|column| bold(&column.padded(&column.name)).into_owned());
        writeln!(out, "{}", header.collect::<Vec<_>>().join(GAP).trim_end())?;
        for row in 0..rows {
            let cells = shown.iter().map(|column| column.padded(&column.cells[row]));
            writeln!(out, "{}", cells.collect::<Vec<_>>().join(GAP).trim_end())?;
        }
        let left_out = [
            (table.rows.len() - rows, "row"),
            (table.columns.len() - shown.len() - empty, "column"),
            (empty, "column without a value in these rows"),
        ];
        let left_out: Vec<String> = left_out
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(said)
            .collect();
        if left_out.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "{}",
            dimmed(&format!(
                "... and {}; -f csv and -f jsonl have them all",
                left_out.join(", ")
            ))
        )
    }

    /// The first columns with values that fit, and the number of those without.
    fn columns(&self, table: &Table, rows: usize) -> (Vec<Shown>, usize) {
        let all = (0..table.columns.len()).map(|at| Shown::of(table, at, rows));
        let (filled, empty): (Vec<Shown>, Vec<Shown>) = all.partition(Shown::has_values);
        let mut used = 0;
        let fits = |column: &Shown| {
            used += column.width + GAP.len();
            used <= self.width + GAP.len() || used == column.width + GAP.len()
        };
        (filled.into_iter().take_while(fits).collect(), empty.len())
    }
}

fn said((count, what): &(usize, &str)) -> String {
    match what.split_once(' ') {
        Some((what, more)) => format!("{} {more}", counted(*count, what)),
        None => format!("{} more", counted(*count, what)),
    }
}

/// A column as it is shown.
struct Shown {
    name: String,
    cells: Vec<String>,
    width: usize,
}

impl Shown {
    fn of(table: &Table, at: usize, rows: usize) -> Self {
        let shown = |value: &str| clipped(&visible(value), CELL_WIDTH).into_owned();
        let name = shown(&table.columns[at].name);
        let cells: Vec<String> = table.rows[..rows]
            .iter()
            .map(|row| shown(&joined(&row[at], "; ")))
            .collect();
        let width = cells
            .iter()
            .chain([&name])
            .map(|cell| cell.width())
            .max()
            .unwrap_or(0);
        Shown { name, cells, width }
    }

    fn has_values(&self) -> bool {
        self.cells.is_empty() || self.cells.iter().any(|cell| !cell.is_empty())
    }

    /// Chinese characters are two columns wide, so that padding is counted out rather than left to
    /// `format!`.
    fn padded(&self, cell: &str) -> String {
        format!("{cell}{}", " ".repeat(self.width - cell.width()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unmold::report::table::Column;

    #[test]
    fn what_does_not_fit_is_counted() {
        let columns = ["page", "empty", "name", "long"].map(Column::text).to_vec();
        let row = |n: usize| {
            vec![
                vec![format!("{n}.html")],
                vec![],
                vec!["日本".into(), "x".into()],
                vec!["y".repeat(40)],
            ]
        };
        let table = Table {
            columns,
            rows: (0..30).map(row).collect(),
        };
        let mut out = Vec::new();
        TableView { rows: 2, width: 20 }
            .write(&table, &mut out)
            .unwrap();
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(
            lines[..3],
            ["page    name", "0.html  日本; x", "1.html  日本; x"]
        );
        let left_out = "... and 28 rows more, 1 column more, 1 column without a value in these rows; -f csv and -f jsonl have them all";
        assert_eq!(lines[3], left_out);
    }
}
