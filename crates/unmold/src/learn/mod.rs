//! From pages of a site to a mold.
//!
//! Pages of different templates teach nothing about each other, so they are grouped first; then each group is learned
//! on its own: its fields, and what its pages list. Fields of list pages that are the same in two groups get one name.
//!
//! ```
//! use unmold::{Text, learn, papers::cut_point::Settings};
//!
//! let page = |n: u64| {
//!     let body = format!("{:x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
//!     Text::from_string("page", format!("<div class=a><h1>Report</h1><p class=b>{body}</p><hr>All rights reserved</div>"))
//! };
//! let pages: Vec<Text> = (1..=40).map(page).collect();
//! let mold = learn::lr(&pages, &Settings::default())?;
//! assert_eq!(mold.groups.len(), 1);
//! # Ok::<(), learn::NothingToLearn>(())
//! ```

use crate::{
    content::families,
    lists::Records,
    lr::learn as rules,
    mold::{Group, Learned, Mold},
};
mod same;

use crate::{
    Text,
    content::learn as main_content,
    fields::{Field, View, apply::Finder},
    group::{self, Grouping},
    lists::{RecordRule, Regions, apply::Ready, recall::Recall},
    papers::{
        cut_point::{self, Settings},
        documents,
    },
    read::{gaps, mutable::Mutables, tree::Tree},
    strings,
    symbols::{
        encode::chars,
        index::{Index, IndexError},
    },
};
use rayon::prelude::*;
use same::Named;
use std::collections::{HashMap, HashSet};

/// Why nothing was learned.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NothingToLearn {
    /// There is nothing to compare a page with.
    #[error("one page alone has nothing to compare with: give at least two")]
    OnePage,
    /// All pages are the same.
    #[error("nothing varies from page to page: all pages are the same")]
    AllTheSame,
    /// The pages could not be indexed.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// Learns LR rules for each group of pages, and the lists that its pages have.
///
/// # Errors
/// When there are fewer than two pages, when nothing varies from page to page, or when memory runs out.
pub fn lr(texts: &[Text], settings: &Settings) -> Result<Mold, NothingToLearn> {
    if texts.len() < 2 {
        return Err(NothingToLearn::OnePage);
    }
    let mut groups: Vec<Group> = Vec::new();
    for (name, pages) in groups_of(&group::group(texts), texts) {
        let first = 1 + groups.iter().map(|group| group.fields.len()).sum::<usize>();
        if let Some(group) = learn_group(name, &pages, settings, first)? {
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return Err(NothingToLearn::AllTheSame);
    }
    Ok(Mold::new(Learned::from("lr", texts), groups))
}

/// Learns the fields of each group of pages, and the lists that its pages have. One page alone teaches its lists.
///
/// # Errors
/// When there is one page without a list, or when nothing varies from page to page.
pub fn fields(texts: &[Text]) -> Result<Mold, NothingToLearn> {
    if texts.len() < 2 {
        let records = learn_records(texts).ok_or(NothingToLearn::OnePage)?;
        let group = Group { name: "all".to_owned(), pages: 1, records: vec![records], ..Group::default() };
        return Ok(Mold::new(Learned::from("fields", texts), vec![group]));
    }
    let grouping = group::group(texts);
    let groups = joined(groups_of(&grouping, texts));
    let mut contents = families::learn_grouped(texts, &grouping).by_page(texts);
    let contents: Vec<_> = groups.iter().map(|(_, pages)| contents.take_first(pages)).collect();
    let learned = groups.into_par_iter().zip(contents).map(|((name, pages), content)| {
        let named = learn_fields(name, &pages);
        Named { group: Group { content, ..named.group }, ..named }
    });
    let mut learned: Vec<Named> = learned.collect();
    same::join(&mut learned);
    let groups: Vec<Group> = learned.into_iter().map(|named| named.group).collect();
    if groups.iter().all(|group| group.fields.is_empty()) {
        return Err(NothingToLearn::AllTheSame);
    }
    Ok(Mold::new(Learned::from("fields", texts), groups))
}

/// Learns the template strings of each group of pages; strings of plain language that several sites have are dropped.
///
/// # Errors
/// When there are fewer than two pages, or when memory runs out.
pub fn template_strings(
    texts: &[Text],
    mutables: &Mutables,
    settings: &documents::Settings,
) -> Result<Mold, NothingToLearn> {
    if texts.len() < 2 {
        return Err(NothingToLearn::OnePage);
    }
    let mut learned: Vec<(usize, Group)> = Vec::new();
    for (site, name, pages) in groups_with_sites(&group::group(texts), texts) {
        let template = Some(strings::learn(&pages, mutables, settings)?);
        let group = Group { name, pages: pages.len(), template, ..Group::default() };
        learned.push((site, group));
    }
    drop_language(&mut learned);
    let groups = learned.into_iter().map(|(_, group)| group).collect();
    Ok(Mold::new(Learned::from("documents", texts), groups))
}

/// The second level over the sites of one run.
fn drop_language(learned: &mut [(usize, Group)]) {
    let mut by_site: HashMap<usize, HashSet<String>> = HashMap::new();
    for (site, group) in learned.iter() {
        let strings = group.template.iter().flat_map(|template| &template.strings);
        by_site.entry(*site).or_default().extend(strings.map(|string| string.string.clone()));
    }
    for (site, group) in learned {
        let others = by_site.iter().filter(|(other, _)| *other != site);
        let others: Vec<HashSet<&str>> =
            others.map(|(_, strings)| strings.iter().map(String::as_str).collect()).collect();
        group.template.iter_mut().for_each(|template| template.drop_frequent_elsewhere(&others));
    }
}

/// Groups with those put together whose rules work on each other's pages: one template with optional parts.
fn joined(groups: Vec<(String, Vec<Text>)>) -> Vec<(String, Vec<Text>)> {
    let mut joined: Vec<(String, Vec<Text>, Probe)> = Vec::new();
    for (name, pages) in groups {
        match joined.iter_mut().find(|(_, _, probe)| probe.fits(&pages)) {
            Some((_, known, probe)) => {
                let told = known.len();
                known.extend(pages);
                if told < Probe::LEARNED_FROM {
                    *probe = Probe::of(known);
                }
            }
            None => {
                let probe = Probe::of(&pages);
                joined.push((name, pages, probe));
            }
        }
    }
    joined.into_iter().map(|(name, pages, _)| (name, pages)).collect()
}

/// The rules of a group, to see whether they work on other pages.
struct Probe {
    finder: Finder,
    /// How much they find on a page of the group.
    found: f64,
}

impl Probe {
    /// So many pages tell.
    const TRIED: usize = 10;
    const LEARNED_FROM: usize = 2 * Self::TRIED;

    fn of(known: &[Text]) -> Self {
        /// The fields that count: what comes later is often the frame, which pages of a site share.
        const FIRST: usize = 20;
        let learned = crate::fields::learn(&known[..known.len().min(Self::LEARNED_FROM)]);
        let fields = &learned.fields[..learned.fields.len().min(FIRST)];
        let finder = Finder::new(fields, &learned.landmarks);
        Probe { found: fields_a_page(&finder, known), finder }
    }

    /// Whether the rules find at least half as much on other pages.
    fn fits(&self, others: &[Text]) -> bool {
        2.0 * fields_a_page(&self.finder, others) >= self.found
    }
}

/// How many fields are found on one of the first pages, on average.
fn fields_a_page(finder: &Finder, texts: &[Text]) -> f64 {
    let texts = &texts[..texts.len().min(Probe::TRIED)];
    let counts = texts.iter().map(|text| finder.find_in(text).iter().filter(|found| !found.slots.is_empty()).count());
    counts.sum::<usize>() as f64 / texts.len().max(1) as f64
}

/// A group's fields are learned from no more pages than this, spread evenly over those it has: more teach nothing new.
pub const SAMPLE: usize = 200;

fn sampled(texts: &[Text]) -> Vec<Text> {
    let count = texts.len().min(SAMPLE);
    (0..count).map(|at| texts[at * texts.len() / count].clone()).collect()
}

fn learn_fields(name: String, texts: &[Text]) -> Named {
    let pages = texts.len();
    let texts = sampled(texts);
    let mut learned = crate::fields::learn(&texts);
    crate::fields::held_out::judge(&texts, &mut learned.fields);
    let records = learn_records(&texts).into_iter().collect();
    let (fields, landmarks, named_by) = (learned.fields, learned.landmarks, learned.named_by);
    Named { group: Group { name, pages, fields, landmarks, records, ..Group::default() }, named_by, texts }
}

/// The pages of each template with a name for it. Pages without markup, and those that fit no group, teach nothing;
/// but where no page fits any, all are taken together.
fn groups_of(grouping: &Grouping, texts: &[Text]) -> Vec<(String, Vec<Text>)> {
    groups_with_sites(grouping, texts).into_iter().map(|(_, name, pages)| (name, pages)).collect()
}

/// The same with the number of each group's site.
fn groups_with_sites(grouping: &Grouping, texts: &[Text]) -> Vec<(usize, String, Vec<Text>)> {
    let groups = grouping.groups().iter().filter(|group| group.pages.len() >= 2);
    let pages = |group: &group::Group| group.pages.iter().map(|&page| texts[page].clone()).collect();
    let groups: Vec<_> = groups.map(|group| (group.site, group.name.clone(), pages(group))).collect();
    if groups.is_empty() { vec![(0, "all".to_owned(), texts.to_vec())] } else { groups }
}

/// Learns one group; `None` if its pages are all the same.
fn learn_group(name: String, texts: &[Text], settings: &Settings, first: usize) -> Result<Option<Group>, IndexError> {
    let index = Index::new(chars::encode(texts))?;
    let template = cut_point::find_optimal(&index, settings.clone()).template(&index);
    let content: Vec<_> =
        texts.iter().zip(&template).map(|(text, template)| gaps(text.as_str().len(), template)).collect();
    if content.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let rules = rules::learn_ranked(texts, &content);
    let fields = (first..).zip(rules).map(|(number, learned)| Field {
        name: format!("field_{number}"),
        fill: learned.fill,
        samples: learned.samples,
        views: vec![View::Lr(learned.rule)],
        ..Field::default()
    });
    let fields = fields.collect();
    let records = learn_records(texts).into_iter().collect();
    let main = main_content::learn(&texts.iter().collect::<Vec<_>>());
    Ok(Some(Group { name, pages: texts.len(), content: main, fields, records, ..Group::default() }))
}

/// The best list of the first page that has one which half of the pages have too.
fn learn_records(texts: &[Text]) -> Option<Records> {
    /// Pages that are looked at for a list: those of a group are alike.
    const TRIED: usize = 3;
    let best = |text: &Text| Regions::default().find(text).into_iter().next();
    let mut rules = texts.iter().take(TRIED).filter_map(best).map(|pattern| pattern.rule().clone());
    rules.find_map(|rule| {
        let ready = Ready::new(&rule);
        let has = |text: &&Text| {
            let list = ready.list(text, &Tree::new(text.as_str()), &mut Recall::default());
            list.is_some_and(|list| list.records.len() >= 2)
        };
        let filled = texts.par_iter().filter(has).count();
        let fill = filled as f64 / texts.len() as f64;
        (2 * filled >= texts.len()).then(|| Records {
            name: "records".to_owned(),
            fill,
            rule: with_columns(&rule, texts),
        })
    })
}

/// A rule with the columns that any of the first pages has: what no record of one page has, some of the next have.
fn with_columns(rule: &RecordRule, texts: &[Text]) -> RecordRule {
    /// Pages that are looked at for columns.
    const TRIED: usize = 20;
    let mut rule = rule.clone();
    texts.iter().take(TRIED).for_each(|text| rule.learn_columns(text));
    rule
}
