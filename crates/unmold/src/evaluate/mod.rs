//! How good is an answer?
//!
//! A room of measures. Each compares what was found with what a person says is there, takes plain
//! texts and numbers, and knows nothing of how the answer was found:
//!
//! | module | measure | from |
//! |---|---|---|
//! | [`range_string`] | accuracy, recall and precision of template against content, letter by letter | the alternation count papers |
//! | [`content`] | overlap of four-word strings; of bags of words | the article extraction benchmark; WCXB |
//! | [`fields`] | F1 of the best column for each true attribute, among all and among the first; wrapper recall | wrapper induction, with the choice among columns counted; the alternation count papers |
//! | [`examples`] | F1 of columns by name, wrong values that were given in silence, right ones that were doubted | learning by example |
//! | [`records`] | retrieval, accuracy and matching percentage of listed records | IEPAD |
//! | [`groups`] | B-cubed precision and recall, adjusted Rand index | clustering |
//!
//! Texts are compared by their [`words`], with white space folded and entities decoded.

pub mod content;
pub mod examples;
pub mod fields;
pub mod groups;
pub mod range_string;
pub mod records;
pub mod words;

pub use range_string::{Confusion, between, share_whole};

/// The harmonic mean of precision and recall; 0 if both are.
pub fn f1(precision: f64, recall: f64) -> f64 {
    ratio(2.0 * precision * recall, precision + recall)
}

/// A share that is 0 of nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// The mean of figures; 0 if there are none.
pub fn mean(figures: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_u32);
    for figure in figures {
        sum += figure;
        count += 1;
    }
    ratio(sum, f64::from(count))
}
