//! From what was typed to decoded pages.

use crate::{
    args::{Global, Inputs},
    exit::{Failure, Outcome},
    output,
    progress::Progress,
};
use anyhow::Result;
use indicatif::{HumanBytes, HumanCount};
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use unmold::{Text, read::PageError};
use unmold_io::{Fault, Load, LoadSettings, Loaded, Note, SkipKind, Skipped, Tally};

/// Bad inputs beyond this many are counted, not listed; `--errors` lists them all.
const LISTED_FAULTS: usize = 20;

/// The pages of all inputs, decoded, in the order of the inputs.
pub struct Corpus<'a> {
    pub texts: Vec<Text>,
    bad: BadInputs<'a>,
}

impl<'a> Corpus<'a> {
    /// Reads and decodes everything, saying on stderr what happened to each bad input.
    pub fn read(inputs: &'a Inputs, global: &'a Global, progress: &mut Progress) -> Result<Self> {
        let mut chunks = Chunks::open(inputs, global, progress);
        let mut texts = Vec::new();
        while let Some(chunk) = chunks.next(progress)? {
            texts.extend(chunk);
        }
        Ok(Corpus { texts, ..chunks.all_read(progress)? })
    }

    /// Counts a page as a bad input.
    pub fn refuse(&mut self, fault: Fault, progress: &Progress) -> Result<()> {
        self.bad.add(fault, progress)
    }

    /// What came of pages, without those on which the work failed: these are bad inputs too.
    pub fn good<T>(&mut self, outcomes: Vec<Result<T, Fault>>, progress: &Progress) -> Result<Vec<T>> {
        self.bad.good(outcomes, progress)
    }

    /// How a command that did all it could has ended.
    pub fn close(self) -> Result<Outcome> {
        self.bad.write()?;
        Ok(self.bad.outcome())
    }
}

/// Work on pages as outcomes and faults, in the order of the pages.
pub fn faults<T: Send>(outcomes: impl IndexedParallelIterator<Item = Result<T, PageError>>) -> Vec<Result<T, Fault>> {
    outcomes.map(|outcome| outcome.map_err(|error| Fault::of_page(&error.page, error.reason()))).collect()
}

/// The inputs that were bad.
struct BadInputs<'a> {
    faults: Vec<Fault>,
    /// What is no fault and is worth a row where rows were asked for.
    remarks: Vec<Remark>,
    errors: Option<&'a Path>,
    is_strict: bool,
}

/// What a page is called that is in order but not as it was said to be, or that was passed over as binary.
#[derive(Serialize)]
struct Remark {
    file: String,
    stage: &'static str,
    kind: &'static str,
    reason: String,
}

impl BadInputs<'_> {
    /// Notes what was put right at an item, what is cut short, and what was skipped though it may have been meant.
    fn remark(&mut self, item: &Loaded, notes: &[Note]) {
        if self.errors.is_none() {
            return;
        }
        let mut remark = |id: &str, stage, kind, reason: &str| {
            self.remarks.push(Remark { file: id.to_owned(), stage, kind, reason: reason.to_owned() });
        };
        match item {
            Loaded::Page(page) => {
                notes.iter().for_each(|note| remark(page.id(), "page", note.name(), note.reason()));
                if page.is_truncated() {
                    remark(page.id(), "page", "truncated", "the page was stored cut short");
                }
            }
            Loaded::Skipped(skipped) if matches!(skipped.kind(), SkipKind::Binary | SkipKind::Truncated) => {
                remark(skipped.id(), "skipped", skipped.kind().name(), skipped.reason());
            }
            _ => {}
        }
    }

    fn add(&mut self, fault: Fault, progress: &Progress) -> Result<()> {
        if self.is_strict {
            return Err(Failure::BadInput(fault.to_string()).into());
        }
        if self.faults.len() < LISTED_FAULTS {
            // Errors are said also where progress is not wanted.
            progress.warn(&format!("bad input: {fault}"));
        }
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
        let Some(path) = self.errors else { return Ok(()) };
        // That it may be replaced was looked at before any work, or it is our own.
        output::write_file(path, true, |out| {
            self.faults.iter().try_for_each(|fault| output::jsonl_row(out, fault))?;
            self.remarks.iter().try_for_each(|remark| output::jsonl_row(out, remark))
        })
    }

    fn outcome(&self) -> Outcome {
        if self.faults.is_empty() { Outcome::Done } else { Outcome::SomeBad }
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
}

/// Binary files beyond this many are counted, not named; `--errors` names them all.
const NAMED_SKIPPED: usize = 5;
/// A chunk has this many pages for each thread: enough that threads seldom wait for each other, and so few that pages are
/// still near when they are worked on, in room that those before them had.
const THREAD_PAGES: usize = 16;
/// It has no more than this many bytes.
const CHUNK_BYTES: u64 = 32 << 20;

impl<'a> Chunks<'a> {
    pub fn open(inputs: &'a Inputs, global: &'a Global, progress: &mut Progress) -> Self {
        progress.begin("reading pages");
        let items = unmold_io::load(&inputs.inputs, &settings(inputs));
        let bad = BadInputs {
            faults: Vec::new(),
            remarks: Vec::new(),
            errors: inputs.errors.as_deref(),
            is_strict: global.strict,
        };
        Chunks { items, bad, broken: 0, named: 0 }
    }

    /// The next pages, decoded; `None` when all were read.
    pub fn next(&mut self, progress: &mut Progress) -> Result<Option<Vec<Text>>> {
        let mut pages = Vec::new();
        let full = self.items.tally().bytes() + CHUNK_BYTES;
        let most = THREAD_PAGES * rayon::current_num_threads();
        while pages.len() < most && self.items.tally().bytes() < full {
            let item = self.items.next();
            item.iter().for_each(|item| self.bad.remark(item, self.items.notes()));
            match item {
                Some(Loaded::Page(page)) => pages.push(page),
                Some(Loaded::Cut(page, fault)) => {
                    self.bad.add(fault, progress)?;
                    pages.push(page);
                }
                Some(Loaded::Skipped(skipped)) => self.say_skipped(&skipped, progress),
                Some(Loaded::Fault(fault)) => self.bad.add(fault, progress)?,
                None => break,
            }
            progress.advance(self.items.tally().pages(), self.items.tally().bytes());
        }
        if pages.is_empty() {
            return Ok(None);
        }
        let decoded = faults(pages.into_par_iter().map(Text::decode_guarded));
        let texts = self.bad.good(decoded, progress)?;
        self.broken += texts.iter().filter(|text| text.is_malformed()).count();
        Ok(Some(texts))
    }

    /// Names what is no page though somebody may take it for one: a PDF file, a picture, a document of an office program.
    fn say_skipped(&mut self, skipped: &Skipped, progress: &Progress) {
        if skipped.kind() == SkipKind::Binary && self.named < NAMED_SKIPPED {
            self.named += 1;
            progress.say(&format!("skipped: {skipped}"));
        }
    }

    /// What came of pages, without those on which the work failed: these are bad inputs too.
    pub fn good<T>(&mut self, outcomes: Vec<Result<T, Fault>>, progress: &Progress) -> Result<Vec<T>> {
        self.bad.good(outcomes, progress)
    }

    /// Says what was read; what is left of it are the bad inputs.
    pub fn all_read(self, progress: &mut Progress) -> Result<Corpus<'a>> {
        say_tally(self.items.tally(), self.broken, progress)?;
        self.bad.write()?;
        Ok(Corpus { texts: Vec::new(), bad: self.bad })
    }

    /// Says what was read, and how a command that did all it could has ended.
    pub fn close(self, progress: &mut Progress) -> Result<Outcome> {
        self.bad.write()?;
        say_tally(self.items.tally(), self.broken, progress)?;
        Ok(self.bad.outcome())
    }
}

fn settings(inputs: &Inputs) -> LoadSettings {
    let mut settings = LoadSettings::default().url_field(&inputs.url_field).html_field(&inputs.html_field);
    if let Some(pattern) = &inputs.include {
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
    let mut line = format!("read {} {pages}, {}", HumanCount(tally.pages()), HumanBytes(tally.bytes()));
    if tally.truncated() > 0 {
        line += &format!("; {} cut short", HumanCount(tally.truncated()));
    }
    if broken > 0 {
        line += &format!("; {} with bytes that are no characters", HumanCount(broken as u64));
    }
    let notes: Vec<String> = tally.notes().map(|(note, count)| format!("{count} {}", note.name())).collect();
    if !notes.is_empty() {
        line += &format!("; noted {}", notes.join(", "));
    }
    if tally.skipped() > 0 {
        let kinds: Vec<String> =
            tally.skipped_by_kind().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        line += &format!("; skipped {} ({})", HumanCount(tally.skipped()), kinds.join(", "));
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
