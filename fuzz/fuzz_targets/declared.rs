#![no_main]
//! What a page declares to machines, in all vocabularies.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| unmold_invariants::declared_data_hold(page));
