//! From pages of a site to a mold.
//!
//! Pages of different templates teach nothing about each other, so they are grouped first; then each group is learned
//! on its own: its fields, and what its pages list. Where the main content is, is learned from groups that have it in the
//! same place together. A page is parsed once and lent to all of these.
//!
//! ```
//! use unmold::{Mold, Text};
//!
//! let page = |name: &str, weight: &str| {
//!     Text::from_string(name, format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"))
//! };
//! let mold = Mold::learn(&[page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")])?;
//! let names: Vec<_> = mold.groups[0].fields.iter().map(|field| field.name.as_str()).collect();
//! assert_eq!(names, ["title", "Weight"]);
//! # Ok::<(), unmold::learn::LearnError>(())
//! ```
//!
//! [`Learner`] has the other methods: LR wrappers and template strings, as the papers make them, and content alone.

mod by_example;
mod joining;
mod list;
mod listings;
mod pages;
mod sample;
mod shared_columns;
mod templates;

pub use list::list_rule;
pub use listings::{Listed, Listings};

use crate::{
    Text,
    content::{self, families},
    fields::{Assumed, Example, Field, Unfit, View, held_out, learn::learn_scanned},
    group::{self, Grouping},
    lr,
    mold::{Group, Mold, Provenance},
    papers::{cut_point, documents},
    read::{PageError, gaps, guarded, mutable::Mutables, order::canonical},
    strings,
    symbols::{
        encode::chars,
        index::{Index, IndexError},
    },
};
use by_example::{Said, said};
use joining::Joined;
use pages::Pages;
use rayon::prelude::*;
use shared_columns::Named;
use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use templates::Template;

pub use sample::Sample;

/// A group's fields are learned from no more pages than this, spread evenly over those it has: more teach nothing new.
pub const SAMPLE: usize = 200;

/// Why nothing was learned.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There is nothing to compare a page with.
    #[error("one page alone has nothing to compare with: give at least two")]
    OnePage,
    /// All pages are the same.
    #[error("nothing varies from page to page: all pages are the same")]
    AllTheSame,
    /// An example is about no page, or about several.
    #[error("{0}")]
    Example(String),
    /// No two pages are built alike: what differs between them is everything.
    #[error("no two pages share a template: give pages of the same kind, from the same site")]
    NoTemplate,
    /// The pages could not be indexed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// This program has an error that no single page shows.
    #[error("an error of this program, please report it: {0}")]
    Failed(String),
}

/// Learns molds; its default learns all there is to learn for [`Mold::reader`](crate::Mold::reader).
#[derive(Clone, Debug, Default)]
pub struct Learner {
    method: Method,
    examples: Vec<Example>,
    watcher: Watcher,
}

/// Who is told how many templates of how many are learned.
#[derive(Clone, Default)]
struct Watcher(Option<Arc<dyn Fn(usize, usize) + Send + Sync>>);

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watcher")
    }
}

impl Watcher {
    /// Tells of each of some templates when it is learned.
    fn told<T>(&self, all: usize) -> impl Fn(T) -> T + Sync {
        let done = AtomicUsize::new(0);
        move |learned| {
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            self.0.iter().for_each(|watch| watch(done, all));
            learned
        }
    }
}

#[derive(Clone, Debug, Default)]
enum Method {
    /// Fields by several views, lists, content.
    #[default]
    Fields,
    /// LR rules, lists, content.
    Lr(cut_point::Settings),
    /// Template strings.
    Strings(Box<Mutables>, documents::Settings),
    /// Content alone.
    Content,
}

/// What was learned, and what it was not learned from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lesson {
    /// What was learned.
    pub mold: Mold,
    /// The pages that show an error of this program; nothing was learned from these.
    pub failed: Vec<PageError>,
    /// The fields that were asked for by example and that no rule finds.
    pub unfit: Vec<Unfit>,
    /// The pages that examples without a page were taken to be about, of several.
    pub assumed: Vec<Assumed>,
    /// How many template strings were left out: of pages that repeat themselves, the longest.
    pub left_out: usize,
}

impl Mold {
    /// Learns what there is to learn from pages: which are of the same template, their fields, what they list, and where
    /// their main content is.
    ///
    /// # Errors
    /// When there is one page without a list, or when nothing varies from page to page.
    pub fn learn(pages: &[Text]) -> Result<Mold, LearnError> {
        Learner::default().learn(pages)
    }
}

impl Learner {
    /// Learns values by LR wrappers, as in the papers, instead of fields by votes.
    #[must_use]
    pub fn lr(settings: cut_point::Settings) -> Self {
        Learner {
            method: Method::Lr(settings),
            ..Learner::default()
        }
    }

    /// Learns template strings, as in the thesis, and nothing else. Strings of plain language that several sites have are
    /// dropped.
    #[must_use]
    pub fn strings(mutables: Mutables, settings: documents::Settings) -> Self {
        Learner {
            method: Method::Strings(Box::new(mutables), settings),
            ..Learner::default()
        }
    }

    /// Learns where the main content is, and nothing else: what it says of content is what the default learns too.
    #[must_use]
    pub fn content_only() -> Self {
        Learner {
            method: Method::Content,
            ..Learner::default()
        }
    }

    /// Learns exactly the fields that examples name, on the pages of their templates, and the main content where they say
    /// that it is; nothing is trained, the examples choose among what the pages support.
    ///
    /// ```
    /// use unmold::{Learner, Text, fields::Example};
    ///
    /// let page = |name: &str, weight: &str| {
    ///     Text::from_string(name, format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"))
    /// };
    /// let pages = [page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")];
    /// let example = Example { fields: vec![("mass".to_owned(), vec!["180 g".to_owned()])], ..Example::default() };
    /// let mold = Learner::default().examples(vec![example]).learn(&pages)?;
    /// let reader = mold.reader();
    /// let found = reader.read(&pages[0])?;
    /// let values: Vec<_> = found.fields().map(|field| (field.name(), field.values().next().unwrap().text())).collect();
    /// assert_eq!(values, [("mass", "1.2 kg")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn examples(mut self, examples: Vec<Example>) -> Self {
        self.examples = examples;
        self
    }

    /// Tells somebody how many templates are learned, of how many, whenever one is.
    #[must_use]
    pub fn watched(mut self, watch: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.watcher = Watcher(Some(Arc::new(watch)));
        self
    }

    /// Learns from pages.
    ///
    /// # Errors
    /// When there is nothing to learn, or when memory runs out.
    pub fn learn(&self, pages: &[Text]) -> Result<Mold, LearnError> {
        Ok(self.study(pages)?.mold)
    }

    /// Learns from pages, and says which of them could not be learned from. One panic costs one page.
    ///
    /// # Errors
    /// When there is nothing to learn, or when memory runs out.
    pub fn study(&self, pages: &[Text]) -> Result<Lesson, LearnError> {
        let Some(first) = pages.first() else {
            return Err(LearnError::OnePage);
        };
        match guarded(first, |_| self.learn_all(pages)) {
            Ok(lesson) => lesson,
            Err(error) => self.learn_from_good(pages, &error),
        }
    }

    /// Learns without the pages that cannot be worked on even alone.
    #[cold]
    fn learn_from_good(&self, pages: &[Text], error: &PageError) -> Result<Lesson, LearnError> {
        let alone =
            |text: &Text| guarded(text, |text| parse_fully(std::slice::from_ref(text))).err();
        let failed: Vec<PageError> = pages.par_iter().filter_map(alone).collect();
        let bad: HashSet<&str> = failed.iter().map(|error| error.page.as_str()).collect();
        let good: Vec<Text> = pages
            .iter()
            .filter(|text| !bad.contains(text.id()))
            .cloned()
            .collect();
        let unexplained = || LearnError::Failed(error.message.clone());
        let first = good
            .first()
            .filter(|_| !failed.is_empty())
            .ok_or_else(unexplained)?;
        let lesson = guarded(first, |_| self.learn_all(&good))
            .map_err(|error| LearnError::Failed(error.message))??;
        Ok(Lesson { failed, ..lesson })
    }

    /// Learns from pages in an order of their own: however they come, the mold is the same.
    fn learn_all(&self, pages: &[Text]) -> Result<Lesson, LearnError> {
        let texts: Vec<&Text> = canonical(pages).into_iter().map(|at| &pages[at]).collect();
        let grouping = group::group_lent(&texts);
        let Learned {
            contents,
            groups,
            unfit,
            assumed,
            left_out,
        } = match &self.method {
            Method::Fields => fields(
                &texts,
                &grouping,
                &said(&self.examples, &texts)?,
                &self.watcher,
            )?,
            Method::Lr(settings) => lr_rules(&texts, &grouping, settings)?,
            Method::Strings(mutables, settings) => {
                template_strings(&texts, &grouping, mutables, settings)?
            }
            Method::Content => content(&texts, &grouping, &said(&self.examples, &texts)?)?,
        };
        let failed: HashMap<&str, &PageError> = grouping
            .failed()
            .iter()
            .map(|error| (error.page.as_str(), error))
            .collect();
        let failed = pages
            .iter()
            .filter_map(|text| failed.get(text.id()).map(|&error| error.clone()))
            .collect();
        Ok(Lesson {
            mold: Mold::new(Provenance::of(self.method.name(), pages), contents, groups),
            failed,
            unfit,
            assumed,
            left_out,
        })
    }
}

impl Method {
    /// Its name on the command line.
    fn name(&self) -> &'static str {
        match self {
            Method::Fields => "fields",
            Method::Lr(_) => "lr",
            Method::Strings(..) => "documents",
            Method::Content => "content",
        }
    }
}

/// The rules that go into a mold.
#[derive(Default)]
struct Learned {
    contents: Vec<content::Rule>,
    groups: Vec<Group>,
    unfit: Vec<Unfit>,
    assumed: Vec<Assumed>,
    left_out: usize,
}

/// Does with a page all that is done with pages one by one.
fn parse_fully(texts: &[Text]) {
    let pages = Pages::new(&[&texts[0]]);
    drop((pages.scanned(0), pages.reading(0), group::group(texts)));
}

/// Learns the fields of each group of pages, and the lists that its pages have. One page alone teaches its lists.
fn fields(
    texts: &[&Text],
    grouping: &Grouping,
    examples: &[Said<'_>],
    watcher: &Watcher,
) -> Result<Learned, LearnError> {
    let pages = Pages::new(texts);
    if texts.len() < 2 && !examples.is_empty() {
        return Err(LearnError::OnePage);
    }
    if texts.len() < 2 {
        let list = list::learn(&pages, &[0]).ok_or(LearnError::OnePage)?;
        let group = Group {
            records: vec![list],
            ..Group::new("all", 1)
        };
        return Ok(Learned {
            groups: vec![group],
            ..Learned::default()
        });
    }
    let (contents, mut unfit) = by_example::contents(&pages, grouping, examples)?;
    let templates = joining::joined(&pages, shared_templates(grouping, &contents)?);
    if examples.iter().any(|said| !said.example.fields.is_empty()) {
        let by_example::Lesson {
            groups,
            unfit: of_fields,
            assumed,
        } = by_example::fields(&pages, &templates, examples)?;
        unfit.extend(of_fields);
        return Ok(Learned {
            contents: contents.rules,
            groups,
            unfit,
            assumed,
            left_out: 0,
        });
    }
    let told = watcher.told(templates.len());
    let learned = templates
        .into_par_iter()
        .map(|joined| told(learn_template(&pages, joined)));
    let mut named: Vec<Named> = learned.collect();
    shared_columns::part_unnamed(&mut named);
    shared_columns::join(&pages, &mut named);
    let groups: Vec<Group> = named.into_iter().map(|named| named.group).collect();
    if groups.iter().all(|group| group.fields.is_empty()) {
        return Err(LearnError::AllTheSame);
    }
    Ok(Learned {
        contents: contents.rules,
        groups,
        unfit,
        ..Learned::default()
    })
}

/// The templates that pages share; where they share none, nothing can be told of them.
fn shared_templates(
    grouping: &Grouping,
    contents: &families::Families,
) -> Result<Vec<Template>, LearnError> {
    let templates = templates::of(grouping, contents);
    if templates.is_empty() {
        Err(LearnError::NoTemplate)
    } else {
        Ok(templates)
    }
}

fn learn_template(pages: &Pages<'_>, (template, learned): Joined) -> Named {
    let sample = sampled(&template.pages);
    let scanned: Vec<_> = sample.par_iter().map(|&page| pages.scanned(page)).collect();
    let mut learned = learned.unwrap_or_else(|| learn_scanned(&scanned));
    held_out::judge(&scanned, &mut learned.fields);
    let records = list::learn(pages, &sample).into_iter().collect();
    let group = Group {
        fields: learned.fields,
        wanted: Some(learned.wanted),
        landmarks: learned.landmarks,
        records,
        ..template.group()
    };
    Named {
        group,
        named_by: learned.named_by,
        pages: sample,
    }
}

/// At most [`SAMPLE`] pages, spread evenly.
fn sampled(pages: &[usize]) -> Vec<usize> {
    let count = pages.len().min(SAMPLE);
    (0..count)
        .map(|at| pages[at * pages.len() / count])
        .collect()
}

/// Learns where the main content of pages is.
fn content(
    texts: &[&Text],
    grouping: &Grouping,
    examples: &[Said<'_>],
) -> Result<Learned, LearnError> {
    let pages = Pages::new(texts);
    let (contents, unfit) = by_example::contents(&pages, grouping, examples)?;
    let templates = templates::of(grouping, &contents);
    let groups = templates.iter().map(Template::group).collect();
    Ok(Learned {
        contents: contents.rules,
        groups,
        unfit,
        ..Learned::default()
    })
}

/// Learns LR rules for each group of pages, the lists that its pages have, and their content.
fn lr_rules(
    texts: &[&Text],
    grouping: &Grouping,
    settings: &cut_point::Settings,
) -> Result<Learned, LearnError> {
    if texts.len() < 2 {
        return Err(LearnError::OnePage);
    }
    let pages = Pages::new(texts);
    let contents = families::learn(grouping, &|page| pages.reading(page));
    let mut groups: Vec<Group> = Vec::new();
    for template in shared_templates(grouping, &contents)? {
        let first = 1 + groups.iter().map(|group| group.fields.len()).sum::<usize>();
        let Some(fields) = lr_fields(&template.texts(texts), settings, first)? else {
            continue;
        };
        let records = list::learn(&pages, &template.pages).into_iter().collect();
        groups.push(Group {
            fields,
            records,
            ..template.group()
        });
    }
    if groups.is_empty() {
        return Err(LearnError::AllTheSame);
    }
    Ok(Learned {
        contents: contents.rules,
        groups,
        ..Learned::default()
    })
}

/// The LR rules of a group as fields with neutral names, numbered from `first`; `None` if its pages are all the same.
fn lr_fields(
    texts: &[&Text],
    settings: &cut_point::Settings,
    first: usize,
) -> Result<Option<Vec<Field>>, IndexError> {
    let index = Index::new(chars::encode(texts))?;
    let template = cut_point::find_optimal(&index, settings.clone()).template(&index);
    let content: Vec<_> = texts
        .iter()
        .zip(&template)
        .map(|(text, template)| gaps(text.as_str().len(), template))
        .collect();
    if content.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let field = |(number, learned): (usize, lr::learn::LearnedRule)| Field {
        name: format!("field_{number}"),
        fill: learned.fill,
        samples: learned.samples,
        views: vec![View::Lr(learned.rule)],
        ..Field::default()
    };
    Ok(Some(
        (first..)
            .zip(lr::learn::learn_ranked(texts, &content))
            .map(field)
            .collect(),
    ))
}

/// Learns the template strings of each group of pages.
fn template_strings(
    texts: &[&Text],
    grouping: &Grouping,
    mutables: &Mutables,
    settings: &documents::Settings,
) -> Result<Learned, LearnError> {
    if texts.len() < 2 {
        return Err(LearnError::OnePage);
    }
    let (mut learned, mut all_left_out): (Vec<(usize, Group)>, usize) = (Vec::new(), 0);
    for template in shared_templates(grouping, &families::Families::default())? {
        let (strings, left_out) =
            strings::learn::learn_bounded(&template.texts(texts), mutables, settings)?;
        all_left_out += left_out;
        learned.push((
            template.site,
            Group {
                template: Some(strings),
                ..template.group()
            },
        ));
    }
    drop_language(&mut learned);
    let groups = learned.into_iter().map(|(_, group)| group).collect();
    Ok(Learned {
        groups,
        left_out: all_left_out,
        ..Learned::default()
    })
}

/// The second level of the thesis, over the sites of one run.
fn drop_language(learned: &mut [(usize, Group)]) {
    let mut by_site: HashMap<usize, HashSet<String>> = HashMap::new();
    for (site, group) in learned.iter() {
        let strings = group.template.iter().flat_map(|template| &template.strings);
        by_site
            .entry(*site)
            .or_default()
            .extend(strings.map(|string| string.string.clone()));
    }
    for (site, group) in learned {
        let others = by_site.iter().filter(|(other, _)| *other != site);
        let others: Vec<HashSet<&str>> = others
            .map(|(_, strings)| strings.iter().map(String::as_str).collect())
            .collect();
        group
            .template
            .iter_mut()
            .for_each(|template| template.drop_frequent_elsewhere(&others));
    }
}
