//! How much does each feature count?
//!
//! Fitted on labelled sites by `cargo run --release -p unmold-eval --bin ranking`, which prints this table and how it does
//! on kinds of sites that it was not fitted on.

/// How many features there are.
pub(crate) const COUNT: usize = 31;

/// The number of the feature that says whether a field names the subject of its page.
pub(super) const SUBJECT: usize = 27;

/// What each feature is called, and what it counts.
pub(crate) const WEIGHTS: [(&str, f64); COUNT] = [
    // Values.
    ("found on many pages", 3.50),
    ("different on each page", -0.72),
    ("values stand in like places, too", -1.86),
    ("running text", -0.92),
    ("words", -0.24),
    ("of one type", 1.51),
    ("date or time", 0.34),
    // Label.
    ("label with a colon", 0.92),
    ("words of the label", -2.02),
    ("labels in like places", 1.22),
    // Markup.
    ("kinds of views", 1.98),
    ("text", 3.33),
    ("address of a link", -1.68),
    ("picture", -0.64),
    ("fields in like places", -0.18),
    // Place.
    ("late on the page", -0.69),
    ("far behind the subject", -0.78),
    ("in the subject's part", 0.53),
    ("in the title", 0.34),
    ("title of the page", -1.24),
    ("in the frame", -1.18),
    // Neighbours.
    ("same text before", 0.28),
    ("same label inside", 0.65),
    ("spread over the listing", 3.40),
    ("one item of the listing", -0.58),
    ("one item of a long list", -1.62),
    // Meaning.
    ("fields between the subject and it", -1.19),
    ("subject", 0.16),
    ("way to reach somebody", 0.82),
    ("list", -0.93),
    ("mostly the same", -2.73),
];
