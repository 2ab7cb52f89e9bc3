//! Changes as a page for a browser, without scripts and without anything from elsewhere.

use super::{
    content::LineChange,
    site::{PageChange, SiteChanges},
    table::{ChangeRow, What, rows_of},
    words::PieceKind,
};
use std::fmt::Write;

const HEAD: &str = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>What changed</title>\n<style>\n\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\n\
table{border-collapse:collapse;width:100%}td{border-top:1px solid #8886;padding:.3rem .6rem;vertical-align:top}\n\
td:first-child{white-space:nowrap;opacity:.7}del{background:#f443;text-decoration:line-through}\n\
ins{background:#4c43;text-decoration:none}\n</style></head><body>\n";

/// A page that shows all changes; what was there is struck out, what is new is marked.
pub fn written(changes: &SiteChanges) -> String {
    let mut html = HEAD.to_owned();
    let (changed, same) = (changes.pages.len(), changes.unchanged);
    // Writing to a string cannot fail.
    _ = writeln!(html, "<h1>{changed} changed, {same} the same</h1>");
    for page in &changes.pages {
        push_page(&mut html, page);
    }
    html.push_str("</body></html>\n");
    html
}

fn push_page(html: &mut String, page: &PageChange) {
    let name = page.url.as_ref().unwrap_or(&page.page);
    _ = writeln!(html, "<h2>{}</h2>\n<table>", escaped(name));
    let mut lines = page.content.iter();
    for row in rows_of(page) {
        let line = match row.what {
            What::Content => lines.next(),
            What::Page | What::Field | What::Row => None,
        };
        push_row(html, &row, line);
    }
    html.push_str("</table>\n");
}

fn push_row(html: &mut String, row: &ChangeRow, line: Option<&LineChange>) {
    let name = match row.what {
        What::Page | What::Content => row.what.name(),
        What::Field | What::Row => row.name.as_str(),
    };
    _ = write!(html, "<tr><td>{}</td><td>", escaped(name));
    match line.filter(|line| !line.pieces.is_empty()) {
        Some(line) => push_pieces(html, line),
        None => {
            push_marked(html, "del", &row.old);
            push_marked(html, "ins", &row.new);
            if !row.difference.is_empty() {
                _ = write!(html, "({})", escaped(&row.difference));
            }
        }
    }
    html.push_str("</td></tr>\n");
}

fn push_pieces(html: &mut String, line: &LineChange) {
    for piece in &line.pieces {
        match piece.kind {
            PieceKind::Same => _ = write!(html, "{} ", escaped(&piece.text)),
            PieceKind::Gone => push_marked(html, "del", &piece.text),
            PieceKind::New => push_marked(html, "ins", &piece.text),
        }
    }
}

fn push_marked(html: &mut String, element: &str, text: &str) {
    if !text.is_empty() {
        _ = write!(html, "<{element}>{}</{element}> ", escaped(text));
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pages_say_is_shown_as_text() {
        let page = PageChange::of(
            &crate::Text::from_string("<script>", ""),
            crate::changes::site::PageFate::New,
        );
        let changes = SiteChanges {
            pages: vec![page],
            ..SiteChanges::default()
        };
        let html = written(&changes);
        assert!(html.contains("&lt;script&gt;") && !html.contains("<script>"));
    }
}
