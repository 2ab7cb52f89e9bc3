//! What does it cost that a mold has many groups?
//!
//! `bench-reader [SITE...]`: pages of one template are read by a mold that has this template only,
//! by one with 80, and by one with 1,000 groups of the same site, which share its frame. The pages
//! are made here; with SITEs, folders of pages, those of the first site are also read by a mold
//! with the groups of all of them. Before a time is printed, the larger molds must give the same
//! rows but for the number of the group. Times are of one core.

use anyhow::{Result, ensure};
use std::{fmt::Write, path::PathBuf, time::Duration};
use unmold::{
    Mold, Reader, Text,
    mold::{Look, Provenance},
    reader::Part,
    report::rows,
};
use unmold_bench::{fastest_on_core, texts};

fn main() -> Result<()> {
    // Everything on one thread, so that the time on its core is all the time.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()?;
    let pages: Vec<Text> = (0..40).map(|number| page(0, number)).collect();
    let molds = (0..1000)
        .map(|template| Mold::learn(&[page(template, 1), page(template, 2), page(template, 3)]));
    let molds: Vec<Mold> = molds.collect::<Result<_, _>>()?;
    let mut table = Table::new("pages made for this, of one site");
    for groups in [1, 80, 1000] {
        table.measure(&together(&molds[..groups]), &pages)?;
    }
    let sites: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if let Some(first) = sites.first() {
        let molds: Vec<Mold> = sites
            .iter()
            .map(|site| Mold::learn(&texts(site)))
            .collect::<Result<_, _>>()?;
        let mut table = Table::new(&format!("pages of {}", first.display()));
        table.measure(&molds[0], &texts(first))?;
        table.measure(&together(&molds), &texts(first))?;
    }
    Ok(())
}

/// The first mold and what others took in comparison.
struct Table {
    first: Option<(Vec<String>, Duration)>,
}

impl Table {
    fn new(name: &str) -> Self {
        println!(
            "{name}\n{:>8} {:>10} {:>10} {:>8}",
            "groups", "us a page", "MB/s", "times"
        );
        Table { first: None }
    }

    fn measure(&mut self, mold: &Mold, pages: &[Text]) -> Result<()> {
        const ROUNDS: u32 = 20;
        // Making a mold ready is done once for many pages and is not what is measured.
        let reader = mold.reader().only(&[Part::Fields, Part::Lists]);
        let rows = read(&reader, pages);
        let time = fastest_on_core(|| {
            (0..ROUNDS)
                .map(|_| read(&reader, pages).len())
                .sum::<usize>()
        }) / ROUNDS;
        let (expected, first) = self.first.get_or_insert_with(|| (rows.clone(), time));
        ensure!(
            without_groups(&rows) == without_groups(expected),
            "another mold gives other rows"
        );
        let bytes: usize = pages.iter().map(|page| page.as_str().len()).sum();
        let seconds = time.as_secs_f64();
        println!(
            "{:>8} {:>10.1} {:>10.0} {:>8.2}",
            mold.groups.len(),
            seconds * 1e6 / pages.len() as f64,
            bytes as f64 / seconds / 1e6,
            seconds / first.as_secs_f64(),
        );
        Ok(())
    }
}

/// Rows of JSON.
fn read(reader: &Reader, pages: &[Text]) -> Vec<String> {
    pages
        .iter()
        .map(|page| rows::json(&reader.read(page).expect("no page fails")))
        .collect()
}

fn without_groups(rows: &[String]) -> Vec<String> {
    let without = |row: &String| {
        let (before, after) = row.split_once("\"group\":").unwrap_or((row, ""));
        before.to_owned() + after.trim_start_matches(|c: char| c.is_ascii_digit())
    };
    rows.iter().map(without).collect()
}

/// One mold with the groups of several.
fn together(molds: &[Mold]) -> Mold {
    let (mut contents, mut groups) = (Vec::new(), Vec::new());
    for mold in molds {
        let shift = contents.len();
        contents.extend(mold.contents.iter().cloned());
        groups.extend(mold.groups.iter().cloned().map(|mut group| {
            let shifted = |look: &Look| Look {
                content: look.content.map(|rule| rule + shift),
                ..look.clone()
            };
            group.looks = group.looks.iter().map(shifted).collect();
            group
        }));
    }
    Mold::new(Provenance::of("fields", &[]), contents, groups)
}

/// A page of a site with many templates: a frame that all share, and a table and blocks of its own.
fn page(template: usize, number: usize) -> Text {
    let mut html = format!(
        "<html><head><title>Entry {number} of kind {template}</title></head><body><div class=top>"
    );
    for menu in 0..40 {
        _ = write!(
            html,
            "<ul class=menu{menu}><li class=entry><a href=/m/{menu}><b>Menu {menu}</b></a></ul>"
        );
    }
    _ = write!(
        html,
        "</div><div class='main kind{template}'><h1>Entry {number}</h1><table class=facts{template}>"
    );
    for fact in 0..30 {
        _ = write!(
            html,
            "<tr class=f{template}_{fact}><th>Fact {fact}:<td>{} units",
            number * 31 + fact * 7 + template
        );
    }
    html.push_str("</table>");
    for block in 0..20 {
        let words = "and so on, as it was said before at some length ".repeat(8);
        _ = write!(
            html,
            "<div class=b{template}_{block}><p>Block {block} of entry {number} says {words}.</p></div>"
        );
    }
    html.push_str("</div><div class=foot>");
    for link in 0..40 {
        _ = write!(
            html,
            "<span class=foot{link}><a href=/f/{link}>Footer {link}</a></span>"
        );
    }
    html.push_str("</div></body></html>");
    Text::from_string(format!("{template}-{number}"), html)
}
