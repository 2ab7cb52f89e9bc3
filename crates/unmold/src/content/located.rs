//! Which nodes of a page stand in the elements that hold its content?

use super::reading::{Block, Reading};
use crate::read::tree::NodeId;

/// Where the content of a page is.
pub(crate) struct Located {
    /// The elements that hold it, in the order of the page.
    pub elements: Vec<NodeId>,
    /// Its share in the running text of the page.
    pub share: f64,
    /// Whether the page declares most of its text to be elsewhere.
    pub misses_declared: bool,
    /// Whether each node is one of them or stands in one, and whether it is in no aside either.
    pub surrounded: Vec<bool>,
    pub inside: Vec<bool>,
}

impl Located {
    /// Whether a node stands in one of the elements.
    pub fn surrounds(&self, page: &Reading<'_>, node: NodeId) -> bool {
        page.tree
            .parent(node)
            .is_some_and(|parent| self.surrounded[parent.index()])
    }

    /// Whether a block stands in one of the elements, be it in an aside.
    pub fn spans(&self, block: &Block) -> bool {
        self.surrounded[block.element.index()]
    }

    /// Whether a block stands in one of the elements and in no aside.
    pub fn holds(&self, block: &Block) -> bool {
        self.inside[block.element.index()]
    }
}

/// Which nodes are some elements or stand in them, without what is not let in and all that stands
/// in that.
pub(crate) fn within(
    page: &Reading<'_>,
    elements: &[NodeId],
    lets_in: impl Fn(NodeId) -> bool,
) -> Vec<bool> {
    let mut within = vec![false; page.tree.len()];
    elements.iter().for_each(|node| within[node.index()] = true);
    for node in page.tree.nodes() {
        let is_inside = page
            .tree
            .parent(node)
            .is_some_and(|parent| within[parent.index()]);
        within[node.index()] |= is_inside && lets_in(node);
    }
    within
}
