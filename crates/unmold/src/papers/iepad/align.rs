//! What do strings have in common that are almost the same?

use serde::{Deserialize, Serialize};
use std::{collections::HashMap, fmt};

/// Strings of more symbols are not aligned: the cost is quadratic in it.
const MAX_LENGTH: usize = 400;
/// So many different strings are aligned, the most frequent.
const MAX_STRINGS: usize = 64;

/// A pattern in which positions may vary: `adc[w|x]b[d|-]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GeneralPattern {
    slots: Vec<Slot>,
}

/// A position of a [`GeneralPattern`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    symbols: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
}

impl Slot {
    /// Whether a symbol can stand here.
    pub fn takes(&self, symbol: &str) -> bool {
        self.symbols.iter().any(|known| known == symbol)
    }

    /// Whether nothing can stand here.
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// What can stand here, in the order of the page.
    pub fn symbols(&self) -> &[String] {
        &self.symbols
    }

    fn is_variable(&self) -> bool {
        self.optional || self.symbols.len() > 1
    }
}

impl GeneralPattern {
    /// A pattern in which nothing varies.
    pub fn exact(symbols: impl IntoIterator<Item = String>) -> Self {
        let slots = symbols.into_iter().map(|symbol| Slot {
            symbols: vec![symbol],
            optional: false,
        });
        GeneralPattern {
            slots: slots.collect(),
        }
    }

    /// The positions.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// How many positions vary.
    pub fn variable(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_variable()).count()
    }

    /// The same pattern, begun at another position.
    pub(super) fn begin_at(mut self, position: usize) -> Self {
        self.slots.rotate_left(position);
        self
    }
}

impl fmt::Display for GeneralPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for slot in &self.slots {
            let gap = if slot.optional { "|-" } else { "" };
            match slot.symbols.as_slice() {
                [symbol] if !slot.optional => f.write_str(symbol)?,
                symbols => write!(f, "[{}{gap}]", symbols.join("|"))?,
            }
        }
        Ok(())
    }
}

/// Aligns strings to a pattern that covers them all, by the centre star method (section 3.6): the
/// string that is nearest to all others is the centre, and every other is aligned to it. Nothing if
/// a string is too long.
///
/// ```
/// use unmold::papers::iepad::align;
///
/// let strings = ["adcwbd", "adcxb", "adcxbd"].map(|string| string.bytes().map(u32::from).collect());
/// let pattern = align(&strings, |code| char::from(code as u8).to_string()).unwrap();
/// assert_eq!(pattern.to_string(), "adc[w|x]b[d|-]");
/// ```
///
/// Cost: quadratic in the length of the strings, which is limited, and in the number of *different*
/// strings, of which the 64 most frequent are taken.
pub fn align(strings: &[Vec<u32>], name: impl Fn(u32) -> String) -> Option<GeneralPattern> {
    let different = different(strings);
    if different.is_empty()
        || different
            .iter()
            .any(|(string, _)| string.len() > MAX_LENGTH)
    {
        return None;
    }
    let centre = centre(&different);
    let mut star = Star::new(centre);
    for (string, _) in &different {
        star.add(string);
    }
    Some(star.pattern(name))
}

/// The different strings with how often they occur, the most frequent ones, in the order of the
/// page.
fn different(strings: &[Vec<u32>]) -> Vec<(&[u32], usize)> {
    let mut times: HashMap<&[u32], usize> = HashMap::new();
    let mut order: Vec<&[u32]> = Vec::new();
    for string in strings {
        let times = times.entry(string).or_default();
        *times += 1;
        if *times == 1 {
            order.push(string);
        }
    }
    let mut frequent = order.clone();
    frequent.sort_by_key(|string| std::cmp::Reverse(times[string]));
    frequent.truncate(MAX_STRINGS);
    order.retain(|string| frequent.contains(string));
    order
        .into_iter()
        .map(|string| (string, times[string]))
        .collect()
}

/// The string with the smallest sum of distances to all.
fn centre<'s>(strings: &[(&'s [u32], usize)]) -> &'s [u32] {
    let error = |&(string, _): &(&[u32], usize)| -> usize {
        strings
            .iter()
            .map(|(other, times)| times * *distances(string, other).last().unwrap_or(&0))
            .sum()
    };
    strings
        .iter()
        .min_by_key(|string| error(string))
        .map_or(&[], |(string, _)| string)
}

/// The edit distances of all beginnings of two strings, row by row.
fn distances(a: &[u32], b: &[u32]) -> Vec<usize> {
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i * width + j] = match (i, j) {
                (0, steps) | (steps, 0) => steps,
                _ => {
                    let replaced =
                        table[(i - 1) * width + j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    replaced
                        .min(table[(i - 1) * width + j] + 1)
                        .min(table[i * width + j - 1] + 1)
                }
            };
        }
    }
    table
}

/// An alignment that grows around its centre.
struct Star<'s> {
    centre: &'s [u32],
    /// What stands at each position of the centre.
    at: Vec<Alternatives>,
    /// What stands before each position, and behind the last, where the centre has nothing.
    between: Vec<Vec<Alternatives>>,
}

#[derive(Clone, Default)]
struct Alternatives {
    symbols: Vec<u32>,
    missing: bool,
}

impl Alternatives {
    fn add(&mut self, symbol: u32) {
        if !self.symbols.contains(&symbol) {
            self.symbols.push(symbol);
        }
    }
}

impl<'s> Star<'s> {
    fn new(centre: &'s [u32]) -> Self {
        let length = centre.len();
        Star {
            centre,
            at: vec![Alternatives::default(); length],
            between: vec![Vec::new(); length + 1],
        }
    }

    /// Aligns one more string with the centre, from its end to its beginning.
    fn add(&mut self, string: &[u32]) {
        let table = distances(self.centre, string);
        let width = string.len() + 1;
        let (mut i, mut j) = (self.centre.len(), string.len());
        let mut inserted = Vec::new();
        while i > 0 || j > 0 {
            let here = table[i * width + j];
            if i > 0
                && j > 0
                && here
                    == table[(i - 1) * width + j - 1]
                        + usize::from(self.centre[i - 1] != string[j - 1])
            {
                self.insert(i, &mut inserted);
                (i, j) = (i - 1, j - 1);
                self.at[i].add(string[j]);
            } else if i > 0 && here == table[(i - 1) * width + j] + 1 {
                self.insert(i, &mut inserted);
                i -= 1;
                self.at[i].missing = true;
            } else {
                j -= 1;
                inserted.push(string[j]);
            }
        }
        self.insert(0, &mut inserted);
    }

    /// Puts symbols, collected from last to first, before a position of the centre.
    fn insert(&mut self, before: usize, inserted: &mut Vec<u32>) {
        for (at, symbol) in inserted.drain(..).rev().enumerate() {
            if at == self.between[before].len() {
                self.between[before].push(Alternatives {
                    symbols: Vec::new(),
                    missing: true,
                });
            }
            self.between[before][at].add(symbol);
        }
    }

    fn pattern(&self, name: impl Fn(u32) -> String) -> GeneralPattern {
        let slot = |place: &Alternatives| Slot {
            symbols: place.symbols.iter().map(|&symbol| name(symbol)).collect(),
            optional: place.missing,
        };
        let inner = self
            .between
            .iter()
            .zip(&self.at)
            .flat_map(|(before, at)| before.iter().chain([at]));
        let last = self.between.last().into_iter().flatten();
        GeneralPattern {
            slots: inner.chain(last).map(slot).collect(),
        }
    }
}
