//! What is a page made of, as far as grouping cares?
//!
//! Two sets and a line of text: the *paths* (each element's tag and classes below those of its parent and grandparent),
//! the *strings* (each piece of text with the element it stands in), and the title. Paths longer than three steps tie
//! every element to the classes of `<body>`, shorter ones forget where they are; three measured best.

use crate::{
    Text,
    read::tree::{NodeId, Tree},
};
use rapidhash::v3::rapidhash_v3;

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
    let mut steps = Steps::default();
    let mut strings = Vec::new();
    for node in tree.nodes() {
        if !steps.take(&tree, node) {
            strings.push(Piece::of(&tree, node).hash(steps.parent(&tree, node)));
        }
    }
    strings.sort_unstable();
    strings.dedup();
    strings.shrink_to_fit();
    Features { paths: steps.into_paths(), strings, title: title(&tree) }
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

/// The steps of the elements of a page, and the paths that they make.
#[derive(Default)]
struct Steps {
    /// By number of node; 0 for a text.
    steps: Vec<u64>,
    paths: Vec<u64>,
}

impl Steps {
    /// Takes the next node of a tree; says whether it is an element.
    fn take(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        if !tree.is_element(node) {
            self.steps.push(0);
            return false;
        }
        let step = step(tree, node);
        self.steps.push(step);
        let above = tree.ancestors(node).take(2).map(|above| self.steps[above.index()]);
        self.paths.push(above.fold(step, pair));
        true
    }

    fn parent(&self, tree: &Tree<'_>, node: NodeId) -> u64 {
        tree.parent(node).map_or(0, |parent| self.steps[parent.index()])
    }

    fn into_paths(mut self) -> Vec<u64> {
        self.paths.sort_unstable();
        self.paths.dedup();
        self.paths.shrink_to_fit();
        self.paths
    }
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

/// The hash of an element's name and classes. The order of classes means nothing.
fn step(tree: &Tree<'_>, node: NodeId) -> u64 {
    let name = hash(tree.name(node).as_bytes());
    let classes = tree.attribute(node, "class").unwrap_or("");
    if !classes.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return if classes.is_empty() { name } else { pair(name, hash(classes.as_bytes())) };
    }
    let mut classes: Vec<u64> = classes.split_ascii_whitespace().map(|class| hash(class.as_bytes())).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.into_iter().fold(name, pair)
}

/// The same on every machine and in every run: hashes are written to files of known groups.
fn hash(bytes: &[u8]) -> u64 {
    rapidhash_v3(bytes)
}

fn pair(one: u64, other: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one.to_le_bytes());
    bytes[8..].copy_from_slice(&other.to_le_bytes());
    hash(&bytes)
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
fn title(tree: &Tree<'_>) -> String {
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
