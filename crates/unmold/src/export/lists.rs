//! Which selectors give the records of a list, and in each record its columns?

use super::{
    candidates::{Candidate, Place, Search},
    plan::{Dialect, Proof, SamplePage},
    select::folded,
    selector::{Selector, Take},
};
use crate::{lists::List, mold::Group, read::tree::NodeId};

/// A list with its rules.
pub(super) struct ListPlan {
    pub name: String,
    pub record: Option<Selector>,
    pub columns: Vec<ColumnPlan>,
    /// On how many pages the records are the same.
    pub proof: Proof,
}

/// A column with its rule inside a record.
pub(super) struct ColumnPlan {
    pub name: String,
    pub rule: Option<Selector>,
    /// In how many records the value is the same.
    pub proof: Proof,
}

/// The records of a page as elements, each with the value of each column.
struct Records<'p, 'a> {
    page: &'p SamplePage<'a>,
    elements: Vec<NodeId>,
    values: Vec<Vec<Option<String>>>,
}

/// Follows the name of a list that a field has, too.
const OF_FIELD_NAME: &str = " (list)";

/// Candidates are taken from so many pages, or records.
const SEEDS: usize = 3;

pub(super) fn plan(group: &Group, pages: &[&SamplePage<'_>], dialect: Dialect) -> Vec<ListPlan> {
    // Pages of several looks may have a list of one name: it is one for those who read the export.
    let mut names: Vec<&str> = Vec::new();
    for list in &group.records {
        if !names.contains(&list.name.as_str()) {
            names.push(&list.name);
        }
    }
    let mut lists = Vec::new();
    for name in names {
        let mut list = list_plan(name, pages, dialect);
        // Fields and lists stand side by side in what is exported.
        if group.fields.iter().any(|field| field.name == name) {
            list.name = format!("{name}{OF_FIELD_NAME}");
        }
        lists.push(list);
    }
    lists
}

fn list_plan(name: &str, pages: &[&SamplePage<'_>], dialect: Dialect) -> ListPlan {
    let mut columns: Vec<String> = Vec::new();
    let (mut found, mut is_whole) = (Vec::new(), true);
    for page in pages {
        let list = page
            .found
            .lists()
            .find(|list| list.name == name)
            .map(|found| found.list);
        if let Some(list) = list {
            columns = list
                .columns
                .iter()
                .map(|column| column.name.clone())
                .collect();
        }
        match records(page, list) {
            Some(records) => found.push(records),
            None => is_whole = false,
        }
    }
    let (record, equal) = if is_whole {
        record_rule(&found, dialect)
    } else {
        (None, 0)
    };
    let proof = Proof {
        pages: pages.len(),
        equal,
    };
    let record = record.filter(|_| proof.is_good());
    let of_column = |(at, name): (usize, &String)| column_plan(name, at, &found, dialect);
    let columns = if record.is_some() {
        columns.iter().enumerate().map(of_column).collect()
    } else {
        Vec::new()
    };
    ListPlan {
        name: name.to_owned(),
        record,
        columns,
        proof,
    }
}

/// The records of a page as elements; `None` if a record is no single element.
fn records<'p, 'a>(page: &'p SamplePage<'a>, list: Option<&List<'_>>) -> Option<Records<'p, 'a>> {
    let (mut elements, mut values) = (Vec::new(), Vec::new());
    for record in list.iter().flat_map(|list| &list.records) {
        elements.push(page.index.node_of(record.span)?);
        let columns = &list?.columns;
        let value = |at: usize| {
            let field = record.fields.iter().find(|field| field.column == at)?;
            Some(folded(
                &columns[at].value(field.span.of(page.index.tree.page())),
            ))
            .filter(|value| !value.is_empty())
        };
        values.push((0..columns.len()).map(value).collect());
    }
    Some(Records {
        page,
        elements,
        values,
    })
}

/// The selector of exactly the records, on most pages.
fn record_rule(found: &[Records<'_, '_>], dialect: Dialect) -> (Option<Selector>, usize) {
    let mut candidates: Vec<Candidate> = Vec::new();
    for records in found
        .iter()
        .filter(|records| !records.elements.is_empty())
        .take(SEEDS)
    {
        let search = Search {
            page: &records.page.index,
            root: None,
            prefix: "",
        };
        let seeds = records.elements.iter().take(SEEDS);
        candidates.extend(seeds.flat_map(|&node| search.candidates(&Place::Element(node))));
    }
    candidates.retain(|candidate| dialect.can_say(&candidate.selector));
    candidates.sort_by_key(|candidate| candidate.cost);
    candidates.dedup_by(|a, b| a.selector == b.selector);
    let equal = |selector: &Selector| {
        found
            .iter()
            .filter(|records| records.page.index.elements(&selector.steps) == records.elements)
            .count()
    };
    first_best(candidates, equal, found.len())
}

/// The first candidate that is right everywhere, or the one that is in most places.
fn first_best(
    candidates: Vec<Candidate>,
    equal: impl Fn(&Selector) -> usize,
    all: usize,
) -> (Option<Selector>, usize) {
    let mut best: (Option<Selector>, usize) = (None, 0);
    for candidate in candidates {
        let count = equal(&candidate.selector);
        if count > best.1 {
            best = (Some(candidate.selector), count);
        }
        if count == all {
            break;
        }
    }
    best
}

fn column_plan(name: &str, at: usize, found: &[Records<'_, '_>], dialect: Dialect) -> ColumnPlan {
    let all: Vec<(&SamplePage<'_>, NodeId, Option<&String>)> = found
        .iter()
        .flat_map(|records| {
            let rows = records.elements.iter().zip(&records.values);
            rows.map(|(&node, values)| {
                (records.page, node, values.get(at).and_then(Option::as_ref))
            })
        })
        .collect();
    let mut candidates: Vec<Candidate> = Vec::new();
    for (page, record, value) in all
        .iter()
        .filter(|(_, _, value)| value.is_some())
        .take(SEEDS)
    {
        let search = Search {
            page: &page.index,
            root: Some(*record),
            prefix: "",
        };
        let places = places(page, *record, value.map_or("", String::as_str));
        candidates.extend(places.iter().flat_map(|place| search.candidates(place)));
    }
    candidates.retain(|candidate| dialect.can_say(&candidate.selector));
    candidates.sort_by_key(|candidate| candidate.cost);
    candidates.dedup_by(|a, b| a.selector == b.selector);
    candidates.truncate(100);
    let is_right =
        |selector: &Selector,
         (page, record, value): &(&SamplePage<'_>, NodeId, Option<&String>)| {
            let given = page
                .index
                .values(selector, Some(*record))
                .into_iter()
                .next()
                .filter(|value| !value.is_empty());
            given.as_ref() == *value
        };
    let equal = |selector: &Selector| all.iter().filter(|row| is_right(selector, row)).count();
    let (rule, equal) = first_best(candidates, equal, all.len());
    let proof = Proof {
        pages: all.len(),
        equal,
    };
    ColumnPlan {
        name: name.to_owned(),
        rule: rule.filter(|_| proof.is_good()),
        proof,
    }
}

/// Where a record says something: elements whose whole text it is, texts, attributes.
fn places(page: &SamplePage<'_>, record: NodeId, value: &str) -> Vec<Place> {
    let index = &page.index;
    let mut places = Vec::new();
    for node in index.tree.subtree(record) {
        if !index.tree.is_element(node) {
            if folded(&index.says(node)) == value {
                places.push(Place::Text(node));
            }
            continue;
        }
        let whole = Selector {
            take: Take::Texts,
            ..Selector::default()
        };
        let says_it = |take: Take| {
            index.values(
                &Selector {
                    take,
                    ..whole.clone()
                },
                Some(node),
            ) == [value]
        };
        if node != record && (says_it(Take::Text) || says_it(Take::Texts)) {
            places.push(Place::Element(node));
        }
        for attribute in index.tree.attributes(node) {
            let name = attribute.name.of(index.tree.page()).to_ascii_lowercase();
            if index
                .attribute(node, &name)
                .is_some_and(|known| folded(&known) == value)
            {
                places.push(Place::Attribute(node, name));
            }
        }
    }
    places
}
