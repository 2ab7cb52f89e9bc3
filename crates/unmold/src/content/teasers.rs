//! Which parts of the content announce other pages?
//!
//! A *teaser* is a link to another page with what says why to follow it: a title, a picture, a
//! line or two of text, a date. Below an article and between its paragraphs they stand in elements
//! of one make:
//!
//! ```text
//! <p>The last paragraph of the article ...</p>
//! <div class=card> <a href=/egg> <h3>Egg found</h3> <p>A hen on a farm ...</p> </a> </div>
//! <div class=card> <a href=/rain> <h3>River rises</h3> <p>After a week of rain ...</p> </a> </div>
//! <div class=card> <a href=/school> <h3>New school</h3> <p>The village opens ...</p> </a> </div>
//! ```
//!
//! No element is a teaser by itself: an entry of a list has a link and a remark as well. There must
//! be [`ENOUGH`] on one path, and more running text beside them than in them, or the page is a list
//! of what it announces, and that is its content.
//!
//! What is aside already is not looked at: where a title stands in an aside, what says why to
//! follow it is not known as a teaser.
//!
//! Cost: two passes over the nodes of the page.

use super::{
    located::Located,
    path::Path,
    reading::{Block, Reading},
    region::own_bytes,
    stamp::leads_away,
};
use crate::read::tree::NodeId;
use rapidhash::RapidHashMap;

/// This many elements on one path, each with one link to another page, announce pages; with two,
/// an article that mentions two others would lose both remarks.
const ENOUGH: usize = 3;
/// A teaser has no more text than this, in bytes without white space.
const TEASER_BYTES: u32 = 500;
/// The title of another page has at least this many bytes; a shorter link is a name or a number.
const TITLE_BYTES: u32 = 12;
/// A block with this many bytes outside of links is a paragraph.
const PARAGRAPH: u32 = 60;
/// Behind the last paragraph of the content, a teaser has no more bytes than this outside of its
/// link.
const BEHIND_TEXT: u32 = 300;
/// Between two paragraphs it has no more than this: there, an entry of a list may have a link and
/// a remark as well.
const IN_TEXT: u32 = 0;
/// Teasers hold less than this share of the content's text. Fitted on 121 pages of news, 330 single
/// pages and 53 sites: nothing changes by more than 0.001 from 0.2 to 0.3; at 0.5 pages that list
/// things lose descriptions, at 0.15 news keeps its teasers.
const OF_CONTENT: f64 = 0.25;

/// The outermost elements inside the content that are teasers, in the order of the page.
pub(crate) fn teasers(page: &Reading<'_>, located: &Located) -> Vec<NodeId> {
    let in_links = page.blocks.iter().filter(|block| block.link.is_some());
    if in_links.filter(|block| located.holds(block)).count() < ENOUGH {
        return Vec::new();
    }
    let amounts = amounts(page, located);
    let mut teasers: Vec<NodeId> = Vec::new();
    let mut end = 0;
    for node in page.elements() {
        let amount = &amounts[node.index()];
        if node.index() < end || !located.surrounds(page, node) || !amount.is_teaser() {
            continue;
        }
        end = page.tree.subtree_end(node);
        teasers.push(node);
    }
    keep_repeated(page, &mut teasers);
    let text_end = text_end(page, located, &teasers);
    teasers.retain(|&node| {
        let amount = &amounts[node.index()];
        let is_behind = page.tree.span(node).start >= text_end;
        amount.unlinked <= if is_behind { BEHIND_TEXT } else { IN_TEXT }
    });
    keep_repeated(page, &mut teasers);
    let announced = bytes_in(&teasers, &amounts);
    if announced < OF_CONTENT * bytes_in(&located.elements, &amounts) {
        teasers
    } else {
        Vec::new()
    }
}

/// Keeps those elements on whose path there are enough of them.
fn keep_repeated(page: &Reading<'_>, elements: &mut Vec<NodeId>) {
    let mut times: RapidHashMap<Path, usize> = RapidHashMap::default();
    for &element in elements.iter() {
        *times.entry(page.paths[element.index()]).or_default() += 1;
    }
    elements.retain(|element| times[&page.paths[element.index()]] >= ENOUGH);
}

fn bytes_in(elements: &[NodeId], amounts: &[Amount]) -> f64 {
    let bytes = elements.iter().map(|node| amounts[node.index()].bytes);
    f64::from(bytes.sum::<u32>())
}

/// Where the last paragraph of the content ends that stands in no teaser.
fn text_end(page: &Reading<'_>, located: &Located, teasers: &[NodeId]) -> u32 {
    let is_text = |block: &&Block| {
        let next = teasers.partition_point(|&teaser| teaser <= block.element);
        let is_teaser = next > 0 && page.tree.holds(teasers[next - 1], block.element);
        located.holds(block) && !is_teaser && own_bytes(page, block, |_| false) >= PARAGRAPH
    };
    let last = page.blocks.iter().rfind(is_text);
    last.map_or(0, |block| block.span.end)
}

/// What stands in an element.
#[derive(Clone, Copy, Default)]
struct Amount {
    bytes: u32,
    /// Those that stand in no link to another page, be it one around several blocks.
    unlinked: u32,
    blocks: u32,
    /// The address of the other page that lines of it are links to.
    leads_to: LeadsTo,
}

impl Amount {
    fn is_teaser(&self) -> bool {
        self.bytes <= TEASER_BYTES && self.blocks > 1 && matches!(self.leads_to, LeadsTo::One(_))
    }
}

/// To how many other pages lines of an element are links.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LeadsTo {
    #[default]
    None,
    /// One, by a hash of its address.
    One(u64),
    Several,
}

impl LeadsTo {
    fn and(self, other: LeadsTo) -> LeadsTo {
        match (self, other) {
            (LeadsTo::None, other) | (other, LeadsTo::None) => other,
            (LeadsTo::One(a), LeadsTo::One(b)) if a == b => self,
            (LeadsTo::One(_) | LeadsTo::Several, LeadsTo::One(_) | LeadsTo::Several) => {
                LeadsTo::Several
            }
        }
    }
}

fn amounts(page: &Reading<'_>, located: &Located) -> Vec<Amount> {
    let tree = &page.tree;
    let mut amounts = vec![Amount::default(); tree.len()];
    for block in page.blocks.iter().filter(|block| located.holds(block)) {
        let bytes = page.bytes(block);
        let amount = &mut amounts[block.element.index()];
        amount.bytes += bytes;
        amount.blocks += 1;
        let link = block.link.filter(|&link| leads_away(tree, link));
        amount.unlinked += if link.is_some() { 0 } else { bytes };
        if let Some(link) = link.filter(|_| bytes >= TITLE_BYTES) {
            let address = tree.attribute(link, "href").unwrap_or_default();
            let address = rapidhash::v3::rapidhash_v3(address.as_bytes());
            amount.leads_to = amount.leads_to.and(LeadsTo::One(address));
        }
    }
    for node in tree.nodes().rev() {
        let inner = amounts[node.index()];
        if let Some(parent) = tree.parent(node) {
            let outer = &mut amounts[parent.index()];
            outer.bytes += inner.bytes;
            outer.unlinked += inner.unlinked;
            outer.blocks += inner.blocks;
            outer.leads_to = outer.leads_to.and(inner.leads_to);
        }
    }
    amounts
}
