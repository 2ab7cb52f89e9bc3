//! Options about tables.

use super::RowFormat;
use crate::exit::Failure;
use clap::Args as ClapArgs;
use unmold::report::table::Csv;

/// How values are written.
#[derive(Debug, Default, ClapArgs)]
#[command(next_help_heading = "Table options")]
pub struct TableOptions {
    /// With -f csv: what stands between several values in one cell, \n for a line break, \t for a
    /// tab [default: \n]
    #[arg(long, value_name = "TEXT", value_parser = unescaped)]
    pub list_separator: Option<String>,
    /// With -f csv: put a ' before cells that a spreadsheet would take for formulas, which begin
    /// with = + - or @.
    #[arg(long)]
    pub spreadsheet_safe: bool,
    /// With -f jsonl: numbers, days (as in ISO 8601), true and false as such where all values of a
    /// column are.
    #[arg(long)]
    pub typed: bool,
}

impl TableOptions {
    /// Refuses options that say nothing about the format.
    pub fn check(&self, format: RowFormat) -> Result<(), Failure> {
        let (is_csv, is_jsonl) = (format == RowFormat::Csv, format == RowFormat::Jsonl);
        let wrong = [
            (
                self.list_separator.is_some() && !is_csv,
                "--list-separator goes with -f csv",
            ),
            (
                self.spreadsheet_safe && !is_csv,
                "--spreadsheet-safe goes with -f csv",
            ),
            (
                self.typed && !is_jsonl,
                "--typed goes with -f jsonl: Parquet is typed anyway, CSV has text only",
            ),
        ];
        match wrong.iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, reason)) => Err(Failure::Usage((*reason).to_owned())),
            None => Ok(()),
        }
    }

    /// How CSV is written.
    pub fn csv(&self) -> Csv {
        let csv = Csv::default().spreadsheet_safe(self.spreadsheet_safe);
        match &self.list_separator {
            Some(separator) => csv.separator(separator),
            None => csv,
        }
    }
}

/// What was typed for a text that may hold line breaks and tabs.
fn unescaped(typed: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = typed.chars();
    while let Some(c) = rest.next() {
        text.push(match (c, if c == '\\' { rest.next() } else { None }) {
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some('\\')) => '\\',
            ('\\', other) => {
                let other = other.map_or_else(String::new, |other| other.to_string());
                return Err(format!("\\{other} is none of \\n, \\t and \\\\"));
            }
            (c, _) => c,
        });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_and_unknown_ones_refused() {
        assert_eq!(unescaped("; ").unwrap(), "; ");
        assert_eq!(unescaped("\\n\\t\\\\|").unwrap(), "\n\t\\|");
        assert!(unescaped("\\x").unwrap_err().contains("\\x"));
        assert!(unescaped("\\").is_err());
    }
}
