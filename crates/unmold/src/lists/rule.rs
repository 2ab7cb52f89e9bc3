//! What is known of the lists of a template?
//!
//! A [`ListRule`] is a list under its name, and a [`RecordRule`] says what its records look like, in
//! words that mean the same on every page: tag and class names and the way to each column, or
//! IEPAD's pattern. Both are JSON that can be read and edited. [`apply`](super::apply) finds the
//! records of a page by them and looks for nothing else: a page with a single record has that record
//! found.

use super::{
    kinds::KindId,
    naming::place,
    record::Column,
    runs::{Outline, Run},
    shape::Looks,
    tidy::common_names,
};
use crate::{
    lr,
    papers::iepad::{MAX_SLOTS, PatternRule},
    read::tree::{MAX_DEPTH, NodeId, Tree},
};
use rapidhash::RapidHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A list that pages of a template have: results, posts, offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListRule {
    /// What the list is called.
    pub name: String,
    /// The way to its records from the top of the page, where the method says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// What its records look like in the paper's notation, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pattern: String,
    /// The share of pages that have it.
    pub fill: f64,
    /// What finds its records.
    pub rule: RecordRule,
}

/// What the records of a list look like.
///
/// ```
/// use unmold::{Mold, Text, lists::{Regions, list_rule}};
///
/// let list = |items: &[&str]| {
///     let items: String = items.iter().map(|item| format!("<li class=item><b>{item}</b> in stock</li>")).collect();
///     Text::from_string("page", format!("<ul>{items}</ul>"))
/// };
/// let page = list(&["Tea", "Milk", "Salt"]);
/// let rule = list_rule(&Regions::default().find(&page)[0], &[&page]);
/// let saved = Mold::of_list(rule).to_json();
///
/// let (reader, next) = (Mold::from_json(&saved)?.reader(), list(&["Oil"]));
/// let found = reader.read(&next)?;
/// assert_eq!(found.lists().next().unwrap().list.records.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub enum RecordRule {
    /// Made by [`Regions`](super::Regions).
    Regions(RegionRule),
    /// Made by [`Iepad`](crate::papers::iepad::Iepad).
    Iepad(PatternRule),
    /// Made by [`scoop`](crate::papers::scoop).
    Delimiters(lr::Rule),
}

/// Why a rule cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rule may have no more than {limit} {what}, this one has {found}")]
pub struct RuleError {
    what: &'static str,
    limit: usize,
    found: usize,
}

impl RecordRule {
    /// The columns, where records have any.
    pub fn columns(&self) -> Option<&[Column]> {
        match self {
            RecordRule::Regions(rule) => Some(&rule.columns),
            RecordRule::Iepad(_) | RecordRule::Delimiters(_) => None,
        }
    }

    /// The rule in a wider and a narrower form: by the path of element names alone, or by the places
    /// of records.
    pub(super) fn variants(&self) -> Vec<RecordRule> {
        let RecordRule::Regions(rule) = self else {
            return vec![self.clone()];
        };
        // The widest one first: of two that agree equally, it outlives more changes of a site.
        let mut variants = vec![RegionRule {
            places: BTreeSet::new(),
            ..rule.clone()
        }];
        if !rule.places.is_empty() {
            variants.push(rule.clone());
        }
        variants.into_iter().map(RecordRule::Regions).collect()
    }

    /// A rule for records of either look, if there can be one.
    pub(super) fn merged(&self, other: &RecordRule) -> Option<RecordRule> {
        match (self, other) {
            (RecordRule::Regions(one), RecordRule::Regions(other)) => {
                one.merged(other).map(RecordRule::Regions)
            }
            _ => None,
        }
    }

    /// Whether the rule is of a size that could have been learned.
    pub(crate) fn check(&self) -> Result<(), RuleError> {
        match self {
            RecordRule::Regions(rule) => rule.check(),
            RecordRule::Iepad(rule) => within("symbols", MAX_SLOTS, rule.pattern.slots().len()),
            RecordRule::Delimiters(rule) => {
                within("bytes", 64 << 10, rule.left.len().max(rule.right.len()))
            }
        }
    }
}

impl RegionRule {
    fn check(&self) -> Result<(), RuleError> {
        let inside = self
            .rows
            .iter()
            .chain([&self.record])
            .map(|model| model.inside.len())
            .max()
            .unwrap_or(0);
        within("columns", 10_000, self.columns.len())?;
        let paths = self
            .lone
            .iter()
            .map(|lone| lone.path.len())
            .chain([self.path.len()]);
        within("elements in a path", MAX_DEPTH, paths.max().unwrap_or(0))?;
        within("records in places of their own", 1_000, self.lone.len())?;
        within("places", 1_000, self.places.len())?;
        within("class names", 1_000, self.names.len())?;
        within("rows", 1_000, self.rows.len())?;
        within("parts", 10_000, inside)
    }
}

fn within(what: &'static str, limit: usize, found: usize) -> Result<(), RuleError> {
    if found <= limit {
        Ok(())
    } else {
        Err(RuleError { what, limit, found })
    }
}

/// What records look like, where they stand, and their columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionRule {
    /// The names of the elements around the records, the outermost first.
    pub(super) path: Vec<String>,
    /// The ways with class names to the elements that records begin with. If it names any, what is
    /// on the same path elsewhere is no record.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) places: BTreeSet<String>,
    /// Whether the records are the rows of a plain table, read as a grid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) table: bool,
    /// Which of several plain tables in the place it is, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) nth: usize,
    pub(super) record: Looks,
    /// Further rows of a record.
    pub(super) rows: Vec<Looks>,
    /// Records that stood in places of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lone: Vec<Lone>,
    /// The class names that most records have in them, however deep.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) names: BTreeSet<String>,
    /// What has fewer of these names is no record: an advertisement in the same frame. 0 where none
    /// was seen.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) least_names: usize,
    pub(super) columns: Vec<Column>,
}

/// Records that begin in more places than this have class names that vary: they say nothing.
const MAX_PLACES: usize = 16;

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// More class names than this tell no more.
const MAX_NAMES: usize = 64;

/// Where a record stood that is not among the others: the question above its answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lone {
    /// The names of the elements around it, the outermost first.
    pub(super) path: Vec<String>,
    pub(super) name: String,
}

impl RegionRule {
    pub(super) fn new(outline: &Outline<'_>, run: &Run, columns: &[Column]) -> Self {
        let looks = |kind: KindId| Looks::of(outline.tree, outline.kinds.get(kind).model);
        let model = model_record(outline, run);
        let mut lone = Vec::new();
        let mut places = BTreeSet::new();
        for rows in &run.records {
            let Some(first) = outline.tree.nodes_in(rows.clone()).next() else {
                continue;
            };
            let kind = outline.kinds.of(first);
            if kind.is_none_or(|kind| kind == run.anchor || outline.is_kin(run.anchor, kind)) {
                places.insert(place(outline.tree, first));
            } else {
                lone.push(Lone {
                    path: path(outline.tree, first),
                    name: outline.tree.name(first).to_owned(),
                });
            }
        }
        if places.len() > MAX_PLACES {
            places.clear();
        }
        RegionRule {
            path: path(outline.tree, model),
            places,
            table: run.table.is_some(),
            nth: 0,
            record: Looks::of(outline.tree, model),
            rows: run.followers.keys().map(|&kind| looks(kind)).collect(),
            lone,
            names: common_names(outline, run)
                .into_iter()
                .map(str::to_owned)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .take(MAX_NAMES)
                .collect(),
            least_names: 0,
            columns: columns.to_vec(),
        }
    }

    /// A rule for records of either look, where the two are in the same place.
    pub(super) fn merged(&self, other: &RegionRule) -> Option<RegionRule> {
        let is_same_form = self.path == other.path
            && self.record.name == other.record.name
            && self.table == other.table
            && self.nth == other.nth
            && self.rows.is_empty()
            && other.rows.is_empty();
        if !is_same_form {
            return None;
        }
        let mut merged = self.clone();
        merged
            .record
            .classes
            .extend(other.record.classes.iter().cloned());
        merged
            .record
            .inside
            .extend(other.record.inside.iter().cloned());
        merged.places.extend(other.places.iter().cloned());
        merged.names.retain(|name| other.names.contains(name));
        for lone in &other.lone {
            if !merged.lone.contains(lone) {
                merged.lone.push(lone.clone());
            }
        }
        Some(merged)
    }

    /// The ways to elements whose whole text is a value.
    pub(super) fn whole_ways(&self) -> RapidHashSet<String> {
        let ways = || self.columns.iter().map(|column| column.way.as_str());
        let inward: RapidHashSet<&str> = ways()
            .flat_map(|way| way.match_indices(['/', '#']).map(|(at, _)| &way[..at]))
            .collect();
        let texts = self
            .columns
            .iter()
            .filter(|column| column.attribute.is_none());
        texts
            .map(|column| column.way.clone())
            .filter(|way| !inward.contains(way.as_str()))
            .collect()
    }
}

/// The element that says what records look like and where they are: the first record of the kind
/// that records begin with, else of its kin. The first element of the kind need not be a record: it
/// may be empty, and elsewhere.
fn model_record(outline: &Outline<'_>, run: &Run) -> NodeId {
    let mut first_of_kin = None;
    for rows in &run.records {
        let Some(first) = outline.tree.nodes_in(rows.clone()).next() else {
            continue;
        };
        let Some(kind) = outline.kinds.of(first) else {
            continue;
        };
        if kind == run.anchor {
            return first;
        }
        if first_of_kin.is_none() && outline.is_kin(run.anchor, kind) {
            first_of_kin = Some(first);
        }
    }
    first_of_kin.unwrap_or(outline.kinds.get(run.anchor).model)
}

/// The names of the elements around a node, the outermost first.
fn path(tree: &Tree<'_>, node: NodeId) -> Vec<String> {
    let mut names: Vec<String> = tree
        .ancestors(node)
        .map(|element| tree.name(element).to_owned())
        .collect();
    names.reverse();
    names
}
