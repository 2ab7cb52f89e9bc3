//! `unmold crawl`: from addresses to an archive of pages.

use crate::{
    args::{CrawlArgs, Global},
    exit::{Failure, Outcome},
    interrupt,
    output::{self, Destinations},
    progress::Progress,
    terminal::{clipped, counted, tell, visible},
};
use anyhow::{Result, bail};
use indicatif::{HumanBytes, HumanDuration};
use serde::Serialize;
use std::{
    io::{self, BufRead, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};
use unicode_width::UnicodeWidthStr;
use unmold_crawl::{
    Budget, CrawlError, DomainTally, FailureKind, Limits, Report, Settings, Start, StateError,
    Watch, address::Guard, crawl, options_of,
};
use unmold_io::{Pattern, save::Overwrite};

pub fn run(args: &CrawlArgs, global: &Global) -> Result<Outcome> {
    let settings = settings(args)?;
    // A resumed crawl knows its URL, and it may be typed again.
    let is_one_url = args.urls.windows(2).all(|urls| urls[0] == urls[1]);
    if args.reach.list && !is_one_url {
        bail!(Failure::Usage("--list takes one URL".into()));
    }
    if args.dry_run {
        return list_planned(args, &settings, global);
    }
    let Some(output) = &args.output else {
        bail!(Failure::Usage("--output FILE is needed".into()));
    };
    if args.resume && !global.quiet {
        let options = options_of(output).map_err(|error| failure(error.into()))?;
        if !options.is_empty() {
            tell(&format!(
                "{}: going on with {}",
                visible(&output.to_string_lossy()),
                visible(&options.join(" "))
            ));
        }
    }
    Destinations::beside(&args.bounds.trust, args.overwrite || args.resume)
        .file(args.errors.as_deref())?;
    let start = match (args.resume, args.overwrite) {
        (true, _) => Start::Resume,
        (_, true) => Start::Anew(Overwrite::Allow),
        _ => Start::Anew(Overwrite::Refuse),
    };
    let mut progress = Progress::new(global.quiet);
    progress.begin("crawling");
    interrupt::ask_first();
    let report = crawl(
        output,
        start,
        &settings,
        addresses(&args.urls),
        &mut Watching(&mut progress),
    );
    let report = report.map_err(failure)?;
    write_errors(args, &report)?;
    summarise(&report, &progress);
    end(output, &report, global)
}

/// Prints what would be fetched.
fn list_planned(args: &CrawlArgs, settings: &Settings, global: &Global) -> Result<Outcome> {
    Destinations::beside(&args.bounds.trust, args.overwrite).file(args.errors.as_deref())?;
    let mut progress = Progress::new(global.quiet);
    progress.begin("looking");
    interrupt::ask_first();
    // An archive is written, of robots.txt and sitemaps that are not kept: it holds nothing.
    let folder = tempfile::tempdir()?;
    let report = crawl(
        &folder.path().join("dry-run.warc.gz"),
        Start::Anew(Overwrite::Refuse),
        settings,
        addresses(&args.urls),
        &mut Watching(&mut progress),
    );
    let report = report.map_err(failure)?;
    write_errors(args, &report)?;
    let mut out = io::stdout().lock();
    for url in &report.planned {
        writeln!(out, "{}", visible(url))?;
    }
    for failure in &report.failed {
        if failure.kind != FailureKind::Left {
            tell(&format!(
                "{}: {}",
                visible(&failure.url),
                visible(&failure.reason)
            ));
        }
    }
    if !report.is_finished {
        bail!(Failure::Interrupted("interrupted".into()));
    }
    if report.planned.is_empty() {
        bail!(Failure::Nothing("no page would be fetched".into()));
    }
    Ok(Outcome::Done)
}

/// Why the crawl ended, in terms of exit codes.
fn failure(error: CrawlError) -> anyhow::Error {
    match error {
        CrawlError::Save(error) => error.into(),
        CrawlError::State(StateError::DiskFull(_)) => Failure::Full(error.to_string()).into(),
        CrawlError::Unfinished(_)
        | CrawlError::NoState(_)
        | CrawlError::Rotation(_)
        | CrawlError::State(_) => Failure::Usage(error.to_string()).into(),
        other => other.into(),
    }
}

fn settings(args: &CrawlArgs) -> Result<Settings> {
    let contact = args
        .contact
        .clone()
        .or_else(|| std::env::var("UNMOLD_CONTACT").ok())
        .unwrap_or_default();
    if !contact.contains('@') && !contact.contains("://") {
        bail!(Failure::Usage(
            "--contact MAIL|URL is needed (or UNMOLD_CONTACT): operators of servers must be able to ask who crawls them".into()
        ));
    }
    let mut options = args.words.clone();
    if args.contact.is_none() {
        options.insert(0, format!("--contact={contact}"));
    }
    let (reach, manners, bounds) = (&args.reach, &args.manners, &args.bounds);
    let patterns = |patterns: &[String]| patterns.iter().map(Pattern::new).collect::<Vec<_>>();
    let is_learning = reach.until.is_some();
    Ok(Settings::new(contact)
        .follow(reach.follow || is_learning)
        .sitemaps(reach.sitemaps || is_learning)
        .enough(is_learning.then_some(reach.enough as usize))
        .scope(reach.scope.into())
        .depth(reach.depth)
        .include(patterns(&reach.include))
        .exclude(patterns(&reach.exclude))
        .again(reach.again)
        .visits(reach.visits.unwrap_or(u32::MAX))
        .latency(manners.latency)
        .parallel(manners.parallel.into())
        .retries(manners.retries)
        .backoff(manners.backoff)
        .limit(bounds.limit)
        .per_domain(bounds.per_site)
        .per_shape(bounds.per_shape)
        .insecure(bounds.insecure)
        .trust(trusted(&bounds.trust)?)
        .list(reach.list)
        .since(reach.since.clone())
        .dry_run(args.dry_run)
        .max_bytes(bounds.max_bytes.map(|bytes| bytes as u64))
        .max_time(bounds.max_time)
        .keep_free(bounds.keep_free as u64)
        .options(options)
        .rotate(args.rotate.map(|bytes| bytes.max(1) as u64))
        .limits(Limits {
            total: bounds.timeout,
            body_bytes: bounds.page_bytes,
            ..Limits::default()
        })
        .guard(guard(args)))
}

fn trusted(files: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    let read = |path: &PathBuf| {
        std::fs::read(path)
            .map_err(|error| Failure::Usage(format!("--trust {}: {error}", path.display())))
    };
    Ok(files.iter().map(read).collect::<Result<_, Failure>>()?)
}

/// An address without a page, as `--errors` has it.
#[derive(Serialize)]
struct ErrorRow<'a> {
    file: &'a str,
    stage: &'static str,
    kind: FailureKind,
    reason: &'a str,
}

/// Lists all addresses without a page in the file that was asked for.
fn write_errors(args: &CrawlArgs, report: &Report) -> Result<()> {
    let Some(path) = &args.errors else {
        return Ok(());
    };
    // That it may be replaced was looked at before any work.
    output::write_file(path, true, |out| {
        report.without_page.iter().try_for_each(|failure| {
            let row = ErrorRow {
                file: &failure.url,
                stage: "fetch",
                kind: failure.kind,
                reason: &failure.reason,
            };
            output::jsonl_row(out, &row)
        })
    })
}

fn guard(args: &CrawlArgs) -> Guard {
    let guard = args
        .bounds
        .allow_private
        .iter()
        .fold(Guard::default(), |guard, network| guard.allow(*network));
    args.bounds
        .resolve
        .iter()
        .fold(guard, |guard, (name, address)| guard.pin(name, *address))
}

/// The addresses that were typed, and those of standard input where `-` stands.
fn addresses(urls: &[String]) -> impl Iterator<Item = String> + Send + use<> {
    let lines = || {
        io::BufReader::new(io::stdin())
            .lines()
            .map_while(Result::ok)
    };
    let urls = urls.to_vec();
    urls.into_iter()
        .flat_map(move |url| -> Box<dyn Iterator<Item = String> + Send> {
            if url == "-" {
                Box::new(lines())
            } else {
                Box::new(std::iter::once(url))
            }
        })
}

struct Watching<'a>(&'a mut Progress);

impl Watch for Watching<'_> {
    fn progress(&mut self, now: &unmold_crawl::Progress) {
        let line = format!(
            "crawling: {}, {}, {}, {} asked, {} waiting, {} left",
            counted(now.pages as usize, "page"),
            HumanBytes(now.bytes),
            counted(now.domains, "site"),
            now.asking,
            now.waiting,
            HumanDuration(now.left.max(Duration::from_secs(1)))
        );
        self.0.show(&line);
    }

    fn note(&mut self, note: &str) {
        self.0.warn(note);
    }

    fn wants_to_stop(&self) -> bool {
        interrupt::is_asked()
    }
}

/// The most rows of a table that are shown.
const ROWS: usize = 50;

fn summarise(report: &Report, progress: &Progress) {
    let heading = [
        "site", "pages", "bytes", "failed", "robots", "traps", "left", "",
    ]
    .map(str::to_owned);
    let rows = report
        .domains
        .iter()
        .take(ROWS)
        .map(|(name, tally)| row(name, tally));
    let rows: Vec<[String; 8]> = std::iter::once(heading).chain(rows).collect();
    table(&rows, progress);
    if report.domains.len() > ROWS {
        progress.say(&format!(
            "... and {} more",
            counted(report.domains.len() - ROWS, "site")
        ));
    }
    for (name, (kinds, alone)) in report.kinds.iter().take(ROWS) {
        let alone = if *alone > 0 {
            format!(", {} like no other", counted(*alone, "page"))
        } else {
            String::new()
        };
        progress.say(&format!(
            "{}: {} of pages{alone}",
            visible(name),
            counted(kinds.len(), "kind")
        ));
        for kind in kinds.iter().take(ROWS) {
            let name = visible(&kind.name);
            progress.say(&format!(
                "  {:6}  {}  {}",
                kind.pages,
                clipped(&name, 50),
                visible(&kind.example)
            ));
        }
    }
}

fn row(name: &str, tally: &DomainTally) -> [String; 8] {
    [
        clipped(&visible(name), 40).into_owned(),
        tally.pages.to_string(),
        HumanBytes(tally.bytes).to_string(),
        tally.failed.to_string(),
        tally.disallowed.to_string(),
        tally.trapped.to_string(),
        tally.left.to_string(),
        tally
            .stopped
            .as_ref()
            .map(|why| format!("given up: {}", visible(why)))
            .unwrap_or_default(),
    ]
}

/// Prints rows with their columns below each other.
fn table(rows: &[[String; 8]], progress: &Progress) {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..8).map(width).collect();
    for row in rows {
        let pad = |column: usize| " ".repeat(widths[column] - row[column].width());
        let numbers: Vec<String> = (1..7)
            .map(|column| format!("{}{}", pad(column), row[column]))
            .collect();
        progress
            .say(format!("{}{}  {}  {}", row[0], pad(0), numbers.join("  "), row[7]).trim_end());
    }
}

/// The files of an archive, from the first to the last.
fn names_of(files: &[PathBuf]) -> Option<String> {
    let (first, last) = (files.first()?.display(), files.last()?.display());
    Some(if files.len() > 1 {
        format!("{first} to {last}")
    } else {
        first.to_string()
    })
}

fn end(output: &Path, report: &Report, global: &Global) -> Result<Outcome> {
    for failure in &report.failed {
        tell(&format!(
            "{}: {}",
            visible(&failure.url),
            visible(&failure.reason)
        ));
    }
    let file = names_of(&report.files).unwrap_or_else(|| output.display().to_string());
    let pages = counted(report.pages as usize, "page");
    if !global.quiet {
        let counts = report.counts;
        tell(&format!(
            "{}: {} fetched, {} failed, {} refused, {} left",
            counted(counts.known, "URL"),
            counts.fetched,
            counts.failed,
            counts.refused,
            counts.left
        ));
    }
    if !report.is_finished {
        let why = match report.stopped {
            Some(Budget::Bytes) => "stopped by --max-bytes",
            Some(Budget::Time) => "stopped by --max-time",
            Some(Budget::Disk) => "stopped, since the disk has less room than --keep-free",
            None => "interrupted",
        };
        let message = format!(
            "{why} with {pages}: unmold crawl --resume -o {} goes on",
            output.display()
        );
        bail!(match report.stopped {
            Some(Budget::Bytes | Budget::Time) => Failure::Limit(message),
            Some(Budget::Disk) => Failure::Full(message),
            None => Failure::Interrupted(message),
        });
    }
    if !global.quiet {
        tell(&format!(
            "{pages} in {file}, {} requests in {:.1} s",
            report.requests,
            report.took.as_secs_f64()
        ));
    }
    let is_given_up = report.domains.values().any(|tally| tally.stopped.is_some());
    match report {
        Report {
            pages: 0,
            requests: 0,
            failed,
            ..
        } if failed.is_empty() && !is_given_up => Ok(Outcome::Done),
        Report { pages: 0, .. } => bail!(Failure::Nothing(format!(
            "no page was fetched; {file} has none"
        ))),
        Report { failed, .. } if !failed.is_empty() || is_given_up => Ok(Outcome::SomeBad),
        _ => Ok(Outcome::Done),
    }
}
