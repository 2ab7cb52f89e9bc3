//! How long does it take to sort a pile of pages, and how does that grow?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-group -- [PAGES] [BYTES]
//! ```
//!
//! The pile is made here: 2000 pages of 70 KB, or as many as are asked for, of 40 sites with three
//! templates each, and one page in fifty that is like no other. So the truth is known, and no time
//! is printed before every page is found to be in its group. The time is that of the library, from
//! decoded pages to groups; half the pile is timed too.

use anyhow::{Context, Result, ensure};
use std::{
    collections::HashMap,
    fmt::Write as _,
    time::{Duration, Instant},
};
use unmold::{
    Text,
    group::{Grouping, group},
};

const SITES: usize = 40;
const TEMPLATES: usize = 3;
/// One page in so many is like no other.
const NOISE: usize = 50;

/// Growth beyond this for twice the pages is not near-linear any more.
const MOST_GROWTH: f64 = 2.2;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let mut number = |default: usize| args.next().map_or(Ok(default), |argument| argument.parse());
    let (pages, bytes) = (number(2000)?, number(70_000)?);
    let (half, half_time) = run(pages / 2, bytes)?;
    let (whole, whole_time) = run(pages, bytes)?;
    println!(
        "{pages} pages, {} bytes, {} threads",
        whole,
        rayon::current_num_threads()
    );
    println!("{:<28} {:>8.3} s", "grouping", whole_time.as_secs_f64());
    let growth = whole_time.as_secs_f64() / half_time.as_secs_f64();
    println!(
        "{:<28} {growth:>8.2} x the time for {:.2} x the pages",
        "against half",
        whole as f64 / half as f64
    );
    ensure!(
        growth <= MOST_GROWTH,
        "grows faster than {MOST_GROWTH} times for twice the pages"
    );
    Ok(())
}

/// Groups a pile of that many pages and checks the result; gives its size and the time.
fn run(pages: usize, bytes: usize) -> Result<(usize, Duration)> {
    let texts: Vec<Text> = (0..pages)
        .map(|number| Text::from_string(id(number), page(number, bytes)))
        .collect();
    let started = Instant::now();
    let grouping = group(&texts);
    let time = started.elapsed();
    check(&grouping, pages)?;
    Ok((texts.iter().map(|text| text.as_str().len()).sum(), time))
}

fn id(number: usize) -> String {
    format!("{number:06}")
}

fn is_noise(number: usize) -> bool {
    number % NOISE == NOISE - 1
}

/// Every page with those of its template, and noise with none.
fn check(grouping: &Grouping, pages: usize) -> Result<()> {
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for number in 0..pages {
        let place = grouping.places()[number];
        if is_noise(number) {
            ensure!(
                place.group().is_none(),
                "page {number} is like no other, but {place}"
            );
            continue;
        }
        let group = place
            .group()
            .with_context(|| format!("page {number}: {place}"))?;
        let expected = *group_of
            .entry(number % (SITES * TEMPLATES))
            .or_insert(group);
        ensure!(
            group == expected,
            "page {number} is in group {group}, its like in {expected}"
        );
    }
    ensure!(
        grouping.groups().len() == group_of.len(),
        "{} groups",
        grouping.groups().len()
    );
    println!(
        "{pages} pages in {} groups: as they were made",
        group_of.len()
    );
    Ok(())
}

/// A page of about that many bytes: a frame of its site, a body of its template, and words of its
/// own.
fn page(number: usize, bytes: usize) -> String {
    let (site, template) = (number % SITES, number % (SITES * TEMPLATES) / SITES);
    let mut page =
        format!("<html><head><title>Number {number} of site {site}</title></head><body>\n");
    if is_noise(number) {
        (0..40).for_each(|part| element(&mut page, &format!("n{number}-{part}"), "alone"));
    } else {
        (0..20).for_each(|part| {
            element(
                &mut page,
                &format!("s{site}-frame{part}"),
                "the frame of the site",
            );
        });
        (0..25).for_each(|part| {
            element(
                &mut page,
                &format!("s{site}-t{template}-{part}"),
                "what the template says",
            );
        });
        let optional = (0..10).filter(|part| (number >> part) & 1 == 1);
        optional.for_each(|part| {
            element(
                &mut page,
                &format!("s{site}-t{template}-option{part}"),
                "not on all pages",
            );
        });
    }
    let mut word = number as u64;
    while page.len() < bytes {
        word = word
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let _ = writeln!(
            page,
            "<p>{:x} and {:x}</p>",
            word >> 40,
            (word >> 20) & 0xf_ffff
        );
    }
    page
}

fn element(page: &mut String, class: &str, text: &str) {
    let _ = writeln!(
        page,
        "<div class=\"{class}\"><span class=\"{class}-in\">{text}</span></div>"
    );
}
