//! What follows a text that precedes a value on some pages?
//!
//! Such a text, an *aside*, has the same tags and classes as the value, which is the next one with
//! these. How asides are found is told where columns are made.

use super::super::{Field, ViewKind, slots::Slot, view::SlotKey};

/// The key of what follows a field's slot among those of the same tags and classes, 0 if the field
/// is not found by these.
pub(in crate::fields) fn next_key(field: &Field) -> u64 {
    let Some(position) = field.positions(ViewKind::ClassPath).next() else {
        return 0;
    };
    let mut next = position.clone();
    next.nth += 1;
    next.key(ViewKind::ClassPath)
}

/// The slot that follows an aside.
pub(in crate::fields) fn next(slots: &[Slot], key: u64, aside: u32) -> Option<u32> {
    let after = &slots[aside as usize..];
    let distance = after
        .iter()
        .position(|slot| slot.keys[SlotKey::ClassPath] == key)?;
    Some(aside + distance as u32)
}
