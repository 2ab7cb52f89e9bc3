//! Which data do React's server components send along?
//!
//! Next.js cuts a stream of rows into strings, `self.__next_f.push([1, "..."])`, at any place. A row
//! is a number, a colon and a value; values refer to other rows:
//!
//! ```text
//! 1:{"sku":"KE-1","text":"$2"}           row 1, with row 2 in it
//! 2:Tb,Twelve bytes                       a text of 0xb bytes, which may have line breaks
//! 0:["$","main",null,{"product":"$1"}]    an element: its name, its key, its properties
//! ```
//!
//! An element becomes its properties, under its name as type. Rows that no other row refers to are
//! the values of the page. References in a circle are `null`.

use super::{
    data::{Data, Object, Scalar, TYPE},
    literal::{Budget, Flaw, Literals, Origin},
};
use crate::Span;
use memchr::memmem;
use rapidhash::{RapidHashMap, RapidHashSet};

/// References are followed this deep, and no further.
const MAX_DEPTH: usize = 64;

/// The strings of a stream, as they come.
#[derive(Default)]
pub(super) struct Flight {
    text: String,
    /// Where each string begins in the text, and where it is in the page.
    pieces: Vec<(usize, Span)>,
}

/// The call that adds a piece.
const PUSH: &str = "__next_f.push(";

impl Flight {
    /// Takes up the pieces in a script.
    pub fn add(&mut self, code: &str, content: Span) {
        for at in memmem::find_iter(code.as_bytes(), PUSH) {
            let start = at + PUSH.len();
            let rest = code[start..].trim_start();
            // `[0]` opens the stream, `[1, "..."]` is a piece of it.
            let Some(rest) = rest.strip_prefix('[') else {
                continue;
            };
            let Some(rest) = rest.trim_start().strip_prefix('1') else {
                continue;
            };
            let Some(rest) = rest.trim_start().strip_prefix(',') else {
                continue;
            };
            let start = code.len() - rest.len();
            let offset = content.start as usize;
            let mut budget = Budget::of("");
            let mut literals =
                Literals::new(code, Origin::At(offset), &mut budget).starting_at(start);
            let Ok(piece) = literals.string_value() else {
                continue;
            };
            let span = Span::new(offset + start, offset + literals.position());
            self.pieces.push((self.text.len(), span));
            self.text.push_str(&piece);
        }
    }

    /// The values of the stream; `None` where the page has none.
    pub fn read(&self, budget: &mut Budget) -> Result<Option<(Span, Data)>, (Span, Flaw)> {
        let (Some((_, first)), Some((_, last))) = (self.pieces.first(), self.pieces.last()) else {
            return Ok(None);
        };
        let span = Span {
            start: first.start,
            end: last.end,
        };
        let rows = self.rows(budget).map_err(|flaw| (span, flaw))?;
        let referred = rows.referred();
        let mut resolver = Resolver {
            rows: &rows,
            open: Vec::new(),
            budget,
        };
        let mut values = Vec::new();
        for (id, row) in &rows.in_order {
            if referred.contains(id) {
                continue;
            }
            resolver.open.push(id);
            let value = resolver.follow(row).map_err(|flaw| (span, flaw))?;
            resolver.open.clear();
            values.push(value);
        }
        Ok(Some((span, Data::List(values))))
    }

    /// The part of the page that holds a part of the text.
    fn span(&self, start: usize, end: usize) -> Span {
        let piece_at = |at: usize| {
            let number = self.pieces.partition_point(|(start, _)| *start <= at);
            self.pieces[number.saturating_sub(1)].1
        };
        Span {
            start: piece_at(start).start,
            end: piece_at(end.saturating_sub(1).max(start)).end,
        }
    }

    /// Takes the text apart.
    fn rows(&self, budget: &mut Budget) -> Result<Rows<'_>, Flaw> {
        let mut rows = Rows::default();
        let mut at = 0;
        while let Some(colon) = self.text[at..].find([':', '\n']) {
            let id = &self.text[at..at + colon];
            let start = at + colon + 1;
            let is_id = id.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_id || self.text.as_bytes()[at + colon] == b'\n' {
                at = start;
                continue;
            }
            let (end, next) = self.row_end(start);
            let row = &self.text[start..end];
            let origin = Origin::Within(self.span(start, end));
            let value = if let Some(text) = text_row(row) {
                budget.spend(1)?;
                Some(Data::Scalar(Scalar {
                    text: text.to_owned(),
                    span: self.span(start, end),
                    is_text: true,
                }))
            } else {
                match Literals::new(row, origin, budget).whole() {
                    Ok(value) => Some(value),
                    // Modules, hints and errors have a letter before their value.
                    Err(Flaw::Broken) => None,
                    Err(flaw) => return Err(flaw),
                }
            };
            if let Some(value) = value {
                rows.add(id, value);
            }
            at = next;
        }
        Ok(rows)
    }

    /// The end of a row that begins here, and the place of the next one.
    fn row_end(&self, start: usize) -> (usize, usize) {
        let rest = &self.text[start..];
        let text_length = rest.strip_prefix('T').and_then(|rest| {
            let (length, _) = rest.get(..rest.len().min(16))?.split_once(',')?;
            let length = usize::from_str_radix(length, 16)
                .ok()?
                .checked_add(length.len() + 2)?;
            rest_is_long_enough(&self.text, start, length).then_some(length)
        });
        if let Some(length) = text_length {
            return (start + length, start + length);
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        (start + length, (start + length + 1).min(self.text.len()))
    }
}

/// Whether a text row of some length ends inside of the text, and not in a letter.
fn rest_is_long_enough(text: &str, start: usize, length: usize) -> bool {
    start
        .checked_add(length)
        .is_some_and(|end| text.is_char_boundary(end))
}

/// The text of a row `T1a,...`.
fn text_row(row: &str) -> Option<&str> {
    let (length, text) = row.strip_prefix('T')?.split_once(',')?;
    let is_length = length.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_length.then_some(text)
}

/// The row that a text refers to, perhaps with a path into it: `1a` of `$1a`, `$L1a` and `$@1a`.
fn reference(scalar: &Scalar) -> Option<&str> {
    let marked = scalar.text.strip_prefix('$').filter(|_| scalar.is_text)?;
    let path = marked.strip_prefix(['L', '@', 'Q', 'W']).unwrap_or(marked);
    let is_id = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
    path.starts_with(is_id).then_some(path)
}

/// The rows of a stream by their id.
#[derive(Default)]
struct Rows<'t> {
    in_order: Vec<(&'t str, Data)>,
    by_id: RapidHashMap<&'t str, usize>,
}

impl<'t> Rows<'t> {
    fn add(&mut self, id: &'t str, value: Data) {
        self.by_id.entry(id).or_insert(self.in_order.len());
        self.in_order.push((id, value));
    }

    fn get(&self, id: &str) -> Option<(&'t str, &Data)> {
        let (id, row) = &self.in_order[*self.by_id.get(id)?];
        Some((id, row))
    }

    /// The rows that other rows refer to.
    fn referred(&self) -> RapidHashSet<&'t str> {
        let mut referred = RapidHashSet::default();
        for (id, row) in &self.in_order {
            let mut inside = vec![row];
            while let Some(value) = inside.pop() {
                match value {
                    Data::Null => {}
                    Data::List(items) => inside.extend(items),
                    Data::Object(object) => {
                        inside.extend(object.properties.iter().map(|(_, value)| value));
                    }
                    Data::Scalar(scalar) => {
                        let other = reference(scalar)
                            .and_then(|path| path.split(':').next())
                            .and_then(|other| self.get(other))
                            .filter(|(other, _)| other != id);
                        referred.extend(other.map(|(other, _)| other));
                    }
                }
            }
        }
        referred
    }
}

struct Resolver<'r, 't, 'b> {
    rows: &'r Rows<'t>,
    /// The rows that are being followed.
    open: Vec<&'t str>,
    budget: &'b mut Budget,
}

impl<'r> Resolver<'r, '_, '_> {
    fn follow(&mut self, value: &'r Data) -> Result<Data, Flaw> {
        match value {
            Data::Null => Ok(Data::Null),
            Data::Scalar(scalar) if scalar.is_text => self.text(scalar),
            Data::Scalar(_) => self.budget.copy(value),
            Data::List(items) => match &items[..] {
                [
                    Data::Scalar(mark),
                    Data::Scalar(name),
                    _,
                    Data::Object(properties),
                    ..,
                ] if mark.text == "$" => self.element(name, properties),
                items => {
                    self.budget.spend(1)?;
                    let mut followed = Vec::new();
                    for item in items {
                        followed.push(self.follow(item)?);
                    }
                    Ok(Data::List(followed))
                }
            },
            Data::Object(object) => self.object(object, Object::default()),
        }
    }

    /// An element as an object.
    fn element(&mut self, name: &Scalar, properties: &'r Object) -> Result<Data, Flaw> {
        let mut element = Object::default();
        if !name.text.starts_with('$') {
            element.push(TYPE, Data::Scalar(name.clone()));
        }
        self.object(properties, element)
    }

    fn object(&mut self, object: &'r Object, mut followed: Object) -> Result<Data, Flaw> {
        self.budget.spend(1)?;
        for (name, value) in &object.properties {
            self.budget.spend_bytes(name.len())?;
            let value = self.follow(value)?;
            followed.push(name.clone(), value);
        }
        Ok(Data::Object(followed))
    }

    /// A text, or what it refers to.
    fn text(&mut self, scalar: &'r Scalar) -> Result<Data, Flaw> {
        let plain = |text: &str| {
            Data::Scalar(Scalar {
                text: text.to_owned(),
                ..scalar.clone()
            })
        };
        self.budget.spend(1)?;
        self.budget.spend_bytes(scalar.text.len())?;
        if let Some(path) = reference(scalar) {
            return self.row(path);
        }
        let Some(marked) = scalar.text.strip_prefix('$') else {
            return Ok(Data::Scalar(scalar.clone()));
        };
        match marked.chars().next() {
            // A text that begins with the sign is written with two.
            Some('$') => Ok(plain(marked)),
            Some('D' | 'n') => Ok(plain(&marked[1..])),
            // `$undefined`, `$NaN`, symbols, functions, a sign alone.
            _ => Ok(Data::Null),
        }
    }

    /// The row with an id, or a part of it: `1a:props:price`.
    fn row(&mut self, reference: &str) -> Result<Data, Flaw> {
        let mut path = reference.split(':');
        let Some((id, mut value)) = path.next().and_then(|id| self.rows.get(id)) else {
            return Ok(Data::Null);
        };
        for name in path {
            let inside = match value {
                Data::Object(object) => object.get(name),
                Data::List(items) => name.parse().ok().and_then(|at: usize| items.get(at)),
                Data::Null | Data::Scalar(_) => None,
            };
            let Some(inside) = inside else {
                // `props` is not written for elements: it is their fourth item.
                if name == "props"
                    && let Data::List(items) = value
                    && let Some(properties) = items.get(3)
                {
                    value = properties;
                    continue;
                }
                return Ok(Data::Null);
            };
            value = inside;
        }
        if self.open.contains(&id) {
            return Ok(Data::Null);
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Flaw::TooDeep);
        }
        self.open.push(id);
        let found = self.follow(value);
        self.open.pop();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str]) -> Data {
        let code: String = pieces
            .iter()
            .map(|piece| {
                let piece = serde_json::to_string(piece).unwrap();
                format!("self.__next_f.push([1,{piece}])\n")
            })
            .collect();
        let mut flight = Flight::default();
        flight.add(&code, Span::new(0, code.len()));
        let (_, data) = flight.read(&mut Budget::of(&code)).unwrap().unwrap();
        data
    }

    fn find<'d>(data: &'d Data, name: &str) -> Option<&'d Data> {
        match data {
            Data::Null | Data::Scalar(_) => None,
            Data::List(items) => items.iter().find_map(|item| find(item, name)),
            Data::Object(object) => object.get(name).or_else(|| {
                let inside = object.properties.iter();
                inside
                    .map(|(_, value)| value)
                    .find_map(|value| find(value, name))
            }),
        }
    }

    #[test]
    fn rows_are_joined_and_references_followed() {
        // Pieces are cut anywhere, here in a name and in a text row.
        let data = read(&[
            "1:{\"sku\":\"KE-1\",\"text\":\"$2\",\"pr",
            "ice\":48.50,\"cost\":\"$$5\",\"none\":\"$undefined\"}\n2:Td,Zwölf\nByt",
            "es \n3:I[\"module\"]\n",
            "0:[\"$\",\"main\",null,{\"product\":\"$1\",\"again\":\"$1:sku\",\"self\":\"$0\"}]\n",
        ]);
        for (name, expected) in [
            ("sku", Some("KE-1")),
            ("price", Some("48.50")),
            ("text", Some("Zwölf\nBytes ")),
            ("cost", Some("$5")),
            ("again", Some("KE-1")),
            ("none", None),
            ("self", None),
        ] {
            assert_eq!(find(&data, name).and_then(Data::text), expected, "{name}");
        }
        let Data::List(values) = &data else { panic!() };
        assert_eq!(
            values.len(),
            1,
            "rows that others refer to are no values: {values:?}"
        );
    }

    #[test]
    fn streams_that_break_off_or_lie_are_harmless() {
        for text in [
            "",
            "0:",
            "1:Tffffffffffffffff,x",
            "1:T5,\u{e9}\u{e9}\u{e9}",
            ":",
            "0:[\"$1\"]\n1:[\"$0\"]\n",
            "zz:{}",
        ] {
            read(&[text]);
        }
    }
}
