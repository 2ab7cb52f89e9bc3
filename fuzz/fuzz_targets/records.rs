#![no_main]
//! The element tree and both ways to find records, on any text.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| {
    unmold_invariants::tree_nests(page);
    unmold_invariants::records_hold(page);
});
