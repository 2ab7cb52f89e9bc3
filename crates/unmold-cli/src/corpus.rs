//! From what was typed to decoded pages.

use crate::{
    args::{Global, Inputs},
    exit::{Failure, Outcome},
    output,
    progress::{Expected, Progress},
    standard_input,
};
use anyhow::Result;
use indicatif::{HumanBytes, HumanCount};
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use unmold::{Page, Text, learn::Sample, read::PageError};
use unmold_io::{Fault, Load, LoadSettings, Loaded, Note, SkipKind, Skipped, Tally};

/// Bad inputs beyond this many are counted, not listed; `--errors` lists them all.
const LISTED_FAULTS: usize = 20;

/// The pages of all inputs, decoded, in the order of the inputs; or a sample of them, where they
/// are more than is held.
pub struct Corpus<'a> {
    pub texts: Vec<Text>,
    /// How many pages there are.
    pub pages: usize,
    /// The pages that could not be looked at when the sample was drawn.
    failed: Vec<PageError>,
    inputs: &'a Inputs,
    settings: LoadSettings,
    bad: BadInputs<'a>,
}

/// So much text is held while something is learned, unless it is said otherwise. Learning takes
/// four to five times as much memory as the text has.
const HELD: usize = 128_000_000;

impl<'a> Corpus<'a> {
    /// Reads and decodes everything for a method that works on all pages at once, saying on stderr
    /// what happened to each bad input.
    pub fn read(inputs: &'a Inputs, global: &'a Global, progress: &mut Progress) -> Result<Self> {
        let settings = settings(inputs);
        let mut chunks = Chunks::open_with(inputs, &settings, global, progress);
        let (mut texts, mut held) = (Vec::new(), 0);
        while let Some(chunk) = chunks.next(progress)? {
            held += chunk.iter().map(|text| text.as_str().len()).sum::<usize>();
            check_held(held, inputs)?;
            texts.extend(chunk);
        }
        chunks.bad.write()?;
        say_tally(chunks.items.tally(), chunks.broken, progress)?;
        Ok(Corpus {
            pages: texts.len(),
            texts,
            failed: Vec::new(),
            inputs,
            settings,
            bad: chunks.bad,
        })
    }

    /// Reads and decodes everything to learn from it, saying on stderr what happened to each bad
    /// input. Where there is more than is to be held, a sample of each template stays;
    /// [`again`](Self::again) reads all pages then.
    pub fn sampled(
        inputs: &'a Inputs,
        global: &'a Global,
        reads_again: bool,
        progress: &mut Progress,
    ) -> Result<Self> {
        let mut settings = settings(inputs);
        if reads_again && inputs.inputs.iter().any(|path| path.as_os_str() == "-") {
            settings = standard_input::kept(settings);
        }
        let mut chunks = Chunks::open_with(inputs, &settings, global, progress);
        let mut sample = Sample::of_bytes(inputs.hold.unwrap_or(HELD));
        while let Some(chunk) = chunks.next(progress)? {
            chunk.into_iter().for_each(|text| sample.push(text));
        }
        chunks.bad.write()?;
        say_tally(chunks.items.tally(), chunks.broken, progress)?;
        say_sampled(&sample, progress);
        let pages = sample.pages();
        let (texts, failed) = sample.finish();
        Ok(Corpus {
            texts,
            pages,
            failed,
            inputs,
            settings,
            bad: chunks.bad,
        })
    }

    /// Whether all pages are held.
    pub fn is_whole(&self) -> bool {
        self.texts.len() == self.pages
    }

    /// Counts the pages as bad inputs that could not be looked at when the sample was drawn.
    pub fn refuse_failed(&mut self, progress: &Progress) -> Result<()> {
        let failed = std::mem::take(&mut self.failed);
        failed
            .iter()
            .try_for_each(|error| self.refuse(Fault::of_page_error(error), progress))
    }

    /// All pages, some at a time: those that are held, or read a second time where they are not.
    pub fn again(self, progress: &mut Progress) -> Again<'a> {
        if self.is_whole() {
            return Again::Held(self.texts.into_iter(), self.bad);
        }
        drop(self.texts);
        let items = unmold_io::load(&self.inputs.inputs, &self.settings);
        progress.begin("reading pages again");
        progress.expect(Expected::pages(self.pages));
        Again::Read(Chunks {
            items,
            bad: self.bad,
            broken: 0,
            named: 0,
            is_second: true,
        })
    }

    /// Counts a page as a bad input.
    pub fn refuse(&mut self, fault: Fault, progress: &Progress) -> Result<()> {
        self.bad.add(fault, progress)
    }

    /// What came of pages, without those on which the work failed: these are bad inputs too.
    pub fn good<T>(
        &mut self,
        outcomes: Vec<Result<T, Fault>>,
        progress: &Progress,
    ) -> Result<Vec<T>> {
        self.bad.good(outcomes, progress)
    }

    /// How a command that did all it could has ended.
    pub fn close(self) -> Result<Outcome> {
        self.bad.write()?;
        Ok(self.bad.outcome())
    }
}

/// Refuses more pages than were allowed, where that was said.
fn check_held(held: usize, inputs: &Inputs) -> Result<(), Failure> {
    match inputs.hold {
        Some(most) if held > most => Err(Failure::Limit(format!(
            "this method holds all pages at once, and they have more text than --hold allows ({}): take fewer with --limit",
            HumanBytes(most as u64)
        ))),
        _ => Ok(()),
    }
}

/// Says which pages are learned from, if not all are.
fn say_sampled(sample: &Sample, progress: &Progress) {
    if sample.is_whole() {
        return;
    }
    let (held, all) = (
        HumanCount(sample.texts().len() as u64),
        HumanCount(sample.pages() as u64),
    );
    let most = sample.most_of_a_template();
    progress
        .say(&format!("{held} of {all} pages are a sample to learn from, at most {most} of a template (see --hold)"));
}

/// All pages, once more.
pub enum Again<'a> {
    Held(std::vec::IntoIter<Text>, BadInputs<'a>),
    Read(Chunks<'a>),
}

/// So many held pages are worked on together.
const HELD_BATCH: usize = 512;

impl<'a> Again<'a> {
    /// The next pages; `None` when there are no more.
    pub fn next(&mut self, progress: &mut Progress) -> Result<Option<Vec<Text>>> {
        match self {
            Again::Held(texts, _) => {
                Ok(Some(texts.take(HELD_BATCH).collect())
                    .filter(|texts: &Vec<_>| !texts.is_empty()))
            }
            Again::Read(chunks) => chunks.next(progress),
        }
    }

    /// What came of pages, without those on which the work failed: these are bad inputs too.
    pub fn good<T>(
        &mut self,
        outcomes: Vec<Result<T, Fault>>,
        progress: &Progress,
    ) -> Result<Vec<T>> {
        self.bad().good(outcomes, progress)
    }

    fn bad(&mut self) -> &mut BadInputs<'a> {
        match self {
            Again::Held(_, bad) => bad,
            Again::Read(chunks) => &mut chunks.bad,
        }
    }

    /// How a command that did all it could has ended.
    pub fn close(self) -> Result<Outcome> {
        let bad = match self {
            Again::Held(_, bad) => bad,
            Again::Read(chunks) => chunks.bad,
        };
        bad.write()?;
        Ok(bad.outcome())
    }
}

/// Work on pages as outcomes and faults, in the order of the pages.
pub fn faults<T: Send>(
    outcomes: impl IndexedParallelIterator<Item = Result<T, PageError>>,
) -> Vec<Result<T, Fault>> {
    outcomes
        .map(|outcome| outcome.map_err(|error| Fault::of_page_error(&error)))
        .collect()
}

/// The inputs that were bad.
pub struct BadInputs<'a> {
    faults: Vec<Fault>,
    /// What is no fault and is worth a row where rows were asked for.
    remarks: Vec<Remark>,
    errors: Option<&'a Path>,
    is_strict: bool,
}

/// What a page is called that is in order but not as it was said to be, or that was passed over as
/// binary.
#[derive(Serialize)]
struct Remark {
    file: String,
    stage: &'static str,
    kind: &'static str,
    reason: String,
}

impl BadInputs<'_> {
    /// Notes what was put right at an item, what is cut short, and what was skipped though it may
    /// have been meant.
    fn remark(&mut self, item: &Loaded, notes: &[Note]) {
        if self.errors.is_none() {
            return;
        }
        let mut remark = |id: &str, stage, kind, reason: &str| {
            self.remarks.push(Remark {
                file: id.to_owned(),
                stage,
                kind,
                reason: reason.to_owned(),
            });
        };
        match item {
            Loaded::Page(page) => {
                notes
                    .iter()
                    .for_each(|note| remark(page.id(), "page", note.name(), note.reason()));
                if page.is_truncated() {
                    remark(
                        page.id(),
                        "page",
                        "truncated",
                        "the page was stored cut short",
                    );
                }
            }
            Loaded::Skipped(skipped)
                if matches!(skipped.kind(), SkipKind::Binary | SkipKind::Truncated) =>
            {
                remark(
                    skipped.id(),
                    "skipped",
                    skipped.kind().name(),
                    skipped.reason(),
                );
            }
            _ => {}
        }
    }

    fn add(&mut self, fault: Fault, progress: &Progress) -> Result<()> {
        if self.is_strict {
            let reason = fault.to_string();
            self.faults.push(fault);
            self.write()?;
            return Err(Failure::BadInput(reason).into());
        }
        progress.bad_input(&fault, self.faults.len() < LISTED_FAULTS);
        self.faults.push(fault);
        Ok(())
    }

    fn good<T>(&mut self, outcomes: Vec<Result<T, Fault>>, progress: &Progress) -> Result<Vec<T>> {
        let mut good = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            match outcome {
                Ok(value) => good.push(value),
                Err(fault) => self.add(fault, progress)?,
            }
        }
        Ok(good)
    }

    /// Lists them in the file that was asked for.
    fn write(&self) -> Result<()> {
        let Some(path) = self.errors else {
            return Ok(());
        };
        // That it may be replaced was looked at before any work, or it is our own.
        output::write_file(path, true, |out| {
            self.faults
                .iter()
                .try_for_each(|fault| output::jsonl_row(out, fault))?;
            self.remarks
                .iter()
                .try_for_each(|remark| output::jsonl_row(out, remark))
        })
    }

    fn outcome(&self) -> Outcome {
        if self.faults.is_empty() {
            Outcome::Done
        } else {
            Outcome::SomeBad
        }
    }
}

/// The pages of all inputs, some at a time, so that memory does not grow with their number.
pub struct Chunks<'a> {
    items: Load,
    bad: BadInputs<'a>,
    /// Pages with bytes that make no sense in their charset.
    broken: usize,
    /// Items that were skipped by name.
    named: usize,
    /// Whether all was read before, and what was bad is known.
    is_second: bool,
}

/// Binary files beyond this many are counted, not named; `--errors` names them all.
const NAMED_SKIPPED: usize = 5;
/// A chunk has this many pages for each thread: enough that threads seldom wait for each other, and
/// so few that pages are still near when they are worked on, in room that those before them had.
const THREAD_PAGES: usize = 16;
/// It has no more than this many bytes.
const CHUNK_BYTES: u64 = 32 << 20;

impl<'a> Chunks<'a> {
    pub fn open(inputs: &'a Inputs, global: &'a Global, progress: &mut Progress) -> Self {
        Chunks::open_with(inputs, &settings(inputs), global, progress)
    }

    fn open_with(
        inputs: &'a Inputs,
        settings: &LoadSettings,
        global: &'a Global,
        progress: &mut Progress,
    ) -> Self {
        progress.begin("reading pages");
        progress.expect(Expected::bytes_of(&inputs.inputs));
        let items = unmold_io::load(&inputs.inputs, settings);
        let bad = BadInputs {
            faults: Vec::new(),
            remarks: Vec::new(),
            errors: inputs.errors.as_deref(),
            is_strict: global.strict,
        };
        Chunks {
            items,
            bad,
            broken: 0,
            named: 0,
            is_second: false,
        }
    }

    /// The next pages, decoded; `None` when all were read.
    pub fn next(&mut self, progress: &mut Progress) -> Result<Option<Vec<Text>>> {
        let mut pages = Vec::new();
        let full = self.items.tally().bytes() + CHUNK_BYTES;
        let most = THREAD_PAGES * rayon::current_num_threads();
        while pages.len() < most && self.items.tally().bytes() < full {
            match self.items.next() {
                Some(item) => pages.extend(self.page_of(item, progress)?),
                None => break,
            }
            progress.advance(self.items.tally().pages(), self.items.tally().bytes());
        }
        if pages.is_empty() {
            return Ok(None);
        }
        let decoded = faults(pages.into_par_iter().map(Text::decode_guarded));
        if self.is_second {
            return Ok(Some(decoded.into_iter().filter_map(Result::ok).collect()));
        }
        let texts = self.bad.good(decoded, progress)?;
        self.broken += texts.iter().filter(|text| text.is_malformed()).count();
        Ok(Some(texts))
    }

    /// The page that an item is, if it is one. What is bad is said when it is read first.
    fn page_of(&mut self, item: Loaded, progress: &Progress) -> Result<Option<Page>> {
        if !self.is_second {
            self.bad.remark(&item, self.items.notes());
        }
        match item {
            Loaded::Page(page) => return Ok(Some(page)),
            Loaded::Cut(page, _) if self.is_second => return Ok(Some(page)),
            Loaded::Cut(page, fault) => {
                self.bad.add(fault, progress)?;
                return Ok(Some(page));
            }
            _ if self.is_second => {}
            Loaded::Skipped(skipped) => self.say_skipped(&skipped, progress),
            Loaded::Fault(fault) => self.bad.add(fault, progress)?,
        }
        Ok(None)
    }

    /// Names what is no page though somebody may take it for one: a PDF file, a picture, a document
    /// of an office program.
    fn say_skipped(&mut self, skipped: &Skipped, progress: &Progress) {
        if skipped.kind() == SkipKind::Binary && self.named < NAMED_SKIPPED {
            self.named += 1;
            progress.say(&format!("skipped: {skipped}"));
        }
    }

    /// What came of pages, without those on which the work failed: these are bad inputs too.
    pub fn good<T>(
        &mut self,
        outcomes: Vec<Result<T, Fault>>,
        progress: &Progress,
    ) -> Result<Vec<T>> {
        self.bad.good(outcomes, progress)
    }

    /// Says what was read.
    pub fn all_read(&self, progress: &mut Progress) -> Result<()> {
        say_tally(self.items.tally(), self.broken, progress)
    }

    /// Counts a page as a bad input.
    pub fn refuse(&mut self, fault: Fault, progress: &Progress) -> Result<()> {
        self.bad.add(fault, progress)
    }

    /// How a command that did all it could has ended.
    pub fn outcome(self) -> Result<Outcome> {
        self.bad.write()?;
        Ok(self.bad.outcome())
    }

    /// Says what was read, and how a command that did all it could has ended.
    pub fn close(self, progress: &mut Progress) -> Result<Outcome> {
        self.bad.write()?;
        say_tally(self.items.tally(), self.broken, progress)?;
        Ok(self.bad.outcome())
    }
}

fn settings(inputs: &Inputs) -> LoadSettings {
    let mut settings = LoadSettings::default()
        .url_field(&inputs.url_field)
        .html_field(&inputs.html_field);
    for pattern in &inputs.include {
        settings = settings.include(pattern);
    }
    if let Some(limit) = inputs.limit {
        settings = settings.limit(limit);
    }
    settings
}

/// Says what was read; that there was nothing is a failure.
fn say_tally(tally: &Tally, broken: usize, progress: &mut Progress) -> Result<()> {
    let pages = if tally.pages() == 1 { "page" } else { "pages" };
    let mut line = format!(
        "read {} {pages}, {}",
        HumanCount(tally.pages()),
        HumanBytes(tally.bytes())
    );
    if tally.truncated() > 0 {
        line += &format!("; {} cut short", HumanCount(tally.truncated()));
    }
    if broken > 0 {
        line += &format!(
            "; {} with bytes that are no characters",
            HumanCount(broken as u64)
        );
    }
    let notes: Vec<String> = tally
        .notes()
        .map(|(note, count)| format!("{count} {}", note.name()))
        .collect();
    if !notes.is_empty() {
        line += &format!("; noted {}", notes.join(", "));
    }
    if tally.skipped() > 0 {
        let kinds: Vec<String> = tally
            .skipped_by_kind()
            .map(|(kind, count)| format!("{count} {}", kind.name()))
            .collect();
        line += &format!(
            "; skipped {} ({})",
            HumanCount(tally.skipped()),
            kinds.join(", ")
        );
    }
    if tally.faults() > 0 {
        line += &format!("; {} bad", HumanCount(tally.faults()));
    }
    progress.end(&line);
    if tally.pages() == 0 {
        return Err(Failure::Nothing("no page was found in the input".to_owned()).into());
    }
    Ok(())
}
