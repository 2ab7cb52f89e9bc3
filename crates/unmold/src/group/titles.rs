//! Do the pages themselves say that they are of several kinds?
//!
//! Pages of two kinds can be built almost alike: the questions someone asked and the articles
//! someone wrote, in the same frame, on the same site. Their titles then differ in what the
//! template wrote: `Ann's questions - Site`, `Ann's articles - Site`. Titles alone would also
//! divide hardcovers from paperbacks, so two witnesses are needed: a class of titles becomes a
//! group of its own only if its pages are also built of something that the other pages lack, or if
//! their [addresses](super::address) are made otherwise: a list of all threads and a list of the
//! unanswered ones are built the same, but `Lamps unanswered - Site` stands at `/filter/7` and
//! `Lamps - Site` at `/7`.

use super::{
    address::{Address, DEPTH, Segment},
    template::{Profile, is_hardly_there},
};
use std::collections::BTreeMap;

/// An end or a beginning that titles share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Affix {
    /// They end so.
    Suffix(String),
    /// They begin so.
    Prefix(String),
}

impl Affix {
    pub fn fits(&self, title: &str) -> bool {
        match self {
            Affix::Suffix(end) => title.ends_with(end.as_str()),
            Affix::Prefix(start) => title.starts_with(start.as_str()),
        }
    }
}

/// A class of titles needs this many pages: two may agree by chance.
const FEWEST: usize = 3;

/// And it needs one page in this many of the group: page types are few, while copies and
/// translations of single pages, which also share title and structure, are many.
const LEAST_SHARE: usize = 20;

/// A page of a group: which one it is, its title, its address and its paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Titled<'a> {
    pub page: usize,
    pub title: &'a str,
    pub address: &'a Address,
    pub paths: &'a [u64],
}

/// Divides a group where titles and structure agree that it should be; each part with the titles'
/// affix.
pub(super) fn divided(pages: &[Titled<'_>]) -> Vec<(Vec<usize>, Option<Affix>)> {
    let parts = divided_by(pages, End::Back).or_else(|| divided_by(pages, End::Front));
    let parts = parts.or_else(|| divided_by_address(pages));
    let Some(parts) = parts else {
        return vec![(pages.iter().map(|page| page.page).collect(), None)];
    };
    let deeper = |(part, affix): (Vec<Titled<'_>>, Option<Affix>)| {
        divided(&part)
            .into_iter()
            .map(move |(pages, inner)| (pages, inner.or(affix.clone())))
    };
    parts.into_iter().flat_map(deeper).collect()
}

/// Which end of the titles is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Back,
    Front,
}

type Part<'a> = (Vec<Titled<'a>>, Option<Affix>);

/// The parts by one end of the titles, or nothing if there is only one.
fn divided_by<'a>(pages: &[Titled<'a>], end: End) -> Option<Vec<Part<'a>>> {
    let classes = classes(pages, end);
    let fewest = FEWEST.max(pages.len().div_ceil(LEAST_SHARE));
    let (large, small): (Vec<_>, Vec<_>) = classes
        .into_iter()
        .partition(|(_, class)| class.len() >= fewest);
    let covered: usize = large.iter().map(|(_, class)| class.len()).sum();
    // Where one title in ten fits no class, the classes are of the content: people, brands, years.
    if large.len() < 2 || covered * 10 < pages.len() * 9 {
        return None;
    }
    let all = profile(pages);
    let (apart, same): (Vec<_>, Vec<_>) = large
        .into_iter()
        .partition(|(_, class)| stands_apart(class, &all));
    let rest: Vec<Titled<'a>> = same
        .into_iter()
        .chain(small)
        .flat_map(|(_, class)| class)
        .collect();
    let mut parts: Vec<Part<'a>> = apart
        .into_iter()
        .map(|(affix, class)| (class, affix))
        .collect();
    match rest[..] {
        [] => {}
        // A single page is no group; it stays with the first.
        [single] => parts.first_mut()?.0.push(single),
        _ => parts.push((rest, None)),
    }
    (parts.len() > 1).then_some(parts)
}

/// Two parts whose addresses are made otherwise, if one of them has an end or a beginning of titles
/// for itself.
fn divided_by_address<'a>(pages: &[Titled<'a>]) -> Option<Vec<Part<'a>>> {
    let fewest = FEWEST.max(pages.len().div_ceil(LEAST_SHARE));
    let ways = (0..DEPTH).flat_map(|place| Segment::ALL.map(|segment| (place, segment)));
    let mut affixes = ways.filter_map(|(place, segment)| {
        let known = pages
            .iter()
            .filter(|page| page.address.segment(place).is_some());
        let (class, others): (Vec<_>, Vec<_>) =
            known.partition(|page| page.address.segment(place) == Some(segment));
        let is_large = class.len() >= fewest && others.len() >= fewest;
        if is_large {
            own_affix(&class, &others)
        } else {
            None
        }
    });
    let affix = affixes.next()?;
    let (class, rest): (Vec<Titled<'a>>, Vec<Titled<'a>>) =
        pages.iter().partition(|page| affix.fits(page.title));
    Some(vec![(class, Some(affix)), (rest, None)])
}

/// What all titles of a class end or begin with and next to none of the others.
fn own_affix(class: &[&Titled<'_>], others: &[&Titled<'_>]) -> Option<Affix> {
    let mut affixes = [End::Back, End::Front].into_iter().filter_map(|end| {
        let shared = shared(class.iter().map(|page| from_end(page.title, end)));
        affix(&shared, end).filter(|_| shared.iter().any(|c| c.is_alphanumeric()))
    });
    affixes.find(|affix| {
        let fitting = others.iter().filter(|page| affix.fits(page.title)).count();
        is_hardly_there(fitting, others.len())
    })
}

fn profile(pages: &[Titled<'_>]) -> Profile {
    Profile::of(pages.iter().map(|page| page.paths))
}

/// Whether the pages of a class are built of something that the others lack: three paths, and one
/// in fifty.
fn stands_apart(class: &[Titled<'_>], all: &Profile) -> bool {
    let class = profile(class);
    let rest = all.without(&class);
    let own = class.own(&rest);
    rest.pages() >= FEWEST && own >= 3 && own * 50 >= all.paths_per_page()
}

/// The pages by the longest end that their title shares with two others.
fn classes<'a>(pages: &[Titled<'a>], end: End) -> Vec<(Option<Affix>, Vec<Titled<'a>>)> {
    let mut sorted: Vec<(Vec<char>, Titled<'a>)> = pages
        .iter()
        .map(|&page| (from_end(page.title, end), page))
        .collect();
    sorted.sort_by(|one, other| (&one.0, one.1.page).cmp(&(&other.0, other.1.page)));
    let shared: Vec<usize> = sorted
        .windows(2)
        .map(|two| common(&two[0].0, &two[1].0))
        .collect();
    let mut classes: BTreeMap<Vec<char>, Vec<Titled<'a>>> = BTreeMap::new();
    for (at, (title, page)) in sorted.iter().enumerate() {
        let length = whole_words(title, shared_with_two(&shared, at));
        classes
            .entry(title[..length].to_vec())
            .or_default()
            .push(*page);
    }
    classes
        .into_iter()
        .map(|(key, class)| (affix(&key, end), class))
        .collect()
}

fn from_end(title: &str, end: End) -> Vec<char> {
    match end {
        End::Back => title.chars().rev().collect(),
        End::Front => title.chars().collect(),
    }
}

fn affix(key: &[char], end: End) -> Option<Affix> {
    (!key.is_empty()).then(|| match end {
        End::Back => Affix::Suffix(key.iter().rev().collect()),
        End::Front => Affix::Prefix(key.iter().collect()),
    })
}

fn common(one: &[char], other: &[char]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// What all of some titles begin with, in whole words.
pub(super) fn shared(mut titles: impl Iterator<Item = Vec<char>>) -> Vec<char> {
    let Some(mut first) = titles.next() else {
        return Vec::new();
    };
    for title in titles {
        let length = common(&first, &title).min(whole_words(&title, common(&first, &title)));
        first.truncate(whole_words(&first, length));
    }
    first
}

/// How much the title in a sorted place shares with at least two others; `shared` is between
/// neighbours.
fn shared_with_two(shared: &[usize], at: usize) -> usize {
    let both = |first: usize| Some((*shared.get(first)?).min(*shared.get(first + 1)?));
    let firsts = [at.checked_sub(2), at.checked_sub(1), Some(at)];
    firsts
        .into_iter()
        .flatten()
        .filter_map(both)
        .max()
        .unwrap_or(0)
}

/// The part of `length` that does not end inside a word. Scripts that write no spaces have no such
/// places.
fn whole_words(title: &[char], length: usize) -> usize {
    let in_word = |at: usize| {
        title
            .get(at)
            .is_some_and(|c| c.is_alphanumeric() && *c < '\u{2E80}')
    };
    (0..=length)
        .rev()
        .find(|&end| end == 0 || !(in_word(end) && in_word(end - 1)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(pages: &[(&str, &[u64])]) -> Vec<(Vec<usize>, Option<Affix>)> {
        let titled: Vec<Titled<'_>> = pages
            .iter()
            .enumerate()
            .map(|(page, &(title, paths))| Titled {
                page,
                title,
                address: &NOWHERE,
                paths,
            })
            .collect();
        divided(&titled)
    }

    static NOWHERE: Address = Address {
        site: None,
        route: Vec::new(),
    };

    const ASKS: &[u64] = &[1, 2, 10, 11, 12];
    const POSTS: &[u64] = &[1, 2, 20, 21, 22];

    #[test]
    fn titles_and_structure_agree() {
        let pages = [
            ("Ann asks - S", ASKS),
            ("Bob asks - S", ASKS),
            ("Cy asks - S", ASKS),
            ("Ann posts - S", POSTS),
            ("Bob posts - S", POSTS),
            ("Di posts - S", POSTS),
        ];
        let parts = parts(&pages);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].1, Some(Affix::Suffix(" asks - S".into())));
        assert!(parts[0].0.iter().all(|&page| page < 3));
    }

    #[test]
    fn titles_alone_divide_nothing() {
        let pages = [
            ("A (Paperback)", ASKS),
            ("B (Paperback)", ASKS),
            ("C (Paperback)", ASKS),
            ("D (Hardcover)", ASKS),
            ("E (Hardcover)", ASKS),
            ("F (Hardcover)", ASKS),
        ];
        assert_eq!(parts(&pages).len(), 1);
    }

    #[test]
    fn structure_alone_divides_nothing() {
        let titles = ["Monday", "Tuesday", "Friday", "Rome", "Oslo", "Bern"];
        let pages: Vec<(&str, &[u64])> = titles
            .iter()
            .enumerate()
            .map(|(at, &title)| (title, if at < 3 { ASKS } else { POSTS }))
            .collect();
        assert_eq!(parts(&pages).len(), 1);
    }

    #[test]
    fn titles_and_addresses_agree() {
        let at = |segment| Address {
            site: None,
            route: vec![segment],
        };
        let (lists, filters) = (at(Segment::Number), at(Segment::Word));
        let page = |page, title, address| Titled {
            page,
            title,
            address,
            paths: ASKS,
        };
        let titles = [
            "Lamps - S",
            "Mats - S",
            "Beds - S",
            "Mats new - S",
            "Lamps new - S",
            "Rugs new - S",
            "Beds new - S",
        ];
        let of = |at: usize| if at < 3 { &lists } else { &filters };
        let mut pages: Vec<Titled<'_>> = (0..7).map(|at| page(at, titles[at], of(at))).collect();
        pages[6].address = &NOWHERE;
        let parts = divided(&pages);
        assert_eq!(
            parts[0],
            (vec![3, 4, 5, 6], Some(Affix::Suffix(" new - S".into()))),
            "also a page of no known address"
        );
        pages.iter_mut().for_each(|page| page.address = &lists);
        assert_eq!(divided(&pages).len(), 1);
    }

    #[test]
    fn shared_ends_stop_between_words() {
        let title: Vec<char> = "tneduts retsaM".chars().collect();
        assert_eq!(whole_words(&title, 3), 0);
        assert_eq!(whole_words(&title, 9), 8);
        assert_eq!(whole_words(&['问', '提'], 1), 1);
    }
}
