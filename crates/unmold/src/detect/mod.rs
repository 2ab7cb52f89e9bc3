//! Detectors: what on these pages is template?
//!
//! Each module is one method of one paper. All of them read an [`Index`](crate::index::Index) and answer in positions
//! and spans; none of them knows what HTML is.

pub mod amplify;
