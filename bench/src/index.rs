//! How long do pages take from the disk to a full index, compared with sorting their suffixes alone?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-index -- FOLDER
//! ```
//!
//! Machines differ and are noisy, so times are given as ratios within one run: the whole path against the suffix sort,
//! all pages against half of them. Before any time is printed the result is checked: against the counts on record in
//! `bench/expected.json`, and against an identity that holds for any corpus (the masses of all substrings add up to
//! the number of substrings). A wrong index cannot look fast.

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use unmold::{
    Text,
    encode::{Codes, Symbols, Words},
    index::Index,
};
use unmold_io::LoadSettings;

/// What an index of a corpus must come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    pages: usize,
    bytes: usize,
    symbols: usize,
    nodes: usize,
    maximal: usize,
    tf: usize,
    df: usize,
}

/// The steps of the path and how long each took.
struct Run {
    counts: Counts,
    steps: Vec<(&'static str, Duration)>,
    index: Index,
}

impl Run {
    fn total(&self) -> Duration {
        self.steps.iter().map(|(_, time)| *time).sum()
    }
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).map_or_else(default_folder, PathBuf::from);
    let whole = run(&folder, None)?;
    let peak = peak_memory();
    check_identity(&whole.index)?;
    check_record(&whole.counts)?;
    let sort = time_sort(whole.index.symbols())?;
    let (counts, whole_time, steps) = (whole.counts.clone(), whole.total(), whole.steps.clone());
    drop(whole);
    let half = run(&folder, Some(counts.bytes / 2))?;
    report(&counts, &steps, whole_time, sort, &half, peak);
    Ok(())
}

/// The pages of the project itself, so that the benchmark can be tried anywhere.
fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/sites")
}

/// Takes pages the whole way; with `bytes`, only so many from the start.
fn run(folder: &Path, bytes: Option<usize>) -> Result<Run> {
    let mut steps = Vec::new();
    let mut timed = |step, started: Instant| steps.push((step, started.elapsed()));

    let started = Instant::now();
    let mut pages = unmold_io::load([folder], &LoadSettings::default().include("*.html")).read_all().pages;
    timed("load", started);
    ensure!(!pages.is_empty(), "no .html page below {}", folder.display());
    if let Some(bytes) = bytes {
        let mut read = 0;
        pages.retain(|page| {
            read += page.bytes().len();
            read <= bytes
        });
    }
    let counts =
        Counts { pages: pages.len(), bytes: pages.iter().map(|page| page.bytes().len()).sum(), ..Counts::default() };

    let started = Instant::now();
    let texts: Vec<Text> = pages.into_par_iter().map(Text::decode).collect();
    timed("decode", started);

    let started = Instant::now();
    let symbols = Words::default().encode(&texts);
    timed("encode", started);

    let started = Instant::now();
    let index = Index::new(symbols)?;
    timed("index", started);

    let started = Instant::now();
    let counts = walked(&index, counts);
    timed("walk", started);
    Ok(Run { counts, steps, index })
}

/// Visits every node and adds up what is known of it.
fn walked(index: &Index, mut counts: Counts) -> Counts {
    let add = |a: [usize; 4], b: [usize; 4]| [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
    let [nodes, maximal, tf, df] =
        index.par_nodes().map(|node| [1, usize::from(node.left_diverse), node.tf, node.df]).reduce(|| [0; 4], add);
    counts.symbols = index.len();
    Counts { nodes, maximal, tf, df, ..counts }
}

/// Every substring of every page is counted in exactly one mass.
fn check_identity(index: &Index) -> Result<()> {
    let masses: u128 = index.substring_mass().values().map(|&mass| u128::from(mass)).sum();
    let lengths = index.symbols().pages().ranges().map(|page| page.len() as u128);
    let substrings: u128 = lengths.map(|length| length * (length + 1) / 2).sum();
    ensure!(masses == substrings, "the masses add up to {masses}, the pages have {substrings} substrings");
    Ok(())
}

fn check_record(counts: &Counts) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("expected.json");
    let record = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let record: BTreeMap<String, Counts> = serde_json::from_str(&record)?;
    let same_corpus = record.iter().find(|(_, known)| known.pages == counts.pages && known.bytes == counts.bytes);
    match same_corpus {
        Some((name, known)) if known == counts => println!("{name}: the counts on record"),
        Some((name, known)) => bail!("{name}: expected {known:?}, counted {counts:?}"),
        None => println!("not on record in expected.json: {}", serde_json::to_string(counts)?),
    }
    Ok(())
}

fn time_sort(symbols: &Symbols) -> Result<Duration> {
    let Codes::Wide(codes) = symbols.codes() else { bail!("words have wide codes") };
    let started = Instant::now();
    let sorted = unmold_suffix::sort_alone::<u32>(codes, symbols.pages(), symbols.alphabet())?;
    let time = started.elapsed();
    ensure!(sorted == symbols.len(), "{sorted} suffixes of {} symbols", symbols.len());
    Ok(time)
}

/// The most memory this process has held, in bytes, where the system says so.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<usize>().ok().map(|kib| kib * 1024)
}

fn report(
    counts: &Counts,
    steps: &[(&'static str, Duration)],
    whole: Duration,
    sort: Duration,
    half: &Run,
    peak: Option<usize>,
) {
    println!("{} pages, {} bytes, {} symbols, {} nodes", counts.pages, counts.bytes, counts.symbols, counts.nodes);
    println!("{} threads\n", rayon::current_num_threads());
    let against_sort = |time: Duration| time.as_secs_f64() / sort.as_secs_f64();
    for (step, time) in steps {
        println!("{step:<28} {:>8.3} s  {:>5.2} x sort", time.as_secs_f64(), against_sort(*time));
    }
    println!("{:<28} {:>8.3} s  {:>5.2} x sort", "whole path", whole.as_secs_f64(), against_sort(whole));
    println!("{:<28} {:>8.3} s", "suffix sort alone", sort.as_secs_f64());
    let share = counts.bytes as f64 / half.counts.bytes as f64;
    let growth = whole.as_secs_f64() / half.total().as_secs_f64();
    println!("{:<28} {growth:>8.2} x the time for {share:.2} x the pages", "against half the input");
    if let Some(peak) = peak {
        println!("{:<28} {:>8.2} bytes per byte", "peak memory", peak as f64 / counts.bytes as f64);
    }
}
