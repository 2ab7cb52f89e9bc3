#![no_main]
//! All encodings, on any text.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| unmold_invariants::symbols_cover(page));
