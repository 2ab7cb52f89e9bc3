//! Parquet: strings, bytes, nulls, missing columns and damage.

use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use unmold_io::{
    FaultKind, LoadSettings,
    table::{Cell, Column, TableWriter},
};

use crate::build::{gzip, load_bytes, load_bytes_with};

const TEXT: &str = "message pages { REQUIRED BYTE_ARRAY url (UTF8); OPTIONAL BYTE_ARRAY html (UTF8); REQUIRED INT64 n; }";
const BYTES: &str =
    "message pages { REQUIRED BYTE_ARRAY url; OPTIONAL BYTE_ARRAY html; REQUIRED INT64 n; }";

/// A table of `groups` row groups of `rows` rows each. Every fifth page is null.
fn table(schema: &str, groups: usize, rows: usize) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::new())).unwrap();
    for group in 0..groups {
        let numbers: Vec<usize> = (group * rows..(group + 1) * rows).collect();
        let urls: Vec<ByteArray> = numbers
            .iter()
            .map(|n| ByteArray::from(format!("http://a/{n}").as_str()))
            .collect();
        let html: Vec<ByteArray> = numbers
            .iter()
            .filter(|&n| n % 5 > 0)
            .map(|n| ByteArray::from(format!("<p>é{n}").as_str()))
            .collect();
        let levels: Vec<i16> = numbers.iter().map(|n| i16::from(n % 5 > 0)).collect();
        let counts: Vec<i64> = numbers.iter().map(|&n| n as i64).collect();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&urls, None, None)
            .unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&html, Some(&levels), None)
            .unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<Int64Type>()
            .write_batch(&counts, None, None)
            .unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

#[test]
fn rows_of_strings_and_of_bytes_become_pages_and_nulls_are_empty() {
    for (schema, charset) in [(TEXT, Some("utf-8")), (BYTES, None)] {
        let all = load_bytes("a.parquet", &table(schema, 3, 50));
        assert_eq!(
            (all.tally.pages(), all.tally.skipped(), all.tally.faults()),
            (120, 30, 0)
        );
        let last = all.pages.last().unwrap();
        assert_eq!(last.id(), "a.parquet#149");
        assert_eq!(last.url(), Some("http://a/149"));
        assert_eq!(last.bytes(), "<p>é149".as_bytes());
        assert_eq!(last.charset(), charset);
    }
}

#[test]
fn content_tells_parquet_even_when_compressed() {
    assert_eq!(load_bytes("-", &table(TEXT, 1, 10)).pages.len(), 8);
    assert_eq!(
        load_bytes("a.parquet.gz", &gzip(&table(TEXT, 1, 10)))
            .pages
            .len(),
        8
    );
}

#[test]
fn missing_and_wrongly_typed_columns_list_what_there_is() {
    let bytes = table(TEXT, 1, 10);
    let missing = load_bytes_with(
        "a.parquet",
        &bytes,
        &LoadSettings::default().html_field("body"),
    );
    assert_eq!(missing.faults[0].kind(), FaultKind::MissingField);
    let reason = missing.faults[0].reason();
    assert!(
        reason.contains("url, html, n") && reason.contains("--html-field"),
        "{reason}"
    );
    let number = load_bytes_with(
        "a.parquet",
        &bytes,
        &LoadSettings::default().html_field("n"),
    );
    assert_eq!(number.faults[0].kind(), FaultKind::WrongType);
    let named = load_bytes_with(
        "a.parquet",
        &bytes,
        &LoadSettings::default().url_field("link"),
    );
    assert_eq!(named.faults[0].kind(), FaultKind::MissingField);
}

#[test]
fn a_table_without_addresses_is_fine() {
    let bytes = table(
        "message pages { REQUIRED BYTE_ARRAY a; OPTIONAL BYTE_ARRAY html; REQUIRED INT64 n; }",
        1,
        10,
    );
    assert_eq!(load_bytes("a.parquet", &bytes).pages[0].url(), None);
}

#[test]
fn files_that_are_not_parquet_are_faults() {
    for bytes in [
        &b"PAR1"[..],
        b"PAR1 and nothing else PAR1",
        b"not parquet at all",
    ] {
        assert_eq!(
            load_bytes("a.parquet", bytes).faults[0].kind(),
            FaultKind::BadTable
        );
    }
}

#[test]
fn a_damaged_row_group_costs_itself() {
    let mut bytes = table(TEXT, 3, 50);
    let needle = b"<p>\xc3\xa976";
    let at = bytes
        .windows(needle.len())
        .position(|window| window == needle)
        .unwrap();
    // The length before the value: the rest of its page cannot be told apart any more.
    bytes[at - 4..at].fill(0x7f);
    let all = load_bytes("a.parquet", &bytes);
    assert!(!all.faults.is_empty());
    assert_eq!(all.pages.last().unwrap().id(), "a.parquet#149");
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let whole = table(TEXT, 2, 20);
    for at in (0..whole.len()).step_by(3) {
        for value in [0x00, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            load_bytes("a.parquet", &bytes);
        }
    }
    for length in (0..whole.len()).step_by(5) {
        load_bytes("a.parquet", &whole[..length]);
    }
}

#[test]
fn a_page_beyond_the_limit_is_cut_and_named_with_its_row() {
    let mut table = TableWriter::new(Vec::new(), &[Column::text("html")]).unwrap();
    table
        .push(vec![Cell::Text(Some("<p>short".to_owned()))])
        .unwrap();
    table
        .push(vec![Cell::Text(Some("long ".repeat(100)))])
        .unwrap();
    let all = load_bytes_with(
        "a.parquet",
        &table.finish().unwrap(),
        &LoadSettings::default().page_bytes(100),
    );
    assert_eq!(
        (all.pages[0].is_truncated(), all.pages[1].is_truncated()),
        (false, true)
    );
    let expected = "a.parquet: row 1: page: the page has 500 bytes and was cut at the limit of 100";
    assert_eq!(all.cuts[0].to_string(), expected);
}
