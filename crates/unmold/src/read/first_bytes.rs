//! Eight bytes of a text as one number, which is compared and looked up at once.

/// The first eight bytes of a text, with zeros behind its end.
#[inline(always)]
pub(crate) fn first_u64(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text
            .iter()
            .rev()
            .fold(0, |eight, &byte| eight << 8 | u64::from(byte)),
    }
}

/// The last eight bytes of a text, with zeros before its beginning.
#[inline(always)]
pub(crate) fn last_u64(text: &[u8]) -> u64 {
    match text.last_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text
            .iter()
            .fold(0, |eight, &byte| eight >> 8 | u64::from(byte) << 56),
    }
}
