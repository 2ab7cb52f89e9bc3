//! In which order are pages compared?
//!
//! Whoever learns from many pages meets them one after the other: ties go to the first, samples are
//! drawn from all over, some pages are set aside. None of this may depend on how the pages came,
//! nor on what their files are called: a crawl of tomorrow finds the same pages in another order.
//! So pages are put into an order of their own, that of the hashes of their texts, before anything
//! is learned, and what was learned is given back in the order they came in.

use super::Text;
use rapidhash::v3::rapidhash_v3;

/// The places of texts, in the order in which they are learned from. Texts that are equal keep an
/// order by address and id; apart from these names, nothing can tell them apart.
pub(crate) fn canonical(texts: &[impl std::borrow::Borrow<Text>]) -> Vec<usize> {
    let hashes: Vec<u64> = texts
        .iter()
        .map(|text| content_hash(text.borrow()))
        .collect();
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by(|&one, &other| {
        let names = |at: usize| {
            (
                texts[at].borrow().as_str(),
                texts[at].borrow().url(),
                texts[at].borrow().id(),
            )
        };
        hashes[one]
            .cmp(&hashes[other])
            .then_with(|| names(one).cmp(&names(other)))
    });
    order
}

/// The same on every machine and in every run, whatever the page is called.
pub(crate) fn content_hash(text: &Text) -> u64 {
    rapidhash_v3(text.as_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_places_nor_names_matter() {
        let text = |id: &str, page: &str| Text::from_string(id, page);
        let pages = |texts: &[Text]| {
            canonical(texts)
                .into_iter()
                .map(|at| texts[at].as_str().to_owned())
                .collect::<Vec<String>>()
        };
        let one = pages(&[text("1", "<p>x"), text("2", "<p>y"), text("3", "<p>z")]);
        let other = pages(&[text("1", "<p>z"), text("2", "<p>x"), text("3", "<p>y")]);
        assert_eq!(one, other);
        assert_eq!(canonical(&[text("b", "<p>"), text("a", "<p>")]), [1, 0]);
    }
}
