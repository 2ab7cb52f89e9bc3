//! How is a mold made right again where the site has changed, without losing what its fields are
//! called?
//!
//! Today's pages are learned from as if nothing were known. Then each field of the mold looks for
//! itself among what was learned:
//!
//! 1. by values: the vote still finds most fields after a change, and the new field that says the
//!    same on the same pages is the old one;
//! 2. what the vote has lost, by what is known of it: its name, its label, values that it had
//!    before, its type.
//!
//! The field keeps its name and its place and gets the ways to be found that work today. Groups
//! that are healthy stay as they are, to the last byte. What became of each field is said in a
//! [`Change`].
//!
//! ```
//! use unmold::{Mold, Text, check::Fate};
//!
//! let page = |n: u32, class: &str| Text::from_string(format!("{n}"), format!(
//!     "<body><h1>Kettle {n}</h1><div class={class}><b>Weight:</b> <i>{n}00 g</i></div><p>All rights reserved"));
//! let pages = |class: &str| (1..12).map(|n| page(n, class)).collect::<Vec<_>>();
//! let mut mold = Mold::learn(&pages("spec"))?;
//! mold.groups[0].fields.iter_mut().filter(|field| field.name == "Weight").for_each(|field| field.name = "mass".into());
//! let repaired = mold.repair(&pages("x7f3a"))?;
//! let mass = repaired.changes.iter().find(|change| change.field == "mass").unwrap();
//! assert_eq!(mass.fate, Fate::SameValues);
//! assert!(mass.differences.iter().any(|line| line.starts_with("+ class-path") && line.contains("div.x7f3a")));
//! # Ok::<(), unmold::learn::LearnError>(())
//! ```

use super::{
    diff::field_details,
    report::Verdict,
    settle::{RetiredField, settle},
};
use crate::{
    Learner, Mold, Text,
    fields::{Field, Type},
    learn::LearnError,
    lists::ListRule,
    mold::{FieldChoice, Group, Look, Provenance},
    papers::cut_point,
};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// A mold made right again, and what was done to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The mold for the pages of today.
    pub mold: Mold,
    /// What became of each field of the groups that had changed, in the order of the mold; then
    /// what is new.
    pub changes: Vec<Change>,
}

/// What became of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The name of its group.
    pub group: String,
    /// The name of the field.
    pub field: String,
    /// What became of it.
    pub fate: Fate,
    /// What it was learned as today, where that is another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned_as: Option<String>,
    /// The share of pages that had it before, and on which it is found now.
    pub fill: (f64, f64),
    /// Values that it had where it was learned,
    pub before: Vec<String>,
    /// and values that it has now.
    pub now: Vec<String>,
    /// How its rule is different, line by line.
    pub differences: Vec<String>,
}

/// What became of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It is as it was: it is still found, and nothing that was learned is it.
    Kept,
    /// It was learned again from the values that the vote still finds.
    SameValues,
    /// It was lost, and is matched to what has its name, label, values or type: to be looked at.
    Matched,
    /// It was lost, and nothing that was learned is it, or its values are doubted on most pages. It
    /// is retired: a person must show it again, by example.
    Lost,
    /// It is new, and stands behind the fields that are wanted.
    New,
}

impl std::fmt::Display for Fate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Fate::Kept => "kept",
            Fate::SameValues => "learned again",
            Fate::Matched => "matched",
            Fate::Lost => "lost",
            Fate::New => "new",
        })
    }
}

impl Mold {
    /// Makes the mold right again for the pages of today; see [`check`](crate::check).
    ///
    /// # Errors
    /// When nothing can be learned from the pages: they are too few, or no two are alike.
    pub fn repair(&self, pages: &[Text]) -> Result<Repair, LearnError> {
        let report = self.checker().check(pages);
        if !report.has_changed() {
            return Ok(Repair {
                mold: self.clone(),
                changes: Vec::new(),
            });
        }
        let fresh = self.learner().learn(pages)?;
        let (before, after) = (Values::of(self, pages), Values::of(&fresh, pages));
        let is_sound = |group: usize| report.groups[group].verdict == Verdict::Healthy;
        let mut repairing = Repairing {
            has_chosen_fields: self.has_chosen_fields(),
            repaired: self.clone(),
            changes: Vec::new(),
            fresh,
            before,
            after,
        };
        repairing.groups(is_sound);
        let Repairing {
            mut repaired,
            mut changes,
            ..
        } = repairing;
        let retired = settle(&mut repaired, pages);
        note_retired(&mut changes, &repaired, self, retired);
        repaired.learned = Provenance::of(&self.learned.method, pages);
        repaired.drop_unused_contents(self.contents.len());
        // A mold that could not be read back is of no use.
        repaired
            .check()
            .map_err(|error| LearnError::Unreadable(error.to_string()))?;
        Ok(Repair {
            mold: repaired,
            changes,
        })
    }

    /// Whether it has no fields but those that somebody asked for.
    fn has_chosen_fields(&self) -> bool {
        let mut has_fields = false;
        for group in &self.groups {
            if group.fields.is_empty() {
                continue;
            }
            has_fields = true;
            if group.wanted != Some(group.fields.len()) {
                return false;
            }
        }
        has_fields
    }

    /// Learns as the mold was learned.
    fn learner(&self) -> Learner {
        match self.learned.method.as_str() {
            "lr" => Learner::lr(cut_point::Settings::default()),
            "content" => Learner::content_only(),
            _ => Learner::default(),
        }
    }

    /// Drops the content rules that no look names, if looks name any. The first `old` rules keep
    /// their numbers, since groups that were not repaired stay as they are, to the last byte: rules
    /// of today take the places of those that are gone, and a rule that no look names stays where
    /// one behind it would get another number.
    fn drop_unused_contents(&mut self, old: usize) {
        let mut used: HashSet<usize> = self
            .groups
            .iter()
            .flat_map(|group| &group.looks)
            .filter_map(|look| look.content)
            .collect();
        if used.is_empty() {
            return;
        }
        while let Some(last) = self.contents.len().checked_sub(1) {
            if used.contains(&last) {
                let free = (0..last).find(|at| !used.contains(at));
                let Some(free) = free.filter(|_| last >= old) else {
                    return;
                };
                self.contents.swap(free, last);
                self.renumber_content(last, free);
                used.insert(free);
            }
            self.contents.pop();
        }
    }

    /// Makes the looks that name one content rule name another.
    fn renumber_content(&mut self, from: usize, to: usize) {
        for look in self.groups.iter_mut().flat_map(|group| &mut group.looks) {
            if look.content == Some(from) {
                look.content = Some(to);
            }
        }
    }
}

/// What a mold finds on pages.
struct Values {
    /// The group that read each page.
    groups: Vec<Option<usize>>,
    /// The values of each of its fields there.
    fields: Vec<Vec<Vec<String>>>,
}

impl Values {
    fn of(mold: &Mold, pages: &[Text]) -> Self {
        let mut all = mold.clone();
        // Naming no field cannot fail.
        _ = all.choose(&FieldChoice::All);
        let reader = all.reader();
        let read = |page: &Text| {
            let Ok(found) = reader.read(page) else {
                return (None, Vec::new());
            };
            let texts = |field: crate::reader::FoundField<'_>| {
                field
                    .values()
                    .map(|value| value.text().to_owned())
                    .collect::<Vec<String>>()
            };
            (found.read_by(), found.fields().map(texts).collect())
        };
        let (groups, fields) = pages.par_iter().map(read).unzip();
        Values { groups, fields }
    }

    /// The values of a field on some pages.
    fn column(&self, pages: &[usize], field: usize) -> Vec<&[String]> {
        pages
            .iter()
            .map(|&page| self.fields[page].get(field).map_or(&[][..], Vec::as_slice))
            .collect()
    }
}

struct Repairing {
    /// Whether nothing is added that the mold did not have.
    has_chosen_fields: bool,
    repaired: Mold,
    changes: Vec<Change>,
    fresh: Mold,
    before: Values,
    after: Values,
}

/// A field of the old mold and one of the new, and why they are the same.
#[derive(Clone, Copy)]
struct Pair {
    old: usize,
    new: usize,
    fate: Fate,
}

impl Repairing {
    /// Repairs the groups that have changed; groups that no old one is like are added.
    fn groups(&mut self, is_sound: impl Fn(usize) -> bool) {
        let partners = self.partners();
        for (new, old) in partners.into_iter().enumerate() {
            match old {
                Some(old) if is_sound(old) => {}
                Some(old) => self.group(old, new),
                None if self.has_chosen_fields => {}
                None => self.add_group(new),
            }
        }
    }

    /// The old group of each new one: the one whose rules read most of its pages. Of several new
    /// ones, the largest has it.
    fn partners(&self) -> Vec<Option<usize>> {
        let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (new, old) in self.after.groups.iter().zip(&self.before.groups) {
            if let (Some(new), Some(old)) = (new, old) {
                *shared.entry((*new, *old)).or_default() += 1;
            }
        }
        let mut by_size: Vec<_> = shared.into_iter().collect();
        by_size.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
        let mut partners = vec![None; self.fresh.groups.len()];
        let mut taken = HashSet::new();
        for ((new, old), _) in by_size {
            if partners[new].is_none() && taken.insert(old) {
                partners[new] = Some(old);
            }
        }
        partners
    }

    fn add_group(&mut self, new: usize) {
        let mut group = self.fresh.groups[new].clone();
        group.looks = self.adopted_looks(new);
        for field in group.wanted() {
            self.changes
                .push(change(&group.name, None, Some(field), Fate::New));
        }
        self.repaired.groups.push(group);
    }

    /// The looks of a new group, with their content rules among those of the old mold.
    fn adopted_looks(&mut self, new: usize) -> Vec<Look> {
        let looks = self.fresh.groups[new].looks.clone();
        looks
            .into_iter()
            .map(|look| Look {
                content: look.content.map(|at| self.adopt_content(at)),
                ..look
            })
            .collect()
    }

    fn adopt_content(&mut self, at: usize) -> usize {
        let (contents, rule) = (&mut self.repaired.contents, &self.fresh.contents[at]);
        contents
            .iter()
            .position(|known| known == rule)
            .unwrap_or_else(|| {
                contents.push(rule.clone());
                contents.len() - 1
            })
    }

    fn group(&mut self, old: usize, new: usize) {
        let is_of_both = |page: &usize| {
            self.after.groups[*page] == Some(new) && self.before.groups[*page] == Some(old)
        };
        let pages: Vec<usize> = (0..self.after.groups.len()).filter(is_of_both).collect();
        let looks = self.adopted_looks(new);
        let (before, after) = (&self.repaired.groups[old], &self.fresh.groups[new]);
        let pairs = self.pairs(before, after, &pages);
        let mut group = Group {
            pages: after.pages,
            looks,
            landmarks: landmarks(before, after, pairs.len() < before.fields.len()),
            records: lists(&before.records, &after.records),
            wanted: Some(before.wanted().len()),
            ..before.clone()
        };
        let changes = self.give_views(&mut group, after, &pairs, &pages);
        if !self.has_chosen_fields {
            add_new(&mut group, after, &pairs);
        }
        self.repaired.groups[old] = group;
        self.changes.extend(changes);
    }

    /// Gives fields the ways to be found that work today.
    fn give_views(
        &self,
        group: &mut Group,
        after: &Group,
        pairs: &[Pair],
        pages: &[usize],
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        let wanted = group.wanted.unwrap_or(usize::MAX);
        for (at, field) in group.fields.iter_mut().enumerate() {
            let pair = pairs.iter().find(|pair| pair.old == at);
            let filled = self
                .before
                .column(pages, at)
                .iter()
                .filter(|values| !values.is_empty())
                .count();
            let is_found = 2.0 * filled as f64 >= field.fill * pages.len() as f64 && filled > 0;
            let fate = pair.map_or(if is_found { Fate::Kept } else { Fate::Lost }, |pair| {
                pair.fate
            });
            let learned = pair.map(|pair| &after.fields[pair.new]);
            // What nobody asked for is repaired as well, but nobody has to read of it.
            if at < wanted {
                changes.push(change(&group.name, Some(&*field), learned, fate));
            }
            if let Some(learned) = learned {
                *field = Field {
                    name: field.name.clone(),
                    ..learned.clone()
                };
            }
        }
        changes
    }

    /// Which new field each old one is.
    fn pairs(&self, before: &Group, after: &Group, pages: &[usize]) -> Vec<Pair> {
        let old: Vec<Vec<&[String]>> = (0..before.fields.len())
            .map(|at| self.before.column(pages, at))
            .collect();
        let new: Vec<Vec<&[String]>> = (0..after.fields.len())
            .map(|at| self.after.column(pages, at))
            .collect();
        let mut scored = Vec::new();
        for (at, old_values) in old.iter().enumerate() {
            for (to, new_values) in new.iter().enumerate() {
                let (one, other) = (&before.fields[at], &after.fields[to]);
                if let Some(score) = same_values(old_values, new_values) {
                    scored.push((
                        score + 0.01 * likeness(one, other),
                        Pair {
                            old: at,
                            new: to,
                            fate: Fate::SameValues,
                        },
                    ));
                } else if let Some(score) = same_subject(one, other, new_values) {
                    scored.push((
                        score,
                        Pair {
                            old: at,
                            new: to,
                            fate: Fate::Matched,
                        },
                    ));
                }
            }
        }
        // What values say counts more than what names say; of equals the first.
        scored.sort_by(|(a, one), (b, other)| {
            let by_values = |pair: &Pair| pair.fate == Fate::SameValues;
            by_values(other)
                .cmp(&by_values(one))
                .then(b.total_cmp(a))
                .then((one.old, one.new).cmp(&(other.old, other.new)))
        });
        let (mut of_old, mut of_new, mut pairs) = (HashSet::new(), HashSet::new(), Vec::new());
        for (_, pair) in scored {
            if !of_old.contains(&pair.old) && of_new.insert(pair.new) {
                of_old.insert(pair.old);
                pairs.push(pair);
            }
        }
        pairs
    }
}

/// Says of the fields that were retired that they are lost.
fn note_retired(
    changes: &mut Vec<Change>,
    repaired: &Mold,
    before: &Mold,
    retired: Vec<RetiredField>,
) {
    for (at, name) in retired {
        let group = &repaired.groups[at].name;
        let known = changes
            .iter_mut()
            .find(|change| change.group == *group && change.field == name);
        if let Some(change) = known {
            change.fate = Fate::Lost;
            continue;
        }
        let field = before.groups.get(at).and_then(|group| {
            let mut fields = group.fields.iter();
            fields.find(|field| field.name == name)
        });
        changes.push(change(group, field, None, Fate::Lost));
    }
}

/// Adds the fields that no old one is, behind the others.
fn add_new(group: &mut Group, after: &Group, pairs: &[Pair]) {
    let mut names: HashSet<String> = group
        .fields
        .iter()
        .map(|field| field.name.clone())
        .collect();
    let is_new = |at: &usize| !pairs.iter().any(|pair| pair.new == *at);
    for field in (0..after.fields.len())
        .filter(is_new)
        .map(|at| &after.fields[at])
    {
        let field = Field {
            name: free_name(&field.name, &mut names),
            ..field.clone()
        };
        group.fields.push(field);
    }
}

/// The landmarks of today; where views of another time are kept, which count from those of their
/// own, these too.
fn landmarks(before: &Group, after: &Group, keeps_views: bool) -> Vec<String> {
    let known: HashSet<&String> = after.landmarks.iter().collect();
    let older = before
        .landmarks
        .iter()
        .filter(|text| keeps_views && !known.contains(text));
    after.landmarks.iter().chain(older).cloned().collect()
}

/// How far two fields say the same on the same pages; `None` if they do not.
fn same_values(old: &[&[String]], new: &[&[String]]) -> Option<f64> {
    /// This share of the pages that have either must agree.
    const ENOUGH: f64 = 0.6;
    /// One page may be chance.
    const FEWEST: usize = 2;
    let same = old
        .iter()
        .zip(new)
        .filter(|(old, new)| !old.is_empty() && old == new)
        .count();
    let either = old
        .iter()
        .zip(new)
        .filter(|(old, new)| !old.is_empty() || !new.is_empty())
        .count();
    let share = same as f64 / either.max(1) as f64;
    (same >= FEWEST && share >= ENOUGH).then_some(share)
}

/// How much a new field is like one that was lost; `None` if nothing says that they are the same.
fn same_subject(old: &Field, new: &Field, values: &[&[String]]) -> Option<f64> {
    let seen: HashSet<&String> = values.iter().copied().flatten().collect();
    let overlap = old
        .samples
        .iter()
        .filter(|sample| seen.contains(sample))
        .count();
    let is_same_type = old.kind == new.kind;
    let has_name =
        old.name == new.name || !old.label.is_empty() && bare(&old.label) == bare(&new.label);
    // Values of another type are not what was lost, whatever they are called.
    let is_same = is_same_type && has_name
        || overlap >= 2
        || overlap == 1 && is_same_type && old.kind != Type::Text;
    is_same.then(|| overlap as f64 + likeness(old, new))
}

/// How much the rules say the same, from 0 to 4.
fn likeness(old: &Field, new: &Field) -> f64 {
    let same = [
        old.name == new.name,
        old.kind == new.kind,
        old.many == new.many,
        (&old.prefix, &old.suffix, &old.part) == (&new.prefix, &new.suffix, &new.part),
    ];
    same.into_iter().filter(|same| *same).count() as f64
}

fn bare(label: &str) -> &str {
    label.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// The lists of today, under the names that they had: those in the same place or, if a list has left
/// its place, under the same name.
fn lists(before: &[ListRule], after: &[ListRule]) -> Vec<ListRule> {
    let mut lists = after.to_vec();
    for list in &mut lists {
        let same_place = before
            .iter()
            .find(|old| !old.place.is_empty() && old.place == list.place);
        if let Some(old) = same_place {
            list.name.clone_from(&old.name);
        }
    }
    // The first list of a template is the same list wherever it is.
    if let (Some(old), Some(new)) = (before.first(), lists.first_mut())
        && !before.iter().any(|old| old.place == new.place)
    {
        new.name.clone_from(&old.name);
    }
    lists
}

fn free_name(name: &str, names: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut free = std::iter::once(name.to_owned()).chain(numbered);
    free.find(|name| names.insert(name.clone()))
        .unwrap_or_default()
}

fn change(group: &str, before: Option<&Field>, after: Option<&Field>, fate: Fate) -> Change {
    let name = |field: Option<&Field>| field.map_or_else(String::new, |field| field.name.clone());
    let field = if before.is_some() {
        name(before)
    } else {
        name(after)
    };
    let fill = |field: Option<&Field>| field.map_or(0.0, |field| field.fill);
    let samples =
        |field: Option<&Field>| field.map_or_else(Vec::new, |field| field.samples.clone());
    Change {
        group: group.to_owned(),
        learned_as: after
            .map(|after| after.name.clone())
            .filter(|name| *name != field),
        field,
        fate,
        fill: (fill(before), fill(after)),
        before: samples(before),
        now: samples(after),
        differences: before
            .zip(after)
            .map_or_else(Vec::new, |(before, after)| field_details(before, after)),
    }
}
