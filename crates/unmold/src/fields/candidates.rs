//! Which slots are the same field on every page?
//!
//! Every key that recurs from page to page is a candidate for a field: it names a slot on each page that has it. The
//! candidates are taken best first. One whose slots belong to earlier fields already is another view of these; one
//! whose slots are new is a new field. So each slot ends up in one field, found by the clearest thing that it can be
//! found by, with all other ways to find it beside.
//!
//! What makes a candidate: it has a value on enough pages, the values differ, and they exclude each other. Where a
//! row is left out, the labels of a table move up; then the same place has "Fuel" on one page and "Engine" on another, but
//! both stand on both pages. A value that varies, however often it occurs ("PG-13"), does not do that.

use super::{
    position::{Kind, key_of, subject},
    slots::{CELL, EACH, KEYS, KIND_OF_KEY, LABEL, Slot, WITHIN},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use std::ops::Range;

/// The slots of the pages that are learned from.
pub(crate) type Pages = [Vec<Slot>];

/// A field in the making.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// Its slots on each page: none where it is absent, several only if it is a list.
    pub slots: Vec<Vec<u32>>,
    /// Whether a page may have several.
    pub many: bool,
    /// Whether texts of one element are one value.
    pub join: bool,
    /// The ways to find it, the surest first.
    pub views: Vec<DraftView>,
}

impl Draft {
    /// Whether no page has both.
    fn excludes(&self, other: &Draft) -> bool {
        self.slots
            .iter()
            .zip(&other.slots)
            .all(|(one, other)| one.is_empty() || other.is_empty())
    }

    /// Takes the slots and views of another.
    fn take(&mut self, other: Draft) {
        self.slots
            .iter_mut()
            .zip(other.slots)
            .for_each(|(own, other)| own.extend(other));
        let new = other
            .views
            .into_iter()
            .filter(|view| !self.views.contains(view))
            .collect::<Vec<_>>();
        self.views.extend(new);
    }
}

/// A way to find a field, by example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DraftView {
    /// Which of a slot's keys it is.
    pub which: usize,
    /// In percent: of the values it finds, how many are right.
    pub weight: u8,
    /// A page and a slot that it finds.
    pub example: (u32, u32),
}

/// A candidate must have values on this share of the pages,
const MIN_SHARE: f64 = 0.15;
/// and a key must agree with a field on this share of what it finds to be one of its views.
const VIEW_PRECISION: f64 = 0.6;
/// It must find this share of the field's values; a text that precedes fewer is not its label.
const VIEW_RECALL: f64 = 0.2;
const LABEL_RECALL: f64 = 0.35;
/// A label is the label of nothing else: what stands under it elsewhere is another field.
const LABEL_PRECISION: f64 = 0.9;
/// Texts before values are labels if this share of the values have one of them.
const LABELLED: f64 = 0.8;
/// A candidate of whose slots this share belongs to fields is no new field.
const OWNED: f64 = 0.6;
/// So many keys of a kind may be views of one field: a label has variants ("Director", "Directors").
const VIEWS_OF_A_KIND: usize = 2;

/// How far a kind is trusted when kinds disagree. Names and labels say what a value is, numbers only where it stands.
fn trust(kind: Kind) -> f64 {
    match kind {
        Kind::Hook | Kind::Data => 1.0,
        Kind::Label | Kind::Under => 0.98,
        Kind::Within => 0.96,
        Kind::Class | Kind::Each => 0.92,
        Kind::Path => 0.88,
        Kind::After | Kind::Before => 0.86,
        Kind::Tags => 0.80,
    }
}

/// A key that recurs.
struct Candidate {
    which: usize,
    /// Its uses among all.
    uses: Range<usize>,
    pages: usize,
    /// Pages on which it has exactly one slot.
    single: usize,
    score: f64,
}

/// A slot that a key finds.
#[derive(Clone, Copy, Default)]
struct Use {
    page: u32,
    slot: u32,
}

/// A key, and how many uses it has.
struct KeyCount {
    key: u64,
    which: usize,
    uses: usize,
}

/// The uses of all keys, as they come on the pages, and sorted by key in the end: there are few keys beside their uses, so that
/// to number them is faster than to compare them.
#[derive(Default)]
struct Uses {
    numbers: RapidHashMap<u64, u32>,
    keys: Vec<KeyCount>,
    /// Each with the number of its key.
    all: Vec<(u32, Use)>,
}

impl Uses {
    fn push(&mut self, key: u64, which: usize, one: Use) {
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(KeyCount {
                key,
                which,
                uses: 0,
            });
            self.keys.len() as u32 - 1
        });
        self.keys[number as usize].uses += 1;
        self.all.push((number, one));
    }

    /// The uses of the first key, then those of the second, each in their order.
    fn by_key(self) -> (Vec<Use>, Vec<KeyCount>) {
        let starts = self.keys.iter().scan(0, |start, key| {
            Some(std::mem::replace(start, *start + key.uses))
        });
        let mut next: Vec<usize> = starts.collect();
        let mut sorted = vec![Use::default(); self.all.len()];
        for (number, one) in self.all {
            let place = &mut next[number as usize];
            sorted[*place] = one;
            *place += 1;
        }
        (sorted, self.keys)
    }
}

/// A candidate must have values on so many of some pages.
fn least_pages(pages: usize) -> usize {
    ((pages as f64 * MIN_SHARE).ceil() as usize).max(2)
}

/// The keys that enough pages have, and few others: most keys are of one page, and need not be sorted.
struct CommonKeys {
    /// By the last digits of a key: the last page that has it, from 1, and how many pages have it. Small numbers, as they
    /// are looked at in no order: the fewer bytes they take, the more of them are near.
    counts: Vec<(u16, u16)>,
    least: u16,
}

impl CommonKeys {
    fn of(pages: &Pages) -> Self {
        let (Ok(_), Ok(least)) = (
            u16::try_from(pages.len()),
            u16::try_from(least_pages(pages.len())),
        ) else {
            return Self::all();
        };
        let slots: usize = pages.iter().map(Vec::len).sum();
        let mut counts = vec![(0, 0); (slots * KEYS / 2).next_power_of_two()];
        for (page, slots) in (1..).zip(pages) {
            for key in slots
                .iter()
                .flat_map(|slot| slot.keys)
                .filter(|key| *key != 0)
            {
                let place = Self::place(key, counts.len());
                let (last, count) = &mut counts[place];
                *count += u16::from(*last != page);
                *last = page;
            }
        }
        CommonKeys { counts, least }
    }

    /// Any key, where there are more pages than can be counted.
    fn all() -> Self {
        CommonKeys {
            counts: vec![(0, 0)],
            least: 0,
        }
    }

    fn place(key: u64, places: usize) -> usize {
        key as usize & (places - 1)
    }

    /// False for nothing that enough pages have, and for no key at all.
    fn may_have(&self, key: u64) -> bool {
        key != 0 && self.counts[Self::place(key, self.counts.len())].1 >= self.least
    }
}

/// The texts of a page.
#[derive(Default)]
struct PageTexts {
    /// How often each stands at each class path.
    at_paths: RapidHashMap<(u64, u64), u32>,
    /// All of them, and what stands before them (see [`before`]).
    all: RapidHashSet<u64>,
}

pub(crate) struct Candidates<'p> {
    pages: &'p Pages,
    uses: Vec<Use>,
    candidates: Vec<Candidate>,
    by_key: RapidHashMap<u64, usize>,
    texts: Vec<PageTexts>,
    /// On how many pages each text stands.
    page_counts: RapidHashMap<u64, u32>,
    /// Texts that hold a value beside its label ("From: Leeds"): they are no labels.
    with_value: RapidHashSet<u64>,
    /// On each page: which slots are taken by fields.
    owned: Vec<Vec<bool>>,
}

/// How often each of some values occurs, the most frequent first.
fn counted(values: impl Iterator<Item = u64>) -> Vec<(usize, u64)> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    let mut counts: Vec<(usize, u64)> = values
        .chunk_by(|a, b| a == b)
        .map(|same| (same.len(), same[0]))
        .collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts
}

/// Whether a text holds a value behind a label of its own.
fn holds_value(slot: &Slot) -> bool {
    let label_alone = || key_of(Kind::Within, subject(slot.text, slot.tag), 0, 0);
    slot.keys[WITHIN] != 0 && slot.keys[WITHIN] != label_alone()
}

/// The text before a slot, with the element that the slot stands in: the same text before a link and before a heading is no
/// label of both.
fn before(slot: &Slot) -> u64 {
    if slot.keys[LABEL] == 0 {
        slot.label
    } else {
        slot.keys[LABEL]
    }
}

impl<'p> Candidates<'p> {
    pub fn of(pages: &'p Pages) -> Self {
        let common = CommonKeys::of(pages);
        let mut uses = Uses::default();
        let mut texts = Vec::with_capacity(pages.len());
        let mut page_counts: RapidHashMap<u64, u32> = RapidHashMap::default();
        let mut with_value = RapidHashSet::default();
        for (page, slots) in (0..).zip(pages) {
            let mut on_page = PageTexts::default();
            for (slot, known) in (0..).zip(slots) {
                let keys = known
                    .keys
                    .iter()
                    .enumerate()
                    .filter(|(_, key)| common.may_have(**key));
                keys.for_each(|(which, &key)| uses.push(key, which, Use { page, slot }));
                *on_page
                    .at_paths
                    .entry((known.keys[EACH], known.text))
                    .or_default() += 1;
                if on_page.all.insert(known.text) {
                    *page_counts.entry(known.text).or_default() += 1;
                }
                on_page.all.insert(before(known));
                if holds_value(known) {
                    with_value.insert(known.text);
                }
            }
            texts.push(on_page);
        }
        let (uses, keys) = uses.by_key();
        let mut all = Candidates {
            pages,
            uses,
            candidates: Vec::new(),
            by_key: RapidHashMap::default(),
            texts,
            page_counts,
            with_value,
            owned: pages.iter().map(|slots| vec![false; slots.len()]).collect(),
        };
        all.collect(&keys);
        all
    }

    fn collect(&mut self, keys: &[KeyCount]) {
        let least = least_pages(self.pages.len());
        let mut start = 0;
        for &KeyCount {
            key,
            which,
            uses: count,
        } in keys
        {
            let uses = start..start + count;
            start += count;
            let (mut pages, mut single) = (0, 0);
            for on_page in self.uses[uses.clone()].chunk_by(|a, b| a.page == b.page) {
                pages += 1;
                single += usize::from(on_page.len() == 1);
            }
            if pages >= least {
                self.by_key.insert(key, self.candidates.len());
                self.candidates.push(Candidate {
                    which,
                    uses,
                    pages,
                    single,
                    score: 0.0,
                });
            }
        }
    }

    fn slot(&self, one: &Use) -> &Slot {
        &self.pages[one.page as usize][one.slot as usize]
    }

    /// The uses of a candidate on pages where it has one slot.
    fn singles(&self, candidate: &Candidate) -> Vec<Use> {
        let on_pages = self.uses[candidate.uses.clone()].chunk_by(|a, b| a.page == b.page);
        on_pages
            .filter(|on_page| on_page.len() == 1)
            .map(|on_page| on_page[0])
            .collect()
    }

    /// Whether the values of a candidate differ and exclude each other.
    fn varies(&self, uses: &[Use]) -> bool {
        let frequent = counted(uses.iter().map(|one| self.slot(one).text));
        let [(most, first), (_, second), ..] = frequent[..] else {
            return false;
        };
        let beside = uses.iter().filter(|one| {
            let slot = self.slot(one);
            let other = if slot.text == first { second } else { first };
            let at_paths = &self.texts[one.page as usize].at_paths;
            let times = |text: u64| at_paths.get(&(slot.keys[EACH], text)).copied().unwrap_or(0);
            // Where a menu of all values stands beside the value, the value stands there too.
            times(slot.text) == 1 && times(other) > 0
        });
        most < 2 || 2 * beside.count() < uses.len()
    }

    /// How alike the surroundings of a candidate's slots are, from 0 to 1.
    fn purity(&self, uses: &[Use]) -> f64 {
        let paths = counted(uses.iter().map(|one| self.slot(one).keys[EACH]));
        let same_path = paths[0].0 as f64 / uses.len() as f64;
        same_path.sqrt() * self.label_purity(uses)
    }

    /// The share of slots behind the most frequent label, if these are labels of different rows: then both stand on the same
    /// pages, each before a value. Labels that exclude each other ("Director", "Directors") are variants of one, and a link that
    /// some pages have before a heading is no label of it.
    fn label_purity(&self, uses: &[Use]) -> f64 {
        let is_fixed = |label: u64| {
            let pages = self.page_counts.get(&label).copied().unwrap_or(0) as usize;
            5 * pages >= self.pages.len().max(10) && !self.with_value.contains(&label)
        };
        let labelled = || uses.iter().filter(|one| is_fixed(self.slot(one).label));
        let labels = counted(labelled().map(|one| before(self.slot(one))));
        let [(most, first), (_, second), ..] = labels[..] else {
            return 1.0;
        };
        let both = labelled().filter(|one| {
            let other = if before(self.slot(one)) == first {
                second
            } else {
                first
            };
            self.texts[one.page as usize].all.contains(&other)
        });
        let all: usize = labels.iter().map(|(count, _)| count).sum();
        if 2 * both.count() > all {
            most as f64 / all as f64
        } else {
            1.0
        }
    }

    fn score_all(&mut self) {
        let scores: Vec<f64> = self
            .candidates
            .iter()
            .map(|candidate| {
                let kind = KIND_OF_KEY[candidate.which];
                let singles = self.singles(candidate);
                if kind == Kind::Each
                    || self.is_array(candidate)
                    || singles.len() < 2
                    || !self.varies(&singles)
                {
                    return 0.0;
                }
                let certain = candidate.single as f64 / candidate.pages as f64;
                singles.len() as f64 * certain.powi(2) * trust(kind) * self.purity(&singles).powi(2)
            })
            .collect();
        for (candidate, score) in self.candidates.iter_mut().zip(scores) {
            candidate.score = score;
        }
    }

    /// The fields, each slot in at most one.
    pub fn fields(&mut self) -> Vec<Draft> {
        self.score_all();
        let mut order: Vec<usize> = (0..self.candidates.len())
            .filter(|&at| self.candidates[at].score > 0.0)
            .collect();
        let rank = |at: &usize| {
            let candidate = &self.candidates[*at];
            let first = self.uses[candidate.uses.start];
            (
                std::cmp::Reverse((candidate.score * 1e6) as u64),
                first.page,
                first.slot,
                candidate.which,
            )
        };
        order.sort_by_cached_key(rank);
        let mut fields = Vec::new();
        for at in order {
            let singles = self.singles(&self.candidates[at]);
            let is_new = |one: &&Use| !self.owned[one.page as usize][one.slot as usize];
            let new: Vec<Use> = singles.iter().filter(is_new).copied().collect();
            if (singles.len() - new.len()) as f64 >= OWNED * singles.len() as f64 || new.len() < 2 {
                continue;
            }
            let draft = self.draft(&new, false);
            self.own(&draft);
            fields.push(draft);
        }
        self.without_variants(fields)
    }

    /// What each label of a slot finds on nearly all pages, whatever other fields have of it: somebody has pointed at the slot,
    /// and its label says what it is.
    pub fn of_slot(&self, page: u32, slot: u32) -> Vec<Draft> {
        let keys = self.pages[page as usize][slot as usize].keys;
        let candidates = keys
            .iter()
            .filter_map(|key| self.by_key.get(key))
            .map(|&at| &self.candidates[at]);
        let labels =
            candidates.filter(|one| one.score > 0.0 && KIND_OF_KEY[one.which].is_labelled());
        let is_there = |one: &Use| (one.page, one.slot) == (page, slot);
        let drafts = labels.filter_map(|label| {
            let singles = self.singles(label);
            let is_usual = singles.len() as f64 >= LABELLED * self.pages.len() as f64;
            let draft =
                (is_usual && singles.iter().any(is_there)).then(|| self.draft(&singles, false))?;
            draft
                .views
                .iter()
                .any(|view| view.which == label.which)
                .then_some(draft)
        });
        drafts.collect()
    }

    /// Makes one field of those that stand right behind the same text, no two of them on the same page: one value in two
    /// markups, as where names are links on some pages only.
    fn without_variants(&self, fields: Vec<Draft>) -> Vec<Draft> {
        let mut joined: Vec<Draft> = Vec::new();
        let mut behind: RapidHashMap<u64, Vec<usize>> = RapidHashMap::default();
        for field in fields {
            let Some(label) = self.text_before(&field) else {
                joined.push(field);
                continue;
            };
            let same = behind.entry(label).or_default();
            match same
                .iter()
                .copied()
                .find(|&known| joined[known].excludes(&field))
            {
                Some(known) => joined[known].take(field),
                None => {
                    same.push(joined.len());
                    joined.push(field);
                }
            }
        }
        joined
    }

    /// The text that stands right before nearly all values of a field.
    fn text_before(&self, field: &Draft) -> Option<u64> {
        let slots = (0..)
            .zip(&field.slots)
            .flat_map(|(page, slots)| slots.iter().map(move |&slot| (page, slot)));
        let slots: Vec<&Slot> = slots
            .map(|(page, slot)| &self.pages[page as usize][slot as usize])
            .collect();
        let is_text = slots.iter().all(|slot| slot.attribute.is_empty());
        let (most, label) = *counted(slots.iter().map(|slot| slot.label)).first()?;
        (is_text && label != 0 && 10 * most >= 9 * slots.len()).then_some(label)
    }

    /// Values of the same make-up, on some pages more than on others: those in a row under one label ("Genres: Crime,
    /// Drama"), and what the records of a page have of one field. They may be single fields as well, so no slot is taken
    /// away by them.
    pub fn lists(&self) -> Vec<Draft> {
        let is_list = |candidate: &&Candidate| match KIND_OF_KEY[candidate.which] {
            Kind::Each if candidate.which == CELL => {
                self.is_column(candidate) && self.is_list(candidate)
            }
            Kind::Each => self.is_list(candidate),
            Kind::Under => {
                self.is_list(candidate) && self.in_a_row(&self.uses[candidate.uses.clone()])
            }
            Kind::Data => self.is_array(candidate),
            _ => false,
        };
        let mut lists: Vec<&Candidate> = self.candidates.iter().filter(is_list).collect();
        lists.sort_by_key(|list| {
            (
                self.uses[list.uses.start].page,
                self.uses[list.uses.start].slot,
                list.which,
            )
        });
        let draft = |list: &Candidate| {
            let join = KIND_OF_KEY[list.which] == Kind::Each;
            let mut draft = Draft {
                join,
                ..self.draft(&self.uses[list.uses.clone()], true)
            };
            if list.which == CELL {
                let first = self.uses[list.uses.start];
                draft.views.push(DraftView {
                    which: CELL,
                    weight: 100,
                    example: (first.page, first.slot),
                });
            }
            draft
        };
        lists.into_iter().map(draft).collect()
    }

    /// Whether several pages have several values, not all the same number of them, and different ones.
    fn is_list(&self, candidate: &Candidate) -> bool {
        let uses = &self.uses[candidate.uses.clone()];
        let counts: Vec<usize> = uses
            .chunk_by(|a, b| a.page == b.page)
            .map(<[Use]>::len)
            .collect();
        let several = counts.iter().filter(|&&count| count > 1).count();
        let uneven = counts.iter().any(|count| *count != counts[0]);
        several >= 2 && uneven && self.purity(uses) > 0.5 && !self.is_menu(uses, counts.len())
    }

    /// Whether it is one of several columns of a table whose cells have the same classes, so that these do not tell it.
    fn is_column(&self, candidate: &Candidate) -> bool {
        let each = self.slot(&self.uses[candidate.uses.start]).keys[EACH];
        let all = self
            .by_key
            .get(&each)
            .map_or(0, |&at| self.candidates[at].uses.len());
        (candidate.uses.len() as f64) < VIEW_PRECISION * all as f64
    }

    /// Whether it is an array of the pages' data that has several values on some page: it says itself that it is a list.
    fn is_array(&self, candidate: &Candidate) -> bool {
        let uses = &self.uses[candidate.uses.clone()];
        let is_data = KIND_OF_KEY[candidate.which] == Kind::Data;
        is_data && candidate.single < candidate.pages && !self.is_menu(uses, candidate.pages)
    }

    /// Whether most of what pages list stands on most of these pages: menus are the same, or nearly so, everywhere.
    /// Values that recur, as genres do, are no menu.
    fn is_menu(&self, uses: &[Use], pages: usize) -> bool {
        let mut items: Vec<(u64, u32)> = uses
            .iter()
            .map(|one| (self.slot(one).text, one.page))
            .collect();
        items.sort_unstable();
        items.dedup();
        let on_pages = counted(items.iter().map(|(text, _)| *text));
        let on_most: usize = on_pages
            .iter()
            .map(|(on, _)| *on)
            .filter(|on| 2 * on > pages)
            .sum();
        2 * on_most > items.len()
    }

    /// Whether nothing but marks stands between the values of a page.
    fn in_a_row(&self, uses: &[Use]) -> bool {
        uses.windows(2)
            .filter(|pair| pair[0].page == pair[1].page)
            .all(|pair| {
                let between = &self.pages[pair[0].page as usize]
                    [pair[0].slot as usize + 1..pair[1].slot as usize];
                between
                    .iter()
                    .all(|slot| !slot.attribute.is_empty() || slot.is_mark)
            })
    }

    fn own(&mut self, draft: &Draft) {
        for (owned, slots) in self.owned.iter_mut().zip(&draft.slots) {
            slots.iter().for_each(|&slot| owned[slot as usize] = true);
        }
    }

    fn draft(&self, uses: &[Use], many: bool) -> Draft {
        let mut slots = vec![Vec::new(); self.pages.len()];
        for one in uses {
            slots[one.page as usize].push(one.slot);
        }
        Draft {
            slots,
            many,
            join: false,
            views: self.views(uses, many),
        }
    }

    /// Drops labels that stand before some of the values only: where other values have other texts before them, these are
    /// neighbours and no labels.
    fn drop_neighbours(&self, uses: &[Use], views: &mut Vec<(f64, DraftView)>) {
        let label =
            |view: &DraftView| self.pages[view.example.0 as usize][view.example.1 as usize].label;
        let labels: Vec<u64> = views
            .iter()
            .filter(|(_, view)| view.which == LABEL)
            .map(|(_, view)| label(view))
            .collect();
        let labelled = uses
            .iter()
            .filter(|one| labels.contains(&self.slot(one).label))
            .count();
        if (labelled as f64) < LABELLED * uses.len() as f64 {
            views.retain(|(_, view)| view.which != LABEL);
        }
    }

    /// Drops the labels before a list that some of its values do not stand behind ("Genres" where others have "Genre"): values
    /// without it would be outvoted. A label inside a value tells it from its neighbours, and stays.
    fn drop_partial_labels(&self, uses: &[Use], views: &mut Vec<(f64, DraftView)>) {
        let key = |view: &DraftView| {
            self.pages[view.example.0 as usize][view.example.1 as usize].keys[view.which]
        };
        let is_label =
            |view: &DraftView| matches!(KIND_OF_KEY[view.which], Kind::Label | Kind::Under);
        let labels: Vec<u64> = views
            .iter()
            .filter(|(_, view)| is_label(view))
            .map(|(_, view)| key(view))
            .collect();
        let labelled = uses
            .iter()
            .filter(|one| self.slot(one).keys.iter().any(|key| labels.contains(key)))
            .count();
        if (labelled as f64) < LABELLED * uses.len() as f64 {
            views.retain(|(_, view)| !is_label(view));
        }
    }

    /// The keys that find the same slots.
    fn views(&self, uses: &[Use], many: bool) -> Vec<DraftView> {
        let candidates_of = |one: &Use| {
            self.slot(one)
                .keys
                .iter()
                .filter_map(|key| self.by_key.get(key))
        };
        let found_by = uses
            .iter()
            .enumerate()
            .flat_map(|(at, one)| candidates_of(one).map(move |by| (*by, at)));
        let mut found_by: Vec<(usize, usize)> = found_by.collect();
        found_by.sort_unstable();
        let mut views: Vec<(f64, DraftView)> = Vec::new();
        for same in found_by.chunk_by(|a, b| a.0 == b.0) {
            let (by, first) = same[0];
            let candidate = &self.candidates[by];
            // A column is a way to find itself only.
            if candidate.which == CELL {
                continue;
            }
            let found = if many {
                candidate.uses.len()
            } else {
                candidate.pages
            };
            let (precision, recall) = (
                same.len() as f64 / found as f64,
                same.len() as f64 / uses.len() as f64,
            );
            let labelled = KIND_OF_KEY[candidate.which].is_labelled();
            // A label may stand on a page twice, where the other views say which of the two is meant.
            let single = many
                || 10 * candidate.single >= 9 * candidate.pages
                || KIND_OF_KEY[candidate.which] == Kind::Label
                    && candidate.uses.len() <= 2 * candidate.pages;
            let least = if labelled {
                (LABEL_PRECISION, LABEL_RECALL)
            } else {
                (VIEW_PRECISION, VIEW_RECALL)
            };
            if precision >= least.0 && recall >= least.1 && single {
                let weight = (100.0 * precision).round() as u8;
                let example = (uses[first].page, uses[first].slot);
                views.push((
                    precision * recall,
                    DraftView {
                        which: candidate.which,
                        weight,
                        example,
                    },
                ));
            }
        }
        if many {
            self.drop_partial_labels(uses, &mut views);
        } else {
            self.drop_neighbours(uses, &mut views);
        }
        views.sort_by(|a, b| {
            b.0.total_cmp(&a.0)
                .then(a.1.which.cmp(&b.1.which))
                .then(a.1.example.cmp(&b.1.example))
        });
        let mut counts = [0; KEYS];
        views.retain(|(_, view)| {
            counts[view.which] += 1;
            counts[view.which] <= VIEWS_OF_A_KIND
        });
        let mut views: Vec<DraftView> = views.into_iter().map(|(_, view)| view).collect();
        if many {
            calm_numbers(&mut views);
            let of_data = views
                .iter_mut()
                .filter(|view| KIND_OF_KEY[view.which] == Kind::Data);
            of_data.for_each(|view| view.weight = view.weight.min(DATA_IN_LISTS));
        }
        views
    }
}

/// In a list, what machines are told counts like what a reader sees, of which there are fewer views than of single values:
/// either must do without the other.
const DATA_IN_LISTS: u8 = 30;

/// Makes views with a number in them, each of which finds some items of a list, so light that items without such a view
/// are not outvoted; where the others fail, they are still enough.
fn calm_numbers(views: &mut [DraftView]) {
    /// What they may weigh together, against the others.
    const SHARE: f64 = 0.6;
    let is_numbered = |view: &DraftView| {
        !matches!(
            KIND_OF_KEY[view.which],
            Kind::Each | Kind::Under | Kind::Within | Kind::Data
        )
    };
    let weight = |numbered: bool| -> f64 {
        let views = views.iter().filter(|view| is_numbered(view) == numbered);
        views
            .map(|view| {
                f64::from(view.weight)
                    * if KIND_OF_KEY[view.which].is_labelled() {
                        2.0
                    } else {
                        1.0
                    }
            })
            .sum()
    };
    let factor = SHARE * weight(false) / weight(true).max(1.0);
    if factor < 1.0 {
        for view in views.iter_mut().filter(|view| is_numbered(view)) {
            view.weight = (f64::from(view.weight) * factor) as u8;
        }
    }
}
