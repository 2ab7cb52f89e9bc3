//! What do readers see of a piece of a page?
//!
//! Letters, links and pictures are counted once, so that any run of nodes can be asked in constant
//! time.
//!
//! Cost: one pass over the page.

use crate::read::{
    html::elements::is_hidden_in_lists,
    tree::{NodeId, Tree},
};
use std::ops::Range;

/// What is seen before each node, and before the end.
pub(super) struct Seen {
    before: Vec<Count>,
}

/// What is seen up to a place on the page.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Letters and digits,
    letters: u32,
    /// those of them in links,
    linked: u32,
    links: u32,
    images: u32,
    digits: u32,
    /// Letters and digits in bold.
    strong: u32,
}

impl Seen {
    pub(super) fn new(tree: &Tree<'_>) -> Self {
        let reads_unscripted = is_written_without_scripts(tree);
        let mut before = Vec::with_capacity(tree.len() + 1);
        let mut count = Count::default();
        let (mut hidden_to, mut link_to, mut strong_to) = (0, 0, 0);
        before.push(count);
        for node in tree.nodes() {
            let name = tree.name(node);
            if !tree.is_element(node) {
                if node.index() >= hidden_to {
                    let text = text_of(tree, node);
                    let letters = letters(text) as u32;
                    count.letters += letters;
                    count.digits += text.chars().filter(|c| c.is_numeric()).count() as u32;
                    count.strong += if node.index() < strong_to { letters } else { 0 };
                    count.linked += if node.index() < link_to { letters } else { 0 };
                }
            } else if name == "a" && tree.attribute(node, "href").is_some() {
                count.links += 1;
                link_to = link_to.max(tree.subtree_end(node));
            } else if matches!(name, "b" | "strong") {
                strong_to = strong_to.max(tree.subtree_end(node));
            } else if name == "img" {
                count.images += 1;
            } else if is_hidden_in_lists(name) && !(reads_unscripted && name == "noscript") {
                hidden_to = hidden_to.max(tree.subtree_end(node));
            }
            before.push(count);
        }
        Seen { before }
    }

    /// How many letters and digits a reader sees in these nodes.
    pub(super) fn letters(&self, nodes: &Range<usize>) -> usize {
        (self.before[nodes.end].letters - self.before[nodes.start].letters) as usize
    }

    /// Whether a reader sees any letter or digit in these nodes.
    pub(super) fn has_text(&self, nodes: &Range<usize>) -> bool {
        self.letters(nodes) > 0
    }

    /// The same, links apart.
    pub(super) fn has_text_beside_links(&self, nodes: &Range<usize>) -> bool {
        let linked = self.before[nodes.end].linked - self.before[nodes.start].linked;
        self.letters(nodes) > linked as usize
    }

    /// Whether any of these nodes is a link.
    pub(super) fn has_link(&self, nodes: &Range<usize>) -> bool {
        self.links(nodes) > 0
    }

    /// How many links are among these nodes.
    pub(super) fn links(&self, nodes: &Range<usize>) -> usize {
        (self.before[nodes.end].links - self.before[nodes.start].links) as usize
    }

    /// How many images are among these nodes.
    pub(super) fn images(&self, nodes: &Range<usize>) -> usize {
        (self.before[nodes.end].images - self.before[nodes.start].images) as usize
    }

    /// Whether a reader sees a digit in these nodes.
    pub(super) fn has_digit(&self, nodes: &Range<usize>) -> bool {
        self.before[nodes.end].digits > self.before[nodes.start].digits
    }

    /// Whether there is text in these nodes and all of it is bold.
    pub(super) fn is_strong(&self, nodes: &Range<usize>) -> bool {
        let strong = self.before[nodes.end].strong - self.before[nodes.start].strong;
        self.has_text(nodes) && self.letters(nodes) == strong as usize
    }

    /// Whether there is nothing to read, to follow or to look at: what keeps others apart.
    pub(super) fn is_silent(&self, nodes: &Range<usize>) -> bool {
        !self.has_text(nodes) && !self.has_link(nodes) && self.images(nodes) == 0
    }
}

/// Whether the text of a page stands in `<noscript>`: where it is more than the rest, links apart.
/// Forum software keeps the posts there, most others an advertisement.
fn is_written_without_scripts(tree: &Tree<'_>) -> bool {
    if !tree.nodes().any(|node| tree.name(node) == "noscript") {
        return false;
    }
    let (mut inside, mut outside) = (0, 0);
    let (mut hidden_to, mut unscripted_to) = (0, 0);
    for node in tree.nodes() {
        let after = || node.index() + tree.subtree(node).len();
        match tree.name(node) {
            "noscript" => unscripted_to = unscripted_to.max(after()),
            name if name == "a" || is_hidden_in_lists(name) => hidden_to = hidden_to.max(after()),
            _ => {}
        }
        if !tree.is_element(node) && node.index() >= hidden_to {
            let side = if node.index() < unscripted_to {
                &mut inside
            } else {
                &mut outside
            };
            *side += letters(text_of(tree, node));
        }
    }
    inside > outside
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// A text without the white space around it.
pub(super) fn text_of<'a>(tree: &Tree<'a>, node: NodeId) -> &'a str {
    tree.span(node).of(tree.page()).trim()
}

/// The nodes of an element, by number.
pub(super) fn nodes_of(tree: &Tree<'_>, element: NodeId) -> Range<usize> {
    element.index()..tree.subtree_end(element)
}
