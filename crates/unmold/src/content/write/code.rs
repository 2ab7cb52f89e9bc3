//! What does a listing say, to the byte?
//!
//! Everything in a `<pre>` counts, but for the first line break, which browsers drop too. Programs
//! that colour listings put words into elements, and some put lines into elements without a line
//! break between them:
//!
//! - elements that break lines begin lines, and `<br>` ends one;
//! - elements of one kind right behind each other are lines, if they are all there is and hold no
//!   line break;
//! - numbers that count lines are no part of the listing, and neither are buttons.
//!
//! Cost: linear in the listing.

use super::document::Code;
use crate::{
    Span,
    read::{
        free_parts,
        html::{
            self, Kind, Token,
            elements::{begins_line_of_code, is_control, is_void},
        },
        tree::{NodeId, Tree},
    },
};
use std::ops::Range;

/// The listing that a `<pre>` holds; `None` if nothing stands in it.
pub(super) fn listing(tree: &Tree<'_>, pre: NodeId, template: &[Span]) -> Option<Code> {
    let text = characters(tree.page(), tree.span(pre), template);
    (!text.trim().is_empty()).then(|| Code {
        language: language(tree, pre),
        text,
    })
}

/// The characters of a `<pre>` without its template.
pub(super) fn characters(page: &str, pre: Span, template: &[Span]) -> String {
    let source = pre.of(page);
    let tokens: Vec<Token> = html::tokens(source)
        .filter(|token| token.kind != Kind::Comment)
        .collect();
    let mut reader = Reader {
        lines: line_elements(source, &tokens),
        ..Reader::default()
    };
    let template = &template[template.partition_point(|span| span.end <= pre.start)..];
    let mut at = 1;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        let name = token.name.of(source);
        match token.kind {
            Kind::Text => {
                let shifted = Span {
                    start: pre.start + token.span.start,
                    end: pre.start + token.span.end,
                };
                let passed = template.partition_point(|span| span.end <= shifted.start);
                let parts = free_parts(shifted, &template[passed..]).map(|part| part.of(page));
                parts.for_each(|part| reader.push(&htmlize::unescape(part), at == 2));
            }
            Kind::Start if is_control(name) => at = reader.behind_control(source, &tokens, at),
            Kind::Start => reader.start(name),
            Kind::End => reader.end(name),
            _ => {}
        }
    }
    reader.finish()
}

/// A listing while it is read.
#[derive(Default)]
struct Reader {
    text: String,
    /// Whether what comes next begins a line.
    is_ended: bool,
    /// Whether elements this deep are lines, by what [`line_elements`] says.
    lines: Option<usize>,
    depth: usize,
    /// Where the last text stands, if it is all that its element holds so far.
    alone: Option<Range<usize>>,
    /// Numbers at the beginning of lines that are an element of their own.
    numbers: Vec<Range<usize>>,
    /// Whether no control ends from here on.
    no_control_ends: bool,
}

impl Reader {
    fn push(&mut self, text: &str, is_first: bool) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = if is_first {
            text.strip_prefix('\n').unwrap_or(&text)
        } else {
            &text
        };
        let is_on_line =
            !self.text.is_empty() && !self.text.ends_with('\n') && !text.starts_with('\n');
        if std::mem::take(&mut self.is_ended) && is_on_line {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.alone = self.alone.take().map(|_| start..self.text.len());
    }

    fn start(&mut self, name: &str) {
        match name {
            "br" | "BR" => self.text.push('\n'),
            name => self.is_ended |= begins_line_of_code(name),
        }
        if !is_void(name) {
            self.depth += 1;
            self.alone = Some(0..0);
        }
    }

    fn end(&mut self, name: &str) {
        self.is_ended |= begins_line_of_code(name) || self.lines == Some(self.depth);
        self.depth = self.depth.saturating_sub(1);
        let number = self.alone.take().filter(|range| {
            let is_at_start = range.start == 0 || self.text[..range.start].ends_with('\n');
            is_at_start && number(&self.text[range.clone()]).is_some()
        });
        self.numbers.extend(number);
    }

    /// The place of the first token behind a control whose start tag stands before `at`.
    fn behind_control(&mut self, source: &str, tokens: &[Token], at: usize) -> usize {
        if self.no_control_ends {
            return at;
        }
        let is_end = |token: &Token| token.kind == Kind::End && is_control(token.name.of(source));
        let end = tokens[at..].iter().position(is_end);
        self.no_control_ends = end.is_none();
        end.map_or(at, |end| at + end + 1)
    }

    fn finish(mut self) -> String {
        let lines = self
            .text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .count();
        if self.numbers.len() > 1
            && self.numbers.len() == lines
            && counts(self.numbers.iter().map(|at| &self.text[at.clone()]))
        {
            for range in self.numbers.into_iter().rev() {
                self.text.replace_range(range, "");
            }
        }
        self.text
    }
}

/// How deep elements are that hold a line each, if a listing is made of such: all of one kind,
/// nothing between them, and no line break in any.
fn line_elements(source: &str, tokens: &[Token]) -> Option<usize> {
    let is_named = |token: &Token, name: &str| token.name.of(source).eq_ignore_ascii_case(name);
    let is_wrapped = tokens
        .get(1)
        .is_some_and(|token| token.kind == Kind::Start && is_named(token, "code"))
        && tokens
            .iter()
            .filter(|token| token.kind == Kind::Start && is_named(token, "code"))
            .count()
            == 1;
    let level = if is_wrapped { 2 } else { 1 };
    let (mut depth, mut kinds) = (0usize, Vec::new());
    for token in &tokens[1.min(tokens.len())..] {
        match token.kind {
            Kind::Start if is_named(token, "br") => return None,
            Kind::Start if !is_void(token.name.of(source)) => {
                depth += 1;
                let kind = || {
                    (
                        token.name.of(source),
                        html::attribute(source, *token, "class"),
                    )
                };
                kinds.extend((depth == level).then(kind));
            }
            Kind::End => depth = depth.saturating_sub(1),
            Kind::Text if depth < level || token.span.of(source).contains('\n') => return None,
            _ => {}
        }
    }
    (kinds.len() > 1 && kinds.iter().all(|kind| *kind == kinds[0])).then_some(level)
}

/// Whether a listing is nothing but the numbers of the lines of another.
pub(super) fn counts_lines(numbers: &Code, listing: &Code) -> bool {
    let lines = |code: &Code| code.text.trim_end().lines().count();
    lines(numbers).abs_diff(lines(listing)) <= 1 && counts(numbers.text.split_whitespace())
}

/// Whether texts are numbers, each one more than the last.
fn counts<'t>(mut texts: impl Iterator<Item = &'t str>) -> bool {
    let Some(first) = texts.next().and_then(number) else {
        return false;
    };
    texts
        .zip(first..)
        .all(|(text, before)| number(text) == before.checked_add(1))
}

fn number(text: &str) -> Option<u32> {
    text.trim().trim_end_matches(['.', ':', '|']).parse().ok()
}

/// What comes before the name of a language in a class, by those who colour listings.
const PREFIXES: [&str; 4] = ["language-", "lang-", "highlight-source-", "highlight-"];
/// Names that say that the language is not known.
const UNSAID: [&str; 4] = ["none", "default", "auto", "plaintext"];
/// An element around a listing that is longer than it by no more than this is made for it.
const WRAPPING_BYTES: usize = 400;

/// The language of a listing: its own elements say it, or those around it and nothing else.
fn language(tree: &Tree<'_>, pre: NodeId) -> Option<String> {
    let inside = tree
        .subtree(pre)
        .filter(|&node| matches!(tree.name(node), "pre" | "code"));
    let length = tree.span(pre).len() + WRAPPING_BYTES;
    let around = tree
        .ancestors(pre)
        .take_while(|&node| tree.span(node).len() <= length)
        .take(4);
    inside
        .take(2)
        .chain(around)
        .find_map(|node| named_language(tree, node))
}

fn named_language(tree: &Tree<'_>, node: NodeId) -> Option<String> {
    let data = ["data-lang", "data-language"]
        .iter()
        .find_map(|name| tree.attribute(node, name));
    let class = PREFIXES.iter().find_map(|prefix| {
        tree.classes(node)
            .find_map(|class| class.strip_prefix(prefix))
    });
    let brush = || {
        let (_, behind) = tree.attribute(node, "class")?.split_once("brush:")?;
        behind.trim_start().split([';', ' ']).next()
    };
    let is_name = |name: &&str| {
        (1..=30).contains(&name.len())
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+#._-".contains(c))
    };
    let name = data
        .or(class)
        .or_else(brush)
        .map(str::trim)
        .filter(is_name)?
        .to_ascii_lowercase();
    (!UNSAID.contains(&name.as_str())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: &str) -> Code {
        let tree = Tree::new(page);
        let pre = tree.nodes().find(|&node| tree.name(node) == "pre").unwrap();
        listing(&tree, pre, &[]).unwrap_or_default()
    }

    #[test]
    fn white_space_is_kept_to_the_byte() {
        for (page, expected) in [
            ("<pre>\n  a\n\n\tb  \n</pre>", "  a\n\n\tb  \n"),
            ("<pre>\r\na\r\nb</pre>", "a\nb"),
            ("<pre><code>\na</code></pre>", "\na"),
            ("<pre><b>a</b> <i>b</i>\n<i>c</i></pre>", "a b\nc"),
            ("<pre>a &lt; b<br>c<!-- d --></pre>", "a < b\nc"),
            ("<pre><button>Copy</button>a</pre>", "a"),
            ("<pre><button>a", "a"),
            ("<pre> </pre>", ""),
        ] {
            assert_eq!(read(page).text, expected, "{page}");
        }
    }

    #[test]
    fn elements_may_be_lines() {
        for (page, expected) in [
            (
                "<pre><div>a</div><div>  b</div>\n<div>c</div></pre>",
                "a\n  b\nc",
            ),
            ("<pre><code>a b</code><code>c</code></pre>", "a b\nc"),
            (
                "<pre><code><span class=l><i>a</i> b</span><span class=l>c</span></code></pre>",
                "a b\nc",
            ),
            (
                "<pre><span class=k>a</span><span class=s>b</span></pre>",
                "ab",
            ),
            ("<pre><span>a</span><span>b</span>\n</pre>", "ab\n"),
        ] {
            assert_eq!(read(page).text, expected, "{page}");
        }
    }

    #[test]
    fn numbers_of_lines_are_no_code() {
        assert_eq!(read("<pre><i>1</i>a\n<i>2</i> b\n</pre>").text, "a\n b\n");
        assert_eq!(read("<pre><i>1</i>a\n<i>3</i> b\n</pre>").text, "1a\n3 b\n");
        let code = |text: &str| Code {
            language: None,
            text: text.to_owned(),
        };
        assert!(counts_lines(&code("9\n10\n"), &code("a\nb")));
        assert!(!counts_lines(&code("1\n1\n"), &code("a\nb")));
    }

    #[test]
    fn languages_are_what_pages_call_them() {
        for (page, expected) in [
            ("<pre class='x language-Rust'>a</pre>", Some("rust")),
            ("<pre><code class=lang-c++>a</code></pre>", Some("c++")),
            (
                "<div class='highlight highlight-source-js'><pre>a</pre></div>",
                Some("js"),
            ),
            (
                "<pre class='brush: php; gutter: false'>a</pre>",
                Some("php"),
            ),
            ("<pre data-lang=sql>a</pre>", Some("sql")),
            ("<pre class=language-none>a</pre>", None),
            ("<pre>a</pre>", None),
        ] {
            assert_eq!(read(page).language.as_deref(), expected, "{page}");
        }
    }
}
