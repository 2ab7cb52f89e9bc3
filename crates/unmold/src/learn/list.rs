//! What do the pages of a template list?

use super::pages::Pages;
use crate::lists::{ListRule, RecordRule, Regions, apply::Finder, tag_memory::TagMemory};
use rayon::prelude::*;

/// Pages that are looked at for a list: those of a group are alike.
const TRIED: usize = 3;
/// Pages that are looked at for columns: what no record of one page has, some of the next have.
const TRIED_FOR_COLUMNS: usize = 20;

/// The best list of the first page that has one which half of the pages have too.
pub(super) fn learn(pages: &Pages<'_>, numbers: &[usize]) -> Option<ListRule> {
    let best = |&page: &usize| Regions::default().find_in(pages.tree(page)).into_iter().next();
    let mut rules = numbers.iter().take(TRIED).filter_map(best).map(|pattern| pattern.rule().clone());
    rules.find_map(|rule| {
        let finder = Finder::new(&rule);
        let has_list = |&&page: &&usize| {
            let list = finder.find(pages.text(page), pages.tree(page), &mut TagMemory::default());
            list.is_some_and(|list| list.records.len() >= 2)
        };
        let filled = numbers.par_iter().filter(has_list).count();
        let fill = filled as f64 / numbers.len() as f64;
        (2 * filled >= numbers.len()).then(|| ListRule {
            name: "records".to_owned(),
            fill,
            rule: with_columns(rule, pages, numbers),
        })
    })
}

/// A rule with the columns that any of the first pages has.
fn with_columns(mut rule: RecordRule, pages: &Pages<'_>, numbers: &[usize]) -> RecordRule {
    for &page in numbers.iter().take(TRIED_FOR_COLUMNS) {
        rule.learn_columns(pages.text(page), pages.tree(page));
    }
    rule
}
