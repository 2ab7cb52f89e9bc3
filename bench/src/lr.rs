//! How long does FindOptimal take, how long making LR rules, and how fast are the rules applied?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-lr -- FOLDER...
//! ```
//!
//! The search is compared with the suffix sort of the same text, in the same run; rules are applied
//! on one thread, page after page as `extract` does it, and to each page alone, as if it were the
//! first. Before a time is printed, the values that all rules give at once are compared with those
//! that each rule gives when it is searched for on its own.

use anyhow::{Result, bail, ensure};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use unmold::{
    Span, Text,
    lr::{self, Rule, apply::Finder},
    papers::cut_point::{Settings, find_optimal},
    read::gaps,
    symbols::{
        encode::{Codes, chars},
        index::Index,
    },
};
use unmold_bench::{fastest, fastest_on_core};

/// How much text the rules are applied to, the pages again and again.
const APPLIED_BYTES: usize = 200_000_000;

fn main() -> Result<()> {
    let folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/sites/news-de/pages");
    println!(
        "{:<28} {:>6} {:>9} {:>9} {:>10} {:>8} {:>6} {:>9} {:>9}",
        "pages", "number", "MB", "search", "x sort", "rules", "made", "apply", "alone"
    );
    for folder in if folders.is_empty() {
        vec![default]
    } else {
        folders
    } {
        bench(&folder)?;
    }
    Ok(())
}

fn bench(folder: &Path) -> Result<()> {
    let texts = unmold_bench::texts(folder);
    ensure!(!texts.is_empty(), "no page below {}", folder.display());
    let bytes: usize = texts.iter().map(|text| text.as_str().len()).sum();

    let symbols = chars::encode(&texts);
    let Codes::Wide(codes) = symbols.codes() else {
        bail!("characters have wide codes")
    };
    let sort = fastest(|| {
        unmold_suffix::sort_alone::<u32>(codes, symbols.pages(), symbols.alphabet()).is_ok()
    });
    let index = Index::new(symbols.clone())?;
    let search = fastest(|| find_optimal(&index, Settings::default()));
    let template = find_optimal(&index, Settings::default()).template(&index);
    let content: Vec<Vec<Span>> = texts
        .iter()
        .zip(&template)
        .map(|(text, template)| gaps(text.as_str().len(), template))
        .collect();

    let started = Instant::now();
    let rules = lr::learn(&texts, &content);
    let made = started.elapsed();
    check(&rules, &texts)?;
    let (applied, alone) = (time_apply(&rules, &texts), time_apply_alone(&rules, &texts));

    let name = folder
        .components()
        .rev()
        .find(|part| part.as_os_str() != "pages");
    println!(
        "{:<28} {:>6} {:>9.2} {:>7.3} s {:>10.2} {:>8} {:>4.2} s {:>4.0} MB/s {:>4.0} MB/s",
        name.map_or_else(String::new, |part| part
            .as_os_str()
            .to_string_lossy()
            .into_owned()),
        texts.len(),
        bytes as f64 / 1e6,
        search.as_secs_f64(),
        search.as_secs_f64() / sort.as_secs_f64(),
        rules.len(),
        made.as_secs_f64(),
        1.0 / applied / 1e6,
        1.0 / alone / 1e6,
    );
    Ok(())
}

/// All rules at once against each rule on its own.
fn check(rules: &[Rule], texts: &[Text]) -> Result<()> {
    let finder = Finder::new(rules);
    for text in texts {
        for (rule, values) in rules.iter().zip(finder.apply(text.as_str()).iter()) {
            ensure!(
                values == by_searching(rule, text.as_str()),
                "{}: {rule:?} gives other values",
                text.id()
            );
        }
    }
    Ok(())
}

fn by_searching(rule: &Rule, page: &str) -> Vec<Span> {
    let mut values = Vec::new();
    let mut from = 0;
    while let Some(start) = page[from..]
        .find(&rule.left)
        .map(|at| from + at + rule.left.len())
    {
        let Some(end) = page[start..].find(&rule.right).map(|at| start + at) else {
            break;
        };
        values.push(Span::new(start, end));
        from = end;
    }
    values
}

/// Seconds a byte to apply all rules to the pages. Each round begins with rules that have seen no
/// page, so that no page is compared with itself.
fn time_apply(rules: &[Rule], texts: &[Text]) -> f64 {
    let finder = Finder::new(rules);
    per_byte(texts, || {
        let finder = finder.clone();
        texts
            .iter()
            .map(|text| finder.apply(text.as_str()).into_items().len())
            .sum()
    })
}

/// The same for rules that have never seen another page.
fn time_apply_alone(rules: &[Rule], texts: &[Text]) -> f64 {
    let finder = Finder::new(rules);
    per_byte(texts, || {
        texts
            .iter()
            .map(|text| finder.apply_alone(text.as_str()).into_items().len())
            .sum()
    })
}

fn per_byte(texts: &[Text], round: impl Fn() -> usize) -> f64 {
    let bytes: usize = texts.iter().map(|text| text.as_str().len()).sum();
    let rounds = APPLIED_BYTES.div_ceil(bytes);
    let all = fastest_on_core(|| (0..rounds).map(|_| round()).sum::<usize>());
    all.as_secs_f64() / (rounds * bytes) as f64
}
