//! How well is main content found, site by site, and where is it lost?
//!
//! ```text
//! cargo run --release -p unmold-eval --bin content -- [--alone] [--save FILE] [--against FILE] [--texts DIR] FOLDER...
//! ```
//!
//! A FOLDER has `pages/ID.html` and `truth/ID.txt`. Its pages are cleaned together, with `--alone`
//! each alone; the measure is the F1 of four-word strings (four characters in scripts without
//! spaces) as in the article extraction benchmark. Printed are the mean over sites, the mean of
//! each half of them (every second site, by name), and the lowest.
//!
//! A FOLDER that also has `kinds.json` holds one page each of many sites. Its pages are cleaned
//! each alone and all as one pile, and the measure is the F1 of the bags of words, as a mean over
//! pages and over the pages of each kind.
//!
//! `--save` keeps the score of each page, `--against` prints what has changed since; `--texts`
//! writes the texts.

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use regex::Regex;
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};
use unmold::{Learner, Page, Text, reader::Part};

fn main() -> Result<()> {
    let options = Options::read(std::env::args().skip(1))?;
    let folders: Vec<Folder> = options
        .folders
        .par_iter()
        .map(|path| Folder::read(path))
        .collect::<Result<_>>()?;
    let (singles, sites): (Vec<_>, Vec<_>) = folders
        .into_iter()
        .partition(|folder| folder.kinds.is_some());
    let measure = Measure::new()?;
    let mut scores = Scores::default();
    print_sites(&sites, &measure, &options, &mut scores)?;
    for folder in &singles {
        print_single(folder, &measure, &options, &mut scores)?;
    }
    if let Some(before) = &options.against {
        scores.print_changes(before)?;
    }
    options.save.iter().try_for_each(|path| scores.save(path))
}

#[derive(Default)]
struct Options {
    alone: bool,
    folders: Vec<PathBuf>,
    save: Option<PathBuf>,
    against: Option<PathBuf>,
    texts: Option<PathBuf>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Options::default();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .map(PathBuf::from)
                    .with_context(|| format!("{argument} needs a value"))
            };
            match argument.as_str() {
                "--alone" => options.alone = true,
                "--save" => options.save = Some(value()?),
                "--against" => options.against = Some(value()?),
                "--texts" => options.texts = Some(value()?),
                _ => options.folders.push(PathBuf::from(argument)),
            }
        }
        if options.folders.is_empty() {
            bail!("give folders with pages/*.html and truth/*.txt");
        }
        Ok(options)
    }
}

/// Labelled pages.
struct Folder {
    name: String,
    pages: Vec<Labelled>,
    /// The kind of each page, where they are of different sites.
    kinds: Option<HashMap<String, String>>,
}

struct Labelled {
    id: String,
    text: Text,
    truth: String,
}

impl Folder {
    fn read(path: &Path) -> Result<Self> {
        let mut ids: Vec<String> = Vec::new();
        for entry in fs::read_dir(path.join("truth"))
            .with_context(|| format!("{}: no truth", path.display()))?
        {
            let name = entry?.file_name().to_string_lossy().into_owned();
            ids.extend(name.strip_suffix(".txt").map(str::to_owned));
        }
        ids.sort();
        let kinds = fs::read(path.join("kinds.json"))
            .ok()
            .map(|json| serde_json::from_slice(&json))
            .transpose()?;
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let pages = ids
            .into_iter()
            .map(|id| Labelled::read(path, id))
            .collect::<Result<_>>()?;
        Ok(Folder { name, pages, kinds })
    }
}

impl Labelled {
    fn read(folder: &Path, id: String) -> Result<Self> {
        let page = folder.join("pages").join(format!("{id}.html"));
        let html = fs::read(&page).with_context(|| page.display().to_string())?;
        let truth = fs::read(folder.join("truth").join(format!("{id}.txt")))?;
        let text = Text::decode(Page::new(id.clone(), html));
        Ok(Labelled {
            id,
            text,
            truth: String::from_utf8_lossy(&truth).into_owned(),
        })
    }
}

/// The texts of pages that are cleaned together.
fn clean(pages: &[&Labelled]) -> Result<Vec<String>> {
    let texts: Vec<Text> = pages.iter().map(|page| page.text.clone()).collect();
    let reader = Learner::content_only()
        .learn(&texts)?
        .reader()
        .only(&[Part::Content]);
    texts
        .par_iter()
        .map(|text| Ok(reader.read(text)?.content().text()))
        .collect()
}

fn clean_alone(folder: &Folder) -> Result<Vec<String>> {
    folder
        .pages
        .par_iter()
        .map(|page| Ok(clean(&[page])?.remove(0)))
        .collect()
}

/// How a text is compared with the truth.
struct Measure {
    word: Regex,
}

/// The shares of a page's four-word strings that are right, wrong and missed.
type Overlap = [f64; 3];

impl Measure {
    fn new() -> Result<Self> {
        Ok(Measure {
            word: Regex::new(r"\w+")?,
        })
    }

    fn overlap(&self, given: &str, truth: &str) -> Overlap {
        let (given, truth) = (self.shingles(given), self.shingles(truth));
        let both = common(&given, &truth);
        let counts = [
            both,
            given.values().sum::<usize>() - both,
            truth.values().sum::<usize>() - both,
        ];
        let all = counts.iter().sum::<usize>().max(1) as f64;
        counts.map(|count| count as f64 / all)
    }

    fn shingles(&self, text: &str) -> HashMap<u64, usize> {
        let unspaced = text
            .chars()
            .filter(|c| ('\u{3040}'..='\u{9fff}').contains(c))
            .count();
        let letters = text.chars().filter(|&c| c != ' ').count();
        let tokens: Vec<u64> = if 5 * unspaced > letters {
            text.chars()
                .filter(|c| !c.is_whitespace())
                .map(|c| hash(&[u64::from(c)]))
                .collect()
        } else {
            self.word
                .find_iter(text)
                .map(|word| rapidhash::v3::rapidhash_v3(word.as_str().as_bytes()))
                .collect()
        };
        let windows: Vec<&[u64]> = if tokens.len() < 4 {
            vec![&tokens]
        } else {
            tokens.windows(4).collect()
        };
        counted(
            windows
                .into_iter()
                .filter(|window| !window.is_empty())
                .map(hash),
        )
    }

    /// The F1 of two bags of words.
    fn words(&self, given: &str, truth: &str) -> f64 {
        let bag = |text: &str| {
            let text = text.to_lowercase();
            counted(
                self.word
                    .find_iter(&text)
                    .map(|word| rapidhash::v3::rapidhash_v3(word.as_str().as_bytes())),
            )
        };
        let (given, truth) = (bag(given), bag(truth));
        let all = given.values().sum::<usize>() + truth.values().sum::<usize>();
        if all == 0 {
            1.0
        } else {
            2.0 * common(&given, &truth) as f64 / all as f64
        }
    }
}

fn hash(tokens: &[u64]) -> u64 {
    tokens.iter().fold(0, |hash: u64, token| {
        (hash.rotate_left(23) ^ token).wrapping_mul(0x2545_F491_4F6C_DD1D)
    })
}

fn counted(things: impl Iterator<Item = u64>) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    things.for_each(|thing| *counts.entry(thing).or_default() += 1);
    counts
}

fn common(a: &HashMap<u64, usize>, b: &HashMap<u64, usize>) -> usize {
    a.iter()
        .map(|(thing, count)| (*count).min(b.get(thing).copied().unwrap_or(0)))
        .sum()
}

/// F1, precision and recall over pages.
fn figures(pages: &[Overlap]) -> [f64; 3] {
    let sum = |at: usize| pages.iter().map(|page| page[at]).sum::<f64>();
    let (right, wrong, missed) = (sum(0), sum(1), sum(2));
    let share = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
    let (precision, recall) = (share(right, right + wrong), share(right, right + missed));
    [
        share(2.0 * precision * recall, precision + recall),
        precision,
        recall,
    ]
}

fn print_sites(
    sites: &[Folder],
    measure: &Measure,
    options: &Options,
    scores: &mut Scores,
) -> Result<()> {
    let mut by_site: Vec<(&str, f64)> = Vec::new();
    let cleaned: Vec<Vec<String>> = sites
        .par_iter()
        .map(|site| options.clean(site))
        .collect::<Result<_>>()?;
    for (site, texts) in sites.iter().zip(&cleaned) {
        options.write(&site.name, &site.pages, texts)?;
        let overlap = |(page, text): (&Labelled, &String)| measure.overlap(text, &page.truth);
        let pages: Vec<Overlap> = site.pages.par_iter().zip(texts).map(overlap).collect();
        for (page, overlap) in site.pages.iter().zip(&pages) {
            scores.add(
                &format!("{}/{}", site.name, page.id),
                figures(&[*overlap])[0],
            );
        }
        let [f1, precision, recall] = figures(&pages);
        scores.add(&site.name, f1);
        println!(
            "{:32} {:3} pages  {f1:.3}  precision {precision:.3}  recall {recall:.3}",
            site.name,
            pages.len()
        );
        by_site.push((&site.name, f1));
    }
    if by_site.is_empty() {
        return Ok(());
    }
    let half = |odd: usize| mean(by_site.iter().skip(odd).step_by(2).map(|(_, f1)| *f1));
    println!(
        "{} sites: mean {:.4}",
        by_site.len(),
        mean(by_site.iter().map(|(_, f1)| *f1))
    );
    println!("every second site: {:.4} and {:.4}", half(0), half(1));
    by_site.sort_by(|a, b| a.1.total_cmp(&b.1));
    let lowest: Vec<String> = by_site
        .iter()
        .take(12)
        .map(|(name, f1)| format!("{name} {f1:.3}"))
        .collect();
    println!("lowest: {}", lowest.join(", "));
    Ok(())
}

fn print_single(
    folder: &Folder,
    measure: &Measure,
    options: &Options,
    scores: &mut Scores,
) -> Result<()> {
    let alone = clean_alone(folder)?;
    let pile = clean(&folder.pages.iter().collect::<Vec<_>>())?;
    for (how, texts) in [("alone", &alone), ("pile", &pile)] {
        options.write(&format!("{}-{how}", folder.name), &folder.pages, texts)?;
        let mut by_kind: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (page, text) in folder.pages.iter().zip(texts) {
            let f1 = measure.words(text, &page.truth);
            scores.add(&format!("{}-{how}/{}", folder.name, page.id), f1);
            let kind = folder
                .kinds
                .as_ref()
                .and_then(|kinds| kinds.get(&page.id))
                .map_or("", String::as_str);
            by_kind.entry(kind).or_default().push(f1);
            by_kind.entry("all").or_default().push(f1);
        }
        let kinds: Vec<String> = by_kind
            .iter()
            .map(|(kind, f1)| format!("{kind} {:.3}", mean(f1.iter().copied())))
            .collect();
        let half = |odd: usize| mean(by_kind["all"].iter().skip(odd).step_by(2).copied());
        let empty: Vec<&str> = folder
            .pages
            .iter()
            .zip(texts)
            .filter(|(_, text)| text.trim().is_empty())
            .map(|(page, _)| page.id.as_str())
            .collect();
        println!("{} {how}: {}", folder.name, kinds.join(", "));
        println!(
            "  every second page {:.4} and {:.4}; {} empty: {}",
            half(0),
            half(1),
            empty.len(),
            empty.join(" ")
        );
    }
    Ok(())
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = numbers.fold((0, 0.0), |(count, sum), number| (count + 1, sum + number));
    sum / f64::from(count.max(1))
}

impl Options {
    fn clean(&self, site: &Folder) -> Result<Vec<String>> {
        if self.alone {
            clean_alone(site)
        } else {
            clean(&site.pages.iter().collect::<Vec<_>>())
        }
    }

    fn write(&self, folder: &str, pages: &[Labelled], texts: &[String]) -> Result<()> {
        let Some(all) = &self.texts else {
            return Ok(());
        };
        let folder = all.join(folder);
        fs::create_dir_all(&folder)?;
        for (page, text) in pages.iter().zip(texts) {
            fs::write(folder.join(format!("{}.txt", page.id)), text)?;
        }
        Ok(())
    }
}

/// The score of each site and page by name.
#[derive(Default)]
struct Scores(BTreeMap<String, f64>);

impl Scores {
    fn add(&mut self, name: &str, f1: f64) {
        self.0.insert(name.to_owned(), f1);
    }

    fn save(&self, path: &Path) -> Result<()> {
        Ok(fs::write(path, serde_json::to_string_pretty(&self.0)?)?)
    }

    fn print_changes(&self, before: &Path) -> Result<()> {
        let before: BTreeMap<String, f64> = serde_json::from_slice(&fs::read(before)?)?;
        let mut changes: Vec<(f64, &str, f64)> = Vec::new();
        for (name, &now) in &self.0 {
            let then = before.get(name).copied().unwrap_or(0.0);
            if (now - then).abs() >= 0.01 {
                changes.push((now - then, name, now));
            }
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (change, name, now) in changes {
            println!("{change:+.3} {name} {now:.3}");
        }
        Ok(())
    }
}
