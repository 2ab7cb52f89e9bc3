//! What is a page made of, as far as grouping cares?
//!
//! Two sets and a line of text: the *paths* ([`paths`](super::paths)), the *strings* (each piece of
//! text with the element it stands in), and the title.

use super::{
    address::Address,
    paths::{PathWalk, hash, pair},
};
use crate::{
    Span, Text,
    read::tree::{Memory, NodeId, Tree},
};

/// What is known of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// Hashes of the paths, sorted.
    pub paths: Vec<u64>,
    /// Hashes of the steps, sorted: the elements by name and classes, wherever they stand.
    pub steps: Vec<u64>,
    /// Hashes of the strings, sorted.
    pub strings: Vec<u64>,
    /// What its address says.
    pub address: Address,
    /// The content of the first `<title>`, entities decoded and white space folded.
    pub title: String,
}

impl Features {
    /// Whether nothing says that two pages are of different sites.
    pub fn may_be_of_one_site(&self, other: &Features) -> bool {
        let (one, other) = (self.address.site, other.address.site);
        one.is_none() || other.is_none() || one == other
    }
}

/// Strings are told apart by their beginning.
const STRING_BYTES: usize = 200;

/// What is kept from page to page while features are read. They do not depend on it.
#[derive(Default)]
pub(super) struct FeaturesMemory {
    tokens: Memory,
    walk: PathWalk,
    /// The hash of each text that the memory has, by its number; 0 where it is not known yet.
    text_hashes: Vec<u64>,
}

impl FeaturesMemory {
    fn tidied(&mut self) -> &mut Self {
        if self.tokens.is_full() {
            *self = FeaturesMemory::default();
        }
        self
    }
}

/// A string of a page: its hash, and where it stands.
pub(super) type PlacedString = (u64, Span);

/// Reads the features off a page, and where its strings stand. Linear on any input.
pub(super) fn features(text: &Text, memory: &mut FeaturesMemory) -> (Features, Vec<PlacedString>) {
    let FeaturesMemory {
        tokens,
        walk,
        text_hashes,
    } = memory.tidied();
    let tree = Tree::with_memory(text.as_str(), tokens);
    let mut paths = Vec::new();
    walk.visit(&tree, |path| paths.push(path));
    let steps = sorted_set(
        tree.nodes()
            .map(|node| walk.step_of(node))
            .filter(|&step| step != 0)
            .collect(),
    );
    let texts = tree.nodes().filter(|&node| !tree.is_element(node));
    let string = |node| {
        let step = tree.parent(node).map_or(0, |parent| walk.step_of(parent));
        (
            pair(step, text_hash(&tree, node, text_hashes)),
            tree.span(node),
        )
    };
    let mut strings: Vec<PlacedString> = texts.map(string).collect();
    strings.sort_unstable_by_key(|(hash, span)| (*hash, span.start));
    strings.dedup_by_key(|(hash, _)| *hash);
    let features = Features {
        address: Address::of(text, &tree),
        paths: sorted_set(paths),
        steps,
        strings: strings.iter().map(|(hash, _)| *hash).collect(),
        title: title(&tree),
    };
    (features, strings)
}

/// The hash of a text, which may be known.
fn text_hash(tree: &Tree<'_>, node: NodeId, known: &mut Vec<u64>) -> u64 {
    let Some(number) = tree.token_number(node).map(|number| number as usize) else {
        return Piece::of(tree, node).hash();
    };
    if number >= known.len() {
        known.resize(number + 1, 0);
    }
    if known[number] == 0 {
        known[number] = Piece::of(tree, node).hash();
    }
    known[number]
}

fn sorted_set(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.shrink_to_fit();
    hashes
}

/// A string as people read it, where it stands.
pub(super) fn string_at(text: &Text, span: Span) -> String {
    Piece(span.of(text.as_str())).folded()
}

/// A piece of text between two tags.
struct Piece<'a>(&'a str);

impl<'a> Piece<'a> {
    fn of(tree: &Tree<'a>, node: NodeId) -> Self {
        Piece(tree.span(node).of(tree.page()))
    }

    fn hash(&self) -> u64 {
        hash(self.folded().as_bytes())
    }

    fn folded(&self) -> String {
        let mut folded = String::new();
        for word in self.0.split_whitespace() {
            if folded.len() > STRING_BYTES {
                break;
            }
            folded.push_str(if folded.is_empty() { "" } else { " " });
            folded.push_str(word);
        }
        clip(&mut folded, STRING_BYTES);
        folded
    }
}

/// Cuts a text to at most so many bytes, not inside a character.
fn clip(text: &mut String, bytes: usize) {
    let end = (0..=bytes.min(text.len()))
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or(0));
}

/// Titles longer than this are cut, in bytes.
const TITLE_BYTES: usize = 400;

/// The title of a page.
pub(super) fn title(tree: &Tree<'_>) -> String {
    let mut title = tree.title();
    clip(&mut title, TITLE_BYTES);
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(page: &str) -> Features {
        features(
            &Text::from_string("1", page),
            &mut FeaturesMemory::default(),
        )
        .0
    }

    fn paths(page: &str) -> Vec<u64> {
        of(page).paths
    }

    #[test]
    fn order_of_classes_and_case_of_tags_mean_nothing() {
        assert_eq!(
            paths("<div class='a b'><p>"),
            paths("<DIV CLASS='b  a b'><P>")
        );
        assert_ne!(paths("<div class='a b'><p>"), paths("<div class='a'><p>"));
    }

    #[test]
    fn tags_left_out_change_nothing() {
        assert_eq!(
            paths("<ul><li>1<li>2</ul><p>x<p>y"),
            paths("<ul><li>1</li><li>2</li></ul><p>x</p><p>y</p>")
        );
        assert_eq!(
            paths("<table><tr><td>1<tr><td>2</table>"),
            paths("<table><tr><td>1</td><tr><td>2</td></table>")
        );
    }

    #[test]
    fn deep_nesting_makes_no_paths_of_its_own() {
        let page = "<div>".repeat(64_000) + &"</span>".repeat(64_000);
        assert_eq!(paths(&page).len(), 3);
    }

    #[test]
    fn strings_stand_in_their_element() {
        assert_eq!(of("<b>x  y</b>").strings, of("<b> x y </b>").strings);
        assert_ne!(of("<b>x</b>").strings, of("<i>x</i>").strings);
    }

    #[test]
    fn features_do_not_depend_on_pages_before() {
        let pages = [
            "<p class=a>one <b>two</b>",
            "<p class=a>one <i>two</i>",
            "<p>one <b>two</b>",
        ];
        let mut memory = FeaturesMemory::default();
        for page in pages.iter().chain(&pages) {
            let (found, _) = features(&Text::from_string("1", *page), &mut memory);
            assert_eq!(
                (found.paths, found.strings),
                (of(page).paths, of(page).strings),
                "{page}"
            );
        }
    }

    #[test]
    fn titles_are_found_and_folded() {
        let title = |page: &str| title(&Tree::new(page));
        assert_eq!(
            title("<html><TITLE>\n a  &amp; b</title><title>no</title>"),
            "a & b"
        );
        assert_eq!(title("<p>none"), "");
    }
}
