//! What does a page tell machines in JSON-LD?
//!
//! Many pages repeat their values in a `<script type="application/ld+json">`. A value there is
//! known by its type and its path (`Product`, `offers price`) and is found again however the
//! visible page is redesigned.
//!
//! What stands in an array, or in the objects of one, is known by its path alone: the values are a
//! list.
//!
//! Broken JSON is as good as none. Arrays and `@graph` are gone through; other names that begin
//! with `@` are skipped.

use crate::Span;

/// Values that are nested deeper are left out, as is
const MAX_DEPTH: usize = 16;
/// a script with more bytes,
const MAX_BYTES: usize = 256 << 10;
/// and one with more values.
const MAX_VALUES: usize = 1024;

/// A string or number in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The `@type` of the outermost object, as far as it says.
    pub kind: Span,
    /// The names that lead to it.
    pub path: Vec<Span>,
    /// Where it stands, quotes included.
    pub value: Span,
    /// Whether an array on its path may have several like it.
    pub is_item: bool,
}

/// The values of a script whose content stands at a place of a page.
pub(super) fn entries(page: &str, script: Span) -> Vec<Entry> {
    if script.len() > MAX_BYTES {
        return Vec::new();
    }
    let bytes = &page.as_bytes()[..script.end as usize];
    let mut walker = Walker {
        bytes,
        at: script.start as usize,
        depth: 0,
        arrays: 0,
        path: Vec::new(),
        entries: Vec::new(),
    };
    let is_whole = walker.value().is_some() && walker.peek().is_none();
    if is_whole { walker.entries } else { Vec::new() }
}

/// A value as a reader would write it.
pub(crate) fn text(raw: &str) -> String {
    match serde_json::from_str(raw) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(_) => raw.to_owned(),
        Err(_) => String::new(),
    }
}

struct Walker<'p> {
    /// The page up to the end of the script.
    bytes: &'p [u8],
    at: usize,
    depth: usize,
    /// Open arrays that have a name.
    arrays: usize,
    path: Vec<Span>,
    entries: Vec<Entry>,
}

/// `None` says that the JSON is broken, or larger than any that is meant.
impl Walker<'_> {
    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.bytes.get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        Some(self.bytes[self.at])
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<()> {
        match self.peek()? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => {
                let value = self.string()?;
                self.add(value)
            }
            _ => {
                let value = self.word()?;
                let is_null = self.bytes[value.start as usize] == b'n';
                if is_null { Some(()) } else { self.add(value) }
            }
        }
    }

    fn nested(&mut self, inside: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        self.at += 1;
        let done = if self.depth > MAX_DEPTH {
            None
        } else {
            inside(self)
        };
        self.depth -= 1;
        done
    }

    fn add(&mut self, value: Span) -> Option<()> {
        if !self.path.is_empty() {
            let (path, is_item) = (self.path.clone(), self.arrays > 0);
            self.entries.push(Entry {
                kind: Span::default(),
                path,
                value,
                is_item,
            });
        }
        (self.entries.len() <= MAX_VALUES).then_some(())
    }

    /// The rest of an object behind its `{`.
    fn object(&mut self) -> Option<()> {
        let (first, mut kind) = (self.entries.len(), Span::default());
        while self.peek()? != b'}' {
            let name = inside(self.string()?);
            self.expect(b':')?;
            match &self.bytes[name.range()] {
                b"@graph" => self.value()?,
                b"@type" if self.path.is_empty() && self.peek()? == b'"' => {
                    kind = inside(self.string()?);
                }
                [b'@', ..] => self.skip()?,
                _ => {
                    self.path.push(name);
                    self.value()?;
                    self.path.pop();
                }
            }
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        if self.path.is_empty() && !kind.is_empty() {
            self.entries[first..]
                .iter_mut()
                .for_each(|entry| entry.kind = kind);
        }
        Some(())
    }

    /// The rest of an array behind its `[`.
    fn array(&mut self) -> Option<()> {
        // One without a name holds objects, as a `@graph` does.
        let is_list = usize::from(!self.path.is_empty());
        self.arrays += is_list;
        while self.peek()? != b']' {
            self.value()?;
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.arrays -= is_list;
        self.at += 1;
        Some(())
    }

    /// Goes past a value that is not wanted.
    fn skip(&mut self) -> Option<()> {
        let known = self.entries.len();
        self.value()?;
        self.entries.truncate(known);
        Some(())
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<Span> {
        self.expect(b'"')?;
        let start = self.at - 1;
        while *self.bytes.get(self.at)? != b'"' {
            self.at += if self.bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        Some(Span::new(start, self.at))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Option<Span> {
        let rest = &self.bytes[self.at..];
        let is_inside =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let length = rest
            .iter()
            .position(|byte| !is_inside(byte))
            .unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        (length > 0).then(|| Span::new(start, self.at))
    }
}

/// A string without its quotes.
fn inside(string: Span) -> Span {
    Span {
        start: string.start + 1,
        end: string.end - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<(String, String)> {
        let path = |entry: &Entry| {
            let names = entry
                .path
                .iter()
                .map(|name| name.of(json))
                .collect::<Vec<_>>()
                .join(".");
            format!("{}:{names}", entry.kind.of(json))
        };
        let entries = entries(json, Span::new(0, json.len()));
        entries
            .iter()
            .map(|entry| (path(entry), text(entry.value.of(json))))
            .collect()
    }

    #[test]
    fn values_are_known_by_type_and_path() {
        let json = r#" {"@context": "https://schema.org", "name": "Kettle \u0026 lid", "@type": "Product",
            "offers": {"@type": "Offer", "price": 12.50, "isNew": true}, "image": ["a.jpg", "b.jpg"]} "#;
        let pair = |path: &str, value: &str| (path.to_owned(), value.to_owned());
        let values = [
            ("name", "Kettle & lid"),
            ("offers.price", "12.50"),
            ("offers.isNew", "true"),
            ("image", "a.jpg"),
            ("image", "b.jpg"),
        ];
        assert_eq!(
            read(json),
            values.map(|(path, value)| pair(&format!("Product:{path}"), value))
        );
        let graph = format!(r#"{{"@graph": [{json}, {{"@type": "Person", "name": "Ada"}}]}}"#);
        assert_eq!(read(&graph)[5], pair("Person:name", "Ada"));
        assert_eq!(read(&format!("[{json}]")), read(json));
    }

    #[test]
    fn what_stands_in_an_array_is_an_item() {
        let json = r#"[{"@graph": [{"name": "Soup", "author": [{"name": "Ada", "sameAs": "/ada"}], "yield": 4, "ingredient": ["salt"]}]}]"#;
        let entries = entries(json, Span::new(0, json.len()));
        let items = entries
            .iter()
            .filter(|entry| entry.is_item)
            .map(|entry| text(entry.value.of(json)));
        assert_eq!(items.collect::<Vec<_>>(), ["Ada", "/ada", "salt"]);
        assert_eq!(entries.len(), 5);
    }

    #[test]
    fn what_is_broken_or_too_large_is_nothing() {
        let deep = format!(
            "{}1{}",
            r#"{"a":"#.repeat(MAX_DEPTH + 1),
            "}".repeat(MAX_DEPTH + 1)
        );
        let long = format!(r#"{{"a": [{}1]}}"#, "1,".repeat(MAX_VALUES));
        let broken = [
            "",
            "{",
            "null",
            r#"{"a": "b"#,
            r#"{"a": "b\"#,
            r#"{"a" 1}"#,
            r#"{"a": 1} x"#,
            r#"{"a": ;}"#,
        ];
        for json in broken.into_iter().chain([deep.as_str(), long.as_str()]) {
            assert_eq!(read(json), [], "{json}");
        }
    }
}
