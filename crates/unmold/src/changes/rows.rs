//! Which rows of a page's lists came, went, or say something else?

use super::side::Side;
use crate::lists::{List, Record};
use rapidhash::RapidHashMap;
use serde::{Serialize, Serializer};

/// Rows share enough to be one row that changed if one of them has this share of its texts in the
/// other. Not fitted: with less than half, most of the row would be new.
const SHARED_TEXTS: f64 = 0.5;

/// A text that more rows than this have in common tells no row from another.
const MOST_WITH_TEXT: usize = 8;

/// A list with other rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ListChange {
    /// What the list is called.
    pub name: String,
    /// The rows that came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new: Vec<ListRow>,
    /// The rows that went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<ListRow>,
    /// The rows that say something else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<RowChange>,
}

/// A row of a list: its texts by the name of their column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListRow {
    /// Each column with its text, in the order of the page.
    pub texts: Vec<(String, String)>,
    /// The links and pictures of the row, by which it is known again.
    links: Vec<String>,
}

/// A row before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowChange {
    /// What it said.
    pub old: ListRow,
    /// What it says.
    pub new: ListRow,
}

/// Written as an object; texts of one column are joined.
impl Serialize for ListRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut joined: Vec<(&str, String)> = Vec::new();
        for (column, text) in &self.texts {
            match joined.iter_mut().find(|(known, _)| known == column) {
                Some((_, texts)) => {
                    texts.push('\n');
                    texts.push_str(text);
                }
                None => joined.push((column, text.clone())),
            }
        }
        serializer.collect_map(joined)
    }
}

impl ListRow {
    /// All that it says, in one line.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.texts.iter().map(|(_, text)| text.as_str()).collect();
        texts.join(" ")
    }
}

/// The lists with other rows, by name.
pub(super) fn changed(before: &Side<'_>, after: &Side<'_>) -> Vec<ListChange> {
    let old_lists: Vec<_> = before.found.lists().collect();
    let new_lists: Vec<_> = after.found.lists().collect();
    let mut names: Vec<&str> = new_lists.iter().map(|list| list.name).collect();
    for list in &old_lists {
        if !names.contains(&list.name) {
            names.push(list.name);
        }
    }
    let mut changes = Vec::new();
    for name in names {
        let rows = |side: &Side<'_>| {
            let list = side.found.lists().find(|list| list.name == name);
            list.map_or(Vec::new(), |found| rows_of(side, found.list))
        };
        let change = changed_list(name, rows(before), rows(after), before, after);
        changes.extend(change);
    }
    changes
}

/// The rows of a list as they are compared, without those of menus.
fn rows_of(side: &Side<'_>, list: &List<'_>) -> Vec<ListRow> {
    let page = side.found.page().as_str();
    let mut rows = Vec::new();
    for record in &list.records {
        if is_of_menu(side, list, record) {
            continue;
        }
        let mut row = ListRow::default();
        for field in &record.fields {
            let column = &list.columns[field.column];
            let value = column.value(field.span.of(page));
            if column.attribute.is_some() {
                row.links.push(value);
            } else if !value.is_empty() {
                row.texts.push((column.name.clone(), value));
            }
        }
        rows.push(row);
    }
    rows
}

/// Whether most texts of a row are links, and the row stands outside of what the main content reaches
/// from and to. A page without content is taken as a list.
fn is_of_menu(side: &Side<'_>, list: &List<'_>, record: &Record) -> bool {
    if side.content.is_empty() || side.is_in_content(record.span) {
        return false;
    }
    let (mut texts, mut links) = (0, 0);
    for field in &record.fields {
        if list.columns[field.column].attribute.is_some() {
            continue;
        }
        texts += 1;
        if side.said.is_in_link(field.span) {
            links += 1;
        }
    }
    2 * links > texts
}

/// What changed in a list; nothing if nothing did.
fn changed_list(
    name: &str,
    old: Vec<ListRow>,
    new: Vec<ListRow>,
    before: &Side<'_>,
    after: &Side<'_>,
) -> Option<ListChange> {
    let (old, new) = without_common(old, new);
    let partners = partners(&old, &new);
    let mut is_taken = vec![false; old.len()];
    let mut change = ListChange {
        name: name.to_owned(),
        new: Vec::new(),
        gone: Vec::new(),
        changed: Vec::new(),
    };
    for (row, partner) in new.into_iter().zip(partners) {
        // A row that the other side says as well was only not found in the list there.
        let is_known = before.said.says(&row.text());
        match partner {
            Some(at) => {
                is_taken[at] = true;
                if is_known && after.said.says(&old[at].text()) {
                    continue;
                }
                change.changed.push(RowChange {
                    old: old[at].clone(),
                    new: row,
                });
            }
            None if is_known => {}
            None => change.new.push(row),
        }
    }
    for (row, is_taken) in old.into_iter().zip(is_taken) {
        if !is_taken && !after.said.says(&row.text()) {
            change.gone.push(row);
        }
    }
    let is_same = change.new.is_empty() && change.gone.is_empty() && change.changed.is_empty();
    (!is_same).then_some(change)
}

/// The rows of both sides without those that say the same, whatever their order.
fn without_common(old: Vec<ListRow>, new: Vec<ListRow>) -> (Vec<ListRow>, Vec<ListRow>) {
    let mut known: RapidHashMap<String, usize> = RapidHashMap::default();
    for row in &old {
        *known.entry(row.text()).or_default() += 1;
    }
    let mut common: RapidHashMap<String, usize> = RapidHashMap::default();
    let mut only_new = Vec::new();
    for row in new {
        let text = row.text();
        match known.get_mut(&text) {
            Some(count) if *count > 0 => {
                *count -= 1;
                *common.entry(text).or_default() += 1;
            }
            Some(_) | None => only_new.push(row),
        }
    }
    let mut only_old = Vec::new();
    for row in old {
        match common.get_mut(&row.text()) {
            Some(count) if *count > 0 => *count -= 1,
            Some(_) | None => only_old.push(row),
        }
    }
    (only_old, only_new)
}

/// For each new row the old one that it was, if there is one: the one with a link of its own, or
/// with most texts in common.
fn partners(old: &[ListRow], new: &[ListRow]) -> Vec<Option<usize>> {
    let mut by_text: RapidHashMap<&str, Vec<usize>> = RapidHashMap::default();
    for (at, row) in old.iter().enumerate() {
        let texts = row.texts.iter().map(|(_, text)| text);
        for text in texts.chain(&row.links) {
            by_text.entry(text).or_default().push(at);
        }
    }
    by_text.retain(|_, rows| rows.len() <= MOST_WITH_TEXT);
    let mut is_taken = vec![false; old.len()];
    let mut partners = Vec::new();
    for row in new {
        let partner = partner_of(row, old, &by_text, &is_taken);
        if let Some(at) = partner {
            is_taken[at] = true;
        }
        partners.push(partner);
    }
    partners
}

fn partner_of(
    row: &ListRow,
    old: &[ListRow],
    by_text: &RapidHashMap<&str, Vec<usize>>,
    is_taken: &[bool],
) -> Option<usize> {
    // A link that one row alone has is its address.
    for link in &row.links {
        if let Some(&[at]) = by_text.get(link.as_str()).map(Vec::as_slice)
            && !is_taken[at]
        {
            return Some(at);
        }
    }
    let mut shared: RapidHashMap<usize, usize> = RapidHashMap::default();
    for (_, text) in &row.texts {
        for &at in by_text.get(text.as_str()).into_iter().flatten() {
            *shared.entry(at).or_default() += 1;
        }
    }
    let mut best: Option<(usize, usize)> = None;
    for (at, count) in shared {
        let fewest = row.texts.len().min(old[at].texts.len());
        if is_taken[at] || (count as f64) < SHARED_TEXTS * fewest as f64 {
            continue;
        }
        // The first of those that share as much, whatever the order of the table.
        if best.is_none_or(|(known, most)| (count, old.len() - at) > (most, old.len() - known)) {
            best = Some((at, count));
        }
    }
    best.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(texts: &[&str], link: &str) -> ListRow {
        ListRow {
            texts: texts
                .iter()
                .enumerate()
                .map(|(at, text)| (format!("c{at}"), (*text).to_owned()))
                .collect(),
            links: vec![link.to_owned()],
        }
    }

    #[test]
    fn rows_in_another_order_are_the_same() {
        let rows = [row(&["Tea", "4"], "/1"), row(&["Salt", "1"], "/2")];
        let turned = [rows[1].clone(), rows[0].clone()];
        let (old, new) = without_common(rows.to_vec(), turned.to_vec());
        assert!(old.is_empty() && new.is_empty());
    }

    #[test]
    fn a_row_is_known_by_its_link_or_by_half_of_its_texts() {
        let old = [
            row(&["Tea", "4", "in stock"], "/1"),
            row(&["Salt", "1", "in stock"], "/2"),
        ];
        let new = [
            row(&["Salt", "2", "in stock"], "/x"),
            row(&["Green tea", "5", "sold out"], "/1"),
            row(&["Oil", "9", "new"], "/3"),
        ];
        assert_eq!(partners(&old, &new), [Some(1), Some(0), None]);
    }
}
