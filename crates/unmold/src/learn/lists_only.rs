//! What do pages list, and nothing else?

use super::{
    error::LearnError,
    pages::Pages,
    rules::Rules,
    templates::{self, Template},
};
use crate::{
    Text,
    content::families::Families,
    group::Grouping,
    lists::{self, ListRule},
    mold::Group,
    read::order::content_hash,
};
use rayon::prelude::*;

/// Pages of a template that are compared: what is on all of these and not on the next page is no
/// menu.
const COMPARED: usize = 20;

/// Learns what pages list; the groups have no other rules.
pub(super) fn learn(texts: &[&Text], grouping: &Grouping) -> Result<Rules, LearnError> {
    let pages = Pages::new(texts);
    if texts.len() < 2 {
        return of_page_alone(&pages);
    }
    let templates = templates::of(grouping, &Families::default(), of_groups(&pages, grouping));
    Ok(Rules {
        groups: templates.iter().map(Template::group).collect(),
        ..Rules::default()
    })
}

/// What one page lists: it has no other page to compare it with.
///
/// # Errors
/// If it lists nothing.
pub(super) fn of_page_alone(pages: &Pages<'_>) -> Result<Rules, LearnError> {
    let mut group = Group::new("all", 1);
    group.records = of_pages(pages, &[0]);
    if group.records.is_empty() {
        return Err(LearnError::OnePage);
    }
    Ok(Rules {
        groups: vec![group],
        ..Rules::default()
    })
}

/// The lists of each group of pages that look alike. They are learned before groups are joined to
/// templates, so that they do not depend on what else is learned.
pub(super) fn of_groups(pages: &Pages<'_>, grouping: &Grouping) -> Vec<Vec<ListRule>> {
    grouping
        .groups()
        .par_iter()
        .map(|group| of_pages(pages, &group.pages))
        .collect()
}

/// The lists of some pages, compared in an order of their own, each text once.
pub(super) fn of_pages(pages: &Pages<'_>, numbers: &[usize]) -> Vec<ListRule> {
    let mut compared: Vec<(u64, usize)> = numbers
        .iter()
        .map(|&page| (content_hash(pages.text(page)), page))
        .collect();
    compared.sort_unstable();
    compared.dedup_by_key(|(hash, _)| *hash);
    compared.truncate(COMPARED);
    let compared: Vec<lists::learn::Page<'_, '_>> = compared
        .into_iter()
        .map(|(_, page)| (pages.text(page), &**pages.tree(page)))
        .collect();
    lists::learn::learn(&compared)
}
