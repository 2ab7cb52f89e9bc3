//! From pages and options to a mold, saying how it goes.

use crate::{
    args::{CutPointOptions, DocumentsOptions, LearnMethod, Search, Ties},
    corpus::Corpus,
    exit::Failure,
    molds::read_file,
    progress::Progress,
    terminal::{counted, visible},
};
use anyhow::Result;
use unmold::{
    Learner, Mold, Text,
    learn::{LearnError, SAMPLE_PAGES},
    mold::Group,
    papers::{
        cut_point::{self, Cut},
        documents,
    },
    read::mutable::Mutables,
    reader::{Lack, Part},
};
use unmold_io::Fault;

/// How to learn.
pub fn learner(
    method: LearnMethod,
    cut: &CutPointOptions,
    strings: &DocumentsOptions,
) -> Result<Learner> {
    if method == LearnMethod::Lr {
        cut.refuse_folding("--method lr")?;
    } else {
        cut.refuse("--method lr")?;
    }
    Ok(match method {
        LearnMethod::Fields => Learner::default(),
        LearnMethod::Lr => Learner::lr(cut_settings(cut)),
        LearnMethod::Documents => Learner::strings(mutables(strings)?, string_settings(strings)),
    })
}

/// Refuses examples where they would say nothing.
pub fn check_examples(examples: &[String], learns_fields: bool) -> Result<(), Failure> {
    if examples.is_empty() || learns_fields {
        return Ok(());
    }
    Err(Failure::Usage(
        "--example goes with --method fields".to_owned(),
    ))
}

/// Learns from pages. Those that show an error of this program are bad inputs.
pub fn learn(learner: &Learner, corpus: &mut Corpus, progress: &mut Progress) -> Result<Mold> {
    match learned(learner, corpus, progress)? {
        Ok(mold) => Ok(mold),
        Err(error @ LearnError::NoTemplate(_)) => {
            let reason = format!("{error}; --one-template takes them as one template anyway");
            Err(Failure::Nothing(visible(&reason).into_owned()).into())
        }
        Err(nothing) => Err(Failure::Nothing(nothing.to_string()).into()),
    }
}

/// The same, where pages from which nothing can be learned are read one by one.
pub fn learn_if_anything(
    learner: &Learner,
    corpus: &mut Corpus,
    progress: &mut Progress,
) -> Result<Option<Mold>> {
    Ok(learned(learner, corpus, progress)?.ok())
}

/// The same for rows: where pages have no template in common, each gives what it says by itself.
pub fn learn_for_rows(
    learner: &Learner,
    corpus: &mut Corpus,
    progress: &mut Progress,
) -> Result<Mold> {
    match learned(learner, corpus, progress)? {
        Ok(mold) => Ok(mold),
        Err(nothing) => {
            let reason = match &nothing {
                LearnError::NoTemplate(_) => {
                    format!("{nothing}; --one-template takes them as one template anyway")
                }
                _ => nothing.to_string(),
            };
            progress.warn(&format!(
                "{}; each page gives a row by itself",
                visible(&reason)
            ));
            Ok(Mold::nothing())
        }
    }
}

/// What is learned from pages, or why there is nothing to learn.
fn learned(
    learner: &Learner,
    corpus: &mut Corpus,
    progress: &mut Progress,
) -> Result<Result<Mold, LearnError>> {
    progress.begin("learning");
    corpus.refuse_failed(progress)?;
    if corpus.texts.is_empty() {
        return Err(Failure::Nothing("none of the pages could be read".to_owned()).into());
    }
    let learner = learner.clone().on_progress(progress.watcher("templates"));
    let outcome = match learner.learn_with_outcome(&corpus.texts) {
        Ok(outcome) => outcome,
        Err(LearnError::Example(reason)) => {
            return Err(Failure::Usage(format!("an example: {reason}")).into());
        }
        Err(
            nothing @ (LearnError::OnePage | LearnError::AllTheSame | LearnError::NoTemplate(_)),
        ) => {
            return Ok(Err(nothing));
        }
        Err(error @ LearnError::Unreadable(_)) => {
            return Err(Failure::Usage(error.to_string()).into());
        }
        Err(other) => return Err(other.into()),
    };
    for error in &outcome.failed {
        corpus.refuse(Fault::of_page_error(error), progress)?;
    }
    for assumed in &outcome.assumed {
        progress.say(&visible(&assumed.to_string()));
    }
    for unfit in &outcome.unfit {
        corpus.refuse(Fault::of_page("example", unfit.to_string()), progress)?;
    }
    if ["fields", "lr"].contains(&outcome.mold.learned.method.as_str()) {
        judge_shells(corpus, progress)?;
    }
    if outcome.left_out > 0 {
        let strings = counted(outcome.left_out, "template string");
        progress.warn(&format!(
            "{strings} left out: the pages repeat themselves, and shorter strings say the same"
        ));
    }
    Ok(Ok(outcome.mold))
}

/// What a pile is made of, in the same words wherever it is told.
pub fn story(groups: &str, grouped: usize, pages: usize) -> String {
    format!(
        "{groups}, {} in a group, {} in none",
        counted(grouped, "page"),
        pages.saturating_sub(grouped)
    )
}

/// Refuses pages that show nothing without their scripts, and says so where most are such: what can
/// be learned from them is their shell.
fn judge_shells(corpus: &Corpus, progress: &Progress) -> Result<()> {
    /// So many pages tell.
    const LOOKED_AT: usize = 20;
    let reader = Mold::nothing().reader().only(&[Part::Content]);
    let step = corpus.texts.len().div_ceil(LOOKED_AT).max(1);
    let looked_at: Vec<&Text> = corpus.texts.iter().step_by(step).collect();
    let is_shell = |text: &&&Text| {
        reader
            .read(text)
            .is_ok_and(|found| found.content().lack() == Some(Lack::NeedsScripts))
    };
    let shells = looked_at.iter().filter(is_shell).count();
    if shells == looked_at.len() {
        let reason =
            "the pages show nothing before their scripts have run: save them from a browser";
        return Err(Failure::Nothing(reason.to_owned()).into());
    }
    if 2 * shells > looked_at.len() {
        progress.warn("most pages show nothing before their scripts have run: what was learned is of their shells");
    }
    Ok(())
}

/// Says what was learned.
pub fn describe(mold: &Mold, pages: usize, progress: &mut Progress) {
    let sum = |count: fn(&Group) -> usize| mold.groups.iter().map(count).sum::<usize>();
    let groups = counted(mold.groups.len(), "group");
    if mold.has_strings() {
        let strings = sum(|group| {
            group
                .template
                .as_ref()
                .map_or(0, |template| template.strings.len())
        });
        progress.end(&format!(
            "learned {} of {groups}",
            counted(strings, "template string")
        ));
        return;
    }
    let fields = counted(sum(|group| group.fields.len()), "field");
    let lists = counted(sum(|group| group.records.len()), "list");
    let learned_from = counted(sum(|group| group.pages), "page");
    progress.end(&format!(
        "learned {fields} and {lists} of {groups} from {learned_from}"
    ));
    if pages == 1 {
        progress.say("one page alone: this is what it lists; its fields show beside a second page of the same kind");
    }
    for group in mold
        .groups
        .iter()
        .filter(|group| mold.learned.method == "fields" && group.pages > SAMPLE_PAGES)
    {
        progress.say(&format!(
            "{}: learned from {SAMPLE_PAGES} of {} pages",
            visible(&group.name),
            group.pages
        ));
    }
}

/// The template of pages by their cut point.
pub fn cut(texts: &[Text], options: &CutPointOptions) -> Result<Cut> {
    Ok(Cut::find(texts, cut_settings(options), options.fold_space)?)
}

/// The options about cut points as the library knows them.
pub fn cut_settings(options: &CutPointOptions) -> cut_point::Settings {
    let ties = match options.ties() {
        Ties::Whole => cut_point::Ties::Whole,
        Ties::Split => cut_point::Ties::Split,
    };
    let search = match options.search() {
        Search::Greedy => cut_point::Search::Greedy,
        Search::Global => cut_point::Search::Global,
    };
    cut_point::Settings::default()
        .ties(ties)
        .search(search)
        .delimiters(&options.delimiters)
}

/// The options about template strings as the library knows them.
pub fn string_settings(options: &DocumentsOptions) -> documents::Settings {
    let settings = documents::Settings::default()
        .min_pages(options.min_pages)
        .min_symbols(options.min_symbols);
    match options.cutoff {
        Some(percent) => settings.cutoff(usize::from(percent) - 1),
        None => settings,
    }
}

/// The common patterns with those of the user before them.
pub fn mutables(options: &DocumentsOptions) -> Result<Mutables> {
    let Some(path) = &options.patterns else {
        return Ok(Mutables::common());
    };
    let own = Mutables::parse_list(&read_file(path)?);
    let own = own.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    Ok(Mutables::common().and(own))
}
