//! From a mold and a page to what the page holds.
//!
//! Nothing here builds an index: a mold is applied at the speed of memory, page by page.
//!
//! ```
//! use unmold::{Text, lr, mold::Mold, reader::Extractor};
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
//! let extractor = Extractor::new(&mold);
//! let page = extractor.extract(&Text::from_string("1", "<b>Congo</b> <i>+<u>242</u></i>"));
//! assert_eq!(page.values, [("code", vec!["+ 242".to_string()])]);
//! # Ok::<(), unmold::mold::MoldError>(())
//! ```

use crate::fields::apply::{Ballot, Filter};
use crate::read::pool::Pool;
use crate::{
    Text,
    fields::{
        self, View,
        slots::{Scanner, Slot},
    },
    lists::{List, apply::Ready, recall::Recall},
    lr,
    mold::Mold,
    read::{
        html::visible_text,
        tree::{Memory, Tree},
    },
};

/// A mold made ready for use.
pub struct Extractor<'m> {
    groups: Vec<Group<'m>>,
    /// What may be of use to any group.
    wanted: Filter,
    workspaces: Pool<Workspace>,
}

struct Group<'m> {
    names: Vec<&'m str>,
    lists: Vec<(&'m str, Ready<'m>)>,
    /// The field of each rule.
    field_of_rule: Vec<usize>,
    wrapper: lr::apply::Wrapper,
    finder: fields::apply::Finder,
    /// How many fields a page has on average.
    expected: f64,
}

/// What a page holds.
#[derive(Clone, Debug)]
pub struct Extraction<'m> {
    /// The number of the group whose rules found most on the page; `None` if no rule of any group found anything.
    pub group: Option<usize>,
    /// The fields of that group in the order of the mold, each with its values: none where the page does not have it.
    pub values: Vec<(&'m str, Vec<String>)>,
    /// The lists of that group that the page has.
    pub records: Vec<(&'m str, List<'m>)>,
}

/// What is kept from page to page.
#[derive(Default)]
struct Workspace {
    memory: Memory,
    scanner: Scanner,
    ballots: Vec<Ballot>,
    recall: Recall,
}

impl Workspace {
    /// Forgets what was kept when it has become too much.
    fn tidy(&mut self) {
        if self.memory.is_full() || self.recall.is_full() {
            *self = Workspace::default();
        }
    }
}

impl<'m> Extractor<'m> {
    /// Makes a mold ready.
    pub fn new(mold: &'m Mold) -> Self {
        let groups: Vec<Group<'m>> = mold.groups.iter().map(Group::new).collect();
        let mut wanted = Filter::default();
        groups.iter().for_each(|group| wanted.extend(group.finder.wanted()));
        Extractor { groups, wanted, workspaces: Pool::default() }
    }

    /// Leaves lists alone, which take more time than fields.
    #[must_use]
    pub fn fields_only(mut self) -> Self {
        self.groups.iter_mut().for_each(|group| group.lists.clear());
        self
    }

    /// Takes the values out of a page. What pages of a template have in common is read once by each thread: the more
    /// pages, the faster.
    pub fn extract(&self, text: &Text) -> Extraction<'m> {
        self.workspaces.lend(|workspace| self.extract_with(workspace, text))
    }

    /// The same for the only page there is, or for pages that have nothing in common.
    pub fn extract_alone(&self, text: &Text) -> Extraction<'m> {
        self.extract_with(&mut Workspace::default(), text)
    }

    fn extract_with(&self, workspace: &mut Workspace, text: &Text) -> Extraction<'m> {
        workspace.tidy();
        let Workspace { memory, scanner, ballots, recall } = workspace;
        let tree = self.needs_tree().then(|| Tree::with_memory(text.as_str(), memory));
        let slots = tree.as_ref().map(|tree| scanner.scan(tree, &self.wanted)).unwrap_or_default();
        let found = self.groups.iter().map(|group| group.values(text, slots, ballots));
        let found: Vec<Values<'m>> = found.collect();
        // Of equals the first group counts.
        let best = found.into_iter().enumerate().rev().max_by_key(|(_, values)| filled(values));
        let Some((group, values)) = best else {
            return Extraction { group: None, values: Vec::new(), records: Vec::new() };
        };
        let records = tree.map_or_else(Vec::new, |tree| self.groups[group].lists(text, &tree, recall));
        let fits = self.groups[group].fits(filled(&values)) || !records.is_empty();
        Extraction { group: fits.then_some(group), values, records }
    }

    /// Whether any group goes by elements.
    fn needs_tree(&self) -> bool {
        self.groups.iter().any(|group| !group.finder.is_empty() || !group.lists.is_empty())
    }
}

/// The fields of a group with what a page has of each.
type Values<'m> = Vec<(&'m str, Vec<String>)>;

fn filled(values: &[(&str, Vec<String>)]) -> usize {
    values.iter().filter(|(_, values)| !values.is_empty()).count()
}

impl<'m> Group<'m> {
    fn new(group: &'m crate::mold::Group) -> Self {
        let rules = group.fields.iter().enumerate().flat_map(|(at, field)| {
            field.views.iter().filter_map(move |view| match view {
                View::Lr(rule) => Some((at, rule.clone())),
                _ => None,
            })
        });
        let (field_of_rule, rules): (Vec<usize>, Vec<_>) = rules.unzip();
        let names = group.fields.iter().map(|field| field.name.as_str()).collect();
        let finder = fields::apply::Finder::new(&group.fields, &group.landmarks);
        let expected = group.fields.iter().map(|field| field.fill).sum();
        let lists = group.records.iter().map(|list| (list.name.as_str(), Ready::new(&list.rule))).collect();
        Group { names, lists, field_of_rule, wrapper: lr::apply::Wrapper::new(&rules), finder, expected }
    }

    /// Whether so many fields are enough to say that a page is one of this group. Two values may be found by chance.
    fn fits(&self, filled: usize) -> bool {
        /// The share of the fields of a page of the group that a page has at least.
        const ENOUGH: f64 = 0.25;
        filled > 0 && (self.finder.is_empty() || filled as f64 >= ENOUGH * self.expected)
    }

    fn lists(&self, text: &Text, tree: &Tree<'_>, recall: &mut Recall) -> Vec<(&'m str, List<'m>)> {
        self.lists.iter().filter_map(|(name, rule)| Some((*name, rule.list(text, tree, recall)?))).collect()
    }

    fn values(&self, text: &Text, slots: &mut [Slot], ballots: &mut Vec<Ballot>) -> Values<'m> {
        let mut values: Values<'m> = self.names.iter().map(|name| (*name, Vec::new())).collect();
        if !self.field_of_rule.is_empty() {
            for (spans, &field) in self.wrapper.apply(text.as_str()).iter().zip(&self.field_of_rule) {
                let visible = spans.iter().map(|span| visible_text(span.of(text.as_str())));
                values[field].1.extend(visible.filter(|value| !value.is_empty()));
            }
        }
        self.finder.set_landmarks(slots);
        let found = self.finder.find(slots, ballots);
        for (at, (_, values)) in values.iter_mut().enumerate() {
            values.extend(self.finder.values(at, self.finder.of_field(&found, at), slots, text.as_str()));
        }
        values
    }
}
