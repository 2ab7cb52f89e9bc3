//! Which fields would a person want first?
//!
//! Those that most pages have, that differ from page to page, that the page labels, that are short, and that stand
//! early and in the main part of the page. Each of these is a factor; none decides alone.

use super::{Sample, evidence::Evidence, slots::EACH, types::Type};
use crate::tree::NodeId;
use rapidhash::RapidHashMap;

/// Sorts fields, the most wanted first.
pub(super) fn ranked(sample: &Sample<'_>, mut fields: Vec<Evidence>) -> Vec<Evidence> {
    let mut alike: RapidHashMap<u64, usize> = RapidHashMap::default();
    for field in &fields {
        *alike.entry(class_path(sample, field)).or_default() += 1;
    }
    let scores: Vec<f64> = fields.iter().map(|field| score(sample, field, alike[&class_path(sample, field)])).collect();
    for (field, score) in fields.iter_mut().zip(scores) {
        field.score = score;
    }
    fields.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.example().cmp(&b.example())));
    fields
}

fn class_path(sample: &Sample<'_>, field: &Evidence) -> u64 {
    let (page, slot) = field.example();
    sample.slots[page as usize][slot as usize].keys[EACH]
}

/// How much a person would want a field that has so many of the same make-up beside it.
fn score(sample: &Sample<'_>, evidence: &Evidence, alike: usize) -> f64 {
    let field = &evidence.field;
    let variety = (evidence.distinct() as f64 / evidence.pages() as f64).min(1.0);
    let labelled = evidence.label().is_some();
    let when = |is: bool, factor: f64| if is { factor } else { 1.0 };
    field.fill
        * field.agreement.sqrt()
        * (0.8 + 0.2 * variety)
        * when(labelled, 1.4)
        * when(field.kind != Type::Text, 1.1)
        * when(!field.views.iter().any(|view| view.takes_text()), 0.35)
        * when(mean_length(evidence) > LONG, 0.7)
        * when(!labelled, 1.0 / (alike as f64).sqrt())
        * when(field.many && !labelled, 0.7)
        * place(sample, evidence)
}

/// Values longer than this are running text.
const LONG: usize = 200;

fn mean_length(evidence: &Evidence) -> usize {
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
    let headline = if within(&["h1"]) { 1.5 } else if within(&["h2", "title"]) { 1.2 } else { 1.0 };
    let frame = if within(&["nav", "header", "footer", "aside", "form", "select"]) { 0.6 } else { 1.0 };
    headline * frame * (1.0 - 0.3 * late)
}
