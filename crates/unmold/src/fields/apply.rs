//! Which slots of a page are the fields of a mold, and what do they say?
//!
//! A [`Finder`] lets the views of all fields vote on a page at once ([`votes`](super::votes)). Two
//! rules keep values from shifting: what follows the label of another field is not taken by place
//! alone, and views that find nothing count against a value.
//!
//! Cost: one walk over the page's nodes, a look into one hash table for each key, and the strings
//! of the values found.

use super::{
    Field, Part, json_ld,
    label_text::{is_colon, text_hash},
    marks::without_dangling,
    sample::ScannedPage,
    slots::{self, JSON_LD, Slot},
    votes::{Ballot, KeyedView, VotedSlots, Voter, filter::Filter, label_alone::may_be_value},
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
    fields: Vec<FieldCut>,
    /// The labels without which some fields are absent.
    needed_labels: RapidHashSet<u64>,
}

/// What a key says: one voter is here.
#[derive(Clone, Copy)]
struct Vote {
    voter: u32,
    weight: u32,
}

/// What of a found slot is a field's value.
struct FieldCut {
    voter: usize,
    join: bool,
    prefix: String,
    suffix: String,
    part: Option<Part>,
}

/// A slot that follows a label, where one is waited for.
enum Follower {
    None,
    One(u32),
    Several,
}

impl Finder {
    pub fn new<'f>(fields: impl IntoIterator<Item = &'f Field>, landmarks: &[String]) -> Self {
        let mut finder = Finder {
            voters: Vec::new(),
            by_key: RapidHashMap::default(),
            filter: Filter::default(),
            landmarks: RapidHashSet::default(),
            fields: Vec::new(),
            needed_labels: RapidHashSet::default(),
        };
        for landmark in landmarks.iter().filter_map(|text| text_hash(text)) {
            finder.landmarks.insert(landmark);
            finder.filter.add(landmark);
        }
        // Voters by what their views look for: the fields of a long list are many.
        let mut known: RapidHashMap<u64, Vec<(&Field, usize)>> = RapidHashMap::default();
        for field in fields {
            let views = KeyedView::all_of(field);
            let sum_of_keys = views.iter().map(|view| view.key).fold(0, u64::wrapping_add);
            let alike = known.entry(sum_of_keys).or_default();
            let same = alike.iter().find(|(known, _)| Voter::is_same(known, field));
            let voter = match same {
                Some((_, voter)) => *voter,
                None => {
                    let voter = finder.add_voter(field, &views);
                    alike.push((field, voter));
                    voter
                }
            };
            finder.fields.push(FieldCut {
                voter,
                join: field.join,
                prefix: field.prefix.clone(),
                suffix: field.suffix.clone(),
                part: field.part.clone(),
            });
        }
        finder
    }

    fn add_voter(&mut self, field: &Field, views: &[KeyedView<'_>]) -> usize {
        let number = self.voters.len();
        for view in views {
            let votes = self.by_key.entry(view.key).or_default();
            votes.push(Vote {
                voter: number as u32,
                weight: view.weight(),
            });
            self.filter.add(view.key);
            self.filter.add(view.subject);
        }
        let voter = Voter::of(field, views);
        if voter.needed_label != 0 {
            self.needed_labels.insert(voter.needed_label);
            self.filter.add(voter.needed_label);
        }
        for label in &voter.labels {
            self.filter.add(*label);
        }
        self.voters.push(voter);
        number
    }

    /// What may be of use to it.
    pub fn wanted(&self) -> &Filter {
        &self.filter
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.fields.len()
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

    /// What each field gives on a page that was read for learning.
    pub fn texts_on(&self, page: &ScannedPage<'_>) -> Vec<Vec<String>> {
        let mut slots = page.own_slots();
        self.set_landmarks(&mut slots);
        let found = self.find_fields(&slots);
        let html = page.tree().page();
        let mut texts = Vec::with_capacity(found.len());
        for (field, found) in found.iter().enumerate() {
            let values = self.values(field, found, &slots, html);
            texts.push(values.map(Value::into_text).collect());
        }
        texts
    }

    /// The slots of each field.
    pub fn find_fields(&self, slots: &[Slot]) -> Vec<VotedSlots> {
        let found = self.find(slots, &mut Vec::new());
        (0..self.fields.len())
            .map(|field| self.of_field(&found, field).clone())
            .collect()
    }

    /// What was found of a field.
    pub fn of_field<'f>(&self, found: &'f [VotedSlots], field: usize) -> &'f VotedSlots {
        &found[self.fields[field].voter]
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
            if voter.needed_label == 0 || present.contains(&voter.needed_label) {
                found[number] = voter.decide(of_voter, slots);
            }
        }
        self.find_by_labels(slots, &mut found);
        self.note_shared(&mut found);
        found
    }

    /// The ballots of all slots, those of one slot together.
    fn cast(&self, slots: &[Slot], ballots: &mut Vec<Ballot>) {
        ballots.clear();
        for (number, slot) in (0..).zip(slots) {
            // Most slots have no key that the mold has.
            if slot.keys.is_empty() {
                continue;
            }
            let first = ballots.len();
            let mut has_label = false;
            for (which, key) in slot.keys.iter() {
                let is_labelled = which.kind().is_label();
                for vote in self.votes(key) {
                    has_label |= is_labelled;
                    let known = ballots[first..]
                        .iter_mut()
                        .find(|known| known.voter == vote.voter);
                    match known {
                        Some(known) => {
                            known.weight += vote.weight;
                            known.is_labelled |= is_labelled;
                        }
                        None => ballots.push(Ballot {
                            voter: vote.voter,
                            slot: number,
                            weight: vote.weight,
                            is_labelled,
                        }),
                    }
                }
            }
            if has_label {
                self.drop_mislabelled(ballots, first);
            }
        }
    }

    #[inline]
    fn votes(&self, key: u64) -> &[Vote] {
        if !self.filter.may_have(key) {
            return &[];
        }
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Takes the votes for a slot away from fields that have a label, but not the one that is here.
    fn drop_mislabelled(&self, ballots: &mut Vec<Ballot>, first: usize) {
        let mut at = first;
        while at < ballots.len() {
            let ballot = ballots[at];
            if self.voters[ballot.voter as usize].has_label && !ballot.is_labelled {
                ballots.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// The labels that a page has, of those without which some fields are absent.
    fn labels_of(&self, slots: &[Slot]) -> RapidHashSet<u64> {
        if self.needed_labels.is_empty() {
            return RapidHashSet::default();
        }
        let is_label =
            |text: &u64| self.filter.may_have(*text) && self.needed_labels.contains(text);
        let texts = slots.iter().map(|slot| slot.text);
        texts.filter(is_label).collect()
    }

    /// Finds by their labels fields that are found by nothing else.
    fn find_by_labels(&self, slots: &[Slot], found: &mut [VotedSlots]) {
        // The voters that wait for a label, and what follows it.
        let mut waiting: RapidHashMap<u64, (usize, Follower)> = RapidHashMap::default();
        for (number, voter) in self.voters.iter().enumerate() {
            if !found[number].slots.is_empty() {
                continue;
            }
            for label in &voter.labels {
                waiting.insert(*label, (number, Follower::None));
            }
        }
        if waiting.is_empty() {
            return;
        }
        for (number, slot) in (0..).zip(slots) {
            if !self.filter.may_have(slot.label) || !may_be_value(slot) {
                continue;
            }
            if let Some((_, follower)) = waiting.get_mut(&slot.label) {
                *follower = match follower {
                    Follower::None => Follower::One(number),
                    Follower::One(_) | Follower::Several => Follower::Several,
                };
            }
        }
        let mut followers: Vec<(usize, u32)> = Vec::new();
        for (voter, follower) in waiting.into_values() {
            if let Follower::One(slot) = follower {
                followers.push((voter, slot));
            }
        }
        // Of two labels of a field, the last on the page is next to the value.
        followers.sort_unstable();
        for (voter, slot) in followers {
            let text = slots[slot as usize].text;
            // Where the value is left out, another label or the template follows.
            if self.needed_labels.contains(&text) || self.landmarks.contains(&text) {
                continue;
            }
            found[voter] = VotedSlots {
                slots: vec![slot],
                agreement: self.voters[voter].label_share,
                is_labelled: true,
                is_shared: false,
            };
        }
    }

    /// Notes which single fields are found in the same place.
    fn note_shared(&self, found: &mut [VotedSlots]) {
        let mut places: Vec<(u32, usize)> = Vec::new();
        for (voter, found) in found.iter().enumerate() {
            if self.voters[voter].finds_many() {
                continue;
            }
            if let Some(&slot) = found.slots.first() {
                places.push((slot, voter));
            }
        }
        places.sort_unstable();
        for same in places.chunk_by(|a, b| a.0 == b.0) {
            if same.len() < 2 {
                continue;
            }
            for (_, voter) in same {
                found[*voter].is_shared = true;
            }
        }
    }

    /// The values of a field that was found.
    pub fn values<'f>(
        &'f self,
        field: usize,
        found: &'f VotedSlots,
        slots: &'f [Slot],
        page: &'f str,
    ) -> impl Iterator<Item = Value> + 'f {
        let field = &self.fields[field];
        let slot = |number: &u32| &slots[*number as usize];
        let pieces = found
            .slots
            .chunk_by(move |a, b| field.joins(slot(a), slot(b)));
        let values = pieces.map(move |pieces| {
            let mut whole = String::new();
            for piece in pieces {
                push_value(&mut whole, slot(piece), page);
            }
            let (first, last) = (slot(&pieces[0]), slot(&pieces[pieces.len() - 1]));
            Value {
                text: field.cut(whole),
                span: first.span.to(last.span),
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

impl FieldCut {
    /// Whether two slots that follow each other are pieces of one value. The values of a script
    /// with data are in one element, and are one each.
    fn joins(&self, a: &Slot, b: &Slot) -> bool {
        self.join && a.element == b.element && a.attribute != JSON_LD
    }

    /// The value without what precedes and follows it on every page. Nothing is left of a text that
    /// does not begin with its label: it is another value.
    fn cut(&self, whole: String) -> String {
        let Some(value) = without_label(&whole, &self.prefix) else {
            return String::new();
        };
        let value = value.strip_suffix(self.suffix.as_str()).unwrap_or(value);
        let mut value = value.trim();
        if let Some(part) = &self.part {
            value = part.of(value).unwrap_or_default();
        }
        let value = without_dangling(value);
        if value.len() == whole.len() {
            whole
        } else {
            value.to_owned()
        }
    }
}

/// A text without what precedes every value, with or without its marks; `None` if it has not even
/// the words.
fn without_label<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    if let Some(value) = text.strip_prefix(label) {
        return Some(value);
    }
    if !label.contains(char::is_alphabetic) {
        return Some(text);
    }
    let words = label.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let rest = text.strip_prefix(words)?;
    Some(rest.trim_start_matches(|letter: char| is_colon(letter) || letter == ' '))
}
