//! What do examples say about the templates of a pile?
//!
//! An example is about one page, and by it about all pages that share its template: it chooses their fields, and says where
//! their content is.

use super::{LearnError, Pages, joining, joining::Joined, sampled, templates::Template};
use crate::{
    Text,
    content::{
        example::{rule_of, text_of},
        families::{self, Families},
    },
    fields::{
        self, Example, Unfit,
        example::{Given, place},
    },
    group::Grouping,
    mold::Group,
    read::html::visible_text,
};
use rayon::prelude::*;
use std::sync::OnceLock;

/// What an example says of a page, by its number.
pub(super) struct Placed<'e> {
    page: usize,
    pub example: &'e Example,
}

/// Finds the pages that examples are about.
pub(super) fn placed<'e>(examples: &'e [Example], texts: &[&Text]) -> Result<Vec<Placed<'e>>, LearnError> {
    let ids: Vec<&str> = texts.iter().map(|text| text.id()).collect();
    // What a reader sees is put together only if it is asked for.
    let seen: Vec<OnceLock<String>> = ids.iter().map(|_| OnceLock::new()).collect();
    let has = |page: usize, value: &str| {
        let text = seen[page].get_or_init(|| visible_text(texts[page].as_str()));
        text.contains(&value.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let place = |example| place(example, &ids, has).map(|page| Placed { page, example });
    examples.iter().map(place).collect::<Result<_, _>>().map_err(LearnError::Example)
}

/// Where the content of each group of pages is, with what examples say of it; and what is said that no element holds.
pub(super) fn contents(
    pages: &Pages<'_>,
    grouping: &Grouping,
    examples: &[Placed<'_>],
) -> Result<(Families, Vec<Unfit>), LearnError> {
    let mut contents = families::learn(grouping, &|page| pages.reading(page));
    let mut unfit = Vec::new();
    let said = examples.iter().filter_map(|placed| Some((placed.page, placed.example.content.as_ref()?)));
    for (page, said) in said {
        let group = grouping.groups().iter().position(|group| group.pages.len() > 1 && group.pages.contains(&page));
        let group = group.ok_or_else(|| alone(pages.text(page)))?;
        match rule_of(&pages.reading(page), said, &contents.of_group(group)) {
            Some(rule) => contents.set(group, rule),
            None => unfit.push(no_content(said)),
        }
    }
    Ok((contents, unfit))
}

/// A text that no element holds, as far as one needs it to know which is meant.
fn no_content(said: &str) -> Unfit {
    const SHOWN: usize = 60;
    let text = text_of(said);
    let shown: String = text.chars().take(SHOWN).collect();
    let end = if shown.len() < text.len() { "..." } else { "" };
    Unfit { field: "content".to_owned(), values: vec![shown + end], nearest: Vec::new() }
}

/// Nothing says which of a page's texts vary if no other is like it.
fn alone(page: &Text) -> LearnError {
    LearnError::Example(format!("the page {:?} shares its template with no other page", page.id()))
}

/// The groups of some templates with the fields that examples name, and those that no rule finds.
pub(super) fn fields(pages: &Pages<'_>, templates: &[Joined], examples: &[Placed<'_>]) -> (Vec<Group>, Vec<Unfit>) {
    let learned = templates.par_iter().map(|(template, _)| learn_by_example(pages, template, examples));
    let (mut groups, unfit): (Vec<Group>, Vec<Vec<Unfit>>) = learned.unzip();
    lend_fields(pages, templates, &mut groups);
    (groups, unfit.concat())
}

/// Refuses examples about pages that share a template with no other: nothing says which of their texts vary.
pub(super) fn check_templates(
    templates: &[Joined],
    examples: &[Placed<'_>],
    texts: &[&Text],
) -> Result<(), LearnError> {
    let is_alone = |placed: &&Placed<'_>| !templates.iter().any(|(template, _)| template.pages.contains(&placed.page));
    match examples.iter().find(is_alone) {
        Some(placed) => Err(alone(texts[placed.page])),
        None => Ok(()),
    }
}

/// Learns the fields that examples name. A template that no example is about keeps its looks, so that its pages are not
/// taken for others, and has no fields.
fn learn_by_example(pages: &Pages<'_>, template: &Template, examples: &[Placed<'_>]) -> (Group, Vec<Unfit>) {
    let is_own = |placed: &&Placed<'_>| !placed.example.fields.is_empty() && template.pages.contains(&placed.page);
    let own: Vec<&Placed<'_>> = examples.iter().filter(is_own).collect();
    if own.is_empty() {
        return (template.group(), Vec::new());
    }
    let mut sample = sampled(&template.pages);
    let missing = own.iter().map(|placed| placed.page).filter(|page| !sample.contains(page)).collect::<Vec<_>>();
    sample.extend(missing);
    let place =
        |page: usize| sample.iter().position(|&known| known == page).expect("pages of examples are in the sample");
    let given: Vec<Given<'_>> = own
        .iter()
        .flat_map(|placed| {
            let page = place(placed.page);
            let fields = placed.example.fields.iter();
            fields.map(move |(field, values)| Given { page, field, values })
        })
        .collect();
    let scanned: Vec<_> = sample.par_iter().map(|&page| pages.scanned(page)).collect();
    let (learned, unfit) = fields::example::learn(&scanned, &given);
    let group = Group {
        fields: learned.fields,
        wanted: Some(learned.wanted),
        landmarks: learned.landmarks,
        ..template.group()
    };
    (group, unfit)
}

/// Gives the fields that examples chose to other templates of the site on whose pages they are found, too: pages with and
/// without an optional part may be groups of their own, and a person means all of them.
fn lend_fields(pages: &Pages<'_>, templates: &[Joined], groups: &mut [Group]) {
    let lenders: Vec<usize> = (0..groups.len()).filter(|&at| !groups[at].fields.is_empty()).collect();
    let borrowers: Vec<usize> = (0..groups.len()).filter(|&at| groups[at].fields.is_empty()).collect();
    for borrower in borrowers {
        let (template, _) = &templates[borrower];
        let lends = |lender: &usize| {
            let (other, _) = &templates[*lender];
            other.site == template.site
                && joining::work_on(pages, (&groups[*lender].fields, &groups[*lender].landmarks), other, template)
        };
        if let Some(lender) = lenders.iter().copied().find(lends) {
            let Group { fields, landmarks, wanted, .. } = groups[lender].clone();
            groups[borrower] = Group { fields, landmarks, wanted, ..groups[borrower].clone() };
        }
    }
}
