//! Does a page say this anywhere?
//!
//! A page is kept as the set of its sequences of one to four words. A text is said there if all its
//! sequences of four words are, or the text as a whole if it has fewer. So a line is found wherever
//! the markup cut it, and asking is linear in the text. Markup may also cut words, or put them
//! together (`<b>T</b>ea`): a longer text is said as well if all its sequences of letters are.

use super::words::words;
use crate::{
    Span,
    read::{
        html::visible_text,
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashSet, v3::rapidhash_v3};
use std::borrow::Cow;

/// The longest sequences that are kept, in words. Longer ones would tell texts apart that are hardly
/// ever made of the same sequences of four words by chance.
const LONGEST: usize = 4;

/// A text with fewer letters than this is told by its words alone. Not fitted: so many letters in a
/// row are hardly ever the same by chance.
const LETTERS: usize = 16;

/// All that a page says, as sequences of words and of letters.
pub(super) struct SaidOnPage {
    words: RapidHashSet<u64>,
    letters: RapidHashSet<u64>,
    /// The texts in links, in the order of the page.
    link_texts: Vec<Span>,
}

impl SaidOnPage {
    /// Reads the texts of a page.
    pub fn of(page: &str) -> Self {
        let tree = Tree::new(page);
        let mut hashes: Vec<u64> = Vec::new();
        let mut letters: Vec<char> = Vec::new();
        let mut link_texts = Vec::new();
        let mut links = LinkWalk::default();
        for node in tree.nodes() {
            let is_in_link = links.is_in_link(&tree, node);
            if tree.is_element(node) {
                continue;
            }
            if is_in_link {
                link_texts.push(tree.span(node));
            }
            let text = visible_text(tree.span(node).of(page));
            let text = unescaped(&text);
            hashes.extend(word_hashes(&text));
            letters.extend(letters_of(&text));
        }
        let mut words = RapidHashSet::default();
        for length in 1..=LONGEST {
            for sequence in hashes.windows(length) {
                words.insert(sequence_hash(sequence));
            }
        }
        SaidOnPage {
            words,
            letters: letters.windows(LETTERS).map(letters_hash).collect(),
            link_texts,
        }
    }

    /// Whether a place of the page is in a link.
    pub fn is_in_link(&self, span: Span) -> bool {
        let at = self
            .link_texts
            .partition_point(|text| text.end <= span.start);
        self.link_texts
            .get(at)
            .is_some_and(|text| text.start < span.end)
    }

    /// Whether the page says a text; a text without words is said everywhere.
    pub fn says(&self, text: &str) -> bool {
        let text = unescaped(text);
        let hashes: Vec<u64> = word_hashes(&text).collect();
        if hashes.is_empty() {
            return true;
        }
        let has_words = hashes
            .windows(hashes.len().min(LONGEST))
            .all(|sequence| self.words.contains(&sequence_hash(sequence)));
        if has_words {
            return true;
        }
        let letters: Vec<char> = letters_of(&text).collect();
        letters.len() >= LETTERS
            && letters
                .windows(LETTERS)
                .all(|sequence| self.letters.contains(&letters_hash(sequence)))
    }
}

/// Which nodes are in a link, while the nodes of a page are walked over in their order.
#[derive(Default)]
struct LinkWalk {
    /// By the number of the node.
    is_in_link: Vec<bool>,
}

impl LinkWalk {
    /// Whether the next node is a link, or in one.
    fn is_in_link(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        let is_link = tree.is_element(node) && tree.name(node).eq_ignore_ascii_case("a");
        let is_below = tree
            .parent(node)
            .and_then(|parent| self.is_in_link.get(parent.index()))
            .is_some_and(|is_in_link| *is_in_link);
        self.is_in_link.push(is_link || is_below);
        is_link || is_below
    }
}

/// The letters and digits of a text: markup may put spaces between them or not.
pub(super) fn letters_of(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|letter| letter.is_alphanumeric())
}

fn letters_hash(letters: &[char]) -> u64 {
    let mut bytes = Vec::with_capacity(4 * LETTERS);
    for letter in letters {
        bytes.extend_from_slice(&u32::from(*letter).to_le_bytes());
    }
    rapidhash_v3(&bytes)
}

/// A text as it was meant: some pages escape their references twice, on some days.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    htmlize::unescape(text)
}

/// The words of a text as numbers; marks between them say nothing.
fn word_hashes(text: &str) -> impl Iterator<Item = u64> + '_ {
    words(text)
        .into_iter()
        .filter(|word| word.text.chars().any(char::is_alphanumeric))
        .map(|word| rapidhash_v3(word.text.as_bytes()))
}

fn sequence_hash(sequence: &[u64]) -> u64 {
    let mut bytes = Vec::with_capacity(8 * LONGEST);
    for word in sequence {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    rapidhash_v3(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_said_wherever_markup_cuts_it() {
        let page = SaidOnPage::of("<p>Boil the <b>water</b>, then add</p><p>the tea leaves.</p>");
        assert!(page.says("Boil the water then add the tea"));
        assert!(page.says("tea leaves") && page.says("—"));
        assert!(!page.says("Boil the tea") && !page.says("coffee"));
        assert!(page.says("the&nbsp;water"), "escaped twice");
        let page = SaidOnPage::of("<p><b>B</b>oil the water, <i>then</i>add tea");
        assert!(
            page.says("Boil the water, then add tea"),
            "a word that is cut"
        );
        assert!(!page.says("Boil the water, then add milk"));
    }

    #[test]
    fn texts_in_links_are_known() {
        let page = "<p>Tea</p><a href=/>All <b>offers</b></a><p>Milk</p>";
        let said = SaidOnPage::of(page);
        let is_in_link = |text: &str| {
            let start = page.find(text).unwrap();
            said.is_in_link(Span::new(start, start + text.len()))
        };
        assert!(is_in_link("offers") && is_in_link("All"));
        assert!(!is_in_link("Tea") && !is_in_link("Milk"));
    }

    #[test]
    fn scripts_without_spaces_are_told_apart_too() {
        let page = SaidOnPage::of("<p>価格は千円です");
        assert!(page.says("千円") && !page.says("二千円"));
    }
}
