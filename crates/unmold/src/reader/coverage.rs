//! How much of a page's text is content, and why is it nothing, or little?
//!
//! ```
//! use unmold::{Mold, Text, reader::Lack};
//!
//! let lack = |page: &str| {
//!     let page = Text::from_string("1", page);
//!     Mold::nothing().reader().read_alone(&page).unwrap().content().lack()
//! };
//! assert_eq!(lack("<p>Two short sentences are enough. They are what the page says."), None);
//! assert_eq!(lack("<body><img src=map.png></body>"), Some(Lack::NoText));
//! assert_eq!(lack("<div id=root></div><noscript>Please turn on scripts</noscript><script src=a.js></script>"), Some(Lack::NeedsScripts));
//! assert_eq!(lack("<nav>Only the names of <a href=/>other pages</a></nav>"), Some(Lack::LeftOut));
//! ```
//!
//! A page is judged by how much text a reader sees on it: text in the head, in controls and in
//! `<template>` is not seen, and neither is `<noscript>`, which is for readers without scripts: but
//! a page that has its text there, as forums have, has text. Whether a page needs scripts is told
//! by what they would fill or replace, not by what is written on it.
//!
//! Cost: one pass over the nodes of a tree that is there already; a second one on pages with hardly
//! any text.

use crate::{
    Span,
    read::{
        html::elements::{Showing, breaks_line},
        tree::{ByName, NodeId, Tree},
    },
};
use serde::Serialize;

/// A page with fewer bytes of text than this, white space not counted, has hardly any: a notice
/// that scripts are needed.
const HARDLY_ANY: usize = 200;

/// No more than this stands on a page while its scripts are at work: a name, and that one has to
/// wait. The shortest page among the labelled ones that has scripts and needs none has 89 bytes.
const A_LINE: usize = 60;

/// A page of which less than this share of the text outside of links is content, is mostly left
/// out.
///
/// Chosen by `cargo run -p unmold-eval --bin lack`: of 800 pages of news and blogs, many with long
/// comments, none is below it with so much left out (0.1 would name 6, 0.2 already 31). Of 1,000
/// pages that are tables of facts, for which `extract` is meant, 86 are: they gave no more than a
/// name.
const LITTLE: f64 = 0.05;

/// Less than this left out is not worth a word: a line of text beside a form.
const LEFT_OUT_BYTES: usize = 1000;

/// Why a page gives no text, or little of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Lack {
    /// It has none to see: an empty body, frames, pictures, a way to another page.
    NoText,
    /// It has hardly any, and scripts that would make it.
    NeedsScripts,
    /// It has some, and none of it is content.
    LeftOut,
    /// It has much more than what is content.
    MostlyLeftOut,
}

impl Lack {
    /// The name under which it is serialised, such as `needs-scripts`.
    pub fn name(self) -> &'static str {
        match self {
            Lack::NoText => "no-text",
            Lack::NeedsScripts => "needs-scripts",
            Lack::LeftOut => "left-out",
            Lack::MostlyLeftOut => "mostly-left-out",
        }
    }
}

/// How many bytes of text a reader sees on a page, white space not counted, and how many of them
/// are content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    seen: Amount,
    kept: Amount,
    /// Text for readers without scripts that is not content.
    fallback: usize,
    needs_scripts: bool,
}

/// Bytes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amount {
    all: usize,
    /// Those outside of links.
    plain: usize,
}

impl Amount {
    fn add(&mut self, bytes: usize, is_linked: bool) {
        self.all += bytes;
        self.plain += if is_linked { 0 } else { bytes };
    }
}

impl Coverage {
    /// Measures how much of a page some spans cover, which are in order.
    pub(super) fn of(tree: &Tree<'_>, content: &[Span]) -> Self {
        let mut measure = Measure {
            tree,
            content,
            kinds: ByName::default(),
            ends: [0; 3],
            coverage: Coverage::default(),
        };
        tree.nodes().for_each(|node| measure.take(node));
        let mut coverage = measure.coverage;
        let has_text = coverage.seen.all.max(coverage.fallback) >= HARDLY_ANY;
        coverage.needs_scripts =
            !has_text && needs_scripts(tree, coverage.seen.all, coverage.fallback);
        coverage
    }

    /// The share of the text outside of links that is content; 1 where there is no such text.
    pub fn share(&self) -> f64 {
        if self.seen.plain == 0 {
            1.0
        } else {
            self.kept.plain as f64 / self.seen.plain as f64
        }
    }

    /// Bytes of text that a reader sees.
    pub fn seen(&self) -> usize {
        self.seen.all
    }

    /// Bytes of them that are content.
    pub fn kept(&self) -> usize {
        self.kept.all
    }

    /// Why there is no content, or little.
    pub fn lack(&self) -> Option<Lack> {
        let left_out = self.seen.plain - self.kept.plain.min(self.seen.plain);
        match self {
            _ if self.needs_scripts => Some(Lack::NeedsScripts),
            Coverage {
                seen: Amount { all: 0, .. },
                fallback: 0,
                ..
            } => Some(Lack::NoText),
            Coverage {
                kept: Amount { all: 0, .. },
                ..
            } => Some(Lack::LeftOut),
            _ if self.share() < LITTLE && left_out >= LEFT_OUT_BYTES => Some(Lack::MostlyLeftOut),
            _ => None,
        }
    }
}

/// A measurement on its way through a page.
struct Measure<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The content that is not behind the walk yet.
    content: &'t [Span],
    kinds: ByName<Showing>,
    /// The numbers of the nodes at which the current link, unseen element and fallback end.
    ends: [usize; 3],
    coverage: Coverage,
}

const LINK: usize = 0;
const UNSEEN: usize = 1;
const FALLBACK: usize = 2;

impl Measure<'_, '_> {
    fn take(&mut self, node: NodeId) {
        match self.kinds.of(self.tree, node, Showing::of) {
            None => self.text(node),
            Some(Showing::Link) => self.enter(LINK, node),
            Some(Showing::Unseen) => self.enter(UNSEEN, node),
            Some(Showing::Fallback) => self.enter(FALLBACK, node),
            Some(Showing::Plain) => {}
        }
    }

    fn enter(&mut self, what: usize, node: NodeId) {
        self.ends[what] = self.ends[what].max(self.tree.subtree_end(node));
    }

    fn is_in(&self, what: usize, node: NodeId) -> bool {
        node.index() < self.ends[what]
    }

    fn text(&mut self, node: NodeId) {
        let span = self.tree.span(node);
        let (kept, is_linked) = (self.kept(span), self.is_in(LINK, node));
        self.coverage.kept.add(kept, is_linked);
        let bytes = bytes_of(span.of(self.tree.page()));
        // What is content is seen, wherever it stands.
        let is_unseen = self.is_in(UNSEEN, node) || self.is_in(FALLBACK, node);
        self.coverage
            .seen
            .add(if is_unseen { kept } else { bytes }, is_linked);
        if self.is_in(FALLBACK, node) && !self.is_in(UNSEEN, node) {
            self.coverage.fallback += bytes - kept;
        }
    }

    /// How many bytes of a text are content.
    fn kept(&mut self, text: Span) -> usize {
        let passed = self
            .content
            .iter()
            .take_while(|span| span.end <= text.start)
            .count();
        self.content = &self.content[passed..];
        let inside = self.content.iter().take_while(|span| span.start < text.end);
        let parts = inside.map(|span| Span {
            start: span.start.max(text.start),
            end: span.end.min(text.end),
        });
        parts.map(|part| bytes_of(part.of(self.tree.page()))).sum()
    }
}

/// Bytes that are not white space.
fn bytes_of(text: &str) -> usize {
    text.bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
}

/// Whether scripts would make the text of a page that has hardly any: there are scripts, and the
/// text is for readers without them for the most part, or there is no more than a line and an
/// element with a name of its own is empty, or there is no text at all. A page that only leads
/// elsewhere does not need its scripts.
fn needs_scripts(tree: &Tree<'_>, seen: usize, fallback: usize) -> bool {
    let is = |name: &'static str| move |node: &NodeId| tree.name(*node) == name;
    let is_refresh = |node: &NodeId| {
        is("meta")(node)
            && tree
                .attribute(*node, "http-equiv")
                .is_some_and(|name| name.eq_ignore_ascii_case("refresh"))
    };
    let leads_on = tree
        .nodes()
        .any(|node| is("frameset")(&node) || is_refresh(&node));
    let has_script = tree
        .nodes()
        .filter(is("script"))
        .any(|node| is_run(tree, node));
    let is_awaited = || seen < A_LINE && tree.nodes().any(|node| is_to_be_filled(tree, node));
    let is_made = || seen == 0 || fallback > seen || is_awaited();
    has_script && !leads_on && is_made()
}

/// Whether a script is one, and not data.
fn is_run(tree: &Tree<'_>, script: NodeId) -> bool {
    let kind = tree
        .attribute(script, "type")
        .unwrap_or("")
        .trim()
        .to_ascii_lowercase();
    kind.is_empty() || kind == "module" || kind.ends_with("javascript")
}

/// Whether an element is empty and has a name by which scripts find it.
fn is_to_be_filled(tree: &Tree<'_>, node: NodeId) -> bool {
    let name = tree.name(node);
    let is_container =
        tree.is_element(node) && breaks_line(name) && Showing::of(name) == Showing::Plain;
    let is_empty = tree.subtree(node).len() == 1;
    is_container && is_empty && (tree.attribute(node, "id").is_some() || name.contains('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(page: &str, content: &[Span]) -> Coverage {
        Coverage::of(&Tree::new(page), content)
    }

    #[test]
    fn links_and_what_is_not_seen_are_told_apart() {
        let page = "<head><title>no</title></head><p>plain <a href=x>link</a><template>no</template><p>more";
        let coverage = measured(page, &[]);
        assert_eq!(coverage.seen, Amount { all: 13, plain: 9 });
        let at = page.find("plain").unwrap();
        let coverage = measured(page, &[Span::new(at, at + 3)]);
        assert_eq!(coverage.kept, Amount { all: 3, plain: 3 });
    }

    #[test]
    fn content_in_what_is_not_seen_counts_as_seen() {
        let page = "<noscript><p>A whole thread</noscript>";
        let coverage = measured(page, &[Span::new(13, page.len() - 11)]);
        assert_eq!((coverage.lack(), coverage.share()), (None, 1.0));
    }

    #[test]
    fn pages_that_need_scripts_are_told_by_what_scripts_would_fill() {
        for (page, needs) in [
            ("<div id=app></div><script src=a.js></script>", true),
            (
                "<my-app></my-app><p>Wait a moment<script>go()</script>",
                true,
            ),
            (
                "<p>Wait<noscript>This page does nothing without scripts</noscript><script>go()</script>",
                true,
            ),
            (
                "<div id=app></div><script type=application/json>{}</script>",
                false,
            ),
            ("<div id=app></div>", false),
            (
                "<p>A short page with a counter<script>count()</script>",
                false,
            ),
            (
                &format!(
                    "<p>{}<p id=total></p><script>count()</script>",
                    "Short. ".repeat(15)
                ),
                false,
            ),
            (
                "<meta http-equiv=Refresh content='0; url=/'><script>location = '/'</script>",
                false,
            ),
            (
                "<frameset><frame src=a></frameset><script>count()</script>",
                false,
            ),
            (
                &format!(
                    "<script>go()</script><noscript>{}</noscript>",
                    "A whole thread. ".repeat(20)
                ),
                false,
            ),
        ] {
            assert_eq!(
                measured(page, &[]).lack() == Some(Lack::NeedsScripts),
                needs,
                "{page}"
            );
        }
    }

    #[test]
    fn a_long_page_with_a_line_of_content_is_mostly_left_out() {
        let page = format!(
            "<p>One line</p><div>{}</div>",
            "<p>Many more lines, all left out</p>".repeat(50)
        );
        assert_eq!(
            measured(&page, &[Span::new(3, 11)]).lack(),
            Some(Lack::MostlyLeftOut)
        );
        assert_eq!(measured(&page, &[Span::new(3, 300)]).lack(), None);
        assert_eq!(measured(&page[..200], &[Span::new(3, 4)]).lack(), None);
    }
}
