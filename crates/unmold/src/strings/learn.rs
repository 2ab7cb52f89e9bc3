//! From pages to template strings.

use super::{
    apply::Finder,
    rule::{Template, TemplateString, patterns},
};
use crate::{
    Span, Text,
    papers::documents::{self, Maximal, Settings},
    read::mutable::Mutables,
    symbols::{
        encode::{Flat, flat::SPACED},
        index::{Index, IndexError},
    },
};
use rayon::prelude::*;
use std::{
    borrow::Borrow,
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    ops::Range,
};

/// Learns the template of pages that share one.
///
/// ```
/// use unmold::{Text, papers::documents::Settings, read::mutable::Mutables, strings};
///
/// let pages = ["Rain falls", "Sun shines", "Wind blows", "Snow melts"].map(|news| {
///     let minutes = news.len() * 6;
///     Text::from_string(news, format!("# Permanent link | no responses | {news} | Read in {minutes} minutes"))
/// });
/// let template = strings::learn(&pages, &Mutables::common(), &Settings::default())?;
/// let strings: Vec<_> = template.strings.iter().map(|string| string.string.as_str()).collect();
/// assert_eq!(strings, ["# Permanent link | no responses |", "| Read in {number} minutes"]);
/// # Ok::<(), unmold::symbols::index::IndexError>(())
/// ```
///
/// # Errors
/// When memory runs out.
pub fn learn<T: Borrow<Text> + Sync>(
    texts: &[T],
    mutables: &Mutables,
    settings: &Settings,
) -> Result<Template, IndexError> {
    Ok(learn_bounded(texts, mutables, settings)?.0)
}

/// The same, with the number of strings that were left out because there were too many.
pub(crate) fn learn_bounded<T: Borrow<Text> + Sync>(
    texts: &[T],
    mutables: &Mutables,
    settings: &Settings,
) -> Result<(Template, usize), IndexError> {
    let index = Index::new(
        Flat::default()
            .with_mutables(mutables.clone())
            .encode(texts),
    )?;
    let found = documents::find(&index, settings);
    let maximal: Vec<Maximal> = found
        .template()
        .filter(|maximal| maximal.length <= LONGEST)
        .copied()
        .collect();
    drop(found);
    let (maximal, left_out) = shortest(maximal, ROOM * index.len());
    let maximal = without_chance_meetings(&index, maximal);
    let string = |maximal: &Maximal| TemplateString {
        string: written(&index, maximal.positions()),
        tf: maximal.tf,
        df: maximal.df,
    };
    let all = Template {
        patterns: patterns(mutables),
        strings: maximal.par_iter().map(string).collect(),
    };
    let useful = useful(&all, &maximal, &index, texts);
    let Template { patterns, strings } = all;
    let strings = strings
        .into_iter()
        .zip(useful)
        .filter_map(|(string, useful)| useful.then_some(string));
    Ok((
        Template {
            patterns,
            strings: ranked(strings),
        },
        left_out,
    ))
}

/// So many times as many symbols as the pages have are enough for their template strings. Only
/// pages that repeat themselves have more: of a word that stands there a thousand times in a row,
/// every number of times is a string.
const ROOM: usize = 4;

/// Strings with no more than so many symbols together, and how many were left out: the longest,
/// since what they match is mostly matched by shorter ones too.
fn shortest(mut strings: Vec<Maximal>, most: usize) -> (Vec<Maximal>, usize) {
    if strings.iter().map(|string| string.length).sum::<usize>() <= most {
        return (strings, 0);
    }
    let all = strings.len();
    let mut lengths: Vec<usize> = strings.iter().map(|string| string.length).collect();
    lengths.sort_unstable();
    let (mut sum, mut longest) = (0, 0);
    // Of those of the same length all are kept or none, whatever their order.
    for same in lengths.chunk_by(|a, b| a == b) {
        sum += same.len() * same[0];
        if sum > most {
            break;
        }
        longest = same[0];
    }
    strings.retain(|string| string.length <= longest);
    let left_out = all - strings.len();
    (strings, left_out)
}

/// Drops strings with a symbol at an end that is not theirs. Most lines of a text end with a full
/// stop, and so a full stop stands before a string of the template on many pages; but the string is
/// on other pages without it, and full stops are everywhere. What belongs to a string stands there
/// on most pages that have the string, or mostly there.
fn without_chance_meetings(index: &Index, strings: Vec<Maximal>) -> Vec<Maximal> {
    let code = |position: usize| index.symbols().code(position);
    let codes = |positions: Range<usize>| positions.map(code).collect::<Vec<u32>>();
    let pages: HashMap<Vec<u32>, usize> = strings
        .iter()
        .map(|string| (codes(string.positions()), string.df))
        .collect();
    let is_chance = |string: &Maximal, rest: Range<usize>, end: usize| {
        let on_pages = pages.get(&codes(rest)).copied().unwrap_or(0);
        TOGETHER * string.df < (TOGETHER - 1) * on_pages
            && 2 * string.tf < frequency(index, code(end))
    };
    let mut strings = strings;
    strings.retain(|string| {
        let Range { start, end } = string.positions();
        !is_chance(string, start + 1..end, start) && !is_chance(string, start..end - 1, end - 1)
    });
    strings
}

/// What stands apart on one page of so many does not belong together.
const TOGETHER: usize = 5;

/// How often a symbol occurs, with white space before it or without.
fn frequency(index: &Index, code: u32) -> usize {
    let rows_before = |limit: u32| {
        partition_point(index.len(), |row| {
            index.symbols().code(index.suffix(row)) < limit
        })
    };
    let lower = code & !SPACED;
    rows_before(lower + 2) - rows_before(lower)
}

/// The first of so many numbers that a condition does not hold for; it holds for all before that.
fn partition_point(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The most symbols that a string of a mold has; a longer one is all of a page.
const LONGEST: usize = 16 << 10;

/// Which strings remove something: at most places where they stand, what they match is not given
/// back as an island. The others are turns of phrase.
fn useful<T: Borrow<Text> + Sync>(
    all: &Template,
    maximal: &[Maximal],
    index: &Index,
    texts: &[T],
) -> Vec<bool> {
    let Ok(finder) = Finder::new([all]) else {
        return vec![true; maximal.len()];
    };
    let places: Vec<Vec<(usize, Span)>> = maximal
        .par_iter()
        .map(|string| some_places(string, index))
        .collect();
    let needed: BTreeSet<usize> = places.iter().flatten().map(|(page, _)| *page).collect();
    let needed: Vec<usize> = needed.into_iter().collect();
    let removed: Vec<Vec<Span>> = needed
        .par_iter()
        .map(|&page| finder.template(texts[page].borrow().as_str()))
        .collect();
    let is_removed = |(page, span): &(usize, Span)| {
        let removed = needed
            .binary_search(page)
            .map_or(&[][..], |at| &removed[at]);
        let from = removed.partition_point(|removed| removed.end <= span.start);
        let reached = removed[from..]
            .iter()
            .take_while(|removed| removed.start < span.end);
        let shared = reached
            .map(|removed| removed.end.min(span.end) - removed.start.max(span.start))
            .sum::<u32>();
        // Half of it will do: a full stop before a footer is given back, the footer is not.
        2 * shared as usize >= span.len()
    };
    let is_useful = |places: &Vec<(usize, Span)>| {
        2 * places.iter().filter(|place| is_removed(place)).count() > places.len()
    };
    places.par_iter().map(is_useful).collect()
}

/// Some of the places where a string stands, evenly from all: pages and spans. Of many pages,
/// places are looked for on a few hundred, the same for all strings, since each must be cleaned.
fn some_places(string: &Maximal, index: &Index) -> Vec<(usize, Span)> {
    const PLACES: usize = 32;
    const PAGES: usize = 256;
    let symbols = index.symbols();
    let one_in = symbols.pages().count().div_ceil(PAGES);
    let evenly = |count: usize| {
        let looked_at = string.tf.min(count);
        let rows = (0..looked_at).map(move |place| string.first + place * string.tf / looked_at);
        rows.map(|row| index.suffix(row))
            .map(|at| (symbols.pages().sequence_of(at), at))
    };
    let mut places: Vec<(usize, usize)> = evenly(PLACES * one_in)
        .filter(|(page, _)| page.is_multiple_of(one_in))
        .take(PLACES)
        .collect();
    if places.is_empty() {
        places = evenly(PLACES).collect();
    }
    places
        .into_iter()
        .map(|(page, at)| (page, symbols.span_of(at..at + string.length)))
        .collect()
}

/// Strings without duplicates, those on most pages first, of those the longest. White space before
/// a string does not matter, so the same string may have been found with and without.
fn ranked(strings: impl Iterator<Item = TemplateString>) -> Vec<TemplateString> {
    let mut different: HashMap<String, TemplateString> = HashMap::new();
    for TemplateString { string, tf, df } in strings {
        let known = different.entry(string.clone()).or_insert(TemplateString {
            string,
            tf: 0,
            df: 0,
        });
        known.tf += tf;
        known.df = known.df.max(df);
    }
    let mut ranked: Vec<TemplateString> = different
        .into_values()
        .filter(|string| string.string.len() <= crate::read::STRING_BYTES)
        .collect();
    ranked.sort_by(|a, b| {
        let rank = |string: &TemplateString| Reverse((string.df, string.string.len()));
        rank(a).cmp(&rank(b)).then_with(|| a.string.cmp(&b.string))
    });
    ranked
}

/// Symbols of an index as people write them.
fn written(index: &Index, positions: Range<usize>) -> String {
    let symbols = index.symbols();
    let mut written = String::new();
    for position in positions {
        let code = symbols.code(position);
        if code & SPACED != 0 && !written.is_empty() {
            written.push(' ');
        }
        let name = symbols.name_of_code(code);
        if symbols.mutable(code).is_some() {
            written.push_str(&name);
        } else {
            written.push_str(&name.replace('{', "{{").replace('}', "}}"));
        }
    }
    written
}
