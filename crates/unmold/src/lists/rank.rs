//! Which of all runs are *the* records of the page?
//!
//! Much structure repeated often, around much text of its own:
//!
//! ```text
//! score = (records - 1) * size² * √weight * √own * around
//! ```
//!
//! *Size* is the structure that two records share, in nodes: `(records - 1) * size` is what writing
//! the template once saves. Size counts twice, because what makes a menu of sixty entries different
//! from a list of six offers is that an offer has many parts. *Weight* is the text that is not the
//! same everywhere, links a tenth; its root, because a long text says little about being a record.
//! *Own* is the share of the weight that no other page of the site has, where some are known: a
//! menu has next to nothing of it. *Around* says how likely a list is meant that stands in a
//! banner, in a dialog or in what is not shown; and of near ties, the earlier one. The exponents
//! come from a sweep over labelled pages of 22 sites, in which 0.5 to 1 for records and weight and
//! 1 to 2 for size chose the same records on all but a page or two.
//!
//! Where the elements of a kind stand both in wrappers that repeat and deeper in those (answers in
//! the wrapper of the comment they answer), the wrappers with all in them are no records: if they
//! hold little else, their score is that of what stands in them.
//!
//! Nor are groups records that hold records under a heading (the decisions of a day, the products
//! of a kind): what stands in them gets their score besides its own. A group has most of its text
//! in records of several parts, more of them than there are groups, and no links or pictures
//! besides, but for one that is the same in all.
//!
//! Records are counted by how evenly the text is spread over them: of two parts of a page, one with
//! nearly all the text, there is hardly more than one record.

use super::{
    kinds::KindId,
    runs::{Outline, Rows, Run},
};
use rapidhash::{RapidHashMap, RapidHashSet};

/// Wrappers hold little else if this much of their text stands in what they wrap.
const MOST: f64 = 0.75;

/// Records that are grouped share at least this much structure, in nodes: an item with a link and a
/// text beside it has 4, and a little less where some lack one. Paragraphs of posts share less.
const MIN_GROUPED: f64 = 3.5;
/// Groups hold little else but their heading if this much of their text stands in records: at the
/// limit, one record under a heading as long as the record.
const GROUPED: f64 = 0.5;
/// A group stands at most this many levels above the records in it.
const MAX_LEVELS: usize = 8;

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
    let of_kind = runs_of_kinds(runs);
    let mut scores: Vec<f64> = runs
        .iter()
        .zip(&weights)
        .zip(own.iter().copied())
        .map(with_wrapper)
        .collect();
    for (number, score) in scores.iter_mut().enumerate() {
        let outer = groups_around(outline, runs, &weights, &of_kind, number);
        *score += outer.map(|outer| own[outer]).fold(0.0, f64::max);
    }
    scores
}

/// The runs that a kind begins or belongs to, by number. Rows of plain tables are no groups.
fn runs_of_kinds(runs: &[Run]) -> RapidHashMap<KindId, Vec<usize>> {
    let mut of_kind: RapidHashMap<KindId, Vec<usize>> = RapidHashMap::default();
    for (number, run) in runs
        .iter()
        .enumerate()
        .filter(|(_, run)| run.table.is_none())
    {
        of_kind.entry(run.anchor).or_default().push(number);
        for &kind in run.followers.keys() {
            of_kind.entry(kind).or_default().push(number);
        }
    }
    of_kind
}

/// The runs whose records are groups of those of a run.
fn groups_around<'r>(
    outline: &'r Outline<'_>,
    runs: &'r [Run],
    weights: &'r [f64],
    of_kind: &'r RapidHashMap<KindId, Vec<usize>>,
    inner: usize,
) -> impl Iterator<Item = usize> + 'r {
    let run = &runs[inner];
    let levels = if outline.size(run) < MIN_GROUPED {
        0
    } else {
        MAX_LEVELS
    };
    let parent = |kind: &KindId| outline.kinds.get(*kind).parent;
    std::iter::successors(parent(&run.anchor), move |kind| parent(kind))
        .take(levels)
        .filter_map(|kind| of_kind.get(&kind))
        .flatten()
        .copied()
        .filter(move |&outer| weights[inner] >= GROUPED * weights[outer])
        .filter(move |&outer| are_groups(outline, &runs[outer], run))
}

/// Whether records of one run are groups of those of another: several in most, and beside them no
/// links and no pictures.
fn are_groups(outline: &Outline<'_>, outer: &Run, inner: &Run) -> bool {
    if 2 * inner.records.len() < 3 * outer.records.len() {
        return false;
    }
    let pressed = |run: &Run| -> usize {
        let count = |rows: &Rows| outline.seen.links(rows) + outline.seen.images(rows);
        run.records.iter().map(count).sum()
    };
    let beside = pressed(outer).saturating_sub(pressed(inner));
    10 * beside <= outer.records.len()
        || 10 * targets_beside(outline, outer, inner) <= outer.records.len()
}

/// How many different pages the links of groups lead to that stand in no record of them: the link
/// back to the top after each group says nothing about any.
fn targets_beside(outline: &Outline<'_>, outer: &Run, inner: &Run) -> usize {
    let tree = outline.tree;
    let mut targets: RapidHashSet<&str> = RapidHashSet::default();
    let mut inside = inner.records.iter().peekable();
    for group in &outer.records {
        for node in tree.nodes_in(group.clone()) {
            while inside.next_if(|rows| rows.end <= node.index()).is_some() {}
            if inside.peek().is_some_and(|rows| rows.start <= node.index()) {
                continue;
            }
            targets.extend(tree.attribute(node, "href").or(tree.attribute(node, "src")));
        }
    }
    targets.len()
}

/// How many records there are if the text of each counts by its root: as many as there are where
/// all say as much, hardly more than one where one says nearly all.
fn effective_records(outline: &Outline<'_>, run: &Run) -> f64 {
    let (mut roots, mut all) = (0.0, 0.0);
    for rows in &run.records {
        let weight = outline.weights.alone(rows);
        roots += weight.sqrt();
        all += weight;
    }
    if all > 0.0 { roots * roots / all } else { 0.0 }
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
    let records = (effective_records(outline, run) - 1.0).max(0.0);
    let much = records * size.powi(2) * weight.sqrt();
    much * own.sqrt() * outline.weights.around(first) * early
}
