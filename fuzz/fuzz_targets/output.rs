#![no_main]
//! The content of a page in all forms in which it is written.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &str| unmold_invariants::outputs_are_read_back(page));
