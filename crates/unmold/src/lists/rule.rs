//! How are the records of the next page of the site found?
//!
//! A [`RecordRule`] says what the records of one page look like, in words that mean the same on every page: tag and
//! class names and the way to each column, or IEPAD's pattern. It is JSON that can be read and edited. Applying it
//! looks for nothing else: a page with a single record has that record found.

use super::{
    Column, Common, Pattern,
    kinds::KindId,
    learn::pattern,
    runs::{Outline, Run, end_where_the_next_begins},
    shape::Looks,
    tidy::{adopt_missing, drop_strangers},
};
use crate::{
    Text,
    lr::{self, apply::Finder},
    papers::iepad::{MAX_SLOTS, PatternRule},
    read::tree::{MAX_DEPTH, NodeId, Tree},
};
use rapidhash::RapidHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Finds the records of pages from what the records of one page looked like.
///
/// ```
/// use unmold::{Text, lists::{RecordRule, Regions}};
///
/// let list = |items: &[&str]| {
///     let items: String = items.iter().map(|item| format!("<li class=item><b>{item}</b> in stock</li>")).collect();
///     Text::from_string("page", format!("<ul>{items}</ul>"))
/// };
/// let learned = &Regions::default().find(&list(&["Tea", "Milk", "Salt"]))[0];
/// let saved = serde_json::to_string(learned.rule())?;
/// let rule: RecordRule = serde_json::from_str(&saved)?;
/// let next = rule.find(&list(&["Oil"]))?.unwrap();
/// assert_eq!(next.records.len(), 1);
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

/// A list that pages have: results, posts, offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListRule {
    /// What the list is called.
    pub name: String,
    /// The share of pages that have it.
    pub fill: f64,
    /// What finds its records.
    pub rule: RecordRule,
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
    /// The records of a page, if it has any.
    ///
    /// # Errors
    /// When the rule is larger than any that is learned: it was not made by this program.
    pub fn find(&self, text: &Text) -> Result<Option<Pattern>, RuleError> {
        self.find_in(text, &Tree::new(text.as_str()))
    }

    /// The same where the tree of the page is there already.
    pub(crate) fn find_in(
        &self,
        text: &Text,
        tree: &Tree<'_>,
    ) -> Result<Option<Pattern>, RuleError> {
        self.check()?;
        Ok(match self {
            RecordRule::Regions(rule) => rule.find(tree),
            RecordRule::Iepad(rule) => rule.find(text).map(Pattern::from),
            RecordRule::Delimiters(rule) => delimited(rule, text.as_str()),
        })
    }

    /// Reads a rule from a file of its own.
    ///
    /// # Errors
    /// When it is not such a file, or of a newer version.
    pub fn from_json(json: &str) -> Result<Self, RuleFileError> {
        let RuleVersion { unmold } = serde_json::from_str(json)?;
        if unmold > FILE_VERSION {
            return Err(RuleFileError::Newer { found: unmold });
        }
        let RuleFile { records, .. } = serde_json::from_str(json)?;
        records.check()?;
        Ok(records)
    }

    /// Writes a rule for a file of its own.
    pub fn to_json(&self) -> String {
        let file = RuleFile {
            unmold: FILE_VERSION,
            records: self.clone(),
        };
        serde_json::to_string_pretty(&file).expect("a rule has nothing that JSON cannot say") + "\n"
    }

    /// The columns, where records have any.
    pub fn columns(&self) -> Option<&[Column]> {
        match self {
            RecordRule::Regions(rule) => Some(&rule.columns),
            _ => None,
        }
    }

    /// Adds the columns that a page has and the rule has not; whether there are such. What the rule looks for stays as it is.
    pub(crate) fn learn_columns(&mut self, text: &Text, tree: &Tree<'_>) -> bool {
        let found = self.find_in(text, tree).ok().flatten();
        let (RecordRule::Regions(rule), Some(pattern)) = (self, found) else {
            return false;
        };
        // What the rule takes whole is not taken apart because one page would.
        let whole = rule.whole_ways();
        let is_inside = |way: &str| {
            way.match_indices(['/', '#'])
                .any(|(at, _)| whole.contains(&way[..at]))
        };
        let new = pattern.columns.into_iter().skip(rule.columns.len());
        let new: Vec<Column> = new.filter(|column| !is_inside(&column.way)).collect();
        let has_new = !new.is_empty();
        rule.columns.extend(new);
        has_new
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

fn delimited(rule: &lr::Rule, page: &str) -> Option<Pattern> {
    let records = Finder::new(std::slice::from_ref(rule))
        .apply_alone(page)
        .into_items();
    (!records.is_empty()).then(|| Pattern::delimited(page, rule.clone(), &records))
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

/// The form of rule files that this program writes.
const FILE_VERSION: u32 = 1;

/// A rule as it is kept in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    unmold: u32,
    records: RecordRule,
}

/// The part of a rule file that no version changes.
#[derive(Deserialize)]
struct RuleVersion {
    unmold: u32,
}

/// Why a file of a rule was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFileError {
    /// It is not JSON, or not the JSON of a rule; the reason names line and column.
    #[error(transparent)]
    Format(#[from] serde_json::Error),
    /// It was written by a newer program.
    #[error("it is of version {found}, this program knows {FILE_VERSION}")]
    Newer {
        /// Its version.
        found: u32,
    },
    /// It is larger than any that is learned.
    #[error(transparent)]
    TooLarge(#[from] RuleError),
}

/// What records look like, where they stand, and their columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionRule {
    /// The names of the elements around the records, the outermost first.
    pub(super) path: Vec<String>,
    pub(super) record: Looks,
    /// Further rows of a record.
    pub(super) rows: Vec<Looks>,
    /// Records that stood in places of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lone: Vec<Lone>,
    pub(super) columns: Vec<Column>,
}

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
        let firsts = run
            .records
            .iter()
            .filter_map(|rows| outline.tree.nodes_in(rows.clone()).next());
        let is_known = |kind| kind == run.anchor || outline.is_kin(run.anchor, kind);
        let lone =
            firsts.filter(|&node| outline.kinds.of(node).is_some_and(|kind| !is_known(kind)));
        let lone = lone
            .map(|node| Lone {
                path: path(outline.tree, node),
                name: outline.tree.name(node).to_owned(),
            })
            .collect();
        RegionRule {
            lone,
            path: path(outline.tree, outline.kinds.get(run.anchor).model),
            record: looks(run.anchor),
            rows: run.followers.keys().map(|&kind| looks(kind)).collect(),
            columns: columns.to_vec(),
        }
    }

    /// The ways to elements whose whole text is a value.
    fn whole_ways(&self) -> RapidHashSet<String> {
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

    fn find(&self, tree: &Tree<'_>) -> Option<Pattern> {
        let outline = Outline::new(tree, &Common::default());
        let mut run = self.run(&outline)?;
        drop_strangers(&outline, &mut run);
        adopt_missing(&outline, &mut run);
        Some(pattern(&outline, &run, &self.columns))
    }

    /// The records of all kinds that look right and stand in the right place; failing those, of the likest kind.
    fn run(&self, outline: &Outline<'_>) -> Option<Run> {
        let alike = self.alike(outline, &self.record);
        let is_here =
            |kind: &KindId| path(outline.tree, outline.kinds.get(*kind).model) == self.path;
        let mut kinds: Vec<KindId> = alike
            .iter()
            .map(|&(kind, _)| kind)
            .filter(is_here)
            .collect();
        if kinds.is_empty() {
            kinds.extend(
                alike
                    .iter()
                    .max_by(|(_, a), (_, b)| a.total_cmp(b))
                    .map(|&(kind, _)| kind),
            );
        }
        let runs = kinds.iter().filter_map(|&kind| self.run_of(outline, kind));
        runs.reduce(|mut all, run| {
            all.records.extend(run.records);
            end_where_the_next_begins(&mut all.records);
            all
        })
    }

    fn run_of(&self, outline: &Outline<'_>, kind: KindId) -> Option<Run> {
        let followers: BTreeMap<KindId, f64> = self
            .rows
            .iter()
            .flat_map(|row| self.alike(outline, row))
            .filter(|&(row, _)| row != kind)
            .collect();
        if followers.is_empty() {
            outline.run_of(kind)
        } else {
            outline.rows_known(kind, followers)
        }
    }

    /// The kinds that look like something, with how much.
    fn alike(&self, outline: &Outline<'_>, looks: &Looks) -> Vec<(KindId, f64)> {
        let same_name = outline
            .kinds
            .iter()
            .filter(|(_, kind)| outline.tree.name(kind.model) == looks.name);
        let alike =
            same_name.map(|(id, kind)| (id, looks.likeness(&Looks::of(outline.tree, kind.model))));
        alike
            .filter_map(|(id, likeness)| Some((id, likeness?)))
            .collect()
    }
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
