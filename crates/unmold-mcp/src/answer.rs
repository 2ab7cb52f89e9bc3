//! How much fits into an answer? What a model reads costs its context, so answers are small and say
//! how to get the rest.

use serde_json::Value;

/// An answer takes up no more rows once it has this many bytes of JSON.
const MAX_BYTES: usize = 16_000;
/// A single value is cut after this many characters.
const MAX_VALUE: usize = 1_000;

/// The rows of an answer, as many as fit, and the number of the first that did not.
pub struct Rows {
    pub rows: Vec<Value>,
    pub next: Option<usize>,
}

/// Takes up rows of `count` from a number on: at least one, then no more than `limit` and than fit.
/// Only these are made.
pub fn rows_from(
    count: usize,
    first: usize,
    limit: Option<usize>,
    row: impl Fn(usize) -> Value,
) -> Rows {
    let limit = limit.unwrap_or(usize::MAX).max(1);
    let mut rows = Vec::new();
    let mut bytes = 0;
    for number in first..count {
        let mut row = row(number);
        clip(&mut row);
        bytes += row.to_string().len();
        if !rows.is_empty() && (bytes > MAX_BYTES || rows.len() == limit) {
            return Rows {
                rows,
                next: Some(number),
            };
        }
        rows.push(row);
    }
    Rows { rows, next: None }
}

/// A piece of a text from a character on, and the number of the first character after it.
pub fn text_from(text: &str, first: usize) -> (&str, Option<usize>) {
    let from = byte_of(text, first);
    let to = from + byte_of(&text[from..], MAX_BYTES);
    let next = (to < text.len()).then(|| first + MAX_BYTES);
    (&text[from..to], next)
}

/// Cuts every text in a value that is too long, and the items of lists that are too many.
fn clip(value: &mut Value) {
    let mut left = MAX_BYTES;
    clip_within(value, &mut left);
}

/// Cuts a value down to what is left of the answer, in bytes.
fn clip_within(value: &mut Value, left: &mut usize) {
    match value {
        Value::String(text) => {
            clip_text(text, MAX_VALUE.min(*left));
            *left = left.saturating_sub(text.len());
        }
        Value::Array(items) => {
            let count = items.len();
            let mut kept = 0;
            while kept < count && *left > 0 {
                clip_within(&mut items[kept], left);
                kept += 1;
            }
            if kept < count {
                items.truncate(kept);
                items.push(Value::String(format!("... and {} more", count - kept)));
            }
        }
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                *left = left.saturating_sub(name.len());
                clip_within(member, left);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => *left = left.saturating_sub(1),
    }
}

fn clip_text(text: &mut String, most: usize) {
    let end = byte_of(text, most);
    if end == text.len() {
        return;
    }
    let missing = text[end..].chars().count();
    text.truncate(end);
    text.push_str(&format!("... [{missing} more characters]"));
}

/// Where a character begins, in bytes; the end if there are fewer.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn numbered(number: usize, size: usize) -> Value {
        json!({"n": number, "text": "x".repeat(size)})
    }

    #[test]
    fn all_rows_come_in_the_end_each_once() {
        let (mut seen, mut first) = (Vec::new(), 0);
        loop {
            let Rows { rows, next } = rows_from(100, first, None, |number| {
                assert!(number >= first, "no row before is made");
                numbered(number, 900)
            });
            assert!(rows.iter().map(|row| row.to_string().len()).sum::<usize>() <= MAX_BYTES);
            seen.extend(rows.iter().map(|row| row["n"].as_u64().unwrap()));
            let Some(next) = next else { break };
            first = next;
        }
        assert_eq!(seen, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_limit_is_kept_and_the_end_is_the_end() {
        let some = rows_from(5, 1, Some(2), |number| numbered(number, 1));
        assert_eq!((some.rows.len(), some.next), (2, Some(3)));
        let last = rows_from(5, 3, Some(2), |number| numbered(number, 1));
        assert_eq!((last.rows.len(), last.next), (2, None));
        let none = rows_from(5, 9, None, |number| numbered(number, 1));
        assert_eq!((none.rows.len(), none.next), (0, None));
    }

    #[test]
    fn what_is_cut_says_so() {
        let long = json!({"a": "é".repeat(3_000), "b": vec!["word"; 9_000]});
        let row = &rows_from(1, 0, None, |_| long.clone()).rows[0];
        assert!(
            row["a"]
                .as_str()
                .unwrap()
                .ends_with("... [2000 more characters]")
        );
        let items = row["b"].as_array().unwrap();
        let last = items.last().unwrap().as_str().unwrap();
        assert_eq!(last, format!("... and {} more", 9_000 - (items.len() - 1)));
        assert!(row.to_string().len() < 4 * MAX_BYTES);
    }

    #[test]
    fn a_text_is_read_on_to_its_end() {
        let text = "日本語".repeat(10_000);
        let (mut read, mut first) = (String::new(), 0);
        loop {
            let (piece, next) = text_from(&text, first);
            read.push_str(piece);
            let Some(next) = next else { break };
            first = next;
        }
        assert_eq!(read, text);
    }
}
