//! What does a page declare, and which of it do fields find?
//!
//! JSON-LD, microdata, RDFa, Open Graph, meta elements and the state of applications as one tree, so
//! that a datum can be clicked at like a text of the page.

use crate::page::{PageValues, overlaps};
use serde::Serialize;
use unmold::{
    Text,
    read::{
        declared::{Data, Declared},
        tree::Tree,
    },
};

/// More data of a page are not sent: the state of an application may have a hundred thousand.
const MOST: usize = 4000;
/// A longer text is cut where it is shown.
const LETTERS: usize = 400;
/// No deeper values are sent.
const DEPTH: usize = 40;

/// What a page declares.
#[derive(Serialize)]
pub struct DeclaredTree {
    blocks: Vec<Block>,
    /// How many data there are beyond those that were sent.
    more: usize,
    /// What could not be read.
    flaws: usize,
}

#[derive(Serialize)]
struct Block {
    vocabulary: &'static str,
    name: String,
    data: Datum,
}

/// A value, a list, or named values.
#[derive(Serialize)]
#[serde(untagged)]
enum Datum {
    Value {
        v: String,
        s: u32,
        e: u32,
        /// The fields of the table that find it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        f: Vec<usize>,
    },
    List {
        l: Vec<Datum>,
    },
    Object {
        o: Vec<(String, Datum)>,
    },
    Nothing {},
}

impl DeclaredTree {
    pub fn of(text: &Text, values: &PageValues) -> Self {
        let declared = Declared::with_state(&Tree::new(text.as_str()));
        let mut walk = Walk {
            values,
            left: MOST,
            more: 0,
        };
        let mut blocks = Vec::new();
        for thing in declared.things() {
            let data = walk.datum(&thing.data, 0);
            blocks.push(Block {
                vocabulary: thing.vocabulary.name(),
                name: thing.name.clone(),
                data,
            });
        }
        DeclaredTree {
            blocks,
            more: walk.more,
            flaws: declared.flaws().len(),
        }
    }
}

struct Walk<'v> {
    values: &'v PageValues,
    left: usize,
    more: usize,
}

impl Walk<'_> {
    fn datum(&mut self, data: &Data, depth: usize) -> Datum {
        if depth > DEPTH {
            self.more += 1;
            return Datum::Nothing {};
        }
        match data {
            Data::Null => Datum::Nothing {},
            Data::Scalar(scalar) => {
                if self.left == 0 {
                    self.more += 1;
                    return Datum::Nothing {};
                }
                self.left -= 1;
                let is_found = |value: &&crate::page::FieldValue| {
                    let is_same = value.texts.iter().any(|text| *text == scalar.text);
                    is_same && overlaps(&value.spans, scalar.span)
                };
                let found = self.values.values.iter().filter(is_found);
                Datum::Value {
                    v: scalar.text.chars().take(LETTERS).collect(),
                    s: scalar.span.start,
                    e: scalar.span.end,
                    f: found.map(|value| value.field).collect(),
                }
            }
            Data::List(items) => Datum::List {
                l: items
                    .iter()
                    .map(|item| self.datum(item, depth + 1))
                    .collect(),
            },
            Data::Object(object) => {
                let mut properties = Vec::new();
                for (name, value) in &object.properties {
                    properties.push((name.clone(), self.datum(value, depth + 1)));
                }
                Datum::Object { o: properties }
            }
        }
    }
}
