//! How far along are we?
//!
//! On a terminal a line that is redrawn; elsewhere a plain line when a step is done, and one every few seconds while a
//! long step runs. All of it goes to stderr, and none of it with `--quiet`.

use crate::terminal::visible;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

/// How often a plain line is printed while a step runs.
const PLAIN_LINES_EVERY: Duration = Duration::from_secs(10);

/// Reports on the steps of a command.
pub struct Progress {
    quiet: bool,
    bar: Option<ProgressBar>,
    step: &'static str,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        let now = Instant::now();
        let bar = (!quiet && std::io::stderr().is_terminal()).then(spinner);
        Progress { quiet, bar, step: "", started: now, last_line: now }
    }

    /// Begins a step, named by what is being done: "reading pages".
    pub fn begin(&mut self, step: &'static str) {
        self.step = step;
        self.started = Instant::now();
        self.last_line = self.started;
        if let Some(bar) = &self.bar {
            bar.set_message(step);
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Says how much of the step is done.
    pub fn advance(&mut self, pages: u64, bytes: u64) {
        self.show(&format!("{}: {} pages, {}", self.step, HumanCount(pages), HumanBytes(bytes)));
    }

    /// Shows a line until the next one comes.
    pub fn show(&mut self, line: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(line.to_owned());
        } else if !self.quiet && self.last_line.elapsed() >= PLAIN_LINES_EVERY {
            eprintln!("{line}");
            self.last_line = Instant::now();
        }
    }

    /// Ends the step with a line that stays.
    pub fn end(&mut self, line: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.say(&format!("{line} in {seconds:.2} s"));
    }

    /// Prints a line that stays, unless nothing is to be said.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            self.warn(line);
        }
    }

    /// Prints a line that must be seen also where progress is not wanted, without disturbing the one that is redrawn.
    pub fn warn(&self, line: &str) {
        let line = visible(line);
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is valid");
    ProgressBar::new_spinner().with_style(style)
}
