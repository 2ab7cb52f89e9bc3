//! Of several statements, which counts?

/// One statement: the first of those that are trusted most.
#[derive(Default)]
pub(super) struct Said(Option<(u8, String)>);

impl Said {
    /// Takes a statement in, if there is one. The lower the rank, the more it is trusted.
    pub fn hear(&mut self, rank: u8, statement: Option<String>) {
        let counts = self.0.as_ref().is_none_or(|&(known, _)| rank < known);
        if let Some(statement) = statement.filter(|_| counts) {
            self.0 = Some((rank, statement));
        }
    }

    pub fn get(&self) -> Option<String> {
        self.0.as_ref().map(|(_, statement)| statement.clone())
    }
}

/// There are as many kinds of markup that are trusted differently.
const RANKS: usize = 4;
/// No page has more authors or tags than this that are worth a line of their own.
const MOST: usize = 100;

/// Statements by how much they are trusted, each once, in whatever case.
#[derive(Default)]
pub(super) struct SaidList {
    by_rank: [Vec<String>; RANKS],
}

impl SaidList {
    /// Takes a statement in, if there is one. The lower the rank, the more it is trusted.
    pub fn hear(&mut self, rank: u8, statement: Option<String>) {
        let Some(statement) = statement else { return };
        let Some(known) = self.by_rank.get_mut(usize::from(rank)) else {
            return;
        };
        if known.len() < MOST && !has(known, &statement) {
            known.push(statement);
        }
    }

    /// Whether nothing is known yet that is trusted as much.
    pub fn is_open(&self, rank: u8) -> bool {
        let mut trusted = self.by_rank.iter().take(usize::from(rank) + 1);
        trusted.all(Vec::is_empty)
    }

    /// All statements of those that are trusted most.
    pub fn get(self) -> Vec<String> {
        self.get_but(&[])
    }

    /// All statements of those that are trusted most and say something else than some others; if
    /// there are none, of those that are trusted most.
    pub fn get_but(self, others: &[String]) -> Vec<String> {
        let mut stated = self
            .by_rank
            .into_iter()
            .filter(|of_rank| !of_rank.is_empty());
        let Some(first) = stated.next() else {
            return Vec::new();
        };
        let says_more =
            |statements: &Vec<String>| statements.iter().any(|statement| !has(others, statement));
        if says_more(&first) {
            return first;
        }
        stated.find(says_more).unwrap_or(first)
    }
}

/// Whether a statement is among some, in whatever case.
fn has(statements: &[String], statement: &str) -> bool {
    let folded = statement.to_lowercase();
    statements
        .iter()
        .any(|known| known.to_lowercase() == folded)
}
