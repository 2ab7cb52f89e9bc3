//! How long does it take to find the records of pages?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-records
//! ```
//!
//! IEPAD's authors report three minutes for 140 search result pages of 23 KB. The first measurement
//! is that: 140 pages of 25 KB, read from memory, by both methods. The second is one page of 5 MB
//! against one of 10 MB: time has to grow with the page and not faster. Pages are made here, always
//! the same; the records that are found are counted and compared with what was put in before any
//! time is printed.

use anyhow::{Result, ensure};
use std::fmt::Write;
use unmold::{
    Text,
    lists::{Pattern, Regions},
    papers::iepad::Iepad,
};
use unmold_bench::fastest;

const PAGES: usize = 140;
const PAGE_BYTES: usize = 25_000;
const LARGE_BYTES: usize = 5_000_000;

fn main() -> Result<()> {
    let pages: Vec<(Text, usize)> = (0..PAGES).map(|seed| page(seed, PAGE_BYTES)).collect();
    let large = [page(1, LARGE_BYTES), page(1, 2 * LARGE_BYTES)];
    for (text, records) in pages.iter().chain(&large) {
        ensure!(
            records_of(&regions(text)) == *records,
            "{}: {records} records, found otherwise",
            text.id()
        );
    }
    let total: usize = pages.iter().map(|(_, records)| records).sum();
    println!("{PAGES} pages, {total} records: the counts on record");
    println!("{} threads\n", rayon::current_num_threads());
    report_pages(&pages);
    report_growth("regions", &large, regions);
    report_growth("iepad", &large, iepad);
    Ok(())
}

fn regions(text: &Text) -> Vec<Pattern> {
    Regions::default().find(text)
}

fn iepad(text: &Text) -> Vec<Pattern> {
    Pattern::by_iepad(Iepad::default(), text).unwrap_or_default()
}

fn records_of(patterns: &[Pattern]) -> usize {
    patterns.first().map_or(0, |best| best.records.len())
}

fn report_pages(pages: &[(Text, usize)]) {
    let bytes: usize = pages.iter().map(|(text, _)| text.as_str().len()).sum();
    for (method, find) in [
        ("regions", regions as fn(&Text) -> Vec<Pattern>),
        ("iepad", iepad),
    ] {
        let time = fastest(|| pages.iter().for_each(|(text, _)| drop(find(text))));
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{method:<10} {PAGES} pages of 25 KB  {:>7.3} s  {speed:>6.1} MB/s",
            time.as_secs_f64()
        );
    }
}

fn report_growth(method: &str, pages: &[(Text, usize); 2], find: fn(&Text) -> Vec<Pattern>) {
    let [one, two] = [0, 1].map(|at| fastest(|| drop(find(&pages[at].0))));
    let growth = two.as_secs_f64() / one.as_secs_f64();
    println!(
        "{method:<10} one page of 5 MB    {:>7.3} s  {growth:>6.2} x for twice the page",
        one.as_secs_f64()
    );
}

/// A result page of about so many bytes, and how many results are on it.
fn page(seed: usize, bytes: usize) -> (Text, usize) {
    let mut html = String::from("<html><head><title>Results</title></head><body><ul class=menu>");
    for at in 0..20 {
        write!(html, "<li><a href=/menu/{at}>Menu entry {at}</a></li>")
            .expect("writing to a string");
    }
    html.push_str("</ul><div class=results>");
    let mut records = 0;
    while html.len() < bytes {
        records += 1;
        push_record(&mut html, seed * 10_007 + records);
    }
    html.push_str("</div><p class=foot>Imprint</p></body></html>");
    (
        Text::from_string(format!("page {seed} of {bytes} bytes"), html),
        records,
    )
}

/// A result with optional parts, so that records differ as they do on real pages.
fn push_record(html: &mut String, number: usize) {
    let class = if number.is_multiple_of(2) {
        "odd"
    } else {
        "even"
    };
    let words = number.wrapping_mul(2_654_435_761) % 1_000_003;
    write!(
        html,
        "<div class=\"result {class}\"><h3><a href=\"/item/{number}\">Result number {number}</a></h3>\
         <p class=abstract>Some {words} words that <b>stand</b> in result {number} and in no other.</p>"
    )
    .expect("writing to a string");
    if number.is_multiple_of(3) {
        write!(html, "<p class=price>{words} EUR</p>").expect("writing to a string");
    }
    html.push_str("<p class=info><span class=site>www.example</span> <a href=\"/similar\">Similar pages</a></p></div>");
}
