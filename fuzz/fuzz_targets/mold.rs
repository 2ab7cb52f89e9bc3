#![no_main]
//! The mold reader, on any text.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|json: &str| unmold_invariants::molds_read_back(json));
