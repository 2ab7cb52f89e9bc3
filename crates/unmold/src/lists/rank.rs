//! Which of all runs are *the* records of the page?
//!
//! Much structure repeated often, around much text of its own:
//!
//! ```text
//! score = (records - 1) * size² * √weight * √own * around
//! ```
//!
//! *Size* is the structure that two records share, in nodes: `(records - 1) * size` is what writing the template once
//! saves. Size counts twice, because what makes a menu of sixty entries different from a list of six offers is that
//! an offer has many parts. *Weight* is the text that is not the same everywhere, links a tenth; its root, because
//! a long text says little about being a record. *Own* is the share of the weight that no other
//! page of the site has, where some are known: a menu has next to nothing of it. *Around* says how likely a list is meant
//! that stands in a banner, in a dialog or in what is not shown; and of near ties, the earlier one. The exponents come from a sweep over labelled pages of 22 sites, in
//! which 0.5 to 1 for records and weight and 1 to 2 for size chose the same records on all but a page or two.
//!
//! Where the elements of a kind stand both in wrappers that repeat and deeper in those (answers in the wrapper of the
//! comment they answer), the wrappers with all in them are no records: if they hold little else, their score is that of
//! what stands in them.

use super::{
    kinds::KindId,
    runs::{Outline, Run},
};
use rapidhash::RapidHashMap;

/// Wrappers hold little else if this much of their text stands in what they wrap.
const MOST: f64 = 0.75;

/// The list at the end of a page has to be better by this much than the one at its beginning.
const LATE: f64 = 0.1;

/// The scores of runs: of two, the one with the higher score is meant.
pub(super) fn scores(outline: &Outline<'_>, runs: &[Run]) -> Vec<f64> {
    let weights: Vec<f64> = runs.iter().map(|run| weight(outline, run)).collect();
    let own: Vec<f64> = runs
        .iter()
        .zip(&weights)
        .map(|(run, weight)| score(outline, run, *weight))
        .collect();
    let mut wrappers: RapidHashMap<KindId, (f64, f64, usize)> = RapidHashMap::default();
    for ((run, weight), score) in runs
        .iter()
        .zip(&weights)
        .zip(&own)
        .filter(|((run, _), _)| run.followers.is_empty())
    {
        wrappers.insert(run.anchor, (*score, *weight, run.records.len()));
    }
    let with_wrapper = |((run, weight), own): ((&Run, &f64), f64)| {
        let around = outline
            .kinds
            .get(run.anchor)
            .parent
            .filter(|_| outline.has_kin(run.anchor));
        let around = around
            .and_then(|parent| wrappers.get(&parent))
            .filter(|(_, all, _)| *weight >= MOST * all);
        let outer = around
            .filter(|(_, _, records)| *records < run.records.len())
            .map_or(0.0, |(outer, ..)| *outer);
        own + outer
    };
    runs.iter()
        .zip(&weights)
        .zip(own.iter().copied())
        .map(with_wrapper)
        .collect()
}

fn weight(outline: &Outline<'_>, run: &Run) -> f64 {
    run.records
        .iter()
        .map(|rows| outline.weights.of(rows))
        .sum()
}

fn score(outline: &Outline<'_>, run: &Run, weight: f64) -> f64 {
    let alone: f64 = run
        .records
        .iter()
        .map(|rows| outline.weights.alone(rows))
        .sum();
    let own = if alone > 0.0 { weight / alone } else { 0.0 };
    let first = run.records.first().map_or(0, |rows| rows.start);
    let early = 1.0 - LATE * first as f64 / outline.tree.len().max(1) as f64;
    let size = outline.size(run);
    let much = run.records.len().saturating_sub(1) as f64 * size.powi(2) * weight.sqrt();
    much * own.sqrt() * outline.weights.around(first) * early
}
