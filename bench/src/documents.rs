//! How long does it take to learn template strings, compared with sorting the suffixes alone, and
//! to apply them?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-documents -- [FOLDER]
//! ```
//!
//! Times are of work done by all threads together, so learning is compared as if on one core. It is
//! timed from decoded pages to strings (reading symbols, index, walk, strings), as a ratio to the
//! suffix sort of the same symbols in the same run. Applying is timed on one core, from decoded
//! pages to what is template on them: in the order of the pages on disk, shuffled, and with nothing
//! remembered from page to page. Each run begins with an empty memory. Before a time is printed the
//! results are checked against the counts on record in `bench/expected-documents.json`. Each thing
//! is measured three times and the best counts, since noise only ever adds.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, time::Duration};
use unmold::{
    Span, Text,
    papers::documents::Settings,
    read::mutable::Mutables,
    strings::{self, apply::Finder, rule::Template},
    symbols::encode::Flat,
};
use unmold_bench::{Counted, check_record, html_texts, own_pages, sort_alone};

/// What the template of a corpus must come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    pages: usize,
    bytes: usize,
    symbols: usize,
    strings: usize,
    removed: usize,
}

impl Counted for Counts {
    fn corpus(&self) -> (usize, usize) {
        (self.pages, self.bytes)
    }
}

const TIMES: usize = 3;

fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .map_or_else(own_pages, PathBuf::from);
    let texts = html_texts(&folder)?;
    let (template, learned) = fastest(|| {
        Ok(strings::learn(
            &texts,
            &Mutables::common(),
            &Settings::default(),
        )?)
    })?;
    let symbols = Flat::default()
        .with_mutables(Mutables::common())
        .encode(&texts);
    let (_, sort) = fastest(|| sort_alone(&symbols))?;
    let cleaner = Finder::new([&template])?;
    let pages: Vec<&Text> = texts.iter().collect();
    let applied = [
        ("matches", Applied::all(&pages, &cleaner, Finder::matches)?),
        ("clean", Applied::all(&pages, &cleaner, Finder::template)?),
        (
            "clean, pages shuffled",
            Applied::all(&shuffled(&pages), &cleaner, Finder::template)?,
        ),
        (
            "clean, nothing remembered",
            Applied::all(&pages, &cleaner.clone().memory(0), Finder::template)?,
        ),
    ];
    let (matched, removed) = (applied[0].1.found, applied[1].1.found);
    ensure!(
        applied[1..]
            .iter()
            .all(|(_, applied)| applied.found == removed),
        "memory changes what is removed"
    );
    let bytes = texts.iter().map(|text| text.as_str().len()).sum();
    let strings = template.strings.len();
    check_record(
        "expected-documents.json",
        &Counts {
            pages: texts.len(),
            bytes,
            symbols: symbols.len(),
            strings,
            removed,
        },
    )?;
    println!(
        "{} pages, {bytes} bytes, {} symbols, {strings} strings",
        texts.len(),
        symbols.len()
    );
    println!(
        "{:.3} of the bytes match, {:.3} are removed",
        share(matched, bytes),
        share(removed, bytes)
    );
    println!("longest string: {} bytes\n", longest(&template));
    println!(
        "{:<28} {:>8.3} s  {} ({} threads)",
        "learn",
        learned.as_secs_f64(),
        times(learned, sort),
        rayon::current_num_threads()
    );
    println!("{:<28} {:>8.3} s", "suffix sort alone", sort.as_secs_f64());
    println!("on one core:");
    for (
        what,
        Applied {
            time, remembered, ..
        },
    ) in applied
    {
        let (seconds, remembered) = (time.as_secs_f64(), 100.0 * share(remembered, bytes));
        println!(
            "{what:<28} {seconds:>8.3} s  {:>5.0} MB/s  {remembered:>3.0} % remembered",
            bytes as f64 / 1e6 / seconds
        );
    }
    Ok(())
}

/// Templates applied to all pages, on one core.
struct Applied {
    time: Duration,
    /// Bytes of all spans.
    found: usize,
    /// Bytes that were not read, since they were remembered.
    remembered: usize,
}

impl Applied {
    /// Applies by a clone of the cleaner, which remembers nothing yet.
    fn all(
        pages: &[&Text],
        cleaner: &Finder,
        apply: fn(&Finder, &str) -> Vec<Span>,
    ) -> Result<Self> {
        let ((found, remembered), time) = fastest(|| {
            let cleaner = cleaner.clone();
            let found = |text: &&Text| {
                apply(&cleaner, text.as_str())
                    .iter()
                    .map(|span| span.len())
                    .sum::<usize>()
            };
            Ok((
                pages.iter().map(found).sum(),
                cleaner.remembered_bytes() as usize,
            ))
        })?;
        Ok(Applied {
            time,
            found,
            remembered,
        })
    }
}

/// Pages in an order that has nothing to do with theirs, the same in every run.
fn shuffled<'t>(pages: &[&'t Text]) -> Vec<&'t Text> {
    let mut shuffled = pages.to_vec();
    let mut random: u64 = 1;
    for last in (1..shuffled.len()).rev() {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        shuffled.swap(last, (random >> 33) as usize % (last + 1));
    }
    shuffled
}

/// Seconds that all threads of this process have worked, where the system says so: on a busy
/// machine the clock on the wall tells little.
fn worked() -> Duration {
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    Duration::from_millis(10 * ticks().unwrap_or(0))
}

/// The result of the last run and the work of the one with the least.
fn fastest<T>(run: impl Fn() -> Result<T>) -> Result<(T, Duration)> {
    let mut best = Duration::MAX;
    let mut result = None;
    for _ in 0..TIMES {
        drop(result.take());
        let before = worked();
        result = Some(run()?);
        best = best.min(worked() - before);
    }
    Ok((result.context("measured at least once")?, best))
}

/// How many times as long as the sort something took; not told from a few ticks.
fn times(work: Duration, sort: Duration) -> String {
    if sort < Duration::from_millis(500) {
        return "(too short to compare with the sort)".to_owned();
    }
    format!("{:.2} x sort", work.as_secs_f64() / sort.as_secs_f64())
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn longest(template: &Template) -> usize {
    template
        .strings
        .iter()
        .map(|string| string.string.len())
        .max()
        .unwrap_or(0)
}
