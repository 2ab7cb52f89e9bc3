//! Where does a generalised pattern occur?

use super::align::GeneralPattern;
use std::ops::Range;

/// An occurrence of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The symbols that it covers.
    pub symbols: Range<usize>,
    /// For each of them, the position of the pattern that it takes.
    pub slots: Vec<usize>,
}

/// The occurrences of a pattern from left to right, each as long as it can be, none overlapping
/// another (section 4).
///
/// ```
/// use unmold::papers::iepad::{align, matches};
///
/// // `ab[a|-][b|-]` in `abababab` occurs twice, as `abab`.
/// let strings = ["abab", "ab"].map(|string| string.bytes().map(u32::from).collect());
/// let pattern = align(&strings, |code| char::from(code as u8).to_string()).unwrap();
/// assert_eq!(pattern.variable(), 2);
/// let symbols: Vec<String> = "abababab".chars().map(String::from).collect();
/// let found: Vec<_> = matches(&pattern, &symbols).into_iter().map(|found| found.symbols).collect();
/// assert_eq!(found, [0..4, 4..8]);
/// ```
///
/// Cost: each symbol is compared with the positions that are open when it is read, which is one
/// where nothing varies.
pub fn matches(pattern: &GeneralPattern, symbols: &[String]) -> Vec<Match> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < symbols.len() {
        match longest(pattern, &symbols[at..]) {
            Some(slots) => {
                let end = at + slots.len();
                found.push(Match {
                    symbols: at..end,
                    slots,
                });
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The positions of the pattern that the longest match at the beginning takes.
fn longest(pattern: &GeneralPattern, symbols: &[String]) -> Option<Vec<usize>> {
    let slots = pattern.slots();
    // For each symbol read: the positions it can take, each with the one taken before it.
    let mut read: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut best = None;
    let mut open = vec![START];
    for symbol in symbols {
        let mut taken: Vec<(usize, usize)> = Vec::new();
        for &before in &open {
            let next = reachable(pattern, before).filter(|&slot| slots[slot].takes(symbol));
            taken.extend(next.map(|slot| (slot, before)));
        }
        taken.sort_unstable();
        taken.dedup_by_key(|(slot, _)| *slot);
        if taken.is_empty() {
            break;
        }
        open = taken.iter().map(|&(slot, _)| slot).collect();
        read.push(taken);
        let end = open
            .iter()
            .copied()
            .find(|&slot| slots[slot + 1..].iter().all(|slot| slot.is_optional()));
        best = end.map(|slot| (read.len(), slot)).or(best);
    }
    best.map(|(length, last)| trace(&read[..length], last))
}

/// No position has been taken.
const START: usize = usize::MAX;

/// The positions that can be taken next: up to the first that is not optional.
fn reachable(pattern: &GeneralPattern, before: usize) -> std::ops::Range<usize> {
    let slots = pattern.slots();
    let first = before.wrapping_add(1);
    let optional = slots[first..]
        .iter()
        .take_while(|slot| slot.is_optional())
        .count();
    first..slots.len().min(first + optional + 1)
}

/// Goes back from the last position taken.
fn trace(read: &[Vec<(usize, usize)>], last: usize) -> Vec<usize> {
    let mut slots = Vec::with_capacity(read.len());
    let mut slot = last;
    for taken in read.iter().rev() {
        slots.push(slot);
        slot = taken
            .iter()
            .find(|&&(at, _)| at == slot)
            .map_or(START, |&(_, before)| before);
    }
    slots.reverse();
    slots
}
