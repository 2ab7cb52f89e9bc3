//! What has to be kept of a page to group it?
//!
//! Not its text: what it is made of, its title and its address are enough. So a pile of any size
//! can be read page by page, and what is kept of a page of 85 KB is some 11 KB:
//!
//! ```
//! use unmold::{Text, group::{KnownGroups, Grouper}};
//!
//! let page = |n: u32| Text::from_string(format!("{n}"), format!("<div class=item><h1>{n}</h1><b class=price>{n}</b>"));
//! let mut grouper = Grouper::default();
//! (0..100).for_each(|n| grouper.read(&[page(2 * n), page(2 * n + 1)]));
//! let grouping = grouper.add_to(&KnownGroups::default());
//! assert_eq!(grouping.groups()[0].pages.len(), 200);
//! ```
//!
//! The strings that two pages or more have are kept as well, once, to say by what groups are known.

use super::{
    Grouping, KnownGroups, Sorted,
    features::{self, Features, FeaturesMemory, PlacedString},
    names::is_words,
};
use crate::{
    Text,
    read::{PageError, guarded, order::content_hash, pool::Pool},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;
use std::borrow::Borrow;

/// Pages that are to be grouped, as far as grouping cares.
#[derive(Default)]
pub struct Grouper {
    pages: Vec<Kept>,
    said: Said,
    memories: Pool<FeaturesMemory>,
}

/// What is kept of a page.
#[derive(Default)]
pub(super) struct Kept {
    pub id: String,
    pub url: Option<String>,
    pub is_truncated: bool,
    /// The hash of its text.
    pub hash: u64,
    pub features: Features,
    /// Why it could not be read.
    pub error: Option<PageError>,
}

impl Grouper {
    /// Reads pages. They may come in any number of steps and in any order.
    pub fn read(&mut self, texts: &[impl Borrow<Text> + Sync]) {
        let features = |text: &Text| {
            self.memories
                .lend(|memory| features::features(text, memory))
        };
        let read: Vec<_> = texts
            .par_iter()
            .map(|text| guarded(text.borrow(), features))
            .collect();
        for (text, read) in texts.iter().zip(read) {
            let text = text.borrow();
            let mut kept = Kept {
                id: text.id().to_owned(),
                url: text.url().map(str::to_owned),
                is_truncated: text.is_truncated(),
                hash: content_hash(text),
                ..Kept::default()
            };
            match read {
                Ok((features, strings)) => {
                    self.said.hear(text, strings);
                    kept.features = features;
                }
                Err(error) => kept.error = Some(error),
            }
            self.pages.push(kept);
        }
    }

    /// Puts the pages into groups that are known, and groups those that fit none.
    pub fn add_to(self, known: &KnownGroups) -> Grouping {
        self.sorted().add(known.clone())
    }

    /// Puts all pages into one group, whatever they are made of.
    pub fn into_one_group(self) -> Grouping {
        self.sorted().as_one_group()
    }

    fn sorted(self) -> Sorted {
        let mut pages: Vec<(usize, Kept)> = self.pages.into_iter().enumerate().collect();
        // Pages with the same text keep an order by address and id, as elsewhere.
        pages.sort_by(|(_, one), (_, other)| {
            (one.hash, &one.url, &one.id).cmp(&(other.hash, &other.url, &other.id))
        });
        let (given, pages) = pages.into_iter().unzip();
        Sorted {
            pages,
            given,
            said: self.said,
        }
    }
}

/// What pages say: the words of each string that two pages have.
#[derive(Default)]
pub(super) struct Said {
    once: RapidHashSet<u64>,
    twice: RapidHashMap<u64, String>,
}

impl Said {
    fn hear(&mut self, text: &Text, strings: Vec<PlacedString>) {
        for (hash, span) in strings {
            if !self.once.insert(hash) {
                // What has no words is kept as nothing, so as not to be looked at again.
                let words =
                    || Some(features::string_at(text, span)).filter(|string| is_words(string));
                self.twice
                    .entry(hash)
                    .or_insert_with(|| words().unwrap_or_default());
            }
        }
    }

    /// The string with a hash, if it has words and stands on two pages.
    pub fn words(&self, hash: u64) -> Option<&str> {
        self.twice
            .get(&hash)
            .map(String::as_str)
            .filter(|string| !string.is_empty())
    }
}
