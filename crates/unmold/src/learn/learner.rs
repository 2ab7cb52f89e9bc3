//! What is to be learned from pages, and what came of it?

use super::{
    by_delimiters, by_example, by_strings, by_views, content_only, error::LearnError, lists_only,
    pages::Pages, progress::Progress, rules::Rules,
};
use crate::{
    Text,
    fields::{Assumed, Example, Unfit},
    group::{self, Grouping},
    mold::{Mold, Provenance},
    papers::{cut_point, documents},
    read::{PageError, guarded, mutable::Mutables, order::canonical},
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// Learns molds; its default learns all there is to learn for
/// [`Mold::reader`](crate::Mold::reader).
#[derive(Clone, Debug, Default)]
pub struct Learner {
    method: Method,
    examples: Vec<Example>,
    with_labels: bool,
    progress: Progress,
    is_one_template: bool,
}

/// What is learned.
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
    /// Lists alone.
    Lists,
}

/// A mold, and what came up while it was learned.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LearnOutcome {
    /// What was learned.
    pub mold: Mold,
    /// The pages that show an error of this program; nothing was learned from these.
    pub failed: Vec<PageError>,
    /// The fields that were asked for by example and that no rule finds.
    pub unfit: Vec<Unfit>,
    /// The pages that examples without a page were taken to be about, of several.
    pub assumed: Vec<Assumed>,
    /// The number of template strings that were left out: of pages that repeat themselves, the
    /// longest.
    pub left_out: usize,
}

impl Mold {
    /// Learns what there is to learn from pages: which are of the same template, their fields, what
    /// they list, and where their main content is.
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

    /// Learns template strings, as in the thesis, and nothing else. Strings of plain language that
    /// several sites have are dropped.
    #[must_use]
    pub fn strings(mutables: Mutables, settings: documents::Settings) -> Self {
        Learner {
            method: Method::Strings(Box::new(mutables), settings),
            ..Learner::default()
        }
    }

    /// Learns where the main content is, and nothing else: what it says of content is what the
    /// default learns too.
    #[must_use]
    pub fn content_only() -> Self {
        Learner {
            method: Method::Content,
            ..Learner::default()
        }
    }

    /// Learns what pages list, and nothing else: what it says of lists is what the default learns too.
    #[must_use]
    pub fn lists_only() -> Self {
        Learner {
            method: Method::Lists,
            ..Learner::default()
        }
    }

    /// Learns exactly the fields that examples name, on the pages of their templates, and the main
    /// content where they say that it is; nothing is trained, the examples choose among what the
    /// pages support.
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

    /// Whether all pages are taken as of one template, whatever they are made of.
    ///
    /// ```
    /// use unmold::{Learner, Text};
    ///
    /// let old = Text::from_string("old", "<title>Kettle</title><table class=card><tr><th>Weight:<td>1.2 kg</table><p>All rights reserved");
    /// let new = Text::from_string("new", "<title>Skillet</title><main><dl><dt>Weight:<dd>2.6 kg</dl></main><footer>All rights reserved</footer>");
    /// let pages = [old, new];
    /// assert!(Learner::default().learn(&pages).is_err());
    /// let mold = Learner::default().one_template(true).learn(&pages)?;
    /// assert_eq!(mold.groups[0].pages, 2);
    /// # Ok::<(), unmold::learn::LearnError>(())
    /// ```
    #[must_use]
    pub fn one_template(mut self, yes: bool) -> Self {
        self.is_one_template = yes;
        self
    }

    /// Learns the whole texts of values that have their labels in them ("Price: £12"), too, as
    /// columns of their own: `Price_text` beside `Price`.
    #[must_use]
    pub fn with_labels(mut self, with_labels: bool) -> Self {
        self.with_labels = with_labels;
        self
    }

    /// Calls a function whenever a template is learned, with the number of those that are, and of
    /// all.
    #[must_use]
    pub fn on_progress(mut self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.progress = Progress::reported_to(report);
        self
    }

    /// Learns from pages.
    ///
    /// # Errors
    /// When there is nothing to learn, or when memory runs out.
    pub fn learn(&self, pages: &[Text]) -> Result<Mold, LearnError> {
        Ok(self.learn_with_outcome(pages)?.mold)
    }

    /// Learns from pages, and says which of them could not be learned from. One panic costs one
    /// page.
    ///
    /// # Errors
    /// When there is nothing to learn, or when memory runs out.
    pub fn learn_with_outcome(&self, pages: &[Text]) -> Result<LearnOutcome, LearnError> {
        let Some(first) = pages.first() else {
            return Err(LearnError::OnePage);
        };
        match guarded(first, |_| self.learn_all(pages)) {
            Ok(outcome) => outcome,
            Err(panic) => self.learn_from_good(pages, panic),
        }
    }

    /// Learns without the pages that cannot be worked on even alone. If there are none, nobody
    /// knows what the panic was about.
    #[cold]
    fn learn_from_good(
        &self,
        pages: &[Text],
        panic: PageError,
    ) -> Result<LearnOutcome, LearnError> {
        let failed: Vec<PageError> = pages
            .par_iter()
            .filter_map(|text| guarded(text, parse_fully).err())
            .collect();
        let bad: HashSet<&str> = failed.iter().map(|error| error.page.as_str()).collect();
        let good: Vec<Text> = pages
            .iter()
            .filter(|text| !bad.contains(text.id()))
            .cloned()
            .collect();
        let Some(first) = good.first().filter(|_| !failed.is_empty()) else {
            return Err(LearnError::Failed(panic.message));
        };
        match guarded(first, |_| self.learn_all(&good)) {
            Ok(outcome) => Ok(LearnOutcome { failed, ..outcome? }),
            Err(panic) => Err(LearnError::Failed(panic.message)),
        }
    }

    /// Learns from pages in an order of their own: however they come, the mold is the same.
    fn learn_all(&self, pages: &[Text]) -> Result<LearnOutcome, LearnError> {
        let texts: Vec<&Text> = canonical(pages).into_iter().map(|at| &pages[at]).collect();
        let grouping = if self.is_one_template {
            group::one_group_lent(&texts)
        } else {
            group::group_lent(&texts)
        };
        let rules = self.rules(&texts, &grouping)?;
        let mut mold = Mold::new(
            Provenance::of(self.method.name(), pages),
            rules.contents,
            rules.groups,
        );
        mold.one_template = self.is_one_template;
        // Examples name fields as they like: a mold that could not be read back is of no use.
        mold.check()
            .map_err(|error| LearnError::Unreadable(error.to_string()))?;
        Ok(LearnOutcome {
            mold,
            failed: in_order_of(pages, grouping.failed()),
            unfit: rules.unfit,
            assumed: rules.assumed,
            left_out: rules.left_out,
        })
    }

    /// Learns by the method that was chosen.
    fn rules(&self, texts: &[&Text], grouping: &Grouping) -> Result<Rules, LearnError> {
        match &self.method {
            Method::Fields => {
                let mut heard = by_example::heard(&self.examples, texts)?;
                let mut rules = by_views::learn(
                    texts,
                    grouping,
                    &heard.said,
                    self.with_labels,
                    &self.progress,
                )?;
                heard.unfit.append(&mut rules.unfit);
                rules.unfit = heard.unfit;
                Ok(rules)
            }
            Method::Lr(settings) => by_delimiters::learn(texts, grouping, settings),
            Method::Strings(mutables, settings) => {
                by_strings::learn(texts, grouping, mutables, settings)
            }
            Method::Content => {
                let mut heard = by_example::heard(&self.examples, texts)?;
                let mut rules = content_only::learn(texts, grouping, &heard.said)?;
                heard.unfit.append(&mut rules.unfit);
                rules.unfit = heard.unfit;
                Ok(rules)
            }
            Method::Lists => lists_only::learn(texts, grouping),
        }
    }
}

impl Method {
    /// Its name on the command line, and in molds.
    fn name(&self) -> &'static str {
        match self {
            Method::Fields => "fields",
            Method::Lr(_) => "lr",
            Method::Strings(..) => "documents",
            Method::Content => "content",
            Method::Lists => "lists",
        }
    }
}

/// Does everything with one page that learning does with pages one by one.
fn parse_fully(text: &Text) {
    let pages = Pages::new(&[text]);
    drop((
        pages.scanned(0),
        pages.reading(0),
        group::group(std::slice::from_ref(text)),
        lists_only::of_pages(&pages, &[0]),
    ));
}

/// Errors in the order in which their pages were given.
fn in_order_of(pages: &[Text], errors: &[PageError]) -> Vec<PageError> {
    let by_page: HashMap<&str, &PageError> = errors
        .iter()
        .map(|error| (error.page.as_str(), error))
        .collect();
    pages
        .iter()
        .filter_map(|text| by_page.get(text.id()).copied().cloned())
        .collect()
}
