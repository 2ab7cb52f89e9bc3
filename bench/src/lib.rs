//! How the benchmarks take time.

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    hint::black_box,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use unmold::{
    Text,
    symbols::encode::{Codes, Symbols},
};
use unmold_io::LoadSettings;

/// The fastest of so many runs counts: the others were disturbed.
const RUNS: usize = 3;

/// The shortest time that work took.
pub fn fastest<T>(work: impl Fn() -> T) -> Duration {
    let timed = |_| {
        let started = Instant::now();
        black_box(work());
        started.elapsed()
    };
    (0..RUNS).map(timed).min().unwrap_or_default()
}

/// The shortest time for which this thread had a core, where the system says so: other work on the
/// machine does not count. Only for work that stays on this thread.
pub fn fastest_on_core<T>(work: impl Fn() -> T) -> Duration {
    let timed = |_| {
        let (started, on_core) = (Instant::now(), time_on_core());
        black_box(work());
        match (on_core, time_on_core()) {
            (Some(before), Some(after)) => after - before,
            _ => started.elapsed(),
        }
    };
    (0..RUNS).map(timed).min().unwrap_or_default()
}

fn time_on_core() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics
        .split_whitespace()
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// The pages below a folder, decoded.
pub fn texts(folder: &Path) -> Vec<Text> {
    let pages = unmold_io::load([folder], &LoadSettings::default())
        .read_all()
        .pages;
    pages.into_iter().map(Text::decode).collect()
}

/// The `.html` files below a folder, decoded.
///
/// # Errors
/// When there are none.
pub fn html_texts(folder: &Path) -> Result<Vec<Text>> {
    let pages = unmold_io::load([folder], &LoadSettings::default().include("*.html"))
        .pages()
        .filter_map(Result::ok);
    let pages: Vec<_> = pages.collect();
    ensure!(
        !pages.is_empty(),
        "no .html page below {}",
        folder.display()
    );
    Ok(pages.into_par_iter().map(Text::decode).collect())
}

/// The folders that were named, or the project's own pages.
pub fn folders() -> Vec<PathBuf> {
    let named: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if named.is_empty() {
        vec![own_pages()]
    } else {
        named
    }
}

/// The folder with the project's own pages.
pub fn own_pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/sites")
}

/// What a corpus must come to, as the files in `bench/` have it on record.
pub trait Counted: Debug + PartialEq + Serialize + DeserializeOwned {
    /// Pages and bytes, by which a corpus is known.
    fn corpus(&self) -> (usize, usize);
}

/// Compares counts with those on record of the same corpus, if there are any.
///
/// # Errors
/// When they differ, or the record cannot be read.
pub fn check_record<C: Counted>(file: &str, counts: &C) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let record = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let record: BTreeMap<String, C> = serde_json::from_str(&record)?;
    match record
        .iter()
        .find(|(_, known)| known.corpus() == counts.corpus())
    {
        Some((name, known)) if known == counts => println!("{name}: the counts on record"),
        Some((name, known)) => bail!("{name}: expected {known:?}, counted {counts:?}"),
        None => println!(
            "not on record in {file}: {}",
            serde_json::to_string(counts)?
        ),
    }
    Ok(())
}

/// Sorts the suffixes of symbols and does nothing else: what other times are compared with.
///
/// # Errors
/// When memory runs out, or suffixes are missing.
pub fn sort_alone(symbols: &Symbols) -> Result<()> {
    let Codes::Wide(codes) = symbols.codes() else {
        bail!("words have wide codes")
    };
    let sorted = unmold_suffix::sort_alone::<u32>(codes, symbols.pages(), symbols.alphabet())?;
    ensure!(
        sorted == symbols.len(),
        "{sorted} suffixes of {} symbols",
        symbols.len()
    );
    Ok(())
}
