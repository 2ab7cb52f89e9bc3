//! Which fields would a person want first?
//!
//! Those that most pages have, that differ from page to page, that the page labels, that are short, and that stand
//! early and in the main part of the page. Each of these is a factor; none decides alone.

use super::{
    evidence::Evidence,
    learn::Sample,
    slots::{EACH, Slot},
    types::Type,
};
use crate::read::tree::NodeId;
use rapidhash::RapidHashMap;

/// Sorts fields, the most wanted first. What a text holds beside a value comes right behind the value.
pub(super) fn ranked(sample: &Sample<'_>, mut fields: Vec<Evidence>) -> Vec<Evidence> {
    let elsewhere = Elsewhere::count(sample);
    let mut before = 0.0;
    for field in &mut fields {
        field.score = if field.is_whole { before } else { score(sample, field, elsewhere.share(sample, field)) };
        before = field.score;
    }
    fields.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.example().cmp(&b.example())).then(a.is_whole.cmp(&b.is_whole))
    });
    fields
}

/// The first fields of those that are ranked. No more than half of them are items of lists: the many places of a long
/// list leave room for the rest of the page.
pub(super) fn first(fields: Vec<Evidence>, most: usize) -> Vec<Evidence> {
    let lists: Vec<(Option<&str>, &Evidence)> = long_lists(&fields).map(|list| (list.label(), list)).collect();
    let mut items = 0;
    let mut is_spare = |field: &Evidence| {
        let is_item = is_item(field, &lists);
        items += usize::from(is_item);
        is_item && 2 * items > most
    };
    let is_spare: Vec<bool> = fields.iter().map(&mut is_spare).collect();
    let kept = fields.into_iter().zip(is_spare).filter(|(_, is_spare)| !is_spare);
    kept.map(|(field, _)| field).take(most).collect()
}

/// Whether a field is what a long list under the same label, or without one, has at one place: the date of the fourth post
/// is a field of that post, and not of the page.
fn is_item(field: &Evidence, lists: &[(Option<&str>, &Evidence)]) -> bool {
    let label = field.label();
    !field.field.many && lists.iter().any(|(of_list, list)| *of_list == label && list.holds(field))
}

/// Lists that are not made of a few different things.
fn long_lists(fields: &[Evidence]) -> impl Iterator<Item = &Evidence> {
    /// Values that such a list has on average.
    const LONG_LIST: usize = 4;
    let lists = fields.iter().filter(|list| list.field.many && !list.is_whole);
    lists.filter(|list| list.values().count() >= LONG_LIST * list.pages())
}

/// How often each text stands at each class path, on all pages.
struct Elsewhere(RapidHashMap<(u64, u64), usize>);

impl Elsewhere {
    fn count(sample: &Sample<'_>) -> Self {
        let mut counts = RapidHashMap::default();
        for slot in sample.slots.iter().flatten() {
            *counts.entry((slot.keys[EACH], slot.text)).or_default() += 1;
        }
        Elsewhere(counts)
    }

    /// The share of a field's values that stand in like places outside of the field: those of lists do, since what is
    /// first on one page is second on another.
    fn share(&self, sample: &Sample<'_>, field: &Evidence) -> f64 {
        let places =
            (0..).zip(&field.found).flat_map(|(page, (found, _))| found.slots.iter().map(move |slot| (page, *slot)));
        let mut own: RapidHashMap<(u64, u64), usize> = RapidHashMap::default();
        for (page, slot) in places {
            let slot: &Slot = &sample.slots[page][slot as usize];
            *own.entry((slot.keys[EACH], slot.text)).or_default() += 1;
        }
        let outside = own.iter().filter(|(text, count)| self.0.get(text).is_some_and(|all| all > count));
        outside.map(|(_, count)| count).sum::<usize>() as f64 / own.values().sum::<usize>().max(1) as f64
    }
}

/// How much a person would want a field, a share of whose values stands elsewhere too.
fn score(sample: &Sample<'_>, evidence: &Evidence, elsewhere: f64) -> f64 {
    let field = &evidence.field;
    let variety = (evidence.distinct() as f64 / evidence.pages() as f64).min(1.0);
    let labelled = evidence.label().is_some();
    let when = |is: bool, factor: f64| if is { factor } else { 1.0 };
    field.fill
        * when(field.part.is_some(), 0.5)
        * field.agreement.sqrt()
        * (0.8 + 0.2 * variety)
        * when(labelled, 1.4)
        * when(field.kind != Type::Text, 1.1)
        * when(!field.views.iter().any(|view| view.takes_text()), 0.35)
        * when(mean_length(evidence) > LONG, 0.7)
        * (1.0 - 0.5 * elsewhere)
        * when(field.many && !labelled, 0.7)
        * place(sample, evidence)
}

/// Values longer than this are running text.
const LONG: usize = 200;

pub(super) fn mean_length(evidence: &Evidence) -> usize {
    let (mut letters, mut values) = (0, 0);
    for value in evidence.values() {
        letters += value.chars().count();
        values += 1;
    }
    letters / values.max(1)
}

/// How well a field stands: early, in a headline, and not in what HTML calls the frame of a page.
fn place(sample: &Sample<'_>, evidence: &Evidence) -> f64 {
    let (page, slot) = evidence.example();
    let place = sample.place((page, slot));
    let around: Vec<&str> = place.around().map(|node: NodeId| place.tree.name(node)).collect();
    let within = |names: &[&str]| around.iter().any(|name| names.contains(name));
    let late = f64::from(slot) / sample.slots[page as usize].len() as f64;
    let headline = if within(&["h1"]) {
        1.5
    } else if within(&["h2", "title"]) {
        1.2
    } else {
        1.0
    };
    let frame = if within(&["nav", "header", "footer", "aside", "form", "select"]) { 0.6 } else { 1.0 };
    headline * frame * (1.0 - 0.3 * late)
}
