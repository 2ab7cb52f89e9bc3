//! Which fields would a person want first?

use super::{
    evidence::Evidence,
    types::Type,
};

/// Sorts fields, the most wanted first.
pub(super) fn ranked(mut fields: Vec<Evidence>) -> Vec<Evidence> {
    let scores: Vec<f64> = fields.iter().map(score).collect();
    for (field, score) in fields.iter_mut().zip(scores) {
        field.score = score;
    }
    fields.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.example().cmp(&b.example())));
    fields
}

fn score(evidence: &Evidence) -> f64 {
    let field = &evidence.field;
    let pages = evidence.pages() as f64;
    let variety = (evidence.distinct() as f64 / pages).min(1.0);
    let typed = if field.kind == Type::Text { 1.0 } else { 1.15 };
    let shown = if field.views.iter().any(|view| view.takes_text()) { 1.0 } else { 0.35 };
    let labelled = if field.views.iter().any(|view| view.is_label()) { 1.3 } else { 1.0 };
    field.fill * field.agreement * (0.6 + 0.4 * variety) * typed * shown * labelled
}
