//! The hashes that keys are made of.
//!
//! Keys are computed from the words of a mold and from the elements of a page alike, so the two
//! must mix the same hashes in the same order. They are not keyed per process: collisions cost a
//! wrong vote, never a wrong answer by themselves.

use rapidhash::v3::rapidhash_v3;

/// The hash of an empty path, to which steps are mixed.
pub(crate) const START: u64 = 0x9E37_79B9_7F4A_7C15;

/// Joins a hash to those before it. The order counts.
#[inline]
pub(crate) fn mix(before: u64, next: u64) -> u64 {
    let product =
        u128::from(before ^ 0xA076_1D64_78BD_642F) * u128::from(next ^ 0xE703_7ED1_A0B4_28DB);
    (product as u64) ^ (product >> 64) as u64 ^ before.rotate_left(23)
}

#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    rapidhash_v3(bytes)
}

/// What a key goes by: a text, and a path from it.
#[inline]
pub(crate) fn subject(text: u64, path: u64) -> u64 {
    mix(text, path)
}

/// The hash of a step among its siblings of the same name, from 1.
#[inline]
pub(crate) fn sibling(tag: u64, number: u32) -> u64 {
    tag.wrapping_add(u64::from(number).wrapping_mul(START))
}
