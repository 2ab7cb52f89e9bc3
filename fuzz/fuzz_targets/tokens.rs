#![no_main]
//! The tokeniser, on any text.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| unmold_invariants::tokens_tile(page));
