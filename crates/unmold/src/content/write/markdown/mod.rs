//! A page without its template, as Markdown.
//!
//! ```
//! use unmold::content::write::markdown;
//!
//! let page = "<h2>Fish</h2><p>Fried, <b>with <a href=/c>chips</a></b>.<ul><li>salt<li>2 * vinegar</ul>";
//! assert_eq!(
//!     markdown::content(page, &[]),
//!     "## Fish\n\nFried, **with** [**chips**](/c).\n\n- salt\n- 2 \\* vinegar\n"
//! );
//! ```
//!
//! It is CommonMark with what GitHub adds: tables, `~~struck~~` words, `$formulas$`. Where Markdown
//! has no words of its own for something it is HTML that GitHub shows: `<sub>`, `<br>` in a cell,
//! `<strong>` where stars would not be read as marks. Characters that would mean something are
//! escaped, so that a reader sees what a reader of the page saw; `tests/markdown.rs` reads it back
//! and compares.

mod escape;
mod inline;

use self::{
    escape::at_line_start,
    inline::{Place, line},
};
use super::{
    document::{Block, Code, Document, Piece, Run, Table, joined},
    table::grid,
};
use crate::Span;

/// The content of a page. `template` is sorted and does not overlap.
pub fn content(page: &str, template: &[Span]) -> String {
    written(&Document::new(page, template))
}

/// A document as Markdown.
pub fn written(document: &Document) -> String {
    let mut writer = Writer::default();
    writer.blocks(&document.blocks);
    writer.text
}

/// Writes lines, each behind the marks of the lists and quotations that it stands in.
#[derive(Default)]
struct Writer {
    text: String,
    /// What every line begins with.
    indent: String,
    /// The mark of an item that has not been written yet; it takes the place of the end of the
    /// indent.
    mark: Option<String>,
    /// The list that was written last, if nothing came behind it: how far it is indented, whether
    /// it is numbered, and whether it has the other mark.
    last_list: Option<(usize, bool, bool)>,
}

impl Writer {
    fn blocks(&mut self, blocks: &[Block]) {
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                self.empty_line();
            }
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        if !matches!(block, Block::List { .. } | Block::Terms(_)) {
            self.last_list = None;
        }
        match block {
            Block::Heading(level, runs) => {
                let line = line(runs, Place::Heading);
                self.line(&format!("{} {line}", "#".repeat(usize::from(*level))));
            }
            Block::Paragraph(runs) => self.paragraph(runs),
            Block::Preformatted(code) => self.fenced(code),
            Block::Quote(inner) => self.inside("> ", |writer| writer.blocks(inner)),
            Block::List { start, items } => self.list(*start, items),
            Block::Terms(terms) => self.terms(terms),
            Block::Table(table) => self.table(table),
            Block::Figure { blocks, caption } => self.figure(blocks, caption),
            // Three dashes would be read as a heading, or as an item of a list with dashes.
            Block::Rule => self.line("***"),
        }
    }

    fn line(&mut self, line: &str) {
        match self.mark.take() {
            Some(mark) => {
                let outer = self.indent.len() - mark.len();
                self.text.push_str(&self.indent[..outer]);
                self.text.push_str(&mark);
            }
            None => self.text.push_str(if line.is_empty() {
                self.indent.trim_end()
            } else {
                &self.indent
            }),
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn lines(&mut self, text: &str) {
        text.split('\n').for_each(|line| self.line(line));
    }

    fn empty_line(&mut self) {
        self.line("");
    }

    fn paragraph(&mut self, runs: &[Run]) {
        self.lines(&at_line_start(&line(runs, Place::Paragraph)));
    }

    fn inside(&mut self, indent: &str, write: impl FnOnce(&mut Self)) {
        let outer = self.indent.len();
        let mark = self.mark.take();
        self.indent.push_str(indent);
        // A quotation that begins an item begins on the line of the item's mark.
        self.mark = mark.map(|mark| mark + indent);
        write(self);
        self.indent.truncate(outer);
        self.last_list = None;
    }

    fn fenced(&mut self, code: &Code) {
        let longest = code
            .text
            .split(|c| c != '`')
            .map(str::len)
            .max()
            .unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        self.line(&format!(
            "{fence}{}",
            code.language.as_deref().unwrap_or_default()
        ));
        // The line break before the fence belongs to the listing.
        self.lines(code.text.strip_suffix('\n').unwrap_or(&code.text));
        self.line(&fence);
    }

    fn list(&mut self, start: Option<u32>, items: &[Vec<Block>]) {
        let is_tight = items.iter().all(|item| is_tight(item));
        let is_ordered = start.is_some();
        // Two lists next to each other would be one if they had the same marks.
        let is_other = self.last_list.take() == Some((self.indent.len(), is_ordered, false));
        for (at, item) in items.iter().enumerate() {
            if at > 0 && !is_tight {
                self.empty_line();
            }
            let number = start.map(|start| start.saturating_add(at as u32).min(999_999_999));
            self.item(&mark(number, is_other), item, is_tight);
        }
        self.last_list = Some((self.indent.len(), is_ordered, is_other));
    }

    fn item(&mut self, mark: &str, item: &[Block], is_tight: bool) {
        let outer = self.indent.len();
        self.indent.push_str(&" ".repeat(mark.len()));
        let before = self.mark.take().unwrap_or_default();
        self.mark = Some(before + mark);
        if is_tight {
            item.iter().for_each(|block| self.block(block));
        } else {
            self.blocks(item);
        }
        self.indent.truncate(outer);
        self.mark = None;
    }

    fn terms(&mut self, terms: &[(bool, Vec<Block>)]) {
        for (at, (is_term, blocks)) in terms.iter().enumerate() {
            if at > 0 {
                self.empty_line();
            }
            match &blocks[..] {
                [Block::Paragraph(runs)] if *is_term => {
                    self.last_list = None;
                    self.paragraph(&with_style(runs, |run| run.style.strong = true));
                }
                blocks => self.blocks(blocks),
            }
        }
    }

    fn table(&mut self, table: &Table) {
        if !table.caption.is_empty() {
            self.paragraph(&table.caption);
            self.empty_line();
        }
        let rows = grid(&table.rows);
        let columns = rows.first().map_or(0, Vec::len);
        if !table.has_header {
            self.line(&format!("|{}", "  |".repeat(columns)));
            self.delimiters(columns);
        }
        for (at, row) in rows.iter().enumerate() {
            let cells = row
                .iter()
                .map(|cell| cell.map_or_else(String::new, |cell| line(&cell.runs, Place::Cell)));
            self.line(&format!("| {} |", cells.collect::<Vec<_>>().join(" | ")));
            if at == 0 && table.has_header {
                self.delimiters(columns);
            }
        }
    }

    fn delimiters(&mut self, columns: usize) {
        self.line(&format!("|{}", " --- |".repeat(columns)));
    }

    /// A caption is stressed, and stands on the line below the pictures.
    fn figure(&mut self, blocks: &[Block], caption: &[Run]) {
        let caption = with_style(caption, |run| run.style.emphasis = !run.style.code);
        if let [Block::Paragraph(runs)] = blocks {
            return self.paragraph(&joined(runs.clone(), caption));
        }
        self.blocks(blocks);
        self.empty_line();
        self.paragraph(&caption);
    }
}

/// Whether the blocks of an item need no empty lines between them.
fn is_tight(item: &[Block]) -> bool {
    match item {
        [_] => true,
        // Only a list that begins with 1 can follow on a paragraph.
        [_, Block::List { start, .. }] => start.is_none_or(|start| start == 1),
        _ => false,
    }
}

fn mark(number: Option<u32>, is_other: bool) -> String {
    match (number, is_other) {
        (Some(number), false) => format!("{number}. "),
        (Some(number), true) => format!("{number}) "),
        (None, false) => "- ".to_owned(),
        (None, true) => "+ ".to_owned(),
    }
}

/// Runs that are all written in some way too.
fn with_style(runs: &[Run], set: impl Fn(&mut Run)) -> Vec<Run> {
    let mut runs = runs.to_vec();
    runs.iter_mut()
        .filter(|run| run.piece != Piece::Break)
        .for_each(set);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(page: &str) -> String {
        content(page, &[])
    }

    #[test]
    fn all_kinds_of_blocks() {
        for (page, expected) in [
            ("<p>a<p>b", "a\n\nb\n"),
            ("a<br>b<br><br>c", "a\\\nb\n\nc\n"),
            (
                "<ol><li>a<ul><li>b<li>c</ul><li>d</ol>",
                "1. a\n   - b\n   - c\n2. d\n",
            ),
            ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b\n"),
            ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c\n"),
            (
                "<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>",
                "- a\n\n+ b\n\n- c\n",
            ),
            ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
            ("<ul><li><blockquote>a</blockquote></ul>", "- > a\n"),
            ("<ul><li><ul><li>a</ul></ul>", "- - a\n"),
            ("<pre>x\n```\n</pre>", "````\nx\n```\n````\n"),
            (
                "<pre class=language-c>\n  x\n\n y</pre>",
                "```c\n  x\n\n y\n```\n",
            ),
            ("<ul><li><pre>x\n y</pre></ul>", "- ```\n  x\n   y\n  ```\n"),
            ("<dl><dt>a<dd>b</dl>", "**a**\n\nb\n"),
            (
                "<img src='a b.png' alt='x [y]'>",
                "![x \\[y\\]](a%20b.png)\n",
            ),
            ("a<hr>b", "a\n\n***\n\nb\n"),
            (
                "<figure><img src=x><figcaption>a <i>b</i></figcaption></figure>",
                "![](x)\\\n*a b*\n",
            ),
            ("", ""),
        ] {
            assert_eq!(markdown(page), expected, "{page}");
        }
    }

    #[test]
    fn tables_have_a_header_and_straight_columns() {
        for (page, expected) in [
            (
                "<tr><th>a<th>b<tr><td>c|d",
                "| a | b |\n| --- | --- |\n| c\\|d |  |\n",
            ),
            (
                "<tr><th>a<td>b<tr><th>c<td>d",
                "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n",
            ),
            (
                "<caption>x</caption><tr><td>a<td>b<tr><td colspan=2>c",
                "x\n\n| a | b |\n| --- | --- |\n| c |  |\n",
            ),
            (
                "<tr><td>a<td>b<tr><td><p>c<p>d<td><code>e|f",
                "| a | b |\n| --- | --- |\n| c<br>d | `e\\|f` |\n",
            ),
        ] {
            assert_eq!(
                markdown(&format!("<table>{page}</table>")),
                expected,
                "{page}"
            );
        }
    }

    #[test]
    fn characters_that_mean_something_are_escaped() {
        for (page, expected) in [
            ("<p># 1", "\\# 1\n"),
            ("<p>1. x", "1\\. x\n"),
            ("<p>1.5 x", "1.5 x\n"),
            ("<p>- x<br>---<br>-1", "\\- x\\\n\\---\\\n-1\n"),
            ("<p>a - b # c 1. d", "a - b # c 1. d\n"),
            ("<p>a*b*_c_ d_e &lt;f>", "a\\*b\\*\\_c\\_ d_e \\<f>\n"),
            ("<p>&amp;lt; & AT&amp;T", "\\&lt; & AT&T\n"),
            ("<p>$5 to $6", "\\$5 to \\$6\n"),
            ("<p>$5", "$5\n"),
            ("wow!<a href=x>y</a>", "wow\\![y](x)\n"),
            ("<h1>C #</h1>", "# C \\#\n"),
            ("<b> a </b>b", "**a** b\n"),
            ("<code>a`b</code>", "`` a`b ``\n"),
        ] {
            assert_eq!(markdown(page), expected, "{page}");
        }
    }

    #[test]
    fn marks_that_would_not_be_read_are_html() {
        for (page, expected) in [
            ("<b>a:</b>b", "<strong>a:</strong>b\n"),
            ("<b>a</b>b", "**a**b\n"),
            ("<i>a</i><b>b</b>", "<em>a</em><strong>b</strong>\n"),
            ("<b>a <i>b</i></b>", "**a *b***\n"),
            ("x<sub>2</sub> <del>y</del>", "x<sub>2</sub> ~~y~~\n"),
            (
                "<math alttext='a|b'></math> <math display=block alttext='\\frac{a}{b}'></math>",
                "$a|b$ $$\\frac{a}{b}$$\n",
            ),
            ("<math alttext='a}'></math>", "`a}`\n"),
        ] {
            assert_eq!(markdown(page), expected, "{page}");
        }
    }
}
