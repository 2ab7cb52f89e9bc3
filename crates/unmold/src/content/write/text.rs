//! The text of a page without its template.
//!
//! ```
//! use unmold::{Span, content::write::text};
//!
//! let page = "<h1>News</h1><p>It &amp; more.<p>Second <b>paragraph</b>.<hr>Copyright";
//! let template = [Span::new(0, 16), Span::new(57, 70)];
//! assert_eq!(text::content(page, &template), "It & more.\nSecond paragraph.\n");
//! ```

use crate::{
    Span,
    read::html::{self, Kind, breaks_line},
};

/// What a reader sees of a page outside its template: entities decoded, white space folded, a line for each block.
///
/// `template` is sorted and does not overlap.
pub fn content(page: &str, template: &[Span]) -> String {
    let mut lines = Lines::default();
    let mut template = template;
    let end =
        template.last().filter(|last| last.end as usize == page.len()).map_or(page.len() as u32, |last| last.start);
    for token in html::tokens(page).take_while(|token| token.span.start < end) {
        match token.kind {
            Kind::Text | Kind::Cdata => {
                let passed = template.partition_point(|span| span.end <= token.span.start);
                template = &template[passed..];
                free_parts(token.span, template).for_each(|part| lines.push(part.of(page)));
            }
            Kind::Start | Kind::End if !lines.is_ended() && breaks_line(token.name.of(page)) => lines.end(),
            _ => {}
        }
    }
    lines.finish()
}

/// The parts of a stretch that sorted spans leave free.
pub(super) fn free_parts(stretch: Span, spans: &[Span]) -> impl Iterator<Item = Span> {
    let overlapping = spans.iter().take_while(move |span| span.start < stretch.end).copied();
    let mut at = stretch.start;
    overlapping.chain(std::iter::once(Span { start: stretch.end, end: stretch.end })).filter_map(move |span| {
        let part = Span { start: at, end: span.start.max(at) };
        at = at.max(span.end);
        (!part.is_empty()).then_some(part)
    })
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
        assert_eq!(gaps(10, &[span(0, 2), span(5, 7)]), [span(2, 5), span(7, 10)]);
        assert_eq!(gaps(3, &[span(0, 3)]), []);
        assert_eq!(gaps(3, &[]), [span(0, 3)]);
    }

    #[test]
    fn template_inside_a_paragraph_is_left_out() {
        let page = "<p>Story. Read more here.</p>";
        assert_eq!(content(page, &[Span::new(9, 25)]), "Story.\n");
        assert_eq!(content(page, &[]), "Story. Read more here.\n");
        assert_eq!(content("<script>x</script>a<!-- b -->c", &[]), "ac\n");
    }
}
