//! Takes the content out of pages by rules that were learned.
//!
//! ```
//! use unmold::{Text, content::{Region, Rule, apply::Cleaner}};
//!
//! let region = Region { path: "div#story".to_owned(), many: false };
//! let rule = Rule { regions: vec![region], ..Rule::default() };
//! let page = Text::from_string("1", "<p>Menu</p><div id=story><p>Once upon a time.</div>");
//! let cleaned = Cleaner::new([&rule]).clean(&page);
//! assert_eq!(cleaned.content[0].of(page.as_str()), "Once upon a time.");
//! assert_eq!(cleaned.rule, Some(0));
//! ```
//!
//! Cost: one tree for the page, and a few passes over its nodes. No index is built.

use super::{
    Rule,
    compiled::{Compiled, Place},
    learn::learn,
    reading::Reading,
};
use crate::{
    Span, Text,
    lists::Regions,
    read::{
        gaps,
        html::{self, Kind},
    },
};

/// Content rules made ready, one for each template.
pub struct Cleaner {
    rules: Vec<Compiled>,
}

/// What is content on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// The content, in order.
    pub content: Vec<Span>,
    /// The headline, where it stands before the rest; it is content too.
    pub headline: Option<Span>,
    /// The number of the rule that fits best. `None` if none fits, and the page was judged on its own.
    pub rule: Option<usize>,
}

impl Cleaned {
    /// The part of the page that is not content.
    pub fn template(&self, text: &Text) -> Vec<Span> {
        gaps(text.as_str().len(), &self.content)
    }
}

impl Cleaner {
    /// Makes rules ready.
    pub fn new<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Self {
        Cleaner { rules: rules.into_iter().map(Compiled::new).collect() }
    }

    /// Takes the content out of a page: by the rule whose regions hold most of its text, or, if none is there or nothing is
    /// left by it, by what the page itself shows.
    pub fn clean(&self, text: &Text) -> Cleaned {
        let page = Reading::of(text.as_str());
        let places = self.rules.iter().enumerate().filter_map(|(at, rule)| Some((at, rule, rule.place(&page)?)));
        // Of equals the first rule counts.
        let best = places.reduce(|best, other| if other.2.share > best.2.share { other } else { best });
        let by_rule = best.map(|(at, rule, place)| Cleaned { rule: Some(at), ..cleaned(rule, &page, &place) });
        by_rule.filter(|found| !found.content.is_empty()).unwrap_or_else(|| alone(text, &page))
    }
}

fn cleaned(rule: &Compiled, page: &Reading<'_>, place: &Place) -> Cleaned {
    let headline = rule.headline(page, place).map(|block| block.span);
    Cleaned { content: rule.content(page, place), headline, rule: None }
}

/// The content of a page that nothing is known about.
fn alone(text: &Text, page: &Reading<'_>) -> Cleaned {
    let found = learn(&[text]).map(|rule| Compiled::new(&rule)).and_then(|rule| Some((rule.place(page)?, rule)));
    found.map_or(Cleaned::default(), |(place, rule)| cleaned(&rule, page, &place))
}

/// What people wrote below the content of a page: the records of the list, of those that are not content, with most
/// text outside of links.
///
/// ```
/// use unmold::{Text, content::apply::discussion};
///
/// let page = "<ul><li><a href=1>More news today</a><li><a href=2>And some more</a></ul>\
///     <div><p class=c><b>Ann</b> I do not think so.</p><p class=c><b>Bob</b> Neither do I.</p></div>";
/// let comments = discussion(&Text::from_string("1", page), &[]);
/// assert_eq!(comments[0].of(page), "<p class=c><b>Ann</b> I do not think so.</p>");
/// ```
pub fn discussion(text: &Text, content: &[Span]) -> Vec<Span> {
    let page = text.as_str();
    let is_content = |record: &Span| {
        let at = content.partition_point(|kept| kept.end <= record.start);
        content.get(at).is_some_and(|kept| kept.start < record.end)
    };
    let lists = Regions::default().find(text).into_iter().map(|list| {
        let spans = list.records.iter().map(|record| record.span);
        spans.filter(|record| !is_content(record)).collect::<Vec<Span>>()
    });
    let written = |records: &Vec<Span>| records.iter().map(|record| unlinked(record.of(page))).sum::<usize>();
    // Of equals the better list counts.
    lists.rev().max_by_key(written).unwrap_or_default()
}

/// How many letters and digits a reader sees outside of links.
fn unlinked(html: &str) -> usize {
    let mut in_link = false;
    let mut letters = 0;
    for token in html::tokens(html) {
        let is_link = token.name.of(html).eq_ignore_ascii_case("a");
        match token.kind {
            Kind::Start if is_link => in_link = true,
            Kind::End if is_link => in_link = false,
            Kind::Text if !in_link => {
                letters += token.span.of(html).chars().filter(|c| c.is_alphanumeric()).count();
            }
            _ => {}
        }
    }
    letters
}
