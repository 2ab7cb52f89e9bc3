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

/// White space is mostly one space, or one of a few indents, over and over: what lies in each is found once a page, as
/// if the stretch were the page.
pub(super) type Seen<'p> = HashMap<&'p [u8], Vec<Found>, rapidhash::fast::RandomState>;

impl Blanks {
    pub(super) fn new(strings: &[(usize, &[u8])]) -> Self {
        let shortest = strings.iter().map(|(_, string)| string.len()).min().unwrap_or(usize::MAX);
        let cuts: Vec<_> = strings.iter().map(|&(number, string)| (number, string.split_at(0))).collect();
        Blanks { strings: Anchored::new(&cuts), shortest }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shortest == usize::MAX
    }

    /// Adds the strings in a stretch, in order.
    #[inline]
    pub(super) fn find<'p>(&self, page: &'p [u8], stretch: Range<usize>, seen: &mut Seen<'p>, found: &mut Vec<Found>) {
        if stretch.len() < self.shortest {
            return;
        }
        let start = stretch.start as u32;
        let stretch = &page[stretch];
        let inside = seen.entry(stretch).or_insert_with(|| self.inside(stretch));
        found.extend(inside.iter().map(|&(string, offset)| (string, start + offset)));
    }

    /// Overlapping ones too.
    fn inside(&self, stretch: &[u8]) -> Vec<Found> {
        let mut inside = Vec::new();
        (0..stretch.len()).for_each(|at| self.strings.find(stretch, at, &mut inside));
        inside
    }
}
