//! What is too much, and what is known to be.

use super::Row;

/// The largest slope of work: 1 is linear, 2 is quadratic. Sorting takes a little more than linear work.
pub const MAX_SLOPE: f64 = 1.15;

/// What a command may hold for each byte of its pages, and beside them.
const MEMORY_PER_BYTE: u64 = 40;
const MEMORY_BESIDE: u64 = 64 << 20;

/// What a command may write for each byte of its pages, and beside them.
const OUTPUT_PER_BYTE: u64 = 20;
const OUTPUT_BESIDE: u64 = 1 << 20;

/// Families and commands that are above the slope, with the reason. A name stands for all families that begin with it.
pub const KNOWN: &[(&str, &str, &str)] = &[
    ("one JSON-LD object", "learn", ONE_OBJECT),
    ("one JSON-LD object", "extract", ONE_OBJECT),
    ("one JSON-LD object", "clean", ONE_OBJECT),
    ("one JSON-LD object", "check", ONE_OBJECT),
    ("terms", "extract", LABELLED_VALUES),
    ("terms", "check", LABELLED_VALUES),
];

/// One declared object with many properties.
const ONE_OBJECT: &str =
    "steep in the properties of one object, cause not found yet; a page has at most 100,000 values";

/// Lists of terms, read page by page.
const LABELLED_VALUES: &str = "names of labelled values are kept in a list and searched one by one";

/// What there is to say of a row.
pub struct Finding {
    above: Vec<&'static str>,
    reason: Option<&'static str>,
}

impl Finding {
    pub fn of(row: &Row) -> Self {
        let mut above = Vec::new();
        if row.is_steep() {
            above.push("work");
        }
        if row.memory() > MEMORY_PER_BYTE * row.input() + MEMORY_BESIDE {
            above.push("memory");
        }
        if row.output() > OUTPUT_PER_BYTE * row.input() + OUTPUT_BESIDE {
            above.push("output");
        }
        let known = KNOWN.iter().find(|(family, command, _)| {
            row.family.starts_with(family) && row.command.name() == *command
        });
        Finding {
            above,
            reason: known.map(|(_, _, reason)| *reason),
        }
    }

    /// Whether a limit is passed and nobody said why.
    pub fn is_unlisted(&self) -> bool {
        !self.above.is_empty() && self.reason.is_none()
    }

    pub fn is_worth_a_line(&self) -> bool {
        !self.above.is_empty()
    }

    pub fn remark(&self) -> String {
        let mut remark = self.above.join(", ");
        if let Some(reason) = self.reason {
            remark = format!("{remark}: {reason}");
        }
        remark
    }
}
