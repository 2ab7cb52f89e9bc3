//! Which records of a run are none, and which are missing?
//!
//! Templates put other things between records (advertisements in an `<li>` of their own), and print
//! the first record in another place (the question above its answers) or other markup. The first
//! have next to nothing of what the records share; the second have most of it, though they stand
//! elsewhere:
//!
//! - a *lone* element anywhere that looks like a record inside;
//! - a *sibling* of a record with its name and class that differs too much inside to be of its
//!   kind: it has some of what records have, or exactly the classes of most of them;
//! - what stands before the first record and has most of the *class names* of records, in whatever
//!   elements.
//!
//! The latter two need some text of their own, or every advertisement in the site's own classes
//! would be a record.

use super::{
    kinds::KindId,
    runs::{Outline, Rows, Run, rows},
};
use crate::read::tree::{NodeId, Tree};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::hash::Hash;

/// A record has at least this share of what most records have.
const STRANGER: f64 = 1.0 / 3.0;
/// What is taken in for its class names has at least this share of what the middle record weighs.
const ADOPTED_WEIGHT: f64 = 0.25;
/// Another form of a record has this share of the class names that most records have,
const SAME_NAMES: f64 = 0.5;
/// if those are at least so many: fewer agree by chance.
const MIN_NAMES: usize = 6;
/// An element inside is the record if this much of the text stands in it.
const MOST_WEIGHT: f64 = 0.75;

/// Takes missing records into a run.
pub(super) fn adopt_missing(outline: &Outline<'_>, run: &mut Run) {
    if run.followers.is_empty() {
        adopt_lone(outline, run);
        adopt_siblings(outline, run);
    }
    adopt_first(outline, run);
    outline.drop_headers(&mut run.records);
}

fn first_node(outline: &Outline<'_>, rows: &Rows) -> Option<NodeId> {
    outline.tree.nodes_in(rows.clone()).next()
}

/// What the first element of a record looks like.
fn features(outline: &Outline<'_>, rows: &Rows) -> RapidHashSet<u32> {
    let first = first_node(outline, rows).into_iter();
    first
        .flat_map(|node| outline.kinds.shape(node).features())
        .copied()
        .collect()
}

/// Takes strangers out of a run. What the kin of a kind has inside is of other kinds, so that kin
/// is not judged.
pub(super) fn drop_strangers(outline: &Outline<'_>, run: &mut Run) {
    let kind_of = |rows: &Rows| first_node(outline, rows).and_then(|node| outline.kinds.of(node));
    let (judged, kin): (Vec<Rows>, Vec<Rows>) = run
        .records
        .drain(..)
        .partition(|rows| kind_of(rows) == Some(run.anchor));
    let kinds: Vec<RapidHashSet<KindId>> =
        judged.iter().map(|rows| kinds_in(outline, rows)).collect();
    let is_stranger = strangers(kinds.iter().map(|kinds| (kinds, 1)));
    let kept = judged
        .into_iter()
        .zip(is_stranger)
        .filter(|(_, is_stranger)| !is_stranger)
        .map(|(rows, _)| rows);
    run.records.extend(kept.chain(kin));
    run.records.sort_by_key(|rows| rows.start);
}

fn kinds_in(outline: &Outline<'_>, rows: &Rows) -> RapidHashSet<KindId> {
    let nodes = outline.tree.nodes_in(rows.clone());
    nodes.filter_map(|node| outline.kinds.of(node)).collect()
}

/// For each kind of record, given its parts and how many of it there are, whether it has next to
/// nothing of what most records have.
pub(super) fn strangers<'p, P: Copy + Eq + Hash + 'p>(
    records: impl Iterator<Item = (&'p RapidHashSet<P>, usize)> + Clone,
) -> Vec<bool> {
    let mut times: RapidHashMap<P, usize> = RapidHashMap::default();
    let mut all = 0;
    for (parts, count) in records.clone() {
        all += count;
        parts
            .iter()
            .for_each(|&part| *times.entry(part).or_default() += count);
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
    let lone = outline
        .kinds
        .iter()
        .filter(|(_, kind)| kind.members.len() == 1);
    let alike = lone.filter(|&(id, _)| outline.kinds.model(id).is_like_inside(model));
    let adopted: Vec<Rows> = alike
        .filter_map(|(id, _)| Some(outline.run_of(id)?.records[0].clone()))
        .collect();
    adopt(run, adopted);
}

/// Takes in siblings of records with the same name and class that have some of what records have.
fn adopt_siblings(outline: &Outline<'_>, run: &mut Run) {
    let tree = outline.tree;
    let firsts: Vec<NodeId> = run
        .records
        .iter()
        .filter_map(|rows| first_node(outline, rows))
        .collect();
    let tag = |node: NodeId| Some((tree.name_code(node), tree.classes(node).next()?));
    let known: RapidHashSet<usize> = firsts.iter().map(|node| node.index()).collect();
    let tags: RapidHashSet<_> = firsts.iter().filter_map(|&node| tag(node)).collect();
    let parents: RapidHashSet<_> = firsts
        .iter()
        .filter_map(|&node| tree.parent(node))
        .collect();
    let siblings = parents.iter().flat_map(|&parent| tree.elements(parent));
    let like_named = siblings.filter(|&node| tag(node).is_some_and(|tag| tags.contains(&tag)));
    let mut missing: Vec<NodeId> = like_named
        .filter(|node| !known.contains(&node.index()))
        .collect();
    missing.sort_unstable();
    let all: Vec<_> = firsts
        .iter()
        .chain(&missing)
        .map(|&node| features(outline, &rows(tree, node, node)))
        .collect();
    let is_stranger = strangers(all.iter().map(|features| (features, 1))).split_off(firsts.len());
    // The same classes under one parent outweigh what stands inside: a result with a picture or
    // with results of its own is a result.
    let same_classes = |node: NodeId| {
        let classes: Vec<&str> = tree.classes(node).collect();
        let is_same = |&first: &NodeId| tree.classes(first).eq(classes.iter().copied());
        let same = firsts.iter().filter(|first| is_same(first)).count();
        2 * same > firsts.len()
    };
    let found = missing
        .into_iter()
        .zip(is_stranger)
        .filter(|&(node, is_stranger)| !is_stranger || same_classes(node));
    let found: Vec<Rows> = found.map(|(node, _)| rows(tree, node, node)).collect();
    let least = ADOPTED_WEIGHT * median_weight(outline, run);
    adopt(
        run,
        found
            .into_iter()
            .filter(|rows| outline.weights.of(rows) >= least)
            .collect(),
    );
}

/// Takes in what stands before the first record and has the class names of records.
fn adopt_first(outline: &Outline<'_>, run: &mut Run) {
    let names = common_names(outline, run);
    let Some(first) = run
        .records
        .first()
        .and_then(|rows| first_node(outline, rows))
    else {
        return;
    };
    let tree = outline.tree;
    let least = ADOPTED_WEIGHT * median_weight(outline, run);
    let around = std::iter::once(first).chain(tree.ancestors(first));
    let before = around.flat_map(|node| {
        let siblings = tree
            .parent(node)
            .map_or(tree.top(), |parent| tree.children(parent));
        siblings
            .take_while(move |&sibling| sibling < node)
            .filter(|&sibling| tree.is_element(sibling))
    });
    let other_forms = before
        .filter_map(|node| other_form(outline, node, &names))
        .filter(|&form| !is_filled_in(tree, form))
        .map(|node| rows(tree, node, node));
    let mut found: Vec<Rows> = other_forms
        .filter(|rows| outline.weights.of(rows) >= least)
        .collect();
    // Several are a list of their own.
    if found.len() == 1 {
        adopt(run, vec![found.remove(0)]);
    }
}

/// The class names that most records have.
pub(super) fn common_names<'t>(outline: &Outline<'t>, run: &Run) -> RapidHashSet<&'t str> {
    let mut times: RapidHashMap<&str, usize> = RapidHashMap::default();
    for rows in &run.records {
        names_in(outline.tree, rows)
            .into_iter()
            .for_each(|name| *times.entry(name).or_default() += 1);
    }
    times
        .into_iter()
        .filter(|&(_, times)| 2 * times > run.records.len())
        .map(|(name, _)| name)
        .collect()
}

/// Whether so many of the class names of records are enough for another form of a record.
pub(super) fn has_common_names(found: usize, names: usize) -> bool {
    names >= MIN_NAMES && found as f64 >= SAME_NAMES * names as f64
}

/// The class names that stand in some nodes.
pub(super) fn names_in<'t>(tree: &Tree<'t>, rows: &Rows) -> RapidHashSet<&'t str> {
    tree.nodes_in(rows.clone())
        .flat_map(|node| tree.classes(node))
        .collect()
}

/// The element, from `node` on, that has the class names of a record and what there is of text, and
/// little else; none if several have the names.
fn other_form(outline: &Outline<'_>, node: NodeId, names: &RapidHashSet<&str>) -> Option<NodeId> {
    let tree = outline.tree;
    let has_names = |&node: &NodeId| {
        let found = names_in(tree, &rows(tree, node, node))
            .into_iter()
            .filter(|name| names.contains(name))
            .count();
        has_common_names(found, names.len())
    };
    let weight = |node: NodeId| outline.weights.of(&rows(tree, node, node));
    let mut form = Some(node).filter(has_names)?;
    let mut looked_into = form;
    loop {
        let mut inside = tree.elements(looked_into).filter(has_names);
        looked_into = match (inside.next(), inside.next()) {
            (Some(_), Some(_)) => return None,
            (Some(only), None) if weight(only) >= MOST_WEIGHT * weight(form) => only,
            _ => return Some(form),
        };
        // Of two that hold the same, the outer one is the record.
        if weight(looked_into) < weight(form) {
            form = looked_into;
        }
    }
}

/// Whether an element holds fields of a form: what the list was searched by, not a record of it.
fn is_filled_in(tree: &Tree<'_>, element: NodeId) -> bool {
    tree.subtree(element).any(|node| match tree.name(node) {
        "select" | "textarea" => true,
        "input" => matches!(
            tree.attribute(node, "type"),
            None | Some("text" | "search" | "date")
        ),
        _ => false,
    })
}

fn median_weight(outline: &Outline<'_>, run: &Run) -> f64 {
    let mut weights: Vec<f64> = run
        .records
        .iter()
        .map(|rows| outline.weights.of(rows))
        .collect();
    weights.sort_by(f64::total_cmp);
    weights.get(weights.len() / 2).copied().unwrap_or(0.0)
}

/// Adds records that overlap no other.
fn adopt(run: &mut Run, found: Vec<Rows>) {
    for rows in found {
        // An element and its only child can both look like a record; the outer one comes first.
        let at = run
            .records
            .partition_point(|record| record.start < rows.start);
        let is_behind = at
            .checked_sub(1)
            .is_none_or(|before| run.records[before].end <= rows.start);
        if is_behind
            && run
                .records
                .get(at)
                .is_none_or(|next| rows.end <= next.start)
        {
            run.records.insert(at, rows);
        }
    }
}
