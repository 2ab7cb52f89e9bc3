//! Which pair of tags stands around each record?
//!
//! Where a page lists records, the borders of its content parts (by
//! [`cut_point`](super::cut_point)) look alike. Take the tag before and the tag behind each content
//! part; the most frequent pair that stands around stretches which hold neither of the two again
//! delimits the records:
//!
//! ```
//! use unmold::{Span, papers::scoop};
//!
//! let page = "<ul><li><b>Congo</b></li><li><b>Egypt</b></li><li><b>Spain</b></li></ul>";
//! let content: Vec<Span> = ["Congo", "Egypt", "Spain"]
//!     .map(|name| Span::new(page.find(name).unwrap(), page.find(name).unwrap() + name.len()))
//!     .into();
//! let found = scoop::records(page, &content).unwrap();
//! assert_eq!((found.left.as_str(), found.right.as_str()), ("<li><b>", "</b></li>"));
//! assert_eq!(found.records.iter().map(|record| record.of(page)).collect::<Vec<_>>(), ["Congo", "Egypt", "Spain"]);
//! ```
//!
//! Paper: the record extractor SCOOP, sketched in the last section of D. Ikeda, Y. Yamada, S.
//! Hirokawa, 2001: "a delimiter ends with `>` and begins with `<`", is searched for only near the
//! boundaries of content, and is the most frequent pair that is unique on each record. How far
//! "near" is it leaves open; here it is up to three tags, and of equally frequent pairs the longest
//! counts, because it says most.

use crate::Span;
use memchr::memmem;
use std::collections::BTreeMap;

/// How many tags a delimiter has at most.
const TAGS: usize = 3;

/// The records of a page and what delimits them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delimited {
    /// What stands before each record.
    pub left: String,
    /// What stands behind it.
    pub right: String,
    /// The records, in page order.
    pub records: Vec<Span>,
}

/// The records of a page with these content parts, if any pair of tags delimits at least two.
pub fn records(page: &str, content: &[Span]) -> Option<Delimited> {
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for part in content {
        for left in tags_before(page, part.start as usize) {
            for right in tags_behind(page, part.end as usize) {
                *pairs.entry((left, right)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<((&str, &str), usize)> =
        pairs.into_iter().filter(|(_, count)| *count >= 2).collect();
    pairs.sort_by_key(|((left, right), count)| {
        std::cmp::Reverse((*count, left.len() + right.len()))
    });
    pairs
        .into_iter()
        .find_map(|((left, right), _)| delimited(page, left, right))
}

/// The stretches between two delimiters, if there are several and none holds a delimiter inside.
fn delimited(page: &str, left: &str, right: &str) -> Option<Delimited> {
    let records = between(page, left, right);
    let unique = records.iter().all(|record| !record.of(page).contains(left));
    (records.len() >= 2 && unique).then(|| Delimited {
        left: left.to_owned(),
        right: right.to_owned(),
        records,
    })
}

/// What stands between a left delimiter and the next right one, from left to right.
fn between(page: &str, left: &str, right: &str) -> Vec<Span> {
    let (lefts, rights) = (memmem::Finder::new(left), memmem::Finder::new(right));
    let mut records = Vec::new();
    let mut from = 0;
    while let Some(start) = lefts
        .find(&page.as_bytes()[from..])
        .map(|at| from + at + left.len())
    {
        let Some(end) = rights.find(&page.as_bytes()[start..]).map(|at| start + at) else {
            break;
        };
        records.push(Span::new(start, end));
        from = end;
    }
    records
}

/// The last one, two and three tags that end before a place, with nothing but white space between
/// them.
fn tags_before(page: &str, at: usize) -> Vec<&str> {
    let Some(end) = page[..at].rfind('>').map(|found| found + 1) else {
        return Vec::new();
    };
    let mut delimiters = Vec::new();
    let mut rest = &page[..end];
    while delimiters.len() < TAGS
        && let Some(start) = rest
            .trim_end()
            .strip_suffix('>')
            .and_then(|inside| inside.rfind('<'))
    {
        delimiters.push(&page[start..end]);
        rest = &page[..start];
    }
    delimiters
}

/// The first one, two and three tags that begin behind a place, with nothing but white space
/// between them.
fn tags_behind(page: &str, at: usize) -> Vec<&str> {
    let Some(start) = page[at..].find('<').map(|found| at + found) else {
        return Vec::new();
    };
    let mut delimiters = Vec::new();
    let mut end = start;
    while delimiters.len() < TAGS {
        let next = page.len() - page[end..].trim_start().len();
        let Some(length) = page[next..]
            .strip_prefix('<')
            .and_then(|inside| inside.find('>'))
        else {
            break;
        };
        end = next + length + 2;
        delimiters.push(&page[start..end]);
    }
    delimiters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_repetition_has_no_records() {
        assert_eq!(records("<p>one</p>", &[Span::new(3, 6)]), None);
        assert_eq!(records("", &[]), None);
        assert_eq!(records("no tags", &[Span::new(0, 7)]), None);
    }

    #[test]
    fn a_pair_that_stands_inside_records_too_is_passed_over() {
        // `<b>` and `</b>` are the most frequent pair; around whole records stand `<li>` and
        // `</li>`.
        let page = "<li>x <b>1</b> <b>2</b> y</li><li>x <b>3</b> <b>4</b> z</li>";
        let part = |start: usize, end: usize| Span::new(start, end);
        let whole = [part(4, 25), part(34, 55)];
        let found = records(page, &whole).unwrap();
        assert_eq!(found.records.len(), 2);
        assert!(
            found.records[0].of(page).starts_with('x') && found.records[0].of(page).ends_with('y')
        );
    }
}
