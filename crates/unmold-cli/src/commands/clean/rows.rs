//! Cleaned pages as rows of a table.

use unmold::report::cleaned::CleanedRow;
use unmold_io::table::{Cell, Column};

/// The columns of the table.
pub fn columns() -> [Column; 14] {
    [
        Column::text("page"),
        Column::text("url"),
        Column::text("title"),
        Column::text("date"),
        Column::texts("authors"),
        Column::text("language"),
        Column::text("site"),
        Column::text("description"),
        Column::text("canonical"),
        Column::texts("tags"),
        Column::text("text"),
        Column::text("lack"),
        Column::offsets("content_starts"),
        Column::offsets("content_ends"),
    ]
}

/// The row of a page, in the order of the columns.
pub fn cells(row: CleanedRow<'_>) -> Vec<Cell> {
    let text = |text: Option<&str>| Cell::Text(text.map(str::to_owned));
    vec![
        text(Some(row.page)),
        text(row.url),
        text(row.title.as_deref()),
        text(row.date),
        Cell::Texts(row.authors.to_vec()),
        text(row.language),
        text(row.site),
        text(row.description),
        text(row.canonical),
        Cell::Texts(row.tags.to_vec()),
        Cell::Text(Some(row.text)),
        text(row.lack.map(|lack| lack.name())),
        Cell::Offsets(row.content.iter().map(|span| span[0]).collect()),
        Cell::Offsets(row.content.iter().map(|span| span[1]).collect()),
    ]
}
