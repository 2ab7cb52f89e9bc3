//! Which of all runs are *the* records of the page?
//!
//! Much structure repeated often, around much text of its own:
//!
//! ```text
//! score = (records - 1) * size² * √weight
//! ```
//!
//! *Size* is the structure that two records share, in nodes: `(records - 1) * size` is what writing the template once
//! saves. Size counts twice, because what makes a menu of sixty entries different from a list of six offers is that
//! an offer has many parts. *Weight* is the text that is not the same everywhere, links a tenth; its root, because
//! a long text says little about being a record. The exponents come from a sweep over labelled pages of 22 sites, in
//! which 0.5 to 1 for records and weight and 1 to 2 for size chose the same records on all but a page or two.

use super::runs::{Outline, Run};

/// Which of two runs is meant: the one with the higher score.
pub(super) fn score(outline: &Outline<'_>, run: &Run) -> f64 {
    let weight: f64 = run.records.iter().map(|rows| outline.weights.of(rows)).sum();
    run.records.len().saturating_sub(1) as f64 * outline.size(run).powi(2) * weight.sqrt()
}
