//! What do several pages say in the same words?

use super::reading::{Piece, Reading, Wording};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::sync::Arc;

/// A tenth of the pages, at least two, make a template.
const ENOUGH: usize = 10;
/// Pieces shorter than this may be the same on two pages by chance.
const TELLING_BYTES: u32 = 40;

/// Two pages with one title are versions of one document if they have this share of their telling
/// text in common, in bytes of the longer one. Set by hand; with it, 204 versions of 32 legal texts
/// are read by their molds as well as each alone.
const SAME_DOCUMENT: f64 = 0.7;

/// What pages of a template say in the same words.
pub(crate) struct Repeated {
    /// The pieces that repeat from page to page.
    pub wordings: RapidHashSet<Wording>,
    /// How many documents the pages are. An article under two addresses counts as one, and so do
    /// the versions of one page over the years: what *they* share is their content.
    pub documents: usize,
}

/// Finds what repeats from page to page.
pub(crate) fn repeats(pages: &[Arc<Reading<'_>>]) -> Repeated {
    let each: Vec<usize> = (0..pages.len()).collect();
    let mut originals = originals(pages, &count(pages, &each));
    if pages.len() > 1 {
        join_versions(pages, &mut originals);
    }
    let distinct = originals
        .iter()
        .enumerate()
        .filter(|(page, original)| page == *original)
        .count();
    let enough = distinct.div_ceil(ENOUGH).max(2);
    let counts = count(pages, &originals);
    let wordings = counts
        .into_iter()
        .filter(|(_, seen)| seen.pages >= enough)
        .map(|(wording, _)| wording)
        .collect();
    Repeated {
        wordings,
        documents: distinct,
    }
}

/// Makes versions of one document have one original.
fn join_versions(pages: &[Arc<Reading<'_>>], originals: &mut [usize]) {
    let mut by_title: RapidHashMap<String, Vec<usize>> = RapidHashMap::default();
    for (at, page) in pages.iter().enumerate() {
        by_title.entry(page.tree.title()).or_default().push(at);
    }
    for same in by_title.into_values().filter(|same| same.len() > 1) {
        let telling: Vec<RapidHashMap<Wording, u32>> =
            same.iter().map(|&at| telling(&pages[at])).collect();
        for (number, &at) in same.iter().enumerate() {
            let is_version = |&earlier: &usize| are_alike(&telling[earlier], &telling[number]);
            let Some(earlier) = (0..number).rev().find(is_version) else {
                continue;
            };
            let (from, to) = (originals[at], originals[same[earlier]]);
            for original in originals
                .iter_mut()
                .filter(|original| **original == from.max(to))
            {
                *original = from.min(to);
            }
        }
    }
}

/// The unlinked pieces of a page that are long enough to tell pages apart, with their bytes.
fn telling(page: &Reading<'_>) -> RapidHashMap<Wording, u32> {
    let pieces = page.all_pieces().iter();
    pieces
        .filter(|piece| !piece.wording.is_linked && piece.bytes >= TELLING_BYTES)
        .map(|piece| (piece.wording, piece.bytes))
        .collect()
}

fn are_alike(a: &RapidHashMap<Wording, u32>, b: &RapidHashMap<Wording, u32>) -> bool {
    let bytes = |page: &RapidHashMap<Wording, u32>| page.values().sum::<u32>();
    let in_both = a.iter().filter(|(wording, _)| b.contains_key(wording));
    let shared: u32 = in_both.map(|(_, bytes)| *bytes).sum();
    shared > 0 && f64::from(shared) >= SAME_DOCUMENT * f64::from(bytes(a).max(bytes(b)))
}

/// On which pages a piece was seen.
struct Seen {
    pages: usize,
    first: usize,
    last: usize,
}

/// On how many pages each piece stands, where `originals` says which pages are one.
fn count(pages: &[Arc<Reading<'_>>], originals: &[usize]) -> RapidHashMap<Wording, Seen> {
    let mut counts = RapidHashMap::default();
    for (page, &at) in pages.iter().zip(originals) {
        for piece in page.all_pieces() {
            let seen = counts.entry(piece.wording).or_insert(Seen {
                pages: 1,
                first: at,
                last: at,
            });
            if seen.last != at {
                seen.pages += 1;
                seen.last = at;
            }
        }
    }
    counts
}

/// For each page, the first page that says the same: more is written on just these two than on this
/// one alone.
fn originals(pages: &[Arc<Reading<'_>>], counts: &RapidHashMap<Wording, Seen>) -> Vec<usize> {
    let mut originals: Vec<usize> = Vec::with_capacity(pages.len());
    for (at, page) in pages.iter().enumerate() {
        let mut shared: RapidHashMap<usize, u32> = RapidHashMap::default();
        let mut own = 0;
        let is_telling = |piece: &&Piece| !piece.wording.is_linked && piece.bytes >= TELLING_BYTES;
        for piece in page.all_pieces().iter().filter(is_telling) {
            match &counts[&piece.wording] {
                Seen { pages: 1, .. } => own += piece.bytes,
                Seen {
                    pages: 2,
                    first,
                    last,
                } if *last == at => *shared.entry(*first).or_default() += piece.bytes,
                _ => {}
            }
        }
        let most = shared
            .into_iter()
            .max_by_key(|&(page, bytes)| (bytes, page));
        originals.push(
            most.filter(|&(_, bytes)| bytes > own)
                .map_or(at, |(page, _)| originals[page]),
        );
    }
    originals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_under_two_addresses_is_not_a_template() {
        let story = |who: &str| {
            format!("<p>Yesterday {who} was seen in the market square by many people.</p>")
        };
        let pages =
            ["Anna", "Anna", "Ben", "Carla"].map(|who| format!("<div>Menu</div>{}", story(who)));
        let readings: Vec<Arc<Reading<'_>>> = pages
            .iter()
            .map(|page| Arc::new(Reading::of(page)))
            .collect();
        assert_eq!(
            repeats(&readings).wordings,
            RapidHashSet::from_iter([Wording::of("Menu", false)])
        );
    }
}
