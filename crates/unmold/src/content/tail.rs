//! Where does an article end, and what follows it in the same element?
//!
//! After the last paragraph stand the names of photographers, calls to subscribe and to comment, the
//! titles of what to read next: lines of many makes, while the article is paragraphs of one. So
//! where paragraphs on one path say most of the content, it ends with the last paragraph on such a
//! path. Lists, tables and listings behind it stay: people end on them, and so do manuals.
//!
//! ```text
//! <div class=story> <p>The first paragraph ...</p> <p>The last paragraph ...</p>
//!   <div class=join>Join the conversation</div> <div class=next>Latest stories</div> </div>
//! ```
//!
//! Only where no other pages are known: what other pages of a template do not repeat after their
//! articles is the page's own, and may be a note of its author.
//!
//! # Constants
//!
//! Swept on 121 pages of news and 330 single pages, both halves in view, so that nothing was held
//! back to confirm them. From 0.2 to 0.35 of the content after the last paragraph, one half of the
//! news is the same. Without the exception for lists, documentation lost 0.004.
//!
//! Cost: two passes over the content.

use super::{
    path::Path,
    reading::{Block, Reading},
    region::own_bytes,
};
use crate::{Span, read::html::elements::heading_level};
use rapidhash::RapidHashMap;

/// A block with at least this many bytes outside of links is a paragraph.
pub(super) const MIN_PARAGRAPH_BYTES: u32 = 60;
/// Paragraphs on one path must say this share of the content.
const MIN_MAIN_SHARE: f64 = 0.5;
/// Paragraphs on other paths belong to the article too where they say this share of what all
/// paragraphs say.
const MIN_PATH_SHARE: f64 = 0.1;
/// A paragraph of at least this many bytes right after the last one continues the article, wherever it is:
/// of 60, 100 and 150 bytes, the last lost least.
const MIN_CONTINUED_BYTES: u32 = 150;
/// What follows the last paragraph is less than this share of the content.
const MAX_TAIL_SHARE: f64 = 0.3;

/// A line of the content.
struct Line<'p> {
    span: Span,
    block: &'p Block,
    path: Path,
    bytes: u32,
    /// Those outside of links.
    own: u32,
}

impl Line<'_> {
    fn is_paragraph(&self) -> bool {
        self.own >= MIN_PARAGRAPH_BYTES
    }
}

/// The content, given in order, without what follows the article.
pub(crate) fn without_tail(page: &Reading<'_>, spans: Vec<Span>) -> Vec<Span> {
    let lines = lines(page, &spans);
    if lines.len() < spans.len() {
        return spans;
    }
    let all: u32 = lines.iter().map(|line| line.bytes).sum();
    let mut said: RapidHashMap<Path, u32> = RapidHashMap::default();
    for line in lines.iter().filter(|line| line.is_paragraph()) {
        *said.entry(line.path).or_default() += line.own;
    }
    let in_paragraphs: u32 = said.values().sum();
    let most = said.values().copied().max().unwrap_or(0);
    if most == 0 || f64::from(most) < MIN_MAIN_SHARE * f64::from(all) {
        return spans;
    }
    said.retain(|_, bytes| f64::from(*bytes) >= MIN_PATH_SHARE * f64::from(in_paragraphs));
    let is_of_article = |line: &Line<'_>| said.contains_key(&line.path);
    let last = lines
        .iter()
        .rposition(|line| is_of_article(line) && line.is_paragraph());
    let Some(last) = last else { return spans };
    let (article, rest) = lines.split_at(last + 1);
    let goes_on = |line: &&Line<'_>| is_of_article(line) || line.own >= MIN_CONTINUED_BYTES;
    let (end, tail) = rest.split_at(rest.iter().take_while(goes_on).count());
    let tail_bytes: u32 = tail.iter().map(|line| line.bytes).sum();
    if f64::from(tail_bytes) >= MAX_TAIL_SHARE * f64::from(all) {
        return spans;
    }
    let kept = article.iter().chain(end).chain(lists(page, tail));
    kept.map(|line| line.span).collect()
}

/// The lines of lists, and the headings right before them.
fn lists<'l, 'p>(page: &Reading<'_>, lines: &'l [Line<'p>]) -> Vec<&'l Line<'p>> {
    let mut kept = Vec::new();
    let mut is_kept = false;
    for line in lines.iter().rev() {
        let is_heading = heading_level(page.tree.name(line.block.element)).is_some();
        is_kept = is_in_list(page, line.block) || is_heading && is_kept;
        if is_kept {
            kept.push(line);
        }
    }
    kept.reverse();
    kept
}

/// Each span with the block that it is of.
fn lines<'p>(page: &'p Reading<'_>, spans: &[Span]) -> Vec<Line<'p>> {
    let mut lines = Vec::with_capacity(spans.len());
    let mut blocks = page.blocks.iter().peekable();
    for &span in spans {
        while blocks
            .next_if(|block| block.span.end <= span.start)
            .is_some()
        {}
        let Some(&block) = blocks.peek() else {
            break;
        };
        let (bytes, own) = bytes_in(page, block, span);
        lines.push(Line {
            span,
            block,
            path: page.paths[block.element.index()],
            bytes,
            own,
        });
    }
    lines
}

/// How many bytes of a block stand in a span, and how many of them outside of links.
fn bytes_in(page: &Reading<'_>, block: &Block, span: Span) -> (u32, u32) {
    if block.span == span {
        return (page.bytes(block), own_bytes(page, block, |_| false));
    }
    let (mut bytes, mut own) = (0, 0);
    for piece in page.pieces(block) {
        if piece.span.start < span.start || piece.span.end > span.end {
            continue;
        }
        bytes += piece.bytes;
        own += if piece.wording.is_linked {
            0
        } else {
            piece.bytes
        };
    }
    (bytes, own)
}

fn is_in_list(page: &Reading<'_>, block: &Block) -> bool {
    let is_list = |name: &str| matches!(name, "ul" | "ol" | "dl" | "table" | "pre");
    let mut around = std::iter::once(block.element).chain(page.tree.ancestors(block.element));
    around.any(|node| is_list(page.tree.name(node)))
}

#[cfg(test)]
mod tests {
    use super::super::alone::find_alone;
    use super::*;
    use std::sync::Arc;

    fn kept(page: &str) -> String {
        let reading = Arc::new(Reading::of(page));
        let found = find_alone(&reading, None).unwrap_or_default();
        let texts = found.spans.iter().map(|span| span.of(page));
        texts.collect::<Vec<_>>().join("\n")
    }

    fn story() -> String {
        let paragraph = "A hen on a farm in the north has found an egg that nobody had lost, and \
            has kept it, as its owner says to all who come.";
        ["Monday", "Tuesday", "Friday"]
            .map(|day| format!("<p>{day}: {paragraph}</p>"))
            .concat()
    }

    #[test]
    fn what_follows_the_last_paragraph_is_left_out() {
        let tail = "<p>The end.</p><div class=join>Присоединяйтесь к разговору</div><div class=next>Последние новости</div>";
        let text = kept(&format!("<main><h1>Egg</h1>{}{tail}</main>", story()));
        assert!(
            text.contains("Friday") && text.contains("The end."),
            "{text}"
        );
        assert!(
            !text.contains("разговору") && !text.contains("новости"),
            "{text}"
        );
    }

    #[test]
    fn a_list_behind_the_last_paragraph_stays() {
        let tail = "<h2>要るもの</h2><ul><li>卵</li><li>鶏</li></ul>";
        let text = kept(&format!("<main>{}{tail}</main>", story()));
        assert!(text.contains("要るもの") && text.contains("鶏"), "{text}");
    }
}
