//! Do two elements look alike?
//!
//! The *shape* of an element is the set of what stands in it down to three levels: paths of tag
//! names, each once bare and once with every class name, and where there is text. A set, so that a
//! list of two items and one of twenty look alike; no deeper than that, because what users write
//! (quotes, paragraphs) stands deep and what templates print stands high; class names one by one,
//! so that `post odd` and `post even` differ in little.

use crate::read::{
    tree::{NodeId, Tree},
    vocabulary::Vocabulary,
};
use rapidhash::RapidHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Elements are alike if this much of them agrees. Not swept: half is the plain meaning of "mostly
/// the same".
const LIKE: f64 = 0.5;
/// The same for elements whose class names are all different: odd and even rows of one list agree
/// in all but those, a title row and a detail row of three cells agree in up to two thirds.
const LIKE_INSIDE: f64 = 0.75;
/// How deep below an element its shape reaches.
pub(super) const LEVELS: usize = 3;
/// Shapes are cut here, or those of the outermost elements would be as large as the page.
const MAX_FEATURES: usize = 256;
/// Shapes with fewer class names in them are like nothing that stands elsewhere.
const MIN_NAMED: usize = 4;
/// Set in the number of a feature that has a class name in it.
const WITH_CLASS: u32 = 1 << 31;
/// Class names beyond these are not looked at.
const MAX_CLASSES: usize = 8;

/// A set of features by number, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    features: Vec<u32>,
    /// The element's own class names.
    classes: Vec<u32>,
}

impl Shape {
    /// Whether two elements of one name were probably printed by the same line of a template.
    ///
    /// Different class names are a line's way to say that it is another one, or that a row is odd;
    /// only what stands inside can tell, and more of it has to agree.
    pub(super) fn is_like(&self, other: &Shape) -> bool {
        let agreement = Agreement {
            classes: shared(&self.classes, &other.classes),
            of_classes: (self.classes.len(), other.classes.len()),
            features: shared(&self.features, &other.features),
            of_features: self.features.len() + other.features.len(),
        };
        agreement.likeness().is_some()
    }

    /// How much of two elements agrees, from 0 to 1.
    pub(super) fn agreement(&self, other: &Shape) -> f64 {
        let both = shared(&self.classes, &other.classes) + shared(&self.features, &other.features);
        let all =
            self.classes.len() + other.classes.len() + self.features.len() + other.features.len();
        dice(both, all)
    }

    /// Whether elements of any name, anywhere, look alike. Bare tags agree by chance, so class
    /// names inside have to.
    pub(super) fn is_like_inside(&self, other: &Shape) -> bool {
        let (mine, others) = (self.with_class(), other.with_class());
        agree_inside(shared(mine, others), mine.len(), others.len())
    }

    /// The features that have a class name in them.
    fn with_class(&self) -> &[u32] {
        &self.features[self
            .features
            .partition_point(|&feature| feature < WITH_CLASS)..]
    }

    /// Whether the elements have a class name in common.
    pub(super) fn shares_class(&self, other: &Shape) -> bool {
        shared(&self.classes, &other.classes) > 0
    }

    /// What stands in the element, by number.
    pub(super) fn features(&self) -> &[u32] {
        &self.features
    }

    /// Equal for elements that look exactly the same.
    pub(super) fn key(&self) -> (&[u32], &[u32]) {
        (&self.features, &self.classes)
    }

    fn add(&mut self, feature: u32) {
        self.features.push(feature);
        if self.features.len() >= 4 * MAX_FEATURES {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.features.sort_unstable();
        self.features.dedup();
        self.features.truncate(MAX_FEATURES);
    }
}

/// In how much two elements agree.
struct Agreement {
    /// Class names that both have, and how many each has.
    classes: usize,
    of_classes: (usize, usize),
    /// Features that both have, and how many the two have together.
    features: usize,
    of_features: usize,
}

impl Agreement {
    /// How much of the two agrees, if it is enough.
    fn likeness(&self) -> Option<f64> {
        let (mine, others) = self.of_classes;
        let likeness = dice(
            self.features + self.classes,
            self.of_features + mine + others,
        );
        let enough = if self.classes == 0 && mine > 0 && others > 0 {
            dice(self.features, self.of_features) >= LIKE_INSIDE
        } else {
            likeness >= LIKE
        };
        enough.then_some(likeness)
    }
}

/// Whether enough of the features with a class name in them are shared.
fn agree_inside(shared: usize, mine: usize, others: usize) -> bool {
    mine >= MIN_NAMED && dice(shared, mine + others) >= LIKE
}

/// Dice's coefficient: how much two sets have in common, from 0 to 1.
fn dice(shared: usize, total: usize) -> f64 {
    if total == 0 {
        1.0
    } else {
        2.0 * shared as f64 / total as f64
    }
}

/// The chance that two different ones of `count` both have what `times` of them have.
pub(super) fn both_have(times: f64, count: f64) -> f64 {
    if count < 2.0 {
        1.0
    } else {
        (times * (times - 1.0) / (count * (count - 1.0))).max(0.0)
    }
}

/// How many entries two sorted sets have in common.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut at_a, mut at_b, mut shared) = (0, 0, 0);
    while at_a < a.len() && at_b < b.len() {
        let order = a[at_a].cmp(&b[at_b]);
        shared += usize::from(order.is_eq());
        at_a += usize::from(order.is_le());
        at_b += usize::from(order.is_ge());
    }
    shared
}

/// The shapes of all nodes. Each node adds to its own and to at most three others.
pub(super) fn shapes(tree: &Tree<'_>) -> Vec<Shape> {
    let mut features = Numbers::default();
    let mut shapes = vec![Shape::default(); tree.len()];
    for node in tree.nodes() {
        shapes[node.index()].classes = features.classes(tree, node);
        features.add(tree, node, &mut shapes);
    }
    shapes.iter_mut().for_each(Shape::settle);
    shapes
}

/// Features by number, in order of first appearance.
#[derive(Default)]
struct Numbers {
    classes: Vocabulary,
    /// A path and the name above it, or a path and a class name.
    numbers: RapidHashMap<(u32, Step), u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Name(Option<u32>),
    Class(u32),
}

impl Numbers {
    fn number(&mut self, path: u32, step: Step) -> u32 {
        // 0 is the empty path.
        let next = self.numbers.len() as u32 + 1;
        let next = if matches!(step, Step::Class(_)) {
            next | WITH_CLASS
        } else {
            next
        };
        *self.numbers.entry((path, step)).or_insert(next)
    }

    fn classes(&mut self, tree: &Tree<'_>, node: NodeId) -> Vec<u32> {
        let mut classes: Vec<u32> = classes(tree, node)
            .map(|class| self.classes.intern(class))
            .collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Adds what a node is to its own shape and to those of the elements above it.
    fn add(&mut self, tree: &Tree<'_>, node: NodeId, shapes: &mut [Shape]) {
        let classes = shapes[node.index()].classes.clone();
        let mut path = 0;
        let holders = std::iter::once(node)
            .chain(tree.ancestors(node))
            .take(LEVELS + 1);
        for holder in holders {
            let shape = &mut shapes[holder.index()];
            if holder != node {
                shape.add(path);
                classes
                    .iter()
                    .for_each(|&class| shape.add(self.number(path, Step::Class(class))));
            }
            path = self.number(path, Step::Name(tree.name_code(holder)));
        }
    }
}

/// What an element looks like, in words that mean the same on every page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Looks {
    pub(super) name: String,
    pub(super) classes: BTreeSet<String>,
    /// The features of its [`Shape`]: `p`, `p.date`, `p/#` for text in it.
    pub(super) inside: BTreeSet<String>,
}

impl Looks {
    pub(super) fn of(tree: &Tree<'_>, node: NodeId) -> Self {
        let mut inside = BTreeSet::new();
        Features::default().visit(tree, node, &mut |feature| {
            inside.insert(feature.to_owned());
            inside.len()
        });
        let classes = classes(tree, node).map(str::to_owned).collect();
        Looks {
            name: tree.name(node).to_owned(),
            classes,
            inside,
        }
    }

    /// The same test as for two shapes of one page, with how well it is passed, for an element that
    /// has so many features, `shared` of them among these.
    pub(super) fn likeness_to(
        &self,
        tree: &Tree<'_>,
        node: NodeId,
        shared: usize,
        features: usize,
    ) -> Option<f64> {
        let mut others: Vec<&str> = classes(tree, node).collect();
        others.sort_unstable();
        others.dedup();
        let agreement = Agreement {
            classes: others
                .iter()
                .filter(|class| self.classes.contains(**class))
                .count(),
            of_classes: (self.classes.len(), others.len()),
            features: shared,
            of_features: self.inside.len() + features,
        };
        agreement.likeness()
    }

    /// [`Shape::is_like_inside`] for numbers of features with a class name in them.
    pub(super) fn is_like_inside(shared: usize, mine: usize, others: usize) -> bool {
        agree_inside(shared, mine, others)
    }
}

fn classes<'a>(tree: &Tree<'a>, node: NodeId) -> impl Iterator<Item = &'a str> {
    tree.classes(node).take(MAX_CLASSES)
}

/// Writes the features of an element, as a [`Looks`] has them.
#[derive(Default)]
pub(super) struct Features {
    /// The way down from the element.
    path: String,
}

impl Features {
    /// Gives each feature to `take`, which says how many different ones it has.
    pub(super) fn visit(
        &mut self,
        tree: &Tree<'_>,
        node: NodeId,
        take: &mut dyn FnMut(&str) -> usize,
    ) {
        self.path.clear();
        self.below(tree, node, LEVELS, take);
    }

    fn below(
        &mut self,
        tree: &Tree<'_>,
        node: NodeId,
        levels: usize,
        take: &mut dyn FnMut(&str) -> usize,
    ) {
        let above = self.path.len();
        for child in tree.children(node) {
            self.path.truncate(above);
            self.path.push_str(if above == 0 { "" } else { "/" });
            self.path.push_str(if tree.is_element(child) {
                tree.name(child)
            } else {
                "#"
            });
            let here = self.path.len();
            for class in classes(tree, child) {
                self.path.push('.');
                self.path.push_str(class);
                take(&self.path);
                self.path.truncate(here);
            }
            if levels > 1 {
                self.below(tree, child, levels - 1, take);
                self.path.truncate(here);
            }
            if take(&self.path) >= MAX_FEATURES {
                return;
            }
        }
    }
}
