//! `unmold learn`: from pages to a mold.

use crate::{
    args::{CutPointOptions, Global, LearnArgs, LearnMethod},
    corpus::Corpus,
    cutting,
    exit::{Failure, Outcome},
    output,
    progress::Progress,
    templating,
    terminal::{self, counted},
};
use anyhow::Result;
use unmold::{
    Text,
    learn::{self, NothingToLearn},
    mold::{Group, Mold},
};

pub fn run(args: &LearnArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    let mold = match args.method {
        LearnMethod::Documents => template_strings(&corpus.texts, args, &mut progress)?,
        method => learn(&corpus.texts, method, &args.cut_point, &mut progress)?,
    };
    say_held_out(&mold, &progress);
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
    progress.begin("learning");
    let learned = match method {
        LearnMethod::Fields => learn::fields(texts),
        LearnMethod::Lr => learn::lr(texts, &cutting::settings(options)),
        LearnMethod::Documents => {
            return Err(Failure::Usage("--method documents finds template strings, not values".to_owned()).into());
        }
    };
    let mold = learned.map_err(|error| match error {
        NothingToLearn::Index(error) => anyhow::Error::from(error),
        nothing => Failure::Nothing(nothing.to_string()).into(),
    })?;
    let sum = |count: fn(&Group) -> usize| mold.groups.iter().map(count).sum::<usize>();
    let (fields, lists) = (sum(|group| group.fields.len()), sum(|group| group.records.len()));
    let (groups, pages) = (mold.groups.len(), sum(|group| group.pages));
    let (fields, lists) = (counted(fields, "field"), counted(lists, "list"));
    let (groups, pages) = (counted(groups, "group"), counted(pages, "page"));
    progress.end(&format!("learned {fields} and {lists} of {groups} from {pages}"));
    if texts.len() == 1 {
        progress.say("one page alone: this is what it lists; its fields show beside a second page of the same kind");
    }
    for group in mold.groups.iter().filter(|group| method == LearnMethod::Fields && group.pages > learn::SAMPLE) {
        progress.say(&format!("{}: learned from {} of {} pages", group.name, learn::SAMPLE, group.pages));
    }
    Ok(mold)
}

/// Shows how the first fields of each group did on the pages that were set aside.
fn say_held_out(mold: &Mold, progress: &Progress) {
    /// Fields that are shown of a group; the mold has them all.
    const SHOWN: usize = 20;
    for group in &mold.groups {
        let tested = || group.fields.iter().filter_map(|field| Some((field, field.held_out?)));
        let Some((_, first)) = tested().next() else { continue };
        progress.say(&format!("{}: tested on {} pages set aside", group.name, first.pages));
        progress.say("    found  agreed  field");
        for (field, test) in tested().take(SHOWN) {
            let sample = field.samples.first().map_or("", String::as_str);
            let sample = terminal::visible(sample);
            let sample = terminal::clipped(&sample, 40);
            progress.say(&format!("    {:5.2}  {:6.2}  {}: {sample}", test.fill, test.agreement, field.name));
        }
    }
}
