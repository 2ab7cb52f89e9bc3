//! How far along are we?
//!
//! On a terminal a line that is redrawn; elsewhere a plain line when a step is done, and one every
//! few seconds while a long step runs. It says how much is done, how fast, and how long the rest
//! takes where that can be told. All of it goes to stderr, and none of it with `--quiet`, nor
//! between rows that are written to the same terminal.

use crate::{
    log::Log,
    terminal::{tell, visible},
};
use indicatif::{
    HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle,
};
use std::{
    fs,
    io::IsTerminal,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use unmold_io::Fault;

/// How often a plain line is printed while a step runs.
const PLAIN_LINES_EVERY: Duration = Duration::from_secs(10);
/// A command that takes no longer shows no line that is redrawn: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);
/// Before so much of a step is done, how long it takes is a guess.
const TELLING: Duration = Duration::from_secs(1);

/// Reports on the steps of a command.
pub struct Progress {
    quiet: bool,
    bar: Option<ProgressBar>,
    step: &'static str,
    started: Instant,
    last_line: Instant,
    expected: Expected,
    /// Whether rows are written to the terminal on which progress would be shown.
    rows_follow: bool,
    log: Log,
}

/// How much there is to do, as far as it is known.
#[derive(Clone, Default)]
pub struct Expected {
    pages: Option<u64>,
    bytes: Arc<OnceLock<u64>>,
    /// Set when nobody asks any more.
    is_over: Arc<AtomicBool>,
}

impl Expected {
    /// So many pages.
    pub fn pages(pages: usize) -> Self {
        Expected {
            pages: Some(pages as u64),
            ..Expected::default()
        }
    }

    /// The bytes of files and of what is in folders, looked up on the side. Of what is compressed
    /// nothing is known before it is read.
    pub fn bytes_of(inputs: &[PathBuf]) -> Self {
        let expected = Expected::default();
        let (paths, bytes, is_over) = (
            inputs.to_vec(),
            expected.bytes.clone(),
            expected.is_over.clone(),
        );
        // Where no thread can be started, how long it takes is not told.
        let look = move || _ = sizes(&paths, &is_over).map(|sum| bytes.set(sum));
        drop(thread::Builder::new().spawn(look));
        expected
    }

    /// The share that is done.
    fn share(&self, pages: u64, bytes: u64) -> Option<f64> {
        let share = |done: u64, all: u64| (all > 0).then(|| (done as f64 / all as f64).min(1.0));
        match self.pages {
            Some(all) => share(pages, all),
            None => share(bytes, *self.bytes.get()?),
        }
    }
}

/// The bytes of files, as long as somebody asks.
fn sizes(paths: &[PathBuf], is_over: &AtomicBool) -> Option<u64> {
    paths
        .iter()
        .try_fold(0, |sum, path| Some(sum + size(path, is_over)?))
}

fn size(path: &Path, is_over: &AtomicBool) -> Option<u64> {
    /// What unpacks to an unknown size.
    const PACKED: [&str; 3] = ["gz", "zst", "parquet"];
    let found = fs::symlink_metadata(path)
        .ok()
        .filter(|_| !is_over.load(Ordering::Relaxed))?;
    if found.is_dir() {
        let entries: Vec<PathBuf> = fs::read_dir(path)
            .ok()?
            .flatten()
            .map(|entry| entry.path())
            .collect();
        return sizes(&entries, is_over);
    }
    let is_packed = path
        .extension()
        .is_some_and(|end| PACKED.iter().any(|packed| end.eq_ignore_ascii_case(packed)));
    (found.is_file() && !is_packed).then_some(found.len())
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        let now = Instant::now();
        let bar = (!quiet && std::io::stderr().is_terminal()).then(spinner);
        let (expected, log) = (Expected::default(), Log::chosen());
        Progress {
            quiet,
            bar,
            step: "",
            started: now,
            last_line: now,
            expected,
            rows_follow: false,
            log,
        }
    }

    /// Begins a step, named by what is being done: "reading pages".
    pub fn begin(&mut self, step: &'static str) {
        self.step = step;
        self.started = Instant::now();
        self.last_line = self.started;
        self.expect(Expected::default());
        self.log.event("begin", step, &[]);
        if let Some(bar) = &self.bar {
            bar.set_message(step);
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Says how much there is to do in the step that was begun.
    pub fn expect(&mut self, expected: Expected) {
        self.expected.is_over.store(true, Ordering::Relaxed);
        self.expected = expected;
    }

    /// Says how much of the step is done.
    pub fn advance(&mut self, pages: u64, bytes: u64) {
        let is_due =
            self.bar.is_some() || !self.quiet && self.last_line.elapsed() >= PLAIN_LINES_EVERY;
        if self.rows_follow || !is_due {
            return;
        }
        let done = done(
            self.step,
            pages,
            bytes,
            self.started.elapsed(),
            self.expected.share(pages, bytes),
        );
        match &self.bar {
            Some(bar) => bar.set_message(done),
            None => tell(&done),
        }
        self.last_line = Instant::now();
    }

    /// Says how many parts of the step are done, and how long the rest takes, while others are at
    /// work.
    pub fn watcher(&self, parts: &'static str) -> impl Fn(usize, usize) + Send + Sync + use<> {
        let (bar, step, started, quiet) = (self.bar.clone(), self.step, self.started, self.quiet);
        let last_line = Mutex::new(started);
        move |done, all| {
            let elapsed = started.elapsed();
            let left = elapsed.mul_f64((all - done) as f64 / done.max(1) as f64);
            let line = format!(
                "{step}: {done} of {all} {parts}, {} left",
                HumanDuration(left)
            );
            let mut last_line = last_line.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(bar) = &bar {
                bar.set_message(line);
            } else if !quiet && last_line.elapsed() >= PLAIN_LINES_EVERY {
                tell(&line);
                *last_line = Instant::now();
            }
        }
    }

    /// Says no more until the step ends, since rows are about to be written to the same terminal.
    pub fn make_way_for_rows(&mut self) {
        if std::io::stdout().is_terminal()
            && let Some(bar) = self.bar.take()
        {
            bar.finish_and_clear();
            self.rows_follow = true;
        }
    }

    /// Shows a line until the next one comes.
    pub fn show(&mut self, line: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(line.to_owned());
        } else if !self.quiet && self.last_line.elapsed() >= PLAIN_LINES_EVERY {
            tell(line);
            self.last_line = Instant::now();
        }
    }

    /// Ends the step with a line that stays.
    pub fn end(&mut self, line: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.log.event(
            "end",
            line,
            &[("step", self.step.into()), ("seconds", seconds.into())],
        );
        self.print(&format!("{line} in {seconds:.2} s"));
    }

    /// Prints a line that stays, unless nothing is to be said.
    pub fn say(&self, line: &str) {
        self.log.event("note", line, &[]);
        self.print(line);
    }

    fn print(&self, line: &str) {
        if !self.quiet {
            self.print_always(line);
        }
    }

    /// Prints a line that must be seen also where progress is not wanted.
    pub fn warn(&self, line: &str) {
        self.log.event("warning", line, &[]);
        self.print_always(line);
    }

    /// Notes a bad input; says so also where progress is not wanted, unless enough were said.
    pub fn bad_input(&self, fault: &Fault, is_said: bool) {
        let row = serde_json::to_value(fault).unwrap_or_default();
        self.log
            .event("bad-input", &fault.to_string(), &[("input", row)]);
        if is_said {
            self.print_always(&format!("bad input: {fault}"));
        }
    }

    /// Prints a line without disturbing the one that is redrawn.
    fn print_always(&self, line: &str) {
        let line = visible(line);
        match &self.bar {
            Some(bar) => bar.suspend(|| tell(&line)),
            None => tell(&line),
        }
    }
}

/// Says how much is done, how fast that went, and how long the rest takes.
fn done(step: &str, pages: u64, bytes: u64, elapsed: Duration, share: Option<f64>) -> String {
    let mut line = format!("{step}: {} pages, {}", HumanCount(pages), HumanBytes(bytes));
    if elapsed < TELLING {
        return line;
    }
    line += &format!(
        ", {}/s",
        HumanBytes((bytes as f64 / elapsed.as_secs_f64()) as u64)
    );
    if let Some(share) = share.filter(|&share| share > 0.01) {
        let left = elapsed.mul_f64((1.0 - share) / share);
        line += &format!(", {:.0} %, {} left", 100.0 * share, HumanDuration(left));
    }
    line
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.expected.is_over.store(true, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn spinner() -> ProgressBar {
    let style =
        ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is valid");
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style);
    let shown = bar.clone();
    // Where no thread can be started, the lines that stay are enough.
    drop(thread::Builder::new().spawn(move || {
        thread::sleep(PATIENCE);
        if !shown.is_finished() {
            shown.set_draw_target(ProgressDrawTarget::stderr());
        }
    }));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_rate_and_time_left() {
        let line = done(
            "reading pages",
            2_000,
            10 << 20,
            Duration::from_secs(10),
            Some(0.25),
        );
        assert_eq!(
            line,
            "reading pages: 2,000 pages, 10.00 MiB, 1.00 MiB/s, 25 %, 30 seconds left"
        );
        let line = done(
            "reading pages",
            2,
            1024,
            Duration::from_millis(10),
            Some(0.5),
        );
        assert_eq!(
            line, "reading pages: 2 pages, 1.00 KiB",
            "too early to tell"
        );
    }

    #[test]
    fn what_is_packed_has_no_known_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "<p>page").unwrap();
            path
        };
        let (asked, page) = (AtomicBool::new(false), file("1.html"));
        assert_eq!(
            sizes(&[page.clone(), folder.path().to_owned()], &asked),
            Some(14)
        );
        assert_eq!(sizes(&[page.clone(), file("2.warc.gz")], &asked), None);
        assert_eq!(
            sizes(&[page], &AtomicBool::new(true)),
            None,
            "nobody asks any more"
        );
    }
}
