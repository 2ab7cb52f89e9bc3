//! What kind of values does a field have?

use crate::read::mutable::Mutables;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What values look like, in any of the scripts and languages that [`Mutables::common`] knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Type {
    /// Anything.
    #[default]
    Text,
    /// A number, perhaps with a per cent sign.
    Number,
    /// An amount with its currency.
    Money,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// An address of a page or picture.
    Url,
    /// An e-mail address.
    Email,
    /// Letters and digits that name something.
    Id,
}

impl Type {
    /// The type that all of some values have.
    ///
    /// ```
    /// use unmold::fields::Type;
    ///
    /// assert_eq!(Type::of(&["$12.99", "$7", "9,50 €", "99元", "20,-"]), Type::Money);
    /// assert_eq!(Type::of(&["2009年10月28日"]), Type::Date);
    /// assert_eq!(Type::of(&["12", "a dozen"]), Type::Text);
    /// ```
    pub fn of(values: &[&str]) -> Type {
        Type::shared(values).0
    }

    /// The type that all of some values have, and the share of those that have the most frequent
    /// one.
    pub(crate) fn shared(values: &[&str]) -> (Type, f64) {
        /// More values than this tell nothing new.
        const LOOKED_AT: usize = 50;
        let mut types: Vec<Type> = values
            .iter()
            .take(LOOKED_AT)
            .map(|value| Type::of_value(value))
            .collect();
        types.sort_unstable_by_key(|kind| *kind as u8);
        let most = types
            .chunk_by(|a, b| a == b)
            .max_by_key(|same| same.len())
            .unwrap_or_default();
        let kind = most
            .first()
            .copied()
            .filter(|_| most.len() == types.len())
            .unwrap_or_default();
        (kind, most.len() as f64 / types.len().max(1) as f64)
    }

    /// The type that at least three quarters of some values have.
    pub(crate) fn usual(values: &[&str]) -> Type {
        let types: Vec<Type> = values.iter().map(|value| Type::of_value(value)).collect();
        let count = |kind: &Type| types.iter().filter(|other| *other == kind).count();
        types
            .iter()
            .copied()
            .find(|kind| 4 * count(kind) >= 3 * types.len())
            .unwrap_or_default()
    }

    fn of_value(value: &str) -> Type {
        /// No number or date is longer.
        const LONGEST: usize = 200;
        if value.starts_with('/') && !value.contains(' ') {
            return Type::Url;
        }
        if value.len() > LONGEST || !may_be_typed(value) {
            return Type::Text;
        }
        if is_whole_amount(value) {
            return Type::Money;
        }
        let patterns = Mutables::common();
        let found = patterns
            .find_at(value, 0, value.len())
            .filter(|found| found.end == value.len());
        let name = found
            .and_then(|found| patterns.get(found.pattern))
            .map_or("", |pattern| pattern.name());
        match name {
            "url" => Type::Url,
            "email" => Type::Email,
            "date" | "date-in-words" => Type::Date,
            "time" => Type::Time,
            // Before the number, or behind it.
            "money" | "amount" => Type::Money,
            "number" | "ordinal" => Type::Number,
            "id" => Type::Id,
            _ => Type::Text,
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        *self == Type::Text
    }
}

/// Whether a value may be more than words: all else has a digit, or the dot of an address.
fn may_be_typed(value: &str) -> bool {
    let is_ascii_sign = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let is_digit = |letter: char| !letter.is_ascii() && letter.is_numeric();
    value.as_bytes().iter().any(is_ascii_sign) || !value.is_ascii() && value.contains(is_digit)
}

/// Whether a value is an amount without smaller coins, as it is written without its currency in much
/// of Europe: `20,-`, `1.250,–`.
fn is_whole_amount(value: &str) -> bool {
    let without_dash = value.strip_suffix(['-', '–', '—']);
    let Some(amount) = without_dash.and_then(|value| value.strip_suffix([',', '.'])) else {
        return false;
    };
    let is_part =
        |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ' ' | '’' | '\'');
    amount.starts_with(|letter: char| letter.is_ascii_digit()) && amount.chars().all(is_part)
}

/// Whether nearly all of some values are numbers to call.
pub(super) fn are_phones<'v>(values: impl Iterator<Item = &'v str>) -> bool {
    let (mut all, mut phones) = (0, 0);
    for value in values {
        all += 1;
        phones += usize::from(is_phone(value));
    }
    10 * phones >= 9 * all
}

/// Whether a text can be nothing but a number to call: its digits are in groups, as they are in no
/// amount.
fn is_phone(text: &str) -> bool {
    /// The longest numbers that ITU-T E.164 allows, and the shortest that are written in groups.
    const DIGITS: RangeInclusive<usize> = 7..=15;
    let is_mark = |letter: char| letter.is_ascii_digit() || " +-()/.–\u{a0}".contains(letter);
    // Most texts are none by their first letter.
    if !text.chars().all(is_mark) {
        return false;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if !DIGITS.contains(&digits) {
        return false;
    }
    let groups = text.split(|letter: char| !letter.is_ascii_digit());
    let mut lengths = groups.map(str::len).filter(|&length| length > 0);
    text.starts_with('+') || lengths.clone().count() > 1 && lengths.all(|length| length > 1)
}
