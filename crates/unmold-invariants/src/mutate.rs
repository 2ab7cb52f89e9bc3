//! Inputs that nobody would write, made of inputs that somebody wrote.
//!
//! Each input is one of the seeds with a few pieces dropped, doubled, exchanged with another seed, or replaced by
//! something that parsers trip over. The same number gives the same input on every machine.

/// What parsers trip over.
const PIECES: [&[u8]; 28] = [
    b"<table>",
    b"<tr><td>",
    b"</td>",
    b"<td rowspan=65534>",
    b"<ul><li>",
    b"</ul>",
    b"<p>",
    b"</p>",
    b"<b>",
    b"</b>",
    b"<a href='",
    b"'>",
    b"<!--",
    b"-->",
    b"<script>",
    b"</script>",
    b"<svg>",
    b"<template>",
    b"<![CDATA[",
    b"&amp;",
    b"&#x0;",
    b"\0",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"\"",
    b"{",
    b"\r\n\r\n",
    "\u{202E}\u{301}".as_bytes(),
];

/// A source of numbers that are the same for the same seed.
struct Numbers(u64);

impl Numbers {
    /// The next number below `end`, or 0 where that is 0.
    fn below(&mut self, end: usize) -> usize {
        // Xorshift by Marsaglia, 2003.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        if end == 0 {
            0
        } else {
            (self.0 % end as u64) as usize
        }
    }
}

/// The input of a number, made of some of the seeds.
pub fn mutated(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut numbers = Numbers(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    // The first numbers of near seeds are near each other.
    for _ in 0..4 {
        numbers.below(1);
    }
    let Some(seed) = seeds.get(numbers.below(seeds.len())) else {
        return Vec::new();
    };
    let mut input = seed.clone();
    for _ in 0..=numbers.below(6) {
        let start = numbers.below(input.len() + 1);
        let end = (start + numbers.below(64)).min(input.len());
        match numbers.below(6) {
            0 => drop(input.drain(start..end)),
            1 => {
                let piece = input[start..end].to_vec();
                let again = piece.repeat(1 + numbers.below(8));
                input.splice(start..start, again);
            }
            2 => {
                let other = &seeds[numbers.below(seeds.len())];
                let from = numbers.below(other.len());
                let to = (from + numbers.below(256)).min(other.len());
                input.splice(start..end, other[from..to].iter().copied());
            }
            3 => input.truncate(start),
            _ => {
                let piece = PIECES[numbers.below(PIECES.len())];
                input.splice(start..start, piece.iter().copied());
            }
        }
    }
    input
}

#[cfg(test)]
mod tests {
    use super::mutated;

    #[test]
    fn numbers_give_inputs_that_differ_and_stay_the_same() {
        let seeds = [b"<ul><li>one<li>two</ul>".to_vec(), b"<p>text</p>".to_vec()];
        let inputs: Vec<_> = (0..100).map(|number| mutated(&seeds, number)).collect();
        let again: Vec<_> = (0..100).map(|number| mutated(&seeds, number)).collect();
        assert_eq!(inputs, again);
        let different: std::collections::HashSet<_> = inputs.iter().collect();
        assert!(different.len() > 80, "{}", different.len());
        assert!(mutated(&[], 1).is_empty());
    }
}
