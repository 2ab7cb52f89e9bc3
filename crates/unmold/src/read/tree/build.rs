//! From tokens to elements: where does an element end that nobody closed?
//!
//! Two passes, because `<div/>` means one thing or another by what the rest of the page has: the first lists the tags
//! and numbers their names, the second opens and closes elements.

use super::{MAX_DEPTH, NO_PARENT, Node, TEXT, Tree, UNKNOWN};
use crate::{
    Span,
    read::{
        html::{
            self, Kind, Syntax, Token,
            elements::{Nesting, stands_in_head},
        },
        vocabulary::Vocabulary,
    },
};
use std::borrow::Cow;

pub(super) fn tree(page: &str) -> Tree<'_> {
    let mut names = Names::new(Syntax::of(page));
    let mut tags = Vec::with_capacity(page.len() / 24);
    let token_tag = |token| Tag::new(page, token, &mut names);
    tags.extend(html::tokens(page).filter_map(token_tag));
    let mut nodes = Vec::with_capacity(tags.len());
    let clipped = elements(page, &tags, &names, &mut nodes);
    Tree { page, nodes: Cow::Owned(nodes), names: Cow::Owned(names.vocabulary), clipped }
}

/// Opens and closes elements, and says whether some were nested too deep.
pub(super) fn elements(page: &str, tags: &[Tag], names: &Names, nodes: &mut Vec<Node>) -> bool {
    let closing = names.closing(tags);
    let mut builder =
        Builder { nodes, closing: &closing, names, open: Vec::new(), foreign: 0, too_deep: 0, clipped: false };
    tags.iter().for_each(|&tag| builder.take(tag));
    builder.close_to(0, page.len() as u32);
    builder.clipped
}

/// A tag or a text, with the number of its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub kind: TagKind,
    pub name: u32,
    pub span: Span,
    /// The number of the whole tag or text in a memory, or [`UNKNOWN`].
    pub token: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    Text,
    Start,
    /// A start tag that is written `<br/>`.
    Closed,
    End,
}

impl Tag {
    /// A token as a tag; `None` for what a tree does not have.
    #[inline]
    pub(super) fn new(page: &str, token: Token, names: &mut Names) -> Option<Self> {
        let kind = match token.kind {
            Kind::Text if !html::is_blank(token.span.of(page)) => TagKind::Text,
            Kind::Cdata => TagKind::Text,
            Kind::Start if page.as_bytes()[..token.span.end as usize].ends_with(b"/>") => TagKind::Closed,
            Kind::Start => TagKind::Start,
            Kind::End => TagKind::End,
            _ => return None,
        };
        let name = if kind == TagKind::Text { TEXT } else { names.number(token.name.of(page)) };
        Some(Tag { kind, name, span: token.span, token: UNKNOWN })
    }
}

/// The names of tags, numbered; in lower case unless the page is XML.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub vocabulary: Vocabulary,
    /// What is known of each name: where its elements end,
    rules: Vec<Nesting>,
    /// and whether they can stand in `<head>`.
    in_head: Vec<bool>,
    syntax: Syntax,
    /// Short names that were seen, as a number of eight bytes each: pages have few different ones.
    seen: [(u64, u32); Names::SEEN],
    /// A name in lower case, kept to save allocations.
    lower: String,
}

impl Names {
    const SEEN: usize = 128;

    pub fn new(syntax: Syntax) -> Self {
        Names {
            vocabulary: Vocabulary::default(),
            rules: Vec::new(),
            in_head: Vec::new(),
            syntax,
            seen: [(0, 0); Names::SEEN],
            lower: String::new(),
        }
    }

    #[inline]
    fn number(&mut self, name: &str) -> u32 {
        let Some(short) = as_number(name.as_bytes()) else { return self.intern(name) };
        let place = (short.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57) as usize;
        let (seen, number) = self.seen[place];
        if seen == short {
            return number;
        }
        let number = self.intern(name);
        self.seen[place] = (short, number);
        number
    }

    fn intern(&mut self, name: &str) -> u32 {
        self.lower.clear();
        self.lower.push_str(name);
        if self.syntax == Syntax::Html {
            self.lower.make_ascii_lowercase();
        }
        let number = self.vocabulary.intern(&self.lower);
        if number as usize == self.rules.len() {
            self.rules.push(if self.syntax == Syntax::Html { Nesting::of(&self.lower) } else { Nesting::Plain });
            self.in_head.push(stands_in_head(&self.lower));
        }
        number
    }

    /// For each name, whether `<div/>` is an empty element on a page with these tags. Browsers ignore the slash, but XML
    /// served as HTML means it; whichever reading leaves fewer tags of that name without a partner is taken.
    fn closing(&self, tags: &[Tag]) -> Vec<bool> {
        let mut counts = vec![(0i64, 0i64); self.rules.len()];
        for tag in tags.iter().filter(|tag| tag.kind != TagKind::Text) {
            let (unmatched, closing) = &mut counts[tag.name as usize];
            match tag.kind {
                TagKind::End => *unmatched -= 1,
                TagKind::Closed => *closing += 1,
                _ => *unmatched += 1,
            }
        }
        let meant = |(unmatched, closing): (i64, i64)| closing > 0 && unmatched.abs() < (unmatched + closing).abs();
        counts.into_iter().map(meant).collect()
    }
}

/// The bytes of a short name as one number, which is not 0; different names have different numbers.
#[inline]
fn as_number(name: &[u8]) -> Option<u64> {
    // Names hold no byte 0 but on hostile pages, where `a` and `a\0` must not be the same.
    if name.len() > 8 || name.last() == Some(&0) {
        return None;
    }
    Some(name.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

struct Builder<'t> {
    names: &'t Names,
    nodes: &'t mut Vec<Node>,
    /// The names whose tags close themselves with `/>` on this page.
    closing: &'t [bool],
    /// The elements that have not ended, outermost first.
    open: Vec<u32>,
    /// How many of them are SVG or MathML.
    foreign: usize,
    /// Open elements beyond the greatest depth: they have nodes but cannot hold any.
    too_deep: usize,
    clipped: bool,
}

impl Builder<'_> {
    #[inline]
    fn take(&mut self, tag: Tag) {
        match tag.kind {
            TagKind::Text => {
                self.leave_head(tag);
                self.add(tag);
            }
            TagKind::Start | TagKind::Closed => self.start(tag),
            TagKind::End => self.end(tag),
        }
    }

    #[inline]
    fn add(&mut self, tag: Tag) {
        let parent = self.open.last().copied().unwrap_or(NO_PARENT);
        let after = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: tag.span, end: tag.span.end, name: tag.name, parent, after, token: tag.token });
    }

    fn start(&mut self, tag: Tag) {
        let rule = self.names.rules[tag.name as usize];
        self.leave_head(tag);
        self.close_implied(rule, tag.span.start);
        let node = self.nodes.len() as u32;
        self.add(tag);
        if self.holds_nothing(tag, rule) {
            return;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push(node);
            self.foreign += usize::from(rule == Nesting::Foreign);
        } else {
            self.too_deep += 1;
            self.clipped = true;
        }
    }

    /// Ends `<head>` where something begins that cannot stand in it: many pages never close it.
    #[inline]
    fn leave_head(&mut self, tag: Tag) {
        let Some(&innermost) = self.open.last() else { return };
        let may_stay = || tag.kind != TagKind::Text && self.names.in_head[tag.name as usize];
        if self.rule(innermost) == Nesting::Head && !may_stay() {
            self.close_to(self.open.len() - 1, tag.span.start);
        }
    }

    fn holds_nothing(&self, tag: Tag, rule: Nesting) -> bool {
        let may_close = || self.names.syntax == Syntax::Xml || rule == Nesting::Foreign || self.foreign > 0;
        rule == Nesting::Void || tag.kind == TagKind::Closed && (self.closing[tag.name as usize] || may_close())
    }

    fn rule(&self, node: u32) -> Nesting {
        self.names.rules[self.nodes[node as usize].name as usize]
    }

    /// Ends the elements that the start of another ends by itself.
    fn close_implied(&mut self, started: Nesting, at: u32) {
        if self.too_deep > 0 {
            return;
        }
        let mut keep = None;
        for (depth, &node) in self.open.iter().enumerate().rev() {
            let rule = self.rule(node);
            if started.ends(rule) {
                keep = Some(depth);
            } else if started.stays_inside(rule) {
                break;
            }
        }
        if let Some(depth) = keep {
            self.close_to(depth, at);
        }
    }

    fn end(&mut self, tag: Tag) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let rule = self.names.rules[tag.name as usize];
        for depth in (0..self.open.len()).rev() {
            let node = self.open[depth];
            if self.nodes[node as usize].name == tag.name {
                self.close_to(depth + 1, tag.span.start);
                self.close_to(depth, tag.span.end);
                return;
            }
            if rule.cannot_leave(self.rule(node)) {
                return;
            }
        }
    }

    /// Ends open elements until only `depth` are open.
    fn close_to(&mut self, depth: usize, at: u32) {
        let after = self.nodes.len() as u32;
        for node in self.open.drain(depth..) {
            let node = &mut self.nodes[node as usize];
            (node.after, node.end) = (after, at);
            self.foreign -= usize::from(self.names.rules[node.name as usize] == Nesting::Foreign);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read::tree::{NodeId, Tree};

    /// The elements of a page as nested brackets: `ul(li li(b))`.
    fn shape(page: &str) -> String {
        fn of(tree: &Tree<'_>, nodes: impl Iterator<Item = NodeId>) -> String {
            let shapes = nodes.filter(|&node| tree.is_element(node)).map(|node| {
                let inner = of(tree, tree.children(node));
                if inner.is_empty() { tree.name(node).to_owned() } else { format!("{}({inner})", tree.name(node)) }
            });
            shapes.collect::<Vec<_>>().join(" ")
        }
        let tree = Tree::new(page);
        of(&tree, tree.top())
    }

    #[test]
    fn open_items_cells_terms_and_options_end_at_the_next() {
        assert_eq!(shape("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>"), "ul(li li(ul(li)) li)");
        assert_eq!(shape("<table><tr><td>1<td>2<tr><th>3</table><p>"), "table(tr(td td) tr(th)) p");
        assert_eq!(shape("<dl><dt>a<dd><p>b<dt>c</dl>"), "dl(dt dd(p) dt)");
        assert_eq!(shape("<select><option>a<option>b</select>"), "select(option option)");
    }

    #[test]
    fn a_head_that_nobody_closes_ends_where_the_body_begins() {
        assert_eq!(shape("<html><head><title>a</title><meta x><body><p>b"), "html(head(title meta) body(p))");
        assert_eq!(shape("<head><title>a</title><div>b</div><link y>"), "head(title) div link");
        assert_eq!(shape("<head><noscript><img></noscript><style>x</style>text<p>b"), "head(noscript(img) style) p");
    }

    #[test]
    fn a_table_in_a_cell_keeps_its_rows() {
        assert_eq!(shape("<table><tr><td><table><tr><td>x</table><td>y</table>"), "table(tr(td(table(tr(td))) td))");
    }

    #[test]
    fn blocks_end_paragraphs_and_text_level_markup_does_not() {
        assert_eq!(shape("<p>a <b>b</b><p>c<div>d</div>"), "p(b) p div");
        assert_eq!(shape("<p>a <b>b<div>d</div>"), "p(b) div");
    }

    #[test]
    fn stray_end_tags_change_nothing_outside_their_cell() {
        assert_eq!(
            shape("<div><table><tr><td></div></p>x</td></tr></table><i></i></div><b>"),
            "div(table(tr(td)) i) b"
        );
        assert_eq!(shape("<div><a>x</span></a></div></div><b>"), "div(a) b");
    }

    #[test]
    fn void_and_foreign_elements_hold_nothing() {
        assert_eq!(shape("<p><br>a<img src=x><svg><path/><g><path/></g></svg><i/>b"), "p(br img svg(path g(path)) i)");
    }

    #[test]
    fn xml_served_as_html_means_its_slashes() {
        assert_eq!(shape("<div><div class=clear/><p><a name=x/>one</p></div><b>"), "div(div p(a)) b");
        assert_eq!(shape("<div><div/>one</div></div><b>"), "div(div) b");
        assert_eq!(shape("<iframe src=x/><p>one</p>"), "iframe p");
    }

    #[test]
    fn spans_reach_from_start_tag_to_end_tag() {
        let page = "<div> <p>one<p>two </div> ";
        let tree = Tree::new(page);
        let spans: Vec<_> = tree.nodes().map(|node| tree.span(node).of(page)).collect();
        assert_eq!(spans, ["<div> <p>one<p>two </div>", "<p>one", "one", "<p>two ", "two "]);
    }

    #[test]
    fn depth_is_clipped_and_what_follows_is_not() {
        let page = "<i>".repeat(64_000) + "x" + &"</i>".repeat(64_000) + "<b>after</b>";
        let tree = Tree::new(&page);
        assert!(tree.is_clipped());
        assert_eq!(tree.len(), 64_003);
        let last = tree.top().last().unwrap();
        assert_eq!(tree.name(last), "b");
    }
}
