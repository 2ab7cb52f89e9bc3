//! The lists of pages as tables: the first of each page in one, or each in its own.

use crate::output;
use std::collections::{HashMap, HashSet};
use unmold::{
    Text,
    lists::List,
    report::{records::RecordTable, table::Table},
};

/// Tables while pages come.
#[derive(Default)]
pub struct Tables {
    keeps_all_columns: bool,
    tables: Vec<(String, RecordTable)>,
    /// The table of each list, by template or page and by its name.
    numbers: HashMap<(String, String), usize>,
}

impl Tables {
    pub fn new(keeps_all_columns: bool) -> Self {
        Tables {
            keeps_all_columns,
            ..Tables::default()
        }
    }

    /// Adds the first list of a page to the only table.
    pub fn add_first(&mut self, text: &Text, lists: &[List<'_>]) {
        if let Some(first) = lists.first() {
            self.add(text, first, (String::new(), String::new()));
        }
    }

    /// Adds each list of a page to its table, but for those inside the records of another: what a
    /// record lists belongs to it. Lists of different pages are one table where the pages share a
    /// template.
    pub fn add_all(&mut self, text: &Text, template: Option<usize>, lists: &[List<'_>]) {
        let whose = template.map_or_else(
            || format!("page {}", text.id()),
            |number| number.to_string(),
        );
        for (at, list) in lists.iter().enumerate() {
            if lists[..at].iter().any(|better| is_inside(list, better)) {
                continue;
            }
            self.add(text, list, (whose.clone(), list.name.to_string()));
        }
    }

    fn add(&mut self, text: &Text, list: &List<'_>, key: (String, String)) {
        let new = self.tables.len();
        let at = *self.numbers.entry(key).or_insert(new);
        if at == new {
            self.tables.push((
                list.name.to_string(),
                RecordTable::default().all_columns(self.keeps_all_columns),
            ));
        }
        self.tables[at].1.add(text, &list.columns, &list.records);
    }

    /// The only table.
    pub fn first(self) -> Table {
        self.tables
            .into_iter()
            .next()
            .map(|(_, table)| table)
            .unwrap_or_default()
            .finish()
    }

    /// All tables with names that files can have.
    pub fn named(self) -> Vec<(String, Table)> {
        let mut given = HashSet::new();
        let named = |(name, table): (String, RecordTable)| {
            (output::file_name(&name, &mut given), table.finish())
        };
        self.tables.into_iter().map(named).collect()
    }
}

/// Whether the records of a list stand in those of another.
fn is_inside(list: &List<'_>, outer: &List<'_>) -> bool {
    list.records.iter().all(|record| {
        let at = outer
            .records
            .partition_point(|around| around.span.end < record.span.end);
        outer
            .records
            .get(at)
            .is_some_and(|around| around.span.start <= record.span.start)
    })
}
