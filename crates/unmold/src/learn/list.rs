//! What do the pages of a template list?

use super::pages::Pages;
use crate::{
    Text,
    lists::{ListRule, RecordRule, Regions, apply::Finder, tag_memory::TagMemory},
};
use rayon::prelude::*;

/// Pages that are looked at for a list: those of a group are alike.
const TRIED: usize = 3;
/// Pages that are looked at for columns: what no record of one page has, some of the next have.
const TRIED_FOR_COLUMNS: usize = 20;
/// After so many in a row without a new column there are hardly more.
const WITHOUT_NEW: usize = 5;

/// The best list of the first page that has one which half of the pages have too.
pub(super) fn learn(pages: &Pages<'_>, numbers: &[usize]) -> Option<ListRule> {
    let best = |&page: &usize| {
        Regions::default()
            .find_in(pages.tree(page))
            .into_iter()
            .next()
    };
    let mut rules = numbers
        .iter()
        .take(TRIED)
        .filter_map(best)
        .map(|pattern| pattern.rule().clone());
    rules.find_map(|rule| {
        let fill = fill(&rule, pages, numbers);
        (2.0 * fill >= 1.0).then(|| named(with_columns(rule, pages, numbers), fill))
    })
}

/// What a rule that was found on one page finds on pages of its template, with the columns that any of the first has.
///
/// ```
/// use unmold::{Text, learn, lists::Regions};
///
/// let list = |items: &[&str]| {
///     let items: String = items.iter().map(|item| format!("<li><b>{item}</b> in stock</li>")).collect();
///     Text::from_string("page", format!("<ul>{items}</ul>"))
/// };
/// let pages = [list(&["Tea", "Milk", "Salt"]), list(&["Oil", "Rice"]), Text::from_string("empty", "<p>Nothing</p>")];
/// let pattern = &Regions::default().find(&pages[0])[0];
/// let rule = learn::list_rule(pattern.rule().clone(), &pages.iter().collect::<Vec<_>>());
/// assert!((rule.fill - 2.0 / 3.0).abs() < 1e-9);
/// ```
pub fn list_rule(rule: RecordRule, texts: &[&Text]) -> ListRule {
    let (pages, numbers) = (Pages::new(texts), (0..texts.len()).collect::<Vec<_>>());
    let fill = fill(&rule, &pages, &numbers);
    named(with_columns(rule, &pages, &numbers), fill)
}

fn named(rule: RecordRule, fill: f64) -> ListRule {
    ListRule {
        name: "records".to_owned(),
        fill,
        rule,
    }
}

/// The share of pages on which a rule finds a list.
fn fill(rule: &RecordRule, pages: &Pages<'_>, numbers: &[usize]) -> f64 {
    let finder = Finder::new(rule);
    let has_list = |&&page: &&usize| {
        let list = finder.find(
            pages.text(page),
            pages.tree(page),
            &mut TagMemory::default(),
        );
        list.is_some_and(|list| list.records.len() >= 2)
    };
    numbers.par_iter().filter(has_list).count() as f64 / numbers.len().max(1) as f64
}

/// A rule with the columns that any of the first pages has.
fn with_columns(mut rule: RecordRule, pages: &Pages<'_>, numbers: &[usize]) -> RecordRule {
    let mut without_new = 0;
    for &page in numbers.iter().take(TRIED_FOR_COLUMNS) {
        let has_new = rule.learn_columns(pages.text(page), pages.tree(page));
        without_new = if has_new { 0 } else { without_new + 1 };
        if without_new == WITHOUT_NEW {
            break;
        }
    }
    rule
}
