//! Which records of a run are none, and which are missing?
//!
//! Templates put other things between records (advertisements in an `<li>` of their own), and print the first record
//! in another place (the question above its answers). The first have next to nothing of what the records share; the
//! second have most of it, though they stand elsewhere.

use super::{
    kinds::KindId,
    runs::{Outline, Rows, Run},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::hash::Hash;

/// A record has at least this share of what most records have.
const STRANGER: f64 = 1.0 / 3.0;

/// Takes strangers out of a run and lone records in.
pub(super) fn tidy(outline: &Outline<'_>, run: &mut Run) {
    drop_strangers(outline, run);
    adopt_lone(outline, run);
}

fn kinds_in(outline: &Outline<'_>, rows: &Rows) -> RapidHashSet<KindId> {
    let nodes = outline.tree.nodes_in(rows.clone());
    nodes.filter_map(|node| outline.kinds.of(node)).collect()
}

fn drop_strangers(outline: &Outline<'_>, run: &mut Run) {
    let kinds: Vec<RapidHashSet<KindId>> = run.records.iter().map(|rows| kinds_in(outline, rows)).collect();
    let mut is_stranger = strangers(kinds.iter().map(|kinds| (kinds, 1))).into_iter();
    run.records.retain(|_| !is_stranger.next().unwrap_or(false));
}

/// For each kind of record, given its parts and how many of it there are, whether it has next to nothing of what most
/// records have.
pub(super) fn strangers<'p, P: Copy + Eq + Hash + 'p>(
    records: impl Iterator<Item = (&'p RapidHashSet<P>, usize)> + Clone,
) -> Vec<bool> {
    let mut times: RapidHashMap<P, usize> = RapidHashMap::default();
    let mut all = 0;
    for (parts, count) in records.clone() {
        all += count;
        parts.iter().for_each(|&part| *times.entry(part).or_default() += count);
    }
    times.retain(|_, times| 2 * *times > all);
    let is_stranger = |parts: &RapidHashSet<P>| {
        let shared = parts.iter().filter(|part| times.contains_key(part)).count();
        (shared as f64) < STRANGER * times.len() as f64
    };
    records.map(|(parts, _)| is_stranger(parts)).collect()
}

fn adopt_lone(outline: &Outline<'_>, run: &mut Run) {
    let model = outline.kinds.model(run.anchor);
    if !run.followers.is_empty() {
        return;
    }
    let is_free = |rows: &Rows| run.records.iter().all(|record| record.end <= rows.start || rows.end <= record.start);
    let lone = outline.kinds.iter().filter(|(_, kind)| kind.members.len() == 1);
    let alike = lone.filter(|&(id, _)| outline.kinds.model(id).is_like_inside(model));
    let adopted: Vec<Rows> =
        alike.filter_map(|(id, _)| Some(outline.run_of(id)?.records[0].clone())).filter(is_free).collect();
    for rows in adopted {
        // An element and its only child can both look like a record; the outer one comes first.
        let at = run.records.partition_point(|record| record.start < rows.start);
        let before = at.checked_sub(1).map_or(0, |before| run.records[before].end);
        if before <= rows.start {
            run.records.insert(at, rows);
        }
    }
}
