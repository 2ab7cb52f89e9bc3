//! What do today's pages say about each field, list and template? Counts, and no judgement yet.

use super::history::History;
use crate::{
    Mold, Reader, Text,
    fields::{Field, Type, ViewKind, apply::Finder, label_text::label_text, slots},
    group::fingerprint::paths_of,
    mold::Group,
    read::{PageError, guarded, html::visible_text, tree::Tree},
    reader::{Doubt, FoundField, Part},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;
use std::sync::Arc;

/// A mold made ready to be checked.
pub struct Checker {
    mold: Arc<Mold>,
    reader: Reader,
    /// The fields of each group, to ask which of their views find them.
    finders: Vec<Finder>,
    history: Option<History>,
}

impl Mold {
    /// Makes the mold ready to be held against pages.
    pub fn checker(&self) -> Checker {
        let mold = Arc::new(self.clone());
        Checker {
            reader: Reader::new(mold.clone()).only(&[Part::Fields, Part::Lists]),
            finders: mold
                .groups
                .iter()
                .map(|group| Finder::new(&group.fields, &group.landmarks))
                .collect(),
            history: None,
            mold,
        }
    }
}

impl Checker {
    /// Holds today against what healthy days had, as far as these are known, rather than against
    /// the pages that were learned from.
    #[must_use]
    pub fn history(mut self, history: History) -> Self {
        self.history = Some(history);
        self
    }

    /// What today's pages say, counted.
    pub fn measure(&self, pages: &[Text]) -> Measured {
        let sightings: Vec<_> = pages
            .par_iter()
            .map(|page| guarded(page, |page| self.sight(page)))
            .collect();
        let groups = self.mold.groups.iter().map(GroupCounts::new).collect();
        let (mold, history) = (self.mold.clone(), self.history.clone());
        let mut measured = Measured {
            mold,
            history,
            pages: 0,
            unplaced: Vec::new(),
            failed: Vec::new(),
            groups,
        };
        for (page, sighting) in pages.iter().zip(sightings) {
            match sighting {
                Ok(sighting) => measured.add(page, sighting),
                Err(error) => measured.failed.push(error),
            }
        }
        measured
    }

    fn sight(&self, page: &Text) -> Option<Sighting> {
        let found = self.reader.read(page).ok()?;
        let at = found.group()?;
        let (group, tree) = (&self.mold.groups[at], Tree::new(page.as_str()));
        let texts = texts_of(&tree);
        let kinds = self.kinds(at, &tree);
        let fields = found
            .fields()
            .zip(kinds)
            .map(|(field, kinds)| FieldSighting::of(&field, kinds, &texts));
        let records = |number: usize| {
            found
                .lists()
                .find(|found| found.number == Some(number))
                .map_or(0, |found| found.list.records.len())
        };
        Some(Sighting {
            group: at,
            fields: fields.collect(),
            records: (0..group.records.len()).map(records).collect(),
            landmarks: landmarks_on(group, &texts),
            paths: paths_of(&tree),
        })
    }

    /// The kinds of views that find each field.
    fn kinds(&self, group: usize, tree: &Tree<'_>) -> Vec<KindSet> {
        let finder = &self.finders[group];
        let mut slots = slots::scan(tree);
        finder.set_landmarks(&mut slots);
        let found = finder.find_fields(&slots);
        let of_field = |(field, voted): (&Field, &crate::fields::votes::VotedSlots)| {
            let keys = voted
                .slots
                .iter()
                .flat_map(|&slot| slots[slot as usize].keys.iter().map(|(_, key)| key));
            let keys: RapidHashSet<u64> = keys.collect();
            let views = field.views.iter().filter_map(|view| view.position());
            views
                .filter(|(kind, position)| keys.contains(&position.key(*kind)))
                .map(|(kind, _)| kind)
                .collect()
        };
        self.mold.groups[group]
            .fields
            .iter()
            .zip(&found)
            .map(of_field)
            .collect()
    }
}

/// The texts of a page as a reader sees them.
fn texts_of(tree: &Tree<'_>) -> RapidHashSet<String> {
    let texts = tree.nodes().filter(|&node| !tree.is_element(node));
    texts
        .map(|node| visible_text(tree.span(node).of(tree.page())))
        .collect()
}

/// What one page says about the mold.
struct Sighting {
    group: usize,
    fields: Vec<FieldSighting>,
    records: Vec<usize>,
    landmarks: Vec<Presence>,
    paths: RapidHashSet<u64>,
}

/// How a text stands on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    AsWritten,
    /// With other marks around it: a label without its colon.
    Otherwise,
    Not,
}

/// How the landmarks of a group stand on a page.
fn landmarks_on(group: &Group, texts: &RapidHashSet<String>) -> Vec<Presence> {
    let bare: RapidHashSet<String> = texts.iter().filter_map(|text| label_text(text)).collect();
    let presence = |text: &String| match label_text(text) {
        _ if texts.contains(text) => Presence::AsWritten,
        Some(known) if bare.contains(&known) => Presence::Otherwise,
        _ => Presence::Not,
    };
    group.landmarks.iter().map(presence).collect()
}

struct FieldSighting {
    agreement: f64,
    value: Option<String>,
    has_type: bool,
    doubt: Option<Doubt>,
    has_label: bool,
    kinds: KindSet,
}

impl FieldSighting {
    fn of(field: &FoundField<'_>, kinds: KindSet, texts: &RapidHashSet<String>) -> Self {
        let (rule, value) = (
            field.rule(),
            field.values().next().map(|value| value.text().to_owned()),
        );
        FieldSighting {
            agreement: field.agreement(),
            has_type: value
                .as_deref()
                .is_some_and(|value| rule.kind == Type::Text || Type::of(&[value]) == rule.kind),
            // Where one place alone says where a field is, that is no news.
            doubt: field.doubt().filter(|_| !rule.has_one_place()),
            has_label: texts.contains(&rule.label),
            value,
            kinds,
        }
    }
}

/// Kinds of views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KindSet(u16);

impl KindSet {
    pub fn has(self, kind: ViewKind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

impl FromIterator<ViewKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = ViewKind>>(kinds: I) -> Self {
        KindSet(
            kinds
                .into_iter()
                .fold(0, |set, kind| set | 1 << kind as u16),
        )
    }
}

/// What today's pages say about a mold, counted.
pub struct Measured {
    pub(super) mold: Arc<Mold>,
    pub(super) history: Option<History>,
    pub(super) pages: usize,
    pub(super) unplaced: Vec<String>,
    pub(super) groups: Vec<GroupCounts>,
    failed: Vec<PageError>,
}

impl Measured {
    /// The pages that show an error of this program; they are not counted.
    pub fn failed(&self) -> &[PageError] {
        &self.failed
    }

    fn add(&mut self, page: &Text, sighting: Option<Sighting>) {
        self.pages += 1;
        match sighting {
            Some(sighting) => self.groups[sighting.group].add(page.id(), sighting),
            None => self.unplaced.push(page.id().to_owned()),
        }
    }
}

/// What pages of a group have.
#[derive(Default)]
pub(super) struct GroupCounts {
    pub pages: usize,
    /// On how many pages each path is.
    pub paths: RapidHashMap<u64, usize>,
    /// On how many pages each landmark is as it was written, and on how many otherwise.
    pub landmarks: Vec<(usize, usize)>,
    pub fields: Vec<FieldCounts>,
    /// On how many pages each list is, and how many records it has in all.
    pub lists: Vec<(usize, usize)>,
    /// The first page that does not have each list.
    pub lists_missing_on: Vec<Option<String>>,
}

#[derive(Clone, Default)]
pub(super) struct FieldCounts {
    pub found: usize,
    pub agreement: f64,
    pub of_type: usize,
    pub doubts: usize,
    /// On how many of the pages where it is found its label stands too.
    pub labelled: usize,
    /// On how many pages each kind of view finds it.
    pub by_kind: [usize; ViewKind::ALL.len()],
    pub values: Vec<String>,
    /// The first page that does not have it.
    pub missing_on: Option<String>,
}

impl GroupCounts {
    fn new(group: &Group) -> Self {
        GroupCounts {
            landmarks: vec![(0, 0); group.landmarks.len()],
            fields: vec![FieldCounts::default(); group.wanted().len()],
            lists: vec![(0, 0); group.records.len()],
            lists_missing_on: vec![None; group.records.len()],
            ..GroupCounts::default()
        }
    }

    fn add(&mut self, page: &str, sighting: Sighting) {
        self.pages += 1;
        sighting
            .paths
            .iter()
            .for_each(|&path| *self.paths.entry(path).or_default() += 1);
        for ((as_written, otherwise), presence) in self.landmarks.iter_mut().zip(sighting.landmarks)
        {
            *as_written += usize::from(presence == Presence::AsWritten);
            *otherwise += usize::from(presence == Presence::Otherwise);
        }
        self.fields
            .iter_mut()
            .zip(sighting.fields)
            .for_each(|(counts, field)| counts.add(page, field));
        for ((pages, records), found) in self.lists.iter_mut().zip(sighting.records) {
            *pages += usize::from(found > 0);
            *records += found;
        }
        for (missing_on, (at, _)) in self.lists_missing_on.iter_mut().zip(&self.lists) {
            if *at < self.pages && missing_on.is_none() {
                *missing_on = Some(page.to_owned());
            }
        }
    }
}

impl FieldCounts {
    fn add(&mut self, page: &str, field: FieldSighting) {
        /// More are not shown.
        const SHOWN: usize = 3;
        let Some(value) = field.value else {
            self.missing_on.get_or_insert_with(|| page.to_owned());
            return;
        };
        self.found += 1;
        self.agreement += field.agreement;
        self.of_type += usize::from(field.has_type);
        self.doubts += usize::from(field.doubt.is_some());
        self.labelled += usize::from(field.has_label);
        for (count, kind) in self.by_kind.iter_mut().zip(ViewKind::ALL) {
            *count += usize::from(field.kinds.has(kind));
        }
        if self.values.len() < SHOWN && !self.values.contains(&value) {
            self.values.push(value);
        }
    }
}
