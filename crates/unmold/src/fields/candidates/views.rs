//! By which keys can the slots of a field be found?

use super::keys::{RecurringKey, RecurringKeys};
use crate::fields::{ViewKind, slots::SlotId, view::SlotKey};

/// A key is a view of a field if at least this share of what it finds are values of the field, and
/// it finds at least that share of these values. Chosen by hand.
const VIEW_LEAST: Fit = Fit {
    precision: 0.6,
    recall: 0.2,
};
/// The same for labels: a label is the label of nothing else, and a text that precedes fewer values
/// is none. Chosen by hand.
const LABEL_LEAST: Fit = Fit {
    precision: 0.9,
    recall: 0.35,
};
/// Texts before values are labels if at least this share of the values have one of them. Chosen by
/// hand.
pub(super) const LABELLED: f64 = 0.8;
/// At most this many keys of a kind are views of one field: a label has variants ("Director",
/// "Directors").
const VIEWS_OF_A_KIND: usize = 2;
/// In a list, a view by JSON-LD has this weight in percent: what machines are told counts like what
/// a reader sees, of which there are fewer views than of single values. Either must do without the
/// other. Chosen by hand.
const DATA_IN_LISTS: u8 = 30;
/// Views with a number in them, each of which finds some items of a list, weigh no more together
/// than this share of the others: items without such a view are not outvoted, and where the others
/// fail, they are still enough. Chosen by hand.
const NUMBERED_SHARE: f64 = 0.6;

/// How well a key finds a field.
#[derive(Clone, Copy)]
struct Fit {
    /// Of the slots that it finds, how many are the field's,
    precision: f64,
    /// and of the field's slots, how many it finds.
    recall: f64,
}

/// A way to find a field, by example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DraftView {
    /// Which of a slot's keys it is.
    pub which: SlotKey,
    /// In percent: of the values it finds, how many are right.
    pub weight: u8,
    /// A slot that it finds.
    pub example: SlotId,
}

/// The keys that find some slots, the best first.
pub(super) fn views(keys: &RecurringKeys<'_>, slots: &[SlotId], many: bool) -> Vec<DraftView> {
    let mut found_by: Vec<(usize, usize)> = Vec::new();
    for (at, slot) in slots.iter().enumerate() {
        found_by.extend(keys.of_slot(*slot).map(|key| (key, at)));
    }
    found_by.sort_unstable();
    let mut views: Vec<(f64, DraftView)> = Vec::new();
    for same in found_by.chunk_by(|a, b| a.0 == b.0) {
        let (number, first) = same[0];
        let key = &keys.all()[number];
        let all = if many {
            keys.slots_of(key).len()
        } else {
            key.pages
        };
        let fit = Fit {
            precision: same.len() as f64 / all as f64,
            recall: same.len() as f64 / slots.len() as f64,
        };
        if !is_view(keys, key, fit, many) {
            continue;
        }
        let view = DraftView {
            which: key.which,
            weight: (100.0 * fit.precision).round() as u8,
            example: slots[first],
        };
        views.push((fit.precision * fit.recall, view));
    }
    if many {
        drop_partial_labels(keys, slots, &mut views);
    } else {
        drop_neighbours(keys, slots, &mut views);
    }
    let mut views = best_of_each_kind(views);
    if many {
        calm_numbers(&mut views);
        for view in &mut views {
            if view.which.kind() == ViewKind::JsonLd {
                view.weight = view.weight.min(DATA_IN_LISTS);
            }
        }
    }
    views
}

/// Whether a key is a way to find a field that it fits this well.
fn is_view(keys: &RecurringKeys<'_>, key: &RecurringKey, fit: Fit, many: bool) -> bool {
    // A column of a table is a way to find itself only.
    if key.which == SlotKey::ColumnOrLine {
        return false;
    }
    let kind = key.which.kind();
    let least = if kind.is_label() {
        LABEL_LEAST
    } else {
        VIEW_LEAST
    };
    if fit.precision < least.precision || fit.recall < least.recall {
        return false;
    }
    if many || 10 * key.single_pages >= 9 * key.pages {
        return true;
    }
    // A label may be on a page twice, where the other views say which of the two is meant.
    kind == ViewKind::LabelBefore && keys.slots_of(key).len() <= 2 * key.pages
}

/// Drops labels that precede some of the values only: where other values have other texts before
/// them, these are neighbours and no labels.
fn drop_neighbours(keys: &RecurringKeys<'_>, slots: &[SlotId], views: &mut Vec<(f64, DraftView)>) {
    let mut labels = Vec::new();
    for (_, view) in views.iter() {
        if view.which == SlotKey::LabelBefore {
            labels.push(keys.slot(view.example).label);
        }
    }
    let is_labelled = |slot: &&SlotId| labels.contains(&keys.slot(**slot).label);
    let labelled = slots.iter().filter(is_labelled).count();
    if (labelled as f64) < LABELLED * slots.len() as f64 {
        views.retain(|(_, view)| view.which != SlotKey::LabelBefore);
    }
}

/// Drops the labels before a list that some of its values do not follow ("Genres" where others have
/// "Genre"): values without it would be outvoted. A label inside a value tells it from its
/// neighbours, and stays.
fn drop_partial_labels(
    keys: &RecurringKeys<'_>,
    slots: &[SlotId],
    views: &mut Vec<(f64, DraftView)>,
) {
    let mut labels = Vec::new();
    for (_, view) in views.iter() {
        if view.which.kind().is_outer_label() {
            labels.push(keys.slot(view.example).keys[view.which]);
        }
    }
    let is_labelled = |slot: &&SlotId| {
        let mut own = keys.slot(**slot).keys.iter();
        own.any(|(_, key)| labels.contains(&key))
    };
    let labelled = slots.iter().filter(is_labelled).count();
    if (labelled as f64) < LABELLED * slots.len() as f64 {
        views.retain(|(_, view)| !view.which.kind().is_outer_label());
    }
}

/// The views in the order of how well they fit, no more than a few of each kind.
fn best_of_each_kind(mut views: Vec<(f64, DraftView)>) -> Vec<DraftView> {
    views.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then(a.1.which.cmp(&b.1.which))
            .then(a.1.example.cmp(&b.1.example))
    });
    let mut counts = [0; SlotKey::COUNT];
    let mut best = Vec::new();
    for (_, view) in views {
        let count = &mut counts[view.which as usize];
        *count += 1;
        if *count <= VIEWS_OF_A_KIND {
            best.push(view);
        }
    }
    best
}

/// Makes views with a number in them so light that they do not outvote the others.
fn calm_numbers(views: &mut [DraftView]) {
    let (mut numbered, mut others) = (0.0, 0.0);
    for view in views.iter() {
        let kind = view.which.kind();
        let weight = f64::from(view.weight) * if kind.is_label() { 2.0 } else { 1.0 };
        if kind.finds_all_items() {
            others += weight;
        } else {
            numbered += weight;
        }
    }
    let factor = NUMBERED_SHARE * others / f64::max(numbered, 1.0);
    if factor >= 1.0 {
        return;
    }
    for view in views {
        if !view.which.kind().finds_all_items() {
            view.weight = (f64::from(view.weight) * factor) as u8;
        }
    }
}
