//! Which number does the page's own address give to the thing that it is about?
//!
//! Shops number what they sell, and the number is in the address that the page declares as its own:
//! `<link rel=canonical href=".../kettle-p400105394.html">`. Addresses hold other numbers, too; the
//! one that is meant recurs elsewhere on the page, in an attribute, a script or a text.
//!
//! Cost: the page is searched once for each number of its address, of which there are few.

use crate::{
    Span,
    read::tree::{NodeId, Tree},
};
use memchr::memmem;

/// A number with fewer digits may be a year, a size or the number of a category. Chosen by hand.
const MIN_DIGITS: usize = 5;
/// The longest numbers of goods, those of GS1, have 14 digits; with more it is no number.
const MAX_DIGITS: usize = 14;
/// At most this many numbers of an address are looked for. Chosen by hand.
const MAX_NUMBERS: usize = 4;
/// A number is met elsewhere if as many bytes before it are not those before it in the address,
/// which the page repeats in links to itself. Chosen by hand.
const BYTES_BEFORE: usize = 4;

/// The number in the address of a page that the page says elsewhere too, the last of several.
pub(super) fn number(tree: &Tree<'_>) -> Option<Span> {
    let address = own_address(tree)?;
    let numbers = numbers(tree.page(), address);
    let mut last_first = numbers.into_iter().rev().take(MAX_NUMBERS);
    last_first.find(|number| recurs(tree.page(), *number))
}

/// The address that the page declares as its own.
fn own_address(tree: &Tree<'_>) -> Option<Span> {
    let mut shared = None;
    for node in tree.nodes() {
        match tree.name(node) {
            "link" if is(tree, node, "rel", "canonical") => return attribute(tree, node, "href"),
            "meta" if is(tree, node, "property", "og:url") => {
                shared = shared.or(attribute(tree, node, "content"));
            }
            _ => {}
        }
    }
    shared
}

fn is(tree: &Tree<'_>, node: NodeId, name: &str, expected: &str) -> bool {
    let value = tree.attribute(node, name);
    value.is_some_and(|value| value.trim().eq_ignore_ascii_case(expected))
}

/// Where the value of an attribute is.
fn attribute(tree: &Tree<'_>, node: NodeId, name: &str) -> Option<Span> {
    let mut attributes = tree.attributes(node);
    let named = attributes.find(|known| known.name.of(tree.page()).eq_ignore_ascii_case(name));
    named?.value
}

/// The numbers in an address.
fn numbers(page: &str, address: Span) -> Vec<Span> {
    let bytes = address.of(page).as_bytes();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let digits = digits.count();
        if (MIN_DIGITS..=MAX_DIGITS).contains(&digits) {
            let start = address.start as usize + at;
            numbers.push(Span::new(start, start + digits));
        }
        at += digits.max(1);
    }
    numbers
}

/// Whether a number of the address is on the page where the address is not.
fn recurs(page: &str, number: Span) -> bool {
    let bytes = page.as_bytes();
    let before = |at: usize| &bytes[at.saturating_sub(BYTES_BEFORE)..at];
    let in_address = before(number.start as usize);
    for at in memmem::find_iter(bytes, number.of(page).as_bytes()) {
        let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let is_whole =
            !is_word(bytes.get(at.wrapping_sub(1))) && !is_word(bytes.get(at + number.len()));
        if is_whole && before(at) != in_address {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_the_page_repeats_counts() {
        for (page, expected) in [
            (
                "<link rel=canonical href='/c72001/kettle-p400105394.html'><b data-id=400105394>",
                Some("400105394"),
            ),
            (
                "<meta property=og:url content='/pots?id=12185160'><p>Nr. 12185160",
                Some("12185160"),
            ),
            (
                "<link rel=canonical href='/кружка-98765/'><a href='/кружка-98765/'>",
                None,
            ),
            ("<link rel=canonical href='/2024/kettle'><p>2024", None),
            (
                "<link rel=canonical href='/p/123456'><p>1234567, A123456",
                None,
            ),
            ("<p>123456 123456", None),
        ] {
            let tree = Tree::new(page);
            let found = number(&tree).map(|span| span.of(page));
            assert_eq!(found, expected, "{page}");
        }
    }
}
