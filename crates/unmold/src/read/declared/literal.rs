//! What value does a script write here?
//!
//! Reads JSON, and what scripts write as readily: names without quotes, single quotes, commas before
//! a closing bracket, comments, `undefined`, `!0` and `void 0`. Nothing is run. Every scalar knows
//! its place in the page, which a JSON parser does not tell; what a string means is left to
//! `serde_json`.
//!
//! ```text
//! {"price": 12.50, sku: 'A-1',}     price = 12.50, sku = A-1
//! ```
//!
//! Cost: one pass. Depth and the number of values are bounded: see [`Budget`].

use super::data::{Data, Object, Scalar};
use crate::Span;
use serde::Serialize;
use std::collections::HashMap;

/// Values nested deeper than this are not read, nor is the script that holds them: no published
/// data come near it. The reader calls itself once for each level.
const MAX_DEPTH: usize = 64;

/// How many values of one page are read: state of applications has some ten thousand. Together they
/// take about 100 bytes each.
pub(super) const MAX_VALUES: usize = 100_000;

/// Texts that are written once and declared several times are copied, together at most this many
/// times the length of the page.
const COPIED_TIMES: usize = 4;

/// How much may still be read of a page.
#[derive(Debug)]
pub(crate) struct Budget {
    values: usize,
    copied_bytes: usize,
}

impl Budget {
    /// What may be read of a page of some length.
    pub fn of(page: &str) -> Self {
        Budget {
            values: MAX_VALUES,
            copied_bytes: COPIED_TIMES * page.len(),
        }
    }

    /// A copy of a value.
    pub fn copy(&mut self, data: &Data) -> Result<Data, Flaw> {
        let (values, bytes) = data.size();
        self.spend(values)?;
        self.spend_bytes(bytes)?;
        Ok(data.clone())
    }

    /// Takes up some bytes of text that is not read for the first time.
    pub fn spend_bytes(&mut self, bytes: usize) -> Result<(), Flaw> {
        if bytes > self.copied_bytes {
            self.copied_bytes = 0;
            return Err(Flaw::TooMany);
        }
        self.copied_bytes -= bytes;
        Ok(())
    }

    /// Takes up some values.
    pub fn spend(&mut self, values: usize) -> Result<(), Flaw> {
        if values > self.values {
            self.values = 0;
            return Err(Flaw::TooMany);
        }
        self.values -= values;
        Ok(())
    }
}

/// Why a script was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Flaw {
    /// It is not written as JSON is.
    #[error("it is broken")]
    Broken,
    /// Its values are nested too deeply.
    #[error("it is nested too deeply")]
    TooDeep,
    /// The page declares more values than are read.
    #[error("the page declares too many values")]
    TooMany,
}

/// Where the text that is read is in the page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// It is a part of the page that begins here.
    At(usize),
    /// It was decoded from this part of the page.
    Within(Span),
}

/// Reads values from a text.
pub(super) struct Literals<'s, 'b> {
    source: &'s str,
    at: usize,
    depth: usize,
    origin: Origin,
    /// What names without quotes stand for, as the arguments of a function do.
    names: HashMap<&'s str, Data>,
    /// Whether names that stand for nothing are read as `null`.
    ignores_names: bool,
    budget: &'b mut Budget,
}

impl<'s, 'b> Literals<'s, 'b> {
    pub fn new(source: &'s str, origin: Origin, budget: &'b mut Budget) -> Self {
        Literals {
            source,
            at: 0,
            depth: 0,
            origin,
            names: HashMap::new(),
            ignores_names: false,
            budget,
        }
    }

    /// Starts at a place of the text.
    pub fn starting_at(mut self, at: usize) -> Self {
        self.at = at;
        self
    }

    /// Replaces names by values.
    pub fn with_names(mut self, names: HashMap<&'s str, Data>) -> Self {
        self.names = names;
        self
    }

    /// Reads names that stand for nothing as `null`.
    pub fn ignoring_names(mut self) -> Self {
        self.ignores_names = true;
        self
    }

    /// Where the next value begins.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Reads the only value of the text. White space, comments and one semicolon may follow it.
    pub fn whole(mut self) -> Result<Data, Flaw> {
        let value = self.value()?;
        self.skip(b';');
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(Flaw::Broken),
        }
    }

    /// The next byte that is neither white space nor in a comment.
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = &self.source.as_bytes()[self.at..];
            let first = rest.iter().position(|byte| !byte.is_ascii_whitespace());
            self.at += first.unwrap_or(rest.len());
            let end = match &self.source.as_bytes()[self.at..] {
                [b'/', b'/', ..] => "\n",
                [b'/', b'*', ..] => "*/",
                rest => return rest.first().copied(),
            };
            let comment = &self.source[self.at + 2..];
            self.at += 2 + comment.find(end).map_or(comment.len(), |at| at + end.len());
        }
    }

    /// Goes past a byte, if it comes next.
    pub fn skip(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads a string; anything else is broken.
    pub fn string_value(&mut self) -> Result<String, Flaw> {
        self.budget.spend(1)?;
        match self.peek() {
            Some(b'"' | b'\'' | b'`') => self.string(),
            _ => Err(Flaw::Broken),
        }
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Flaw> {
        if self.skip(wanted) {
            Ok(())
        } else {
            Err(Flaw::Broken)
        }
    }

    /// Reads one value.
    pub fn value(&mut self) -> Result<Data, Flaw> {
        self.budget.spend(1)?;
        match self.peek().ok_or(Flaw::Broken)? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::list),
            b'"' | b'\'' | b'`' => {
                let start = self.at;
                let text = self.string()?;
                Ok(self.scalar(text, start, true))
            }
            b'!' => {
                self.at += 1;
                let start = self.at;
                let is_true = self.word()? == "0";
                Ok(self.scalar(is_true.to_string(), start, false))
            }
            _ => self.plain_word(),
        }
    }

    fn scalar(&self, text: String, start: usize, is_text: bool) -> Data {
        let span = match self.origin {
            Origin::At(offset) => Span::new(offset + start, offset + self.at),
            Origin::Within(span) => span,
        };
        Data::Scalar(Scalar {
            text,
            span,
            is_text,
        })
    }

    fn nested(&mut self, inside: impl Fn(&mut Self) -> Result<Data, Flaw>) -> Result<Data, Flaw> {
        if self.depth == MAX_DEPTH {
            return Err(Flaw::TooDeep);
        }
        self.depth += 1;
        self.at += 1;
        let done = inside(self);
        self.depth -= 1;
        done
    }

    /// The rest of an object after its `{`.
    fn object(&mut self) -> Result<Data, Flaw> {
        let mut object = Object::default();
        loop {
            let name = match self.peek().ok_or(Flaw::Broken)? {
                b'}' => break,
                b'"' | b'\'' => self.string()?,
                _ => self.word()?.to_owned(),
            };
            self.expect(b':')?;
            let value = self.value()?;
            object.push(name, value);
            if !self.goes_on(b'}')? {
                break;
            }
        }
        self.at += 1;
        Ok(Data::Object(object))
    }

    /// The rest of a list after its `[`.
    fn list(&mut self) -> Result<Data, Flaw> {
        let mut items = Vec::new();
        while self.peek().ok_or(Flaw::Broken)? != b']' {
            items.push(self.value()?);
            if !self.goes_on(b']')? {
                break;
            }
        }
        self.at += 1;
        Ok(Data::List(items))
    }

    /// Whether a comma, rather than the end of the object or list, comes next.
    fn goes_on(&mut self, end: u8) -> Result<bool, Flaw> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(byte) if byte == end => Ok(false),
            _ => Err(Flaw::Broken),
        }
    }

    /// A string in any quotes, with its escapes decoded.
    fn string(&mut self) -> Result<String, Flaw> {
        let bytes = self.source.as_bytes();
        let quote = self.peek().ok_or(Flaw::Broken)?;
        let start = self.at + 1;
        let mut end = start;
        let mut is_plain = true;
        loop {
            match bytes.get(end) {
                None => return Err(Flaw::Broken),
                Some(&byte) if byte == quote => break,
                Some(b'\\') => {
                    is_plain = false;
                    end += 2;
                }
                // What stands in braces would have to be run.
                Some(b'$') if quote == b'`' && bytes.get(end + 1) == Some(&b'{') => {
                    return Err(Flaw::Broken);
                }
                Some(_) => end += 1,
            }
        }
        self.at = end + 1;
        let inside = &self.source[start..end];
        if is_plain {
            return Ok(inside.to_owned());
        }
        Ok(unescaped(inside))
    }

    /// A number, `true`, `null`, or a name.
    fn plain_word(&mut self) -> Result<Data, Flaw> {
        let start = self.at;
        let word = self.word()?;
        if let Some(value) = self.names.get(word) {
            // Large arguments that are used often would add up.
            return self.budget.copy(value);
        }
        match word {
            "null" | "undefined" | "NaN" => Ok(Data::Null),
            "true" | "false" => Ok(self.scalar(word.to_owned(), start, false)),
            "void" => {
                self.peek();
                self.word()?;
                Ok(Data::Null)
            }
            _ if is_number(word) => Ok(self.scalar(word.to_owned(), start, false)),
            _ if self.ignores_names => Ok(Data::Null),
            _ => Err(Flaw::Broken),
        }
    }

    /// Letters, digits and what numbers and names are written with.
    fn word(&mut self) -> Result<&'s str, Flaw> {
        let rest = &self.source[self.at..];
        let is_inside = |letter: char| {
            letter.is_alphanumeric() || matches!(letter, '-' | '+' | '.' | '_' | '$')
        };
        let end = rest.find(|letter| !is_inside(letter));
        let word = &rest[..end.unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(Flaw::Broken);
        }
        self.at += word.len();
        Ok(word)
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+', '.']);
    digits.starts_with(|first: char| first.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

/// A string without its escapes.
///
/// JSON's escapes are left to `serde_json`. Scripts have some more (`\'`, `\x27`, a line break), and
/// pages break lines inside of strings: such a string is decoded letter by letter.
fn unescaped(inside: &str) -> String {
    if let Ok(text) = serde_json::from_str(&format!("\"{inside}\"")) {
        return text;
    }
    let mut text = String::with_capacity(inside.len());
    // What numbers of escapes mean, by the pairs of them that JSON and scripts write.
    let mut units: Vec<u16> = Vec::new();
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        if at > 0 {
            flush(&mut units, &mut text);
        }
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(letter) = rest.chars().next() else {
            break;
        };
        rest = &rest[letter.len_utf8()..];
        let digits = match letter {
            'u' => 4,
            'x' => 2,
            _ => 0,
        };
        let code = rest
            .get(..digits)
            .filter(|_| digits > 0)
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        if let Some(code) = code {
            units.push(code);
            rest = &rest[digits..];
            continue;
        }
        flush(&mut units, &mut text);
        match letter {
            'n' | 'r' | 't' | 'b' | 'f' | 'v' => text.push(' '),
            '\n' => {}
            other => text.push(other),
        }
    }
    flush(&mut units, &mut text);
    text.push_str(rest);
    text
}

/// Adds the letters that some UTF-16 code units are.
fn flush(units: &mut Vec<u16>, text: &mut String) {
    text.push_str(&String::from_utf16_lossy(units));
    units.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Result<Data, Flaw> {
        Literals::new(source, Origin::At(0), &mut Budget::of(source)).whole()
    }

    /// The value as `serde_json` has it.
    fn plain(data: &Data) -> serde_json::Value {
        match data {
            Data::Null => serde_json::Value::Null,
            Data::Scalar(scalar) if scalar.is_text => scalar.text.clone().into(),
            Data::Scalar(scalar) => serde_json::from_str(&scalar.text).unwrap(),
            Data::List(items) => items.iter().map(plain).collect(),
            Data::Object(object) => {
                let properties = object.properties.iter();
                let pairs = properties.map(|(name, value)| (name.clone(), plain(value)));
                serde_json::Value::Object(pairs.collect())
            }
        }
    }

    #[test]
    fn json_is_read_as_serde_reads_it() {
        for json in [
            r#"{"a": [1, -2.5e3, true, null, "x\u00e9\ud83d\ude00\n"], "b": {}, "c": []}"#,
            r#""""#,
            "[[[]]]",
            " 0 ",
            r#"{"名": "値", "имя": "знач"}"#,
        ] {
            let expected: serde_json::Value = serde_json::from_str(json).unwrap();
            assert_eq!(plain(&read(json).unwrap()), expected, "{json}");
        }
    }

    #[test]
    fn what_scripts_write_is_read() {
        let script = "{a:1,'b':!0, c : void 0, /* x */ d:[undefined,], // y\n e:'it\\'s \\x41\\u00e9', $f:`g`, };";
        let expected = serde_json::json!({"a": 1, "b": true, "c": null, "d": [null], "e": "it's Aé", "$f": "g"});
        assert_eq!(plain(&read(script).unwrap()), expected);
    }

    #[test]
    fn every_scalar_knows_its_place() {
        let json = r#"{"price": 12.50, "name": "Kettle & l\u0069d"}"#;
        let data = read(json).unwrap();
        let spans = |name: &str| match data.object().unwrap().get(name) {
            Some(Data::Scalar(scalar)) => (scalar.text.clone(), scalar.span.of(json).to_owned()),
            other => panic!("{other:?}"),
        };
        assert_eq!(spans("price"), ("12.50".into(), "12.50".into()));
        assert_eq!(
            spans("name"),
            ("Kettle & lid".into(), r#""Kettle & l\u0069d""#.into())
        );
    }

    #[test]
    fn what_is_broken_is_nothing() {
        for source in [
            "",
            "{",
            r#"{"a": "b"#,
            r#"{"a": "b\"#,
            r#"{"a" 1}"#,
            r#"{"a": 1} x"#,
            r#"{"a": ;}"#,
            "[1 2]",
            "f()",
            "{a: b}",
            "`${x}`",
            "/*",
        ] {
            assert_eq!(read(source), Err(Flaw::Broken), "{source}");
        }
    }

    #[test]
    fn depth_and_number_are_bounded() {
        let deep = format!("{}{}", "[".repeat(MAX_DEPTH + 1), "]".repeat(MAX_DEPTH + 1));
        assert_eq!(read(&deep), Err(Flaw::TooDeep));
        let many = format!("[{}]", "1,".repeat(MAX_VALUES));
        assert_eq!(read(&many), Err(Flaw::TooMany));
        let fits = format!("[{}]", "1,".repeat(MAX_VALUES - 1));
        assert!(read(&fits).is_ok());
    }
}
