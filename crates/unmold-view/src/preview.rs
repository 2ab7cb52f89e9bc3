//! What would an edit of a field change?
//!
//! A rule that is learned from few values may find anything on other pages. So its effect on all
//! pages is shown before it is taken: how many pages have a value, how many values differ, what
//! changes, and what speaks against it.

use crate::{
    edit::Subject,
    overview::{Cell, Overview},
    session::Session,
};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What an edit would change.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// By which it is taken.
    pub id: u64,
    group: usize,
    field: String,
    is_new: bool,
    /// How many rules there are to choose from, and which this is.
    way: usize,
    ways: usize,
    pages: usize,
    before: Counts,
    after: Counts,
    /// How many pages get another value, and the first of them; then some that do not.
    changed: usize,
    rows: Vec<Change>,
    /// What speaks against taking it.
    warnings: Vec<String>,
}

/// A column in figures.
#[derive(Default, Serialize)]
struct Counts {
    filled: usize,
    distinct: usize,
    doubtful: usize,
}

#[derive(Serialize)]
struct Change {
    page: usize,
    name: String,
    before: Vec<String>,
    after: Vec<String>,
    doubt: Option<&'static str>,
    changes: bool,
}

/// Max. number of pages shown.
const SHOWN: usize = 40;
/// Max. number of unchanged pages among them.
const UNCHANGED_SHOWN: usize = 6;

impl Preview {
    pub fn of(
        session: &Session,
        subject: &Subject,
        before: &Overview,
        after: &Overview,
        id: u64,
    ) -> Self {
        let pages = &after.of_group[subject.group];
        let old = |page: usize| subject.before.and_then(|at| cell(before, page, at));
        let new = |page: usize| cell(after, page, subject.after);
        let mut rows = Vec::new();
        for &page in pages {
            let (old, new) = (old(page), new(page));
            let values =
                |cell: Option<&Cell>| cell.map_or_else(Vec::new, |cell| cell.values.clone());
            let (before, after) = (values(old), values(new));
            rows.push(Change {
                page,
                name: session.texts()[page].id().to_owned(),
                changes: before != after,
                before,
                after,
                doubt: new.and_then(|cell| cell.doubt),
            });
        }
        let changed = rows.iter().filter(|row| row.changes).count();
        let old_counts = Counts::of(pages.iter().filter_map(|&page| old(page)));
        let new_counts = Counts::of(pages.iter().filter_map(|&page| new(page)));
        let mut warnings = warnings(&rows, &new_counts);
        warnings.extend(same_as(after, subject));
        warnings.extend(subject.against.clone());
        rows.sort_by_key(|row| !row.changes);
        rows.truncate(SHOWN.min(changed + UNCHANGED_SHOWN));
        Preview {
            id,
            group: subject.group,
            field: subject.field.clone(),
            is_new: subject.before.is_none(),
            way: subject.way,
            ways: subject.ways,
            pages: pages.len(),
            before: old_counts,
            after: new_counts,
            changed,
            rows,
            warnings,
        }
    }
}

fn cell(overview: &Overview, page: usize, field: usize) -> Option<&Cell> {
    overview.pages[page].cells.get(field)
}

impl Counts {
    fn of<'c>(cells: impl Iterator<Item = &'c Cell>) -> Self {
        let (mut counts, mut values) = (Counts::default(), HashSet::new());
        for cell in cells.filter(|cell| !cell.values.is_empty()) {
            counts.filled += 1;
            counts.doubtful += usize::from(cell.doubt.is_some());
            values.insert(&cell.values);
        }
        counts.distinct = values.len();
        counts
    }
}

/// Of fewer pages, it says little that some have the same value.
const MIN_PAGES: usize = 4;

/// What speaks against the new values.
fn warnings(rows: &[Change], counts: &Counts) -> Vec<String> {
    let mut warnings = Vec::new();
    if counts.filled == 0 {
        return vec!["it finds nothing".to_owned()];
    }
    if rows.len() < MIN_PAGES {
        return warnings;
    }
    let mut often: HashMap<&[String], usize> = HashMap::new();
    for row in rows.iter().filter(|row| !row.after.is_empty()) {
        *often.entry(&row.after).or_default() += 1;
    }
    let most = often
        .into_iter()
        .max_by_key(|&(values, count)| (count, values));
    // A value that half of the pages share is rather a part of the template: a button, a heading.
    if let Some((values, count)) = most.filter(|&(_, count)| 2 * count > counts.filled && count > 1)
    {
        let shown: String = values.join(" | ").chars().take(60).collect();
        warnings.push(format!(
            "{count} of {} pages have the same value: {shown}",
            rows.len()
        ));
    }
    if 2 * counts.filled < rows.len() {
        let missing = rows.len() - counts.filled;
        warnings.push(format!(
            "it finds nothing on {missing} of {} pages",
            rows.len()
        ));
    }
    if 2 * counts.doubtful > counts.filled {
        warnings.push(format!(
            "{} of {} values are in doubt",
            counts.doubtful, counts.filled
        ));
    }
    warnings
}

/// Another field with the same values on all pages.
fn same_as(after: &Overview, subject: &Subject) -> Option<String> {
    let pages = &after.of_group[subject.group];
    let column = |field: usize| -> Vec<Option<&Vec<String>>> {
        let of_page = |&page: &usize| cell(after, page, field).map(|cell| &cell.values);
        pages.iter().map(of_page).collect()
    };
    let own = column(subject.after);
    if pages.len() < MIN_PAGES || own.iter().flatten().all(|values| values.is_empty()) {
        return None;
    }
    for (other, name) in subject.names.iter().enumerate() {
        if other != subject.after && column(other) == own {
            return Some(format!("{name} has the same values on all pages"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[&str]) -> Vec<Change> {
        let row = |(page, value): (usize, &&str)| Change {
            page,
            name: String::new(),
            before: Vec::new(),
            after: if value.is_empty() {
                Vec::new()
            } else {
                vec![(*value).to_owned()]
            },
            doubt: None,
            changes: true,
        };
        values.iter().enumerate().map(row).collect()
    }

    fn warned(values: &[&str]) -> Vec<String> {
        let rows = rows(values);
        let filled = rows.iter().filter(|row| !row.after.is_empty()).count();
        let counts = Counts {
            filled,
            ..Counts::default()
        };
        warnings(&rows, &counts)
    }

    #[test]
    fn what_most_pages_share_is_warned_of() {
        assert_eq!(
            warned(&["Next", "Next", "Next", "10 Mill Lane", ""]),
            ["3 of 5 pages have the same value: Next"]
        );
        assert!(warned(&["a", "b", "c", "a"]).is_empty());
    }

    #[test]
    fn what_most_pages_lack_is_warned_of() {
        assert_eq!(
            warned(&["a", "", "", "", ""]),
            ["it finds nothing on 4 of 5 pages"]
        );
        assert_eq!(warned(&["", "", "", ""]), ["it finds nothing"]);
    }
}
