//! Does `check` see that a site has changed, and keep quiet if it has not?
//!
//!   cargo run --release -p unmold-eval --bin checking -- TUNED UNTUNED [YEARS...]
//!
//! TUNED and UNTUNED are folders of sites, each with pages/*.html. A mold is learned from three of
//! five pages of a site; the others are checked as they are (should be healthy; in five ways to
//! split the pages) and after each of the five changes of `eval/fields` (should have drifted). A
//! change that leaves most pages of a site as they are is no change there and is not counted.
//! Limits are chosen on TUNED, one after the other; what is printed for TUNED is measured by
//! five-fold cross-validation over its sites, and UNTUNED is never looked at while choosing. Sites
//! in YEARS are called NAME-YEAR: a mold of each year is checked on held-back pages of its own year
//! and on the next year's.

use rayon::prelude::*;
use regex::{Captures, Regex};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};
use unmold::{
    Mold, Page, Text,
    check::{Limits, Measured, Report},
};

const CHANGES: [&str; 5] = ["banner", "classes", "wrap", "rows", "colons"];

/// The expressions by which pages are changed, as in `eval/fields`.
struct Changer {
    body: Regex,
    end: Regex,
    class: Regex,
    list: Regex,
    table: Regex,
    colon: Regex,
}

impl Changer {
    fn new() -> Result<Self, regex::Error> {
        Ok(Changer {
            body: Regex::new(r"(?i)(<body\b[^>]*>)")?,
            end: Regex::new(r"(?i)(</body\s*>)")?,
            class: Regex::new(r#"(?i)(\bclass\s*=\s*)("[^"'<>]+"|'[^"'<>]+')"#)?,
            list: Regex::new(r"(?i)(<(?:ul|ol)\b[^>]*>)")?,
            table: Regex::new(r"(?i)(<table\b[^>]*>(?:\s*<tbody\b[^>]*>)?)")?,
            colon: Regex::new(r":(\s*(?:&nbsp;|\s)*<)")?,
        })
    }

    fn change(&self, page: &Text, how: &str) -> Text {
        let text = page.as_str();
        let changed = match how {
            "banner" => {
                let banner = r#"$1<div class="banner"><p>We use <a href="/cookies">cookies</a>.</p><span>OK</span></div>"#;
                self.body.replacen(text, 1, banner).into_owned()
            }
            "classes" => self.class.replace_all(text, renamed).into_owned(),
            "wrap" => {
                let begun = self.body.replacen(text, 1, r#"$1<div class="page">"#);
                self.end.replacen(&begun, 1, "</div>$1").into_owned()
            }
            "rows" => {
                let lists = self.list.replace_all(text, "$1<li>New</li>");
                self.table
                    .replace_all(&lists, "$1<tr><td>New</td><td>row</td></tr>")
                    .into_owned()
            }
            _ => self.colon.replace_all(text, "$1").into_owned(),
        };
        Text::from_string(page.id(), changed)
    }
}

/// Every class with another name.
fn renamed(found: &Captures<'_>) -> String {
    let (quote, names) = (&found[2][..1], &found[2][1..found[2].len() - 1]);
    let names = names
        .split_whitespace()
        .map(|name| format!("x{:08x}", hash(name) as u32));
    format!(
        "{}{quote}{}{quote}",
        &found[1],
        names.collect::<Vec<_>>().join(" ")
    )
}

fn hash(name: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(name.as_bytes())
}

fn pages(site: &Path) -> std::io::Result<Vec<Text>> {
    let entries = fs::read_dir(site.join("pages"))?;
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    files
        .iter()
        .map(|file| {
            Ok(Text::decode(Page::new(
                file.display().to_string(),
                fs::read(file)?,
            )))
        })
        .collect()
}

fn sites(folder: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut sites: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    sites.retain(|site| site.join("pages").is_dir());
    sites.sort();
    Ok(sites)
}

/// A site: what was counted on pages as they are, once for each way to split them, and on changed
/// ones.
struct Site {
    name: String,
    unchanged: Vec<Measured>,
    changed: Vec<(&'static str, Measured)>,
}

/// So many ways there are to hold back two of five pages that lie next but one to each other.
const SPLITS: usize = 5;

/// The pages that are learned from, and the others.
fn split(pages: &[Text], turn: usize) -> (Vec<Text>, Vec<Text>) {
    let is_learned = |at: usize| !matches!((at + turn) % 5, 1 | 3);
    let of = |learned: bool| {
        (0..pages.len())
            .filter(|&at| is_learned(at) == learned)
            .map(|at| pages[at].clone())
            .collect()
    };
    (of(true), of(false))
}

fn study(folder: &Path, changer: &Changer) -> Option<Site> {
    let all = pages(folder).ok()?;
    let (learned, held_back) = split(&all, 0);
    let checker = Mold::learn(&learned).ok()?.checker();
    let unchanged = |turn| {
        let (learned, held_back) = split(&all, turn);
        Some(Mold::learn(&learned).ok()?.checker().measure(&held_back))
    };
    let changed = CHANGES.iter().filter_map(|how| {
        let changed: Vec<Text> = held_back
            .iter()
            .map(|page| changer.change(page, how))
            .collect();
        let different = changed
            .iter()
            .zip(&held_back)
            .filter(|(a, b)| a.as_str() != b.as_str())
            .count();
        (2 * different > held_back.len()).then(|| (*how, checker.measure(&changed)))
    });
    let name = folder.file_name()?.to_string_lossy().into_owned();
    Some(Site {
        name,
        changed: changed.collect(),
        unchanged: (0..SPLITS).filter_map(unchanged).collect(),
    })
}

/// Changes that are seen, changes, false alarms, checks of unchanged pages.
#[derive(Clone, Copy, Default)]
struct Score {
    seen: usize,
    changes: usize,
    alarms: usize,
    checks: usize,
}

impl Score {
    fn of<'s>(sites: impl Iterator<Item = &'s Site>, limits: &Limits) -> Self {
        sites.fold(Score::default(), |score, site| {
            let seen = site
                .changed
                .iter()
                .filter(|(_, measured)| measured.report(limits).has_changed())
                .count();
            let alarms = site
                .unchanged
                .iter()
                .filter(|measured| measured.report(limits).has_changed())
                .count();
            Score {
                seen: score.seen + seen,
                changes: score.changes + site.changed.len(),
                alarms: score.alarms + alarms,
                checks: score.checks + site.unchanged.len(),
            }
        })
    }

    fn and(self, other: Score) -> Score {
        Score {
            seen: self.seen + other.seen,
            changes: self.changes + other.changes,
            alarms: self.alarms + other.alarms,
            checks: self.checks + other.checks,
        }
    }

    fn sensitivity(&self) -> f64 {
        self.seen as f64 / self.changes.max(1) as f64
    }

    fn alarm_rate(&self) -> f64 {
        self.alarms as f64 / self.checks.max(1) as f64
    }

    /// What is seen less what is said for nothing.
    fn worth(&self) -> f64 {
        self.sensitivity() - self.alarm_rate()
    }

    fn print(&self, what: &str) {
        let Score {
            seen,
            changes,
            alarms,
            checks,
        } = self;
        println!(
            "{what:28} sensitivity {:.3} ({seen} of {changes})  false alarms {:.3} ({alarms} of {checks})",
            self.sensitivity(),
            self.alarm_rate()
        );
    }
}

/// One limit set to another value.
type Setting = Box<dyn Fn(Limits) -> Limits>;

/// What each limit may be, the strictest first.
fn settings() -> Vec<Vec<(String, Setting)>> {
    fn all<T: Copy + std::fmt::Debug + 'static>(
        name: &str,
        values: &[T],
        set: fn(Limits, T) -> Limits,
    ) -> Vec<(String, Setting)> {
        values
            .iter()
            .map(|&value| {
                (
                    format!("{name} {value:?}"),
                    Box::new(move |limits| set(limits, value)) as Setting,
                )
            })
            .collect()
    }
    vec![
        all("chance", &[1e-2, 1e-3, 1e-4, 1e-5, 1e-6], Limits::chance),
        all("enough", &[1e-1, 1e-2, 1e-3, 1e-4, 1e-5], Limits::enough),
        all(
            "agreement",
            &[0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5],
            Limits::agreement,
        ),
        all(
            "elements_gone",
            &[0.01, 0.02, 0.05, 0.1, 0.2],
            Limits::elements_gone,
        ),
        all("elements_new", &[1, 2, 3, 5, 10], Limits::elements_new),
        all(
            "texts_gone",
            &[0.05, 0.1, 0.2, 0.3, 0.5],
            Limits::texts_gone,
        ),
        all("texts_rewritten", &[1, 2, 3, 5], Limits::texts_rewritten),
        all(
            "views_lost",
            &[0.02, 0.05, 0.1, 0.15, 0.2, 0.3],
            Limits::views_lost,
        ),
        all("fields", &[0.05, 0.1, 0.2, 0.3, 0.5], Limits::fields),
        all("unplaced", &[0.3, 0.5, 0.7], Limits::unplaced),
    ]
}

/// Chooses limits on some sites: each in turn to the value that is worth most, twice over; of
/// equals the one that is now.
fn fit(sites: &[&Site]) -> (Limits, Vec<String>) {
    let mut limits = Limits::default();
    let mut chosen = Vec::new();
    for _ in 0..2 {
        for options in settings() {
            let mut best = (Score::of(sites.iter().copied(), &limits).worth(), None);
            let worths: Vec<f64> = options
                .iter()
                .map(|(_, set)| Score::of(sites.iter().copied(), &set(limits.clone())).worth())
                .collect();
            for (at, worth) in worths.into_iter().enumerate() {
                if worth > best.0 + 1e-9 {
                    best = (worth, Some(at));
                }
            }
            if let Some(at) = best.1 {
                limits = options[at].1(limits);
                chosen.push(options[at].0.clone());
            }
        }
    }
    (limits, chosen)
}

/// Each fifth of the sites judged by limits that were chosen on the others.
fn cross_validated(sites: &[Site]) -> Score {
    const FOLDS: usize = 5;
    let folds = (0..FOLDS).map(|fold| {
        let others: Vec<&Site> = sites
            .iter()
            .enumerate()
            .filter(|(at, _)| at % FOLDS != fold)
            .map(|(_, site)| site)
            .collect();
        let (limits, _) = fit(&others);
        Score::of(
            sites
                .iter()
                .enumerate()
                .filter(|(at, _)| at % FOLDS == fold)
                .map(|(_, site)| site),
            &limits,
        )
    });
    folds.fold(Score::default(), Score::and)
}

fn say_each(sites: &[Site], limits: &Limits) {
    for how in CHANGES {
        let of: Vec<&Site> = sites
            .iter()
            .filter(|site| site.changed.iter().any(|(known, _)| *known == how))
            .collect();
        let is_missed = |site: &&&Site| {
            site.changed
                .iter()
                .any(|(known, measured)| *known == how && !measured.report(limits).has_changed())
        };
        let missed: Vec<&str> = of
            .iter()
            .filter(is_missed)
            .map(|site| site.name.as_str())
            .collect();
        println!(
            "    {how:10} {} of {} seen; not on {}",
            of.len() - missed.len(),
            of.len(),
            missed.join(", ")
        );
    }
    sites.iter().for_each(|site| say_alarms(site, limits));
}

/// Which unchanged pages raise an alarm, and why.
fn say_alarms(site: &Site, limits: &Limits) {
    for report in site
        .unchanged
        .iter()
        .map(|measured| measured.report(limits))
        .filter(Report::has_changed)
    {
        report
            .reasons
            .iter()
            .for_each(|reason| println!("    false alarm on {}: {reason}", site.name));
        for group in report
            .groups
            .iter()
            .filter(|group| !group.reasons.is_empty())
        {
            println!(
                "    false alarm on {}, {} pages: {}",
                site.name,
                group.pages,
                group.reasons.join("; ")
            );
            for field in group
                .fields
                .iter()
                .filter(|field| !field.reasons.is_empty())
            {
                println!("        {}: {}", field.name, field.reasons.join("; "));
            }
        }
    }
}

/// A mold of each year on pages of its own year and of the next.
fn years(folders: &[String], limits: &Limits) -> Result<(), Box<dyn std::error::Error>> {
    let mut by_site: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
    for folder in folders {
        for site in sites(folder)? {
            let name = site
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            if let Some((stem, year)) = name
                .rsplit_once('-')
                .filter(|(_, year)| year.len() == 4 && year.starts_with("20"))
            {
                by_site
                    .entry(stem.to_owned())
                    .or_default()
                    .push((year.to_owned(), site.clone()));
            }
        }
    }
    let (mut own, mut next) = ((0, 0), (0, 0));
    for (site, mut editions) in by_site {
        editions.sort();
        for (at, (year, folder)) in editions.iter().enumerate() {
            let (learned, held_back) = split(&pages(folder)?, 0);
            let Ok(mold) = Mold::learn(&learned) else {
                println!("    {site} {year}: nothing is learned");
                continue;
            };
            let checker = mold.checker();
            let today = checker.measure(&held_back).report(limits);
            own = (own.0 + usize::from(!today.has_changed()), own.1 + 1);
            let later = editions
                .get(at + 1)
                .map(|(_, folder)| pages(folder))
                .transpose()?;
            let later = later.map(|pages| checker.measure(&pages).report(limits));
            if let Some(later) = &later {
                next = (next.0 + usize::from(later.has_changed()), next.1 + 1);
            }
            let later = later.map_or_else(|| "-".to_owned(), |later| later.verdict.to_string());
            println!(
                "    {site} {year}: own year {} ({} pages, {} unplaced), next year {later}",
                today.verdict,
                today.pages,
                today.unplaced.len()
            );
        }
    }
    println!(
        "years: held-back pages of the own year healthy {} of {}, the next year drifted {} of {}",
        own.0, own.1, next.0, next.1
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folders: Vec<String> = env::args().skip(1).collect();
    let [tuned, untuned, others @ ..] = folders.as_slice() else {
        return Err(
            "give a folder of sites to choose limits on, one to try them on, and perhaps folders of years".into()
        );
    };
    let changer = Changer::new()?;
    let studied = |folder: &str| -> std::io::Result<Vec<Site>> {
        Ok(sites(folder)?
            .par_iter()
            .filter_map(|site| study(site, &changer))
            .collect())
    };
    let (tuned, untuned) = (studied(tuned)?, studied(untuned)?);
    let shipped = Limits::default();
    Score::of(tuned.iter(), &shipped).print("tuned, as shipped");
    say_each(&tuned, &shipped);
    cross_validated(&tuned).print("tuned, cross-validated");
    Score::of(untuned.iter(), &shipped).print("never tuned on, as shipped");
    say_each(&untuned, &shipped);
    years(others, &shipped)?;
    let (better, chosen) = fit(&tuned.iter().collect::<Vec<_>>());
    if chosen.is_empty() {
        println!("no other limits are better on all of tuned");
        return Ok(());
    }
    println!("better on all of tuned: {}", chosen.join(", "));
    Score::of(tuned.iter(), &better).print("tuned, better limits");
    Score::of(untuned.iter(), &better).print("never tuned on, better limits");
    say_each(&untuned, &better);
    years(others, &better)
}
