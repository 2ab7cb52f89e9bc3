//! How long does it take to learn from a pile, and how often is a page parsed for it?
//!
//! `bench-learn [FOLDER...]`: each folder holds a pile of pages. Before a time is printed, the mold
//! must say of most pages that it was learned from which group they are of, and learning twice must
//! give the same mold. Prints trees for each page, which are to be two at most: one for grouping,
//! which is not kept, and one that all learners share.

use anyhow::{Result, ensure};
use unmold::{Mold, Text, read::tree::count};
use unmold_bench::{fastest, folders, texts};

/// More trees than this for each page, and something is parsed over and over.
const MOST_TREES: f64 = 2.5;

fn main() -> Result<()> {
    println!(
        "{:<28} {:>7} {:>7} {:>8} {:>13} {:>9}",
        "pile", "pages", "MB", "groups", "trees a page", "learn"
    );
    for folder in folders() {
        let pages = texts(&folder);
        let before = count::built();
        let mold = Mold::learn(&pages)?;
        let trees = (count::built() - before) as f64 / pages.len() as f64;
        check(&mold, &pages)?;
        let time = fastest(|| Mold::learn(&pages).is_ok());
        let megabytes = pages.iter().map(|page| page.as_str().len()).sum::<usize>() as f64 / 1e6;
        let name = folder
            .components()
            .rev()
            .find(|part| part.as_os_str() != "pages");
        println!(
            "{:<28} {:>7} {megabytes:>7.1} {:>8} {trees:>13.2} {:>7.2} s",
            name.map_or_else(String::new, |name| name
                .as_os_str()
                .to_string_lossy()
                .into_owned()),
            pages.len(),
            mold.groups.len(),
            time.as_secs_f64(),
        );
        ensure!(trees <= MOST_TREES, "{trees:.2} trees for each page");
    }
    Ok(())
}

fn check(mold: &Mold, pages: &[Text]) -> Result<()> {
    ensure!(
        Mold::learn(pages)? == *mold,
        "learning twice gives different molds"
    );
    let reader = mold.reader();
    let placed = pages
        .iter()
        .filter(|page| reader.place(page).is_some())
        .count();
    let learned: usize = mold.groups.iter().map(|group| group.pages).sum();
    ensure!(
        placed * 100 >= learned * 90,
        "{placed} pages are of a group, {learned} were learned from"
    );
    Ok(())
}
