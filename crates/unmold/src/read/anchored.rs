//! Which of some expressions matches from here on?
//!
//! A search has to find where a match begins, by a second automaton that reads backwards. Here this
//! is known, so the one that reads forwards is enough; for expressions with the names of months in
//! all languages the other would take longer to make than a page to read.

use regex_automata::{
    Anchored, HalfMatch, Input, MatchError,
    hybrid::dfa::{Cache, DFA},
    meta,
    nfa::thompson::{self, WhichCaptures},
    util::pool::Pool,
};
use regex_syntax::hir::Hir;
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

type Caches = Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync>>;

/// Expressions that are asked for at known places only.
pub(super) struct AnchoredExpressions {
    expressions: Vec<Hir>,
    /// `None` if there is none that fits into its memory.
    automaton: Option<(Arc<DFA>, Caches)>,
    /// Made when the automaton gives up for the first time: it does so at the end of a word in a
    /// script other than Latin, and where nearly each byte needs a new state.
    any: OnceLock<meta::Regex>,
}

impl AnchoredExpressions {
    pub fn new(expressions: Vec<Hir>) -> Self {
        AnchoredExpressions {
            automaton: automaton(&expressions).map(with_caches),
            expressions,
            any: OnceLock::new(),
        }
    }

    pub fn expressions(&self) -> &[Hir] {
        &self.expressions
    }

    /// The first expression that matches from the start of an anchored input on, and where its
    /// match ends.
    pub fn find(&self, input: &Input<'_>) -> Option<HalfMatch> {
        debug_assert_eq!(
            input.get_anchored(),
            Anchored::Yes,
            "the automaton does not tell where a match begins"
        );
        self.find_by_automaton(input)
            .unwrap_or_else(|_| self.any().search_half(input))
    }

    fn find_by_automaton(&self, input: &Input<'_>) -> Result<Option<HalfMatch>, MatchError> {
        let Some((automaton, caches)) = &self.automaton else {
            return Err(MatchError::gave_up(input.start()));
        };
        automaton.try_search_fwd(&mut caches.get(), input)
    }

    fn any(&self) -> &meta::Regex {
        self.any.get_or_init(|| {
            meta::Builder::new()
                .build_many_from_hir(&self.expressions)
                .expect("each was compiled on its own before")
        })
    }
}

fn automaton(expressions: &[Hir]) -> Option<DFA> {
    /// An automaton gives up that forgot all its states so often,
    const FORGOTTEN: usize = 3;
    /// and then needs a new one this often.
    const BYTES_PER_STATE: usize = 10;
    let plain = thompson::Config::new().which_captures(WhichCaptures::None);
    let states = thompson::Compiler::new()
        .configure(plain)
        .build_many_from_hir(expressions)
        .ok()?;
    let lazily = DFA::config()
        .unicode_word_boundary(true)
        .minimum_cache_clear_count(Some(FORGOTTEN))
        .minimum_bytes_per_state(Some(BYTES_PER_STATE));
    DFA::builder().configure(lazily).build_from_nfa(states).ok()
}

fn with_caches(automaton: DFA) -> (Arc<DFA>, Caches) {
    let automaton = Arc::new(automaton);
    let of = Arc::clone(&automaton);
    (automaton, Pool::new(Box::new(move || of.create_cache())))
}

impl fmt::Debug for AnchoredExpressions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnchoredExpressions")
            .field(&self.expressions.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expressions(patterns: &[&str]) -> AnchoredExpressions {
        AnchoredExpressions::new(
            patterns
                .iter()
                .map(|pattern| regex_syntax::parse(pattern).unwrap())
                .collect(),
        )
    }

    proptest! {
        #[test]
        fn the_automaton_finds_what_any_engine_finds(text in "[a-cé東 1٣]{0,12}", start in 0usize..4) {
            prop_assume!(text.is_char_boundary(start));
            let expressions = expressions(&[r"a+b|a", r"\p{L}+\b", r"\d{1,3}", r"[^c]c"]);
            let input = Input::new(&text).range(start..).anchored(Anchored::Yes);
            prop_assert_eq!(expressions.find(&input), expressions.any().search_half(&input));
        }
    }

    #[test]
    fn it_gives_up_only_where_it_cannot_tell() {
        let found = |text: &str| {
            expressions(&[r"\w+\b"]).find_by_automaton(&Input::new(text).anchored(Anchored::Yes))
        };
        assert_eq!(found("word ").unwrap().map(|found| found.offset()), Some(4));
        assert!(found("слово ").is_err());
    }

    #[test]
    fn none_match_nothing() {
        assert_eq!(
            expressions(&[]).find(&Input::new("text").anchored(Anchored::Yes)),
            None
        );
    }
}
