//! Which parts of records correspond to each other, and what are they called?
//!
//! Values that stand at the end of the same [way](super::ways) are a column. A text that is the
//! same in every record is no field; it names the field behind it, as does a label in front of all
//! values of a column ("Price: 7"). In a table the header names it. Failing those, the nearest
//! class names it, or the tag. Links are there to be pressed: what they say names nothing.
//!
//! No columns are: values without a letter or digit, what another column says as well, attributes
//! that are always the same, and where buttons lead: links that say the same in every record, or
//! nothing.

use super::{
    grid::{cells_of, header_around},
    headings,
    record::{Column, Field, Record, unique},
    runs::{Outline, Rows},
    step::{ANY_CLASS, label},
    ways::{ValueOnWay, read},
};
use crate::{
    Span,
    read::{
        html::{attribute_text, visible_text},
        tree::{NodeId, Tree},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};

/// Longer texts name nothing.
const MAX_NAME: usize = 40;
/// Records of more fields than this are no table any more; the first columns are kept.
const MAX_COLUMNS: usize = 200;

/// The columns of records, and the records with their fields. Columns that are known already come
/// first.
pub(super) fn aligned(
    outline: &Outline<'_>,
    records: &[Rows],
    known: &[Column],
) -> (Vec<Column>, Vec<Record>) {
    let found = read(outline, records, known);
    let mut table = Table::new(outline.tree.page(), &found, known);
    table.headers = table.headers(outline, records, &found);
    let (columns, numbers) = table.columns(known);
    let whole = |(rows, found): (&Rows, &Vec<ValueOnWay>)| {
        let span = span(outline.tree, rows);
        Record {
            span,
            fields: found
                .iter()
                .filter_map(|found| field(found, &numbers, span))
                .collect(),
        }
    };
    let mut columns = columns;
    let mut aligned: Vec<Record> = records.iter().zip(&found).map(whole).collect();
    headings::add(
        outline.tree,
        &outline.seen,
        records,
        &mut columns,
        &mut aligned,
    );
    (columns, aligned)
}

/// A value as a field of its record, if it is in a column.
fn field(found: &ValueOnWay, numbers: &RapidHashMap<&str, usize>, record: Span) -> Option<Field> {
    let column = *numbers.get(found.way.as_str())?;
    let span = Span {
        start: found.span.start,
        end: found.span.end.min(record.end),
    };
    (span.start < span.end).then_some(Field { column, span })
}

/// The bytes of a record.
pub(super) fn span(tree: &Tree<'_>, rows: &Rows) -> Span {
    let first = tree.nodes_in(rows.clone()).next();
    let siblings = std::iter::successors(first, |node| {
        tree.nodes_in(tree.subtree_end(*node)..rows.end).next()
    });
    let whole = siblings
        .map(|node| tree.span(node))
        .reduce(Span::to)
        .unwrap_or_default();
    // A record that holds others ends where the first of them begins.
    let next = tree
        .nodes_in(rows.end..tree.len())
        .next()
        .map_or(whole.end, |node| tree.span(node).start);
    Span {
        start: whole.start,
        end: whole.end.min(next.max(whole.start)),
    }
}

/// All values by way.
struct Table<'p> {
    page: &'p str,
    records: usize,
    /// The ways, in the order in which they are first gone.
    ways: Vec<&'p str>,
    values: RapidHashMap<&'p str, Values>,
    labels: RapidHashSet<String>,
    /// What the header of a table says of the values at the end of a way.
    headers: RapidHashMap<&'p str, String>,
}

/// What is known of the values at the end of one way.
#[derive(Clone, Debug, Default)]
struct Values {
    attribute: Option<&'static str>,
    whole: bool,
    /// How many records have one.
    records: usize,
    first: String,
    /// Whether any has a letter or digit.
    says_something: bool,
    /// The same for columns with the same values in the same records.
    digest: u64,
    /// Whether records have other values than the first.
    differ: bool,
    /// The label that all of them begin with.
    label: Option<String>,
    /// The way of the text before, where it is always the same.
    before: Option<String>,
}

impl Values {
    /// Takes up what one more record has.
    fn add(&mut self, record: usize, value: String) {
        self.records += 1;
        self.says_something |= value.contains(char::is_alphanumeric);
        self.digest = rapidhash_v3(
            &[self.digest, record as u64, rapidhash_v3(value.as_bytes())]
                .map(u64::to_le_bytes)
                .concat(),
        );
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

/// What readers see in the links of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// No text, and no picture that differs.
    Nothing,
    /// The same text in every record.
    Same,
    Varied,
}

impl<'p> Table<'p> {
    fn new(page: &'p str, found: &'p [Vec<ValueOnWay>], known: &'p [Column]) -> Self {
        let ways = known.iter().map(|column| column.way.as_str()).collect();
        let mut table = Table {
            page,
            records: found.len(),
            ways,
            values: RapidHashMap::default(),
            labels: RapidHashSet::default(),
            headers: RapidHashMap::default(),
        };
        found
            .iter()
            .enumerate()
            .for_each(|(number, record)| table.add(number, record));
        table.labels = table.labels();
        let known: RapidHashSet<&str> = known.iter().map(|column| column.way.as_str()).collect();
        table
            .ways
            .extend(first_seen(found).filter(|way| !known.contains(way)));
        table
    }

    fn add(&mut self, number: usize, record: &'p [ValueOnWay]) {
        let mut values: RapidHashMap<&str, String> = RapidHashMap::default();
        for found in record {
            let value = value(self.page, found);
            let all = values.entry(&found.way).or_default();
            all.push_str(if all.is_empty() { "" } else { " " });
            all.push_str(&value);
        }
        self.look_before(record);
        for (way, value) in values {
            self.values.entry(way).or_default().add(number, value);
        }
    }

    /// Notes which text stands before each, while it is always the same.
    fn look_before(&mut self, record: &'p [ValueOnWay]) {
        let mut before = None;
        for found in record {
            let is_first = !self.values.contains_key(found.way.as_str());
            let values = self.values.entry(&found.way).or_default();
            values.attribute = found.attribute;
            values.whole |= found.whole;
            if found.attribute.is_none() {
                let is_same = is_first || values.before.as_deref() == before;
                values.before = before.filter(|_| is_same).map(str::to_owned);
                before = Some(found.way.as_str());
            }
        }
    }

    /// What the headers of tables say of the first field in each cell of a row.
    fn headers(
        &self,
        outline: &Outline<'_>,
        records: &[Rows],
        found: &'p [Vec<ValueOnWay>],
    ) -> RapidHashMap<&'p str, String> {
        let tree = outline.tree;
        let mut names: RapidHashMap<&str, String> = RapidHashMap::default();
        let mut known: RapidHashMap<Option<NodeId>, Vec<Option<String>>> = RapidHashMap::default();
        let mut named: RapidHashSet<String> = RapidHashSet::default();
        for (rows, found) in records.iter().zip(found) {
            let Some(row) = tree.nodes_in(rows.clone()).next() else {
                continue;
            };
            let header = known
                .entry(tree.parent(row))
                .or_insert_with(|| header_around(tree, &outline.headers, row));
            let cells = if header.is_empty() {
                Vec::new()
            } else {
                cells_of(tree, row)
            };
            for (cell, name) in cells.into_iter().zip(header.iter()) {
                let (Some(cell), Some(name)) = (cell, name) else {
                    continue;
                };
                let first = found
                    .iter()
                    .find(|value| is_in(tree.span(cell), value) && self.is_field(&value.way));
                if let Some(first) = first.filter(|first| !names.contains_key(first.way.as_str()))
                    && named.insert(name.clone())
                {
                    names.insert(&first.way, name.clone());
                }
            }
        }
        names
    }

    /// A text that is always the same, in every record or wherever the next field is.
    fn is_constant(&self, way: &str) -> bool {
        let Some(values) = self.values.get(way) else {
            return false;
        };
        // A number says something where it is the same, too: all posts of one day.
        let is_same =
            !values.differ && values.records > 1 && !values.first.contains(char::is_numeric);
        is_same && (values.records == self.records || self.labels.contains(way))
    }

    /// The texts that always stand right before another.
    fn labels(&self) -> RapidHashSet<String> {
        let text = self
            .values
            .values()
            .filter(|values| values.attribute.is_none());
        let labels = text.filter_map(|values| Some((values.before.as_ref()?, values.records)));
        let labels =
            labels.filter(|(before, records)| self.values[before.as_str()].records == *records);
        labels.map(|(before, _)| before.clone()).collect()
    }

    /// The columns that are fields, and their numbers by way.
    fn columns(&self, known: &[Column]) -> (Vec<Column>, RapidHashMap<&'p str, usize>) {
        let mut columns = known.to_vec();
        let mut names: RapidHashSet<String> =
            known.iter().map(|column| column.name.clone()).collect();
        let mut numbers: RapidHashMap<&str, usize> = RapidHashMap::default();
        for (at, &way) in self.ways.iter().enumerate().take(known.len()) {
            numbers.entry(way).or_insert(at);
        }
        let mut free: Vec<usize> = (0..known.len())
            .filter(|&at| !self.values.contains_key(self.ways[at]))
            .filter(|&at| !headings::is_of_headings(&known[at]))
            .collect();
        let own = self.own_ways();
        for &way in self
            .ways
            .iter()
            .skip(known.len())
            .filter(|way| own.contains(*way) && self.is_field(way))
        {
            let column = self.column(way);
            let same_name =
                |known: &Column| known.name == column.name && known.attribute == column.attribute;
            let mut of_known = |is_same: &dyn Fn(&Column) -> bool| {
                free.iter()
                    .position(|&at| is_same(&known[at]))
                    .map(|place| free.remove(place))
            };
            let place =
                of_known(&|known| column.is_in_place_of(known)).or_else(|| of_known(&same_name));
            if let Some(place) = place {
                numbers.insert(way, place);
            } else if columns.len() < MAX_COLUMNS {
                numbers.insert(way, columns.len());
                columns.push(Column {
                    name: unique(&mut names, column.name),
                    ..column
                });
            }
        }
        (columns, numbers)
    }

    fn column(&self, way: &str) -> Column {
        let Values {
            attribute, whole, ..
        } = self.values[way];
        Column {
            name: self.name(way),
            way: way.to_owned(),
            attribute: attribute.map(str::to_owned),
            whole,
        }
    }

    /// The ways whose values no other column has as well: text before attributes, then the first.
    fn own_ways(&self) -> RapidHashSet<&'p str> {
        let mut seen = RapidHashSet::default();
        let (texts, attributes): (Vec<&str>, Vec<&str>) = (self.ways.iter())
            .filter(|way| self.values.contains_key(**way))
            .partition(|way| self.values[**way].attribute.is_none());
        let ways = texts.into_iter().chain(attributes);
        ways.filter(|way| seen.insert((self.values[way].records, self.values[way].digest)))
            .collect()
    }

    fn is_field(&self, way: &str) -> bool {
        let values = &self.values[way];
        let is_idle = values.attribute.is_some() && (self.is_same(way) || self.is_button(way));
        values.says_something && !is_idle && !self.is_constant(way)
    }

    /// Whether several records have a value, and always the same.
    fn is_same(&self, way: &str) -> bool {
        self.values
            .get(way)
            .is_some_and(|values| !values.differ && values.records > 1)
    }

    /// Whether a way leads to where links go that say the same in every record, or that say and
    /// show nothing where others do: the only link of a record leads to what it is about, however
    /// it looks.
    fn is_button(&self, way: &str) -> bool {
        let Some(shown) = self.shown_in_link(way) else {
            return false;
        };
        match shown {
            Shown::Same => true,
            Shown::Nothing => self
                .ways
                .iter()
                .any(|way| self.shown_in_link(way) == Some(Shown::Varied)),
            Shown::Varied => false,
        }
    }

    /// What readers see in links, if a way leads to where they go.
    fn shown_in_link(&self, way: &str) -> Option<Shown> {
        let link = way.strip_suffix("@href")?;
        let is_inside = |way: &str| {
            way.strip_prefix(link)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '#']))
        };
        let (mut texts, mut images) = (Vec::new(), Vec::new());
        for &way in self.ways.iter().filter(|way| is_inside(way)) {
            match self.values.get(way).map(|values| values.attribute) {
                Some(None) => texts.push(way),
                Some(Some("src")) => images.push(way),
                _ => {}
            }
        }
        Some(
            match (
                texts.iter().all(|way| self.is_same(way)),
                images.iter().all(|way| self.is_same(way)),
            ) {
                (true, true) if texts.is_empty() => Shown::Nothing,
                (true, _) if !texts.is_empty() => Shown::Same,
                _ => Shown::Varied,
            },
        )
    }

    fn name(&self, way: &str) -> String {
        let values = &self.values[way];
        if let Some(attribute) = values.attribute {
            return format!("{} {attribute}", name_of_way(way));
        }
        if let Some(name) = self.headers.get(way) {
            return name.clone();
        }
        let label = values
            .label
            .clone()
            .filter(|_| values.differ && !is_pressed(way));
        let label = self.constant_before(values).or(label);
        label.unwrap_or_else(|| name_of_way(way))
    }

    /// The text right before a value, if it is the same in all records and short.
    fn constant_before(&self, values: &Values) -> Option<String> {
        let before = values
            .before
            .as_deref()
            .filter(|way| self.is_constant(way) && !is_pressed(way))?;
        let text = &self.values[before].first;
        let name = text.trim_end_matches([':', '：', ' ']);
        // A date that all records share is content.
        let is_name = name.chars().any(char::is_alphabetic) && !name.contains(char::is_numeric);
        (is_name && name.chars().count() <= MAX_NAME).then(|| name.to_owned())
    }
}

/// Whether a text stands in a cell.
fn is_in(cell: Span, value: &ValueOnWay) -> bool {
    value.attribute.is_none() && cell.start <= value.span.start && value.span.end <= cell.end
}

/// Whether a way goes through a link or a button.
fn is_pressed(way: &str) -> bool {
    way.split('/').any(|step| {
        matches!(
            step.split(['.', ':', '#', '@']).next(),
            Some("a" | "button")
        )
    })
}

/// Ways in the order in which they are first gone.
fn first_seen(found: &[Vec<ValueOnWay>]) -> impl Iterator<Item = &str> {
    let mut seen = RapidHashSet::default();
    found
        .iter()
        .flatten()
        .map(|found| found.way.as_str())
        .filter(move |&way| seen.insert(way))
}

fn value(page: &str, found: &ValueOnWay) -> String {
    let raw = found.span.of(page);
    if found.attribute.is_some() {
        attribute_text(raw)
    } else {
        visible_text(raw)
    }
}

/// The nearest class inside the record, or the outermost tag: `date` of `li.post/p.date/a`, `h3` of
/// `li.post/h3/a`.
fn name_of_way(way: &str) -> String {
    let way = way.split(['@', '#']).next().unwrap_or(way);
    let mut steps: Vec<&str> = way.split('/').collect();
    if steps.len() > 1 {
        // The name of the record says nothing about its fields.
        steps.remove(0);
    }
    let mut classes = steps.iter().rev().filter(|step| !step.ends_with(ANY_CLASS));
    let class = classes.find_map(|step| step.split_once('.').map(|(_, class)| class));
    class
        .unwrap_or(steps[0])
        .replace(':', " ")
        .replace(ANY_CLASS, "")
}
