//! Which kinds of pages does a site have, and of which are more wanted?
//!
//! A site is not wanted as a whole to learn its templates: some thirty pages of each kind are
//! enough. As pages come, they are grouped by template ([`unmold::group`]); in between, each is
//! placed by the fingerprints of the groups. Links are sorted by their *source*: where on a page
//! they stand and what their address looks like. What the pages behind the first links of a source
//! turned out to be is expected of the others:
//!
//! - a source whose last pages were all of kinds that there is enough of is set aside;
//! - of the others, the one whose kind has fewest pages comes first, and one that was not tried yet
//!   before all.
//!
//! A calendar has no end, and each of its pages leads only to the next one. Where the last pages of a
//! shape each led to nothing new but one or two pages of the same shape, the links that led there are
//! set aside. What other pages link to (items that also link to the next item) is not.
//!
//! So pages are spent where something new is to be expected, and what is set aside is counted.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};
use unmold::{
    Text,
    group::{TemplateFinder, group},
};

/// The kinds of pages of one site.
#[derive(Default)]
pub(crate) struct Kinds {
    enough: usize,
    pages: Vec<SeenPage>,
    kinds: Vec<Kind>,
    places: TemplateFinder,
    sources: HashMap<String, Vec<Found>>,
    shapes: HashMap<String, Shape>,
    /// How many pages have come that fitted no kind since pages were grouped.
    unplaced: usize,
    /// How many pages there were when they were last grouped.
    grouped: usize,
}

/// What pages with addresses of one shape lead to.
#[derive(Default)]
struct Shape {
    /// Hashes of the addresses that they lead to.
    links: HashSet<u64>,
    /// How many in a row led only to the next of themselves.
    chained: usize,
    /// The sources of the links from one of them to the next.
    chain: HashSet<String>,
}

/// A kind of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The shape of its addresses, or what its titles share.
    pub name: String,
    /// How many pages of it were fetched.
    pub pages: usize,
    /// One of them.
    pub example: String,
}

struct SeenPage {
    /// The page, unless there are others like it to group by.
    text: Option<Text>,
    /// The page that it was like when its own text was let go.
    like: Option<usize>,
    kind: Option<usize>,
}

/// What a link led to.
#[derive(Clone, Copy)]
enum Found {
    Page(usize),
    /// An error, a redirect, no page.
    Nothing,
}

/// How many of the last pages of a source must be of kinds that there is enough of.
const WINDOW: usize = 10;
/// How many pages of a source are looked at before it is set aside.
const TRIES: usize = 3;
/// So many pages that fit no kind are a reason to group again.
const UNPLACED: usize = 4;

/// Links of a shape are set aside when this many of its pages in a row led only to the next of
/// themselves: with the first page, six to learn a template from.
const CHAINED: usize = 5;
/// A page that leads to the one before it and the one after it leads to at most this many new ones.
const CHAIN_LINKS: usize = 2;
/// No more sources of links between pages of a shape are remembered.
const MAX_CHAIN_SOURCES: usize = 100;
/// No more addresses that pages of a shape lead to are remembered.
const MAX_SHAPE_LINKS: usize = 50_000;

/// The shape of the addresses of a source.
fn shape_of(source: &str) -> &str {
    source.split(' ').next().unwrap_or_default()
}

impl Kinds {
    pub(crate) fn new(enough: usize) -> Self {
        Kinds {
            enough: enough.max(2),
            ..Kinds::default()
        }
    }

    /// Takes up a page that a link of a source led to.
    pub(crate) fn add(&mut self, source: &str, text: Text) {
        let kind = self.places.place(&text).template();
        self.unplaced += usize::from(kind.is_none());
        let number = self.pages.len();
        self.sources
            .entry(source.to_owned())
            .or_default()
            .push(Found::Page(number));
        self.pages.push(SeenPage {
            text: Some(text),
            like: None,
            kind,
        });
        if let Some(kind) = kind {
            self.kinds[kind].pages += 1;
            self.let_go(number, kind);
        }
        // A site of pages that are all unlike each other is not grouped again for each few of them.
        if self.unplaced >= UNPLACED.max(self.grouped / 8)
            || self.pages.len() >= 2 * self.grouped.max(2)
        {
            self.group();
        }
    }

    /// Takes up where a page of a shape leads: sources and addresses.
    pub(crate) fn add_links(&mut self, shape: &str, links: &[(String, String)]) {
        let known = self.shapes.entry(shape.to_owned()).or_default();
        let is_first = known.links.is_empty();
        let (mut new, mut leads_elsewhere) = (0, false);
        for (source, address) in links {
            let mut hash = DefaultHasher::new();
            address.hash(&mut hash);
            if known.links.len() < MAX_SHAPE_LINKS && known.links.insert(hash.finish()) {
                new += 1;
                if shape_of(source) != shape {
                    leads_elsewhere = true;
                } else if known.chain.len() < MAX_CHAIN_SOURCES {
                    known.chain.insert(source.clone());
                }
            }
        }
        let is_chained = !is_first && (1..=CHAIN_LINKS).contains(&new) && !leads_elsewhere;
        known.chained = if is_chained { known.chained + 1 } else { 0 };
    }

    /// Notes that a link of a source led to no page.
    pub(crate) fn add_nothing(&mut self, source: &str) {
        self.sources
            .entry(source.to_owned())
            .or_default()
            .push(Found::Nothing);
    }

    /// How soon links of a source are wanted: the least first; nothing if they are not.
    pub(crate) fn rank(&self, source: &str) -> Option<usize> {
        let shape = self.shapes.get(shape_of(source));
        if shape.is_some_and(|shape| shape.chained >= CHAINED && shape.chain.contains(source)) {
            return None;
        }
        let Some(found) = self.sources.get(source) else {
            return Some(0);
        };
        let last = &found[found.len().saturating_sub(WINDOW)..];
        if found.len() >= TRIES && last.iter().all(|found| self.is_enough(*found)) {
            return None;
        }
        let open = last
            .iter()
            .filter(|found| !self.is_enough(**found))
            .map(|found| self.count(*found));
        Some(1 + open.min().unwrap_or(self.enough))
    }

    /// All kinds, those with most pages first, and how many pages are like no other.
    pub(crate) fn finish(&mut self) -> (Vec<Kind>, usize) {
        if self.grouped < self.pages.len() {
            self.group();
        }
        let mut kinds = self.kinds.clone();
        kinds.retain(|kind| kind.pages > 0);
        kinds.sort_by(|one, other| {
            other
                .pages
                .cmp(&one.pages)
                .then_with(|| one.name.cmp(&other.name))
        });
        (
            kinds,
            self.pages.iter().filter(|page| page.kind.is_none()).count(),
        )
    }

    fn is_enough(&self, found: Found) -> bool {
        match found {
            Found::Page(page) => self.pages[page]
                .kind
                .is_some_and(|kind| self.kinds[kind].pages >= self.enough),
            Found::Nothing => true,
        }
    }

    fn count(&self, found: Found) -> usize {
        match found {
            Found::Page(page) => self.pages[page]
                .kind
                .map_or(0, |kind| self.kinds[kind].pages),
            Found::Nothing => self.enough,
        }
    }

    /// Groups all pages anew, those that were let go with the pages that they were like.
    fn group(&mut self) {
        let kept: Vec<usize> = (0..self.pages.len())
            .filter(|&page| self.pages[page].text.is_some())
            .collect();
        let texts: Vec<Text> = kept
            .iter()
            .filter_map(|&page| self.pages[page].text.take())
            .collect();
        let grouping = group(&texts);
        self.places = TemplateFinder::new(grouping.groups().iter().map(|group| &group.fingerprint));
        let kind = |group: &unmold::group::PageGroup| Kind {
            name: group.name.clone(),
            pages: 0,
            example: texts[group.representative]
                .url()
                .unwrap_or_default()
                .to_owned(),
        };
        self.kinds = grouping.groups().iter().map(kind).collect();
        for ((&page, text), place) in kept.iter().zip(texts).zip(grouping.places()) {
            self.pages[page].kind = place.group();
            self.pages[page].text = Some(text);
        }
        self.count_again();
        (self.unplaced, self.grouped) = (0, self.pages.len());
        for page in kept {
            self.pages[page]
                .kind
                .into_iter()
                .for_each(|kind| self.let_go(page, kind));
        }
    }

    fn count_again(&mut self) {
        for page in 0..self.pages.len() {
            if let Some(like) = self.pages[page].like {
                self.pages[page].kind = self.pages[like].kind;
            }
            if let Some(kind) = self.pages[page].kind {
                self.kinds[kind].pages += 1;
            }
        }
    }

    /// Lets go of the text of a page where there are enough others of its kind to group by.
    fn let_go(&mut self, page: usize, kind: usize) {
        let others: Vec<usize> = (0..page)
            .filter(|&other| {
                self.pages[other].kind == Some(kind) && self.pages[other].text.is_some()
            })
            .take(self.enough)
            .collect();
        if others.len() >= self.enough {
            self.pages[page].text = None;
            self.pages[page].like = others.first().copied();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(n: usize) -> Text {
        let page = format!(
            "<title>Item {n}</title><div class=item><h1>{n}</h1><b class=price>{n}</b><p class=about>{n}</div>"
        );
        Text::from_string(format!("p{n}"), page)
    }

    fn thread(n: usize) -> Text {
        let page = format!(
            "<title>Topic {n}</title><table class=posts><tr><td class=who>{n}<td class=said>{n}</table>"
        );
        Text::from_string(format!("t{n}"), page)
    }

    #[test]
    fn a_source_of_a_kind_with_enough_pages_is_set_aside_and_others_come_first() {
        let mut kinds = Kinds::new(6);
        for n in 0..5 {
            assert!(kinds.rank("items").is_some());
            kinds.add("items", product(n));
        }
        kinds.add("talk", thread(0));
        kinds.add("talk", thread(1));
        assert!(
            kinds.rank("new") < kinds.rank("talk"),
            "what was not tried comes first"
        );
        assert!(
            kinds.rank("talk") < kinds.rank("items"),
            "the kind with fewer pages comes first"
        );
        kinds.add("items", product(5));
        assert_eq!(kinds.rank("items"), None);
        assert!(kinds.rank("talk").is_some());
        let (found, alone) = kinds.finish();
        assert_eq!(
            (
                found.iter().map(|kind| kind.pages).collect::<Vec<_>>(),
                alone
            ),
            (vec![6, 2], 0)
        );
    }

    #[test]
    fn pages_that_lead_only_to_the_next_of_themselves_are_set_aside() {
        let link = |shape: &str, address: String| (shape.to_owned(), address);
        let mut kinds = Kinds::new(30);
        for month in 0..=CHAINED {
            assert!(kinds.rank("a/calendar/* p a.next").is_some(), "{month}");
            let links = [
                link("a/ nav a", "a/".into()),
                link("a/calendar/* p a.next", format!("a/calendar/{}", month + 1)),
            ];
            kinds.add_links("a/calendar/*", &links);
        }
        assert_eq!(kinds.rank("a/calendar/* p a.next"), None);
        assert!(kinds.rank("a/calendar/* ul.events a").is_some());
        // Pages of a list lead to items, too.
        for page in 0..20 {
            let links = [
                link("a/list?page p a", format!("a/list?page={}", page + 1)),
                link("a/item/* li a", format!("a/item/{page}")),
            ];
            kinds.add_links("a/list?page", &links);
        }
        assert!(kinds.rank("a/list?page p a").is_some());
    }

    #[test]
    fn a_source_of_several_kinds_is_followed_as_long_as_one_is_wanted() {
        let mut kinds = Kinds::new(5);
        (0..20).for_each(|n| kinds.add("all", product(n)));
        assert_eq!(kinds.rank("all"), None);
        let mut kinds = Kinds::new(5);
        (0..8).for_each(|n| kinds.add("all", product(n)));
        kinds.add("all", thread(0));
        kinds.add("all", thread(1));
        assert!(kinds.rank("all").is_some());
    }

    #[test]
    fn links_that_lead_nowhere_are_not_followed_for_ever() {
        let mut kinds = Kinds::new(5);
        (0..3).for_each(|_| kinds.add_nothing("dead"));
        assert_eq!(kinds.rank("dead"), None);
    }

    #[test]
    fn pages_that_were_let_go_are_still_counted() {
        let mut kinds = Kinds::new(4);
        (0..40).for_each(|n| kinds.add("items", product(n)));
        (0..4).for_each(|n| kinds.add("talk", thread(n)));
        assert!(
            kinds
                .pages
                .iter()
                .filter(|page| page.text.is_some())
                .count()
                <= 8
        );
        assert_eq!(
            kinds
                .finish()
                .0
                .iter()
                .map(|kind| kind.pages)
                .collect::<Vec<_>>(),
            [40, 4]
        );
    }
}
