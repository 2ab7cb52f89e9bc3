//! Where results go.

use crate::args::Output;
use anyhow::Result;
use serde::Serialize;
use std::{
    io::{self, BufWriter, Write},
    path::Path,
};
use unmold::report::table::Table;
use unmold_io::{
    save::{NewFile, Overwrite, SaveError},
    table::{Column, TableWriter},
};

/// Writes a result to the file that was named, or to standard output. A file appears only when it is complete.
pub fn write(output: &Output, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    write_to(output.output.as_deref(), output.overwrite, content)
}

/// Writes a result to a file, or to standard output where none is named.
pub fn write_to(
    path: Option<&Path>,
    overwrite: bool,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    match path {
        Some(path) => write_file(path, overwrite, content),
        None => {
            let mut stdout = BufWriter::new(io::stdout().lock());
            content(&mut stdout)?;
            Ok(stdout.flush()?)
        }
    }
}

/// Writes a result that is still being worked out, which may fail too. A file appears only when it is complete.
pub fn stream_to(
    path: Option<&Path>,
    overwrite: bool,
    content: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let Some(path) = path else {
        let mut stdout = BufWriter::new(io::stdout().lock());
        content(&mut stdout)?;
        return Ok(stdout.flush()?);
    };
    let mut file = create(path, overwrite)?;
    content(&mut file).map_err(|error| named(path, error))?;
    Ok(file.finish()?)
}

/// Writes a table of rows that are still being worked out as a Parquet file, which appears only when it is complete.
pub fn table_to(
    path: &Path,
    overwrite: bool,
    columns: &[Column],
    content: impl FnOnce(&mut TableWriter<NewFile>) -> Result<()>,
) -> Result<()> {
    let mut table =
        TableWriter::new(create(path, overwrite)?, columns).map_err(|error| SaveError::from_write(path, error))?;
    content(&mut table).map_err(|error| named(path, error))?;
    Ok(table.finish().map_err(|error| SaveError::from_write(path, error))?.finish()?)
}

/// An error of writing, with the file that was written.
fn named(path: &Path, error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<io::Error>() {
        Ok(error) => SaveError::from_write(path, error).into(),
        Err(error) => error,
    }
}

fn create(path: &Path, overwrite: bool) -> Result<NewFile> {
    Ok(NewFile::create(path, if overwrite { Overwrite::Allow } else { Overwrite::Refuse })?)
}

/// Writes a JSON object a line to a file.
pub fn write_jsonl<T: Serialize>(path: &Path, overwrite: bool, rows: &[T]) -> Result<()> {
    write_file(path, overwrite, |out| rows.iter().try_for_each(|row| jsonl_row(out, row)))
}

/// Writes one JSON object and ends the line.
pub fn jsonl_row(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}

/// Writes a table as a Parquet file.
pub fn write_parquet(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&unmold_io::table::parquet(&table.names, &table.rows)?)
}

/// Writes a file that appears only when it is complete.
pub fn write_file(path: &Path, overwrite: bool, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut file = create(path, overwrite)?;
    content(&mut file).map_err(|error| SaveError::from_write(path, error))?;
    Ok(file.finish()?)
}

/// Writes one JSON document to a file.
pub fn write_json(path: &Path, overwrite: bool, document: &impl Serialize) -> Result<()> {
    write_file(path, overwrite, |out| jsonl_row(out, document))
}

/// Writes a text to a file.
pub fn write_text(path: &Path, overwrite: bool, text: &str) -> Result<()> {
    write_file(path, overwrite, |out| out.write_all(text.as_bytes()))
}
