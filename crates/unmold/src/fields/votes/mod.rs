//! Which slots of a page do the views of a field agree on?
//!
//! Each view votes for the slots that it finds, with its weight; votes for equal values add up. The
//! value with most votes is the field's, if enough of the field's views agree: a field that a page
//! lacks stays absent. The share of the votes that the winner has is the *agreement*. It is near 1
//! on pages like those that were learned from, and falls when a site begins to change, before
//! values are lost.
//!
//! Two things are known of a field beside its views: texts that precede its value on some pages
//! (`asides`), and labels that say where it is without any other view (`label_alone`).

pub(super) mod asides;
pub(super) mod filter;
pub(super) mod label_alone;

use super::{
    Field, Position, View, ViewKind,
    label_text::text_hash,
    slots::{JSON_LD, Slot},
};
use rapidhash::RapidHashSet;

/// A field is found where at least this share of its views agree: a third of them, as classes and
/// tags are where rows were put before a value. With 0.34, three of nine equal views are too few.
const MIN_AGREEMENT: f64 = 0.33;
/// A slot of a list has at least this share of the votes that the best slot has. Chosen by hand.
const NEAR_BEST: f64 = 0.6;
/// A field with a single value looks at this many slots at most: more have votes only on pages that
/// are not like those learned from.
const MAX_CONSIDERED: usize = 64;

/// What was found of a field on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VotedSlots {
    /// The numbers of the slots, in the order of the page.
    pub slots: Vec<u32>,
    /// The share of votes that they had.
    pub agreement: f64,
    /// Whether the field's label is where a label of it is known; always so for fields without a
    /// label.
    pub is_labelled: bool,
    /// Whether a field with other views is found in the same place; not noted of lists, which may
    /// hold single fields.
    pub is_shared: bool,
}

/// The votes of one voter for one slot.
#[derive(Clone, Copy)]
pub(crate) struct Ballot {
    pub(super) voter: u32,
    pub(super) slot: u32,
    pub(super) weight: u32,
    /// Whether a label of the voter is one of the views.
    pub(super) is_labelled: bool,
}

/// A view by position, with the hashes that it is looked up by.
pub(super) struct KeyedView<'f> {
    pub kind: ViewKind,
    pub position: &'f Position,
    pub key: u64,
    /// What the key goes by.
    pub subject: u64,
}

impl<'f> KeyedView<'f> {
    pub fn all_of(field: &'f Field) -> Vec<Self> {
        let mut views = Vec::with_capacity(field.views.len());
        for (kind, position) in field.views.iter().filter_map(View::position) {
            let hashes = position.hashes(kind);
            views.push(KeyedView {
                kind,
                position,
                key: kind.key(hashes.subject, position.nth, hashes.attribute),
                subject: hashes.subject,
            });
        }
        views
    }

    pub fn weight(&self) -> u32 {
        self.kind.vote_weight(self.position)
    }
}

/// A field as its views see it. Fields with the same views are one voter.
pub(super) struct Voter {
    many: bool,
    /// What all views together weigh.
    weight: u32,
    pub has_label: bool,
    /// The hash of the label without which a page has no value, 0 if there is none.
    pub needed_label: u64,
    /// The hashes of texts that are in its place on some pages, and the key of what follows them.
    asides: RapidHashSet<u64>,
    key_after_aside: u64,
    /// The hashes of its labels, if what follows them is its value in any element, and the share of
    /// the votes that they have.
    pub labels: Vec<u64>,
    pub label_share: f64,
}

impl Voter {
    pub fn of(field: &Field, views: &[KeyedView<'_>]) -> Self {
        let needed_label = match field.needs_label {
            true => text_hash(&field.label).unwrap_or(0),
            false => 0,
        };
        let asides: RapidHashSet<u64> = field
            .asides
            .iter()
            .filter_map(|text| text_hash(text))
            .collect();
        let labels = match field.label_alone {
            true => label_alone::labels(field),
            false => Vec::new(),
        };
        let weight = full_weight(views);
        let mut of_label = 0;
        for view in views {
            if view.kind == ViewKind::LabelBefore {
                of_label = of_label.max(view.weight());
            }
        }
        Voter {
            many: field.many,
            weight,
            has_label: views.iter().any(|view| view.kind.is_label()),
            needed_label,
            key_after_aside: if asides.is_empty() {
                0
            } else {
                asides::next_key(field)
            },
            asides,
            labels,
            label_share: f64::from(of_label) / f64::from(weight.max(1)),
        }
    }

    /// Whether a page may have several of its values.
    pub fn finds_many(&self) -> bool {
        self.many
    }

    /// Whether two fields find the same slots, whatever they cut out of the texts there.
    pub fn is_same(one: &Field, other: &Field) -> bool {
        one.many == other.many
            && one.needs_label == other.needs_label
            && one.label_alone == other.label_alone
            && one.views == other.views
            && one.asides == other.asides
    }

    /// What the ballots of a page, all of this voter, decide.
    pub fn decide(&self, ballots: &[Ballot], slots: &[Slot]) -> VotedSlots {
        let best = if self.many {
            best_slots(ballots, slots)
        } else {
            best_value(ballots, slots)
        };
        let Some((found, weight)) = best else {
            return VotedSlots::default();
        };
        let agreement = (f64::from(weight) / f64::from(self.weight.max(1))).min(1.0);
        if agreement < MIN_AGREEMENT {
            return VotedSlots::default();
        }
        let mut is_labelled = !self.has_label;
        for ballot in ballots {
            is_labelled |= ballot.is_labelled && found.binary_search(&ballot.slot).is_ok();
        }
        VotedSlots {
            slots: self.after_aside(found, slots),
            agreement,
            is_labelled,
            is_shared: false,
        }
    }

    /// What follows an aside, if one was found.
    fn after_aside(&self, found: Vec<u32>, slots: &[Slot]) -> Vec<u32> {
        match found[..] {
            [one] if self.asides.contains(&slots[one as usize].text) => {
                match asides::next(slots, self.key_after_aside, one) {
                    Some(next) => vec![next],
                    None => found,
                }
            }
            _ => found,
        }
    }
}

/// What a slot can get at most: of several views of one kind, one.
fn full_weight(views: &[KeyedView<'_>]) -> u32 {
    let mut best: Vec<(ViewKind, u32)> = Vec::new();
    for view in views {
        match best.iter_mut().find(|(known, _)| *known == view.kind) {
            Some((_, most)) => *most = view.weight().max(*most),
            None => best.push((view.kind, view.weight())),
        }
    }
    best.iter().map(|(_, weight)| weight).sum()
}

/// The slots that have nearly as many votes as the best. A list that the page has for readers and
/// for machines is one list, and taken from where the best slot is.
fn best_slots(ballots: &[Ballot], slots: &[Slot]) -> Option<(Vec<u32>, u32)> {
    let is_data = |ballot: &Ballot| slots[ballot.slot as usize].attribute == JSON_LD;
    // The first of equals.
    let best = ballots.iter().rev().max_by_key(|ballot| ballot.weight)?;
    let least = NEAR_BEST * f64::from(best.weight);
    let mut found = Vec::new();
    for ballot in ballots {
        if f64::from(ballot.weight) >= least && is_data(ballot) == is_data(best) {
            found.push(ballot.slot);
        }
    }
    Some((found, best.weight))
}

/// The votes for one text.
struct Tally {
    text: u64,
    weight: u32,
    /// The slot of the text that has most of them.
    best: Ballot,
}

/// The value with most votes, at its slot with most votes; of equals, the first on the page.
fn best_value(ballots: &[Ballot], slots: &[Slot]) -> Option<(Vec<u32>, u32)> {
    let mut tallies: Vec<Tally> = Vec::new();
    for ballot in ballots.iter().take(MAX_CONSIDERED) {
        let text = slots[ballot.slot as usize].text;
        match tallies.iter_mut().find(|tally| tally.text == text) {
            Some(tally) => {
                tally.weight += ballot.weight;
                if ballot.weight > tally.best.weight {
                    tally.best = *ballot;
                }
            }
            None => tallies.push(Tally {
                text,
                weight: ballot.weight,
                best: *ballot,
            }),
        }
    }
    let best = tallies.iter().rev().max_by_key(|tally| tally.weight)?;
    Some((vec![best.best.slot], best.weight))
}
