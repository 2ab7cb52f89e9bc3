//! LR rules, applied all at once.
//!
//! ```
//! use unmold::lr::{Rule, apply::Finder};
//!
//! let rule = |left: &str, right: &str| Rule { left: left.into(), right: right.into() };
//! let wrapper = Finder::new(&[rule("<b>", "</b>"), rule(" <i>", "</i><br>")]);
//! let page = "<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>";
//! let found = wrapper.apply(page);
//! assert_eq!(found.list(0).iter().map(|value| value.of(page)).collect::<Vec<_>>(), ["Congo", "Egypt"]);
//! assert_eq!(found.list(1).iter().map(|value| value.of(page)).collect::<Vec<_>>(), ["242", "20"]);
//! ```
//!
//! A value begins behind a left delimiter and ends before the next right one; the search for the
//! next value goes on from there. All delimiters are found at once, but for single bytes, as the
//! end of the line: these stand everywhere, and the next one is always close.
//!
//! A wrapper remembers what it found on the first pages it is applied to. Most of a page made from
//! the same template has been searched before, byte by byte, and is only compared: the more pages,
//! the faster, with the same outcome.

use super::{
    Rule,
    delimiters::{Delimiters, Memory},
};
use crate::{
    Span,
    read::{jagged::Jagged, pool::Pool},
};
use memchr::memchr;

/// Rules made ready for use.
#[derive(Clone, Debug)]
pub struct Finder {
    delimiters: Delimiters,
    rules: Vec<CompiledRule>,
    memories: Pool<Memory>,
}

#[derive(Clone, Debug)]
struct CompiledRule {
    /// The left delimiter, by number, and its length.
    left: usize,
    left_length: u32,
    right: Right,
}

/// How right delimiters are found.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// By a search behind each left one.
    Byte(u8),
    /// With all others; by number.
    Found(usize),
}

impl Finder {
    /// Makes rules ready.
    pub fn new(rules: &[Rule]) -> Self {
        let lefts = rules.iter().map(|rule| rule.left.as_str());
        let rights = rules
            .iter()
            .map(|rule| rule.right.as_str())
            .filter(|right| right.len() > 1);
        let delimiters = Delimiters::new(lefts.chain(rights));
        let compiled = rules.iter().map(|rule| CompiledRule {
            left: delimiters.number(&rule.left),
            left_length: rule.left.len() as u32,
            right: match rule.right.as_bytes() {
                [byte] => Right::Byte(*byte),
                _ => Right::Found(delimiters.number(&rule.right)),
            },
        });
        Finder {
            rules: compiled.collect(),
            delimiters,
            memories: Pool::default(),
        }
    }

    /// The values of each rule on a page, in page order.
    pub fn apply(&self, page: &str) -> Jagged<Span> {
        self.memories.lend(|memory| self.apply_with(page, memory))
    }

    /// The same for the only page there is, or for pages that have nothing in common.
    pub fn apply_alone(&self, page: &str) -> Jagged<Span> {
        self.apply_with(page, &mut Memory::none())
    }

    /// Whether each rule gives a value on a page.
    pub(super) fn gives_values(&self, page: &str) -> impl Iterator<Item = bool> {
        let places = self
            .memories
            .lend(|memory| self.delimiters.find(page, memory));
        self.rules
            .iter()
            .map(move |rule| rule.gives_value(page.as_bytes(), &places))
    }

    fn apply_with(&self, page: &str, memory: &mut Memory) -> Jagged<Span> {
        let places = self.delimiters.find(page, memory);
        let mut values = Jagged::with_capacity(self.rules.len(), page.len() / 32);
        for rule in &self.rules {
            values.push_with(|values| rule.find_values(page.as_bytes(), &places, values));
        }
        values
    }
}

impl CompiledRule {
    fn find_values(&self, page: &[u8], places: &Jagged<u32>, values: &mut Vec<Span>) {
        let lefts = places.list(self.left);
        match self.right {
            Right::Byte(byte) => {
                let next = |start: u32| {
                    memchr(byte, &page[start as usize..]).map(|length| start + length as u32)
                };
                self.pair(lefts, next, values);
            }
            Right::Found(number) => {
                let mut rights = places.list(number).iter().copied().peekable();
                let next = |start: u32| {
                    while rights.next_if(|&right| right < start).is_some() {}
                    rights.peek().copied()
                };
                self.pair(lefts, next, values);
            }
        }
    }

    /// Whether there is a right delimiter anywhere behind the first left one.
    fn gives_value(&self, page: &[u8], places: &Jagged<u32>) -> bool {
        let Some(left) = places.list(self.left).first() else {
            return false;
        };
        let start = left + self.left_length;
        match self.right {
            Right::Byte(byte) => memchr(byte, &page[start as usize..]).is_some(),
            Right::Found(number) => places
                .list(number)
                .last()
                .is_some_and(|&right| right >= start),
        }
    }

    /// Pairs each left delimiter with the next right one behind it, passing over those in between.
    #[inline]
    fn pair(
        &self,
        lefts: &[u32],
        mut next_right: impl FnMut(u32) -> Option<u32>,
        values: &mut Vec<Span>,
    ) {
        let mut from = 0;
        for &left in lefts {
            if left < from {
                continue;
            }
            let start = left + self.left_length;
            let Some(end) = next_right(start) else { break };
            values.push(Span { start, end });
            from = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One rule by plain searching.
    fn by_searching(rule: &Rule, page: &str) -> Vec<Span> {
        let mut values = Vec::new();
        let mut from = 0;
        while let Some(left) = page[from..]
            .find(&rule.left)
            .map(|at| from + at + rule.left.len())
        {
            let Some(right) = page[left..].find(&rule.right).map(|at| left + at) else {
                break;
            };
            values.push(Span::new(left, right));
            from = right;
        }
        values
    }

    fn delimiter() -> impl Strategy<Value = String> {
        "(<[ab]>|</a>|[ \n]|x|<a|>|long word){1,4}"
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn all_at_once_is_one_by_one(
            rules in prop::collection::vec((delimiter(), delimiter()), 0..8),
            page in "(<[ab]>|</a>|[ \n]|x|y|<a|>|long word){0,40}",
        ) {
            let rules: Vec<Rule> = rules.into_iter().map(|(left, right)| Rule { left, right }).collect();
            let expected: Vec<Vec<Span>> = rules.iter().map(|rule| by_searching(rule, &page)).collect();
            let finder = Finder::new(&rules);
            let found = finder.apply(&page);
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), &expected[..]);
            let gives_values: Vec<bool> = finder.gives_values(&page).collect();
            prop_assert_eq!(gives_values, expected.iter().map(|values| !values.is_empty()).collect::<Vec<_>>());
        }
    }

    /// Pages put together from a few long parts, as a template does it, with something else between
    /// them.
    fn alike_pages() -> impl Strategy<Value = Vec<String>> {
        let part = "(<[ab]>|</a>|[ \n]|x|y|<a|long word){8,20}";
        prop::collection::vec(part, 2..5).prop_flat_map(|parts| {
            let part = prop::sample::select(parts);
            let page = prop::collection::vec(("(<a>|[ \nxy]){0,3}", part), 1..8);
            let page = page.prop_map(|parts| {
                parts
                    .into_iter()
                    .flat_map(|(between, part)| [between, part])
                    .collect()
            });
            prop::collection::vec(page, 2..6)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_memory_changes_nothing(
            rules in prop::collection::vec((delimiter(), delimiter()), 1..8),
            pages in alike_pages(),
        ) {
            let rules: Vec<Rule> = rules.into_iter().map(|(left, right)| Rule { left, right }).collect();
            let finder = Finder::new(&rules);
            for page in &pages {
                let expected: Vec<Vec<Span>> = rules.iter().map(|rule| by_searching(rule, page)).collect();
                let found = finder.apply(page);
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn hundreds_of_delimiters_without_a_tag() {
        let rules: Vec<Rule> = (0..300)
            .map(|number| Rule {
                left: format!(" w{number} "),
                right: format!("\nw{number}"),
            })
            .collect();
        let page: String = (0..2000)
            .map(|word| format!(" w{} x\nw{}", word % 301, word * 7 % 300))
            .collect();
        let expected: Vec<Vec<Span>> = rules.iter().map(|rule| by_searching(rule, &page)).collect();
        assert_eq!(
            Finder::new(&rules).apply(&page).iter().collect::<Vec<_>>(),
            expected
        );
        assert!(expected.iter().flatten().count() > 300);
    }
}
