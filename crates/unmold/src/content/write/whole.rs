//! What belongs to the content although it has no words, or none that were asked about?
//!
//! Content is found by its words. A picture between two paragraphs, its caption, a rule, a formula
//! lie in no paragraph, so they look like template; and of a listing only those lines are known
//! that say something new. This puts them back:
//!
//! - listings, whole, that were kept in part or stand between kept texts; the labels of a table
//!   most of which was kept;
//! - pictures, rules and formulas *inside the content*: the largest element around one that holds
//!   nothing kept stands between two kept texts, or in an element most of whose text was kept.
//!   Where it holds links in words it is a teaser, and no part of the content; nor are pixels,
//!   signs of 32 pixels, ornaments, logos that lead to the home page, and rows of pictures that
//!   lead to other pages;
//! - the caption of a figure of which something was kept;
//! - the page's `<h1>`, if it says what the title says, or is the only one, and nothing kept is
//!   called so.
//!
//! Cost: three passes over the tree, and no text is read twice.

use super::image;
use crate::{
    Span,
    read::{
        free_parts, gaps,
        html::{
            elements::{heading_level, is_apart},
            visible_text,
        },
        tree::{NodeId, Tree},
    },
};
use rapidhash::fast::RandomState;
use std::collections::HashMap;

/// A picture no larger than this is a sign for something.
const SIGN_PIXELS: u32 = 32;
/// One no larger than this, with words beside it that were left out, shows who wrote them.
const FACE_PIXELS: u32 = 120;
/// A cell no longer than this is a label, and belongs to a table of which at least this share was
/// kept.
const LABEL_BYTES: u32 = 80;
const OF_TABLE: f64 = 0.6;
/// A picture without words that stands this often on a page is an ornament.
const REPEATED: u32 = 3;
/// How much of a heading's words the title has at least, and how much of the title's words the
/// heading, unless the title begins with it.
const OF_HEADING: f64 = 0.8;
const OF_TITLE: f64 = 0.5;
/// No heading has a longer source.
const HEADING_BYTES: usize = 2000;

/// The content of a page with what belongs to it.
pub(super) struct Whole {
    /// What is left.
    pub template: Vec<Span>,
    /// The page's own heading, where it was put back.
    pub headline: Option<Span>,
}

/// Puts back what belongs to the content. The template is sorted and does not overlap.
pub(super) fn whole(tree: &Tree<'_>, template: &[Span]) -> Whole {
    let finder = Finder::new(tree, template);
    let mut kept = gaps(tree.page().len(), template);
    if finder.amounts.last().is_none_or(|all| all.kept == 0) {
        return Whole {
            template: template.to_vec(),
            headline: None,
        };
    }
    let wordless: Vec<NodeId> = tree.nodes().filter(|&node| finder.belongs(node)).collect();
    let captions = tree
        .nodes()
        .filter(|&node| finder.is_caption(node, &wordless));
    let headline = finder.headline().map(|node| tree.span(node));
    kept.extend(
        wordless
            .iter()
            .copied()
            .chain(captions)
            .map(|node| tree.span(node))
            .chain(headline),
    );
    Whole {
        template: gaps(tree.page().len(), &Span::union(kept)),
        headline,
    }
}

/// How many bytes of text there are, of some kinds.
#[derive(Clone, Copy, Default)]
struct Amount {
    all: u32,
    kept: u32,
    linked: u32,
    /// Pictures that lead to other pages.
    leading: u32,
    tables: u32,
}

/// What is known of a node by what it stands in.
#[derive(Clone, Copy)]
struct Place {
    /// Beside the content whatever stands around it.
    is_apart: bool,
    /// In a caption or a stand-in, whose words nobody asked about.
    is_quiet: bool,
    link: Option<NodeId>,
}

struct Finder<'t> {
    tree: &'t Tree<'t>,
    places: Vec<Place>,
    /// What stands before each node; one more than there are nodes.
    amounts: Vec<Amount>,
    /// For each node the largest element around it that holds nothing kept.
    bare: Vec<NodeId>,
    /// How often each picture stands on the page.
    pictures: HashMap<&'t str, u32, RandomState>,
}

impl<'t> Finder<'t> {
    fn new(tree: &'t Tree<'t>, template: &[Span]) -> Self {
        let places = places(tree);
        let mut finder = Finder {
            tree,
            amounts: Vec::with_capacity(tree.len() + 1),
            places,
            bare: Vec::new(),
            pictures: HashMap::default(),
        };
        for source in tree
            .nodes()
            .filter(|&node| tree.name(node) == "img")
            .filter_map(|node| tree.attribute(node, "src"))
        {
            *finder.pictures.entry(source).or_default() += 1;
        }
        finder.add_up(template);
        finder.bare.reserve(tree.len());
        for node in tree.nodes() {
            let outer = tree
                .parent(node)
                .filter(|&parent| finder.inside(parent).kept == 0);
            finder
                .bare
                .push(outer.map_or(node, |parent| finder.bare[parent.index()]));
        }
        finder
    }

    fn add_up(&mut self, template: &[Span]) {
        let mut rest = template;
        let mut sum = Amount::default();
        for node in self.tree.nodes() {
            self.amounts.push(sum);
            let (span, place) = (self.tree.span(node), self.places[node.index()]);
            if self.tree.is_element(node) {
                sum.leading += u32::from(self.tree.name(node) == "img" && self.leads_away(place));
                sum.tables += u32::from(self.tree.name(node) == "table");
                continue;
            }
            rest = &rest[rest.partition_point(|cut| cut.end <= span.start)..];
            sum.kept += free_parts(span, rest)
                .map(|part| part.len() as u32)
                .sum::<u32>();
            if !place.is_quiet && !place.is_apart {
                sum.all += span.len() as u32;
                sum.linked += if place.link.is_some() {
                    span.len() as u32
                } else {
                    0
                };
            }
        }
        self.amounts.push(sum);
    }

    /// What stands in a node.
    fn inside(&self, node: NodeId) -> Amount {
        let (start, end) = (
            self.amounts[node.index()],
            self.amounts[self.tree.subtree_end(node)],
        );
        Amount {
            all: end.all - start.all,
            kept: end.kept - start.kept,
            linked: end.linked - start.linked,
            leading: end.leading - start.leading,
            tables: end.tables - start.tables,
        }
    }

    /// Whether an element that may have no words belongs to the content.
    fn belongs(&self, node: NodeId) -> bool {
        match self.tree.name(node) {
            "pre" => self.inside(node).kept > 0 || self.is_listing(node),
            "td" | "th" => self.is_label(node),
            "img" => self.is_picture(node),
            "hr" => self
                .surroundings(node)
                .is_some_and(|around| around.left_out == 0),
            "math" => self.inside(node).kept > 0 || self.surroundings(node).is_some(),
            "script" => {
                let kind = self.tree.attribute(node, "type").unwrap_or_default();
                kind.starts_with("math/tex") && self.surroundings(node).is_some()
            }
            _ => false,
        }
    }

    /// Whether a listing that was left out stands alone between kept texts: no template is made of
    /// listings.
    fn is_listing(&self, pre: NodeId) -> bool {
        let around = self.surroundings(pre).filter(|around| around.is_between);
        around.is_some_and(|around| around.left_out <= self.inside(pre).all + LABEL_BYTES)
    }

    /// Whether a cell is one of the few that were left out of a table: labels that stand elsewhere
    /// too.
    fn is_label(&self, cell: NodeId) -> bool {
        let Amount { all, kept, .. } = self.inside(cell);
        if kept > 0 || all == 0 || all > LABEL_BYTES {
            return false;
        }
        let Some(table) = self
            .tree
            .ancestors(cell)
            .take(3)
            .find(|&outer| self.tree.name(outer) == "table")
        else {
            return false;
        };
        let whole = self.inside(table);
        // The table counts itself.
        whole.tables == 1 && f64::from(whole.kept) >= OF_TABLE * f64::from(whole.all)
    }

    fn is_picture(&self, node: NodeId) -> bool {
        let Some(around) = self.surroundings(node) else {
            return false;
        };
        let place = self.places[node.index()];
        let is_sign = image::is_within(self.tree, node, SIGN_PIXELS) && !around.is_in_line;
        let is_face = around.left_out > 0 && image::is_within(self.tree, node, FACE_PIXELS);
        let is_offer = self.leads_away(place) && (!around.is_between || around.leading > 1);
        let source = self.tree.attribute(node, "src").unwrap_or_default();
        let is_repeated = self
            .pictures
            .get(source)
            .is_some_and(|&times| times >= REPEATED);
        let is_sign = is_sign || image::is_ornament(self.tree, node, is_repeated);
        !is_sign
            && !is_face
            && !is_offer
            && !self.leads_home(place)
            && !image::is_spacer(self.tree, node)
    }

    /// What stands around a node without words; `None` if it is not inside the content.
    fn surroundings(&self, node: NodeId) -> Option<Surroundings> {
        let bare = self.bare[node.index()];
        let parent = self.tree.parent(bare);
        let outer = parent.map_or(self.amounts[self.tree.len()], |parent| self.inside(parent));
        let start = parent.map_or(0, |parent| self.amounts[parent.index()].kept);
        let before = self.amounts[bare.index()].kept - start;
        let Amount {
            all,
            linked,
            leading,
            ..
        } = self.inside(bare);
        let is_page = parent.is_none_or(|parent| matches!(self.tree.name(parent), "body" | "html"));
        let is_between = before > 0 && before < outer.kept;
        let is_within = !is_page && 2 * outer.kept >= outer.all;
        let is_inside =
            (is_between || is_within) && linked == 0 && !self.places[node.index()].is_apart;
        let is_in_line = is_between && self.tree.parent(node) == parent;
        is_inside.then_some(Surroundings {
            is_between,
            is_in_line,
            left_out: all,
            leading,
        })
    }

    fn leads_away(&self, place: Place) -> bool {
        let address = place
            .link
            .and_then(|link| self.tree.attribute(link, "href"));
        address.is_some_and(|address| !names_picture(address))
    }

    fn leads_home(&self, place: Place) -> bool {
        let address = place
            .link
            .and_then(|link| self.tree.attribute(link, "href"))
            .map(str::trim);
        address.is_some_and(is_home)
    }

    /// Whether a node is the caption of a figure of which something was kept.
    fn is_caption(&self, node: NodeId, wordless: &[NodeId]) -> bool {
        if self.tree.name(node) != "figcaption" {
            return false;
        }
        let Some(figure) = self
            .tree
            .ancestors(node)
            .take(8)
            .find(|&outer| self.tree.name(outer) == "figure")
        else {
            return false;
        };
        let next = wordless.partition_point(|&kept| kept < figure);
        let shows = wordless
            .get(next)
            .is_some_and(|kept| kept.index() < self.tree.subtree_end(figure));
        shows || self.inside(figure).kept > 0
    }

    /// The page's own heading, if it was left out: the one that says what the title says, or the
    /// only one.
    fn headline(&self) -> Option<NodeId> {
        let is_short = |node: NodeId| self.tree.span(node).len() <= HEADING_BYTES;
        let is_heading =
            |&node: &NodeId| heading_level(self.tree.name(node)).is_some() && is_short(node);
        let headings: Vec<NodeId> = self.tree.nodes().filter(is_heading).collect();
        let first: Vec<NodeId> = headings
            .iter()
            .copied()
            .filter(|&node| self.tree.name(node) == "h1")
            .collect();
        let title = words(&self.tree.title());
        let says = |node: NodeId| words(&visible_text(self.tree.span(node).of(self.tree.page())));
        let heading = *first
            .iter()
            .find(|&&node| self.is_title(node, &title, &says(node), first.len() == 1))?;
        let said = says(heading);
        let is_said = |node: NodeId| {
            self.inside(node).kept > 0 && (self.tree.name(node) == "h1" || says(node) == said)
        };
        (!headings.into_iter().any(is_said)).then_some(heading)
    }

    fn is_title(&self, node: NodeId, title: &[String], heading: &[String], is_only: bool) -> bool {
        let Amount { all, linked, .. } = self.inside(node);
        let shared = heading.iter().filter(|word| title.contains(word)).count() as f64;
        let is_long = shared >= OF_TITLE * title.len() as f64 || title.starts_with(heading);
        // What a title ends with is what the site is called.
        let is_site = title.ends_with(heading) && heading.len() < title.len();
        let is_said = shared >= OF_HEADING * heading.len() as f64 && is_long || is_only && !is_site;
        shared > 0.0 && is_said && linked < all && !self.places[node.index()].is_apart
    }
}

struct Surroundings {
    /// Whether kept text stands before and behind.
    is_between: bool,
    /// Whether it does so in the same element.
    is_in_line: bool,
    /// How many bytes of text were left out with it.
    left_out: u32,
    /// How many pictures with it lead to other pages.
    leading: u32,
}

fn places(tree: &Tree<'_>) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let nowhere = Place {
            is_apart: false,
            is_quiet: false,
            link: None,
        };
        let mut place = tree
            .parent(node)
            .map_or(nowhere, |parent| places[parent.index()]);
        match tree.name(node) {
            "figcaption" | "noscript" => place.is_quiet = true,
            "a" => place.link = Some(node),
            name => place.is_apart |= is_apart(name),
        }
        places.push(place);
    }
    places
}

/// Whether an address is that of a whole site.
fn is_home(address: &str) -> bool {
    let path = match address.split_once("//") {
        Some((_, site)) => site.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches('/'),
    };
    path.is_empty()
}

/// Whether an address is that of a picture.
fn names_picture(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// The words of a title, without case.
fn words(text: &str) -> Vec<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.take(100).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::write::{markdown, source::Source};

    /// The Markdown of a page of which only texts that contain a star were kept.
    fn kept(page: &str) -> String {
        let tree = Tree::new(page);
        let spans = tree
            .nodes()
            .filter(|&node| !tree.is_element(node))
            .map(|node| tree.span(node));
        let kept: Vec<Span> = spans.filter(|span| span.of(page).contains('*')).collect();
        let template = gaps(page.len(), &kept);
        markdown::written(&Source::new(page, &template).told_by_words().document())
            .replace("\\*", "*")
    }

    #[test]
    fn pictures_between_kept_texts_are_kept() {
        for (page, expected) in [
            ("<p>a*<p><img src=x><p>b*", "a*\n\n![](x)\n\nb*\n"),
            ("<div><p><img src=x>a*<p>b*</div>", "![](x)a*\n\nb*\n"),
            ("<body><img src=x><p>a*", "a*\n"),
            ("<p>a*<aside><img src=x></aside><p>b*", "a*\n\nb*\n"),
            (
                "<p>a*<div><a href=/o><img src=x>other</a></div><p>b*",
                "a*\n\nb*\n",
            ),
            (
                "<p>a*<p><img src=x width=1 height=1><img src=y width=16><p>b*",
                "a*\n\nb*\n",
            ),
            ("<p>a* <img src=y width=16> c*", "a* ![](y) c*\n"),
            (
                "<p>a*<div><a href=/o><img src=x></a><a href=/p><img src=y></a></div><p>b*",
                "a*\n\nb*\n",
            ),
            (
                "<div><p>a*</p><a href=/><img src=logo.png></a><p>b*</div>",
                "a*\n\nb*\n",
            ),
            ("<p>a*<p><img src=x.svg alt=''><p>b*", "a*\n\nb*\n"),
            (
                "<p>a*<p><img data-src=x><noscript><img src=x></noscript><p>b*",
                "a*\n\n![](x)\n\nb*\n",
            ),
        ] {
            assert_eq!(kept(page), expected, "{page}");
        }
    }

    #[test]
    fn what_goes_with_kept_text_is_kept_too() {
        for (page, expected) in [
            ("<pre>a*\n<div>b</div> c</pre>", "```\na*\nb\n c\n```\n"),
            (
                "<p>a*<figure><img src=x><figcaption>b</figcaption></figure><p>c*",
                "a*\n\n![](x)\\\n*b*\n\nc*\n",
            ),
            ("<p>a*<pre>b\n</pre><p>c*", "a*\n\n```\nb\n```\n\nc*\n"),
            ("<p>a*<hr><p>b*<hr>", "a*\n\n***\n\nb*\n"),
            (
                "<table><tr><th>c<td>a* aaaa<tr><th>d<td>b* bbbb</table>",
                "|  |  |\n| --- | --- |\n| c | a* aaaa |\n| d | b* bbbb |\n",
            ),
            ("<p>a*<br>b*<div>no</div>c*", "a*\\\nb*\n\nc*\n"),
            ("<p>a* <math alttext=x></math> b*", "a* $x$ b*\n"),
        ] {
            assert_eq!(kept(page), expected, "{page}");
        }
    }

    #[test]
    fn the_heading_that_is_the_title_is_kept() {
        let page = |heading: &str| {
            kept(&format!(
                "<title>Fish and chips - The Shop</title>{heading}<p>a*"
            ))
        };
        assert_eq!(page("<h1>Fish and chips</h1>"), "# Fish and chips\n\na*\n");
        assert_eq!(page("<h1>The Shop</h1>"), "a*\n");
        assert_eq!(page("<h1>The best fish</h1>"), "# The best fish\n\na*\n");
        assert_eq!(page("<h1>The best fish</h1><h1>Chips of old</h1>"), "a*\n");
        assert_eq!(page("<h1><a href=/>Fish and chips</a></h1>"), "a*\n");
        assert_eq!(
            page("<h1>Fish and chips</h1><h2>Fish and chips *</h2>"),
            "## Fish and chips *\n\na*\n"
        );
    }
}
