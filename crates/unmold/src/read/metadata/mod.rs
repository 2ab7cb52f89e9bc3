//! What does a page say about itself: who wrote it, when, in which language, on which site?
//!
//! Pages say so in markup that standards have named: schema.org properties as JSON-LD or
//! `itemprop`, Open Graph, Dublin Core and the names that scholarly indexes read in `<meta>`,
//! `<time datetime>`, `rel=author`, `rel=tag` and `rel=canonical`. Where a page has no such markup,
//! a date right behind its headline is the date; nothing is known of the rest then.
//!
//! ```
//! use unmold::{Text, read::metadata::Metadata};
//!
//! let page = Text::from_string("1", "<meta name=author content='A. Nonym'><h1>Egg found</h1><time datetime=2024-07-02>Tuesday</time>");
//! let about = Metadata::of(&page, None);
//! assert_eq!((about.date.as_deref(), &about.authors[..]), (Some("2024-07-02"), &["A. Nonym".to_owned()][..]));
//!
//! let plain = "<h1>卵が見つかる</h1><p>掲載日：2009年10月28日</p>";
//! let headline = unmold::Span::new(4, 22);
//! assert_eq!(Metadata::of(&Text::from_string("2", plain), Some(headline)).date.as_deref(), Some("2009-10-28"));
//! ```
//!
//! What is said twice counts as the more trusted kind of markup says it: JSON-LD before `itemprop`,
//! that before `<meta>`, and that before elements.
//!
//! Cost: one tree of the page. JSON-LD is parsed, everything else is read where it stands.

mod address;
mod dates;
mod linked_data;
mod people;
mod said;
mod title;

use self::{
    address::absolute,
    dates::{date_behind, iso},
    people::people,
    said::{Said, SaidList},
    title::Titles,
};
use super::{
    html::{attribute_text, elements::heading_level, visible_text},
    tree::{ByName, NodeId, Tree},
};
use crate::{Span, Text};
use memchr::memmem;
use std::cell::LazyCell;

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// What the page is called: of several titles, the one on which two of them agree.
    pub title: Option<String>,
    /// Whether nothing but `<title>` says so, which often has the name of the site as well.
    pub is_title_tag: bool,
    /// The day it was published, perhaps with the time: as in ISO 8601 where that is certain, else
    /// as written.
    pub date: Option<String>,
    /// Who wrote it: names, without addresses and numbers.
    pub authors: Vec<String>,
    /// The language it is in: `en`, `pt-BR`.
    pub language: Option<String>,
    /// What the site is called.
    pub site: Option<String>,
    /// What it is about, in a sentence or two.
    pub description: Option<String>,
    /// The address that the page calls its own, with scheme and host.
    pub canonical: Option<String>,
    /// What it is filed under.
    pub tags: Vec<String>,
}

impl Metadata {
    /// Reads what a page says, whose headline may be known.
    pub fn of(text: &Text, headline: Option<Span>) -> Self {
        Metadata::of_tree(text, &Tree::new(text.as_str()), headline)
    }

    /// The same where the tree is there already.
    pub(crate) fn of_tree(text: &Text, tree: &Tree<'_>, headline: Option<Span>) -> Self {
        let markup = Markup::read(tree);
        let date = markup
            .date
            .get()
            .or_else(|| date_behind(text.as_str(), headline?));
        let base = markup.base.get();
        let base = base.as_deref().or(text.url());
        let site = markup.site.get();
        let headline = headline.and_then(|span| filled(visible_text(span.of(text.as_str()))));
        let tag = filled(tree.title());
        Metadata {
            is_title_tag: tag.is_some() && headline.is_none() && !markup.titles.are_stated(),
            title: markup.titles.decide(headline, tag, site.as_deref()),
            date: date.map(|date| iso(&date).unwrap_or(date)),
            authors: markup.authors.get_but(&markup.publishers),
            language: markup.language.get(),
            site,
            description: markup.description.get(),
            canonical: markup
                .canonical
                .get()
                .and_then(|address| absolute(&address, base)),
            tags: markup.tags.get(),
        }
    }
}

/// The kinds of markup, the most trusted first.
const LINKED_DATA: u8 = 0;
const PROPERTY: u8 = 1;
const META: u8 = 2;
const ELEMENT: u8 = 3;

/// What was found in markup.
#[derive(Default)]
struct Markup {
    titles: Titles,
    date: Said,
    authors: SaidList,
    language: Said,
    site: Said,
    /// Names of the site and of who publishes it: they are no authors where a person is named.
    publishers: Vec<String>,
    description: Said,
    canonical: Said,
    tags: SaidList,
    base: Said,
    /// The item whose authors are taken: each comment is an item too.
    item: Option<Option<NodeId>>,
    byline: Byline,
}

/// Whether links to authors still belong to the first of them.
#[derive(Default, PartialEq)]
enum Byline {
    #[default]
    Awaited,
    Open,
    /// Behind the next heading, links are to authors of other pages.
    Closed,
}

/// The elements that are looked at.
#[derive(Clone, Copy)]
enum MarkupKind {
    Meta,
    Script,
    Html,
    Base,
    Link,
    Time,
    Anchor,
    Heading,
    Other,
}

impl MarkupKind {
    fn of(name: &str) -> Self {
        match name {
            "meta" => MarkupKind::Meta,
            "script" => MarkupKind::Script,
            "html" => MarkupKind::Html,
            "base" => MarkupKind::Base,
            "link" => MarkupKind::Link,
            "time" => MarkupKind::Time,
            "a" => MarkupKind::Anchor,
            name if heading_level(name).is_some() => MarkupKind::Heading,
            _ => MarkupKind::Other,
        }
    }
}

impl Markup {
    fn read(tree: &Tree<'_>) -> Self {
        let mut markup = Markup::default();
        let mut kinds = ByName::default();
        let has_items = LazyCell::new(|| has_items(tree.page()));
        for node in tree.nodes() {
            let Some(kind) = kinds.of(tree, node, MarkupKind::of) else {
                continue;
            };
            markup.element(tree, node, kind);
            // Where tags that were read before tell, the page need not be searched.
            let is_worth_it = if tree.knows(node) {
                tree.may_have(node, "itemprop")
            } else {
                *has_items
            };
            if is_worth_it
                && let Some(properties) = tree.attribute(node, "itemprop").filter(|_| *has_items)
            {
                properties
                    .split_ascii_whitespace()
                    .for_each(|property| markup.property(tree, node, property));
            }
        }
        markup
    }

    fn element(&mut self, tree: &Tree<'_>, node: NodeId, kind: MarkupKind) {
        match kind {
            MarkupKind::Meta => self.meta(tree, node),
            MarkupKind::Script => self.linked_data(tree, node),
            MarkupKind::Html => {
                let language =
                    attribute(tree, node, "lang").or_else(|| attribute(tree, node, "xml:lang"));
                self.language
                    .hear(0, language.and_then(|language| language_tag(&language)));
            }
            MarkupKind::Base => {
                self.base.hear(
                    0,
                    attribute(tree, node, "href").filter(|base| absolute(base, None).is_some()),
                );
            }
            MarkupKind::Link if has_word(tree, node, "rel", "canonical") => {
                self.canonical.hear(0, attribute(tree, node, "href"));
            }
            MarkupKind::Time => self.date.hear(ELEMENT, attribute(tree, node, "datetime")),
            MarkupKind::Anchor => self.link(tree, node),
            MarkupKind::Heading if self.byline == Byline::Open => self.byline = Byline::Closed,
            MarkupKind::Link | MarkupKind::Heading | MarkupKind::Other => {}
        }
    }

    /// `<a rel=author>` and `<a rel=tag>`.
    fn link(&mut self, tree: &Tree<'_>, node: NodeId) {
        let Some(words) = tree.attribute(node, "rel") else {
            return;
        };
        let has_word = |word: &str| {
            words
                .split_ascii_whitespace()
                .any(|found| found.eq_ignore_ascii_case(word))
        };
        if self.byline != Byline::Closed
            && has_word("author")
            && let Some(author) = shown(tree, node)
        {
            self.author_list(ELEMENT, &author);
            self.byline = Byline::Open;
        }
        if has_word("tag") {
            self.tags
                .hear(0, shown(tree, node).and_then(|tag| tag_of(&tag)));
        }
    }

    /// `<meta name=author content=...>`, as Open Graph, Dublin Core and the HTML Standard name
    /// them.
    fn meta(&mut self, tree: &Tree<'_>, node: NodeId) {
        let name = ["property", "name", "http-equiv"]
            .iter()
            .find_map(|name| attribute(tree, node, name));
        let (Some(name), Some(content)) = (name, attribute(tree, node, "content")) else {
            return;
        };
        let content = Some(content);
        match name.to_ascii_lowercase().as_str() {
            "og:title" | "dc.title" | "dcterms.title" | "citation_title" => {
                self.titles.shared.hear(META, content);
            }
            "article:published_time"
            | "date"
            | "dc.date"
            | "dc.date.issued"
            | "dcterms.date"
            | "dcterms.issued"
            | "dcterms.created"
            | "citation_publication_date"
            | "citation_date"
            | "parsely-pub-date" => self.date.hear(META, content),
            "author" | "article:author" | "dc.creator" | "dcterms.creator" | "citation_author"
            | "parsely-author" => {
                content
                    .iter()
                    .for_each(|names| self.author_list(META, names));
            }
            "content-language" | "dc.language" | "dcterms.language" => {
                self.language
                    .hear(1, content.and_then(|language| language_tag(&language)));
            }
            "og:locale" => self
                .language
                .hear(3, content.and_then(|language| language_tag(&language))),
            "og:site_name" => {
                self.publishers.extend(content.clone());
                self.site.hear(0, content);
            }
            "application-name" => self.site.hear(2, content),
            "description" => self.description.hear(0, without_tags(content)),
            "og:description" | "dc.description" | "dcterms.description" => {
                self.description.hear(1, without_tags(content));
            }
            "og:url" => self.canonical.hear(1, content),
            "article:tag" | "parsely-tags" | "keywords" | "news_keywords" | "citation_keywords" => {
                content.iter().for_each(|list| self.tag_list(list));
            }
            _ => {}
        }
    }

    /// An element that is marked with a property of schema.org.
    fn property(&mut self, tree: &Tree<'_>, node: NodeId, property: &str) {
        match property {
            "headline" => self.titles.marked.hear(PROPERTY, value(tree, node)),
            "datePublished" if !is_beside(tree, node) => {
                self.date.hear(PROPERTY, value(tree, node));
            }
            "keywords" => value(tree, node)
                .iter()
                .for_each(|list| self.tag_list(list)),
            "author" if !is_beside(tree, node) => {
                let item = tree
                    .ancestors(node)
                    .find(|&outer| tree.attribute(outer, "itemscope").is_some());
                if *self.item.get_or_insert(item) == item {
                    value(tree, node)
                        .iter()
                        .for_each(|names| self.author_list(PROPERTY, names));
                }
            }
            _ => {}
        }
    }

    /// Adds authors that stand in one text.
    fn author_list(&mut self, rank: u8, names: &str) {
        people(names).for_each(|name| self.authors.hear(rank, Some(name)));
    }

    /// Adds tags that stand in one text.
    fn tag_list(&mut self, list: &str) {
        list.split([',', ';', '，', '、', '；'])
            .for_each(|tag| self.tags.hear(0, tag_of(tag)));
    }
}

/// Whether there are properties of schema.org to look for in every tag, as programs write them.
fn has_items(page: &str) -> bool {
    ["itemprop", "itemProp", "ITEMPROP"]
        .iter()
        .any(|name| memmem::find(page.as_bytes(), name.as_bytes()).is_some())
}

/// What stands beside a work and has authors of its own, by the names of schema.org.
const BESIDE: [&str; 6] = [
    "Comment",
    "UserComments",
    "ImageObject",
    "MediaObject",
    "VideoObject",
    "AudioObject",
];

/// Whether an item is a comment, a review or a picture rather than the page.
fn is_beside(tree: &Tree<'_>, node: NodeId) -> bool {
    let is_named = |outer: NodeId, name: &str, words: &[&str]| {
        let value = tree.attribute(outer, name).unwrap_or("");
        value
            .split_ascii_whitespace()
            .any(|word| words.contains(&word.rsplit('/').next().unwrap_or(word)))
    };
    tree.ancestors(node).any(|outer| {
        is_named(
            outer,
            "itemprop",
            &["comment", "review", "reviews", "suggestedAnswer"],
        ) || is_named(outer, "itemtype", &BESIDE)
    })
}

/// The value of a property: what the element states, or the name of the thing in it, or what it
/// shows.
fn value(tree: &Tree<'_>, node: NodeId) -> Option<String> {
    let stated = |node| {
        ["content", "datetime"]
            .iter()
            .find_map(|name| attribute(tree, node, name))
    };
    let names_it = |inner: &NodeId| has_word(tree, *inner, "itemprop", "name");
    stated(node).or_else(|| {
        let named = tree.subtree(node).skip(1).find(names_it).unwrap_or(node);
        stated(named).or_else(|| shown(tree, named))
    })
}

/// A language as BCP 47 writes it: `en`, `pt-BR`. Anything else is no language.
fn language_tag(language: &str) -> Option<String> {
    let first = language.split([',', ';']).next()?.trim().replace('_', "-");
    let mut parts = first.split('-');
    let is_language = |part: &str| {
        (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    (parts.next().is_some_and(is_language) && parts.all(is_part)).then(|| in_usual_case(&first))
}

/// `EN-us` as it is written: the language in small letters, the country in capitals.
fn in_usual_case(language: &str) -> String {
    let country = |part: &str| {
        if part.len() == 2 {
            part.to_ascii_uppercase()
        } else {
            part.to_owned()
        }
    };
    match language.split_once('-') {
        None => language.to_ascii_lowercase(),
        Some((first, rest)) => {
            let rest: Vec<String> = rest.split('-').map(country).collect();
            format!("{}-{}", first.to_ascii_lowercase(), rest.join("-"))
        }
    }
}

/// What a text says that may have been written as HTML.
fn without_tags(text: Option<String>) -> Option<String> {
    text.and_then(|text| filled(visible_text(&text)))
}

/// A tag, unless it is too long to be one.
fn tag_of(tag: &str) -> Option<String> {
    const LETTERS: usize = 80;
    let tag = tag.trim().trim_start_matches('#');
    filled(tag.to_owned()).filter(|tag| tag.chars().count() <= LETTERS)
}

fn filled(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn attribute(tree: &Tree<'_>, node: NodeId, name: &str) -> Option<String> {
    filled(attribute_text(tree.attribute(node, name)?))
}

fn shown(tree: &Tree<'_>, node: NodeId) -> Option<String> {
    filled(visible_text(tree.span(node).of(tree.page())))
}

fn has_word(tree: &Tree<'_>, node: NodeId, attribute: &str, word: &str) -> bool {
    let value = tree.attribute(node, attribute).unwrap_or("");
    value
        .split_ascii_whitespace()
        .any(|found| found.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(page: &str) -> Metadata {
        Metadata::of(&Text::from_string("page", page), None)
    }

    fn says(page: &str, date: &str, authors: &[&str]) {
        let about = about(page);
        assert_eq!(
            (about.date.as_deref(), &about.authors[..]),
            (Some(date), &strings(authors)[..]),
            "{page}"
        );
    }

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn every_kind_of_markup_is_read() {
        for page in [
            r#"<script type="application/ld+json">{"@graph": [{"@type": "WebPage"}, {"datePublished": "2024-07-02",
                "author": [{"@type": "Person", "name": "Ann &amp; Bob"}]}]}</script>"#,
            "<p itemprop=datePublished content=2024-07-02><p itemprop=author>By <b itemprop=name>Ann &amp; Bob</b>",
            r#"<meta property="article:published_time" content="2024-07-02"><meta name="Author" content="Ann &amp; Bob">"#,
            "<time datetime=2024-07-02>today</time><a rel='nofollow author' href=x>Ann &amp; Bob</a>",
        ] {
            says(page, "2024-07-02", &["Ann & Bob"]);
        }
    }

    #[test]
    fn what_is_trusted_more_comes_first() {
        let page = "<meta name=author content='A newspaper'><time datetime=2020-01-01>\
            <script type='application/ld+json'>{\"datePublished\": \"2024-07-02T09:00Z\", \"author\": \"Ann\"}</script>";
        says(page, "2024-07-02T09:00Z", &["Ann"]);
    }

    #[test]
    fn all_authors_are_told_and_nobody_who_only_answered() {
        let meta = "<meta name=citation_author content='Ann'><meta name=citation_author content='Bob'>\
            <meta name=author content=ann>";
        assert_eq!(about(meta).authors, ["Ann", "Bob"]);
        let items = "<div itemscope><b itemprop=author>Ann</b><b itemprop=author>Bob</b>\
            <p itemprop=comment itemscope><b itemprop=author>Carl</b></p></div><div itemscope><b itemprop=author>Dan</b></div>";
        assert_eq!(about(items).authors, ["Ann", "Bob"]);
        let links =
            "<h1>A</h1><a rel=author>Ann</a> <a rel=author>Bob</a><h2>B</h2><a rel=author>Carl</a>";
        assert_eq!(about(links).authors, ["Ann", "Bob"]);
    }

    #[test]
    fn the_rest_of_what_pages_say() {
        let page = r#"<html lang="en_GB"><base href="https://a.example/x/"><meta property="og:site_name" content="The Site">
            <meta name=description content="About &lt;b>it&lt;/b>, 1 &lt; 2."><link rel=canonical href="/y?a=1&amp;b=2">
            <meta name=keywords content="One, two ,ONE"><meta property="article:tag" content=three>
            <a rel="tag" href=x>#Four</a>"#;
        let about = about(page);
        assert_eq!(about.language.as_deref(), Some("en-GB"));
        assert_eq!(about.site.as_deref(), Some("The Site"));
        assert_eq!(about.description.as_deref(), Some("About it , 1 < 2."));
        assert_eq!(
            about.canonical.as_deref(),
            Some("https://a.example/y?a=1&b=2")
        );
        assert_eq!(about.tags, ["One", "two", "three", "Four"]);
    }

    #[test]
    fn languages_are_tags() {
        for (said, expected) in [
            ("EN", Some("en")),
            ("pt_br", Some("pt-BR")),
            ("zh-Hant-TW", Some("zh-Hant-TW")),
        ] {
            assert_eq!(language_tag(said).as_deref(), expected);
        }
        for said in ["English", "{{lang}}", "x", ""] {
            assert_eq!(language_tag(said), None, "{said}");
        }
    }

    #[test]
    fn broken_linked_data_says_nothing() {
        let about = about(
            "<script type=application/ld+json>{\"author\": </script><script type=application/ld+json>",
        );
        assert_eq!(about, Metadata::default());
    }
}
