//! Which parts of records correspond to each other, and what are they called?
//!
//! Values that stand at the end of the same [way](super::ways) are a column. A text that is the same in every record
//! is no field; it names the field behind it, as does a label in front of all values of a column ("Price: 7"). Failing
//! those, the nearest class names it, or the tag.

use super::{
    Column, Field, Record,
    runs::{Outline, Rows},
    ways::{Reader, ValueOnWay, label},
};
use crate::{
    Span,
    read::{
        html::{attribute_text, visible_text},
        tree::Tree,
    },
};
use std::collections::{HashMap, HashSet};

/// Longer texts name nothing.
const MAX_NAME: usize = 40;
/// Records of more fields than this are no table any more; the first columns are kept.
const MAX_COLUMNS: usize = 200;

/// The columns of records, and the records with their fields. Columns that are known already come first.
pub(super) fn aligned(outline: &Outline<'_>, records: &[Rows], known: &[Column]) -> (Vec<Column>, Vec<Record>) {
    let mut reader = Reader::new(outline);
    let found: Vec<Vec<ValueOnWay>> = records.iter().map(|rows| reader.read(rows)).collect();
    let table = Table::new(outline.tree.page(), &found, known);
    let (columns, numbers) = table.columns(known);
    let whole = |(rows, found): (&Rows, &Vec<ValueOnWay>)| {
        let span = span(outline.tree, rows);
        Record { span, fields: found.iter().filter_map(|found| field(found, &numbers, span)).collect() }
    };
    let records = records.iter().zip(&found).map(whole).collect();
    (columns, records)
}

/// A value as a field of its record, if it is in a column.
fn field(found: &ValueOnWay, numbers: &HashMap<&str, usize>, record: Span) -> Option<Field> {
    let column = *numbers.get(found.way.as_str())?;
    let span = Span { start: found.span.start, end: found.span.end.min(record.end) };
    (span.start < span.end).then_some(Field { column, span })
}

/// The bytes of a record.
pub(super) fn span(tree: &Tree<'_>, rows: &Rows) -> Span {
    let first = tree.nodes_in(rows.clone()).next();
    let siblings = std::iter::successors(first, |node| tree.nodes_in(tree.subtree_end(*node)..rows.end).next());
    let whole = siblings.map(|node| tree.span(node)).reduce(Span::to).unwrap_or_default();
    // A record that holds others ends where the first of them begins.
    let next = tree.nodes_in(rows.end..tree.len()).next().map_or(whole.end, |node| tree.span(node).start);
    Span { start: whole.start, end: whole.end.min(next.max(whole.start)) }
}

/// All values by way.
struct Table<'p> {
    page: &'p str,
    records: usize,
    /// The ways, in the order in which they are first gone.
    ways: Vec<&'p str>,
    values: HashMap<&'p str, Values>,
    labels: HashSet<String>,
}

/// What is known of the values at the end of one way.
#[derive(Clone, Debug, Default)]
struct Values {
    attribute: Option<&'static str>,
    /// How many records have one.
    records: usize,
    first: String,
    /// Whether records have other values than the first.
    differ: bool,
    /// The label that all of them begin with.
    label: Option<String>,
    /// The way of the text before, where it is always the same.
    before: Option<String>,
}

impl Values {
    /// Takes up what one more record has.
    fn add(&mut self, value: String) {
        self.records += 1;
        if self.records == 1 {
            self.label = label(&value).map(str::to_owned);
            self.first = value;
            return;
        }
        self.differ |= self.first != value;
        if label(&value) != self.label.as_deref() {
            self.label = None;
        }
    }
}

impl<'p> Table<'p> {
    fn new(page: &'p str, found: &'p [Vec<ValueOnWay>], known: &'p [Column]) -> Self {
        let ways = known.iter().map(|column| column.way.as_str()).collect();
        let mut table = Table { page, records: found.len(), ways, values: HashMap::new(), labels: HashSet::new() };
        found.iter().for_each(|record| table.add(record));
        table.labels = table.labels();
        let known: HashSet<&str> = known.iter().map(|column| column.way.as_str()).collect();
        table.ways.extend(first_seen(found).filter(|way| !known.contains(way)));
        table
    }

    fn add(&mut self, record: &'p [ValueOnWay]) {
        let mut values: HashMap<&str, String> = HashMap::new();
        for found in record {
            let value = value(self.page, found);
            let all = values.entry(&found.way).or_default();
            all.push_str(if all.is_empty() { "" } else { " " });
            all.push_str(&value);
        }
        self.look_before(record);
        for (way, value) in values {
            self.values.entry(way).or_default().add(value);
        }
    }

    /// Notes which text stands before each, while it is always the same.
    fn look_before(&mut self, record: &'p [ValueOnWay]) {
        let mut before = None;
        for found in record {
            let is_first = !self.values.contains_key(found.way.as_str());
            let values = self.values.entry(&found.way).or_default();
            values.attribute = found.attribute;
            if found.attribute.is_none() {
                let is_same = is_first || values.before.as_deref() == before;
                values.before = before.filter(|_| is_same).map(str::to_owned);
                before = Some(found.way.as_str());
            }
        }
    }

    /// A text that is always the same, in every record or wherever the next field is.
    fn is_constant(&self, way: &str) -> bool {
        let Some(values) = self.values.get(way) else { return false };
        let is_same = !values.differ && values.records > 1;
        is_same && (values.records == self.records || self.labels.contains(way))
    }

    /// The texts that always stand right before another.
    fn labels(&self) -> HashSet<String> {
        let text = self.values.values().filter(|values| values.attribute.is_none());
        let labels = text.filter_map(|values| Some((values.before.as_ref()?, values.records)));
        let labels = labels.filter(|(before, records)| self.values[before.as_str()].records == *records);
        labels.map(|(before, _)| before.clone()).collect()
    }

    /// The columns that are fields, and their numbers by way.
    fn columns(&self, known: &[Column]) -> (Vec<Column>, HashMap<&'p str, usize>) {
        let mut columns = known.to_vec();
        let mut names: HashSet<String> = known.iter().map(|column| column.name.clone()).collect();
        let fields = self.ways.iter().skip(known.len()).filter(|way| !self.is_constant(way));
        for &way in fields.take(MAX_COLUMNS.saturating_sub(known.len())) {
            let name = unique(&mut names, self.name(way));
            let attribute = self.values[way].attribute.map(str::to_owned);
            columns.push(Column { name, way: way.to_owned(), attribute });
        }
        let ways: HashMap<&str, usize> =
            columns.iter().enumerate().map(|(at, column)| (column.way.as_str(), at)).collect();
        let numbers = self.ways.iter().filter_map(|&way| Some((way, *ways.get(way)?))).collect();
        (columns, numbers)
    }

    fn name(&self, way: &str) -> String {
        let values = &self.values[way];
        if let Some(attribute) = values.attribute {
            return format!("{} {attribute}", name_of_way(way));
        }
        let label = self.constant_before(values).or_else(|| values.label.clone().filter(|_| values.differ));
        label.unwrap_or_else(|| name_of_way(way))
    }

    /// The text right before a value, if it is the same in all records and short.
    fn constant_before(&self, values: &Values) -> Option<String> {
        let before = values.before.as_deref().filter(|way| self.is_constant(way))?;
        let text = &self.values[before].first;
        let name = text.trim_end_matches([':', '：', ' ']);
        (!name.is_empty() && name.chars().any(char::is_alphabetic) && name.chars().count() <= MAX_NAME)
            .then(|| name.to_owned())
    }
}

/// Ways in the order in which they are first gone.
fn first_seen(found: &[Vec<ValueOnWay>]) -> impl Iterator<Item = &str> {
    let mut seen = HashSet::new();
    found.iter().flatten().map(|found| found.way.as_str()).filter(move |&way| seen.insert(way))
}

fn value(page: &str, found: &ValueOnWay) -> String {
    let raw = found.span.of(page);
    if found.attribute.is_some() { attribute_text(raw) } else { visible_text(raw) }
}

/// A name that no other column has.
fn unique(names: &mut HashSet<String>, name: String) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}

/// The nearest class inside the record, or the outermost tag: `date` of `li.post/p.date/a`, `h3` of `li.post/h3/a`.
fn name_of_way(way: &str) -> String {
    let way = way.split(['@', '#']).next().unwrap_or(way);
    let mut steps: Vec<&str> = way.split('/').collect();
    if steps.len() > 1 {
        // The name of the record says nothing about its fields.
        steps.remove(0);
    }
    let class = steps.iter().rev().find_map(|step| step.split_once('.').map(|(_, class)| class));
    class.unwrap_or(steps[0]).replace(':', " ")
}
