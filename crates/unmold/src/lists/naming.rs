//! What is a list called, and where does it stand?
//!
//! Several lists of a page are several tables, and tables have names. The page says them in this
//! order:
//!
//! 1. the caption of a table, the label of a list, or the heading that it stands under: the nearest
//!    before it in the same section;
//! 2. the words of an id, a class or an `itemprop`, of what is around the records or of the records
//!    themselves;
//! 3. a tag.
//!
//! What is said to readers may be another thing on every page ("Results for lamp"), the words of
//! markup seldom are.
//!
//! The *place* of a list is the way to it from the top of the page, the same on all pages of a
//! template.

use super::{
    runs::{Outline, Run},
    step::stem,
};
use crate::read::{
    html::{
        elements::{heading_level, is_sectioning},
        joined_text,
    },
    tree::{NodeId, Tree},
};

/// Longer headings are sentences, in characters.
const MAX_TITLE: usize = 80;
/// A wrapper around a heading holds no more text than this many times that of the heading.
const WRAPPED: usize = 2;
/// So many siblings before a list are asked for a heading.
const MAX_BEFORE: usize = 8;

/// What a page calls a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Title {
    /// In words for readers,
    pub(super) said: Option<String>,
    /// and in markup.
    pub(super) marked: String,
}

impl Title {
    pub(super) fn of(outline: &Outline<'_>, run: &Run) -> Self {
        let tree = outline.tree;
        let first = run
            .records
            .first()
            .and_then(|rows| tree.nodes_in(rows.clone()).next());
        let last = run.records.last().map_or(0, |rows| rows.start);
        first.map_or_else(Title::default, |first| {
            // What stands inside one record, or around some of them, says nothing about all.
            let holds_all = |&around: &NodeId| tree.subtree_end(around) > last;
            let around: Vec<NodeId> = tree.ancestors(first).filter(holds_all).collect();
            let begin = std::iter::once(first)
                .chain(tree.ancestors(first))
                .find(|&node| tree.parent(node) == around.first().copied());
            Title {
                said: said(tree, begin.unwrap_or(first), &around),
                marked: marked(tree, first, &around),
            }
        })
    }

    pub(super) fn name(&self) -> &str {
        self.said.as_deref().unwrap_or(&self.marked)
    }
}

/// The way from the top of a page to an element. The classes of `<html>` and `<body>` say which
/// page it is.
pub(super) fn place(tree: &Tree<'_>, element: NodeId) -> String {
    let step = |node: NodeId| {
        let name = tree.name(node);
        let class = tree
            .classes(node)
            .next()
            .filter(|_| !matches!(name, "html" | "body"));
        class.map_or_else(
            || name.to_owned(),
            |class| format!("{name}.{}", stem(class)),
        )
    };
    let mut steps: Vec<String> = std::iter::once(element)
        .chain(tree.ancestors(element))
        .map(step)
        .collect();
    steps.reverse();
    steps.join("/")
}

/// What is said to readers of a list that begins with an element, in or before what is around it.
fn said(tree: &Tree<'_>, first: NodeId, around: &[NodeId]) -> Option<String> {
    let mut before = first;
    for &node in around {
        if let Some(title) = heading_before(tree, before).or_else(|| caption(tree, node)) {
            return Some(title);
        }
        if is_sectioning(tree.name(node)) {
            return None;
        }
        before = node;
    }
    heading_before(tree, before)
}

/// The caption of a table, or the label of what is around a list.
fn caption(tree: &Tree<'_>, around: NodeId) -> Option<String> {
    let caption = tree
        .elements(around)
        .find(|&part| tree.name(part) == "caption");
    let caption = caption.and_then(|caption| title(tree, caption));
    caption.or_else(|| {
        tree.attribute(around, "aria-label")
            .map(str::trim)
            .and_then(fitting)
    })
}

/// The nearest heading among the siblings before an element, bare or in a wrapper with little else.
fn heading_before(tree: &Tree<'_>, node: NodeId) -> Option<String> {
    let siblings = tree
        .parent(node)
        .map_or(tree.top(), |parent| tree.children(parent));
    let mut before: Vec<NodeId> = siblings
        .take_while(|&sibling| sibling < node)
        .filter(|&sibling| tree.is_element(sibling))
        .collect();
    before.drain(..before.len().saturating_sub(MAX_BEFORE));
    before.into_iter().rev().find_map(|sibling| {
        let is_heading = |&inside: &NodeId| heading_level(tree.name(inside)).is_some();
        let heading = tree
            .subtree(sibling)
            .filter(|&inside| tree.is_element(inside))
            .find(is_heading)?;
        let is_most = tree.span(sibling).len() <= MAX_WRAPPER || heading == sibling;
        let title = Some(heading)
            .filter(|_| is_most)
            .and_then(|heading| title(tree, heading))?;
        let all = if heading == sibling {
            0
        } else {
            text(tree, sibling).chars().count()
        };
        (all <= WRAPPED * title.chars().count()).then_some(title)
    })
}

/// Longer wrappers hold more than a heading, in bytes.
const MAX_WRAPPER: usize = 4096;

fn text(tree: &Tree<'_>, element: NodeId) -> String {
    joined_text(tree.span(element).of(tree.page()))
}

fn title(tree: &Tree<'_>, element: NodeId) -> Option<String> {
    fitting(&text(tree, element))
}

/// A text that can be a title.
fn fitting(text: &str) -> Option<String> {
    let text = text.trim_end_matches([':', '：', ' ']);
    let is_title = text.contains(char::is_alphanumeric) && text.chars().nth(MAX_TITLE).is_none();
    is_title.then(|| text.to_owned())
}

/// What markup calls a list: the nearest id or class around the records, else the records
/// themselves.
fn marked(tree: &Tree<'_>, first: NodeId, around: &[NodeId]) -> String {
    let of = |node: NodeId| {
        let names = ["itemprop", "id"]
            .into_iter()
            .filter_map(|name| tree.attribute(node, name));
        names.chain(tree.classes(node)).find_map(words)
    };
    let named = around.iter().take(2).copied().find_map(of);
    named
        .or_else(|| of(first))
        .unwrap_or_else(|| tree.name(first).to_owned())
}

/// The words of a name in markup: `search results` of `search-results`. None in one with a number,
/// which says which it is.
fn words(name: &str) -> Option<String> {
    let mut words = String::new();
    let mut was_lower = false;
    for c in name.trim().chars() {
        let parts = !c.is_alphanumeric() || c.is_uppercase() && was_lower;
        if parts && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        was_lower = c.is_lowercase();
    }
    let words = words.trim_end();
    let is_name = words.chars().filter(|c| c.is_alphabetic()).count() > 2
        && !words.contains(char::is_numeric);
    (is_name && words.chars().count() <= MAX_TITLE).then(|| words.to_owned())
}
