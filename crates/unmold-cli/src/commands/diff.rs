//! `unmold diff`: what is different between two molds.

use crate::{
    args::{DiffArgs, ReportFormat},
    exit::Outcome,
    molds::read_mold,
    output,
    terminal::visible,
};
use anyhow::Result;
use unmold::check::diff;

pub fn run(args: &DiffArgs) -> Result<Outcome> {
    let differences = diff(&read_mold(&args.before)?, &read_mold(&args.after)?);
    output::write_to(None, false, |out| match args.format {
        ReportFormat::Json => output::jsonl_row(out, &differences),
        ReportFormat::Table if differences.is_empty() => writeln!(out, "nothing is different"),
        ReportFormat::Table => differences
            .iter()
            .flat_map(|difference| {
                difference
                    .to_string()
                    .lines()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .try_for_each(|line| writeln!(out, "{}", visible(&line))),
    })?;
    Ok(if differences.is_empty() {
        Outcome::Done
    } else {
        Outcome::Changed
    })
}
