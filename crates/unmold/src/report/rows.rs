//! What pages hold, as rows for other programs.
//!
//! ```
//! use unmold::{Mold, Text, report::rows};
//!
//! let mold = Mold::from_json(r#"{
//!     "unmold": 1,
//!     "learned": {"method": "lr", "pages": 3, "bytes": 120, "hash": "0"},
//!     "groups": [{
//!         "name": "countries",
//!         "pages": 3,
//!         "fields": [{"name": "code", "fill": 1.0, "views": [{"kind": "lr", "left": "<i>", "right": "</i>"}]}]
//!     }]
//! }"#)?;
//! let page = Text::from_string("1", "<b>Congo</b> <i>242</i>");
//! let reader = mold.reader();
//! let found = reader.read(&page)?;
//! assert_eq!(rows::json(&found), r#"{"page":"1","group":0,"fields":{"code":["242"]}}"#);
//!
//! let columns = rows::Columns::of(&mold);
//! let names: Vec<&str> = columns.columns().iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["page", "url", "group", "code"]);
//! assert_eq!(columns.row(&found), [vec!["1".to_owned()], vec![], vec!["0".to_owned()], vec!["242".to_owned()]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::table::{self, Cell, Names};
use crate::{
    fields::Value,
    lists::{Column, Field, List, Record},
    mold::{Group, Mold},
    reader::{Extraction, FoundField},
};
use serde::{Serialize, Serializer};

/// A page as a JSON object on one line, without the line's end: all fields of its group in the
/// order of the mold, `null` for what the page does not have, and what it lists.
pub fn json(extraction: &Extraction<'_>) -> String {
    let mut row = Vec::new();
    write_json(&mut row, extraction);
    String::from_utf8(row).expect("JSON is text")
}

/// The same, added to other rows.
pub fn write_json(out: &mut Vec<u8>, extraction: &Extraction<'_>) {
    let text = extraction.page();
    let mut row = Row {
        out,
        page: text.as_str(),
        fields: Vec::new(),
        value: String::new(),
    };
    row.raw("{\"page\":");
    row.string(text.id());
    if let Some(url) = text.url() {
        row.raw(",\"url\":");
        row.string(url);
    }
    row.raw(",\"group\":");
    row.json(&extraction.group());
    row.raw(",\"fields\":{");
    row.separated(extraction.fields(), |row, field| row.field(field));
    row.raw("}");
    let mut doubts = extraction
        .fields()
        .filter(|field| field.doubt().is_some())
        .peekable();
    if doubts.peek().is_some() {
        row.raw(",\"doubts\":[");
        row.separated(doubts, |row, field| row.string(field.name()));
        row.raw("]");
    }
    if extraction.lists().next().is_some() {
        row.raw(",\"records\":{");
        row.separated(extraction.lists(), |row, found| {
            row.list(found.name, found.list);
        });
        row.raw("}");
    }
    row.raw("}");
}

/// The fields of a page as an object, in the order of the mold, `null` for what the page does not
/// have.
pub struct Fields<'e>(pub &'e Extraction<'e>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.fields().map(|field| {
            let values: Vec<&str> = field.values().map(Value::text).collect();
            (field.name(), (!values.is_empty()).then_some(values))
        }))
    }
}

/// A row of JSON that is being written. Pages list a great deal: their values go straight into the
/// row.
struct Row<'a> {
    out: &'a mut Vec<u8>,
    page: &'a str,
    /// The fields of a record, and the value, that are being written.
    fields: Vec<Field>,
    value: String,
}

impl Row<'_> {
    fn raw(&mut self, json: &str) {
        self.out.extend_from_slice(json.as_bytes());
    }

    fn json(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut *self.out, value).expect("strings and numbers have a JSON form");
    }

    /// Writes a string as it is if JSON has it so.
    fn string(&mut self, text: &str) {
        // Without early ends, so that many bytes are looked at in one step.
        let is_escaped = |byte: &u8| (*byte < b' ') | (*byte == b'"') | (*byte == b'\\');
        if text
            .as_bytes()
            .iter()
            .fold(false, |escaped, byte| escaped | is_escaped(byte))
        {
            return self.json(text);
        }
        self.raw("\"");
        self.raw(text);
        self.raw("\"");
    }

    fn field(&mut self, field: FoundField<'_>) {
        self.string(field.name());
        if field.values().len() == 0 {
            return self.raw(":null");
        }
        self.raw(":[");
        self.separated(field.values(), |row, value| row.string(value.text()));
        self.raw("]");
    }

    /// Writes items with commas between them.
    fn separated<T>(&mut self, items: impl IntoIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        for (number, item) in items.into_iter().enumerate() {
            self.raw(if number == 0 { "" } else { "," });
            write(self, item);
        }
    }

    fn list(&mut self, name: &str, list: &List<'_>) {
        self.string(name);
        self.raw(":[");
        self.separated(&list.records, |row, record| row.record(list, record));
        self.raw("]");
    }

    /// A record as an object: its values by column, in the order of the columns' names.
    fn record(&mut self, list: &List<'_>, record: &Record) {
        let mut fields = std::mem::take(&mut self.fields);
        fields.clear();
        fields.extend_from_slice(&record.fields);
        fields.sort_by_key(|field| list.ranks[field.column]);
        self.raw("{");
        self.separated(fields.chunk_by(|a, b| a.column == b.column), |row, same| {
            let column = &list.columns[same[0].column];
            row.string(&column.name);
            row.raw(":[");
            row.separated(same, |row, field| row.value(column, field));
            row.raw("]");
        });
        self.raw("}");
        self.fields = fields;
    }

    fn value(&mut self, column: &Column, field: &Field) {
        let mut value = std::mem::take(&mut self.value);
        value.clear();
        column.push_value(&mut value, field.span.of(self.page));
        self.string(&value);
        self.value = value;
    }
}

/// The columns of a table, for all groups of a mold or for one; a name that several groups have is
/// one column.
#[derive(Clone, Debug)]
pub struct Columns {
    columns: Vec<table::Column>,
    names: Names,
    has_group: bool,
    /// The column of doubts.
    doubts: Option<usize>,
}

/// A column that pages of no group have by themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnColumn {
    /// What it is called.
    pub name: String,
    /// Whether a page may have several values.
    pub many: bool,
}

/// Which page a row is of.
const PAGE: &[&str] = &["page", "url"];
/// The same with the number of its group.
const PAGE_OF_GROUP: &[&str] = &["page", "url", "group"];

impl Columns {
    /// Page, address, group, and the wanted fields of all groups.
    pub fn of(mold: &Mold) -> Self {
        let mut columns = Columns::new(PAGE_OF_GROUP);
        mold.groups.iter().for_each(|group| columns.add(group));
        columns
    }

    /// Page, address, and the fields of one group.
    pub fn of_group(group: &Group) -> Self {
        let mut columns = Columns::new(PAGE);
        columns.add(group);
        columns
    }

    fn new(own: &'static [&'static str]) -> Self {
        let column = |&name: &&str| {
            if name == "group" {
                table::Column::whole(name)
            } else {
                table::Column::text(name)
            }
        };
        let columns = own.iter().map(column).collect();
        Columns {
            columns,
            names: Names::new(own),
            has_group: own == PAGE_OF_GROUP,
            doubts: None,
        }
    }

    fn add(&mut self, group: &Group) {
        for field in group.wanted() {
            let (place, new) = self.names.column(&field.name);
            self.columns.extend(new.map(table::Column::values));
            self.columns[place] = self.columns[place].clone().many(field.many);
        }
    }

    /// The same with columns that pages of no group have by themselves.
    #[must_use]
    pub fn with_own(mut self, own: &[OwnColumn]) -> Self {
        for column in own {
            let (place, new) = self.names.column(&column.name);
            self.columns.extend(new.map(table::Column::values));
            self.columns[place] = self.columns[place].clone().many(column.many);
        }
        self
    }

    /// The same with a last column, `doubts`: the fields whose values on a page may be wrong.
    #[must_use]
    pub fn with_doubts(mut self) -> Self {
        let mut names = ["doubts"]
            .into_iter()
            .map(str::to_owned)
            .chain((2..).map(|number| format!("doubts_{number}")));
        let is_free = |name: &String| {
            !self
                .columns
                .iter()
                .any(|column| column.name.eq_ignore_ascii_case(name))
        };
        if let (None, Some(name)) = (self.doubts, names.find(is_free)) {
            self.doubts = Some(self.columns.len());
            self.columns.push(table::Column::text(name).many(true));
        }
        self
    }

    /// The columns.
    pub fn columns(&self) -> &[table::Column] {
        &self.columns
    }

    /// The row of a page.
    pub fn row(&self, extraction: &Extraction<'_>) -> Vec<Cell> {
        let mut row = vec![Cell::new(); self.columns.len()];
        let page = extraction.page();
        row[0].push(page.id().to_owned());
        row[1].extend(page.url().map(str::to_owned));
        if self.has_group {
            row[2].extend(extraction.group().map(|group| group.to_string()));
        }
        for field in extraction.fields() {
            if let Some(place) = self.names.place(field.name()) {
                row[place] = field
                    .values()
                    .map(|value| value.text().to_owned())
                    .collect();
            }
        }
        if let Some(place) = self.doubts {
            let doubted = extraction.fields().filter(|field| field.doubt().is_some());
            row[place] = doubted.map(|field| field.name().to_owned()).collect();
        }
        row
    }
}
