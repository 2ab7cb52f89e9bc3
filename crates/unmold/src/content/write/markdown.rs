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
//! It is CommonMark with the tables of GitHub. Characters that would mean something are escaped, so that a reader sees
//! what a reader of the page saw.

use super::document::{Block, Cell, Document, Piece, Run, shared};
use crate::Span;

/// The content of a page. `template` is sorted and does not overlap.
pub fn content(page: &str, template: &[Span]) -> String {
    let mut writer = Writer::default();
    writer.blocks(&Document::new(page, template).blocks);
    writer.text
}

/// Writes lines, each behind the marks of the lists and quotations that it stands in.
#[derive(Default)]
struct Writer {
    text: String,
    /// What every line begins with.
    indent: String,
    /// The mark of an item that has not been written yet; it takes the place of the end of the indent.
    mark: Option<String>,
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
        match block {
            Block::Heading(level, runs) => {
                let line = line(runs).replace('\n', " ");
                self.line(&format!("{} {line}", "#".repeat(usize::from(*level))));
            }
            Block::Paragraph(runs) => self.lines(&at_line_start(&line(runs))),
            Block::Preformatted(text) => self.fenced(text),
            Block::Quote(inner) => self.inside("> ", |writer| writer.blocks(inner)),
            Block::List { ordered, items } => self.list(*ordered, items),
            Block::Terms(terms) => self.terms(terms),
            Block::Table(rows) => self.table(rows),
        }
    }

    fn line(&mut self, line: &str) {
        match self.mark.take() {
            Some(mark) => {
                let outer = self.indent.len() - mark.len();
                self.text.push_str(&self.indent[..outer]);
                self.text.push_str(&mark);
            }
            None => self.text.push_str(if line.is_empty() { self.indent.trim_end() } else { &self.indent }),
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

    fn inside(&mut self, indent: &str, write: impl FnOnce(&mut Self)) {
        let outer = self.indent.len();
        let mark = self.mark.take();
        self.indent.push_str(indent);
        // A quotation that begins an item begins on the line of the item's mark.
        self.mark = mark.map(|mark| mark + indent);
        write(self);
        self.indent.truncate(outer);
    }

    fn fenced(&mut self, text: &str) {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        self.line(&fence);
        self.lines(text);
        self.line(&fence);
    }

    fn list(&mut self, ordered: bool, items: &[Vec<Block>]) {
        let is_tight = items.iter().all(|item| matches!(&item[..], [_] | [_, Block::List { .. }]));
        for (at, item) in items.iter().enumerate() {
            if at > 0 && !is_tight {
                self.empty_line();
            }
            let mark = if ordered { format!("{}. ", at + 1) } else { "- ".to_owned() };
            self.item(&mark, item, is_tight);
        }
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
                [Block::Paragraph(runs)] if *is_term => self.lines(&marked("**", &line(&plain(runs)))),
                blocks => self.blocks(blocks),
            }
        }
    }

    fn table(&mut self, rows: &[Vec<Cell>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        for (at, row) in rows.iter().enumerate() {
            let cell = |column: usize| row.get(column).map_or_else(String::new, |cell| in_cell(&line(&cell.runs)));
            let cells: Vec<String> = (0..columns).map(cell).collect();
            self.line(&format!("| {} |", cells.join(" | ")));
            if at == 0 {
                self.line(&format!("|{}", " --- |".repeat(columns)));
            }
        }
    }
}

/// Runs whose weight says nothing, because all of them are set in bold type anyway.
fn plain(runs: &[Run]) -> Vec<Run> {
    let mut runs = runs.to_vec();
    runs.iter_mut().for_each(|run| run.style.strong = false);
    runs
}

fn in_cell(line: &str) -> String {
    line.replace("\\\n", "<br>").replace('\n', " ").replace('|', "\\|")
}

fn line(runs: &[Run]) -> String {
    let mut all = String::new();
    shared(
        runs,
        |style| style.link.clone(),
        |link, runs| match link {
            None => all.push_str(&strong(runs)),
            Some(address) => {
                let text = strong(runs);
                let (before, inside, after) = trimmed(&text);
                all.push_str(&format!("{before}[{inside}]({}){after}", destination(&address)));
            }
        },
    );
    all
}

fn strong(runs: &[Run]) -> String {
    let mut all = String::new();
    shared(
        runs,
        |style| style.strong,
        |is_strong, runs| {
            all.push_str(&if is_strong { marked("**", &emphasis(runs)) } else { emphasis(runs) });
        },
    );
    all
}

fn emphasis(runs: &[Run]) -> String {
    let mut all = String::new();
    shared(
        runs,
        |style| style.emphasis,
        |is_stressed, runs| {
            all.push_str(&if is_stressed { marked("*", &code(runs)) } else { code(runs) });
        },
    );
    all
}

fn code(runs: &[Run]) -> String {
    let mut all = String::new();
    shared(
        runs,
        |style| style.code,
        |is_code, runs| {
            if is_code {
                let text: String =
                    runs.iter().map(|run| if let Piece::Text(text) = &run.piece { text } else { " " }).collect();
                let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let (fence, pad) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
                all.push_str(&format!("{fence}{pad}{text}{pad}{fence}"));
            } else {
                runs.iter().for_each(|run| piece(&mut all, &run.piece));
            }
        },
    );
    all
}

fn piece(all: &mut String, piece: &Piece) {
    match piece {
        Piece::Text(text) => escape(all, text),
        Piece::Break => all.push_str("\\\n"),
        Piece::Image { source, alternative } => {
            all.push_str("![");
            escape(all, alternative);
            all.push_str(&format!("]({})", destination(source)));
        }
    }
}

/// Puts marks around text, with the spaces at its ends outside of them, where they have to be.
fn marked(mark: &str, text: &str) -> String {
    let (before, inside, after) = trimmed(text);
    if inside.is_empty() { text.to_owned() } else { format!("{before}{mark}{inside}{mark}{after}") }
}

fn trimmed(text: &str) -> (&str, &str, &str) {
    let inside = text.trim();
    let start = text.len() - text.trim_start().len();
    (&text[..start], inside, &text[start + inside.len()..])
}

fn destination(address: &str) -> String {
    let needs_brackets = address.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>'));
    if !needs_brackets {
        return address.to_owned();
    }
    format!("<{}>", address.replace('<', "%3C").replace('>', "%3E"))
}

fn escape(all: &mut String, text: &str) {
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<') {
            all.push('\\');
        }
        all.push(c);
    }
}

/// Escapes what means a heading, an item or a quotation at the beginning of a line, and nothing elsewhere.
fn at_line_start(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped_start).collect();
    lines.join("\n")
}

fn escaped_start(line: &str) -> String {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_number = (1..=9).contains(&digits) && line[digits..].starts_with(['.', ')']);
    if is_number {
        return format!("{}\\{}", &line[..digits], &line[digits..]);
    }
    let means_something = line.starts_with(['#', '>', '+', '-', '=', '~', '|']);
    if means_something { format!("\\{line}") } else { line.to_owned() }
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
            ("<ol><li>a<ul><li>b<li>c</ul><li>d</ol>", "1. a\n   - b\n   - c\n2. d\n"),
            ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c\n"),
            ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
            ("<ul><li><blockquote>a</blockquote></ul>", "- > a\n"),
            ("<ul><li><ul><li>a</ul></ul>", "- - a\n"),
            ("<pre>x\n```\n</pre>", "````\nx\n```\n````\n"),
            ("<table><tr><th>a<th>b<tr><td>c|d</table>", "| a | b |\n| --- | --- |\n| c\\|d |  |\n"),
            ("<dl><dt>a<dd>b</dl>", "**a**\n\nb\n"),
            ("<img src='a b.png' alt='x [y]'>", "![x \\[y\\]](<a b.png>)\n"),
            ("", ""),
        ] {
            assert_eq!(markdown(page), expected, "{page}");
        }
    }

    #[test]
    fn characters_that_mean_something_are_escaped() {
        for (page, expected) in [
            ("<p># 1", "\\# 1\n"),
            ("<p>1. x", "1\\. x\n"),
            ("<p>a - b # c 1. d", "a - b # c 1. d\n"),
            ("<p>a*b*_c_ &lt;d>", "a\\*b\\*\\_c\\_ \\<d>\n"),
            ("<b> a </b>b", "**a** b\n"),
            ("<code>a`b</code>", "`` a`b ``\n"),
        ] {
            assert_eq!(markdown(page), expected, "{page}");
        }
    }
}
