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
//! from there. All left delimiters are found in one pass over the page; a right one is looked for only behind a left
//! one, and is nearly always close.

use super::delimiters::Delimiters;
use crate::{Span, mold::lr::Rule};
use memchr::memmem;

/// Rules made ready for use.
#[derive(Clone, Debug)]
pub struct Wrapper {
    lefts: Delimiters,
    rules: Vec<CompiledRule>,
}

#[derive(Clone, Debug)]
struct CompiledRule {
    /// The left delimiter, by number, and its length.
    left: usize,
    left_length: usize,
    right: memmem::Finder<'static>,
}

impl Wrapper {
    /// Makes rules ready.
    pub fn new(rules: &[Rule]) -> Self {
        let lefts = Delimiters::new(rules.iter().map(|rule| rule.left.as_str()));
        let compiled = rules.iter().map(|rule| CompiledRule {
            left: lefts.number(&rule.left),
            left_length: rule.left.len(),
            right: memmem::Finder::new(rule.right.as_bytes()).into_owned(),
        });
        Wrapper { rules: compiled.collect(), lefts }
    }

    /// The values of each rule on a page, in page order.
    pub fn apply(&self, page: &str) -> Vec<Vec<Span>> {
        let places = self.lefts.find(page);
        self.rules.iter().map(|rule| rule.values(page, &places[rule.left])).collect()
    }
}

impl CompiledRule {
    /// Pairs each left delimiter with the next right one behind it, passing over those in between.
    fn values(&self, page: &str, lefts: &[u32]) -> Vec<Span> {
        let mut values = Vec::new();
        let mut from = 0;
        for left in lefts.iter().map(|&left| left as usize) {
            if left < from {
                continue;
            }
            let start = left + self.left_length;
            let Some(length) = self.right.find(&page.as_bytes()[start..]) else { break };
            values.push(Span::new(start, start + length));
            from = start + length;
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
