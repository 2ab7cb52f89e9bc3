//! Which runs of siblings could be records?
//!
//! Two forms are looked for under every kind of parent:
//!
//! - every element of a kind is a record: items of a list, rows of a table, cells of a grid;
//! - every element of a kind *begins* a record, and siblings of other kinds that keep following it
//!   belong to it: a title row and a detail row, `<dt>` and `<dd>`, `<b>`, `<i>` and `<br>`. This
//!   is a tandem repeat of siblings with a period of 2 to 10, in which all but the first may be
//!   missing.
//!
//! What stands between records (`<hr>`, an empty `<div>`, a line of decoration) belongs to none of
//! them: an element without text, link or picture of its own begins no record.
//!
//! Cost: linear in the siblings for each of at most [`MAX_ANCHORS`] kinds.

use super::{
    common::Common,
    grid::{Grid, LABEL_SIZE, header_around, plain_tables},
    kinds::{Kind, KindId, Kinds},
    seen::{Seen, nodes_of, text_of},
    shape::both_have,
    table::header_rows,
    weight::Weights,
};
use crate::read::tree::{NodeId, Tree};
use rapidhash::RapidHashSet;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// The longest period: records of more siblings than this are not looked for.
const MAX_PERIOD: usize = 10;
/// A kind belongs to the record before it if it follows at least this share of them.
const FOLLOWS: f64 = 1.0 / 3.0;
/// Elements of which a parent has more than this many are no parts of it but a list,
const MAX_PARTS: usize = 4;
/// so many parents are looked at for that,
const COMPARED_PARENTS: usize = 64;
/// and parts agree by this much more with those in the same place.
const TOLD_APART: f64 = 0.2;
/// This share of the elements of a kind have a label if they are parts that labels tell apart.
const NEARLY_ALL: f64 = 0.9;
/// Longer texts label nothing, in letters.
const MAX_LABEL: usize = 40;
/// So many kinds with one name and class are compared with each other.
const MAX_KIN: usize = 16;
/// So many kinds among the children of a kind are tried as the first of several.
const MAX_ANCHORS: usize = 16;

/// A page, read as far as runs need it.
pub(super) struct Outline<'t> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) kinds: Kinds,
    /// The header rows of tables.
    pub(super) headers: RapidHashSet<NodeId>,
    pub(super) seen: Seen,
    pub(super) weights: Weights,
    /// How much structure two elements of a kind can be expected to share.
    sizes: Vec<f64>,
    /// The kinds that go on with a kind in other wrappers.
    kin: Vec<Vec<KindId>>,
}

/// The nodes of a record, by number: one element, or several that follow each other.
pub(super) type Rows = Range<usize>;

/// Possible records.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// What every record begins with.
    pub(super) anchor: KindId,
    /// What may follow it, and the share of records in which it does.
    pub(super) followers: BTreeMap<KindId, f64>,
    /// The records, in the order of the page.
    pub(super) records: Vec<Rows>,
    /// The table whose rows they are, where it is plain.
    pub(super) table: Option<Grid>,
}

impl<'t> Outline<'t> {
    pub(super) fn new(tree: &'t Tree<'t>, common: &Common) -> Self {
        let seen = Seen::new(tree);
        let kinds = Kinds::new(tree, &seen);
        let sizes = sizes(tree, &kinds);
        let kin = kin(tree, &kinds);
        Outline {
            tree,
            weights: Weights::new(tree, &seen, common),
            headers: header_rows(tree, &seen),
            seen,
            kinds,
            sizes,
            kin,
        }
    }

    /// All runs of the page. Of plain tables, those are the rows and nothing else.
    pub(super) fn runs(&self) -> Vec<Run> {
        let tables = plain_tables(self.tree, &self.seen, self.kinds.turns(), &self.headers);
        let mut in_table = vec![false; self.tree.len()];
        for &table in tables.iter().flat_map(|grid| &grid.tables) {
            in_table[table.index()..self.tree.subtree_end(table)].fill(true);
        }
        let mut runs = self.runs_of_elements();
        runs.retain(|run| !run.records.iter().all(|rows| in_table[rows.start]));
        runs.extend(
            tables
                .into_iter()
                .filter_map(|table| self.run_of_table(table)),
        );
        runs
    }

    fn run_of_table(&self, table: Grid) -> Option<Run> {
        let records = table
            .rows
            .iter()
            .map(|row| rows(self.tree, row.element, row.element))
            .collect();
        let anchor = self.kinds.of(table.rows.first()?.element)?;
        Some(Run {
            anchor,
            followers: BTreeMap::new(),
            records,
            table: Some(table),
        })
    }

    fn runs_of_elements(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        for (id, kind) in self.kinds.iter() {
            if kind.members.len() >= 2 && !self.is_part(kind) || self.has_kin(id) {
                runs.extend(self.run_of(id));
            }
        }
        for anchor in self.anchors() {
            runs.extend(self.rows_from(anchor));
        }
        runs
    }

    /// Whether elements of a kind are single parts of larger things that repeat: then the larger
    /// ones are the records.
    fn is_part(&self, kind: &Kind) -> bool {
        let parents = kind
            .parent
            .map_or(1, |parent| self.kinds.get(parent).members.len());
        let are_parts =
            || kind.parents_with == kind.members.len() || self.are_told_by_position(kind);
        parents >= 2 && (are_parts() || self.are_cells_under_names(kind) || self.are_labelled(kind))
    }

    /// Whether nearly all elements of a kind begin with a text with which one in every other parent
    /// begins, too: labels with their values, which are parts of a record.
    fn are_labelled(&self, kind: &Kind) -> bool {
        let parents = kind.parents_with;
        if parents < 2 || kind.members.len() < 2 * parents {
            return false;
        }
        let mut labels: BTreeMap<&str, (usize, Option<NodeId>)> = BTreeMap::new();
        for &member in &kind.members {
            let Some(label) = self.first_text(member) else {
                continue;
            };
            let (times, last_parent) = labels.entry(label).or_default();
            let parent = self.tree.parent(member);
            // A text that comes twice in one parent tells no parts of it apart.
            if *last_parent == parent {
                return false;
            }
            (*times, *last_parent) = (*times + 1, parent);
        }
        let labelled: usize = labels
            .values()
            .map(|&(times, _)| times)
            .filter(|times| *times >= 2 && 2 * times >= parents)
            .sum();
        labelled as f64 >= NEARLY_ALL * kind.members.len() as f64
    }

    /// The first text in an element that says something and is not all that it says.
    fn first_text(&self, element: NodeId) -> Option<&'t str> {
        let all = self.seen.letters(&nodes_of(self.tree, element));
        let first = self.tree.subtree(element).find(|&node| {
            !self.tree.is_element(node) && self.seen.has_text(&(node.index()..node.index() + 1))
        })?;
        let letters = self.seen.letters(&(first.index()..first.index() + 1));
        (letters < all && letters <= MAX_LABEL).then(|| text_of(self.tree, first))
    }

    /// Whether elements are cells of a table whose columns have names: then its rows are the
    /// records.
    fn are_cells_under_names(&self, kind: &Kind) -> bool {
        let row = self
            .tree
            .parent(kind.model)
            .filter(|_| matches!(self.tree.name(kind.model), "td" | "th"));
        row.is_some_and(|row| {
            header_around(self.tree, &self.headers, row)
                .iter()
                .flatten()
                .nth(1)
                .is_some()
        })
    }

    /// Whether every parent has the same few elements of a kind, and the first of one parent looks
    /// more like the first of the next than like the second beside it. In a grid, all cells look
    /// alike.
    fn are_told_by_position(&self, kind: &Kind) -> bool {
        let arity = kind.members.len() / kind.parents_with.max(1);
        if !(2..=MAX_PARTS).contains(&arity) || kind.members.len() != arity * kind.parents_with {
            return false;
        }
        let shown = &kind.members[..kind.members.len().min(arity * COMPARED_PARENTS)];
        let is_one_parent = |parts: &[NodeId]| {
            parts
                .iter()
                .all(|&part| self.tree.parent(part) == self.tree.parent(parts[0]))
        };
        if !shown.chunks(arity).all(is_one_parent) {
            return false;
        }
        let agreement = |distance: usize, is_pair: &dyn Fn(usize) -> bool| {
            let pairs = (0..shown.len().saturating_sub(distance)).filter(|&at| is_pair(at));
            let shape = |at: usize| self.kinds.shape(shown[at]);
            let agreements: Vec<f64> = pairs
                .map(|at| shape(at).agreement(shape(at + distance)))
                .collect();
            agreements.iter().sum::<f64>() / agreements.len().max(1) as f64
        };
        let across = agreement(arity, &|_| true);
        let beside = agreement(1, &|at| at % arity + 1 < arity);
        across - beside >= TOLD_APART
    }

    /// The elements of a kind as records, and those of its kin.
    pub(super) fn run_of(&self, anchor: KindId) -> Option<Run> {
        let kinds = std::iter::once(&anchor).chain(&self.kin[anchor.index()]);
        let members = kinds.flat_map(|&kind| &self.kinds.get(kind).members);
        let rows = members.map(|&member| rows(self.tree, member, member));
        self.run(anchor, BTreeMap::new(), rows.collect())
    }

    /// Whether elements of a kind go on in other wrappers.
    pub(super) fn has_kin(&self, kind: KindId) -> bool {
        !self.kin[kind.index()].is_empty()
    }

    /// Whether the elements of a kind go on in those of another.
    pub(super) fn is_kin(&self, kind: KindId, other: KindId) -> bool {
        self.kin[kind.index()].contains(&other)
    }

    fn run(
        &self,
        anchor: KindId,
        followers: BTreeMap<KindId, f64>,
        mut records: Vec<Rows>,
    ) -> Option<Run> {
        records.retain(|rows| self.seen.has_text(rows));
        self.drop_headers(&mut records);
        end_where_the_next_begins(&mut records);
        // What had only the text of records inside it was a wrapper.
        records.retain(|rows| self.seen.has_text(rows));
        (!records.is_empty()).then_some(Run {
            anchor,
            followers,
            records,
            table: None,
        })
    }

    /// Drops header rows from rows of tables, unless they are nothing else.
    pub(super) fn drop_headers(&self, records: &mut Vec<Rows>) {
        let is_header = |rows: &Rows| {
            let first = self.tree.nodes_in(rows.clone()).next();
            first.is_some_and(|first| self.headers.contains(&first))
        };
        if !records.iter().all(is_header) {
            records.retain(|rows| !is_header(rows));
        }
    }

    /// The most frequent kinds under each kind of parent.
    fn anchors(&self) -> Vec<KindId> {
        let mut by_parent: BTreeMap<Option<KindId>, Vec<KindId>> = BTreeMap::new();
        for (id, kind) in self.kinds.iter() {
            if kind.members.len() < 2 || self.is_separator(kind) || self.is_part(kind) {
                continue;
            }
            // A record begins with the first of the rows that take turns.
            if self
                .kinds
                .turns()
                .get(&kind.model)
                .is_some_and(|&turn| turn > 0)
            {
                continue;
            }
            by_parent.entry(kind.parent).or_default().push(id);
        }
        for anchors in by_parent.values_mut() {
            anchors.sort_by_key(|&id| std::cmp::Reverse(self.kinds.get(id).members.len()));
            anchors.truncate(MAX_ANCHORS);
        }
        by_parent.into_values().flatten().collect()
    }

    /// Whether most elements of a kind have neither text nor link, and no pictures that differ: they
    /// stand between records and begin none.
    fn is_separator(&self, kind: &Kind) -> bool {
        let mut silent = 0;
        let mut pictures = RapidHashSet::default();
        for &member in &kind.members {
            let nodes = rows(self.tree, member, member);
            if self.seen.has_text(&nodes) || self.seen.has_link(&nodes) {
                continue;
            }
            silent += 1;
            let images = self.tree.subtree(member);
            pictures.extend(images.filter_map(|image| picture(self.tree, image)));
        }
        2 * silent > kind.members.len() && pictures.len() < 2
    }

    /// Records that begin with an element of a kind and go on with siblings of other kinds.
    fn rows_from(&self, anchor: KindId) -> Option<Run> {
        let segments = segments(self.tree, &self.kinds.get(anchor).members);
        let followers = self.followers(&segments);
        if followers.is_empty() {
            return None;
        }
        self.rows_with(anchor, &segments, followers)
    }

    fn rows_with(
        &self,
        anchor: KindId,
        segments: &[Vec<NodeId>],
        followers: BTreeMap<KindId, f64>,
    ) -> Option<Run> {
        let is_follower = |node| {
            self.kinds
                .of(node)
                .is_some_and(|kind| followers.contains_key(&kind))
        };
        let records = rows_from(self.tree, segments, is_follower, |rows| {
            self.seen.has_text(rows)
        })?;
        self.run(anchor, followers, records)
    }

    /// The kinds with text that follow often enough, with the share of segments that have them.
    fn followers(&self, segments: &[Vec<NodeId>]) -> BTreeMap<KindId, f64> {
        let mut times: BTreeMap<KindId, usize> = BTreeMap::new();
        for segment in segments {
            let with_text = segment[1..]
                .iter()
                .filter(|&&node| self.seen.has_text(&rows(self.tree, node, node)));
            let kinds: BTreeSet<KindId> =
                with_text.filter_map(|&node| self.kinds.of(node)).collect();
            kinds
                .into_iter()
                .for_each(|kind| *times.entry(kind).or_default() += 1);
        }
        let shares = times.into_iter().filter(|&(_, times)| times >= 2);
        let shares = shares.map(|(kind, times)| (kind, times as f64 / segments.len() as f64));
        shares.filter(|&(_, share)| share >= FOLLOWS).collect()
    }

    /// How much structure two records of a run can be expected to share.
    pub(super) fn size(&self, run: &Run) -> f64 {
        if let Some(table) = &run.table {
            return table.size;
        }
        let count = run.records.len() as f64;
        let followers = run
            .followers
            .iter()
            .map(|(kind, share)| both_have(share * count, count) * self.sizes[kind.index()]);
        let labels = run
            .records
            .first()
            .map_or(0, |rows| self.named_columns(rows));
        self.sizes[run.anchor.index()] + followers.sum::<f64>() + LABEL_SIZE * labels as f64
    }

    /// How many columns the header of the table names in which a record begins.
    fn named_columns(&self, rows: &Rows) -> usize {
        let first = self.tree.nodes_in(rows.clone()).next();
        let header = first.map(|first| header_around(self.tree, &self.headers, first));
        header.map_or(0, |header| header.iter().flatten().count())
    }
}

/// Where the picture of an image comes from.
fn picture<'t>(tree: &Tree<'t>, node: NodeId) -> Option<&'t str> {
    Some(node)
        .filter(|&node| tree.name(node) == "img")
        .and_then(|image| tree.attribute(image, "src"))
}

/// The nodes from the first of some siblings to the end of the last.
pub(super) fn rows(tree: &Tree<'_>, first: NodeId, last: NodeId) -> Rows {
    first.index()..last.index() + tree.subtree(last).len()
}

/// The siblings from each of some elements, in page order, to the next of them, or to the end of
/// their parent.
pub(super) fn segments(tree: &Tree<'_>, anchors: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut segments: Vec<Vec<NodeId>> = Vec::new();
    let parents: BTreeSet<_> = anchors.iter().map(|&anchor| tree.parent(anchor)).collect();
    for parent in parents {
        let siblings = parent.map_or(tree.top(), |parent| tree.children(parent));
        let mut is_open = false;
        for sibling in siblings.filter(|&sibling| tree.is_element(sibling)) {
            if anchors.binary_search(&sibling).is_ok() {
                segments.push(Vec::new());
                is_open = true;
            }
            if let Some(segment) = segments.last_mut().filter(|_| is_open) {
                segment.push(sibling);
            }
        }
    }
    segments
}

/// The records that segments begin with; `None` if most are too long.
pub(super) fn rows_from(
    tree: &Tree<'_>,
    segments: &[Vec<NodeId>],
    is_follower: impl Fn(NodeId) -> bool,
    has_text: impl Fn(&Rows) -> bool,
) -> Option<Vec<Rows>> {
    let kept = |segment| kept(tree, segment, &is_follower, &has_text);
    let kept: Vec<&[NodeId]> = segments.iter().map(|segment| kept(segment)).collect();
    let mut lengths: Vec<usize> = kept.iter().map(|kept| kept.len()).collect();
    lengths.sort_unstable();
    if lengths
        .get(lengths.len() / 2)
        .is_none_or(|&median| median > MAX_PERIOD)
    {
        return None;
    }
    Some(
        kept.iter()
            .map(|kept| rows(tree, kept[0], kept[kept.len() - 1]))
            .collect(),
    )
}

/// The part of a segment that belongs to the record: up to the last follower before anything else
/// with text.
fn kept<'s>(
    tree: &Tree<'_>,
    segment: &'s [NodeId],
    is_follower: impl Fn(NodeId) -> bool,
    has_text: impl Fn(&Rows) -> bool,
) -> &'s [NodeId] {
    let mut length = 1;
    for (at, &node) in segment.iter().enumerate().skip(1) {
        if is_follower(node) {
            length = at + 1;
        } else if has_text(&rows(tree, node, node)) {
            break;
        }
    }
    &segment[..length]
}

/// A record that holds others of its kind (a comment with its answers) ends where the first of them
/// begins.
pub(super) fn end_where_the_next_begins(records: &mut [Rows]) {
    records.sort_by_key(|rows| rows.start);
    for at in 1..records.len() {
        records[at - 1].end = records[at - 1].end.min(records[at].start);
    }
}

/// For each kind, the others that look like it and stand beside its elements or deeper, in wrappers
/// of their own: answers to a comment. They have a class in common, or all lists in lists would be
/// such.
fn kin(tree: &Tree<'_>, kinds: &Kinds) -> Vec<Vec<KindId>> {
    let mut named: BTreeMap<_, Vec<KindId>> = BTreeMap::new();
    for (id, kind) in kinds.iter() {
        let class = tree.classes(kind.model).next();
        let group = class.map(|class| {
            named
                .entry((tree.name_code(kind.model), class))
                .or_default()
        });
        // Among more kinds of one name, the rest are not compared.
        group
            .filter(|group| group.len() < MAX_KIN)
            .into_iter()
            .for_each(|group| group.push(id));
    }
    let mut kin = vec![Vec::new(); kinds.len()];
    for group in named.values().filter(|group| group.len() >= 2) {
        for &id in group {
            let parents: BTreeSet<_> = kinds
                .get(id)
                .members
                .iter()
                .filter_map(|&member| tree.parent(member))
                .collect();
            let is_below = |&member: &NodeId| {
                tree.ancestors(member)
                    .any(|around| parents.contains(&around))
            };
            let is_kin = |other: &KindId| {
                let members = &kinds.get(*other).members;
                *other != id
                    && kinds.model(*other).is_like(kinds.model(id))
                    && members.iter().all(is_below)
            };
            kin[id.index()] = group.iter().copied().filter(is_kin).collect();
        }
    }
    kin
}

/// The expected number of nodes that two elements of a kind have in common. Children have higher
/// numbers than parents.
fn sizes(tree: &Tree<'_>, kinds: &Kinds) -> Vec<f64> {
    let mut sizes = vec![1.0; kinds.len()];
    for (id, kind) in kinds.iter().rev() {
        let count = kind.members.len() as f64;
        let has_text =
            |&&member: &&NodeId| tree.children(member).any(|child| !tree.is_element(child));
        let with_text = kind.members.iter().filter(has_text).count() as f64;
        let parts = kind.children.iter().map(|part| {
            both_have(kinds.get(*part).parents_with as f64, count) * sizes[part.index()]
        });
        sizes[id.index()] += both_have(with_text, count) + parts.sum::<f64>();
    }
    sizes
}
