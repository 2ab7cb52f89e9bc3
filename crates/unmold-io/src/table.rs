//! How do rows become a Parquet file?
//!
//! A [`TableWriter`] takes rows as they come, and holds one row group of them. Columns are written
//! with the column writers of the Parquet crate, without Arrow, like they are read.
//!
//! ```
//! use unmold_io::table::{Cell, Column, Kind, TableWriter};
//!
//! let columns = [Column::text("name"), Column::texts("colours"), Column::new("price", Kind::Number)];
//! let mut table = TableWriter::new(Vec::new(), &columns)?;
//! table.push(vec![
//!     Cell::Text(Some("Tea cosy".to_owned())),
//!     Cell::Texts(vec!["red".to_owned(), "blue".to_owned()]),
//!     Cell::Numbers(vec![48.5]),
//! ])?;
//! let file = table.finish()?;
//! assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
//! # Ok::<(), std::io::Error>(())
//! ```

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::{Type, TypePtr};
use std::io::{self, Write};
use std::sync::Arc;
use unmold::report::{
    table::{Content, Table},
    typed::{Reading, Typed},
};

/// A row group is written when its cells have this many bytes,
const GROUP_BYTES: usize = 16 << 20;
/// or when it has this many rows.
const GROUP_ROWS: usize = 10_000;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    name: String,
    kind: Kind,
    is_list: bool,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Numbers from 0, of 32 bits.
    Offset,
    /// Numbers without a fraction.
    Whole,
    /// Numbers.
    Number,
    /// Days, counted from the first of January 1970.
    Day,
    /// Yes or no.
    Flag,
}

impl Column {
    /// A column of values that may be missing.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Column {
            name: name.into(),
            kind,
            is_list: false,
        }
    }

    /// A column of lists of values.
    pub fn list(name: impl Into<String>, kind: Kind) -> Self {
        Column {
            name: name.into(),
            kind,
            is_list: true,
        }
    }

    /// A column of texts that may be missing.
    pub fn text(name: impl Into<String>) -> Self {
        Column::new(name, Kind::Text)
    }

    /// A column of lists of texts.
    pub fn texts(name: impl Into<String>) -> Self {
        Column::list(name, Kind::Text)
    }

    /// A column of lists of numbers from 0.
    pub fn offsets(name: impl Into<String>) -> Self {
        Column::list(name, Kind::Offset)
    }
}

/// What stands in a row of a column. Where the column has no lists, the first value counts, and
/// none is one that is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text, or that there is none.
    Text(Option<String>),
    /// Texts; none of them is missing.
    Texts(Vec<String>),
    /// Numbers from 0, of 32 bits.
    Offsets(Vec<u32>),
    /// Numbers without a fraction.
    Wholes(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Days since the first of January 1970.
    Days(Vec<i32>),
    /// Yes or no.
    Flags(Vec<bool>),
}

impl Cell {
    fn bytes(&self) -> usize {
        match self {
            Cell::Text(text) => text.as_ref().map_or(0, String::len),
            Cell::Texts(texts) => texts.iter().map(String::len).sum(),
            Cell::Offsets(numbers) => 4 * numbers.len(),
            Cell::Wholes(numbers) => 8 * numbers.len(),
            Cell::Numbers(numbers) => 8 * numbers.len(),
            Cell::Days(days) => 4 * days.len(),
            Cell::Flags(flags) => flags.len(),
        }
    }

    fn texts(&self) -> &[String] {
        match self {
            Cell::Text(text) => text.as_slice(),
            Cell::Texts(texts) => texts,
            _ => &[],
        }
    }
}

/// Makes the values of a kind from cells; a cell of another kind has none.
macro_rules! of_kind {
    ($cell:ident, $kind:path) => {
        if let $kind(values) = $cell {
            values.clone()
        } else {
            Vec::new()
        }
    };
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
        let file =
            schema(columns).and_then(|schema| SerializedFileWriter::new(out, schema, properties()));
        let file = file.map_err(io_error)?;
        Ok(TableWriter {
            file,
            columns: columns.to_vec(),
            rows: Vec::new(),
            bytes: 0,
        })
    }

    /// Adds a row. A cell that is not of its column's kind, and one that is not there, counts as
    /// missing or empty.
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
            let Some(writer) = group.next_column()? else {
                break;
            };
            let cells = rows.iter().map(|row| &row[at]);
            match column.kind {
                Kind::Text => {
                    let texts = |cell: &Cell| {
                        cell.texts()
                            .iter()
                            .map(|text| ByteArray::from(text.as_str()))
                            .collect()
                    };
                    column.write::<ByteArrayType>(writer, cells.map(texts))?;
                }
                Kind::Offset => {
                    let signed = |number: u32| number.cast_signed();
                    let offsets = |cell: &Cell| {
                        of_kind!(cell, Cell::Offsets)
                            .into_iter()
                            .map(signed)
                            .collect()
                    };
                    column.write::<Int32Type>(writer, cells.map(offsets))?;
                }
                Kind::Whole => column
                    .write::<Int64Type>(writer, cells.map(|cell| of_kind!(cell, Cell::Wholes)))?,
                Kind::Number => column
                    .write::<DoubleType>(writer, cells.map(|cell| of_kind!(cell, Cell::Numbers)))?,
                Kind::Day => column
                    .write::<Int32Type>(writer, cells.map(|cell| of_kind!(cell, Cell::Days)))?,
                Kind::Flag => column
                    .write::<BoolType>(writer, cells.map(|cell| of_kind!(cell, Cell::Flags)))?,
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

impl Column {
    /// Writes the cells of this column.
    fn write<T: DataType>(
        &self,
        mut column: SerializedColumnWriter<'_>,
        cells: impl Iterator<Item = Vec<T::T>>,
    ) -> Result<(), ParquetError> {
        if self.is_list {
            return write_lists::<T>(column, cells);
        }
        let (mut values, mut present) = (Vec::new(), Vec::new());
        for cell in cells {
            present.push(i16::from(!cell.is_empty()));
            values.extend(cell.into_iter().next());
        }
        column
            .typed::<T>()
            .write_batch(&values, Some(&present), None)?;
        column.close()
    }
}

/// Writes lists: a value is there or not (definition), and begins a list or goes on with it
/// (repetition).
fn write_lists<T: DataType>(
    mut column: SerializedColumnWriter<'_>,
    lists: impl Iterator<Item = Vec<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut present, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        // An empty list has a place where nothing is.
        present.extend(std::iter::repeat_n(
            i16::from(!list.is_empty()),
            list.len().max(1),
        ));
        repeats.push(0);
        repeats.extend(std::iter::repeat_n(1, list.len().saturating_sub(1)));
        values.extend(list);
    }
    column
        .typed::<T>()
        .write_batch(&values, Some(&present), Some(&repeats))?;
    column.close()
}

fn properties() -> WriterPropertiesPtr {
    Arc::new(
        WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build(),
    )
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let columns = columns
        .iter()
        .map(|column| column.schema().map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("rows")
        .with_fields(columns)
        .build()
        .map(Arc::new)
}

impl Column {
    fn schema(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Offset => (Physical::INT32, Some(LogicalType::integer(32, false))),
            Kind::Whole => (Physical::INT64, None),
            Kind::Number => (Physical::DOUBLE, None),
            Kind::Day => (Physical::INT32, Some(LogicalType::Date)),
            Kind::Flag => (Physical::BOOLEAN, None),
        };
        if self.is_list {
            return self.list_of(values("element", physical, logical, Repetition::REQUIRED)?);
        }
        values(&self.name, physical, logical, Repetition::OPTIONAL)
    }

    /// A list has three levels, as the format wants it: the list, a place in it, what stands there.
    fn list_of(&self, element: Type) -> Result<Type, ParquetError> {
        let place = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let place = place.with_fields(vec![Arc::new(element)]).build()?;
        let list = Type::group_type_builder(&self.name).with_repetition(Repetition::REQUIRED);
        list.with_logical_type(Some(LogicalType::List))
            .with_fields(vec![Arc::new(place)])
            .build()
    }
}

fn values(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
    repetition: Repetition,
) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
}

/// Writes a table of values of pages as a Parquet file, with numbers, days and lists as such.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_parquet(table: &Table, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let contents = table.contents();
    let named = table.columns.iter().zip(&contents);
    let columns: Vec<Column> = named
        .map(|(column, content)| parquet_column(&column.name, *content))
        .collect();
    let mut writer = TableWriter::new(out, &columns)?;
    for row in &table.rows {
        writer.push(
            row.iter()
                .zip(&contents)
                .map(|(cell, content)| parquet_cell(cell, content.reading))
                .collect(),
        )?;
    }
    writer.finish().map(drop)
}

fn parquet_column(name: &str, content: Content) -> Column {
    let kind = match content.reading {
        Reading::Text => Kind::Text,
        Reading::Whole(_) => Kind::Whole,
        Reading::Number(_) => Kind::Number,
        Reading::Date(_) => Kind::Day,
        Reading::Bool => Kind::Flag,
    };
    if content.is_many {
        Column::list(name, kind)
    } else {
        Column::new(name, kind)
    }
}

/// A cell whose values can all be read so, as those of its column can.
fn parquet_cell(cell: &[String], reading: Reading) -> Cell {
    let (mut wholes, mut numbers, mut days, mut flags) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for typed in cell.iter().filter_map(|value| reading.read(value)) {
        match typed {
            Typed::Whole(number) => wholes.push(number),
            Typed::Number(number) => numbers.push(number),
            Typed::Date(day) => days.push(day.since_1970()),
            Typed::Bool(is_so) => flags.push(is_so),
        }
    }
    match reading {
        Reading::Text => Cell::Texts(cell.to_vec()),
        Reading::Whole(_) => Cell::Wholes(wholes),
        Reading::Number(_) => Cell::Numbers(numbers),
        Reading::Date(_) => Cell::Days(days),
        Reading::Bool => Cell::Flags(flags),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::{ListAccessor, Row, RowAccessor};

    fn read(file: Vec<u8>) -> (usize, Vec<Row>) {
        let file = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
        let rows = file
            .get_row_iter(None)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        (file.num_row_groups(), rows)
    }

    #[test]
    fn values_are_read_back_as_they_were() {
        let columns = [
            Column::text("名前"),
            Column::new("whole", Kind::Whole),
            Column::new("number", Kind::Number),
            Column::new("day", Kind::Day),
            Column::new("flag", Kind::Flag),
            Column::list("numbers", Kind::Number),
        ];
        let mut table = TableWriter::new(Vec::new(), &columns).unwrap();
        let text = Cell::Text(Some("日本".to_owned()));
        let (numbers, days) = (Cell::Numbers(vec![1.5]), Cell::Days(vec![19_782]));
        let many = Cell::Numbers(vec![1.0, 2.0]);
        table
            .push(vec![
                text,
                Cell::Wholes(vec![-7]),
                numbers,
                days,
                Cell::Flags(vec![true]),
                many,
            ])
            .unwrap();
        table.push(vec![Cell::Text(None)]).unwrap();
        let (_, rows) = read(table.finish().unwrap());
        assert_eq!(rows[0].get_string(0).unwrap(), "日本");
        assert_eq!(rows[0].get_long(1).unwrap(), -7);
        assert_eq!(rows[0].get_double(2).unwrap(), 1.5);
        assert_eq!(
            rows[0].get_column_iter().nth(3).unwrap().1.to_string(),
            "2024-02-29"
        );
        assert!(rows[0].get_bool(4).unwrap());
        assert_eq!(rows[0].get_list(5).unwrap().get_double(1).unwrap(), 2.0);
        assert!(
            rows[1].get_string(0).is_err() && rows[1].get_long(1).is_err(),
            "missing"
        );
        assert_eq!(rows[1].get_list(5).unwrap().len(), 0);
    }

    #[test]
    fn lists_are_read_back_with_their_lengths() {
        let mut table = TableWriter::new(
            Vec::new(),
            &[Column::texts("a"), Column::text("b"), Column::offsets("c")],
        )
        .unwrap();
        let lists = [vec![], vec!["x"], vec!["x", "", "日本"], vec![]];
        for (at, list) in lists.iter().enumerate() {
            let texts = list.iter().map(|&text| text.to_owned()).collect();
            let numbers = (0..at as u32).map(|n| u32::MAX - n).collect();
            table
                .push(vec![
                    Cell::Texts(texts),
                    Cell::Text(None),
                    Cell::Offsets(numbers),
                ])
                .unwrap();
        }
        let (_, rows) = read(table.finish().unwrap());
        for (at, (row, list)) in rows.iter().zip(&lists).enumerate() {
            let (texts, numbers) = (row.get_list(0).unwrap(), row.get_list(2).unwrap());
            let read: Vec<&str> = (0..texts.len())
                .map(|at| texts.get_string(at).unwrap().as_str())
                .collect();
            assert_eq!((&read, numbers.len()), (list, at));
            assert!((0..at).all(|n| numbers.get_uint(n).unwrap() == u32::MAX - n as u32));
        }
    }

    #[test]
    fn row_groups_are_bounded() {
        let mut table = TableWriter::new(Vec::new(), &[Column::text("a")]).unwrap();
        for _ in 0..5 {
            table
                .push(vec![Cell::Text(Some("x".repeat(GROUP_BYTES / 2)))])
                .unwrap();
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
