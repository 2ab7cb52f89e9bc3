//! How are records found that are known, as fast as a page can be read?
//!
//! [`RecordRule::find`](super::RecordRule::find) sorts all elements of a page into kinds and so sees columns that the
//! rule does not have. A mold that is applied to many pages needs none of that. A `Finder` goes down the path of
//! the rule and nowhere else, asks of each element there whether it looks like a record, and inside records goes only
//! the ways that lead to a column. What it looks up are hashes of the words in the rule.
//!
//! Cost: linear in the elements on the path and in the records; where no record stands on the path, in the page.

use super::{
    Column, Field, Record, RecordRule,
    columns::span,
    rule::{Lone, RegionRule},
    runs::{Rows, end_where_the_next_begins, rows, rows_from, segments},
    shape::{Features, Looks},
    tag_memory::{ShapeId, TagMemory},
    tidy::{has_common_names, names_in, strangers},
    ways::{ANY_CLASS, ATTRIBUTES, MAX_ARITY, label, write_position},
};
use crate::{
    Span, Text,
    read::{
        html::elements::is_hidden_in_lists,
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};
use std::{borrow::Cow, sync::Arc};

/// What a page lists, as far as a rule knows it.
#[derive(Clone, Debug)]
pub struct List<'r> {
    /// The fields that records have.
    pub columns: Cow<'r, [Column]>,
    /// The records, in the order of the page; no two overlap.
    pub records: Vec<Record>,
    /// The place of each column in the order of names.
    pub(crate) ranks: Arc<[usize]>,
}

/// The place of each column in the order of names.
fn ranks(columns: &[Column]) -> Arc<[usize]> {
    let mut by_name: Vec<usize> = (0..columns.len()).collect();
    by_name.sort_by_key(|&column| &columns[column].name);
    let mut ranks = vec![0; columns.len()];
    by_name
        .into_iter()
        .enumerate()
        .for_each(|(rank, column)| ranks[column] = rank);
    ranks.into()
}

/// A rule made ready for many pages. It gives what the rule knows and looks for no other columns.
pub(crate) struct Finder {
    rule: RecordRule,
    regions: Option<RegionFinder>,
    ranks: Arc<[usize]>,
}

impl Finder {
    pub fn new(rule: &RecordRule) -> Self {
        let (regions, ranks) = match rule {
            RecordRule::Regions(rule) => (Some(RegionFinder::new(rule)), ranks(&rule.columns)),
            _ => (None, ranks(&[])),
        };
        Finder {
            rule: rule.clone(),
            regions,
            ranks,
        }
    }

    /// What a page lists, if anything.
    pub fn find(&self, text: &Text, tree: &Tree<'_>, memory: &mut TagMemory) -> Option<List<'_>> {
        let Some(regions) = &self.regions else {
            // A rule too large to be one of ours was refused when the mold was read.
            let pattern = self.rule.find_in(text, tree).ok()??;
            let ranks = ranks(&pattern.columns);
            return Some(List {
                columns: Cow::Owned(pattern.columns),
                records: pattern.records,
                ranks,
            });
        };
        let records = regions.records(tree, memory);
        let columns = Cow::Borrowed(regions.rule.columns.as_slice());
        (!records.is_empty()).then(|| List {
            columns,
            records,
            ranks: self.ranks.clone(),
        })
    }
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

    /// The records of a page, in its order.
    fn records(&self, tree: &Tree<'_>, memory: &mut TagMemory) -> Vec<Record> {
        let mut page = Page { tree, memory };
        let anchors = self.anchors(&mut page);
        let mut drafts = self.drafts(&mut page, anchors);
        drafts.retain(|draft| has_text(tree, &draft.rows));
        drop_strangers(&mut drafts, page.memory);
        let mut records: Vec<Rows> = drafts.into_iter().map(|draft| draft.rows).collect();
        end_where_the_next_begins(&mut records);
        self.adopt_lone(&mut page, &mut records);
        let mut reader = Reader {
            page,
            ways: &self.ways,
            way: String::new(),
            is_taken: false,
            fields: Vec::new(),
            times: Vec::new(),
        };
        records.iter().map(|rows| reader.read(rows)).collect()
    }

    /// The elements that records begin with: those on the path that look right; failing those, the likest elsewhere.
    fn anchors(&self, page: &mut Page<'_, '_>) -> Vec<Alike> {
        let tree = page.tree;
        let on_path = at_path(tree, &self.rule.path, &self.rule.record.name);
        let mut alike = self.record.all_alike(page, on_path.into_iter());
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
        alike
    }

    /// Records deeper than others, inside them or in wrappers beside them: answers in or to a comment. They have a class
    /// in common, or all lists in lists would be such.
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
        self.record.all_alike(page, alike.into_iter())
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

    /// Takes in records that stood in places of their own where the rule was learned.
    fn adopt_lone(&self, page: &mut Page<'_, '_>, records: &mut Vec<Rows>) {
        let tree = page.tree;
        for Lone { path, name } in &self.rule.lone {
            let is_record = |&node: &NodeId| {
                self.record.is_like_inside(tree, node) || self.record.has_names(tree, node)
            };
            let alike = at_path(tree, path, name).into_iter().filter(is_record);
            let [node] = alike.collect::<Vec<_>>()[..] else {
                continue;
            };
            let lone = rows(tree, node, node);
            let at = records.partition_point(|record| record.start < lone.start);
            let is_free = at
                .checked_sub(1)
                .is_none_or(|before| records[before].end <= lone.start)
                && records.get(at).is_none_or(|next| lone.end <= next.start);
            if is_free && has_text(tree, &lone) {
                records.insert(at, lone);
            }
        }
    }
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
    names: RapidHashSet<String>,
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

    /// Whether an element has the class names of records, in whatever elements.
    fn has_names(&self, tree: &Tree<'_>, node: NodeId) -> bool {
        let found = names_in(tree, &rows(tree, node, node));
        has_common_names(
            found
                .into_iter()
                .filter(|name| self.names.contains(*name))
                .count(),
            self.names.len(),
        )
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
        let first = rule.columns.first().filter(|_| rule.rows.is_empty());
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

    /// Goes into a record that is called otherwise: its class varies, or it stood in a place of its own.
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

    /// Goes on by the position of an element, by its class, or by its name alone, whichever leads to a column.
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

    /// One of several texts goes by the label in front of it if the rule knows the label, else by its position.
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
