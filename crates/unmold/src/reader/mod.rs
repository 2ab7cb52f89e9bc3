//! From a mold and a page to what the page holds.
//!
//! Nothing here builds an index: a mold is applied at the speed of memory, page by page.
//!
//! ```
//! use unmold::{Mold, Text};
//!
//! let mold = Mold::from_json(r#"{
//!     "unmold": 1,
//!     "learned": {"method": "lr", "pages": 3, "bytes": 120, "hash": "0"},
//!     "groups": [{
//!         "name": "countries",
//!         "pages": 3,
//!         "fields": [{"name": "code", "fill": 1.0, "views": [{"kind": "lr", "left": "<i>", "right": "</i>"}]}]
//!     }]
//! }"#)?;
//! let reader = mold.reader();
//! let page = Text::from_string("1", "<b>Congo</b> <i>+<u>242</u></i>");
//! let found = reader.read(&page)?;
//! let code = found.fields().next().unwrap();
//! assert_eq!((code.name(), code.values().next().unwrap().text()), ("code", "+ 242"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! 1. The tree of the page is built; tags and texts that earlier pages had are not read again.
//! 2. One place decides which template the page is of: [`Reader::place`], by the fingerprints of
//!    the mold's looks, in one pass over the elements. A mold without fingerprints, as people write
//!    them, is tried group by group.
//! 3. The rules of that template, and of no other, find fields, lists and content. A page of no
//!    template is judged on its own: its main content is where text adds up on it.

mod alone;
mod coverage;
mod extraction;
mod label;
mod page_lists;

pub use coverage::{Coverage, Lack};
pub use extraction::{Content, Doubt, Extraction, FoundField, FoundList};
pub use label::{Label, LabelError};

use page_lists::PageLists;

use crate::{
    Span, Text,
    content::{
        self,
        alone::find_alone,
        apply::FoundContent,
        explain::{Explanation, explain},
        reading::{self, Reading},
        region::COVERED,
    },
    fields::{self, Value, View, slots::Scanner, votes::Ballot},
    group::{Placement, TemplateFinder, fingerprint::PlacingMemory},
    lists::{self, Regions, tag_memory::TagMemory},
    lr,
    mold::{Group, Mold},
    read::{
        PageError,
        declared::DeclaredRow,
        gaps, guarded,
        headed::headed_lists,
        html::visible_text,
        metadata::Metadata,
        pool::Pool,
        tree::{Memory, Tree},
    },
    strings::{self, BadTemplate},
};
use std::sync::{Arc, OnceLock};

/// What a page can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The values of the mold's fields.
    Fields,
    /// What the page lists.
    Lists,
    /// The main content.
    Content,
    /// What the page says about itself: title, date, authors.
    About,
    /// Where the mold's template strings stand.
    Strings,
}

/// A mold made ready for many pages. It can be shared by threads; each page makes the next ones
/// faster.
pub struct Reader {
    mold: Arc<Mold>,
    parts: Vec<Part>,
    places: TemplateFinder,
    /// The group of each look, and its place there.
    looks: Vec<(usize, usize)>,
    groups: Vec<GroupRules>,
    contents: Vec<content::apply::Finder>,
    /// The strings of all groups together, for pages of none; made when the first such page comes.
    all_strings: OnceLock<strings::apply::Finder>,
    merge_gap: usize,
    island: usize,
    /// How lists are found on pages of no template.
    regions: Regions,
    workspaces: Pool<Workspace>,
}

/// The rules of a group made ready.
struct GroupRules {
    lr: lr::apply::Finder,
    /// The field of each LR rule.
    field_of_rule: Vec<usize>,
    fields: fields::apply::Finder,
    /// The property that a field has among what pages declare, if it has one.
    declared: Vec<Option<String>>,
    /// The heading of the list that a field is, if it is one.
    headings: Vec<Option<String>>,
    /// How many of the fields are wanted,
    wanted: usize,
    /// and how many of these a page has on average.
    expected: f64,
    lists: Vec<lists::apply::Finder>,
    content: Option<content::apply::Finder>,
    strings: OnceLock<strings::apply::Finder>,
}

/// So many groups with looks are tried on a page that has none of their looks.
const TRIED: usize = 8;

/// What is kept from page to page.
#[derive(Default)]
struct Workspace {
    memory: Memory,
    placing: PlacingMemory,
    fields: FieldsMemory,
    tags: TagMemory,
    reading: reading::Memory,
}

/// What is kept while fields are looked for.
#[derive(Default)]
struct FieldsMemory {
    scanner: Scanner,
    ballots: Vec<Ballot>,
}

impl Workspace {
    /// Forgets what was kept when it has become too much.
    fn tidy(&mut self) {
        if self.memory.is_full() || self.tags.is_full() {
            *self = Workspace::default();
        }
    }
}

/// A page of a template: the numbers of its group and of its look there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PagePlace {
    /// The number of the group.
    pub group: usize,
    /// The number of the look in the group; `None` if the group was told by what its rules find.
    pub look: Option<usize>,
}

/// The outcome of placing a page, with what is left to be tried for its content.
struct Decided {
    place: Option<PagePlace>,
    /// Whether the look of the page leaves no doubt.
    is_certain: bool,
    /// The rule for the content of a page of no template: that of the look it has most in common
    /// with.
    nearest: Option<usize>,
    /// The values, where groups were told by them.
    fields: Option<Vec<FoundValues>>,
}

/// What was found of a field.
#[derive(Default)]
pub(crate) struct FoundValues {
    values: Vec<Value>,
    agreement: f64,
    /// Whether they stand behind the field's label, or it has none.
    pub is_labelled: bool,
    /// Whether another field is found in the same place.
    pub is_shared: bool,
    /// Whether the page declares another value than it shows.
    pub is_disputed: bool,
    /// Whether nothing but what the page declares gives the values: that says nothing of its
    /// template.
    is_only_declared: bool,
}

impl FoundValues {
    /// Values that need no vote.
    fn certain(values: Vec<Value>) -> Self {
        FoundValues {
            values,
            agreement: 1.0,
            is_labelled: true,
            ..FoundValues::default()
        }
    }
}

impl Mold {
    /// Makes the mold ready to read pages.
    pub fn reader(&self) -> Reader {
        Reader::new(Arc::new(self.clone()))
    }
}

impl Reader {
    /// Makes a mold ready.
    pub fn new(mold: Arc<Mold>) -> Self {
        let looks = mold
            .groups
            .iter()
            .enumerate()
            .flat_map(|(at, group)| (0..group.looks.len()).map(move |look| (at, look)));
        Reader {
            parts: vec![Part::Fields, Part::Lists, Part::Content, Part::About],
            places: TemplateFinder::new(
                mold.groups
                    .iter()
                    .flat_map(|group| &group.looks)
                    .map(|look| &look.fingerprint),
            ),
            looks: looks.collect(),
            groups: mold.groups.iter().map(GroupRules::new).collect(),
            contents: mold
                .contents
                .iter()
                .map(content::apply::Finder::new)
                .collect(),
            all_strings: OnceLock::new(),
            merge_gap: strings::apply::MERGE_GAP,
            island: strings::apply::ISLAND,
            regions: Regions::default(),
            workspaces: Pool::default(),
            mold,
        }
    }

    /// Looks for these parts of a page only.
    #[must_use]
    pub fn only(mut self, parts: &[Part]) -> Self {
        self.parts = parts.to_vec();
        self
    }

    /// Sets how template strings are applied: what is removed between two of them, and what of them
    /// is given back. See [`strings::apply`].
    #[must_use]
    pub fn string_gaps(mut self, merge_gap: usize, island: usize) -> Self {
        (self.merge_gap, self.island) = (merge_gap, island);
        self
    }

    /// Sets how lists are found on pages of no template, which are looked at alone.
    #[must_use]
    pub fn regions(mut self, regions: Regions) -> Self {
        self.regions = regions;
        self
    }

    /// The mold.
    pub fn mold(&self) -> &Mold {
        &self.mold
    }

    /// Reads a page. What pages of a template have in common is read once by each thread: the more
    /// pages, the faster.
    ///
    /// # Errors
    /// When this program has an error that the page shows: one panic costs one page.
    pub fn read<'r>(&'r self, text: &'r Text) -> Result<Extraction<'r>, PageError> {
        guarded(text, |_| {
            self.workspaces
                .lend(|workspace| self.read_with(workspace, text))
        })
    }

    /// The same for the only page there is, or for pages that have nothing in common.
    ///
    /// # Errors
    /// When this program has an error that the page shows.
    pub fn read_alone<'r>(&'r self, text: &'r Text) -> Result<Extraction<'r>, PageError> {
        guarded(text, |_| self.read_with(&mut Workspace::default(), text))
    }

    /// Which elements of a page were taken for its content, and why the rest was not.
    ///
    /// ```
    /// use unmold::{Mold, Text, content::explain::Reason};
    ///
    /// let page = "<div id=a><p>Once upon a time there was a hen that found an egg.</div><div id=b>More</div>";
    /// let explained = Mold::nothing().reader().explain(&Text::from_string("1", page)).unwrap();
    /// assert_eq!(explained.elements[0].0, "div#a");
    /// let left_out = &explained.left_out[0];
    /// assert_eq!((left_out.reason, left_out.path.as_str()), (Reason::Outside, "div#b"));
    /// ```
    ///
    /// # Errors
    /// When this program has an error that the page shows.
    pub fn explain(&self, text: &Text) -> Result<Explanation, PageError> {
        guarded(text, |_| {
            let mut workspace = Workspace::default();
            let tree = Arc::new(Tree::new(text.as_str()));
            let decided = self.decide(text, &tree, &mut workspace.placing, &mut workspace.fields);
            let (found, is_alone, page) =
                self.find_content(&tree, &decided, &mut workspace.reading);
            let Some(page) = page else {
                return Explanation::default();
            };
            let rule = decided
                .place
                .and_then(|place| self.content_rule(place))
                .or(decided.nearest.map(|rule| &self.contents[rule]));
            let of_page = || content::alone::finder_of(&page, rule);
            match rule.filter(|_| !is_alone) {
                Some(rule) => explain(rule, &page, &found, false),
                None => of_page().map_or_else(Explanation::default, |rule| {
                    explain(&rule, &page, &found, true)
                }),
            }
        })
    }

    /// Decides which template a page is of. Fields, lists, content and strings all go by this.
    pub fn place(&self, text: &Text) -> Option<PagePlace> {
        let mut workspace = Workspace::default();
        let tree = Tree::new(text.as_str());
        let decided = self.decide(text, &tree, &mut workspace.placing, &mut workspace.fields);
        decided.place.filter(|place| {
            let rules = &self.groups[place.group];
            if place.look.is_some() {
                return true;
            }
            if rules.wanted > 0 {
                return decided
                    .fields
                    .is_some_and(|fields| rules.has_enough(&fields));
            }
            rules
                .find_lists(text, &tree, &mut workspace.tags)
                .has_first()
        })
    }

    fn asks_for(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    fn read_with<'r>(&'r self, workspace: &mut Workspace, text: &'r Text) -> Extraction<'r> {
        workspace.tidy();
        let Workspace {
            memory,
            placing,
            fields,
            tags,
            reading,
        } = workspace;
        let tree = Arc::new(Tree::with_memory(text.as_str(), memory));
        let mut decided = self.decide(text, &tree, placing, fields);
        let mut found = Extraction::new(self, text);
        if let Some(PagePlace { group, .. }) = decided.place {
            let rules = &self.groups[group];
            if self.asks_for(Part::Fields) {
                let known = decided.fields.take();
                found.fields = known.unwrap_or_else(|| rules.find_fields(text, &tree, fields));
            }
            if self.asks_for(Part::Lists) {
                found.lists = rules.find_lists(text, &tree, tags);
            }
            found.group = Some(group);
            // What a page looks like says which group it is of. Where its rules had to tell, they
            // must find enough.
            if decided.place.is_some_and(|place| place.look.is_none()) && !rules.fits(&found) {
                found.fits = false;
            }
        }
        // A page of no template is looked at alone. A mold without looks is for other pages.
        let has_no_template = decided.place.is_none() || !found.fits;
        let is_open = !self.places.is_empty() || self.groups.is_empty();
        if self.asks_for(Part::Lists) && has_no_template && is_open {
            found.lists = PageLists::alone(lists::apply::find_alone(self.regions, &tree));
        }
        if self.asks_for(Part::Fields) && !found.has_fields() {
            let known: Vec<String> = found.names_by_rules().map(str::to_lowercase).collect();
            for (field, values) in alone::row(&tree) {
                if !known.contains(&field.name.to_lowercase()) {
                    found.own.push((field, FoundValues::certain(values)));
                }
            }
        }
        if self.asks_for(Part::Content) {
            (found.content, found.is_alone, _) = self.find_content(&tree, &decided, reading);
            found.content_start = found
                .content
                .spans
                .first()
                .map_or(0, |first| tree.restart(first.start));
        }
        if self.asks_for(Part::About) {
            found.about = Metadata::of_tree(text, &tree, found.content.headline);
        }
        if self.asks_for(Part::Strings) {
            let strings = self.find_strings(text, decided.place);
            // An error of the page rather than a page from which nothing is removed.
            found.strings =
                strings.expect("a mold that was learned or read has strings that make sense");
        }
        found.coverage = self.measure(&tree, &found);
        if self.asks_for(Part::Content) && found.content.spans.is_empty() {
            found.take_stated(content::stated::of_shell(&tree));
        }
        found
    }

    /// How much of a page is what was asked for: content, or what is beside template strings.
    fn measure(&self, tree: &Tree<'_>, found: &Extraction<'_>) -> Option<Coverage> {
        let beside = || gaps(tree.page().len(), &found.strings);
        match (self.asks_for(Part::Content), self.asks_for(Part::Strings)) {
            (true, false) => Some(Coverage::of(tree, &found.content.spans)),
            (false, true) => Some(Coverage::of(tree, &beside())),
            _ => None,
        }
    }

    fn decide(
        &self,
        text: &Text,
        tree: &Tree<'_>,
        placing: &mut PlacingMemory,
        memory: &mut FieldsMemory,
    ) -> Decided {
        let placed = if self.places.is_empty() {
            Placement::Nowhere
        } else {
            self.places.place_tree(tree, placing)
        };
        if let Some(place) = self.only_place(placed) {
            return Decided {
                place: Some(place),
                is_certain: place.look.is_none() || placing.is_certain(),
                nearest: None,
                fields: None,
            };
        }
        if let Placement::In(look) = placed {
            let (group, look) = self.looks[look];
            let place = Some(PagePlace {
                group,
                look: Some(look),
            });
            return Decided {
                place,
                is_certain: placing.is_certain(),
                nearest: None,
                fields: None,
            };
        }
        // Content goes by looks alone, so that it does not depend on which fields a mold has; and so do
        // lists, if nobody asks for fields.
        let asks_for_rules =
            self.asks_for(Part::Fields) || self.asks_for(Part::Lists) && self.places.is_empty();
        let by_rules = if asks_for_rules {
            self.by_rules(text, tree, &self.tried(placing), memory)
        } else {
            None
        };
        let nearest = placed.nearest().and_then(|look| {
            let (group, look) = self.looks[look];
            self.mold.groups[group].looks[look].content
        });
        let (place, fields) =
            by_rules.map_or((None, None), |(group, fields)| (Some(group), Some(fields)));
        Decided {
            place: place.map(|group| PagePlace { group, look: None }),
            is_certain: true,
            nearest,
            fields,
        }
    }

    /// The place of every page of a mold of one template: the look it has most in common with, or
    /// the first.
    fn only_place(&self, placed: Placement) -> Option<PagePlace> {
        if !self.mold.one_template || self.mold.groups.is_empty() {
            return None;
        }
        let look = placed.nearest().map(|look| self.looks[look].1);
        let first = (!self.looks.is_empty()).then_some(0);
        Some(PagePlace {
            group: 0,
            look: look.or(first),
        })
    }

    /// The groups whose rules are tried on a page that is of no look: the site may have changed
    /// what they look like.
    fn tried(&self, placing: &PlacingMemory) -> Vec<usize> {
        let nearest = placing.nearest().map(|look| self.looks[look].0);
        let others =
            (0..self.groups.len()).filter(|&group| self.mold.groups[group].looks.is_empty());
        let mut tried: Vec<usize> = nearest
            .chain(0..self.groups.len().min(TRIED))
            .take(TRIED)
            .chain(others)
            .collect();
        tried.sort_unstable();
        tried.dedup();
        tried
    }

    /// The group whose rules find most on a page, of some; of equals the first.
    fn by_rules(
        &self,
        text: &Text,
        tree: &Tree<'_>,
        tried: &[usize],
        memory: &mut FieldsMemory,
    ) -> Option<(usize, Vec<FoundValues>)> {
        let found = tried
            .iter()
            .map(|&group| (group, self.groups[group].find_fields(text, tree, memory)));
        found.reduce(|best, next| {
            if filled(&next.1) > filled(&best.1) {
                next
            } else {
                best
            }
        })
    }

    /// The content of a page, and whether it was judged on its own.
    fn find_content<'t>(
        &self,
        tree: &Arc<Tree<'t>>,
        decided: &Decided,
        memory: &mut reading::Memory,
    ) -> (FoundContent, bool, Option<Arc<Reading<'t>>>) {
        if let Some(whole) = of_plain_text(tree) {
            return (whole, true, None);
        }
        let (rule, is_placed) = match decided.place {
            Some(place) if place.look.is_some() || self.places.is_empty() => {
                (self.content_rule(place), true)
            }
            _ => (decided.nearest.map(|rule| &self.contents[rule]), false),
        };
        // With the names of the rule from the start, the page is read once.
        let names = rule.map(|rule| rule.names().clone()).unwrap_or_default();
        let page = Arc::new(Reading::with_memory(tree.clone(), &names, memory));
        let is_certain = self.places.is_empty() || is_placed && decided.is_certain;
        let (found, is_alone) = if is_certain {
            self.find_placed(&page, rule)
        } else {
            let found = rule.filter(|rule| is_placed || rule.share(&page) >= COVERED);
            unless_far_less(
                found.and_then(|rule| rule.find_in(&page)),
                find_alone(&page, rule),
                &page,
            )
        };
        (found, is_alone, Some(page))
    }

    /// The content of a page whose template leaves no doubt, and whether it was judged on its own.
    fn find_placed(
        &self,
        page: &Arc<Reading<'_>>,
        rule: Option<&content::apply::Finder>,
    ) -> (FoundContent, bool) {
        // What the page declares to be its text is better known than what its template says.
        let by_rule = rule
            .and_then(|rule| rule.find_trusted(page))
            .or_else(|| self.best_unplaced(page));
        let Some(by_rule) = by_rule else {
            return (find_alone(page, rule).unwrap_or_default(), true);
        };
        (by_rule, false)
    }

    fn content_rule(&self, place: PagePlace) -> Option<&content::apply::Finder> {
        let of_look = place
            .look
            .and_then(|look| self.mold.groups[place.group].looks[look].content);
        of_look
            .map(|rule| &self.contents[rule])
            .or(self.groups[place.group].content.as_ref())
    }

    /// Where no look says which rule is whose, the rule counts whose regions hold most of the text;
    /// of equals the first.
    fn best_unplaced(&self, page: &Arc<Reading<'_>>) -> Option<FoundContent> {
        if !self.places.is_empty() {
            return None;
        }
        let rules = self.contents.iter().chain(
            self.groups
                .iter()
                .filter_map(|group| group.content.as_ref()),
        );
        let shares = rules.map(|rule| (rule, rule.share(page)));
        let best = shares.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.and_then(|(rule, _)| rule.find_in(page))
    }

    /// Where template strings stand: those of the page's group, or of all where it has none.
    fn find_strings(
        &self,
        text: &Text,
        place: Option<PagePlace>,
    ) -> Result<Vec<Span>, BadTemplate> {
        let group = place
            .filter(|place| place.look.is_some())
            .map(|place| place.group);
        let templates = |group: Option<usize>| {
            let groups = group.map_or(&self.mold.groups[..], |group| {
                std::slice::from_ref(&self.mold.groups[group])
            });
            groups.iter().filter_map(|group| group.template.as_ref())
        };
        let finder = group.map_or(&self.all_strings, |group| &self.groups[group].strings);
        let finder = match finder.get() {
            Some(finder) => finder,
            None => {
                let made = strings::apply::Finder::new(templates(group))?;
                finder.get_or_init(|| made.merge_gap(self.merge_gap).island(self.island))
            }
        };
        Ok(finder.template(text.as_str()))
    }
}

/// All that stands on a page without any markup: it has no template.
fn of_plain_text(tree: &Tree<'_>) -> Option<FoundContent> {
    let is_plain = tree.nodes().all(|node| !tree.is_element(node));
    is_plain.then(|| FoundContent {
        spans: tree.nodes().map(|text| tree.span(text)).collect(),
        headline: None,
    })
}

/// The rule of other pages must keep this share of what a page gives alone.
const KEPT: f64 = 0.5;

/// The content by the rule of other pages, unless what is left when repeats are taken out is far
/// less than what the page gives alone: what those pages repeat may be what this one is about. Also
/// whether it is what it gives alone.
fn unless_far_less(
    found: Option<FoundContent>,
    alone: Option<FoundContent>,
    page: &Reading<'_>,
) -> (FoundContent, bool) {
    let alone = alone.unwrap_or_default();
    let said = |content: &FoundContent| -> usize {
        content
            .spans
            .iter()
            .map(|span| visible_text(span.of(page.tree.page())).len())
            .sum()
    };
    let is_kept = |found: &FoundContent| said(found) as f64 >= KEPT * said(&alone) as f64;
    match found.filter(is_kept) {
        Some(found) => (found, false),
        None => (alone, true),
    }
}

fn overlap(one: Span, other: Span) -> bool {
    one.start < other.end && other.start < one.end
}

fn filled(found: &[FoundValues]) -> usize {
    found
        .iter()
        .filter(|found| !found.values.is_empty() && !found.is_only_declared)
        .count()
}

/// How many fields a page of a group has on average, of those that its template shows.
fn expected(group: &Group) -> f64 {
    let shown = group.wanted().iter().filter(|field| {
        let mut views = field.views.iter();
        views.any(|view| view.declared_property().is_none())
    });
    shown.map(|field| field.fill).sum()
}

impl GroupRules {
    fn new(group: &Group) -> Self {
        let rules = group.fields.iter().enumerate().flat_map(|(at, field)| {
            field.views.iter().filter_map(move |view| match view {
                View::Lr(rule) => Some((at, rule.clone())),
                _ => None,
            })
        });
        let (field_of_rule, rules): (Vec<usize>, Vec<_>) = rules.unzip();
        GroupRules {
            lr: lr::apply::Finder::new(&rules),
            field_of_rule,
            fields: fields::apply::Finder::new(&group.fields, &group.landmarks),
            declared: group
                .fields
                .iter()
                .map(|field| field.declared_property().map(str::to_owned))
                .collect(),
            headings: group
                .fields
                .iter()
                .map(|field| field.heading().map(str::to_owned))
                .collect(),
            wanted: group.wanted().len(),
            expected: expected(group),
            lists: group
                .records
                .iter()
                .map(lists::apply::Finder::new)
                .collect(),
            content: group.content.as_ref().map(content::apply::Finder::new),
            strings: OnceLock::new(),
        }
    }

    /// Whether so many fields say that a page is one of this group. Two values may be found by
    /// chance.
    fn has_enough(&self, fields: &[FoundValues]) -> bool {
        /// The share of the fields of a page of the group that a page has at least.
        const ENOUGH: f64 = 0.25;
        let filled = filled(fields);
        filled > 0 && (self.fields.is_empty() || filled as f64 >= ENOUGH * self.expected)
    }

    /// Whether enough was found to say that a page is one of this group. Any page may have a list
    /// that its rule finds: a list says so only where the group has nothing else.
    fn fits(&self, found: &Extraction<'_>) -> bool {
        if self.wanted > 0 {
            self.has_enough(&found.fields)
        } else {
            found.lists.has_first()
        }
    }

    /// The lists that a page has, in the order of the mold.
    fn find_lists<'r>(
        &'r self,
        text: &Text,
        tree: &Tree<'_>,
        tags: &mut TagMemory,
    ) -> PageLists<'r> {
        PageLists::by_rules(lists::apply::find_all(&self.lists, text, tree, tags))
    }

    fn find_fields(
        &self,
        text: &Text,
        tree: &Tree<'_>,
        memory: &mut FieldsMemory,
    ) -> Vec<FoundValues> {
        let mut fields: Vec<FoundValues> = self.lr_values(text.as_str());
        if !self.fields.is_empty() || self.has_declared() {
            let slots = memory.scanner.scan(tree, self.fields.wanted());
            self.fields.set_landmarks(slots);
            let found = self.fields.find(slots, &mut memory.ballots);
            for (at, field) in fields.iter_mut().enumerate().take(self.wanted) {
                let found = self.fields.of_field(&found, at);
                field
                    .values
                    .extend(self.fields.values(at, found, slots, text.as_str()));
                field.agreement = field.agreement.max(found.agreement);
                field.is_labelled = found.is_labelled;
                field.is_shared = found.is_shared;
            }
            self.take_declared(tree, &mut fields);
        }
        self.take_lists(tree, &mut fields);
        fields
    }

    fn has_declared(&self) -> bool {
        let mut wanted = self.declared.iter().take(self.wanted);
        wanted.any(Option::is_some)
    }

    /// Takes what the page declares for the value of each field that has such a view. What it shows
    /// counts where it declares nothing.
    fn take_declared(&self, tree: &Tree<'_>, fields: &mut [FoundValues]) {
        if !self.has_declared() {
            return;
        }
        let row = DeclaredRow::of(tree);
        for (property, field) in self.declared.iter().zip(fields).take(self.wanted) {
            let Some(property) = property else { continue };
            let Some(declared) = row.get(property) else {
                continue;
            };
            let texts: Vec<&str> = declared
                .values
                .iter()
                .map(|(text, _)| text.as_str())
                .collect();
            let shown: Vec<&str> = field.values.iter().map(Value::text).collect();
            let is_given = fields::declared::is_given_as_shown(&texts, &shown);
            field.is_only_declared = field.values.iter().all(|value| {
                let is_of_it = |&(_, span): &(String, Span)| overlap(value.span(), span);
                declared.values.iter().any(is_of_it)
            });
            field.is_disputed = !shown.is_empty() && !fields::declared::is_same(&texts, &shown);
            field.is_labelled = true;
            field.agreement = if field.is_disputed {
                field.agreement / 2.0
            } else {
                1.0
            };
            if !is_given {
                let values = declared.values.iter();
                field.values = values
                    .map(|(text, span)| Value::new(text.clone(), *span))
                    .collect();
            }
        }
    }

    /// Takes the lists after headings for the values of the fields that they are.
    fn take_lists(&self, tree: &Tree<'_>, fields: &mut [FoundValues]) {
        let mut wanted = self.headings.iter().take(self.wanted);
        if !wanted.any(Option::is_some) {
            return;
        }
        let lists = headed_lists(tree);
        for (heading, field) in self.headings.iter().zip(fields).take(self.wanted) {
            let Some(heading) = heading else { continue };
            let own = lists.iter().filter(|list| list.heading == *heading);
            let items = own.flat_map(|list| &list.items);
            let values: Vec<Value> = items
                .map(|(text, span)| Value::new(text.clone(), *span))
                .collect();
            if !values.is_empty() {
                *field = FoundValues::certain(values);
            }
        }
    }

    /// What LR rules find, for each field of the group.
    fn lr_values(&self, page: &str) -> Vec<FoundValues> {
        let mut fields: Vec<FoundValues> = Vec::new();
        fields.resize_with(self.fields.len(), FoundValues::default);
        if self.field_of_rule.is_empty() {
            return fields;
        }
        for (spans, &field) in self.lr.apply(page).iter().zip(&self.field_of_rule) {
            let visible = spans
                .iter()
                .map(|span| Value::new(visible_text(span.of(page)), *span));
            fields[field]
                .values
                .extend(visible.filter(|value| !value.text().is_empty()));
            // A rule that stands alone agrees with itself.
            fields[field].agreement = if fields[field].values.is_empty() {
                0.0
            } else {
                1.0
            };
            fields[field].is_labelled = true;
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_other_pages_must_not_drop_most_of_what_a_page_says() {
        let html = "<p>Rowing boats leave at noon.</p><p>The ferry leaves at night.</p><p>Nothing else leaves at all.</p>";
        let page = Reading::of(html);
        let first = |count: usize| {
            let spans = page
                .blocks
                .iter()
                .take(count)
                .map(|block| block.span)
                .collect();
            Some(FoundContent {
                spans,
                headline: None,
            })
        };
        let chosen = |by_rule| unless_far_less(first(by_rule), first(3), &page);
        assert_eq!(chosen(1), (first(3).unwrap(), true));
        assert_eq!(chosen(2), (first(2).unwrap(), false));
        assert_eq!(
            unless_far_less(None, first(3), &page),
            (first(3).unwrap(), true)
        );
    }
}
