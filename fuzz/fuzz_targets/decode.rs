#![no_main]
//! The decoder, on any bytes under any declared charset.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &[u8])| unmold_invariants::decoding_leads_back(input.1, input.0));
