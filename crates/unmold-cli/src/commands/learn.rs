//! `unmold learn`: from pages to a mold.

use crate::{
    args::{CutPointOptions, Global, LearnArgs, LearnMethod},
    corpus::Corpus,
    cutting::Cut,
    exit::{Failure, Outcome},
    output,
    progress::Progress,
};
use anyhow::Result;
use unmold::{
    Text,
    mold::{Mold, lr},
};

pub fn run(args: &LearnArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    let mold = learn(&corpus.texts, args.method, &args.cut_point, &mut progress)?;
    drop(progress);
    output::write_to(args.output.as_deref(), args.overwrite, |out| out.write_all(mold.to_json().as_bytes()))?;
    Ok(corpus.outcome())
}

/// Learns from pages, saying how it goes.
pub fn learn(texts: &[Text], method: LearnMethod, options: &CutPointOptions, progress: &mut Progress) -> Result<Mold> {
    let LearnMethod::Lr = method;
    progress.begin("learning");
    if texts.len() < 2 {
        return Err(Failure::Nothing("one page alone has nothing to compare with: give at least two".to_owned()).into());
    }
    let cut = Cut::find(texts, options)?;
    let content = cut.content(texts);
    if content.iter().all(Vec::is_empty) {
        return Err(Failure::Nothing("nothing varies from page to page: all pages are the same".to_owned()).into());
    }
    let mold = lr::learn_mold(texts, &content);
    progress.end(&format!("{}; learned {} fields", cut.describe(), mold.groups[0].fields.len()));
    Ok(mold)
}
