//! Takes the content out of pages by rules that were learned.
//!
//! ```
//! use unmold::{Text, apply::content::Cleaner, detect::content::{Region, Rule}};
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

use crate::{
    Span, Text,
    detect::content::{Compiled, Reading, Rule, learn},
    report::text::gaps,
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

    /// Takes the content out of a page: by the rule whose regions hold most of its text, or, if none is there, by what
    /// the page itself shows.
    pub fn clean(&self, text: &Text) -> Cleaned {
        let page = Reading::of(text.as_str());
        let places = self.rules.iter().enumerate().filter_map(|(at, rule)| Some((at, rule, rule.place(&page)?)));
        // Of equals the first rule counts.
        let best = places.reduce(|best, other| if other.2.share > best.2.share { other } else { best });
        match best {
            Some((at, rule, place)) => Cleaned {
                content: rule.content(&page, &place),
                headline: rule.headline(&page, &place).map(|block| block.span),
                rule: Some(at),
            },
            None => alone(text, &page),
        }
    }
}

/// The content of a page that nothing is known about.
fn alone(text: &Text, page: &Reading<'_>) -> Cleaned {
    let found = learn(&[text]).map(|rule| Compiled::new(&rule)).and_then(|rule| Some((rule.place(page)?, rule)));
    found.map_or(Cleaned::default(), |(place, rule)| Cleaned {
        content: rule.content(page, &place),
        headline: rule.headline(page, &place).map(|block| block.span),
        rule: None,
    })
}
