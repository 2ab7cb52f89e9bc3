//! Which part of a page did its readers write?
//!
//! Comments are told without words. Each has a *stamp*, a short line that says when, and something
//! said between it and the next:
//!
//! ```text
//! <h1>Egg found</h1> <p>A hen on a farm ...</p>
//! <div id=talk> <b>Ann</b> 26 July 2012, 8:42  <p>I do not think so.</p>
//!               <b>Bob</b> 26 July 2012, 9:15  <p>Neither do I.</p> </div>
//! ```
//!
//! Stamps of one kind stand in elements that look alike. The elements that hold one each, from the
//! first to the last, are the comments: none of the content, if the content stands before them.
//! That is so if running text stands behind the headline, in elements that do not go on below.
//! Where what stands before is stamped as they are, the page is a thread, and they are its content.
//!
//! Pages that say of themselves that people talk there (schema.org's `DiscussionForumPosting`,
//! `QAPage`) or that they are written as they go (`LiveBlogPosting`) have no comments either, and
//! neither has what declares itself the text of an article (`itemprop=articleBody`).
//!
//! A comment may be an `<article>` with a footer, which is no text of the page: its `<time>` is a
//! stamp all the same.
//!
//! What is seen on one page may be chance: on pages of one template, paths are voted on (`paths`),
//! and where there are few of them more is asked for.
//!
//! # Constants
//!
//! Chosen on 76 sites with `eval`'s `content`. Means move by 0.0012 at most for stamps of 50 to 120
//! bytes, 0.4 to 0.8 of the gaps filled, and 0.3 to all of the article going on below; if nothing
//! of it may go on, by 0.007.

use super::{
    apply::headline_start,
    path::Path,
    reading::{Block, Reading, Wording},
    region::{self, own_bytes},
    stamp::StampKind,
};
use crate::read::tree::NodeId;
use memchr::memmem;
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;
use std::{collections::BTreeSet, ops::Range, sync::Arc};

/// So many bytes are said at least between two stamps...
const SAID: u32 = 15;
/// ...in this share of the gaps.
const FILLED: f64 = 0.6;
/// A block of the article has so many bytes...
const PARAGRAPH: u32 = 60;
/// ...and the article so many where few pages can be compared.
const ARTICLE_OF_FEW: u32 = 400;
/// Fewer pages than this are few.
const FEW: usize = 4;
/// The share of the article whose paths may go on below.
const GOES_ON: f64 = 0.3;
/// Bytes that may stand beside comments in an element that is theirs: a heading before, a form
/// behind.
const BEFORE: u32 = 40;
const BEHIND: u32 = 200;
/// A path that holds this share of a page, without being stamped there, holds its content.
const CONTENT: f64 = 0.5;
/// A path must be seen to hold comments once for so many pages on which it holds anything else.
const SEEN: usize = 4;

/// The paths of what readers wrote on pages of one template, in words.
pub(crate) fn paths(pages: &[Arc<Reading<'_>>], repeats: &RapidHashSet<Wording>) -> Vec<String> {
    let of_page =
        |page: &Arc<Reading<'_>>| CommentThread::new(page, pages.len(), repeats).elements();
    let found: Vec<Vec<NodeId>> = pages.par_iter().map(of_page).collect();
    let mut votes: RapidHashMap<Path, Votes> = RapidHashMap::default();
    for (page, elements) in pages.iter().zip(&found) {
        for (path, node) in distinct(page, elements) {
            votes
                .entry(path)
                .or_insert_with(|| Votes::new(page.written(node)))
                .of += 1;
        }
    }
    if votes.is_empty() {
        return Vec::new();
    }
    for (page, elements) in pages.iter().zip(&found) {
        for (path, is_content) in held(page, elements, repeats, &votes) {
            let votes = votes.entry(path).or_default();
            votes.pages += 1;
            votes.against += usize::from(is_content);
        }
    }
    let names = votes
        .into_values()
        .filter(Votes::are_enough)
        .map(|votes| votes.name);
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// On how many pages a path holds comments, on how many it holds the content, and on how many
/// others it holds anything.
#[derive(Default)]
struct Votes {
    name: String,
    of: usize,
    against: usize,
    pages: usize,
}

impl Votes {
    fn new(name: String) -> Self {
        Votes {
            name,
            ..Votes::default()
        }
    }

    fn are_enough(&self) -> bool {
        self.of > self.against && SEEN * self.of >= self.pages
    }
}

/// The paths of some elements, each with one of them.
fn distinct(page: &Reading<'_>, elements: &[NodeId]) -> RapidHashMap<Path, NodeId> {
    elements
        .iter()
        .rev()
        .map(|&node| (page.paths[node.index()], node))
        .collect()
}

/// The paths on a page that are comments elsewhere but not here, and whether they hold its content.
fn held(
    page: &Reading<'_>,
    found: &[NodeId],
    repeats: &RapidHashSet<Wording>,
    votes: &RapidHashMap<Path, Votes>,
) -> Vec<(Path, bool)> {
    let comments = distinct(page, found);
    let weights = region::weigh(page, |_| false, |piece| repeats.contains(&piece.wording));
    let total: f64 = page.tree.top().map(|node| weights[node.index()]).sum();
    let mut sums: RapidHashMap<Path, f64> = RapidHashMap::default();
    for node in page.elements().filter(|node| weights[node.index()] > 0.0) {
        let path = page.paths[node.index()];
        if votes.contains_key(&path) && !comments.contains_key(&path) {
            *sums.entry(path).or_default() += weights[node.index()];
        }
    }
    sums.into_iter()
        .map(|(path, sum)| (path, sum > CONTENT * total))
        .collect()
}

/// A line that says when something was written.
struct Stamp {
    kind: StampKind,
    /// The innermost element that holds it and is more than formatting.
    element: NodeId,
    /// The number of the first block that is not before it.
    from: usize,
    /// The number of the first block after it: the next one, or the same where it stands in a
    /// footer and is no block of the text.
    to: usize,
}

/// A page that is searched for comments.
struct CommentThread<'p, 'a> {
    page: &'p Reading<'a>,
    /// How many bytes of each block are neither linked nor repeated from page to page.
    said: Vec<u32>,
    /// The stamps, in the order of the page.
    stamps: Vec<Stamp>,
    /// Whether each block is a stamp.
    is_stamp: Vec<bool>,
    /// The first block of the headline.
    headline: usize,
    /// How many pages there are to compare.
    company: usize,
}

impl<'p, 'a> CommentThread<'p, 'a> {
    fn new(page: &'p Reading<'a>, company: usize, repeats: &RapidHashSet<Wording>) -> Self {
        let own = |block: &Block| own_bytes(page, block, |piece| repeats.contains(&piece.wording));
        let headline = headline_start(page);
        let mut thread = CommentThread {
            page,
            said: page.blocks.iter().map(own).collect(),
            stamps: Vec::new(),
            is_stamp: vec![false; page.blocks.len()],
            headline: page
                .blocks
                .partition_point(|block| block.span.start < headline),
            company,
        };
        thread.find_stamps();
        thread
    }

    fn find_stamps(&mut self) {
        let mut footers = self.page.footer_times.iter().peekable();
        for (at, block) in self.page.blocks.iter().enumerate() {
            while let Some((at, time)) = footers.next_if(|(before, _)| *before <= at) {
                self.push_footer(*at, *time);
            }
            if let Some(kind) = StampKind::of(self.page, block) {
                self.is_stamp[at] = true;
                self.stamps.push(Stamp {
                    kind,
                    element: block.element,
                    from: at,
                    to: at + 1,
                });
            }
        }
        for (at, time) in footers {
            self.push_footer(*at, *time);
        }
    }

    /// Adds the stamp of a footer, unless it is there: a comment may say when it was edited.
    fn push_footer(&mut self, at: usize, time: NodeId) {
        let Some(footer) = self.page.outer(time) else {
            return;
        };
        if self
            .stamps
            .last()
            .is_some_and(|last| last.element == footer)
        {
            return;
        }
        self.stamps.push(Stamp {
            kind: StampKind::at(self.page, footer),
            element: footer,
            from: at,
            to: at,
        });
    }

    /// The elements that hold comments.
    fn elements(&self) -> Vec<NodeId> {
        if declares_thread(self.page.tree.page()) {
            return Vec::new();
        }
        let mut kinds: RapidHashMap<StampKind, Vec<&Stamp>> = RapidHashMap::default();
        for stamp in &self.stamps {
            kinds.entry(stamp.kind).or_default().push(stamp);
        }
        let several = kinds.values().filter(|stamps| stamps.len() > 1);
        let elements: BTreeSet<NodeId> = several
            .filter_map(|stamps| self.zone(stamps))
            .flatten()
            .collect();
        elements.into_iter().collect()
    }

    /// The elements that stamps of one kind stand in, if these are stamps of comments.
    fn zone(&self, stamps: &[&Stamp]) -> Option<Vec<NodeId>> {
        let filled = stamps
            .windows(2)
            .filter(|pair| self.said_between(pair[0], pair[1]) >= SAID)
            .count();
        if (filled as f64) < FILLED * (stamps.len() - 1) as f64 {
            return None;
        }
        let children = self.stamped_children(stamps)?;
        let span = |node: NodeId| self.page.tree.span(node);
        let zone = span(children[0]).start..span(*children.last()?).end;
        let is_declared = self.page.article_bodies.iter().any(|&body| {
            let body = span(body);
            body.start < zone.end && zone.start < body.end
        });
        if is_declared {
            return None;
        }
        let blocks = self.blocks_in(zone);
        let is_thread =
            self.is_thread(stamps[0], &blocks) || self.opens_with_record(children[0], blocks.start);
        let stands_below = self.has_article(blocks.start) && !is_thread;
        stands_below.then(|| self.widened(children))
    }

    /// What is said behind a stamp, before the next. It stands in other elements than the stamp:
    /// the entries of a bibliography have dates as well, and are short or long.
    fn said_between(&self, stamp: &Stamp, next: &Stamp) -> u32 {
        let path = self.page.paths[stamp.element.index()];
        let said = (stamp.to..next.from).filter(|&at| !self.is_stamp[at] && self.path(at) != path);
        said.map(|at| self.said[at]).sum()
    }

    fn path(&self, block: usize) -> Path {
        self.page.paths[self.page.blocks[block].element.index()]
    }

    /// The blocks in some bytes.
    fn blocks_in(&self, bytes: Range<u32>) -> Range<usize> {
        let at = |byte: u32| {
            self.page
                .blocks
                .partition_point(|block| block.span.start < byte)
        };
        at(bytes.start)..at(bytes.end)
    }

    /// The children of the innermost element that holds all stamps, from the first with a stamp to
    /// the last.
    fn stamped_children(&self, stamps: &[&Stamp]) -> Option<Vec<NodeId>> {
        let tree = &self.page.tree;
        let (first, last) = (stamps.first()?.element, stamps.last()?.element);
        let outer = tree
            .ancestors(first)
            .find(|&outer| tree.subtree_end(outer) > last.index())?;
        let child = |inner: NodeId| {
            std::iter::once(inner)
                .chain(tree.ancestors(inner))
                .take_while(|&node| node != outer)
                .last()
        };
        let (from, to) = (child(first)?, child(last)?);
        // Where a stamp is an element by itself, what was said with the last one follows it.
        let is_flat = from == first;
        let children = tree
            .elements(outer)
            .filter(|&node| node >= from && (node <= to || is_flat));
        Some(
            children
                .filter(|&node| self.page.is_own_path(node))
                .collect(),
        )
        .filter(|all: &Vec<NodeId>| !all.is_empty())
    }

    /// Whether an article ends before a block: running text behind the headline, on paths that do
    /// not go on.
    fn has_article(&self, end: usize) -> bool {
        let below: RapidHashSet<Path> = (end..self.said.len())
            .filter(|&at| self.said[at] >= BEFORE / 2)
            .map(|at| self.path(at))
            .collect();
        let (mut article, mut goes_on) = (0, 0);
        for at in (self.headline..end).filter(|&at| self.said[at] >= PARAGRAPH) {
            article += self.said[at];
            goes_on += if below.contains(&self.path(at)) {
                self.said[at]
            } else {
                0
            };
        }
        let enough = if self.company < FEW {
            ARTICLE_OF_FEW
        } else {
            PARAGRAPH
        };
        article >= enough && f64::from(goes_on) <= GOES_ON * f64::from(article)
    }

    /// Whether what stands before is stamped like what follows. Where few pages can be compared,
    /// any stamp that both have says so.
    fn is_thread(&self, first: &Stamp, zone: &Range<usize>) -> bool {
        let mut inside: RapidHashSet<u64> = RapidHashSet::from_iter([first.kind.look]);
        if self.company < FEW {
            let stamps = self.stamps.iter();
            let of_zone = stamps.filter(|stamp| zone.contains(&stamp.from));
            inside.extend(of_zone.map(|stamp| stamp.kind.look));
        }
        let mut before = self
            .stamps
            .iter()
            .filter(|stamp| (self.headline..zone.start).contains(&stamp.from));
        before.any(|stamp| inside.contains(&stamp.kind.look) && stamp.from < first.from)
    }

    /// Whether what stands before is in an element like one of those that follow: the first post,
    /// in a place of its own.
    fn opens_with_record(&self, record: NodeId, end: usize) -> bool {
        let tree = &self.page.tree;
        let Some(class) = tree.classes(record).next() else {
            return false;
        };
        let is_alike = |&node: &NodeId| {
            tree.name(node) == tree.name(record) && tree.classes(node).any(|own| own == class)
        };
        let paragraphs = (self.headline..end).filter(|&at| self.said[at] >= PARAGRAPH);
        let mut elements = paragraphs.map(|at| self.page.blocks[at].element);
        elements.any(|element| {
            std::iter::once(element)
                .chain(tree.ancestors(element))
                .any(|node| is_alike(&node))
        })
    }

    /// The outermost element around comments that holds nothing else, or the comments themselves.
    fn widened(&self, children: Vec<NodeId>) -> Vec<NodeId> {
        let parent = self.page.outer(children[0]);
        let Some(mut outer) = parent.filter(|&parent| !self.holds_article(parent, children[0]))
        else {
            return children;
        };
        while let Some(next) = self.page.outer(outer) {
            let behind =
                self.blocks_in(self.page.tree.span(outer).end..self.page.tree.span(next).end);
            if self.holds_article(next, outer) || self.said[behind].iter().sum::<u32>() > BEHIND {
                break;
            }
            outer = next;
        }
        vec![outer]
    }

    /// Whether something of the article stands in a node before an inner one.
    fn holds_article(&self, node: NodeId, inner: NodeId) -> bool {
        let mut blocks =
            self.blocks_in(self.page.tree.span(node).start..self.page.tree.span(inner).start);
        blocks.any(|at| at == self.headline || at > self.headline && self.said[at] >= BEFORE)
    }
}

/// Whether a page says of itself that people talk there, by schema.org in JSON (`"QAPage"`) or
/// attributes (`schema.org/QAPage`).
fn declares_thread(page: &str) -> bool {
    let is_type = |at: usize| page[..at].ends_with(['"', '/']);
    let finds = |kind: &str| memmem::find_iter(page.as_bytes(), kind).any(is_type);
    ["DiscussionForumPosting\"", "QAPage\"", "LiveBlogPosting\""]
        .into_iter()
        .any(finds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str, talk: &str) -> String {
        let story = format!(
            "{title}: a story that is told in a sentence or two, as long as a paragraph has to be. "
        );
        format!(
            "<title>{title}</title><div id=a><h1>{title}</h1><div class=story><p>{story}</div>{talk}</div>"
        )
    }

    fn comment(who: &str, said: &str) -> String {
        format!(
            "<div class=c><div class=who>{who}, 26 July 2012, 8:42</div><p>{said} {who} does.</div>"
        )
    }

    fn found(pages: &[String]) -> Vec<String> {
        let readings: Vec<Arc<Reading<'_>>> = pages
            .iter()
            .map(|page| Arc::new(Reading::of(page)))
            .collect();
        paths(&readings, &RapidHashSet::default())
    }

    fn talk() -> String {
        format!(
            "<div id=talk>{}{}</div>",
            comment("Ann", "I do not think so, and"),
            comment("Bob", "I do, as")
        )
    }

    #[test]
    fn what_is_said_below_an_article_is_comments() {
        let pages: Vec<String> = ["Egg found", "River rises", "New school", "Old bridge"]
            .map(|t| page(t, &talk()))
            .into();
        assert_eq!(found(&pages), ["div#a div#talk"]);
    }

    #[test]
    fn a_bibliography_is_no_talk() {
        let entry = |title: &str| format!("<li>{title}. Retrieved 26 July 2012.");
        let long = entry(&"What is known of hens that find eggs, and of the eggs ".repeat(2));
        let entries = [
            entry("On eggs"),
            long.clone(),
            entry("On hens"),
            long,
            entry("On farms"),
        ]
        .concat();
        let story = "Egg found by a hen on a farm ".repeat(20);
        assert!(found(&[page(&story, &format!("<ol>{entries}</ol>"))]).is_empty());
    }

    #[test]
    fn threads_have_no_comments() {
        let thread = |title: &str| {
            let opening = comment(
                "Eve",
                "What I want to know is what all of you think of the egg that was found by",
            );
            format!(
                "<title>{title}</title><div id=a><h1>{title}</h1>{opening}{}</div>",
                talk()
            )
        };
        let pages: Vec<String> = ["Egg found", "River rises", "New school", "Old bridge"]
            .map(thread)
            .into();
        assert!(found(&pages).is_empty());
    }

    #[test]
    fn an_opening_in_an_element_of_its_own_is_a_record_too() {
        let thread = |title: &str| {
            let post = |said: &str| {
                format!(
                    "<div class='post c'><div class=who>26 July 2012, 8:42</div><p>{said}</div>"
                )
            };
            let opening = format!(
                "<div class='post first'><p>{}</div>",
                "What I want to know is what you think. ".repeat(20)
            );
            let posts = ["I do not think so, and you?", "I do, as all of us do."]
                .map(post)
                .concat();
            format!("<title>{title}</title><h1>{title}</h1>{opening}<div id=talk>{posts}</div>")
        };
        assert!(found(&[thread("Egg found")]).is_empty());
    }

    #[test]
    fn a_page_that_says_it_is_a_thread_has_no_comments() {
        let long = page(&"Egg found by a hen on a farm ".repeat(20), &talk());
        let says =
            r#"<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>"#;
        assert!(found(&[format!("{says}{long}")]).is_empty());
        assert!(
            found(&[format!(
                "<div itemscope itemtype=\"https://schema.org/QAPage\">{long}</div>"
            )])
            .is_empty()
        );
        assert!(!found(&[format!("{long}<p>A QAPage is a page.")]).is_empty());
    }

    #[test]
    fn a_page_alone_must_have_a_long_article() {
        assert!(found(&[page("Egg found", &talk())]).is_empty());
        let long = page(&"Egg found by a hen on a farm ".repeat(20), &talk());
        assert_eq!(found(&[long]), ["div#a div#talk"]);
    }
}
