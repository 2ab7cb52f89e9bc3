//! What do the tags in and around records say, if the same tags were met before?
//!
//! The records of a page look alike, and so do those of the next page: most have the very tags of
//! an earlier one, one in the other. A [`TagMemory`] numbers these *shapes* and keeps what was
//! found out about each, and the words of each tag.
//!
//! It goes by the bytes of tags, or by their numbers where the page was read with a memory. Then
//! all pages that go through one memory of tags must have been read with the same memory.

use super::{
    shape::{Features, LEVELS},
    step::write_named_step,
};
use crate::read::{
    tree::{NodeId, Tree},
    vocabulary::Vocabulary,
};
use rapidhash::{RapidHashMap, RapidHashSet, v3::rapidhash_v3};
use std::ops::Range;

/// What is kept of the tags in and around records; see the [module](self).
#[derive(Default)]
pub(crate) struct TagMemory {
    /// Tags that have no number in the page's memory.
    tags: Vocabulary,
    shapes: RapidHashMap<Box<[u64]>, ShapeId>,
    /// The hashes of the features of each shape.
    features: Vec<RapidHashSet<u64>>,
    /// Names with first classes, end to end, and where that of each tag stands.
    text: String,
    steps: RapidHashMap<u64, Range<usize>>,
    /// The shape that is being looked up.
    key: Vec<u64>,
}

/// A number for the tags of an element and of those inside.
pub(super) type ShapeId = u32;

/// Stands for a text.
const TEXT: u64 = u32::MAX as u64;
/// Set in the numbers of tags that the page's memory does not have,
const OWN: u64 = 1 << 32;
/// and in those of tags whose names are not read as they are written: in HTML, but not in XML,
/// `<B>` is called `b`.
const FOLDED: u64 = 1 << 33;
/// What the number of a tag leaves free, for its depth.
const DEPTH_BITS: u32 = 40;

impl TagMemory {
    /// Whether it is time for a new one.
    pub(crate) fn is_full(&self) -> bool {
        /// Tags that it may have of its own.
        const MOST_TAGS: usize = 1 << 16;
        self.tags.len() >= MOST_TAGS
    }

    /// The number of a start tag.
    fn tag(&mut self, tree: &Tree<'_>, node: NodeId) -> u64 {
        if let Some(number) = tree.token_number(node) {
            return u64::from(number);
        }
        let (tag, page) = (tree.token(node), tree.page());
        let folded = if tag.name.of(page) == tree.name(node) {
            0
        } else {
            FOLDED
        };
        OWN | folded | u64::from(self.tags.intern(tag.span.of(page)))
    }

    /// The number of the tags of an element and of those inside, as deep as features go.
    pub(super) fn shape_id(&mut self, tree: &Tree<'_>, node: NodeId) -> ShapeId {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.push(self.tag(tree, node));
        self.write_key(tree, node, 1, &mut key);
        let id = match self.shapes.get(key.as_slice()) {
            Some(&id) => id,
            None => self.add(tree, node, &key),
        };
        self.key = key;
        id
    }

    fn write_key(&mut self, tree: &Tree<'_>, node: NodeId, depth: usize, key: &mut Vec<u64>) {
        for child in tree.children(node) {
            let tag = if tree.is_element(child) {
                self.tag(tree, child)
            } else {
                TEXT
            };
            key.push((depth as u64) << DEPTH_BITS | tag);
            if depth < LEVELS {
                self.write_key(tree, child, depth + 1, key);
            }
        }
    }

    #[cold]
    fn add(&mut self, tree: &Tree<'_>, node: NodeId, key: &[u64]) -> ShapeId {
        let mut features = RapidHashSet::default();
        Features::default().visit(tree, node, &mut |feature| {
            features.insert(rapidhash_v3(feature.as_bytes()));
            features.len()
        });
        let id = self.features.len() as ShapeId;
        self.features.push(features);
        self.shapes.insert(key.into(), id);
        id
    }

    /// The hashes of the features of elements of a shape.
    pub(super) fn features(&self, id: ShapeId) -> &RapidHashSet<u64> {
        &self.features[id as usize]
    }

    /// Writes the name of an element and its first class.
    pub(super) fn write_step(&mut self, way: &mut String, tree: &Tree<'_>, node: NodeId) {
        let tag = self.tag(tree, node);
        let TagMemory { steps, text, .. } = self;
        let step = steps.entry(tag).or_insert_with(|| {
            let start = text.len();
            write_named_step(text, tree, node);
            start..text.len()
        });
        way.push_str(&text[step.clone()]);
    }
}
