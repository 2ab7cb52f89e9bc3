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
    molds::read_mold,
    output::Destinations,
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
    let destinations = Destinations::of(&args.inputs, args.overwrite)?.reads(args.mold.as_deref());
    if args.writes_one_file() {
        destinations.file(args.output.as_deref())?;
    } else {
        destinations.resuming(args.resume).folder(args.output.as_deref())?;
    }
    if args.show {
        terminal::keep_color(global.color);
    }
    let mut progress = Progress::new(global.quiet);
    match &args.mold {
        Some(path) => by_mold(&Cleaner::new(&read_mold(path)?, args)?, args, global, &mut progress),
        None => by_its_own_pages(args, global, &mut progress),
    }
}

/// Refuses options that make no sense together.
fn check(args: &CleanArgs) -> Result<()> {
    let wrong = [
        (args.resume && args.writes_one_file(), "--resume goes with a folder of files: one file is whole or not there"),
        (args.with_fields && args.format != CleanFormat::Jsonl, "--with-fields goes with -f jsonl"),
        (args.paint.is_some() && args.format != CleanFormat::Html, "--paint goes with -f html"),
        (
            args.format == CleanFormat::Parquet && args.output.is_none(),
            "-f parquet cannot go to standard output: name a file with -o",
        ),
    ];
    match wrong.iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, reason)) => Err(Failure::Usage((*reason).to_owned()).into()),
        None => Ok(()),
    }
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
        let mut parts = vec![if by_strings { Part::Strings } else { Part::Content }];
        if matches!(args.format, CleanFormat::Jsonl | CleanFormat::Parquet) {
            parts.push(Part::About);
        }
        if args.with_fields {
            parts.push(Part::Fields);
        }
        let reader = mold.reader().only(&parts).string_gaps(args.cleaner.merge_gap, args.cleaner.island);
        Cleaner { reader, by_strings, with_fields: args.with_fields }
    }

    fn clean(&self, text: &Text, sink: &sink::Writer) -> Result<Cleaned, PageError> {
        let found = self.reader.read(text)?;
        let content = if self.by_strings { found.without_strings() } else { found.content() };
        sink.write(&found, content, self.with_fields)
    }
}

/// Cleans pages as they are read: memory does not grow with their number.
fn by_mold(cleaner: &Cleaner, args: &CleanArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let writer = sink::Writer::of(args);
    let (mut cleaned, mut alone, mut lacks) = (0, 0, Lacks::default());
    write_pages(args, || {
        let Some(texts) = chunks.next(progress)? else { return Ok(None) };
        let pages = faults(texts.par_iter().map(|text| cleaner.clean(text, &writer)));
        let pages: Vec<Cleaned> = chunks.good(pages, progress)?;
        cleaned += pages.len();
        alone += pages.iter().filter(|page| page.is_alone).count();
        lacks.note(&pages);
        Ok(Some(pages))
    })?;
    let outcome = chunks.close(progress)?;
    progress.say(&format!("cleaned {}{}", counted(cleaned, "page"), judged_alone(alone)));
    lacks.say(progress);
    Ok(lacks.outcome(outcome, args.strict_empty))
}

/// Learns from all pages, then cleans them.
fn by_its_own_pages(args: &CleanArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    let writer = sink::Writer::of(args);
    let (pages, how) = cleaned(&mut corpus, args, &writer, progress)?;
    let pages = corpus.good(pages, progress)?;
    let alone = judged_alone(pages.iter().filter(|page| page.is_alone).count());
    progress.end(&format!("{how}{alone}; cleaned {}", counted(pages.len(), "page")));
    let mut lacks = Lacks::default();
    lacks.note(&pages);
    let mut pages = Some(pages);
    write_pages(args, || Ok(pages.take()))?;
    lacks.say(progress);
    Ok(lacks.outcome(corpus.close()?, args.strict_empty))
}

type Outcomes = Vec<Result<Cleaned, Fault>>;

/// Pages cleaned by the method that was asked for, and how that went.
fn cleaned(
    corpus: &mut Corpus<'_>,
    args: &CleanArgs,
    writer: &sink::Writer,
    progress: &mut Progress,
) -> Result<(Outcomes, String)> {
    let by_strings = match args.method.unwrap_or(CleanMethod::Content) {
        CleanMethod::Content => false,
        CleanMethod::Documents => true,
        CleanMethod::CutPoint => {
            progress.begin("cleaning");
            let cut = learning::cut(&corpus.texts, &args.cut_point)?;
            return Ok((without(&corpus.texts, &cut.template, writer), cut.describe()));
        }
        CleanMethod::Amplify => {
            progress.begin("cleaning");
            let found = amplify::template_of(&corpus.texts, amplify::Threshold::default())?;
            let how = format!("{} frequencies stand out", found.peaks);
            return Ok((without(&corpus.texts, &found.template, writer), how));
        }
    };
    let learner = if by_strings {
        Learner::strings(learning::mutables(&args.documents)?, learning::string_settings(&args.documents))
    } else {
        Learner::content_only()
    };
    let mold = learning::learn(&learner, corpus, progress)?;
    if by_strings {
        learning::describe(&mold, corpus.texts.len(), progress);
    }
    progress.begin("cleaning");
    let cleaner = Cleaner::of(&mold, by_strings, args);
    let pages = faults(corpus.texts.par_iter().map(|text| cleaner.clean(text, writer)));
    let how = if by_strings { "applied template strings".to_owned() } else { templates(mold.contents.len()) };
    Ok((pages, how))
}

fn templates(count: usize) -> String {
    match count {
        0 => "no two pages share a template with text".to_owned(),
        1 => "one template".to_owned(),
        _ => format!("{count} templates"),
    }
}

/// Pages without the template that a method found for each.
fn without(texts: &[Text], template: &[Vec<Span>], writer: &sink::Writer) -> Outcomes {
    let nothing = Mold::nothing().reader().only(&[Part::About]);
    faults(
        texts
            .par_iter()
            .zip(template)
            .map(|(text, template)| writer.write(&nothing.read(text)?, Content::without(text, template), false)),
    )
}

fn judged_alone(pages: usize) -> String {
    match pages {
        0 => String::new(),
        1 => "; one page like no other was judged on its own".to_owned(),
        _ => format!("; {pages} pages like no other were judged on their own"),
    }
}
