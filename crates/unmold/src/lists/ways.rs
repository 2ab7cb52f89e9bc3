//! Where in its record does a value stand?
//!
//! The *way* to a value is the tag and class names that lead to it: `tr.a/td:2` or `div.post/p.date@datetime`. Records
//! are aligned by ways and not by counting, so a field that a record lacks is absent and shifts no other. Only where
//! every element of a kind has the same number of like-named children (cells of a table) does the position count.
//!
//! Running text is one value: an element with text and with markup that varies from record to record is not taken
//! apart.

use super::{
    kinds::KindId,
    runs::{Outline, Rows},
};
use crate::{
    Span,
    read::tree::{NodeId, Tree},
};
use memchr::memchr2;
use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

/// The attributes whose values are fields.
pub(super) const ATTRIBUTES: [&str; 4] = ["href", "src", "alt", "datetime"];
/// What stands at the end of a longer way than this, in bytes, is taken whole.
const MAX_WAY: usize = 1024;
/// Among more like-named children than this, positions mean nothing.
pub(super) const MAX_ARITY: usize = 64;
/// Names are cut here.
const MAX_NAME: usize = 64;
/// Markup that fewer elements of a kind have than this belongs to running text.
const REGULAR: f64 = 0.5;

/// A value of a record and the way to it.
pub(super) struct ValueOnWay {
    pub(super) way: String,
    pub(super) attribute: Option<&'static str>,
    pub(super) span: Span,
}

/// Reads the values of records.
pub(super) struct Reader<'o, 't> {
    outline: &'o Outline<'t>,
    /// How many children of a name every element of a kind has, where all have the same number.
    arity: HashMap<(KindId, u32), Option<usize>>,
    prose: HashMap<KindId, bool>,
    several_texts: HashMap<KindId, bool>,
    found: Vec<ValueOnWay>,
}

impl<'o, 't> Reader<'o, 't> {
    pub(super) fn new(outline: &'o Outline<'t>) -> Self {
        Reader {
            outline,
            arity: HashMap::new(),
            prose: HashMap::new(),
            several_texts: HashMap::new(),
            found: Vec::new(),
        }
    }

    /// The values of a record, in the order of the page.
    pub(super) fn read(&mut self, rows: &Rows) -> Vec<ValueOnWay> {
        let tree = self.outline.tree;
        let mut next = rows.start;
        while let Some(node) = tree.nodes_in(next..rows.end).next() {
            next = node.index() + tree.subtree(node).len();
            if tree.is_element(node) {
                let step = self.named_step(node);
                self.element(node, &step, rows);
            } else {
                self.push(String::new(), None, tree.span(node));
            }
        }
        std::mem::take(&mut self.found)
    }

    fn push(&mut self, way: String, attribute: Option<&'static str>, span: Span) {
        self.found.push(ValueOnWay { way, attribute, span });
    }

    fn element(&mut self, node: NodeId, way: &str, rows: &Rows) {
        self.attributes(node, way);
        let tree = self.outline.tree;
        let children = || tree.children(node).filter(|child| child.index() < rows.end);
        if way.len() > MAX_WAY || self.is_prose(node) {
            let inside = children().map(|child| tree.span(child)).reduce(Span::to);
            inside.into_iter().for_each(|span| self.push(way.to_owned(), None, span));
            return;
        }
        let mut times: BTreeMap<Option<u32>, usize> = BTreeMap::new();
        for child in children() {
            let position = times.entry(tree.name_code(child)).or_insert(0);
            *position += 1;
            if tree.is_element(child) {
                let step = self.step(node, child, *position);
                self.element(child, &format!("{way}/{step}"), rows);
            } else {
                let text_step = self.text_step(node, child, *position);
                self.push(format!("{way}{text_step}"), None, tree.span(child));
            }
        }
    }

    /// Tells several texts of one element apart: by a label in front ("From: Berlin"), else by position.
    fn text_step(&mut self, element: NodeId, text: NodeId, position: usize) -> String {
        let text = self.outline.tree.span(text).of(self.outline.tree.page());
        match label(text).filter(|_| self.has_several_texts(element)) {
            Some(label) => format!("#{label}"),
            None if position == 1 => String::new(),
            None => format!("#{position}"),
        }
    }

    /// Whether some elements of this element's kind have more than one text.
    fn has_several_texts(&mut self, element: NodeId) -> bool {
        let (tree, kinds) = (self.outline.tree, &self.outline.kinds);
        let Some(kind) = kinds.of(element) else { return false };
        *self.several_texts.entry(kind).or_insert_with(|| {
            let texts = |member| tree.children(member).filter(|&child| !tree.is_element(child));
            kinds.get(kind).members.iter().any(|&member| texts(member).nth(1).is_some())
        })
    }

    fn attributes(&mut self, node: NodeId, way: &str) {
        let (tree, page) = (self.outline.tree, self.outline.tree.page());
        for attribute in tree.attributes(node) {
            let name = ATTRIBUTES.iter().find(|name| name.eq_ignore_ascii_case(attribute.name.of(page)));
            if let (Some(name), Some(value)) = (name, attribute.value)
                && !value.is_empty()
            {
                self.push(format!("{way}@{name}"), Some(name), value);
            }
        }
    }

    /// One step of a way: a name with its class, or with its position where that is always the same and the class
    /// does not tell siblings apart.
    fn step(&mut self, parent: NodeId, child: NodeId, position: usize) -> String {
        let is_fixed = self.fixed_arity(parent, child).is_some_and(|arity| (2..=MAX_ARITY).contains(&arity));
        if is_fixed && !self.is_told_apart(parent, child) {
            let mut step = String::new();
            write_position(&mut step, self.outline.tree.name(child), position);
            return step;
        }
        self.named_step(child)
    }

    /// Whether a child has a class that no sibling of its name has.
    fn is_told_apart(&self, parent: NodeId, child: NodeId) -> bool {
        let tree = self.outline.tree;
        let class = tree.classes(child).next();
        let mut others = tree.elements(parent).filter(|&other| other != child);
        class.is_some()
            && !others
                .any(|other| tree.name_code(other) == tree.name_code(child) && tree.classes(other).next() == class)
    }

    fn named_step(&self, node: NodeId) -> String {
        let mut step = String::new();
        write_named_step(&mut step, self.outline.tree, node);
        step
    }

    fn fixed_arity(&mut self, parent: NodeId, child: NodeId) -> Option<usize> {
        let outline = self.outline;
        let (kind, name) = (outline.kinds.of(parent)?, outline.tree.name_code(child)?);
        *self.arity.entry((kind, name)).or_insert_with(|| {
            let count = |&member: &NodeId| {
                outline.tree.elements(member).filter(|&child| outline.tree.name_code(child) == Some(name)).count()
            };
            let mut counts = outline.kinds.get(kind).members.iter().map(count);
            let first = counts.next()?;
            counts.all(|count| count == first).then_some(first)
        })
    }

    /// Whether an element holds running text: text, and markup that only some elements like it have.
    fn is_prose(&mut self, node: NodeId) -> bool {
        let outline = self.outline;
        let Some(kind) = outline.kinds.of(node) else { return false };
        let has_text = || outline.tree.children(node).any(|child| !outline.tree.is_element(child));
        has_text() && *self.prose.entry(kind).or_insert_with(|| has_irregular_markup(outline, kind))
    }
}

/// Whether elements with the same name and class in the same place differ in the markup inside. Kinds are not enough:
/// a post with a quote may be of another kind than one without.
fn has_irregular_markup(outline: &Outline<'_>, kind: KindId) -> bool {
    let tree = outline.tree;
    let label = |kind: KindId| {
        let model = outline.kinds.get(kind).model;
        (tree.name_code(model), tree.classes(model).next())
    };
    let siblings = outline.kinds.get(kind).parent.map_or(&[][..], |parent| &outline.kinds.get(parent).children);
    let same: Vec<KindId> = siblings.iter().copied().filter(|&other| label(other) == label(kind)).collect();
    let count: usize = same.iter().map(|&kind| outline.kinds.get(kind).members.len()).sum();
    let mut with: BTreeMap<_, usize> = BTreeMap::new();
    for &part in same.iter().flat_map(|&kind| &outline.kinds.get(kind).children) {
        *with.entry(label(part)).or_default() += outline.kinds.get(part).parents_with;
    }
    with.values().any(|&with| (with as f64) < REGULAR * count as f64)
}

/// A name and its first class, which says what an element is; others tend to say how it is today.
pub(super) fn write_named_step(way: &mut String, tree: &Tree<'_>, node: NodeId) {
    way.push_str(cut(tree.name(node)));
    if let Some(class) = tree.classes(node).next() {
        way.push('.');
        way.push_str(cut(class));
    }
}

/// A name and which of those it is.
pub(super) fn write_position(way: &mut String, name: &str, position: usize) {
    way.push_str(cut(name));
    way.push(':');
    write!(way, "{position}").expect("a string takes all");
}

fn cut(name: &str) -> &str {
    name.char_indices().nth(MAX_NAME).map_or(name, |(at, _)| &name[..at])
}

/// What a text begins with, up to a colon: "Price" of "Price: 7 €". Times and addresses have no label.
pub(super) fn label(text: &str) -> Option<&str> {
    // Most texts have neither a colon nor the first byte of a wide one.
    memchr2(b':', "：".as_bytes()[0], text.as_bytes())?;
    let (label, rest) = text.split_once([':', '：'])?;
    let label = label.trim();
    let is_name = label.chars().any(char::is_alphabetic) && label.chars().nth(MAX_NAME).is_none();
    (is_name && !rest.trim().is_empty() && !rest.starts_with("//")).then_some(label)
}
