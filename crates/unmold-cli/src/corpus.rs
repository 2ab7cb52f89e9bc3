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
use unmold::{Page, Text};
use unmold_io::{Fault, Load, LoadSettings, Loaded, Tally};

/// Bad inputs beyond this many are counted, not listed; `--errors` lists them all.
const LISTED_FAULTS: usize = 20;

/// The pages of all inputs, decoded, in the order of the inputs.
pub struct Corpus {
    pub texts: Vec<Text>,
    outcome: Outcome,
}

impl Corpus {
    /// Reads and decodes everything, saying on stderr what happened to each bad input.
    pub fn read(inputs: &Inputs, global: &Global, progress: &mut Progress) -> Result<Self> {
        let mut chunks = Chunks::open(inputs, global, progress);
        let mut texts = Vec::new();
        while let Some(chunk) = chunks.next(progress)? {
            texts.extend(chunk);
        }
        let outcome = chunks.close(progress)?;
        Ok(Corpus { texts, outcome })
    }

    /// How a command that did all it could has ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }
}

/// The pages of all inputs, some at a time, so that memory does not grow with their number.
pub struct Chunks<'a> {
    items: Load,
    faults: Vec<Fault>,
    inputs: &'a Inputs,
    global: &'a Global,
}

/// A chunk has this many pages,
const CHUNK_PAGES: usize = 256;
/// or this many bytes.
const CHUNK_BYTES: u64 = 32 << 20;

impl<'a> Chunks<'a> {
    pub fn open(inputs: &'a Inputs, global: &'a Global, progress: &mut Progress) -> Self {
        progress.begin("reading pages");
        let items = unmold_io::load(&inputs.inputs, &settings(inputs));
        Chunks { items, faults: Vec::new(), inputs, global }
    }

    /// The next pages, decoded; `None` when all were read.
    pub fn next(&mut self, progress: &mut Progress) -> Result<Option<Vec<Text>>> {
        let mut pages = Vec::new();
        let full = self.items.tally().bytes() + CHUNK_BYTES;
        while pages.len() < CHUNK_PAGES && self.items.tally().bytes() < full {
            match self.items.next() {
                Some(Loaded::Page(page)) => pages.push(page),
                Some(Loaded::Skipped(_)) => {}
                Some(Loaded::Fault(fault)) => report_fault(fault, &mut self.faults, self.global, progress)?,
                None => break,
            }
            progress.advance(self.items.tally().pages(), self.items.tally().bytes());
        }
        Ok((!pages.is_empty()).then(|| decode(pages)))
    }

    /// What came of pages, without those on which the work failed: these are bad inputs too.
    pub fn good<T>(&mut self, outcomes: Vec<Result<T, Fault>>, progress: &Progress) -> Result<Vec<T>> {
        let mut good = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            match outcome {
                Ok(value) => good.push(value),
                Err(fault) => report_fault(fault, &mut self.faults, self.global, progress)?,
            }
        }
        Ok(good)
    }

    /// Says what was read, and how a command that did all it could has ended.
    pub fn close(self, progress: &mut Progress) -> Result<Outcome> {
        if let Some(path) = &self.inputs.errors {
            output::write_jsonl(path, true, &self.faults)?;
        }
        let tally = self.items.tally();
        say_tally(tally, progress);
        if tally.pages() == 0 {
            return Err(Failure::Nothing("no page was found in the input".to_owned()).into());
        }
        Ok(if self.faults.is_empty() { Outcome::Done } else { Outcome::SomeBad })
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

fn decode(pages: Vec<Page>) -> Vec<Text> {
    pages.into_par_iter().map(Text::decode).collect()
}

fn report_fault(fault: Fault, faults: &mut Vec<Fault>, global: &Global, progress: &Progress) -> Result<()> {
    if global.strict {
        return Err(Failure::BadInput(fault.to_string()).into());
    }
    if faults.len() < LISTED_FAULTS {
        progress.say(&format!("bad input: {fault}"));
    }
    faults.push(fault);
    Ok(())
}

fn say_tally(tally: &Tally, progress: &mut Progress) {
    let pages = if tally.pages() == 1 { "page" } else { "pages" };
    let mut line = format!("read {} {pages}, {}", HumanCount(tally.pages()), HumanBytes(tally.bytes()));
    if tally.skipped() > 0 {
        let kinds: Vec<String> =
            tally.skipped_by_kind().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        line += &format!("; skipped {} ({})", HumanCount(tally.skipped()), kinds.join(", "));
    }
    if tally.faults() > 0 {
        line += &format!("; {} bad", HumanCount(tally.faults()));
    }
    progress.end(&line);
}
