//! What do examples say about the templates of a pile?
//!
//! An example is about one page, and by it about all pages that share its template: it chooses
//! their fields, and says where their content is.

use super::{error::LearnError, joining, pages::Pages, sample::sampled, templates::Template};
use crate::{
    Text,
    content::{
        example::{rule_of, text_of},
        families::{self, Families},
    },
    fields::{
        self, Assumed, Example, Unfit,
        example::{BETWEEN_VALUES, Given, likeliest, places, several},
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
pub(super) struct Said {
    pages: Vec<usize>,
    pub example: Example,
}

impl Said {
    /// The page that it is about.
    ///
    /// # Errors
    /// If there are several that it may be about.
    fn only_page(&self, pages: &Pages<'_>) -> Result<usize, LearnError> {
        if let [page] = self.pages[..] {
            return Ok(page);
        }
        let ids = self.pages.iter().map(|&page| pages.text(page).id());
        let ids: Vec<&str> = ids.collect();
        Err(LearnError::Example(several(&self.example, &ids)))
    }
}

/// What examples say, as far as some page has it; and the values that none has.
#[derive(Default)]
pub(super) struct Heard {
    pub said: Vec<Said>,
    pub unfit: Vec<Unfit>,
}

/// Finds the pages that examples may be about. One that is about no page does not cost the others.
///
/// # Errors
/// If there is no page for any of them.
pub(super) fn heard(examples: &[Example], texts: &[&Text]) -> Result<Heard, LearnError> {
    let sources = Sources::of(texts);
    let mut heard = Heard::default();
    let mut first_reason = None;
    for example in examples {
        let mut example = sources.with_lists(example);
        let mut found = sources.pages_of(&example);
        if found.is_err() && example.page.is_none() {
            // What no page has is owed; what is left may still say which page is meant.
            let known = sources.take_known(&mut example, &mut heard.unfit);
            if known {
                found = sources.pages_of(&example);
            }
        }
        match found {
            Ok(pages) => heard.said.push(Said { pages, example }),
            Err(reason) => {
                heard.unfit.extend(unasked(&example, &reason));
                first_reason.get_or_insert(reason);
            }
        }
    }
    match first_reason {
        Some(reason) if heard.said.is_empty() => Err(LearnError::Example(reason)),
        _ => Ok(heard),
    }
}

/// All that an example names, with the reason why nothing is learned from it.
fn unasked(example: &Example, reason: &str) -> Vec<Unfit> {
    let mut unfit = Vec::new();
    for (field, values) in &example.fields {
        unfit.push(Unfit::unasked(field, values, reason));
    }
    if let Some(content) = &example.content {
        unfit.push(Unfit {
            reason: Some(reason.to_owned()),
            ..no_content(content)
        });
    }
    unfit
}

/// The texts of pages, to look values up in.
struct Sources<'t> {
    texts: &'t [&'t Text],
    ids: Vec<&'t str>,
    /// What a reader sees, put together if it is asked for.
    seen: Vec<OnceLock<String>>,
}

impl<'t> Sources<'t> {
    fn of(texts: &'t [&'t Text]) -> Self {
        Sources {
            texts,
            ids: texts.iter().map(|text| text.id()).collect(),
            seen: texts.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Whether a reader of a page sees a value.
    fn shows(&self, page: usize, value: &str) -> bool {
        let seen = self.seen[page].get_or_init(|| visible_text(self.texts[page].as_str()));
        seen.contains(&value.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Whether the source of a page has a value: what no page shows may still be in an attribute or
    /// in JSON-LD.
    fn holds(&self, page: usize, value: &str) -> bool {
        self.texts[page].as_str().contains(value)
    }

    fn has(&self, page: usize, value: &str) -> bool {
        self.shows(page, value) || self.holds(page, value)
    }

    fn is_somewhere(&self, value: &str) -> bool {
        (0..self.texts.len()).any(|page| self.has(page, value))
    }

    /// The pages that an example may be about.
    fn pages_of(&self, example: &Example) -> Result<Vec<usize>, String> {
        places(example, &self.ids, |page, value| self.shows(page, value)).or_else(|reason| {
            places(example, &self.ids, |page, value| self.holds(page, value)).map_err(|_| reason)
        })
    }

    /// The example with a value that is what a table writes for several as a list of these: no page
    /// has it whole, and some page has each of its parts.
    fn with_lists(&self, example: &Example) -> Example {
        let mut example = example.clone();
        for (_, values) in &mut example.fields {
            let [value] = values.as_slice() else {
                continue;
            };
            let parts: Vec<String> = value.split(BETWEEN_VALUES).map(str::to_owned).collect();
            if parts.len() < 2 || self.is_somewhere(value) {
                continue;
            }
            let has_all = |page: usize| parts.iter().all(|part| self.has(page, part));
            if (0..self.texts.len()).any(has_all) {
                *values = parts;
            }
        }
        example
    }

    /// Takes out of an example what no page has, if anything is left of it then.
    fn take_known(&self, example: &mut Example, unfit: &mut Vec<Unfit>) -> bool {
        let is_known = |values: &[String]| values.iter().all(|value| self.is_somewhere(value));
        if !example.fields.iter().any(|(_, values)| is_known(values)) {
            return false;
        }
        example.fields.retain(|(field, values)| {
            if is_known(values) {
                return true;
            }
            unfit.push(Unfit::unasked(field, values, "no page has it"));
            false
        });
        true
    }
}

/// Where the content of each group of pages is, with what examples say of it; and what is said that
/// no element holds.
pub(super) fn contents(
    pages: &Pages<'_>,
    grouping: &Grouping,
    examples: &[Said],
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
        let group = group.ok_or_else(|| LearnError::Example(alone(pages.text(page))))?;
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
        ..Unfit::default()
    }
}

/// Nothing says which of a page's texts vary if no other is like it.
fn alone(page: &Text) -> String {
    format!(
        "the page {:?} shares its template with no other page",
        page.id()
    )
}

/// What examples say of the fields of templates.
pub(super) struct Lesson {
    pub groups: Vec<Group>,
    pub unfit: Vec<Unfit>,
    pub assumed: Vec<Assumed>,
}

/// The groups of some templates with the fields that examples name, and those that no rule finds.
/// An example of a page that shares its template with no other does not cost the others.
///
/// # Errors
/// If there is no other example.
pub(super) fn fields(
    pages: &Pages<'_>,
    templates: &[Template],
    examples: &[Said],
) -> Result<Lesson, LearnError> {
    let (mut assumed, mut placed) = (Vec::new(), Vec::new());
    let (mut unplaced, mut first_reason) = (Vec::new(), None);
    for said in examples {
        let page = match settled(pages, templates, said) {
            Ok(page) => page,
            Err(reason) => {
                unplaced.extend(unasked(&said.example, &reason));
                first_reason.get_or_insert(reason);
                continue;
            }
        };
        if said.pages.len() > 1 {
            let values = said.example.fields.iter().flat_map(|(_, values)| values);
            assumed.push(Assumed {
                page: pages.text(page).id().to_owned(),
                values: values.cloned().collect(),
                pages: said.pages.len(),
            });
        }
        placed.push(Placed {
            page,
            example: &said.example,
        });
    }
    if let Some(reason) = first_reason.filter(|_| placed.is_empty()) {
        return Err(LearnError::Example(reason));
    }
    let learned = templates
        .par_iter()
        .map(|template| learn_by_example(pages, template, &placed));
    let (mut groups, unfit): (Vec<Group>, Vec<Vec<Unfit>>) = learned.unzip();
    lend_fields(pages, templates, &mut groups);
    unplaced.extend(unfit.concat());
    Ok(Lesson {
        groups,
        unfit: unplaced,
        assumed,
    })
}

/// The page that an example is about: of several, the one whose own its values are.
///
/// # Errors
/// If it shares its template with no other: nothing says which of its texts vary.
fn settled(pages: &Pages<'_>, templates: &[Template], said: &Said) -> Result<usize, String> {
    /// Of more pages, these tell as well.
    const MOST: usize = 50;
    let shared = |page: &&usize| {
        templates
            .iter()
            .any(|template| template.pages.contains(page))
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
        let mut likeliest = likeliest(&scanned, &places, &said.example.fields)?;
        likeliest.page = sample[likeliest.page];
        Some(likeliest)
    };
    let judged = templates.iter().filter_map(of_template);
    let best = judged.reduce(|best, next| {
        if next.is_likelier_than(&best) {
            next
        } else {
            best
        }
    });
    Ok(best.map_or(candidates[0], |best| best.page))
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

/// Learns the fields that examples name. A template that no example is about keeps its looks, so
/// that its pages are not taken for others, and has no fields.
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

/// Gives the fields that examples chose to other templates of the site on whose pages they are
/// found, too: pages with and without an optional part may be groups of their own, and a person
/// means all of them.
fn lend_fields(pages: &Pages<'_>, templates: &[Template], groups: &mut [Group]) {
    let lenders: Vec<usize> = (0..groups.len())
        .filter(|&at| !groups[at].fields.is_empty())
        .collect();
    let borrowers: Vec<usize> = (0..groups.len())
        .filter(|&at| groups[at].fields.is_empty())
        .collect();
    for borrower in borrowers {
        let template = &templates[borrower];
        let lends = |lender: &usize| {
            let other = &templates[*lender];
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
