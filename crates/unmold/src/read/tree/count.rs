//! How many trees were built: a page should be parsed once, and benchmarks look whether it is.

use std::sync::atomic::{AtomicU64, Ordering};

static BUILT: AtomicU64 = AtomicU64::new(0);

pub(super) fn note() {
    BUILT.fetch_add(1, Ordering::Relaxed);
}

/// The number of trees that this process has built so far.
pub fn built() -> u64 {
    BUILT.load(Ordering::Relaxed)
}
