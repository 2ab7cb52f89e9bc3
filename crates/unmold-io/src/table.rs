//! Rows of text as a Parquet file.

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};
use std::io;
use std::sync::Arc;

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
    write(columns, rows).map_err(io::Error::other)
}

fn write(columns: &[String], rows: &[Vec<Option<String>>]) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema(columns)?, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for at in 0..columns.len() {
        let Some(mut column) = group.next_column()? else { break };
        let values: Vec<ByteArray> = rows.iter().filter_map(|row| row[at].as_deref()).map(ByteArray::from).collect();
        let present: Vec<i16> = rows.iter().map(|row| i16::from(row[at].is_some())).collect();
        column.typed::<ByteArrayType>().write_batch(&values, Some(&present), None)?;
        column.close()?;
    }
    group.close()?;
    file.into_inner()
}

fn schema(columns: &[String]) -> Result<TypePtr, ParquetError> {
    let column = |name: &String| {
        let text =
            Type::primitive_type_builder(name, Physical::BYTE_ARRAY).with_logical_type(Some(LogicalType::String));
        text.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let columns = columns.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("rows").with_fields(columns).build().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    #[test]
    fn rows_are_read_back_as_they_were() {
        let columns = ["page", "名前"].map(str::to_owned);
        let rows = [vec![Some("1".to_owned()), Some("日本".to_owned())], vec![Some("2".to_owned()), None]];
        let file = SerializedFileReader::new(bytes::Bytes::from(parquet(&columns, &rows).unwrap())).unwrap();
        let read: Vec<_> = file.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].get_string(1).unwrap(), "日本");
        assert!(read[1].get_string(1).is_err(), "missing");
    }
}
