//! Which page of the one side is which of the other?

use crate::Text;
use rapidhash::RapidHashMap;

/// A page of the old side and of the new one, of which one may be missing.
pub(super) type PagePair<'t> = (Option<&'t Text>, Option<&'t Text>);

/// By what a page is known: its URL without the part that servers never see, or its id.
fn key(page: &Text) -> &str {
    match page.url() {
        Some(url) => url.split('#').next().unwrap_or(url),
        None => page.id(),
    }
}

/// The pages of both sides in pairs: those of the new side in their order, then those that are only
/// on the old one. The last of several copies counts.
pub(super) fn pairs<'t>(old: &'t [Text], new: &'t [Text]) -> Vec<PagePair<'t>> {
    let old_by_key = last_by_key(old);
    let new_by_key = last_by_key(new);
    let mut pairs = Vec::new();
    for (at, page) in new.iter().enumerate() {
        if new_by_key.get(key(page)) != Some(&at) {
            continue;
        }
        let before = old_by_key.get(key(page)).map(|&at| &old[at]);
        pairs.push((before, Some(page)));
    }
    for (at, page) in old.iter().enumerate() {
        let is_last = old_by_key.get(key(page)) == Some(&at);
        if is_last && !new_by_key.contains_key(key(page)) {
            pairs.push((Some(page), None));
        }
    }
    pairs
}

/// The first and the last copy of each page that has several; a page with one copy did not change.
pub(super) fn pairs_within(pages: &[Text]) -> Vec<PagePair<'_>> {
    let mut first_by_key: RapidHashMap<&str, usize> = RapidHashMap::default();
    for (at, page) in pages.iter().enumerate() {
        first_by_key.entry(key(page)).or_insert(at);
    }
    let last_by_key = last_by_key(pages);
    let mut pairs = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        if first_by_key.get(key(page)) == Some(&at) {
            pairs.push((Some(page), Some(&pages[last_by_key[key(page)]])));
        }
    }
    pairs
}

fn last_by_key(pages: &[Text]) -> RapidHashMap<&str, usize> {
    let mut last = RapidHashMap::default();
    for (at, page) in pages.iter().enumerate() {
        last.insert(key(page), at);
    }
    last
}
