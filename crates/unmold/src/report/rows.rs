//! What pages hold, as rows for other programs.
//!
//! ```
//! use unmold::{Text, apply::Extractor, mold::Mold, report::rows};
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
//! let found = Extractor::new(&mold).extract(&page);
//! assert_eq!(rows::json(&page, &found), r#"{"page":"1","group":0,"fields":{"code":["242"]}}"#);
//!
//! let columns = rows::Columns::of(&mold);
//! assert_eq!(columns.names(), ["page", "url", "code"]);
//! assert_eq!(columns.row(&page, found), [Some("1".into()), None, Some("242".into())]);
//! # Ok::<(), unmold::mold::MoldError>(())
//! ```

use crate::{
    Text,
    apply::Extraction,
    detect::records::{Field, List, Record},
    mold::Mold,
};
use rapidhash::RapidHashMap;
use serde::{Serialize, Serializer, ser::SerializeMap};

/// A page as a JSON object on one line, without the line's end: all fields of its group in the order of the mold, `null`
/// for what the page does not have, and what it lists.
pub fn json(text: &Text, extraction: &Extraction<'_>) -> String {
    let row = Row {
        page: text.id(),
        url: text.url(),
        group: extraction.group,
        fields: Fields(&extraction.values),
        records: Lists { page: text.as_str(), lists: &extraction.records },
    };
    serde_json::to_string(&row).expect("strings and numbers have a JSON form")
}

#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    group: Option<usize>,
    fields: Fields<'a>,
    #[serde(skip_serializing_if = "Lists::is_empty")]
    records: Lists<'a>,
}

/// The fields of a page as an object, in the order of the mold, `null` for what the page does not have.
pub struct Fields<'a>(pub &'a [(&'a str, Vec<String>)]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, values)| (name, (!values.is_empty()).then_some(values))))
    }
}

/// The lists of a page, each with its records.
struct Lists<'a> {
    page: &'a str,
    lists: &'a [(&'a str, List<'a>)],
}

impl Lists<'_> {
    fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

impl Serialize for Lists<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let records = |list| Records { page: self.page, list };
        serializer.collect_map(self.lists.iter().map(|(name, list)| (name, records(list))))
    }
}

struct Records<'a> {
    page: &'a str,
    list: &'a List<'a>,
}

impl Serialize for Records<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Records { page, list } = *self;
        serializer.collect_seq(list.records.iter().map(|record| Cells { page, list, record }))
    }
}

/// A record as an object: its values by column, in the order of the columns' names.
struct Cells<'a> {
    page: &'a str,
    list: &'a List<'a>,
    record: &'a Record,
}

impl Serialize for Cells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let column = |field: &Field| &self.list.columns[field.column];
        let mut fields: Vec<_> = self.record.fields.iter().collect();
        fields.sort_by(|a, b| column(a).name.cmp(&column(b).name));
        let mut map = serializer.serialize_map(None)?;
        for same in fields.chunk_by(|a, b| a.column == b.column) {
            let column = column(same[0]);
            let values: Vec<String> = same.iter().map(|field| column.value(field.span.of(self.page))).collect();
            map.serialize_entry(&column.name, &values)?;
        }
        map.end()
    }
}

/// The columns of a table for all groups of a mold; a name that several groups have is one column.
#[derive(Clone, Debug)]
pub struct Columns<'m> {
    names: Vec<&'m str>,
    places: RapidHashMap<&'m str, usize>,
}

impl<'m> Columns<'m> {
    /// The columns: page, address, and the fields of all groups.
    pub fn of(mold: &'m Mold) -> Self {
        let mut columns = Columns { names: vec!["page", "url"], places: RapidHashMap::default() };
        for field in mold.groups.iter().flat_map(|group| &group.fields) {
            let next = columns.names.len();
            if *columns.places.entry(&field.name).or_insert(next) == next {
                columns.names.push(&field.name);
            }
        }
        columns
    }

    /// Their names.
    pub fn names(&self) -> &[&'m str] {
        &self.names
    }

    /// The row of a page. Several values of a field are lines of one cell.
    pub fn row(&self, text: &Text, extraction: Extraction<'_>) -> Vec<Option<String>> {
        let mut row = vec![None; self.names.len()];
        (row[0], row[1]) = (Some(text.id().to_owned()), text.url().map(str::to_owned));
        for (name, mut values) in extraction.values {
            let cell = if values.len() < 2 { values.pop() } else { Some(values.join("\n")) };
            if let Some(&place) = self.places.get(name) {
                row[place] = cell;
            }
        }
        row
    }
}
