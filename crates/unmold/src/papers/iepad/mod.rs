//! IEPAD: repeated strings of tags that come at regular distances.
//!
//! Read the page as tags, index them, and take the repeated strings that come at regular distances.
//! On the paper's worked example, the page of country codes, there is one maximal repeat of more
//! than two symbols, at symbols 1 and 8:
//!
//! ```
//! use unmold::{Text, papers::iepad::Iepad, symbols::encode::tags::Level};
//!
//! let page = Text::from_string("congo", "<B>Congo</B><I>242</I><BR>\n<B>Egypt</B><I>20</I><BR>");
//! let iepad = Iepad::default().level(Level::All).min_count(2);
//! let repeats = iepad.repeats(&page)?;
//! assert_eq!(repeats.len(), 1);
//! assert_eq!(repeats[0].starts.iter().map(|start| start + 1).collect::<Vec<_>>(), [1, 8]);
//!
//! let pattern = &iepad.find(&page)?[0];
//! assert_eq!(pattern.rule.to_string(), "<b>Text(_)</b><i>Text(_)</i><br>");
//! let texts = pattern.records[1].texts.iter().map(|(_, span)| span.of(page.as_str()));
//! assert_eq!(texts.collect::<Vec<_>>(), ["Egypt", "20"]);
//! # Ok::<(), unmold::symbols::index::IndexError>(())
//! ```
//!
//! The stages are the paper's: maximal repeats (`repeats`) of one page from the index over its
//! tags, the validator, occurrence [partition](fn@partition), [alignment](fn@align) to a
//! generalised pattern, rotation (`rotate`) to where records begin, and the extractor (`extract`).

mod align;
mod extract;
mod measures;
mod partition;
mod repeats;
mod rotate;

pub use {
    align::{GeneralPattern, Slot, align},
    extract::{Match, matches},
    measures::{Measures, regularity},
    partition::partition,
    repeats::Repeat,
};

use crate::{
    Span, Text,
    symbols::{
        encode::{
            Symbols, Tags,
            tags::{Level, TEXT},
        },
        index::{Index, IndexError},
    },
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, collections::HashSet};

/// Longer patterns are not composed: a template of more symbols is a page, not a record.
pub(crate) const MAX_SLOTS: usize = 1000;
/// So many candidates are composed to patterns, those that cover most first.
const MAX_CANDIDATES: usize = 64;

/// Finds records as the paper does; all of its thresholds can be set.
#[derive(Clone, Copy, Debug)]
pub struct Iepad {
    level: Level,
    min_length: usize,
    min_count: usize,
    max_regularity: f64,
    density: (f64, f64),
    min_coverage: f64,
    block_regularity: f64,
    max_variable: usize,
    max_patterns: usize,
}

/// The values of the paper's experiments (section 5), with its best encoding.
impl Default for Iepad {
    fn default() -> Self {
        Iepad {
            level: Level::Block,
            min_length: 3,
            min_count: 5,
            max_regularity: 0.5,
            density: (0.25, 1.5),
            min_coverage: 0.0,
            block_regularity: 0.1,
            max_variable: 10,
            max_patterns: 5,
        }
    }
}

impl Iepad {
    /// Which tags are symbols (section 5.1).
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Leaves out patterns of fewer symbols.
    #[must_use]
    pub fn min_length(mut self, symbols: usize) -> Self {
        self.min_length = symbols.max(1);
        self
    }

    /// Leaves out patterns that occur less often.
    #[must_use]
    pub fn min_count(mut self, count: usize) -> Self {
        self.min_count = count.max(2);
        self
    }

    /// The paper's γ: less regular patterns are partitioned, or left out.
    #[must_use]
    pub fn max_regularity(mut self, regularity: f64) -> Self {
        self.max_regularity = regularity;
        self
    }

    /// Leaves out patterns with a density outside of these.
    #[must_use]
    pub fn density(mut self, min: f64, max: f64) -> Self {
        self.density = (min, max);
        self
    }

    /// Leaves out patterns that reach over a smaller share of the page.
    #[must_use]
    pub fn min_coverage(mut self, coverage: f64) -> Self {
        self.min_coverage = coverage;
        self
    }

    /// The paper's γₘ, "close to zero": how regular a block of a partition has to be.
    #[must_use]
    pub fn block_regularity(mut self, regularity: f64) -> Self {
        self.block_regularity = regularity;
        self
    }

    /// Does not generalise patterns with more positions that vary.
    #[must_use]
    pub fn max_variable(mut self, positions: usize) -> Self {
        self.max_variable = positions;
        self
    }

    /// Gives no more than this many patterns of a page.
    #[must_use]
    pub fn max_patterns(mut self, patterns: usize) -> Self {
        self.max_patterns = patterns;
        self
    }

    /// The patterns of a page, those that cover most of it most regularly first.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn find(self, text: &Text) -> Result<Vec<RecordPattern>, IndexError> {
        let index = self.index(text)?;
        let mut blocks: Vec<Repeat> =
            repeats::repeats(&index, self.min_length, self.min_count, self.density.1)
                .into_iter()
                .flat_map(|repeat| self.validated(repeat))
                .filter(|block| self.coverage(&index, block, text) >= self.min_coverage)
                .collect();
        blocks.sort_by_key(|block| {
            (
                Reverse(block.extent()),
                block.starts[0],
                Reverse(block.length),
            )
        });
        blocks.truncate(MAX_CANDIDATES);
        let composed = blocks
            .par_iter()
            .map(|block| self.composed(index.symbols(), block))
            .collect::<Vec<_>>();
        Ok(self.ranked(index.symbols(), text, composed))
    }

    /// The maximal repeats of a page that are long and frequent enough and have text in them.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn repeats(self, text: &Text) -> Result<Vec<Repeat>, IndexError> {
        Ok(repeats::repeats(
            &self.index(text)?,
            self.min_length,
            self.min_count,
            self.density.1,
        ))
    }

    fn index(self, text: &Text) -> Result<Index, IndexError> {
        Index::new(
            Tags::default()
                .level(self.level)
                .encode(std::slice::from_ref(text)),
        )
    }

    /// The repeat itself if it is regular, or its regular blocks; each only if it is dense enough.
    fn validated(self, repeat: Repeat) -> Vec<Repeat> {
        let length = repeat.length;
        let blocks = if regularity(&repeat.starts) < self.max_regularity {
            vec![repeat.starts]
        } else {
            partition(
                &repeat.starts,
                self.max_regularity,
                self.block_regularity,
                self.min_count,
            )
        };
        let blocks = blocks.into_iter().map(|starts| Repeat { starts, length });
        blocks
            .filter(|block| (self.density.0..=self.density.1).contains(&block.density()))
            .collect()
    }

    fn coverage(self, index: &Index, block: &Repeat, text: &Text) -> f64 {
        let span = index
            .symbols()
            .span_of(block.starts[0]..block.starts[0] + block.extent());
        span.len() as f64 / text.as_str().len().max(1) as f64
    }

    /// The rule composer: a generalised pattern that begins where records begin.
    fn composed(self, symbols: &Symbols, block: &Repeat) -> GeneralPattern {
        let exact = block.starts[0]..block.starts[0] + block.length.min(MAX_SLOTS);
        let exact =
            || GeneralPattern::exact(exact.map(|position| symbols.name(position).into_owned()));
        if block.density() >= 1.0 {
            return rotate::rotated(exact());
        }
        let pieces: Vec<Vec<u32>> = block
            .starts
            .windows(2)
            .map(|pair| {
                (pair[0]..pair[1])
                    .map(|position| symbols.code(position))
                    .collect()
            })
            .collect();
        let general = align(&pieces, |code| symbols.name_of_code(code).into_owned());
        let general = general.filter(|general| general.variable() <= self.max_variable);
        general.map_or_else(exact, rotate::rotated)
    }

    fn ranked(
        self,
        symbols: &Symbols,
        text: &Text,
        composed: Vec<GeneralPattern>,
    ) -> Vec<RecordPattern> {
        let mut seen = HashSet::new();
        let found = composed.into_iter().map(|pattern| {
            let found = matches(&pattern, &names(symbols));
            (pattern, found)
        });
        let found = found.filter(|(_, found)| found.len() >= 2);
        let new = found.filter(|(_, found)| {
            seen.insert(
                found
                    .iter()
                    .map(|found| found.symbols.clone())
                    .collect::<Vec<_>>(),
            )
        });
        let mut patterns: Vec<RecordPattern> = new
            .map(|(pattern, found)| {
                whole(
                    PatternRule {
                        level: self.level,
                        pattern,
                    },
                    symbols,
                    text,
                    &found,
                )
            })
            .collect();
        patterns.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        patterns.truncate(self.max_patterns);
        patterns
    }
}

/// The paper leaves the choice to its user. Ours: much of the page in records, at regular
/// distances.
fn rank(pattern: &RecordPattern) -> f64 {
    let bytes: usize = pattern.records.iter().map(|record| record.span.len()).sum();
    bytes as f64 * (1.0 - pattern.measures.regularity.min(1.0))
}

fn names(symbols: &Symbols) -> Vec<String> {
    symbols
        .page(0)
        .map(|position| symbols.name(position).into_owned())
        .collect()
}

/// IEPAD's rule: which tags are read, and the pattern they form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternRule {
    level: Level,
    pub(crate) pattern: GeneralPattern,
}

/// A pattern and the records that it finds on a page.
#[derive(Clone, Debug)]
pub struct RecordPattern {
    /// What finds records on other pages.
    pub rule: PatternRule,
    /// How regular, dense and large it is.
    pub measures: Measures,
    /// How many of its positions take a text.
    pub texts: usize,
    /// The records, in the order of the page; no two overlap.
    pub records: Vec<Occurrence>,
}

/// A record: a piece of the page, and the texts in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes of the record.
    pub span: Span,
    /// Its texts, each with the number of the text position of the pattern that it takes, from 0.
    pub texts: Vec<(usize, Span)>,
}

/// The pattern in the paper's notation.
impl std::fmt::Display for PatternRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.pattern.fmt(f)
    }
}

impl PatternRule {
    /// The extractor: the records of a page that was not learned from.
    pub fn find(&self, text: &Text) -> Option<RecordPattern> {
        let symbols = Tags::default()
            .level(self.level)
            .encode(std::slice::from_ref(text));
        let found = matches(&self.pattern, &names(&symbols));
        (!found.is_empty()).then(|| whole(self.clone(), &symbols, text, &found))
    }
}

/// A pattern with its records, the texts of each by their place in the pattern.
fn whole(rule: PatternRule, symbols: &Symbols, text: &Text, found: &[Match]) -> RecordPattern {
    let texts: Vec<usize> = rule
        .pattern
        .slots()
        .iter()
        .enumerate()
        .filter(|(_, slot)| slot.takes(TEXT))
        .map(|(at, _)| at)
        .collect();
    let records: Vec<Occurrence> = found
        .iter()
        .map(|found| occurrence(symbols, &texts, found))
        .collect();
    let starts: Vec<usize> = found.iter().map(|found| found.symbols.start).collect();
    let length = found.iter().map(|found| found.symbols.len()).sum::<usize>() as f64
        / found.len().max(1) as f64;
    let bytes = records
        .last()
        .zip(records.first())
        .map_or(0, |(last, first)| first.span.to(last.span).len());
    let measures = Measures::new(&starts, length, bytes, text.as_str().len());
    RecordPattern {
        rule,
        measures,
        texts: texts.len(),
        records,
    }
}

/// A match as a record, where `texts` are the positions of the pattern that take a text.
fn occurrence(symbols: &Symbols, texts: &[usize], found: &Match) -> Occurrence {
    let text = |(position, slot): (usize, &usize)| {
        let is_text = symbols.name(position) == TEXT;
        let number = texts.binary_search(slot).ok().filter(|_| is_text)?;
        Some((number, symbols.span(position)))
    };
    Occurrence {
        span: symbols.span_of(found.symbols.clone()),
        texts: found
            .symbols
            .clone()
            .zip(&found.slots)
            .filter_map(text)
            .collect(),
    }
}
