//! Rows of pages whose values are numbers, days, and yes or no where all values of their column
//! are.
//!
//! Only all values tell what a column means, so that rows are held until the last one is there;
//! pages are not.

use super::typed::{Reading, Typed};
use crate::{
    lists::{Field, List, Record},
    reader::Extraction,
};
use rapidhash::RapidHashMap;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::io::{self, Write};

/// What a page gives, apart from the page.
#[derive(Clone, Debug)]
pub struct HeldRow {
    page: String,
    url: Option<String>,
    group: Option<usize>,
    fields: Vec<Named>,
    /// The fields whose values may be wrong.
    doubts: Vec<String>,
    lists: Vec<(String, Vec<Vec<Named>>)>,
}

/// Values and what they are called.
type Named = (String, Vec<String>);

impl HeldRow {
    /// The row of a page.
    pub fn of(extraction: &Extraction<'_>) -> Self {
        let page = extraction.page();
        let fields = extraction.fields().map(|field| {
            let values = field.values().map(|value| value.text().to_owned());
            (field.name().to_owned(), values.collect())
        });
        let doubts = extraction.fields().filter(|field| field.doubt().is_some());
        let lists = extraction.lists().map(|found| {
            let records = found
                .list
                .records
                .iter()
                .map(|record| named(page.as_str(), found.list, record));
            (found.name.to_owned(), records.collect())
        });
        HeldRow {
            page: page.id().to_owned(),
            url: page.url().map(str::to_owned),
            group: extraction.group(),
            fields: fields.collect(),
            doubts: doubts.map(|field| field.name().to_owned()).collect(),
            lists: lists.collect(),
        }
    }

    /// All values with their columns: the list they are of, if they are of one, and what they are
    /// called.
    fn columns(&self) -> impl Iterator<Item = (Key<'_>, &[String])> {
        let fields = self
            .fields
            .iter()
            .map(|(name, values)| ((None, name.as_str()), values.as_slice()));
        let records = self.lists.iter().flat_map(|(list, records)| {
            records
                .iter()
                .flatten()
                .map(|(name, values)| ((Some(list.as_str()), name.as_str()), values.as_slice()))
        });
        fields.chain(records)
    }
}

/// The values of a record by column, in the order of the columns' names.
fn named(page: &str, list: &List<'_>, record: &Record) -> Vec<Named> {
    let mut fields = record.fields.clone();
    fields.sort_by_key(|field| list.ranks[field.column]);
    let of_column = |same: &[Field]| {
        let column = &list.columns[same[0].column];
        (
            column.name.clone(),
            same.iter()
                .map(|field| column.value(field.span.of(page)))
                .collect(),
        )
    };
    fields
        .chunk_by(|a, b| a.column == b.column)
        .map(of_column)
        .collect()
}

/// A column of pages, or of what pages list.
type Key<'r> = (Option<&'r str>, &'r str);

/// What the values of each column mean.
struct Readings<'r>(RapidHashMap<Key<'r>, Reading>);

impl<'r> Readings<'r> {
    fn of(rows: &'r [HeldRow]) -> Self {
        let mut values: RapidHashMap<Key<'r>, Vec<&'r str>> = RapidHashMap::default();
        for (key, column) in rows.iter().flat_map(HeldRow::columns) {
            values
                .entry(key)
                .or_default()
                .extend(column.iter().map(String::as_str));
        }
        Readings(
            values
                .into_iter()
                .map(|(key, values)| (key, Reading::of(values.iter().copied())))
                .collect(),
        )
    }

    fn typed<'v>(
        &self,
        list: Option<&str>,
        (name, values): &'v Named,
    ) -> (&'v str, Vec<Written<'v>>) {
        let reading = self
            .0
            .get(&(list, name.as_str()))
            .copied()
            .unwrap_or(Reading::Text);
        let written = |value: &'v String| {
            reading
                .read(value)
                .map_or(Written::Text(value), Written::Typed)
        };
        (name, values.iter().map(written).collect())
    }
}

impl Readings<'_> {
    fn records<'v>(
        &self,
        list: &str,
        records: &'v [Vec<Named>],
    ) -> Vec<Object<'v, Vec<Written<'v>>>> {
        let object = |record: &'v Vec<Named>| {
            record
                .iter()
                .map(|values| self.typed(Some(list), values))
                .collect()
        };
        records
            .iter()
            .map(|record| Object(object(record)))
            .collect()
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Written<'v> {
    Text(&'v str),
    Typed(Typed),
}

/// Writes rows of JSON, one a line.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(rows: &[HeldRow], out: &mut dyn Write) -> io::Result<()> {
    let readings = Readings::of(rows);
    for row in rows {
        serde_json::to_writer(
            &mut *out,
            &Row {
                row,
                readings: &readings,
            },
        )?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

struct Row<'r> {
    row: &'r HeldRow,
    readings: &'r Readings<'r>,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { row, readings } = self;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("page", &row.page)?;
        if let Some(url) = &row.url {
            object.serialize_entry("url", url)?;
        }
        object.serialize_entry("group", &row.group)?;
        let fields = row.fields.iter().map(|field| {
            let (name, values) = readings.typed(None, field);
            (name, (!values.is_empty()).then_some(values))
        });
        object.serialize_entry("fields", &Object(fields.collect()))?;
        if !row.doubts.is_empty() {
            object.serialize_entry("doubts", &row.doubts)?;
        }
        if !row.lists.is_empty() {
            let lists = row
                .lists
                .iter()
                .map(|(list, records)| (list.as_str(), readings.records(list, records)));
            object.serialize_entry("records", &Object(lists.collect()))?;
        }
        object.end()
    }
}

/// An object whose keys stay in their order.
struct Object<'r, V>(Vec<(&'r str, V)>);

impl<V: Serialize> Serialize for Object<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
