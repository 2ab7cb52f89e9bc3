//! What does a page list, by what is known of its template?
//!
//! A page of a template is not searched for lists. A `Finder` goes down the path of a rule and
//! nowhere else, asks of each element there whether it looks like a record, and inside records goes
//! only the ways that lead to a column. What it looks up are hashes of the words in the rule. The
//! rows of a plain table are read as a grid, so that cells over several rows are in each of them.
//!
//! A page of no template is searched, by the same [`Regions`] that rules are learned
//! from: `find_alone`.
//!
//! Cost: linear in the elements on the path and in the records; where no record stands on the path,
//! in the page.

use super::{
    columns::span,
    grid::plain_tables,
    headings::{self, is_of_headings},
    naming::place,
    pattern::{Pattern, measures},
    record::{Column, Field, Record, unique},
    regions::Regions,
    rule::{ListRule, Lone, RecordRule, RegionRule},
    runs::{Rows, end_where_the_next_begins, rows, rows_from, segments},
    seen::Seen,
    shape::{Features, Looks},
    step::{ANY_CLASS, ATTRIBUTES, MAX_ARITY, label, write_position},
    table::header_rows,
    tag_memory::{ShapeId, TagMemory},
    tidy::{has_common_names, names_in, strangers},
    turns::turns,
};
use crate::{
    Span, Text, lr,
    papers::iepad::Measures,
    read::{
        html::elements::is_hidden_in_lists,
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};
use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

/// A list of a page.
#[derive(Clone, Debug)]
pub struct List<'r> {
    /// What it is called; no two lists of a page have one name.
    pub name: Cow<'r, str>,
    /// The way to its records from the top of the page, the same on every page of the template;
    /// empty where the method does not say it.
    pub place: Cow<'r, str>,
    /// What its records look like in the paper's notation: `[a|b]` for either, `[a|-]` for what may
    /// be missing.
    pub pattern: Cow<'r, str>,
    /// How regular, dense and large it is on the page.
    pub measures: Measures,
    /// The fields that records have.
    pub columns: Cow<'r, [Column]>,
    /// The records, in the order of the page; no two overlap.
    pub records: Vec<Record>,
    /// The place of each column in the order of names.
    pub(crate) ranks: Arc<[usize]>,
}

impl From<Pattern> for List<'static> {
    fn from(pattern: Pattern) -> Self {
        List {
            name: Cow::Owned(pattern.name),
            place: Cow::Owned(pattern.place),
            pattern: Cow::Owned(pattern.notation),
            measures: pattern.measures,
            ranks: ranks(&pattern.columns),
            columns: Cow::Owned(pattern.columns),
            records: pattern.records,
        }
    }
}

impl List<'_> {
    /// Patterns of one page as its lists, each under a name of its own.
    pub fn named(patterns: Vec<Pattern>) -> Vec<List<'static>> {
        let mut names = RapidHashSet::default();
        patterns
            .into_iter()
            .map(|pattern| List {
                name: Cow::Owned(unique(&mut names, pattern.name.clone())),
                ..List::from(pattern)
            })
            .collect()
    }

    /// The same without what is lent by a mold.
    pub fn into_owned(self) -> List<'static> {
        List {
            name: Cow::Owned(self.name.into_owned()),
            place: Cow::Owned(self.place.into_owned()),
            pattern: Cow::Owned(self.pattern.into_owned()),
            measures: self.measures,
            columns: Cow::Owned(self.columns.into_owned()),
            records: self.records,
            ranks: self.ranks,
        }
    }

    /// Whether more than half of its records begin where records of another list do.
    fn repeats(&self, other: &List<'_>) -> bool {
        let starts = |record: &Record| record.span.start;
        let shared = self
            .records
            .iter()
            .filter(|record| {
                let known = other.records.binary_search_by_key(&starts(record), starts);
                known.is_ok()
            })
            .count();
        2 * shared > self.records.len()
    }
}

/// The lists of a template that a page has, each with the number of its rule. A list whose records
/// are those of one before it is not given twice.
pub(crate) fn find_all<'r>(
    finders: &'r [Finder],
    text: &Text,
    tree: &Tree<'_>,
    memory: &mut TagMemory,
) -> Vec<(usize, List<'r>)> {
    let mut lists: Vec<(usize, List<'r>)> = Vec::new();
    for (number, finder) in finders.iter().enumerate() {
        let Some(list) = finder.find(text, tree, memory) else {
            continue;
        };
        if !lists.iter().any(|(_, known)| list.repeats(known)) {
            lists.push((number, list));
        }
    }
    lists
}

/// The lists of a page that is looked at alone, the one that is most likely meant first.
pub(crate) fn find_alone(regions: Regions, tree: &Tree<'_>) -> Vec<List<'static>> {
    List::named(regions.find_in(tree))
}

/// The place of each column in the order of names.
fn ranks(columns: &[Column]) -> Arc<[usize]> {
    let mut by_name: Vec<usize> = (0..columns.len()).collect();
    by_name.sort_by_key(|&column| &columns[column].name);
    let mut ranks = vec![0; columns.len()];
    for (rank, column) in by_name.into_iter().enumerate() {
        ranks[column] = rank;
    }
    ranks.into()
}

/// A rule made ready for many pages. It gives what the rule knows; only the rows of plain tables have
/// further columns.
pub(crate) struct Finder {
    list: ListRule,
    regions: Option<RegionFinder>,
    ranks: Arc<[usize]>,
}

impl Finder {
    pub fn new(list: &ListRule) -> Self {
        let columns = list.rule.columns().unwrap_or_default();
        let regions = match &list.rule {
            RecordRule::Regions(rule) => Some(RegionFinder::new(rule)),
            RecordRule::Iepad(_) | RecordRule::Delimiters(_) => None,
        };
        Finder {
            ranks: ranks(columns),
            list: list.clone(),
            regions,
        }
    }

    /// What a page has of the list, if anything.
    pub fn find(&self, text: &Text, tree: &Tree<'_>, memory: &mut TagMemory) -> Option<List<'_>> {
        match &self.list.rule {
            RecordRule::Regions(rule) => self.by_regions(rule, tree, memory),
            RecordRule::Iepad(rule) => rule
                .find(text)
                .map(|found| self.named(Pattern::from(found))),
            RecordRule::Delimiters(rule) => {
                delimited(rule, text.as_str()).map(|pattern| self.named(pattern))
            }
        }
    }

    /// The records of a page as nodes.
    pub(super) fn rows_of(rule: &RegionRule, tree: &Tree<'_>) -> Vec<Rows> {
        let mut memory = TagMemory::default();
        let mut page = Page {
            tree,
            memory: &mut memory,
        };
        RegionFinder::new(rule).rows(&mut page)
    }

    /// What a paper's method finds, under the name of the list.
    fn named(&self, pattern: Pattern) -> List<'_> {
        List {
            name: Cow::Borrowed(&self.list.name),
            ..List::from(pattern)
        }
    }

    fn by_regions<'r>(
        &'r self,
        rule: &'r RegionRule,
        tree: &Tree<'_>,
        memory: &mut TagMemory,
    ) -> Option<List<'r>> {
        if rule.table
            && let Some(list) = self.by_grid(rule, tree)
        {
            return Some(list);
        }
        let regions = self.regions.as_ref()?;
        let mut page = Page { tree, memory };
        let rows = regions.rows(&mut page);
        let records = regions.read(page, &rows);
        (!records.is_empty()).then(|| List {
            measures: measures(tree, &rows, &records),
            records,
            ranks: self.ranks.clone(),
            ..self.empty(rule)
        })
    }

    /// The rows of a plain table in the place of the rule.
    fn by_grid<'r>(&'r self, rule: &'r RegionRule, tree: &Tree<'_>) -> Option<List<'r>> {
        let is_here = |node: NodeId| {
            if rule.places.is_empty() {
                is_on_path(tree, node, &rule.path)
            } else {
                rule.places.contains(&place(tree, node))
            }
        };
        let seen = Seen::new(tree);
        let (turns, headers) = (turns(tree, &seen), header_rows(tree, &seen));
        let grid = plain_tables(tree, &seen, &turns, &headers)
            .into_iter()
            .filter(|grid| grid.rows.first().is_some_and(|row| is_here(row.element)))
            .nth(rule.nth)?;
        let (found, mut records) = grid.aligned(tree, &seen);
        let mut columns = rule.columns.clone();
        let mut numbers = Vec::new();
        for column in found {
            let known = columns
                .iter()
                .position(|known| known.name == column.name && known.attribute == column.attribute);
            numbers.push(known.unwrap_or(columns.len()));
            if known.is_none() {
                columns.push(column);
            }
        }
        for record in &mut records {
            for field in &mut record.fields {
                field.column = numbers[field.column];
            }
        }
        let nodes: Vec<Rows> = grid
            .rows
            .iter()
            .map(|row| rows(tree, row.element, row.element))
            .collect();
        Some(List {
            measures: measures(tree, &nodes, &records),
            records,
            ranks: ranks(&columns),
            columns: Cow::Owned(columns),
            ..self.empty(rule)
        })
    }

    /// The list without records.
    fn empty<'r>(&'r self, rule: &'r RegionRule) -> List<'r> {
        List {
            name: Cow::Borrowed(&self.list.name),
            place: Cow::Borrowed(&self.list.place),
            pattern: Cow::Borrowed(&self.list.pattern),
            measures: Measures::new(&[], 0.0, 0, 0),
            columns: Cow::Borrowed(&rule.columns),
            records: Vec::new(),
            ranks: self.ranks.clone(),
        }
    }
}

fn delimited(rule: &lr::Rule, page: &str) -> Option<Pattern> {
    let records = lr::apply::Finder::new(std::slice::from_ref(rule))
        .apply_alone(page)
        .into_items();
    (!records.is_empty()).then(|| Pattern::delimited(page, rule.clone(), &records))
}

/// A rule by regions made ready.
struct RegionFinder {
    rule: RegionRule,
    record: Model,
    rows: Vec<Model>,
    ways: Ways,
}

/// A record in the making: its nodes, and the tags of its first element.
struct Draft {
    rows: Rows,
    shape: ShapeId,
}

/// A page, and what is known of tags.
struct Page<'t, 'p> {
    tree: &'t Tree<'p>,
    memory: &'t mut TagMemory,
}

impl RegionFinder {
    fn new(rule: &RegionRule) -> Self {
        RegionFinder {
            rule: rule.clone(),
            record: Model::new(&rule.record),
            rows: rule.rows.iter().map(Model::new).collect(),
            ways: Ways::new(rule),
        }
    }

    /// The records of a page as nodes, in its order.
    fn rows(&self, page: &mut Page<'_, '_>) -> Vec<Rows> {
        let anchors = self.anchors(page);
        let mut drafts = self.drafts(page, anchors);
        drafts.retain(|draft| has_text(page.tree, &draft.rows));
        drop_strangers(&mut drafts, page.memory);
        if self.rule.least_names > 0 {
            drafts.retain(|draft| {
                self.rule.shared_names(page.tree, &draft.rows) >= self.rule.least_names
            });
        }
        let mut records: Vec<Rows> = drafts.into_iter().map(|draft| draft.rows).collect();
        end_where_the_next_begins(&mut records);
        records.retain(|rows| has_text(page.tree, rows));
        self.adopt_lone(page, &mut records);
        records
    }

    /// Reads the values of records.
    fn read(&self, page: Page<'_, '_>, records: &[Rows]) -> Vec<Record> {
        let tree = page.tree;
        let mut reader = Reader {
            page,
            ways: &self.ways,
            way: String::new(),
            is_taken: false,
            fields: Vec::new(),
            times: Vec::new(),
        };
        let mut found: Vec<Record> = records.iter().map(|rows| reader.read(rows)).collect();
        let columns = &self.rule.columns;
        if let Some(number) = columns.iter().position(is_of_headings) {
            headings::read(tree, records, number, &columns[number], &mut found);
        }
        found
    }

    /// Leaves the elements in the places of the rule, if it names any.
    fn keep_in_places(&self, tree: &Tree<'_>, alike: &mut Vec<Alike>) {
        if self.rule.places.is_empty() {
            return;
        }
        alike.retain(|alike| self.rule.places.contains(&place(tree, alike.node)));
    }

    /// The elements that records begin with: those on the path that look right; failing those, the
    /// likest elsewhere.
    fn anchors(&self, page: &mut Page<'_, '_>) -> Vec<Alike> {
        let tree = page.tree;
        let on_path = at_path(tree, &self.rule.path, &self.rule.record.name);
        let mut alike = self.record.all_alike(page, on_path.into_iter());
        self.keep_in_places(tree, &mut alike);
        if alike.is_empty() {
            let named = tree
                .nodes()
                .filter(|&node| tree.name(node) == self.rule.record.name);
            alike = likest(tree, self.record.all_alike(page, named));
        }
        let mut found: RapidHashSet<usize> = alike.iter().map(|alike| alike.node.index()).collect();
        let deeper = self.deeper(page, &alike);
        alike.extend(
            deeper
                .into_iter()
                .filter(|alike| found.insert(alike.node.index())),
        );
        alike.sort_unstable_by_key(|alike| alike.node);
        self.drop_further_rows(page, &mut alike);
        alike
    }

    /// Drops header rows, and elements that look more like a further row of a record than like its
    /// beginning.
    fn drop_further_rows(&self, page: &mut Page<'_, '_>, alike: &mut Vec<Alike>) {
        if self.rule.record.name == "tr" {
            let seen = Seen::new(page.tree);
            let headers = header_rows(page.tree, &seen);
            if !alike.iter().all(|alike| headers.contains(&alike.node)) {
                alike.retain(|alike| !headers.contains(&alike.node));
            }
            if !self.rows.is_empty() {
                let turns = turns(page.tree, &seen);
                alike.retain(|alike| turns.get(&alike.node).is_none_or(|turn| *turn == 0));
            }
        }
        for row in &self.rows {
            let as_rows = row.all_alike(page, alike.iter().map(|alike| alike.node));
            let as_rows: RapidHashMap<NodeId, f64> = as_rows
                .into_iter()
                .map(|alike| (alike.node, alike.likeness))
                .collect();
            alike.retain(|alike| {
                as_rows
                    .get(&alike.node)
                    .is_none_or(|as_row| *as_row <= alike.likeness)
            });
        }
    }

    /// Records deeper than others, inside them or in wrappers beside them: answers in or to a
    /// comment. They have a class in common, or all lists in lists would be such.
    fn deeper(&self, page: &mut Page<'_, '_>, records: &[Alike]) -> Vec<Alike> {
        let (tree, classes) = (page.tree, &self.rule.record.classes);
        let mut around: Vec<NodeId> = records
            .iter()
            .filter_map(|record| tree.parent(record.node))
            .collect();
        around.sort_unstable();
        around.dedup();
        if classes.is_empty() {
            return Vec::new();
        }
        // A parent that stands in another is seen with it.
        let mut seen_to = 0;
        around.retain(|&parent| {
            let is_new = parent.index() >= seen_to;
            seen_to = seen_to.max(tree.subtree_end(parent));
            is_new
        });
        let inside = around
            .into_iter()
            .flat_map(|parent| tree.subtree(parent).skip(1));
        let named = inside.filter(|&node| tree.name(node) == self.rule.record.name);
        let alike: Vec<NodeId> = named
            .filter(|&node| tree.classes(node).any(|class| classes.contains(class)))
            .collect();
        let mut deeper = self.record.all_alike(page, alike.into_iter());
        self.keep_in_places(tree, &mut deeper);
        deeper
    }

    fn drafts(&self, page: &mut Page<'_, '_>, anchors: Vec<Alike>) -> Vec<Draft> {
        let tree = page.tree;
        if self.rows.is_empty() {
            let draft = |alike: Alike| Draft {
                rows: rows(tree, alike.node, alike.node),
                shape: alike.shape,
            };
            return anchors.into_iter().map(draft).collect();
        }
        let nodes: Vec<NodeId> = anchors.iter().map(|alike| alike.node).collect();
        let segments = segments(tree, &nodes);
        let siblings = || segments.iter().flatten().copied();
        let rows = self
            .rows
            .iter()
            .flat_map(|row| row.all_alike(page, siblings()));
        let rows: RapidHashSet<usize> = rows.map(|alike| alike.node.index()).collect();
        let is_row = |node: NodeId| rows.contains(&node.index());
        let found =
            rows_from(tree, &segments, is_row, |rows| has_text(tree, rows)).unwrap_or_default();
        let shapes: RapidHashMap<usize, ShapeId> = anchors
            .iter()
            .map(|alike| (alike.node.index(), alike.shape))
            .collect();
        found
            .into_iter()
            .filter_map(|rows| {
                Some(Draft {
                    shape: *shapes.get(&rows.start)?,
                    rows,
                })
            })
            .collect()
    }

    /// Whether an element has the class names of records, in whatever elements.
    fn has_names(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        let rows = rows(tree, node, node);
        if !self.rule.names.is_empty() {
            return has_common_names(self.rule.shared_names(tree, &rows), self.rule.names.len());
        }
        // A rule of an earlier version has only the names that are part of looks.
        let known = &self.record.names;
        let found = names_in(tree, &rows);
        let shared = found.iter().filter(|name| known.contains(**name)).count();
        has_common_names(shared, known.len())
    }

    /// Takes in records that stood in places of their own where the rule was learned.
    fn adopt_lone(&self, page: &mut Page<'_, '_>, records: &mut Vec<Rows>) {
        let tree = page.tree;
        for Lone { path, name } in &self.rule.lone {
            // The wrapper around all records looks like one, too.
            let free: Vec<NodeId> = at_path(tree, path, name)
                .into_iter()
                .filter(|&node| free_place(records, &rows(tree, node, node)).is_some())
                .filter(|&node| {
                    self.record.is_like_inside(tree, node) || self.has_names(tree, node)
                })
                .collect();
            let [node] = free[..] else {
                continue;
            };
            let lone = rows(tree, node, node);
            let Some(at) = free_place(records, &lone) else {
                continue;
            };
            if has_text(tree, &lone) {
                records.insert(at, lone);
            }
        }
    }
}

impl RegionRule {
    /// How many of the class names that most records have are in some nodes.
    pub(super) fn shared_names(&self, tree: &Tree<'_>, rows: &Rows) -> usize {
        let found = names_in(tree, rows);
        found
            .iter()
            .filter(|name| self.names.contains(**name))
            .count()
    }
}

/// The number that a record would get among others; none if it overlaps one of them.
fn free_place(records: &[Rows], new: &Rows) -> Option<usize> {
    let at = records.partition_point(|record| record.start < new.start);
    let follows = at == 0 || records[at - 1].end <= new.start;
    let precedes = records.get(at).is_none_or(|next| new.end <= next.start);
    (follows && precedes).then_some(at)
}

/// Drops records that have next to nothing of what most have.
fn drop_strangers(drafts: &mut Vec<Draft>, memory: &TagMemory) {
    let mut shapes: Vec<ShapeId> = drafts.iter().map(|draft| draft.shape).collect();
    shapes.sort_unstable();
    let kinds: Vec<(ShapeId, usize)> = shapes
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len()))
        .collect();
    let is_stranger = strangers(
        kinds
            .iter()
            .map(|&(shape, count)| (memory.features(shape), count)),
    );
    let place = |shape: ShapeId| kinds.binary_search_by_key(&shape, |kind| kind.0);
    drafts.retain(|draft| place(draft.shape).is_ok_and(|at| !is_stranger[at]));
}

/// Whether the elements around a node have these names, the outermost first.
fn is_on_path(tree: &Tree<'_>, node: NodeId, path: &[String]) -> bool {
    let around = tree.ancestors(node).map(|around| tree.name(around));
    around.eq(path.iter().rev().map(String::as_str))
}

/// The elements of a name on a path of names from the top.
fn at_path(tree: &Tree<'_>, path: &[String], name: &str) -> Vec<NodeId> {
    let mut level: Vec<NodeId> = tree.top().collect();
    for step in path {
        level.retain(|&node| tree.name(node) == step);
        level = level
            .into_iter()
            .flat_map(|node| tree.children(node))
            .collect();
    }
    level.retain(|&node| tree.name(node) == name);
    level
}

/// An element that looks right.
struct Alike {
    node: NodeId,
    likeness: f64,
    shape: ShapeId,
}

/// Those on the same path as the likest, the first of equals.
fn likest(tree: &Tree<'_>, mut alike: Vec<Alike>) -> Vec<Alike> {
    let best = alike
        .iter()
        .rev()
        .max_by(|a, b| a.likeness.total_cmp(&b.likeness))
        .map(|best| best.node);
    let path = |node| tree.ancestors(node).map(|around| tree.name_code(around));
    alike.retain(|alike| best.is_some_and(|best| path(alike.node).eq(path(best))));
    alike
}

/// Whether a reader sees any letter in some nodes.
fn has_text(tree: &Tree<'_>, rows: &Rows) -> bool {
    let mut next = rows.start;
    while let Some(node) = tree.nodes_in(next..rows.end).next() {
        let text = || tree.span(node).of(tree.page());
        if !tree.is_element(node) && text().contains(char::is_alphanumeric) {
            return true;
        }
        next += if is_hidden_in_lists(tree.name(node)) {
            tree.subtree(node).len()
        } else {
            1
        };
    }
    false
}

/// The looks of records, with hashes for their words.
struct Model {
    looks: Looks,
    inside: RapidHashSet<u64>,
    with_class: RapidHashSet<u64>,
    /// The class names inside.
    names: BTreeSet<String>,
}

impl Model {
    fn new(looks: &Looks) -> Self {
        let hashes = |features: &mut dyn Iterator<Item = &String>| {
            features.map(|feature| hash(feature)).collect()
        };
        Model {
            looks: looks.clone(),
            inside: hashes(&mut looks.inside.iter()),
            with_class: hashes(&mut looks.inside.iter().filter(|feature| has_class(feature))),
            names: looks
                .inside
                .iter()
                .filter_map(|feature| Some(feature.split_once('.')?.1.to_owned()))
                .collect(),
        }
    }

    /// Those of some elements that look right. Elements with the same tags are judged once.
    fn all_alike(
        &self,
        page: &mut Page<'_, '_>,
        nodes: impl Iterator<Item = NodeId>,
    ) -> Vec<Alike> {
        let mut known: RapidHashMap<ShapeId, Option<f64>> = RapidHashMap::default();
        let tree = page.tree;
        let alike = |node: NodeId| {
            let shape = page.memory.shape_id(tree, node);
            let likeness = known
                .entry(shape)
                .or_insert_with(|| self.likeness(tree, node, page.memory.features(shape)));
            likeness.map(|likeness| Alike {
                node,
                likeness,
                shape,
            })
        };
        nodes
            .filter(|&node| tree.name(node) == self.looks.name)
            .filter_map(alike)
            .collect()
    }

    fn likeness(&self, tree: &Tree<'_>, node: NodeId, features: &RapidHashSet<u64>) -> Option<f64> {
        let shared = features
            .iter()
            .filter(|feature| self.inside.contains(feature))
            .count();
        self.looks.likeness_to(tree, node, shared, features.len())
    }

    /// Whether an element of any name looks like a record inside.
    fn is_like_inside(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        let mut parts = RapidHashSet::default();
        Features::default().visit(tree, node, &mut |feature| {
            if has_class(feature) {
                parts.insert(hash(feature));
            }
            parts.len()
        });
        let shared = parts
            .iter()
            .filter(|part| self.with_class.contains(part))
            .count();
        Looks::is_like_inside(shared, self.with_class.len(), parts.len())
    }
}

fn has_class(feature: &str) -> bool {
    feature.contains('.')
}

#[inline]
fn hash(text: &str) -> u64 {
    rapidhash_v3(text.as_bytes())
}

/// The ways that lead to columns, and beginnings of them, by their hashes.
#[derive(Default)]
struct Ways {
    by_hash: RapidHashMap<u64, Way>,
    /// The step that all begin with, where records are one element each.
    record: Option<String>,
}

#[derive(Clone, Copy, Default)]
struct Way {
    /// The column at its end,
    column: Option<usize>,
    /// and whether its values are all that stands there.
    whole: bool,
    /// Whether it goes on with an element or with one of several texts,
    inward: bool,
    /// and with an attribute.
    attributes: bool,
}

impl Ways {
    fn new(rule: &RegionRule) -> Self {
        let in_record = |column: &&Column| !is_of_headings(column);
        let first = rule.columns.iter().find(in_record);
        let first = first.filter(|_| rule.rows.is_empty());
        let record = first
            .and_then(|column| column.way.split(['/', '#', '@']).next())
            .map(str::to_owned);
        let mut ways = Ways {
            record,
            ..Ways::default()
        };
        for (number, column) in rule.columns.iter().enumerate() {
            let way = column.way.as_str();
            let end = ways.entry(way);
            end.column.get_or_insert(number);
            end.whole |= column.whole;
            // A class may hold such a mark too; then there is a beginning more that no element has.
            for (at, mark) in way.match_indices(['/', '#', '@']) {
                let beginning = ways.entry(&way[..at]);
                beginning.attributes |= mark == "@";
                beginning.inward |= mark != "@";
            }
        }
        ways
    }

    fn entry(&mut self, way: &str) -> &mut Way {
        self.by_hash.entry(hash(way)).or_default()
    }

    fn get(&self, way: &str) -> Option<Way> {
        self.by_hash.get(&hash(way)).copied()
    }

    /// The column at the end of a way.
    fn column(&self, way: &str) -> Option<usize> {
        self.get(way)?.column
    }
}

/// Reads the values of records.
struct Reader<'t, 'p> {
    page: Page<'t, 'p>,
    ways: &'t Ways,
    /// The way to where it stands.
    way: String,
    /// Whether the text there was taken already, with all around it.
    is_taken: bool,
    fields: Vec<Field>,
    /// The names of the children of each element around, with how many there were.
    times: Vec<(Option<u32>, usize)>,
}

/// Like-named children of one element are numbered for so many names.
const NUMBERED_NAMES: usize = 32;

impl Reader<'_, '_> {
    fn read(&mut self, rows: &Rows) -> Record {
        let tree = self.page.tree;
        let span = span(tree, rows);
        let mut next = rows.start;
        while let Some(node) = tree.nodes_in(next..rows.end).next() {
            next = node.index() + tree.subtree(node).len();
            self.way.clear();
            let position = number(&mut self.times, 0, tree.name_code(node));
            if tree.is_element(node) {
                if !self.enter_by_any_name(node, position, rows) {
                    self.enter_as_record(node, rows);
                }
            } else {
                self.text(node, position);
            }
        }
        self.times.clear();
        let inside = |field: &Field| {
            let cut = Span {
                start: field.span.start,
                end: field.span.end.min(span.end),
            };
            (cut.start < cut.end).then_some(Field {
                span: cut,
                ..*field
            })
        };
        Record {
            span,
            fields: self
                .fields
                .drain(..)
                .filter_map(|field| inside(&field))
                .collect(),
        }
    }

    /// Goes into a record that is called otherwise: its class varies, or it stood in a place of its
    /// own.
    fn enter_as_record(&mut self, node: NodeId, rows: &Rows) {
        if let Some(step) = &self.ways.record {
            self.way.clone_from(step);
            self.enter(node, rows);
        }
    }

    /// Takes a value if the way leads to a column.
    fn push(&mut self, span: Span) {
        self.push_to(self.ways.column(&self.way), span);
    }

    fn push_to(&mut self, column: Option<usize>, span: Span) {
        self.fields
            .extend(column.map(|column| Field { column, span }));
    }

    /// Goes into an element if the way to it begins the way to a column.
    fn enter(&mut self, node: NodeId, rows: &Rows) -> bool {
        let Some(way) = self.ways.get(&self.way) else {
            return false;
        };
        if way.attributes {
            self.attributes(node);
        }
        if way.whole || !way.inward {
            self.push_to(way.column, self.inside(node, rows));
        }
        if way.inward {
            let outer = self.is_taken;
            self.is_taken |= way.whole;
            self.children(node, rows);
            self.is_taken = outer;
        }
        true
    }

    fn attributes(&mut self, node: NodeId) {
        let page = self.page.tree.page();
        let here = self.way.len();
        for attribute in self.page.tree.attributes(node) {
            let name = ATTRIBUTES
                .iter()
                .find(|name| name.eq_ignore_ascii_case(attribute.name.of(page)));
            if let (Some(name), Some(value)) = (name, attribute.value)
                && !value.is_empty()
            {
                self.way.push('@');
                self.way.push_str(name);
                self.push(value);
                self.way.truncate(here);
            }
        }
    }

    /// All that stands in an element, whatever its markup.
    fn inside(&self, node: NodeId, rows: &Rows) -> Span {
        let children = self
            .page
            .tree
            .children(node)
            .filter(|child| child.index() < rows.end);
        children
            .map(|child| self.page.tree.span(child))
            .reduce(Span::to)
            .unwrap_or_default()
    }

    fn children(&mut self, node: NodeId, rows: &Rows) {
        let tree = self.page.tree;
        let (here, outer) = (self.way.len(), self.times.len());
        for child in tree.children(node).filter(|child| child.index() < rows.end) {
            let position = number(&mut self.times, outer, tree.name_code(child));
            if tree.is_element(child) {
                self.way.push('/');
                self.enter_by_any_name(child, position, rows);
            } else if !self.is_taken {
                self.text(child, position);
            }
            self.way.truncate(here);
        }
        self.times.truncate(outer);
    }

    /// Goes on by the position of an element, by its class, or by its name alone, whichever leads
    /// to a column.
    fn enter_by_any_name(&mut self, node: NodeId, position: usize, rows: &Rows) -> bool {
        let here = self.way.len();
        if position <= MAX_ARITY {
            write_position(&mut self.way, self.page.tree.name(node), position);
            if self.enter(node, rows) {
                return true;
            }
            self.way.truncate(here);
        }
        self.page
            .memory
            .write_step(&mut self.way, self.page.tree, node);
        if self.enter(node, rows) {
            return true;
        }
        self.way.truncate(here);
        self.way.push_str(self.page.tree.name(node));
        self.way.push_str(ANY_CLASS);
        self.enter(node, rows)
    }

    /// One of several texts goes by the label in front of it if the rule knows the label, else by
    /// its position.
    fn text(&mut self, text: NodeId, position: usize) {
        let span = self.page.tree.span(text);
        let here = self.way.len();
        if let Some(label) = label(span.of(self.page.tree.page())) {
            self.way.push('#');
            self.way.push_str(label);
            let column = self.ways.column(&self.way);
            if column.is_some() {
                return self.push_to(column, span);
            }
            self.way.truncate(here);
        }
        if position > 1 {
            self.way.push_str(&format!("#{position}"));
        }
        self.push(span);
    }
}

/// The number of the next child of a name, from 1, where the children of outer elements come first.
fn number(times: &mut Vec<(Option<u32>, usize)>, outer: usize, name: Option<u32>) -> usize {
    if let Some((_, times)) = times[outer..].iter_mut().find(|(known, _)| *known == name) {
        *times += 1;
        return *times;
    }
    if times.len() - outer == NUMBERED_NAMES {
        return usize::MAX;
    }
    times.push((name, 1));
    1
}
