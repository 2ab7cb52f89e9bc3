//! What do several pages say in the same words?

use super::reading::{Piece, Reading, Wording};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::sync::Arc;

/// A tenth of the pages, at least two, make a template.
const ENOUGH: usize = 10;
/// Pieces shorter than this may be the same on two pages by chance.
const TELLING_BYTES: u32 = 40;

/// The pieces that repeat from page to page.
///
/// Pages that say the same twice over, such as an article under two addresses, count as one.
pub(crate) fn repeats(pages: &[Arc<Reading<'_>>]) -> RapidHashSet<Wording> {
    let each: Vec<usize> = (0..pages.len()).collect();
    let originals = originals(pages, &count(pages, &each));
    let distinct = originals
        .iter()
        .enumerate()
        .filter(|(page, original)| page == *original)
        .count();
    let enough = distinct.div_ceil(ENOUGH).max(2);
    let counts = count(pages, &originals);
    counts
        .into_iter()
        .filter(|(_, seen)| seen.pages >= enough)
        .map(|(wording, _)| wording)
        .collect()
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

/// For each page, the first page that says the same: more is written on just these two than on this one alone.
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
            repeats(&readings),
            RapidHashSet::from_iter([Wording::of("Menu", false)])
        );
    }
}
