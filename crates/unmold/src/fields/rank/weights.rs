//! How much does each feature count?
//!
//! Fitted on labelled sites by `cargo run --release -p unmold-eval --bin ranking`, which prints this table and how it does
//! on kinds of sites that it was not fitted on.

/// How many features there are.
pub(crate) const COUNT: usize = 31;

/// What each feature is called, and what it counts.
pub(crate) const WEIGHTS: [(&str, f64); COUNT] = [
    // Values.
    ("found on many pages", 3.97),
    ("different on each page", -0.61),
    ("values stand in like places, too", -1.56),
    ("running text", -1.46),
    ("words", -0.42),
    ("of one type", 1.56),
    ("date or time", 0.42),
    // Label.
    ("label with a colon", 0.99),
    ("words of the label", -2.42),
    ("labels in like places", 1.80),
    // Markup.
    ("kinds of views", 1.94),
    ("text", 3.33),
    ("address of a link", -1.71),
    ("picture", -0.68),
    ("fields in like places", -0.42),
    // Place.
    ("late on the page", -0.67),
    ("far behind the subject", -0.72),
    ("in the subject's part", 0.22),
    ("in the title", 0.35),
    ("title of the page", -1.25),
    ("in the frame", -1.23),
    // Neighbours.
    ("same text before", 0.25),
    ("same label inside", 0.69),
    ("spread over the listing", 3.16),
    ("one item of the listing", 0.66),
    ("one item of a long list", -1.27),
    // Meaning.
    ("fields between the subject and it", -1.44),
    ("subject", 0.31),
    ("way to reach somebody", 0.86),
    ("list", -0.86),
    ("mostly the same", -2.73),
];
