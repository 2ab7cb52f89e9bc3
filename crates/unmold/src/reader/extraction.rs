//! What a page holds.

use super::{
    FoundValues, Part, Reader,
    coverage::{Coverage, Lack},
    page_lists::PageLists,
};
use crate::{
    Span, Text,
    content::{
        apply::FoundContent,
        discussion,
        stated::StatedArticle,
        write::{document::Document, html, markdown, source::Source, text},
    },
    fields::{Field, Type, Value, label_text::inline_label},
    lists::List,
    read::{gaps, metadata::Metadata, tree::Tree},
};

/// What a page holds, as far as its mold knows it.
pub struct Extraction<'r> {
    reader: &'r Reader,
    text: &'r Text,
    pub(super) group: Option<usize>,
    /// Whether enough was found to say that the page is of the group whose rules found it.
    pub(super) fits: bool,
    pub(super) fields: Vec<FoundValues>,
    /// What a page of no group gives by itself.
    pub(super) own: Vec<(Field, FoundValues)>,
    pub(super) lists: PageLists<'r>,
    pub(super) content: FoundContent,
    /// The text that the page states for machines where it shows none, as HTML.
    pub(super) stated: Option<Text>,
    /// A place before all content from which the page can be read.
    pub(super) content_start: usize,
    pub(super) is_alone: bool,
    /// How much of the page is content or, where template strings were asked for instead, beside
    /// them.
    pub(super) coverage: Option<Coverage>,
    pub(super) about: Metadata,
    pub(super) strings: Vec<Span>,
}

impl<'r> Extraction<'r> {
    pub(super) fn new(reader: &'r Reader, text: &'r Text) -> Self {
        Extraction {
            reader,
            text,
            group: None,
            fits: true,
            fields: Vec::new(),
            own: Vec::new(),
            lists: PageLists::default(),
            content: FoundContent::default(),
            stated: None,
            content_start: 0,
            is_alone: false,
            coverage: None,
            about: Metadata::default(),
            strings: Vec::new(),
        }
    }

    /// Takes what the page states, since it shows nothing.
    pub(super) fn take_stated(&mut self, stated: Option<StatedArticle>) {
        let Some(stated) = stated else { return };
        if !stated.headline.is_empty() && self.reader.asks_for(Part::About) {
            self.about.title = Some(stated.headline);
        }
        self.stated = Some(Text::from_string(self.text.id(), stated.html));
    }

    /// The page.
    pub fn page(&self) -> &'r Text {
        self.text
    }

    /// The number of the group in the mold that the page is of; `None` if it is of none.
    pub fn group(&self) -> Option<usize> {
        self.group.filter(|_| self.fits)
    }

    /// The number of the group whose rules read the page: its own or, if it is of none, the one
    /// whose rules found most on it.
    pub fn read_by(&self) -> Option<usize> {
        self.group
    }

    /// The wanted fields of the page's group in the order of the mold, each with its values: none
    /// where the page has none. A page of no group has what the rules of the nearest one found:
    /// what is left when a site has changed, and what the page gives by itself: what it declares of
    /// the thing that it is about, its labelled values, its headline.
    pub fn fields(&self) -> impl Iterator<Item = FoundField<'_>> {
        let rules = self
            .group
            .map_or(&[][..], |group| self.reader.mold.groups[group].wanted());
        let by_rules = rules.iter().zip(&self.fields);
        let own = self.own.iter().map(|(rule, found)| (rule, found));
        by_rules
            .chain(own)
            .map(|(rule, found)| FoundField { rule, found })
    }

    /// Whether the page is of a group whose fields are known.
    pub(super) fn has_fields(&self) -> bool {
        self.group()
            .is_some_and(|group| !self.reader.mold.groups[group].wanted().is_empty())
    }

    /// The names of the fields that its nearest group has.
    pub(super) fn names_by_rules(&self) -> impl Iterator<Item = &str> {
        let rules = self
            .group
            .map_or(&[][..], |group| self.reader.mold.groups[group].wanted());
        rules.iter().map(|rule| rule.name.as_str())
    }

    /// What the page lists, the most important list first: the lists of its template that it has or,
    /// if it is of no template, those that are found on it alone.
    pub fn lists(&self) -> impl Iterator<Item = FoundList<'_>> {
        self.lists.found.iter().map(|(number, list)| FoundList {
            name: &list.name,
            number: *number,
            list,
        })
    }

    /// The lists of the page, without the rest.
    pub fn into_lists(self) -> Vec<List<'r>> {
        self.lists.found.into_iter().map(|(_, list)| list).collect()
    }

    /// The main content.
    pub fn content(&self) -> Content<'_> {
        Content {
            page: self.text,
            spans: self.content.spans.clone(),
            headline: self.content.headline,
            start: self.content_start,
            is_alone: self.is_alone,
            is_of_words: true,
            coverage: self.coverage,
            stated: self.stated.as_ref(),
        }
    }

    /// What is left of the page without the mold's template strings.
    pub fn without_strings(&self) -> Content<'_> {
        Content {
            coverage: self.coverage,
            ..Content::without(self.text, &self.strings)
        }
    }

    /// What the page says about itself.
    pub fn about(&self) -> &Metadata {
        &self.about
    }

    /// Where the mold's template strings stand, with what goes with them; in order.
    pub fn template_strings(&self) -> &[Span] {
        &self.strings
    }
}

/// A field with what a page has of it.
#[derive(Clone, Copy)]
pub struct FoundField<'e> {
    rule: &'e Field,
    found: &'e FoundValues,
}

/// Why a value may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// Fewer of the ways to find it agree than where it was learned.
    FewAgree,
    /// The field's label does not stand before it.
    NoLabel,
    /// It does not look like the values that the field had where it was learned, or has not the
    /// label inside that these have.
    OtherType,
    /// It is far shorter or longer than all of these.
    OtherLength,
    /// There are more or fewer values than nearly all pages have.
    OtherCount,
    /// Fewer of the ways to find it agree than elsewhere, and another field is found there too.
    OtherField,
    /// The page declares another value to machines than it shows to readers.
    OtherDeclared,
}

impl Doubt {
    /// The name by which other programs know it, such as `few-agree`.
    pub fn name(self) -> &'static str {
        match self {
            Doubt::FewAgree => "few-agree",
            Doubt::NoLabel => "no-label",
            Doubt::OtherType => "other-type",
            Doubt::OtherLength => "other-length",
            Doubt::OtherCount => "other-count",
            Doubt::OtherField => "other-field",
            Doubt::OtherDeclared => "other-declared",
        }
    }
}

impl<'e> FoundField<'e> {
    /// What the field is called.
    pub fn name(&self) -> &'e str {
        &self.rule.name
    }

    /// What the mold says of it.
    pub fn rule(&self) -> &'e Field {
        self.rule
    }

    /// Its values on the page, in the order of the page.
    pub fn values(&self) -> std::slice::Iter<'e, Value> {
        self.found.values.iter()
    }

    /// The share of the ways to find it that agree on the values; 0 where there is none.
    pub fn agreement(&self) -> f64 {
        self.found.agreement
    }

    /// Why the values may be wrong, if something speaks for that.
    pub fn doubt(&self) -> Option<Doubt> {
        /// Less of the agreement that the field had is left when a site begins to change.
        const LEFT: f64 = 0.7;
        /// Values are not so many times longer,
        const LONGER: usize = 2;
        /// or so many times shorter, than what was seen.
        const SHORTER: usize = 3;
        /// Where two fields are found in one place, less is needed to doubt the one that is out of
        /// its own.
        const LEFT_BESIDE_ANOTHER: f64 = 0.9;
        let first = self.found.values.first()?;
        if self.found.is_disputed {
            return Some(Doubt::OtherDeclared);
        }
        if self.agreement() < LEFT * self.rule.agreement || self.rule.has_one_place() {
            return Some(Doubt::FewAgree);
        }
        if !self.found.is_labelled {
            return Some(Doubt::NoLabel);
        }
        if self.found.is_shared && self.agreement() < LEFT_BESIDE_ANOTHER * self.rule.agreement {
            return Some(Doubt::OtherField);
        }
        if self
            .rule
            .count
            .is_some_and(|count| count != self.found.values.len())
        {
            return Some(Doubt::OtherCount);
        }
        let kind = self.rule.kind;
        let has_label = || inline_label(first.text()) == Some(self.rule.inline_label.as_str());
        let is_unlike = kind != Type::Text && Type::of(&[first.text()]) != kind;
        if is_unlike || !self.rule.inline_label.is_empty() && !has_label() {
            return Some(Doubt::OtherType);
        }
        let letters = first.text().chars().count();
        let is_other =
            |(least, most): (usize, usize)| letters > LONGER * most || SHORTER * letters < least;
        self.rule
            .letters
            .is_some_and(is_other)
            .then_some(Doubt::OtherLength)
    }
}

/// A list of a page.
#[derive(Clone, Copy)]
pub struct FoundList<'e> {
    /// What the mold calls it.
    pub name: &'e str,
    /// Its number among the lists of the page's group; `None` if no rule of a mold found it.
    pub number: Option<usize>,
    /// Its columns and records.
    pub list: &'e List<'e>,
}

/// The main content of a page.
#[derive(Clone, Debug)]
pub struct Content<'e> {
    page: &'e Text,
    spans: Vec<Span>,
    headline: Option<Span>,
    /// A place before all spans from which the page can be read.
    start: usize,
    is_alone: bool,
    /// Whether the spans are of words, and say nothing about what stands between them.
    is_of_words: bool,
    /// Where it was measured when the page was read.
    coverage: Option<Coverage>,
    /// What the page states as its text where it shows none, as HTML.
    stated: Option<&'e Text>,
}

impl<'e> Content<'e> {
    /// What is left of a page without its template, which is in order and does not overlap.
    pub fn without(page: &'e Text, template: &[Span]) -> Self {
        Content {
            page,
            spans: gaps(page.as_str().len(), template),
            headline: None,
            start: 0,
            is_alone: false,
            is_of_words: false,
            coverage: None,
            stated: None,
        }
    }

    /// The same with what people wrote below it.
    #[must_use]
    pub fn with_discussion(mut self) -> Self {
        let written = discussion(self.page, &self.spans);
        self.spans = Span::union(self.spans.into_iter().chain(written).collect());
        (self.start, self.coverage) = (0, None);
        self
    }

    /// The bytes of the content, in order.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.stated.is_none()
    }

    /// Whether the page shows no text, and this is what it states for machines: in JSON-LD, or in
    /// the state of its application. Such text has no spans.
    pub fn is_stated(&self) -> bool {
        self.stated.is_some()
    }

    /// The headline, where it stands before the rest; it is content too.
    pub fn headline(&self) -> Option<Span> {
        self.headline
    }

    /// Whether the page was judged on its own, for want of others like it.
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// How much of the page's text it is.
    pub fn coverage(&self) -> Coverage {
        self.coverage
            .unwrap_or_else(|| Coverage::of(&Tree::new(self.page.as_str()), &self.spans))
    }

    /// Why it is empty, or little of the page's text.
    pub fn lack(&self) -> Option<Lack> {
        self.coverage().lack()
    }

    /// The rest of the page, in order.
    pub fn template(&self) -> Vec<Span> {
        gaps(self.page.as_str().len(), &self.spans)
    }

    /// The content as plain text, one line per block.
    pub fn text(&self) -> String {
        if let Some(stated) = self.stated {
            return text::content(stated.as_str(), &[]);
        }
        let (page, template) = (self.page.as_str(), self.template());
        if self.is_of_words {
            text::content_of_words(page, &template, self.start)
        } else {
            text::content(page, &template)
        }
    }

    /// The content as blocks, with the pictures, captions and rules that stand in it.
    pub fn document(&self) -> Document {
        if let Some(stated) = self.stated {
            return Source::new(stated.as_str(), &[])
                .address(self.page.url())
                .document();
        }
        let template = self.template();
        let source = Source::new(self.page.as_str(), &template)
            .address(self.page.url())
            .headline(self.headline);
        if self.is_of_words {
            source.told_by_words().document()
        } else {
            source.document()
        }
    }

    /// The content as Markdown.
    pub fn markdown(&self) -> String {
        markdown::written(&self.document())
    }

    /// The content as HTML without style.
    pub fn html(&self) -> String {
        html::written(&self.document())
    }
}
