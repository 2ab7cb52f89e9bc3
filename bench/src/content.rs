//! How fast is main content found, by a rule and with learning the rule first?
//!
//! `bench-content [FOLDER...]`: each folder holds pages of one site. Before a time is printed, every page that a rule
//! fits must have content, and cleaning must give the same bytes twice.

use anyhow::{Result, ensure};
use std::time::Duration;
use unmold::{
    Text,
    apply::content::Cleaner,
    mold::contents::{self, Contents},
    report::text,
    tree::Tree,
};
use unmold_bench::{fastest_on_core, folders, texts};

fn main() -> Result<()> {
    // Everything on one thread, so that the time on its core is all the time.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    println!("MB/s on one core       tree  clean --mold  clean (learns first)  times the cost");
    for folder in folders() {
        let pages = texts(&folder);
        let learned = contents::learn(&pages);
        let bytes: usize = pages.iter().map(|page| page.as_str().len()).sum();
        check(&pages, &learned)?;
        let rate = |time: Duration| bytes as f64 / time.as_secs_f64() / 1e6;
        let tree = fastest_on_core(|| pages.iter().map(|page| Tree::new(page.as_str()).len()).sum::<usize>());
        let by_rule = fastest_on_core(|| cleaned(&pages, &learned));
        let whole = fastest_on_core(|| cleaned(&pages, &contents::learn(&pages)));
        println!(
            "{:<20} {:>6.0} {:>13.0} {:>21.0} {:>15.1}",
            folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            rate(tree),
            rate(by_rule),
            rate(whole),
            whole.as_secs_f64() / by_rule.as_secs_f64()
        );
    }
    Ok(())
}

/// The text of each page by its rule.
fn cleaned(pages: &[Text], learned: &Contents) -> Vec<String> {
    let cleaners: Vec<Cleaner> = learned.rules.iter().map(|rule| Cleaner::new([rule])).collect();
    let lone = Cleaner::new([]);
    let of_page = |(page, rule): (&Text, &Option<usize>)| {
        let found = rule.map_or(&lone, |rule| &cleaners[rule]).clean(page);
        text::content(page.as_str(), &found.template(page))
    };
    pages.iter().zip(&learned.rule_of_page).map(of_page).collect()
}

fn check(pages: &[Text], learned: &Contents) -> Result<()> {
    let texts = cleaned(pages, learned);
    ensure!(texts == cleaned(pages, learned), "cleaning twice gives different texts");
    let empty = texts.iter().zip(&learned.rule_of_page).filter(|(text, rule)| rule.is_some() && text.is_empty());
    let empty = empty.count();
    ensure!(empty * 100 <= pages.len(), "{empty} of {} pages have no content", pages.len());
    Ok(())
}
