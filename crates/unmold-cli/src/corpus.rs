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

/// A batch is full with this many pages or bytes: enough for all cores, and memory does not grow with the input.
const BATCH_PAGES: usize = 512;
const BATCH_BYTES: usize = 32 << 20;

/// The pages of all inputs, decoded, in the order of the inputs.
pub struct Corpus {
    pub texts: Vec<Text>,
    outcome: Outcome,
}

impl Corpus {
    /// Reads and decodes everything, saying on stderr what happened to each bad input.
    pub fn read(inputs: &Inputs, global: &Global, progress: &mut Progress) -> Result<Self> {
        progress.begin("reading pages");
        let mut batches = Batches::new(inputs, global);
        let mut texts = Vec::new();
        while let Some(batch) = batches.next(progress)? {
            texts.extend(batch);
        }
        let outcome = batches.finish(progress)?;
        Ok(Corpus { texts, outcome })
    }

    /// How a command that did all it could has ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }
}

/// The pages of all inputs, decoded, a batch at a time.
pub struct Batches<'a> {
    inputs: &'a Inputs,
    global: &'a Global,
    items: Load,
    faults: Vec<Fault>,
}

impl<'a> Batches<'a> {
    pub fn new(inputs: &'a Inputs, global: &'a Global) -> Self {
        let items = unmold_io::load(&inputs.inputs, &settings(inputs));
        Batches { inputs, global, items, faults: Vec::new() }
    }

    /// The next pages; `None` if there are no more.
    pub fn next(&mut self, progress: &mut Progress) -> Result<Option<Vec<Text>>> {
        let (mut pages, mut bytes) = (Vec::new(), 0);
        while pages.len() < BATCH_PAGES && bytes < BATCH_BYTES {
            match self.items.next() {
                Some(Loaded::Page(page)) => {
                    bytes += page.bytes().len();
                    pages.push(page);
                }
                Some(Loaded::Skipped(_)) => {}
                Some(Loaded::Fault(fault)) => report_fault(fault, &mut self.faults, self.global, progress)?,
                None => break,
            }
            progress.advance(self.items.tally().pages(), self.items.tally().bytes());
        }
        Ok((!pages.is_empty()).then(|| decode(pages)))
    }

    /// Says what was read, and how a command has ended that did all it could.
    pub fn finish(self, progress: &mut Progress) -> Result<Outcome> {
        let tally = self.items.tally();
        if let Some(path) = &self.inputs.errors {
            output::write_jsonl(path, true, &self.faults)?;
        }
        say_tally(tally, progress);
        if tally.pages() == 0 {
            return Err(Failure::Nothing("no page was found in the input".to_owned()).into());
        }
        Ok(if tally.faults() == 0 { Outcome::Done } else { Outcome::SomeBad })
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
