//! Which strings of nothing but white space lie in a stretch of it?

use super::{Found, anchored::Anchored};
use std::{collections::HashMap, ops::Range};

/// Strings of nothing but white space.
#[derive(Clone, Debug)]
pub(super) struct Blanks {
    strings: Anchored,
    /// How long the shortest is; no white space is long enough if there is none.
    shortest: usize,
}

/// White space is mostly one space, or one of a few indents, over and over: what lies in each is found once, as if the
/// stretch were the page.
pub(super) type Seen = HashMap<Box<[u8]>, Vec<Found>, rapidhash::fast::RandomState>;

/// So many stretches of so many bytes are kept in mind; all others are rare.
const MOST_SEEN: usize = 1024;
const LONGEST_SEEN: usize = 1024;

impl Blanks {
    pub(super) fn new(strings: &[(usize, &[u8])]) -> Self {
        let shortest = strings.iter().map(|(_, string)| string.len()).min().unwrap_or(usize::MAX);
        let cuts: Vec<_> = strings.iter().map(|&(number, string)| (number, string.split_at(0))).collect();
        Blanks { strings: Anchored::new(&cuts), shortest }
    }

    /// Adds the strings in a stretch, in order.
    #[inline]
    pub(super) fn find(&self, page: &[u8], stretch: Range<usize>, seen: &mut Seen, found: &mut Vec<Found>) {
        if stretch.len() >= self.shortest {
            self.find_in(&page[stretch.clone()], stretch.start as u32, seen, found);
        }
    }

    fn find_in(&self, stretch: &[u8], start: u32, seen: &mut Seen, found: &mut Vec<Found>) {
        let mut put = |inside: &[Found]| found.extend(inside.iter().map(|&(string, offset)| (string, start + offset)));
        if let Some(inside) = seen.get(stretch) {
            return put(inside);
        }
        let inside = self.inside(stretch);
        put(&inside);
        if seen.len() < MOST_SEEN && stretch.len() <= LONGEST_SEEN {
            seen.insert(stretch.into(), inside);
        }
    }

    /// Overlapping ones too.
    fn inside(&self, stretch: &[u8]) -> Vec<Found> {
        let mut inside = Vec::new();
        (0..stretch.len()).for_each(|at| self.strings.find(stretch, at, &mut (), &mut inside));
        inside
    }
}
