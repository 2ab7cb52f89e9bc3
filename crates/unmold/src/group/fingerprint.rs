//! By what are the pages of a template told from all others, later, without the pages that they
//! were found with?
//!
//! A [`Fingerprint`] says which *paths* (tag and classes of an element below those of its parent
//! and grandparent) the pages of a group have, and on how many of them each stands. It is small
//! enough for a mold, where it stands as one line of text, and [`TemplateFinder`] decides by the
//! fingerprints of all groups which one a page is of, in one pass over the page:
//!
//! ```
//! use unmold::{Text, group::{TemplateFinder, group}};
//!
//! let product = |n: u32| Text::from_string(format!("p{n}"), format!("<div class=item><h1>{n}</h1><b class=price>{n}</b></div>"));
//! let thread = |n: u32| Text::from_string(format!("t{n}"), format!("<table class=posts><tr><td class=who>{n}<td>{n}</table>"));
//! let grouping = group(&[product(1), thread(1), product(2), thread(2), product(3)]);
//! let places = TemplateFinder::new(grouping.groups().iter().map(|group| &group.fingerprint));
//! assert_eq!(places.place(&product(9)).template(), Some(0));
//! assert_eq!(places.place(&thread(9)).template(), Some(1));
//! assert_eq!(places.place(&Text::from_string("other", "<ul><li>Hello</ul>")).template(), None);
//! ```
//!
//! # How
//!
//! Paths are taken as independent witnesses (naive Bayes): a path that the page has speaks for each
//! fingerprint by how many of its pages have it, a path that the page lacks against it. The
//! fingerprint with the best word is the page's if both have enough in common (Jaccard, each path
//! of the fingerprint counted by its share). Of fingerprints that also know how titles end or
//! begin, those that do not fit the page's title are set back.
//!
//! # Cost
//!
//! A look into one table for each element of the page, and an addition for each fingerprint whose
//! pages have the path more or less often than most: pages of a mold with a thousand groups are
//! placed in less time than they are read.

use super::{features::Features, paths::PathWalk, titles::Affix};
use crate::{Text, read::tree::Tree};
use rapidhash::{RapidHashMap, RapidHashSet};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::ops::Range;

/// How the pages of a template are built, as far as it tells them from others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// How many pages it was taken from.
    pub pages: usize,
    /// How the titles of all of them end, where that tells them from others built alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title_end: Option<String>,
    /// How they begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title_start: Option<String>,
    /// The paths that its pages have, by hash.
    #[serde(serialize_with = "write_paths", deserialize_with = "read_paths")]
    paths: Vec<PathShare>,
}

/// A path, and the share of pages that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PathShare {
    /// The upper bits of its hash.
    path: u64,
    /// In fifteenths.
    share: u8,
}

/// So many bits of a hash tell a path from the few hundred thousand others of a site.
const PATH_BITS: u32 = 48;
const SHARES: u8 = 15;
/// Paths on a smaller share of the pages come from what is written on them.
const LEAST_SHARE: u8 = 2;
/// More paths than this tell nothing new; those on most pages are kept.
const MOST_PATHS: usize = 400;

fn short(path: u64) -> u64 {
    path >> (64 - PATH_BITS)
}

impl Fingerprint {
    /// The fingerprint of pages that belong together.
    pub(super) fn of<'f>(pages: impl Iterator<Item = &'f Features>, affix: Option<&Affix>) -> Self {
        let mut counts: RapidHashMap<u64, usize> = RapidHashMap::default();
        let mut count = 0;
        for page in pages {
            count += 1;
            page.paths
                .iter()
                .for_each(|&path| *counts.entry(short(path)).or_default() += 1);
        }
        let share = |seen: usize| {
            (seen * usize::from(SHARES))
                .div_ceil(count.max(1))
                .min(usize::from(SHARES)) as u8
        };
        let mut paths: Vec<PathShare> = counts
            .into_iter()
            .map(|(path, seen)| PathShare {
                path,
                share: share(seen),
            })
            .collect();
        paths.retain(|path| path.share >= LEAST_SHARE);
        paths.sort_unstable_by_key(|path| (std::cmp::Reverse(path.share), path.path));
        paths.truncate(MOST_PATHS);
        paths.sort_unstable();
        let (title_end, title_start) = match affix {
            Some(Affix::Suffix(end)) => (Some(end.clone()), None),
            Some(Affix::Prefix(start)) => (None, Some(start.clone())),
            None => (None, None),
        };
        Fingerprint {
            pages: count,
            title_end,
            title_start,
            paths,
        }
    }

    fn fits_title(&self, title: &str) -> bool {
        self.title_end
            .as_ref()
            .is_none_or(|end| title.ends_with(end.as_str()))
            && self
                .title_start
                .as_ref()
                .is_none_or(|start| title.starts_with(start.as_str()))
    }

    fn asks_for_title(&self) -> bool {
        self.title_end.is_some() || self.title_start.is_some()
    }

    /// How much of what the pages of two fingerprints are expected to have is the same, in
    /// thousandths.
    pub(crate) fn similarity(&self, other: &Fingerprint) -> u32 {
        let (mut shared, mut at) = (0, 0);
        for path in &self.paths {
            at += other.paths[at..]
                .iter()
                .take_while(|found| found.path < path.path)
                .count();
            let found = other.paths.get(at).filter(|found| found.path == path.path);
            shared += found.map_or(0, |found| u32::from(found.share.min(path.share)));
        }
        let sum = |paths: &[PathShare]| paths.iter().map(|path| u32::from(path.share)).sum::<u32>();
        (1000 * shared)
            .checked_div(sum(&self.paths) + sum(&other.paths) - shared)
            .unwrap_or(0)
    }

    /// The paths that its pages have, each with the share of pages that have it.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        self.paths
            .iter()
            .map(|path| (path.path, f64::from(path.share())))
    }

    /// How many paths a page is expected to have.
    fn expected(&self) -> f32 {
        self.paths.iter().map(|path| path.share()).sum()
    }
}

/// The paths of a page, as fingerprints have them.
pub(crate) fn paths_of(tree: &Tree<'_>) -> RapidHashSet<u64> {
    let mut paths = RapidHashSet::default();
    PathWalk::default().visit(tree, |path| {
        paths.insert(short(path));
    });
    paths
}

impl PathShare {
    fn share(self) -> f32 {
        f32::from(self.share) / f32::from(SHARES)
    }
}

/// `0f3a91b2c4d5f 17…`: twelve digits of each hash, and its share as the thirteenth.
fn write_paths<S: Serializer>(paths: &[PathShare], serializer: S) -> Result<S::Ok, S::Error> {
    let written: Vec<String> = paths
        .iter()
        .map(|path| format!("{:012x}{:x}", path.path, path.share))
        .collect();
    serializer.serialize_str(&written.join(" "))
}

fn read_paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathShare>, D::Error> {
    let written = String::deserialize(deserializer)?;
    let mut paths = Vec::new();
    for digits in written.split_ascii_whitespace() {
        let refused = || D::Error::custom(format!("{digits:?} is no path of a fingerprint"));
        let number = u64::from_str_radix(digits, 16).map_err(|_| refused())?;
        if digits.len() != PATH_BITS as usize / 4 + 1 || number & 0xF == 0 {
            return Err(refused());
        }
        paths.push(PathShare {
            path: number >> 4,
            share: (number & 0xF) as u8,
        });
    }
    if paths.len() > MOST_PATHS {
        return Err(D::Error::custom(format!(
            "a fingerprint has at most {MOST_PATHS} paths, not {}",
            paths.len()
        )));
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Which of several templates a page is of.
#[derive(Clone, Debug, Default)]
pub struct TemplateFinder {
    looks: Vec<Look>,
    /// The number of each path that a fingerprint has.
    numbers: RapidHashMap<u64, u32>,
    paths: Vec<KnownPath>,
    /// What paths say for single fingerprints, path after path.
    words: Vec<Word>,
}

/// What is known of a fingerprint.
#[derive(Clone, Debug)]
struct Look {
    fingerprint: Fingerprint,
    /// What a page without any of its paths says for it.
    base: f32,
    expected: f32,
}

/// What a path says if a page has it: the same for all fingerprints, but for some. The frame of a
/// site is in all of them, and costs one addition.
#[derive(Clone, Debug)]
struct KnownPath {
    for_all: Voice,
    /// Where the exceptions stand among the words.
    exceptions: Range<u32>,
}

/// What a path says for one fingerprint beyond what it says for all.
#[derive(Clone, Copy, Debug)]
struct Word {
    look: u32,
    voice: Voice,
}

/// What speaks for a fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Voice {
    /// How much more likely the page is of it.
    gain: f32,
    /// What both have in common.
    shared: f32,
}

impl Voice {
    /// Of a path that this share of the pages has.
    fn of(share: u8) -> Self {
        if share == 0 {
            return Voice::default();
        }
        let shared = f32::from(share) / f32::from(SHARES);
        let likely = shared.clamp(NEVER, 1.0 - NEVER);
        Voice {
            gain: (likely / (1.0 - likely)).ln() - NEVER.ln(),
            shared,
        }
    }

    fn and(self, other: Voice) -> Self {
        Voice {
            gain: self.gain + other.gain,
            shared: self.shared + other.shared,
        }
    }

    fn without(self, other: Voice) -> Self {
        Voice {
            gain: self.gain - other.gain,
            shared: self.shared - other.shared,
        }
    }
}

/// Where a page belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// To the template with this number.
    In(usize),
    /// To none of them; this one is the nearest.
    Near(usize),
    /// To none, and it has no more in common with any than any two pages have.
    Nowhere,
}

impl Placement {
    /// The number of the template that the page is of.
    pub fn template(self) -> Option<usize> {
        match self {
            Placement::In(look) => Some(look),
            _ => None,
        }
    }

    /// The same, or else of the template that it has most in common with.
    pub fn nearest(self) -> Option<usize> {
        match self {
            Placement::In(look) | Placement::Near(look) => Some(look),
            Placement::Nowhere => None,
        }
    }
}

fn decided(nearest: Option<(usize, f32)>) -> Placement {
    match nearest {
        Some((look, alike)) if alike >= ALIKE => Placement::In(look),
        Some((look, alike)) if alike >= RELATED => Placement::Near(look),
        _ => Placement::Nowhere,
    }
}

/// What is kept from page to page while pages are placed.
#[derive(Default)]
pub(crate) struct PlacingMemory {
    walk: PathWalk,
    /// The page on which each path was seen last.
    seen: Vec<u32>,
    page: u32,
    unknown: RapidHashSet<u64>,
    /// What the page says for each fingerprint.
    tallies: Vec<Voice>,
    /// The fingerprints that the last page speaks for most, the best first, and how much.
    best: Vec<(f32, usize)>,
    /// What the last page and the template it speaks for most have in common.
    alike: f32,
}

impl PlacingMemory {
    /// Whether the last page has so much of the template that it was placed in that rules made of
    /// other pages hold for it.
    pub fn is_certain(&self) -> bool {
        self.alike >= CERTAIN
    }

    /// The numbers of the templates that the last page has most in common with, the nearest first.
    pub fn nearest(&self) -> impl Iterator<Item = usize> + '_ {
        self.best.iter().map(|&(_, look)| look)
    }
}

/// A page is of a template if they have this share in common. Chosen on 116 labelled sites by the
/// program `placing` of `eval`: 0.973 of the pages of a site that were held back are placed, and
/// 0.001 of those of other sites; the two halves of the sites agree within 0.005.
const ALIKE: f32 = 0.3;
/// A template with less in common says nothing about a page: any two pages have a body with some
/// paragraphs. In the same table, one page of a hundred of a site has less in common with its own
/// template, and 97 of a hundred pages of other sites.
const RELATED: f32 = 0.1;
/// With this share in common, no doubt is left. On labelled pages every limit from 0.45 to 0.6 does
/// about as well: lower ones trust templates of other sites, higher ones doubt pages of the same.
const CERTAIN: f32 = 0.5;
/// No path is certain, nor impossible.
const NEVER: f32 = 0.02;
/// A title that does not fit counts as much as so many paths that should not be there.
const TITLE_WEIGHT: f32 = 2.0;
/// So many fingerprints are asked for their titles.
const TITLES_TRIED: usize = 8;

/// Less in common than this comes from adding and taking away.
const NOTHING: f32 = 1e-3;

/// The share that most fingerprints have of a path, 0 if more lack it; of equals the largest.
fn usual_share(holders: &[(u64, u32, u8)], looks: usize) -> u8 {
    let mut counts = [0; SHARES as usize + 1];
    counts[0] = looks - holders.len();
    holders
        .iter()
        .for_each(|holder| counts[usize::from(holder.2)] += 1);
    (0..=SHARES)
        .max_by_key(|&share| counts[usize::from(share)])
        .unwrap_or(0)
}

impl TemplateFinder {
    /// TemplateFinder for pages by some fingerprints, numbered as they come.
    pub fn new<'f>(fingerprints: impl IntoIterator<Item = &'f Fingerprint>) -> Self {
        let mut places = TemplateFinder::default();
        let mut by_path: Vec<(u64, u32, u8)> = Vec::new();
        for (look, fingerprint) in (0..).zip(fingerprints) {
            let missing = |path: &PathShare| (1.0 - path.share().clamp(NEVER, 1.0 - NEVER)).ln();
            let base = fingerprint.paths.iter().map(missing).sum();
            by_path.extend(
                fingerprint
                    .paths
                    .iter()
                    .map(|path| (path.path, look, path.share)),
            );
            places.looks.push(Look {
                base,
                expected: fingerprint.expected(),
                fingerprint: fingerprint.clone(),
            });
        }
        by_path.sort_unstable();
        for same in by_path.chunk_by(|a, b| a.0 == b.0) {
            places.add_path(same);
        }
        places
    }

    /// Takes up a path with the fingerprints that have it, in order, and the share of pages of
    /// each.
    fn add_path(&mut self, holders: &[(u64, u32, u8)]) {
        let most = usual_share(holders, self.looks.len());
        let for_all = Voice::of(most);
        let start = self.words.len() as u32;
        let mut holding = holders.iter().peekable();
        // Where the path is usual, those without it are exceptions too.
        let looks: &mut dyn Iterator<Item = u32> = if most > 0 {
            &mut (0..self.looks.len() as u32)
        } else {
            &mut holders.iter().map(|holder| holder.1)
        };
        for look in looks {
            let share = holding
                .next_if(|holder| holder.1 == look)
                .map_or(0, |holder| holder.2);
            if share != most {
                self.words.push(Word {
                    look,
                    voice: Voice::of(share).without(for_all),
                });
            }
        }
        self.numbers.insert(holders[0].0, self.paths.len() as u32);
        self.paths.push(KnownPath {
            for_all,
            exceptions: start..self.words.len() as u32,
        });
    }

    /// Whether there is no template.
    pub fn is_empty(&self) -> bool {
        self.looks.is_empty()
    }

    /// Decides on a page.
    pub fn place(&self, text: &Text) -> Placement {
        decided(self.nearest(text))
    }

    /// The template that a page speaks for most, and what share of both is the same, from 0 to 1.
    pub fn nearest(&self, text: &Text) -> Option<(usize, f32)> {
        self.nearest_of_tree(&Tree::new(text.as_str()), &mut PlacingMemory::default())
    }

    /// Decides on a page whose tree is there already.
    pub(crate) fn place_tree(&self, tree: &Tree<'_>, memory: &mut PlacingMemory) -> Placement {
        decided(self.nearest_of_tree(tree, memory))
    }

    fn nearest_of_tree(&self, tree: &Tree<'_>, memory: &mut PlacingMemory) -> Option<(usize, f32)> {
        let paths = self.tally(tree, memory);
        let PlacingMemory {
            tallies,
            best,
            alike,
            ..
        } = memory;
        let touched = tallies
            .iter()
            .enumerate()
            .filter(|(_, voice)| voice.shared > NOTHING);
        best.clear();
        best.extend(touched.map(|(look, voice)| (self.looks[look].base + voice.gain, look)));
        let order = |a: &(f32, usize), b: &(f32, usize)| {
            b.0.total_cmp(&a.0)
                .then_with(|| self.rank(a.1).cmp(&self.rank(b.1)))
        };
        if best.len() > TITLES_TRIED {
            best.select_nth_unstable_by(TITLES_TRIED, order);
            best.truncate(TITLES_TRIED);
        }
        best.sort_by(order);
        let look = self.by_title(tree, best)?;
        let shared = tallies[look].shared;
        *alike = shared / (paths as f32 + self.looks[look].expected - shared);
        Some((look, *alike))
    }

    /// Of equals, the fingerprint of more pages counts, whatever the order.
    fn rank(&self, look: usize) -> impl Ord + use<'_> {
        let fingerprint = &self.looks[look].fingerprint;
        (
            std::cmp::Reverse(fingerprint.pages),
            &fingerprint.paths,
            &fingerprint.title_end,
            &fingerprint.title_start,
        )
    }

    /// Adds up what the page says for each fingerprint; gives the number of different paths it has.
    fn tally(&self, tree: &Tree<'_>, memory: &mut PlacingMemory) -> usize {
        let PlacingMemory {
            walk,
            seen,
            page,
            unknown,
            tallies,
            ..
        } = memory;
        if seen.len() != self.paths.len() || *page == u32::MAX {
            *seen = vec![0; self.paths.len()];
            *page = 0;
        }
        *page += 1;
        unknown.clear();
        tallies.clear();
        tallies.resize(self.looks.len(), Voice::default());
        let (mut known, mut last, mut for_all) = (0, None, Voice::default());
        walk.visit(tree, |path| {
            // Neighbours are often alike.
            if last.replace(path) == Some(path) {
                return;
            }
            let Some(&number) = self.numbers.get(&short(path)) else {
                unknown.insert(path);
                return;
            };
            if std::mem::replace(&mut seen[number as usize], *page) == *page {
                return;
            }
            known += 1;
            let path = &self.paths[number as usize];
            for_all = for_all.and(path.for_all);
            for word in &self.words[path.exceptions.start as usize..path.exceptions.end as usize] {
                let tally = &mut tallies[word.look as usize];
                *tally = tally.and(word.voice);
            }
        });
        tallies
            .iter_mut()
            .for_each(|tally| *tally = tally.and(for_all));
        known + unknown.len()
    }

    /// The best fingerprint, those set back whose titles are others.
    fn by_title(&self, tree: &Tree<'_>, best: &[(f32, usize)]) -> Option<usize> {
        let first = best.first()?.1;
        if !best
            .iter()
            .any(|&(_, look)| self.looks[look].fingerprint.asks_for_title())
        {
            return Some(first);
        }
        let title = super::features::title(tree);
        let judged = best.iter().map(|&(score, look)| {
            let fits = self.looks[look].fingerprint.fits_title(&title);
            (
                if fits {
                    score
                } else {
                    score + TITLE_WEIGHT * NEVER.ln()
                },
                look,
            )
        });
        judged
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|(_, look)| look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let paths = vec![
            PathShare {
                path: 0x0123_4567_89AB,
                share: 15,
            },
            PathShare {
                path: 0xFFFF_0000_0001,
                share: 2,
            },
        ];
        let fingerprint = Fingerprint {
            pages: 3,
            title_end: Some(" - Shop".to_owned()),
            title_start: None,
            paths,
        };
        let json = serde_json::to_string(&fingerprint).unwrap();
        assert_eq!(
            json,
            r#"{"pages":3,"title_end":" - Shop","paths":"0123456789abf ffff000000012"}"#
        );
        assert_eq!(
            serde_json::from_str::<Fingerprint>(&json).unwrap(),
            fingerprint
        );
    }

    #[test]
    fn what_any_two_pages_share_says_nothing() {
        let decide = |alike| decided(Some((7, alike)));
        assert_eq!(
            [decide(0.31), decide(0.11), decide(0.09)],
            [Placement::In(7), Placement::Near(7), Placement::Nowhere]
        );
        assert_eq!(decided(None), Placement::Nowhere);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for paths in ["zz", "0123456789ab0", "0123456789abff"] {
            let json = format!(r#"{{"pages":3,"paths":"{paths}"}}"#);
            let error = serde_json::from_str::<Fingerprint>(&json)
                .unwrap_err()
                .to_string();
            assert!(error.contains("is no path of a fingerprint"), "{error}");
        }
    }
}
