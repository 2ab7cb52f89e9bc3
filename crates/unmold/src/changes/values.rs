//! Which fields of a page have other values?

use super::side::Side;
use crate::{
    Span,
    report::typed::{Reading, Typed},
};
use serde::Serialize;

/// A field with other values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldChange {
    /// What the field is called.
    pub name: String,
    /// The values that it had; none if the page had none.
    pub old: Vec<String>,
    /// The values that it has.
    pub new: Vec<String>,
    /// By how much one number or day is more than the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Whether a value may be wrong, on either side.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_doubted: bool,
}

/// By how much a value is more than it was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What is counted.
    pub unit: Unit,
    /// How much more there is; less than zero if there is less.
    pub by: f64,
    /// The same in hundredths of the old value, if that is not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
}

/// What a difference counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// What the number counts, whatever that is.
    Number,
    /// Days.
    Days,
}

/// The values of a field on one side.
#[derive(Default)]
struct Values {
    texts: Vec<String>,
    is_doubted: bool,
}

/// The fields that have other values, in the order of the new side, then those that only the old one
/// has.
pub(super) fn changed(before: &Side<'_>, after: &Side<'_>) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    let old_names: Vec<&str> = before.found.fields().map(|field| field.name()).collect();
    let new_names: Vec<&str> = after.found.fields().map(|field| field.name()).collect();
    let only_old = old_names.iter().filter(|name| !new_names.contains(name));
    for name in new_names.iter().chain(only_old) {
        let (old, new) = (values_of(before, name), values_of(after, name));
        if is_same(&old.texts, &new.texts) {
            continue;
        }
        let is_sure = [&old, &new]
            .iter()
            .all(|side| !side.texts.is_empty() && !side.is_doubted);
        // A rule that finds nothing, or something else in another place, is no change of the page
        // as long as both sides still say what the other one says.
        if !is_sure && is_said(&old.texts, after) && is_said(&new.texts, before) {
            continue;
        }
        changes.push(FieldChange {
            name: (*name).to_owned(),
            difference: difference(&old.texts, &new.texts),
            is_doubted: old.is_doubted || new.is_doubted,
            old: old.texts,
            new: new.texts,
        });
    }
    changes
}

fn values_of(side: &Side<'_>, name: &str) -> Values {
    let Some(field) = side.found.fields().find(|field| field.name() == name) else {
        return Values::default();
    };
    let mut texts = Vec::new();
    for value in field.values() {
        if !is_shown(side, value.text(), value.span()) {
            continue;
        }
        // The third price of a list is another one when its rows are put into another order: without
        // a label of its own, it is the list that has it.
        if field.rule().label.is_empty() && side.is_in_row(value.span()) {
            continue;
        }
        texts.push(value.text().to_owned());
    }
    Values {
        texts,
        is_doubted: field.doubt().is_some(),
    }
}

/// Whether readers of the page see a value, and not in its frame: a link that stands outside of what
/// the main content reaches from and to is one of a menu.
fn is_shown(side: &Side<'_>, text: &str, span: Span) -> bool {
    if !side.said.says(text) {
        return false;
    }
    side.is_in_content(span) || !side.said.is_in_link(span)
}

/// Whether both sides have the same values, in whatever order.
fn is_same(old: &[String], new: &[String]) -> bool {
    sorted(old) == sorted(new)
}

fn sorted(values: &[String]) -> Vec<&String> {
    let mut sorted: Vec<&String> = values.iter().collect();
    sorted.sort_unstable();
    sorted
}

/// Whether a page says all of some values, to its readers or in its source.
fn is_said(values: &[String], on: &Side<'_>) -> bool {
    values
        .iter()
        .all(|value| on.said.says(value) || on.found.page().as_str().contains(value.as_str()))
}

/// By how much the one new value is more than the one old value.
fn difference(old: &[String], new: &[String]) -> Option<Difference> {
    let ([old], [new]) = (old, new) else {
        return None;
    };
    let (old, new) = without_units(old, new);
    let reading = Reading::of([old, new].into_iter());
    match (reading.read(old)?, reading.read(new)?) {
        (Typed::Date(old), Typed::Date(new)) => Some(Difference {
            unit: Unit::Days,
            by: f64::from(new.since_1970() - old.since_1970()),
            percent: None,
        }),
        (Typed::Whole(old), Typed::Whole(new)) => Some(of_numbers(old as f64, new as f64)),
        (Typed::Number(old), Typed::Number(new)) => Some(of_numbers(old, new)),
        (Typed::Date(_) | Typed::Whole(_) | Typed::Number(_) | Typed::Bool(_), _) => None,
    }
}

fn of_numbers(old: f64, new: f64) -> Difference {
    Difference {
        unit: Unit::Number,
        // What a fraction of two digits leaves behind is no part of the difference.
        by: rounded(new - old, 1e6),
        percent: (old != 0.0).then(|| rounded(100.0 * (new - old) / old.abs(), 10.0)),
    }
}

fn rounded(number: f64, places: f64) -> f64 {
    (number * places).round() / places
}

/// Two values without the units that both have before and after their numbers: `£48.50` and
/// `£45.50`.
fn without_units<'v>(old: &'v str, new: &'v str) -> (&'v str, &'v str) {
    let is_of_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.');
    let unit = |value: &'v str| {
        let start = value.find(is_of_number).unwrap_or(0);
        let end = value.rfind(|letter: char| letter.is_ascii_digit());
        let end = end.map_or(value.len(), |end| end + 1);
        (&value[..start], &value[start..end], &value[end..])
    };
    let ((before, old_number, after), (new_before, new_number, new_after)) = (unit(old), unit(new));
    if before == new_before && after == new_after {
        (old_number, new_number)
    } else {
        (old, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(old: &str, new: &str) -> Option<(Unit, f64)> {
        difference(&[old.to_owned()], &[new.to_owned()]).map(|found| (found.unit, found.by))
    }

    #[test]
    fn numbers_and_days_are_subtracted() {
        assert_eq!(by("£48.50", "£45.00"), Some((Unit::Number, -3.5)));
        assert_eq!(by("1 200 €", "1 350 €"), Some((Unit::Number, 150.0)));
        assert_eq!(by("2024-02-28", "2024-03-01"), Some((Unit::Days, 2.0)));
        assert_eq!(by("12 kg", "12 lb"), None, "other units");
        assert_eq!(by("red", "blue"), None);
    }

    #[test]
    fn values_in_another_order_are_the_same() {
        let (one, other) = (
            ["a".to_owned(), "b".to_owned()],
            ["b".to_owned(), "a".to_owned()],
        );
        assert!(is_same(&one, &other) && !is_same(&one, &one[..1]));
    }
}
