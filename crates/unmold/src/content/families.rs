//! Which groups of a pile have their main content in the same place?
//!
//! Pages are grouped by template first. But the groups of a site often have their content in the
//! same element: a manual has long pages and short ones, pages of commands and pages of concepts.
//! Few pages of one kind do not show where it is, all of them do. So a group joins a larger one of
//! its site if the rule of that finds content on its pages, and the rule is learned from both: they
//! are a *family*.
//!
//! Pages are read once, by whoever learns; here they are asked for by their number.

use super::{
    Rule,
    apply::Finder,
    learn::{SAMPLE, learn_beside, learn_read, spread},
    reading::Reading,
    region::COVERED,
};
use crate::group::{Grouping, PageGroup};
use rayon::prelude::*;
use std::sync::Arc;

/// Where the main content of each family's pages is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Families {
    /// A rule for each family, the largest first.
    pub rules: Vec<Rule>,
    /// The rule of each group; `None` where a group has no text.
    pub rule_of_group: Vec<Option<usize>>,
}

impl Families {
    /// Where the pages of a group have their content; anywhere, if that is not known.
    pub fn of_group(&self, group: usize) -> Rule {
        self.rule_of_group[group]
            .map(|at| self.rules[at].clone())
            .unwrap_or_default()
    }

    /// Says where the pages of a group have their content, and those of its family.
    pub fn set(&mut self, group: usize, rule: Rule) {
        match self.rule_of_group[group] {
            Some(at) => self.rules[at] = rule,
            None => {
                self.rule_of_group[group] = Some(self.rules.len());
                self.rules.push(rule);
            }
        }
    }
}

/// Learns where the main content of pages is whose groups are known. `reading` gives a page by its
/// number.
pub(crate) fn learn<'a>(
    grouping: &Grouping,
    reading: &(impl Fn(usize) -> Arc<Reading<'a>> + Sync),
) -> Families {
    let mut rule_of_group = vec![None; grouping.groups().len()];
    let mut families: Vec<Family> = Vec::new();
    for (number, group) in largest_first(grouping.groups()) {
        let tried = readings(&group.pages, TRIED, reading);
        let mut of_site = families
            .iter()
            .enumerate()
            .filter(|(_, family)| family.site == group.site)
            .take(FAMILIES);
        let known = of_site
            .find(|(_, family)| family.fits(&tried))
            .map(|(at, _)| at);
        rule_of_group[number] = match known {
            Some(at) => {
                families[at].pages.extend(&group.pages);
                Some(at)
            }
            None => Family::of(group, reading).map(|family| {
                families.push(family);
                families.len() - 1
            }),
        };
    }
    families
        .par_iter_mut()
        .for_each(|family| family.learn_again(reading));
    Families {
        rules: families.into_iter().map(|family| family.rule).collect(),
        rule_of_group,
    }
}

/// The largest families of a site that a group may join.
const FAMILIES: usize = 8;
/// So many pages of a group tell whether a rule finds their content.
const TRIED: usize = 10;

fn largest_first(groups: &[PageGroup]) -> Vec<(usize, &PageGroup)> {
    let mut groups: Vec<(usize, &PageGroup)> = groups.iter().enumerate().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.pages.len()));
    groups
}

/// Some of the pages, from all over.
fn readings<'a>(
    pages: &[usize],
    most: usize,
    reading: &(impl Fn(usize) -> Arc<Reading<'a>> + Sync),
) -> Vec<Arc<Reading<'a>>> {
    let chosen: Vec<&usize> = spread(pages, most).collect();
    chosen.par_iter().map(|&&page| reading(page)).collect()
}

/// Pages that one rule serves.
struct Family {
    site: usize,
    pages: Vec<usize>,
    rule: Rule,
    finder: Finder,
    /// How many pages the rule was learned from.
    learned: usize,
}

impl Family {
    fn of<'a>(
        group: &PageGroup,
        reading: &(impl Fn(usize) -> Arc<Reading<'a>> + Sync),
    ) -> Option<Self> {
        let rule = learn_read(&readings(&group.pages, SAMPLE, reading))?;
        let (finder, pages) = (Finder::new(&rule), group.pages.clone());
        Some(Family {
            site: group.site,
            learned: pages.len(),
            pages,
            rule,
            finder,
        })
    }

    /// Whether the rule finds content on other pages.
    fn fits(&self, pages: &[Arc<Reading<'_>>]) -> bool {
        let shares: f64 = pages.iter().map(|page| self.finder.share(page)).sum();
        shares >= COVERED * pages.len() as f64
    }

    /// Learns from the pages that have joined.
    fn learn_again<'a>(&mut self, reading: &(impl Fn(usize) -> Arc<Reading<'a>> + Sync)) {
        if self.pages.len() == self.learned {
            return;
        }
        self.pages.sort_unstable();
        self.learned = self.pages.len();
        if let Some(rule) =
            learn_beside(&readings(&self.pages, SAMPLE, reading), &self.rule.comments)
        {
            self.finder = Finder::new(&rule);
            self.rule = rule;
        }
    }
}
