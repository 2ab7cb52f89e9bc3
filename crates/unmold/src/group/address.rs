//! From which site is a page, and by which way does its address lead there?
//!
//! The address is that of the source (an archive, a table), else the one that the page gives for
//! itself (`<link rel="canonical">`, `og:url`; in a feed, its `<link>`). Failing that, a folder
//! that is called like a host names the site, as programs that mirror sites make them.
//!
//! Hosts of one owner share their last two labels, and so do hosts of different owners below
//! `co.uk` or a host of blogs. Nothing here knows which is which: pages that *may* be of one site
//! are not told apart by their addresses.
//!
//! Page types of a site have addresses of their own make-up: `/18.aspx/2` is a list, `/t/207.aspx`
//! a thread. What is compared is the *make-up*, never the words: `/sport/7` and `/health/7` are
//! sections, and sections share a template.

use super::paths::hash;
use crate::{
    Text,
    read::tree::{NodeId, Tree},
};

/// What an address says of its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    /// The hash of the name of its site.
    pub site: Option<u64>,
    /// Of what each part of its path is made; none if the address is not known.
    pub route: Vec<Segment>,
}

/// Of what a part of a path is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Segment {
    /// No digit.
    Word,
    /// Nothing but digits.
    Number,
    /// Both.
    Mixed,
}

impl Segment {
    pub const ALL: [Segment; 3] = [Segment::Word, Segment::Number, Segment::Mixed];
}

/// Parts behind these are not compared.
pub(super) const DEPTH: usize = 4;

impl Address {
    pub fn of(text: &Text, tree: &Tree<'_>) -> Self {
        let source = text
            .url()
            .filter(|url| host_of(url).is_some())
            .map(str::to_owned);
        let known = source.or_else(|| own_address(tree));
        let host = known
            .as_deref()
            .and_then(host_of)
            .or_else(|| folder_host(text.id()));
        Address {
            site: host.map(|host| hash(site_of(host).as_bytes())),
            route: known
                .as_deref()
                .and_then(path_of)
                .map(route)
                .unwrap_or_default(),
        }
    }

    /// What a place of the path is made of; nothing if the path is shorter, or not known.
    pub fn segment(&self, place: usize) -> Option<Segment> {
        self.route.get(place).copied()
    }
}

/// The host of an address.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    is_host(host).then_some(host)
}

/// The path of an address that has a host or begins with a slash.
fn path_of(url: &str) -> Option<&str> {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => Some(url).filter(|url| url.starts_with('/') && !url.starts_with("//"))?,
    };
    path.split(['?', '#']).next()
}

fn route(path: &str) -> Vec<Segment> {
    path.split('/')
        .filter(|part| !part.is_empty())
        .take(DEPTH)
        .map(segment)
        .collect()
}

/// What a part is made of, the ending of a file apart.
fn segment(part: &str) -> Segment {
    let is_ending = |ending: &str| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphabetic())
    };
    let name = part
        .rsplit_once('.')
        .filter(|(_, ending)| is_ending(ending))
        .map_or(part, |(name, _)| name);
    match name.chars().filter(|c| c.is_numeric()).count() {
        0 => Segment::Word,
        digits if digits == name.chars().count() => Segment::Number,
        _ => Segment::Mixed,
    }
}

fn is_host(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    let is_label =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let is_top =
        |label: &&str| label.chars().count() >= 2 && label.chars().all(char::is_alphabetic);
    labels.len() >= 2 && labels.iter().all(is_label) && labels.last().is_some_and(is_top)
}

/// The last two labels.
fn site_of(host: &str) -> String {
    let labels: Vec<&str> = host.rsplit('.').take(2).collect();
    labels
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
        .join(".")
        .to_lowercase()
}

/// The address that a page gives for itself.
fn own_address(tree: &Tree<'_>) -> Option<String> {
    let elements = tree.nodes().filter(|&node| tree.is_element(node));
    let mut addresses = elements.filter_map(|node| stated_address(tree, node));
    addresses.find(|address| path_of(address).is_some())
}

/// The address of the page that an element states.
fn stated_address(tree: &Tree<'_>, node: NodeId) -> Option<String> {
    let is = |attribute: &str, value: &str| {
        tree.attribute(node, attribute)
            .is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
    };
    let stated = match tree.name(node) {
        "link" if is("rel", "canonical") => tree.attribute(node, "href"),
        "meta" if is("property", "og:url") => tree.attribute(node, "content"),
        "link"
            if tree
                .parent(node)
                .is_some_and(|parent| tree.name(parent) == "channel") =>
        {
            text_of_link(tree, node)
        }
        _ => None,
    };
    stated.map(|address| address.trim().to_owned())
}

/// What the link of a feed holds; read as HTML, it is empty and that stands behind it.
fn text_of_link<'t>(tree: &Tree<'t>, link: NodeId) -> Option<&'t str> {
    let next = tree.nodes_in(link.index() + 1..tree.len()).next()?;
    (!tree.is_element(next)).then(|| tree.span(next).of(tree.page()))
}

/// The first folder that is called like a host.
fn folder_host(id: &str) -> Option<&str> {
    let (folders, _) = id.rsplit_once('/')?;
    folders.split('/').find(|folder| is_host(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn address(id: &str, url: Option<&str>, page: &str) -> Address {
        let bytes = Page::new(id, page.as_bytes().to_vec());
        let text = Text::decode(if let Some(url) = url {
            bytes.with_url(url)
        } else {
            bytes
        });
        Address::of(&text, &Tree::new(text.as_str()))
    }

    fn site(name: &str) -> Option<u64> {
        Some(hash(name.as_bytes()))
    }

    #[test]
    fn the_source_knows_best_then_the_page_then_the_folder() {
        let own = "<link rel=canonical href='https://b.example/1'>";
        assert_eq!(
            address("x.org/1.html", Some("http://www.A.example:80/1?x"), own).site,
            site("a.example")
        );
        assert_eq!(address("x.org/1.html", None, own).site, site("b.example"));
        assert_eq!(
            address("crawl/www.x.org/1.html", None, "<p>").site,
            site("x.org")
        );
    }

    #[test]
    fn what_is_no_host_says_nothing() {
        assert_eq!(
            address("pages/1.html", None, "<link rel=canonical href='/1'>").site,
            None
        );
        assert_eq!(
            address(
                "v1.2/page.html",
                None,
                "<meta property=og:url content='x://localhost/'>"
            )
            .site,
            None
        );
    }

    #[test]
    fn routes_are_of_words_and_numbers() {
        use Segment::{Mixed, Number, Word};
        let segments = |url| {
            (0..3)
                .filter_map(|at| address("1", Some(url), "").segment(at))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            segments("http://a.example/18.aspx/2?Web+Forms"),
            [Number, Number]
        );
        assert_eq!(segments("http://a.example/t/lamp-2/"), [Word, Mixed]);
        assert_eq!(segments("http://a.example"), []);
        assert_eq!(address("1", None, "<p>").segment(0), None);
    }

    #[test]
    fn feeds_and_pages_state_their_address() {
        let feed = "<?xml version='1.0'?><rss><channel><title>x</title><link>http://a.example/t/7.aspx</link>";
        assert_eq!(address("1", None, feed).segment(1), Some(Segment::Number));
        assert_eq!(
            address("1", None, "<link rel=canonical href='/7'>").segment(0),
            Some(Segment::Number)
        );
        assert_eq!(
            address("1", None, "<link rel=stylesheet href='/7'>").segment(0),
            None
        );
    }
}
