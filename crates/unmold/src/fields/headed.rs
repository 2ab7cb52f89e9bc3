//! Which lists of a template are columns, because the same heading precedes them on its pages?
//!
//! "Ingredients", then five lines on one page and twelve on the next: what follows the heading is
//! the first line, and a piece of the value. All lines are the value.
//!
//! Cost: the lists of each page are read once, and the learned fields are looked for once more where
//! a heading recurs.

use super::{
    Field, View,
    declared::{self, Values},
    learn::LearnedFields,
    names::{NamedBy, identifier},
    sample::ScannedPage,
    view::HeadedListView,
};
use crate::read::{
    headed::{HeadedList, headed_lists},
    tree::Tree,
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;

/// A heading on fewer pages than one in this many is no heading of the template. Chosen by hand; two
/// pages are always needed.
const PAGES_A_HEADING: usize = 4;
/// A list is a column already if the words of both are so alike, from 0 to 1. Chosen by hand: pages
/// declare what they list in other words ("2 cup(s) flour").
const ALIKE: f64 = 0.6;

/// Adds the lists after headings that recur to what was learned from pages, in the place of the
/// columns that hold the first of their items, else after those that are wanted.
pub(crate) fn add(learned: &mut LearnedFields, pages: &[ScannedPage<'_>]) {
    let columns = columns(pages);
    if columns.is_empty() {
        return;
    }
    let shown = declared::all_values(learned, pages);
    let mut is_left_out = vec![false; shown.len()];
    let mut new: Vec<NewColumn> = Vec::new();
    for (heading, values) in columns {
        let Some(name) = identifier(&heading) else {
            continue;
        };
        if shown.iter().any(|other| are_alike(&values, other)) {
            continue;
        }
        let items = items_of(&heading, &values, learned, &shown);
        let has_name = |(at, field): (usize, &Field)| {
            !items.contains(&at) && field.name.to_lowercase() == name.to_lowercase()
        };
        if learned.fields.iter().enumerate().any(has_name) {
            continue;
        }
        for item in &items {
            is_left_out[*item] = true;
        }
        let place = items.first().copied().unwrap_or(learned.wanted);
        let mut field = Field {
            name,
            label: heading.clone(),
            views: vec![View::HeadedList(HeadedListView { heading })],
            ..Field::default()
        };
        declared::note_values(&mut field, &values);
        new.push(NewColumn {
            place: place.min(learned.wanted),
            field,
        });
    }
    put_in(learned, new, &is_left_out);
}

/// Whether a page has the list of each field.
pub(crate) fn are_listed(fields: &[Field], tree: &Tree<'_>) -> Vec<bool> {
    let headings: Vec<Option<&str>> = fields.iter().map(Field::heading).collect();
    if headings.iter().all(Option::is_none) {
        return vec![false; fields.len()];
    }
    let lists = headed_lists(tree);
    let is_there = |heading: &str| lists.iter().any(|list| list.heading == heading);
    let headings = headings.into_iter();
    headings
        .map(|heading| heading.is_some_and(is_there))
        .collect()
}

/// A column for a list, and the number of the field that it comes before.
struct NewColumn {
    place: usize,
    field: Field,
}

/// The lists after each heading that recurs, by page, in the order in which they come up.
fn columns(pages: &[ScannedPage<'_>]) -> Vec<(String, Values)> {
    let by_page: Vec<Vec<HeadedList>> = pages
        .par_iter()
        .map(|page| headed_lists(page.tree()))
        .collect();
    let mut places: RapidHashMap<String, usize> = RapidHashMap::default();
    let mut columns: Vec<(String, Values)> = Vec::new();
    for (page, lists) in by_page.into_iter().enumerate() {
        for list in lists {
            let place = *places.entry(list.heading.clone()).or_insert_with(|| {
                columns.push((list.heading, vec![Vec::new(); pages.len()]));
                columns.len() - 1
            });
            let texts = list.items.into_iter().map(|(text, _)| text);
            columns[place].1[page].extend(texts);
        }
    }
    columns.retain(|(_, values)| is_of_template(values) && !is_menu(values));
    columns
}

/// Whether enough pages have a list.
fn is_of_template(values: &Values) -> bool {
    let filled = values.iter().filter(|items| !items.is_empty()).count();
    filled >= 2 && PAGES_A_HEADING * filled >= values.len()
}

/// Whether most of what pages list is on most of these pages.
fn is_menu(values: &Values) -> bool {
    let mut pages = 0;
    let mut counts: RapidHashMap<&str, usize> = RapidHashMap::default();
    for items in values.iter().filter(|items| !items.is_empty()) {
        pages += 1;
        let different: RapidHashSet<&str> = items.iter().map(String::as_str).collect();
        for item in different {
            *counts.entry(item).or_default() += 1;
        }
    }
    let on_most = counts.values().filter(|count| 2 * **count > pages);
    let on_most: usize = on_most.sum();
    2 * on_most > counts.values().sum()
}

/// The fields that hold a piece of a list on each page because its heading is their label.
fn items_of(
    heading: &str,
    values: &Values,
    learned: &LearnedFields,
    shown: &[Values],
) -> Vec<usize> {
    let mut items = Vec::new();
    for (at, other) in shown.iter().enumerate() {
        let field = &learned.fields[at];
        let label = field.label.trim_end_matches([':', '：']).trim();
        let is_declared = field.declared_property().is_some();
        if label == heading && !is_declared && are_pieces(other, values) {
            items.push(at);
        }
    }
    items
}

/// Whether each page that has both has the values in items of its list.
fn are_pieces(values: &Values, lists: &Values) -> bool {
    let mut both = 0;
    for (texts, list) in values.iter().zip(lists) {
        if texts.is_empty() || list.is_empty() {
            continue;
        }
        let is_piece = |text: &String| list.iter().any(|item| item.contains(text.as_str()));
        if !texts.iter().all(is_piece) {
            return false;
        }
        both += 1;
    }
    both > 0
}

/// Whether two columns say nearly the same on the pages that have both.
fn are_alike(one: &Values, other: &Values) -> bool {
    let (mut shared, mut all) = (0, 0);
    for (one, other) in one.iter().zip(other) {
        if one.is_empty() || other.is_empty() {
            continue;
        }
        let (one, other) = (words(one), words(other));
        shared += one.intersection(&other).count();
        all += one.union(&other).count();
    }
    all > 0 && shared as f64 >= ALIKE * all as f64
}

fn words(texts: &[String]) -> RapidHashSet<&str> {
    let words = texts.iter().flat_map(|text| text.split_whitespace());
    words.collect()
}

/// Puts columns in their places, and leaves out the fields that they stand for.
fn put_in(learned: &mut LearnedFields, mut new: Vec<NewColumn>, is_left_out: &[bool]) {
    new.sort_by_key(|column| column.place);
    let mut new = new.into_iter().peekable();
    let old_fields = std::mem::take(&mut learned.fields).into_iter();
    let old_names = std::mem::take(&mut learned.named_by).into_iter();
    let mut old = old_fields.zip(old_names);
    let mut wanted = 0;
    // A column may come after all fields, too.
    for (at, is_left_out) in is_left_out.iter().chain([&true]).enumerate() {
        while let Some(column) = new.next_if(|column| column.place == at) {
            learned.fields.push(column.field);
            // As a label of the page would.
            learned.named_by.push(NamedBy::Author);
            wanted += 1;
        }
        let Some((field, by)) = old.next() else { break };
        if *is_left_out {
            continue;
        }
        wanted += usize::from(at < learned.wanted);
        learned.fields.push(field);
        learned.named_by.push(by);
    }
    learned.wanted = wanted;
}
