//! Which selector gives what `extract` gives, on every page?
//!
//! 1. The mold is applied to the sample pages: these values are to be met.
//! 2. On a few pages, everything by which the values could be found is written down
//!    ([`candidates`](super::candidates)), together with what the views of the mold say.
//! 3. The candidate that is likeliest to last and gives the same values on all pages is the rule.
//!    Where none does, the one that does on most pages is, or none at all.
//!
//! Cost: for each field some dozens of selectors, each on some pages; most fail on the first.

use super::{
    candidates::{Candidate, Place, Search},
    content::{self, ContentPlan},
    lists::{self, ListPlan},
    select::{Indexed, folded},
    selector::{Selector, Take},
    views,
};
use crate::{
    Extraction, Mold, Text,
    fields::{Field, Value},
    lr::expression::literal,
    mold::Group,
    read::tree::NodeId,
};
use rayon::prelude::*;
use regex::Regex;
use serde::Serialize;

/// What a tool can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// CSS selectors, and what of an element is the value.
    Css,
    /// XPath expressions.
    XPath,
    /// XPath expressions of elements, whose whole text or attribute is the value.
    Elements,
    /// Either, as code.
    Code,
}

impl Dialect {
    pub fn can_say(self, selector: &Selector) -> bool {
        match self {
            Dialect::Css => selector.css().is_some() && selector.take != Take::OwnTexts,
            Dialect::Elements => {
                selector.nth.is_none() && matches!(selector.take, Take::Text | Take::Attribute(_))
            }
            Dialect::XPath | Dialect::Code => true,
        }
    }
}

/// On how many of the sample pages a rule gives what the mold gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The sample pages of the group.
    pub pages: usize,
    /// Those on which both give the same.
    pub equal: usize,
}

impl Proof {
    /// Whether they are the same on every page, and there are pages.
    pub fn is_exact(&self) -> bool {
        self.pages > 0 && self.equal == self.pages
    }

    /// Whether the rule is worth having: proven on nearly all pages, or on none because there are
    /// none.
    pub(super) fn is_good(&self) -> bool {
        10 * self.equal >= 9 * self.pages
    }
}

/// A selector, and what is cut out of the text it gives.
#[derive(Clone, Debug)]
pub(super) struct FieldRule {
    pub selector: Selector,
    /// An expression whose first group is the value.
    pub cut: Option<String>,
}

/// A field with its rule.
#[derive(Clone, Debug)]
pub(super) struct FieldPlan<'m> {
    pub field: &'m Field,
    pub rule: Option<FieldRule>,
    pub proof: Proof,
}

/// A group with its rules.
pub(super) struct GroupPlan<'m> {
    pub group: &'m Group,
    pub pages: usize,
    pub fields: Vec<FieldPlan<'m>>,
    pub lists: Vec<ListPlan>,
    pub content: Option<ContentPlan>,
}

/// A page of a group, and what the mold finds on it.
pub(super) struct SamplePage<'a> {
    pub index: Indexed<'a>,
    pub found: Extraction<'a>,
}

/// The rules of all groups in a dialect.
pub(super) fn plan<'m>(mold: &'m Mold, pages: &[Text], dialect: Dialect) -> Vec<GroupPlan<'m>> {
    let reader = mold.reader();
    let read = |page| {
        Some(SamplePage {
            found: reader.read(page).ok()?,
            index: Indexed::new(Text::as_str(page)),
        })
    };
    let pages: Vec<SamplePage<'_>> = pages.par_iter().filter_map(read).collect();
    let of_group = |(at, group)| {
        let own: Vec<&SamplePage<'_>> = pages
            .iter()
            .filter(|page| page.found.group() == Some(at))
            .collect();
        GroupPlan {
            group,
            pages: own.len(),
            fields: group
                .wanted()
                .par_iter()
                .enumerate()
                .map(|(at, field)| field_plan(field, at, &own, dialect))
                .collect(),
            lists: lists::plan(group, &own, dialect),
            content: content::plan(mold, group, &own, dialect),
        }
    };
    mold.groups.iter().enumerate().map(of_group).collect()
}

/// Candidates are taken from so many pages, and so many of them are tried on all.
const SEEDS: usize = 3;
const TRIED: usize = 80;

fn field_plan<'m>(
    field: &'m Field,
    at: usize,
    pages: &[&SamplePage<'_>],
    dialect: Dialect,
) -> FieldPlan<'m> {
    let values = |page: &SamplePage<'_>| {
        page.found
            .fields()
            .nth(at)
            .map_or_else(Vec::new, |found| found.values().cloned().collect())
    };
    let values: Vec<Vec<Value>> = pages.iter().map(|page| values(page)).collect();
    let seeds: Vec<usize> = (0..pages.len())
        .filter(|&page| !values[page].is_empty())
        .collect();
    let step = seeds.len().div_ceil(SEEDS).max(1);
    let mut candidates = views::candidates(field);
    for &seed in seeds.iter().step_by(step) {
        candidates.extend(seed_candidates(field, &pages[seed].index, &values[seed]));
    }
    candidates.retain(|candidate| dialect.can_say(&candidate.selector));
    candidates.sort_by_key(|candidate| candidate.cost);
    candidates.dedup_by(|a, b| a.selector == b.selector);
    let cut = cut_of(field);
    let expected: Vec<Vec<String>> = values
        .iter()
        .map(|values| values.iter().map(|value| value.text().to_owned()).collect())
        .collect();
    let trial = Trial {
        pages,
        expected: &expected,
        cut: cut.as_deref(),
        many: field.many,
    };
    let (selector, equal) = trial.best(&seeds, &candidates);
    let proof = Proof {
        pages: pages.len(),
        equal,
    };
    let rule = selector
        .filter(|_| proof.is_good())
        .map(|selector| FieldRule { selector, cut });
    FieldPlan { field, rule, proof }
}

/// Candidates from all places on a page that say what a field says.
fn seed_candidates(field: &Field, page: &Indexed<'_>, values: &[Value]) -> Vec<Candidate> {
    let search = Search {
        page,
        root: None,
        prefix: &field.prefix,
    };
    let mut places = Vec::new();
    for value in values.iter().take(SEEDS) {
        places.extend(place_of(page, value));
        places.extend(others(page, value.text()));
    }
    places.dedup();
    places
        .iter()
        .flat_map(|place| search.candidates(place))
        .collect()
}

/// Where a value was taken from.
fn place_of(page: &Indexed<'_>, value: &Value) -> Option<Place> {
    let (tree, span) = (&page.tree, value.span());
    let nodes = || {
        tree.nodes()
            .filter(|&node| tree.span(node).start <= span.start && tree.span(node).end >= span.end)
    };
    let innermost = nodes().next_back()?;
    if !tree.is_element(innermost) {
        return Some(Place::Text(innermost));
    }
    let attributes = tree.attributes(innermost);
    let mut holding = attributes.filter(|attribute| attribute.value == Some(span));
    let name = holding
        .next()
        .map(|attribute| attribute.name.of(tree.page()).to_ascii_lowercase());
    let holds_texts = || {
        tree.texts(innermost)
            .any(|text| tree.span(text).start == span.start)
    };
    match name {
        Some(name) => Some(Place::Attribute(innermost, name)),
        None if holds_texts() => Some(Place::Element(innermost)),
        None => None,
    }
}

/// Other places that say the same: texts, and what machines are told.
pub(super) fn others(page: &Indexed<'_>, value: &str) -> Vec<Place> {
    /// More are chance.
    const MOST: usize = 6;
    let tree = &page.tree;
    let is_text = |node: &NodeId| !tree.is_element(*node) && folded(&page.says(*node)) == value;
    let texts = tree.nodes().filter(is_text).map(Place::Text);
    let has = |node: &NodeId, name: &str| {
        page.attribute(*node, name)
            .is_some_and(|known| folded(&known) == value)
    };
    let told = ["content", "datetime", "value"]
        .into_iter()
        .flat_map(|name| {
            let holding = tree
                .nodes()
                .filter(move |node| tree.is_element(*node) && has(node, name));
            holding.map(move |node| Place::Attribute(node, name.to_owned()))
        });
    texts.take(MOST).chain(told.take(MOST)).collect()
}

/// What is cut out of the text of a field, as an expression whose first group is the value.
pub(super) fn cut_of(field: &Field) -> Option<String> {
    let (prefix, suffix) = (field.prefix.trim(), field.suffix.trim());
    let separator = field.part.as_ref().map(|part| literal(&part.separator));
    let (before, after) = match (&field.part, separator) {
        (Some(part), Some(separator)) if part.number == 0 => {
            (String::new(), format!("{separator}.*"))
        }
        (Some(_), Some(separator)) => (format!(".*?{separator}"), String::new()),
        _ => (String::new(), String::new()),
    };
    if prefix.is_empty() && suffix.is_empty() && field.part.is_none() {
        return None;
    }
    let suffix = if suffix.is_empty() {
        String::new()
    } else {
        format!("(?:{})?", literal(suffix))
    };
    Some(format!(
        "^{}\\s*{before}(.*?)\\s*{after}{suffix}$",
        literal(prefix)
    ))
}

/// What a rule is held against.
struct Trial<'t, 'a> {
    pages: &'t [&'t SamplePage<'a>],
    expected: &'t [Vec<String>],
    cut: Option<&'t str>,
    many: bool,
}

impl Trial<'_, '_> {
    /// The first candidate that is right on all pages, or the one that is on most, and on how many.
    /// Without pages it is the first as it is: nothing shows what of it could be left out.
    fn best(&self, seeds: &[usize], candidates: &[Candidate]) -> (Option<Selector>, usize) {
        if self.pages.is_empty() {
            return (
                candidates
                    .first()
                    .map(|candidate| candidate.selector.clone()),
                0,
            );
        }
        let Ok(cut) = self.cut.map(Regex::new).transpose() else {
            return (None, 0);
        };
        let is_right = |page: usize, selector: &Selector| {
            given(&self.pages[page].index, selector, cut.as_ref(), self.many) == self.expected[page]
        };
        let passes = |candidate: &&Candidate| {
            seeds
                .iter()
                .take(SEEDS)
                .all(|&seed| is_right(seed, &candidate.selector))
        };
        let mut best: (Option<Selector>, usize) = (None, 0);
        let promising: Vec<&Candidate> = candidates.iter().filter(passes).take(TRIED).collect();
        // Where all fail somewhere, the one that fails least is still to be named.
        let tried = if promising.is_empty() {
            candidates.iter().take(TRIED).collect()
        } else {
            promising
        };
        for candidate in tried {
            let equal = (0..self.pages.len())
                .filter(|&page| is_right(page, &candidate.selector))
                .count();
            if best.0.is_none() || equal > best.1 {
                best = (Some(candidate.selector.clone()), equal);
            }
            if equal == self.pages.len() {
                let is_right_everywhere =
                    |shorter: &Selector| (0..equal).all(|page| is_right(page, shorter));
                return (
                    Some(shortened(candidate.selector.clone(), is_right_everywhere)),
                    equal,
                );
            }
        }
        best
    }
}

/// A selector that says no more than it must: what changes nothing on any page is left out.
pub(super) fn shortened(selector: Selector, is_right: impl Fn(&Selector) -> bool) -> Selector {
    let shorter = selector.shorter().find(&is_right);
    shorter.map_or(selector, |shorter| shortened(shorter, is_right))
}

/// What a rule gives on a page.
fn given(page: &Indexed<'_>, selector: &Selector, cut: Option<&Regex>, many: bool) -> Vec<String> {
    let mut values = page.values(selector, None);
    values.truncate(if many { usize::MAX } else { 1 });
    cut_values(values, cut)
}

/// Values with what is cut out of them; empty ones are none.
pub(super) fn cut_values(values: Vec<String>, cut: Option<&Regex>) -> Vec<String> {
    let cut = |value: String| match cut {
        Some(cut) => cut
            .captures(&value)
            .map_or_else(String::new, |found| found[1].to_owned()),
        None => value,
    };
    values
        .into_iter()
        .map(cut)
        .filter(|value| !value.is_empty())
        .collect()
}
