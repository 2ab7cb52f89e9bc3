//! How fast are pages read by a mold, in memory and one by one? The figure that
//! `bench/compare-python` holds Python against.
//!
//! `bench-by-mold ROUNDS FOLDER...`: for each folder of pages a line of JSON: pages, bytes, and the
//! seconds of the best round for reading (from bytes, as they come, to an extraction), for reading
//! and writing the text, for reading and writing the row, and for the last by four threads that
//! share a reader.

use std::{thread, time::Instant};
use unmold::{Mold, Page, Reader, Text, report::rows};
use unmold_io::{LoadSettings, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments
        .next()
        .ok_or("usage: bench-by-mold ROUNDS FOLDER...")?
        .parse()?;
    for folder in arguments {
        let pages = load([&folder], &LoadSettings::default()).read_all().pages;
        let texts: Vec<Text> = pages.iter().cloned().map(Text::decode).collect();
        let reader = Mold::learn(&texts)?.reader();
        let bytes: usize = pages.iter().map(|page| page.bytes().len()).sum();
        let every = |work: Work| pages.iter().map(|page| read(&reader, page, work)).sum();
        let alone = best(rounds, || every(Work::Read));
        let with_text = best(rounds, || every(Work::Text));
        let times = (LONG_ENOUGH / alone).ceil() as usize;
        let with_row = best(1, || (0..times).map(|_| every(Work::Row)).sum()) / times as f64;
        let shared = best(1, || by_threads(&reader, &pages, times)) / times as f64;
        println!(
            r#"{{"pages":{},"bytes":{bytes},"read":{alone},"text":{with_text},"row":{with_row},"threads":{shared}}}"#,
            pages.len()
        );
    }
    Ok(())
}

/// As many as `bench/compare-python` takes,
const THREADS: usize = 4;
/// and for so many seconds of one thread: of a few milliseconds, starting threads and waiting for
/// the last is a third.
const LONG_ENOUGH: f64 = 0.25;

#[derive(Clone, Copy, PartialEq)]
enum Work {
    Read,
    Text,
    Row,
}

/// Reads a page as it comes; gives something of what was found, so that nothing is left out.
fn read(reader: &Reader, page: &Page, work: Work) -> usize {
    let text = Text::decode(page.clone());
    let Ok(found) = reader.read(&text) else {
        return 0;
    };
    match work {
        Work::Read => found.fields().count(),
        Work::Text => found.content().text().len(),
        Work::Row => rows::json(&found).len(),
    }
}

/// All pages so many times, shared out among threads.
fn by_threads(reader: &Reader, pages: &[Page], times: usize) -> usize {
    let of_thread = |thread: usize| {
        let pages = (0..times).flat_map(|_| pages).skip(thread).step_by(THREADS);
        pages
            .map(|page| read(reader, page, Work::Row))
            .sum::<usize>()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || of_thread(thread)))
            .collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .sum()
    })
}

/// The seconds of the best round.
fn best(rounds: usize, mut round: impl FnMut() -> usize) -> f64 {
    let timed = (0..rounds).map(|_| {
        let start = Instant::now();
        std::hint::black_box(round());
        start.elapsed().as_secs_f64()
    });
    timed.fold(f64::INFINITY, f64::min)
}
