//! Which attributes may a tag have?

use super::{Token, attributes};

/// The names of a tag's attributes, one bit for each. Names may share a bit, so a bit that is not
/// set is a sure sign and one that is set is none. Most tags do not have the attribute that is
/// looked for, and need not be read to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeNames(u64);

impl AttributeNames {
    /// The names of a tag's attributes.
    pub fn of(page: &str, tag: Token) -> Self {
        AttributeNames(
            attributes(page, tag)
                .map(|attribute| bit(attribute.name.of(page)))
                .fold(0, |bits, bit| bits | bit),
        )
    }

    /// Whether an attribute of this name, in whatever case, may be there.
    #[inline]
    pub fn may_have(self, name: &str) -> bool {
        self.0 & bit(name) != 0
    }
}

/// The bit of a name: the same in whatever case.
#[inline]
fn bit(name: &str) -> u64 {
    let letter = |byte: Option<&u8>| u64::from(byte.map_or(0, |byte| byte | 0x20));
    let (first, last) = (
        letter(name.as_bytes().first()),
        letter(name.as_bytes().last()),
    );
    let mixed = (first << 16 | last << 8 | name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    1 << (mixed >> 58)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::html::tokens;

    #[test]
    fn a_name_that_is_there_may_be_there_in_whatever_case() {
        let page = "<a =odd HREF=x Class='a b' data-x hidden>";
        let names = AttributeNames::of(page, tokens(page).next().unwrap());
        for name in ["href", "HREF", "class", "data-x", "hidden", "=odd"] {
            assert!(names.may_have(name), "{name}");
        }
        assert!(!names.may_have("aria-modal"));
        assert!(!AttributeNames::of("<p>", tokens("<p>").next().unwrap()).may_have("id"));
    }
}
