//! Records for people.

use crate::terminal::{bold, clipped, counted, dimmed, visible};
use std::{
    collections::HashSet,
    io::{self, Write},
};
use unicode_width::UnicodeWidthStr;
use unmold::{
    Text,
    lists::{List, Record},
};

/// So many columns are shown.
const COLUMNS: usize = 5;
const CELL_WIDTH: usize = 26;
const PATTERN_WIDTH: usize = 70;

/// Writes the records of a page, behind a blank line unless it is the first.
pub fn write(
    out: &mut dyn Write,
    text: &Text,
    lists: &[List<'_>],
    top: usize,
    is_first: bool,
) -> io::Result<()> {
    if !is_first {
        writeln!(out)?;
    }
    match lists.split_first() {
        Some((best, others)) => {
            write_best(out, text, best, top)?;
            others.iter().try_for_each(|other| {
                writeln!(out, "{}", dimmed(&format!("  also {}", summary(other))))
            })
        }
        None => writeln!(out, "{}: no records", bold(&visible(text.id()))),
    }
}

fn write_best(out: &mut dyn Write, text: &Text, best: &List<'_>, top: usize) -> io::Result<()> {
    writeln!(out, "{}: {}", bold(&visible(text.id())), summary(best))?;
    let columns = telling(text, best);
    let header: Vec<String> = columns
        .iter()
        .map(|&column| best.columns[column].name.clone())
        .collect();
    let rows = best
        .records
        .iter()
        .take(top)
        .map(|record| cells(text, best, record, &columns));
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let widths = widths(&rows);
    for (number, row) in rows.iter().enumerate() {
        let number = if number == 0 {
            String::new()
        } else {
            number.to_string()
        };
        writeln!(out, "{number:>5}  {}", line(row, &widths))?;
    }
    if best.records.len() > top {
        let more = counted(best.records.len() - top, "record");
        writeln!(
            out,
            "{}",
            dimmed(&format!("  ... and {more} more; --top shows them"))
        )?;
    }
    Ok(())
}

fn summary(list: &List<'_>) -> String {
    let shown = clipped(&visible(&list.pattern), PATTERN_WIDTH).into_owned();
    let name = clipped(&visible(&list.name), PATTERN_WIDTH).into_owned();
    format!(
        "{name}, {}, {}, {shown}",
        counted(list.records.len(), "record"),
        counted(filled(list), "field")
    )
}

/// How many columns have a value on the page.
fn filled(list: &List<'_>) -> usize {
    let columns: HashSet<usize> = list
        .records
        .iter()
        .flat_map(|record| &record.fields)
        .map(|field| field.column)
        .collect();
    columns.len()
}

/// The most telling columns: text before attributes, then what most records have, in other words
/// each, in the order of the page.
fn telling(text: &Text, list: &List<'_>) -> Vec<usize> {
    let mut columns: Vec<(f64, usize)> = (0..list.columns.len())
        .map(|column| (telling_of(text, list, column), column))
        .collect();
    columns.retain(|(tells, _)| tells.is_finite());
    columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    columns.truncate(COLUMNS);
    let mut shown: Vec<usize> = columns.into_iter().map(|(_, column)| column).collect();
    shown.sort_unstable();
    shown
}

/// How much a column tells: the share of records that have it, times the root of the share of
/// different values, and a little for their length. Attributes tell less than any text, and a
/// column without a value nothing.
fn telling_of(text: &Text, list: &List<'_>, column: usize) -> f64 {
    let values: Vec<String> = list
        .records
        .iter()
        .filter_map(|record| record.value(text.as_str(), &list.columns, column))
        .collect();
    if values.is_empty() {
        return f64::NEG_INFINITY;
    }
    let different = values.iter().collect::<HashSet<_>>().len() as f64;
    let width = values
        .iter()
        .map(|value| value.chars().count())
        .sum::<usize>() as f64
        / values.len() as f64;
    let (filled, all) = (values.len() as f64, list.records.len() as f64);
    let tells = filled / all * (different / filled).sqrt() * (2.0 + width).ln();
    if list.columns[column].attribute.is_some() {
        tells - 1e6
    } else {
        tells
    }
}

fn cells(text: &Text, list: &List<'_>, record: &Record, columns: &[usize]) -> Vec<String> {
    let value = |&column: &usize| {
        record
            .value(text.as_str(), &list.columns, column)
            .unwrap_or_default()
    };
    columns.iter().map(value).collect()
}

/// How many columns of a terminal the longest cell of each column takes.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        rows.iter()
            .map(|row| shown(&row[column]).width())
            .max()
            .unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

fn shown(value: &str) -> String {
    clipped(&visible(value), CELL_WIDTH).into_owned()
}

fn line(row: &[String], widths: &[usize]) -> String {
    // Chinese characters are two columns wide, so that padding is counted out rather than left to
    // `format!`.
    let cell = |(value, width): (&String, &usize)| {
        let shown = shown(value);
        let padding = " ".repeat(width - shown.width());
        shown + &padding
    };
    row.iter()
        .zip(widths)
        .map(cell)
        .collect::<Vec<_>>()
        .join("  ")
        .trim_end()
        .to_owned()
}
