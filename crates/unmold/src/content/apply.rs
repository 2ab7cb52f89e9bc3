//! Takes the content out of pages by a rule that was learned.
//!
//! ```
//! use unmold::{Text, content::{Region, Rule, apply::Finder}};
//!
//! let region = Region { path: "div#story".to_owned(), multiple: false };
//! let rule = Rule { regions: vec![region], ..Rule::default() };
//! let page = Text::from_string("1", "<p>Menu</p><div id=story><p>Once upon a time.</div>");
//! let found = Finder::new(&rule).find(&page).unwrap();
//! assert_eq!(found.spans[0].of(page.as_str()), "Once upon a time.");
//! ```
//!
//! Cost: one tree for the page, and a few passes over its nodes. No index is built.

use super::{
    Rule,
    furniture::Furniture,
    located::{Located, within},
    path::{ClassNames, Path},
    reading::{Block, Piece, Reading, Wording},
    region::weigh,
    stamp::leads_away,
    stated::StatedText,
    tail::without_tail,
    teasers::teasers,
};
use crate::{
    Span, Text,
    read::{
        html::{elements::heading_level, visible_text},
        tree::NodeId,
    },
};
use rapidhash::fast::RandomState;
use std::sync::Arc;

/// Keyed for each process, like all tables over page content.
type HashSet<T> = std::collections::HashSet<T, RandomState>;
type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;

/// A block of which more than this share is links is a link.
const MOSTLY_LINKS: f64 = 0.8;
/// A repeated piece shorter than this is left inside a block: "He said" may begin two sentences.
const SENTENCE_BYTES: u32 = 20;
/// Pieces shorter than this can be said twice on a page.
const QUOTE_BYTES: u32 = 40;
/// A title shares no words shorter than this with a headline but by chance.
const HEADLINE_BYTES: usize = 8;
/// Between the headline and the content, two paragraphs of this length are content too; captions
/// are one, dates shorter.
pub(crate) const LEAD_BYTES: u32 = 100;
/// A page of which comments leave no more than this has nothing else.
const HARDLY: f64 = 0.1;
/// Elements beside the one that holds the content are parts of it if they hold this share of what
/// it does. Of 0.1 and 0.3, the first lost 0.002 on products.
const PART: f64 = 0.3;
/// What a page declares to be its text is believed against the rule of its template if it holds
/// more than this share of the page's running text, and the rule less than the other share of it.
const DECLARED: f64 = 0.5;
const KEPT_OF_DECLARED: f64 = 0.5;
/// No title is longer.
const TITLE_LETTERS: usize = 500;

/// A [`Rule`] made ready for many pages.
pub struct Finder {
    /// The number of each region, and whether it is several elements.
    regions: HashMap<Path, (usize, bool)>,
    asides: HashSet<Path>,
    comments: HashSet<Path>,
    headlines: HashSet<Path>,
    repeats: HashSet<Wording>,
    keep_repeats: bool,
    names: Arc<ClassNames>,
}

/// What is content on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundContent {
    /// The content, in order.
    pub spans: Vec<Span>,
    /// The headline, where it stands before the rest; it is content too.
    pub headline: Option<Span>,
}

impl Finder {
    /// Makes a rule ready.
    pub fn new(rule: &Rule) -> Self {
        let paths = |paths: &[String]| paths.iter().map(|path| Path::read(path)).collect();
        let plain = rule
            .repeats
            .text
            .iter()
            .map(|text| Wording::of(text, false));
        let linked = rule
            .repeats
            .links
            .iter()
            .map(|text| Wording::of(text, true));
        let numbered = rule.regions.iter().enumerate();
        Finder {
            regions: numbered
                .map(|(at, region)| (Path::read(&region.path), (at, region.multiple)))
                .collect(),
            asides: paths(&rule.asides),
            comments: paths(&rule.comments),
            headlines: paths(&rule.headlines),
            repeats: plain.chain(linked).collect(),
            keep_repeats: rule.keep_repeats,
            names: Arc::new(rule.class_names()),
        }
    }

    /// Whether what repeats from page to page is kept.
    pub(crate) fn keeps_repeats(&self) -> bool {
        self.keep_repeats
    }

    /// The classes and ids that count in its paths.
    pub(crate) fn names(&self) -> &Arc<ClassNames> {
        &self.names
    }

    /// The content of a page; `None` if none of the regions is there with text in it.
    pub fn find(&self, text: &Text) -> Option<FoundContent> {
        self.find_in(&Arc::new(Reading::of(text.as_str())))
    }

    /// The same where the page was read already.
    pub(crate) fn find_in(&self, page: &Arc<Reading<'_>>) -> Option<FoundContent> {
        let page = &page.named(&self.names);
        let located = self.locate(page)?;
        self.find_at(page, &located)
    }

    /// The content in elements that are known.
    fn find_at(&self, page: &Reading<'_>, located: &Located) -> Option<FoundContent> {
        let headline = self.headline(page, located).map(|block| block.span);
        let mut spans = with_neighbours(page, self.content(page, located));
        if let Some(stated) = StatedText::of(&page.tree) {
            spans = stated.confirmed(page, spans);
        }
        // Where other pages said what repeats after an article, what is left there is this page's own.
        if !self.keep_repeats && self.repeats.is_empty() {
            spans = without_tail(page, spans);
        }
        Some(FoundContent { spans, headline }).filter(|found| !found.spans.is_empty())
    }

    /// The same, unless the page says itself where its text is and the regions hold less than half
    /// of that: there it is better known than by the rule.
    pub(crate) fn find_trusted(&self, page: &Arc<Reading<'_>>) -> Option<FoundContent> {
        let page = &page.named(&self.names);
        let located = self.locate(page)?;
        if located.misses_declared {
            return None;
        }
        self.find_at(page, &located)
    }

    /// The share of a page's running text that the regions hold.
    pub(crate) fn share(&self, page: &Arc<Reading<'_>>) -> f64 {
        let page = &page.named(&self.names);
        if self.has_comments_alone(page) {
            return 1.0;
        }
        self.locate(page).map_or(0.0, |located| located.share)
    }

    /// Whether hardly anything stands on a page but what readers wrote: a picture with comments.
    fn has_comments_alone(&self, page: &Reading<'_>) -> bool {
        if self.comments.is_empty() {
            return false;
        }
        let commented = self.commented(page);
        let weight = |is_comment: &dyn Fn(&Block) -> bool| -> f64 {
            let weights = weigh(page, is_comment, |piece| self.is_repeated(piece));
            page.tree.top().map(|node| weights[node.index()]).sum()
        };
        weight(&|block| commented[block.element.index()]) < HARDLY * weight(&|_| false)
    }

    /// The paths of what readers wrote on a page, of all its classes and ids.
    pub(crate) fn comments_on(&self, page: &Arc<Reading<'_>>) -> Vec<String> {
        let named = page.named(&self.names);
        let elements = named
            .elements()
            .filter(|node| self.comments.contains(&named.paths[node.index()]));
        elements.map(|node| page.written(node)).collect()
    }

    /// Whether each node is part of what readers wrote.
    pub(crate) fn commented(&self, page: &Reading<'_>) -> Vec<bool> {
        if self.comments.is_empty() {
            return vec![false; page.tree.len()];
        }
        let elements: Vec<NodeId> = page
            .elements()
            .filter(|node| self.comments.contains(&page.paths[node.index()]))
            .collect();
        within(page, &elements, |_| true)
    }

    pub(crate) fn is_repeated(&self, piece: &Piece) -> bool {
        self.repeats.contains(&piece.wording)
    }

    /// The elements of a page that have the path of a region: its number, whether it is several
    /// elements, and the element.
    fn regions(&self, page: &Reading<'_>) -> Vec<(usize, bool, NodeId)> {
        let mut regions: Vec<(usize, bool, NodeId)> = Vec::new();
        if let Some(&(at, many)) = self.regions.get(&Path::ROOT) {
            regions.extend(page.tree.top().map(|node| (at, many, node)));
        }
        for node in page.elements() {
            let region = self.regions.get(&page.paths[node.index()]);
            regions.extend(region.map(|&(at, many)| (at, many, node)));
        }
        regions
    }

    /// Where the content of a page is; `None` if none of the regions is there with text in it.
    pub(crate) fn locate(&self, page: &Reading<'_>) -> Option<Located> {
        let mut regions = self.regions(page);
        if regions.is_empty() {
            return None;
        }
        let commented = self.commented(page);
        let weights = weigh(
            page,
            |block| commented[block.element.index()],
            |piece| self.is_repeated(piece),
        );
        let of = |node: &NodeId| weights[node.index()];
        let whole = self.regions.get(&Path::ROOT).map(|&(at, _)| at);
        regions.retain(|&(at, _, node)| of(&node) > 0.0 || Some(at) == whole);
        let &(first, many, _) = regions.iter().min_by_key(|region| region.0)?;
        let mut elements: Vec<NodeId> = regions
            .into_iter()
            .filter(|region| region.0 == first)
            .map(|(.., node)| node)
            .collect();
        if !many {
            let heaviest = elements
                .iter()
                .copied()
                .reduce(|best, node| if of(&node) > of(&best) { node } else { best });
            elements.retain(|&node| {
                heaviest.is_some_and(|heaviest| is_part(page, &weights, node, heaviest))
            });
        }
        let sum =
            |nodes: &mut dyn Iterator<Item = NodeId>| nodes.map(|node| of(&node)).sum::<f64>();
        let share =
            sum(&mut elements.iter().copied()) / sum(&mut page.tree.top()).max(f64::MIN_POSITIVE);
        let surrounded = within(page, &elements, |node| !commented[node.index()]);
        let is_aside = |node: NodeId| self.asides.contains(&page.paths[node.index()]);
        let inside = within(page, &elements, |node| {
            !commented[node.index()] && !is_aside(node)
        });
        Some(Located {
            misses_declared: misses_declared(page, &weights, &elements),
            elements,
            share,
            surrounded,
            inside,
        })
    }

    /// Whether a block of a region is content: neither repeated nor a link.
    pub(crate) fn keeps(&self, page: &Reading<'_>, block: &Block) -> bool {
        let bytes = |is_counted: &dyn Fn(&Piece) -> bool| -> u32 {
            page.pieces(block)
                .iter()
                .filter(|piece| is_counted(piece))
                .map(|piece| piece.bytes)
                .sum()
        };
        let all = page.bytes(block);
        let linked = f64::from(bytes(&|piece| piece.wording.is_linked));
        bytes(&|piece| self.is_repeated(piece)) < all && linked <= MOSTLY_LINKS * f64::from(all)
    }

    /// The content of a page, as spans in order.
    fn content(&self, page: &Reading<'_>, located: &Located) -> Vec<Span> {
        let mut spans = self.opening(page, located);
        let title = title(page);
        let mut said = Said {
            keeps_quotes: has_versions(page, located),
            ..Said::default()
        };
        let mut paragraph = Paragraph::new(located);
        let mut teasers = teasers(page, located).into_iter().peekable();
        let furniture = if self.keep_repeats {
            Furniture::default()
        } else {
            Furniture::of(page, located)
        };
        for block in page.blocks.iter().filter(|block| located.holds(block)) {
            let at = block.element.index();
            while teasers
                .next_if(|&teaser| page.tree.subtree_end(teaser) <= at)
                .is_some()
            {}
            if teasers
                .peek()
                .is_some_and(|&teaser| page.tree.holds(teaser, block.element))
            {
                continue;
            }
            if self.keep_repeats {
                spans.push(block.span);
                continue;
            }
            if furniture.holds(page, block) {
                continue;
            }
            let is_kept = self.keeps(page, block) || is_subject(page, block, &title);
            let is_part = paragraph.goes_on_in(page, block, is_kept);
            if is_part || is_kept && !said.is_quote(page, block, located) {
                self.push_content(&mut spans, page, block);
            }
        }
        spans
    }

    /// The headline, if it stands before the region, and paragraphs that follow it up to there.
    fn opening(&self, page: &Reading<'_>, located: &Located) -> Vec<Span> {
        let Some(headline) = self.headline(page, located) else {
            return Vec::new();
        };
        let is_text = |block: &&Block| page.bytes(block) >= LEAD_BYTES && self.keeps(page, block);
        let behind = before(page, located).filter(|block| block.span.start >= headline.span.end);
        let lead: Vec<&Block> = behind.filter(is_text).collect();
        let together = lead.chunk_by(|a, b| page.outer(a.element) == page.outer(b.element));
        let paragraphs = together
            .filter(|blocks| blocks.len() > 1)
            .flatten()
            .map(|block| block.span);
        std::iter::once(headline.span).chain(paragraphs).collect()
    }

    /// Adds a block without the sentences in it that repeat.
    fn push_content(&self, spans: &mut Vec<Span>, page: &Reading<'_>, block: &Block) {
        let mut span: Option<Span> = None;
        for sentence in self
            .without_counters(page, block)
            .chunk_by(|piece, _| !piece.ends_sentence)
        {
            let bytes: u32 = sentence.iter().map(|piece| piece.bytes).sum();
            if bytes >= SENTENCE_BYTES && sentence.iter().all(|piece| self.is_repeated(piece)) {
                spans.extend(span.take());
            } else {
                let whole = sentence[0].span.to(sentence[sentence.len() - 1].span);
                span = Some(span.map_or(whole, |span| span.to(whole)));
            }
        }
        spans.extend(span);
    }

    /// The pieces of a block without the numbers of comments, votes or readers that stand at its
    /// edges.
    fn without_counters<'r>(&self, page: &'r Reading<'_>, block: &Block) -> &'r [Piece] {
        let is_counter = |piece: &Piece| {
            !piece.has_letters
                && self.is_repeated(piece)
                && is_number_apart(page.tree.page(), piece.span)
        };
        let mut pieces = page.pieces(block);
        pieces = pieces
            .split_first()
            .filter(|(first, _)| is_counter(first))
            .map_or(pieces, |(_, rest)| rest);
        pieces
            .split_last()
            .filter(|(last, _)| is_counter(last))
            .map_or(pieces, |(_, rest)| rest)
    }

    /// The headline, if it stands before the content on one of the known paths.
    fn headline<'r>(&self, page: &'r Reading<'_>, located: &Located) -> Option<&'r Block> {
        let title = title(page);
        let known = before(page, located)
            .filter(|block| self.headlines.contains(&page.paths[block.element.index()]));
        // "by Fallow & Reed" is in the title of a page, too, and its links make its source long.
        let is_heading = |block: &Block| heading_level(page.tree.name(block.element)).is_some();
        known
            .filter(|block| is_in_title(page, block, &title))
            .max_by_key(|block| (is_heading(block), page.bytes(block)))
    }
}

/// Where nothing but a heading was found, what stands beside it in the same element is content too:
/// a picture with a title has a date and an author.
fn with_neighbours(page: &Reading<'_>, spans: Vec<Span>) -> Vec<Span> {
    let [only] = spans[..] else { return spans };
    let is_heading = |block: &&Block| {
        block.span == only && heading_level(page.tree.name(block.element)).is_some()
    };
    let Some(heading) = page.blocks.iter().find(is_heading) else {
        return spans;
    };
    let outer = page.outer(heading.element);
    page.blocks
        .iter()
        .filter(|block| page.outer(block.element) == outer)
        .map(|block| block.span)
        .collect()
}

/// The paragraph that is being read. A link on a line of its own belongs to it where it stands
/// inside the same element.
pub(crate) struct Paragraph<'p> {
    located: &'p Located,
    element: Option<NodeId>,
}

impl<'p> Paragraph<'p> {
    pub fn new(located: &'p Located) -> Self {
        Paragraph {
            located,
            element: None,
        }
    }

    /// Takes the next block: whether it goes on what came before it, rather than being text itself.
    pub fn goes_on_in(&mut self, page: &Reading<'_>, block: &Block, is_text: bool) -> bool {
        if is_text {
            // The element that holds all the content is no paragraph.
            self.element =
                Some(block.element).filter(|&element| self.located.surrounds(page, element));
            return false;
        }
        self.element.is_some() && page.outer(block.element) == self.element
    }
}

/// Whether a page says itself where its text is, and some elements hold less than half of that.
fn misses_declared(page: &Reading<'_>, weights: &[f64], elements: &[NodeId]) -> bool {
    let Some(declared) = page.declared() else {
        return false;
    };
    let all: f64 = page.tree.top().map(|node| weights[node.index()]).sum();
    let said = weights[declared.index()];
    let mut inside = 0.0;
    for &element in elements {
        if page.tree.holds(element, declared) {
            inside += said;
        } else if page.tree.holds(declared, element) {
            inside += weights[element.index()];
        }
    }
    said > DECLARED * all && inside < KEPT_OF_DECLARED * said
}

/// Whether an element holds a part of what the heaviest with its path holds: it stands beside it
/// and says as much as a part does. Articles are cut where an advertisement stands, and paged by
/// scripts.
fn is_part(page: &Reading<'_>, weights: &[f64], node: NodeId, heaviest: NodeId) -> bool {
    let is_beside = page.tree.parent(node) == page.tree.parent(heaviest);
    is_beside && weights[node.index()] >= PART * weights[heaviest.index()]
}

/// What a page has said so far.
#[derive(Default)]
struct Said {
    /// Whether the page says much twice with other text between.
    keeps_quotes: bool,
    wordings: HashSet<Wording>,
    /// What comes back again and again between other text of the same element; looked for when
    /// something is said twice.
    refrains: Option<HashSet<(NodeId, Wording)>>,
}

impl Said {
    /// Whether most of a block was said on the page before. Programs say things twice; a refrain is
    /// what people say three times, with verses between.
    fn is_quote(&mut self, page: &Reading<'_>, block: &Block, located: &Located) -> bool {
        if self.keeps_quotes || page.tree.name(block.element) == "pre" {
            return false;
        }
        let (mut all, mut again) = (0, 0);
        for piece in page.pieces(block) {
            all += piece.bytes;
            if piece.bytes >= QUOTE_BYTES && self.wordings.contains(&piece.wording) {
                again += piece.bytes;
            }
        }
        // Not before: a block that says something twice by itself quotes nothing.
        for piece in page.pieces(block) {
            if piece.bytes >= QUOTE_BYTES {
                self.wordings.insert(piece.wording);
            }
        }
        2 * again > all && !self.is_refrain(page, block, located)
    }

    fn is_refrain(&mut self, page: &Reading<'_>, block: &Block, located: &Located) -> bool {
        let refrains = self.refrains.get_or_insert_with(|| refrains(page, located));
        refrain_key(page, block).is_some_and(|key| refrains.contains(&key))
    }
}

/// A page that repeats at least this many bytes has versions of a document, one for each country:
/// quotations of posts are shorter. Set by hand, after reading pages of legal texts, news and single pages.
const VERSION_BYTES: u32 = 8000;
/// Between what is said again, such a page says this share of it that is new. A copy for narrow
/// screens has nothing new.
const NEW_IN_VERSION: f64 = 0.03;
/// More bytes than this, new at once, are no difference between two versions.
const NEW_AT_ONCE: u32 = 2000;

/// Whether a page says the same at length in several versions, which differ.
fn has_versions(page: &Reading<'_>, located: &Located) -> bool {
    let mut wordings: HashSet<Wording> = HashSet::default();
    let (mut again, mut new_between, mut new_since) = (0, 0, 0);
    for block in page.blocks.iter().filter(|block| located.holds(block)) {
        for piece in page.pieces(block) {
            if piece.bytes < QUOTE_BYTES || piece.wording.is_linked {
                continue;
            }
            if wordings.insert(piece.wording) {
                new_since += piece.bytes;
                continue;
            }
            // What is new at length is another part of the page: the first version, or the next.
            if again > 0 && new_since <= NEW_AT_ONCE {
                new_between += new_since;
            }
            again += piece.bytes;
            new_since = 0;
        }
    }
    again >= VERSION_BYTES && f64::from(new_between) >= NEW_IN_VERSION * f64::from(again)
}

/// So often a text stands in an element, with others between, if it is a refrain.
const REFRAIN: usize = 3;

fn refrains(page: &Reading<'_>, located: &Located) -> HashSet<(NodeId, Wording)> {
    let mut found: HashMap<(NodeId, Wording), (usize, usize)> = HashMap::default();
    for (at, block) in page
        .blocks
        .iter()
        .filter(|block| located.holds(block))
        .enumerate()
    {
        let Some(key) = refrain_key(page, block) else {
            continue;
        };
        let (count, last) = found.entry(key).or_insert((0, at.wrapping_sub(2)));
        *count += usize::from(at.wrapping_sub(*last) > 1);
        *last = at;
    }
    found
        .into_iter()
        .filter(|(_, (count, _))| *count >= REFRAIN)
        .map(|(key, _)| key)
        .collect()
}

/// A block of one plain piece, by the element it stands in.
fn refrain_key(page: &Reading<'_>, block: &Block) -> Option<(NodeId, Wording)> {
    match page.pieces(block) {
        [piece] if !piece.wording.is_linked => {
            Some((page.tree.parent(block.element)?, piece.wording))
        }
        _ => None,
    }
}

/// Whether a piece is all that stands between two tags, and has a number: what stands beside other
/// words, and what only ends them, belongs to them.
fn is_number_apart(page: &str, piece: Span) -> bool {
    let before = page[..piece.start as usize].trim_end();
    let is_apart =
        (before.is_empty() || before.ends_with('>')) && page[piece.end as usize..].starts_with('<');
    is_apart && piece.of(page).contains(char::is_numeric)
}

/// The blocks before the content.
fn before<'r>(
    page: &'r Reading<'_>,
    located: &Located,
) -> impl Iterator<Item = &'r Block> + use<'r> {
    let start = located
        .elements
        .first()
        .map_or(0, |&node| page.tree.span(node).start);
    page.blocks
        .iter()
        .take_while(move |block| block.span.start < start)
}

/// The blocks before the content that are in the title of the page.
pub(crate) fn headline_candidates<'r>(page: &'r Reading<'_>, located: &Located) -> Vec<&'r Block> {
    let title = title(page);
    before(page, located)
        .filter(|block| is_in_title(page, block, &title))
        .collect()
}

/// Where the headline of a page begins: the first heading that is in the title, else the first of
/// level one, else the page.
pub(crate) fn headline_start(page: &Reading<'_>) -> u32 {
    let title = title(page);
    let level = |block: &&Block| heading_level(page.tree.name(block.element));
    let in_title = |block: &&Block| is_in_title(page, block, &title);
    let first = || page.blocks.iter().filter(|block| level(block) == Some(1));
    let headings = || page.blocks.iter().filter(|block| level(block).is_some());
    // Another page may be called like this one, and be announced beside it.
    let is_here = |block: &&Block| !block.link.is_some_and(|link| leads_away(&page.tree, link));
    let heading = first()
        .find(in_title)
        .or_else(|| headings().filter(is_here).find(in_title))
        .or_else(|| first().find(|block| begins_title(page, block, &title)))
        .or_else(|| headings().find(in_title))
        .or_else(|| first().next());
    heading
        .or_else(|| page.blocks.iter().find(in_title))
        .map_or(0, |block| block.span.start)
}

/// Whether most of a heading is the beginning of the title, or it begins with the title: a number
/// of comments may follow.
fn begins_title(page: &Reading<'_>, block: &Block, title: &str) -> bool {
    let text = visible_text(block.span.of(page.tree.page()));
    let same = text.chars().map(plainly_set).zip(title.chars());
    let alike = same.take_while(|(a, b)| a == b).count();
    alike >= 2 * HEADLINE_BYTES && 2 * alike >= text.chars().count()
}

/// The title of a page, or its beginning: every block is searched for in it.
pub(crate) fn title(page: &Reading<'_>) -> String {
    page.tree
        .title()
        .chars()
        .take(TITLE_LETTERS)
        .map(plainly_set)
        .collect()
}

/// A letter without the care of printers: titles often have plain quotes and dashes where headlines
/// have fine ones.
fn plainly_set(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '′' | '`' | '´' => '\'',
        '“' | '”' | '„' | '″' | '«' | '»' => '"',
        '‐' | '‑' | '–' | '—' | '−' => '-',
        other => other,
    }
}

/// Whether a heading is most of the page's title, and so neither the name of a site nor that of a
/// section. It may be a link to the page itself, and be repeated where other pages name this one.
pub(crate) fn is_subject(page: &Reading<'_>, block: &Block, title: &str) -> bool {
    let is_most = || 2 * visible_text(block.span.of(page.tree.page())).len() > title.len();
    heading_level(page.tree.name(block.element)).is_some()
        && is_in_title(page, block, title)
        && is_most()
}

/// Whether a block is in the title and is no link, unless it is a heading.
fn is_in_title(page: &Reading<'_>, block: &Block, title: &str) -> bool {
    let bytes: u32 = page.pieces(block).iter().map(|piece| piece.bytes).sum();
    let is_heading = || heading_level(page.tree.name(block.element)).is_some();
    let is_plain = || {
        page.pieces(block)
            .iter()
            .any(|piece| !piece.wording.is_linked)
    };
    // Entities make the source longer than the text.
    if bytes as usize > 2 * title.len() || !is_plain() && !is_heading() {
        return false;
    }
    let text: String = visible_text(block.span.of(page.tree.page()))
        .chars()
        .map(plainly_set)
        .collect();
    text.len() >= HEADLINE_BYTES && title.contains(&text)
}
