//! Which elements is a page made of, and which stand inside which?
//!
//! A [`Tree`] is the light form of what a browser builds: elements and texts, parents and children,
//! with the bytes that each covers. Unclosed `<head>`, `<li>`, `<p>`, `<td>` and their like end
//! where a browser ends them; unmatched end tags change nothing.
//!
//! ```
//! use unmold::read::tree::Tree;
//!
//! let page = "<ul class='a b'><li>one<li><b>two</b></ul>";
//! let tree = Tree::new(page);
//! let list = tree.top().next().unwrap();
//! let items: Vec<_> = tree.children(list).map(|item| tree.span(item).of(page)).collect();
//! assert_eq!((tree.name(list), items), ("ul", vec!["<li>one", "<li><b>two</b>"]));
//! assert!(tree.classes(list).eq(["a", "b"]));
//! ```
//!
//! # Form
//!
//! Nodes lie in one array in the order of the page, so that all descendants of a node are the nodes
//! right behind it and a walk over them is a loop. Nothing is copied from the page but the
//! different tag names.
//!
//! # Cost
//!
//! One pass over the tokens; 28 bytes a node. Depth is clipped at [`MAX_DEPTH`]: what is nested
//! deeper becomes children of the last level, and [`Tree::is_clipped`] says so. An end tag looks
//! through at most that many open elements, so time is linear on any input, 64,000 nested elements
//! included.
//!
//! # Departures from the HTML Standard
//!
//! Texts stand under the same blocks as in a browser: `tests/html5lib.rs` and `tests/html5ever.rs`
//! compare them. The departures, each for a reason:
//!
//! - No element is moved or invented, so that spans are true to the bytes. What stands in a table
//!   and in no cell stays there, where a browser shows it before the table. `<html>`, `<head>`,
//!   `<body>`, `<tbody>` and `<tr>` exist only where the page writes them. Formatting that the end
//!   of a block cuts off is not opened again behind it; formatting that ends inside a block
//!   (`<b><p></b>`) lasts as long as the block.
//! - `<div/>` is empty where the tags of the page come out even that way: XML served as HTML.
//! - What stands in `<noscript>` stays in it and ends nothing outside, as in browsers with scripts;
//!   but it is read.
//! - Text in a `<frameset>` stays, where browsers drop it: no text of a page is lost.
//! - Rows and cells in a `<template>` stand in it whatever it began with.
//!
//! Tags that mean nothing where they stand make no node: a cell without a table, a form in a form,
//! a second `<body>`.

mod build;
mod by_name;
#[doc(hidden)]
pub mod count;
mod memory;
mod restart;

pub(crate) use by_name::ByName;
pub use memory::Memory;

use super::{
    html::{self, Kind, Token},
    vocabulary::Vocabulary,
};
use crate::Span;
use std::borrow::Cow;

/// Elements that are nested deeper are children of the last level.
pub const MAX_DEPTH: usize = 512;

/// The elements and texts of one page; see the [module](self).
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    page: &'a str,
    nodes: Cow<'a, [Node]>,
    names: Cow<'a, Vocabulary>,
    /// What the memory that the page was read with knows of its tags and texts, by number.
    known: &'a [memory::KnownToken],
    clipped: bool,
}

/// A node of a [`Tree`]: its place in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Nodes are numbered from 0 in the order of the page.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
struct Node {
    /// The start tag of an element, or the text.
    start: Span,
    /// One past the last byte, the end tag included.
    end: u32,
    /// The tag's name, or [`TEXT`].
    name: u32,
    /// The parent, or [`NO_PARENT`].
    parent: u32,
    /// One past the last descendant.
    after: u32,
    /// The number of the start tag or text in a memory, or [`UNKNOWN`].
    token: u32,
}

const NO_PARENT: u32 = u32::MAX;
const TEXT: u32 = u32::MAX;
/// The number of tags and texts that no memory has.
const UNKNOWN: u32 = u32::MAX;

impl<'a> Tree<'a> {
    /// Builds the tree of a page.
    pub fn new(page: &'a str) -> Self {
        count::note();
        #[cfg(debug_assertions)]
        crate::read::guard::fail_on_purpose(page);
        build::tree(page)
    }

    /// Builds the same tree faster where pages like it were read with the same memory before.
    pub fn with_memory(page: &'a str, memory: &'a mut Memory) -> Self {
        count::note();
        #[cfg(debug_assertions)]
        crate::read::guard::fail_on_purpose(page);
        memory.tree(page)
    }

    /// The same tree of the same page, apart from the memory that it was built with: its numbers
    /// mean nothing elsewhere.
    pub(crate) fn without_memory<'p>(&self, page: &'p str) -> Tree<'p> {
        let nodes = self
            .nodes
            .iter()
            .map(|node| Node {
                token: UNKNOWN,
                ..node.clone()
            })
            .collect();
        let names = Cow::Owned(self.names.as_ref().clone());
        Tree {
            page,
            nodes: Cow::Owned(nodes),
            names,
            known: &[],
            clipped: self.clipped,
        }
    }

    /// The page.
    pub fn page(&self) -> &'a str {
        self.page
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is neither an element nor a text.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether elements were nested deeper than [`MAX_DEPTH`].
    pub fn is_clipped(&self) -> bool {
        self.clipped
    }

    /// All nodes in the order of the page.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        ids(0, self.nodes.len() as u32)
    }

    /// The nodes with these numbers, as far as there are such.
    pub fn nodes_in(
        &self,
        numbers: std::ops::Range<usize>,
    ) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let end = numbers.end.min(self.nodes.len());
        ids(numbers.start.min(end) as u32, end as u32)
    }

    /// The nodes that stand in no other.
    pub fn top(&self) -> Children<'_> {
        Children {
            tree: self,
            next: 0,
            end: self.nodes.len() as u32,
        }
    }

    /// The children of an element; a text has none.
    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: node.0 + 1,
            end: self.node(node).after,
        }
    }

    /// The children that are elements.
    pub fn elements(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(node).filter(|&child| self.is_element(child))
    }

    /// Whether a node is another or stands in it.
    pub fn holds(&self, node: NodeId, other: NodeId) -> bool {
        (node.0..self.node(node).after).contains(&other.0)
    }

    /// The node and all that stands in it, in the order of the page.
    pub fn subtree(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        ids(node.0, self.node(node).after)
    }

    /// The number of the first node behind a node and all that stands in it.
    #[inline]
    pub(crate) fn subtree_end(&self, node: NodeId) -> usize {
        self.node(node).after as usize
    }

    /// The element that a node stands in.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.node(node).parent)
            .filter(|&parent| parent != NO_PARENT)
            .map(NodeId)
    }

    /// The elements that a node stands in, the nearest first.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&node| self.parent(node))
    }

    /// Whether a node is an element rather than a text.
    #[inline]
    pub fn is_element(&self, node: NodeId) -> bool {
        self.node(node).name != TEXT
    }

    /// The name of an element in lower case; empty for a text.
    #[inline]
    pub fn name(&self, node: NodeId) -> &str {
        match self.node(node).name {
            TEXT => "",
            name => self.names.word(name),
        }
    }

    /// The name of an element by number: the same number means the same name. `None` for a text.
    #[inline]
    pub fn name_code(&self, node: NodeId) -> Option<u32> {
        Some(self.node(node).name).filter(|&name| name != TEXT)
    }

    /// The number that a start tag or text has in the memory that the page was read with: the same
    /// number means the same bytes, on all pages read with it. `None` for what no memory holds.
    #[inline]
    pub(crate) fn token_number(&self, node: NodeId) -> Option<u32> {
        Some(self.node(node).token).filter(|&token| token != UNKNOWN)
    }

    /// The bytes of a node, from its start tag to its end tag.
    #[inline]
    pub fn span(&self, node: NodeId) -> Span {
        let node = self.node(node);
        Span {
            start: node.start.start,
            end: node.end,
        }
    }

    /// The start tag of an element as a token, or the token of a text.
    pub fn token(&self, node: NodeId) -> Token {
        let span = self.node(node).start;
        // `</br>` is an element, too.
        let start =
            span.start as usize + 1 + usize::from(self.page[span.range()].starts_with("</"));
        match self.node(node).name {
            TEXT => Token {
                kind: Kind::Text,
                span,
                name: Span::default(),
            },
            name => Token {
                kind: Kind::Start,
                span,
                name: Span::new(start, start + self.names.word(name).len()),
            },
        }
    }

    /// The value of an attribute as written, entities still in it; `""` where it has no value.
    pub fn attribute(&self, node: NodeId, name: &str) -> Option<&'a str> {
        if !self.is_element(node) || !self.may_have(node, name) {
            return None;
        }
        html::attribute(self.page, self.token(node), name)
    }

    /// Whether the attributes of an element were read before.
    #[inline]
    pub(crate) fn knows(&self, node: NodeId) -> bool {
        (self.node(node).token as usize) < self.known.len()
    }

    /// Whether an element may have an attribute, by what is known of tags that were read before.
    #[inline]
    pub(crate) fn may_have(&self, node: NodeId, name: &str) -> bool {
        self.known
            .get(self.node(node).token as usize)
            .is_none_or(|known| known.attributes.may_have(name))
    }

    /// The attributes of an element, in the order of the page.
    pub fn attributes(&self, node: NodeId) -> impl Iterator<Item = html::Attribute> + use<'a> {
        html::attributes(self.page, self.token(node))
    }

    /// The names in an element's `class`, in the order of the page.
    pub fn classes(&self, node: NodeId) -> impl Iterator<Item = &'a str> + use<'a> {
        self.attribute(node, "class")
            .unwrap_or("")
            .split_ascii_whitespace()
    }

    /// The content of the first `<title>` as a reader sees it; empty where there is none.
    pub fn title(&self) -> String {
        let title = self
            .nodes()
            .find(|&node| self.name(node).eq_ignore_ascii_case("title"));
        title.map_or_else(String::new, |title| {
            html::visible_text(self.span(title).of(self.page))
        })
    }

    /// The texts in a node that are more than white space.
    pub fn texts(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.subtree(node).filter(|&inner| !self.is_element(inner))
    }

    #[inline]
    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }
}

fn ids(start: u32, end: u32) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator {
    (start as usize..end as usize).map(|node| NodeId(node as u32))
}

/// The children of a node; see [`Tree::children`].
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tree: &'t Tree<'t>,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let child = NodeId(self.next);
        self.next = self.tree.node(child).after;
        Some(child)
    }
}
