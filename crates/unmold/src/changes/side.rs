//! What is compared of one side of a page?

use super::said::SaidOnPage;
use crate::{Extraction, Span};

/// One side of a page: what was found on it, and all that it says.
pub(super) struct Side<'r> {
    pub found: Extraction<'r>,
    pub said: SaidOnPage,
    /// From where to where the main content reaches.
    pub content: Span,
    /// The rows of all lists, in the order of the page.
    rows: Vec<Span>,
}

impl<'r> Side<'r> {
    pub fn of(found: Extraction<'r>) -> Self {
        Side {
            said: SaidOnPage::of(found.page().as_str()),
            content: reach(found.content().spans()),
            rows: rows_of(&found),
            found,
        }
    }

    /// Whether a place of the page is between the beginning and the end of its main content.
    pub fn is_in_content(&self, span: Span) -> bool {
        self.content.start <= span.start && span.end <= self.content.end
    }

    /// Whether a place of the page is in a row of a list.
    pub fn is_in_row(&self, span: Span) -> bool {
        let at = self.rows.partition_point(|row| row.end <= span.start);
        self.rows
            .get(at)
            .is_some_and(|row| row.start <= span.start && span.end <= row.end)
    }
}

/// The rows of all lists of a page, without those that are in others.
fn rows_of(found: &Extraction<'_>) -> Vec<Span> {
    let mut rows = Vec::new();
    for list in found.lists() {
        rows.extend(list.list.records.iter().map(|record| record.span));
    }
    Span::union(rows)
}

/// From where to where some places reach; nowhere if there are none.
fn reach(spans: &[Span]) -> Span {
    match (spans.first(), spans.last()) {
        (Some(first), Some(last)) => first.to(*last),
        (_, _) => Span::new(0, 0),
    }
}
