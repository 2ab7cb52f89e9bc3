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
use unmold_io::{Fault, LoadSettings, Loaded, Tally};

/// Bad inputs beyond this many are counted, not listed; `--errors` lists them all.
const LISTED_FAULTS: usize = 20;

/// The pages of all inputs, decoded, in the order of the inputs.
pub struct Corpus {
    pub texts: Vec<Text>,
    tally: Tally,
}

impl Corpus {
    /// Reads and decodes everything, saying on stderr what happened to each bad input.
    pub fn read(inputs: &Inputs, global: &Global, progress: &mut Progress) -> Result<Self> {
        progress.begin("reading pages");
        let (mut pages, mut faults) = (Vec::new(), Vec::new());
        let mut items = unmold_io::load(&inputs.inputs, &settings(inputs));
        while let Some(item) = items.next() {
            match item {
                Loaded::Page(page) => pages.push(page),
                Loaded::Skipped(_) => {}
                Loaded::Fault(fault) => report_fault(fault, &mut faults, global, progress)?,
            }
            progress.advance(items.tally().pages(), items.tally().bytes());
        }
        let tally = items.tally().clone();
        if let Some(path) = &inputs.errors {
            output::write_jsonl(path, true, &faults)?;
        }
        let texts = decode(pages);
        say_tally(&tally, progress);
        if texts.is_empty() {
            return Err(Failure::Nothing("no page was found in the input".to_owned()).into());
        }
        Ok(Corpus { texts, tally })
    }

    /// How a command that did all it could has ended.
    pub fn outcome(&self) -> Outcome {
        if self.tally.faults() == 0 { Outcome::Done } else { Outcome::SomeBad }
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
