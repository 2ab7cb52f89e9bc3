//! Which columns do the pages of a template declare, and which of those that they show are the same?
//!
//! What a page declares of the thing that it is about needs no learning: it has a name of its own on
//! every page. Such a property becomes a column under its plain name, before all others. A column
//! that was learned and has the same values on the pages is the same column: its views stay as more
//! ways to find the value, and where they find another value on a page, it is in doubt.
//!
//! Cost: what is declared is read once a page, and the learned fields are looked for once more.

use super::{
    Field, View, apply::Finder, label_text::is_colon, learn::LearnedFields, names::NamedBy,
    sample::ScannedPage, types::Type, view::DeclaredView,
};
use crate::read::{
    declared::{DeclaredRow, Vocabulary, term},
    tree::Tree,
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;

/// A property that fewer pages declare than one in this many is no column of the template: sites
/// add such by hand. Chosen by hand; groups of fewer pages keep all.
const PAGES_A_DECLARED: usize = 50;

/// Of the pages that have a value both ways, this share must have the same one for two columns to
/// be one. Chosen by hand: a template that now and then rounds a price still shows what it declares.
const SAME_SHARE: f64 = 0.8;

/// How many samples a field has.
const SAMPLES: usize = 3;

/// `<meta>` and Open Graph say these of a product; all else that they say is of the page.
const OF_PRODUCTS: [&str; 7] = [
    "price",
    "priceCurrency",
    "availability",
    "brand",
    "itemCondition",
    "productID",
    "sku",
];

/// The values of a column, by page.
pub(super) type Values = Vec<Vec<String>>;

/// Puts what pages declare before the fields that were learned from them.
pub(crate) fn put_first(learned: &mut LearnedFields, pages: &[ScannedPage<'_>]) {
    let rows: Vec<DeclaredRow> = pages
        .par_iter()
        .map(|page| DeclaredRow::of(page.tree()))
        .collect();
    let columns = columns(&rows);
    if columns.is_empty() {
        return;
    }
    let shown = shown_values(learned, pages);
    let mut merge = Merge {
        is_taken: vec![false; shown.len()],
        shown,
        names: RapidHashSet::default(),
        fields: Vec::new(),
    };
    for (name, values) in &columns {
        merge.add(name, values, learned);
    }
    merge.finish(learned);
}

/// A column of what pages declare, by the values that it has on some of them: terms and currencies
/// that every page declares alike vary on none, so that no rule is learned for them. Of several such
/// properties it is the one that is called like the field, else the first.
pub(crate) fn with_values(
    name: &str,
    given: &[(usize, &[String])],
    pages: &[ScannedPage<'_>],
) -> Option<Field> {
    let rows: Vec<DeclaredRow> = pages
        .par_iter()
        .map(|page| DeclaredRow::of(page.tree()))
        .collect();
    let mut found: Option<(String, Values)> = None;
    for (property, values) in columns(&rows) {
        if !given.iter().all(|&(page, texts)| values[page] == texts) {
            continue;
        }
        if found.is_none() || property.eq_ignore_ascii_case(name) {
            found = Some((property, values));
        }
    }
    let (property, values) = found?;
    let mut field = Field {
        name: name.to_owned(),
        views: vec![View::Declared(DeclaredView { property })],
        ..Field::default()
    };
    note_values(&mut field, &values);
    Some(field)
}

/// Whether a page declares a value of each field.
pub(crate) fn are_declared(fields: &[Field], tree: &Tree<'_>) -> Vec<bool> {
    let properties: Vec<Option<&str>> = fields.iter().map(Field::declared_property).collect();
    if properties.iter().all(Option::is_none) {
        return vec![false; fields.len()];
    }
    let row = DeclaredRow::of(tree);
    let is_declared = |property: &str| row.get(property).is_some();
    properties
        .into_iter()
        .map(|property| property.is_some_and(is_declared))
        .collect()
}

/// Whether a field is a property of the thing rather than of its page.
fn is_of_thing(row: &DeclaredRow, name: &str, vocabulary: Vocabulary) -> bool {
    match vocabulary {
        Vocabulary::JsonLd | Vocabulary::Microdata | Vocabulary::Rdfa | Vocabulary::State => true,
        Vocabulary::OpenGraph | Vocabulary::Meta => {
            !row.kind.is_empty() || OF_PRODUCTS.contains(&name)
        }
    }
}

/// The columns that rows have together, in the order in which they come up, without the rare ones.
fn columns(rows: &[DeclaredRow]) -> Vec<(String, Values)> {
    let mut places: RapidHashMap<&str, usize> = RapidHashMap::default();
    let mut columns: Vec<(String, Values)> = Vec::new();
    for (page, row) in rows.iter().enumerate() {
        for field in &row.fields {
            if !is_of_thing(row, &field.name, field.vocabulary) {
                continue;
            }
            let place = *places.entry(&field.name).or_insert_with(|| {
                columns.push((field.name.clone(), vec![Vec::new(); rows.len()]));
                columns.len() - 1
            });
            let texts = field.values.iter().map(|(text, _)| text.clone());
            columns[place].1[page] = texts.collect();
        }
    }
    columns.retain(|(_, values)| PAGES_A_DECLARED * filled(values) >= rows.len());
    columns
}

fn filled(values: &Values) -> usize {
    values.iter().filter(|texts| !texts.is_empty()).count()
}

/// What the learned fields find on each page, and what it declares where they find nothing.
pub(super) fn all_values(learned: &LearnedFields, pages: &[ScannedPage<'_>]) -> Vec<Values> {
    let mut all = shown_values(learned, pages);
    for (page, scanned) in pages.iter().enumerate() {
        let row = DeclaredRow::of(scanned.tree());
        for (field, values) in learned.fields.iter().zip(&mut all) {
            let declared = field.declared_property().and_then(|name| row.get(name));
            if let Some(declared) = declared.filter(|_| values[page].is_empty()) {
                let texts = declared.values.iter().map(|(text, _)| text.clone());
                values[page] = texts.collect();
            }
        }
    }
    all
}

/// What the learned fields find on each page.
fn shown_values(learned: &LearnedFields, pages: &[ScannedPage<'_>]) -> Vec<Values> {
    let finder = Finder::new(&learned.fields, &learned.landmarks);
    let by_page: Vec<Vec<Vec<String>>> =
        pages.par_iter().map(|page| finder.texts_on(page)).collect();
    let mut shown = vec![vec![Vec::new(); pages.len()]; learned.fields.len()];
    for (page, fields) in by_page.into_iter().enumerate() {
        for (field, texts) in fields.into_iter().enumerate() {
            shown[field][page] = texts;
        }
    }
    shown
}

/// Declared columns while they are put together with learned ones.
struct Merge {
    /// What each learned field finds.
    shown: Vec<Values>,
    /// The learned fields that are part of a declared column now.
    is_taken: Vec<bool>,
    /// The names of declared columns, in small letters.
    names: RapidHashSet<String>,
    fields: Vec<Field>,
}

impl Merge {
    fn add(&mut self, name: &str, values: &Values, learned: &LearnedFields) {
        let mut same = None;
        for (at, shown) in self.shown.iter().enumerate() {
            if self.is_taken[at] || !are_same(values, shown) {
                continue;
            }
            // The first is the best; the next ones are taken out if they say nothing else.
            if same.is_none() {
                same = Some(at);
                self.is_taken[at] = true;
            } else if says_nothing_else(values, shown) {
                self.is_taken[at] = true;
            }
        }
        let mut field = same.map_or_else(Field::default, |at| learned.fields[at].clone());
        let property = name.to_owned();
        field
            .views
            .insert(0, View::Declared(DeclaredView { property }));
        match same {
            Some(at) => note_values(&mut field, &given(values, &self.shown[at])),
            None => note_values(&mut field, values),
        }
        field.name = unique(name, &mut self.names);
        self.fields.push(field);
    }

    /// Puts the declared columns first; learned ones of the same name get a number.
    fn finish(mut self, learned: &mut LearnedFields) {
        let declared = self.fields.len();
        let mut fields = self.fields;
        let mut named_by = vec![NamedBy::Author; declared];
        let mut wanted = declared;
        let old_fields = std::mem::take(&mut learned.fields);
        let old_names = std::mem::take(&mut learned.named_by);
        for (at, (mut field, by)) in old_fields.into_iter().zip(old_names).enumerate() {
            if self.is_taken[at] {
                continue;
            }
            field.name = unique(&field.name, &mut self.names);
            wanted += usize::from(at < learned.wanted);
            fields.push(field);
            named_by.push(by);
        }
        (learned.fields, learned.named_by, learned.wanted) = (fields, named_by, wanted);
    }
}

/// Whether what readers see is given in the place of what is declared: it says the same as people
/// write it, with its currency and its unit. Terms of schema.org are given as they are declared.
pub(crate) fn is_given_as_shown(declared: &[impl AsRef<str>], shown: &[impl AsRef<str>]) -> bool {
    let is_bare = |text: &str| term(text) == text;
    // How long something takes is said in words of some language only by what is shown.
    let is_duration = |text: &str| iso_minutes(text).is_some();
    !shown.is_empty()
        && is_same(declared, shown)
        && shown.iter().all(|text| is_bare(text.as_ref()))
        && !declared.iter().any(|text| is_duration(text.as_ref()))
}

/// The values that a column gives on each page: what is shown, where it is given so.
fn given(declared: &Values, shown: &Values) -> Values {
    let mut values = Vec::new();
    for (declared, shown) in declared.iter().zip(shown) {
        let is_shown = is_given_as_shown(declared, shown);
        values.push(if is_shown { shown } else { declared }.clone());
    }
    values
}

/// Notes what the values of a field are like.
pub(super) fn note_values(field: &mut Field, values: &Values) {
    let all: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
    let mut seen = RapidHashSet::default();
    field.kind = Type::of(&all);
    field.many |= values.iter().any(|texts| texts.len() > 1);
    field.fill = (1000.0 * filled(values) as f64 / values.len() as f64).round() / 1000.0;
    field.agreement = 1.0;
    field.letters = None;
    field.count = None;
    field.inline_label.clear();
    field.held_out = None;
    field.samples.clear();
    for text in all {
        if field.samples.len() == SAMPLES {
            break;
        }
        if seen.insert(text) {
            field.samples.push(text.to_owned());
        }
    }
}

/// A name that is not taken yet, in any writing.
fn unique(name: &str, taken: &mut RapidHashSet<String>) -> String {
    /// Columns that every table has.
    const BUILT_IN: [&str; 3] = ["page", "url", "group"];
    let is_free = !BUILT_IN.contains(&name.to_lowercase().as_str());
    if is_free && taken.insert(name.to_lowercase()) {
        return name.to_owned();
    }
    let mut numbered = (2..).map(|number| format!("{name}_{number}"));
    numbered
        .find(|name| taken.insert(name.to_lowercase()))
        .expect("there are more numbers than names")
}

/// Whether a shown column has what is declared on each page where it has anything.
fn says_nothing_else(declared: &Values, shown: &Values) -> bool {
    let mut pages = declared.iter().zip(shown);
    pages.all(|(declared, shown)| shown.is_empty() || is_same(declared, shown))
}

/// Whether two columns have the same values on nearly all pages that have both. One page may agree
/// by chance.
fn are_same(declared: &Values, shown: &Values) -> bool {
    let mut both = 0;
    let mut same = 0;
    for (declared, shown) in declared.iter().zip(shown) {
        if declared.is_empty() || shown.is_empty() {
            continue;
        }
        both += 1;
        same += usize::from(is_same(declared, shown));
    }
    both >= 2 && 2 * both >= filled(declared) && same as f64 >= SAME_SHARE * both as f64
}

/// Whether two lists of values say the same, however they are written: `48.50` and `£48.50`.
pub(crate) fn is_same(one: &[impl AsRef<str>], other: &[impl AsRef<str>]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    one.iter().zip(other).all(|(one, other)| {
        let (one, other) = (term(one.as_ref()), term(other.as_ref()));
        plain(one) == plain(other)
            || is_after_label(one, other)
            || is_as_long(one, other)
            || is_same_number(one, other)
    })
}

/// Whether two texts say one number. The numbers in a duration of ISO 8601 mean nothing without
/// their units.
fn is_same_number(one: &str, other: &str) -> bool {
    if iso_minutes(one).is_some() || iso_minutes(other).is_some() {
        return false;
    }
    number(one).is_some_and(|number_of_one| Some(number_of_one) == number(other))
}

/// Whether a text is a value after its label: `Brand: Acme`.
fn is_after_label(text: &str, value: &str) -> bool {
    let label = text.strip_suffix(value).map_or("", str::trim_end);
    !value.is_empty() && label.ends_with(is_colon)
}

/// Whether a text says a duration of ISO 8601 in words: `PT70M` and "1 h 10 m", "70 minutes".
fn is_as_long(duration: &str, words: &str) -> bool {
    /// Words for a duration are not longer, in bytes.
    const MOST_BYTES: usize = 40;
    let Some(minutes) = iso_minutes(duration) else {
        return false;
    };
    if iso_minutes(words).is_some() || words.len() > MOST_BYTES {
        return iso_minutes(words) == Some(minutes);
    }
    // A bare number may count anything.
    if !words.contains(char::is_alphabetic) {
        return false;
    }
    let numbers = words.split(|letter: char| !letter.is_ascii_digit());
    let numbers: Vec<u32> = numbers.filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [one] => one == minutes || one.checked_mul(60) == Some(minutes),
        [hours, rest] => {
            let hours = hours.checked_mul(60);
            rest < 60 && hours.and_then(|hours| hours.checked_add(rest)) == Some(minutes)
        }
        _ => false,
    }
}

/// The whole minutes of a duration of ISO 8601: 70 of `PT1H10M`.
fn iso_minutes(text: &str) -> Option<u32> {
    let (days, time) = text.trim().strip_prefix('P')?.split_once('T')?;
    let mut minutes = 0u32;
    let mut rest = time;
    if !days.is_empty() {
        let days: u32 = days.strip_suffix('D')?.parse().ok()?;
        minutes = days.checked_mul(24 * 60)?;
    }
    while !rest.is_empty() {
        let unit = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let number: u32 = rest[..unit].parse().ok()?;
        let in_minutes = match rest.as_bytes()[unit] {
            b'H' => number.checked_mul(60)?,
            b'M' => number,
            b'S' => number / 60,
            _ => return None,
        };
        minutes = minutes.checked_add(in_minutes)?;
        rest = &rest[unit + 1..];
    }
    (minutes > 0).then_some(minutes)
}

/// The letters and digits of a text, in lower case.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The only number of a short text, as its whole and its decimal digits: `1.234,50 €` is 1234 and 5.
/// `None` where there is none, or more than one.
fn number(text: &str) -> Option<(String, String)> {
    /// An amount with its currency is not longer, in bytes.
    const MOST_BYTES: usize = 24;
    /// A currency is written with few letters.
    const MOST_LETTERS: usize = 4;
    if text.len() > MOST_BYTES
        || text.chars().filter(|letter| letter.is_alphabetic()).count() > MOST_LETTERS
    {
        return None;
    }
    let first = text.find(|letter: char| letter.is_ascii_digit())?;
    let last = text.rfind(|letter: char| letter.is_ascii_digit())?;
    let digits = &text[first..=last];
    let is_part = |letter: char| {
        letter.is_ascii_digit()
            || matches!(letter, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}')
    };
    if !digits.chars().all(is_part) {
        return None;
    }
    // Two digits or one after the last mark are decimals.
    let (whole, decimals) = match digits.rfind(['.', ',']) {
        Some(mark) if digits.len() - mark <= 3 => (&digits[..mark], &digits[mark + 1..]),
        _ => (digits, ""),
    };
    let only_digits =
        |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let whole = only_digits(whole);
    let decimals = only_digits(decimals);
    Some((
        whole.trim_start_matches('0').to_owned(),
        decimals.trim_end_matches('0').to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_however_they_are_written() {
        for (one, other, expected) in [
            ("48.50", "£48.50", true),
            ("48.5", "48,50 €", true),
            ("1234.5", "1.234,50 kr", true),
            ("1234", "1 234", true),
            ("48.50", "48.51", false),
            ("48", "48 of 50", false),
            ("Crème Brûlée", "crème brûlée!", true),
            ("急須", "急須 ", true),
            ("12 345", "12345", true),
            ("PT70M", "1 h 10 m", true),
            ("PT1H10M", "70分", true),
            ("P0DT2H0M0S", "2 Stunden", true),
            ("PT1H10M", "PT70M", true),
            ("PT70M", "1 h", false),
            ("PT4H", "4", false),
            ("Brand: Acme", "Acme", true),
            ("Brand Acme", "Acme", false),
            ("InStock", "https://schema.org/InStock", true),
            ("1", "2", false),
            ("7 Sins", "7 Wonders", false),
        ] {
            assert_eq!(is_same(&[one], &[other]), expected, "{one} {other}");
        }
    }
}
