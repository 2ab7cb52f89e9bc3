//! Does a line say when something was written?
//!
//! A stamp is short, and has a `<time>` or a date or a time of day in numbers:
//! `Ann, 26 July 2012 at 8:42`. No names of months or days are needed.

use super::reading::{Block, Reading};
use crate::read::tree::{NodeId, Tree};

/// A stamp is no longer than this.
const STAMP_BYTES: u32 = 80;

/// A kind of stamps: those of comments on one level are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StampKind {
    /// The names of the elements that it stands in, as a hash. Not their classes, which number and
    /// alternate.
    place: u64,
    /// The name and the first class of its own element, as a hash.
    pub look: u64,
}

impl StampKind {
    /// The kind of a block that is a stamp.
    pub fn of(page: &Reading<'_>, block: &Block) -> Option<Self> {
        let tree = &page.tree;
        if page.bytes(block) > STAMP_BYTES || tree.name(block.element) == "pre" {
            return None;
        }
        let when = when(block.span.of(tree.page()));
        if !block.has_time && when == When::Unsaid {
            return None;
        }
        // A time of day without a date is that of an event: comments stay for longer than a day.
        if when == When::Clock {
            return None;
        }
        Some(Self::at(page, block.element))
    }

    /// The kind of stamps that stand in an element like this.
    pub fn at(page: &Reading<'_>, element: NodeId) -> Self {
        let tree = &page.tree;
        let names = tree
            .ancestors(element)
            .filter_map(|node| tree.name_code(node));
        let place = names.fold(0, |hash: u64, name| mixed(hash, u64::from(name)));
        let class = tree.classes(element).next().unwrap_or("");
        let look = tree
            .name(element)
            .bytes()
            .chain([b'.'])
            .chain(class.bytes().filter(|c| !c.is_ascii_digit()));
        StampKind {
            place,
            look: look.fold(0, |hash, byte| mixed(hash, u64::from(byte))),
        }
    }
}

/// Whether a link leads to another page, rather than to a place of this one.
pub(crate) fn leads_away(tree: &Tree<'_>, link: NodeId) -> bool {
    let address = tree.attribute(link, "href").map_or("", str::trim);
    !address.is_empty() && !address.contains('#') && !address.starts_with("javascript:")
}

fn mixed(hash: u64, with: u64) -> u64 {
    (hash.rotate_left(7) ^ with).wrapping_mul(0x2545_F491_4F6C_DD1D)
}

/// A number in a text.
struct Number {
    digits: usize,
    is_year: bool,
    /// What stands behind it.
    next: char,
}

/// What a text says of when something was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Unsaid,
    /// A time of day and no other number: 8:42.
    Clock,
    /// A date, with a time of day or without: 26.7.2012, a year beside another number, or a
    /// number beside a time of day.
    Date,
}

/// What a text says in numbers of when something was.
fn when(html: &str) -> When {
    let numbers = numbers(html);
    let digits = |at: usize| numbers.get(at).map_or(0, |number| number.digits);
    let is_clock = |at: usize| numbers[at].next == ':' && digits(at) <= 2 && digits(at + 1) == 2;
    let is_date = |at: usize| {
        let joins = |c: char| matches!(c, '.' | '/' | '-' | '年' | '月' | '년' | '월');
        let behind = |at: usize| {
            numbers
                .get(at)
                .map(|number| number.next)
                .filter(|&next| joins(next))
        };
        let is_long = digits(at + 2) > 1 && digits(at) + digits(at + 1) + digits(at + 2) > 4;
        // Shorter ones number sections and versions.
        is_long && digits(at + 1) <= 2 && behind(at).is_some() && behind(at) == behind(at + 1)
    };
    let has_year = numbers.len() > 1 && numbers.iter().any(|number| number.is_year);
    if has_year || (0..numbers.len()).any(is_date) {
        When::Date
    } else if let Some(at) = (0..numbers.len()).find(|&at| is_clock(at)) {
        let of_clock = if numbers[at + 1].next == ':' { 3 } else { 2 };
        if numbers.len() <= of_clock {
            When::Clock
        } else {
            When::Date
        }
    } else {
        When::Unsaid
    }
}

/// The numbers of a text, without those in tags and entities.
fn numbers(html: &str) -> Vec<Number> {
    let (mut numbers, mut digits, mut is_markup) = (Vec::new(), String::new(), false);
    for c in html.chars().chain([' ']) {
        is_markup = matches!(c, '<' | '&') || is_markup && !matches!(c, '>' | ';');
        if c.is_numeric() && !is_markup {
            digits.push(c);
        } else if !digits.is_empty() {
            let is_year =
                digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
            numbers.push(Number {
                digits: digits.chars().count(),
                is_year,
                next: c,
            });
            digits.clear();
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_hours_are_told_in_any_language() {
        for stamp in [
            "Ann, 26 July 2012",
            "26.7.12",
            "2012年7月26日",
            "2012年7月3日",
            "3 мая, 8:42",
            "<b>7</b>/26/2012",
            "2012-07-26",
        ] {
            assert_ne!(when(stamp), When::Unsaid, "{stamp}");
        }
        for other in [
            "3 comments",
            "£48.50",
            "1,234 of 5,678",
            "In 2012",
            "8.1.2. Egg",
            "version 2.4.71",
            "<a href='/2012/07'>more</a>",
            "&#2012; 7",
        ] {
            assert_eq!(when(other), When::Unsaid, "{other}");
        }
    }
}
