//! `unmold export`: the rules of a mold for other tools.

use crate::{
    args::{ExportArgs, ExportForm, ExportFormat},
    exit::{Failure, Outcome},
    molds::read_mold,
    output::{self, Destinations},
};
use anyhow::Result;
use unmold::export::regex;

pub fn run(args: &ExportArgs) -> Result<Outcome> {
    Destinations::beside(&args.mold, args.overwrite).file(args.output.as_deref())?;
    let mold = read_mold(&args.mold)?;
    let ExportForm::Regex = args.to;
    let rules = regex::expressions(&mold)?;
    if rules.is_empty() {
        let reason = "no rule of the mold is a regular expression: learn it with --method lr or --method documents";
        return Err(Failure::Nothing(format!("{}: {reason}", args.mold.display())).into());
    }
    output::write_to(args.output.as_deref(), args.overwrite, |out| match args.format {
        ExportFormat::Text => rules.iter().try_for_each(|rule| writeln!(out, "{rule}")),
        ExportFormat::Json => output::jsonl_row(out, &rules),
    })?;
    Ok(Outcome::Done)
}
