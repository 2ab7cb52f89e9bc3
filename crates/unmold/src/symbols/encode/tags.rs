//! Tags as symbols, and everything between two of them as one: the translator of IEPAD.
//!
//! The paper's Congo page becomes fourteen symbols:
//!
//! ```
//! use unmold::{Text, symbols::encode::Tags};
//!
//! let page = "<B>Congo</B><I>242</I><BR>\n<B>Egypt</B><I>20</I><BR>";
//! let symbols = Tags::default().encode(&[Text::from_string("1", page)]);
//! let names: Vec<_> = symbols.page(0).map(|position| symbols.name(position)).collect();
//! let record = ["<b>", "Text(_)", "</b>", "<i>", "Text(_)", "</i>", "<br>"];
//! assert_eq!(names, [record, record].concat());
//! ```
//!
//! The paper reads pages at several [`Level`]s: leaving out text-level tags gives a shorter, more
//! regular sequence. Text on both sides of a tag that is left out is one symbol. White space is no
//! text; comments, declarations, scripts and style sheets are no symbols at all.
//!
//! Paper: C.-H. Chang, S.-C. Lui, *IEPAD: Information Extraction based on Pattern Discovery*, 2001,
//! section 3.1. Departures: its tags were those of HTML 3.2; later text-level elements (`<span>`,
//! `<time>`, ...) are sorted into its three classes here.

use super::{Sink, Symbols, encode_pages};
use crate::{
    Span, Text,
    read::{
        html::{self, Kind, Token, elements::TagClass},
        mutable::Mutables,
    },
};
use serde::{Deserialize, Serialize};

/// The symbol of a piece of text.
pub const TEXT: &str = "Text(_)";

/// Which tags are symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// All tags.
    #[default]
    All,
    /// All but physical markup: `<b>`, `<i>`, `<font>`-like looks.
    NoPhysical,
    /// All but special markup: links, images, line breaks.
    NoSpecial,
    /// Block-level tags only: the paper's best.
    Block,
}

/// Reads pages as tags and text; the default takes all tags, by name alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tags {
    level: Level,
    classes: bool,
}

impl Tags {
    /// Chooses which tags are symbols.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Tells start tags apart by class as well as name: `<div class="post new">` is the symbol
    /// `<div.new.post>`. Class names are sorted, since their order means nothing.
    #[must_use]
    pub fn with_classes(mut self, classes: bool) -> Self {
        self.classes = classes;
        self
    }

    /// Encodes pages.
    pub fn encode(self, texts: &[Text]) -> Symbols {
        encode_pages(texts, Mutables::none(), |text, sink| {
            self.encode_page(text, sink);
        })
    }

    fn encode_page(self, text: &str, sink: &mut Sink<'_>) {
        let mut pending: Option<Span> = None;
        let mut symbol = String::new();
        for token in html::tokens(text) {
            match token.kind {
                Kind::Text | Kind::Cdata if !html::is_blank(token.span.of(text)) => {
                    let trimmed = trimmed(text, token.span);
                    pending = Some(pending.map_or(trimmed, |before| before.to(trimmed)));
                }
                Kind::Start | Kind::End if self.takes(token.name.of(text)) => {
                    if let Some(span) = pending.take() {
                        sink.push(TEXT, span);
                    }
                    self.name_tag(text, token, &mut symbol);
                    sink.push(&symbol, token.span);
                }
                _ => {}
            }
        }
        if let Some(span) = pending {
            sink.push(TEXT, span);
        }
    }

    fn takes(self, name: &str) -> bool {
        match self.level {
            Level::All => true,
            Level::NoPhysical => TagClass::of(name) != TagClass::Physical,
            Level::NoSpecial => TagClass::of(name) != TagClass::Special,
            Level::Block => TagClass::of(name) == TagClass::Block,
        }
    }

    /// Writes the symbol of a tag: lower case, since HTML names have no case, and without
    /// attributes.
    fn name_tag(self, text: &str, token: Token, symbol: &mut String) {
        symbol.clear();
        symbol.push_str(if token.kind == Kind::End { "</" } else { "<" });
        symbol.extend(token.name.of(text).chars().map(|c| c.to_ascii_lowercase()));
        if self.classes
            && let Some(classes) = html::attribute(text, token, "class")
        {
            let mut classes: Vec<&str> = classes.split_ascii_whitespace().collect();
            classes.sort_unstable();
            classes.dedup();
            for class in classes {
                symbol.push('.');
                symbol.push_str(class);
            }
        }
        symbol.push('>');
    }
}

fn trimmed(text: &str, span: Span) -> Span {
    let inside = span.of(text);
    let start = span.start as usize + (inside.len() - inside.trim_start().len());
    Span::new(start, start + inside.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(page: &str, tags: Tags) -> String {
        let symbols = tags.encode(&[Text::from_string("page", page)]);
        symbols
            .page(0)
            .map(|position| symbols.name(position).into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    }

    const ROW: &str = "<td><b>big</b> <em>word</em> <a href=x>link</a><br></td>";

    #[test]
    fn each_level_leaves_out_its_class_and_joins_text() {
        assert_eq!(
            names(ROW, Tags::default()),
            "<td> <b> Text(_) </b> <em> Text(_) </em> <a> Text(_) </a> <br> </td>"
        );
        assert_eq!(
            names(ROW, Tags::default().level(Level::NoPhysical)),
            "<td> Text(_) <em> Text(_) </em> <a> Text(_) </a> <br> </td>"
        );
        assert_eq!(
            names(ROW, Tags::default().level(Level::NoSpecial)),
            "<td> <b> Text(_) </b> <em> Text(_) </em> Text(_) </td>"
        );
        assert_eq!(
            names(ROW, Tags::default().level(Level::Block)),
            "<td> Text(_) </td>"
        );
    }

    #[test]
    fn joined_text_spans_from_its_first_to_its_last_letter() {
        let symbols = Tags::default()
            .level(Level::Block)
            .encode(&[Text::from_string("page", ROW)]);
        assert_eq!(
            symbols.span(1).of(ROW),
            "big</b> <em>word</em> <a href=x>link"
        );
    }

    #[test]
    fn classes_are_sorted_and_names_have_no_case() {
        let page = r#"<DIV CLASS="post  new post"><p class>x</DIV>"#;
        assert_eq!(
            names(page, Tags::default().with_classes(true)),
            "<div.new.post> <p> Text(_) </div>"
        );
    }

    #[test]
    fn scripts_comments_and_blanks_are_no_text() {
        let page =
            "<p>&nbsp; \u{a0}</p><script>var a = '<p>';</script><!-- x --><style>p{}</style>";
        assert_eq!(
            names(page, Tags::default()),
            "<p> </p> <script> </script> <style> </style>"
        );
    }
}
