//! What do lists say of the pages that they link to, and the pages of themselves?
//!
//! A row of a list has a few values and a link; the page behind the link has the rest. Joined, they
//! are one row: the values of the record as columns `list.*`, then those of the page.
//!
//! ```
//! use unmold::{Mold, Page, Text, join::{Joiner, PageRows}, report::rows::Columns};
//!
//! let item = |at: usize, weight: usize| Page::new(format!("{at}"), format!(
//!     "<h1>Lamp {at}</h1><p class=w>Weight: <b>{weight} g</b><p class=c>Colour: <b>{}</b>", ["red", "blue", "black", "green"][at % 4]).into_bytes())
//!     .with_url(format!("https://shop.example/lamp/{at}"));
//! let items: String = (1..=12).map(|at| format!("<li class=i><a href=/lamp/{at}#top>Lamp {at}</a> <i>{at}0 €</i> <b>in stock: {at}</b>")).collect();
//! let list = Page::new("list", format!("<h1>All lamps</h1><ul>{items}</ul>").into_bytes()).with_url("https://shop.example/");
//! let mut pages: Vec<Text> = (1..=11).map(|at| Text::decode(item(at, 37 * at))).collect();
//! pages.push(Text::decode(list));
//!
//! let mold = Mold::learn(&pages)?;
//! let reader = mold.reader();
//! let columns = Columns::of(&mold);
//! let mut joiner = Joiner::new(&columns);
//! for page in &pages {
//!     joiner.add(PageRows::of(&reader.read(page)?, &columns));
//! }
//! let joined = joiner.finish();
//! assert_eq!((joined.table.rows.len(), joined.found), (12, 11));
//! assert_eq!(joined.absent, ["https://shop.example/lamp/12#top"]);
//! assert!(joined.unlinked.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - *Which lists?* Those whose links lead to pages that are there, most of them to a page of their own,
//!   and to pages without that list: the entries of a menu lead from every page to the same ones, and the
//!   numbers below a list to more of it. A list that leads only where those before it lead repeats them.
//! - *Which link?* Records have several (the item, its maker, its comments). It is the column that leads
//!   to most different pages.
//! - *Which page?* The one that was fetched from the URL or, failing that, the only one that calls itself
//!   so (`rel=canonical`). Fragments and `http` or `https` make no difference. Pages without a URL, from a
//!   folder, are found by their names.
//!
//! Cost: linear in pages and records, which are held until the end.

mod address;

use self::address::Address;
use crate::{
    Extraction,
    report::{
        records::RecordTable,
        rows::Columns,
        table::{Cell, Column, Table},
    },
};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::collections::BTreeSet;

/// The columns before those of records: the list, its page, and the number of the record there.
const OWN: [&str; 3] = ["list", "list.page", "list.record"];
/// How many columns of a list's table say which record a row is: page, URL, record.
const RECORD: usize = 3;

/// What is held of a page until all are there.
#[derive(Debug)]
pub struct PageRows {
    id: String,
    address: Address,
    /// What the page calls itself.
    canonical: Option<Address>,
    group: Option<usize>,
    row: Vec<Cell>,
    lists: Vec<(String, RecordTable)>,
}

impl PageRows {
    /// What a page says of itself, in these columns, and what it lists.
    pub fn of(found: &Extraction<'_>, columns: &Columns) -> Self {
        let page = found.page();
        let address = Address::of_page(page.id(), page.url());
        let canonical = found.about().canonical.as_deref();
        let lists = found.lists().map(|found| {
            let mut table = RecordTable::default();
            table.add(page, &found.list.columns, &found.list.records);
            (found.name.to_owned(), table)
        });
        PageRows {
            id: page.id().to_owned(),
            canonical: canonical.and_then(|link| address.link(link)),
            address,
            group: found.group(),
            row: columns.row(found),
            lists: lists.collect(),
        }
    }
}

/// Joins the records of lists with the pages that they link to.
pub struct Joiner {
    columns: Vec<Column>,
    pages: Vec<KnownPage>,
    /// The records of each list of each template, in the order in which they were first met.
    lists: Vec<(String, RecordTable)>,
    numbers: RapidHashMap<(Option<usize>, String), usize>,
}

struct KnownPage {
    id: String,
    address: Address,
    canonical: Option<Address>,
    row: Vec<Cell>,
    /// The lists that it has, by number.
    lists: Vec<usize>,
}

/// The joined rows, and what could not be joined.
#[derive(Debug)]
pub struct Joined {
    /// A row for each record of the lists: columns `list.*`, then those of the page.
    pub table: Table,
    /// How many records have their page.
    pub found: usize,
    /// Where records lead to a page that is not there.
    pub absent: Vec<String>,
    /// The pages that no record leads to and that have no list of these.
    pub unlinked: Vec<String>,
}

impl Joiner {
    /// Joins pages with rows in these columns.
    pub fn new(columns: &Columns) -> Self {
        Joiner {
            columns: columns.columns().to_vec(),
            pages: Vec::new(),
            lists: Vec::new(),
            numbers: RapidHashMap::default(),
        }
    }

    /// Adds a page; the rows come out in the order in which pages are added.
    pub fn add(&mut self, page: PageRows) {
        let mut lists = Vec::new();
        for (name, records) in page.lists {
            let key = (page.group, name.clone());
            let number = *self.numbers.entry(key).or_insert(self.lists.len());
            if number == self.lists.len() {
                self.lists.push((name, RecordTable::default()));
            }
            self.lists[number].1.join(records);
            lists.push(number);
        }
        self.pages.push(KnownPage {
            id: page.id,
            address: page.address,
            canonical: page.canonical,
            row: page.row,
            lists,
        });
    }

    /// The joined rows of all pages.
    pub fn finish(mut self) -> Joined {
        let places = self.places();
        let of_id: RapidHashMap<&str, usize> = self
            .pages
            .iter()
            .enumerate()
            .map(|(number, page)| (page.id.as_str(), number))
            .collect();
        let mut joined_lists = Vec::new();
        let mut led_to: RapidHashSet<usize> = RapidHashSet::default();
        for (number, (name, records)) in std::mem::take(&mut self.lists).into_iter().enumerate() {
            let (table, is_link) = records.finish_with_links();
            let list = Records {
                number,
                name,
                table,
            };
            let links = (RECORD..is_link.len()).filter(|&column| is_link[column]);
            let ways: Vec<Way> = links
                .map(|column| list.way(column, &self.pages, &of_id, &places))
                .filter(Way::is_to_items)
                .collect();
            // Of equals, the first.
            let way = ways.into_iter().rev().max_by_key(|way| way.pages.len());
            // What leads only where better lists lead is made of the same records.
            if let Some(way) = way.filter(|way| !way.pages.is_subset(&led_to)) {
                led_to.extend(&way.pages);
                joined_lists.push((list, way));
            }
        }
        self.rows(&joined_lists)
    }

    /// Which page each address leads to. Where a page was fetched from counts more than what pages call
    /// themselves; what several call themselves leads nowhere.
    fn places(&self) -> RapidHashMap<Address, usize> {
        let mut called: RapidHashMap<&Address, Option<usize>> = RapidHashMap::default();
        for (number, page) in self.pages.iter().enumerate() {
            let Some(canonical) = &page.canonical else {
                continue;
            };
            called
                .entry(canonical)
                .and_modify(|known| *known = None)
                .or_insert(Some(number));
        }
        let mut places: RapidHashMap<Address, usize> = called
            .into_iter()
            .filter_map(|(address, number)| Some((address.clone(), number?)))
            .collect();
        for (number, page) in self.pages.iter().enumerate().rev() {
            places.insert(page.address.clone(), number);
        }
        places
    }

    fn rows(self, lists: &[(Records, Way)]) -> Joined {
        let mut columns: Vec<Column> = OWN.iter().map(|name| Column::text(*name)).collect();
        let mut names: RapidHashSet<String> = OWN.iter().map(|name| (*name).to_owned()).collect();
        // Lists of one column name share the column.
        let mut of_lists: Vec<(String, usize)> = Vec::new();
        for (list, _) in lists {
            for column in &list.table.columns[RECORD..] {
                let name = format!("list.{}", column.name);
                if !of_lists.iter().any(|(known, _)| *known == name) {
                    of_lists.push((name.clone(), columns.len()));
                    columns.push(Column::values(unique(&mut names, &name)));
                }
            }
        }
        let of_pages = columns.len();
        for column in &self.columns {
            let mut column = column.clone();
            column.name = unique(&mut names, &column.name);
            columns.push(column);
        }
        let mut joined = Joined {
            table: Table {
                rows: Vec::new(),
                columns,
            },
            found: 0,
            absent: Vec::new(),
            unlinked: Vec::new(),
        };
        let width = joined.table.columns.len();
        let (mut absent, mut linked) = (BTreeSet::new(), vec![false; self.pages.len()]);
        for (list, way) in lists {
            for (record, target) in list.table.rows.iter().zip(&way.targets) {
                let mut row = vec![Cell::new(); width];
                row[0].push(list.name.clone());
                row[1].clone_from(&record[0]);
                row[2].clone_from(&record[2]);
                for (cell, column) in record.iter().zip(&list.table.columns).skip(RECORD) {
                    let name = format!("list.{}", column.name);
                    let place = of_lists.iter().find(|(known, _)| *known == name);
                    if let Some((_, place)) = place {
                        row[*place].clone_from(cell);
                    }
                }
                match target {
                    Target::Page(page) => {
                        joined.found += 1;
                        linked[*page] = true;
                        row[of_pages..].clone_from_slice(&self.pages[*page].row);
                    }
                    Target::Absent(link) => {
                        absent.insert(link.clone());
                    }
                    Target::None => {}
                }
                joined.table.rows.push(row);
            }
        }
        joined.absent.extend(absent);
        let joined_numbers: RapidHashSet<usize> =
            lists.iter().map(|(list, _)| list.number).collect();
        for (page, linked) in self.pages.iter().zip(linked) {
            let has_list = page.lists.iter().any(|list| joined_numbers.contains(list));
            if !linked && !has_list {
                joined.unlinked.push(page.id.clone());
            }
        }
        joined
    }
}

/// A name that no other column has.
fn unique(names: &mut RapidHashSet<String>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !names.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

/// The records of a list.
struct Records {
    number: usize,
    name: String,
    table: Table,
}

/// Where a record leads to.
enum Target {
    Page(usize),
    /// To a page that is not there.
    Absent(String),
    None,
}

/// Where the links in a column lead to.
struct Way {
    targets: Vec<Target>,
    /// The different pages among them that are there,
    pages: RapidHashSet<usize>,
    /// and how many records lead to one.
    found: usize,
}

impl Way {
    /// Whether most records lead to a page of their own.
    fn is_to_items(&self) -> bool {
        self.pages.len() >= 2 && 2 * self.pages.len() >= self.found
    }
}

impl Records {
    /// Where the links in a column lead to, which are relative to the pages of the records.
    fn way(
        &self,
        column: usize,
        pages: &[KnownPage],
        of_id: &RapidHashMap<&str, usize>,
        places: &RapidHashMap<Address, usize>,
    ) -> Way {
        let mut way = Way {
            targets: Vec::new(),
            pages: RapidHashSet::default(),
            found: 0,
        };
        for row in &self.table.rows {
            let base = row[0].first().and_then(|id| of_id.get(id.as_str()));
            let link = row[column].first();
            let address = base
                .zip(link)
                .and_then(|(&base, link)| pages[base].address.link(link));
            let target = match (link, address) {
                (Some(link), Some(address)) => match places.get(&address) {
                    Some(&page) if pages[page].lists.contains(&self.number) => Target::None,
                    Some(&page) => Target::Page(page),
                    None => Target::Absent(link.clone()),
                },
                _ => Target::None,
            };
            if let Target::Page(page) = target {
                way.pages.insert(page);
                way.found += 1;
            }
            way.targets.push(target);
        }
        way
    }
}
