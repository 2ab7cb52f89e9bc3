//! Which elements of a page were printed by the same line of the template?
//!
//! Elements are sorted into *kinds* from the top down. All elements of one kind are looked at
//! together, and their children are of the same kind if they have the same name and a like
//! [`Shape`]. Because it is the children of *all* elements of a kind that are compared, rows split
//! over two tables and cells split over rows come together without further ado, and a side bar with
//! the same markup in another place does not.
//!
//! A kind that holds its like (a comment with its answers in it) goes on as the same kind instead
//! of as one more level.
//!
//! Rows of a table that take turns (a title row, a detail row) are told apart before they are
//! compared: see [`turns`](super::turns).
//!
//! Cost: every element is compared with at most [`MAX_KINDS`] others.

use super::{
    seen::Seen,
    shape::{Shape, shapes},
    turns::{Turns, turns},
};
use crate::read::tree::{NodeId, Tree};
use rapidhash::RapidHashMap;
use std::collections::BTreeMap;

/// So many kinds of one name are told apart among siblings; beyond, a new kind is not compared with
/// others.
const MAX_KINDS: usize = 24;

/// The number of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct KindId(u32);

impl KindId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Elements that one line of the template printed.
#[derive(Debug)]
pub(super) struct Kind {
    /// The kind of the elements that these stand in; `None` for the outermost.
    pub(super) parent: Option<KindId>,
    /// The elements, in the order of the page.
    pub(super) members: Vec<NodeId>,
    /// The kinds of their children, by number.
    pub(super) children: Vec<KindId>,
    /// In how many elements of the parent kind there is one.
    pub(super) parents_with: usize,
    /// An element that looks like most of them.
    pub(super) model: NodeId,
}

/// The kinds of all elements of a page.
pub(super) struct Kinds {
    kinds: Vec<Kind>,
    of_node: Vec<Option<KindId>>,
    shapes: Vec<Shape>,
    /// Which rows of tables take turns.
    turns: Turns,
}

impl Kinds {
    pub(super) fn new(tree: &Tree<'_>, seen: &Seen) -> Self {
        let mut sorter = Sorter {
            tree,
            shapes: shapes(tree),
            kinds: Vec::new(),
            turns: turns(tree, seen),
            siblings: RapidHashMap::default(),
            of_node: vec![None; tree.len()],
        };
        sorter.sort_all();
        let Sorter {
            mut kinds,
            of_node,
            shapes,
            turns,
            ..
        } = sorter;
        for kind in &mut kinds {
            // Members of a kind that holds its like were met level by level.
            kind.members.sort_unstable();
            kind.parents_with = distinct_parents(tree, &kind.members);
        }
        Kinds {
            kinds,
            of_node,
            shapes,
            turns,
        }
    }

    pub(super) fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (KindId, &Kind)> + ExactSizeIterator {
        self.kinds
            .iter()
            .enumerate()
            .map(|(number, kind)| (KindId(number as u32), kind))
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn get(&self, kind: KindId) -> &Kind {
        &self.kinds[kind.index()]
    }

    /// Which row of a record a row of a table is, where rows take turns.
    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// What a node looks like.
    pub(super) fn shape(&self, node: NodeId) -> &Shape {
        &self.shapes[node.index()]
    }

    /// What most elements of a kind look like.
    pub(super) fn model(&self, kind: KindId) -> &Shape {
        &self.shapes[self.get(kind).model.index()]
    }

    /// The kind of an element; `None` for a text.
    pub(super) fn of(&self, node: NodeId) -> Option<KindId> {
        self.of_node[node.index()]
    }
}

/// Members are in page order, so those of one parent follow each other unless they hold each other.
fn distinct_parents(tree: &Tree<'_>, members: &[NodeId]) -> usize {
    let mut parents: Vec<_> = members.iter().map(|&member| tree.parent(member)).collect();
    parents.sort_unstable();
    parents.dedup();
    parents.len()
}

struct Sorter<'t> {
    tree: &'t Tree<'t>,
    shapes: Vec<Shape>,
    kinds: Vec<Kind>,
    /// Which rows of tables take turns.
    turns: Turns,
    /// The first kinds with a parent kind and a name.
    siblings: RapidHashMap<(Option<KindId>, Option<u32>), Vec<KindId>>,
    of_node: Vec<Option<KindId>>,
}

impl Sorter<'_> {
    fn sort_all(&mut self) {
        let top = self
            .tree
            .top()
            .filter(|&node| self.tree.is_element(node))
            .collect();
        let mut waiting = self.sort(None, top);
        while let Some((kind, members)) = waiting.pop() {
            let children = members
                .iter()
                .flat_map(|&member| self.tree.elements(member))
                .collect();
            waiting.extend(self.sort(Some(kind), children));
        }
    }

    /// Sorts children of elements of one kind; gives back what has to be gone into.
    fn sort(
        &mut self,
        parent: Option<KindId>,
        children: Vec<NodeId>,
    ) -> Vec<(KindId, Vec<NodeId>)> {
        let mut found: BTreeMap<KindId, Vec<NodeId>> = BTreeMap::new();
        for same_shape in self.by_shape(children) {
            let kind = self.kind_for(parent, same_shape[0]);
            same_shape
                .iter()
                .for_each(|&node| self.of_node[node.index()] = Some(kind));
            self.kinds[kind.index()].members.extend(&same_shape);
            found.entry(kind).or_default().extend(same_shape);
        }
        found.into_iter().collect()
    }

    /// Elements with the same name and exactly the same shape, the most frequent shape first: it
    /// makes the best model.
    fn by_shape(&self, nodes: Vec<NodeId>) -> Vec<Vec<NodeId>> {
        let mut groups: RapidHashMap<_, Vec<NodeId>> = RapidHashMap::default();
        for node in nodes {
            let shape = &self.shapes[node.index()];
            groups
                .entry((
                    self.tree.name_code(node),
                    self.turns.get(&node),
                    shape.key(),
                ))
                .or_default()
                .push(node);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_unstable_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
        groups
    }

    /// The kind of an element, an old one or a new one.
    fn kind_for(&mut self, parent: Option<KindId>, node: NodeId) -> KindId {
        let old = self
            .sibling_kind(parent, node)
            .or_else(|| self.outer_kind(parent, node));
        old.unwrap_or_else(|| self.new_kind(parent, node))
    }

    fn new_kind(&mut self, parent: Option<KindId>, node: NodeId) -> KindId {
        let kind = KindId(self.kinds.len() as u32);
        self.kinds.push(Kind {
            parent,
            members: Vec::new(),
            children: Vec::new(),
            parents_with: 0,
            model: node,
        });
        if let Some(parent) = parent {
            self.kinds[parent.index()].children.push(kind);
        }
        let siblings = self
            .siblings
            .entry((parent, self.tree.name_code(node)))
            .or_default();
        if siblings.len() < MAX_KINDS {
            siblings.push(kind);
        }
        kind
    }

    fn sibling_kind(&self, parent: Option<KindId>, node: NodeId) -> Option<KindId> {
        let siblings = self.siblings.get(&(parent, self.tree.name_code(node)))?;
        siblings
            .iter()
            .copied()
            .find(|&kind| self.is_like(kind, node))
    }

    /// A kind further up that looks like this element: an answer in a comment is a comment.
    fn outer_kind(&self, parent: Option<KindId>, node: NodeId) -> Option<KindId> {
        let outer = std::iter::successors(parent, |kind| self.kinds[kind.index()].parent);
        let mut alike = outer.take(MAX_KINDS).filter(|&kind| {
            let model = &self.shapes[self.kinds[kind.index()].model.index()];
            self.same_name(kind, node)
                && model.shares_class(&self.shapes[node.index()])
                && self.is_like(kind, node)
        });
        alike.next()
    }

    fn same_name(&self, kind: KindId, node: NodeId) -> bool {
        self.tree.name_code(self.kinds[kind.index()].model) == self.tree.name_code(node)
    }

    fn is_like(&self, kind: KindId, node: NodeId) -> bool {
        let model = self.kinds[kind.index()].model;
        let turns = (self.turns.get(&model), self.turns.get(&node));
        // Rows that take the same turn are alike whatever they hold.
        turns.0 == turns.1
            && (turns.0.is_some() || self.shapes[model.index()].is_like(&self.shapes[node.index()]))
    }
}
