//! How many fields have a CSS selector or an XPath expression that gives what `extract` gives on
//! every page?
//!
//!   cargo run --release -p unmold-eval --bin exporting -- FOLDER...
//!
//! A FOLDER has sites, each with pages/*.html. A mold is learned from the pages of each site and
//! exported with these as sample pages. Prints the shares of wanted fields for each site, and their
//! means over sites.

use std::{
    env, fs,
    path::{Path, PathBuf},
};
use unmold::{
    Mold, Page, Text,
    export::{State, Target, export},
};

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

/// Which fields have an exact rule in a form.
fn exact(
    mold: &Mold,
    target: Target,
    pages: &[Text],
) -> Result<Vec<bool>, Box<dyn std::error::Error>> {
    let fields: Vec<(&str, &str)> = mold
        .groups
        .iter()
        .flat_map(|group| {
            group
                .wanted()
                .iter()
                .map(|field| (group.name.as_str(), field.name.as_str()))
        })
        .collect();
    let rules = export(mold, target, pages)?.rules;
    let is_exact = |(group, name): &(&str, &str)| {
        let mut own = rules
            .iter()
            .filter(|rule| rule.list.is_none() && rule.group == *group && rule.name == *name);
        own.any(|rule| rule.state == State::Exact)
    };
    Ok(fields.iter().map(is_exact).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut shares: Vec<[f64; 4]> = Vec::new();
    for folder in env::args().skip(1) {
        let mut sites: Vec<PathBuf> = fs::read_dir(&folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        sites.retain(|site| site.join("pages").is_dir());
        sites.sort();
        for site in sites {
            let pages = pages(&site)?;
            let mold = Mold::learn(&pages)?;
            let (css, xpath, regex) = (
                exact(&mold, Target::Css, &pages)?,
                exact(&mold, Target::Xpath, &pages)?,
                exact(&mold, Target::Regex, &pages)?,
            );
            let share = |is: &dyn Fn(usize) -> bool| {
                (0..css.len()).filter(|&at| is(at)).count() as f64 / css.len().max(1) as f64
            };
            let of_site = [
                share(&|at| css[at]),
                share(&|at| xpath[at]),
                share(&|at| css[at] || xpath[at]),
                share(&|at| regex[at]),
            ];
            let name = site
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            println!(
                "{name:30} {} fields  css {:.3}  xpath {:.3}  either {:.3}  regex {:.3}",
                css.len(),
                of_site[0],
                of_site[1],
                of_site[2],
                of_site[3]
            );
            shares.push(of_site);
        }
    }
    let mean =
        |at: usize| shares.iter().map(|share| share[at]).sum::<f64>() / shares.len().max(1) as f64;
    println!(
        "mean of {} sites: css {:.3}  xpath {:.3}  either {:.3}  regex {:.3}",
        shares.len(),
        mean(0),
        mean(1),
        mean(2),
        mean(3)
    );
    Ok(())
}
