//! How much text does a piece of a page hold?
//!
//! Letters and digits are counted. A text that stands on the page several times ("Reply") is shared
//! between its places, so that what is printed with every record weighs little and what is
//! different in every record weighs most. Text to be pressed counts a tenth: navigation is nothing
//! but links, records that are nothing but links still beat nothing.
//!
//! What the markup itself calls navigation, a footer or beside the point counts little as well.
//!
//! Beside other pages of the site, of a text counts the share of them that do not say it.

use super::{
    common::Common,
    seen::{Seen, text_of},
};
use crate::read::{
    html::elements::{Purpose, hides, is_apart, is_sectioning},
    tree::{NodeId, Tree},
};
use rapidhash::RapidHashMap;
use std::ops::Range;

/// What a letter weighs that is there to be pressed, against one that is not.
const PRESSED: f64 = 0.1;

/// What a letter weighs that stands where the markup says that it is beside the point: `<nav>`,
/// `role=menu`.
const APART: f64 = 0.01;

/// How likely a list is meant that stands in the banner of the page, against one that does not,
const IN_BANNER: f32 = 0.01;

/// and in what is beside the point, besides that it weighs little, or is not shown before readers
/// do something.
const ASIDE: f32 = 0.1;

/// A page that has a smaller share of its weight for itself is a copy of another: what both list is
/// no menu.
const COPY: f64 = 0.02;

/// The weight of every run of nodes, by prefix sums.
pub(super) struct Weights {
    /// Of what the page says,
    alone: Vec<f64>,
    /// and of what other pages do not, where some are known.
    own: Option<Vec<f64>>,
    /// How likely a list is meant that begins at a node, for what stands around it.
    around: Vec<f32>,
}

impl Weights {
    pub(super) fn new(tree: &Tree<'_>, seen: &Seen, common: &Common) -> Self {
        let marks: Vec<Mark> = tree.nodes().map(|node| mark(tree, node)).collect();
        let weights = weights(tree, seen, &marks);
        let alone = sums(weights.iter().copied());
        let own = (!common.is_empty()).then(|| sums(own(tree, &weights, common)));
        let own = own.filter(|own| own.last() >= alone.last().map(|all| COPY * all).as_ref());
        Weights {
            alone,
            own,
            around: around(tree, &marks),
        }
    }

    /// The weight of nodes by number.
    pub(super) fn of(&self, nodes: &Range<usize>) -> f64 {
        between(self.own.as_ref().unwrap_or(&self.alone), nodes)
    }

    /// The same, whatever other pages say.
    pub(super) fn alone(&self, nodes: &Range<usize>) -> f64 {
        between(&self.alone, nodes)
    }

    /// How likely a list is meant that begins at a node, for what stands around it.
    pub(super) fn around(&self, node: usize) -> f64 {
        f64::from(self.around[node])
    }
}

fn between(sums: &[f64], nodes: &Range<usize>) -> f64 {
    sums[nodes.end] - sums[nodes.start]
}

/// Sums of all before each node, and before the end.
fn sums(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let after = weights.map(|weight| {
        sum += weight;
        sum
    });
    std::iter::once(0.0).chain(after).collect()
}

/// What each text weighs.
fn weights(tree: &Tree<'_>, seen: &Seen, marks: &[Mark]) -> Vec<f64> {
    let times = times(tree);
    let (mut pressed_to, mut apart_to) = (0, 0);
    let weight = |node: NodeId| {
        let at = node.index();
        if marks[at] == Mark::Beside {
            apart_to = apart_to.max(tree.subtree_end(node));
        }
        if matches!(tree.name(node), "a" | "label") {
            pressed_to = pressed_to.max(tree.subtree_end(node));
        }
        let letters = if tree.is_element(node) {
            0
        } else {
            seen.letters(&(at..at + 1))
        };
        if letters == 0 {
            return 0.0;
        }
        let share = letters as f64 / times[text_of(tree, node)] as f64;
        let pressed = if at < pressed_to { PRESSED } else { 1.0 };
        let apart = if at < apart_to { APART } else { 1.0 };
        share * pressed * apart
    };
    tree.nodes().map(weight).collect()
}

/// What each text weighs beside other pages: the share of them that do not say it.
fn own(tree: &Tree<'_>, weights: &[f64], common: &Common) -> impl Iterator<Item = f64> {
    let own = |node: NodeId| match weights[node.index()] {
        0.0 => 0.0,
        weight => weight * (1.0 - common.share(text_of(tree, node))).max(APART),
    };
    tree.nodes().map(own)
}

/// How likely a list is meant that begins at each node, for the elements around it. What stands in
/// a record says nothing about the list: posts have headers, and answers are folded away below
/// their questions.
fn around(tree: &Tree<'_>, marks: &[Mark]) -> Vec<f32> {
    let (mut aside_to, mut banner_to) = (0, 0);
    let likely = |node: NodeId| {
        let at = node.index();
        let likely = if at < banner_to {
            IN_BANNER
        } else if at < aside_to {
            ASIDE
        } else {
            1.0
        };
        match marks[at] {
            Mark::Beside | Mark::Unseen => aside_to = aside_to.max(tree.subtree_end(node)),
            Mark::Banner => banner_to = banner_to.max(tree.subtree_end(node)),
            Mark::None => {}
        }
        likely
    };
    tree.nodes().map(likely).collect()
}

/// What markup says of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    /// That it is beside what the page is for.
    Beside,
    /// That it is the header of the page and not of a part of it.
    Banner,
    /// That it is not shown, or not yet.
    Unseen,
}

fn mark(tree: &Tree<'_>, node: NodeId) -> Mark {
    if !tree.is_element(node) {
        return Mark::None;
    }
    let (name, page) = (tree.name(node), tree.page());
    if is_apart(name) || Purpose::of(name, None).is_beside() {
        return Mark::Beside;
    }
    if name == "header"
        && !tree
            .ancestors(node)
            .any(|around| is_sectioning(tree.name(around)))
    {
        return Mark::Banner;
    }
    let mut mark = Mark::None;
    for attribute in tree.attributes(node) {
        let value = attribute.value.map_or("", |value| value.of(page));
        let is = |name: &str| attribute.name.of(page).eq_ignore_ascii_case(name);
        if is("role") && Purpose::of(name, Some(value)).is_beside() {
            return Mark::Beside;
        }
        if is("hidden") || is("style") && hides(value) {
            mark = Mark::Unseen;
        }
    }
    mark
}

/// How often each text stands on the page.
fn times<'a>(tree: &Tree<'a>) -> RapidHashMap<&'a str, usize> {
    let mut times = RapidHashMap::default();
    for node in tree.nodes().filter(|&node| !tree.is_element(node)) {
        *times.entry(text_of(tree, node)).or_default() += 1;
    }
    times
}
