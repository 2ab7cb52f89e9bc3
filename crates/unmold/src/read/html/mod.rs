//! Which parts of a page are markup, and which are text?
//!
//! [`tokens`] cuts a page into tags, text, comments and the rest. The tokens tile the page: each
//! begins where the one before it ended, and together they are the page, byte for byte. There is
//! one tokeniser for the whole project.
//!
//! ```
//! use unmold::read::html::{Kind, tokens};
//!
//! let page = "<p class=x>1 &lt; 2<!-- no --></p>";
//! let kinds: Vec<_> = tokens(page).map(|token| (token.kind, token.span.of(page))).collect();
//! assert_eq!(kinds, [
//!     (Kind::Start, "<p class=x>"),
//!     (Kind::Text, "1 &lt; 2"),
//!     (Kind::Comment, "<!-- no -->"),
//!     (Kind::End, "</p>"),
//! ]);
//! ```
//!
//! It follows the tokenisation rules of the HTML Standard as far as they decide where a token ends:
//! a quote opens a value only behind `=`, the content of `<script>`, `<style>` and their like ends
//! only at their own end tag, broken constructs become comments. All token tests of html5lib-tests
//! agree (`tests/html5lib.rs`).
//!
//! # Departures from the HTML Standard
//!
//! - A tag that the end of the page cuts off is a token rather than nothing, and so is `</>`, since
//!   tokens tile.
//! - `<iframe/>` is empty where no `</iframe>` follows it, since XML served as HTML would otherwise
//!   be swallowed whole.
//! - The content of a `<title>` or `<style>` that is never closed ends with the head, `</head>`,
//!   and not with the page.
//! - What is SVG or MathML, where `<![CDATA[` begins a section and `<textarea>` is an element like
//!   others, is told by the tags alone, without the tree; scripts and styles in it are read as
//!   elsewhere.
//! - Entities in `<xmp>` and `<plaintext>` are not told from those of other texts.
//!
//! # XML
//!
//! A page that begins with an XML declaration and is not XHTML is read as XML: names in any script,
//! CDATA sections, processing instructions, and no element whose content is not markup.
//!
//! Cost: one pass, no allocation, linear on any input: 64,000 nested tags, attributes or open
//! comments are read like any other text of that length.

mod attribute_names;
mod doctype;
pub mod elements;
mod visible;

pub(crate) use attribute_names::AttributeNames;
pub(crate) use doctype::is_quirky;

pub use elements::breaks_line;
pub use visible::{attribute_text, joined_text, visible_text};
pub(crate) use visible::{is_folded, push_attribute, push_joined, push_visible};

use crate::Span;
use elements::{
    RawContent, holds_html_in, is_read_as_start, leaves_foreign, may_change_reading,
    may_open_foreign, opens_foreign, raw_content, stays_raw,
};
use memchr::{memchr, memchr_iter, memchr2_iter, memmem};

/// What stands in a CDATA section, without its marks.
pub(crate) fn inside_cdata(page: &str, section: Span) -> Span {
    let whole = section.of(page);
    let start = if whole.starts_with("<![CDATA[") {
        "<![CDATA[".len()
    } else {
        0
    };
    let end = if whole.len() >= start + 3 && whole.ends_with("]]>") {
        whole.len() - 3
    } else {
        whole.len()
    };
    Span::new(section.start as usize + start, section.start as usize + end)
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Characters that a reader sees, with entities still in them. Titles and text areas are text
    /// too.
    Text,
    /// A start tag, from `<` to `>`.
    Start,
    /// An end tag.
    End,
    /// The content of a script, a style sheet or another element whose content is neither text nor
    /// markup.
    Raw,
    /// A comment, or something that a browser takes for one.
    Comment,
    /// `<!doctype ...>` or another declaration.
    Declaration,
    /// An XML processing instruction.
    Instruction,
    /// An XML CDATA section.
    Cdata,
}

/// What a token is that is the content of an element without markup.
fn kind_of_raw(content: RawContent) -> Kind {
    match content {
        RawContent::Code => Kind::Raw,
        RawContent::Text => Kind::Text,
    }
}

/// A piece of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// The name of a tag, without brackets and slash; empty for other kinds.
    pub name: Span,
}

/// Which rules a page is read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// HTML, well-formed or not.
    Html,
    /// XML that is not XHTML: feeds, documents with their own tags.
    Xml,
}

impl Syntax {
    /// Looks at the beginning of a page: an XML declaration without `<html` soon after means XML.
    pub fn of(text: &str) -> Self {
        let start = text.trim_start();
        let head = &start.as_bytes()[..start.len().min(1024)];
        let is_html = memchr::memchr_iter(b'<', head).any(|at| {
            head[at + 1..]
                .get(..4)
                .is_some_and(|name| name.eq_ignore_ascii_case(b"html"))
        });
        let doctype = memmem::find(head, b"<!DOCTYPE html").is_some();
        if head.starts_with(b"<?xml") && !is_html && !doctype {
            Syntax::Xml
        } else {
            Syntax::Html
        }
    }
}

/// Cuts a page into tokens that tile it.
pub fn tokens(text: &str) -> Tokens<'_> {
    tokens_from(text, 0)
}

/// The tokens from a place on, where one begins that is read as at the start of the page.
pub(crate) fn tokens_from(text: &str, start: usize) -> Tokens<'_> {
    Tokens {
        text: text.as_bytes(),
        at: start,
        syntax: Syntax::of(text),
        raw: None,
        inside: Inside::Html,
    }
}

/// The tokens of a page; see [`tokens`].
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    syntax: Syntax,
    /// Set between the start tag and the content of an element whose content is not markup.
    raw: Option<RawElement>,
    inside: Inside,
}

/// What a place of a page stands in, as far as tags alone say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Html,
    /// SVG or MathML.
    Foreign,
    /// HTML in SVG or MathML.
    HtmlInForeign,
}

#[derive(Clone, Debug)]
struct RawElement {
    name: Span,
    kind: Kind,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        if let Some(element) = self.raw.take() {
            let end = self.raw_content_end(element.name);
            if end > self.at {
                return Some(self.emit(element.kind, end));
            }
        }
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        if rest[0] == b'<'
            && let Some(token) = self.markup()
        {
            return Some(token);
        }
        Some(self.emit(Kind::Text, self.text_end()))
    }
}

impl Tokens<'_> {
    /// Steps over a token that was met elsewhere, if the same stands here: a tag with its `>`, or a
    /// text without `<`. Where such a token ends does not depend on what it stands in; but what is
    /// behind it must end a text.
    #[inline]
    pub(crate) fn skip_known(&mut self, token: &[u8], is_text: bool) -> bool {
        let end = self.at + token.len();
        let is_here = self.raw.is_none()
            && self.text[self.at..].starts_with(token)
            && (!is_text
                || end == self.text.len()
                || self.text[end] == b'<' && self.opens_markup(end));
        if is_here {
            self.at = end;
            if !is_text {
                self.note_known(token);
            }
        }
        is_here
    }

    /// Notes a tag that was not read: what it changes does not depend on where it stands.
    #[inline]
    fn note_known(&mut self, tag: &[u8]) {
        if self.inside == Inside::Html && !may_open_foreign(&tag[1..]) {
            return;
        }
        let kind = if tag[1] == b'/' {
            Kind::End
        } else {
            Kind::Start
        };
        let name = self.at - tag.len() + 1 + usize::from(kind == Kind::End);
        let (span, name) = (
            Span::new(self.at - tag.len(), self.at),
            Span::new(name, name_end(self.text, name)),
        );
        self.note_tag(Token { kind, span, name });
    }

    /// Notes whether a tag begins or ends SVG or MathML.
    fn note_tag(&mut self, tag: Token) {
        let name = &self.text[tag.name.range()];
        let is_end = tag.kind == Kind::End;
        let is_start = !is_end && !self.text[tag.span.range()].ends_with(b"/>");
        self.inside = match self.inside {
            _ if is_start && opens_foreign(name) => Inside::Foreign,
            Inside::Html => Inside::Html,
            _ if is_end && opens_foreign(name) => Inside::Html,
            Inside::Foreign if is_start && holds_html_in(name).is_some() => Inside::HtmlInForeign,
            Inside::HtmlInForeign if is_end && holds_html_in(name).is_some() => Inside::Foreign,
            Inside::Foreign if leaves_foreign(name) && (!is_end || is_read_as_start(name)) => {
                Inside::Html
            }
            unchanged => unchanged,
        };
    }

    /// Where the next token begins.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    #[inline]
    fn emit(&mut self, kind: Kind, end: usize) -> Token {
        self.emit_named(kind, end, Span::default())
    }

    #[inline]
    fn emit_named(&mut self, kind: Kind, end: usize, name: Span) -> Token {
        let token = Token {
            kind,
            span: Span::new(self.at, end),
            name,
        };
        self.at = end;
        token
    }

    /// Where the text that starts here ends: at the next `<` that opens something.
    fn text_end(&self) -> usize {
        let mut from = self.at + 1;
        while let Some(found) = memchr(b'<', &self.text[from..]) {
            let at = from + found;
            if self.opens_markup(at) {
                return at;
            }
            from = at + 1;
        }
        self.text.len()
    }

    /// Whether the `<` at this place begins anything but text.
    fn opens_markup(&self, at: usize) -> bool {
        match self.text.get(at + 1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => self.text.get(at + 2).is_some(),
            Some(&byte) => self.starts_name(byte),
            None => false,
        }
    }

    fn starts_name(&self, byte: u8) -> bool {
        match self.syntax {
            Syntax::Html => byte.is_ascii_alphabetic(),
            Syntax::Xml => {
                byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
            }
        }
    }

    /// The construct that the `<` here opens, or nothing if it is text.
    fn markup(&mut self) -> Option<Token> {
        if !self.opens_markup(self.at) {
            return None;
        }
        Some(match self.text[self.at + 1] {
            b'!' => self.declaration(),
            b'?' if self.syntax == Syntax::Xml => self.instruction(),
            b'?' => self.until(Kind::Comment, b">"),
            b'/' if self.starts_name(self.text[self.at + 2]) => self.end_tag(),
            b'/' => self.until(Kind::Comment, b">"),
            _ => self.start_tag(),
        })
    }

    fn declaration(&mut self) -> Token {
        let body = &self.text[self.at + 2..];
        if body.starts_with(b"--") {
            let end = self.at + 2 + comment_length(body);
            return self.emit(Kind::Comment, end);
        }
        if (self.syntax == Syntax::Xml || self.inside == Inside::Foreign)
            && body.starts_with(b"[CDATA[")
        {
            return self.until(Kind::Cdata, b"]]>");
        }
        let is_declaration = match self.syntax {
            Syntax::Html => body
                .get(..7)
                .is_some_and(|name| name.eq_ignore_ascii_case(b"doctype")),
            Syntax::Xml => body.first().is_some_and(u8::is_ascii_alphabetic),
        };
        self.until(
            if is_declaration {
                Kind::Declaration
            } else {
                Kind::Comment
            },
            b">",
        )
    }

    /// An XML processing instruction. The declaration holds no `>`, and is often written without
    /// its second `?`.
    fn instruction(&mut self) -> Token {
        let is_declaration = self.is_at(b"xml", self.at + 2);
        self.until(Kind::Instruction, if is_declaration { b">" } else { b"?>" })
    }

    /// A token up to and with `terminator`, or to the end of the page.
    fn until(&mut self, kind: Kind, terminator: &[u8]) -> Token {
        let end = memmem::find(&self.text[self.at..], terminator)
            .map_or(self.text.len(), |found| self.at + found + terminator.len());
        self.emit(kind, end)
    }

    #[inline]
    fn start_tag(&mut self) -> Token {
        let token = self.tag(Kind::Start, self.at + 1);
        let may_matter =
            self.inside != Inside::Html || may_change_reading(&self.text[token.name.range()]);
        if may_matter && self.syntax == Syntax::Html {
            self.raw = self.raw_element(token).filter(|_| !self.is_empty(token));
            self.note_tag(token);
        }
        token
    }

    #[inline]
    fn end_tag(&mut self) -> Token {
        let token = self.tag(Kind::End, self.at + 2);
        if self.inside != Inside::Html {
            self.note_tag(token);
        }
        token
    }

    /// The element that a start tag opens, if its content is not markup. In SVG and MathML all
    /// content is; but scripts and styles are read as elsewhere, since nobody means them for
    /// reading.
    #[inline]
    fn raw_element(&self, tag: Token) -> Option<RawElement> {
        let is_foreign = self.inside == Inside::Foreign;
        let name = &self.text[tag.name.range()];
        let content = raw_content(name).filter(|_| !is_foreign || stays_raw(name))?;
        Some(RawElement {
            name: tag.name,
            kind: kind_of_raw(content),
        })
    }

    /// Whether a `<script/>` is empty, as it is where XML was served as HTML: no end tag comes
    /// before the next one.
    fn is_empty(&self, tag: Token) -> bool {
        if !self.text[tag.span.range()].ends_with(b"/>") {
            return false;
        }
        let mut from = self.at;
        while let Some(found) = memchr(b'<', &self.text[from..]) {
            from += found + 1;
            let is_end = self.text.get(from) == Some(&b'/');
            if self.is_name(tag.name, from + usize::from(is_end)) {
                return !is_end;
            }
        }
        true
    }

    /// Whether the name of a tag stands at a place, in whatever case.
    fn is_name(&self, name: Span, at: usize) -> bool {
        self.is_at(&self.text[name.range()], at)
    }

    fn is_at(&self, name: &[u8], at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
            && rest.get(name.len()).is_some_and(|byte| ends_name(*byte))
    }

    fn tag(&mut self, kind: Kind, name_start: usize) -> Token {
        let name_end = name_end(self.text, name_start);
        let end = tag_end(self.text, name_end);
        self.emit_named(kind, end, Span::new(name_start, name_end))
    }

    /// Where the content of the element called `name` ends: before its end tag, or at the end of
    /// the page.
    fn raw_content_end(&self, name: Span) -> usize {
        let tag = &self.text[name.range()];
        if tag.eq_ignore_ascii_case(b"plaintext") {
            return self.text.len();
        }
        let may_hold_comment = tag.eq_ignore_ascii_case(SCRIPT);
        let is_of_head = tag.eq_ignore_ascii_case(b"title") || tag.eq_ignore_ascii_case(b"style");
        for found in memchr_iter(b'<', &self.text[self.at..]) {
            let at = self.at + found;
            match self.text.get(at + 1) {
                Some(b'/') if self.is_name(name, at + 2) => return at,
                Some(b'/')
                    if is_of_head && self.is_at(b"head", at + 2) && !self.ends_soon(name, at) =>
                {
                    return at;
                }
                Some(b'!') if may_hold_comment && self.text[at..].starts_with(b"<!--") => {
                    return self.script_end(at);
                }
                _ => {}
            }
        }
        self.text.len()
    }

    /// Whether an element is closed shortly behind a place: a title may speak of the tag `</head>`.
    fn ends_soon(&self, name: Span, at: usize) -> bool {
        const SOON: usize = 200;
        let soon = &self.text[at + 1..self.text.len().min(at + SOON)];
        memchr_iter(b'<', soon).any(|found| {
            soon.get(found + 1) == Some(&b'/') && self.is_name(name, at + 1 + found + 2)
        })
    }

    /// Where a script ends in which a comment begins. A script tag inside the comment has its own
    /// end tag.
    fn script_end(&self, comment: usize) -> usize {
        let (mut in_comment, mut in_script) = (false, false);
        for found in memchr2_iter(b'<', b'>', &self.text[comment..]) {
            let at = comment + found;
            if self.text[at] == b'>' {
                let is_end = self.text[..at].ends_with(b"--");
                (in_comment, in_script) = (in_comment && !is_end, in_script && !is_end);
            } else if self.text[at..].starts_with(b"<!--") {
                in_comment = true;
            } else if self.is_at(SCRIPT, at + 1) {
                in_script = in_comment;
            } else if self.text.get(at + 1) == Some(&b'/') && self.is_at(SCRIPT, at + 2) {
                if !in_script {
                    return at;
                }
                in_script = false;
            }
        }
        self.text.len()
    }
}

const SCRIPT: &[u8] = b"script";

/// How much of a text that begins with `--` belongs to the comment.
fn comment_length(body: &[u8]) -> usize {
    // `<!-->` and `<!--->` are whole comments.
    for abrupt in [&b"-->"[..], b"--->"] {
        if body.starts_with(abrupt) {
            return abrupt.len();
        }
    }
    let is_end = |at: &usize| body[2..*at].ends_with(b"--") || body[2..*at].ends_with(b"--!");
    memchr_iter(b'>', body)
        .filter(|&at| at > 2)
        .find(is_end)
        .map_or(body.len(), |at| at + 1)
}

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C')
}

#[inline]
fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

fn name_end(text: &[u8], start: usize) -> usize {
    text[start..]
        .iter()
        .position(|&byte| ends_name(byte))
        .map_or(text.len(), |length| start + length)
}

/// One past the `>` that closes a tag whose name ended at `at`.
fn tag_end(text: &[u8], at: usize) -> usize {
    if text.get(at) == Some(&b'>') {
        return at + 1;
    }
    let mut scanner = AttributeScanner { text, at };
    while scanner.next().is_some() {}
    scanner.at
}

/// An attribute of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name, as written.
    pub name: Span,
    /// The value without its quotes, entities still in it; `None` where no `=` follows the name.
    pub value: Option<Span>,
}

/// The attributes of a tag, in the order of the page, duplicates included.
///
/// ```
/// use unmold::read::html::{attributes, tokens};
///
/// let page = r#"<a href="/x" title='a>b' data-n=3 hidden>"#;
/// let tag = tokens(page).next().unwrap();
/// let found: Vec<_> = attributes(page, tag)
///     .map(|attribute| (attribute.name.of(page), attribute.value.map(|value| value.of(page))))
///     .collect();
/// assert_eq!(found, [
///     ("href", Some("/x")), ("title", Some("a>b")), ("data-n", Some("3")), ("hidden", None),
/// ]);
/// ```
pub fn attributes(text: &str, tag: Token) -> impl Iterator<Item = Attribute> + '_ {
    let end = tag.span.end as usize;
    let inside = if tag.kind == Kind::Start {
        &text.as_bytes()[..end]
    } else {
        &text.as_bytes()[..0]
    };
    AttributeScanner {
        text: inside,
        at: (tag.name.end as usize).min(inside.len()),
    }
}

/// Walks through a tag behind its name. Ends behind the `>`, or at the end of the text.
struct AttributeScanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl AttributeScanner<'_> {
    #[inline]
    fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest
            .iter()
            .position(|&byte| !skipped(byte))
            .unwrap_or(rest.len());
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The value behind an `=`; the scanner stands on the `=`.
    fn value(&mut self) -> Span {
        self.at += 1;
        self.skip_while(is_space);
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            _ => self.unquoted(),
        }
    }

    fn quoted(&mut self, quote: u8) -> Span {
        let start = self.at + 1;
        let end =
            memchr(quote, &self.text[start..]).map_or(self.text.len(), |length| start + length);
        self.at = (end + 1).min(self.text.len());
        Span::new(start, end)
    }

    fn unquoted(&mut self) -> Span {
        let start = self.at;
        self.skip_while(|byte| !is_space(byte) && byte != b'>');
        Span::new(start, self.at)
    }
}

impl Iterator for AttributeScanner<'_> {
    type Item = Attribute;

    #[inline]
    fn next(&mut self) -> Option<Attribute> {
        self.skip_while(|byte| is_space(byte) || byte == b'/');
        if self.peek()? == b'>' {
            self.at += 1;
            return None;
        }
        let start = self.at;
        // A name may begin with `=`: `<a =b>` has an attribute called `=b`.
        self.at += 1;
        self.skip_while(|byte| !ends_name(byte) && byte != b'=');
        let name = Span::new(start, self.at);
        let after_name = self.at;
        self.skip_while(is_space);
        if self.peek() == Some(b'=') {
            let value = Some(self.value());
            return Some(Attribute { name, value });
        }
        self.at = after_name;
        Some(Attribute { name, value: None })
    }
}

/// The value of the attribute called `name`, if the tag has one; the first counts, as in browsers.
pub fn attribute<'a>(text: &'a str, tag: Token, name: &str) -> Option<&'a str> {
    attributes(text, tag)
        .find(|attribute| attribute.name.of(text).eq_ignore_ascii_case(name))
        .map(|attribute| attribute.value.map_or("", |value| value.of(text)))
}

/// Whether a text is nothing but white space, `&nbsp;` included.
pub fn is_blank(text: &str) -> bool {
    // Nearly all texts are told by their first character.
    if text
        .as_bytes()
        .first()
        .is_some_and(u8::is_ascii_alphanumeric)
    {
        return false;
    }
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(next) = rest.strip_prefix("&nbsp;").or(rest.strip_prefix("&#160;")) else {
            return rest.is_empty();
        };
        rest = next;
    }
}
