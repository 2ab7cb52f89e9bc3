//! All strings of a template as one automaton over symbols (Aho and Corasick 1975).
//!
//! A state is a beginning of a string; states are numbered so that the longest child of a state is the next one, since
//! most have no other. For the union of all matches only the longest string that ends at a symbol counts, unless it is
//! refused there because it begins or ends inside a run of letters.

use crate::mold::template::Edges;
use std::collections::{HashMap, VecDeque};

/// A symbol by number, with the bit for white space before it; [`NO_SYMBOL`] is one that no string has.
pub(super) type Code = u32;

/// A symbol that no string has.
pub(super) const NO_SYMBOL: Code = u32::MAX;

const ROOT: u32 = 0;

/// How a string ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending {
    /// How many symbols the string has.
    pub(super) length: u32,
    /// What it asks of the places before and behind it.
    pub(super) edges: Edges,
}

/// A word that is expected next, in a text of all words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    pub(super) start: u32,
    pub(super) length: u32,
    /// Whether it ends only where a word ends.
    pub(super) is_word: bool,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// The symbol that leads to the next state by number.
    next: Code,
    /// Where that symbol stands in the text of all words, if it can be known without reading on; else its length is 0.
    expected: Expected,
    /// Other symbols that lead to other states, in `others`.
    others: (u32, u32),
    /// Where to go on if no symbol leads further: the longest other string that ends here.
    fallback: u32,
    /// The strings that end here, in `endings`.
    endings: (u32, u32),
}

/// The automaton.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    states: Vec<State>,
    /// The state behind each first symbol, by number: white space before it does not matter.
    first: Vec<u32>,
    /// The other children of states that branch, each state's in order.
    others: Vec<(Code, u32)>,
    endings: Vec<Ending>,
}

impl Automaton {
    /// Makes an automaton of strings over symbols with numbers below `numbers`.
    pub(super) fn new(mut strings: Vec<(Vec<Code>, Ending)>, numbers: usize) -> Self {
        // Sorted, each string shares with the one before it all that it shares with any before it.
        strings.iter_mut().for_each(|(codes, _)| codes[0] &= !1);
        strings.sort();
        strings.dedup();
        let mut automaton =
            Automaton { states: Vec::new(), first: vec![ROOT; numbers], others: Vec::new(), endings: Vec::new() };
        let root = automaton.add_state();
        let mut branches: HashMap<(u32, Code), u32> = HashMap::new();
        let mut own: Vec<Vec<Ending>> = vec![Vec::new()];
        for (codes, ending) in strings {
            let mut state = root;
            for &code in &codes {
                let known = automaton.child(state, code).or_else(|| branches.get(&(state, code)).copied());
                state = known.unwrap_or_else(|| automaton.add_child(state, code, &mut branches));
                own.resize(automaton.states.len(), Vec::new());
            }
            own[state as usize].push(ending);
        }
        automaton.lay_out(branches);
        automaton.link(own);
        automaton
    }

    fn add_state(&mut self) -> u32 {
        self.states.push(State {
            next: NO_SYMBOL,
            expected: Expected::default(),
            others: (0, 0),
            fallback: ROOT,
            endings: (0, 0),
        });
        self.states.len() as u32 - 1
    }

    fn add_child(&mut self, state: u32, code: Code, branches: &mut HashMap<(u32, Code), u32>) -> u32 {
        let child = self.add_state();
        let parent = &mut self.states[state as usize];
        if state == ROOT {
            self.first[(code >> 1) as usize] = child;
        } else if child == state + 1 {
            parent.next = code;
        } else {
            branches.insert((state, code), child);
        }
        child
    }

    #[inline]
    fn child(&self, state: u32, code: Code) -> Option<u32> {
        if state == ROOT {
            return Some(self.first[(code >> 1) as usize]).filter(|&child| child != ROOT);
        }
        let known = &self.states[state as usize];
        if known.next == code {
            return Some(state + 1);
        }
        let others = &self.others[known.others.0 as usize..known.others.1 as usize];
        others.binary_search_by_key(&code, |&(other, _)| other).ok().map(|at| others[at].1)
    }

    /// Puts the children of states that branch side by side.
    fn lay_out(&mut self, branches: HashMap<(u32, Code), u32>) {
        let mut branches: Vec<((u32, Code), u32)> = branches.into_iter().collect();
        branches.sort_unstable();
        for ((state, code), child) in branches {
            let at = self.others.len() as u32;
            let known = &mut self.states[state as usize];
            known.others = (if known.others.1 == 0 { at } else { known.others.0 }, at + 1);
            self.others.push((code, child));
        }
    }

    /// Finds where each state falls back to, in order of length, and which strings end at it.
    fn link(&mut self, own: Vec<Vec<Ending>>) {
        let mut children: Vec<Vec<(Code, u32)>> = vec![Vec::new(); self.states.len()];
        for (state, known) in self.states.iter().enumerate().skip(1).filter(|(_, known)| known.next != NO_SYMBOL) {
            children[state].push((known.next, state as u32 + 1));
        }
        for (state, known) in self.states.iter().enumerate() {
            children[state].extend(&self.others[known.others.0 as usize..known.others.1 as usize]);
        }
        let mut queue: VecDeque<u32> = self.first.iter().copied().filter(|&child| child != ROOT).collect();
        let mut all = own;
        while let Some(state) = queue.pop_front() {
            for (code, child) in std::mem::take(&mut children[state as usize]) {
                self.states[child as usize].fallback = self.step(self.states[state as usize].fallback, code);
                queue.push_back(child);
            }
            let inherited = all[self.states[state as usize].fallback as usize].clone();
            let endings = &mut all[state as usize];
            endings.extend(inherited);
            endings.sort_by_key(|ending| std::cmp::Reverse(*ending));
            keep_useful(endings);
        }
        for (state, endings) in all.into_iter().enumerate() {
            let start = self.endings.len() as u32;
            self.endings.extend(endings);
            self.states[state].endings = (start, self.endings.len() as u32);
        }
    }

    /// The state behind one more symbol.
    #[inline]
    pub(super) fn step(&self, mut state: u32, code: Code) -> u32 {
        loop {
            if let Some(child) = self.child(state, code) {
                return child;
            }
            if state == ROOT {
                return ROOT;
            }
            state = self.states[state as usize].fallback;
        }
    }

    /// Says of each symbol what it looks like, where that is known.
    pub(super) fn expect(&mut self, look: impl Fn(Code) -> Expected) {
        for state in self.states.iter_mut().skip(1).filter(|state| state.next != NO_SYMBOL) {
            state.expected = look(state.next);
        }
    }

    /// What leads to the next state by number, and whether with white space before it.
    #[inline]
    pub(super) fn expected(&self, state: u32) -> (Expected, bool) {
        let State { next, expected, .. } = self.states[state as usize];
        (expected, next & 1 == 1)
    }

    /// The strings that end at a state, the longest first.
    #[inline]
    pub(super) fn endings(&self, state: u32) -> &[Ending] {
        let (start, end) = self.states[state as usize].endings;
        &self.endings[start as usize..end as usize]
    }
}

/// Drops strings that are shorter than one that asks for no more than they do. So a state keeps four at most.
fn keep_useful(endings: &mut Vec<Ending>) {
    let mut kept: Vec<Ending> = Vec::new();
    for ending in endings.iter() {
        let asks_less = |longer: &Ending| {
            longer.edges.starts_word <= ending.edges.starts_word && longer.edges.ends_word <= ending.edges.ends_word
        };
        if !kept.iter().any(asks_less) {
            kept.push(*ending);
        }
    }
    *endings = kept;
}
