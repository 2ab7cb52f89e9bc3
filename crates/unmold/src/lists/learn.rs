//! What do the pages of a template list?
//!
//! A page alone leaves open which of its lists is meant, and shows some columns only where its
//! records happen to differ. Pages of one template answer together:
//!
//! ```
//! use unmold::{Learner, Text};
//!
//! let page = |items: &[(&str, &str)]| {
//!     let items: String = items.iter().map(|(name, day)| format!("<li class=item><b>{name}</b> <i>{day}</i>")).collect();
//!     let menu = "<div class=m><p><b>Home</b><i>all of it</i><p><b>About</b><i>who we are</i><p><b>Shop</b><i>our things</i></div>";
//!     Text::from_string("page", format!("{menu}<ul>{items}</ul>"))
//! };
//! let pages = [page(&[("Tea", "May 1"), ("Milk", "May 2")]), page(&[("Salt", "May 1"), ("Oil", "May 1")])];
//! let mold = Learner::lists_only().learn(&pages)?;
//!
//! let reader = mold.reader();
//! let found = reader.read(&pages[1])?;
//! let list = found.lists().next().unwrap().list;
//! let values: Vec<_> = list.records[0].values(pages[1].as_str(), &list.columns).collect();
//! assert_eq!(values, ["Salt", "May 1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. What other pages have as well is [common](super::Common): menus, carts, filters.
//! 2. The [lists of each page](super::regions) are found beside that, and those in the same place
//!    are one list of the template. Its columns are those of all pages.
//! 3. The list that is the first on most pages comes first; the others follow by how high they rank.
//! 4. A rule made from one page is kept if it finds on the other pages what was found there without
//!    a rule. Of several, the one that agrees best is taken.
//!
//! Cost: lists are found on each page that is given, and up to [`CANDIDATES`] rules are applied to it
//! for each list.

use super::{
    apply::{Finder, find_all},
    columns::{aligned, span},
    common::Common,
    naming::Title,
    pattern::Pattern,
    record::{Column, unique},
    regions::Regions,
    rule::{ListRule, RecordRule, RegionRule},
    runs::Outline,
    tag_memory::TagMemory,
};
use crate::{Text, read::tree::Tree};
use rapidhash::RapidHashSet;
use std::cmp::Reverse;

/// Lists of each page that are compared with those of other pages.
pub(super) const COMPARED: usize = 5;
/// Lists that a template has at most: those that rank highest on its pages.
const MAX_LISTS: usize = 10;
/// A list of a template is found on at least one in this many of its pages.
const RAREST: usize = 10;
/// Pages from which a rule for a list is made, to see which agrees best with the others.
const CANDIDATES: usize = 3;

/// Pages that each rule is tried on: those of a template are alike.
const TRIED: usize = 8;

/// A page that is learned from.
pub(crate) type Page<'p, 't> = (&'p Text, &'p Tree<'t>);

/// The lists of a template, the one that its pages are for first.
pub(crate) fn learn(pages: &[Page<'_, '_>]) -> Vec<ListRule> {
    let mut common = Common::default();
    for (_, tree) in pages {
        common.add(tree);
    }
    let mut lists: Vec<KnownList> = Vec::new();
    for (page, (_, tree)) in pages.iter().enumerate() {
        let found = Regions::default()
            .max_patterns(COMPARED)
            .find_beside(tree, &common, |place| {
                known_at(&lists, place).map(|list| list.columns.as_slice())
            });
        let numbers: Vec<usize> = found.iter().map(|list| nth(&found, list)).collect();
        for ((rank, pattern), nth) in found.into_iter().enumerate().zip(numbers) {
            let known = lists
                .iter_mut()
                .find(|list| list.place == pattern.place && list.nth == nth);
            match known {
                Some(list) => list.add(page, rank, pattern),
                None => lists.push(KnownList::new(page, rank, nth, pattern)),
            }
        }
    }
    lists.retain(|list| RAREST * list.sightings.len() >= pages.len());
    let with_lists = pages_with_lists(&lists);
    // The sort is stable: of equals, the one that was met first.
    lists.sort_by_key(|list| Reverse((2 * list.times_first() > with_lists, list.points())));
    lists.truncate(MAX_LISTS);
    let mut rules: Vec<ListRule> = lists.iter().map(|list| list.rule(pages)).collect();
    set_fills(&mut rules, pages);
    // What only repeats lists that come before it is none.
    rules.retain(|rule| rule.fill > 0.0);
    let mut names = RapidHashSet::default();
    for rule in &mut rules {
        rule.name = unique(&mut names, std::mem::take(&mut rule.name));
    }
    rules
}

/// Sets the share of pages that have each list, as they are read by all rules together.
fn set_fills(rules: &mut [ListRule], pages: &[Page<'_, '_>]) {
    let finders: Vec<Finder> = rules.iter().map(Finder::new).collect();
    let mut with_list = vec![0; rules.len()];
    for (text, tree) in pages {
        for (number, _) in find_all(&finders, text, tree, &mut TagMemory::default()) {
            with_list[number] += 1;
        }
    }
    for (rule, with_list) in rules.iter_mut().zip(with_list) {
        rule.fill = f64::from(with_list) / pages.len().max(1) as f64;
    }
}

/// How many lists of a page are in the place of a list and come before it: tables under two headings
/// are two lists.
fn nth(lists: &[Pattern], list: &Pattern) -> usize {
    lists
        .iter()
        .filter(|other| other.place == list.place && starts(other) < starts(list))
        .count()
}

fn known_at<'l>(lists: &'l [KnownList], place: &str) -> Option<&'l KnownList> {
    lists.iter().find(|list| list.place == place)
}

/// How many pages have any list.
fn pages_with_lists(lists: &[KnownList]) -> usize {
    let pages: RapidHashSet<usize> = lists
        .iter()
        .flat_map(|list| &list.sightings)
        .map(|sighting| sighting.page)
        .collect();
    pages.len()
}

/// A list that pages of the template have.
struct KnownList {
    place: String,
    /// Which of the lists in this place it is, from 0.
    nth: usize,
    title: Title,
    columns: Vec<Column>,
    sightings: Vec<Sighting>,
}

/// A list as it was found on one page.
struct Sighting {
    page: usize,
    /// How many lists of the page rank higher.
    rank: usize,
    /// Where its records begin.
    starts: Vec<u32>,
    notation: String,
    rule: RecordRule,
}

impl KnownList {
    fn new(page: usize, rank: usize, nth: usize, pattern: Pattern) -> Self {
        let mut list = KnownList {
            place: pattern.place.clone(),
            nth,
            title: pattern.title.clone(),
            columns: Vec::new(),
            sightings: Vec::new(),
        };
        list.add(page, rank, pattern);
        list
    }

    /// Takes up what was found on one more page.
    fn add(&mut self, page: usize, rank: usize, pattern: Pattern) {
        // What pages say differently of a list is no name.
        if self.title.said != pattern.title.said {
            self.title.said = None;
        }
        self.sightings.push(Sighting {
            page,
            rank,
            starts: starts(&pattern),
            notation: pattern.notation,
            rule: pattern.rule,
        });
        for column in pattern.columns {
            if !self.columns.iter().any(|known| known.way == column.way) {
                self.columns.push(column);
            }
        }
    }

    fn times_first(&self) -> usize {
        self.sightings
            .iter()
            .filter(|sighting| sighting.rank == 0)
            .count()
    }

    /// How high it ranks on how many pages.
    fn points(&self) -> usize {
        self.sightings
            .iter()
            .map(|sighting| COMPARED - sighting.rank)
            .sum()
    }

    /// The rule that finds what was found on the pages.
    fn rule(&self, pages: &[Page<'_, '_>]) -> ListRule {
        let mut best: Option<(f64, ListRule)> = None;
        'candidates: for (rule, notation) in self.candidates() {
            for rule in rule.variants() {
                let candidate = self.named(rule, notation);
                let agreement = self.agreement(&candidate, pages);
                if best.as_ref().is_none_or(|(most, _)| agreement > *most) {
                    best = Some((agreement, candidate));
                }
                if agreement >= self.compared().len() as f64 {
                    break 'candidates;
                }
            }
        }
        let (agreement, mut rule) = best.expect("a list was found on a page");
        if let Some(narrower) = self.without_others(&rule, pages)
            && self.agreement(&narrower, pages) > agreement
        {
            rule = narrower;
        }
        rule
    }

    /// The rules of some pages, and one for all of their looks; each with what its records look like.
    fn candidates(&self) -> Vec<(RecordRule, &str)> {
        let sightings = &self.sightings[..self.sightings.len().min(CANDIDATES)];
        let mut candidates: Vec<(RecordRule, &str)> = sightings
            .iter()
            .map(|sighting| (sighting.rule.clone(), sighting.notation.as_str()))
            .collect();
        let merged = candidates[1..]
            .iter()
            .try_fold(candidates[0].0.clone(), |all, (rule, _)| all.merged(rule));
        if let Some(merged) = merged
            && candidates.len() > 1
        {
            candidates.push((merged, candidates[0].1));
        }
        candidates
    }

    /// The pages that a rule is tried on.
    fn compared(&self) -> &[Sighting] {
        &self.sightings[..self.sightings.len().min(TRIED)]
    }

    /// The rule without what it finds that is no record, if the class names that most records have
    /// tell the two apart: halfway between the fewest in a record and the most in what is none.
    fn without_others(&self, list: &ListRule, pages: &[Page<'_, '_>]) -> Option<ListRule> {
        let RecordRule::Regions(rule) = &list.rule else {
            return None;
        };
        let (mut fewest, mut most) = (usize::MAX, None);
        for sighting in self.compared() {
            let (_, tree) = pages[sighting.page];
            for rows in Finder::rows_of(rule, tree) {
                let names = rule.shared_names(tree, &rows);
                if sighting
                    .starts
                    .binary_search(&span(tree, &rows).start)
                    .is_ok()
                {
                    fewest = fewest.min(names);
                } else {
                    most = most.max(Some(names));
                }
            }
        }
        let most = most.filter(|most| *most < fewest && fewest < usize::MAX)?;
        let mut narrower = list.clone();
        if let RecordRule::Regions(rule) = &mut narrower.rule {
            rule.least_names = (fewest + most).div_ceil(2);
        }
        Some(narrower)
    }

    fn named(&self, mut rule: RecordRule, notation: &str) -> ListRule {
        if let RecordRule::Regions(rule) = &mut rule {
            rule.columns.clone_from(&self.columns);
            rule.nth = if rule.table { self.nth } else { 0 };
        }
        ListRule {
            name: self.title.name().to_owned(),
            place: self.place.clone(),
            pattern: notation.to_owned(),
            fill: 0.0,
            rule,
        }
    }

    /// How much of what was found without a rule the rule finds, and nothing else: the sum over the
    /// pages of Dice's coefficient of where records begin.
    fn agreement(&self, rule: &ListRule, pages: &[Page<'_, '_>]) -> f64 {
        let finder = Finder::new(rule);
        let mut agreement = 0.0;
        for sighting in self.compared() {
            let (text, tree) = pages[sighting.page];
            let Some(list) = finder.find(text, tree, &mut TagMemory::default()) else {
                continue;
            };
            let found = list.records.iter().map(|record| record.span.start);
            let shared = found
                .filter(|start| sighting.starts.binary_search(start).is_ok())
                .count();
            agreement +=
                2.0 * shared as f64 / (list.records.len() + sighting.starts.len()).max(1) as f64;
        }
        agreement
    }
}

fn starts(pattern: &Pattern) -> Vec<u32> {
    let records = pattern.records.iter();
    records.map(|record| record.span.start).collect()
}

/// The rule of a list that was found on the first of some pages of a template, with the columns that
/// any of them has.
///
/// ```
/// use unmold::{Text, lists::{Regions, list_rule}};
///
/// let list = |items: &[&str]| {
///     let items: String = items.iter().map(|item| format!("<li><b>{item}</b> in stock</li>")).collect();
///     Text::from_string("page", format!("<ul>{items}</ul>"))
/// };
/// let pages = [list(&["Tea", "Milk", "Salt"]), list(&["Oil", "Rice"]), Text::from_string("empty", "<p>Nothing</p>")];
/// let pattern = &Regions::default().find(&pages[0])[0];
/// let rule = list_rule(pattern, &pages.iter().collect::<Vec<_>>());
/// assert!((rule.fill - 2.0 / 3.0).abs() < 1e-9);
/// ```
pub fn list_rule(pattern: &Pattern, texts: &[&Text]) -> ListRule {
    /// After this many pages in a row without a new column there are hardly more.
    const WITHOUT_NEW: usize = 5;
    let trees: Vec<Tree<'_>> = texts.iter().map(|text| Tree::new(text.as_str())).collect();
    let pages: Vec<Page<'_, '_>> = texts.iter().copied().zip(&trees).collect();
    let mut rule = ListRule {
        name: pattern.name.clone(),
        place: pattern.place.clone(),
        pattern: pattern.notation.clone(),
        fill: 0.0,
        rule: pattern.rule.clone(),
    };
    // The widest form that finds the records of the page and nothing else.
    let starts = starts(pattern);
    for variant in numbered(pattern.rule.variants()) {
        let wider = ListRule {
            rule: variant,
            ..rule.clone()
        };
        let Some((text, tree)) = pages.first() else {
            break;
        };
        let finder = Finder::new(&wider);
        let found = finder.find(text, tree, &mut TagMemory::default());
        let found = found.iter().flat_map(|list| &list.records);
        if found
            .map(|record| record.span.start)
            .eq(starts.iter().copied())
        {
            rule = wider;
            break;
        }
    }
    if let RecordRule::Regions(rule) = &mut rule.rule {
        let mut without_new = 0;
        for (_, tree) in &pages {
            without_new = if add_columns(rule, tree) {
                0
            } else {
                without_new + 1
            };
            if without_new == WITHOUT_NEW {
                break;
            }
        }
    }
    set_fills(std::slice::from_mut(&mut rule), &pages);
    rule
}

/// The same rules, and those of plain tables for each of several tables in one place.
fn numbered(rules: Vec<RecordRule>) -> Vec<RecordRule> {
    /// Tables in one place that are tried.
    const MAX_TABLES: usize = 16;
    let mut numbered = Vec::new();
    for rule in rules {
        match rule {
            RecordRule::Regions(rule) if rule.table => {
                for nth in 0..MAX_TABLES {
                    numbered.push(RecordRule::Regions(RegionRule {
                        nth,
                        ..rule.clone()
                    }));
                }
            }
            RecordRule::Regions(_) | RecordRule::Iepad(_) | RecordRule::Delimiters(_) => {
                numbered.push(rule);
            }
        }
    }
    numbered
}

/// Adds the columns that a page has and the rule has not; whether there are any. What the rule
/// looks for stays as it is.
fn add_columns(rule: &mut RegionRule, tree: &Tree<'_>) -> bool {
    let records = Finder::rows_of(rule, tree);
    if rule.table || records.is_empty() {
        return false;
    }
    let outline = Outline::new(tree, &Common::default());
    let (columns, _) = aligned(&outline, &records, &rule.columns);
    // What the rule takes whole is not taken apart because one page would.
    let whole = rule.whole_ways();
    let is_inside = |way: &str| {
        way.match_indices(['/', '#'])
            .any(|(at, _)| whole.contains(&way[..at]))
    };
    let before = rule.columns.len();
    for column in columns.into_iter().skip(before) {
        if !is_inside(&column.way) {
            rule.columns.push(column);
        }
    }
    rule.columns.len() > before
}
