//! Which addresses does a page name, and may they be followed?
//!
//! ```
//! use unmold_crawl::links::Links;
//! use url::Url;
//!
//! let page = "<base href=/shop/><ul class=items><li><a href=kettle>Kettle</a><li><a rel=nofollow href=x>X</a></ul>";
//! let found = Links::of(page, &Url::parse("https://example.org/")?);
//! assert_eq!(found.links.len(), 1);
//! assert_eq!(found.links[0].url.as_str(), "https://example.org/shop/kettle");
//! assert_eq!(found.links[0].place, "ul.items li a");
//! # Ok::<(), url::ParseError>(())
//! ```
//!
//! The place of a link (tags and classes around it) says more about where it leads than its address
//! does: what stands in one list leads to pages of one kind.

use crate::urls::{is_no_page, normal, shape};
use unmold::read::{
    html::{attribute_text, visible_text},
    tree::{NodeId, Tree},
};
use url::Url;

/// What a page says about going on from it.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Links that may be followed, in the order of the page.
    pub links: Vec<Link>,
    /// The page that it says comes next (`rel=next`).
    pub next: Option<Url>,
    /// Feeds that it names.
    pub feeds: Vec<Url>,
    /// What its `<meta name=robots>` asks of crawlers.
    pub asked: Asked,
    /// How many links say that they are not to be followed.
    pub nofollow: usize,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads.
    pub url: Url,
    /// Where it stands: the tag and classes of its element and of two around it.
    pub place: String,
    /// The byte of the page at which it starts.
    pub at: u32,
    /// What a reader sees of it, its beginning.
    pub text: String,
}

impl Link {
    /// What it is known by before it is followed: what its address looks like, and where it stands.
    pub(crate) fn source(&self) -> String {
        source(&self.url, &self.place)
    }
}

/// What a link is known by before it is followed: what its address looks like, and where it stands.
pub(crate) fn source(url: &Url, place: &str) -> String {
    format!("{} {place}", shape(url))
}

/// What a page asks of crawlers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Not to be listed by search engines.
    pub noindex: bool,
    /// Its links are not to be followed.
    pub nofollow: bool,
}

impl Asked {
    /// Reads `noindex, nofollow`, also with the name of a crawler before it (`unmold: none`).
    ///
    /// ```
    /// use unmold_crawl::links::Asked;
    ///
    /// assert!(Asked::read("NoIndex, follow").noindex);
    /// assert!(Asked::read("none").nofollow);
    /// assert!(!Asked::read("otherbot: nofollow").nofollow);
    /// ```
    pub fn read(value: &str) -> Self {
        let value = value.to_ascii_lowercase();
        let words = match value.split_once(':') {
            Some((name, words)) if name.trim() == crate::robots::AGENT => words,
            Some((name, _))
                if !name.contains(',') && !name.trim().starts_with("unavailable_after") =>
            {
                return Asked::default();
            }
            _ => &value,
        };
        let has = |word: &str| {
            words
                .split(',')
                .any(|other| matches!(other.trim(), other if other == word || other == "none"))
        };
        Asked {
            noindex: has("noindex"),
            nofollow: has("nofollow"),
        }
    }

    /// What is asked for by either.
    #[must_use]
    pub fn and(self, other: Asked) -> Self {
        Asked {
            noindex: self.noindex || other.noindex,
            nofollow: self.nofollow || other.nofollow,
        }
    }
}

/// More links of a page than this are not read.
const MOST_LINKS: usize = 10_000;
/// More characters of the text of a link are not kept.
const MAX_TEXT: usize = 200;

impl Links {
    /// Reads the links of a page at an address.
    pub fn of(page: &str, address: &Url) -> Self {
        let tree = Tree::new(page);
        let mut found = Links::default();
        let mut base = address.clone();
        let mut has_base = false;
        for node in tree.nodes().filter(|&node| tree.is_element(node)) {
            match tree.name(node) {
                "base" if !has_base => {
                    let named = tree
                        .attribute(node, "href")
                        .and_then(|href| normal(Some(address), &attribute_text(href)).ok());
                    has_base = named.is_some();
                    base = named.unwrap_or(base);
                }
                "a" | "area" if found.links.len() < MOST_LINKS => {
                    found.add_link(&tree, node, &base);
                }
                "link" => {
                    found.add_next(&tree, node, &base);
                    found.add_feed(&tree, node, &base);
                }
                "meta" => found.add_meta(&tree, node),
                _ => {}
            }
        }
        found
    }

    fn add_link(&mut self, tree: &Tree<'_>, node: NodeId, base: &Url) {
        let Some(url) = tree
            .attribute(node, "href")
            .and_then(|href| normal(Some(base), &attribute_text(href)).ok())
        else {
            return;
        };
        if has_word(tree, node, "rel", "nofollow") {
            self.nofollow += 1;
        } else if matches!(url.scheme(), "http" | "https") && !is_no_page(&url) {
            self.add_next(tree, node, base);
            self.links.push(Link {
                url,
                place: place(tree, node),
                at: tree.span(node).start,
                text: text(tree, node),
            });
        }
    }

    fn add_next(&mut self, tree: &Tree<'_>, node: NodeId, base: &Url) {
        if self.next.is_some() || !has_word(tree, node, "rel", "next") {
            return;
        }
        let href = tree.attribute(node, "href").unwrap_or_default();
        self.next = normal(Some(base), &attribute_text(href)).ok();
    }

    fn add_feed(&mut self, tree: &Tree<'_>, node: NodeId, base: &Url) {
        let media_type = tree
            .attribute(node, "type")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let is_feed = matches!(
            media_type.as_str(),
            "application/rss+xml" | "application/atom+xml"
        );
        if is_feed
            && has_word(tree, node, "rel", "alternate")
            && let Some(url) = tree
                .attribute(node, "href")
                .and_then(|href| normal(Some(base), &attribute_text(href)).ok())
        {
            self.feeds.push(url);
        }
    }

    fn add_meta(&mut self, tree: &Tree<'_>, node: NodeId) {
        let name = tree
            .attribute(node, "name")
            .unwrap_or_default()
            .to_ascii_lowercase();
        if name == "robots" || name == crate::robots::AGENT {
            self.asked = self.asked.and(Asked::read(
                tree.attribute(node, "content").unwrap_or_default(),
            ));
        }
    }
}

fn has_word(tree: &Tree<'_>, node: NodeId, attribute: &str, word: &str) -> bool {
    let value = tree.attribute(node, attribute).unwrap_or_default();
    value
        .split_ascii_whitespace()
        .any(|other| other.eq_ignore_ascii_case(word))
}

/// What a reader sees of an element, its beginning.
fn text(tree: &Tree<'_>, node: NodeId) -> String {
    let mut text = String::new();
    for inner in tree.texts(node) {
        if text.len() >= MAX_TEXT {
            break;
        }
        text += &visible_text(tree.span(inner).of(tree.page()));
    }
    text.trim().chars().take(MAX_TEXT).collect()
}

/// The tags and classes of an element and of the two around it.
fn place(tree: &Tree<'_>, node: NodeId) -> String {
    let mut around: Vec<NodeId> = tree.ancestors(node).take(2).collect();
    around.reverse();
    around.push(node);
    around
        .into_iter()
        .map(|node| step(tree, node))
        .collect::<Vec<_>>()
        .join(" ")
}

fn step(tree: &Tree<'_>, node: NodeId) -> String {
    // Class names with numbers in them are counted up from element to element.
    let classes = tree
        .classes(node)
        .filter(|class| !class.bytes().any(|b| b.is_ascii_digit()))
        .take(3);
    classes.fold(tree.name(node).to_owned(), |step, class| {
        format!("{step}.{class}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(page: &str) -> Links {
        Links::of(page, &Url::parse("https://a.example/x/").unwrap())
    }

    #[test]
    fn only_links_to_pages_are_taken() {
        let found = links(
            "<a href='y?a=1&amp;b=2'>1</a><a href=mailto:x@y>2</a><a href='javascript:x'>3</a><a href=z.png>4</a><a>5</a>\
             <area href=/w#top>",
        );
        let urls: Vec<&str> = found.links.iter().map(|link| link.url.as_str()).collect();
        assert_eq!(
            urls,
            ["https://a.example/x/y?a=1&b=2", "https://a.example/w"]
        );
    }

    #[test]
    fn what_a_page_asks_of_crawlers_is_heard() {
        assert_eq!(
            links("<meta name=ROBOTS content='noindex,nofollow'>").asked,
            Asked {
                noindex: true,
                nofollow: true
            }
        );
        assert_eq!(
            links("<meta name=otherbot content=none>").asked,
            Asked::default()
        );
        assert_eq!(
            links("<meta name=robots content='max-snippet:-1'>").asked,
            Asked::default()
        );
    }

    #[test]
    fn feeds_are_named_by_type() {
        let found = links(
            "<link rel=alternate type=application/rss+xml href=/rss><link rel=stylesheet href=/css>",
        );
        assert_eq!(
            found.feeds.iter().map(Url::as_str).collect::<Vec<_>>(),
            ["https://a.example/rss"]
        );
    }
}
