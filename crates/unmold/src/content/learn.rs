//! Which part of a page is what it was made for: the article, the description, the posts?
//!
//! A single page does not say. The pages of a site do: what they share is the template, and what is
//! left and reads like running text adds up in one place.
//!
//! ```
//! use unmold::{Text, content::{self, apply::Finder, write::text}, read::gaps};
//!
//! let page = |title: &str, story: &str| Text::from_string(title, format!(
//!     "<title>{title} - Daily</title><body><h1>{title}</h1><div class=nav><a>Home</a> <a>Sports</a></div>\
//!      <div class=story><p>{story}<p>We call it {title}, until we know more about all this. \
//!      Write to us with your view of it.<p>Share this story</div>\
//!      <div class=foot>All rights reserved by the Daily, of course.</div>"));
//! let pages = [
//!     page("Egg found", "A hen on a farm in the north has laid an egg as large as a melon, its owner says."),
//!     page("River rises", "After a week of rain the river stands two metres above its usual mark at the old bridge."),
//!     page("New school", "The village opens its school today, ninety years after the first one burned to the ground."),
//! ];
//! let rule = content::learn(&pages).unwrap();
//! assert_eq!(rule.regions[0].path, "body div.story");
//!
//! let found = Finder::new(&rule).find(&pages[0]).unwrap();
//! let template = gaps(pages[0].as_str().len(), &found.spans);
//! assert_eq!(
//!     text::content(pages[0].as_str(), &template),
//!     "Egg found\nA hen on a farm in the north has laid an egg as large as a melon, its owner says.\n\
//!      We call it Egg found, until we know more about all this.\n",
//! );
//! ```
//!
//! # How
//!
//! 1. A page is read as blocks of text on paths of elements, and blocks as sentences. A sentence
//!    that stands on a tenth of the pages, at least on two, is template, wherever it stands
//!    (`repeats`).
//! 2. What readers wrote below is left out (`comments`), and so is what markup says is something
//!    else: navigation, dialogs, asides, by element and ARIA role.
//! 3. The rest, without links, is the text of the page's own. Each block counts the more the longer
//!    it is; each page counts the same. These weights add up along the paths, and from the root one
//!    walks inward as long as one path keeps 0.6 of the weight: that is the *region* (`region`).
//!    Pages that it does not fit are walked again. Where pages say which element holds their main
//!    content, the walk begins there.
//! 4. Inside the region, paths with little text of their own are *asides* (share bars, boxes with
//!    links), as are single blocks that are links or repeat, unless they end a paragraph that has
//!    text. But where what repeats is *woven* into what does not, as the labels of reference pages
//!    and the titles of lists are, it is content.
//! 5. The headline may stand outside. It is a block before the region that is in the page's title,
//!    on a path where other pages have other words. Paragraphs between it and the region are
//!    content, if there is more than one.
//!
//! Classes and ids that few of the pages have do not count in paths: they say what a page is about.
//!
//! With one page there is nothing to compare, and the same walk works on how text is distributed
//! over that page alone. Where links are most of what it finds, the page is a list, and its links
//! are content.
//!
//! There are no lists of words or class names, and nothing about a language but the marks that end
//! sentences.
//!
//! # Cost
//!
//! One tree for each page and a few passes over its nodes, linear in its length. Of large groups
//! [`SAMPLE`] pages are enough.
//!
//! # Where it is weak
//!
//! Text that is written for one page and is not its content looks like content where it stands in
//! the same element: comments below an article without an element of its own, captions that are not
//! marked as such.

use super::{
    Repeats, Rule,
    apply::{Finder, LEAD_BYTES, Paragraph, headline_candidates, is_subject, title},
    comments,
    located::Located,
    path::{Path, names_of},
    reading::{Block, Reading, Wording},
    region::{self, own_bytes},
    repeats::{self, Repeated},
};
use crate::{Text, read::tree::NodeId};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;
use std::{collections::BTreeSet, sync::Arc};

/// From how many pages of a group is learned; more teach nothing new: of 200 pages, six manuals
/// give the same.
pub const SAMPLE: usize = 50;

/// A path of which less than this share is text of its own is an aside...
const OWN_SHARE: f64 = 0.35;
/// ...unless it holds this share of all that the region says.
const SPINE: f64 = 0.2;
/// What repeats is woven into the content if it interrupts it more often than every tenth block...
const WOVEN: f64 = 0.1;
/// ...not counting so many interruptions of each page: a share bar, an advertisement.
const FORGIVEN: usize = 2;

/// A class or id that less than a third of the pages have says what these pages are about...
const COMMON_NAME: usize = 3;
/// ...if there are as many as this.
const ENOUGH_FOR_NAMES: usize = 4;
/// On a page alone, a region of which less than this share is running text is a list, and all of it
/// is content.
const LISTING: f64 = 0.4;

/// Learns where pages of one template have their content. `None` if they have no text.
pub fn learn(texts: &[Text]) -> Option<Rule> {
    let sample: Vec<&Text> = spread(texts, SAMPLE).collect();
    let pages: Vec<Arc<Reading<'_>>> = sample
        .par_iter()
        .map(|text| Arc::new(Reading::of(text.as_str())))
        .collect();
    learn_read(&pages)
}

/// The same from pages that were read already.
pub(crate) fn learn_read(pages: &[Arc<Reading<'_>>]) -> Option<Rule> {
    learn_beside(pages, &[])
}

/// The same where paths of what readers wrote are known already.
pub(crate) fn learn_beside(pages: &[Arc<Reading<'_>>], known_comments: &[String]) -> Option<Rule> {
    let mut rule = Rule {
        names: common_names(pages),
        comments: known_comments.to_vec(),
        ..Rule::default()
    };
    let names = Arc::new(rule.class_names());
    let pages: &[Arc<Reading<'_>>] = &pages
        .par_iter()
        .map(|page| page.named(&names))
        .collect::<Vec<_>>();
    let Repeated {
        wordings: repeats,
        documents,
    } = repeats::repeats(pages);
    rule.comments.extend(comments::paths(pages, &repeats));
    rule.comments.sort();
    rule.comments.dedup();
    let finder = Finder::new(&rule);
    let weigh = |page: &Arc<Reading<'_>>| {
        let commented = finder.commented(page);
        region::weigh(
            page,
            |block| commented[block.element.index()],
            |piece| repeats.contains(&piece.wording),
        )
    };
    let weights: Vec<Vec<f64>> = pages.par_iter().map(weigh).collect();
    rule.regions = region::regions(pages, &weights, documents == 1);
    if rule.regions.is_empty() {
        return None;
    }
    let lesson = Lesson::new(pages, &rule);
    let is_listing = documents == 1 && lesson.is_listing();
    rule.repeats = lesson.repeats(&repeats);
    rule.headlines = lesson.headlines();
    rule.asides = lesson.asides(&repeats);
    rule.keep_repeats = is_listing || Lesson::new(pages, &rule).is_woven(&rule);
    if rule.keep_repeats {
        rule.asides.clear();
    }
    Some(rule)
}

/// The classes and ids that enough of the pages have; none if that is all of them.
///
/// `category-startups` and `post-4711` say what a page is about. Where they count, no two pages
/// have the same paths.
fn common_names(pages: &[Arc<Reading<'_>>]) -> Vec<String> {
    if pages.len() < ENOUGH_FOR_NAMES {
        return Vec::new();
    }
    let of_page = |page: &Arc<Reading<'_>>| -> RapidHashSet<String> {
        let tag = |node: &NodeId| page.tree.token(*node).span.of(page.tree.page());
        let different: RapidHashMap<&str, NodeId> =
            page.elements().map(|node| (tag(&node), node)).collect();
        different
            .into_values()
            .flat_map(|node| names_of(&page.tree, node))
            .collect()
    };
    let each: Vec<RapidHashSet<String>> = pages.par_iter().map(of_page).collect();
    let mut counts: RapidHashMap<String, usize> = RapidHashMap::default();
    each.into_iter()
        .flatten()
        .for_each(|name| *counts.entry(name).or_default() += 1);
    let all = counts.len();
    let is_common = |(_, count): &(String, usize)| count * COMMON_NAME >= pages.len();
    let common: BTreeSet<String> = counts
        .into_iter()
        .filter(is_common)
        .map(|(name, _)| name)
        .collect();
    if common.len() == all {
        Vec::new()
    } else {
        common.into_iter().collect()
    }
}

/// At most so many of some things, from all over.
pub(crate) fn spread<T>(things: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = things.len().div_ceil(most).max(1);
    things.iter().step_by(step)
}

/// Pages whose regions are known.
struct Lesson<'p, 'a> {
    finder: Finder,
    pages: Vec<(&'p Reading<'a>, Located)>,
}

/// How much stands on a path.
struct Amount<'p, 'a> {
    all: f64,
    own: f64,
    /// An element that has the path.
    example: (&'p Reading<'a>, NodeId),
}

impl<'p, 'a> Lesson<'p, 'a> {
    fn new(pages: &'p [Arc<Reading<'a>>], rule: &Rule) -> Self {
        let finder = Finder::new(rule);
        let pages = pages
            .iter()
            .filter_map(|page| Some((page.as_ref(), finder.locate(page)?)))
            .collect();
        Lesson { finder, pages }
    }

    /// The blocks of the regions, and those that may be content before them.
    fn blocks(&self) -> impl Iterator<Item = (&'p Reading<'a>, &'p Block)> + '_ {
        self.pages.iter().flat_map(|(page, located)| {
            let counts = |block: &&Block| located.holds(block) || page.bytes(block) >= LEAD_BYTES;
            page.blocks
                .iter()
                .filter(counts)
                .map(|block| (*page, block))
        })
    }

    /// The repeats that stand in the regions.
    fn repeats(&self, repeats: &RapidHashSet<Wording>) -> Repeats {
        let (mut text, mut links) = (BTreeSet::new(), BTreeSet::new());
        let mut known = RapidHashSet::default();
        for (page, block) in self.blocks() {
            for piece in page
                .pieces(block)
                .iter()
                .filter(|piece| repeats.contains(&piece.wording))
            {
                if known.insert(piece.wording) {
                    let folded = piece
                        .span
                        .of(page.tree.page())
                        .split_whitespace()
                        .collect::<Vec<_>>()
                        .join(" ");
                    if piece.wording.is_linked {
                        &mut links
                    } else {
                        &mut text
                    }
                    .insert(folded);
                }
            }
        }
        Repeats {
            text: text.into_iter().collect(),
            links: links.into_iter().collect(),
        }
    }

    /// The paths inside the regions that hold mostly links and repeats.
    fn asides(&self, repeats: &RapidHashSet<Wording>) -> Vec<String> {
        let mut amounts: RapidHashMap<Path, Amount<'p, 'a>> = RapidHashMap::default();
        let mut said = 0.0;
        for (page, located) in &self.pages {
            let (all, own) = amounts_of(page, located, repeats);
            said += located
                .elements
                .iter()
                .map(|node| own[node.index()])
                .sum::<f64>();
            for node in page
                .elements()
                .filter(|&node| all[node.index()] > 0.0 && located.surrounds(page, node))
            {
                let empty = Amount {
                    all: 0.0,
                    own: 0.0,
                    example: (*page, node),
                };
                let amount = amounts.entry(page.paths[node.index()]).or_insert(empty);
                amount.all += all[node.index()];
                amount.own += own[node.index()];
            }
        }
        amounts
            .retain(|_, amount| amount.own < OWN_SHARE * amount.all && amount.own < SPINE * said);
        // What stands inside an aside goes with it.
        let is_outermost = |&(page, node): &(&'p Reading<'a>, NodeId)| {
            !page.tree.ancestors(node).any(|outer| {
                let path = page.paths[outer.index()];
                path != page.paths[node.index()] && amounts.contains_key(&path)
            })
        };
        let outermost = amounts
            .values()
            .map(|amount| amount.example)
            .filter(is_outermost);
        let asides: BTreeSet<String> = outermost.map(|(page, node)| page.written(node)).collect();
        asides.into_iter().collect()
    }

    /// The paths before the regions on which titles stand that differ from page to page.
    fn headlines(&self) -> Vec<String> {
        let mut found: RapidHashMap<Path, (usize, RapidHashSet<Vec<Wording>>, String)> =
            RapidHashMap::default();
        for (page, located) in &self.pages {
            for block in headline_candidates(page, located) {
                let (count, wordings, name) =
                    found.entry(page.paths[block.element.index()]).or_default();
                *count += 1;
                wordings.insert(
                    page.pieces(block)
                        .iter()
                        .map(|piece| piece.wording)
                        .collect(),
                );
                if name.is_empty() {
                    *name = page.written(block.element);
                }
            }
        }
        let enough = self.pages.len().div_ceil(10);
        let varied = found
            .into_values()
            .filter(|(count, wordings, _)| *count >= enough && wordings.len() * 2 > *count);
        varied
            .map(|(.., name)| name)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// Whether links are most of what the regions say.
    fn is_listing(&self) -> bool {
        let (mut all, mut own) = (0, 0);
        for (page, block) in self.pages.iter().flat_map(|(page, located)| {
            page.blocks
                .iter()
                .filter(|block| located.spans(block))
                .map(move |block| (page, block))
        }) {
            all += page.bytes(block);
            own += own_bytes(page, block, |_| false);
        }
        f64::from(own) < LISTING * f64::from(all)
    }

    /// Whether what would be left out interrupts what would be kept again and again.
    fn is_woven(&self, rule: &Rule) -> bool {
        let (mut kept_blocks, mut interruptions) = (0, 0);
        for (page, located) in &self.pages {
            let kept: Vec<bool> = page
                .blocks
                .iter()
                .filter(|block| located.spans(block))
                .map(|block| located.holds(block) && self.finder.keeps(page, block))
                .collect();
            let first = kept
                .iter()
                .position(|&is_kept| is_kept)
                .unwrap_or(kept.len());
            kept_blocks += kept.iter().filter(|&&is_kept| is_kept).count();
            // What stands before all that is kept, or behind it, interrupts nothing.
            let times = kept[first..]
                .windows(2)
                .filter(|pair| !pair[0] && pair[1])
                .count();
            interruptions += times.saturating_sub(FORGIVEN);
        }
        let is_list = rule.regions.iter().any(|region| region.multiple);
        !is_list && interruptions as f64 > WOVEN * kept_blocks as f64
    }
}

/// How much text stands in each node of a page's region, and how much of that is its own.
fn amounts_of(
    page: &Reading<'_>,
    located: &Located,
    repeats: &RapidHashSet<Wording>,
) -> (Vec<f64>, Vec<f64>) {
    let (mut all, mut own) = (vec![0.0; page.tree.len()], vec![0.0; page.tree.len()]);
    let title = title(page);
    let mut paragraph = Paragraph::new(located);
    for block in page.blocks.iter().filter(|block| located.holds(block)) {
        let at = block.element.index();
        let bytes = page.bytes(block);
        let of_its_own = own_bytes(page, block, |piece| repeats.contains(&piece.wording));
        let of_its_own = if is_subject(page, block, &title) {
            bytes
        } else {
            of_its_own
        };
        let is_part = paragraph.goes_on_in(page, block, 2 * of_its_own > bytes);
        all[at] += f64::from(bytes);
        own[at] += f64::from(if is_part { bytes } else { of_its_own });
    }
    (page.sum_up(all), page.sum_up(own))
}
