//! What of a page is left without its template, as paragraphs, lists and tables.
//!
//! A [`Document`] is what [`html`](super::html) and [`markdown`](super::markdown) are written from. It holds no markup:
//! whatever the page was made of, and wherever the template was cut out of it, what is written is well-formed.
//!
//! ```
//! use unmold::{Span, content::write::document::{Block, Document}};
//!
//! let page = "<nav>Home</nav><h1>Fish <i>&amp; chips</i></h1><div>One<br><br>Two<script>x()</script></div>";
//! let document = Document::new(page, &[Span::new(0, 15)]);
//! assert!(matches!(&document.blocks[..], [Block::Heading(1, _), Block::Paragraph(_), Block::Paragraph(_)]));
//! ```
//!
//! Elements that only arrange (`div`, `span`, `section` ...) leave nothing behind but the ends of paragraphs. Tables
//! that arrange, as those of old sites do, are taken apart: a table is one whose rows have cells of a line each.

use super::text::free_parts;
use crate::{
    Span,
    read::{
        html::{
            attribute_text,
            elements::{breaks_line, heading_level, is_unwritten},
            is_blank,
        },
        tree::{NodeId, Tree},
    },
};
use std::rc::Rc;

/// What a page says, without how it was arranged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The content of the page's `<title>`, whether it is template or not.
    pub title: String,
    /// The blocks in the order of the page.
    pub blocks: Vec<Block>,
}

/// A piece of a document that begins on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading of a level from 1 to 6.
    Heading(u8, Vec<Run>),
    /// Running text.
    Paragraph(Vec<Run>),
    /// Text whose line breaks and spaces count.
    Preformatted(String),
    /// Items, numbered or not.
    List {
        /// Whether they are numbered.
        ordered: bool,
        /// What each item holds.
        items: Vec<Vec<Block>>,
    },
    /// Terms (`true`) and what is said about them.
    Terms(Vec<(bool, Vec<Block>)>),
    /// Somebody else's words.
    Quote(Vec<Block>),
    /// Rows of cells.
    Table(Vec<Vec<Cell>>),
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Whether it names a row or a column.
    pub heading: bool,
    /// What it holds.
    pub runs: Vec<Run>,
}

/// A stretch of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What is written there.
    pub piece: Piece,
    /// How it is written.
    pub style: Style,
}

/// What can stand in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Characters, entities decoded and white space folded.
    Text(String),
    /// A picture.
    Image {
        /// Its address.
        source: String,
        /// What it shows, in words.
        alternative: String,
    },
    /// The end of a line inside a paragraph.
    Break,
}

/// How a run is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Where it leads.
    pub link: Option<Rc<str>>,
    /// Important.
    pub strong: bool,
    /// Stressed.
    pub emphasis: bool,
    /// Program text.
    pub code: bool,
}

impl Document {
    /// Reads a page without its template, which is sorted and does not overlap.
    pub fn new(page: &str, template: &[Span]) -> Self {
        let tree = Tree::new(page);
        let mut reader = Reader { tree: &tree, template, blocks: Vec::new(), line: Line::default() };
        let mut at = 0;
        for node in tree.top() {
            reader.gap(at, tree.span(node).start);
            reader.node(node, &Style::default());
            at = tree.span(node).end;
        }
        Document { title: tree.title(), blocks: reader.finish() }
    }
}

struct Reader<'t> {
    tree: &'t Tree<'t>,
    template: &'t [Span],
    blocks: Vec<Block>,
    /// The paragraph so far.
    line: Line,
}

impl<'t> Reader<'t> {
    fn node(&mut self, node: NodeId, style: &Style) {
        if self.is_template(node) {
            return;
        }
        match self.tree.name(node) {
            "" => self.text(node, style),
            name if is_unwritten(name) => {}
            "br" => self.line.end_of_line(style),
            "img" => self.image(node, style),
            "pre" => self.preformatted(node),
            "ul" | "ol" | "menu" => self.list(node, style),
            "dl" => self.terms(node, style),
            "blockquote" => self.quote(node, style),
            "table" => self.table(node, style),
            name if heading_level(name).is_some() => self.heading(node, style),
            name if breaks_line(name) => self.block(node, style),
            name => {
                let style = self.style(node, name, style);
                self.children(node, &style);
            }
        }
    }

    /// Whether all of a node is template.
    fn is_template(&self, node: NodeId) -> bool {
        let span = self.tree.span(node);
        let at = self.template.partition_point(|template| template.end < span.end);
        self.template.get(at).is_some_and(|template| template.start <= span.start)
    }

    fn children(&mut self, node: NodeId, style: &Style) {
        let tree = self.tree;
        let mut at = tree.token(node).span.end;
        for child in tree.children(node) {
            self.gap(at, tree.span(child).start);
            self.node(child, style);
            at = tree.span(child).end;
        }
        self.gap(at, tree.span(node).end);
    }

    /// Trees have no nodes for white space between tags, but it separates words.
    fn gap(&mut self, start: u32, end: u32) {
        let gap = Span { start, end: end.max(start) }.of(self.tree.page());
        self.line.spaced |= gap.starts_with(char::is_whitespace) || gap.ends_with(char::is_whitespace);
    }

    fn text(&mut self, node: NodeId, style: &Style) {
        let span = self.tree.span(node);
        let passed = self.template.partition_point(|template| template.end <= span.start);
        for part in free_parts(span, &self.template[passed..]) {
            self.line.push(&htmlize::unescape(part.of(self.tree.page())), style);
        }
    }

    fn style(&self, node: NodeId, name: &str, outer: &Style) -> Style {
        let mut style = outer.clone();
        match name {
            "a" => style.link = self.address(node, "href").map(Rc::from).or(style.link),
            "b" | "strong" => style.strong = true,
            "em" | "i" | "cite" | "dfn" | "var" => style.emphasis = true,
            "code" | "kbd" | "samp" | "tt" => style.code = true,
            _ => {}
        }
        style
    }

    /// An address that leads somewhere and does nothing.
    fn address(&self, node: NodeId, attribute: &str) -> Option<String> {
        let address = attribute_text(self.tree.attribute(node, attribute)?);
        // A colon before any slash ends a scheme; control characters would hide one from this look.
        let scheme = address.split(['/', '?', '#']).next().and_then(|start| start.split_once(':'));
        let is_safe = scheme.is_none_or(|(scheme, _)| {
            ["http", "https", "mailto", "ftp"].iter().any(|safe| scheme.eq_ignore_ascii_case(safe))
        });
        let is_plain = !address.is_empty() && !address.contains(char::is_control);
        (is_safe && is_plain).then_some(address)
    }

    fn image(&mut self, node: NodeId, style: &Style) {
        let Some(source) = self.address(node, "src") else { return };
        let alternative = self.tree.attribute(node, "alt").map(attribute_text).unwrap_or_default();
        self.line.add(Piece::Image { source, alternative }, style);
    }

    /// Ends the paragraph.
    fn flush(&mut self) {
        let paragraphs = std::mem::take(&mut self.line).paragraphs();
        self.blocks.extend(paragraphs.into_iter().map(Block::Paragraph));
    }

    fn finish(mut self) -> Vec<Block> {
        self.flush();
        self.blocks
    }

    fn block(&mut self, node: NodeId, style: &Style) {
        self.flush();
        self.children(node, style);
        self.flush();
    }

    /// What stands in a node, as blocks of its own.
    fn inside(&self, node: NodeId, style: &Style) -> Vec<Block> {
        let mut inner = Reader { tree: self.tree, template: self.template, blocks: Vec::new(), line: Line::default() };
        inner.children(node, style);
        inner.finish()
    }

    fn push(&mut self, block: Block) {
        self.flush();
        self.blocks.push(block);
    }

    fn heading(&mut self, node: NodeId, style: &Style) {
        let level = self.tree.name(node).as_bytes()[1] - b'0';
        let runs = runs_of(self.inside(node, style));
        if runs.is_empty() {
            return self.flush();
        }
        self.push(Block::Heading(level, runs));
    }

    fn preformatted(&mut self, node: NodeId) {
        let mut text = String::new();
        for inner in self.tree.subtree(node) {
            let span = self.tree.span(inner);
            if self.tree.is_element(inner) {
                text.push_str(if self.tree.name(inner) == "br" { "\n" } else { "" });
                continue;
            }
            let passed = self.template.partition_point(|template| template.end <= span.start);
            let parts = free_parts(span, &self.template[passed..]);
            parts.for_each(|part| text.push_str(&htmlize::unescape(part.of(self.tree.page()))));
        }
        let text = text.trim_matches(['\n', '\r']).trim_end();
        if !text.is_empty() {
            self.push(Block::Preformatted(text.replace("\r\n", "\n")));
        }
    }

    fn list(&mut self, node: NodeId, style: &Style) {
        let mut items: Vec<Vec<Block>> = Vec::new();
        for child in self.tree.children(node) {
            let is_item = self.tree.name(child) == "li";
            let mut inner =
                Reader { tree: self.tree, template: self.template, blocks: Vec::new(), line: Line::default() };
            if is_item && !self.is_template(child) {
                inner.children(child, style);
            } else {
                inner.node(child, style);
            }
            let blocks = inner.finish();
            // What stands between two items, such as a list in a list, belongs to the one before it.
            match items.last_mut().filter(|_| !is_item) {
                Some(before) => before.extend(blocks),
                None if !blocks.is_empty() => items.push(blocks),
                None => {}
            }
        }
        if !items.is_empty() {
            self.push(Block::List { ordered: self.tree.name(node) == "ol", items });
        }
    }

    fn terms(&mut self, node: NodeId, style: &Style) {
        let mut terms = Vec::new();
        for inner in self.tree.elements(node) {
            let is_group = self.tree.name(inner) == "div";
            let members: Vec<NodeId> = if is_group { self.tree.elements(inner).collect() } else { vec![inner] };
            for member in members.into_iter().filter(|&member| !self.is_template(member)) {
                terms.push((self.tree.name(member) == "dt", self.inside(member, style)));
            }
        }
        terms.retain(|(_, blocks)| !blocks.is_empty());
        if !terms.is_empty() {
            self.push(Block::Terms(terms));
        }
    }

    fn quote(&mut self, node: NodeId, style: &Style) {
        let blocks = self.inside(node, style);
        if !blocks.is_empty() {
            self.push(Block::Quote(blocks));
        }
    }

    fn table(&mut self, node: NodeId, style: &Style) {
        let rows: Vec<Vec<(bool, Vec<Block>)>> = self.rows(node).map(|row| self.cells(row, style)).collect();
        let is_line = |(_, blocks): &(bool, Vec<Block>)| matches!(&blocks[..], [] | [Block::Paragraph(_)]);
        let rows: Vec<_> = rows.into_iter().filter(|row| row.iter().any(|(_, blocks)| !blocks.is_empty())).collect();
        let is_table = rows.len() > 1 && rows.iter().any(|row| row.len() > 1) && rows.iter().flatten().all(is_line);
        if !is_table {
            return self.block(node, style);
        }
        let cell = |(heading, blocks)| Cell { heading, runs: runs_of(blocks) };
        self.push(Block::Table(rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()));
    }

    /// The rows of a table, those in `<tbody>` and its like included, those of inner tables not.
    fn rows(&self, table: NodeId) -> impl Iterator<Item = NodeId> + use<'t> {
        let tree = self.tree;
        let parts = tree.elements(table).flat_map(move |part| {
            let inner: Vec<NodeId> = if tree.name(part) == "tr" { vec![part] } else { tree.elements(part).collect() };
            inner
        });
        parts.filter(move |&row| tree.name(row) == "tr")
    }

    fn cells(&self, row: NodeId, style: &Style) -> Vec<(bool, Vec<Block>)> {
        if self.is_template(row) {
            return Vec::new();
        }
        let cells = self.tree.elements(row).filter(|&cell| matches!(self.tree.name(cell), "td" | "th"));
        cells.map(|cell| (self.tree.name(cell) == "th", self.inside(cell, style))).collect()
    }
}

/// All that is written in some blocks, in one line.
fn runs_of(blocks: Vec<Block>) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for block in blocks {
        let runs = match block {
            Block::Heading(_, runs) | Block::Paragraph(runs) => runs,
            Block::Preformatted(text) => vec![Run { piece: Piece::Text(text), style: Style::default() }],
            Block::List { items, .. } => items.into_iter().flat_map(runs_of).collect(),
            Block::Terms(terms) => terms.into_iter().flat_map(|(_, blocks)| runs_of(blocks)).collect(),
            Block::Quote(blocks) => runs_of(blocks),
            Block::Table(rows) => rows.into_iter().flatten().flat_map(|cell| cell.runs).collect(),
        };
        if !all.is_empty() && !runs.is_empty() {
            all.push(Run { piece: Piece::Text(" ".to_owned()), style: Style::default() });
        }
        all.extend(runs);
    }
    all
}

/// A paragraph while it is read.
#[derive(Default)]
struct Line {
    runs: Vec<Run>,
    /// Whether white space stands between what was read and what comes next.
    spaced: bool,
}

impl Line {
    /// Adds text, white space folded.
    fn push(&mut self, text: &str, style: &Style) {
        for word in text.split_inclusive(char::is_whitespace) {
            let letters = word.trim_end();
            if !letters.is_empty() {
                self.push_word(letters, style);
            }
            self.spaced |= letters.len() < word.len();
        }
    }

    fn push_word(&mut self, word: &str, style: &Style) {
        let space = std::mem::take(&mut self.spaced) && self.runs.last().is_some_and(|run| run.piece != Piece::Break);
        let same = self.runs.last().is_some_and(|run| run.style == *style && matches!(run.piece, Piece::Text(_)));
        if !same {
            // A space between two styles belongs to neither: it is plain but for what both share.
            let plain = Style { link: None, strong: false, emphasis: false, code: false };
            if space {
                self.runs.push(Run { piece: Piece::Text(" ".to_owned()), style: self.shared(style).unwrap_or(plain) });
            }
            self.runs.push(Run { piece: Piece::Text(word.to_owned()), style: style.clone() });
            return;
        }
        if let Some(Run { piece: Piece::Text(text), .. }) = self.runs.last_mut() {
            text.push_str(if space { " " } else { "" });
            text.push_str(word);
        }
    }

    /// What the last run and the next have in common.
    fn shared(&self, next: &Style) -> Option<Style> {
        let last = &self.runs.last()?.style;
        Some(Style {
            link: last.link.clone().filter(|link| next.link.as_ref() == Some(link)),
            strong: last.strong && next.strong,
            emphasis: last.emphasis && next.emphasis,
            code: false,
        })
    }

    fn add(&mut self, piece: Piece, style: &Style) {
        if std::mem::take(&mut self.spaced) && !self.runs.is_empty() {
            let style = self.shared(style).unwrap_or_default();
            self.runs.push(Run { piece: Piece::Text(" ".to_owned()), style });
        }
        self.runs.push(Run { piece, style: style.clone() });
    }

    fn end_of_line(&mut self, style: &Style) {
        self.spaced = false;
        self.runs.push(Run { piece: Piece::Break, style: style.clone() });
    }

    /// The paragraphs: two line breaks end one as well as a tag does.
    fn paragraphs(self) -> Vec<Vec<Run>> {
        let mut paragraphs: Vec<Vec<Run>> = vec![Vec::new()];
        let mut breaks: Option<Run> = None;
        for run in self.runs {
            if run.piece == Piece::Break {
                if breaks.replace(run).is_some() {
                    paragraphs.push(Vec::new());
                }
                continue;
            }
            let paragraph = paragraphs.last_mut().expect("there is always one");
            paragraph.extend(breaks.take().filter(|_| !paragraph.is_empty()));
            paragraph.push(run);
        }
        paragraphs.retain(|runs| runs.iter().any(is_seen));
        paragraphs
    }
}

/// Whether a run shows anything.
fn is_seen(run: &Run) -> bool {
    match &run.piece {
        Piece::Text(text) => !is_blank(text),
        Piece::Image { .. } => true,
        Piece::Break => false,
    }
}

/// Calls back for runs that lie next to each other and share something, with what they share.
pub(super) fn shared<'r, T: PartialEq>(runs: &'r [Run], of: impl Fn(&Style) -> T, mut each: impl FnMut(T, &'r [Run])) {
    for group in runs.chunk_by(|one, other| of(&one.style) == of(&other.style)) {
        each(of(&group[0].style), group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: &str) -> Vec<Block> {
        Document::new(page, &[]).blocks
    }

    fn plain(text: &str) -> Run {
        Run { piece: Piece::Text(text.to_owned()), style: Style::default() }
    }

    #[test]
    fn containers_end_paragraphs_and_leave_nothing_else() {
        let expected = ["one", "two three", "four"].map(|text| Block::Paragraph(vec![plain(text)]));
        assert_eq!(read("<div><section>one<div>two\n <span>three</span></div></section>four</div>"), expected);
    }

    #[test]
    fn tables_that_arrange_are_taken_apart() {
        assert!(
            matches!(&read("<table><tr><td>a<td>b<tr><td>c<td>d</table>")[..], [Block::Table(rows)] if rows.len() == 2)
        );
        assert_eq!(read("<table><tr><td>menu<td><p>one<p>two</table>").len(), 3);
        assert_eq!(read("<table><tr><td>alone</table>"), [Block::Paragraph(vec![plain("alone")])]);
    }

    #[test]
    fn lists_in_lists_belong_to_the_item_before_them() {
        let blocks = read("<ul><li>a<ul><li>b</ul><li>c</ul>");
        let [Block::List { items, .. }] = &blocks[..] else { panic!("{blocks:?}") };
        assert_eq!(items.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let blocks = read("<ol><li>a</li><ul><li>b</ul></ol>");
        assert!(matches!(&blocks[..], [Block::List { ordered: true, items }] if items.len() == 1));
    }

    #[test]
    fn addresses_that_run_programs_are_dropped() {
        let link = |page: &str| match &read(page)[..] {
            [Block::Paragraph(runs)] => runs[0].style.link.as_deref().map(str::to_owned),
            other => panic!("{other:?}"),
        };
        assert_eq!(link("<a href='/a:b'>x</a>"), Some("/a:b".to_owned()));
        assert_eq!(link("<a href='HTTPS://a'>x</a>"), Some("HTTPS://a".to_owned()));
        for bad in ["javascript:x()", " JavaScript:x()", "java&#10;script:x()", "&#1;javascript:x", "data:text/html,x"]
        {
            assert_eq!(link(&format!("<a href='{bad}'>x</a>")), None, "{bad}");
        }
    }

    #[test]
    fn template_is_left_out_anywhere() {
        let page = "<p>Story. <b>Read more</b> here</p><ul><li>a<li>b</ul><p>gone</p>";
        let from = |text: &str| Span::new(page.find(text).unwrap(), page.find(text).unwrap() + text.len());
        let document = Document::new(page, &[from("<b>Read more</b> here"), from("<li>a"), from("<p>gone</p>")]);
        let item = vec![Block::Paragraph(vec![plain("b")])];
        let list = Block::List { ordered: false, items: vec![item] };
        assert_eq!(document.blocks, [Block::Paragraph(vec![plain("Story.")]), list]);
    }
}
