//! How much does each feature count?
//!
//! Fitted on labelled sites by `cargo run --release -p unmold-eval --bin ranking`, which prints this table and how it does
//! on kinds of sites that it was not fitted on.

/// How many features there are.
pub(crate) const COUNT: usize = 37;

/// What each feature is called, and what it counts.
pub(crate) const WEIGHTS: [(&str, f64); COUNT] = [
    // Values.
    ("found on many pages", 3.07),
    ("different on each page", 0.60),
    ("values recur", -0.28),
    ("values stand in like places, too", -1.99),
    ("letters", 0.15),
    ("running text", -1.03),
    ("words", -0.76),
    ("of one type", 1.15),
    ("number", -0.42),
    ("money", -0.07),
    ("date or time", 0.54),
    ("several on a page", -0.58),
    // Label.
    ("labelled", 0.23),
    ("label with a colon", 0.92),
    ("words of the label", -2.01),
    ("labels in like places", 1.41),
    // Markup.
    ("kinds of views", 1.51),
    ("text", 2.10),
    ("address of a link", -1.40),
    ("picture", -0.56),
    ("other attribute", -0.12),
    ("fields in like places", -0.45),
    // Place.
    ("late on the page", -0.60),
    ("far behind the subject", -2.08),
    ("before the subject", 0.04),
    ("in the subject's part", 0.69),
    ("in the title", 0.47),
    ("in an h1", 0.05),
    ("in a lower heading", 0.23),
    ("title of the page", -0.80),
    ("in the frame", -0.73),
    ("in a link", -0.22),
    // Neighbours.
    ("same text before", 0.29),
    ("same label inside", 0.24),
    ("spread over the listing", 1.63),
    ("one item of the listing", 0.49),
    ("one item of a long list", -0.69),
];
