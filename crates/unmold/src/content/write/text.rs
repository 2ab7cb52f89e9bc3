//! The text of a page without its template.
//!
//! ```
//! use unmold::{Span, content::write::text};
//!
//! let page = "<h1>News</h1><p>It &amp; more.<p>Second <b>paragraph</b>.<hr>Copyright";
//! let template = [Span::new(0, 16), Span::new(57, 70)];
//! assert_eq!(text::content(page, &template), "It & more.\nSecond paragraph.\n");
//! ```

use super::code;
use crate::{
    Span,
    read::{
        free_parts,
        html::{self, Kind, Token, Tokens, breaks_line},
    },
};

/// What a reader sees of a page outside its template: entities decoded, white space folded, a line
/// for each block. Listings keep their lines.
///
/// `template` is sorted and does not overlap.
pub fn content(page: &str, template: &[Span]) -> String {
    Writer {
        page,
        template,
        lines: Lines::default(),
        is_of_words: false,
        no_listing_ends: false,
    }
    .written(0)
}

/// The same where the template was told by words: of a listing that is content in part, everything
/// is. All before `start` is template, and the page can be read from there.
pub(crate) fn content_of_words(page: &str, template: &[Span], start: usize) -> String {
    Writer {
        page,
        template,
        lines: Lines::default(),
        is_of_words: true,
        no_listing_ends: false,
    }
    .written(start)
}

struct Writer<'p> {
    page: &'p str,
    /// What of the template is not behind what was read.
    template: &'p [Span],
    lines: Lines,
    is_of_words: bool,
    /// Whether no `</pre>` follows.
    no_listing_ends: bool,
}

impl<'p> Writer<'p> {
    fn written(mut self, start: usize) -> String {
        let length = self.page.len() as u32;
        let end = self
            .template
            .last()
            .filter(|last| last.end == length)
            .map_or(length, |last| last.start);
        if html::tokens(self.page).all(|token| token.kind == Kind::Text) {
            return self.plain();
        }
        let mut tokens = html::tokens_from(self.page, start);
        while let Some(token) = tokens.next().filter(|token| token.span.start < end) {
            match token.kind {
                Kind::Text => self.text(token.span),
                Kind::Cdata => self.text(html::inside_cdata(self.page, token.span)),
                Kind::Start if self.is_listing(token) => self.listing(token, &mut tokens),
                Kind::Start | Kind::End
                    if !self.lines.is_ended() && breaks_line(token.name.of(self.page)) =>
                {
                    self.lines.end();
                }
                _ => {}
            }
        }
        self.lines.finish()
    }

    /// The lines of a page without any markup.
    fn plain(mut self) -> String {
        let mut start = 0;
        for line in self.page.split_inclusive('\n') {
            let span = Span {
                start,
                end: start + line.len() as u32,
            };
            self.text(span);
            self.lines.end();
            start = span.end;
        }
        self.lines.finish()
    }

    /// The template from a place on.
    fn from(&self, at: u32) -> &'p [Span] {
        &self.template[self.template.partition_point(|span| span.end <= at)..]
    }

    fn text(&mut self, span: Span) {
        self.template = self.from(span.start);
        let mut is_cut = true;
        for part in free_parts(span, self.template) {
            self.lines.push(part.of(self.page));
            is_cut = false;
        }
        // Words do not touch because something between them was cut.
        self.lines.spaced |= is_cut;
    }

    fn is_listing(&self, token: Token) -> bool {
        !self.no_listing_ends
            && token.name.len() == 3
            && token.name.of(self.page).eq_ignore_ascii_case("pre")
    }

    /// Writes a `<pre>` with its lines, unless all of it is template.
    fn listing(&mut self, start: Token, tokens: &mut Tokens<'_>) {
        self.lines.end();
        let is_end = |token: &Token| {
            token.kind == Kind::End && token.name.of(self.page).eq_ignore_ascii_case("pre")
        };
        let mut behind = tokens.clone();
        let Some(end) = behind.find(is_end) else {
            self.no_listing_ends = true;
            return;
        };
        let inside = Span {
            start: start.span.end,
            end: end.span.start,
        };
        self.template = self.from(start.span.start);
        if free_parts(inside, self.template).next().is_some() {
            let template = if self.is_of_words { &[] } else { self.template };
            self.lines.push_lines(&code::characters(
                self.page,
                start.span.to(end.span),
                template,
            ));
        }
        *tokens = behind;
    }
}

/// Lines of folded text.
#[derive(Default)]
struct Lines {
    text: String,
    line: String,
    /// Whether white space stands between the line so far and what comes next.
    spaced: bool,
}

impl Lines {
    fn push(&mut self, piece: &str) {
        let text = htmlize::unescape(piece);
        let mut words = text.split_whitespace();
        self.spaced |= text.starts_with(char::is_whitespace);
        if let Some(word) = words.next() {
            let is_spaced = std::mem::take(&mut self.spaced) && !self.is_ended();
            self.line.push_str(if is_spaced { " " } else { "" });
            self.line.push_str(word);
            for word in words {
                self.line.push(' ');
                self.line.push_str(word);
            }
            self.spaced = text.ends_with(char::is_whitespace);
        }
    }

    /// Adds lines as they are.
    fn push_lines(&mut self, code: &str) {
        let lines = code.trim_end().trim_start_matches('\n');
        self.text.push_str(lines);
        self.text.push_str(if lines.is_empty() { "" } else { "\n" });
    }

    /// Whether nothing stands on the line yet.
    fn is_ended(&self) -> bool {
        self.line.is_empty()
    }

    fn end(&mut self) {
        if !self.is_ended() {
            self.text.push_str(&self.line);
            self.text.push('\n');
        }
        self.line.clear();
        self.spaced = false;
    }

    fn finish(mut self) -> String {
        self.end();
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::gaps;

    #[test]
    fn gaps_are_what_spans_leave() {
        let span = Span::new;
        assert_eq!(
            gaps(10, &[span(0, 2), span(5, 7)]),
            [span(2, 5), span(7, 10)]
        );
        assert_eq!(gaps(3, &[span(0, 3)]), []);
        assert_eq!(gaps(3, &[]), [span(0, 3)]);
    }

    #[test]
    fn template_inside_a_paragraph_is_left_out() {
        let page = "<p>Story. Read more here.</p>";
        assert_eq!(content(page, &[Span::new(9, 25)]), "Story.\n");
        assert_eq!(content(page, &[]), "Story. Read more here.\n");
        assert_eq!(content("<script>x</script>a<!-- b -->c", &[]), "ac\n");
        assert_eq!(content("a<b>cut</b>c", &[Span::new(4, 7)]), "a c\n");
    }

    #[test]
    fn listings_keep_their_lines() {
        let page = "<p>One\n two<pre>\n  a &lt;\n\n\tb  c\n</pre>three<pre>no end\n here";
        assert_eq!(
            content(page, &[]),
            "One two\n  a <\n\n\tb  c\nthree\nno end here\n"
        );
        let page = "<pre>a\n  b\n c</pre>";
        assert_eq!(content(page, &[Span::new(7, 11)]), "a\n c\n");
        assert_eq!(
            content_of_words(page, &[Span::new(7, 11)], 0),
            "a\n  b\n c\n"
        );
    }
}
