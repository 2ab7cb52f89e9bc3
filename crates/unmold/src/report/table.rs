//! Rows of values under names, for spreadsheets and table formats.
//!
//! ```
//! use unmold::report::table::Table;
//!
//! let table = Table { names: vec!["name".into(), "price".into()], rows: vec![vec![Some("Tea, black".into()), None]] };
//! let mut csv = Vec::new();
//! table.write_csv(&mut csv)?;
//! assert_eq!(String::from_utf8(csv).unwrap(), "name,price\n\"Tea, black\",\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Rows of values under names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub names: Vec<String>,
    /// As many values in each row as there are names.
    pub rows: Vec<Vec<Option<String>>>,
}

impl Table {
    /// Writes a table with its header as CSV.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut header = csv::Writer::from_writer(&mut *out);
        header.write_record(self.names.iter().map(|name| guarded(name).into_owned())).map_err(io_error)?;
        drop(header);
        self.write_csv_rows(out)
    }

    /// The rows without their header, to go on with a table.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_csv_rows(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        for row in &self.rows {
            let cells = row.iter().map(|value| guarded(value.as_deref().unwrap_or_default()).into_owned());
            csv.write_record(cells).map_err(io_error)?;
        }
        csv.flush()
    }
}

/// The error beneath, so that a closed pipe is known for what it is.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A cell that a spreadsheet will not take for a formula.
fn guarded(value: &str) -> Cow<'_, str> {
    if value.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{value}"))
    } else {
        Cow::Borrowed(value)
    }
}
