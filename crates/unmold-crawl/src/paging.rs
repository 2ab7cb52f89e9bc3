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
//! Where several links could be meant, the one that stands closest after the records is tried first.
//! From the third page on, only the way counts that led from the first page to the second.
//!
//! ```
//! use unmold_crawl::paging::ListPage;
//! use url::Url;
//!
//! let page = "<ul class=items><li><a href=/i/1>Tea</a> <b>3</b><li><a href=/i/2>Milk</a> <b>2</b><li><a href=/i/3>Salt</a> <b>1</b></ul>\
//!             <p><b>1</b> <a href='/list?page=2'>2</a> <a href='/list?page=3'>3</a></p>";
//! let page = ListPage::read(page, &Url::parse("http://a.example/list")?);
//! assert_eq!(page.next_pages()[0].as_str(), "http://a.example/list?page=2");
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
    /// Where the addresses of its pages differ, if that is known.
    #[serde(default)]
    pub step: Option<Step>,
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
                    step: None,
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

    /// The links that may lead to the next page, the most likely one first.
    ///
    /// A page has other numbers and arrows beside those of its list: calendars, filters, pages of
    /// comments. What stands after the records and close to them is more likely meant.
    pub fn next_pages(&self) -> Vec<&Url> {
        self.next_by(None)
    }

    /// The page that follows this one by the way that led from the first page to the second.
    pub fn next_page(&self, plan: &ListPlan) -> Option<&Url> {
        self.next_by(plan.step.as_ref()).first().copied()
    }

    /// Where the address of the second page differs from this one's.
    pub fn step_to(&self, second: &Url) -> Option<Step> {
        let (slot, _) = slots(&self.address, second).into_iter().next()?;
        Some(Step(slot))
    }

    /// The links that may lead to the next page, of a way that is known or of any.
    fn next_by(&self, step: Option<&Step>) -> Vec<&Url> {
        let mut found: Vec<&Url> = Vec::new();
        if let Some(next) = &self.links.next
            && *next != self.address
        {
            found.push(next);
        }
        let is_other = |link: &&Link| link.url != self.address && !self.is_in_record(link);
        let mut outside: Vec<&Link> = self.links.links.iter().filter(is_other).collect();
        if let Some(Step(step)) = step {
            let is_step = |link: &&Link| {
                let mut slots = slots(&self.address, &link.url).into_iter();
                slots.any(|(slot, _)| slot == *step)
            };
            outside.retain(is_step);
        }
        let mut ranked: Vec<(Rank, &Url)> = Vec::new();
        for (slot, row) in &self.rows(&outside) {
            ranked.extend(self.next_in_numbers(slot, row));
            ranked.extend(self.next_arrow(slot, row));
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        found.extend(ranked.into_iter().map(|(_, url)| url));
        found.extend(self.next_by_cursor(&outside));
        let mut seen = BTreeSet::new();
        found.retain(|url| seen.insert(*url));
        found
    }

    /// The links whose addresses are this one's but for one number, by where that number stands.
    fn rows<'l>(&self, links: &[&'l Link]) -> BTreeMap<Slot, Vec<Numbered<'l>>> {
        let mut rows: BTreeMap<Slot, Vec<Numbered<'_>>> = BTreeMap::new();
        for link in links {
            for (slot, value) in slots(&self.address, &link.url) {
                let Ok(value) = value.parse() else {
                    continue;
                };
                rows.entry(slot).or_default().push(Numbered {
                    shown: number_of(&link.text),
                    value,
                    link,
                });
            }
        }
        rows
    }

    /// How likely a link at a byte of the page is meant: doubtful ones last, then those that
    /// precede the records, then by how far away from them they stand.
    fn rank(&self, is_doubtful: bool, at: u32) -> Rank {
        let records = self.lists.first().map(|list| &list.spans);
        let start = records
            .and_then(|spans| spans.first())
            .map_or(0, |span| span.start);
        let end = records
            .and_then(|spans| spans.last())
            .map_or(0, |span| span.end);
        let is_before = at < start;
        let distance = if is_before {
            start - at
        } else {
            at.saturating_sub(end)
        };
        (is_doubtful, is_before, distance)
    }

    /// Whether a link belongs to an item. A row of page numbers can be a list itself, so only the
    /// records of the list that is most likely meant count.
    fn is_in_record(&self, link: &Link) -> bool {
        let holds = |span: &Span| (span.start..span.end).contains(&link.at);
        let first = self.lists.first();
        first.is_some_and(|list| list.spans.iter().any(holds))
    }

    /// The link of a row of numbers that follows the number of this page.
    fn next_in_numbers<'l>(&self, slot: &Slot, row: &[Numbered<'l>]) -> Option<(Rank, &'l Url)> {
        let mut numbers: Vec<(u64, u64)> = Vec::new();
        for link in row {
            numbers.extend(link.shown.map(|shown| (shown, link.value)));
        }
        let own = slot.number_in(&self.address);
        let current = current_number(own, &numbers)?;
        let mut next: Vec<(Rank, &Url)> = Vec::new();
        for link in row {
            if link.shown == current.checked_add(1) {
                next.push((self.rank(false, link.link.at), &link.link.url));
            }
        }
        next.into_iter().min_by_key(|(rank, _)| *rank)
    }

    /// The link without a number to be read that leads to the next one: an arrow or a word.
    fn next_arrow<'l>(&self, slot: &Slot, row: &[Numbered<'l>]) -> Option<(Rank, &'l Url)> {
        let arrows: Vec<&Numbered<'l>> = row.iter().filter(|link| link.shown.is_none()).collect();
        let values: BTreeSet<u64> = arrows.iter().map(|link| link.value).collect();
        // The entries of a menu have numbers in their addresses, too, but there are more of them.
        if values.len() > MOST_ARROWS {
            return None;
        }
        let own = slot.number_in(&self.address);
        let records = self.lists.first().map_or(0, |list| list.spans.len()) as u64;
        let mut next: Vec<(u64, Rank, &Url)> = Vec::new();
        for arrow in arrows {
            if let Some(doubt) = doubt(own, arrow.value, records, &values) {
                let rank = self.rank(doubt, arrow.link.at);
                next.push((arrow.value, rank, &arrow.link.url));
            }
        }
        let next = next
            .into_iter()
            .min_by_key(|(value, rank, _)| (rank.0, *value, *rank));
        next.map(|(_, rank, url)| (rank, url))
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

/// Where two addresses of a list's pages differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step(Slot);

/// A link whose address is the page's own but for one number.
struct Numbered<'l> {
    /// The number that readers see.
    shown: Option<u64>,
    /// The number in its address.
    value: u64,
    link: &'l Link,
}

/// Whether a link is doubtful, whether it precedes the records, and how many bytes are between.
type Rank = (bool, bool, u32);

/// A row of arrows leads to no more pages than this: the first, the previous, the next and the last.
const MOST_ARROWS: usize = 4;

/// Whether an arrow to a number is doubtful as the next page of one with its own number or none;
/// nothing if it leads elsewhere.
fn doubt(own: Option<u64>, value: u64, records: u64, values: &BTreeSet<u64>) -> Option<bool> {
    let Some(own) = own else {
        if value == 2 || records > 1 && value == records {
            return Some(false);
        }
        // Records that every page has beside its own (advertisements, what is pinned) make the
        // step from page to page smaller than the number of records.
        let is_offset = value < records && value * 2 > records;
        // Some programs count pages from zero.
        let is_second = value == 1 && !values.contains(&2);
        return (is_offset || is_second).then_some(true);
    };
    let step = value.checked_sub(own).filter(|step| *step > 0)?;
    if step == 1 || step == records {
        return Some(false);
    }
    let is_offset = step < records && step * 2 > records && own % step == 0;
    is_offset.then_some(true)
}

/// The number of the page whose address has its own number or none, in a row of numbers as they are
/// shown and as they are in URLs: page=3, start=20.
fn current_number(own: Option<u64>, numbers: &[(u64, u64)]) -> Option<u64> {
    let (first, last) = (numbers.first()?, numbers.last()?);
    let Some(own) = own else {
        return Some(1);
    };
    if last.0 == first.0 || last.1 == first.1 {
        return Some(current_beside(own, *first));
    }
    let step = last.1.abs_diff(first.1) / last.0.abs_diff(first.0).max(1);
    if step == 0 {
        return Some(own);
    }
    let steps = own.abs_diff(first.1) / step;
    if own >= first.1 {
        first.0.checked_add(steps)
    } else {
        Some(first.0.saturating_sub(steps))
    }
}

/// The number of a page where one link alone tells how numbers and addresses go together.
fn current_beside(own: u64, (shown, value): (u64, u64)) -> u64 {
    if value == shown || shown < 2 {
        return own;
    }
    // The first page has the number 0: page=2 is the third one, start=20 the third one of ten each.
    let step = value / (shown - 1);
    if step > 0 && step * (shown - 1) == value && own.is_multiple_of(step) {
        return own / step + 1;
    }
    own
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Slot {
    /// In the value of this part of the query.
    Query(String),
    /// In the number of a part of the path: what stands before it and after it.
    Path(String, String),
}

impl Slot {
    /// The number that a URL has there.
    fn number_in(&self, url: &Url) -> Option<u64> {
        self.value_in(url)?.parse().ok()
    }

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
    // `/news/page/2`, `/news/2`: one word more at most. `/calendar/2026/2` is not a page of `/`.
    let below = before.strip_prefix(own.trim_end_matches('/'));
    let is_below_own = below.is_some_and(|below| below.matches('/').count() <= 2);
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
        let next = page.next_pages().first().map(|url| url.as_str());
        assert_eq!(next, expected, "{address} {after}");
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
    fn other_numbers_beside_a_list_are_not_its_pages() {
        let at = "http://a.example/list";
        let menu: String = (0..9)
            .map(|brand| format!("<a href='/list?brand={brand}'>Brand {brand}x</a>"))
            .collect();
        // A menu of filters, and an arrow or a cursor.
        let page = format!(
            "<aside>{menu}</aside>{}",
            list(0, "<a href='/list?page=2'>→</a>")
        );
        let page = ListPage::read(&page, &url(at));
        assert_eq!(
            page.next_pages()[0].as_str(),
            "http://a.example/list?page=2"
        );
        let cursor = format!("{menu}<a href='/list?after=ZXlKcFpDSTZJakV5'>→</a>");
        assert_next(
            at,
            &cursor,
            Some("http://a.example/list?after=ZXlKcFpDSTZJakV5"),
        );
        // The days of a calendar and the sections of a site are not pages of its first page.
        let days: String = (1..29)
            .map(|day| format!("<a href=/calendar/2026/11/{day}>{day}</a>"))
            .collect();
        assert_next("http://a.example/", &days, None);
        let sections = "<nav><a href=/c/1>x</a><a href=/c/2>y</a></nav>";
        let page = format!("{sections}{}", list(0, "<a href=/c/index-2.html>→</a>"));
        let page = ListPage::read(&page, &url("http://a.example/c/index.html"));
        let next = page.next_pages();
        assert_eq!(next[0].as_str(), "http://a.example/c/index-2.html");
    }

    #[test]
    fn later_pages_are_found_as_the_second_was() {
        let first = ListPage::read(&list(0, ""), &url("http://a.example/list"));
        let second = ListPage::read(&list(10, ""), &url("http://a.example/list?page=2"));
        let mut plan = first.plan(Some(&second), &|_| true).unwrap();
        plan.step = first.step_to(&url("http://a.example/list?page=2"));
        let other =
            "<a href='/list?page=2&view=2'>2</a><a href='/list?page=2&cursor=abcdefghijkl'>x</a>";
        let next_of = |after: &str| {
            let page = ListPage::read(&list(10, after), &url("http://a.example/list?page=2"));
            page.next_page(&plan).map(Url::to_string)
        };
        assert_eq!(next_of(other), None);
        let more = format!("{other}<a href='/list?page=3'>→</a>");
        assert_eq!(
            next_of(&more).as_deref(),
            Some("http://a.example/list?page=3")
        );
    }

    #[test]
    fn one_link_of_a_row_tells_how_its_numbers_go() {
        let offsets = |own: &str, shown: u32, value: u32| {
            let after = format!("<a href='/list?start={value}'>{shown}</a>");
            let page = ListPage::read(
                &list(0, &after),
                &url(&format!("http://a.example/list{own}")),
            );
            page.next_pages().first().map(ToString::to_string)
        };
        let next = |value: u32| Some(format!("http://a.example/list?start={value}"));
        assert_eq!(offsets("?start=10", 3, 20), next(20));
        assert_eq!(offsets("?start=1", 3, 2), next(2));
        assert_eq!(offsets("?start=2", 3, 3), next(3));
        assert_eq!(offsets("?start=40", 3, 20), None);
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
