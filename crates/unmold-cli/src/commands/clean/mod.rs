//! `unmold clean`: pages without their template.

mod lacks;
mod rows;
mod sink;

use self::{
    lacks::Lacks,
    sink::{Cleaned, write_pages},
};
use crate::{
    args::{CleanArgs, CleanFormat, CleanMethod, Global},
    corpus::{Chunks, Corpus, faults},
    exit::{Failure, Outcome},
    learning,
    molds::{ANOTHER_SITE, read_mold},
    output::{Destinations, check_extension},
    progress::Progress,
    terminal::{self, counted},
};
use anyhow::Result;
use rayon::prelude::*;
use unmold::{
    Learner, Mold, Reader, Span, Text,
    papers::amplify,
    read::PageError,
    reader::{Content, Part},
};
use unmold_io::Fault;

pub fn run(args: &CleanArgs, global: &Global) -> Result<Outcome> {
    check(args)?;
    check_extension(
        args.format(),
        args.format.is_some(),
        !args.writes_one_file(),
        args.output.as_deref(),
    )?;
    let destinations = Destinations::of(&args.inputs, args.overwrite)?.reads(args.mold.as_deref());
    if args.writes_one_file() {
        destinations.file(args.output.as_deref())?;
    } else {
        destinations
            .resuming(args.resume)
            .folder(args.output.as_deref())?;
    }
    if args.show {
        terminal::keep_color(global.color);
    }
    let mut progress = Progress::new(global.quiet);
    match &args.mold {
        Some(path) => by_mold(
            &Cleaner::new(&read_mold(path)?, args)?,
            args,
            global,
            &mut progress,
        ),
        None => by_its_own_pages(args, global, &mut progress),
    }
}

/// Refuses options that make no sense together.
fn check(args: &CleanArgs) -> Result<()> {
    let wrong = [
        (
            args.resume && args.writes_one_file(),
            "--resume goes with a folder of files: one file is whole or not there",
        ),
        (
            args.with_fields && args.format() != CleanFormat::Jsonl,
            "--with-fields goes with -f jsonl",
        ),
        (
            args.paint.is_some() && args.format() != CleanFormat::Html,
            "--paint goes with -f html",
        ),
        (
            args.format() == CleanFormat::Parquet && args.output.is_none(),
            "-f parquet cannot go to standard output: name a file with -o",
        ),
    ];
    if let Some((_, reason)) = wrong.iter().find(|(is_wrong, _)| *is_wrong) {
        return Err(Failure::Usage((*reason).to_owned()).into());
    }
    let method = args.method.unwrap_or(CleanMethod::Content);
    if method != CleanMethod::CutPoint {
        args.cut_point.refuse("--method cut-point")?;
    }
    if method != CleanMethod::Amplify && args.shortest_word.is_some() {
        let reason = "--shortest-word goes with --method amplify";
        return Err(Failure::Usage(reason.to_owned()).into());
    }
    Ok(())
}

/// A mold made ready to clean pages, in one way or the other.
struct Cleaner {
    reader: Reader,
    by_strings: bool,
    with_fields: bool,
}

impl Cleaner {
    fn new(mold: &Mold, args: &CleanArgs) -> Result<Self> {
        let by_strings = match args.method {
            Some(CleanMethod::Content) if !mold.has_content() => {
                let reason = "the mold does not say where content is: learn it without --method";
                return Err(Failure::Usage(reason.to_owned()).into());
            }
            Some(CleanMethod::CutPoint | CleanMethod::Amplify) => {
                let reason = "this method learns from the pages themselves: leave out --mold";
                return Err(Failure::Usage(reason.to_owned()).into());
            }
            Some(CleanMethod::Content) => false,
            Some(CleanMethod::Documents) => true,
            None => !mold.has_content() && mold.has_strings(),
        };
        if by_strings && !mold.has_strings() {
            let reason = "the mold has no template strings: learn it with --method documents";
            return Err(Failure::Usage(reason.to_owned()).into());
        }
        Ok(Cleaner::of(mold, by_strings, args))
    }

    fn of(mold: &Mold, by_strings: bool, args: &CleanArgs) -> Self {
        let mut parts = vec![if by_strings {
            Part::Strings
        } else {
            Part::Content
        }];
        if matches!(args.format(), CleanFormat::Jsonl | CleanFormat::Parquet) {
            parts.push(Part::About);
        }
        if args.with_fields {
            parts.push(Part::Fields);
        }
        let reader = mold
            .reader()
            .only(&parts)
            .string_gaps(args.cleaner.merge_gap, args.cleaner.island);
        Cleaner {
            reader,
            by_strings,
            with_fields: args.with_fields,
        }
    }

    fn clean(&self, text: &Text, sink: &sink::Writer) -> Result<Cleaned, PageError> {
        let found = self.reader.read(text)?;
        let content = if self.by_strings {
            found.without_strings()
        } else {
            found.content()
        };
        sink.write(&found, content, self.with_fields)
    }
}

/// Cleans pages as they are read: memory does not grow with their number.
fn by_mold(
    cleaner: &Cleaner,
    args: &CleanArgs,
    global: &Global,
    progress: &mut Progress,
) -> Result<Outcome> {
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let writer = sink::Writer::of(args);
    let mut counts = Counts::default();
    write_pages(args, progress, |progress| {
        let Some(texts) = chunks.next(progress)? else {
            return Ok(None);
        };
        let pages = faults(texts.par_iter().map(|text| cleaner.clean(text, &writer)));
        chunks
            .good(pages, progress)
            .map(|pages| Some(counts.noted(pages)))
    })?;
    let outcome = chunks.close(progress)?;
    let parts = [
        format!("cleaned {}", counted(counts.cleaned, "page")),
        judged_alone(counts.alone),
    ];
    progress.say(&joined(parts));
    // A mold of one page alone has no template, and all are judged alone.
    if counts.fit_nowhere() && !cleaner.reader.mold().groups.is_empty() {
        progress.warn(&format!(
            "no page fits a template of the mold; {ANOTHER_SITE}"
        ));
    }
    counts.lacks.say(progress);
    Ok(counts.lacks.outcome(outcome, args.strict_empty))
}

/// What came of pages.
#[derive(Default)]
struct Counts {
    cleaned: usize,
    alone: usize,
    lacks: Lacks,
}

impl Counts {
    /// Whether there are pages, and none is of a template.
    fn fit_nowhere(&self) -> bool {
        self.alone > 0 && self.alone == self.cleaned
    }

    fn noted(&mut self, pages: Vec<Cleaned>) -> Vec<Cleaned> {
        self.cleaned += pages.len();
        self.alone += pages.iter().filter(|page| page.is_alone).count();
        self.lacks.note(&pages);
        pages
    }
}

/// Learns from all pages, then cleans them.
fn by_its_own_pages(args: &CleanArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    match args.method.unwrap_or(CleanMethod::Content) {
        CleanMethod::Content => by_what_they_teach(false, args, global, progress),
        CleanMethod::Documents => by_what_they_teach(true, args, global, progress),
        CleanMethod::CutPoint => all_at_once(args, global, progress, |texts| {
            let cut = learning::cut(texts, &args.cut_point)?;
            Ok((cut.describe(), cut.template))
        }),
        CleanMethod::Amplify => all_at_once(args, global, progress, |texts| {
            let threshold = amplify::Threshold::default();
            let found = amplify::template_of(texts, threshold, args.shortest_word())?;
            Ok((
                format!("{} frequencies stand out", found.peaks),
                found.template,
            ))
        }),
    }
}

/// Learns a mold, then cleans the pages by it.
fn by_what_they_teach(
    by_strings: bool,
    args: &CleanArgs,
    global: &Global,
    progress: &mut Progress,
) -> Result<Outcome> {
    let learner = if by_strings {
        Learner::strings(
            learning::mutables(&args.documents)?,
            learning::string_settings(&args.documents),
        )
    } else {
        Learner::content_only()
    };
    let learner = learner.one_template(args.one_template);
    let mut corpus = Corpus::sampled(&args.inputs, global, true, progress)?;
    let mold = learning::learn(&learner, &mut corpus, progress)?;
    let how = if by_strings {
        "applied template strings".to_owned()
    } else {
        story(&mold, &corpus)
    };
    if by_strings {
        learning::describe(&mold, corpus.pages, progress);
    }
    progress.begin("cleaning");
    let (cleaner, writer) = (Cleaner::of(&mold, by_strings, args), sink::Writer::of(args));
    let (mut pages, mut counts) = (corpus.again(progress), Counts::default());
    write_pages(args, progress, |progress| {
        let Some(texts) = pages.next(progress)? else {
            return Ok(None);
        };
        let cleaned = faults(texts.par_iter().map(|text| cleaner.clean(text, &writer)));
        pages
            .good(cleaned, progress)
            .map(|pages| Some(counts.noted(pages)))
    })?;
    say_cleaned(&how, &counts, progress);
    Ok(counts.lacks.outcome(pages.close()?, args.strict_empty))
}

/// Cleans pages by a method that looks at all of them together.
fn all_at_once(
    args: &CleanArgs,
    global: &Global,
    progress: &mut Progress,
    find: impl FnOnce(&[Text]) -> Result<(String, Vec<Vec<Span>>)>,
) -> Result<Outcome> {
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    progress.begin("cleaning");
    let (how, template) = find(&corpus.texts)?;
    let cleaned = without(&corpus.texts, &template, &sink::Writer::of(args));
    let mut counts = Counts::default();
    let mut cleaned = Some(counts.noted(corpus.good(cleaned, progress)?));
    write_pages(args, progress, |_| Ok(cleaned.take()))?;
    say_cleaned(&how, &counts, progress);
    Ok(counts.lacks.outcome(corpus.close()?, args.strict_empty))
}

fn say_cleaned(how: &str, counts: &Counts, progress: &mut Progress) {
    let parts = [
        how.to_owned(),
        judged_alone(counts.alone),
        format!("cleaned {}", counted(counts.cleaned, "page")),
    ];
    progress.end(&joined(parts));
    counts.lacks.say(progress);
}

/// What there is to say, in one line.
fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

/// What the pile is made of, as `group` tells it; one page is none.
fn story(mold: &Mold, corpus: &Corpus<'_>) -> String {
    let groups = counted(mold.groups.len(), "group");
    if corpus.pages == 1 {
        return String::new();
    }
    if !corpus.is_whole() {
        return format!("{groups} in the sample");
    }
    learning::story(
        &groups,
        mold.groups.iter().map(|group| group.pages).sum(),
        corpus.pages,
    )
}

/// Pages without the template that a method found for each.
fn without(
    texts: &[Text],
    template: &[Vec<Span>],
    writer: &sink::Writer,
) -> Vec<Result<Cleaned, Fault>> {
    let nothing = Mold::nothing().reader().only(&[Part::About]);
    faults(texts.par_iter().zip(template).map(|(text, template)| {
        writer.write(
            &nothing.read(text)?,
            Content::without(text, template),
            false,
        )
    }))
}

fn judged_alone(pages: usize) -> String {
    match pages {
        0 => String::new(),
        1 => "the content of one page was judged by the page alone".to_owned(),
        _ => format!("the content of {pages} pages was judged by the pages alone"),
    }
}
