//! What does the name of an element say?

use super::{NodeId, Tree};

/// What is known of each name, by number: pages have few different ones.
pub(crate) struct ByName<T> {
    known: Vec<Option<T>>,
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        ByName { known: Vec::new() }
    }
}

impl<T: Copy> ByName<T> {
    /// What the name of an element says; `None` for a text.
    #[inline]
    pub fn of(&mut self, tree: &Tree<'_>, node: NodeId, says: impl FnOnce(&str) -> T) -> Option<T> {
        let code = tree.name_code(node)? as usize;
        if code >= self.known.len() {
            self.known.resize(code + 1, None);
        }
        Some(*self.known[code].get_or_insert_with(|| says(tree.name(node))))
    }
}
