//! The fuzz targets, without a fuzzer: each on inputs that are made of the seeds in `fuzz/seeds`, the same in every run.
//!
//! `UNMOLD_FUZZ_RUNS` sets how many inputs each target gets, `UNMOLD_FUZZ_FROM` the number of the first. What fails is printed
//! with its number.

use std::{fs, path::Path};
use unmold_invariants as invariants;

/// This many inputs take a target up to ten seconds in the profile of the tests.
const RUNS: u64 = 1_000;

fn setting(name: &str, otherwise: u64) -> u64 {
    let typed = std::env::var(name).ok();
    typed
        .and_then(|number| number.parse().ok())
        .unwrap_or(otherwise)
}

/// The files in a folder of seeds, in the order of their names.
fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(kind);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Calls a target with each input.
fn run(kind: &str, target: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    let seeds = seeds(kind);
    assert!(!seeds.is_empty());
    let first = setting("UNMOLD_FUZZ_FROM", 1);
    for number in first..first + setting("UNMOLD_FUZZ_RUNS", RUNS) {
        let input = invariants::mutate::mutated(&seeds, number);
        let outcome = std::panic::catch_unwind(|| target(&input));
        assert!(
            outcome.is_ok(),
            "input {number} of {kind}:\n{}",
            String::from_utf8_lossy(&input)
        );
    }
}

fn run_pages(target: impl Fn(&str) + std::panic::RefUnwindSafe) {
    run("pages", |bytes| target(&String::from_utf8_lossy(bytes)));
}

#[test]
fn tokens() {
    run_pages(invariants::tokens_tile);
}

#[test]
fn trees() {
    run_pages(invariants::tree_nests);
}

#[test]
fn records() {
    run_pages(invariants::records_hold);
}

#[test]
fn symbols() {
    run_pages(invariants::symbols_cover);
}

#[test]
fn charsets() {
    run("pages", |bytes| {
        for charset in ["utf-8", "shift_jis", "windows-1251", "?"] {
            invariants::decoding_leads_back(bytes, charset);
        }
    });
}

#[test]
fn molds() {
    run("molds", |bytes| {
        invariants::molds_read_back(&String::from_utf8_lossy(bytes));
    });
}

#[test]
fn piles() {
    let all = seeds("pages");
    run("pages", |bytes| {
        let others = all
            .iter()
            .map(|seed| String::from_utf8_lossy(seed).into_owned());
        let mut pages: Vec<String> = others.take(2).collect();
        pages.push(String::from_utf8_lossy(bytes).into_owned());
        invariants::reading_is_the_same_with_memory(&pages);
    });
}

#[test]
fn outputs() {
    run_pages(invariants::outputs_are_read_back);
}

#[test]
fn declared() {
    run("declared", |bytes| {
        invariants::declared_data_hold(&String::from_utf8_lossy(bytes));
    });
}

#[test]
fn lines() {
    run("lines", |bytes| {
        drop(invariants::loading_adds_up("a.jsonl", bytes));
    });
}

#[test]
fn archives() {
    run("archives", |bytes| {
        drop(invariants::loading_adds_up("a.warc", bytes));
    });
}
