//! What do elements declare, in microdata and in RDFa Lite?
//!
//! ```text
//! <div itemscope itemtype=https://schema.org/Product>      Product
//!   <b itemprop=name>Kettle</b>                              name = Kettle
//!   <p itemprop=offers itemscope>                            offers
//!     <data itemprop=price value=48.50>                        price = 48.50
//! <div vocab=https://schema.org/ typeof=Product>           Product
//!   <b property=name>Kettle</b>                              name = Kettle
//! ```
//!
//! One walk over the tree. A property belongs to the nearest element around it that is an item, and
//! to the items that refer to its place by `itemref`. The text of a property is read where the
//! property is; that of nested ones is read again, within the [`Budget`].

use super::{
    data::{Data, ID, Object, Scalar, TYPE},
    literal::{Budget, Flaw},
};
use crate::{
    Span,
    read::{
        html::{attribute_text, visible_text},
        tree::{NodeId, Tree},
    },
};
use memchr::memmem;
use rapidhash::{RapidHashMap, RapidHashSet};

/// What the attributes of one vocabulary are called.
pub(super) struct Attributes {
    /// The one that every item has.
    item: &'static str,
    /// The one that holds the types of an item.
    kind: &'static str,
    /// The one that holds the identity of an item.
    id: &'static str,
    /// The one that names properties.
    property: &'static str,
}

pub(super) const MICRODATA: Attributes = Attributes {
    item: "itemscope",
    kind: "itemtype",
    id: "itemid",
    property: "itemprop",
};

pub(super) const RDFA: Attributes = Attributes {
    item: "typeof",
    kind: "typeof",
    id: "resource",
    property: "property",
};

/// An item while its element is open.
struct Open {
    node: NodeId,
    /// One past the last node in its element.
    end: usize,
    object: Object,
    /// The properties that it is the value of, of the item around it.
    properties: Vec<String>,
    span: Span,
    refers_to: Vec<String>,
}

/// The items of a page.
#[derive(Default)]
pub(super) struct Items {
    /// Those that are no property of another, each with its place.
    pub items: Vec<(Span, Object)>,
    /// Properties in no item, which are the page's own: authors forget the element around.
    pub outside: Option<(Span, Object)>,
}

/// Reads the items of a page.
pub(super) fn read(
    tree: &Tree<'_>,
    names: &Attributes,
    budget: &mut Budget,
) -> Result<Items, Flaw> {
    if !may_have_items(tree.page(), names.item) {
        return Ok(Items::default());
    }
    let mut reader = ItemReader {
        tree,
        names,
        budget,
        open: Vec::new(),
        done: Vec::new(),
        outside: Vec::new(),
        referring: Vec::new(),
        referred: Vec::new(),
    };
    for node in tree.nodes() {
        reader.close_until(node.index());
        if tree.is_element(node) {
            reader.element(node)?;
        }
    }
    reader.close_until(usize::MAX);
    reader.follow_references()?;
    let outside = reader.outside_in_one_place();
    Ok(Items {
        items: reader.done,
        outside,
    })
}

/// Whether a page has an attribute, as programs write it.
fn may_have_items(page: &str, attribute: &str) -> bool {
    let page = page.as_bytes();
    memmem::find(page, attribute.as_bytes()).is_some()
        || memmem::find(page, attribute.to_ascii_uppercase().as_bytes()).is_some()
        || attribute == "itemscope" && memmem::find(page, b"itemScope").is_some()
}

struct ItemReader<'r, 'p> {
    tree: &'r Tree<'p>,
    names: &'r Attributes,
    budget: &'r mut Budget,
    /// The open items, the outermost first.
    open: Vec<Open>,
    /// Items that are no property of another.
    done: Vec<(Span, Object)>,
    /// Properties in no item, which `itemref` may lead to.
    outside: Vec<(NodeId, String, Data)>,
    /// The items that refer to places by `itemref`, by their number among those done.
    referring: Vec<(usize, Vec<String>)>,
    /// The places that items refer to.
    referred: Vec<NodeId>,
}

impl ItemReader<'_, '_> {
    /// Closes the items that end before a node.
    fn close_until(&mut self, node: usize) {
        while self.open.last().is_some_and(|item| item.end <= node) {
            let Some(mut item) = self.open.pop() else {
                break;
            };
            self.add_text(&mut item);
            match self.open.last_mut() {
                Some(outer) if !item.properties.is_empty() => {
                    let mut value = Some(Data::Object(item.object));
                    let mut names = item.properties.into_iter().peekable();
                    while let (Some(name), Some(thing)) = (names.next(), value.take()) {
                        // Of several names, those count for which there is room for a copy.
                        value = names.peek().and_then(|_| self.budget.copy(&thing).ok());
                        outer.object.push(name, thing);
                    }
                }
                _ => {
                    if !item.refers_to.is_empty() {
                        self.referring.push((self.done.len(), item.refers_to));
                    }
                    self.done.push((item.span, item.object));
                }
            }
        }
    }

    /// Gives an item without properties the text that it shows: `<b itemprop=brand itemscope>Acme`.
    fn add_text(&mut self, item: &mut Open) {
        let has_properties = item
            .object
            .properties
            .iter()
            .any(|(name, _)| !matches!(name.as_str(), TYPE | ID));
        if has_properties || !item.refers_to.is_empty() {
            return;
        }
        if let Ok(text) = self.text(item.node) {
            item.object.push("@value", text);
        }
    }

    fn element(&mut self, node: NodeId) -> Result<(), Flaw> {
        if !self.may_declare(node) {
            return Ok(());
        }
        let properties = self.words(node, self.names.property);
        if self.tree.attribute(node, self.names.item).is_some() {
            return self.begin_item(node, properties);
        }
        if properties.is_empty() {
            return Ok(());
        }
        let value = self.value(node)?;
        for property in properties {
            let value = self.budget.copy(&value)?;
            match self.open.last_mut() {
                Some(item) => item.object.push(property, value),
                None => self.outside.push((node, property, value)),
            }
        }
        Ok(())
    }

    /// Whether the element may have attributes that declare something: most tags were read before.
    fn may_declare(&self, node: NodeId) -> bool {
        !self.tree.knows(node)
            || self.tree.may_have(node, self.names.property)
            || self.tree.may_have(node, self.names.item)
    }

    fn begin_item(&mut self, node: NodeId, properties: Vec<String>) -> Result<(), Flaw> {
        self.budget.spend(1)?;
        let span = self.tree.token(node).span;
        let mut object = Object::default();
        let types = self.words(node, self.names.kind);
        match &types[..] {
            [] => {}
            [one] => object.push(TYPE, Data::scalar(one.clone(), span)),
            several => {
                let several = several.iter().map(|kind| Data::scalar(kind.clone(), span));
                object.push(TYPE, Data::List(several.collect()));
            }
        }
        if let Some(id) = self.tree.attribute(node, self.names.id) {
            object.push(ID, Data::scalar(attribute_text(id), span));
        }
        self.open.push(Open {
            node,
            end: self.tree.subtree_end(node),
            object,
            properties,
            span,
            refers_to: self.words(node, "itemref"),
        });
        Ok(())
    }

    /// The words of an attribute.
    fn words(&self, node: NodeId, name: &str) -> Vec<String> {
        let words = self.tree.attribute(node, name).unwrap_or("");
        let words = words.split_ascii_whitespace();
        words.map(attribute_text).collect()
    }

    /// The value that an element gives to a property: what it states in an attribute, else what it
    /// shows.
    fn value(&mut self, node: NodeId) -> Result<Data, Flaw> {
        let tree = self.tree;
        for name in value_attributes(tree.name(node)) {
            let stated = tree
                .attributes(node)
                .find(|attribute| attribute.name.of(tree.page()).eq_ignore_ascii_case(name));
            if let Some(span) = stated.and_then(|attribute| attribute.value) {
                return Ok(Data::scalar(attribute_text(span.of(tree.page())), span));
            }
        }
        self.text(node)
    }

    /// The text that an element shows.
    fn text(&mut self, node: NodeId) -> Result<Data, Flaw> {
        let tree = self.tree;
        let span = tree.span(node);
        self.budget.spend_bytes(span.len())?;
        let first = tree.texts(node).next().map(|text| tree.span(text).start);
        let last = tree.texts(node).last().map(|text| tree.span(text).end);
        let shown = Span {
            start: first.unwrap_or(span.start),
            end: last.unwrap_or(span.end),
        };
        Ok(Data::Scalar(Scalar {
            text: visible_text(span.of(tree.page())),
            span: shown,
            is_text: true,
        }))
    }

    /// The properties in no item, without those whose values stand in several places: these are of
    /// several things.
    fn outside_in_one_place(&mut self) -> Option<(Span, Object)> {
        let mut parents: RapidHashMap<&str, Option<NodeId>> = RapidHashMap::default();
        let mut scattered: RapidHashSet<String> = RapidHashSet::default();
        for (node, property, _) in &self.outside {
            let parent = self.tree.parent(*node);
            if *parents.entry(property).or_insert(parent) != parent {
                scattered.insert(property.clone());
            }
        }
        let mut object = Object::default();
        let mut first = None;
        for (node, property, value) in std::mem::take(&mut self.outside) {
            if scattered.contains(&property) || self.is_referred_to(node) {
                continue;
            }
            first.get_or_insert(node);
            object.push(property, value);
        }
        Some((self.tree.token(first?).span, object))
    }

    /// Whether an item has taken the properties of a place by `itemref`.
    fn is_referred_to(&self, node: NodeId) -> bool {
        let mut places = self.referred.iter();
        places.any(|place| self.tree.holds(*place, node))
    }

    /// Gives items the properties that are in the elements they refer to.
    fn follow_references(&mut self) -> Result<(), Flaw> {
        if self.referring.is_empty() {
            return Ok(());
        }
        let wanted: RapidHashSet<&str> = self
            .referring
            .iter()
            .flat_map(|(_, ids)| ids.iter().map(String::as_str))
            .collect();
        let mut by_id: RapidHashMap<&str, NodeId> = RapidHashMap::default();
        for node in self.tree.nodes() {
            if let Some(id) = self
                .tree
                .attribute(node, "id")
                .filter(|id| wanted.contains(id))
            {
                by_id.entry(id).or_insert(node);
            }
        }
        for (item, ids) in &self.referring {
            for id in ids {
                let Some(&place) = by_id.get(id.as_str()) else {
                    continue;
                };
                self.referred.push(place);
                let first = self.outside.partition_point(|(node, ..)| *node < place);
                for (node, property, value) in &self.outside[first..] {
                    if !self.tree.holds(place, *node) {
                        break;
                    }
                    let value = self.budget.copy(value)?;
                    self.done[*item].1.push(property.clone(), value);
                }
            }
        }
        Ok(())
    }
}

/// The attributes in which elements of a name state a value, the first that is there counts. As the
/// HTML Standard has it for microdata; `content` is read of every element, as pages write it.
fn value_attributes(element: &str) -> &'static [&'static str] {
    match element {
        "a" | "area" | "link" => &["content", "href"],
        "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => &["content", "src"],
        "object" => &["content", "data"],
        "data" | "meter" => &["content", "value"],
        "time" => &["content", "datetime"],
        _ => &["content"],
    }
}
