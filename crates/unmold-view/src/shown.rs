//! What of a page may stand in the viewer's own page?
//!
//! Texts, and elements by a short list of names. The browser makes them anew, one by one: no markup
//! of the page is ever read by it, and of attributes only those arrive that say how a table or a
//! list is laid out. So nothing runs, loads, or looks like a part of the viewer.
//!
//! Pages may be large. They are shown in pieces of their source; an element is named by the byte it
//! begins at, so that what stands in a later piece finds the element it belongs to.

use crate::page::{PageValues, Segment};
use serde::Serialize;
use std::collections::BTreeMap;
use unmold::{
    Span,
    read::{
        html::{
            attribute_text, breaks_line,
            elements::{is_never_seen, that_only_formats},
        },
        tree::{NodeId, Tree},
    },
};

/// So many bytes of the source are shown at once.
pub const PIECE: usize = 128 << 10;

/// Attributes that say how something is laid out.
const LAYOUT: [&str; 6] = ["colspan", "dir", "lang", "reversed", "rowspan", "start"];

/// A piece of a page.
#[derive(Serialize)]
pub struct Shown {
    nodes: Vec<Node>,
    /// Where the next piece begins, if there is one.
    next: Option<usize>,
}

/// An element or a text, with short names: a page has many.
#[derive(Serialize, Default)]
struct Node {
    /// The byte it begins at, and one past its last.
    s: u32,
    e: u32,
    /// The byte at which the element around it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<u32>,
    /// The name of an element.
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<&'static str>,
    /// What it is, where its name does not say so: a link, a picture, a control.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<&'static str>,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    a: BTreeMap<&'static str, String>,
    /// The fields whose value it is, or is in its tag.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    f: Vec<usize>,
    /// Whether it is content.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    c: bool,
    /// The number of the record that begins here.
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<usize>,
}

/// The piece of a page that begins at a byte.
pub fn piece(page: &str, from: usize, values: &PageValues) -> Shown {
    let piece = cut(page, from);
    // What stands behind the piece is not needed for it.
    let tree = Tree::new(&page[..piece.end as usize]);
    let mut shower = Shower {
        page,
        tree: &tree,
        values,
        piece,
        nodes: Vec::new(),
    };
    let mut at = 0;
    while let Some(node) = tree.nodes_in(at..at + 1).next() {
        let is_whole = shower.show(node);
        at = if is_whole {
            node.index() + 1
        } else {
            node.index() + tree.subtree(node).len()
        };
    }
    let next = piece.end as usize;
    Shown {
        nodes: shower.nodes,
        next: (next < page.len()).then_some(next),
    }
}

/// From a byte on, at most [`PIECE`] bytes, up to where a tag begins or at least a character.
pub(crate) fn cut(page: &str, from: usize) -> Span {
    let from = (from.min(page.len())..=page.len())
        .find(|&at| page.is_char_boundary(at))
        .unwrap_or(page.len());
    if page.len() - from <= PIECE {
        return Span::new(from, page.len());
    }
    let most = (from..=from + PIECE)
        .rev()
        .find(|&at| page.is_char_boundary(at))
        .unwrap_or(from);
    let end = page[from..most]
        .rfind('<')
        .filter(|&at| at > 0)
        .map_or(most, |at| from + at);
    Span::new(from, end)
}

struct Shower<'p> {
    page: &'p str,
    tree: &'p Tree<'p>,
    values: &'p PageValues,
    piece: Span,
    nodes: Vec<Node>,
}

impl Shower<'_> {
    /// Shows a node; gives back whether what stands in it is shown, too.
    fn show(&mut self, node: NodeId) -> bool {
        if !self.tree.is_element(node) {
            self.text(node);
            return true;
        }
        let name = self.tree.name(node);
        let start = self.tree.span(node).start;
        if !is_never_seen(name) && start >= self.piece.start {
            self.space_before(node);
            let element = self.element(node, name);
            self.nodes.push(element);
        }
        !is_never_seen(name)
    }

    fn parent(&self, node: NodeId) -> Option<u32> {
        self.tree
            .parent(node)
            .map(|parent| self.tree.span(parent).start)
    }

    fn element(&self, node: NodeId, name: &str) -> Node {
        let tag = self.tree.token(node).span;
        let span = self.tree.span(node);
        let marks = &self.values.marks;
        let marks = &marks[marks.partition_point(|mark| mark.span.end <= tag.start)..];
        let in_tag = marks.iter().take_while(|mark| mark.span.start < tag.end);
        Node {
            s: span.start,
            e: span.end,
            p: self.parent(node),
            n: Some(that_only_formats(name).unwrap_or(if breaks_line(name) {
                "div"
            } else {
                "span"
            })),
            k: kind(name).filter(|_| self.tree.attribute(node, "type") != Some("hidden")),
            t: self.words_instead(node, name),
            a: self.layout(node),
            f: in_tag
                .flat_map(|mark| mark.fields.iter().copied())
                .collect(),
            r: self
                .values
                .records
                .binary_search_by_key(&span.start, |record| record.start)
                .ok(),
            ..Node::default()
        }
    }

    /// What is said for a picture or a control.
    fn words_instead(&self, node: NodeId, name: &str) -> Option<String> {
        let attribute = |attribute: &str| self.tree.attribute(node, attribute);
        let (attributes, otherwise): (&[&str], &str) = match (name, attribute("type")) {
            ("img", _) => (&["alt"], "picture"),
            ("input", Some("hidden")) => return None,
            ("input", Some("checkbox")) => (&[], "☐"),
            ("input", Some("radio")) => (&[], "○"),
            ("input", _) => (&["value", "placeholder"], "…"),
            ("textarea", _) => (&["placeholder"], "…"),
            _ => return None,
        };
        let mut words = attributes
            .iter()
            .filter_map(|&name| attribute(name))
            .filter(|words| !words.is_empty());
        Some(
            words
                .next()
                .map_or_else(|| otherwise.to_owned(), attribute_text),
        )
    }

    fn layout(&self, node: NodeId) -> BTreeMap<&'static str, String> {
        let value =
            |name: &'static str| Some((name, attribute_text(self.tree.attribute(node, name)?)));
        LAYOUT
            .into_iter()
            .filter_map(value)
            .filter(|(_, value)| value.len() <= 16)
            .collect()
    }

    /// White space between two elements parts their words; it is in no text.
    fn space_before(&mut self, node: NodeId) {
        let start = self.tree.span(node).start;
        let before = (start as usize)
            .checked_sub(1)
            .and_then(|at| self.page.as_bytes().get(at));
        if before.is_some_and(u8::is_ascii_whitespace) && !breaks_line(self.tree.name(node)) {
            let space = Some(" ".to_owned());
            self.nodes.push(Node {
                s: start,
                e: start,
                p: self.parent(node),
                t: space,
                ..Node::default()
            });
        }
    }

    fn text(&mut self, node: NodeId) {
        let span = self.tree.span(node);
        let (start, end) = (
            span.start.max(self.piece.start),
            span.end.min(self.piece.end),
        );
        if start >= end {
            return;
        }
        self.space_before(node);
        let parent = self.parent(node);
        for Segment {
            span,
            is_content,
            mark,
        } in self.values.segments(Span { start, end })
        {
            self.nodes.push(Node {
                s: span.start,
                e: span.end,
                p: parent,
                t: Some(htmlize::unescape(span.of(self.page)).into_owned()),
                c: is_content,
                f: mark.map_or_else(Vec::new, |mark| mark.fields.clone()),
                ..Node::default()
            });
        }
    }
}

fn kind(name: &str) -> Option<&'static str> {
    match name {
        "a" => Some("link"),
        "img" => Some("picture"),
        "button" | "input" | "select" | "textarea" => Some("control"),
        _ => None,
    }
}

/// A piece of a page's source, cut where content and values begin and end.
#[derive(Serialize)]
pub struct Source {
    pieces: Vec<SourcePiece>,
    next: Option<usize>,
}

#[derive(Serialize)]
struct SourcePiece {
    s: u32,
    e: u32,
    t: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    c: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    f: Vec<usize>,
}

/// The source of a page from a byte on.
pub fn source(page: &str, from: usize, values: &PageValues) -> Source {
    let piece = cut(page, from);
    let painted = |segment: Segment<'_>| SourcePiece {
        s: segment.span.start,
        e: segment.span.end,
        t: segment.span.of(page).to_owned(),
        c: segment.is_content,
        f: segment
            .mark
            .map_or_else(Vec::new, |mark| mark.fields.clone()),
    };
    let next = piece.end as usize;
    let pieces = values.segments(piece).into_iter().map(painted).collect();
    Source {
        pieces,
        next: (next < page.len()).then_some(next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unmold::{Mold, Text};

    fn shown(page: &str) -> Vec<Node> {
        let text = Text::from_string("page", page);
        piece(
            page,
            0,
            &PageValues::of(&Mold::nothing().reader(), &text).unwrap(),
        )
        .nodes
    }

    #[test]
    fn nothing_is_shown_that_could_do_anything() {
        let hostile = "<body onload=x()><script>x()</script><style>a{}</style><iframe src=x></iframe><base href=x>\
            <a href='javascript:x()' style='x' onclick=x()>link</a><img src=http://x/ onerror=x() alt='&lt;b>'>\
            <svg><script>x()</script></svg><form action=x><input value=v></form><x-y>own</x-y>";
        let nodes = shown(hostile);
        assert!(
            nodes
                .iter()
                .filter_map(|node| node.n)
                .all(|name| that_only_formats(name).is_some() || ["div", "span"].contains(&name))
        );
        assert!(nodes.iter().all(|node| node.a.is_empty()));
        let texts: Vec<&str> = nodes
            .iter()
            .filter_map(|node| node.t.as_deref())
            .map(str::trim)
            .collect();
        assert_eq!(texts, ["link", "<b>", "v", "own"]);
    }

    #[test]
    fn the_browser_believes_no_other_names_than_are_sent() {
        let script = include_str!("../assets/page.js");
        let list = script
            .split("const NAMES = new Set((")
            .nth(1)
            .unwrap()
            .split(").split(' ')")
            .next()
            .unwrap();
        let names: Vec<&str> = list
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|name| !name.is_empty())
            .collect();
        assert!(names.len() > 50);
        let is_sent =
            |name: &&str| that_only_formats(name).is_some() || ["div", "span"].contains(name);
        assert!(names.iter().all(is_sent), "{names:?}");
    }

    #[test]
    fn words_stay_apart() {
        let texts: String = shown("<p><b>one</b> <i>two</i> three</p>")
            .into_iter()
            .filter_map(|node| node.t)
            .collect();
        assert_eq!(texts, "one two three");
    }

    #[test]
    fn a_large_page_is_shown_in_pieces_that_fit_together() {
        let page = format!(
            "<div><ul>{}</ul></div>",
            "<li>all of a sudden ééé<b>bold</b></li>".repeat(20_000)
        );
        let text = Text::from_string("page", page.as_str());
        let values = PageValues::of(&Mold::nothing().reader(), &text).unwrap();
        let (mut from, mut starts, mut items) = (Some(0), std::collections::HashSet::new(), 0);
        while let Some(at) = from {
            let shown = piece(&page, at, &values);
            for node in &shown.nodes {
                assert!(
                    node.p.is_none_or(|parent| starts.contains(&parent)),
                    "a parent comes before its children"
                );
                if node.n.is_some() {
                    assert!(starts.insert(node.s), "shown twice");
                }
            }
            items += shown
                .nodes
                .iter()
                .filter(|node| node.n == Some("li"))
                .count();
            from = shown.next;
        }
        assert_eq!(items, 20_000);
    }
}
