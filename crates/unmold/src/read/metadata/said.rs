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

/// No page has more authors or tags than this that are worth a line of their own.
const MOST: usize = 100;

/// All statements of those that are trusted most, each once, in whatever case.
#[derive(Default)]
pub(super) struct SaidList {
    rank: u8,
    statements: Vec<String>,
}

impl SaidList {
    /// Takes a statement in, if there is one. The lower the rank, the more it is trusted.
    pub fn hear(&mut self, rank: u8, statement: Option<String>) {
        let Some(statement) = statement else { return };
        if self.is_open(rank) {
            (self.rank, self.statements) = (rank, vec![statement]);
        } else if rank == self.rank && self.statements.len() < MOST && !self.has(&statement) {
            self.statements.push(statement);
        }
    }

    /// Whether nothing is known yet that is trusted as much.
    pub fn is_open(&self, rank: u8) -> bool {
        self.statements.is_empty() || rank < self.rank
    }

    fn has(&self, statement: &str) -> bool {
        let folded = statement.to_lowercase();
        self.statements
            .iter()
            .any(|known| known.to_lowercase() == folded)
    }

    pub fn get(self) -> Vec<String> {
        self.statements
    }
}
