//! Which values does a list of references hold, as Nuxt 3 and SvelteKit write it?
//!
//! The first item of the list is the whole; whole numbers in objects and lists are places in the
//! list, negative ones stand for `undefined` and the like. A list that begins with a text is a value
//! of that kind.
//!
//! ```text
//! [{"sku": 1, "sizes": 2}, "KE-1", [3, 4], "S", "M"]      sku = KE-1, sizes = S, M
//! [["ShallowReactive", 1], {"date": 2}, ["Date", "2026-11-19T00:00:00.000Z"]]
//! ```
//!
//! A reference back to what holds it is `null`. What is referred to often is copied within the
//! budget.

use super::{
    data::{Data, Object, Scalar},
    literal::{Budget, Flaw},
};

/// References are followed this deep, and no further.
const MAX_DEPTH: usize = 64;

/// Whether data are such a list: it begins with an object, all of whose values are places in the
/// list, or with a value of a kind.
pub(super) fn is_list_of_references(data: &Data) -> bool {
    let Data::List(items) = data else {
        return false;
    };
    let is_place = |value: &Data| place(value).is_some_and(|at| at < items.len() as i64);
    match items.first() {
        Some(Data::List(first)) => {
            matches!(&first[..], [Data::Scalar(kind), of] if kind.is_text && is_place(of))
        }
        Some(Data::Object(first)) => {
            !first.properties.is_empty() && first.properties.iter().all(|(_, at)| is_place(at))
        }
        Some(Data::Null | Data::Scalar(_)) | None => false,
    }
}

/// What the list holds, with its references followed.
pub(super) fn resolved(data: &Data, budget: &mut Budget) -> Result<Data, Flaw> {
    let Data::List(items) = data else {
        return Ok(Data::Null);
    };
    let mut resolver = Resolver {
        items,
        open: Vec::new(),
        budget,
    };
    resolver.item(0)
}

/// The number that a value is, if it is a whole one.
fn place(value: &Data) -> Option<i64> {
    match value {
        Data::Scalar(scalar) if !scalar.is_text => scalar.text.parse().ok(),
        Data::Null | Data::Scalar(_) | Data::List(_) | Data::Object(_) => None,
    }
}

struct Resolver<'d, 'b> {
    items: &'d [Data],
    /// The places that are being followed.
    open: Vec<usize>,
    budget: &'b mut Budget,
}

impl Resolver<'_, '_> {
    fn reference(&mut self, value: &Data) -> Result<Data, Flaw> {
        match place(value).map(usize::try_from) {
            Some(Ok(at)) => self.item(at),
            // Negative: `undefined`, a hole, not a number.
            _ => Ok(Data::Null),
        }
    }

    fn item(&mut self, at: usize) -> Result<Data, Flaw> {
        let Some(item) = self.items.get(at) else {
            return Ok(Data::Null);
        };
        if self.open.contains(&at) {
            return Ok(Data::Null);
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Flaw::TooDeep);
        }
        self.open.push(at);
        let found = self.follow(item);
        self.open.pop();
        found
    }

    fn follow(&mut self, item: &Data) -> Result<Data, Flaw> {
        self.budget.spend(1)?;
        match item {
            Data::Null => Ok(Data::Null),
            Data::Scalar(_) => self.budget.copy(item),
            Data::Object(object) => self.object(object),
            Data::List(items) => match items.split_first() {
                Some((Data::Scalar(kind), values)) if kind.is_text => self.of_kind(kind, values),
                _ => self.list(items),
            },
        }
    }

    fn object(&mut self, object: &Object) -> Result<Data, Flaw> {
        let mut followed = Object::default();
        for (name, value) in &object.properties {
            self.budget.spend_bytes(name.len())?;
            let value = self.reference(value)?;
            followed.push(name.clone(), value);
        }
        Ok(Data::Object(followed))
    }

    fn list(&mut self, items: &[Data]) -> Result<Data, Flaw> {
        let mut followed = Vec::with_capacity(items.len());
        for item in items {
            followed.push(self.reference(item)?);
        }
        Ok(Data::List(followed))
    }

    /// `["Date", "2026-11-19"]`, `["Set", 1, 2]`, `["Map", 1, 2]`, `["Ref", 1]`.
    fn of_kind(&mut self, kind: &Scalar, values: &[Data]) -> Result<Data, Flaw> {
        match kind.text.as_str() {
            "Date" | "BigInt" | "RegExp" | "URL" => match values.first() {
                Some(value @ Data::Scalar(_)) => self.budget.copy(value),
                _ => Ok(Data::Null),
            },
            "Set" => self.list(values),
            "Map" | "null" => {
                let mut followed = Object::default();
                for pair in values.chunks_exact(2) {
                    // Names of an object without a prototype are texts, those of a map references.
                    let name = match &pair[0] {
                        Data::Scalar(name) if name.is_text => name.text.clone(),
                        reference => match self.reference(reference)? {
                            Data::Scalar(name) => name.text,
                            Data::Null | Data::List(_) | Data::Object(_) => continue,
                        },
                    };
                    self.budget.spend_bytes(name.len())?;
                    let value = self.reference(&pair[1])?;
                    followed.push(name, value);
                }
                Ok(Data::Object(followed))
            }
            // What wraps one other value, whatever it is called: `Ref`, `Reactive`.
            _ => match values {
                [value] => self.reference(value),
                _ => Ok(Data::Null),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::literal::{Literals, Origin};
    use super::*;

    fn text_at<'d>(mut data: &'d Data, path: &[&str]) -> Option<&'d str> {
        for name in path {
            data = match data {
                Data::List(items) => items.get(name.parse::<usize>().ok()?)?,
                Data::Object(object) => object.get(name)?,
                Data::Null | Data::Scalar(_) => return None,
            };
        }
        data.text()
    }

    fn read(json: &str) -> Result<Data, Flaw> {
        let mut budget = Budget::of(json);
        let data = Literals::new(json, Origin::At(0), &mut budget).whole()?;
        assert!(is_list_of_references(&data), "{json}");
        resolved(&data, &mut budget)
    }

    #[test]
    fn references_are_followed() {
        let json = r#"[["ShallowReactive", 1], {"sku": 2, "sizes": 3, "since": 6, "none": -1, "map": 7, "self": 1},
            "KE-1", [4, 5], "S", "M", ["Date", "2026-11-19"], ["Map", 4, 5]]"#;
        let data = read(json).unwrap();
        for (path, expected) in [
            (&["sku"][..], Some("KE-1")),
            (&["sizes", "1"], Some("M")),
            (&["since"], Some("2026-11-19")),
            (&["none"], None),
            (&["map", "S"], Some("M")),
            (&["self"], None),
        ] {
            assert_eq!(text_at(&data, path), expected, "{path:?}");
        }
    }

    #[test]
    fn what_doubles_at_each_level_is_bounded() {
        let mut json = "[{\"a\": 1}".to_owned();
        for level in 1..40 {
            json += &format!(", [{0}, {0}]", level + 1);
        }
        json += ", \"x\"]";
        assert_eq!(read(&json), Err(Flaw::TooMany));
    }

    #[test]
    fn plain_lists_are_no_references() {
        for json in [
            "[1, 2]",
            r#"[{"a": "b"}]"#,
            r#"[{"a": 7}]"#,
            "{}",
            r#"["a", 0]"#,
        ] {
            let mut budget = Budget::of(json);
            let data = Literals::new(json, Origin::At(0), &mut budget)
                .whole()
                .unwrap();
            assert!(!is_list_of_references(&data), "{json}");
        }
    }
}
