//! `unmold view`: what a mold finds, as a page to look at and to choose on.

use crate::{
    args::{Global, ViewArgs},
    corpus::Corpus,
    exit::Outcome,
    learning,
    molds::read_mold,
    output,
    progress::Progress,
};
use anyhow::Result;
use std::process::{Command, Stdio};
use unmold::{Learner, Mold, Text};
use unmold_view::Viewer;

pub fn run(args: &ViewArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let (texts, mold) = pages_and_mold(args, global, &mut progress)?;
    let save_to = args.output.clone().or_else(|| args.mold.clone());
    let server = Viewer::new(texts, mold).save_to(save_to).bind(args.port)?;
    progress.begin("extracting");
    server.warm_up();
    progress.end("ready");
    let url = server.url();
    if args.port != 0 && !url.contains(&format!(":{}/", args.port)) {
        progress.warn(&format!("port {} is taken: another one is used", args.port));
    }
    progress.say("open this address in a browser on this machine; it works once. Ctrl-C ends the viewer");
    drop(progress);
    output::write_to(None, false, |out| writeln!(out, "{url}"))?;
    if !args.no_open && has_display() {
        open(&url);
    }
    server.run()?;
    Ok(Outcome::Done)
}

fn pages_and_mold(args: &ViewArgs, global: &Global, progress: &mut Progress) -> Result<(Vec<Text>, Mold)> {
    let given = args.mold.as_deref().map(read_mold).transpose()?;
    if args.inputs.inputs.is_empty() {
        return Ok((Vec::new(), given.unwrap_or_else(Mold::nothing)));
    }
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    let mold = match given {
        Some(mold) => mold,
        None => {
            let mold = learning::learn(&Learner::default(), &mut corpus, progress)?;
            learning::describe(&mold, corpus.texts.len(), progress);
            mold
        }
    };
    Ok((corpus.texts, mold))
}

/// Whether somebody sits before this machine.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_remote = is_set("SSH_CONNECTION");
    !is_remote && (cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))
}

/// Opens the browser, if there is one; the address was printed anyway.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    _ = quiet.spawn();
}
