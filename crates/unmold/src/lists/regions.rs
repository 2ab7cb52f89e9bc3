//! Which lists does one page have? Records are like-shaped neighbours in its tree.
//!
//! 1. Elements are sorted into [kinds](super::kinds): which were printed by the same line of the
//!    template?
//! 2. [Runs](super::runs) of kinds are possible records, also of several rows and over several
//!    parents.
//! 3. The [rank](super::rank) of a run says whether it holds the records of the page or its menu.
//! 4. The best runs are [tidied](super::tidy): advertisements out, the first post in other markup
//!    in.
//! 5. [Columns](super::columns) align the fields of the records.

use super::{
    columns::aligned,
    common::Common,
    kinds::KindId,
    naming::{Title, place},
    pattern::{Pattern, measures},
    rank::scores,
    record::Column,
    rule::{RecordRule, RegionRule},
    runs::{Outline, Run},
    tidy::{adopt_missing, drop_strangers},
};
use crate::{Text, read::tree::Tree};
use rapidhash::RapidHashSet;
use rayon::prelude::*;

/// Lists of a page that are compared with each other.
const COMPARED: usize = 5;

/// Finds the records of a page without parameters; see the [module](super).
#[derive(Clone, Copy, Debug)]
pub struct Regions {
    min_records: usize,
    max_patterns: usize,
}

impl Default for Regions {
    fn default() -> Self {
        Regions {
            min_records: 2,
            max_patterns: 5,
        }
    }
}

impl Regions {
    /// Leaves out patterns with fewer records; 2 unless told.
    #[must_use]
    pub fn min_records(mut self, min_records: usize) -> Self {
        self.min_records = min_records.max(1);
        self
    }

    /// Gives no more than this many patterns of a page; 5 unless told.
    #[must_use]
    pub fn max_patterns(mut self, max_patterns: usize) -> Self {
        self.max_patterns = max_patterns;
        self
    }

    /// The patterns of a page, the one that is most likely meant first.
    pub fn find(self, text: &Text) -> Vec<Pattern> {
        self.find_in(&Tree::new(text.as_str()))
    }

    /// The same where the tree of the page is there already.
    pub(crate) fn find_in(self, tree: &Tree<'_>) -> Vec<Pattern> {
        self.find_beside(tree, &Common::default(), |_| None)
    }

    /// The same beside what other pages say, where columns of lists are known by their places.
    pub(super) fn find_beside<'k>(
        self,
        tree: &Tree<'_>,
        common: &Common,
        columns: impl Fn(&str) -> Option<&'k [Column]> + Sync,
    ) -> Vec<Pattern> {
        let outline = Outline::new(tree, common);
        let place_of = |run: &Run| place(tree, outline.kinds.get(run.anchor).model);
        let mut best = best_runs(&outline, self.max_patterns.max(COMPARED), self.min_records);
        best.truncate(self.max_patterns);
        best.par_iter()
            .map(|run| pattern(&outline, run, columns(&place_of(run)).unwrap_or(&[])))
            .collect()
    }
}

fn best_runs(outline: &Outline<'_>, wanted: usize, min_records: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = outline.runs();
    runs.retain(|run| run.records.len() >= min_records);
    sort_by_score(outline, &mut runs);
    // Tidying can change the order, but not by much.
    runs.truncate(2 * wanted);
    runs.iter_mut()
        .filter(|run| run.table.is_none())
        .for_each(|run| drop_strangers(outline, run));
    runs.retain(|run| run.records.len() >= min_records);
    sort_by_score(outline, &mut runs);
    drop_rotations(&mut runs);
    runs.truncate(wanted);
    // What is taken in says nothing about which list is meant.
    runs.iter_mut()
        .filter(|run| run.table.is_none())
        .for_each(|run| adopt_missing(outline, run));
    runs
}

/// Of `title, details, title, details, ...` the records are not also `details, title`.
fn drop_rotations(runs: &mut Vec<Run>) {
    let mut kept: Vec<Run> = Vec::new();
    for run in runs.drain(..) {
        let is_rotation = |better: &Run| run.followers.contains_key(&better.anchor);
        if !kept.iter().any(is_rotation) {
            kept.push(run);
        }
    }
    *runs = kept;
}

fn sort_by_score(outline: &Outline<'_>, runs: &mut Vec<Run>) {
    let scores = scores(outline, runs);
    let mut scored: Vec<(f64, Run)> = scores.into_iter().zip(runs.drain(..)).collect();
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    runs.extend(scored.into_iter().map(|(_, run)| run));
}

/// A run as a pattern with measures, records and fields.
pub(super) fn pattern(outline: &Outline<'_>, run: &Run, known: &[Column]) -> Pattern {
    let (columns, records) = match &run.table {
        Some(table) => table.aligned(outline.tree, &outline.seen),
        None => aligned(outline, &run.records, known),
    };
    let title = Title::of(outline, run);
    Pattern {
        name: title.name().to_owned(),
        title,
        place: place(outline.tree, outline.kinds.get(run.anchor).model),
        notation: notation(outline, run),
        measures: measures(outline.tree, &run.records, &records),
        rule: RecordRule::Regions(RegionRule::new(outline, run, &columns)),
        columns,
        records,
    }
}

/// More parts of an element than this are not shown.
const SHOWN_PARTS: usize = 12;

/// The pattern in the paper's way of writing: `<li.post><p.date>[<div.sig>|-]</li>`.
fn notation(outline: &Outline<'_>, run: &Run) -> String {
    let followers = run
        .followers
        .iter()
        .map(|(&kind, &share)| optional(tag(outline, kind), share));
    element_notation(outline, run.anchor) + &followers.collect::<String>()
}

fn element_notation(outline: &Outline<'_>, id: KindId) -> String {
    let kind = outline.kinds.get(id);
    let count = kind.members.len() as f64;
    let has_text = outline
        .tree
        .children(kind.model)
        .any(|child| !outline.tree.is_element(child));
    let mut inside = if has_text {
        crate::symbols::encode::tags::TEXT.to_owned()
    } else {
        String::new()
    };
    let mut parts = kind.children.clone();
    parts.sort_by_key(|&part| outline.kinds.get(part).members.first().copied());
    // Kinds that differ only inside look the same here.
    let mut shown = RapidHashSet::default();
    let share = |part| outline.kinds.get(part).parents_with as f64 / count;
    let mut parts = parts
        .into_iter()
        .map(|part| optional(tag(outline, part), share(part)));
    inside.extend(
        parts
            .by_ref()
            .filter(|part| shown.insert(part.clone()))
            .take(SHOWN_PARTS),
    );
    inside += if parts.next().is_some() { "..." } else { "" };
    if inside.is_empty() {
        return tag(outline, id);
    }
    format!(
        "{}{inside}</{}>",
        tag(outline, id),
        outline.tree.name(kind.model)
    )
}

fn optional(notation: String, share: f64) -> String {
    if share < 1.0 {
        format!("[{notation}|-]")
    } else {
        notation
    }
}

/// The start tag of a kind, with the classes that its elements tend to have.
fn tag(outline: &Outline<'_>, kind: KindId) -> String {
    let model = outline.kinds.get(kind).model;
    let classes = outline
        .tree
        .classes(model)
        .take(3)
        .map(|class| format!(".{class}"));
    format!(
        "<{}{}>",
        outline.tree.name(model),
        classes.collect::<String>()
    )
}
