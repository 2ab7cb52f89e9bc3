//! `unmold debug content`: where the content of a page was found, and what was left out.

use crate::{
    args::{ContentArgs, Global},
    corpus::Corpus,
    exit::Outcome,
    molds::read_mold,
    progress::Progress,
    terminal::{bold, dimmed, visible},
};
use anyhow::Result;
use std::io::{self, Write};
use unmold::{Mold, Text, content::explain::Explanation};

pub fn run(args: &ContentArgs, global: &Global) -> Result<Outcome> {
    let mold = match &args.mold {
        Some(path) => read_mold(path)?,
        None => Mold::nothing(),
    };
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    drop(progress);
    let reader = mold.reader();
    let mut out = io::stdout().lock();
    for text in &corpus.texts {
        write_page(&mut out, text, &reader.explain(text)?, args.top)?;
    }
    drop(out);
    corpus.close()
}

fn write_page(
    out: &mut dyn Write,
    text: &Text,
    explained: &Explanation,
    top: usize,
) -> io::Result<()> {
    let judged = if explained.is_alone {
        "judged on its own"
    } else {
        "by the rule of its template"
    };
    let what = format!("{} bytes of content, {judged}", explained.kept);
    writeln!(out, "{}  {}", bold(&visible(text.id())), dimmed(&what))?;
    for (path, bytes) in &explained.elements {
        writeln!(out, "{bytes:>8}  kept{:24}{}", "", visible(path))?;
    }
    for left_out in explained.left_out.iter().take(top) {
        let (bytes, path) = (left_out.bytes, visible(&left_out.path));
        writeln!(out, "{bytes:>8}  {:28}{path}", left_out.reason.name())?;
    }
    if explained.left_out.len() > top {
        let more = explained.left_out.len() - top;
        writeln!(
            out,
            "{}",
            dimmed(&format!("          ... and {more} more; --top shows them"))
        )?;
    }
    for (bytes, reason) in [
        (explained.hidden, "hidden"),
        (explained.in_forms, "in forms to be filled in"),
        (explained.for_no_scripts, "for readers without scripts"),
    ] {
        if bytes > 0 {
            writeln!(out, "{bytes:>8}  {reason}")?;
        }
    }
    Ok(())
}
