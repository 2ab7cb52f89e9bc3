//! Which pages do the rows of a Parquet file hold?
//!
//! Two columns are read, by default `url` and `html`, as strings or bytes; the others are never
//! touched. The columns are read a few rows at a time with the column readers of the Parquet crate,
//! without Arrow: that leaves out a dozen crates, and memory is one data page of each column rather
//! than a batch of a thousand rows.
//!
//! A row group that cannot be read costs one fault, and the next group is read. The crate can panic
//! on hostile files; a panic is caught here and is a fault like the others, though the panic hook
//! of the process sees it first.

use std::fs::File;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ::parquet::basic::{ConvertedType, LogicalType, Type};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, ByteArrayType};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::ColumnDescriptor;

use crate::candidate::{Candidate, Item};
use crate::fault::{At, Fault, FaultKind, Stage};
use crate::settings::LoadSettings;
use crate::tally::SkipKind;

/// Rows read at a time. Their values point into the data page, so a few more cost nothing and many
/// more gain nothing.
const ROWS: usize = 16;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
enum BadTable {
    #[error("not a readable Parquet file: {0}")]
    Parquet(#[from] ParquetError),
    #[error("the Parquet reader gave up on damaged data")]
    Panic,
    #[error("the columns of a row group have different lengths")]
    Uneven,
    #[error(
        "no column \"{name}\" among: {columns}; choose the column that holds the {what} with --{what}-field"
    )]
    Missing {
        name: String,
        what: &'static str,
        columns: String,
    },
    #[error(
        "the column \"{name}\" is not text ({found}); the columns are: {columns}; choose another with --{what}-field"
    )]
    NotText {
        name: String,
        what: &'static str,
        found: String,
        columns: String,
    },
}

impl BadTable {
    fn kind(&self) -> FaultKind {
        match self {
            BadTable::Parquet(_) | BadTable::Panic | BadTable::Uneven => FaultKind::BadTable,
            BadTable::Missing { .. } => FaultKind::MissingField,
            BadTable::NotText { .. } => FaultKind::WrongType,
        }
    }
}

/// Runs code that may panic on hostile data. What it worked on is not used again after a panic.
fn guard<T>(work: impl FnOnce() -> Result<T, BadTable>) -> Result<T, BadTable> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(BadTable::Panic))
}

/// Opens a table and gives its items.
pub(crate) fn items(
    file: String,
    table: File,
    settings: Arc<LoadSettings>,
) -> Box<dyn Iterator<Item = Item> + Send> {
    match guard(|| Table::open(table, &settings)) {
        Ok(table) => Box::new(Rows {
            file,
            table,
            settings,
            group: 0,
            columns: None,
            row: 0,
            ready: Vec::new(),
        }),
        Err(error) => {
            let fault = Fault::new(
                &file,
                At::File,
                Stage::Open,
                error.kind(),
                error.to_string(),
            );
            Box::new(std::iter::once(Item::from(fault)))
        }
    }
}

/// A file and the places of the two columns in it.
struct Table {
    reader: SerializedFileReader<File>,
    html: usize,
    url: Option<usize>,
    /// Whether the page column is declared to be text, which Parquet defines as UTF-8.
    is_text: bool,
}

impl Table {
    fn open(file: File, settings: &LoadSettings) -> Result<Table, BadTable> {
        let reader = SerializedFileReader::new(file)?;
        let columns = reader.metadata().file_metadata().schema_descr().columns();
        let html = find_column(columns, settings.get_html_field(), "html")?;
        let url = match find_column(columns, settings.get_url_field(), "url") {
            Ok(url) => Some(url),
            // A table without addresses is fine, unless the user named a column.
            Err(BadTable::Missing { name, .. }) if name == "url" => None,
            Err(error) => return Err(error),
        };
        let is_text = is_declared_text(&columns[html]);
        Ok(Table {
            html,
            url,
            is_text,
            reader,
        })
    }

    fn rows_of(&self, group: usize) -> u64 {
        u64::try_from(self.reader.metadata().row_group(group).num_rows()).unwrap_or(0)
    }

    /// The definition level at which a value is there. It is zero in a required column.
    fn present_level(&self, column: usize) -> i16 {
        self.reader
            .metadata()
            .file_metadata()
            .schema_descr()
            .column(column)
            .max_def_level()
    }

    fn columns_of(&self, group: usize) -> Result<Columns, BadTable> {
        let group = self.reader.get_row_group(group)?;
        let column =
            |index| Column::new(group.get_column_reader(index)?, self.present_level(index));
        Ok(Columns {
            html: column(self.html)?,
            url: self.url.map(column).transpose()?,
        })
    }
}

fn find_column(
    columns: &[Arc<ColumnDescriptor>],
    name: &str,
    what: &'static str,
) -> Result<usize, BadTable> {
    let listed = || {
        columns
            .iter()
            .map(|column| column.path().string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let found = columns
        .iter()
        .position(|column| column.path().string() == name);
    let Some(index) = found else {
        return Err(BadTable::Missing {
            name: name.to_owned(),
            what,
            columns: listed(),
        });
    };
    let column = &columns[index];
    if column.physical_type() == Type::BYTE_ARRAY && column.max_rep_level() == 0 {
        return Ok(index);
    }
    let list = if column.max_rep_level() > 0 {
        "list of "
    } else {
        ""
    };
    let found = format!("{list}{}", column.physical_type());
    Err(BadTable::NotText {
        name: name.to_owned(),
        what,
        found,
        columns: listed(),
    })
}

fn is_declared_text(column: &ColumnDescriptor) -> bool {
    column.logical_type_ref() == Some(&LogicalType::String)
        || column.converted_type() == ConvertedType::UTF8
}

/// The two columns of a row group.
struct Columns {
    html: Column,
    url: Option<Column>,
}

impl Columns {
    /// The next rows; none at the end of the group.
    fn read(&mut self) -> Result<Vec<Row>, BadTable> {
        let html = self.html.read()?;
        let url = match &mut self.url {
            Some(url) => url.read()?,
            None => vec![None; html.len()],
        };
        if html.len() != url.len() {
            return Err(BadTable::Uneven);
        }
        Ok(html
            .into_iter()
            .zip(url)
            .map(|(html, url)| Row { html, url })
            .collect())
    }
}

struct Row {
    html: Option<ByteArray>,
    url: Option<ByteArray>,
}

/// One column of a row group.
struct Column {
    reader: ColumnReaderImpl<ByteArrayType>,
    present: i16,
    levels: Vec<i16>,
    values: Vec<ByteArray>,
}

impl Column {
    fn new(reader: ColumnReader, present: i16) -> Result<Column, BadTable> {
        match reader {
            ColumnReader::ByteArrayColumnReader(reader) => Ok(Column {
                reader,
                present,
                levels: Vec::new(),
                values: Vec::new(),
            }),
            _ => Err(BadTable::Parquet(ParquetError::General(
                "the column changes its type".to_owned(),
            ))),
        }
    }

    /// The next values, with the nulls between them.
    fn read(&mut self) -> Result<Vec<Option<ByteArray>>, BadTable> {
        self.levels.clear();
        self.values.clear();
        let (rows, _, _) =
            self.reader
                .read_records(ROWS, Some(&mut self.levels), None, &mut self.values)?;
        let mut values = self.values.drain(..);
        let is_null = |row: usize| {
            self.levels
                .get(row)
                .is_some_and(|&level| level < self.present)
        };
        Ok((0..rows)
            .map(|row| if is_null(row) { None } else { values.next() })
            .collect())
    }
}

/// The items of a table.
struct Rows {
    file: String,
    table: Table,
    settings: Arc<LoadSettings>,
    /// The row group being read, or the next one.
    group: usize,
    columns: Option<Columns>,
    /// The number of the next row.
    row: u64,
    /// Rows that were read ahead, last first.
    ready: Vec<Row>,
}

impl Rows {
    /// Reads some rows of the current group, or opens the next. False at the end of the table.
    fn read_some(&mut self) -> Result<bool, BadTable> {
        if self.group >= self.table.reader.num_row_groups() {
            return Ok(false);
        }
        let (table, group) = (&self.table, self.group);
        let mut columns = match self.columns.take() {
            Some(columns) => columns,
            None => guard(|| table.columns_of(group))?,
        };
        let (rows, columns) = guard(move || Ok((columns.read()?, columns)))?;
        if rows.is_empty() {
            self.group += 1;
        } else {
            self.columns = Some(columns);
            self.ready = rows;
            self.ready.reverse();
        }
        Ok(true)
    }

    /// Gives up on the rest of the current group.
    fn fault(&mut self, error: &BadTable) -> Item {
        let lost = self.rest_of_group();
        let at = At::Row(lost.start);
        (self.row, self.group) = (lost.end, self.group + 1);
        Fault::new(&self.file, at, Stage::Row, error.kind(), error.to_string())
            .with_lost(lost)
            .into()
    }

    fn rest_of_group(&self) -> Range<u64> {
        let end = (0..=self.group)
            .map(|group| self.table.rows_of(group))
            .fold(0, u64::saturating_add);
        self.row..end.max(self.row)
    }

    fn judge(&mut self, row: Row) -> Item {
        let at = At::Row(self.row);
        self.row += 1;
        let Some(html) = row.html else {
            return Item::skipped(&self.file, at, SkipKind::Empty, "empty");
        };
        let is_utf8 = self.table.is_text && std::str::from_utf8(html.data()).is_ok();
        let bytes = html.data()[..html.len().min(self.settings.get_page_bytes() + 1)].to_vec();
        Candidate {
            url: row
                .url
                .map(|url| String::from_utf8_lossy(url.data()).into_owned()),
            charset: is_utf8.then(|| "utf-8".to_owned()),
            size: Some(html.len() as u64),
            bytes,
            ..Candidate::default()
        }
        .judge(&self.file, at, &self.settings)
    }
}

impl Iterator for Rows {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(row) = self.ready.pop() {
                return Some(self.judge(row));
            }
            match self.read_some() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(self.fault(&error)),
            }
        }
    }
}
