//! A page while it is printed, and what is known of each of its bytes.

use crate::dice::Dice;
use crate::item::Item;
use crate::layout::{Part, Style, parse};
use crate::{json, plain};
use std::collections::BTreeMap;

/// A byte range of the page's text.
pub type Span = (usize, usize);

/// A record: a result of a list, a post of a thread.
pub struct Record {
    /// From its first to its last byte of markup.
    pub span: Span,
    /// Everything it shows, folded.
    pub text: String,
    /// Its fields.
    pub fields: BTreeMap<String, Vec<String>>,
}

/// The page and its truth.
#[derive(Default)]
pub struct Page {
    /// The page, before it is put into its charset.
    pub text: String,
    /// What filled the holes, in order; neighbours are not merged.
    pub filled: Vec<Span>,
    /// The part of `filled` that is main text.
    pub main: Vec<Span>,
    /// The main text, a paragraph a line.
    pub lines: Vec<String>,
    /// Where the values of a field stand.
    pub field_spans: BTreeMap<String, Vec<Span>>,
    /// What the values of a field are.
    pub fields: BTreeMap<String, Vec<String>>,
    /// The records.
    pub records: Vec<Record>,
}

impl Page {
    /// Fills a layout with an item.
    pub fn print(layout: &str, item: &Item, dice: &mut Dice) -> Page {
        let mut page = Page::default();
        page.parts(&parse(layout), &mut vec![item], dice);
        page
    }

    /// The content: merged, sorted, never touching.
    pub fn content(&self) -> Vec<Span> {
        let mut merged: Vec<Span> = Vec::new();
        for &(start, end) in &self.filled {
            match merged.last_mut() {
                Some(last) if last.1 == start => last.1 = end,
                _ => merged.push((start, end)),
            }
        }
        merged
    }

    /// Where the main text stands: what it was printed as or, on list pages, the records.
    pub fn main_spans(&self) -> Vec<Span> {
        if self.is_list() {
            self.records.iter().map(|record| record.span).collect()
        } else {
            self.main.clone()
        }
    }

    /// The main text, a paragraph a line; on list pages a record a line.
    pub fn main_text(&self) -> Vec<String> {
        if self.is_list() {
            self.records
                .iter()
                .map(|record| record.text.clone())
                .collect()
        } else {
            self.lines.clone()
        }
    }

    /// Whether the page says nothing but what it lists.
    fn is_list(&self) -> bool {
        self.lines.is_empty()
    }

    /// The template: what is not content.
    pub fn template(&self) -> Vec<Span> {
        let content = self.content();
        let starts = std::iter::once(0).chain(content.iter().map(|span| span.1));
        let ends = content.iter().map(|span| span.0).chain([self.text.len()]);
        starts
            .zip(ends)
            .filter(|(start, end)| start < end)
            .collect()
    }

    /// Prints parts; `scope` holds the items from the page's own to that of the innermost list.
    fn parts(&mut self, parts: &[Part], scope: &mut Vec<&Item>, dice: &mut Dice) {
        for part in parts {
            match part {
                Part::Print(text) => self.text.push_str(text),
                Part::Hole { key, field, style } => self.hole(key, *field, *style, scope),
                Part::Each(key, body) => self.each(key, body, scope, dice),
                Part::If(key, body) => {
                    if has(scope, key) {
                        self.parts(body, scope, dice);
                    }
                }
                Part::Line(body) => self.line(body, scope, dice),
                Part::Record(body) => self.record(body, scope, dice),
                Part::Either(one, other) => {
                    let body = if dice.percent(50) { one } else { other };
                    self.parts(body, scope, dice);
                }
            }
        }
    }

    fn hole(&mut self, key: &str, field: bool, style: Style, scope: &[&Item]) {
        let value =
            find(scope, key, Item::get).unwrap_or_else(|| panic!("nothing for the hole {key}"));
        let start = self.text.len();
        self.text.push_str(&match style {
            Style::Text => plain::escape(value),
            Style::Entities => plain::entities(value),
            Style::Raw => value.to_owned(),
            Style::Json => json::escape(value),
        });
        let span = (start, self.text.len());
        if span.0 < span.1 {
            self.filled.push(span);
        }
        if field {
            self.field_spans
                .entry(key.to_owned())
                .or_default()
                .push(span);
            let value = if style == Style::Raw {
                plain::text_of(value, "")
            } else {
                plain::fold(value)
            };
            self.fields.entry(key.to_owned()).or_default().push(value);
        }
    }

    fn each<'a>(&mut self, key: &str, body: &[Part], scope: &mut Vec<&'a Item>, dice: &mut Dice) {
        let items: &'a [Item] = find(scope, key, Item::items).unwrap_or_default();
        for item in items {
            scope.push(item);
            self.parts(body, scope, dice);
            scope.pop();
        }
    }

    fn line(&mut self, body: &[Part], scope: &mut Vec<&Item>, dice: &mut Dice) {
        let before = self.filled.len();
        self.parts(body, scope, dice);
        let spans = &self.filled[before..];
        let markup: String = spans
            .iter()
            .map(|&(start, end)| &self.text[start..end])
            .collect();
        self.main.extend_from_slice(spans);
        self.lines.push(plain::text_of(&markup, ""));
    }

    fn record(&mut self, body: &[Part], scope: &mut Vec<&Item>, dice: &mut Dice) {
        let start = self.text.len();
        let outside = std::mem::take(&mut self.fields);
        self.parts(body, scope, dice);
        let fields = std::mem::replace(&mut self.fields, outside);
        for (key, values) in &fields {
            self.fields
                .entry(key.clone())
                .or_default()
                .extend_from_slice(values);
        }
        let text = plain::text_of(&self.text[start..], " ");
        self.records.push(Record {
            span: (start, self.text.len()),
            text,
            fields,
        });
    }
}

fn has(scope: &[&Item], key: &str) -> bool {
    scope
        .iter()
        .any(|item| item.get(key).is_some() || item.items(key).is_some())
}

/// The innermost item that knows the key answers.
fn find<'a, T: ?Sized>(
    scope: &[&'a Item],
    key: &str,
    ask: fn(&'a Item, &str) -> Option<&'a T>,
) -> Option<&'a T> {
    scope.iter().rev().find_map(|item| ask(item, key))
}
