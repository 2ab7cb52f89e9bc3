//! `unmold export`: the rules of a mold for other tools.

use crate::{
    args::{ExportArgs, ExportForm, ExportFormat},
    exit::{Failure, Outcome},
    molds::read_mold,
    output,
};
use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write};
use unmold::{
    fields::View,
    lr::regex,
    mold::{Group, Mold},
};

pub fn run(args: &ExportArgs) -> Result<Outcome> {
    let mold = read_mold(&args.mold)?;
    let ExportForm::Regex = args.to;
    let rules = rules(&mold)?;
    if rules.is_empty() {
        let reason = "no rule of the mold is a regular expression: learn it with --method lr or --method documents";
        return Err(Failure::Nothing(format!("{}: {reason}", args.mold.display())).into());
    }
    output::write_to(args.output.as_deref(), args.overwrite, |out| match args.format {
        ExportFormat::Text => rules.iter().try_for_each(|rule| rule.write(out)),
        ExportFormat::Json => output::jsonl_row(out, &rules),
    })?;
    Ok(Outcome::Done)
}

/// A rule of a mold as a regular expression.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Rule<'m> {
    /// The value is the first group.
    Field { group: &'m str, name: &'m str, expression: String },
    /// All that it matches is template.
    Template { group: &'m str, expression: String, tf: usize, df: usize },
}

impl Rule<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Rule::Field { name, expression, .. } => writeln!(out, "{name}\t{expression}"),
            Rule::Template { expression, tf, df, .. } => writeln!(out, "# on {df} pages, {tf} times\n{expression}"),
        }
    }
}

fn rules(mold: &Mold) -> Result<Vec<Rule<'_>>> {
    let mut rules = Vec::new();
    for group in &mold.groups {
        rules.extend(fields(group));
        rules.extend(template(group)?);
    }
    Ok(rules)
}

fn fields(group: &Group) -> impl Iterator<Item = Rule<'_>> {
    group.fields.iter().flat_map(move |field| {
        field.views.iter().filter_map(move |view| match view {
            View::Lr(rule) => {
                Some(Rule::Field { group: &group.name, name: &field.name, expression: regex::of_lr(rule) })
            }
            _ => None,
        })
    })
}

fn template(group: &Group) -> Result<Vec<Rule<'_>>> {
    let Some(template) = &group.template else { return Ok(Vec::new()) };
    let expressions = template.expressions()?.into_iter().zip(&template.strings);
    let rule = |(expression, string): (String, &unmold::strings::rule::TemplateString)| Rule::Template {
        group: &group.name,
        expression,
        tf: string.tf,
        df: string.df,
    };
    Ok(expressions.map(rule).collect())
}
