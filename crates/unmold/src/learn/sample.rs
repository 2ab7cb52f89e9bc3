//! Which pages of a pile that is larger than memory are learned from?
//!
//! What a template has in common shows on two hundred of its pages; more teach nothing new. So a
//! [`Sample`] holds pages until they have so many bytes, then groups them, keeps of each template
//! those whose addresses have the smallest hashes, and goes on:
//!
//! ```
//! use unmold::{Text, learn::Sample};
//!
//! let page = |n: usize| Text::from_string(format!("{n}"), format!("<div class=item><h1>Item {n}</h1><b>{n} kg</b></div>"));
//! let mut sample = Sample::of_bytes(2_000);
//! (0..100).for_each(|n| sample.push(page(n)));
//! assert!(!sample.is_whole() && sample.pages() == 100);
//! assert!((2..50).contains(&sample.texts().len()));
//! ```
//!
//! A pile that fits is held whole and in its order, so that nothing changes for it. Of a larger
//! one, which pages are kept depends on the order in which they come, since templates are known by
//! the pages met so far; never on the number of threads.
//!
//! # Cost
//!
//! Each page is read once to find its template. Memory is that of the pages held, and what is known
//! of each template.

use crate::{
    Text,
    group::{self, KnownGroups, Membership},
    read::PageError,
};
use memchr::memchr_iter;
use rapidhash::{RapidHashMap, v3::rapidhash_v3};

/// The rules of a template are learned from at most this many of its pages: more teach nothing new.
/// Chosen by hand.
pub const SAMPLE_PAGES: usize = 200;

/// At most [`SAMPLE_PAGES`] of the pages of a template, spread evenly over them.
pub(super) fn sampled(pages: &[usize]) -> Vec<usize> {
    let count = pages.len().min(SAMPLE_PAGES);
    (0..count)
        .map(|number| pages[number * pages.len() / count])
        .collect()
}

/// Pages to learn from, as many of each template as there is room for.
#[derive(Debug)]
pub struct Sample {
    most_bytes: usize,
    /// Of each template, so many pages are kept.
    most_pages: usize,
    known: KnownGroups,
    /// Pages whose template is known, or that are like no other.
    sorted: Vec<Held>,
    /// Pages that came since.
    fresh: Vec<Held>,
    /// What all pages held weigh.
    held_weight: usize,
    pages: usize,
    bytes: u64,
    failed: Vec<PageError>,
}

/// A page that is held.
#[derive(Debug)]
struct Held {
    /// How many pages came before it.
    at: usize,
    /// By which it is chosen.
    key: u64,
    template: Option<usize>,
    weight: usize,
    text: Text,
}

/// What it costs to hold a page and what is made of it: as much as its text, unless it is nothing
/// but markup.
fn weight(page: &str) -> usize {
    /// On a usual page, so many bytes stand from one tag to the next.
    const BETWEEN_TAGS: usize = 24;
    page.len()
        .max(BETWEEN_TAGS * memchr_iter(b'<', page.as_bytes()).count())
}

/// Fewer pages of a template than this say nothing of it.
const LEAST_PAGES: usize = 4;

impl Sample {
    /// A sample of pages with no more than so many bytes of text together.
    pub fn of_bytes(most_bytes: usize) -> Self {
        Sample {
            most_bytes,
            most_pages: SAMPLE_PAGES,
            known: KnownGroups::default(),
            sorted: Vec::new(),
            fresh: Vec::new(),
            held_weight: 0,
            pages: 0,
            bytes: 0,
            failed: Vec::new(),
        }
    }

    /// Takes in a page.
    pub fn push(&mut self, text: Text) {
        let key = rapidhash_v3(text.url().unwrap_or(text.id()).as_bytes());
        let weight = weight(text.as_str());
        self.held_weight += weight;
        self.bytes += text.as_str().len() as u64;
        self.fresh.push(Held {
            at: self.pages,
            key,
            template: None,
            weight,
            text,
        });
        self.pages += 1;
        if self.held_weight > self.most_bytes {
            self.thin();
        }
    }

    /// Whether all pages are held.
    pub fn is_whole(&self) -> bool {
        self.pages == self.sorted.len() + self.fresh.len()
    }

    /// How many pages came.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// How many bytes of text they had.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many pages of a template are held at most, unless all are.
    pub fn most_of_a_template(&self) -> usize {
        self.most_pages
    }

    /// The pages that are held, in the order in which they came.
    pub fn texts(&self) -> Vec<&Text> {
        let mut held: Vec<&Held> = self.sorted.iter().chain(&self.fresh).collect();
        held.sort_unstable_by_key(|held| held.at);
        held.into_iter().map(|held| &held.text).collect()
    }

    /// The pages that are held, in the order in which they came, and those that show an error of
    /// this program.
    pub fn finish(self) -> (Vec<Text>, Vec<PageError>) {
        let mut held = self.sorted;
        held.extend(self.fresh);
        held.sort_unstable_by_key(|held| held.at);
        (
            held.into_iter().map(|held| held.text).collect(),
            self.failed,
        )
    }

    /// Makes room: half of it, so that pages are sorted many at a time.
    fn thin(&mut self) {
        self.sort();
        self.sorted.sort_unstable_by(|a, b| {
            (a.template, a.key, a.text.id()).cmp(&(b.template, b.key, b.text.id()))
        });
        self.keep_most();
        while self.held_weight > self.most_bytes / 2 && self.most_pages > LEAST_PAGES {
            self.most_pages = (self.most_pages * 3 / 4).max(LEAST_PAGES);
            self.keep_most();
        }
        if self.held_weight > self.most_bytes / 2 {
            self.keep_smallest_keys();
        }
    }

    /// Finds the templates of the pages that came since; those that were like no other may be like
    /// these.
    fn sort(&mut self) {
        let (sorted, alone): (Vec<Held>, Vec<Held>) = std::mem::take(&mut self.sorted)
            .into_iter()
            .partition(|held| held.template.is_some());
        self.sorted = sorted;
        let fresh = alone.into_iter().chain(std::mem::take(&mut self.fresh));
        let (kept, texts): (Vec<(usize, u64, usize)>, Vec<Text>) = fresh
            .map(|held| ((held.at, held.key, held.weight), held.text))
            .unzip();
        if texts.is_empty() {
            return;
        }
        let grouping = group::add(&self.known, &texts);
        self.failed.extend_from_slice(grouping.failed());
        self.known = grouping.known().clone();
        let sorted = kept.into_iter().zip(texts).zip(grouping.places());
        let good = sorted.filter(|(_, place)| **place != Membership::Failed);
        self.sorted
            .extend(good.map(|(((at, key, weight), text), place)| {
                let template = place.group();
                Held {
                    at,
                    key,
                    template,
                    weight,
                    text,
                }
            }));
    }

    /// Keeps of each template the pages with the smallest keys; those like no other are taken for a
    /// template.
    fn keep_most(&mut self) {
        let most = self.most_pages;
        let mut kept: RapidHashMap<Option<usize>, usize> = RapidHashMap::default();
        // Nothing is learned from pages that were cut short.
        self.sorted.retain(|held| {
            let count = kept.entry(held.template).or_default();
            *count += usize::from(!held.text.is_truncated());
            !held.text.is_truncated() && *count <= most
        });
        self.count();
    }

    /// Keeps pages of so many templates that not even a few of each have room.
    fn keep_smallest_keys(&mut self) {
        self.sorted
            .sort_unstable_by(|a, b| (a.key, a.text.id()).cmp(&(b.key, b.text.id())));
        let (mut weight, most) = (0, self.most_bytes / 2);
        self.sorted.retain(|held| {
            let is_first = weight == 0;
            weight += held.weight;
            is_first || weight <= most
        });
        self.count();
    }

    fn count(&mut self) {
        self.held_weight = self.sorted.iter().map(|held| held.weight).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(n: usize) -> Text {
        Text::from_string(
            format!("item {n}"),
            format!("<div class=item><h1>Item {n}</h1><b class=kg>{n} kg</b></div>"),
        )
    }

    fn post(n: usize) -> Text {
        Text::from_string(
            format!("post {n}"),
            format!("<table class=posts><tr><td class=who>{n}<td>said {n}</table>"),
        )
    }

    fn sample(bytes: usize, texts: impl Iterator<Item = Text>) -> Sample {
        let mut sample = Sample::of_bytes(bytes);
        texts.for_each(|text| sample.push(text));
        sample
    }

    #[test]
    fn a_pile_that_fits_is_held_whole_and_in_its_order() {
        let sample = sample(10_000, (0..20).map(item));
        assert!(sample.is_whole());
        let ids: Vec<&str> = sample.texts().iter().map(|text| text.id()).collect();
        assert_eq!(
            ids,
            (0..20).map(|n| format!("item {n}")).collect::<Vec<_>>()
        );
    }

    #[test]
    fn templates_that_are_rare_keep_their_pages() {
        let pile = (0..400).map(|n| if n % 40 == 0 { post(n) } else { item(n) });
        let sample = sample(4_000, pile);
        let posts = sample
            .texts()
            .iter()
            .filter(|text| text.id().starts_with("post"))
            .count();
        assert!(posts >= LEAST_PAGES, "{posts} of 10");
        assert!(sample.held_weight <= 4_000);
    }

    #[test]
    fn of_a_known_template_the_smallest_hashes_are_kept_whatever_the_order() {
        let ids = |sample: &Sample| {
            let mut ids: Vec<String> = sample
                .texts()
                .iter()
                .map(|text| text.id().to_owned())
                .collect();
            ids.sort();
            ids
        };
        let mut one = sample(4_000, (0..300).map(item));
        let mut other = sample(4_000, (0..300).rev().map(item));
        one.thin();
        other.thin();
        let most = one.most_pages.min(other.most_pages);
        (one.most_pages, other.most_pages) = (most, most);
        one.keep_most();
        other.keep_most();
        assert_eq!(ids(&one), ids(&other));
    }

    #[test]
    fn pages_of_nothing_but_markup_weigh_more() {
        let tags =
            |n: usize| Text::from_string(format!("{n}"), "<p>x".repeat(100) + &n.to_string());
        let sample = sample(10_000, (0..20).map(tags));
        assert!(!sample.is_whole(), "8 KB of text, 48 KB of weight");
    }

    #[test]
    fn a_template_for_every_page_is_bounded_too() {
        let odd = |n: usize| {
            let tags: String = (0..20)
                .map(|at| format!("<div class=c{}>", (n * 31 + at * 7) % 997))
                .collect();
            Text::from_string(format!("{n}"), format!("{tags}{n}"))
        };
        let sample = sample(20_000, (0..500).map(odd));
        assert!(sample.held_weight <= 20_000 && !sample.texts().is_empty());
    }
}
