//! What do the values of a column mean: numbers, days, yes or no, or just text?
//!
//! One value alone often does not tell: `1,234` is a thousand here and a bit more than one there.
//! All values of a column together mostly do, so that a [`Reading`] is made of a column and then
//! read each of its values:
//!
//! ```
//! use unmold::report::typed::{Reading, Typed};
//!
//! let prices = Reading::of(["1.234,50", "980,00"].iter().copied());
//! assert_eq!(prices.read("1.234,50"), Some(Typed::Number(1234.5)));
//! let days = Reading::of(["31/12/2024", "1/2/2025"].iter().copied());
//! assert_eq!(days.read("1/2/2025").unwrap().to_string(), "2025-02-01");
//! // Either reading is possible, so that there is none.
//! assert_eq!(Reading::of(["1,234", "5,678"].iter().copied()), Reading::Text);
//! ```
//!
//! A column is read as something else than text only if that holds for all its values and nothing
//! of them is lost: amounts keep their currency, per cents their sign, `007` its zeros, and a day
//! with a time its time, as text.
//!
//! Cost: linear in the values.

use serde::Serialize;
use std::fmt;

/// How the values of a column are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As they stand.
    Text,
    /// As numbers without a fraction.
    Whole(Marks),
    /// As numbers.
    Number(Marks),
    /// As days.
    Date(Order),
    /// As `true` or `false`.
    Bool,
}

/// The marks in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// What stands before the fraction.
    decimal: Option<char>,
    /// What stands between groups of digits.
    grouping: Option<char>,
}

/// Which of a date's numbers comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The year, as in ISO 8601.
    Year,
    /// The day.
    Day,
    /// The month.
    Month,
}

/// A value with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Typed {
    /// A number without a fraction.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A day.
    Date(Day),
    /// Yes or no.
    Bool(bool),
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Typed::Whole(number) => number.fmt(f),
            Typed::Number(number) => number.fmt(f),
            Typed::Date(day) => day.fmt(f),
            Typed::Bool(is_so) => is_so.fmt(f),
        }
    }
}

/// A day of the calendar that is in use today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    year: i32,
    month: u8,
    day: u8,
}

impl Day {
    fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u8::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (1..=days)
            .contains(&day)
            .then_some(Day { year, month, day })
    }

    /// How many days it is after the first of January 1970.
    ///
    /// ```
    /// use unmold::report::typed::{Reading, Typed};
    ///
    /// let reading = Reading::of(std::iter::once("2000-03-01"));
    /// let Some(Typed::Date(day)) = reading.read("2000-03-01") else { panic!("a day") };
    /// assert_eq!(day.since_1970(), 11_017);
    /// ```
    pub fn since_1970(self) -> i32 {
        // Years that begin in March have their odd day at their end.
        let year = self.year - i32::from(self.month <= 2);
        let (era, month) = (year.div_euclid(400), (i32::from(self.month) + 9) % 12);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * month + 2) / 5 + i32::from(self.day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Reading {
    /// The reading that holds for all values of a column; text if there are none.
    pub fn of<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Reading {
        let Some(first) = values.clone().next() else {
            return Reading::Text;
        };
        let candidates: &[Reading] = match first.chars().find(|c| !c.is_whitespace()) {
            Some('t' | 'T' | 'f' | 'F') => &[Reading::Bool],
            _ => &[
                Reading::Date(Order::Year),
                Reading::Date(Order::Day),
                Reading::Date(Order::Month),
            ],
        };
        let holds = |reading: &&Reading| values.clone().all(|value| reading.read(value).is_some());
        match candidates.iter().filter(holds).collect::<Vec<_>>()[..] {
            [&reading] => reading,
            // Days and months that may be taken for each other.
            [_, _, ..] => Reading::Text,
            [] => of_numbers(values),
        }
    }

    /// What a value means, if it can be read so.
    pub fn read(&self, value: &str) -> Option<Typed> {
        match self {
            Reading::Text => None,
            Reading::Whole(marks) => marks.plain(value)?.parse().ok().map(Typed::Whole),
            Reading::Number(marks) => marks.plain(value)?.parse().ok().map(Typed::Number),
            Reading::Date(order) => order.day(value).map(Typed::Date),
            Reading::Bool if value.eq_ignore_ascii_case("true") => Some(Typed::Bool(true)),
            Reading::Bool => value
                .eq_ignore_ascii_case("false")
                .then_some(Typed::Bool(false)),
        }
    }
}

/// More digits than this do not fit into a number exactly.
const EXACT_DIGITS: usize = 15;
/// The same for numbers without a fraction.
const EXACT_WHOLE_DIGITS: usize = 18;

fn of_numbers<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Reading {
    let Some(marks) = Marks::of(values.clone()) else {
        return Reading::Text;
    };
    let mut has_fraction = false;
    let mut digits = 0;
    for value in values {
        let Some(plain) = marks.plain(value) else {
            return Reading::Text;
        };
        has_fraction |= plain.contains('.');
        digits = digits.max(plain.bytes().filter(u8::is_ascii_digit).count());
    }
    match (has_fraction, digits) {
        (false, ..=EXACT_WHOLE_DIGITS) => Reading::Whole(marks),
        (true, ..=EXACT_DIGITS) => Reading::Number(marks),
        _ => Reading::Text,
    }
}

impl Marks {
    /// The marks that the values of a column use; `None` if that cannot be told, or if they are no
    /// numbers.
    fn of<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Option<Marks> {
        let shapes: Vec<Shape> = values.map(Shape::of).collect::<Option<_>>()?;
        let mut marks = Marks::default();
        shapes.iter().try_for_each(|shape| marks.learn(shape))?;
        let doubtful = |shape: &&Shape| shape.is_doubtful(marks);
        let Some(mark) = shapes.iter().find(doubtful).and_then(|shape| shape.last) else {
            return Some(marks);
        };
        // Three digits behind one mark: a fraction, unless shorter numbers do without it and none
        // of more digits does. A column that is exact to three places would write 980 as 980.000.
        let plain = |long: bool| {
            shapes
                .iter()
                .any(|shape| shape.marks == 0 && (shape.first_group > 3) == long)
        };
        let is_grouping =
            marks.decimal.is_some_and(|decimal| decimal != mark) || plain(false) && !plain(true);
        let all_alike = shapes
            .iter()
            .filter(doubtful)
            .all(|shape| shape.last == Some(mark));
        (is_grouping && all_alike).then_some(Marks {
            grouping: Some(mark),
            ..marks
        })
    }

    /// Takes in what a value tells about its marks; `None` if that contradicts what others told.
    fn learn(&mut self, shape: &Shape) -> Option<()> {
        let set = |place: &mut Option<char>, mark: char| match *place.get_or_insert(mark) == mark {
            true => Some(()),
            false => None,
        };
        if let Some(mark) = shape.grouping() {
            set(&mut self.grouping, mark)?;
        }
        if let Some(mark) = shape.decimal() {
            set(&mut self.decimal, mark)?;
        }
        (self.grouping.is_none() || self.grouping != self.decimal).then_some(())
    }

    /// A number with these marks as programs write it: `-1234.5`.
    fn plain(self, value: &str) -> Option<String> {
        let mut plain = String::with_capacity(value.len());
        // Digits since the number began or the last mark, and whether groups have begun.
        let (mut run, mut is_grouped, mut in_fraction) = (0, false, false);
        for (at, c) in value.trim().char_indices() {
            if let Some(digit) = digit(c) {
                plain.push(digit);
                run += 1;
            } else if at == 0 && matches!(c, '-' | '\u{2212}') {
                plain.push('-');
            } else if Some(c) == self.decimal
                && !in_fraction
                && run > 0
                && (!is_grouped || run == 3)
            {
                plain.push('.');
                (run, in_fraction) = (0, true);
            } else if Some(c) == self.grouping
                && !in_fraction
                && (1..=3).contains(&run)
                && (!is_grouped || run >= 2)
            {
                (run, is_grouped) = (0, true);
            } else {
                return None;
            }
        }
        let is_whole = if is_grouped && !in_fraction {
            run == 3
        } else {
            run > 0
        };
        let digits = plain.trim_start_matches('-');
        let has_odd_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        (is_whole && !has_odd_zero).then_some(plain)
    }
}

/// How a number is written.
struct Shape {
    /// Digits before the first mark.
    first_group: usize,
    /// Digits behind the last.
    last_group: usize,
    first: Option<char>,
    last: Option<char>,
    /// How many marks there are.
    marks: usize,
    starts_with_zero: bool,
}

impl Shape {
    fn of(value: &str) -> Option<Shape> {
        let number = value.trim().trim_start_matches(['-', '\u{2212}']);
        let mut shape = Shape {
            first_group: 0,
            last_group: 0,
            first: None,
            last: None,
            marks: 0,
            starts_with_zero: number.chars().next().and_then(digit) == Some('0'),
        };
        for c in number.chars() {
            if digit(c).is_some() {
                shape.last_group += 1;
                shape.first_group += usize::from(shape.marks == 0);
            } else if is_mark(c) {
                shape.marks += 1;
                shape.last_group = 0;
                shape.last = Some(c);
                shape.first = shape.first.or(Some(c));
            } else {
                return None;
            }
        }
        (shape.first_group > 0 && shape.last_group > 0).then_some(shape)
    }

    /// The mark between groups, if the value alone tells it.
    fn grouping(&self) -> Option<char> {
        let several = self.marks > 1;
        (several || self.first.is_some_and(is_grouping_only))
            .then_some(self.first)
            .flatten()
    }

    /// The mark before the fraction, if the value alone tells it.
    fn decimal(&self) -> Option<char> {
        let last = self.last.filter(|&mark| !is_grouping_only(mark))?;
        let differs = self.marks > 1 && self.first != self.last;
        let is_alone = self.marks == 1
            && (self.last_group != 3 || self.first_group > 3 || self.starts_with_zero);
        (differs || is_alone).then_some(last)
    }

    /// Whether its one mark may be before a fraction or between groups, with these marks known.
    fn is_doubtful(&self, known: Marks) -> bool {
        self.marks == 1 && self.grouping().is_none() && self.decimal().is_none() && {
            known.decimal != self.last && known.grouping != self.last
        }
    }
}

/// Marks between groups or before a fraction: of the Latin script, and of the Arabic.
fn is_mark(c: char) -> bool {
    matches!(c, '.' | ',' | '\u{66B}') || is_grouping_only(c)
}

/// Spaces, apostrophes and the Arabic mark are never before a fraction.
fn is_grouping_only(c: char) -> bool {
    matches!(
        c,
        ' ' | '\u{A0}' | '\u{202F}' | '\u{2009}' | '\'' | '\u{2019}' | '\u{66C}'
    )
}

/// The zeros of scripts that write numbers by tens, in order; nine more digits follow each.
const ZEROS: [char; 21] = [
    '0', '\u{660}', '\u{6F0}', '\u{7C0}', '\u{966}', '\u{9E6}', '\u{A66}', '\u{AE6}', '\u{B66}',
    '\u{BE6}', '\u{C66}', '\u{CE6}', '\u{D66}', '\u{DE6}', '\u{E50}', '\u{ED0}', '\u{F20}',
    '\u{1040}', '\u{17E0}', '\u{1810}', '\u{FF10}',
];

/// The digit of any script as one of ASCII.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let before = ZEROS.partition_point(|&zero| zero <= c);
    let value = c as u32 - *ZEROS.get(before.checked_sub(1)?)? as u32;
    char::from_digit(value, 10)
}

impl Order {
    /// The day of a date in which nothing stands but three numbers and what belongs between and
    /// behind them.
    fn day(self, value: &str) -> Option<Day> {
        let value = value.trim();
        let mut numbers: [(u32, usize); 3] = [(0, 0); 3];
        let (mut at, mut between) = (0, false);
        for c in value.chars() {
            match digit(c).and_then(|digit| digit.to_digit(10)) {
                Some(digit) => {
                    at += usize::from(between);
                    between = false;
                    let (number, length) = numbers.get_mut(at)?;
                    (*number, *length) = (*number * 10 + digit, *length + 1);
                    if *length > 4 {
                        return None;
                    }
                }
                None if matches!(
                    c,
                    '-' | '/' | '.' | ' ' | '年' | '月' | '日' | '년' | '월' | '일'
                ) =>
                {
                    between = true;
                }
                None => return None,
            }
        }
        let [first, second, third] = numbers;
        let (year, month, day) = match self {
            Order::Year => (first, second, third),
            Order::Day => (third, second, first),
            Order::Month => (third, first, second),
        };
        let is_written_so = year.1 == 4 && (1..=2).contains(&month.1) && (1..=2).contains(&day.1);
        // A number alone, or two with a space between, is no date, whatever its digits are.
        let is_date = is_written_so && value.starts_with(|c| digit(c).is_some());
        is_date.then(|| Day::new(year.0 as i32, month.0 as u8, day.0 as u8))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Vec<String> {
        let reading = Reading::of(values.iter().copied());
        values
            .iter()
            .map(|value| {
                reading
                    .read(value)
                    .map_or("-".to_owned(), |typed| typed.to_string())
            })
            .collect()
    }

    #[test]
    fn marks_are_told_by_the_column() {
        assert_eq!(read(&["1,234.50", "12"]), ["1234.5", "12"]);
        assert_eq!(read(&["1.234,5", "12"]), ["1234.5", "12"]);
        assert_eq!(read(&["1,234", "980"]), ["1234", "980"]);
        assert_eq!(read(&["1,234", "9800"]), ["-", "-"]);
        assert_eq!(read(&["1.234", "0.5"]), ["1.234", "0.5"]);
        assert_eq!(read(&["1.234", "2,5"]), ["1234", "2.5"]);
        assert_eq!(read(&["1,23,456", "7"]), ["123456", "7"]);
        assert_eq!(read(&["12 345 678", "9'0"]), ["-", "-"]);
        assert_eq!(read(&["12\u{a0}345,5"]), ["12345.5"]);
        assert_eq!(read(&["1,2345,6"]), ["-"]);
    }

    #[test]
    fn nothing_is_lost() {
        for values in [
            ["007", "12"],
            ["12%", "3%"],
            ["£5", "£6"],
            ["12345678901234567890", "1"],
            ["+5", "6"],
            ["1.", "2"],
        ] {
            assert_eq!(read(&values), ["-", "-"], "{values:?}");
        }
        assert_eq!(read(&["-1.5", "\u{2212}2"]), ["-1.5", "-2"]);
        assert_eq!(read(&[]), Vec::<String>::new());
        assert_eq!(read(&["", "1"]), ["-", "-"]);
    }

    #[test]
    fn digits_of_all_scripts_count() {
        assert_eq!(read(&["١٬٢٣٤٫٥", "٧"]), ["1234.5", "7"]);
        assert_eq!(read(&["１２"]), ["12"]);
        assert_eq!(read(&["२०२४-०७-०२"]), ["2024-07-02"]);
    }

    #[test]
    fn days_are_read_where_their_order_is_certain() {
        assert_eq!(
            read(&["2009年10月28日", "2024/7/2"]),
            ["2009-10-28", "2024-07-02"]
        );
        assert_eq!(read(&["1/2/2024", "2/3/2024"]), ["-", "-"]);
        assert_eq!(
            read(&["1/2/2024", "2/13/2024"]),
            ["2024-01-02", "2024-02-13"]
        );
        assert_eq!(
            read(&["13.2.2024", "1.2.2024"]),
            ["2024-02-13", "2024-02-01"]
        );
        assert_eq!(read(&["2024-02-30"]), ["-"]);
        assert_eq!(read(&["2024-07-02T11:59"]), ["-"]);
        assert_eq!(read(&["2024", "2025"]), ["2024", "2025"]);
    }

    #[test]
    fn days_are_counted_from_1970() {
        for (day, number) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2024-02-29", 19_782),
            ("1600-03-01", -135_080),
        ] {
            let Some(Typed::Date(read)) = Reading::of(std::iter::once(day)).read(day) else {
                panic!("{day}")
            };
            assert_eq!(read.since_1970(), number, "{day}");
        }
    }

    #[test]
    fn yes_and_no() {
        assert_eq!(read(&["true", "False"]), ["true", "false"]);
        assert_eq!(read(&["true", "yes"]), ["-", "-"]);
    }
}
