//! Which lists does a page have, and which rule found each?

use crate::lists::List;

/// The lists of a page.
#[derive(Default)]
pub(super) struct PageLists<'r> {
    /// Each with the number of its rule, if there is one.
    pub found: Vec<(Option<usize>, List<'r>)>,
}

impl<'r> PageLists<'r> {
    /// Lists with the numbers of their rules.
    pub fn by_rules(lists: Vec<(usize, List<'r>)>) -> Self {
        let found = lists
            .into_iter()
            .map(|(number, list)| (Some(number), list))
            .collect();
        PageLists { found }
    }

    /// Lists that no rule found.
    pub fn alone(lists: Vec<List<'r>>) -> Self {
        PageLists {
            found: lists.into_iter().map(|list| (None, list)).collect(),
        }
    }

    /// Whether the page has the list that its template is for. The others may be on any page of the
    /// site.
    pub fn has_first(&self) -> bool {
        self.found
            .first()
            .is_some_and(|(number, _)| *number == Some(0))
    }
}
