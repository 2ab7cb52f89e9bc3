//! What goes into the holes of a layout: named texts and named lists of items.

use std::collections::BTreeMap;

/// Something to be printed: an article, a teaser, a post.
#[derive(Clone, Default)]
pub struct Item {
    texts: BTreeMap<&'static str, String>,
    lists: BTreeMap<&'static str, Vec<Item>>,
}

impl Item {
    /// An item of named texts.
    pub fn of<const N: usize>(texts: [(&'static str, &str); N]) -> Item {
        texts
            .into_iter()
            .fold(Item::default(), |item, (key, text)| item.text(key, text))
    }

    /// Sets one text.
    pub fn text(mut self, key: &'static str, text: &str) -> Item {
        self.texts.insert(key, text.to_owned());
        self
    }

    /// Sets one text if there is one.
    pub fn maybe(self, key: &'static str, text: Option<&str>) -> Item {
        match text {
            Some(text) => self.text(key, text),
            None => self,
        }
    }

    /// Sets one list.
    pub fn list(mut self, key: &'static str, items: impl IntoIterator<Item = Item>) -> Item {
        self.lists.insert(key, items.into_iter().collect());
        self
    }

    /// Sets a list whose items hold one text each, under the key `name`.
    pub fn names<S: AsRef<str>>(
        self,
        key: &'static str,
        names: impl IntoIterator<Item = S>,
    ) -> Item {
        self.list(
            key,
            names
                .into_iter()
                .map(|name| Item::of([("name", name.as_ref())])),
        )
    }

    /// The text of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// The list of a key.
    pub fn items(&self, key: &str) -> Option<&[Item]> {
        self.lists.get(key).map(Vec::as_slice)
    }
}
