//! When is it, and where does a page say so?

use crate::{
    Span,
    read::{html::visible_text, mutable::Mutables},
};
use aho_corasick::AhoCorasick;
use std::{collections::HashSet, sync::LazyLock};

/// The first date that a reader sees soon behind the headline.
pub(super) fn date_behind(page: &str, headline: Span) -> Option<String> {
    /// So many characters of markup and text are looked at...
    const MARKUP: usize = 2000;
    /// ...and so many of text: bylines are short.
    const TEXT: usize = 300;
    let rest = &page[headline.end as usize..];
    let text = visible_text(beginning(rest, MARKUP));
    let text = beginning(&text, TEXT);
    if !text.contains(char::is_numeric) {
        return None;
    }
    let Patterns {
        patterns,
        first_letters,
    } = if MONTHS.is_match(text) {
        &*ALL
    } else {
        &*NUMERIC
    };
    let is_date = |number: usize| {
        matches!(patterns.get(number)?.name(), "date" | "date-in-words").then_some(())
    };
    let may_begin = |letter: char| letter.is_numeric() || first_letters.contains(&letter);
    let starts = text
        .char_indices()
        .filter(|&(at, letter)| may_begin(letter) && begins_word(text, at));
    let mut found = starts.filter_map(|(at, _)| {
        let found = patterns.find_at(text, at, text.len())?;
        is_date(found.pattern).map(|()| text[at..found.end].to_owned())
    });
    found.next()
}

/// Patterns of dates, and those that count before them. The patterns of months in all languages
/// take as long to make as many pages to read, and many pages need them not.
struct Patterns {
    patterns: Mutables,
    /// The letters that names in them begin with.
    first_letters: HashSet<char>,
}

impl Patterns {
    fn up_to(name: &str) -> Self {
        let patterns = Mutables::common_up_to(name);
        let first_letters = patterns
            .names()
            .filter_map(|name| name.chars().next())
            .collect();
        Patterns {
            patterns,
            first_letters,
        }
    }
}

static NUMERIC: LazyLock<Patterns> = LazyLock::new(|| Patterns::up_to("date"));
static ALL: LazyLock<Patterns> = LazyLock::new(|| Patterns::up_to("date-in-words"));

/// Without one of these, there is no date in words.
static MONTHS: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(Mutables::months()).expect("names are short and few"));

/// At most so many characters of a text.
fn beginning(text: &str, characters: usize) -> &str {
    text.char_indices()
        .nth(characters)
        .map_or(text, |(end, _)| &text[..end])
}

/// Whether a date can begin here: not inside a number or a word.
fn begins_word(text: &str, at: usize) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    text[at..].starts_with(char::is_alphanumeric) && !text[..at].ends_with(is_word)
}

/// A date whose year comes first, as in ISO 8601. Others are not safe to read: 1/2 is in January
/// here and in February there.
pub(super) fn iso(date: &str) -> Option<String> {
    if let Some(day) = compact(date) {
        return Some(day);
    }
    let is_iso = date.len() > 10 && date.as_bytes()[10] == b'T';
    let mut numbers = date
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty());
    let [year, month, day] = [numbers.next()?, numbers.next()?, numbers.next()?];
    let is_day = |number: &str, most: u32| {
        number.len() <= 2 && number.parse().is_ok_and(|n: u32| (1..=most).contains(&n))
    };
    let is_date = date.starts_with(year) && year.len() == 4 && is_day(month, 12) && is_day(day, 31);
    is_date.then(|| {
        if is_iso {
            date.to_owned()
        } else {
            format!("{year}-{month:0>2}-{day:0>2}")
        }
    })
}

/// A date without marks between its numbers: `20120117T1200+0200`.
fn compact(date: &str) -> Option<String> {
    let digits = date.split('T').next().filter(|digits| digits.len() == 8)?;
    let is_date = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_date.then(|| {
        iso(&format!(
            "{}-{}-{}",
            &digits[..4],
            &digits[4..6],
            &digits[6..]
        ))
    })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certain_dates_are_rewritten() {
        for (date, expected) in [
            ("2009年10月28日", Some("2009-10-28")),
            ("2024/7/2", Some("2024-07-02")),
            ("20240702T1159+0200Z", Some("2024-07-02")),
            ("20241302", None),
            (
                "2024-07-02T11:59:00+02:00",
                Some("2024-07-02T11:59:00+02:00"),
            ),
            ("1/2/2024", None),
            ("2. Juli 2024", None),
            ("2024-13-02", None),
        ] {
            assert_eq!(iso(date).as_deref(), expected, "{date}");
        }
    }
}
