//! Between which strings do the values stand?
//!
//! An LR wrapper is a set of [`Rule`]s, each a left and a right delimiter: a value is what stands
//! between them. [`learn`] makes them without examples. Wherever the pages are not template (by
//! [`cut_point`](crate::papers::cut_point)), it takes the nearest tag or space before and after,
//! and lengthens the more frequent of the two, a tag or a space at a time, until both occur equally
//! often on the page:
//!
//! ```
//! use unmold::{Span, Text, lr};
//!
//! let page = "<p><b>Congo</b> <i>242</i><p><b>Egypt</b> <i>20</i><p>";
//! // Only the numbers are known to be content.
//! let content = [[19, 22], [45, 47]].map(|[start, end]| Span::new(start, end));
//! let rules = lr::learn(&[Text::from_string("1", page)], &[content.to_vec()]);
//! assert_eq!((rules[0].left.as_str(), rules[0].right.as_str()), (" <i>", "</i><p>"));
//! ```
//!
//! (`<i>` and `</i>` are mirror images, which occur equally often on any page and separate nothing;
//! so both were lengthened once more.)
//!
//! Rules that give values on fewer than half of the pages are dropped. Letters may be part of a
//! delimiter, as in the paper's `<font color="#8b0000">■</font><b>`; values may be hidden ones, in
//! `<meta>` and comments; tags may have names in any script. Case and attributes count, as in the
//! paper.
//!
//! # Paper
//!
//! Y. Yamada, D. Ikeda, S. Hirokawa, *Detecting Common Parts and Wrapper Generation for
//! Multilingual Web Documents Using Alternation Counts*, 2004, section 3.
//!
//! # Cost
//!
//! Delimiters are counted in an index of their page, once for each different delimiter; a page
//! costs what its index costs, and a little for each content part. Delimiters that grow beyond 4 KB
//! are given up, and those of a page are no more than four times as long as the page together:
//! pages that repeat a word without end would have longer ones, and as many as they have words.
//!
//! Of more than 200 pages, 200 spread over them are asked for rules; all are tried. On how many
//! pages delimiters stand is counted at the cost of the pages. Then rules are tried on all pages,
//! those with the most frequent delimiters first, until the best 2,000 are known.

use super::{Rule, apply::Finder, delimiters::Delimiters, rule::MOST_RULES};
use crate::{
    Span, Text,
    read::{html::visible_text, pool::Pool},
    symbols::{encode::bytes, index::Index},
};
use rapidhash::fast::RandomState;
use rayon::prelude::*;
use std::{
    borrow::Borrow,
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Makes rules from pages and their content parts, in the order in which the pages first need them.
///
/// # Panics
/// When there are not as many lists of parts as pages.
pub fn learn<T: Borrow<Text> + Sync>(texts: &[T], content: &[Vec<Span>]) -> Vec<Rule> {
    let candidates = candidates(texts, content);
    let mut ranked = ranked(&candidates, texts, usize::MAX);
    ranked.sort_unstable_by_key(|&(_, number)| number);
    ranked
        .into_iter()
        .map(|(_, number)| candidates[number].rule.clone())
        .collect()
}

/// A rule, and what is known of it from the pages that it was learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedRule {
    /// The rule.
    pub rule: Rule,
    /// The share of pages that it gives a value on.
    pub fill: f64,
    /// Values that it gives.
    pub samples: Vec<String>,
}

/// Makes rules as [`learn`] does, those of most pages first, with what is known of them; at most
/// 2,000.
///
/// # Panics
/// When there are not as many lists of parts as pages.
pub fn learn_ranked<T: Borrow<Text> + Sync>(
    texts: &[T],
    content: &[Vec<Span>],
) -> Vec<LearnedRule> {
    let candidates = candidates(texts, content);
    let ranked = ranked(&candidates, texts, MOST_RULES);
    let rules: Vec<Rule> = ranked
        .iter()
        .map(|&(_, number)| candidates[number].rule.clone())
        .collect();
    let samples = samples(&Finder::new(&rules), texts, rules.len());
    let learned = rules.into_iter().zip(samples).zip(ranked).map(
        |((rule, samples), (Reverse(filled), _))| LearnedRule {
            rule,
            fill: filled as f64 / texts.len() as f64,
            samples,
        },
    );
    learned.collect()
}

/// The first values of each rule on the first pages.
fn samples<T: Borrow<Text>>(finder: &Finder, texts: &[T], rules: usize) -> Vec<Vec<String>> {
    const SAMPLES: usize = 3;
    let mut samples = vec![Vec::new(); rules];
    for text in texts.iter().take(SAMPLES) {
        for (values, samples) in finder
            .apply(text.borrow().as_str())
            .iter()
            .zip(&mut samples)
        {
            samples.extend(
                values
                    .first()
                    .map(|value| visible_text(value.of(text.borrow().as_str()))),
            );
        }
    }
    samples
}

/// A rule that some page asks for.
struct Candidate {
    rule: Rule,
    /// It gives values on no more pages: on so many stands the rarer of its delimiters.
    most: usize,
}

/// So many pages, spread over all, are asked for rules. A rule that holds for half of the pages is
/// one that nearly every page asks for.
const ASKED: usize = 200;

/// The rules that pages ask for, in order, but for those that cannot give values on half of the
/// pages.
fn candidates<T: Borrow<Text> + Sync>(texts: &[T], content: &[Vec<Span>]) -> Vec<Candidate> {
    assert_eq!(
        texts.len(),
        content.len(),
        "each page has its content parts"
    );
    let asked: Vec<(&T, &Vec<Span>)> = texts.iter().zip(content).collect();
    let asked: Vec<_> = asked
        .iter()
        .step_by(asked.len().div_ceil(ASKED).max(1))
        .collect();
    let by_page: Vec<Vec<Rule>> = asked
        .par_iter()
        .map(|(text, parts)| rules_of_page((*text).borrow(), parts))
        .collect();
    let rules = without_duplicates(by_page.into_iter().flatten());
    let delimiters = Delimiters::new(
        rules
            .iter()
            .flat_map(|rule| [rule.left.as_str(), rule.right.as_str()]),
    );
    let pages = pages_with(&delimiters, texts);
    let pages = |delimiter: &str| pages[delimiters.number(delimiter)];
    let most = |rule: &Rule| pages(&rule.left).min(pages(&rule.right));
    let candidates = rules.into_iter().map(|rule| Candidate {
        most: most(&rule),
        rule,
    });
    candidates
        .filter(|candidate| 2 * candidate.most >= texts.len())
        .collect()
}

fn without_duplicates(rules: impl Iterator<Item = Rule>) -> Vec<Rule> {
    let mut seen = HashSet::with_hasher(RandomState::new());
    rules.filter(|rule| seen.insert(rule.clone())).collect()
}

/// On how many pages each delimiter stands.
fn pages_with<T: Borrow<Text> + Sync>(delimiters: &Delimiters, texts: &[T]) -> Vec<usize> {
    let pages: Vec<AtomicUsize> = (0..delimiters.len()).map(|_| AtomicUsize::new(0)).collect();
    let memories = Pool::default();
    texts.par_iter().for_each(|text| {
        for number in memories.lend(|memory| delimiters.find_any(text.borrow().as_str(), memory)) {
            pages[number as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    pages.into_iter().map(AtomicUsize::into_inner).collect()
}

/// On how many pages a candidate gives values, and its number. Better ones come first.
type Rank = (Reverse<usize>, usize);

/// The candidates that give values on half of the pages, the best first, as many as are wanted.
///
/// Every page asks for rules of its own, so that trying each rule on each page would take the
/// square of the pages. They are tried in the order of what they may come to, until none that is
/// left can be among the wanted ones.
fn ranked<T: Borrow<Text> + Sync>(
    candidates: &[Candidate],
    texts: &[T],
    wanted: usize,
) -> Vec<Rank> {
    let mut hopes: Vec<Rank> = candidates
        .iter()
        .map(|candidate| Reverse(candidate.most))
        .zip(0..)
        .collect();
    hopes.sort_unstable();
    let mut left = hopes.as_slice();
    let mut ranked: Vec<Rank> = Vec::new();
    while !left.is_empty() && ranked.get(wanted - 1).is_none_or(|last| left[0] < *last) {
        let tried = hopes.len() - left.len();
        let (batch, rest) = left.split_at(left.len().min(wanted.max(tried)));
        let filled = pages_filled(
            batch.iter().map(|&(_, number)| &candidates[number].rule),
            texts,
        );
        let ranks = filled
            .into_iter()
            .map(Reverse)
            .zip(batch.iter().map(|&(_, number)| number));
        ranked.extend(ranks.filter(|(Reverse(filled), _)| 2 * filled >= texts.len()));
        ranked.sort_unstable();
        left = rest;
    }
    ranked.truncate(wanted);
    ranked
}

/// On how many pages each rule gives a value.
fn pages_filled<'r, T: Borrow<Text> + Sync>(
    rules: impl Iterator<Item = &'r Rule>,
    texts: &[T],
) -> Vec<usize> {
    let rules: Vec<Rule> = rules.cloned().collect();
    let finder = Finder::new(&rules);
    let filled = |text: &T| -> Vec<usize> {
        finder
            .gives_values(text.borrow().as_str())
            .map(usize::from)
            .collect()
    };
    let add = |a: Vec<usize>, b: Vec<usize>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    texts
        .par_iter()
        .map(filled)
        .reduce(|| vec![0; rules.len()], add)
}

fn rules_of_page(text: &Text, parts: &[Span]) -> Vec<Rule> {
    let Ok(mut counter) = Counter::new(text) else {
        return Vec::new();
    };
    let mut room = ROOM * text.as_str().len();
    let rules = parts.iter().map_while(|part| {
        let rule = (room > 0).then(|| rule_for(text.as_str(), *part, &mut counter))?;
        room = room.saturating_sub(
            rule.as_ref()
                .map_or(GIVEN_UP, |rule| rule.left.len() + rule.right.len()),
        );
        Some(rule)
    });
    without_duplicates(rules.flatten())
}

/// The rules of a page are no more than so many times as long as the page; pages of distinct parts
/// have shorter ones.
const ROOM: usize = 4;
/// A delimiter that grows longer separates nothing.
const LONGEST: usize = 4096;
/// A part without a rule costs as much as this many bytes of one.
const GIVEN_UP: usize = 64;

/// The rule that a content part asks for, unless the page ends before it is found.
fn rule_for(page: &str, part: Span, counter: &mut Counter<'_>) -> Option<Rule> {
    let left_end = nearest_left_end(page, part.start as usize)?;
    let mut left = longer_left(page, left_end)?;
    let right_start = nearest_right_start(page, part.end as usize)?;
    let mut right = longer_right(page, right_start)?;
    loop {
        let (l, r) = (&page[left..left_end], &page[right_start..right]);
        let (left_count, right_count) = (
            counter.count(left..left_end),
            counter.count(right_start..right),
        );
        if left_count == right_count && l != r && !mirror(l, r) {
            return Some(Rule {
                left: l.to_owned(),
                right: r.to_owned(),
            });
        }
        if l.len().max(r.len()) > LONGEST {
            return None;
        }
        if left_count >= right_count {
            left = longer_left(page, left)?;
        }
        if right_count >= left_count {
            right = longer_right(page, right)?;
        }
    }
}

/// The characters that end a left delimiter.
fn ends_left(byte: u8) -> bool {
    matches!(byte, b'>' | b'\n' | b'\t' | b' ')
}

/// The characters that begin a right delimiter.
fn begins_right(byte: u8) -> bool {
    matches!(byte, b'<' | b'\n' | b'\t' | b' ')
}

/// One past the nearest boundary character before a place.
fn nearest_left_end(page: &str, at: usize) -> Option<usize> {
    page.as_bytes()[..at]
        .iter()
        .rposition(|&byte| ends_left(byte))
        .map(|found| found + 1)
}

/// The nearest boundary character from a place on.
fn nearest_right_start(page: &str, at: usize) -> Option<usize> {
    page.as_bytes()[at..]
        .iter()
        .position(|&byte| begins_right(byte))
        .map(|found| at + found)
}

/// Where a delimiter begins that goes back from `start` over one more tag or space, and over what
/// stands between.
fn longer_left(page: &str, start: usize) -> Option<usize> {
    let boundary = nearest_left_end(page, start)? - 1;
    if page.as_bytes()[boundary] == b'>' {
        page[..boundary].rfind('<')
    } else {
        Some(boundary)
    }
}

/// Where a delimiter ends that goes on from `end` over one more tag or space, and over what stands
/// between.
fn longer_right(page: &str, end: usize) -> Option<usize> {
    let boundary = nearest_right_start(page, end)?;
    if page.as_bytes()[boundary] == b'<' {
        page[boundary..].find('>').map(|at| boundary + at + 1)
    } else {
        Some(boundary + 1)
    }
}

/// Whether two delimiters correspond as tags: `<a><b>` and `</b></a>`.
fn mirror(left: &str, right: &str) -> bool {
    let (opened, closed) = (tag_names(left, "<"), tag_names(right, "</"));
    matches!((opened, closed), (Some(opened), Some(closed)) if opened.iter().eq(closed.iter().rev()))
}

/// The names of the tags that a string consists of, if it consists of nothing else but blanks.
///
/// Not by the tokeniser: the paper knows no markup language but that tags stand between `<` and
/// `>`.
fn tag_names<'s>(string: &'s str, opening: &str) -> Option<Vec<&'s str>> {
    let mut names = Vec::new();
    let mut rest = string.trim();
    while !rest.is_empty() {
        let (tag, after) = rest.strip_prefix(opening)?.split_once('>')?;
        let name = tag
            .split_whitespace()
            .next()
            .filter(|name| !name.starts_with('/'))?;
        names.push(name);
        rest = after.trim_start();
    }
    (!names.is_empty()).then_some(names)
}

/// How often strings of a page occur on it, by an index of the page.
struct Counter<'t> {
    page: &'t str,
    index: Index,
    row_of: Vec<u32>,
    known: HashMap<&'t str, usize, RandomState>,
}

impl<'t> Counter<'t> {
    fn new(text: &'t Text) -> Result<Self, crate::symbols::index::IndexError> {
        let index = Index::new(bytes::encode(std::slice::from_ref(text)))?;
        let mut row_of = vec![0; index.len()];
        (0..index.len()).for_each(|row| row_of[index.suffix(row)] = row as u32);
        Ok(Counter {
            page: text.as_str(),
            index,
            row_of,
            known: HashMap::default(),
        })
    }

    /// How often the string that stands at a place occurs anywhere on the page.
    fn count(&mut self, place: std::ops::Range<usize>) -> usize {
        let Counter {
            page,
            index,
            row_of,
            known,
        } = self;
        *known.entry(&page[place.clone()]).or_insert_with(|| {
            let row = row_of[place.start] as usize;
            let shares = |row: &usize| index.lcp(*row) >= place.len();
            let before = (1..=row).rev().take_while(shares).count();
            let after = (row + 1..index.len()).take_while(shares).count();
            before + 1 + after
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(page: &str, value: &str) -> Option<(String, String)> {
        let text = Text::from_string("page", page);
        let start = page.find(value).unwrap();
        let part = Span::new(start, start + value.len());
        rule_for(page, part, &mut Counter::new(&text).unwrap()).map(|rule| (rule.left, rule.right))
    }

    #[test]
    fn the_more_frequent_delimiter_is_lengthened() {
        // `<td>` occurs three times, `<hr>` once.
        let page = "<td>a<td>b<tr><td>VALUE<hr>c";
        assert_eq!(
            rule(page, "VALUE"),
            Some(("<tr><td>".into(), "<hr>".into()))
        );
    }

    #[test]
    fn letters_between_tags_become_part_of_a_delimiter() {
        let page = "<b>x</b><font>■</font><b>VALUE</b></font><b>y</b>";
        let (left, _) = rule(page, "VALUE").unwrap();
        assert_eq!(left, "<font>■</font><b>");
    }

    #[test]
    fn values_grow_to_the_nearest_tags_where_their_ends_are_template() {
        // Only the middle of the value was found to be content.
        let page = "<p>中国の反発もあ<hr><p>他<hr><br>";
        assert_eq!(rule(page, "反発"), Some(("<p>".into(), "<hr>".into())));
    }

    #[test]
    fn equal_and_mirrored_delimiters_are_lengthened_on_both_sides() {
        assert_eq!(
            rule("<i><b>VALUE</b></i><u>", "VALUE"),
            None,
            "the page ends first"
        );
        assert_eq!(
            rule("<u>x<i><b>VALUE</b></i><p>", "VALUE"),
            Some(("<u>x<i><b>".into(), "</b></i><p>".into()))
        );
        assert_eq!(rule("\n\nVALUE\n\n<p>", "VALUE"), None);
    }

    #[test]
    fn tags_in_any_script() {
        let page = "<?xml version='1.0'?><表><苗字>VALUE</苗字><名前>太郎</名前></表>";
        assert_eq!(
            rule(page, "VALUE"),
            Some(("<表><苗字>".into(), "</苗字><名前>".into()))
        );
    }

    #[test]
    fn rules_for_a_minority_of_pages_are_dropped() {
        let pages = [
            "<h1>a</h1><p>",
            "<h1>b</h1><p>",
            "<h1>c</h1><p><u>x<i>rare</i><hr>",
        ];
        let texts = pages.map(|page| Text::from_string("page", page));
        let span = |page: &str, value: &str| {
            let start = page.find(value).unwrap();
            Span::new(start, start + value.len())
        };
        let content = [
            vec![span(pages[0], "a")],
            vec![span(pages[1], "b")],
            vec![span(pages[2], "rare")],
        ];
        assert_eq!(learn(&texts, &content), []);
    }

    /// A page that lacks some values and has others between the same tags the other way round,
    /// where they are not found.
    fn page_with_gaps(page: usize) -> Text {
        let value = |number: usize| match (page * (number + 1) + number) % 11 {
            0 | 1 => String::new(),
            2 => format!("<b{number}>v<a{number}>"),
            _ => format!("<a{number}>v<b{number}>"),
        };
        Text::from_string("page", (0..30).map(value).collect::<String>())
    }

    #[test]
    fn the_best_are_found_without_trying_all() {
        let texts: Vec<Text> = (0..9).map(page_with_gaps).collect();
        let values = |text: &Text| {
            text.as_str()
                .match_indices('v')
                .map(|(at, _)| Span::new(at, at + 1))
                .collect()
        };
        let content: Vec<Vec<Span>> = texts.iter().map(values).collect();
        let candidates = candidates(&texts, &content);
        let all = ranked(&candidates, &texts, usize::MAX);
        assert!(
            all.len() > 20 && all[0].0 != all[all.len() - 1].0,
            "{all:?}"
        );
        for wanted in 1..=all.len() {
            assert_eq!(ranked(&candidates, &texts, wanted), all[..wanted]);
        }
    }
}
