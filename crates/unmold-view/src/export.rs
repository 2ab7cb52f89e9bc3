//! What is written, byte for byte as on the command line?

use crate::{
    answer::{Answer, Problem},
    session::Session,
};
use rayon::prelude::*;
use unmold::{
    Mold, Text,
    reader::Part,
    report::{
        rows::{self, Columns},
        table::{Csv, Table},
    },
};
use unmold_io::table::write_parquet;

/// A file for the browser to keep.
pub struct File {
    pub name: &'static str,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// What can be written.
pub fn export(session: &Session, format: &str) -> Answer<File> {
    let version = session.version();
    let (mold, texts) = (&version.mold, session.texts());
    let file = |name, media_type, bytes| Ok(File { name, media_type, bytes });
    match format {
        "mold" => file("site.mold.json", "application/json", mold.to_json().into_bytes()),
        "csv" => file("site.csv", "text/csv; charset=utf-8", csv(&table(mold, texts))?),
        "jsonl" => file("site.jsonl", "application/jsonl", jsonl(mold, texts)),
        "parquet" => file("site.parquet", "application/vnd.apache.parquet", parquet(&table(mold, texts))?),
        _ => Err(Problem::Unknown),
    }
}

/// Pages that show an error of this program have no row, as on the command line.
fn table(mold: &Mold, texts: &[Text]) -> Table {
    let (columns, reader) = (Columns::of(mold), mold.reader().only(&[Part::Fields]));
    let rows = texts.par_iter().filter_map(|text| Some(columns.row(&reader.read(text).ok()?)));
    let rows = rows.collect();
    Table { columns: columns.columns().to_vec(), rows }
}

fn csv(table: &Table) -> Answer<Vec<u8>> {
    let mut bytes = Vec::new();
    Csv::default().write(table, &mut bytes).map_err(|error| Problem::Refused(error.to_string()))?;
    Ok(bytes)
}

fn parquet(table: &Table) -> Answer<Vec<u8>> {
    let mut bytes = Vec::new();
    write_parquet(table, &mut bytes).map_err(|error| Problem::Refused(error.to_string()))?;
    Ok(bytes)
}

fn jsonl(mold: &Mold, texts: &[Text]) -> Vec<u8> {
    let reader = mold.reader().only(&[Part::Fields, Part::Lists]);
    let lines = texts.par_iter().filter_map(|text| Some(rows::json(&reader.read(text).ok()?) + "\n"));
    lines.collect::<Vec<String>>().concat().into_bytes()
}
