//! How much text does a piece of a page hold?
//!
//! Letters and digits are counted. A text that stands on the page several times ("Reply") is shared between its places,
//! so that what is printed with every record weighs little and what is different in every record weighs most. Text to be
//! pressed counts a tenth: navigation is nothing but links, records that are nothing but links still beat nothing.
//!
//! How much of that is the page's *own*? Little of what the markup calls navigation, a footer, a banner or beside the
//! point; a tenth of what is not shown; and of what other pages of the site say as well, the share that do not.

use super::common::Common;
use crate::read::{
    html::elements::{Purpose, is_apart, is_hidden_in_lists, is_sectioning},
    tree::{NodeId, Tree},
};
use std::{collections::HashMap, ops::Range};

/// What a letter weighs that is there to be pressed, against one that is not.
const PRESSED: f64 = 0.1;

/// What a letter weighs that stands where the markup says that it is beside the point: `<nav>`, `role=menu`.
const APART: f64 = 0.01;

/// What a letter weighs that readers do not see before they do something.
const UNSEEN: f64 = 0.1;

/// A page that has a smaller share of its weight for itself is a copy of another: what both list is no menu.
const COPY: f64 = 0.1;

/// The weight of every run of nodes, by prefix sums.
pub(super) struct Weights {
    /// Of the text as it is,
    plain: Vec<f64>,
    /// and of what is this page's own and to the point.
    own: Vec<f64>,
    letters: Vec<u64>,
}

impl Weights {
    pub(super) fn new(tree: &Tree<'_>, common: &Common) -> Self {
        let letters = letters_before(tree);
        let plain = plain(tree, &letters);
        let own = own(tree, &plain, common);
        let is_copy = |own: &[f64], alone: &[f64]| own.last() < alone.last().map(|all| all * COPY).as_ref();
        let alone = if common.is_empty() { None } else { Some(self::own(tree, &plain, &Common::default())) };
        let own = alone.filter(|alone| is_copy(&own, alone)).unwrap_or(own);
        Weights { plain: sums(&plain), own, letters }
    }

    /// The weight of nodes by number.
    pub(super) fn of(&self, nodes: &Range<usize>) -> f64 {
        self.own[nodes.end] - self.own[nodes.start]
    }

    /// The same, wherever they stand and whatever other pages say.
    pub(super) fn plain(&self, nodes: &Range<usize>) -> f64 {
        self.plain[nodes.end] - self.plain[nodes.start]
    }

    /// Whether a reader sees any letter in these nodes.
    pub(super) fn has_text(&self, nodes: &Range<usize>) -> bool {
        self.letters[nodes.end] > self.letters[nodes.start]
    }
}

/// Sums of all before each node, and before the end.
fn sums(weights: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let after = weights.iter().map(|weight| {
        sum += weight;
        sum
    });
    std::iter::once(0.0).chain(after).collect()
}

/// What each text weighs where it stands on this page alone.
fn plain(tree: &Tree<'_>, letters: &[u64]) -> Vec<f64> {
    let times = times(tree);
    let mut pressed_to = 0;
    let weight = |node: NodeId| {
        let at = node.index();
        if matches!(tree.name(node), "a" | "label") {
            pressed_to = pressed_to.max(tree.subtree_end(node));
        }
        let seen = letters[at + 1] - letters[at];
        if seen == 0 {
            return 0.0;
        }
        let share = seen as f64 / times[text_of(tree, node)] as f64;
        share * if at < pressed_to { PRESSED } else { 1.0 }
    };
    tree.nodes().map(weight).collect()
}

/// Sums of what each text weighs for what is said around it and on other pages.
fn own(tree: &Tree<'_>, plain: &[f64], common: &Common) -> Vec<f64> {
    let (mut apart_to, mut unseen_to) = (0, 0);
    let weight = |node: NodeId| {
        let at = node.index();
        if tree.is_element(node) {
            if is_beside(tree, node) {
                apart_to = apart_to.max(tree.subtree_end(node));
            }
            if is_unseen(tree, node) {
                unseen_to = unseen_to.max(tree.subtree_end(node));
            }
        }
        if plain[at] == 0.0 {
            return 0.0;
        }
        let apart = if at < apart_to { APART } else { 1.0 };
        let unseen = if at < unseen_to { UNSEEN } else { 1.0 };
        let alike = if common.is_empty() { 0.0 } else { common.share(text_of(tree, node)) };
        plain[at] * (apart * unseen).min((1.0 - alike).max(APART))
    };
    sums(&tree.nodes().map(weight).collect::<Vec<f64>>())
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
    let name = tree.name(element);
    let is_named = is_apart(name) || name == "header" && is_banner(tree, element);
    is_named || Purpose::of(name, tree.attribute(element, "role")) == Purpose::Beside
}

/// Whether a header is the one of the page and not of a part of it.
fn is_banner(tree: &Tree<'_>, header: NodeId) -> bool {
    !tree.ancestors(header).any(|around| is_sectioning(tree.name(around)))
}

/// Whether an element is not shown, or not yet.
fn is_unseen(tree: &Tree<'_>, element: NodeId) -> bool {
    let is_none = |style: &str| {
        let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
        style.to_ascii_lowercase().contains("display:none")
    };
    tree.attribute(element, "hidden").is_some() || tree.attribute(element, "style").is_some_and(is_none)
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
