//! `unmold export`: the rules of a mold for other tools.

use super::extract::read_mold;
use crate::{
    args::{ExportArgs, ExportForm},
    exit::Outcome,
    output,
};
use anyhow::Result;
use std::io::{self, Write};
use unmold::mold::{Mold, View, regex};

pub fn run(args: &ExportArgs) -> Result<Outcome> {
    let mold = read_mold(&args.mold)?;
    let ExportForm::Regex = args.to;
    output::write_to(args.output.as_deref(), args.overwrite, |out| write_regexes(out, &mold))?;
    Ok(Outcome::Done)
}

fn write_regexes(out: &mut dyn Write, mold: &Mold) -> io::Result<()> {
    for field in mold.groups.iter().flat_map(|group| &group.fields) {
        for view in &field.views {
            if let View::Lr(rule) = view {
                writeln!(out, "{}\t{}", field.name, regex::of_lr(rule))?;
            }
        }
    }
    Ok(())
}
