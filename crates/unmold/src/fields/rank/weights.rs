//! How much does each feature count?
//!
//! Fitted on labelled sites by `cargo run --release -p unmold-eval --bin ranking`, which prints this table and how it does
//! on kinds of sites that it was not fitted on.

/// How many features there are.
pub(crate) const COUNT: usize = 31;

/// What each feature is called, and what it counts.
pub(crate) const WEIGHTS: [(&str, f64); COUNT] = [
    // Values.
    ("found on many pages", 4.90),
    ("different on each page", 0.90),
    ("values stand in like places, too", -2.23),
    ("running text", -2.07),
    ("words", -0.54),
    ("of one type", 2.33),
    ("date or time", 0.61),
    // Label.
    ("label with a colon", 0.96),
    ("words of the label", -2.90),
    ("labels in like places", 1.94),
    // Markup.
    ("kinds of views", 1.75),
    ("text", 2.63),
    ("address of a link", -2.11),
    ("picture", -1.05),
    ("fields in like places", -0.73),
    // Place.
    ("late on the page", -0.48),
    ("far behind the subject", -0.69),
    ("in the subject's part", 0.57),
    ("in the title", 0.46),
    ("title of the page", -1.78),
    ("in the frame", -1.09),
    ("in a link", -0.18),
    // Neighbours.
    ("same text before", 0.30),
    ("same label inside", 0.73),
    ("spread over the listing", 2.57),
    ("one item of the listing", 1.66),
    ("one item of a long list", -0.85),
    // Among the other fields.
    ("fields between the subject and it", -1.19),
    ("stands elsewhere on its page", 0.10),
    ("named by an element of its own", 0.28),
    ("of the template", -0.02),
];
