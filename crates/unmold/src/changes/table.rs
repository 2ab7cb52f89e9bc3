//! Changes one by one, as rows of a table.

use super::{
    content::LineChange,
    site::{PageChange, PageFate, SiteChanges},
    values::{Difference, Unit},
    words::PieceKind,
};
use crate::report::table::{Column, Table};
use serde::Serialize;
use std::fmt;

/// One change, as a row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeRow {
    /// What the page is called.
    pub page: String,
    /// What changed.
    pub what: What,
    /// The field or the list, where it is one.
    pub name: String,
    /// What was there,
    pub old: String,
    /// and what is there now.
    pub new: String,
    /// By how much a number or a day is more, or which words are others.
    pub difference: String,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A page came or went.
    Page,
    /// The values of a field.
    Field,
    /// A row of a list.
    Row,
    /// A line of the main content.
    Content,
}

impl What {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            What::Page => "page",
            What::Field => "field",
            What::Row => "row",
            What::Content => "content",
        }
    }
}

/// Texts of one cell are parted so.
const SEPARATOR: &str = "; ";

/// The rows of a page's changes.
pub(super) fn rows_of(change: &PageChange) -> Vec<ChangeRow> {
    let row = |what: What, name: &str, old: String, new: String| ChangeRow {
        page: change.page.clone(),
        what,
        name: name.to_owned(),
        old,
        new,
        difference: String::new(),
    };
    let name_of_page = || change.url.clone().unwrap_or_else(|| change.page.clone());
    let mut rows = Vec::new();
    match change.change {
        PageFate::New => rows.push(row(What::Page, "", String::new(), name_of_page())),
        PageFate::Gone => rows.push(row(What::Page, "", name_of_page(), String::new())),
        PageFate::Changed => {}
    }
    for field in &change.fields {
        let (old, new) = (field.old.join(SEPARATOR), field.new.join(SEPARATOR));
        rows.push(ChangeRow {
            difference: field.difference.map_or(String::new(), said),
            ..row(What::Field, &field.name, old, new)
        });
    }
    for list in &change.lists {
        for changed in &list.changed {
            let (old, new) = (changed.old.text(), changed.new.text());
            rows.push(row(What::Row, &list.name, old, new));
        }
        for new in &list.new {
            rows.push(row(What::Row, &list.name, String::new(), new.text()));
        }
        for gone in &list.gone {
            rows.push(row(What::Row, &list.name, gone.text(), String::new()));
        }
    }
    for line in &change.content {
        let (old, new) = (line.old.clone(), line.new.clone());
        rows.push(ChangeRow {
            difference: words_of(line),
            ..row(
                What::Content,
                "",
                old.unwrap_or_default(),
                new.unwrap_or_default(),
            )
        });
    }
    rows
}

/// A difference in words: `-3, -6.2 %` or `+14 days`.
fn said(difference: Difference) -> String {
    let unit = match difference.unit {
        Unit::Number => "",
        Unit::Days => " days",
    };
    let percent = difference
        .percent
        .map_or(String::new(), |percent| format!(", {percent:+} %"));
    format!("{:+}{unit}{percent}", difference.by)
}

/// The words of a line that are others: `[-12-] [+15+]`.
fn words_of(line: &LineChange) -> String {
    let mut words: Vec<String> = Vec::new();
    for piece in &line.pieces {
        match piece.kind {
            PieceKind::Same => {}
            PieceKind::Gone => words.push(format!("[-{}-]", piece.text)),
            PieceKind::New => words.push(format!("[+{}+]", piece.text)),
        }
    }
    words.join(" ")
}

/// The columns of a table of changes.
const COLUMNS: [&str; 6] = ["page", "what", "name", "old", "new", "difference"];

impl PageChange {
    /// The changes one by one, as rows of a table.
    pub fn rows(&self) -> impl Iterator<Item = ChangeRow> + use<> {
        rows_of(self).into_iter()
    }
}

impl SiteChanges {
    /// The changes of all pages one by one, as rows of a table.
    pub fn rows(&self) -> impl Iterator<Item = ChangeRow> + '_ {
        self.pages.iter().flat_map(PageChange::rows)
    }

    /// All changes as a table, a row each.
    pub fn table(&self) -> Table {
        let cell = |text: String| {
            if text.is_empty() {
                Vec::new()
            } else {
                vec![text]
            }
        };
        let rows = self.rows().map(|row| {
            let what = row.what.name().to_owned();
            [row.page, what, row.name, row.old, row.new, row.difference]
                .map(cell)
                .to_vec()
        });
        Table {
            columns: COLUMNS.map(Column::text).to_vec(),
            rows: rows.collect(),
        }
    }
}

/// Says the change in a line.
impl fmt::Display for ChangeRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.page)?;
        let name = match self.what {
            What::Page if self.old.is_empty() => return write!(f, "the page is new"),
            What::Page => return write!(f, "the page is gone"),
            What::Field => self.name.clone(),
            What::Row => format!("{} row", self.name),
            What::Content => "content".to_owned(),
        };
        match (self.old.is_empty(), self.new.is_empty()) {
            (true, _) => write!(f, "{name} is new: {}", self.new),
            (false, true) => write!(f, "{name} is gone: {}", self.old),
            (false, false) if self.difference.is_empty() => {
                write!(f, "{name} {} -> {}", self.old, self.new)
            }
            (false, false) if self.what == What::Content => {
                write!(f, "{name} {} in: {}", self.difference, self.new)
            }
            (false, false) => {
                write!(
                    f,
                    "{name} {} -> {} ({})",
                    self.old, self.new, self.difference
                )
            }
        }
    }
}
