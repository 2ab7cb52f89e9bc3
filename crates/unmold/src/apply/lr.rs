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
//! from there. All delimiters, left and right, are found at once, and then paired.

use super::delimiters::Delimiters;
use crate::{Span, mold::lr::Rule};

/// Rules made ready for use.
#[derive(Clone, Debug)]
pub struct Wrapper {
    delimiters: Delimiters,
    rules: Vec<CompiledRule>,
}

#[derive(Clone, Debug)]
struct CompiledRule {
    /// The delimiters, by number.
    left: usize,
    right: usize,
    left_length: u32,
}

impl Wrapper {
    /// Makes rules ready.
    pub fn new(rules: &[Rule]) -> Self {
        let delimiters = Delimiters::new(rules.iter().flat_map(|rule| [rule.left.as_str(), rule.right.as_str()]));
        let compiled = rules.iter().map(|rule| CompiledRule {
            left: delimiters.number(&rule.left),
            right: delimiters.number(&rule.right),
            left_length: rule.left.len() as u32,
        });
        Wrapper { rules: compiled.collect(), delimiters }
    }

    /// The values of each rule on a page, in page order.
    pub fn apply(&self, page: &str) -> Vec<Vec<Span>> {
        let places = self.delimiters.find(page);
        self.rules.iter().map(|rule| rule.values(&places[rule.left], &places[rule.right])).collect()
    }
}

impl CompiledRule {
    /// Pairs each left delimiter with the next right one behind it, passing over those in between.
    fn values(&self, lefts: &[u32], mut rights: &[u32]) -> Vec<Span> {
        let mut values = Vec::new();
        let mut from = 0;
        for &left in lefts {
            if left < from {
                continue;
            }
            let start = left + self.left_length;
            let passed = rights.iter().take_while(|&&right| right < start).count();
            rights = &rights[passed..];
            let Some(&end) = rights.first() else { break };
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
            prop_assert_eq!(Wrapper::new(&rules).apply(&page), expected);
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
