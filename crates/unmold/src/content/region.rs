//! In which element does the text of its own add up?

use super::{
    Region,
    path::Path,
    reading::{Block, Piece, Reading},
};
use crate::read::tree::NodeId;
use rapidhash::{RapidHashMap, RapidHashSet};
use std::sync::Arc;

/// A step inward must keep this share of the text.
const STEP: f64 = 0.6;
/// Where a page alone says where its main content is, there is less reason to go further. Chosen
/// with `eval`'s `content` on 330 single pages, where both halves agree within 0.003 from 0.85 to
/// 0.95, and checked on pages of 76 sites, each alone;
const STEP_FROM_MAIN: f64 = 0.9;
/// a step must not leave behind what is not running text: what the page lists.
const KEPT_OF_MAIN: f64 = 0.3;
/// What a page says is believed if so much of its text is there.
const MAIN: f64 = 0.5;
/// Where less than this share of a page's text stands outside of cards, the page is a list of them,
/// and what stands beside them does not say where its content is.
const MIN_WITHOUT_CARDS: f64 = 0.25;
/// So much of what an element holds must stand beside it in paragraphs of the same look for these
/// to belong to it. Nothing changes on 76 sites between 0.05 and 0.15.
const PARTED: f64 = 0.05;
/// Paragraphs beside a box that hold this share of what it holds are the text that it belongs to,
const BESIDE_BOX: f64 = 0.25;
/// and its own are looked for in so many elements around each other.
const BOX_DEPTH: usize = 4;
/// Several elements side by side are the content only if they hold nearly all of it: the posts of a
/// thread.
const STEP_TO_MANY: f64 = 0.9;
/// From how many elements of about the same weight on there are several.
const MANY: f64 = 1.5;
/// A page of which a region holds less than this has another.
pub(crate) const COVERED: f64 = 0.3;
/// Regions of one group: beyond these, pages are like no other.
const MAX_REGIONS: usize = 8;
/// At this length, half of a block's bytes count.
const HALF_BYTES: f64 = 100.0;
/// How much a block counts that stands below a link: the summary of another page.
const TEASER: f64 = 0.25;

/// How much running text of its own each node of a page holds.
///
/// Long blocks count more than many short ones of the same length, and text right behind a block of
/// links counts little: that is how other pages are announced. What readers wrote does not count.
pub(crate) fn weigh(
    page: &Reading<'_>,
    is_comment: impl Fn(&Block) -> bool,
    is_repeated: impl Fn(&Piece) -> bool,
) -> Vec<f64> {
    let mut weights = vec![0.0; page.tree.len()];
    let mut is_announced = false;
    for block in page.blocks.iter().filter(|block| !is_comment(block)) {
        let own = f64::from(own_bytes(page, block, &is_repeated));
        let factor = if is_announced { TEASER } else { 1.0 };
        weights[block.element.index()] += factor * own * own / (own + HALF_BYTES);
        is_announced = page
            .pieces(block)
            .iter()
            .all(|piece| piece.wording.is_linked);
    }
    page.sum_up(weights)
}

/// The bytes of a block that are neither linked nor repeated from page to page.
pub(crate) fn own_bytes(
    page: &Reading<'_>,
    block: &Block,
    is_repeated: impl Fn(&Piece) -> bool,
) -> u32 {
    let own = page
        .pieces(block)
        .iter()
        .filter(|piece| !piece.wording.is_linked && !is_repeated(piece));
    own.map(|piece| piece.bytes).sum()
}

/// The regions of a group of pages. The first holds the content of most; each further one of pages
/// that those before do not fit.
pub(crate) fn regions(
    pages: &[Arc<Reading<'_>>],
    weights: &[Vec<f64>],
    is_one_document: bool,
) -> Vec<Region> {
    let mut regions: Vec<(Path, Region)> = Vec::new();
    let mut left: Vec<usize> = (0..pages.len()).collect();
    while !left.is_empty() && regions.len() < MAX_REGIONS {
        let weighed: Vec<Weighed<'_, '_>> = left
            .iter()
            .map(|&at| Weighed::new(&pages[at], &weights[at]))
            .collect();
        let Some((path, region)) = Sums::of(&weighed, is_one_document).region() else {
            break;
        };
        if regions.iter().any(|(known, _)| *known == path) {
            break;
        }
        left = left
            .into_iter()
            .zip(&weighed)
            .filter(|(_, page)| page.share(path) < COVERED)
            .map(|(at, _)| at)
            .collect();
        regions.push((path, region));
    }
    regions.into_iter().map(|(_, region)| region).collect()
}

/// A page with the weights of its nodes.
struct Weighed<'p, 'a> {
    page: &'p Reading<'a>,
    weights: &'p [f64],
    total: f64,
}

impl<'p, 'a> Weighed<'p, 'a> {
    fn new(page: &'p Reading<'a>, weights: &'p [f64]) -> Self {
        Weighed {
            page,
            weights,
            total: page.tree.top().map(|node| weights[node.index()]).sum(),
        }
    }

    /// The share of a node in the text of its page.
    fn of(&self, node: NodeId) -> f64 {
        if self.total > 0.0 {
            self.weights[node.index()] / self.total
        } else {
            0.0
        }
    }

    /// The share of each node in the text of its page that stands in no link around several blocks;
    /// all are 0 where most of the text does.
    fn shares_without_cards(&self) -> Vec<f64> {
        let mut own = direct(self);
        for block in &self.page.blocks {
            if block.link.is_some() {
                own[block.element.index()] = 0.0;
            }
        }
        let total: f64 = own.iter().sum();
        if total < MIN_WITHOUT_CARDS {
            return vec![0.0; own.len()];
        }
        own.iter_mut().for_each(|share| *share /= total);
        self.page.sum_up(own)
    }

    /// The share of all elements with a path. A page without text is not waiting for another
    /// region.
    fn share(&self, path: Path) -> f64 {
        if self.total == 0.0 || path == Path::ROOT {
            return 1.0;
        }
        let there = self
            .page
            .elements()
            .filter(|node| self.page.paths[node.index()] == path);
        there.map(|node| self.of(node)).sum()
    }
}

/// What a path holds on all pages together.
#[derive(Clone, Copy)]
struct Sum {
    /// The sum of its shares, one for each page: a page with many comments counts no more than
    /// others.
    share: f64,
    /// The part that stands in its elements directly, in no block further inside.
    direct: f64,
    /// The number of elements it is spread over, times its share.
    spread: f64,
    /// What an element of it weighs, and how many there are.
    weight: f64,
    elements: f64,
    /// How much text they hold, linked and repeated text too.
    bytes: f64,
    outer: Path,
    /// An element that has it, and the number of its page.
    example: (usize, NodeId),
}

impl Sum {
    fn new(outer: Path, example: (usize, NodeId)) -> Self {
        Sum {
            share: 0.0,
            direct: 0.0,
            spread: 0.0,
            weight: 0.0,
            elements: 0.0,
            bytes: 0.0,
            outer,
            example,
        }
    }

    /// Whether its elements are paragraphs, or say as little as a line does.
    fn is_fine(&self) -> bool {
        self.direct > self.share / 2.0 || self.weight < HALF_BYTES * self.elements
    }

    fn number(&self) -> f64 {
        self.spread / self.share
    }
}

struct Sums<'w, 'p, 'a> {
    pages: &'w [Weighed<'p, 'a>],
    paths: RapidHashMap<Path, Sum>,
    /// The paths right inside each path, so that no step of the walk looks at all of them.
    inside: RapidHashMap<Path, Vec<Path>>,
    /// Whether the pages are one, or versions of one.
    is_one_document: bool,
}

impl<'w, 'p, 'a> Sums<'w, 'p, 'a> {
    fn of(pages: &'w [Weighed<'p, 'a>], is_one_document: bool) -> Self {
        let mut sums = Sums {
            pages,
            paths: RapidHashMap::default(),
            inside: RapidHashMap::default(),
            is_one_document,
        };
        (0..pages.len()).for_each(|at| sums.add(at));
        for (&path, sum) in &sums.paths {
            sums.inside.entry(sum.outer).or_default().push(path);
        }
        sums
    }

    /// The paths right inside one, with what they hold.
    fn right_inside(&self, outer: Path) -> impl Iterator<Item = (Path, &Sum)> {
        let inside = self.inside.get(&outer).into_iter().flatten();
        inside.map(|path| (*path, &self.paths[path]))
    }

    fn add(&mut self, at: usize) {
        let weighed = &self.pages[at];
        let (direct, bytes) = (direct(weighed), weighed.page.bytes_inside());
        // The first element of each path, the sum of the shares and that of their squares.
        let mut here: RapidHashMap<Path, (NodeId, f64, f64)> = RapidHashMap::default();
        for node in weighed
            .page
            .elements()
            .filter(|&node| weighed.of(node) > 0.0)
        {
            let (path, share) = (weighed.page.paths[node.index()], weighed.of(node));
            let (_, shares, squares) = here.entry(path).or_insert((node, 0.0, 0.0));
            (*shares, *squares) = (*shares + share, *squares + share * share);
            let outer = weighed.page.outer_path(node);
            let sum = self
                .paths
                .entry(path)
                .or_insert_with(|| Sum::new(outer, (at, node)));
            sum.direct += direct[node.index()];
            sum.weight += weighed.weights[node.index()];
            sum.bytes += bytes[node.index()];
            sum.elements += 1.0;
        }
        for (path, (node, share, squares)) in here {
            let outer = weighed.page.outer_path(node);
            let sum = self
                .paths
                .entry(path)
                .or_insert_with(|| Sum::new(outer, (at, node)));
            sum.share += share;
            // (Σs)²/Σs² is how many elements of equal weight would be spread like these.
            sum.spread += share * share * share / squares;
        }
    }

    /// Walks inward from the root, which is the whole page, or from where the page says its main
    /// content is, as long as one path keeps most of the text. `None` if there is no text.
    fn region(&self) -> Option<(Path, Region)> {
        let best_inside = self.best_inside();
        let mut step = self.first_step();
        let mut is_many = false;
        while let Some(&path) = best_inside.get(&step.at.unwrap_or(Path::ROOT)) {
            let sum = &self.paths[&path];
            let to_many = sum.number() > MANY * step.number;
            if !step.leads_to(sum, to_many)
                || self.is_paragraph(sum)
                || self.parts_paragraphs(path, sum)
                || self.is_box(path, sum, &best_inside)
            {
                break;
            }
            step = Step {
                at: Some(path),
                share: sum.share,
                number: sum.number(),
                bytes: sum.bytes,
                ..step
            };
            is_many |= to_many;
        }
        let path = step.at.unwrap_or(Path::ROOT);
        let example = self.paths.get(&path).map(|sum| sum.example);
        let name = example.map_or(String::new(), |(page, node)| {
            self.pages[page].page.written(node)
        });
        (!self.paths.is_empty()).then_some((
            path,
            Region {
                path: name,
                multiple: is_many || step.at.is_none(),
            },
        ))
    }

    /// Whether a path is that of paragraphs. They are what content is made of, and hold none.
    fn is_paragraph(&self, sum: &Sum) -> bool {
        let (page, node) = sum.example;
        self.pages[page].page.tree.name(node) == "p"
    }

    /// Whether a step to a path would part its paragraphs from others of the same look: where an
    /// article has to be unfolded, it begins outside of the element that holds the rest. A look
    /// that has a name of its own is known in a box as well: what a chapter is about stands in one
    /// before its first section.
    fn parts_paragraphs(&self, inner: Path, sum: &Sum) -> bool {
        let looks: RapidHashSet<String> = self
            .paragraphs_in(inner)
            .map(|paragraphs| self.look(paragraphs))
            .collect();
        let mut parted = 0.0;
        for (path, beside) in self.right_inside(sum.outer) {
            if path == inner {
                continue;
            }
            if beside.direct > 0.0 && looks.contains(&self.look(beside)) {
                parted += beside.direct;
            }
            for paragraphs in self.paragraphs_in(path) {
                let look = self.look(paragraphs);
                if look.contains('.') && looks.contains(&look) {
                    parted += paragraphs.direct;
                }
            }
        }
        parted > PARTED * sum.share
    }

    /// Whether a path is that of a box in the text: the paragraphs further inside it look like those
    /// right beside it, and these say much.
    fn is_box(&self, path: Path, sum: &Sum, best_inside: &RapidHashMap<Path, Path>) -> bool {
        let mut looks: RapidHashSet<String> = RapidHashSet::default();
        let mut inner = path;
        for _ in 0..BOX_DEPTH {
            looks.extend(self.paragraphs_in(inner).map(|sum| self.look(sum)));
            let Some(&next) = best_inside.get(&inner) else {
                break;
            };
            inner = next;
        }
        let mut beside = 0.0;
        for (other, paragraphs) in self.right_inside(sum.outer) {
            if other != path && paragraphs.direct > 0.0 && looks.contains(&self.look(paragraphs)) {
                beside += paragraphs.direct;
            }
        }
        beside > BESIDE_BOX * sum.share
    }

    /// The paths right inside one that have text of their own.
    fn paragraphs_in(&self, outer: Path) -> impl Iterator<Item = &Sum> {
        self.right_inside(outer)
            .map(|(_, sum)| sum)
            .filter(|sum| sum.direct > 0.0)
    }

    /// What the elements of a path look like.
    fn look(&self, sum: &Sum) -> String {
        let (page, node) = sum.example;
        let path = self.pages[page].page.written(node);
        path.rsplit(' ').next().unwrap_or_default().to_owned()
    }

    fn first_step(&self) -> Step {
        let Some(path) = self.main() else {
            let share = self.pages.len() as f64;
            return Step {
                at: None,
                share,
                number: 1.0,
                bytes: 0.0,
                needed: STEP,
                kept: 0.0,
            };
        };
        let is_alone = self.is_one_document;
        let path = self.only_article(path).filter(|_| is_alone).unwrap_or(path);
        let (needed, kept) = if is_alone {
            (STEP_FROM_MAIN, KEPT_OF_MAIN)
        } else {
            (STEP, 0.0)
        };
        let sum = &self.paths[&path];
        Step {
            at: Some(path),
            share: sum.share,
            number: sum.number(),
            bytes: sum.bytes,
            needed,
            kept,
        }
    }

    /// The path of the elements that say they hold the main content, if they do: most of the text,
    /// or of what stands in no card. Menus and programmes of cards are longer than many an article.
    fn main(&self) -> Option<Path> {
        let mut shares: RapidHashMap<Path, f64> = RapidHashMap::default();
        for weighed in self.pages {
            if weighed.page.mains.is_empty() {
                continue;
            }
            let without_cards = weighed.shares_without_cards();
            for &node in &weighed.page.mains {
                let share = weighed.of(node).max(without_cards[node.index()]);
                *shares.entry(weighed.page.paths[node.index()]).or_default() += share;
            }
        }
        let best = shares
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        best.filter(|(_, share)| *share > MAIN * self.pages.len() as f64)
            .map(|(path, _)| path)
    }

    /// The path of the one `<article>` of a page, if most of the text of another path is there:
    /// what else stands there is about it, or said of it.
    fn only_article(&self, main: Path) -> Option<Path> {
        let page = self.pages[0].page;
        let &[article] = &page.articles[..] else {
            return None;
        };
        let path = page.paths[article.index()];
        let sum = self.paths.get(&path)?;
        (sum.share >= STEP * self.paths[&main].share).then_some(path)
    }

    /// For each path the heaviest right inside it.
    fn best_inside(&self) -> RapidHashMap<Path, Path> {
        let mut best: RapidHashMap<Path, Path> = RapidHashMap::default();
        for (&path, sum) in &self.paths {
            let best = best.entry(sum.outer).or_insert(path);
            let order = self.paths[best].share.total_cmp(&sum.share);
            if order.then((*best).cmp(&path)).is_lt() {
                *best = path;
            }
        }
        best
    }
}

/// Where the walk is, and what the next step needs.
struct Step {
    at: Option<Path>,
    share: f64,
    number: f64,
    /// How much text of any kind is here.
    bytes: f64,
    /// The share of the running text that must be kept, and that of all text.
    needed: f64,
    kept: f64,
}

impl Step {
    fn leads_to(&self, sum: &Sum, to_many: bool) -> bool {
        let needed = if to_many { STEP_TO_MANY } else { self.needed };
        let is_fine = to_many && sum.is_fine();
        sum.share >= needed * self.share && !is_fine && sum.bytes >= self.kept * self.bytes
    }
}

/// Of each node, the share of its page that stands in it and in no element inside it.
fn direct(weighed: &Weighed<'_, '_>) -> Vec<f64> {
    let tree = &weighed.page.tree;
    let mut direct: Vec<f64> = tree.nodes().map(|node| weighed.of(node)).collect();
    for node in tree.nodes() {
        if let Some(parent) = tree.parent(node) {
            direct[parent.index()] -= weighed.of(node);
        }
    }
    direct
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(pages: &[&str]) -> Vec<Region> {
        let readings: Vec<Arc<Reading<'_>>> = pages
            .iter()
            .map(|page| Arc::new(Reading::of(page)))
            .collect();
        let weights: Vec<Vec<f64>> = readings
            .iter()
            .map(|page| weigh(page, |_| false, |_| false))
            .collect();
        regions(&readings, &weights, readings.len() == 1)
    }

    fn text(length: usize) -> String {
        "word ".repeat(length)
    }

    #[test]
    fn the_walk_ends_where_the_text_divides() {
        let page = format!(
            "<div id=a><div id=b><p>{}<p>{}</div><div id=c>{}</div></div>",
            text(60),
            text(60),
            text(9)
        );
        let region = Region {
            path: "div#a div#b".to_owned(),
            multiple: false,
        };
        assert_eq!(chosen(&[&page]), [region]);
    }

    #[test]
    fn the_walk_ends_before_a_paragraph() {
        let page = format!("<div id=a><h2>Egg</h2><p>{}</p></div>", text(60));
        assert_eq!(
            chosen(&[&page]),
            [Region {
                path: "div#a".to_owned(),
                multiple: false
            }]
        );
    }

    #[test]
    fn the_walk_does_not_part_paragraphs_of_one_look() {
        let paragraphs = |many: usize| format!("<p class=said>{}", text(40)).repeat(many);
        let page = format!(
            "<div id=a>{}<div id=rest>{}</div></div>",
            paragraphs(1),
            paragraphs(4)
        );
        assert_eq!(
            chosen(&[&page]),
            [Region {
                path: "div#a".to_owned(),
                multiple: false
            }]
        );
    }

    #[test]
    fn what_a_chapter_is_about_belongs_to_it() {
        let paragraph = |class: &str| format!("<div class={class}>{}</div>", text(40));
        let page = |class: &str| {
            let section = format!("<div class=section>{}</div>", paragraph("para").repeat(4));
            format!(
                "<div id=a><div class=about>{}</div>{section}</div>",
                paragraph(class)
            )
        };
        let region = |path: &str| Region {
            path: path.to_owned(),
            multiple: false,
        };
        assert_eq!(chosen(&[&page("para")]), [region("div#a")]);
        assert_eq!(chosen(&[&page("other")]), [region("div#a div.section")]);
    }

    #[test]
    fn posts_are_many_and_paragraphs_are_not() {
        let post = format!(
            "<div class=post><div class=who>me</div><div class=said>{}</div></div>",
            text(50)
        );
        let page = format!("<div id=a>{}</div>", post.repeat(4));
        let region = Region {
            path: "div#a div.post div.said".to_owned(),
            multiple: true,
        };
        assert_eq!(chosen(&[&page]), [region]);
    }

    #[test]
    fn pages_of_another_kind_have_another_region() {
        let (story, picture) = (
            format!("<div id=s>{}</div>", text(50)),
            format!("<div id=p>{}</div>", text(40)),
        );
        let paths: Vec<String> = chosen(&[&story, &story, &picture])
            .into_iter()
            .map(|region| region.path)
            .collect();
        assert_eq!(paths, ["div#s", "div#p"]);
    }
}
