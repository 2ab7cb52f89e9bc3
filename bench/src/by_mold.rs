//! How fast are pages read by a mold, in memory and one by one? The figure that `bench/compare-python` holds Python against.
//!
//! `bench-by-mold ROUNDS FOLDER...`: for each folder of pages a line of JSON: pages, bytes, and the seconds of the best round for
//! reading (from bytes, as they come, to an extraction) and for reading and writing the text.

use std::time::Instant;
use unmold::{Mold, Page, Reader, Text};
use unmold_io::{LoadSettings, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().ok_or("usage: bench-by-mold ROUNDS FOLDER...")?.parse()?;
    for folder in arguments {
        let pages = load([&folder], &LoadSettings::default()).read_all().pages;
        let texts: Vec<Text> = pages.iter().cloned().map(Text::decode).collect();
        let reader = Mold::learn(&texts)?.reader();
        let bytes: usize = pages.iter().map(|page| page.bytes().len()).sum();
        let alone = best(rounds, || pages.iter().map(|page| read(&reader, page, false)).sum());
        let with_text = best(rounds, || pages.iter().map(|page| read(&reader, page, true)).sum());
        println!(r#"{{"pages":{},"bytes":{bytes},"read":{alone},"text":{with_text}}}"#, pages.len());
    }
    Ok(())
}

/// Reads a page as it comes; gives something of what was found, so that nothing is left out.
fn read(reader: &Reader, page: &Page, with_text: bool) -> usize {
    let text = Text::decode(page.clone());
    let Ok(found) = reader.read(&text) else { return 0 };
    found.fields().count() + if with_text { found.content().text().len() } else { 0 }
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
