//! Of which paths is a page built?
//!
//! A *step* is the name of an element with its classes, a *path* a step below those of its parent
//! and grandparent. Longer paths tie every element to the classes of `<body>`, shorter ones forget
//! where they are; three steps measured best.

use crate::read::tree::{NodeId, Tree};
use rapidhash::v3::rapidhash_v3;

/// Walks over the paths of one page after the other. All pages that were read with a memory must be
/// of the same memory.
#[derive(Default)]
pub(crate) struct PathWalk {
    /// The step of each start tag that the memory has, by its number; 0 where it is not known yet.
    step_of_token: Vec<u64>,
    /// What is known of each node of the page.
    nodes: Vec<Walked>,
}

/// What is known of a node.
#[derive(Clone, Copy, Default)]
struct Walked {
    /// 0 for a text.
    step: u64,
    /// The step of its last child so far: the next one is often the same.
    last_child: u64,
}

impl PathWalk {
    /// Calls `visit` with the path of each element, in the order of the page; not again for a
    /// sibling with the same path.
    pub fn visit(&mut self, tree: &Tree<'_>, mut visit: impl FnMut(u64)) {
        self.nodes.clear();
        for node in tree.nodes() {
            let step = if tree.is_element(node) {
                self.step(tree, node)
            } else {
                0
            };
            self.nodes.push(Walked {
                step,
                last_child: 0,
            });
            if step == 0 {
                continue;
            }
            let Some(parent) = tree.parent(node) else {
                visit(step);
                continue;
            };
            if self.nodes[parent.index()].last_child != step {
                let above = pair(step, self.nodes[parent.index()].step);
                let path = tree
                    .parent(parent)
                    .map_or(above, |outer| pair(above, self.nodes[outer.index()].step));
                self.nodes[parent.index()].last_child = step;
                visit(path);
            }
        }
    }

    /// The step of a node of the page that was walked over last; 0 for a text.
    pub fn step_of(&self, node: NodeId) -> u64 {
        self.nodes[node.index()].step
    }

    fn step(&mut self, tree: &Tree<'_>, node: NodeId) -> u64 {
        let Some(token) = tree.token_number(node).map(|token| token as usize) else {
            return step(tree, node);
        };
        if token >= self.step_of_token.len() {
            self.step_of_token.resize(token + 1, 0);
        }
        if self.step_of_token[token] == 0 {
            self.step_of_token[token] = step(tree, node);
        }
        self.step_of_token[token]
    }
}

/// The hash of an element's name and classes. The order of classes means nothing.
pub(super) fn step(tree: &Tree<'_>, node: NodeId) -> u64 {
    let name = hash(tree.name(node).as_bytes());
    let classes = tree.attribute(node, "class").unwrap_or("");
    if !classes.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return if classes.is_empty() {
            name
        } else {
            pair(name, hash(classes.as_bytes()))
        };
    }
    let mut classes: Vec<u64> = classes
        .split_ascii_whitespace()
        .map(|class| hash(class.as_bytes()))
        .collect();
    classes.sort_unstable();
    classes.dedup();
    classes.into_iter().fold(name, pair)
}

/// The same on every machine and in every run: hashes are written to files.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    rapidhash_v3(bytes)
}

pub(super) fn pair(one: u64, other: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one.to_le_bytes());
    bytes[8..].copy_from_slice(&other.to_le_bytes());
    hash(&bytes)
}
