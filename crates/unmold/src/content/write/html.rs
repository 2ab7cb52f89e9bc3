//! A page without its template, as HTML that any program reads.
//!
//! ```
//! use unmold::{Span, content::write::html};
//!
//! let page = "<title>Fish</title><div onclick=x()><b>Menu</b></div><div class=a><h2>Fish</h2>Fried <a href=/c>chips";
//! let written = html::content(page, &[Span::new(19, 53)]);
//! assert!(written.ends_with("<body>\n<h2>Fish</h2>\n<p>Fried <a href=\"/c\">chips</a></p>\n</body>\n</html>\n"));
//! ```
//!
//! A small part of HTML is used: headings, paragraphs, lists, tables, quotations, program text,
//! figures, rules, links and pictures. Formulas are TeX between `\\(` and `\\)`. Nothing in it
//! runs, and nothing is copied from the page but text and addresses.

use super::document::{Block, Cell, Code, Document, Layer, Piece, Run, Script, Table, is_code};
use crate::Span;
use std::fmt::Write;

/// The content of a page as a whole HTML file. `template` is sorted and does not overlap.
pub fn content(page: &str, template: &[Span]) -> String {
    written(&Document::new(page, template))
}

/// A document as a whole HTML file.
pub fn written(document: &Document) -> String {
    let mut html =
        String::from("<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>");
    escape(&mut html, &document.title);
    html.push_str("</title>\n</head>\n<body>\n");
    blocks(&mut html, &document.blocks);
    html.push_str("</body>\n</html>\n");
    html
}

fn blocks(html: &mut String, blocks: &[Block]) {
    for block in blocks {
        self::block(html, block);
        html.push('\n');
    }
}

fn block(html: &mut String, block: &Block) {
    match block {
        Block::Heading(level, line) => element(html, &format!("h{level}"), |html| runs(html, line)),
        Block::Paragraph(line) => element(html, "p", |html| runs(html, line)),
        Block::Preformatted(code) => element(html, "pre", |html| listing(html, code)),
        Block::Quote(inner) => lines(html, "blockquote", |html| blocks(html, inner)),
        Block::List { start, items } => list(html, *start, items),
        Block::Terms(terms) => lines(html, "dl", |html| {
            for (is_term, inner) in terms {
                element(html, if *is_term { "dt" } else { "dd" }, |html| {
                    short(html, inner);
                });
                html.push('\n');
            }
        }),
        Block::Table(table) => lines(html, "table", |html| self::table(html, table)),
        Block::Figure {
            blocks: inner,
            caption,
        } => lines(html, "figure", |html| {
            blocks(html, inner);
            element(html, "figcaption", |html| runs(html, caption));
            html.push('\n');
        }),
        Block::Rule => html.push_str("<hr>"),
    }
}

fn listing(html: &mut String, code: &Code) {
    // The first line break behind `<pre>` is not part of the text.
    html.push('\n');
    match &code.language {
        None => escape(html, &code.text),
        Some(language) => {
            html.push_str("<code class=\"language-");
            escape(html, language);
            html.push_str("\">");
            escape(html, &code.text);
            html.push_str("</code>");
        }
    }
}

fn list(html: &mut String, start: Option<u32>, items: &[Vec<Block>]) {
    html.push_str(&match start {
        None => "<ul>\n".to_owned(),
        Some(1) => "<ol>\n".to_owned(),
        Some(start) => format!("<ol start=\"{start}\">\n"),
    });
    for item in items {
        element(html, "li", |html| short(html, item));
        html.push('\n');
    }
    html.push_str(if start.is_some() { "</ol>" } else { "</ul>" });
}

fn table(html: &mut String, table: &Table) {
    if !table.caption.is_empty() {
        element(html, "caption", |html| runs(html, &table.caption));
        html.push('\n');
    }
    for row in &table.rows {
        element(html, "tr", |html| {
            row.iter().for_each(|cell| self::cell(html, cell));
        });
        html.push('\n');
    }
}

fn element(html: &mut String, name: &str, inside: impl FnOnce(&mut String)) {
    html.push('<');
    html.push_str(name);
    html.push('>');
    inside(html);
    html.push_str("</");
    html.push_str(name);
    html.push('>');
}

/// An element whose content begins on a line of its own.
fn lines(html: &mut String, name: &str, inside: impl FnOnce(&mut String)) {
    element(html, name, |html| {
        html.push('\n');
        inside(html);
    });
}

/// What an item holds; a paragraph alone needs no tags.
fn short(html: &mut String, inner: &[Block]) {
    match inner {
        [Block::Paragraph(line)] => runs(html, line),
        // A heading may not stand in a term, nor is it more than its text in an item.
        [Block::Heading(_, line)] => runs(html, line),
        _ => {
            html.push('\n');
            blocks(html, inner);
        }
    }
}

fn cell(html: &mut String, cell: &Cell) {
    let name = if cell.heading { "th" } else { "td" };
    html.push('<');
    html.push_str(name);
    for (attribute, count) in [("colspan", cell.columns), ("rowspan", cell.rows)] {
        html.push_str(&if count > 1 {
            format!(" {attribute}=\"{count}\"")
        } else {
            String::new()
        });
    }
    html.push('>');
    runs(html, &cell.runs);
    html.push_str(&format!("</{name}>"));
}

fn runs(html: &mut String, line: &[Run]) {
    layer(html, line, &Layer::ALL);
}

/// Writes runs, each layer inside the ones before it.
fn layer(html: &mut String, line: &[Run], layers: &[Layer]) {
    let Some((outer, inner)) = layers.split_first() else {
        return line.iter().for_each(|run| piece(html, &run.piece));
    };
    for group in outer.groups(line) {
        match (element_of(*outer, &group[0]), &group[0].style.link) {
            (None, _) => layer(html, group, inner),
            (Some("a"), Some(address)) => {
                html.push_str("<a href=\"");
                escape(html, address);
                html.push_str("\">");
                layer(html, group, inner);
                html.push_str("</a>");
            }
            (Some(name), _) => element(html, name, |html| layer(html, group, inner)),
        }
    }
}

/// The element that runs of a style stand in.
fn element_of(layer: Layer, run: &Run) -> Option<&'static str> {
    let style = &run.style;
    match layer {
        Layer::Link => style.link.as_ref().map(|_| "a"),
        Layer::Strong => style.strong.then_some("strong"),
        Layer::Emphasis => style.emphasis.then_some("em"),
        Layer::Struck => style.struck.then_some("del"),
        Layer::Script => style
            .script
            .map(|script| if script == Script::Sub { "sub" } else { "sup" }),
        Layer::Code => is_code(run).then_some("code"),
    }
}

fn piece(html: &mut String, piece: &Piece) {
    match piece {
        Piece::Text(text) => escape(html, text),
        Piece::Break => html.push_str("<br>\n"),
        Piece::Image {
            source,
            alternative,
        } => {
            html.push_str("<img src=\"");
            escape(html, source);
            html.push_str("\" alt=\"");
            escape(html, alternative);
            html.push_str("\">");
        }
        Piece::Formula { tex, is_displayed } => {
            let (open, close) = if *is_displayed {
                ("\\[", "\\]")
            } else {
                ("\\(", "\\)")
            };
            html.push_str(open);
            escape(html, tex);
            html.push_str(close);
        }
    }
}

fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            // Other control characters are not allowed, not even as numbers.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {
                write!(html, "\u{fffd}").expect("writing to a string");
            }
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::html::visible_text;
    use proptest::prelude::*;

    fn body(page: &str) -> String {
        let html = content(page, &[]);
        html.split_once("<body>\n")
            .unwrap()
            .1
            .strip_suffix("</body>\n</html>\n")
            .unwrap()
            .to_owned()
    }

    #[test]
    fn all_kinds_of_blocks() {
        for (page, expected) in [
            ("<h3>a <b>b</b></h3>", "<h3>a <strong>b</strong></h3>\n"),
            ("<ul><li><p>a</p></ul>", "<ul>\n<li>a</li>\n</ul>\n"),
            (
                "<ol><li>a<p>b</ol>",
                "<ol>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ol>\n",
            ),
            (
                "<dl><dt>a<dd>b</dl>",
                "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n",
            ),
            (
                "<blockquote>a</blockquote>",
                "<blockquote>\n<p>a</p>\n</blockquote>\n",
            ),
            (
                "<pre>a\n  <i>b</i> &lt;</pre>",
                "<pre>\na\n  b &lt;</pre>\n",
            ),
            (
                "<table><tr><th>a<td>b<tr><td>c<td>d</table>",
                "<table>\n<tr><th>a</th><td>b</td></tr>\n<tr><td>c</td><td>d</td></tr>\n</table>\n",
            ),
            (
                "a<br>b<img src=x alt='\"'>",
                "<p>a<br>\nb<img src=\"x\" alt=\"&quot;\"></p>\n",
            ),
            (
                "<a href=/x><b>a</b> <i>b</i></a>",
                "<p><a href=\"/x\"><strong>a</strong> <em>b</em></a></p>\n",
            ),
        ] {
            assert_eq!(body(page), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever the page and wherever it is cut, no tag is left open and no text is lost or
        /// added.
        #[test]
        fn what_is_written_is_well_formed(
            page in "(<(div|p|ul|li|b|i|a href=x|table|tr|td|h1|dl|dt|dd|pre|blockquote|br)>|</(div|p|ul|b|a|table|td|pre)>|[xy ]|&amp;){0,30}",
            cut in (0usize..60, 0usize..20),
        ) {
            let (start, end) = (cut.0.min(page.len()), (cut.0 + cut.1).min(page.len()));
            let template = if start < end { vec![Span::new(start, end)] } else { Vec::new() };
            let written = content(&page, &template);
            let mut open = Vec::new();
            for token in crate::read::html::tokens(&written) {
                let name = token.name.of(&written);
                match token.kind {
                    crate::read::html::Kind::Start if !matches!(name, "br" | "meta" | "img") => open.push(name),
                    crate::read::html::Kind::End => prop_assert_eq!(open.pop(), Some(name)),
                    _ => {}
                }
            }
            prop_assert!(open.is_empty());
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let expected = super::super::text::content(&page, &template);
            // A stray word between the rows of a table is nobody's: browsers move it, trees leave
            // it in the table.
            if !page.contains("<t") && !page.contains("<dl") {
                prop_assert_eq!(letters(&visible_text(&written)), letters(&expected));
            }
        }
    }
}
