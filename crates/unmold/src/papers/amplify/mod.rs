//! Which frequencies are too common to be natural?
//!
//! In natural language few strings occur exactly 50 times, and about as many 49 or 51 times. Print
//! a template onto 50 pages, and every one of its substrings occurs exactly 50 times: a string of
//! 72 characters alone has 2556 of them. Counting all substrings amplifies what is regular and
//! leaves what is natural as it was.
//!
//! ```
//! use unmold::{Text, papers::amplify::{Amplification, Threshold}, symbols::{encode::chars, index::Index}};
//!
//! let texts: Vec<Text> = ["Ann", "Tom", "Eve", "Joe", "Kim", "Lou", "Max"]
//!     .iter()
//!     .map(|name| Text::from_string(*name, format!("<b>Name:</b> {name}<br>")))
//!     .collect();
//! let index = Index::new(chars::encode(&texts))?;
//! let amplification = Amplification::of(&index);
//! let peaks = amplification.peaks(Threshold::Delta(10.0));
//! assert_eq!(peaks.iter().map(|peak| peak.frequency).collect::<Vec<_>>(), [7, 14, 21]);
//! // `b>` occurs twice on each of the seven pages, and `>` three times.
//! assert_eq!(peaks[1].multiple_of, Some(7));
//! let words: Vec<_> = peaks[0].words(&index).map(|node| index.show(node)).collect();
//! assert_eq!(words, ["<b>Name:</b> ", "<br>"]);
//! # Ok::<(), unmold::symbols::index::IndexError>(())
//! ```
//!
//! # The method
//!
//! *V(f)* is how many different strings occur exactly f times, *F(f)* = f·V(f) how many occurrences
//! they have together, and *G(f)* = 2F(f) / (F(f−1) + F(f+1)) how far that stands out from its
//! neighbours (an undefined F counts as 1). A frequency is a *peak* if G(f) > δ. Its *branching
//! words*, the longest strings with that frequency, are pieces of template. What occurs c times on
//! each page makes a peak at c·f.
//!
//! The borderline δ only judges; it prunes nothing. [`Amplification`] holds all masses, and peaks
//! for any δ are read off it without looking at the index again.
//!
//! Where nobody says δ, natural language does: [`Threshold::Risk`] compares with how much text of
//! real languages has the frequency by nature ([`language`]) and takes what is beyond chance at the
//! risk given.
//!
//! # Cost
//!
//! One walk over the nodes of the index, then one pass over the frequencies that occur: linear in
//! the symbols.
//!
//! # Paper
//!
//! D. Ikeda, Y. Yamada, S. Takeda, H. Mima: *Collecting Web Pages with Templates using
//! Distributions of Substring Frequencies* (in Japanese). Departures: F'(f), which is compared with
//! language, is taken over strings of at most [`LONGEST`] symbols. The paper mentions that 10 or 30
//! do; without a bound, F' depends on how long pages are more than on anything else.

pub mod language;
mod spans;

pub use spans::{AmplifiedTemplate, SHORTEST_WORD, template_of, template_spans};

use crate::symbols::index::{Index, Node};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The longest strings that count when masses are compared with language.
pub const LONGEST: usize = 30;

/// The masses of all frequencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amplification {
    mass: BTreeMap<usize, u64>,
    /// The same, of strings of at most [`LONGEST`] symbols.
    short: BTreeMap<usize, u64>,
    short_total: u64,
}

/// When a frequency is a peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// When G(f) is greater than this: the paper's δ.
    Delta(f64),
    /// When that much text has the frequency in natural language with at most this probability: the
    /// paper's α.
    Risk(f64),
}

impl Default for Threshold {
    /// A risk of one in a thousand.
    fn default() -> Self {
        Threshold::Risk(0.001)
    }
}

/// A frequency that stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// How often its strings occur: f.
    pub frequency: usize,
    /// How many occurrences they have together: F(f).
    pub mass: u64,
    /// How far it stands out from its neighbours: G(f).
    pub height: f64,
    /// The peak that it repeats: with c occurrences on each of f pages there is a peak at c·f.
    pub multiple_of: Option<usize>,
}

impl Amplification {
    /// Adds up the masses of an index.
    pub fn of(index: &Index) -> Self {
        let mut short: BTreeMap<usize, u64> = index
            .par_nodes()
            .fold(BTreeMap::new, |mut mass: BTreeMap<usize, u64>, node| {
                let strings = node.depth.min(LONGEST) - node.parent_depth.min(LONGEST);
                *mass.entry(node.tf).or_default() += (node.tf * strings) as u64;
                mass
            })
            .reduce(BTreeMap::new, added);
        let short_total = index
            .symbols()
            .pages()
            .ranges()
            .map(|page| strings_up_to(page.len(), LONGEST))
            .sum();
        let repeated: u64 = short.values().sum();
        short.insert(1, short_total - repeated);
        short.retain(|_, mass| *mass > 0);
        Amplification {
            mass: index.substring_mass(),
            short,
            short_total,
        }
    }

    /// V(f): how many different strings occur exactly `frequency` times.
    pub fn variety(&self, frequency: usize) -> u64 {
        self.mass(frequency).unwrap_or(0) / frequency.max(1) as u64
    }

    /// F(f): how many occurrences they have together, if there are any.
    pub fn mass(&self, frequency: usize) -> Option<u64> {
        self.mass.get(&frequency).copied()
    }

    /// All frequencies that occur with their masses, the lowest first.
    pub fn masses(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.mass
            .iter()
            .map(|(&frequency, &mass)| (frequency, mass))
    }

    /// G(f): the mass against the mean of its neighbours.
    pub fn height(&self, frequency: usize) -> f64 {
        let mass = |frequency: usize| self.mass(frequency).unwrap_or(1) as f64;
        2.0 * mass(frequency) / (mass(frequency.wrapping_sub(1)) + mass(frequency + 1))
    }

    /// F'(f): the share of a frequency in all short strings.
    pub fn share(&self, frequency: usize) -> f64 {
        self.short
            .get(&frequency)
            .map_or(0.0, |&mass| mass as f64 / self.short_total.max(1) as f64)
    }

    /// The frequencies that stand out, the lowest first. A string that occurs once is no template.
    pub fn peaks(&self, threshold: Threshold) -> Vec<Peak> {
        let stands_out = |frequency: usize| match threshold {
            Threshold::Delta(delta) => self.height(frequency) > delta,
            Threshold::Risk(risk) => self.share(frequency) > language::border(frequency, risk),
        };
        let mut peaks: Vec<Peak> = Vec::new();
        for (frequency, mass) in self
            .masses()
            .filter(|&(frequency, _)| frequency > 1 && stands_out(frequency))
        {
            let multiple_of = multiple_of(&peaks, frequency, mass);
            peaks.push(Peak {
                frequency,
                mass,
                height: self.height(frequency),
                multiple_of,
            });
        }
        peaks
    }
}

impl Peak {
    /// Its branching words: the longest strings that occur exactly so often, in the order of the
    /// index.
    pub fn words<'a>(&self, index: &'a Index) -> impl Iterator<Item = Node> + 'a {
        let frequency = self.frequency;
        index
            .nodes()
            .filter(move |node| node.tf == frequency && node.left_diverse)
    }
}

/// The heaviest peak at least as heavy as this one, whose frequency divides it.
fn multiple_of(peaks: &[Peak], frequency: usize, mass: u64) -> Option<usize> {
    let bases = peaks
        .iter()
        .filter(|base| base.multiple_of.is_none() && base.mass >= mass);
    let divides = bases.filter(|base| frequency.is_multiple_of(base.frequency));
    divides
        .max_by_key(|base| base.mass)
        .map(|base| base.frequency)
}

fn added(mut one: BTreeMap<usize, u64>, other: BTreeMap<usize, u64>) -> BTreeMap<usize, u64> {
    for (frequency, mass) in other {
        *one.entry(frequency).or_default() += mass;
    }
    one
}

/// How many substrings of at most `longest` symbols a sequence has.
fn strings_up_to(length: usize, longest: usize) -> u64 {
    let (length, longest) = (length as u64, length.min(longest) as u64);
    longest * (length + 1) - longest * (longest + 1) / 2
}
