//! Which strings of nothing but white space lie in a stretch of it?

use super::{DelimiterAt, anywhere::Anywhere};
use std::{collections::HashMap, ops::Range};

/// Strings of nothing but white space.
#[derive(Clone, Debug)]
pub(super) struct Blanks {
    strings: Anywhere,
    /// How long the shortest is; no white space is long enough if there is none.
    shortest: usize,
}

/// What lies in stretches of white space, as if each were a page: they are mostly one space, or one
/// of a few indents, over and over.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    found: HashMap<Box<[u8]>, Vec<DelimiterAt>, rapidhash::fast::RandomState>,
    /// Bytes in use.
    size: usize,
}

/// Bytes are used up to this.
const MOST: usize = 1 << 18;

impl Seen {
    fn keep(&mut self, stretch: &[u8], found: Vec<DelimiterAt>) {
        let size = stretch.len() + size_of_val(found.as_slice());
        if self.size + size <= MOST {
            self.size += size;
            self.found.insert(stretch.into(), found);
        }
    }
}

impl Blanks {
    pub(super) fn new(strings: &[(usize, &[u8])]) -> Self {
        let shortest = strings
            .iter()
            .map(|(_, string)| string.len())
            .min()
            .unwrap_or(usize::MAX);
        Blanks {
            strings: Anywhere::new(strings),
            shortest,
        }
    }

    /// Adds the strings in a stretch, in order.
    #[inline]
    pub(super) fn find(
        &self,
        page: &[u8],
        stretch: Range<usize>,
        seen: &mut Seen,
        found: &mut Vec<DelimiterAt>,
    ) {
        if stretch.len() >= self.shortest {
            self.find_in(&page[stretch.clone()], stretch.start as u32, seen, found);
        }
    }

    fn find_in(&self, stretch: &[u8], start: u32, seen: &mut Seen, found: &mut Vec<DelimiterAt>) {
        let mut put = |inside: &[DelimiterAt]| {
            found.extend(
                inside
                    .iter()
                    .map(|&(string, offset)| (string, start + offset)),
            );
        };
        if let Some(inside) = seen.found.get(stretch) {
            return put(inside);
        }
        let mut inside = Vec::new();
        self.strings.find(stretch, &mut inside);
        put(&inside);
        seen.keep(stretch, inside);
    }
}
