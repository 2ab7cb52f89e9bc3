//! How fast is main content found, by a rule and with learning the rule first?
//!
//! `bench-content [FOLDER...]`: each folder holds pages of one site. Before a time is printed,
//! every page that a rule fits must have content, and cleaning must give the same bytes twice.

use anyhow::{Result, ensure};
use std::{path::Path, time::Duration};
use unmold::{Learner, Mold, Text, read::tree::Tree, reader::Part};
use unmold_bench::{fastest_on_core, folders, texts};

fn main() -> Result<()> {
    // Everything on one thread, so that the time on its core is all the time.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()?;
    println!(
        "MB/s on one core               tree  clean --mold  clean (learns first)  times the cost"
    );
    let mut all = Times::default();
    for folder in folders() {
        let times = bench(&folder)?;
        let name = folder
            .components()
            .rev()
            .find(|part| part.as_os_str() != "pages");
        times.print(&name.map_or_else(String::new, |name| {
            name.as_os_str().to_string_lossy().into_owned()
        }));
        all = all.with(&times);
    }
    all.print("all");
    Ok(())
}

/// How long one pass over pages takes.
#[derive(Default)]
struct Times {
    bytes: usize,
    tree: Duration,
    by_rule: Duration,
    whole: Duration,
}

impl Times {
    fn with(self, other: &Self) -> Self {
        Times {
            bytes: self.bytes + other.bytes,
            tree: self.tree + other.tree,
            by_rule: self.by_rule + other.by_rule,
            whole: self.whole + other.whole,
        }
    }

    fn print(&self, name: &str) {
        let rate = |time: Duration| self.bytes as f64 / time.as_secs_f64() / 1e6;
        let (tree, by_rule, whole) = (rate(self.tree), rate(self.by_rule), rate(self.whole));
        println!(
            "{name:<28} {tree:>6.0} {by_rule:>13.0} {whole:>21.0} {:>15.1}",
            by_rule / whole
        );
    }
}

fn bench(folder: &Path) -> Result<Times> {
    let pages = texts(folder);
    let learned = learn(&pages)?;
    check(&pages, &learned)?;
    let bytes: usize = pages.iter().map(|page| page.as_str().len()).sum();
    let rounds = MEASURED_BYTES.div_ceil(bytes.max(1)) as u32;
    Ok(Times {
        bytes,
        tree: fastest_pass(rounds, || {
            _ = pages
                .iter()
                .map(|page| Tree::new(page.as_str()).len())
                .sum::<usize>();
        }),
        by_rule: fastest_pass(rounds, || _ = cleaned(&pages, &learned)),
        whole: fastest_pass(rounds, || {
            _ = learn(&pages).map(|learned| cleaned(&pages, &learned));
        }),
    })
}

/// Systems count time on a core in steps of milliseconds: small sites are passed over several
/// times.
const MEASURED_BYTES: usize = 10_000_000;

/// The time of one of so many passes.
fn fastest_pass(rounds: u32, pass: impl Fn()) -> Duration {
    fastest_on_core(|| (0..rounds).for_each(|_| pass())) / rounds
}

fn learn(pages: &[Text]) -> Result<Mold> {
    Ok(Learner::content_only().learn(pages)?)
}

/// The text of each page by its rule, or by itself where none fits.
fn cleaned(pages: &[Text], learned: &Mold) -> Vec<(String, bool)> {
    let reader = learned.reader().only(&[Part::Content]);
    let of_page = |page| {
        let found = reader.read(page).expect("no page fails");
        (found.content().text(), found.content().is_alone())
    };
    pages.iter().map(of_page).collect()
}

fn check(pages: &[Text], learned: &Mold) -> Result<()> {
    let texts = cleaned(pages, learned);
    ensure!(
        texts == cleaned(pages, learned),
        "cleaning twice gives different texts"
    );
    let empty = texts
        .iter()
        .filter(|(text, is_alone)| !is_alone && text.is_empty())
        .count();
    ensure!(
        empty * 100 <= pages.len(),
        "{empty} of {} pages have no content",
        pages.len()
    );
    Ok(())
}
