//! Rows of values under names, for spreadsheets and table formats.
//!
//! ```
//! use unmold::report::table::{Column, Csv, Table};
//!
//! let columns = vec![Column::text("page"), Column::values("colours")];
//! let row = vec![vec!["Tea, black".to_owned()], vec!["red".to_owned(), "blue".to_owned()]];
//! let table = Table { columns, rows: vec![row] };
//! let mut csv = Vec::new();
//! Csv::default().separator("; ").write(&table, &mut csv)?;
//! assert_eq!(String::from_utf8(csv).unwrap(), "page,colours\n\"Tea, black\",red; blue\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use super::typed::Reading;
use rapidhash::{RapidHashMap, RapidHashSet};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// The values that stand in one cell: none, one or several.
pub type Cell = Vec<String>;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it is called. No two columns of a table have the same name.
    pub name: String,
    kind: Kind,
    /// Whether its cells are lists, also where each has one value at most.
    is_many: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Whole,
    Values,
}

impl Column {
    /// A column of names, which are text whatever they look like.
    pub fn text(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            kind: Kind::Text,
            is_many: false,
        }
    }

    /// A column of counts.
    pub fn whole(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            kind: Kind::Whole,
            is_many: false,
        }
    }

    /// A column of values of pages, which mean what they all can be read as.
    pub fn values(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            kind: Kind::Values,
            is_many: false,
        }
    }

    /// The same column with lists in its cells.
    #[must_use]
    pub fn many(mut self, is_many: bool) -> Self {
        self.is_many |= is_many;
        self
    }
}

/// Rows of values under names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// As many cells in each row as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// What its values mean.
    pub reading: Reading,
    /// Whether its cells are lists.
    pub is_many: bool,
}

impl Table {
    /// What the cells of each column hold, as their values tell it.
    pub fn contents(&self) -> Vec<Content> {
        let content = |(at, column): (usize, &Column)| {
            let values = self
                .rows
                .iter()
                .flat_map(|row| &row[at])
                .map(String::as_str);
            let reading = match column.kind {
                Kind::Text => Reading::Text,
                Kind::Whole => Reading::Whole(Default::default()),
                Kind::Values => Reading::of(values),
            };
            Content {
                reading,
                is_many: column.is_many || self.rows.iter().any(|row| row[at].len() > 1),
            }
        };
        self.columns.iter().enumerate().map(content).collect()
    }
}

/// What stands between several values in one cell, unless something else is asked for: values have
/// no line breaks.
pub const BETWEEN_VALUES: &str = "\n";

/// How a table is written as CSV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csv {
    separator: String,
    is_guarded: bool,
}

impl Default for Csv {
    fn default() -> Self {
        Csv {
            separator: BETWEEN_VALUES.to_owned(),
            is_guarded: false,
        }
    }
}

impl Csv {
    /// What stands between several values in one cell.
    #[must_use]
    pub fn separator(mut self, separator: impl Into<String>) -> Self {
        self.separator = separator.into();
        self
    }

    /// Whether cells that a spreadsheet would take for formulas have a `'` before them. Values are
    /// not what they were then.
    #[must_use]
    pub fn spreadsheet_safe(mut self, is_guarded: bool) -> Self {
        self.is_guarded = is_guarded;
        self
    }

    /// Writes a table with its header.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write(&self, table: &Table, out: &mut dyn Write) -> io::Result<()> {
        let mut header = csv::Writer::from_writer(&mut *out);
        let names = table
            .columns
            .iter()
            .map(|column| self.guarded(Cow::Borrowed(&column.name)).into_owned());
        header.write_record(names).map_err(io_error)?;
        header.flush()?;
        drop(header);
        self.write_rows(table, out)
    }

    /// Writes the rows without their header, to go on with a table.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_rows(&self, table: &Table, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        for row in &table.rows {
            let cells = row
                .iter()
                .map(|cell| self.guarded(joined(cell, &self.separator)).into_owned());
            csv.write_record(cells).map_err(io_error)?;
        }
        csv.flush()
    }

    /// A cell that a spreadsheet will not take for a formula, if that was asked for.
    fn guarded<'c>(&self, value: Cow<'c, str>) -> Cow<'c, str> {
        let is_formula = || value.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self.is_guarded && is_formula() {
            Cow::Owned(format!("'{value}"))
        } else {
            value
        }
    }
}

/// Several values as one text.
pub fn joined<'c>(cell: &'c [String], separator: &str) -> Cow<'c, str> {
    match cell {
        [] => Cow::Borrowed(""),
        [one] => Cow::Borrowed(one),
        several => Cow::Owned(several.join(separator)),
    }
}

/// The error beneath, so that a closed pipe is known for what it is.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The program's own columns, of all tables.
const RESERVED: [&str; 4] = ["page", "url", "group", "record"];

/// Gives columns names, none of them twice.
///
/// Some names are the program's own, in all tables and not only in those that have such a column, so that
/// a field has one name in every command; a field of the page that is called so gets a number after its name. Letters' case makes no difference there, since many programs that read
/// tables see none.
///
/// ```
/// use unmold::report::table::Names;
///
/// let mut names = Names::new(&["page", "url"]);
/// assert_eq!(names.column("price"), (2, Some("price".to_owned())));
/// assert_eq!(names.column("URL"), (3, Some("URL_2".to_owned())));
/// assert_eq!(names.column("price"), (2, None));
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    own: &'static [&'static str],
    /// The columns by what pages call them,
    places: RapidHashMap<String, usize>,
    /// and what they are called.
    given: RapidHashSet<String>,
}

impl Names {
    /// Names beside those of the program's own columns, which come first.
    pub fn new(own: &'static [&'static str]) -> Self {
        Names {
            own,
            places: RapidHashMap::default(),
            given: RapidHashSet::default(),
        }
    }

    /// The number of the column for what pages call `name` and, if it is a new one, what it is
    /// called.
    pub fn column(&mut self, name: &str) -> (usize, Option<String>) {
        if let Some(&place) = self.places.get(name) {
            return (place, None);
        }
        let place = self.own.len() + self.places.len();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let name_given = names.find(|name| self.is_free(name)).unwrap_or_default();
        self.places.insert(name.to_owned(), place);
        self.given.insert(name_given.clone());
        (place, Some(name_given))
    }

    /// The number of the column for what pages call `name`, if there is one.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// What pages call the columns, in their order.
    pub(super) fn in_order(&self) -> Vec<&str> {
        let mut names: Vec<(usize, &str)> = self
            .places
            .iter()
            .map(|(name, &place)| (place, name.as_str()))
            .collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }

    fn is_free(&self, name: &str) -> bool {
        !RESERVED.iter().any(|own| own.eq_ignore_ascii_case(name)) && !self.given.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_one_name_in_every_command() {
        // Rows of `extract` have a group, rows of `records` have a record.
        for own in [&["page", "url", "group"], &["page", "url", "record"]] {
            let mut names = Names::new(own);
            assert_eq!(names.column("Record").1.as_deref(), Some("Record_2"));
            assert_eq!(names.column("GROUP").1.as_deref(), Some("GROUP_2"));
        }
    }

    fn table(values: &[&[&str]]) -> Table {
        let cell = |values: &&[&str]| values.iter().map(|&value| value.to_owned()).collect();
        Table {
            columns: vec![Column::values("x")],
            rows: values.iter().map(|values| vec![cell(values)]).collect(),
        }
    }

    fn csv(style: &Csv, table: &Table) -> String {
        let mut out = Vec::new();
        style.write(table, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn values_are_altered_only_on_request() {
        let table = table(&[&["-1.5"], &["=1+1", "@x"], &[]]);
        assert_eq!(
            csv(&Csv::default(), &table),
            "x\n-1.5\n\"=1+1\n@x\"\n\"\"\n"
        );
        let safe = Csv::default().spreadsheet_safe(true).separator("|");
        assert_eq!(csv(&safe, &table), "x\n'-1.5\n'=1+1|@x\n\"\"\n");
    }

    #[test]
    fn what_cells_hold_is_told_by_all_of_them() {
        let content = |values: &[&[&str]]| table(values).contents()[0];
        assert!(matches!(
            content(&[&["1"], &[], &["2"]]),
            Content {
                reading: Reading::Whole(_),
                is_many: false
            }
        ));
        assert!(matches!(
            content(&[&["1"], &["2", "3.5"]]),
            Content {
                reading: Reading::Number(_),
                is_many: true
            }
        ));
        assert_eq!(
            content(&[&["1"], &["a"]]),
            Content {
                reading: Reading::Text,
                is_many: false
            }
        );
    }

    #[test]
    fn a_name_that_was_made_is_not_given_again() {
        let mut names = Names::new(&["url"]);
        let mut given = ["url", "url_2", "URL"].map(|name| names.column(name).1.unwrap());
        given.sort();
        assert_eq!(given, ["URL_2", "url_2", "url_2_2"]);
    }
}
