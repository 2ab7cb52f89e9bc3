//! Where is the main content of a pile of pages, each page by the rule of its own kind?
//!
//! Pages are grouped by template first. But the groups of a site often have their content in the same element: a manual
//! has long pages and short ones, pages of commands and pages of concepts. Few pages of one kind do not show where it is,
//! all of them do. So a group joins a larger one of its site if the rule of that finds content on its pages, and the
//! rule is learned from both: they are a *family*.
//!
//! ```
//! use unmold::{Text, content::families};
//!
//! let page = |n: u32| Text::from_string(format!("{n}"), format!("<div class=story><p>{}</p></div>", "x ".repeat(99)));
//! let learned = contents::learn(&[page(1), page(2)]);
//! assert_eq!(learned.rule_of_page, [Some(0), Some(0)]);
//! ```

use super::{Rule, compiled::Compiled, learn as template, reading::Reading, region::COVERED};
use crate::{
    Text,
    group::{self, Group, Grouping},
};
use rayon::prelude::*;
use std::collections::HashMap;

/// Where the main content of each family's pages is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// A rule for each family, the largest first.
    pub rules: Vec<Rule>,
    /// The rule of each page; `None` for a page that none fits.
    pub rule_of_page: Vec<Option<usize>>,
}

impl Contents {
    /// The rules, to be taken by the pages they were learned from.
    pub(crate) fn by_page(self, texts: &[Text]) -> RulesByPage<'_> {
        let rules = self.rules.into_iter().map(Some).collect();
        let ids = texts.iter().map(Text::id).zip(self.rule_of_page);
        RulesByPage { rules, of_page: ids.filter_map(|(id, rule)| Some((id, rule?))).collect() }
    }
}

/// Rules that are given out once each.
pub(crate) struct RulesByPage<'a> {
    rules: Vec<Option<Rule>>,
    of_page: HashMap<&'a str, usize>,
}

impl RulesByPage<'_> {
    /// The first rule of some pages that was not given out yet. A mold tries all its rules on each page, so a rule that
    /// serves several groups is written down with one of them.
    pub fn take_first(&mut self, pages: &[Text]) -> Option<Rule> {
        pages.iter().find_map(|page| self.rules[*self.of_page.get(page.id())?].take())
    }
}

/// Learns where the main content is, and nothing else.
pub fn learn(texts: &[Text]) -> Contents {
    learn_grouped(texts, &group::group(texts))
}

/// Learns where the main content of pages is whose groups are known.
pub fn learn_grouped(texts: &[Text], grouping: &Grouping) -> Contents {
    let mut families = families(texts, grouping);
    families.par_iter_mut().for_each(|family| family.learn_again(texts));
    let mut rule_of_page = vec![None; texts.len()];
    for (at, family) in families.iter().enumerate() {
        family.pages.iter().for_each(|&page| rule_of_page[page] = Some(at));
    }
    let without: Vec<usize> = (0..texts.len()).filter(|&page| grouping.places()[page].group().is_none()).collect();
    let nearest: Vec<Option<usize>> = without.par_iter().map(|&page| nearest(&families, &texts[page])).collect();
    without.into_iter().zip(nearest).for_each(|(page, rule)| rule_of_page[page] = rule);
    Contents { rules: families.into_iter().map(|family| family.rule).collect(), rule_of_page }
}

/// The largest families of a site that a group may join.
const FAMILIES: usize = 8;

/// Some pages of a group, to try rules on.
fn tried<'t>(texts: &'t [Text], pages: &[usize]) -> Vec<Reading<'t>> {
    /// So many tell.
    const TRIED: usize = 10;
    let tried: Vec<&usize> = template::spread(pages, TRIED).collect();
    tried.par_iter().map(|&&page| Reading::of(texts[page].as_str())).collect()
}

/// The families of groups, the largest group first.
fn families(texts: &[Text], grouping: &Grouping) -> Vec<Family> {
    let mut groups: Vec<&Group> = grouping.groups().iter().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.pages.len()));
    let mut families: Vec<Family> = Vec::new();
    for group in groups {
        let pages = tried(texts, &group.pages);
        let mut of_site = families.iter_mut().filter(|family| family.site == group.site).take(FAMILIES);
        match of_site.find(|family| family.fits(&pages)) {
            Some(family) => family.pages.extend(&group.pages),
            None => families.extend(Family::of(texts, group)),
        }
    }
    families
}

/// Pages that one rule serves.
struct Family {
    site: usize,
    pages: Vec<usize>,
    rule: Rule,
    compiled: Compiled,
    /// How many pages the rule was learned from.
    learned: usize,
}

impl Family {
    fn of(texts: &[Text], group: &Group) -> Option<Self> {
        let rule = rule(texts, &group.pages)?;
        let (compiled, pages) = (Compiled::new(&rule), group.pages.clone());
        Some(Family { site: group.site, learned: pages.len(), pages, rule, compiled })
    }

    /// Whether the rule finds content on other pages.
    fn fits(&self, pages: &[Reading<'_>]) -> bool {
        let shares: f64 = pages.iter().map(|page| self.share(page)).sum();
        shares >= COVERED * pages.len() as f64
    }

    /// The share of a page's running text that the rule finds.
    fn share(&self, page: &Reading<'_>) -> f64 {
        self.compiled.place(page).map_or(0.0, |place| place.share)
    }

    /// Learns from the pages that have joined.
    fn learn_again(&mut self, texts: &[Text]) {
        if self.pages.len() == self.learned {
            return;
        }
        self.pages.sort_unstable();
        self.learned = self.pages.len();
        if let Some(rule) = rule(texts, &self.pages) {
            self.compiled = Compiled::new(&rule);
            self.rule = rule;
        }
    }
}

fn rule(texts: &[Text], pages: &[usize]) -> Option<Rule> {
    template::learn(&pages.iter().map(|&page| &texts[page]).collect::<Vec<_>>())
}

/// The family whose rule finds most of a page that is in no group.
fn nearest(families: &[Family], text: &Text) -> Option<usize> {
    let page = Reading::of(text.as_str());
    let shares = families.iter().map(|family| family.share(&page)).enumerate();
    // Of equals the first family counts.
    let best = shares.reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.filter(|&(_, share)| share >= COVERED).map(|(at, _)| at)
}
