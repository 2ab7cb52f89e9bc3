//! How is a page read as a [`Document`]? From its source, and what is known about it.

use super::{address::Base, document::Document, parse, whole::whole};
use crate::{Span, read::tree::Tree};

impl Document {
    /// Reads a page without its template, which is sorted and does not overlap.
    pub fn new(page: &str, template: &[Span]) -> Self {
        Source::new(page, template).document()
    }
}

/// What a document is read from: a page, and what is known about it.
///
/// ```
/// use unmold::content::write::{markdown, source::Source};
///
/// let source = Source::new("<p><a href=/menu>Fish</a> of the day", &[]).address(Some("https://example.org/a/b"));
/// assert_eq!(markdown::written(&source.document()), "[Fish](https://example.org/menu) of the day\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    page: &'a str,
    template: &'a [Span],
    address: Option<&'a str>,
    headline: Option<Span>,
    is_of_text: bool,
}

impl<'a> Source<'a> {
    /// A page without its template, which is sorted and does not overlap.
    pub fn new(page: &'a str, template: &'a [Span]) -> Self {
        Source {
            page,
            template,
            address: None,
            headline: None,
            is_of_text: false,
        }
    }

    /// Sets where the page was found: links in it are relative to that.
    #[must_use]
    pub fn address(mut self, address: Option<&'a str>) -> Self {
        self.address = address;
        self
    }

    /// Sets where the headline stands, which is a heading whatever its element is called.
    #[must_use]
    pub fn headline(mut self, headline: Option<Span>) -> Self {
        self.headline = headline;
        self
    }

    /// Says that the template was told by words alone: what stands between two paragraphs and has
    /// no words (pictures, rules, formulas) is template only because nobody asked.
    #[must_use]
    pub fn told_by_words(mut self) -> Self {
        self.is_of_text = true;
        self
    }

    /// Reads the page.
    pub fn document(self) -> Document {
        let tree = Tree::new(self.page);
        let base = Base::of(&tree, self.address);
        let blocks = if self.is_of_text {
            let whole = whole(&tree, self.template);
            let headline = self.headline.or(whole.headline);
            parse::without_twin(parse::blocks(&tree, &whole.template, headline, &base))
        } else {
            parse::blocks(&tree, self.template, self.headline, &base)
        };
        Document {
            title: tree.title(),
            blocks,
        }
    }
}
