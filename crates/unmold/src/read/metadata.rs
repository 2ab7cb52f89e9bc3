//! When was a page published, and who wrote it?
//!
//! Pages say so in markup that standards have named: schema.org properties as JSON-LD or `itemprop`, Open Graph and Dublin
//! Core in `<meta>`, `<time datetime>` and `rel=author`. Where a page has no such markup, a date right behind its headline
//! is the date; nothing is known of authors then.
//!
//! ```
//! use unmold::{Text, read::metadata::Metadata};
//!
//! let page = Text::from_string("1", "<meta name=author content='A. Nonym'><h1>Egg found</h1><time datetime=2024-07-02>Tuesday</time>");
//! let about = Metadata::of(&page, None);
//! assert_eq!((about.date.as_deref(), about.author.as_deref()), (Some("2024-07-02"), Some("A. Nonym")));
//!
//! let plain = "<h1>卵が見つかる</h1><p>掲載日：2009年10月28日</p>";
//! let headline = unmold::Span::new(4, 22);
//! assert_eq!(Metadata::of(&Text::from_string("2", plain), Some(headline)).date.as_deref(), Some("2009-10-28"));
//! ```
//!
//! Cost: one tree of the page. JSON-LD is parsed, everything else is read where it stands.

use super::{
    html::{attribute_text, visible_text},
    mutable::Mutables,
    tree::{NodeId, Tree},
};
use crate::{Span, Text};
use serde_json::Value;

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// The title that the page gives to itself, where it says more than `<title>`, else that.
    pub title: Option<String>,
    /// The day it was published, perhaps with the time: as in ISO 8601 where that is certain, else as written.
    pub date: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The language it is in, as the page names it.
    pub language: Option<String>,
    /// The address that the page calls its own.
    pub canonical: Option<String>,
}

impl Metadata {
    /// Reads what a page says, whose headline may be known.
    pub fn of(text: &Text, headline: Option<Span>) -> Self {
        Metadata::of_tree(text, &Tree::new(text.as_str()), headline)
    }

    /// The same where the tree is there already.
    pub(crate) fn of_tree(text: &Text, tree: &Tree<'_>, headline: Option<Span>) -> Self {
        let markup = Markup::read(tree);
        let title = first(&markup.titles).or_else(|| filled(tree.title()));
        let date = first(&markup.dates).or_else(|| date_behind(text.as_str(), headline?));
        Metadata {
            title,
            date: date.map(|date| iso(&date).unwrap_or(date)),
            author: first(&markup.authors),
            language: markup.language,
            canonical: markup.canonical,
        }
    }
}

/// The kinds of markup, the most trusted first.
const KINDS: usize = 4;
const LINKED_DATA: usize = 0;
const PROPERTY: usize = 1;
const META: usize = 2;
const ELEMENT: usize = 3;

/// The first statement of each kind.
type Statements = [Option<String>; KINDS];

fn first(statements: &Statements) -> Option<String> {
    statements.iter().flatten().next().cloned()
}

/// What was found in markup.
#[derive(Default)]
struct Markup {
    titles: Statements,
    dates: Statements,
    authors: Statements,
    language: Option<String>,
    canonical: Option<String>,
}

impl Markup {
    fn read(tree: &Tree<'_>) -> Self {
        let mut markup = Markup::default();
        for node in tree.nodes().filter(|&node| tree.is_element(node)) {
            match tree.name(node) {
                "meta" => markup.meta(tree, node),
                "script" => markup.linked_data(tree, node),
                "html" => set(&mut markup.language, attribute(tree, node, "lang")),
                "link" if has_word(tree, node, "rel", "canonical") => {
                    set(&mut markup.canonical, attribute(tree, node, "href"));
                }
                "time" => set(&mut markup.dates[ELEMENT], attribute(tree, node, "datetime")),
                "a" | "link" if has_word(tree, node, "rel", "author") => {
                    set(&mut markup.authors[ELEMENT], shown(tree, node));
                }
                _ => {}
            }
            if let Some(property) = tree.attribute(node, "itemprop") {
                markup.property(tree, node, property);
            }
        }
        markup
    }

    /// `<meta name=author content=...>`, as Open Graph, Dublin Core and the HTML Standard name them.
    fn meta(&mut self, tree: &Tree<'_>, node: NodeId) {
        let Some(name) = attribute(tree, node, "property").or_else(|| attribute(tree, node, "name")) else { return };
        let place = match name.to_ascii_lowercase().as_str() {
            "og:title" | "dc.title" | "dcterms.title" => &mut self.titles,
            "article:published_time"
            | "date"
            | "dc.date"
            | "dc.date.issued"
            | "dcterms.date"
            | "dcterms.issued"
            | "dcterms.created" => &mut self.dates,
            "author" | "article:author" | "dc.creator" | "dcterms.creator" => &mut self.authors,
            _ => return,
        };
        // An author may also be the address of a profile, which is no name.
        let content = attribute(tree, node, "content").filter(|content| !content.contains("://"));
        set(&mut place[META], content);
    }

    /// An element that is marked with a property of schema.org.
    fn property(&mut self, tree: &Tree<'_>, node: NodeId, property: &str) {
        let place = match property {
            "headline" => &mut self.titles,
            "datePublished" => &mut self.dates,
            "author" => &mut self.authors,
            _ => return,
        };
        let names_itself = |inner: &NodeId| tree.attribute(*inner, "itemprop") == Some("name");
        let named = tree.subtree(node).skip(1).find(names_itself);
        let value = ["content", "datetime"].iter().find_map(|name| attribute(tree, node, name));
        set(&mut place[PROPERTY], value.or_else(|| shown(tree, named.unwrap_or(node))));
    }

    /// JSON-LD in a script.
    fn linked_data(&mut self, tree: &Tree<'_>, node: NodeId) {
        let is_json = |kind: &str| kind.trim().eq_ignore_ascii_case("application/ld+json");
        if !tree.attribute(node, "type").is_some_and(is_json) {
            return;
        }
        let tag = tree.token(node).span;
        let inside = Span { start: tag.end, end: tree.span(node).end }.of(tree.page());
        let json = inside.rfind("</").map_or(inside, |end| &inside[..end]);
        if let Ok(value) = serde_json::from_str::<Value>(json) {
            self.take(&value);
        }
    }

    /// Takes the first statements out of JSON-LD, from the outside in.
    fn take(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.take(value)),
            Value::Object(members) => {
                let named = |name: &str| members.get(name).and_then(name_of);
                set(&mut self.titles[LINKED_DATA], named("headline"));
                set(&mut self.dates[LINKED_DATA], named("datePublished"));
                set(&mut self.authors[LINKED_DATA], named("author"));
                members.values().for_each(|value| self.take(value));
            }
            _ => {}
        }
    }
}

/// A text, or the name of a thing, or the first of several.
fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => filled(visible_text(text)),
        Value::Array(values) => values.iter().find_map(name_of),
        Value::Object(members) => members.get("name").and_then(name_of),
        _ => None,
    }
}

fn set(place: &mut Option<String>, value: Option<String>) {
    if place.is_none() {
        *place = value;
    }
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
    value.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word))
}

/// The first date that a reader sees soon behind the headline.
fn date_behind(page: &str, headline: Span) -> Option<String> {
    /// So many characters of markup and text are looked at...
    const MARKUP: usize = 2000;
    /// ...and so many of text: bylines are short.
    const TEXT: usize = 300;
    let rest = &page[headline.end as usize..];
    let text = visible_text(beginning(rest, MARKUP));
    let text = beginning(&text, TEXT);
    let patterns = Mutables::common();
    let is_date = |number: usize| matches!(patterns.get(number)?.name(), "date" | "date-in-words").then_some(());
    let starts = text.char_indices().map(|(at, _)| at).filter(|&at| begins_word(text, at));
    let mut found = starts.filter_map(|at| {
        let found = patterns.find_at(text, at, text.len())?;
        is_date(found.pattern).map(|()| text[at..found.end].to_owned())
    });
    found.next()
}

/// At most so many characters of a text.
fn beginning(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

/// Whether a date can begin here: not inside a number or a word.
fn begins_word(text: &str, at: usize) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    text[at..].starts_with(char::is_alphanumeric) && !text[..at].ends_with(is_word)
}

/// A date whose year comes first, as in ISO 8601. Others are not safe to read: 1/2 is in January here and in February
/// there.
fn iso(date: &str) -> Option<String> {
    let is_iso = date.len() > 10 && date.as_bytes()[10] == b'T';
    let mut numbers = date.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let [year, month, day] = [numbers.next()?, numbers.next()?, numbers.next()?];
    let is_day =
        |number: &str, most: u32| number.len() <= 2 && number.parse().is_ok_and(|n: u32| (1..=most).contains(&n));
    let is_date = date.starts_with(year) && year.len() == 4 && is_day(month, 12) && is_day(day, 31);
    is_date.then(|| if is_iso { date.to_owned() } else { format!("{year}-{month:0>2}-{day:0>2}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(page: &str) -> (Option<String>, Option<String>) {
        let about = Metadata::of(&Text::from_string("page", page), None);
        (about.date, about.author)
    }

    fn said(date: &str, author: &str) -> (Option<String>, Option<String>) {
        (Some(date.to_owned()), Some(author.to_owned()))
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
            assert_eq!(about(page), said("2024-07-02", "Ann & Bob"), "{page}");
        }
    }

    #[test]
    fn what_is_trusted_more_comes_first() {
        let page = "<meta name=author content='A newspaper'><time datetime=2020-01-01>\
            <script type='application/ld+json'>{\"datePublished\": \"2024-07-02T09:00Z\", \"author\": \"Ann\"}</script>";
        assert_eq!(about(page), said("2024-07-02T09:00Z", "Ann"));
    }

    #[test]
    fn broken_linked_data_says_nothing() {
        assert_eq!(
            about("<script type=application/ld+json>{\"author\": </script><script type=application/ld+json>"),
            (None, None)
        );
    }

    #[test]
    fn only_certain_dates_are_rewritten() {
        for (date, expected) in [
            ("2009年10月28日", Some("2009-10-28")),
            ("2024/7/2", Some("2024-07-02")),
            ("2024-07-02T11:59:00+02:00", Some("2024-07-02T11:59:00+02:00")),
            ("1/2/2024", None),
            ("2. Juli 2024", None),
            ("2024-13-02", None),
        ] {
            assert_eq!(iso(date).as_deref(), expected, "{date}");
        }
    }
}
