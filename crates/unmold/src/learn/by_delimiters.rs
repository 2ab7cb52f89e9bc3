//! Between which strings do the values of each template stand?
//!
//! The method of the paper: what varies is found by [alternation counts](cut_point), and
//! [LR rules](lr::learn) are made around it. Lists and content are learned as by default.

use super::{error::LearnError, lists_only, pages::Pages, rules::Rules, templates};
use crate::{
    Span, Text,
    content::families,
    fields::{Field, View},
    group::Grouping,
    lr,
    mold::Group,
    papers::cut_point,
    read::gaps,
    symbols::{
        encode::chars,
        index::{Index, IndexError},
    },
};

/// Learns LR rules, lists and content.
pub(super) fn learn(
    texts: &[&Text],
    grouping: &Grouping,
    settings: &cut_point::Settings,
) -> Result<Rules, LearnError> {
    if texts.len() < 2 {
        return Err(LearnError::OnePage);
    }
    let pages = Pages::new(texts);
    let contents = families::learn(grouping, &|page| pages.reading(page));
    let mut groups: Vec<Group> = Vec::new();
    // Numbers go on from one template to the next, so that no two fields of a mold have one name.
    let mut next_number = 1;
    let lists = lists_only::of_groups(&pages, grouping);
    for template in templates::shared(grouping, &contents, lists)? {
        let fields = fields_of(&template.texts(texts), settings, next_number)?;
        let Some(fields) = fields else {
            continue;
        };
        next_number += fields.len();
        groups.push(Group {
            fields,
            ..template.group()
        });
    }
    if groups.is_empty() {
        return Err(LearnError::AllTheSame);
    }
    Ok(Rules {
        contents: contents.rules,
        groups,
        ..Rules::default()
    })
}

/// The LR rules of a template as fields with neutral names, numbered from `first_number`; `None` if
/// its pages are all the same.
fn fields_of(
    texts: &[&Text],
    settings: &cut_point::Settings,
    first_number: usize,
) -> Result<Option<Vec<Field>>, IndexError> {
    let index = Index::new(chars::encode(texts))?;
    let template = cut_point::find_optimal(&index, settings.clone()).template(&index);
    let varying: Vec<Vec<Span>> = texts
        .iter()
        .zip(&template)
        .map(|(text, template)| gaps(text.as_str().len(), template))
        .collect();
    if varying.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let mut fields = Vec::new();
    for learned in lr::learn::learn_ranked(texts, &varying) {
        fields.push(Field {
            name: format!("field_{}", first_number + fields.len()),
            fill: learned.fill,
            samples: learned.samples,
            views: vec![View::Lr(learned.rule)],
            ..Field::default()
        });
    }
    Ok(Some(fields))
}
