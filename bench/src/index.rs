//! How long do pages take from the disk to a full index, compared with sorting their suffixes
//! alone?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-index -- FOLDER
//! ```
//!
//! Machines differ and are noisy, so times are given as ratios within one run: the whole path
//! against the suffix sort, all pages against half of them. Before any time is printed the result
//! is checked: against the counts on record in `bench/expected.json`, and against an identity that
//! holds for any corpus (the masses of all substrings add up to the number of substrings). A wrong
//! index cannot look fast. Each thing is measured three times and the best counts, since noise only
//! ever adds.

use anyhow::{Result, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use unmold::{
    Page, Text,
    symbols::{
        encode::{Symbols, Words},
        index::Index,
    },
};
use unmold_bench::{Counted, check_record, own_pages, sort_alone};
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

impl Counted for Counts {
    fn corpus(&self) -> (usize, usize) {
        (self.pages, self.bytes)
    }
}

/// How long each step of the path took.
#[derive(Clone, Debug, Default)]
struct Steps(Vec<(&'static str, Duration)>);

impl Steps {
    fn add(&mut self, step: &'static str, started: Instant) {
        self.0.push((step, started.elapsed()));
    }

    fn total(&self) -> Duration {
        self.0.iter().map(|(_, time)| *time).sum()
    }
}

/// How often each thing is measured.
const TIMES: usize = 3;

fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .map_or_else(own_pages, PathBuf::from);
    let (index, counts, steps) = fastest_run(&folder, None)?;
    let peak = peak_memory();
    check_identity(&index)?;
    check_record("expected.json", &counts)?;
    let sorts = (0..TIMES)
        .map(|_| time_sort(index.symbols()))
        .collect::<Result<Vec<_>>>()?;
    let sort = sorts.into_iter().min().expect("measured at least once");
    drop(index);
    let (_, half_counts, half_steps) = fastest_run(&folder, Some(counts.bytes / 2))?;
    report(&counts, &steps, sort, peak);
    let share = counts.bytes as f64 / half_counts.bytes as f64;
    let growth = steps.total().as_secs_f64() / half_steps.total().as_secs_f64();
    println!(
        "{:<28} {growth:>8.2} x the time for {share:.2} x the pages",
        "against half the input"
    );
    Ok(())
}

/// Runs several times, one index in memory at a time, and keeps the steps of the fastest run.
fn fastest_run(folder: &Path, bytes: Option<usize>) -> Result<(Index, Counts, Steps)> {
    let (mut index, counts, mut fastest) = run(folder, bytes)?;
    for _ in 1..TIMES {
        drop(index);
        let (next, _, steps) = run(folder, bytes)?;
        index = next;
        if steps.total() < fastest.total() {
            fastest = steps;
        }
    }
    Ok((index, counts, fastest))
}

/// The pages of the project itself, so that the benchmark can be tried anywhere.
/// Takes pages the whole way; with `bytes`, only so many from the start.
fn run(folder: &Path, bytes: Option<usize>) -> Result<(Index, Counts, Steps)> {
    let mut steps = Steps::default();
    let started = Instant::now();
    let pages = load(folder, bytes)?;
    steps.add("load", started);
    let bytes = pages.iter().map(|page| page.bytes().len()).sum();
    let counts = Counts {
        pages: pages.len(),
        bytes,
        ..Counts::default()
    };

    let started = Instant::now();
    let texts: Vec<Text> = pages.into_par_iter().map(Text::decode).collect();
    steps.add("decode", started);

    let started = Instant::now();
    let symbols = Words::default().encode(&texts);
    steps.add("encode", started);

    let started = Instant::now();
    let index = Index::new(symbols)?;
    steps.add("index", started);

    let started = Instant::now();
    let counts = walked(&index, counts);
    steps.add("walk", started);
    Ok((index, counts, steps))
}

fn load(folder: &Path, bytes: Option<usize>) -> Result<Vec<Page>> {
    let mut left = bytes.unwrap_or(usize::MAX);
    // What is not a page, such as a link to a script that is not there, is not measured.
    let pages = unmold_io::load([folder], &LoadSettings::default().include("*.html"))
        .pages()
        .filter_map(Result::ok);
    let taken = pages.take_while(|page| match left.checked_sub(page.bytes().len()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    let pages: Vec<Page> = taken.collect();
    ensure!(
        !pages.is_empty(),
        "no .html page below {}",
        folder.display()
    );
    Ok(pages)
}

/// Visits every node and adds up what is known of it.
fn walked(index: &Index, mut counts: Counts) -> Counts {
    let add = |a: [usize; 4], b: [usize; 4]| [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
    let [nodes, maximal, tf, df] = index
        .par_nodes()
        .map(|node| [1, usize::from(node.left_diverse), node.tf, node.df])
        .reduce(|| [0; 4], add);
    counts.symbols = index.len();
    Counts {
        nodes,
        maximal,
        tf,
        df,
        ..counts
    }
}

/// Every substring of every page is counted in exactly one mass.
fn check_identity(index: &Index) -> Result<()> {
    let masses: u128 = index
        .substring_mass()
        .values()
        .map(|&mass| u128::from(mass))
        .sum();
    let lengths = index
        .symbols()
        .pages()
        .ranges()
        .map(|page| page.len() as u128);
    let substrings: u128 = lengths.map(|length| length * (length + 1) / 2).sum();
    ensure!(
        masses == substrings,
        "the masses add up to {masses}, the pages have {substrings} substrings"
    );
    Ok(())
}

fn time_sort(symbols: &Symbols) -> Result<Duration> {
    let started = Instant::now();
    sort_alone(symbols)?;
    Ok(started.elapsed())
}

/// The most memory this process has held, in bytes, where the system says so.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim()
        .strip_suffix(" kB")?
        .trim()
        .parse::<usize>()
        .ok()
        .map(|kib| kib * 1024)
}

fn report(counts: &Counts, steps: &Steps, sort: Duration, peak: Option<usize>) {
    println!(
        "{} pages, {} bytes, {} symbols, {} nodes",
        counts.pages, counts.bytes, counts.symbols, counts.nodes
    );
    println!(
        "{} threads, best of {TIMES} runs\n",
        rayon::current_num_threads()
    );
    let print = |step: &str, time: Duration| {
        let ratio = time.as_secs_f64() / sort.as_secs_f64();
        println!(
            "{step:<28} {:>8.3} s  {ratio:>5.2} x sort",
            time.as_secs_f64()
        );
    };
    steps.0.iter().for_each(|(step, time)| print(step, *time));
    print("whole path", steps.total());
    print("suffix sort alone", sort);
    if let Some(peak) = peak {
        println!(
            "{:<28} {:>8.2} bytes per byte",
            "peak memory",
            peak as f64 / counts.bytes as f64
        );
    }
}
