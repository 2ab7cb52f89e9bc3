//! All strings of a template as one automaton over symbols (Aho and Corasick 1975).
//!
//! A state is a beginning of a string: the longest one that the symbols read so far end with. The
//! automaton is small and is walked for every symbol of a page, so it is kept close together: most
//! states go on with one symbol only, which leads to the next state by number; what else follows a
//! state is a row with many gaps, and rows are laid over each other so that they fill them.

/// A symbol by number, with the bit for white space before it.
pub(super) type Code = u32;

/// The state in which nothing has been read.
pub(super) const ROOT: u32 = 0;

/// No symbol has this code.
const NO_CODE: Code = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct State {
    /// The symbol that leads to the next state by number.
    next: Code,
    /// Where the row of other symbols begins in the slots.
    row: u32,
    /// Where to look if no symbol leads further: the longest shorter beginning that ends here and
    /// goes on.
    fallback: u32,
    /// How many symbols the longest string has that ends here; 0 if none does.
    longest: u32,
}

/// What follows a state with some symbol.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The state whose row the slot belongs to.
    of: u32,
    next: u32,
}

/// The automaton.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    states: Vec<State>,
    /// The state behind each symbol alone, by number: white space before it does not matter.
    first: Vec<u32>,
    slots: Vec<Slot>,
}

impl Automaton {
    /// Makes an automaton of strings over symbols with numbers below `numbers`.
    pub(super) fn new(strings: impl IntoIterator<Item = Vec<Code>>, numbers: usize) -> Self {
        let draft = Draft::new(strings);
        let mut first = vec![ROOT; numbers];
        draft.states[0]
            .children
            .iter()
            .for_each(|&(code, child)| first[(code >> 1) as usize] = child);
        let rows: Vec<Row> = (0..draft.states.len())
            .map(|state| draft.row(state))
            .collect();
        let starts = row_starts(&rows);
        let states = draft.states.iter().zip(&starts).enumerate();
        let states = states.map(|(number, (state, &row))| State {
            next: draft.next(number).unwrap_or(NO_CODE),
            row,
            fallback: draft.going_on(state.fallback),
            longest: state.longest,
        });
        let states = states.collect();
        let highest = starts.iter().copied().max().unwrap_or(0) as usize;
        let mut slots = vec![
            Slot {
                of: ROOT,
                next: ROOT
            };
            highest + 2 * numbers
        ];
        for ((of, row), &start) in (0u32..).zip(&rows).zip(&starts) {
            row.iter()
                .for_each(|&(code, next)| slots[(start + code) as usize] = Slot { of, next });
        }
        Automaton {
            states,
            first,
            slots,
        }
    }

    /// The state behind one more symbol.
    #[inline]
    pub(super) fn step(&self, mut state: u32, code: Code) -> u32 {
        while state != ROOT {
            let State {
                next,
                row,
                fallback,
                ..
            } = self.states[state as usize];
            if next == code {
                return state + 1;
            }
            let slot = self.slots[(row + code) as usize];
            if slot.of == state {
                return slot.next;
            }
            state = fallback;
        }
        self.first[(code >> 1) as usize]
    }

    /// How many symbols the longest string has that ends at a state; 0 if none does.
    #[inline]
    pub(super) fn longest(&self, state: u32) -> u32 {
        self.states[state as usize].longest
    }
}

/// Which states follow with which symbols, in order of symbols.
type Row = Vec<(Code, u32)>;

/// The beginnings of strings, before they are laid out.
struct Draft {
    states: Vec<DraftState>,
}

#[derive(Default)]
struct DraftState {
    children: Row,
    depth: u32,
    /// The longest shorter beginning that ends as this one does.
    fallback: u32,
    longest: u32,
}

impl Draft {
    fn new(strings: impl IntoIterator<Item = Vec<Code>>) -> Self {
        let mut draft = Draft {
            states: vec![DraftState::default()],
        };
        for mut codes in strings {
            codes[0] &= !1;
            let mut at = 0;
            for code in codes {
                at = draft.child(at, code);
            }
            let end = &mut draft.states[at as usize];
            end.longest = end.depth;
        }
        draft.link();
        draft
    }

    /// The state behind another, made if need be.
    fn child(&mut self, parent: u32, code: Code) -> u32 {
        let next = self.states.len() as u32;
        let DraftState {
            children, depth, ..
        } = &mut self.states[parent as usize];
        let depth = *depth + 1;
        match children.binary_search_by_key(&code, |&(known, _)| known) {
            Ok(at) => children[at].1,
            Err(at) => {
                children.insert(at, (code, next));
                self.states.push(DraftState {
                    depth,
                    ..DraftState::default()
                });
                next
            }
        }
    }

    /// States in order of depth, without the first.
    fn by_depth(&self) -> Vec<u32> {
        let mut by_depth: Vec<u32> = (1..self.states.len() as u32).collect();
        by_depth.sort_by_key(|&state| self.states[state as usize].depth);
        by_depth
    }

    /// Finds where each state falls back to, and the longest string that ends at it.
    fn link(&mut self) {
        for at in self.by_depth() {
            let DraftState {
                fallback, longest, ..
            } = self.states[at as usize];
            if longest == 0 {
                self.states[at as usize].longest = self.states[fallback as usize].longest;
            }
            for child in 0..self.states[at as usize].children.len() {
                let (code, child) = self.states[at as usize].children[child];
                self.states[child as usize].fallback = self.step(fallback, code);
            }
        }
    }

    fn step(&self, mut state: u32, code: Code) -> u32 {
        loop {
            let code = if state == 0 { code & !1 } else { code };
            let children = &self.states[state as usize].children;
            match children.binary_search_by_key(&code, |&(known, _)| known) {
                Ok(at) => return children[at].1,
                Err(_) if state == 0 => return 0,
                Err(_) => state = self.states[state as usize].fallback,
            }
        }
    }

    /// The symbol that leads from a state to the next one by number.
    fn next(&self, state: usize) -> Option<Code> {
        let children = self.states[state].children.iter();
        children
            .filter(|&&(_, child)| state != 0 && child as usize == state + 1)
            .map(|&(code, _)| code)
            .next()
    }

    /// What else follows a state. What follows the root is listed apart.
    fn row(&self, state: usize) -> Row {
        let children = self.states[state].children.iter();
        children
            .filter(|&&(_, child)| state != 0 && child as usize != state + 1)
            .copied()
            .collect()
    }

    /// The state itself, or the first one that it falls back to which goes on.
    fn going_on(&self, mut state: u32) -> u32 {
        while state != ROOT && self.states[state as usize].children.is_empty() {
            state = self.states[state as usize].fallback;
        }
        state
    }
}

/// Finds a place for each row so that no two have a symbol in the same slot. A row that does not
/// find one soon begins behind all others.
fn row_starts(rows: &[Row]) -> Vec<u32> {
    const TRIES: usize = 100;
    let mut taken: Vec<bool> = Vec::new();
    let is_taken = |taken: &[bool], at: usize| taken.get(at).copied().unwrap_or(false);
    let mut free = 0;
    let mut starts = Vec::with_capacity(rows.len());
    for row in rows {
        let (Some(&(lowest, _)), Some(&(highest, _))) = (row.first(), row.last()) else {
            starts.push(0);
            continue;
        };
        while is_taken(&taken, free) {
            free += 1;
        }
        let from = free.saturating_sub(lowest as usize);
        let fits = |start: &usize| {
            row.iter()
                .all(|&(code, _)| !is_taken(&taken, start + code as usize))
        };
        let start = (from..from + TRIES).find(fits).unwrap_or_else(|| {
            free += TRIES / 10;
            taken.len()
        });
        taken.resize(taken.len().max(start + highest as usize + 1), false);
        row.iter()
            .for_each(|&(code, _)| taken[start + code as usize] = true);
        starts.push(start as u32);
    }
    starts
}
