//! `unmold learn`: from pages to a mold.

use crate::{
    args::{CutPointOptions, Global, LearnArgs, LearnMethod},
    corpus::Corpus,
    cutting,
    exit::{Failure, Outcome},
    output,
    progress::Progress,
    templating,
};
use anyhow::Result;
use unmold::{
    Text,
    mold::{
        Group, Mold,
        learn::{self, NothingToLearn},
    },
};

pub fn run(args: &LearnArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    let mold = match args.method {
        LearnMethod::Documents => template_strings(&corpus.texts, args, &mut progress)?,
        LearnMethod::Lr => learn(&corpus.texts, args.method, &args.cut_point, &mut progress)?,
    };
    drop(progress);
    output::write_to(args.output.as_deref(), args.overwrite, |out| out.write_all(mold.to_json().as_bytes()))?;
    Ok(corpus.outcome())
}

/// Learns template strings, without those that other sites have too.
fn template_strings(texts: &[Text], args: &LearnArgs, progress: &mut Progress) -> Result<Mold> {
    let mut mold = templating::learn(texts, &args.documents, progress)?;
    templating::drop_frequent_elsewhere(&mut mold, &args.across)?;
    Ok(mold)
}

/// Learns from pages, saying how it goes.
pub fn learn(texts: &[Text], method: LearnMethod, options: &CutPointOptions, progress: &mut Progress) -> Result<Mold> {
    if method == LearnMethod::Documents {
        return Err(Failure::Usage("--method documents finds template strings, not values".to_owned()).into());
    }
    progress.begin("learning");
    let mold = learn::lr(texts, &cutting::settings(options)).map_err(|error| match error {
        NothingToLearn::Index(error) => anyhow::Error::from(error),
        nothing => Failure::Nothing(nothing.to_string()).into(),
    })?;
    let sum = |count: fn(&Group) -> usize| mold.groups.iter().map(count).sum::<usize>();
    let (fields, lists) = (sum(|group| group.fields.len()), sum(|group| group.records.len()));
    let (groups, pages) = (mold.groups.len(), sum(|group| group.pages));
    progress.end(&format!("learned {fields} fields and {lists} lists of {groups} groups from {pages} pages"));
    Ok(mold)
}
