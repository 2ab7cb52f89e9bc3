#![no_main]
//! The JSONL reader, on any bytes.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    unmold_invariants::loading_adds_up("fuzz.jsonl", bytes);
});
