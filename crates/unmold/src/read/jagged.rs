//! Many short lists in one vector.
//!
//! A page has values for hundreds of rules: a vector for each would cost more than finding them.
//!
//! ```
//! use unmold::read::jagged::Jagged;
//!
//! let lists = Jagged::sorted(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
//! assert_eq!(lists.iter().collect::<Vec<_>>(), [&['b'][..], &[], &['a', 'c']]);
//! ```

/// Jagged, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jagged<T> {
    items: Vec<T>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl<T: Copy + Default> Jagged<T> {
    /// Items, each with the number of its list, put into `count` lists in the given order.
    ///
    /// # Panics
    /// When an item belongs to none of them.
    pub fn sorted(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        // A counting sort: `ends` first holds where the next item of each list goes.
        let mut ends = vec![0; count];
        items.clone().for_each(|(list, _)| ends[list as usize] += 1);
        let mut total = 0;
        for end in &mut ends {
            total += std::mem::replace(end, total);
        }
        let mut sorted = vec![T::default(); total as usize];
        for (list, item) in items {
            let next = &mut ends[list as usize];
            sorted[*next as usize] = item;
            *next += 1;
        }
        Jagged {
            items: sorted,
            ends,
        }
    }
}

impl<T> Jagged<T> {
    /// No list, with room for some.
    pub fn with_capacity(lists: usize, items: usize) -> Self {
        Jagged {
            items: Vec::with_capacity(items),
            ends: Vec::with_capacity(lists),
        }
    }

    /// Adds a list: what is put behind all items so far.
    pub fn push_with(&mut self, put: impl FnOnce(&mut Vec<T>)) {
        put(&mut self.items);
        self.ends.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One list.
    ///
    /// # Panics
    /// When there is none of that number.
    #[inline]
    pub fn list(&self, number: usize) -> &[T] {
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1]
        };
        &self.items[start as usize..self.ends[number] as usize]
    }

    /// All lists.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|number| self.list(number))
    }

    /// The items of all lists.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}
