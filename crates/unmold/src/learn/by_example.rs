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
        self, Assumed, Example, Unfit,
        example::{Given, likeliest, places, several},
    },
    group::Grouping,
    mold::Group,
    read::html::visible_text,
};
use rayon::prelude::*;
use std::sync::OnceLock;

/// What an example says of a page, by its number.
struct Placed<'e> {
    page: usize,
    example: &'e Example,
}

/// An example, with the pages that it may be about: several where it names none.
pub(super) struct Said<'e> {
    pages: Vec<usize>,
    pub example: &'e Example,
}

impl<'e> Said<'e> {
    /// The page that it is about.
    ///
    /// # Errors
    /// If there are several that it may be about.
    fn only_page(&self, pages: &Pages<'_>) -> Result<usize, LearnError> {
        let ids = || {
            self.pages
                .iter()
                .map(|&page| pages.text(page).id())
                .collect::<Vec<_>>()
        };
        match self.pages[..] {
            [page] => Ok(page),
            _ => Err(LearnError::Example(several(self.example, &ids()))),
        }
    }
}

/// Finds the pages that examples may be about.
pub(super) fn said<'e>(
    examples: &'e [Example],
    texts: &[&Text],
) -> Result<Vec<Said<'e>>, LearnError> {
    let ids: Vec<&str> = texts.iter().map(|text| text.id()).collect();
    // What a reader sees is put together only if it is asked for.
    let seen: Vec<OnceLock<String>> = ids.iter().map(|_| OnceLock::new()).collect();
    let shows = |page: usize, value: &str| {
        let text = seen[page].get_or_init(|| visible_text(texts[page].as_str()));
        text.contains(&value.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    // What no page shows may still stand in an attribute or in JSON-LD.
    let holds = |page: usize, value: &str| texts[page].as_str().contains(value);
    let place = |example| {
        let pages = places(example, &ids, shows)
            .or_else(|error| places(example, &ids, holds).map_err(|_| error));
        pages.map(|pages| Said { pages, example })
    };
    examples
        .iter()
        .map(place)
        .collect::<Result<_, _>>()
        .map_err(LearnError::Example)
}

/// Where the content of each group of pages is, with what examples say of it; and what is said that no element holds.
pub(super) fn contents(
    pages: &Pages<'_>,
    grouping: &Grouping,
    examples: &[Said<'_>],
) -> Result<(Families, Vec<Unfit>), LearnError> {
    let mut contents = families::learn(grouping, &|page| pages.reading(page));
    let mut unfit = Vec::new();
    for (of_page, said) in examples
        .iter()
        .filter_map(|of_page| Some((of_page, of_page.example.content.as_ref()?)))
    {
        let page = of_page.only_page(pages)?;
        let group = grouping
            .groups()
            .iter()
            .position(|group| group.pages.len() > 1 && group.pages.contains(&page));
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
    Unfit {
        field: "content".to_owned(),
        values: vec![shown + end],
        nearest: Vec::new(),
        instead: None,
    }
}

/// Nothing says which of a page's texts vary if no other is like it.
fn alone(page: &Text) -> LearnError {
    LearnError::Example(format!(
        "the page {:?} shares its template with no other page",
        page.id()
    ))
}

/// What examples say of the fields of templates.
pub(super) struct Lesson {
    pub groups: Vec<Group>,
    pub unfit: Vec<Unfit>,
    pub assumed: Vec<Assumed>,
}

/// The groups of some templates with the fields that examples name, and those that no rule finds.
pub(super) fn fields(
    pages: &Pages<'_>,
    templates: &[Joined],
    examples: &[Said<'_>],
) -> Result<Lesson, LearnError> {
    let mut assumed = Vec::new();
    let mut placed = Vec::new();
    for said in examples {
        let page = settled(pages, templates, said)?;
        if said.pages.len() > 1 {
            let values = said
                .example
                .fields
                .iter()
                .flat_map(|(_, values)| values)
                .cloned()
                .collect();
            assumed.push(Assumed {
                page: pages.text(page).id().to_owned(),
                values,
                pages: said.pages.len(),
            });
        }
        placed.push(Placed {
            page,
            example: said.example,
        });
    }
    let learned = templates
        .par_iter()
        .map(|(template, _)| learn_by_example(pages, template, &placed));
    let (mut groups, unfit): (Vec<Group>, Vec<Vec<Unfit>>) = learned.unzip();
    lend_fields(pages, templates, &mut groups);
    Ok(Lesson {
        groups,
        unfit: unfit.concat(),
        assumed,
    })
}

/// The page that an example is about: of several, the one whose own its values are.
///
/// # Errors
/// If it shares its template with no other: nothing says which of its texts vary.
fn settled(pages: &Pages<'_>, templates: &[Joined], said: &Said<'_>) -> Result<usize, LearnError> {
    /// Of more pages, these tell as well.
    const MOST: usize = 50;
    let shared = |page: &&usize| {
        templates
            .iter()
            .any(|(template, _)| template.pages.contains(page))
    };
    let candidates: Vec<usize> = said
        .pages
        .iter()
        .filter(shared)
        .take(MOST)
        .copied()
        .collect();
    if candidates.len() < 2 {
        return candidates
            .first()
            .copied()
            .ok_or_else(|| alone(pages.text(said.pages[0])));
    }
    let of_template = |template: &Template| {
        let own: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|page| template.pages.contains(page))
            .collect();
        let sample = sample_with(template, &own);
        let scanned: Vec<_> = sample.par_iter().map(|&page| pages.scanned(page)).collect();
        let places: Vec<usize> = own.iter().map(|&page| place_in(&sample, page)).collect();
        let (fit, rank, place) = likeliest(&scanned, &places, &said.example.fields)?;
        Some((fit, rank, sample[place]))
    };
    let judged = templates
        .iter()
        .filter_map(|(template, _)| of_template(template));
    let best = judged.reduce(|best, next| {
        if (next.0, next.1) > (best.0, best.1) {
            next
        } else {
            best
        }
    });
    Ok(best.map_or(candidates[0], |(_, _, page)| page))
}

/// The pages of a template that are learned from, with those of examples among them.
fn sample_with(template: &Template, own: &[usize]) -> Vec<usize> {
    let mut sample = sampled(&template.pages);
    let missing: Vec<usize> = own
        .iter()
        .copied()
        .filter(|page| !sample.contains(page))
        .collect();
    sample.extend(missing);
    sample
}

fn place_in(sample: &[usize], page: usize) -> usize {
    sample
        .iter()
        .position(|&known| known == page)
        .expect("pages of examples are in the sample")
}

/// Learns the fields that examples name. A template that no example is about keeps its looks, so that its pages are not
/// taken for others, and has no fields.
fn learn_by_example(
    pages: &Pages<'_>,
    template: &Template,
    examples: &[Placed<'_>],
) -> (Group, Vec<Unfit>) {
    let is_own = |placed: &&Placed<'_>| {
        !placed.example.fields.is_empty() && template.pages.contains(&placed.page)
    };
    let own: Vec<&Placed<'_>> = examples.iter().filter(is_own).collect();
    if own.is_empty() {
        return (template.group(), Vec::new());
    }
    let sample = sample_with(
        template,
        &own.iter().map(|placed| placed.page).collect::<Vec<_>>(),
    );
    let given: Vec<Given<'_>> = own
        .iter()
        .flat_map(|placed| {
            let page = place_in(&sample, placed.page);
            let fields = placed.example.fields.iter();
            fields.map(move |(field, values)| Given {
                page,
                field,
                values,
            })
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
    let lenders: Vec<usize> = (0..groups.len())
        .filter(|&at| !groups[at].fields.is_empty())
        .collect();
    let borrowers: Vec<usize> = (0..groups.len())
        .filter(|&at| groups[at].fields.is_empty())
        .collect();
    for borrower in borrowers {
        let (template, _) = &templates[borrower];
        let lends = |lender: &usize| {
            let (other, _) = &templates[*lender];
            other.site == template.site
                && joining::work_on(
                    pages,
                    (&groups[*lender].fields, &groups[*lender].landmarks),
                    other,
                    template,
                )
        };
        if let Some(lender) = lenders.iter().copied().find(lends) {
            let Group {
                fields,
                landmarks,
                wanted,
                ..
            } = groups[lender].clone();
            groups[borrower] = Group {
                fields,
                landmarks,
                wanted,
                ..groups[borrower].clone()
            };
        }
    }
}
