//! Which pages do the lines of a JSONL file hold?
//!
//! Each line is an object; two of its fields are read, by default `url` and `html`, and the others
//! are passed over without being built, however large or deep they are. A bad line costs one fault,
//! and the next line is read. A line beyond the limit is passed over without being held.
//!
//! JSONL is UTF-8. What begins with a line of UTF-16, as some shells write into files, is read too.

use std::fmt;
use std::sync::Arc;

use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use crate::candidate::{Candidate, Item};
use crate::fault::{At, Fault, FaultKind, Stage};
use crate::kind::without_bom;
use crate::settings::LoadSettings;
use crate::stream::{Damage, Stream};
use crate::tally::SkipKind;

/// How many field names are listed to a user whose field is missing.
const LISTED: usize = 20;

/// The items of a JSONL stream.
pub(crate) struct Jsonl {
    file: String,
    stream: Stream,
    settings: Arc<LoadSettings>,
    /// The number of the last line read.
    line: u64,
    /// The order of the bytes of a character, if the file is UTF-16.
    wide: Option<Wide>,
}

/// The order of the two bytes of a unit of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wide {
    Little,
    Big,
}

impl Wide {
    /// Whether the first bytes of a file are UTF-16: a mark and a character of ASCII, or the first
    /// three characters of an object. Less may be damage, which costs its line alone.
    fn of(head: &[u8]) -> Option<Wide> {
        match head {
            [0xff, 0xfe, _, 0, ..] | [b'{', 0, _, 0, _, 0, ..] => Some(Wide::Little),
            [0xfe, 0xff, 0, _, ..] | [0, b'{', 0, _, 0, _, ..] => Some(Wide::Big),
            _ => None,
        }
    }

    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Wide::Little => u16::from_le_bytes(pair),
            Wide::Big => u16::from_be_bytes(pair),
        }
    }

    /// A line as UTF-8, without the mark that it may begin with. What is no character becomes
    /// U+FFFD.
    fn decode(self, line: &[u8]) -> Vec<u8> {
        let pairs = line.chunks_exact(2);
        let units = pairs.map(|pair| self.unit([pair[0], pair[1]]));
        let text: String = char::decode_utf16(units)
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        text.trim_start_matches('\u{feff}').as_bytes().to_vec()
    }
}

/// One line as far as it was read.
enum Line {
    Whole(Vec<u8>),
    TooLong,
    End,
}

impl Jsonl {
    pub(crate) fn new(file: String, stream: Stream, settings: Arc<LoadSettings>) -> Self {
        Jsonl {
            file,
            stream,
            settings,
            line: 0,
            wide: None,
        }
    }

    /// Reads the next line, as UTF-8.
    fn read_line(&mut self) -> Result<Line, Damage> {
        if self.line == 0 {
            self.stream.fill_on()?;
            self.wide = Wide::of(self.stream.peek(6)?);
        }
        self.line += 1;
        match self.wide {
            Some(wide) => self.read_wide_line(wide),
            None => self.read_narrow_line(),
        }
    }

    /// Reads the next line of UTF-16, a unit at a time: half of a character may look like the end
    /// of a line.
    fn read_wide_line(&mut self, wide: Wide) -> Result<Line, Damage> {
        let limit = self.settings.get_line_bytes();
        let mut line = Vec::new();
        let mut length = 0;
        let mut first = None;
        loop {
            let bytes = self.stream.fill_on()?;
            let (mut taken, mut is_over) = (0, bytes.is_empty());
            if is_over && length == 0 && first.is_none() {
                return Ok(Line::End);
            }
            for &byte in bytes {
                taken += 1;
                let Some(before) = first.take() else {
                    first = Some(byte);
                    continue;
                };
                length += 2;
                if length <= limit {
                    line.extend([before, byte]);
                }
                if wide.unit([before, byte]) == u16::from(b'\n') {
                    is_over = true;
                    break;
                }
            }
            self.stream.consume(taken);
            if is_over {
                return Ok(if length <= limit {
                    Line::Whole(wide.decode(&line))
                } else {
                    Line::TooLong
                });
            }
        }
    }

    /// Reads the next line of UTF-8, across the members of a compressed file.
    fn read_narrow_line(&mut self) -> Result<Line, Damage> {
        let mut line = Vec::new();
        let mut length = 0;
        loop {
            let bytes = self.stream.fill_on()?;
            let end = memchr::memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if length == 0 && taken == 0 {
                return Ok(Line::End);
            }
            length += taken;
            if length <= self.settings.get_line_bytes() {
                line.extend_from_slice(&bytes[..taken]);
            } else {
                line = Vec::new();
            }
            self.stream.consume(taken);
            if end.is_some() || taken == 0 {
                return Ok(if length <= self.settings.get_line_bytes() {
                    Line::Whole(line)
                } else {
                    Line::TooLong
                });
            }
        }
    }

    /// The item on a line; none if the line is blank.
    fn item(&self, line: &[u8]) -> Option<Item> {
        let text = if self.line == 1 {
            without_bom(line)
        } else {
            line
        }
        .trim_ascii();
        if text.is_empty() {
            return None;
        }
        Some(match self.read_fields(text) {
            Ok(fields) => self.judge(fields),
            Err(error) => self.fault(FaultKind::BadLine, format!("not a JSON object: {error}")),
        })
    }

    fn read_fields(&self, text: &[u8]) -> Result<Fields, serde_json::Error> {
        let wanted = Wanted {
            url: self.settings.get_url_field(),
            html: self.settings.get_html_field(),
        };
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        let fields = wanted.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(fields)
    }

    fn judge(&self, fields: Fields) -> Item {
        let at = At::Line(self.line);
        let field = self.settings.get_html_field();
        match fields.html {
            Some(Value::Text(html)) => Candidate {
                url: fields.url,
                // JSON is Unicode: whatever a <meta> inside the page says was true before it was
                // put there.
                charset: Some("utf-8".to_owned()),
                size: Some(html.len() as u64),
                bytes: html.into_bytes(),
                ..Candidate::default()
            }
            .judge(&self.file, at, &self.settings),
            Some(Value::Null) => Item::skipped(&self.file, at, SkipKind::Empty, "empty"),
            Some(Value::Other) => self.fault(
                FaultKind::WrongType,
                format!(
                    "the field \"{field}\" is not a string; choose the field that holds the page with --html-field"
                ),
            ),
            None => {
                let names = fields.names.join(", ");
                self.fault(
                    FaultKind::MissingField,
                    format!(
                        "no field \"{field}\" among: {names}; choose the field that holds the page with --html-field"
                    ),
                )
            }
        }
    }

    fn fault(&self, kind: FaultKind, reason: String) -> Item {
        Fault::new(&self.file, At::Line(self.line), Stage::Row, kind, reason).into()
    }
}

impl Iterator for Jsonl {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            match self.read_line() {
                Ok(Line::End) => return None,
                Ok(Line::TooLong) => {
                    let limit = self.settings.get_line_bytes();
                    return Some(self.fault(
                        FaultKind::LongLine,
                        format!("the line is longer than {limit} bytes"),
                    ));
                }
                Ok(Line::Whole(line)) => match self.item(&line) {
                    Some(item) => return Some(item),
                    None => continue,
                },
                Err(damage) => {
                    return Some(damage.fault(&self.file, At::Line(self.line), false).into());
                }
            }
        }
    }
}

/// What a line holds.
#[derive(Default)]
struct Fields {
    url: Option<String>,
    html: Option<Value>,
    names: Vec<String>,
}

/// A value as far as it matters here.
enum Value {
    Text(String),
    Null,
    Other,
}

/// Reads the two wanted fields of an object.
struct Wanted<'a> {
    url: &'a str,
    html: &'a str,
}

impl<'de> DeserializeSeed<'de> for Wanted<'_> {
    type Value = Fields;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Fields, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Wanted<'_> {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Fields::default();
        while let Some(name) = map.next_key::<String>()? {
            if name == self.html {
                fields.html = Some(map.next_value_seed(AnyValue)?);
            } else if name == self.url {
                fields.url = map.next_value_seed(AnyValue)?.into_text();
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            if fields.names.len() < LISTED {
                fields.names.push(name);
            }
        }
        Ok(fields)
    }
}

impl Value {
    fn into_text(self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text),
            Value::Null | Value::Other => None,
        }
    }
}

/// Reads a value of any type, and keeps it only if it is text.
struct AnyValue;

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}
