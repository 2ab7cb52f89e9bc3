//! `unmold export`: the rules of a mold for other tools.

use crate::{
    args::{ExportArgs, ExportFormat, Global},
    corpus::Corpus,
    exit::{Failure, Outcome},
    molds::{choose, read_mold},
    output::{self, Destinations},
    progress::Progress,
    terminal::{counted, visible},
};
use anyhow::Result;
use unmold::{
    Mold, Text,
    export::{Exported, ExportedRule, State, Target, export, regex},
};

pub fn run(args: &ExportArgs, global: &Global) -> Result<Outcome> {
    let inputs = args.inputs();
    Destinations::of(&inputs, args.overwrite)?
        .reads([args.mold.as_path()])
        .file(args.output.as_deref())?;
    let mut mold = read_mold(&args.mold)?;
    choose(&mut mold, &args.choice)?;
    if args.to == Target::Regex && mold.learned.method != "fields" && args.pages.is_empty() {
        return expressions(args, &mold);
    }
    let mut progress = Progress::new(global.quiet);
    let corpus = if inputs.inputs.is_empty() {
        None
    } else {
        Some(Corpus::read(&inputs, global, &mut progress)?)
    };
    progress.begin("exporting");
    let pages: &[Text] = corpus.as_ref().map_or(&[], |corpus| &corpus.texts);
    let exported = export(&mold, args.to, pages)?;
    say_proofs(&exported, &mut progress);
    if exported.rules.iter().all(|rule| rule.rule.is_none()) {
        let reason =
            "no rule of the mold can be said in this form: give sample pages, or another form";
        return Err(Failure::Nothing(format!("{}: {reason}", args.mold.display())).into());
    }
    drop(progress);
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        match args.format {
            ExportFormat::Text => out.write_all(exported.text.as_bytes()),
            ExportFormat::Json => output::jsonl_row(out, &exported.rules),
        }
    })?;
    corpus.map_or(Ok(Outcome::Done), Corpus::close)
}

/// What the papers' methods learn is expressions already.
fn expressions(args: &ExportArgs, mold: &Mold) -> Result<Outcome> {
    let rules = regex::expressions(mold)?;
    if rules.is_empty() {
        let reason = "the mold has neither fields nor strings";
        return Err(Failure::Nothing(format!("{}: {reason}", args.mold.display())).into());
    }
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        match args.format {
            ExportFormat::Text => rules.iter().try_for_each(|rule| writeln!(out, "{rule}")),
            ExportFormat::Json => output::jsonl_row(out, &rules),
        }
    })?;
    Ok(Outcome::Done)
}

/// Says of each rule on how many pages it gives what the mold gives.
fn say_proofs(exported: &Exported, progress: &mut Progress) {
    let count = |state: State| {
        exported
            .rules
            .iter()
            .filter(|rule| rule.state == state)
            .count()
    };
    let (exact, nearly) = (count(State::Exact), count(State::Nearly));
    let (unproven, refused) = (count(State::Unproven), count(State::Refused));
    let others = [
        (nearly, "nearly so"),
        (unproven, "not proven"),
        (refused, "refused"),
    ];
    let others: Vec<String> = others
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!(", {}", others.join(", "))
    };
    let all = counted(exported.rules.len(), "rule");
    progress.end(&format!(
        "of {all}, {exact} give what extract gives on every page{others}"
    ));
    exported
        .rules
        .iter()
        .for_each(|rule| progress.say(&proof_line(rule)));
}

fn proof_line(rule: &ExportedRule) -> String {
    let list = rule
        .list
        .as_ref()
        .map_or_else(String::new, |list| format!("{}/", visible(list)));
    let shown = rule
        .rule
        .as_deref()
        .filter(|_| rule.state != State::Refused)
        .unwrap_or("refused");
    let shown = crate::terminal::clipped(shown, 80).into_owned();
    format!(
        "    {:4} of {:4}  {list}{}  {shown}",
        rule.proof.equal,
        rule.proof.pages,
        visible(&rule.name)
    )
}
