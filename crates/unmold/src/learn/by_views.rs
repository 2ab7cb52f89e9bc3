//! What are the fields of each template, what do its pages list, and where is their content?
//!
//! This is the default method. The steps:
//!
//! 1. content, from all groups that have it in the same place, and the lists of each group;
//! 2. groups whose rules work on each other's pages are joined to one template;
//! 3. each template is learned on its own, side by side with the others: its fields by several views
//!    that vote;
//! 4. columns that several templates share get one name;
//! 5. each group of a template keeps its part of the rules.

use super::{
    by_example::{self, Said},
    error::LearnError,
    joining, lists_only,
    pages::Pages,
    progress::Progress,
    rules::Rules,
    sample::sampled,
    shared_columns::{self, Named},
    templates::{self, Template},
    variants::{self, Missing},
};
use crate::{
    Text,
    fields::{
        declared, headed, held_out,
        learn::{LearnedFields, learn_scanned},
    },
    group::Grouping,
    mold::Group,
};
use rayon::prelude::*;

/// Learns the fields, lists and content of pages. If examples name fields, exactly these are learned.
/// One page alone teaches its list.
pub(super) fn learn(
    texts: &[&Text],
    grouping: &Grouping,
    examples: &[Said],
    with_labels: bool,
    progress: &Progress,
) -> Result<Rules, LearnError> {
    let mut pages = Pages::new(texts);
    pages.with_labels = with_labels;
    if texts.len() < 2 {
        return learn_page_alone(&pages, examples);
    }
    let (contents, mut unfit) = by_example::contents(&pages, grouping, examples)?;
    let lists = lists_only::of_groups(&pages, grouping);
    let joined = joining::joined(&pages, templates::shared(grouping, &contents, lists)?);
    let (templates, learned): (Vec<Template>, Vec<Option<LearnedFields>>) =
        joined.into_iter().unzip();
    if examples.iter().any(|said| !said.example.fields.is_empty()) {
        let by_example::Lesson {
            groups,
            unfit: unfit_fields,
            assumed,
        } = by_example::fields(&pages, &templates, examples)?;
        unfit.extend(unfit_fields);
        return Ok(Rules {
            contents: contents.rules,
            groups: divided(&pages, &templates, groups, Missing::Kept),
            unfit,
            assumed,
            left_out: 0,
        });
    }

    let counter = progress.counter(templates.len());
    let mut named: Vec<Named> = templates
        .par_iter()
        .zip(learned)
        .map(|(template, learned)| {
            let learned = learn_template(&pages, template, learned);
            counter.advance();
            learned
        })
        .collect();
    shared_columns::part_unnamed(&mut named);
    shared_columns::join(&pages, &mut named);
    let wholes: Vec<Group> = named.into_iter().map(|named| named.group).collect();
    let groups = divided(&pages, &templates, wholes, Missing::Dropped);
    if groups.iter().all(|group| group.fields.is_empty()) {
        return Err(LearnError::AllTheSame);
    }
    Ok(Rules {
        contents: contents.rules,
        groups,
        unfit,
        ..Rules::default()
    })
}

/// The groups that grouping found, each with its part of the rules of its template.
fn divided(
    pages: &Pages<'_>,
    templates: &[Template],
    wholes: Vec<Group>,
    missing: Missing,
) -> Vec<Group> {
    let groups = templates
        .par_iter()
        .zip(wholes)
        .flat_map_iter(|(template, whole)| variants::divided(pages, template, whole, missing))
        .collect();
    variants::in_order(groups)
}

/// Learns what one page lists: it has no other page to compare its values with.
fn learn_page_alone(pages: &Pages<'_>, examples: &[Said]) -> Result<Rules, LearnError> {
    if !examples.is_empty() {
        return Err(LearnError::OnePage);
    }
    lists_only::of_page_alone(pages)
}

/// Learns the fields of a template from a sample of its pages.
fn learn_template(pages: &Pages<'_>, template: &Template, learned: Option<LearnedFields>) -> Named {
    let sample = sampled(&template.pages);
    let scanned: Vec<_> = sample.par_iter().map(|&page| pages.scanned(page)).collect();
    let mut learned = learned.unwrap_or_else(|| learn_scanned(&scanned, pages.with_labels));
    held_out::judge(&scanned, &mut learned.fields, pages.with_labels);
    declared::put_first(&mut learned, &scanned);
    headed::add(&mut learned, &scanned);
    let group = Group {
        fields: learned.fields,
        wanted: Some(learned.wanted),
        landmarks: learned.landmarks,
        ..template.group()
    };
    Named {
        group,
        named_by: learned.named_by,
        pages: sample,
    }
}
