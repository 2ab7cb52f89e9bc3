//! The rules of a mold for other tools.

pub mod regex;
