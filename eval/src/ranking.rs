//! How much does each feature of a field count when fields are ranked?
//!
//!   cargo run --release -p unmold-eval --bin ranking -- [--penalty P] [--without FEATURE,...]
//!   SITE...
//!
//! A SITE has pages/* and truth.json, as in the labelled data. Its name begins with its kind
//! (`book-amazon`), or its folder is one of the project's own sites, which are a kind together.
//! Each true attribute should stand before all other fields: the weights are those that make the
//! best columns of all attributes most likely, where the likelihood of a column falls with the
//! exponential of its score, less a penalty for large weights. That is smooth, and knows of no
//! first ten or twenty.
//!
//! Prints how the weights do that were fitted without the sites of a kind on the sites of that
//! kind, those fitted without each fifth of the sites on that fifth, and those fitted on all sites
//! on all: F1 of the best column of each attribute in the first 5 to 30 columns on average, in the
//! first 10, the first 20, among the wanted, how many these are, and F1 in all columns. Then come
//! the weights as `crates/unmold/src/fields/rank/weights.rs` has them, and last the means again, as
//! `eval/figures` reads them.

use htmlize::unescape;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::ExitCode,
};
use unmold::{
    Page, Text,
    fields::learn::{StudiedColumn, Study},
};

/// What large weights cost, unless told.
const PENALTY: f64 = 0.002;
/// How much the project's own sites count: they are the only ones of their kinds and languages.
const OWN: f64 = 1.5;
const STEPS: i32 = 400;
const RATE: f64 = 0.05;
/// Sites are left out in so many parts, where kinds are not.
const FOLDS: usize = 5;
/// A column is as good as the best if its F1 is at least this share of the best,
const AS_GOOD: f64 = 0.95;
/// and an attribute that no column has teaches nothing.
const FOUND: f64 = 0.3;

struct Site {
    name: String,
    kind: String,
    study: Study,
    truth: Vec<Attribute>,
}

/// The true values of an attribute on each page, white space folded.
type Attribute = Vec<BTreeSet<String>>;

fn read(folder: &str) -> anyhow::Result<Site> {
    let folder = Path::new(folder);
    let mut files: Vec<_> = fs::read_dir(folder.join("pages"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let truth: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("truth.json"))?)?;
    let mut pages = Vec::new();
    let mut ids = Vec::new();
    for file in &files {
        let id = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        pages.push(Text::decode(Page::new(&id, fs::read(file)?)));
        ids.push(id);
    }
    let values = |id: &String, name: &str| {
        let values = truth["pages"][id][name]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let values = values.iter().filter_map(|value| value.as_str());
        values
            .map(folded)
            .filter(|value| !value.is_empty())
            .collect::<BTreeSet<_>>()
    };
    let names = truth["fields"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let names = names.iter().filter_map(|name| name.as_str());
    let truth: Vec<Attribute> = names
        .map(|name| ids.iter().map(|id| values(id, name)).collect())
        .collect();
    let truth = truth
        .into_iter()
        .filter(|attribute| attribute.iter().any(|values| !values.is_empty()))
        .collect();
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let is_own = folder
        .components()
        .any(|part| part.as_os_str() == "testdata");
    let kind = if is_own {
        "own".to_owned()
    } else {
        name.split('-').next().unwrap_or_default().to_owned()
    };
    Ok(Site {
        kind,
        name,
        study: Study::of(&pages),
        truth,
    })
}

/// As the scorer compares: entities decoded, twice since truth was taken from the source, and white
/// space folded.
fn folded(text: &str) -> String {
    let text = unescape(&*unescape(text)).replace('\u{a0}', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// F1 of a column for an attribute.
fn f1(column: &StudiedColumn, attribute: &Attribute) -> f64 {
    let (mut right, mut said) = (0, 0);
    for (values, truth) in column.iter().zip(attribute) {
        let values: BTreeSet<String> = values.iter().map(|value| folded(value)).collect();
        said += usize::from(!values.is_empty());
        right += usize::from(!values.is_empty() && !truth.is_empty() && values.is_subset(truth));
    }
    let has = attribute.iter().filter(|truth| !truth.is_empty()).count();
    2.0 * right as f64 / (said + has).max(1) as f64
}

/// The fields of a site, and for each attribute which of them are as good as the best.
struct Example {
    features: Vec<Vec<f64>>,
    best: Vec<Vec<bool>>,
    /// How much it counts.
    weight: f64,
}

fn example(site: &Site) -> Example {
    let mut features = Vec::new();
    let mut columns = Vec::new();
    for (of_field, forms) in site.study.columns() {
        features.push(of_field);
        columns.push(forms);
    }
    let best = site.truth.iter().filter_map(|attribute| {
        let best_form = |forms: &Vec<StudiedColumn>| {
            forms
                .iter()
                .map(|form| f1(form, attribute))
                .fold(0.0, f64::max)
        };
        let all: Vec<f64> = columns.iter().map(best_form).collect();
        let most = all.iter().copied().fold(0.0, f64::max);
        (most >= FOUND).then(|| all.iter().map(|f1| *f1 >= AS_GOOD * most).collect())
    });
    let best = best.collect();
    let weight = if site.kind == "own" { OWN } else { 1.0 };
    Example {
        features,
        best,
        weight,
    }
}

fn softmax(scores: &[f64], of: impl Fn(usize) -> bool) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = scores
        .iter()
        .enumerate()
        .map(|(at, score)| if of(at) { (score - most).exp() } else { 0.0 })
        .collect();
    let all: f64 = shares.iter().sum();
    shares.iter().map(|share| share / all).collect()
}

/// The slope of the likelihood.
fn slope(example: &Example, weights: &[f64]) -> Vec<f64> {
    let score = |features: &Vec<f64>| {
        features
            .iter()
            .zip(weights)
            .map(|(feature, weight)| feature * weight)
            .sum()
    };
    let scores: Vec<f64> = example.features.iter().map(score).collect();
    let all = softmax(&scores, |_| true);
    let mut slope = vec![0.0; weights.len()];
    for best in &example.best {
        let right = softmax(&scores, |at| best[at]);
        for (at, features) in example.features.iter().enumerate() {
            let pull = right[at] - all[at];
            slope
                .iter_mut()
                .zip(features)
                .for_each(|(slope, feature)| *slope += pull * feature);
        }
    }
    slope
}

/// How weights are fitted.
struct Fit {
    penalty: f64,
    /// The numbers of features that count nothing.
    without: Vec<usize>,
}

impl Fit {
    /// Takes its options out of what was typed.
    fn taken_from(words: &mut Vec<String>) -> anyhow::Result<Self> {
        let mut fit = Fit {
            penalty: PENALTY,
            without: Vec::new(),
        };
        if let Some(penalty) = option(words, "--penalty") {
            fit.penalty = penalty.parse()?;
        }
        let names = Study::weights();
        for name in option(words, "--without")
            .iter()
            .flat_map(|names| names.split(','))
        {
            let at = names.iter().position(|(known, _)| *known == name.trim());
            fit.without
                .push(at.ok_or_else(|| anyhow::anyhow!("no feature is called {name:?}"))?);
        }
        Ok(fit)
    }
}

/// Takes an option with its value out of what was typed.
fn option(words: &mut Vec<String>, name: &str) -> Option<String> {
    let at = words
        .iter()
        .position(|word| word == name)
        .filter(|at| at + 1 < words.len())?;
    words.drain(at..at + 2).nth(1)
}

/// Climbs with steps that are as long for each weight (Adam).
fn fitted(examples: &[&Example], fit: &Fit) -> Vec<f64> {
    let count = examples
        .first()
        .and_then(|example| example.features.first())
        .map_or(0, Vec::len);
    let attributes: f64 = examples
        .iter()
        .map(|example| example.best.len() as f64 * example.weight)
        .sum();
    let (mut weights, mut mean, mut square) =
        (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    for step in 1..=STEPS {
        let slopes: Vec<Vec<f64>> = examples
            .par_iter()
            .map(|example| slope(example, &weights))
            .collect();
        for at in (0..count).filter(|at| !fit.without.contains(at)) {
            let pull: f64 = slopes
                .iter()
                .zip(examples)
                .map(|(slope, example)| slope[at] * example.weight)
                .sum::<f64>()
                - fit.penalty * weights[at] * attributes;
            mean[at] = 0.9 * mean[at] + 0.1 * pull;
            square[at] = 0.99 * square[at] + 0.01 * pull * pull;
            let (mean, square) = (
                mean[at] / (1.0 - 0.9_f64.powi(step)),
                square[at] / (1.0 - 0.99_f64.powi(step)),
            );
            weights[at] += RATE * mean / (square.sqrt() + 1e-8);
        }
    }
    weights
}

/// F1 in the first 5 to 30 columns on average, in the first 10, the first 20, the wanted, their
/// number, F1 in all.
fn measured(site: &Site, weights: &[f64]) -> [f64; 6] {
    let (columns, wanted) = site.study.ranked(weights);
    let best = |first: usize| {
        let columns = &columns[..first.min(columns.len())];
        let of = |attribute| {
            columns
                .iter()
                .map(|column| f1(column, attribute))
                .fold(0.0, f64::max)
        };
        site.truth.iter().map(of).sum::<f64>() / site.truth.len().max(1) as f64
    };
    let smooth = (5..=30).map(best).sum::<f64>() / 26.0;
    [
        smooth,
        best(10),
        best(20),
        best(wanted),
        wanted as f64,
        best(usize::MAX),
    ]
}

fn print(title: &str, sites: &[Site], figures: &[[f64; 6]]) {
    println!("{title:30}  5-30    10    20  wanted   (n)   all");
    for (site, [smooth, ten, twenty, wanted, count, all]) in sites.iter().zip(figures) {
        println!(
            "{:30} {smooth:.3} {ten:.3} {twenty:.3}  {wanted:.3} ({count:3}) {all:.3}",
            site.name
        );
    }
    for (name, is_own) in [("mean", false), ("mean of own sites", true)] {
        let of: Vec<&[f64; 6]> = sites
            .iter()
            .zip(figures)
            .filter(|(site, _)| (site.kind == "own") == is_own)
            .map(|(_, one)| one)
            .collect();
        let mean = |at: usize| of.iter().map(|one| one[at]).sum::<f64>() / of.len().max(1) as f64;
        let mut counts: Vec<usize> = of.iter().map(|one| one[4] as usize).collect();
        counts.sort_unstable();
        let median = counts.get(counts.len() / 2).copied().unwrap_or(0);
        println!(
            "{name:30} {:.3} {:.3} {:.3}  {:.3} ({median:3}) {:.3}",
            mean(0),
            mean(1),
            mean(2),
            mean(3),
            mean(5)
        );
    }
}

/// The means over sites that are not the project's own, in one line.
fn summarise(title: &str, sites: &[Site], figures: &[[f64; 6]]) {
    let of: Vec<_> = sites
        .iter()
        .zip(figures)
        .filter(|(site, _)| site.kind != "own")
        .map(|(_, one)| one)
        .collect();
    let mean = |at: usize| of.iter().map(|one| one[at]).sum::<f64>() / of.len().max(1) as f64;
    let named = [
        ("first 5 to 30", 0),
        ("first 10", 1),
        ("first 20", 2),
        ("wanted", 3),
        ("any column", 5),
    ];
    let line: String = named
        .iter()
        .map(|(name, at)| format!("  {name} {:.3}", mean(*at)))
        .collect();
    println!("{title}, {} sites{line}", of.len());
}

/// How the sites of each part do with weights that were fitted on those of all other parts.
fn apart(
    sites: &[Site],
    examples: &[Example],
    fit: &Fit,
    part: impl Fn(usize, &Site) -> String,
) -> Vec<[f64; 6]> {
    let parts: Vec<String> = sites
        .iter()
        .enumerate()
        .map(|(at, site)| part(at, site))
        .collect();
    let without = |left_out: &String| {
        let others = parts
            .iter()
            .zip(examples)
            .filter(|(part, _)| *part != left_out);
        fitted(&others.map(|(_, example)| example).collect::<Vec<_>>(), fit)
    };
    let weights: BTreeMap<&String, Vec<f64>> = parts
        .iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|part| (part, without(part)))
        .collect();
    sites
        .par_iter()
        .zip(&parts)
        .map(|(site, part)| measured(site, &weights[part]))
        .collect()
}

fn main() -> ExitCode {
    let mut folders: Vec<String> = env::args().skip(1).collect();
    let fit = match Fit::taken_from(&mut folders) {
        Ok(fit) => fit,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::from(2);
        }
    };
    let sites: Vec<Site> = match folders.par_iter().map(|folder| read(folder)).collect() {
        Ok(sites) => sites,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    if sites.is_empty() {
        eprintln!("give folders, each with pages/* and truth.json");
        return ExitCode::from(2);
    }
    let examples: Vec<Example> = sites.par_iter().map(example).collect();
    let by_kind = apart(&sites, &examples, &fit, |_, site| site.kind.clone());
    print("fitted on other kinds of sites", &sites, &by_kind);
    let by_site = apart(&sites, &examples, &fit, |at, _| (at % FOLDS).to_string());
    print("fitted on other sites", &sites, &by_site);
    let weights = fitted(&examples.iter().collect::<Vec<_>>(), &fit);
    let together: Vec<_> = sites
        .par_iter()
        .map(|site| measured(site, &weights))
        .collect();
    print("fitted on all of them", &sites, &together);
    for ((name, today), weight) in Study::weights().into_iter().zip(&weights) {
        println!("    ({name:?}, {weight:.2}), // {today:.2} today");
    }
    println!("== summary");
    summarise("fitted on other kinds of sites", &sites, &by_kind);
    summarise("fitted on other sites", &sites, &by_site);
    summarise("fitted on all of them", &sites, &together);
    ExitCode::SUCCESS
}
