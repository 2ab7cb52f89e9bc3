//! JSON as people read it: what fits on a line is on one line.
//!
//! A mold has thousands of small objects, each a view of a field. Written on six lines each, they
//! hide what the mold says; on one line each, the fields can be compared at a glance, and the file
//! is hardly larger than without any white space.
//!
//! Cost: linear in the JSON.

/// An object or array is on one line if it has at most this many bytes without white space. Not
/// fitted: it is what a wide window shows.
const LINE_BYTES: usize = 160;

/// What a step inwards is indented by.
const INDENT: &str = "  ";

/// Lays out JSON that has no white space between its signs.
pub(super) fn laid_out(json: &str) -> String {
    let mut layout = Layout {
        json,
        closing: closing_brackets(json),
        out: String::with_capacity(json.len() + json.len() / 4),
    };
    layout.push(0, json.len(), 0);
    layout.out
}

/// The place of the bracket that closes each one that opens, 0 elsewhere.
fn closing_brackets(json: &str) -> Vec<u32> {
    let mut closing = vec![0; json.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, byte) in outside_strings(json) {
        match byte {
            b'{' | b'[' => open.push(at),
            b'}' | b']' => {
                if let Some(start) = open.pop() {
                    closing[start] = u32::try_from(at).unwrap_or(0);
                }
            }
            _ => {}
        }
    }
    closing
}

/// The bytes of JSON that are not in strings, with their places.
fn outside_strings(json: &str) -> impl Iterator<Item = (usize, u8)> + '_ {
    let (mut in_string, mut is_escaped) = (false, false);
    json.bytes().enumerate().filter(move |&(_, byte)| {
        if !in_string {
            in_string = byte == b'"';
            return !in_string;
        }
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_string = false,
            _ => {}
        }
        false
    })
}

struct Layout<'j> {
    json: &'j str,
    closing: Vec<u32>,
    out: String,
}

impl Layout<'_> {
    /// Writes a part of the JSON, breaking lines in what is too long for one.
    fn push(&mut self, start: usize, end: usize, depth: usize) {
        let part = &self.json[start..end];
        let mut written = 0;
        let mut skipped_to = 0;
        for (at, byte) in outside_strings(part) {
            if at < skipped_to {
                continue;
            }
            match byte {
                b'{' | b'[' => {
                    let close = self.closing[start + at] as usize;
                    self.out.push_str(&part[written..at]);
                    self.push_bracket(start + at, close, depth);
                    written = close + 1 - start;
                    skipped_to = written;
                }
                b',' => {
                    self.out.push_str(&part[written..=at]);
                    self.push_line(depth);
                    written = at + 1;
                }
                b':' => {
                    self.out.push_str(&part[written..=at]);
                    self.out.push(' ');
                    written = at + 1;
                }
                _ => {}
            }
        }
        self.out.push_str(&part[written..]);
    }

    /// Writes an object or array from its opening bracket to its closing one.
    fn push_bracket(&mut self, open: usize, close: usize, depth: usize) {
        if close - open <= LINE_BYTES {
            self.push_on_one_line(open, close);
            return;
        }
        self.out.push_str(&self.json[open..=open]);
        self.push_line(depth + 1);
        self.push(open + 1, close, depth + 1);
        self.push_line(depth);
        self.out.push_str(&self.json[close..=close]);
    }

    fn push_on_one_line(&mut self, open: usize, close: usize) {
        let part = &self.json[open..=close];
        let mut written = 0;
        for (at, byte) in outside_strings(part) {
            if matches!(byte, b',' | b':') {
                self.out.push_str(&part[written..=at]);
                self.out.push(' ');
                written = at + 1;
            }
        }
        self.out.push_str(&part[written..]);
    }

    fn push_line(&mut self, depth: usize) {
        self.out.push('\n');
        for _ in 0..depth {
            self.out.push_str(INDENT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_on_a_line_is_on_one_line() {
        assert_eq!(
            laid_out(r#"{"a":[1,2],"b":{"c":"x, y: [z]"}}"#),
            r#"{"a": [1, 2], "b": {"c": "x, y: [z]"}}"#
        );
    }

    #[test]
    fn what_does_not_is_broken_at_its_own_commas() {
        let long = "x".repeat(LINE_BYTES);
        let json = format!(r#"{{"a":"{long}","b":[{{"c":1}},{{"c":"\"]"}}]}}"#);
        assert_eq!(
            laid_out(&json),
            format!("{{\n  \"a\": \"{long}\",\n  \"b\": [{{\"c\": 1}}, {{\"c\": \"\\\"]\"}}]\n}}")
        );
    }

    #[test]
    fn nothing_is_changed_but_white_space() {
        let view = serde_json::json!({"text": "a, \"b\": {", "n": [1, 2, 3]});
        let value = serde_json::json!({"k": vec![view; 9], "e": {}, "f": []});
        let read: serde_json::Value = serde_json::from_str(&laid_out(&value.to_string())).unwrap();
        assert_eq!(read, value);
    }
}
