//! `unmold clean`: pages without their template.

mod sink;

use self::sink::{Cleaned, write_pages};
use crate::{
    args::{CleanArgs, CleanFormat, CleanMethod, Global},
    corpus::{Chunks, Corpus},
    cutting::Cut,
    exit::{Failure, Outcome},
    guard,
    molds::read_mold,
    progress::Progress,
    templating,
    terminal::counted,
};
use anyhow::Result;
use rayon::prelude::*;
use unmold::{
    Text,
    content::{apply::Cleaner, families},
    mold::Mold,
    papers::amplify::{Amplification, Threshold, template_spans},
    reader::Extractor,
    strings,
    symbols::{encode::chars, index::Index},
};

pub fn run(args: &CleanArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    match &args.mold {
        Some(path) => {
            let mold = read_mold(path)?;
            by_mold(&Applied::new(&mold, args)?, args, global, &mut progress)
        }
        None => by_its_own_pages(args, global, &mut progress),
    }
}

/// A mold made ready to clean pages, in one way or the other.
enum Applied<'m> {
    /// By content rules; with fields, if there is a place for them.
    Content(Cleaner, Option<Extractor<'m>>),
    Strings(strings::apply::Cleaner),
}

impl<'m> Applied<'m> {
    fn new(mold: &'m Mold, args: &CleanArgs) -> Result<Self> {
        let has_content = mold.groups.iter().any(|group| group.content.is_some());
        match args.method {
            Some(CleanMethod::Content) if !has_content => {
                Err(Failure::Usage("the mold does not say where content is: learn it without --method".to_owned())
                    .into())
            }
            Some(CleanMethod::Content) => Ok(Applied::by_content(mold, args)),
            None if has_content => Ok(Applied::by_content(mold, args)),
            Some(CleanMethod::Documents) | None => Ok(Applied::Strings(templating::cleaner(mold, &args.cleaner)?)),
            Some(CleanMethod::CutPoint | CleanMethod::Amplify) => {
                Err(Failure::Usage("this method learns from the pages themselves: leave out --mold".to_owned()).into())
            }
        }
    }

    fn by_content(mold: &'m Mold, args: &CleanArgs) -> Self {
        let rules = mold.groups.iter().filter_map(|group| group.content.as_ref());
        let has_fields = mold.groups.iter().any(|group| !group.fields.is_empty());
        let is_wanted = has_fields && args.format == CleanFormat::Jsonl;
        Applied::Content(Cleaner::new(rules), is_wanted.then(|| Extractor::new(mold).fields_only()))
    }

    fn clean(&self, text: Text) -> Cleaned<'m> {
        match self {
            Applied::Content(cleaner, extractor) => {
                let fields = extractor.as_ref().map(|extractor| extractor.extract(&text).values);
                Cleaned::by(cleaner, text).with_fields(fields)
            }
            Applied::Strings(cleaner) => {
                let template = cleaner.clean(text.as_str());
                Cleaned::of(text, template)
            }
        }
    }
}

/// Cleans pages as they are read: memory does not grow with their number.
fn by_mold(mold: &Applied<'_>, args: &CleanArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let (mut cleaned, mut alone) = (0, 0);
    progress.begin("cleaning");
    write_pages(args, || {
        let Some(texts) = chunks.next(progress)? else { return Ok(None) };
        let pages = guard::each_page(texts.into_par_iter(), |text| mold.clean(text));
        let pages: Vec<Cleaned<'_>> = chunks.good(pages, progress)?;
        cleaned += pages.len();
        alone += pages.iter().filter(|page| page.is_alone).count();
        Ok(Some(pages))
    })?;
    progress.end(&format!("cleaned {}{}", counted(cleaned, "page"), judged_alone(alone)));
    chunks.close(progress)
}

/// Learns from all pages, then cleans them.
fn by_its_own_pages(args: &CleanArgs, global: &Global, progress: &mut Progress) -> Result<Outcome> {
    let corpus = Corpus::read(&args.inputs, global, progress)?;
    let outcome = corpus.outcome();
    progress.begin("cleaning");
    let (pages, how) = cleaned(corpus.texts, args, progress)?;
    progress.end(&format!("{how}; cleaned {}", counted(pages.len(), "page")));
    let mut pages = Some(pages);
    write_pages(args, || Ok(pages.take()))?;
    Ok(outcome)
}

/// Pages cleaned by the method that was asked for, and how that went.
fn cleaned(texts: Vec<Text>, args: &CleanArgs, progress: &mut Progress) -> Result<(Vec<Cleaned<'static>>, String)> {
    let (template, how) = match args.method.unwrap_or(CleanMethod::Content) {
        CleanMethod::Content => return Ok(by_content(texts)),
        CleanMethod::CutPoint => {
            let cut = Cut::find(&texts, &args.cut_point)?;
            let how = cut.describe();
            (cut.template, how)
        }
        CleanMethod::Amplify => {
            let index = Index::new(chars::encode(&texts))?;
            let peaks = Amplification::of(&index).peaks(Threshold::default());
            (template_spans(&index, &peaks), format!("{} frequencies stand out", peaks.len()))
        }
        CleanMethod::Documents => {
            let mold = templating::learn(&texts, &args.documents, progress)?;
            let cleaner = templating::cleaner(&mold, &args.cleaner)?;
            let template = texts.par_iter().map(|text| cleaner.clean(text.as_str())).collect();
            (template, "applied template strings".to_owned())
        }
    };
    let pages = texts.into_iter().zip(template).map(|(text, template)| Cleaned::of(text, template)).collect();
    Ok((pages, how))
}

/// Pages cleaned by the rule of their group.
fn by_content(texts: Vec<Text>) -> (Vec<Cleaned<'static>>, String) {
    let learned = families::learn(&texts);
    let cleaners: Vec<Cleaner> = learned.rules.iter().map(|rule| Cleaner::new([rule])).collect();
    let lone = Cleaner::new([]);
    let of_page = |(text, rule): (Text, Option<usize>)| {
        let cleaner = rule.map_or(&lone, |rule| &cleaners[rule]);
        Cleaned::by(cleaner, text)
    };
    let pages: Vec<Cleaned<'static>> = texts.into_par_iter().zip(learned.rule_of_page).map(of_page).collect();
    let alone = pages.iter().filter(|page| page.is_alone).count();
    let templates = match learned.rules.len() {
        1 => "one template".to_owned(),
        count => format!("{count} templates"),
    };
    (pages, format!("{templates}{}", judged_alone(alone)))
}

fn judged_alone(pages: usize) -> String {
    match pages {
        0 => String::new(),
        1 => "; one page like no other was judged on its own".to_owned(),
        _ => format!("; {pages} pages like no other were judged on their own"),
    }
}
