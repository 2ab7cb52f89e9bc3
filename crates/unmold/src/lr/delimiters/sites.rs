//! At which places of a page are strings looked up?
//!
//! At each `<`, which stands every thirty bytes or so, and where a word begins behind white space,
//! every seven.

use std::ops::Range;

/// White space and control characters; all other bytes are parts of words here.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// The sites of a short text, one byte at a time.
pub(super) fn within(text: &[u8]) -> impl Iterator<Item = usize> {
    let begins_word = |at: usize| at > 0 && is_blank(text[at - 1]) && !is_blank(text[at]);
    (0..text.len()).filter(move |&at| text[at] == b'<' || begins_word(at))
}

/// Calls back with each site of a page and with the white space before it, which may be empty; at
/// last with the end of the page if white space stands before it. The answer may be a place to go
/// on from, somewhere behind the site.
#[inline]
pub(super) fn each(page: &[u8], mut found: impl FnMut(usize, Range<usize>) -> Option<usize>) {
    let mut start = Some(0);
    while let Some(from) = start {
        start = each_from(page, from, &mut found);
    }
}

/// The same from some place on, up to the first site whose answer is another place.
#[inline(always)]
fn each_from(
    page: &[u8],
    from: usize,
    found: &mut impl FnMut(usize, Range<usize>) -> Option<usize>,
) -> Option<usize> {
    let (blocks, rest) = page[from..].as_chunks::<8>();
    let mut scan = Scan::new(&page[..from]);
    for (number, block) in blocks.iter().enumerate() {
        let next = scan.block(from + 8 * number, *block, found);
        if next.is_some() {
            return next;
        }
    }
    let mut last = [b'x'; 8];
    last[..rest.len()].copy_from_slice(rest);
    scan.block(page.len() - rest.len(), last, found)
}

/// Eight bytes at a time, as a number whose highest bit in each byte says something about it.
struct Scan {
    /// The highest bit of a byte, if the byte before the block is part of a word.
    before: u64,
    /// Where the last white space before the block begins.
    blank_from: usize,
}

const HIGH: u64 = 0x8080_8080_8080_8080;
const EACH: u64 = 0x0101_0101_0101_0101;

impl Scan {
    /// Begins behind a part of a page.
    fn new(before: &[u8]) -> Self {
        let in_word = before.iter().rev().position(|&byte| !is_blank(byte));
        // As if a letter stood before the page: no word begins with its first byte.
        let is_in_word = in_word == Some(0) || before.is_empty();
        Scan {
            before: if is_in_word { 0x80 } else { 0 },
            blank_from: before.len() - in_word.unwrap_or(before.len()),
        }
    }

    #[inline(always)]
    fn block(
        &mut self,
        start: usize,
        block: [u8; 8],
        found: &mut impl FnMut(usize, Range<usize>) -> Option<usize>,
    ) -> Option<usize> {
        let bytes = u64::from_le_bytes(block);
        let in_word = in_words(bytes);
        let behind_word = in_word << 8 | self.before;
        let (words, blanks) = (in_word & !behind_word, behind_word & !in_word & HIGH);
        let mut sites = words | tag_openings(bytes);
        while sites != 0 {
            let site = sites & sites.wrapping_neg();
            let at = start + site.trailing_zeros() as usize / 8;
            let is_behind_blank = words & site != 0;
            let blank_from = if is_behind_blank {
                self.last(start, blanks & (site - 1))
            } else {
                at
            };
            let next = found(at, blank_from..at);
            if next.is_some() {
                return next;
            }
            sites ^= site;
        }
        self.before = in_word >> 56;
        self.blank_from = self.last(start, blanks);
        None
    }

    /// Where the last white space begins, given the beginnings in the block.
    #[inline(always)]
    fn last(&self, start: usize, beginnings: u64) -> usize {
        if beginnings == 0 {
            self.blank_from
        } else {
            start + 7 - beginnings.leading_zeros() as usize / 8
        }
    }
}

/// Which bytes are parts of words: adding brings those above the space to the highest bit.
#[inline]
fn in_words(bytes: u64) -> u64 {
    const ABOVE_SPACE: u64 = 0x80 - (b' ' as u64 + 1);
    (((bytes & !HIGH) + EACH * ABOVE_SPACE) | bytes) & HIGH
}

/// Which bytes are `<`.
#[inline]
fn tag_openings(bytes: u64) -> u64 {
    let differs = bytes ^ (EACH * b'<' as u64);
    !(((differs & !HIGH) + !HIGH) | differs) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn byte() -> impl Strategy<Value = u8> {
        prop::sample::select(vec![
            0,
            9,
            32,
            33,
            b'<',
            b'<' + 0x80,
            b'=',
            127,
            128,
            160,
            161,
            255,
        ])
    }

    proptest! {
        #[test]
        fn eight_bytes_at_a_time_are_one_at_a_time(page in prop::collection::vec(byte(), 0..60)) {
            let mut found = Vec::new();
            each(&page, |at, blank| {
                found.push((at, blank));
                None
            });
            prop_assert_eq!(found, one_at_a_time(&page));
        }

        #[test]
        fn going_on_further_behind_leaves_out_what_lies_between(
            page in prop::collection::vec(byte(), 0..60),
            skips in prop::collection::vec(0..20_usize, 61),
        ) {
            let mut found = Vec::new();
            each(&page, |at, blank| {
                found.push((at, blank));
                (skips[at] > 0 && at < page.len()).then_some((at + 1 + skips[at]).min(page.len()))
            });
            let mut from = 0;
            let mut expected = one_at_a_time(&page);
            expected.retain(|(at, _)| {
                let is_found = *at >= from;
                if is_found {
                    from = at + 1 + skips[*at];
                }
                is_found || *at == page.len()
            });
            prop_assert_eq!(found, expected);
        }
    }

    fn one_at_a_time(page: &[u8]) -> Vec<(usize, Range<usize>)> {
        let ends_blank = !page.is_empty() && is_blank(page[page.len() - 1]);
        let places = within(page).chain(ends_blank.then_some(page.len()));
        let blank = |at: usize| {
            at - page[..at]
                .iter()
                .rev()
                .take_while(|byte| is_blank(**byte))
                .count()
        };
        places.map(|at| (at, blank(at)..at)).collect()
    }
}
