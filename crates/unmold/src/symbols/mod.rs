//! Pages as symbols over one index: what the papers' methods stand on.
//!
//! [`encode`] reads pages as sequences of symbols, [`index`] sorts all their suffixes and knows
//! every string that repeats: how often, on how many pages, on which.

pub mod encode;
pub mod index;
