//! How much text does a piece of a page hold?
//!
//! Letters and digits are counted. A text that stands on the page several times ("Reply") is shared between its places,
//! so that what is printed with every record weighs little and what is different in every record weighs most. Text in
//! links counts a tenth: navigation is nothing but links, records that are nothing but links still beat nothing. What the
//! markup itself calls navigation, a footer or beside the point counts little as well.

use crate::read::{
    html::elements::{Purpose, is_apart, is_hidden_in_lists},
    tree::{NodeId, Tree},
};
use std::{collections::HashMap, ops::Range};

/// What a letter in a link weighs, against one outside.
const IN_LINK: f64 = 0.1;

/// What a letter weighs that stands where the markup says that it is beside the point: `<nav>`, `role=menu`.
const APART: f64 = 0.01;

/// The weight of every run of nodes, by prefix sums.
pub(super) struct Weights {
    sums: Vec<f64>,
    letters: Vec<u64>,
}

impl Weights {
    pub(super) fn new(tree: &Tree<'_>) -> Self {
        let times = times(tree);
        let letters = letters_before(tree);
        let (mut sums, mut sum) = (vec![0.0], 0.0);
        let (mut link_to, mut apart_to) = (0, 0);
        for node in tree.nodes() {
            let at = node.index();
            if tree.is_element(node) && is_beside(tree, node) {
                apart_to = apart_to.max(tree.subtree_end(node));
            }
            if tree.name(node) == "a" {
                link_to = link_to.max(tree.subtree_end(node));
            }
            let seen = letters[at + 1] - letters[at];
            if seen > 0 {
                let share = seen as f64 / times[text_of(tree, node)] as f64;
                let linked = if at < link_to { IN_LINK } else { 1.0 };
                let apart = if at < apart_to { APART } else { 1.0 };
                sum += share * linked * apart;
            }
            sums.push(sum);
        }
        Weights { sums, letters }
    }

    /// The weight of nodes by number.
    pub(super) fn of(&self, nodes: &Range<usize>) -> f64 {
        self.sums[nodes.end] - self.sums[nodes.start]
    }

    /// Whether a reader sees any letter in these nodes.
    pub(super) fn has_text(&self, nodes: &Range<usize>) -> bool {
        self.letters[nodes.end] > self.letters[nodes.start]
    }
}

/// How many letters a reader sees before each node, and before the end.
fn letters_before(tree: &Tree<'_>) -> Vec<u64> {
    let reads_unscripted = is_written_without_scripts(tree);
    let mut before = Vec::with_capacity(tree.len() + 1);
    let (mut sum, mut hidden_to) = (0, 0);
    before.push(0);
    for node in tree.nodes() {
        if !tree.is_element(node) {
            sum += if node.index() >= hidden_to { letters(text_of(tree, node)) as u64 } else { 0 };
        } else if is_hidden_in_lists(tree.name(node)) && !(reads_unscripted && tree.name(node) == "noscript") {
            hidden_to = hidden_to.max(tree.subtree_end(node));
        }
        before.push(sum);
    }
    before
}

/// Whether markup says that an element is beside what the page is for.
fn is_beside(tree: &Tree<'_>, element: NodeId) -> bool {
    is_apart(tree.name(element)) || Purpose::of(tree.name(element), tree.attribute(element, "role")) == Purpose::Beside
}

/// Whether the text of a page stands in `<noscript>`: where it is more than the rest, links apart. Forum software keeps
/// the posts there, most others an advertisement.
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
            let side = if node.index() < unscripted_to { &mut inside } else { &mut outside };
            *side += letters(text_of(tree, node));
        }
    }
    inside > outside
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

fn text_of<'a>(tree: &Tree<'a>, node: NodeId) -> &'a str {
    tree.span(node).of(tree.page()).trim()
}

/// How often each text stands on the page.
fn times<'a>(tree: &Tree<'a>) -> HashMap<&'a str, usize> {
    let mut times = HashMap::new();
    for node in tree.nodes().filter(|&node| !tree.is_element(node)) {
        *times.entry(text_of(tree, node)).or_default() += 1;
    }
    times
}
