//! Which slots of a page are the fields of a mold?
//!
//! Each view of a field votes for the slots that it finds, with its weight; votes for equal values add up. The value
//! with most votes is the field's, if enough of the field's views agree: a field that a page lacks stays absent. Two
//! rules keep values from shifting: what stands behind the label of another field is not taken by place alone, and
//! views that say nothing count against.
//!
//! The share of votes that the winner had is the *agreement*. It is near 1 on pages like those that were learned from,
//! and falls when a site begins to change, before values are lost.
//!
//! Cost: one walk over the page's nodes, a look into one hash table for each key, and the strings of the values found.

use super::{
    Field, Kind, Part, Position, View, asides, json_ld, label_alone,
    learn::ScannedPage,
    marks::without_dangling,
    slots::{self, JSON_LD, KEYS, KIND_OF_KEY, Slot, Wanted},
};
use crate::{
    Span,
    read::html::{push_attribute, push_visible},
};
use rapidhash::{RapidHashMap, RapidHashSet};

/// The fields of a group, made ready.
pub(crate) struct Finder {
    voters: Vec<Voter>,
    by_key: RapidHashMap<u64, Vec<Vote>>,
    /// Keys, what they go by, and landmarks.
    filter: Filter,
    landmarks: RapidHashSet<u64>,
    columns: Vec<Column>,
    /// The labels without which some fields are absent.
    labels: RapidHashSet<u64>,
}

/// Fields with the same views are found once.
struct Voter {
    many: bool,
    /// What all views together weigh.
    weight: u32,
    has_label: bool,
    /// The hash of the label without which a page has no value, 0 if there is none.
    label: u64,
    /// The hashes of texts that stand in its place on some pages, and the key of what follows them.
    asides: RapidHashSet<u64>,
    next: u64,
    /// The hashes of its labels, if what follows them is its value in any element, and the share of the votes that they have.
    labels: Vec<u64>,
    label_share: f64,
}

#[derive(Clone, Copy)]
struct Vote {
    voter: u32,
    weight: u32,
}

/// What of a found slot is a field's value.
struct Column {
    voter: usize,
    join: bool,
    prefix: String,
    suffix: String,
    part: Option<Part>,
}

/// What was found of a field on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VotedSlots {
    /// The numbers of the slots, in the order of the page.
    pub slots: Vec<u32>,
    /// The share of votes that they had.
    pub agreement: f64,
    /// Whether the field's label stands where a label of it is known; always so for fields without a label.
    pub is_labelled: bool,
    /// Whether a field with other views is found in the same place; not noted of lists, which may hold single fields.
    pub is_shared: bool,
}

/// This share of a field's views must agree on a value: a third of them, as classes and tags are where rows were put before
/// a value. With 0.34, three of nine equal views are too few.
const ENOUGH: f64 = 0.33;
/// A slot of a list has at least this share of the votes that the best has.
const NEAR_BEST: f64 = 0.6;

/// A field with a single value looks at so many slots: more are found only on pages that are not like those learned from.
const CONSIDERED: usize = 64;

/// What a page says, slot by slot, for one voter.
#[derive(Clone, Copy)]
pub(crate) struct Ballot {
    voter: u32,
    slot: u32,
    weight: u32,
    labelled: bool,
}

/// A position that a field is looked for at, with its hashes.
struct Place<'f> {
    kind: Kind,
    position: &'f Position,
    key: u64,
    subject: u64,
}

impl<'f> Place<'f> {
    fn all_of(field: &'f Field) -> Vec<Self> {
        let place = |(kind, position): (Kind, &'f Position)| {
            let (key, subject) = position.key_and_subject(kind);
            Place {
                kind,
                position,
                key,
                subject,
            }
        };
        field
            .views
            .iter()
            .filter_map(View::position)
            .map(place)
            .collect()
    }

    fn weight(&self) -> u32 {
        weight(self.kind, self.position)
    }
}

/// Whether two fields find the same texts, whatever they cut out of them.
fn votes_alike(one: &Field, other: &Field) -> bool {
    let rules = |field: &Field| (field.many, field.needs_label, field.label_alone);
    rules(one) == rules(other) && one.views == other.views && one.asides == other.asides
}

impl Finder {
    pub fn new<'f>(fields: impl IntoIterator<Item = &'f Field>, landmarks: &[String]) -> Self {
        let mut finder = Finder {
            voters: Vec::new(),
            by_key: RapidHashMap::default(),
            filter: Filter::default(),
            landmarks: landmarks
                .iter()
                .filter_map(|text| slots::text_hash(text))
                .collect(),
            columns: Vec::new(),
            labels: RapidHashSet::default(),
        };
        for landmark in finder.landmarks.clone() {
            finder.filter.add(landmark);
        }
        // The fields that vote, by what their views look for: those of a long list are many.
        let mut known: RapidHashMap<u64, Vec<(&Field, usize)>> = RapidHashMap::default();
        for field in fields {
            let places = Place::all_of(field);
            let sum_of_keys = places
                .iter()
                .map(|place| place.key)
                .fold(0, u64::wrapping_add);
            let alike = known.entry(sum_of_keys).or_default();
            let same = alike
                .iter()
                .find(|(known, _)| votes_alike(known, field))
                .map(|(_, voter)| *voter);
            let voter = same.unwrap_or_else(|| {
                let voter = finder.add_voter(field, &places);
                alike.push((field, voter));
                voter
            });
            let (prefix, suffix, part) = (
                field.prefix.clone(),
                field.suffix.clone(),
                field.part.clone(),
            );
            finder.columns.push(Column {
                voter,
                join: field.join,
                prefix,
                suffix,
                part,
            });
        }
        finder
    }

    fn add_voter(&mut self, field: &Field, places: &[Place<'_>]) -> usize {
        let number = self.voters.len();
        for place in places {
            let votes = self.by_key.entry(place.key).or_default();
            votes.push(Vote {
                voter: number as u32,
                weight: place.weight(),
            });
            self.filter.add(place.key);
            self.filter.add(place.subject);
        }
        let has_label = places.iter().any(|place| place.kind.is_labelled());
        let label = slots::text_hash(&field.label)
            .filter(|_| field.needs_label)
            .unwrap_or(0);
        if label != 0 {
            self.labels.insert(label);
            self.filter.add(label);
        }
        let asides: RapidHashSet<u64> = field
            .asides
            .iter()
            .filter_map(|text| slots::text_hash(text))
            .collect();
        let next = if asides.is_empty() {
            0
        } else {
            asides::next_key(field)
        };
        let weight = full_weight(places);
        let labels = if field.label_alone {
            label_alone::labels(field)
        } else {
            Vec::new()
        };
        labels.iter().for_each(|label| self.filter.add(*label));
        let of_labels = places.iter().filter(|place| place.kind == Kind::Label);
        let most = of_labels.map(Place::weight).max().unwrap_or(0);
        let label_share = f64::from(most) / f64::from(weight.max(1));
        self.voters.push(Voter {
            many: field.many,
            weight,
            has_label,
            label,
            asides,
            next,
            labels,
            label_share,
        });
        number
    }

    /// What may be of use to it.
    pub fn wanted(&self) -> &Filter {
        &self.filter
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether nothing is looked for.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Sets the keys of a page's slots that go by the landmarks of this mold.
    pub fn set_landmarks(&self, slots: &mut [Slot]) {
        let is_landmark = |text| self.filter.may_have(text) && self.landmarks.contains(&text);
        slots::set_landmark_keys(slots, &self.filter, is_landmark);
    }

    /// What is found of each field on a page that was read for learning.
    pub fn find_on(&self, page: &ScannedPage<'_>) -> Vec<VotedSlots> {
        let mut slots = page.own_slots();
        self.set_landmarks(&mut slots);
        self.find_fields(&slots)
    }

    /// The slots of each field.
    pub fn find_fields(&self, slots: &[Slot]) -> Vec<VotedSlots> {
        let found = self.find(slots, &mut Vec::new());
        (0..self.columns.len())
            .map(|field| self.of_field(&found, field).clone())
            .collect()
    }

    /// What was found of a field.
    pub fn of_field<'f>(&self, found: &'f [VotedSlots], field: usize) -> &'f VotedSlots {
        &found[self.columns[field].voter]
    }

    /// The slots of each voter, where `ballots` is room to count in.
    pub fn find(&self, slots: &[Slot], ballots: &mut Vec<Ballot>) -> Vec<VotedSlots> {
        self.cast(slots, ballots);
        ballots.sort_unstable_by_key(|ballot| (ballot.voter, ballot.slot));
        let present = self.labels_of(slots);
        let mut found = vec![VotedSlots::default(); self.voters.len()];
        for of_voter in ballots.chunk_by(|a, b| a.voter == b.voter) {
            let number = of_voter[0].voter as usize;
            let voter = &self.voters[number];
            if voter.label == 0 || present.contains(&voter.label) {
                found[number] = voter.decide(of_voter, slots);
            }
        }
        self.find_by_labels(slots, &mut found);
        self.note_shared(&mut found);
        found
    }

    /// Finds by their labels fields that are found by nothing else.
    fn find_by_labels(&self, slots: &[Slot], found: &mut [VotedSlots]) {
        // The voters that wait for a label, and what stands behind it: nothing yet, one slot, or several.
        let mut waiting: RapidHashMap<u64, (usize, Vec<u32>)> = RapidHashMap::default();
        let voters = self
            .voters
            .iter()
            .enumerate()
            .filter(|(at, _)| found[*at].slots.is_empty());
        for (at, voter) in voters {
            waiting.extend(voter.labels.iter().map(|label| (*label, (at, Vec::new()))));
        }
        if waiting.is_empty() {
            return;
        }
        for (number, slot) in (0..)
            .zip(slots)
            .filter(|(_, slot)| self.filter.may_have(slot.label))
        {
            if let Some((_, behind)) = waiting
                .get_mut(&slot.label)
                .filter(|_| label_alone::may_be_value(slot))
            {
                behind.push(number);
            }
        }
        let mut waiting: Vec<(usize, Vec<u32>)> = waiting.into_values().collect();
        // Of two labels of a field, the last on the page is next to the value.
        waiting.sort_unstable();
        for (voter, behind) in waiting {
            let [slot] = behind[..] else { continue };
            let text = slots[slot as usize].text;
            // Where the value is left out, another label or the template follows.
            if !self.labels.contains(&text) && !self.landmarks.contains(&text) {
                let agreement = self.voters[voter].label_share;
                found[voter] = VotedSlots {
                    slots: vec![slot],
                    agreement,
                    is_labelled: true,
                    is_shared: false,
                };
            }
        }
    }

    /// Notes which fields are found in the same place.
    fn note_shared(&self, found: &mut [VotedSlots]) {
        let singles = found
            .iter()
            .enumerate()
            .filter(|(voter, _)| !self.voters[*voter].many);
        let mut places: Vec<(u32, usize)> = singles
            .filter_map(|(voter, found)| Some((*found.slots.first()?, voter)))
            .collect();
        places.sort_unstable();
        for same in places
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|same| same.len() > 1)
        {
            same.iter()
                .for_each(|(_, voter)| found[*voter].is_shared = true);
        }
    }

    /// The labels that a page has, of those without which some fields are absent.
    fn labels_of(&self, slots: &[Slot]) -> RapidHashSet<u64> {
        if self.labels.is_empty() {
            return RapidHashSet::default();
        }
        let is_label = |text: &u64| self.filter.may_have(*text) && self.labels.contains(text);
        slots
            .iter()
            .map(|slot| slot.text)
            .filter(is_label)
            .collect()
    }

    fn cast(&self, slots: &[Slot], ballots: &mut Vec<Ballot>) {
        ballots.clear();
        // Most slots have no key that the mold has.
        for (number, slot) in (0..).zip(slots).filter(|(_, slot)| slot.keys != [0; KEYS]) {
            let first = ballots.len();
            let mut labelled = false;
            for (&key, kind) in slot.keys.iter().zip(KIND_OF_KEY) {
                for vote in self.votes(key) {
                    labelled |= kind.is_labelled();
                    let ballot = Ballot {
                        voter: vote.voter,
                        slot: number,
                        weight: vote.weight,
                        labelled: kind.is_labelled(),
                    };
                    match ballots[first..]
                        .iter_mut()
                        .find(|known| known.voter == vote.voter)
                    {
                        Some(known) => {
                            known.weight += ballot.weight;
                            known.labelled |= ballot.labelled;
                        }
                        None => ballots.push(ballot),
                    }
                }
            }
            if labelled {
                self.drop_mislabelled(ballots, first);
            }
        }
    }

    /// Takes the votes for a slot away from fields that have a label, but not the one that stands here.
    fn drop_mislabelled(&self, ballots: &mut Vec<Ballot>, first: usize) {
        let mut at = first;
        while at < ballots.len() {
            let ballot = ballots[at];
            if self.voters[ballot.voter as usize].has_label && !ballot.labelled {
                ballots.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    #[inline]
    fn votes(&self, key: u64) -> &[Vote] {
        if key == 0 || !self.filter.may_have(key) {
            return &[];
        }
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The values of a field that was found.
    pub fn values<'f>(
        &'f self,
        field: usize,
        found: &'f VotedSlots,
        slots: &'f [Slot],
        page: &'f str,
    ) -> impl Iterator<Item = Value> + 'f {
        let column = &self.columns[field];
        let slot = |number: &u32| &slots[*number as usize];
        // The values of a script with data stand in one element, and are one each.
        let is_piece = move |a: &Slot, b: &Slot| {
            column.join && a.element == b.element && a.attribute != JSON_LD
        };
        let pieces = found.slots.chunk_by(move |a, b| is_piece(slot(a), slot(b)));
        let values = pieces.map(move |pieces| {
            let mut whole = String::new();
            pieces
                .iter()
                .for_each(|piece| push_value(&mut whole, slot(piece), page));
            let span = slot(&pieces[0])
                .span
                .to(slot(&pieces[pieces.len() - 1]).span);
            Value {
                text: column.cut(whole),
                span,
            }
        });
        values.filter(|value| !value.text.is_empty())
    }
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// As a reader sees it.
    text: String,
    /// The bytes that it was taken from.
    span: Span,
}

impl Value {
    pub(crate) fn new(text: String, span: Span) -> Self {
        Value { text, span }
    }

    /// The value as a reader sees it: entities decoded, white space folded, without its label.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, taken out.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The bytes of the page that it was taken from.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// Adds the text of a slot as a reader sees it.
fn push_value(text: &mut String, slot: &Slot, page: &str) {
    let raw = slot.span.of(page);
    match slot.attribute {
        "" => push_visible(text, raw),
        JSON_LD => push_attribute(text, &json_ld::text(raw)),
        _ => push_attribute(text, raw),
    }
}

/// Hashes that a mold has: most of those of a page are in no mold, and are told by one look.
#[derive(Clone)]
pub(crate) struct Filter(Vec<u64>);

impl Filter {
    /// 64 Ki bits.
    const WORDS: usize = 1 << 10;

    fn place(hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize % Self::WORDS, 1 << (hash & 63))
    }

    fn add(&mut self, hash: u64) {
        let (word, bit) = Self::place(hash);
        self.0[word] |= bit;
    }

    /// False for nearly all hashes that were not added.
    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0[word] & bit != 0
    }
}

impl Default for Filter {
    fn default() -> Self {
        Filter(vec![0; Self::WORDS])
    }
}

impl Wanted for Filter {
    #[inline]
    fn wants(&self, subject: u64) -> bool {
        self.may_have(subject)
    }
}

/// How much a view counts. A label says what a value is and not only where it stands, so it counts twice. What a page
/// tells machines says so whatever the page looks like: it counts as much as makes [`ENOUGH`] of all others together.
fn weight(kind: Kind, position: &Position) -> u32 {
    let factor = match kind {
        Kind::Label | Kind::Under | Kind::Within => 2,
        Kind::Data => 7,
        _ => 1,
    };
    u32::from(position.weight) * factor
}

/// What a slot can get at most: of several views of one kind, one.
fn full_weight(places: &[Place<'_>]) -> u32 {
    let mut best: Vec<(Kind, u32)> = Vec::new();
    for place in places {
        match best.iter_mut().find(|(known, _)| *known == place.kind) {
            Some((_, most)) => *most = place.weight().max(*most),
            None => best.push((place.kind, place.weight())),
        }
    }
    best.iter().map(|(_, weight)| weight).sum()
}

impl Voter {
    fn decide(&self, ballots: &[Ballot], slots: &[Slot]) -> VotedSlots {
        let best = if self.many {
            best_slots(ballots, slots)
        } else {
            best_value(ballots, slots)
        };
        let Some((found, weight)) = best else {
            return VotedSlots::default();
        };
        let agreement = (f64::from(weight) / f64::from(self.weight.max(1))).min(1.0);
        if agreement < ENOUGH {
            return VotedSlots::default();
        }
        let is_found = |ballot: &&Ballot| found.binary_search(&ballot.slot).is_ok();
        let is_labelled = !self.has_label
            || ballots
                .iter()
                .filter(is_found)
                .any(|ballot| ballot.labelled);
        VotedSlots {
            slots: self.behind_asides(found, slots),
            agreement,
            is_labelled,
            is_shared: false,
        }
    }

    /// What follows an aside, if one was found.
    fn behind_asides(&self, found: Vec<u32>, slots: &[Slot]) -> Vec<u32> {
        match found[..] {
            [one] if self.asides.contains(&slots[one as usize].text) => {
                asides::next(slots, self.next, one).map_or(found, |next| vec![next])
            }
            _ => found,
        }
    }
}

/// The slots that have nearly as many votes as the best. A list that the page has for readers and for machines is one list,
/// and taken from where the best slot stands.
fn best_slots(ballots: &[Ballot], slots: &[Slot]) -> Option<(Vec<u32>, u32)> {
    let is_data = |ballot: &Ballot| slots[ballot.slot as usize].attribute == JSON_LD;
    let best = ballots.iter().rev().max_by_key(|ballot| ballot.weight)?;
    let is_near = |ballot: &&Ballot| f64::from(ballot.weight) >= NEAR_BEST * f64::from(best.weight);
    let near = ballots
        .iter()
        .filter(is_near)
        .filter(|ballot| is_data(ballot) == is_data(best));
    Some((near.map(|ballot| ballot.slot).collect(), best.weight))
}

/// The value with most votes, at its slot with most votes; of equals, the first on the page.
fn best_value(ballots: &[Ballot], slots: &[Slot]) -> Option<(Vec<u32>, u32)> {
    let text = |ballot: &Ballot| slots[ballot.slot as usize].text;
    let mut totals: Vec<(u64, u32, Ballot)> = Vec::new();
    for ballot in ballots.iter().take(CONSIDERED) {
        match totals.iter_mut().find(|(known, ..)| *known == text(ballot)) {
            Some((_, total, best)) => {
                *total += ballot.weight;
                if ballot.weight > best.weight {
                    *best = *ballot;
                }
            }
            None => totals.push((text(ballot), ballot.weight, *ballot)),
        }
    }
    let best = totals.iter().rev().max_by_key(|(_, total, _)| *total)?;
    Some((vec![best.2.slot], best.1))
}

/// A text without what stands before every value, with or without its marks; `None` if it has not even the words.
fn without_label<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let is_mark = |letter: char| !letter.is_alphanumeric();
    let bare = || {
        let words = label.trim_end_matches(is_mark);
        text.strip_prefix(words)
            .map(|rest| rest.trim_start_matches([':', '：', ' ']))
    };
    match text.strip_prefix(label) {
        Some(value) => Some(value),
        None if label.contains(char::is_alphabetic) => bare(),
        None => Some(text),
    }
}

impl Column {
    /// The value without what stands before and behind it on every page.
    /// Nothing is left of a text that does not begin with its label: it is another value.
    fn cut(&self, whole: String) -> String {
        let Some(value) = without_label(&whole, &self.prefix) else {
            return String::new();
        };
        let value = value
            .strip_suffix(self.suffix.as_str())
            .unwrap_or(value)
            .trim();
        let value = self
            .part
            .as_ref()
            .map_or(value, |part| part.of(value).unwrap_or_default());
        let value = without_dangling(value);
        if value.len() == whole.len() {
            whole
        } else {
            value.to_owned()
        }
    }
}
