//! What of a text is the value, where label and value are in one text?
//!
//! "Price: $12.99" on one page and "Price: $7.50" on the next: what all begin with is the label, and
//! the rest is the value. Both are given: the value, and the whole text as a column of its own,
//! because only a person knows whether "out of 5" belongs to a rating.
//!
//! "Publisher, Town" are two values in one text: where the same words or mark are between two
//! varying texts on every page, each is a column too.

use super::{
    super::{Field, Part, Type, View, label_text::is_colon, marks::has_partners},
    column::{Column, Form},
};

/// At least this many values must share words, or a mark in their middle, for it to be no chance.
/// Chosen by hand.
const MIN_VALUES: usize = 5;

/// Puts the value before the text with its label for columns that have both, and after them what is
/// cut out of the value: a number without its unit, the two halves.
pub(super) fn with_all_forms(columns: Vec<Column>) -> Vec<Column> {
    let mut all = Vec::new();
    for column in columns {
        let (value, number) = value_and_number(&column);
        let halves = halves(value.as_ref().unwrap_or(&column));
        match (value, number) {
            (Some(value), number) => {
                let header = value.label().or(column.header()).map(str::to_owned);
                all.push(value);
                all.push(Column {
                    form: Form::Text,
                    header,
                    ..column
                });
                all.extend(number);
            }
            (None, number) => {
                all.push(column);
                all.extend(number);
            }
        }
        all.extend(halves);
    }
    all
}

/// The value without its label, and a number or date without its unit.
fn value_and_number(column: &Column) -> (Option<Column>, Option<Column>) {
    let values: Vec<&str> = column.values().collect();
    if !column.is_seen() || values.len() < 2 {
        return (None, None);
    }
    // What all names of things have in common is no label where the page tells machines that they
    // are names.
    if column.rule().views.iter().any(View::is_declared) {
        return (None, None);
    }
    let (label, tail) = (shared_label(&values), shared_tail(&values));
    if !is_unit(tail) {
        return (cut_around(column, Form::Value, label, tail), None);
    }
    let value = cut_around(column, Form::Value, label, "");
    let number = cut_around(column, Form::Number, label, tail)
        .filter(|number| number.kind() != Type::Text && column.kind() == Type::Text);
    (value, number)
}

/// Whether what all values end with is a unit, which belongs to a number.
fn is_unit(tail: &str) -> bool {
    let begins_unit = |letter: char| letter.is_alphabetic() || letter == '°';
    tail.trim_start().starts_with(begins_unit) && !tail.ends_with(is_colon)
}

/// The two values of a column that has the same words or mark between them on every page:
/// "Publisher, Town".
fn halves(whole: &Column) -> Vec<Column> {
    let values: Vec<&str> = whole.values().collect();
    if whole.is_list()
        || whole.kind() != Type::Text
        || !whole.is_seen()
        || values.len() < MIN_VALUES
        // In sentences any word may recur.
        || whole.holds_sentences()
    {
        return Vec::new();
    }
    let Some(separator) = separator(&values) else {
        return Vec::new();
    };
    if goes_on_after_unit(&values, &separator) {
        return Vec::new();
    }
    let half = |number: usize| {
        let separator = separator.clone();
        half_of(whole, Part { separator, number })
    };
    let halves = vec![half(0), half(1)];
    // What is the same everywhere is no value.
    if halves.iter().all(Column::varies) {
        halves
    } else {
        Vec::new()
    }
}

/// Whether what parts values in two is the unit of a number: "1 h 10 m" is one value.
fn goes_on_after_unit(values: &[&str], separator: &str) -> bool {
    if !separator.contains(char::is_alphabetic) {
        return false;
    }
    let sides = values
        .iter()
        .filter_map(|value| value.split_once(separator));
    let before: Vec<&str> = sides.map(|(before, _)| before).collect();
    Type::of(&before) == Type::Number
}

/// A column cut to one half of its texts, and absent where they have no two.
pub(in crate::fields) fn half_of(whole: &Column, part: Part) -> Column {
    let mut texts = Vec::with_capacity(whole.pages.len());
    for page in &whole.pages {
        let halves = page.texts.iter().filter_map(|text| part.of(text));
        texts.push(halves.map(str::to_owned).collect());
    }
    let take = |rule: &mut Field| rule.part = Some(part);
    whole.with_texts(Form::Part, take, texts)
}

/// What is once in the middle of every value: a word or mark between spaces, or a mark before a
/// space.
fn separator(values: &[&str]) -> Option<String> {
    let words: Vec<&str> = values[0].split(' ').collect();
    for word in words.iter().skip(1).take(words.len().saturating_sub(2)) {
        let separator = format!(" {word} ");
        if values.iter().all(|value| is_between(value, &separator)) {
            return Some(separator);
        }
    }
    for word in &words[..words.len() - 1] {
        let Some(mark) = word.chars().next_back().filter(|c| !c.is_alphanumeric()) else {
            continue;
        };
        let separator = format!("{mark} ");
        if values.iter().all(|value| is_between(value, &separator)) {
            return Some(separator);
        }
    }
    None
}

/// Whether a separator parts a value in two, each of which is a value.
fn is_between(value: &str, separator: &str) -> bool {
    let Some((left, right)) = value.split_once(separator) else {
        return false;
    };
    let is_value = |side: &str| side.contains(char::is_alphanumeric) && has_partners(side);
    is_value(left) && is_value(right) && !right.contains(separator)
}

/// A column without what all its values begin and end with; `None` if nothing is cut, nothing is
/// left that varies, or brackets lose their partners.
pub(in crate::fields) fn cut_around(
    whole: &Column,
    form: Form,
    prefix: &str,
    suffix: &str,
) -> Option<Column> {
    if prefix.is_empty() && suffix.is_empty() {
        return None;
    }
    let mut texts = Vec::with_capacity(whole.pages.len());
    for page in &whole.pages {
        let mut inner = Vec::with_capacity(page.texts.len());
        for text in &page.texts {
            let cut = text.strip_prefix(prefix).unwrap_or(text);
            let cut = cut.strip_suffix(suffix).unwrap_or(cut).trim();
            if has_partners(text) && !has_partners(cut) {
                return None;
            }
            inner.push(cut.to_owned());
        }
        texts.push(inner);
    }
    let take = |rule: &mut Field| {
        rule.prefix = prefix.to_owned();
        rule.suffix = suffix.to_owned();
    };
    Some(whole.with_texts(form, take, texts)).filter(Column::varies)
}

/// The label that all values begin with: up to a colon or space, or up to a date, as scripts
/// without spaces have none between a word and a number. Empty if they have none.
fn shared_label<'v>(values: &[&'v str]) -> &'v str {
    let common = common_prefix(values);
    // A value must be left.
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    let mut label = None;
    for (at, letter) in common.char_indices().rev() {
        let end = at + letter.len_utf8();
        // The colon of an address is none of a label.
        let ends_label =
            (letter.is_whitespace() || is_colon(letter)) && !values[0][at..].starts_with("://");
        if ends_label && end < shortest {
            label = Some(&common[..end]);
            break;
        }
    }
    let label = label.unwrap_or_else(|| before_date(common, values));
    if is_label(label, values.len()) {
        label
    } else {
        ""
    }
}

/// What all values begin with, letter by letter.
fn common_prefix<'v>(values: &[&'v str]) -> &'v str {
    let mut common = values[0];
    for value in values {
        let same = common.char_indices().zip(value.chars());
        let differs = same
            .filter(|((_, a), b)| a != b)
            .map(|((at, _), _)| at)
            .next();
        let shorter = value.len().min(common.len());
        common = &common[..differs.unwrap_or(shorter)];
    }
    common
}

/// What precedes the date that each value ends with.
fn before_date<'v>(common: &'v str, values: &[&str]) -> &'v str {
    let label = common.trim_end_matches(|letter: char| !letter.is_alphabetic());
    let dates: Vec<&str> = values.iter().map(|value| &value[label.len()..]).collect();
    if Type::of(&dates) == Type::Date {
        label
    } else {
        ""
    }
}

/// The words that all values end with, from a space on, with the mark before it; empty if they are
/// no label.
fn shared_tail<'v>(values: &[&'v str]) -> &'v str {
    let first = values[0];
    let mut length = first.len();
    for value in values {
        let letters = first[first.len() - length..].chars().rev();
        let same = letters.zip(value.chars().rev()).take_while(|(a, b)| a == b);
        length = same.map(|(letter, _)| letter.len_utf8()).sum();
    }
    let common = &first[first.len() - length..];
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    let space = common
        .char_indices()
        .find(|&(at, letter)| letter.is_whitespace() && common.len() - at < shortest);
    let Some((space, _)) = space else {
        return "";
    };
    // A comma before the words goes with them.
    let start = common[..space].trim_end_matches(is_joint).len();
    let tail = &common[start..];
    if is_label(tail, values.len()) {
        tail
    } else {
        ""
    }
}

/// Whether a letter joins a value to the words after it.
fn is_joint(letter: char) -> bool {
    matches!(
        letter,
        ',' | ';' | ':' | '-' | '–' | '—' | '|' | '/' | '·' | '•' | ' '
    )
}

/// Whether a text around values is a label rather than what a few values happen to share. Words
/// need more pages to be sure of than a colon does.
fn is_label(text: &str, values: usize) -> bool {
    if text.is_empty() || text.contains(char::is_numeric) {
        return false;
    }
    text.trim_end().ends_with(is_colon)
        || text.contains(char::is_alphabetic) && values >= MIN_VALUES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_ends_with_a_colon_or_space() {
        assert_eq!(shared_label(&["Price: $12", "Price: $7"]), "Price: ");
        assert_eq!(shared_label(&["Prix 12", "Prix 7"]), "");
        assert_eq!(
            shared_label(&["Prix 12", "Prix 7", "Prix 9", "Prix 1", "Prix 3"]),
            "Prix "
        );
        assert_eq!(shared_label(&["https://a.org", "https://b.org"]), "");
        assert_eq!(shared_label(&["ёж: а", "ёж: б"]), "ёж: ");
    }

    #[test]
    fn a_value_is_left_of_each_text() {
        assert_eq!(shared_label(&["By: ", "By: Ann"]), "By:");
        let released = ["発売日2009年10月28日", "発売日2011年1月2日"];
        assert_eq!(shared_label(&released.repeat(3)), "発売日");
        assert_eq!(shared_label(&released), "");
    }

    #[test]
    fn a_number_goes_on_after_its_unit() {
        assert!(goes_on_after_unit(&["1 h 10 m", "2 h 5 m"], " h "));
        assert!(goes_on_after_unit(&["1 Std. 10", "12 Std. 5"], " Std. "));
        assert!(!goes_on_after_unit(
            &["Leeds to York", "Bath to Ely"],
            " to "
        ));
        assert!(!goes_on_after_unit(&["1, Main Road", "12, Low Lane"], ", "));
    }

    #[test]
    fn a_tail_takes_the_mark_before_it() {
        let values = ["4 - out of five", "3 - out of five", "1 - out of five"];
        assert_eq!(shared_tail(&values), "");
        let values = [values, values].concat();
        assert_eq!(shared_tail(&values), " - out of five");
        assert!(is_unit(" kg") && is_unit("°C") && !is_unit(" - out of five"));
    }
}
