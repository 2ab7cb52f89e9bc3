//! `unmold learn`: from pages to a mold.

use crate::{
    args::{Global, LearnArgs, LearnMethod},
    corpus::Corpus,
    examples,
    exit::Outcome,
    learning,
    molds::{read_mold, readable_json},
    output::{self, Destinations},
    progress::Progress,
    terminal,
};
use anyhow::Result;
use std::path::PathBuf;
use unmold::Mold;

pub fn run(args: &LearnArgs, global: &Global) -> Result<Outcome> {
    Destinations::of(&args.inputs, args.overwrite)?
        .reads(args.across.iter().map(PathBuf::as_path))
        .file(args.output.as_deref())?;
    let mut progress = Progress::new(global.quiet);
    learning::check_examples(&args.examples, args.method == LearnMethod::Fields)?;
    let learner = learning::learner(args.method, &args.cut_point, &args.documents)?
        .examples(examples::read(&args.examples)?)
        .one_template(args.one_template)
        .with_labels(args.with_labels);
    let mut corpus = Corpus::sampled(&args.inputs, global, false, &mut progress)?;
    let mut mold = learning::learn(&learner, &mut corpus, &mut progress)?;
    if args.method == LearnMethod::Documents {
        let others = args
            .across
            .iter()
            .map(|path| read_mold(path))
            .collect::<Result<Vec<Mold>>>()?;
        mold.drop_frequent_elsewhere(&others);
    }
    learning::describe(&mold, corpus.pages, &mut progress);
    say_held_out(&mold, &progress);
    drop(progress);
    let json = readable_json(&mold)?;
    output::write_to(args.output.as_deref(), args.overwrite, |out| {
        out.write_all(json.as_bytes())
    })?;
    corpus.close()
}

/// Shows how the first fields of each group did on the pages that were set aside.
fn say_held_out(mold: &Mold, progress: &Progress) {
    /// Fields that are shown of a group; the mold has them all.
    const SHOWN: usize = 20;
    for group in &mold.groups {
        let tested = || {
            group
                .fields
                .iter()
                .filter_map(|field| Some((field, field.held_out?)))
        };
        let Some((_, first)) = tested().next() else {
            continue;
        };
        progress.say(&format!(
            "{}: tested on {} pages set aside",
            terminal::visible(&group.name),
            first.pages
        ));
        progress.say("    found  agreed  field");
        for (field, test) in tested().take(SHOWN) {
            let sample = field.samples.first().map_or("", String::as_str);
            let sample = terminal::visible(sample);
            let sample = terminal::clipped(&sample, 40);
            let name = terminal::visible(&field.name);
            progress.say(&format!(
                "    {:5.2}  {:6.2}  {name}: {sample}",
                test.fill, test.agreement
            ));
        }
        let more = tested().count().saturating_sub(SHOWN);
        if more > 0 {
            progress.say(&format!(
                "    ... and {} more in the mold",
                terminal::counted(more, "field")
            ));
        }
    }
}
