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
                    let is_same = value.texts.contains(&scalar.text);
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

#[cfg(test)]
mod tests {
    use super::*;
    use unmold::Mold;

    fn tree(page: &str) -> serde_json::Value {
        let text = Text::from_string("page", page);
        let values = PageValues::of(&Mold::nothing().reader(), &text).unwrap();
        serde_json::to_value(DeclaredTree::of(&text, &values)).unwrap()
    }

    #[test]
    fn declared_data_are_a_tree_of_data_with_places() {
        let page = r#"<script type="application/ld+json">{"@type": "Product", "sku": "A-7", "offers": [{"price": 5}]}</script>"#;
        let tree = tree(page);
        let block = &tree["blocks"][0];
        assert_eq!(block["vocabulary"], "json-ld");
        let sku = &block["data"]["o"][1];
        assert_eq!((&sku[0], &sku[1]["v"]), (&"sku".into(), &"A-7".into()));
        let start = sku[1]["s"].as_u64().unwrap() as usize;
        assert!(page[start..].starts_with("\"A-7") || page[start..].starts_with("A-7"));
        assert!(block["data"]["o"][2][1].to_string().contains("\"5\""));
    }

    #[test]
    fn of_very_many_data_the_first_are_sent() {
        let data: Vec<String> = (0..3 * MOST).map(|at| at.to_string()).collect();
        let page = format!(
            "<script type='application/ld+json'>{{\"@type\": \"Thing\", \"n\": [{}]}}</script>",
            data.join(",")
        );
        let tree = tree(&page);
        assert!(tree["more"].as_u64().unwrap() >= 2 * MOST as u64 - 2);
    }
}
