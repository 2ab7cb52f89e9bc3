//! Rows of values, as they are written.

use crate::{
    args::{ExtractArgs, RowFormat},
    table_view::TableView,
};
use std::io::{self, Write};
use unmold::{
    Mold, Reader, Text,
    join::{Joined, Joiner, PageRows},
    mold::Group,
    read::PageError,
    reader::Part,
    report::{
        records::RecordTable,
        rows::{self, Columns, OwnColumn},
        table::{Cell, Csv, Table},
        typed_rows::{self, HeldRow},
    },
};
use unmold_io::table::write_parquet;

/// What a page gives.
pub struct Found {
    /// The group that it fits.
    pub group: Option<usize>,
    pub row: Row,
    /// What it lists, by the name of the list, where lists are tables of their own.
    pub lists: Vec<(String, RecordTable)>,
    /// How many fields the page has,
    pub values: usize,
    /// and how many of these may be wrong.
    pub doubts: usize,
}

pub enum Row {
    /// With the end of the line.
    Json(Vec<u8>),
    Held(HeldRow),
    Cells(Vec<Cell>),
    Joined(Box<PageRows>),
}

/// Makes rows of pages.
pub struct RowMaker {
    reader: Reader,
    form: Form,
    /// The columns of all groups, or of each and those of none behind them.
    columns: Vec<Columns>,
    has_lists: bool,
}

/// What a row is made as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Held,
    Cells,
    Joined,
}

impl Form {
    fn of(args: &ExtractArgs) -> Self {
        match args.format() {
            _ if args.join => Form::Joined,
            RowFormat::Jsonl if args.table.typed => Form::Held,
            RowFormat::Jsonl => Form::Json,
            RowFormat::Csv | RowFormat::Parquet | RowFormat::Table => Form::Cells,
        }
    }
}

impl RowMaker {
    /// Makes rows by a mold; `own` are the columns of pages of no group.
    pub fn new(mold: &Mold, own: &[OwnColumn], args: &ExtractArgs) -> Self {
        let (form, is_split) = (Form::of(args), args.split_groups.is_some());
        // A table has no place for lists; they are tables of their own.
        let has_lists = form == Form::Cells && is_split;
        let parts: &[Part] = match form {
            Form::Cells if !is_split => &[Part::Fields],
            Form::Joined => &[Part::Fields, Part::Lists, Part::About],
            Form::Json | Form::Held | Form::Cells => &[Part::Fields, Part::Lists],
        };
        let groups = mold
            .groups
            .iter()
            .filter(|_| is_split)
            .map(Columns::of_group);
        let columns = groups
            .chain([Columns::of(mold).with_own(own)])
            .map(|columns| with_doubts(columns, args))
            .collect();
        RowMaker {
            reader: mold.reader().only(parts),
            form,
            columns,
            has_lists,
        }
    }

    /// Takes the values out of a page.
    pub fn find(&self, text: &Text) -> Result<Found, PageError> {
        let found = self.reader.read(text)?;
        let group = found.group();
        let row = match self.form {
            Form::Json => {
                let mut line = Vec::new();
                rows::write_json(&mut line, &found);
                line.push(b'\n');
                Row::Json(line)
            }
            Form::Held => Row::Held(HeldRow::of(&found)),
            Form::Joined => {
                let columns = &self.columns[self.columns.len() - 1];
                Row::Joined(Box::new(PageRows::of(&found, columns)))
            }
            Form::Cells => {
                let columns = group
                    .filter(|_| self.columns.len() > 1)
                    .unwrap_or(self.columns.len() - 1);
                Row::Cells(self.columns[columns].row(&found))
            }
        };
        let lists = found
            .lists()
            .filter(|_| self.has_lists && group.is_some())
            .map(|found| {
                let mut table = RecordTable::default();
                table.add(text, &found.list.columns, &found.list.records);
                (found.name.to_owned(), table)
            });
        let lists = lists.collect();
        let values = found.fields().filter(|field| field.values().len() > 0);
        let (values, doubts) = values.fold((0, 0), |(values, doubts), field| {
            (values + 1, doubts + usize::from(field.doubt().is_some()))
        });
        Ok(Found {
            group,
            row,
            lists,
            values,
            doubts,
        })
    }
}

/// Columns with that of doubts, if it was asked for.
fn with_doubts(columns: Columns, args: &ExtractArgs) -> Columns {
    if args.doubts {
        columns.with_doubts()
    } else {
        columns
    }
}

/// Writes rows as they come, as far as the format can.
pub struct Rows {
    format: RowFormat,
    csv: Csv,
    lines: Vec<u8>,
    held: Vec<HeldRow>,
    /// The rows that have not been written.
    table: Table,
    has_header: bool,
    joiner: Option<Joiner>,
    joined: Option<Joined>,
}

impl Rows {
    /// Rows of pages of all groups.
    pub fn new(mold: &Mold, own: &[OwnColumn], args: &ExtractArgs) -> Self {
        let columns = Columns::of(mold).with_own(own);
        Rows::with(&with_doubts(columns, args), args)
    }

    /// Rows of pages of one group.
    pub fn of_group(group: &Group, args: &ExtractArgs) -> Self {
        Rows::with(&with_doubts(Columns::of_group(group), args), args)
    }

    fn with(columns: &Columns, args: &ExtractArgs) -> Self {
        let table = Table {
            columns: columns.columns().to_vec(),
            rows: Vec::new(),
        };
        let (format, csv) = (args.format(), args.table.csv());
        Rows {
            format,
            csv,
            lines: Vec::new(),
            held: Vec::new(),
            table,
            has_header: false,
            joiner: args.join.then(|| Joiner::new(columns)),
            joined: None,
        }
    }

    pub fn add(&mut self, row: Row) {
        match row {
            Row::Json(line) => self.lines.extend(line),
            Row::Held(row) => self.held.push(row),
            Row::Cells(cells) => self.table.rows.push(cells),
            Row::Joined(page) => {
                if let Some(joiner) = &mut self.joiner {
                    joiner.add(*page);
                }
            }
        }
    }

    /// Writes what can be written already.
    pub fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // Which lists are joined is known when all pages are.
        if self.joiner.is_some() {
            return Ok(());
        }
        out.write_all(&self.lines)?;
        self.lines.clear();
        if self.format == RowFormat::Csv {
            if std::mem::replace(&mut self.has_header, true) {
                self.csv.write_rows(&self.table, out)?;
            } else {
                self.csv.write(&self.table, out)?;
            }
            self.table.rows.clear();
        }
        Ok(())
    }

    /// Writes the rest: what can only be written when all values are known.
    pub fn finish(&mut self, out: &mut (dyn Write + Send)) -> io::Result<()> {
        if let Some(joiner) = self.joiner.take() {
            let joined = self.joined.insert(joiner.finish());
            return match self.format {
                RowFormat::Jsonl => write_objects(&joined.table, out),
                RowFormat::Csv => self.csv.write(&joined.table, out),
                RowFormat::Parquet => write_parquet(&joined.table, out),
                RowFormat::Table => TableView::default().write(&joined.table, out),
            };
        }
        match self.format {
            RowFormat::Jsonl => {
                self.write(out)?;
                typed_rows::write(&self.held, out)
            }
            RowFormat::Csv if self.has_header => Ok(()),
            RowFormat::Csv => self.write(out),
            RowFormat::Parquet => write_parquet(&self.table, out),
            RowFormat::Table => TableView::default().write(&self.table, out),
        }
    }

    /// What was joined, once all is written.
    pub fn joined(&self) -> Option<&Joined> {
        self.joined.as_ref()
    }
}

/// Writes a JSON object for each row: a list where a column has several values, `null` where there is
/// none.
fn write_objects(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let is_many: Vec<bool> = table
        .contents()
        .iter()
        .map(|content| content.is_many)
        .collect();
    for row in &table.rows {
        let mut line = String::from("{");
        for (at, (column, cell)) in table.columns.iter().zip(row).enumerate() {
            line.push_str(if at > 0 { ", " } else { "" });
            line.push_str(&serde_json::to_string(&column.name)?);
            line.push_str(": ");
            let value = match cell.first() {
                _ if is_many[at] => serde_json::to_string(cell)?,
                Some(value) => serde_json::to_string(value)?,
                None => "null".to_owned(),
            };
            line.push_str(&value);
        }
        line.push_str("}\n");
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}
