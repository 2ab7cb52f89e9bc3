//! Which links of a list lead to its items, and which one to its next page?
//!
//! A list is a page with records; a record links to the page of its item. Which of a page's lists
//! is meant, and which of the links of a record, shows on the first two pages: what is the same on
//! both is a menu, and an item has a page of its own.
//!
//! The next page is looked for in this order, without a word of any language:
//!
//! 1. a link that says so (`rel=next`);
//! 2. a row of numbers: the link whose text is one more than the number of this page, whose address
//!    is this one's but for that number;
//! 3. a link whose address is this one's but for a number that is the next: the next page, or the
//!    number of records further on;
//! 4. a link whose address is this one's but for one long value, a cursor.
//!
//! ```
//! use unmold_crawl::paging::ListPage;
//! use url::Url;
//!
//! let page = "<ul class=items><li><a href=/i/1>Tea</a> <b>3</b><li><a href=/i/2>Milk</a> <b>2</b><li><a href=/i/3>Salt</a> <b>1</b></ul>\
//!             <p><b>1</b> <a href='/list?page=2'>2</a> <a href='/list?page=3'>3</a></p>";
//! let page = ListPage::read(page, &Url::parse("http://a.example/list")?);
//! assert_eq!(page.next().unwrap().as_str(), "http://a.example/list?page=2");
//! let plan = page.plan(None, &|_| true).unwrap();
//! let items: Vec<&str> = page.items(&plan).into_iter().map(|item| item.as_str()).collect();
//! assert_eq!(items, ["http://a.example/i/1", "http://a.example/i/2", "http://a.example/i/3"]);
//! # Ok::<(), url::ParseError>(())
//! ```

use crate::{
    links::{Link, Links},
    urls::shape,
};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use unmold::{Span, Text, lists::Regions};
use url::Url;

/// Which list of a page is meant, and which links of its records lead to items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListPlan {
    /// Where the list stands.
    pub list: String,
    /// Where in a record the link stands: tags and classes, and how many links like it come before
    /// it in the record.
    pub link: (String, usize),
    /// What the addresses of items look like ([`shape`]).
    pub shape: String,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct ListPage {
    address: Url,
    links: Links,
    lists: Vec<Records>,
}

/// The records of one list of a page.
#[derive(Clone, Debug)]
struct Records {
    place: String,
    spans: Vec<Span>,
}

impl ListPage {
    /// Reads a page that lists something.
    pub fn read(page: &str, address: &Url) -> Self {
        let text = Text::from_string(address.as_str(), page.to_owned());
        let found = unmold::read::guarded(&text, |text| Regions::default().find(text));
        let mut lists = Vec::new();
        for list in found.unwrap_or_default() {
            let spans = list.records.iter().map(|record| record.span).collect();
            lists.push(Records {
                place: list.place,
                spans,
            });
        }
        ListPage {
            address: address.clone(),
            links: Links::of(page, address),
            lists,
        }
    }

    /// Which list is meant, and which links lead to items: the first list that has links to pages
    /// that may be fetched. What the second page of the list has, too, leads to no items of this
    /// one.
    pub fn plan(
        &self,
        second: Option<&ListPage>,
        may_fetch: &dyn Fn(&Url) -> bool,
    ) -> Option<ListPlan> {
        for list in &self.lists {
            if let Some((link, item)) = self.item_link(list, second, may_fetch) {
                return Some(ListPlan {
                    list: list.place.clone(),
                    link,
                    shape: shape(item),
                });
            }
        }
        None
    }

    /// The pages that the records of the list link to, in the order of the page; none if the page
    /// does not have the list.
    pub fn items(&self, plan: &ListPlan) -> Vec<&Url> {
        let mut items = Vec::new();
        let list = self.lists.iter().find(|list| list.place == plan.list);
        for record in list.map_or(&[][..], |list| &list.spans) {
            let mut links = links_in(&self.links.links, *record);
            let item = links.find(|(key, _)| *key == plan.link);
            items.extend(item.map(|(_, link)| &link.url));
        }
        if !items.is_empty() {
            return items;
        }
        // The last page may have one record, which is no list by itself. Its link is told by where
        // it stands and by what its address looks like.
        for link in &self.links.links {
            if link.place == plan.link.0 && shape(&link.url) == plan.shape {
                items.push(&link.url);
            }
        }
        items
    }

    /// Where the records' links stand that lead to a page for each, and one of these pages.
    fn item_link(
        &self,
        list: &Records,
        second: Option<&ListPage>,
        may_fetch: &dyn Fn(&Url) -> bool,
    ) -> Option<((String, usize), &Url)> {
        let elsewhere: BTreeSet<&Url> = second
            .into_iter()
            .flat_map(|page| &page.links.links)
            .map(|link| &link.url)
            .collect();
        // What each kind of link of a record leads to, and how much text it has.
        let mut kinds: BTreeMap<(String, usize), LinkKind> = BTreeMap::new();
        for record in &list.spans {
            for (key, link) in links_in(&self.links.links, *record) {
                let kind = kinds.entry(key).or_default();
                kind.first_at = kind.first_at.min(link.at);
                kind.letters += link.text.chars().count();
                let is_own = link.url != self.address && !elsewhere.contains(&link.url);
                if is_own && may_fetch(&link.url) {
                    kind.pages.insert(&link.url);
                }
            }
        }
        // Every record or nearly every one has a link to its item. Where several do, the one that
        // says most is its title, and not a button.
        let most = kinds.values().map(|kind| kind.pages.len()).max()?;
        let enough = list.spans.len().div_ceil(2).max(most - most / 5);
        let candidates = kinds
            .into_iter()
            .filter(|(_, kind)| kind.pages.len() >= enough);
        let best = candidates.max_by_key(|(_, kind)| (kind.letters, Reverse(kind.first_at)));
        best.and_then(|(key, kind)| Some((key, kind.pages.into_iter().next()?)))
    }

    /// The next page of the list.
    pub fn next(&self) -> Option<&Url> {
        let is_other = |link: &&Link| link.url != self.address;
        if let Some(next) = &self.links.next
            && *next != self.address
        {
            return Some(next);
        }
        let outside: Vec<&Link> = self
            .links
            .links
            .iter()
            .filter(is_other)
            .filter(|link| !self.is_in_record(link))
            .collect();
        self.next_in_numbers(&outside)
            .or_else(|| self.next_by_step(&outside))
            .or_else(|| self.next_by_cursor(&outside))
    }

    /// Whether a link belongs to an item. A row of page numbers can be a list itself, so only the
    /// records of the list that is most likely meant count.
    fn is_in_record(&self, link: &Link) -> bool {
        let holds = |span: &Span| (span.start..span.end).contains(&link.at);
        let first = self.lists.first();
        first.is_some_and(|list| list.spans.iter().any(holds))
    }

    /// The link of a row of numbers that follows the number of this page.
    fn next_in_numbers<'l>(&self, links: &[&'l Link]) -> Option<&'l Url> {
        let mut rows: BTreeMap<Slot, Vec<(u64, u64, &Url)>> = BTreeMap::new();
        for link in links {
            let Some(number) = number_of(&link.text) else {
                continue;
            };
            for (slot, value) in slots(&self.address, &link.url) {
                if let Ok(value) = value.parse() {
                    rows.entry(slot)
                        .or_default()
                        .push((number, value, &link.url));
                }
            }
        }
        for (slot, row) in &rows {
            let current = self.number_in(slot, row);
            let next = row.iter().find(|(number, ..)| *number == current + 1);
            if let Some((_, _, url)) = next {
                return Some(url);
            }
        }
        None
    }

    /// The number that this page has in a row of numbers: the one whose value stands in its
    /// address, or else the first.
    fn number_in(&self, slot: &Slot, row: &[(u64, u64, &Url)]) -> u64 {
        let Some(own) = slot
            .value_in(&self.address)
            .and_then(|own| own.parse::<u64>().ok())
        else {
            return 1;
        };
        // Two links tell how numbers and values go together: page=3, start=20.
        let (first, last) = (row[0], row[row.len() - 1]);
        if last.0 == first.0 || last.1 == first.1 {
            return own;
        }
        let step = last.1.abs_diff(first.1) / last.0.abs_diff(first.0).max(1);
        if step == 0 {
            return own;
        }
        let steps = own.abs_diff(first.1) / step;
        if own >= first.1 {
            first.0 + steps
        } else {
            first.0.saturating_sub(steps)
        }
    }

    /// A link whose address is the next but for one number.
    fn next_by_step<'l>(&self, links: &[&'l Link]) -> Option<&'l Url> {
        let records = self.lists.first().map_or(0, |list| list.spans.len()) as u64;
        let mut found: Vec<(u64, &Url)> = Vec::new();
        for link in links {
            for (slot, value) in slots(&self.address, &link.url) {
                let Ok(value) = value.parse::<u64>() else {
                    continue;
                };
                let own: Option<u64> = slot
                    .value_in(&self.address)
                    .and_then(|own| own.parse().ok());
                let is_next = match own {
                    Some(own) => value == own + 1 || records > 0 && value == own + records,
                    None => value == 2 || records > 1 && value == records,
                };
                if is_next {
                    found.push((value, &link.url));
                }
            }
        }
        found
            .into_iter()
            .min_by_key(|(value, _)| *value)
            .map(|(_, url)| url)
    }

    /// A link whose address is this one's but for one long value, where there is one such link
    /// after the records.
    fn next_by_cursor<'l>(&self, links: &[&'l Link]) -> Option<&'l Url> {
        let end = self.lists.first()?.spans.last()?.end;
        let mut found: BTreeSet<&Url> = BTreeSet::new();
        for link in links.iter().filter(|link| link.at >= end) {
            let is_cursor = |(slot, value): &(Slot, String)| {
                matches!(slot, Slot::Query(_)) && value.len() >= SHORTEST_CURSOR
            };
            if slots(&self.address, &link.url).iter().any(is_cursor) {
                found.insert(&link.url);
            }
        }
        if found.len() == 1 {
            found.pop_first()
        } else {
            None
        }
    }
}

/// A value in an address with at least this many characters is a place in a list, and no name of an
/// order or a filter.
const SHORTEST_CURSOR: usize = 12;

/// What the links of one kind lead to.
struct LinkKind<'l> {
    pages: BTreeSet<&'l Url>,
    letters: usize,
    first_at: u32,
}

impl Default for LinkKind<'_> {
    fn default() -> Self {
        LinkKind {
            pages: BTreeSet::new(),
            letters: 0,
            first_at: u32::MAX,
        }
    }
}

/// The links in a record, each with its kind.
fn links_in(links: &[Link], record: Span) -> impl Iterator<Item = ((String, usize), &Link)> {
    let first = links.partition_point(|link| link.at < record.start);
    let after = links.partition_point(|link| link.at < record.end);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    links[first..after.max(first)].iter().map(move |link| {
        let count = counts.entry(link.place.as_str()).or_default();
        *count += 1;
        ((link.place.clone(), *count - 1), link)
    })
}

/// Where two addresses differ that are the same otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    /// In the value of this part of the query.
    Query(String),
    /// In the number of a part of the path: what stands before it and after it.
    Path(String, String),
}

impl Slot {
    /// What stands there in an address.
    fn value_in(&self, url: &Url) -> Option<String> {
        match self {
            Slot::Query(name) => {
                let mut pairs = url.query_pairs();
                pairs
                    .find(|(own, _)| own == name)
                    .map(|(_, value)| value.into_owned())
            }
            Slot::Path(before, after) => {
                let rest = url.path().strip_prefix(before.as_str())?;
                rest.strip_suffix(after.as_str()).map(str::to_owned)
            }
        }
    }
}

/// Where another address differs from this one, if in one place only, and what stands there.
fn slots(address: &Url, other: &Url) -> Vec<(Slot, String)> {
    if address.origin() != other.origin() {
        return Vec::new();
    }
    if address.path() == other.path() {
        return query_slot(address, other).into_iter().collect();
    }
    let same_query = address.query().unwrap_or_default() == other.query().unwrap_or_default();
    if same_query {
        path_slot(address, other).into_iter().collect()
    } else {
        Vec::new()
    }
}

/// The one part of the query that another address has with another value, or has alone.
fn query_slot(address: &Url, other: &Url) -> Option<(Slot, String)> {
    let own: BTreeMap<_, _> = address.query_pairs().into_owned().collect();
    let others: BTreeMap<_, _> = other.query_pairs().into_owned().collect();
    let mut differs = others
        .iter()
        .filter(|(name, value)| own.get(*name) != Some(value));
    let (name, value) = differs.next()?;
    let has_all_others = own.keys().all(|name| others.contains_key(name));
    if differs.next().is_some() || !has_all_others {
        return None;
    }
    Some((Slot::Query(name.clone()), value.clone()))
}

/// The number in the path of another address by which it differs: in the last part that differs, or
/// in parts that come after all of this one's (`/news`, `/news/page/2`).
fn path_slot(address: &Url, other: &Url) -> Option<(Slot, String)> {
    let (own, others) = (address.path(), other.path());
    let bytes = others.as_bytes();
    let end = bytes.iter().rposition(u8::is_ascii_digit)? + 1;
    let start = bytes[..end]
        .iter()
        .rposition(|byte| !byte.is_ascii_digit())?
        + 1;
    let (before, after) = (&others[..start], &others[end..]);
    let number = others[start..end].to_owned();
    let slot = Slot::Path(before.to_owned(), after.to_owned());
    let is_numbered = slot
        .value_in(address)
        .is_some_and(|value| value.bytes().all(|byte| byte.is_ascii_digit()));
    // The first page is often the folder of the others, or a file in it.
    let folder = own.rfind('/').map_or("", |at| &own[..=at]);
    let rest = before.strip_prefix(folder)?;
    let is_below_own = before.starts_with(own.trim_end_matches('/'));
    let is_beside = !rest.contains('/') && own.len() > folder.len() && own.contains('.');
    (is_numbered || is_below_own || is_beside || own == folder && rest.matches('/').count() <= 1)
        .then_some((slot, number))
}

/// The first digits of the scripts that write numbers in their own.
const ZEROS: [char; 12] = [
    '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ae6}', '\u{be6}', '\u{c66}', '\u{e50}',
    '\u{1040}', '\u{17e0}', '\u{ff10}',
];

/// The number that a text is, in any script's digits.
fn number_of(text: &str) -> Option<u64> {
    let mut number = 0_u64;
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.chars().count() > 6 {
        return None;
    }
    for c in trimmed.chars() {
        let digit = ZEROS
            .iter()
            .map(|&zero| u32::from(c).wrapping_sub(u32::from(zero)))
            .find(|&digit| digit < 10)?;
        number = number * 10 + u64::from(digit);
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    /// A list with ten items from a number on, and what comes after it.
    fn list(from: usize, after: &str) -> String {
        let mut page =
            String::from("<nav><a href=/>home</a><a href=/about>about</a></nav><div class=items>");
        for item in from..from + 10 {
            _ = write!(
                page,
                "<div class=item><a class=pic href=/item/{item}><img src={item}.png></a><h2><a href=/item/{item}>Item {item}</a></h2>\
                 <a class=by href=/by/{}>author</a><p>Some words of item {item}.</p></div>",
                item % 3
            );
        }
        page + "</div>" + after
    }

    #[track_caller]
    fn assert_next(address: &str, after: &str, expected: Option<&str>) {
        let page = ListPage::read(&list(0, after), &url(address));
        assert_eq!(page.next().map(Url::as_str), expected, "{address} {after}");
    }

    #[test]
    fn the_next_page_is_found_without_words() {
        let at = "http://a.example/list";
        assert_next(at, "<a rel=next href=/x>x</a>", Some("http://a.example/x"));
        let row = "<p><b>1</b><a href='/list?page=2'>2</a><a href='/list?page=3'>3</a><a href='/list?page=40'>40</a>";
        assert_next(at, row, Some("http://a.example/list?page=2"));
        let row = "<p><a href='/list?page=1'>1</a><a href='/list?page=2'>2</a><b>3</b><a href='/list?page=4'>4</a>";
        assert_next(
            "http://a.example/list?page=3",
            row,
            Some("http://a.example/list?page=4"),
        );
        let row = "<p><a href='/list?page=1'>1</a><a href='/list?page=2'>2</a><b>3</b>";
        assert_next("http://a.example/list?page=3", row, None);
        // Offsets, and digits of other scripts.
        let row = "<p><a href='/list'>١</a><b>٢</b><a href='/list?start=20'>٣</a><a href='/list?start=30'>٤</a>";
        assert_next(
            "http://a.example/list?start=10",
            row,
            Some("http://a.example/list?start=20"),
        );
        // Paths, and files beside the first page.
        assert_next(
            at,
            "<a href=/list/page/2>»</a>",
            Some("http://a.example/list/page/2"),
        );
        assert_next(
            "http://a.example/list/page/2",
            "<a href=/list>«</a><a href=/list/page/3>»</a>",
            Some("http://a.example/list/page/3"),
        );
        assert_next(
            "http://a.example/c/index.html",
            "<a href=page-2.html>→</a>",
            Some("http://a.example/c/page-2.html"),
        );
        // Cursors.
        assert_next(
            at,
            "<a href='/list?after=ZXlKcFpDSTZJakV5'>→</a>",
            Some("http://a.example/list?after=ZXlKcFpDSTZJakV5"),
        );
    }

    #[test]
    fn what_leads_elsewhere_is_no_next_page() {
        let at = "http://a.example/list";
        assert_next(
            at,
            "<a href='/list?sort=price'>price</a><a href='/list?sort=name'>name</a>",
            None,
        );
        assert_next(
            at,
            "<a href=/calendar/2026/2>2</a><a href=/calendar/2026/3>3</a>",
            None,
        );
        assert_next(at, "<a href=http://b.example/list?page=2>2</a>", None);
        assert_next(at, "", None);
    }

    #[test]
    fn items_are_what_each_record_has_a_page_for() {
        let (first, second) = (
            ListPage::read(&list(0, ""), &url("http://a.example/list")),
            ListPage::read(&list(10, ""), &url("http://a.example/list?page=2")),
        );
        let plan = first.plan(Some(&second), &|_| true).unwrap();
        for (page, from) in [(&first, 0), (&second, 10)] {
            let items = page.items(&plan);
            let expected: Vec<String> = (from..from + 10)
                .map(|item| format!("http://a.example/item/{item}"))
                .collect();
            assert_eq!(
                items.iter().map(|url| url.as_str()).collect::<Vec<_>>(),
                expected
            );
        }
        let other = ListPage::read("<p>Nothing", &url("http://a.example/list?page=3"));
        assert!(other.items(&plan).is_empty());
    }
}
