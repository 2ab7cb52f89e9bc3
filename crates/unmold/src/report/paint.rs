//! How does a page look, and what of it is content?
//!
//! [`page`] writes a page anew for a browser: its own elements, in its own order, with the template
//! faded and a legend on top.
//!
//! ```
//! use unmold::{Mold, Text, report::paint};
//!
//! let text = Text::from_string("1.html", "<nav>Home</nav><p onclick='steal()'>One sentence. And another one.<script>x()</script>");
//! let reader = Mold::nothing().reader();
//! let painted = paint::page(&text, &reader.read(&text)?.content());
//! assert!(painted.contains("<unmold-template>Home</unmold-template>"));
//! assert!(painted.contains("<p><unmold-content id=unmold-first>One sentence. And another one.</unmold-content>"));
//! assert!(!painted.contains("x()") && !painted.contains("steal"));
//! # Ok::<(), unmold::read::PageError>(())
//! ```
//!
//! # Safety
//!
//! Pages come from strangers, and the painted page is opened in a browser. It is written from what
//! is known to be harmless, not by cutting out what is known to harm:
//!
//! - Every `<` is written here: tags anew, with attributes of a short list, and every `<` of texts
//!   and styles escaped. So it does not matter whether a browser reads the page as [`html`] does.
//! - Scripts, frames, forms, plug-ins, outside styles and addresses are left out; links lead
//!   nowhere.
//! - A policy on top forbids everything but styles and pictures that are in the page itself, so
//!   that `url()` loads nothing.
//!
//! Cost: two passes over the tokens.

use crate::{
    Span, Text,
    read::{
        html::{self, Kind, Token, elements::Taming},
        tree::Tree,
    },
    reader::{Content, Lack},
};
use std::fmt::Write;

/// The elements around texts. Pages have no styles for them.
const CONTENT: &str = "unmold-content";
const TEMPLATE: &str = "unmold-template";
const FIELD: &str = "unmold-field";

/// A value that is to be outlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark<'m> {
    /// Where it stands.
    pub span: Span,
    /// What it is called.
    pub name: &'m str,
    /// The number of its colour, of [`COLOURS`].
    pub colour: usize,
}

/// Marks are told apart by so many colours, and by the manner of their outlines.
pub const COLOURS: usize = 8;

/// A page with its template faded, for a browser.
pub fn page(text: &Text, content: &Content<'_>) -> String {
    let legend = legend(&htmlize::escape_text(text.id()), content);
    painted(text, content, &[], &(head(text) + &legend + "\n"))
}

/// The same without a legend, and with values outlined under their names; the marks are in order
/// and do not overlap.
///
/// ```
/// use unmold::{Mold, Span, Text, report::paint};
///
/// let text = Text::from_string("1.html", "<p>Price: <b>12</b>");
/// let reader = Mold::nothing().reader();
/// let mark = paint::Mark { span: Span::new(13, 15), name: "price", colour: 0 };
/// let painted = paint::marked(&text, &reader.read(&text)?.content(), &[mark]);
/// assert!(painted.contains("<b><unmold-field class=\"unmold-0\" title=\"price\"><unmold-"));
/// # Ok::<(), unmold::read::PageError>(())
/// ```
pub fn marked(text: &Text, content: &Content<'_>, marks: &[Mark<'_>]) -> String {
    painted(
        text,
        content,
        marks,
        &(head(text) + "<style>\n" + MARKED + "</style>\n"),
    )
}

fn painted(text: &Text, content: &Content<'_>, marks: &[Mark<'_>], head: &str) -> String {
    let page = text.as_str();
    let dropped = dropped(page, content.spans());
    let (content, painted) = (content.spans(), head.to_owned());
    let mut painter = Painter {
        page,
        content,
        marks,
        dropped: &dropped,
        raw: None,
        is_begun: false,
        painted,
    };
    html::tokens(page).for_each(|token| painter.take(token));
    painter.painted + "\n"
}

/// Attributes that say how something looks, and none that loads, runs or sends.
const HARMLESS: [&str; 36] = [
    "align",
    "alt",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "checked",
    "class",
    "color",
    "cols",
    "colspan",
    "dir",
    "disabled",
    "face",
    "headers",
    "height",
    "hidden",
    "id",
    "label",
    "lang",
    "media",
    "nowrap",
    "open",
    "placeholder",
    "reversed",
    "rows",
    "rowspan",
    "scope",
    "selected",
    "size",
    "span",
    "start",
    "style",
    "type",
    "valign",
    "width",
];

const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/// What can be overruled by the page's own style stands in `:where`. The rest sees to it that
/// nothing is hidden which scripts would have shown.
const STYLE: &str = "\
:where(html) { font: 16px/1.5 system-ui, sans-serif; background: #fff; color: #111 }
:where(body) { max-width: 60rem; margin: 0 auto; padding: 1rem }
:where(a) { color: #05a; text-decoration: underline }
:where(img) { max-width: 100%; height: auto }
:where(li):not(:has(unmold-content))::marker { color: #ccc }
html, body { display: block !important; position: static !important; visibility: visible !important; opacity: 1 !important; \
height: auto !important; overflow: visible !important; animation: none !important }
unmold-template { opacity: .3 !important; filter: grayscale(1) }
unmold-content { opacity: 1 !important; visibility: visible !important; scroll-margin-top: 5em }
unmold-picture { opacity: .4; font-style: italic }
input, select, textarea, button { opacity: .4 }
";

/// How marks look: the name before the value, and an outline of its own colour and manner.
const MARKED: &str = "\
unmold-field { outline: 2px solid #0f766e !important; outline-offset: 1px; border-radius: 2px }
unmold-field unmold-template { opacity: .85 !important; filter: none }
unmold-field::before { content: attr(title); font: 600 10px/1.3 system-ui, sans-serif !important; background: #0f766e; color: #fff; \
padding: 0 3px; margin-right: 4px; border-radius: 2px; vertical-align: middle; letter-spacing: 0; text-transform: none }
.unmold-1 { outline-color: #b45309 !important; outline-style: dashed !important } .unmold-1::before { background: #b45309 }
.unmold-2 { outline-color: #4338ca !important } .unmold-2::before { background: #4338ca }
.unmold-3 { outline-color: #be185d !important; outline-style: dashed !important } .unmold-3::before { background: #be185d }
.unmold-4 { outline-color: #4d7c0f !important } .unmold-4::before { background: #4d7c0f }
.unmold-5 { outline-color: #7e22ce !important; outline-style: dashed !important } .unmold-5::before { background: #7e22ce }
.unmold-6 { outline-color: #0369a1 !important } .unmold-6::before { background: #0369a1 }
.unmold-7 { outline-color: #b91c1c !important; outline-style: dashed !important } .unmold-7::before { background: #b91c1c }
";

/// What stands before the page: the policy and the style.
fn head(text: &Text) -> String {
    let name = htmlize::escape_text(text.id());
    let has_doctype = html::tokens(text.as_str())
        .take(8)
        .any(|token| token.kind == Kind::Declaration);
    let doctype = if has_doctype { "<!doctype html>\n" } else { "" };
    format!(
        "{doctype}<meta charset=utf-8>\n<meta http-equiv=Content-Security-Policy content=\"{POLICY}\">\n\
         <meta name=referrer content=no-referrer>\n<meta name=viewport content=\"width=device-width\">\n\
         <title>{name}</title>\n<style>\n{STYLE}</style>\n"
    )
}

fn legend(name: &str, content: &Content<'_>) -> String {
    const BAR: &str = "all: initial; display: block; position: sticky; top: 0; z-index: 2147483647; padding: .5em 1em; \
        background: #fffbe6; border-bottom: 1px solid #cb8; color: #111; font: 14px/1.5 system-ui, sans-serif";
    const PIECE: &str = "all: unset; margin-left: 1.5em";
    let coverage = content.coverage();
    let kept = (100.0 * coverage.kept() as f64 / coverage.seen().max(1) as f64).round();
    let lack = coverage.lack().map_or("", words);
    format!(
        "<unmold-legend style=\"{BAR}\"><unmold-name style=\"all: unset; font-weight: bold\">{name}</unmold-name>\
         <unmold-key style=\"{PIECE}\">plain: <a href=\"#unmold-first\" style=\"all: unset; cursor: pointer; text-decoration: \
         underline\">content</a>, {kept} % of the text</unmold-key>\
         <unmold-key style=\"{PIECE}; opacity: .4\">faded: template, left out</unmold-key>\
         <unmold-key style=\"{PIECE}; color: #a00\">{lack}</unmold-key></unmold-legend>"
    )
}

/// What a legend says of a page that lacks text.
fn words(lack: Lack) -> &'static str {
    match lack {
        Lack::NoText => "the page has no text",
        Lack::NeedsScripts => "the page needs scripts to show its text",
        Lack::LeftOut => "all text of the page is left out",
        Lack::MostlyLeftOut => "most text of the page is left out",
    }
}

/// The elements that are left out with all that stands in them, in order; none with content in it.
fn dropped(page: &str, content: &[Span]) -> Vec<Span> {
    let tree = Tree::new(page);
    let is_free = |span: Span| {
        let next = content.partition_point(|kept| kept.end <= span.start);
        content.get(next).is_none_or(|kept| kept.start >= span.end)
    };
    let elements = tree
        .nodes()
        .filter(|&node| Taming::of(tree.name(node)) == Taming::Dropped);
    elements
        .map(|node| tree.span(node))
        .filter(|&span| is_free(span))
        .collect()
}

struct Painter<'p> {
    page: &'p str,
    /// The content that is not behind us yet,
    content: &'p [Span],
    /// the values that are not,
    marks: &'p [Mark<'p>],
    /// and what is to be left out.
    dropped: &'p [Span],
    /// The element whose content is not markup, between its tag and that content.
    raw: Option<Span>,
    /// Whether content was met.
    is_begun: bool,
    painted: String,
}

impl Painter<'_> {
    fn take(&mut self, token: Token) {
        let raw = self.raw.take();
        if self.is_dropped(token.span) {
            return;
        }
        match token.kind {
            Kind::Start => self.start(token),
            Kind::End => self.end(token),
            Kind::Text if raw.is_some_and(|name| is_name(name.of(self.page), "textarea")) => {
                push_escaped(&mut self.painted, token.span.of(self.page));
            }
            Kind::Text | Kind::Cdata => self.text(token.span),
            Kind::Raw => self.raw(token.span, raw.unwrap_or_default()),
            Kind::Comment | Kind::Declaration | Kind::Instruction => {}
        }
    }

    fn is_dropped(&mut self, span: Span) -> bool {
        let passed = self
            .dropped
            .iter()
            .take_while(|dropped| dropped.end <= span.start)
            .count();
        self.dropped = &self.dropped[passed..];
        self.dropped
            .first()
            .is_some_and(|dropped| dropped.start <= span.start)
    }

    /// What an element is called where it is shown; `None` where only its content is.
    fn shown_name(&self, token: Token) -> Option<String> {
        let name = token.name.of(self.page).to_ascii_lowercase();
        let is_plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        match Taming::of(&name) {
            _ if !is_plain => None,
            Taming::Kept => Some(name),
            Taming::Box => Some("div".to_owned()),
            Taming::Unwrapped | Taming::Dropped => None,
        }
    }

    fn start(&mut self, token: Token) {
        self.raw = Some(token.name);
        let Some(name) = self.shown_name(token) else {
            return;
        };
        if name == "img" && !self.is_inside(token) {
            return self.picture(token);
        }
        write!(self.painted, "<{name}").expect("writing to a string");
        for attribute in html::attributes(self.page, token) {
            let value = attribute.value.map_or("", |value| value.of(self.page));
            self.attribute(
                &name,
                &attribute.name.of(self.page).to_ascii_lowercase(),
                value,
            );
        }
        self.painted.push('>');
    }

    /// Whether a picture is in the page itself.
    fn is_inside(&self, picture: Token) -> bool {
        let source = html::attribute(self.page, picture, "src").unwrap_or("");
        source.trim_start().starts_with("data:image/")
    }

    /// Instead of a picture that would have to be loaded, what it shows in words.
    fn picture(&mut self, token: Token) {
        let words = html::attribute_text(html::attribute(self.page, token, "alt").unwrap_or(""));
        if !words.is_empty() {
            let words = htmlize::escape_text(words);
            write!(self.painted, "<unmold-picture>[{words}]</unmold-picture>")
                .expect("writing to a string");
        }
    }

    fn attribute(&mut self, element: &str, name: &str, value: &str) {
        let value = htmlize::unescape_attribute(value);
        let is_picture = element == "img" && name == "src";
        if is_picture || HARMLESS.contains(&name) {
            write!(
                self.painted,
                " {name}=\"{}\"",
                htmlize::escape_attribute(&*value)
            )
            .expect("writing to a string");
        }
    }

    fn end(&mut self, token: Token) {
        if let Some(name) = self.shown_name(token) {
            write!(self.painted, "</{name}>").expect("writing to a string");
        }
    }

    fn text(&mut self, span: Span) {
        let passed = self
            .content
            .iter()
            .take_while(|content| content.end <= span.start)
            .count();
        self.content = &self.content[passed..];
        let mut at = span.start;
        for content in self
            .content
            .iter()
            .take_while(|content| content.start < span.end)
        {
            self.piece(
                TEMPLATE,
                Span {
                    start: at,
                    end: content.start.max(at),
                },
            );
            at = content.end.min(span.end);
            self.piece(
                CONTENT,
                Span {
                    start: content.start.max(span.start),
                    end: at,
                },
            );
        }
        self.piece(
            TEMPLATE,
            Span {
                start: at,
                end: span.end,
            },
        );
    }

    /// A piece of text, with the values in it outlined.
    fn piece(&mut self, element: &str, span: Span) {
        let passed = self
            .marks
            .iter()
            .take_while(|mark| mark.span.end <= span.start)
            .count();
        self.marks = &self.marks[passed..];
        let mut at = span.start;
        for mark in self
            .marks
            .iter()
            .take_while(|mark| mark.span.start < span.end)
        {
            let value = Span {
                start: mark.span.start.max(span.start),
                end: mark.span.end.min(span.end),
            };
            self.plain_piece(
                element,
                Span {
                    start: at,
                    end: value.start,
                },
            );
            self.value(mark, element, value);
            at = value.end;
        }
        self.plain_piece(
            element,
            Span {
                start: at,
                end: span.end,
            },
        );
    }

    fn value(&mut self, mark: &Mark<'_>, element: &str, span: Span) {
        if html::is_blank(span.of(self.page)) {
            return self.plain_piece(element, span);
        }
        let (colour, name) = (mark.colour % COLOURS, htmlize::escape_attribute(mark.name));
        write!(
            self.painted,
            "<{FIELD} class=\"unmold-{colour}\" title=\"{name}\">"
        )
        .expect("writing to a string");
        self.plain_piece(element, span);
        write!(self.painted, "</{FIELD}>").expect("writing to a string");
    }

    /// A piece of text in an element that says what it is. White space needs none, and may stand
    /// where none is allowed.
    fn plain_piece(&mut self, element: &str, span: Span) {
        let text = span.of(self.page);
        if html::is_blank(text) {
            return self.painted.push_str(text);
        }
        let is_first = element == CONTENT && !std::mem::replace(&mut self.is_begun, true);
        let id = if is_first { " id=unmold-first" } else { "" };
        write!(self.painted, "<{element}{id}>").expect("writing to a string");
        push_escaped(&mut self.painted, text);
        write!(self.painted, "</{element}>").expect("writing to a string");
    }

    /// The content of an element that is not markup: a style is kept, without anything that could
    /// end it.
    fn raw(&mut self, span: Span, name: Span) {
        if is_name(name.of(self.page), "style") {
            self.painted
                .push_str(&span.of(self.page).replace('<', "\\3c "));
        }
    }
}

fn is_name(name: &str, known: &str) -> bool {
    name.eq_ignore_ascii_case(known)
}

/// Adds text as it is written on the page, entities and all, but for what could open a tag.
fn push_escaped(painted: &mut String, text: &str) {
    painted.push_str(&text.replace('<', "&lt;"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::html::tokens;

    fn painted(source: &str) -> String {
        let text = Text::from_string("<1>.html", source);
        let all = Content::without(&text, &[]);
        let painted = page(&text, &all);
        painted
            .split_once("</unmold-legend>")
            .unwrap()
            .1
            .trim()
            .to_owned()
    }

    #[test]
    fn nothing_runs_loads_or_sends() {
        for (source, expected) in [
            (
                "<script>x()</script>a",
                "<unmold-content id=unmold-first>a</unmold-content>",
            ),
            (
                "<img src=http://x/ onerror=x() alt='&lt;y'>",
                "<unmold-picture>[&lt;y]</unmold-picture>",
            ),
            (
                "<img src='data:image/gif;base64,R0'>",
                "<img src=\"data:image/gif;base64,R0\">",
            ),
            (
                "<a href=javascript:x() ping=http://x/ class='a\"b'></a>",
                "<a class=\"a&quot;b\"></a>",
            ),
            (
                "<form action=http://x/><input autofocus type=text></form>",
                "<div><input type=\"text\"></div>",
            ),
            (
                "<base href=http://x/><link rel=stylesheet href=a><meta http-equiv=refresh content=0>",
                "",
            ),
            (
                "<iframe srcdoc='<script>x()</script>'><b></iframe><object data=x><embed src=x></object>",
                "",
            ),
            (
                "<svg onload=x()><script>x()</script><a xlink:href='javascript:x()'></a></svg>",
                "",
            ),
            (
                "<style>a{}</style><style>b:after{content:'<script>'}</style>",
                "<style>a{}</style><style>b:after{content:'\\3c script>'}</style>",
            ),
            ("<!--><script>x()</script>-->", ""),
            ("<x\"y onclick=x()>", ""),
        ] {
            let painted = painted(source);
            assert!(
                painted.replace("--&gt;", "").starts_with(expected),
                "{source}: {painted}"
            );
            assert!(
                !painted.contains("x()") && !painted.contains("http://x"),
                "{source}: {painted}"
            );
        }
    }

    #[test]
    fn texts_open_no_tags() {
        assert_eq!(
            painted("1 < 2 &lt; 3"),
            "<unmold-content id=unmold-first>1 &lt; 2 &lt; 3</unmold-content>"
        );
        let area = painted("<textarea></p><script>x()</script></textarea>");
        assert_eq!(
            area,
            "<textarea>&lt;/p>&lt;script>x()&lt;/script></textarea>"
        );
    }

    #[test]
    fn content_in_what_would_be_dropped_is_shown() {
        assert!(
            painted("<noscript><p>A thread</noscript>")
                .contains("<p><unmold-content id=unmold-first>A thread")
        );
    }

    #[test]
    fn the_name_is_escaped() {
        let text = Text::from_string("<script>x()</script>", "a");
        let painted = page(&text, &Content::without(&text, &[]));
        assert!(!tokens(&painted).any(|token| token.name.of(&painted) == "script"));
    }
}
