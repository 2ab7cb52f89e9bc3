//! What do the candidates find on the pages that they were made from?
//!
//! All candidates vote at once, as the fields of a mold do on any page. What they find may show
//! that a rule is wrong about some pages: a text that precedes the value there was taken for it, or
//! the views find nothing though the label is there. Then the rule is completed, and looks again.

use super::{
    super::{
        Field,
        apply::{Finder, Value},
        sample::Sample,
        votes::VotedSlots,
    },
    asides,
    column::{Column, PageValues},
    label_followers::LabelFollowers,
};
use rayon::prelude::*;

/// How often rules are completed: what follows one aside tells the next. Chosen by hand.
const ROUNDS: usize = 3;

/// What a rule has to learn from what it finds.
struct Lesson {
    asides: Vec<String>,
    /// Whether its label alone says where its value is,
    by_label_alone: bool,
    /// and finds it on pages where the views do not.
    finds_more_by_label: bool,
}

/// Looks for all candidates on all pages. Those whose values do not vary are dropped.
pub(super) fn gather(sample: &Sample<'_>, candidates: Vec<Field>) -> Vec<Column> {
    let mut columns = look(sample, candidates);
    let followers = LabelFollowers::of(sample);
    for _ in 0..ROUNDS {
        let changed: Vec<bool> = columns
            .par_iter_mut()
            .map(|column| take(column, lesson(sample, column, &followers)))
            .collect();
        if !changed.contains(&true) {
            break;
        }
        columns = look_again(sample, columns);
    }
    // Votes may have settled on a text that is the same everywhere.
    columns.retain(Column::varies);
    columns
}

fn lesson(sample: &Sample<'_>, column: &Column, followers: &LabelFollowers) -> Lesson {
    let by_label = followers.pages_by_label(sample, column);
    Lesson {
        asides: asides::of(sample, column),
        by_label_alone: by_label.is_some(),
        finds_more_by_label: by_label.is_some_and(|pages| pages > 0),
    }
}

/// Completes the rule of a column; whether it may find something else now.
fn take(column: &mut Column, lesson: Lesson) -> bool {
    let rule = &mut column.field;
    let finds_more = lesson.finds_more_by_label && !rule.label_alone;
    let has_asides = !lesson.asides.is_empty();
    rule.label_alone |= lesson.by_label_alone;
    rule.asides.extend(lesson.asides);
    finds_more || has_asides
}

/// What each rule finds.
fn look(sample: &Sample<'_>, rules: Vec<Field>) -> Vec<Column> {
    let finder = Finder::new(&rules, sample.landmarks());
    let on_page = |page: usize| -> Vec<PageValues> {
        let mut values = Vec::with_capacity(rules.len());
        for (number, voted) in finder
            .find_fields(sample.slots(page))
            .into_iter()
            .enumerate()
        {
            let texts = texts(sample, &finder, number, page, &voted);
            values.push(PageValues { voted, texts });
        }
        values
    };
    let pages: Vec<Vec<PageValues>> = (0..sample.len()).into_par_iter().map(on_page).collect();
    let mut by_page: Vec<_> = pages.into_iter().map(Vec::into_iter).collect();
    let mut columns = Vec::with_capacity(rules.len());
    for (number, rule) in rules.into_iter().enumerate() {
        let pages = by_page.iter_mut().filter_map(Iterator::next).collect();
        columns.push(Column::new(sample, number, rule, pages));
    }
    columns
}

/// What each rule finds now that some have changed. Most still find the same, and stay as they are.
fn look_again(sample: &Sample<'_>, known: Vec<Column>) -> Vec<Column> {
    let finder = Finder::new(known.iter().map(Column::rule), sample.landmarks());
    let by_page: Vec<Vec<VotedSlots>> = (0..sample.len())
        .into_par_iter()
        .map(|page| finder.find_fields(sample.slots(page)))
        .collect();
    let mut columns = Vec::with_capacity(known.len());
    for (number, mut column) in known.into_iter().enumerate() {
        let mut has_changed = false;
        for (page, voted) in by_page.iter().map(|voted| &voted[number]).enumerate() {
            if *voted == column.pages[page].voted {
                continue;
            }
            column.pages[page] = PageValues {
                voted: voted.clone(),
                texts: texts(sample, &finder, number, page, voted),
            };
            has_changed = true;
        }
        if has_changed {
            column = Column::new(sample, number, column.field, column.pages);
        }
        columns.push(column);
    }
    columns
}

/// The values of a column on a page.
fn texts(
    sample: &Sample<'_>,
    finder: &Finder,
    number: usize,
    page: usize,
    voted: &VotedSlots,
) -> Vec<String> {
    let values = finder.values(number, voted, sample.slots(page), sample.page(page));
    values.map(Value::into_text).collect()
}
