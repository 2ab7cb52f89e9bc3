//! Values as pages declare them: scalars, lists, and objects with named properties.

use crate::Span;
use rapidhash::RapidHashMap;
use serde::{Serialize, Serializer, ser::SerializeMap};

/// A declared value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// `null`, `undefined`, or what a reference leads to that is not there.
    Null,
    /// A text, a number, `true` or `false`.
    Scalar(Scalar),
    /// Several values in order.
    List(Vec<Data>),
    /// Named values.
    Object(Object),
}

/// A text, a number, `true` or `false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The value, with escapes decoded; a number is as the page writes it.
    pub text: String,
    /// Where the value is in the page, or the smallest part of the page that holds it where it is
    /// written in several layers, such as JSON in an attribute.
    pub span: Span,
    /// Whether it is a text rather than a number or a truth value.
    pub is_text: bool,
}

/// Named values in the order of the page. A name may occur more than once.
///
/// The type of a thing is its property `@type`, its identity the property `@id`, whatever the
/// vocabulary calls them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// The names and their values.
    pub properties: Vec<(String, Data)>,
}

/// The property that holds the types of a thing.
pub(crate) const TYPE: &str = "@type";
/// The property that holds the identity of a thing.
pub(crate) const ID: &str = "@id";

impl Object {
    /// The first value of a property.
    pub fn get(&self, name: &str) -> Option<&Data> {
        let (_, value) = self.properties.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// All values of a property, with lists taken apart.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Data> {
        let named = self
            .properties
            .iter()
            .filter(move |(known, _)| known == name);
        named.flat_map(|(_, value)| value.items())
    }

    /// The types of the thing, without the address of their vocabulary: `Product`.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        let texts = self.all(TYPE).filter_map(Data::text);
        texts.flat_map(|types| types.split_ascii_whitespace().map(short_name))
    }

    /// Whether the thing is of a type.
    pub fn is_of_type(&self, name: &str) -> bool {
        self.types().any(|known| known == name)
    }

    /// The identity of the thing, by which others refer to it.
    pub fn id(&self) -> Option<&str> {
        self.get(ID).and_then(Data::text)
    }

    pub(super) fn push(&mut self, name: impl Into<String>, value: Data) {
        self.properties.push((name.into(), value));
    }
}

impl Data {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match self {
            Data::Scalar(scalar) => Some(&scalar.text),
            Data::Null | Data::List(_) | Data::Object(_) => None,
        }
    }

    /// The thing that the value is.
    pub fn object(&self) -> Option<&Object> {
        match self {
            Data::Object(object) => Some(object),
            Data::Null | Data::Scalar(_) | Data::List(_) => None,
        }
    }

    /// The values of a list, or the value itself.
    pub fn items(&self) -> std::slice::Iter<'_, Data> {
        match self {
            Data::List(items) => items.iter(),
            Data::Null => [].iter(),
            Data::Scalar(_) | Data::Object(_) => std::slice::from_ref(self).iter(),
        }
    }

    pub(super) fn scalar(text: impl Into<String>, span: Span) -> Data {
        Data::Scalar(Scalar {
            text: text.into(),
            span,
            is_text: true,
        })
    }

    /// How many values there are in it, itself included, and how many bytes of text.
    pub(super) fn size(&self) -> (usize, usize) {
        let mut sum = (1, 0);
        let mut add = |(values, bytes): (usize, usize)| {
            sum.0 += values;
            sum.1 += bytes;
        };
        match self {
            Data::Null => {}
            Data::Scalar(scalar) => add((0, scalar.text.len())),
            Data::List(items) => items.iter().for_each(|item| add(item.size())),
            Data::Object(object) => {
                for (name, value) in &object.properties {
                    add(value.size());
                    add((0, name.len()));
                }
            }
        }
        sum
    }
}

/// As JSON: a property that occurs more than once becomes a list.
impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut names: Vec<&str> = Vec::new();
        let mut values: RapidHashMap<&str, Vec<&Data>> = RapidHashMap::default();
        for (name, value) in &self.properties {
            let of_name = values.entry(name).or_default();
            if of_name.is_empty() {
                names.push(name);
            }
            of_name.push(value);
        }
        let mut map = serializer.serialize_map(Some(names.len()))?;
        for name in names {
            match &values[name][..] {
                [value] => map.serialize_entry(name, value)?,
                several => map.serialize_entry(name, several)?,
            }
        }
        map.end()
    }
}

/// As JSON: numbers are numbers where JSON writes them so, else texts.
impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Data::Null => serializer.serialize_unit(),
            Data::List(items) => items.serialize(serializer),
            Data::Object(object) => object.serialize(serializer),
            Data::Scalar(scalar) if scalar.is_text => scalar.text.serialize(serializer),
            Data::Scalar(scalar) => match serde_json::from_str::<serde_json::Value>(&scalar.text) {
                Ok(value) => value.serialize(serializer),
                Err(_) => scalar.text.serialize(serializer),
            },
        }
    }
}

/// `Product` of `https://schema.org/Product`, `price` of `schema:price`.
pub(crate) fn short_name(name: &str) -> &str {
    let name = name.trim_end_matches(['/', '#']);
    let name = name.rsplit(['/', '#']).next().unwrap_or(name);
    name.rsplit(':').next().unwrap_or(name)
}
