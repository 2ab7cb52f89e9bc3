//! Which columns say what another one says?
//!
//! Pages say the same thing in several places: in a heading and in a table, to readers and to
//! machines. Copies become one column with the views of all of them: where one copy of a value is
//! lost, another is found.

use super::{
    super::{
        View,
        hashing::{START, hash, mix},
    },
    column::Column,
};
use memchr::memmem;
use rapidhash::RapidHashMap;

/// A column takes no more views than this from its copies, but for one of each kind that it has
/// none of: more make it no surer. Chosen by hand.
const MAX_VIEWS: usize = 16;
/// A text with fewer letters than this is in any other, unless it is a word of it. Chosen by hand.
const MIN_FRAMED_LETTERS: usize = 2;

/// One column of those that say the same on nearly every page, with the views of all, each with its
/// place among those given. The first is kept.
///
/// Cost: a column that differs from a known one on few pages is equal on one of its first pages, so
/// that it is compared only with those that are.
pub(in crate::fields) fn without_copies(columns: Vec<Column>) -> Vec<(usize, Column)> {
    let mut kept: Vec<(usize, Column)> = Vec::new();
    let mut by_saying: RapidHashMap<(usize, u64), Vec<usize>> = RapidHashMap::default();
    // The family of a copy, and that of what it is a copy of: its other forms may stay.
    let mut families: RapidHashMap<usize, usize> = RapidHashMap::default();
    for (place, mut next) in columns.into_iter().enumerate() {
        let known = candidates(&next, &by_saying)
            .into_iter()
            .find(|&known| kept[known].1.is_said_by(&next));
        if let Some(known) = known {
            let known = &mut kept[known].1;
            if next.is_main() {
                families.insert(next.family, known.family);
            }
            if next.adds_to(known) {
                known.take_views(next.field.views);
            }
            continue;
        }
        next.family = families.get(&next.family).copied().unwrap_or(next.family);
        for saying in next.sayings() {
            by_saying.entry(saying).or_default().push(kept.len());
        }
        kept.push((place, next));
    }
    kept
}

/// The known columns that say the same on one of the first pages, in their order.
fn candidates(next: &Column, by_saying: &RapidHashMap<(usize, u64), Vec<usize>>) -> Vec<usize> {
    let mut candidates = Vec::new();
    // A copy differs on no more pages than are tolerated.
    for saying in next.sayings().take(next.tolerated_pages() + 1) {
        candidates.extend(by_saying.get(&saying).into_iter().flatten());
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

impl Column {
    /// What it says on each page that has it: the page, and the hash of its values there.
    fn sayings(&self) -> impl Iterator<Item = (usize, u64)> {
        let filled = self.pages.iter().enumerate();
        let filled = filled.filter(|(_, page)| !page.texts.is_empty());
        filled.map(|(number, page)| {
            let hashes = page.texts.iter().map(|text| hash(text.as_bytes()));
            (number, hashes.fold(START, mix))
        })
    }

    /// Whether it says what another one does on nearly all pages of that one.
    fn is_said_by(&self, next: &Column) -> bool {
        let tolerated = next.tolerated_pages();
        let mut exceptions = 0;
        for (own, next) in self.pages.iter().zip(&next.pages) {
            if next.texts.is_empty() || own.texts == next.texts {
                continue;
            }
            exceptions += 1;
            // Most columns differ on the first pages.
            if exceptions > tolerated {
                return false;
            }
        }
        true
    }

    /// Whether its views find nothing but the values of another column, cut as that one cuts them.
    fn adds_to(&self, known: &Column) -> bool {
        let (own, of_known) = (self.rule(), known.rule());
        if own.many != of_known.many {
            return false;
        }
        if own.is_cut_like(of_known) {
            return true;
        }
        // Of a text without the label that the known one cuts off, it would leave nothing.
        own.is_whole() && !known.prefix_is_label() && of_known.part.is_none()
    }

    /// Takes over the views of a copy, first those of kinds that it has none of.
    fn take_views(&mut self, views: Vec<View>) {
        let own = &mut self.field.views;
        let kinds: Vec<_> = own.iter().map(std::mem::discriminant).collect();
        let is_new = |view: &View| !kinds.contains(&std::mem::discriminant(view));
        let (new, more): (Vec<View>, Vec<View>) = views.into_iter().partition(is_new);
        // A label says most, and is taken even if there are enough others.
        let room = MAX_VIEWS.saturating_sub(own.len()).max(new.len());
        own.extend(new.into_iter().chain(more).take(room));
    }

    /// Whether on nearly all pages it is what a known column says with the same words around it, or
    /// what is left of that without the same words; it is not another form of that column.
    pub fn only_repeats(&self, known: &Column) -> bool {
        if self.family == known.family || self.has_several() || known.has_several() {
            return false;
        }
        let tolerated = self.tolerated_pages();
        let mut frames: RapidHashMap<Frame<'_>, usize> = RapidHashMap::default();
        let mut without = 0;
        for (known, own) in known.pages.iter().zip(&self.pages) {
            let [own] = own.texts.as_slice() else {
                continue;
            };
            match known.texts.first().and_then(|known| Frame::of(own, known)) {
                Some(frame) => *frames.entry(frame).or_default() += 1,
                None => without += 1,
            }
            if without > tolerated {
                return false;
            }
        }
        let most = frames.values().max();
        most.is_some_and(|&same| same + tolerated >= self.filled_pages())
    }
}

/// What precedes and follows the shorter of two texts in the longer one.
#[derive(PartialEq, Eq, Hash)]
struct Frame<'t> {
    is_around_known: bool,
    before: &'t str,
    after: &'t str,
}

impl<'t> Frame<'t> {
    /// The frame that tells a text from a known one; `None` if neither holds the other.
    fn of(own: &'t str, known: &'t str) -> Option<Self> {
        let is_around_known = own.len() >= known.len();
        let (longer, shorter) = if is_around_known {
            (own, known)
        } else {
            (known, own)
        };
        let at = memmem::find(longer.as_bytes(), shorter.as_bytes())?;
        let (before, after) = (&longer[..at], &longer[at + shorter.len()..]);
        let frame = Frame {
            is_around_known,
            before,
            after,
        };
        let is_long = shorter.chars().nth(MIN_FRAMED_LETTERS - 1).is_some();
        (is_long || frame.is_around_word()).then_some(frame)
    }

    /// Whether what is between is a word of its own, which the 1 of "£1.50" is not.
    fn is_around_word(&self) -> bool {
        let is_apart = |letter: Option<char>| {
            letter.is_none_or(|letter| letter.is_whitespace() || "()[]".contains(letter))
        };
        is_apart(self.before.chars().next_back()) && is_apart(self.after.chars().next())
    }
}
