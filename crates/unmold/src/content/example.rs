//! Which part of a page does somebody mean who says what its content is?
//!
//! They say it as a text, as the source of an element (`<article>...`), or as the path of an
//! element as molds write it (`div.story`). The element is meant whose content is most like the
//! text; nothing is trained, and its path is the rule for all pages of the template.

use super::{Region, Rule, apply::Finder, reading::Reading, write::text::content_of_words};
use crate::read::{gaps, html::visible_text, tree::NodeId};
use std::{collections::HashMap, sync::Arc};

/// An element is where the content is if its text has at least so much in common with what was
/// said.
const ALIKE: f64 = 0.5;

/// The rule by the element of a page that is meant, where `base` says what else is known of such
/// pages; `None` if no element is.
pub(crate) fn rule_of(page: &Arc<Reading<'_>>, said: &str, base: &Rule) -> Option<Rule> {
    let page = page.named(Finder::new(base).names());
    by_path(&page, said.trim(), base).or_else(|| by_text(&page, &text_of(said), base))
}

/// What somebody says as a text.
pub(crate) fn text_of(said: &str) -> String {
    if said.trim_start().starts_with('<') {
        visible_text(said)
    } else {
        said.to_owned()
    }
}

/// The same rule for another element.
fn moved(base: &Rule, path: &str) -> Rule {
    Rule {
        regions: vec![Region {
            path: path.to_owned(),
            multiple: false,
        }],
        ..base.clone()
    }
}

/// The rule for the first element whose path ends with some steps.
fn by_path(page: &Reading<'_>, steps: &str, base: &Rule) -> Option<Rule> {
    let is_meant = |path: &String| {
        path.strip_suffix(steps)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
    };
    let path = page
        .elements()
        .map(|node| page.written(node))
        .find(is_meant)
        .filter(|_| !steps.is_empty())?;
    Some(moved(base, &path))
}

/// The rule for the element whose content is most like a text.
fn by_text(page: &Arc<Reading<'_>>, text: &str, base: &Rule) -> Option<Rule> {
    let (source, said) = (page.tree.page(), Pieces::of(text));
    let holds = |path: &str| {
        let rule = moved(base, path);
        let found = Finder::new(&rule).find_in(page)?;
        let content = content_of_words(source, &gaps(source.len(), &found.spans), 0);
        Some((said.in_common(&Pieces::of(&content)), rule))
    };
    let whole = |node| Pieces::of(&visible_text(page.tree.span(node).of(source)));
    // Only what holds most of the text can be where it is: an element, those around it, and few
    // others.
    let is_large = |node: &NodeId| 2 * page.tree.span(*node).len() >= text.len();
    let around = page
        .elements()
        .filter(is_large)
        .filter(|&node| said.share_in(&whole(node)) >= ALIKE);
    let rules = around.filter_map(|node| holds(&page.written(node)));
    let best = rules.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(alike, _)| *alike >= ALIKE)
        .map(|(_, rule)| rule)
}

/// What a text is made of, in any language: three letters at a time.
pub(crate) struct Pieces {
    counts: HashMap<[char; 3], usize>,
    total: usize,
}

impl Pieces {
    pub fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut counts = HashMap::new();
        letters
            .windows(3)
            .for_each(|three| *counts.entry([three[0], three[1], three[2]]).or_default() += 1);
        Pieces {
            counts,
            total: letters.len().saturating_sub(2),
        }
    }

    fn shared(&self, other: &Pieces) -> usize {
        self.counts
            .iter()
            .map(|(piece, count)| *count.min(other.counts.get(piece).unwrap_or(&0)))
            .sum()
    }

    /// How alike two texts are: 1 if they are the same.
    pub fn in_common(&self, other: &Pieces) -> f64 {
        2.0 * self.shared(other) as f64 / (self.total + other.total).max(1) as f64
    }

    /// How much of this text stands in another.
    fn share_in(&self, other: &Pieces) -> f64 {
        self.shared(other) as f64 / self.total.max(1) as f64
    }
}
