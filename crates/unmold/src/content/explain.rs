//! Why was text of a page left out?
//!
//! Each block of the page that is not content is given to the rule that left it out, the outermost
//! first: what stands outside of the elements that hold the content, then what readers wrote, what
//! is aside, and so on. Text that is not even read as text of the page is counted by its reason.

use super::{
    apply::{Finder, FoundContent},
    furniture::Furniture,
    reading::{Block, Reading},
    stated::StatedText,
    teasers::teasers,
};
use crate::read::tree::NodeId;
use std::{collections::BTreeMap, sync::Arc};

/// Why text of a page is not content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// It stands outside of the elements that hold the content.
    Outside,
    /// Readers wrote it.
    Comment,
    /// It stands on a path inside these elements that holds mostly links and repeats.
    Aside,
    /// It announces another page.
    Teaser,
    /// It repeats from page to page.
    Repeated,
    /// It is a link.
    Link,
    /// It was said on the page before.
    SaidBefore,
    /// The page repeats it between the paragraphs of its content.
    Furniture,
    /// The text that the page states for machines has not got it.
    Unstated,
    /// It follows the last paragraph of the article.
    Tail,
}

impl Reason {
    /// The reason in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Outside => "outside of the content",
            Reason::Comment => "comments",
            Reason::Aside => "aside",
            Reason::Teaser => "announces another page",
            Reason::Repeated => "repeats from page to page",
            Reason::Link => "link",
            Reason::SaidBefore => "said before",
            Reason::Furniture => "repeats on the page",
            Reason::Unstated => "not in the stated text",
            Reason::Tail => "after the last paragraph",
        }
    }
}

/// Text that was left out for one reason on one path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Why.
    pub reason: Reason,
    /// The path of the elements that it stands in.
    pub path: String,
    /// How many bytes, white space not counted.
    pub bytes: usize,
}

/// Which elements were taken for the content of a page, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The paths of the elements that hold the content, with the bytes of content in each.
    pub elements: Vec<(String, usize)>,
    /// Bytes of content, white space not counted.
    pub kept: usize,
    /// What was left out, most first.
    pub left_out: Vec<LeftOut>,
    /// Bytes that are not read as text of the page because they are hidden, belong to a form that
    /// is to be filled in, or are for readers without scripts.
    pub hidden: u64,
    /// See [`hidden`](Self::hidden).
    pub in_forms: u64,
    /// See [`hidden`](Self::hidden).
    pub for_no_scripts: u64,
    /// Whether the page was judged on its own.
    pub is_alone: bool,
}

/// Explains what a rule found on a page.
pub(crate) fn explain(
    finder: &Finder,
    page: &Arc<Reading<'_>>,
    found: &FoundContent,
    is_alone: bool,
) -> Explanation {
    let page = page.named(finder.names());
    let mut explanation = Explanation {
        is_alone,
        hidden: page.unread.hidden,
        in_forms: page.unread.in_forms,
        for_no_scripts: page.unread.for_no_scripts,
        ..Explanation::default()
    };
    let located = finder.locate(&page);
    let commented = finder.commented(&page);
    let teasers: Vec<NodeId> = located
        .as_ref()
        .map_or_else(Vec::new, |located| teasers(&page, located));
    let furniture = located
        .as_ref()
        .filter(|_| !finder.keeps_repeats())
        .map(|located| Furniture::of(&page, located))
        .unwrap_or_default();
    let is_stated = StatedText::of(&page.tree).is_some();
    let end = found.spans.last().map_or(u32::MAX, |last| last.end);
    let mut in_elements = vec![0; page.tree.len()];
    let mut left_out: BTreeMap<(Reason, NodeId), usize> = BTreeMap::new();
    let mut left = &found.spans[..];
    for block in &page.blocks {
        let bytes = page.bytes(block) as usize;
        while left
            .first()
            .is_some_and(|span| span.end <= block.span.start)
        {
            left = &left[1..];
        }
        if left.first().is_some_and(|span| span.start < block.span.end) {
            explanation.kept += bytes;
            in_elements[block.element.index()] += bytes;
            continue;
        }
        let is_teaser = || {
            let next = teasers.partition_point(|&teaser| teaser <= block.element);
            next > 0 && page.tree.holds(teasers[next - 1], block.element)
        };
        let reason = match &located {
            _ if commented[block.element.index()] => Reason::Comment,
            None => Reason::Outside,
            Some(located) if !located.spans(block) => Reason::Outside,
            Some(located) if !located.holds(block) => Reason::Aside,
            Some(_) if is_teaser() => Reason::Teaser,
            Some(_) if furniture.holds(&page, block) => Reason::Furniture,
            Some(_) => reason_inside(finder, &page, block, is_stated, end),
        };
        *left_out.entry((reason, block.element)).or_default() += bytes;
    }
    let mut by_path: BTreeMap<(Reason, String), usize> = BTreeMap::new();
    for ((reason, element), bytes) in left_out {
        let path = page.written(element);
        *by_path.entry((reason, path)).or_default() += bytes;
    }
    let rows = by_path.into_iter();
    explanation.left_out = rows
        .map(|((reason, path), bytes)| LeftOut {
            reason,
            path,
            bytes,
        })
        .collect();
    explanation
        .left_out
        .sort_by_key(|left_out| std::cmp::Reverse(left_out.bytes));
    for node in page.tree.nodes().rev() {
        if let Some(parent) = page.tree.parent(node) {
            in_elements[parent.index()] += in_elements[node.index()];
        }
    }
    for element in located.iter().flat_map(|located| &located.elements) {
        let path = page.written(*element);
        explanation
            .elements
            .push((path, in_elements[element.index()]));
    }
    explanation
}

/// Why a block that stands among the content is none.
fn reason_inside(
    finder: &Finder,
    page: &Reading<'_>,
    block: &Block,
    is_stated: bool,
    end: u32,
) -> Reason {
    if finder.keeps(page, block) {
        return match is_stated {
            _ if block.span.start >= end => Reason::Tail,
            true => Reason::Unstated,
            false => Reason::SaidBefore,
        };
    }
    let pieces = page.pieces(block);
    if pieces.iter().all(|piece| finder.is_repeated(piece)) {
        Reason::Repeated
    } else {
        Reason::Link
    }
}
