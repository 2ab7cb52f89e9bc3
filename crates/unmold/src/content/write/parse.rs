//! How does a page become a [`Document`](super::document::Document)?
//!
//! By one walk over its tree. Elements that break lines end the paragraph so far; those that format
//! words change the style of what follows; the rest becomes blocks of its kind. What is template is
//! stepped over, and leaves the end of a paragraph or a space behind: words never touch because
//! something between them was cut.
//!
//! Cost: each node is read once. Lists and quotations that are nested deeper than [`MAX_NESTING`]
//! are taken apart, so that what is written stays linear in the page: each line of Markdown begins
//! with a mark for each of them.

use super::{
    address::{Base, address_of},
    code,
    document::{Block, Code, Piece, Run, Script, Style, is_seen, joined, runs_of},
    formula, image,
    line::Line,
    table::{self, Part, ReadCell},
};
use crate::{
    Span,
    read::{
        free_parts,
        html::elements::{breaks_line, heading_level, is_unwritten, stays_in_line},
        tree::{NodeId, Tree},
    },
};
use std::rc::Rc;

/// How many lists and quotations can stand in each other.
const MAX_NESTING: usize = 24;

/// The blocks of a page without its template.
pub(super) fn blocks(
    tree: &Tree<'_>,
    template: &[Span],
    headline: Option<Span>,
    base: &Base,
) -> Vec<Block> {
    let page = Page {
        tree,
        template,
        headline,
        base,
    };
    let mut reader = Reader::new(&page, 0);
    reader.nodes(
        tree.top(),
        Span {
            start: 0,
            end: tree.page().len() as u32,
        },
        &Style::default(),
    );
    without_idle_rules(reader.finish())
}

/// A headline that stands twice at the top, as one of two headings or on the way to the page, is
/// said once.
pub(super) fn without_twin(mut blocks: Vec<Block>) -> Vec<Block> {
    if let [first, second, ..] = &blocks[..]
        && let (Some(one), Some(other)) = (headline_text(first), headline_text(second))
        && one == other
        && (matches!(first, Block::Heading(..)) || matches!(second, Block::Heading(..)))
    {
        let is_second = matches!(first, Block::Heading(1, _));
        blocks.remove(usize::from(is_second));
    }
    blocks
}

/// The letters of a block that may be a headline.
fn headline_text(block: &Block) -> Option<String> {
    let runs = match block {
        Block::Heading(_, runs) | Block::Paragraph(runs) => runs,
        Block::List { items, .. } => match &items[..] {
            [item] if item.len() == 1 => return headline_text(&item[0]),
            _ => return None,
        },
        _ => return None,
    };
    let text = |run: &Run| {
        if let Piece::Text(text) = &run.piece {
            text.clone()
        } else {
            String::new()
        }
    };
    Some(runs.iter().map(text).collect())
}

/// Rules at the ends, or one below the other, part nothing.
fn without_idle_rules(mut blocks: Vec<Block>) -> Vec<Block> {
    blocks.dedup_by(|next, block| *block == Block::Rule && *next == Block::Rule);
    blocks.pop_if(|last| *last == Block::Rule);
    if blocks.first() == Some(&Block::Rule) {
        blocks.remove(0);
    }
    blocks
}

/// What all readers of a page look at.
struct Page<'t> {
    tree: &'t Tree<'t>,
    template: &'t [Span],
    headline: Option<Span>,
    base: &'t Base,
}

impl Page<'_> {
    /// Whether all of a node is template.
    fn is_template(&self, node: NodeId) -> bool {
        let span = self.tree.span(node);
        let at = self
            .template
            .partition_point(|template| template.end < span.end);
        self.template
            .get(at)
            .is_some_and(|template| template.start <= span.start)
    }
}

struct Reader<'t> {
    page: &'t Page<'t>,
    tree: &'t Tree<'t>,
    blocks: Vec<Block>,
    /// The paragraph so far.
    line: Line,
    /// What is said below the figure that is read, if one is.
    caption: Option<Vec<Run>>,
    /// How many lists and quotations this stands in.
    nesting: usize,
    /// How many formulas and pictures have been read.
    formulas: usize,
    images: usize,
}

impl<'t> Reader<'t> {
    fn new(page: &'t Page<'t>, nesting: usize) -> Self {
        let (blocks, line) = (Vec::new(), Line::default());
        Reader {
            page,
            tree: page.tree,
            blocks,
            line,
            caption: None,
            nesting,
            formulas: 0,
            images: 0,
        }
    }

    fn node(&mut self, node: NodeId, style: &Style) {
        let name = self.tree.name(node);
        if name == "br" {
            return self.line.end_of_line();
        }
        if self.page.is_template(node) {
            return self.cut(node);
        }
        match name {
            "" => self.text(node, style),
            name if is_unwritten(name) => {}
            "img" => self.image(node, style),
            "math" | "script" => self.formula(node, style),
            "hr" => self.push(Block::Rule),
            "pre" => self.preformatted(node),
            "ul" | "ol" | "menu" if self.nesting < MAX_NESTING => self.list(node, style),
            "blockquote" if self.nesting < MAX_NESTING => self.quote(node, style),
            "dl" => self.terms(node, style),
            "table" => self.table(node, style),
            "figure" => self.figure(node, style),
            "figcaption" if self.caption.is_some() => self.figure_caption(node, style),
            name if heading_level(name).is_some() => self.heading(node, style),
            name if breaks_line(name) && !stays_in_line(name) => self.block(node, style),
            name => {
                let style = self.style(node, name, style);
                self.children(node, &style);
            }
        }
    }

    /// Steps over template. Words before and behind it do not touch.
    fn cut(&mut self, node: NodeId) {
        let name = self.tree.name(node);
        if self.tree.is_element(node) && breaks_line(name) && !stays_in_line(name) {
            self.flush();
        } else if self.tree.texts(node).next().is_some() {
            self.line.space();
        }
    }

    fn children(&mut self, node: NodeId, style: &Style) {
        let inside = Span {
            start: self.tree.token(node).span.end,
            end: self.tree.span(node).end,
        };
        self.nodes(self.tree.children(node), inside, style);
    }

    /// Reads nodes that stand next to each other.
    fn nodes(&mut self, nodes: impl Iterator<Item = NodeId>, around: Span, style: &Style) {
        let mut at = around.start;
        let (mut is_said, mut is_shown) = (false, false);
        for node in nodes {
            let span = self.tree.span(node);
            self.gap(at, span.start);
            let (formulas, images) = (self.formulas, self.images);
            let is_again = is_said && formula::is_drawing(self.tree, node)
                || is_shown && self.is_stand_in(node);
            if !is_again {
                self.node(node, style);
            }
            (is_said, is_shown) = (self.formulas > formulas, self.images > images);
            at = span.end;
        }
        self.gap(at, around.end);
    }

    /// Whether a node is there for readers without scripts only, and says nothing.
    fn is_stand_in(&self, node: NodeId) -> bool {
        self.tree.name(node) == "noscript" && self.tree.texts(node).next().is_none()
    }

    /// Trees have no nodes for white space between tags, but it separates words.
    fn gap(&mut self, start: u32, end: u32) {
        let gap = Span {
            start,
            end: end.max(start),
        }
        .of(self.tree.page());
        let is_spaced = gap.starts_with(char::is_whitespace) || gap.ends_with(char::is_whitespace);
        if is_spaced || gap.contains("&nbsp;") || gap.contains("&#160;") {
            self.line.space();
        }
    }

    fn text(&mut self, node: NodeId, style: &Style) {
        let span = self.tree.span(node);
        let passed = self
            .page
            .template
            .partition_point(|template| template.end <= span.start);
        for part in free_parts(span, &self.page.template[passed..]) {
            self.line
                .push(&htmlize::unescape(part.of(self.tree.page())), style);
        }
        self.line.is_headline |= self
            .page
            .headline
            .is_some_and(|line| span.start < line.end && line.start < span.end);
    }

    fn style(&self, node: NodeId, name: &str, outer: &Style) -> Style {
        let mut style = outer.clone();
        match name {
            "a" => {
                style.link = address_of(self.tree, node, "href", self.page.base)
                    .map(Rc::from)
                    .or(style.link);
            }
            "b" | "strong" => style.strong = true,
            "em" | "i" | "cite" | "dfn" | "var" => style.emphasis = true,
            "del" | "s" | "strike" => style.struck = true,
            "sub" => style.script = Some(Script::Sub),
            "sup" => style.script = Some(Script::Super),
            "code" | "kbd" | "samp" | "tt" => style.code = true,
            _ => {}
        }
        style
    }

    fn image(&mut self, node: NodeId, style: &Style) {
        if image::is_spacer(self.tree, node) {
            return;
        }
        let Some(source) = image::source(self.tree, node, self.page.base) else {
            return;
        };
        let alternative = image::alternative(self.tree, node);
        self.images += 1;
        self.line.add(
            Piece::Image {
                source,
                alternative,
            },
            style,
        );
    }

    /// A formula, as TeX if the page says so, or else the words in it.
    fn formula(&mut self, node: NodeId, style: &Style) {
        if let Some(formula) = formula::formula(self.tree, node) {
            self.formulas += 1;
            self.line.add(formula, style);
        } else if self.tree.name(node) == "math" {
            self.line.push(&formula::words(self.tree, node), style);
        }
    }

    /// Ends the paragraph.
    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_headline = line.is_headline;
        let mut paragraphs = line.paragraphs();
        if is_headline && self.nesting == 0 && paragraphs.len() == 1 {
            self.blocks
                .extend(paragraphs.pop().map(|runs| Block::Heading(1, runs)));
        }
        self.blocks
            .extend(paragraphs.into_iter().map(Block::Paragraph));
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

    /// What a part of the page holds, as blocks of its own.
    fn inside(&mut self, nesting: usize, read: impl FnOnce(&mut Reader<'t>)) -> Vec<Block> {
        let mut inner = Reader::new(self.page, self.nesting + nesting);
        read(&mut inner);
        self.formulas += inner.formulas;
        self.images += inner.images;
        inner.finish()
    }

    fn push(&mut self, block: Block) {
        self.flush();
        // Listings with numbered lines are two: the numbers stand before the lines.
        if let (Some(Block::Preformatted(last)), Block::Preformatted(code)) =
            (self.blocks.last(), &block)
            && code::counts_lines(last, code)
        {
            self.blocks.pop();
        }
        self.blocks.push(block);
    }

    fn heading(&mut self, node: NodeId, style: &Style) {
        let level = heading_level(self.tree.name(node)).unwrap_or(1);
        let mut runs = runs_of(self.inside(0, |inner| inner.children(node, style)));
        runs.retain(|run| !is_anchor(run));
        let last = runs.iter().rposition(is_seen).map_or(0, |last| last + 1);
        runs.truncate(last);
        self.flush();
        if !runs.is_empty() {
            self.push(Block::Heading(level, runs));
        }
    }

    fn preformatted(&mut self, node: NodeId) {
        let code: Option<Code> = code::listing(self.tree, node, self.page.template);
        self.flush();
        if let Some(code) = code {
            self.push(Block::Preformatted(code));
        }
    }

    fn list(&mut self, node: NodeId, style: &Style) {
        let mut items: Vec<Vec<Block>> = Vec::new();
        for child in self.tree.children(node) {
            let is_item = self.tree.name(child) == "li";
            let is_whole = is_item && !self.page.is_template(child);
            let blocks = self.inside(1, |inner| {
                if is_whole {
                    inner.children(child, style);
                } else {
                    inner.node(child, style);
                }
            });
            // What stands between two items, such as a list in a list, belongs to the one before
            // it.
            match items.last_mut().filter(|_| !is_item) {
                Some(before) => before.extend(blocks),
                None if !blocks.is_empty() => items.push(blocks),
                None => {}
            }
        }
        self.flush();
        if !items.is_empty() {
            self.push(Block::List {
                start: self.first_number(node),
                items,
            });
        }
    }

    /// The number of the first item of a list that is numbered.
    fn first_number(&self, list: NodeId) -> Option<u32> {
        if self.tree.name(list) != "ol" {
            return None;
        }
        let first = self.tree.elements(list).next();
        let value = first.and_then(|item| self.tree.attribute(item, "value"));
        let written = value.or_else(|| self.tree.attribute(list, "start"));
        // Nine digits are as many as Markdown reads.
        Some(
            written
                .and_then(|number| number.trim().parse().ok())
                .filter(|&number| number < 1_000_000_000)
                .unwrap_or(1),
        )
    }

    fn terms(&mut self, node: NodeId, style: &Style) {
        let mut terms = Vec::new();
        for inner in self.tree.elements(node) {
            let is_group = self.tree.name(inner) == "div";
            let mut members: Vec<NodeId> = if is_group {
                self.tree.elements(inner).collect()
            } else {
                vec![inner]
            };
            members.retain(|&member| !self.page.is_template(member));
            for member in members {
                let is_term = self.tree.name(member) == "dt";
                terms.push((
                    is_term,
                    self.inside(0, |inner| inner.children(member, style)),
                ));
            }
        }
        terms.retain(|(_, blocks)| !blocks.is_empty());
        self.flush();
        if !terms.is_empty() {
            self.push(Block::Terms(terms));
        }
    }

    fn quote(&mut self, node: NodeId, style: &Style) {
        let blocks = self.inside(1, |inner| inner.children(node, style));
        self.flush();
        if !blocks.is_empty() {
            self.push(Block::Quote(blocks));
        }
    }

    fn figure(&mut self, node: NodeId, style: &Style) {
        let mut caption = Vec::new();
        let blocks = self.inside(0, |inner| {
            inner.caption = Some(Vec::new());
            inner.children(node, style);
            caption = inner.caption.take().unwrap_or_default();
        });
        self.flush();
        match (blocks.is_empty(), caption.is_empty()) {
            (false, false) => self.push(Block::Figure { blocks, caption }),
            (true, false) => self.push(Block::Paragraph(caption)),
            (_, true) => blocks.into_iter().for_each(|block| self.push(block)),
        }
    }

    fn figure_caption(&mut self, node: NodeId, style: &Style) {
        let runs = runs_of(self.inside(0, |inner| inner.children(node, style)));
        self.flush();
        self.caption = self.caption.take().map(|before| joined(before, runs));
    }

    fn table(&mut self, node: NodeId, style: &Style) {
        let mut parts = Vec::new();
        self.table_parts(node, style, &mut parts);
        self.flush();
        table::table(parts)
            .into_iter()
            .for_each(|block| self.push(block));
    }

    /// The rows of a table, those in `<tbody>` and its like included, and what else stands in it.
    fn table_parts(&mut self, node: NodeId, style: &Style, parts: &mut Vec<Part>) {
        let page = self.page;
        for child in self
            .tree
            .children(node)
            .filter(|&child| !page.is_template(child))
        {
            match self.tree.name(child) {
                "tr" => self.row(child, style, parts),
                "thead" | "tbody" | "tfoot" => self.table_parts(child, style, parts),
                "caption" => parts.push(Part::Caption(
                    self.inside(0, |inner| inner.children(child, style)),
                )),
                _ => self.stray(child, style, parts),
            }
        }
    }

    fn row(&mut self, row: NodeId, style: &Style, parts: &mut Vec<Part>) {
        let mut cells = Vec::new();
        for child in self.tree.children(row) {
            if !matches!(self.tree.name(child), "td" | "th") {
                self.stray(child, style, parts);
                continue;
            }
            let blocks = self.inside(0, |inner| inner.children(child, style));
            cells.push(ReadCell::new(self.tree, child, blocks));
        }
        parts.push(Part::Row(cells));
    }

    fn stray(&mut self, node: NodeId, style: &Style, parts: &mut Vec<Part>) {
        let blocks = self.inside(0, |inner| inner.node(node, style));
        if !blocks.is_empty() {
            parts.push(Part::Stray(blocks));
        }
    }
}

/// Whether a run is a sign beside a heading that leads to the heading itself.
fn is_anchor(run: &Run) -> bool {
    let leads_here = run
        .style
        .link
        .as_ref()
        .is_some_and(|link| link.contains('#'));
    leads_here && matches!(&run.piece, Piece::Text(text) if !text.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::write::{document::Document, source::Source};

    fn read(page: &str) -> Vec<Block> {
        Document::new(page, &[]).blocks
    }

    fn plain(text: &str) -> Run {
        Run {
            piece: Piece::Text(text.to_owned()),
            style: Style::default(),
        }
    }

    #[test]
    fn containers_end_paragraphs_and_leave_nothing_else() {
        let expected = ["one", "two three", "four"].map(|text| Block::Paragraph(vec![plain(text)]));
        assert_eq!(
            read("<div><section>one<div>two\n <span>three</span></div></section>four</div>"),
            expected
        );
        assert_eq!(
            read("one <script>x</script>two"),
            [Block::Paragraph(vec![plain("one two")])]
        );
        assert_eq!(
            read("one<i>&nbsp;</i>two<button></button>s"),
            [Block::Paragraph(vec![plain("one twos")])]
        );
    }

    #[test]
    fn tables_that_arrange_are_taken_apart() {
        let blocks = read("<table><tr><td>a<td>b<tr><td>c<td>d</table>");
        assert!(matches!(&blocks[..], [Block::Table(table)] if table.rows.len() == 2));
        assert_eq!(read("<table><tr><td>menu<td><p>one<p>two</table>").len(), 3);
        assert_eq!(
            read("<table><tr><td>alone</table>"),
            [Block::Paragraph(vec![plain("alone")])]
        );
    }

    /// Each table would be read once as a table and once more as what it arranges, and so on inside
    /// it.
    #[test]
    fn tables_in_tables_are_read_once() {
        let page = "<table><tr><td>".repeat(200) + "x" + &"</table>".repeat(200);
        assert_eq!(read(&page), [Block::Paragraph(vec![plain("x")])]);
    }

    #[test]
    fn lists_in_lists_belong_to_the_item_before_them() {
        let blocks = read("<ul><li>a<ul><li>b</ul><li>c</ul>");
        let [Block::List { items, .. }] = &blocks[..] else {
            panic!("{blocks:?}")
        };
        assert_eq!(items.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let blocks = read("<ol><li>a</li><ul><li>b</ul></ol>");
        assert!(matches!(&blocks[..], [Block::List { start: Some(1), items }] if items.len() == 1));
    }

    #[test]
    fn lists_are_nested_as_deep_as_they_can_be_written() {
        let page = "<ul><li>x".repeat(300);
        let mut blocks = read(&page);
        let mut depth = 0;
        while let Some(Block::List { items, .. }) = blocks.pop() {
            blocks = items.into_iter().flatten().collect();
            depth += 1;
        }
        assert_eq!(depth, MAX_NESTING);
    }

    #[test]
    fn template_is_left_out_anywhere() {
        let page = "<p>Story. <b>Read more</b> here</p><ul><li>a<li>b</ul><p>gone</p>";
        let from = |text: &str| {
            Span::new(
                page.find(text).unwrap(),
                page.find(text).unwrap() + text.len(),
            )
        };
        let document = Document::new(
            page,
            &[
                from("<b>Read more</b> here"),
                from("<li>a"),
                from("<p>gone</p>"),
            ],
        );
        let item = vec![Block::Paragraph(vec![plain("b")])];
        let list = Block::List {
            start: None,
            items: vec![item],
        };
        assert_eq!(
            document.blocks,
            [Block::Paragraph(vec![plain("Story.")]), list]
        );
    }

    #[test]
    fn words_never_touch_because_of_what_was_cut() {
        let page = "<p>a<b>x</b>b<div>y</div>c";
        let cut = |text: &str| {
            Span::new(
                page.find(text).unwrap(),
                page.find(text).unwrap() + text.len(),
            )
        };
        let blocks = Document::new(page, &[cut("<b>x</b>"), cut("<div>y</div>")]).blocks;
        assert_eq!(
            blocks,
            [
                Block::Paragraph(vec![plain("a b")]),
                Block::Paragraph(vec![plain("c")])
            ]
        );
    }

    #[test]
    fn a_headline_is_a_heading_once() {
        let page = "<div>Fish</div><p>a";
        let source = Source::new(page, &[]).headline(Some(Span::new(5, 9)));
        assert_eq!(
            source.document().blocks[0],
            Block::Heading(1, vec![plain("Fish")])
        );
        let blocks = without_twin(read("<ul><li>Fish</ul><h1>Fish</h1><p>a"));
        assert!(matches!(
            &blocks[..],
            [Block::Heading(1, _), Block::Paragraph(_)]
        ));
    }

    #[test]
    fn what_draws_a_formula_again_is_left_out() {
        let page = "<p>a <span><span><math alttext='x'><mi>x</mi></math></span><span aria-hidden=true>x</span></span> b";
        let formula = Piece::Formula {
            tex: "x".to_owned(),
            is_displayed: false,
        };
        let blocks = read(page);
        assert!(
            matches!(&blocks[..], [Block::Paragraph(runs)] if runs.len() == 5 && runs[2].piece == formula)
        );
    }

    #[test]
    fn signs_beside_headings_are_left_out() {
        assert_eq!(
            read("<h2>Fish <a href=#fish>¶</a></h2>"),
            [Block::Heading(2, vec![plain("Fish")])]
        );
    }
}
