//! From two visits of a site to what changed between them.

use super::{
    content,
    pages::{self, PagePair},
    rows,
    side::Side,
    site::{PageChange, PageFate, SiteChanges},
    values,
};
use crate::{Mold, Reader, Text, read::PageError};
use rayon::prelude::*;

impl Mold {
    /// What changed from the old pages of a site to the new ones; see [`changes`](crate::changes).
    pub fn changes(&self, old: &[Text], new: &[Text]) -> SiteChanges {
        compared(&self.reader(), &pages::pairs(old, new))
    }

    /// What changed from the first copy of each page to its last one: an archive may hold several
    /// visits.
    pub fn changes_within(&self, pages: &[Text]) -> SiteChanges {
        compared(&self.reader(), &pages::pairs_within(pages))
    }
}

/// Reads pairs of pages and compares them.
fn compared(reader: &Reader, pairs: &[PagePair<'_>]) -> SiteChanges {
    let outcomes: Vec<Result<Option<PageChange>, PageError>> = pairs
        .par_iter()
        .map(|&(old, new)| compared_page(reader, old, new))
        .collect();
    let mut changes = SiteChanges::default();
    for outcome in outcomes {
        match outcome {
            Ok(Some(change)) => changes.pages.push(change),
            Ok(None) => changes.unchanged += 1,
            Err(error) => changes.failed.push(error),
        }
    }
    changes
}

/// What changed on a page; nothing if nothing did.
fn compared_page(
    reader: &Reader,
    old: Option<&Text>,
    new: Option<&Text>,
) -> Result<Option<PageChange>, PageError> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) => return Ok(Some(PageChange::of(new, PageFate::New))),
        (Some(old), None) => return Ok(Some(PageChange::of(old, PageFate::Gone))),
        (None, None) => return Ok(None),
    };
    // Most pages of a site do not change at all from one visit to the next.
    if old.as_str() == new.as_str() {
        return Ok(None);
    }
    let before = Side::of(reader.read(old)?);
    let after = Side::of(reader.read(new)?);
    let change = PageChange {
        fields: values::changed(&before, &after),
        lists: rows::changed(&before, &after),
        content: content::changed(&before, &after),
        ..PageChange::of(new, PageFate::Changed)
    };
    let is_same = change.fields.is_empty() && change.lists.is_empty() && change.content.is_empty();
    Ok((!is_same).then_some(change))
}
