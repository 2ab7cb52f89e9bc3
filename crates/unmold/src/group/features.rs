//! What is a page made of, as far as grouping cares?
//!
//! Two sets and a line of text: the *paths* ([`paths`](super::paths)), the *strings* (each piece of text with the element it stands in), and the title.

use super::paths::{PathWalk, hash, pair, step};
use crate::{
    Text,
    read::tree::{NodeId, Tree},
};

/// What is known of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// Hashes of the paths, sorted.
    pub paths: Vec<u64>,
    /// Hashes of the strings, sorted.
    pub strings: Vec<u64>,
    /// The content of the first `<title>`, entities decoded and white space folded.
    pub title: String,
}

/// Strings are told apart by their beginning.
const STRING_BYTES: usize = 200;

/// Reads the features off a page. Linear on any input.
pub(super) fn features(text: &Text) -> Features {
    let tree = Tree::new(text.as_str());
    let mut walk = PathWalk::default();
    let mut paths = Vec::new();
    walk.visit(&tree, |path| paths.push(path));
    let texts = tree.nodes().filter(|&node| !tree.is_element(node));
    let string = |node| Piece::of(&tree, node).hash(tree.parent(node).map_or(0, |parent| walk.step_of(parent)));
    Features { paths: sorted_set(paths), strings: sorted_set(texts.map(string).collect()), title: title(&tree) }
}

fn sorted_set(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.shrink_to_fit();
    hashes
}

/// The strings of a page as people read them, each with its hash.
pub(super) fn strings(text: &Text) -> Vec<(u64, String)> {
    let tree = Tree::new(text.as_str());
    let texts = tree.nodes().filter(|&node| !tree.is_element(node));
    let string = |node| {
        let step = tree.parent(node).map_or(0, |parent| step(&tree, parent));
        let piece = Piece::of(&tree, node);
        (piece.hash(step), piece.folded())
    };
    texts.map(string).collect()
}

/// A piece of text between two tags.
struct Piece<'a>(&'a str);

impl<'a> Piece<'a> {
    fn of(tree: &Tree<'a>, node: NodeId) -> Self {
        Piece(tree.span(node).of(tree.page()))
    }

    fn hash(&self, element: u64) -> u64 {
        pair(element, hash(self.folded().as_bytes()))
    }

    fn folded(&self) -> String {
        let mut folded = fold_space(self.0);
        clip(&mut folded, STRING_BYTES);
        folded
    }
}

fn fold_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts a text to at most so many bytes, not inside a character.
fn clip(text: &mut String, bytes: usize) {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
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

    fn paths(page: &str) -> Vec<u64> {
        features(&Text::from_string("1", page)).paths
    }

    #[test]
    fn order_of_classes_and_case_of_tags_mean_nothing() {
        assert_eq!(paths("<div class='a b'><p>"), paths("<DIV CLASS='b  a b'><P>"));
        assert_ne!(paths("<div class='a b'><p>"), paths("<div class='a'><p>"));
    }

    #[test]
    fn tags_left_out_change_nothing() {
        assert_eq!(paths("<ul><li>1<li>2</ul><p>x<p>y"), paths("<ul><li>1</li><li>2</li></ul><p>x</p><p>y</p>"));
        assert_eq!(paths("<table><tr><td>1<tr><td>2</table>"), paths("<table><tr><td>1</td><tr><td>2</td></table>"));
    }

    #[test]
    fn deep_nesting_makes_no_paths_of_its_own() {
        let page = "<div>".repeat(64_000) + &"</span>".repeat(64_000);
        assert_eq!(paths(&page).len(), 3);
    }

    #[test]
    fn strings_stand_in_their_element() {
        let of = |page: &str| features(&Text::from_string("1", page)).strings;
        assert_eq!(of("<b>x  y</b>"), of("<b> x y </b>"));
        assert_ne!(of("<b>x</b>"), of("<i>x</i>"));
    }

    #[test]
    fn titles_are_found_and_folded() {
        let title = |page: &str| title(&Tree::new(page));
        assert_eq!(title("<html><TITLE>\n a  &amp; b</title><title>no</title>"), "a & b");
        assert_eq!(title("<p>none"), "");
    }
}
