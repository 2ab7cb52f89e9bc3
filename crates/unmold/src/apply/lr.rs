//! LR rules, applied all at once.
//!
//! ```
//! use unmold::{apply::lr::Wrapper, mold::lr::Rule};
//!
//! let rule = |left: &str, right: &str| Rule { left: left.into(), right: right.into() };
//! let wrapper = Wrapper::new(&[rule("<b>", "</b>"), rule(" <i>", "</i><br>")]);
//! let page = "<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>";
//! let found = wrapper.apply(page);
//! assert_eq!(found[0].iter().map(|value| value.of(page)).collect::<Vec<_>>(), ["Congo", "Egypt"]);
//! assert_eq!(found[1].iter().map(|value| value.of(page)).collect::<Vec<_>>(), ["242", "20"]);
//! ```
//!
//! A value begins behind a left delimiter and ends before the next right one; the search for the next value goes on
//! from there. All left delimiters are found at once. Where rules are few, a right one is looked for behind each left
//! one, which is nearly always close; where they are many, some right ones are always far, and all are found at once.

use super::delimiters::Delimiters;
use crate::{Span, mold::lr::Rule};
use memchr::memmem;

/// Rules made ready for use.
#[derive(Clone, Debug)]
pub struct Wrapper {
    delimiters: Delimiters,
    rules: Vec<CompiledRule>,
}

#[derive(Clone, Debug)]
struct CompiledRule {
    /// The left delimiter, by number, and its length.
    left: usize,
    left_length: u32,
    right: Right,
}

/// How right delimiters are found.
#[derive(Clone, Debug)]
enum Right {
    /// Behind each left one.
    Searched(Box<memmem::Finder<'static>>),
    /// With all others; by number.
    Found(usize),
}

/// With more rules than this, right delimiters are found at once.
const FEW_RULES: usize = 150;

impl Wrapper {
    /// Makes rules ready.
    pub fn new(rules: &[Rule]) -> Self {
        let few = rules.len() <= FEW_RULES;
        let lefts = rules.iter().map(|rule| rule.left.as_str());
        let rights = rules.iter().map(|rule| rule.right.as_str()).filter(|_| !few);
        let delimiters = Delimiters::new(lefts.chain(rights));
        let compiled = rules.iter().map(|rule| CompiledRule {
            left: delimiters.number(&rule.left),
            left_length: rule.left.len() as u32,
            right: if few {
                Right::Searched(Box::new(memmem::Finder::new(rule.right.as_bytes()).into_owned()))
            } else {
                Right::Found(delimiters.number(&rule.right))
            },
        });
        Wrapper { rules: compiled.collect(), delimiters }
    }

    /// The values of each rule on a page, in page order.
    pub fn apply(&self, page: &str) -> Vec<Vec<Span>> {
        let places = self.delimiters.find(page);
        self.rules.iter().map(|rule| rule.values(page.as_bytes(), &places)).collect()
    }
}

impl CompiledRule {
    fn values(&self, page: &[u8], places: &[Vec<u32>]) -> Vec<Span> {
        let lefts = &places[self.left];
        match &self.right {
            Right::Searched(finder) => {
                self.paired(lefts, |start| finder.find(&page[start as usize..]).map(|length| start + length as u32))
            }
            Right::Found(number) => {
                let mut rights = places[*number].as_slice();
                self.paired(lefts, |start| {
                    let passed = rights.iter().take_while(|&&right| right < start).count();
                    rights = &rights[passed..];
                    rights.first().copied()
                })
            }
        }
    }

    /// Pairs each left delimiter with the next right one behind it, passing over those in between.
    fn paired(&self, lefts: &[u32], mut next_right: impl FnMut(u32) -> Option<u32>) -> Vec<Span> {
        let mut values = Vec::new();
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
        values
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
        while let Some(left) = page[from..].find(&rule.left).map(|at| from + at + rule.left.len()) {
            let Some(right) = page[left..].find(&rule.right).map(|at| left + at) else { break };
            values.push(Span::new(left, right));
            from = right;
        }
        values
    }

    fn delimiter() -> impl Strategy<Value = String> {
        "(<[ab]>|</a>|[ \n]|x|<a|>){1,4}"
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn all_at_once_is_one_by_one(
            rules in prop::collection::vec((delimiter(), delimiter()), 0..8),
            page in "(<[ab]>|</a>|[ \n]|x|y|<a|>){0,40}",
        ) {
            let rules: Vec<Rule> = rules.into_iter().map(|(left, right)| Rule { left, right }).collect();
            let expected: Vec<Vec<Span>> = rules.iter().map(|rule| by_searching(rule, &page)).collect();
            prop_assert_eq!(Wrapper::new(&rules).apply(&page), expected.clone());
            let many: Vec<Rule> = (0..=FEW_RULES).flat_map(|_| rules.clone()).collect();
            let found = Wrapper::new(&many).apply(&page);
            prop_assert!(found.chunks(rules.len().max(1)).all(|found| found == expected));
        }
    }

    #[test]
    fn more_delimiters_than_can_be_compared_at_once() {
        let rules: Vec<Rule> =
            (0..300).map(|number| Rule { left: format!(" w{number} "), right: format!("\nw{number}") }).collect();
        let page: String = (0..2000).map(|word| format!(" w{} x\nw{}", word % 301, word * 7 % 300)).collect();
        let expected: Vec<Vec<Span>> = rules.iter().map(|rule| by_searching(rule, &page)).collect();
        assert_eq!(Wrapper::new(&rules).apply(&page), expected);
        assert!(expected.iter().flatten().count() > 300);
    }
}
