//! Lists what the loader sees in its arguments: a line for every page, skipped item and fault, then
//! the tally.
//!
//! ```text
//! cargo run -p unmold-io --example list -- crawl.warc.gz pages/
//! ```

use std::io::{self, Write};

use unmold_io::{LoadSettings, Loaded, load};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut items = load(std::env::args_os().skip(1), &LoadSettings::default());
    for item in items.by_ref() {
        match item {
            Loaded::Page(page) => {
                writeln!(
                    out,
                    "page     {} ({} bytes)",
                    page.id().escape_debug(),
                    page.bytes().len()
                )?;
            }
            Loaded::Cut(_, fault) => writeln!(out, "cut      {fault}")?,
            Loaded::Skipped(skipped) => writeln!(out, "skipped  {skipped}")?,
            Loaded::Fault(fault) => writeln!(out, "fault    {fault}")?,
        }
    }
    let notes: Vec<String> = items
        .tally()
        .notes()
        .map(|(note, count)| format!("{} {count}", note.name()))
        .collect();
    eprintln!("{}", items.tally());
    eprintln!(
        "notes: {}",
        if notes.is_empty() {
            "none".to_owned()
        } else {
            notes.join(", ")
        }
    );
    Ok(())
}
