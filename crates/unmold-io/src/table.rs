//! How do rows become a Parquet file?
//!
//! [`parquet()`] writes a table that is in memory; a [`TableWriter`] takes rows as they come, and holds one row group of them.
//! Columns are written with the column writers of the Parquet crate, without Arrow, like they are read.
//!
//! ```
//! use unmold_io::table::{Cell, Column, TableWriter};
//!
//! let columns = [Column::text("name"), Column::texts("colours"), Column::numbers("sizes")];
//! let mut table = TableWriter::new(Vec::new(), &columns)?;
//! table.push(vec![
//!     Cell::Text(Some("Tea cosy".to_owned())),
//!     Cell::Texts(vec!["red".to_owned(), "blue".to_owned()]),
//!     Cell::Numbers(vec![1, 2]),
//! ])?;
//! let file = table.finish()?;
//! assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
//! # Ok::<(), std::io::Error>(())
//! ```

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::{Type, TypePtr};
use std::io::{self, Write};
use std::sync::Arc;

/// A row group is written when its cells have this many bytes,
const GROUP_BYTES: usize = 16 << 20;
/// or when it has this many rows.
const GROUP_ROWS: usize = 10_000;

/// The bytes of a Parquet file with these columns, all of them text that may be missing.
///
/// ```
/// let rows = [vec![Some("Tea".to_string()), None]];
/// let file = unmold_io::table::parquet(&["name".to_string(), "price".to_string()], &rows)?;
/// assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When the columns make no table: none, or two of the same name.
///
/// # Panics
/// When a row has fewer values than there are columns.
pub fn parquet(columns: &[String], rows: &[Vec<Option<String>>]) -> io::Result<Vec<u8>> {
    write_all(columns, rows).map_err(io::Error::other)
}

fn write_all(columns: &[String], rows: &[Vec<Option<String>>]) -> Result<Vec<u8>, ParquetError> {
    let columns: Vec<Column> = columns.iter().map(Column::text).collect();
    let mut file = SerializedFileWriter::new(Vec::new(), schema(&columns)?, properties())?;
    let mut group = file.next_row_group()?;
    for at in 0..columns.len() {
        let Some(column) = group.next_column()? else { break };
        write_text(column, rows.iter().map(|row| row[at].as_deref()))?;
    }
    group.close()?;
    file.into_inner()
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Texts,
    Numbers,
}

impl Column {
    /// A column of texts that may be missing.
    pub fn text(name: impl Into<String>) -> Self {
        Column { name: name.into(), kind: Kind::Text }
    }

    /// A column of lists of texts.
    pub fn texts(name: impl Into<String>) -> Self {
        Column { name: name.into(), kind: Kind::Texts }
    }

    /// A column of lists of numbers.
    pub fn numbers(name: impl Into<String>) -> Self {
        Column { name: name.into(), kind: Kind::Numbers }
    }
}

/// What stands in a row of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A text, or that there is none.
    Text(Option<String>),
    /// Texts; none of them is missing.
    Texts(Vec<String>),
    /// Numbers.
    Numbers(Vec<u32>),
}

impl Cell {
    fn bytes(&self) -> usize {
        match self {
            Cell::Text(text) => text.as_ref().map_or(0, String::len),
            Cell::Texts(texts) => texts.iter().map(String::len).sum(),
            Cell::Numbers(numbers) => 4 * numbers.len(),
        }
    }

    fn text(&self) -> Option<&str> {
        if let Cell::Text(text) = self { text.as_deref() } else { None }
    }

    fn texts(&self) -> &[String] {
        if let Cell::Texts(texts) = self { texts } else { &[] }
    }

    fn numbers(&self) -> &[u32] {
        if let Cell::Numbers(numbers) = self { numbers } else { &[] }
    }
}

/// Writes a Parquet file row by row. Memory is that of a row group, however many rows there are.
pub struct TableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    bytes: usize,
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a table.
    ///
    /// # Errors
    /// When the columns make no table, or nothing can be written.
    pub fn new(out: W, columns: &[Column]) -> io::Result<Self> {
        let file = schema(columns).and_then(|schema| SerializedFileWriter::new(out, schema, properties()));
        let file = file.map_err(io_error)?;
        Ok(TableWriter { file, columns: columns.to_vec(), rows: Vec::new(), bytes: 0 })
    }

    /// Adds a row. A cell that is not of its column's kind counts as missing or empty.
    ///
    /// # Errors
    /// When a row group cannot be written.
    pub fn push(&mut self, mut row: Vec<Cell>) -> io::Result<()> {
        row.resize(self.columns.len(), Cell::Text(None));
        self.bytes += row.iter().map(Cell::bytes).sum::<usize>();
        self.rows.push(row);
        if self.bytes < GROUP_BYTES && self.rows.len() < GROUP_ROWS {
            return Ok(());
        }
        self.write_group().map_err(io_error)
    }

    /// Writes the rest, and gives back what was written to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_group().map_err(io_error)?;
        self.file.into_inner().map_err(io_error)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.file.next_row_group()?;
        for (at, column) in self.columns.iter().enumerate() {
            let Some(writer) = group.next_column()? else { break };
            match column.kind {
                Kind::Text => write_text(writer, rows.iter().map(|row| row[at].text()))?,
                Kind::Texts => {
                    let texts = |cell: &Cell| cell.texts().iter().map(|text| ByteArray::from(text.as_str())).collect();
                    write_lists::<ByteArrayType>(writer, rows.iter().map(|row| texts(&row[at])))?;
                }
                Kind::Numbers => {
                    let numbers = |cell: &Cell| cell.numbers().iter().map(|number| number.cast_signed()).collect();
                    write_lists::<Int32Type>(writer, rows.iter().map(|row| numbers(&row[at])))?;
                }
            }
        }
        group.close().map(drop)
    }
}

/// An error of the file below is given as it is, so that a full disk can be told.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}

fn write_text<'r>(
    mut column: SerializedColumnWriter<'_>,
    texts: impl Iterator<Item = Option<&'r str>>,
) -> Result<(), ParquetError> {
    let (mut values, mut present) = (Vec::new(), Vec::new());
    for text in texts {
        present.push(i16::from(text.is_some()));
        values.extend(text.map(ByteArray::from));
    }
    column.typed::<ByteArrayType>().write_batch(&values, Some(&present), None)?;
    column.close()
}

/// Writes lists: a value is there or not (definition), and begins a list or goes on with it (repetition).
fn write_lists<T: DataType>(
    mut column: SerializedColumnWriter<'_>,
    lists: impl Iterator<Item = Vec<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut present, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        // An empty list has a place where nothing is.
        present.extend(std::iter::repeat_n(i16::from(!list.is_empty()), list.len().max(1)));
        repeats.push(0);
        repeats.extend(std::iter::repeat_n(1, list.len().saturating_sub(1)));
        values.extend(list);
    }
    column.typed::<T>().write_batch(&values, Some(&present), Some(&repeats))?;
    column.close()
}

fn properties() -> WriterPropertiesPtr {
    Arc::new(WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build())
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let columns = columns.iter().map(|column| column.schema().map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("rows").with_fields(columns).build().map(Arc::new)
}

impl Column {
    fn schema(&self) -> Result<Type, ParquetError> {
        let (text, number) = (Some(LogicalType::String), Some(LogicalType::integer(32, false)));
        match self.kind {
            Kind::Text => values(&self.name, Physical::BYTE_ARRAY, text, Repetition::OPTIONAL),
            Kind::Texts => self.list(values("element", Physical::BYTE_ARRAY, text, Repetition::REQUIRED)?),
            Kind::Numbers => self.list(values("element", Physical::INT32, number, Repetition::REQUIRED)?),
        }
    }

    /// A list has three levels, as the format wants it: the list, a place in it, what stands there.
    fn list(&self, element: Type) -> Result<Type, ParquetError> {
        let place = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let place = place.with_fields(vec![Arc::new(element)]).build()?;
        let list = Type::group_type_builder(&self.name).with_repetition(Repetition::REQUIRED);
        list.with_logical_type(Some(LogicalType::List)).with_fields(vec![Arc::new(place)]).build()
    }
}

fn values(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
    repetition: Repetition,
) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, physical).with_logical_type(logical).with_repetition(repetition).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::{ListAccessor, Row, RowAccessor};

    fn read(file: Vec<u8>) -> (usize, Vec<Row>) {
        let file = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
        let rows = file.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        (file.num_row_groups(), rows)
    }

    #[test]
    fn rows_are_read_back_as_they_were() {
        let columns = ["page", "名前"].map(str::to_owned);
        let rows = [vec![Some("1".to_owned()), Some("日本".to_owned())], vec![Some("2".to_owned()), None]];
        let (_, read) = read(parquet(&columns, &rows).unwrap());
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].get_string(1).unwrap(), "日本");
        assert!(read[1].get_string(1).is_err(), "missing");
    }

    #[test]
    fn lists_are_read_back_with_their_lengths() {
        let mut table =
            TableWriter::new(Vec::new(), &[Column::texts("a"), Column::text("b"), Column::numbers("c")]).unwrap();
        let lists = [vec![], vec!["x"], vec!["x", "", "日本"], vec![]];
        for (at, list) in lists.iter().enumerate() {
            let texts = list.iter().map(|&text| text.to_owned()).collect();
            let numbers = (0..at as u32).map(|n| u32::MAX - n).collect();
            table.push(vec![Cell::Texts(texts), Cell::Text(None), Cell::Numbers(numbers)]).unwrap();
        }
        let (_, rows) = read(table.finish().unwrap());
        for (at, (row, list)) in rows.iter().zip(&lists).enumerate() {
            let (texts, numbers) = (row.get_list(0).unwrap(), row.get_list(2).unwrap());
            let read: Vec<&str> = (0..texts.len()).map(|at| texts.get_string(at).unwrap().as_str()).collect();
            assert_eq!((&read, numbers.len()), (list, at));
            assert!((0..at).all(|n| numbers.get_uint(n).unwrap() == u32::MAX - n as u32));
        }
    }

    #[test]
    fn row_groups_are_bounded() {
        let mut table = TableWriter::new(Vec::new(), &[Column::text("a")]).unwrap();
        for _ in 0..5 {
            table.push(vec![Cell::Text(Some("x".repeat(GROUP_BYTES / 2)))]).unwrap();
        }
        let (groups, rows) = read(table.finish().unwrap());
        assert_eq!((groups, rows.len()), (3, 5));
    }

    #[test]
    fn a_table_without_rows_is_a_table() {
        let table = TableWriter::new(Vec::new(), &[Column::text("a"), Column::texts("b")]).unwrap();
        assert!(read(table.finish().unwrap()).1.is_empty());
    }
}
