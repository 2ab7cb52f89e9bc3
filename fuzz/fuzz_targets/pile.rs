#![no_main]
//! Learning from pages and reading them, with and without memory.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|pages: Vec<String>| {
    unmold_invariants::reading_is_the_same_with_memory(&pages);
});
