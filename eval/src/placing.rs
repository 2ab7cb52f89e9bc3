//! How alike are a page and the template it is of, and how alike a page and the template of another
//! site?
//!
//!   cargo run --release -p unmold-eval --bin placing -- SITE...
//!
//! A SITE is a folder with pages/*.html. Groups are learned from every second page of a site; the
//! other pages are placed among its groups, and among those of each other site. Prints, for each
//! threshold, the share of pages that are placed: those of the site, of which as many as possible
//! should be, and those of other sites, of which none should be. The figures are means over sites,
//! for all of them and for each half on its own, so that a threshold can be chosen on one half and
//! read off the other.

use std::{env, fs, path::Path, process::ExitCode};
use unmold::{
    Page, Text,
    group::{TemplateFinder, group},
};

fn pages(site: &Path) -> std::io::Result<Vec<Text>> {
    let mut files: Vec<_> = fs::read_dir(site.join("pages"))?
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

struct Site {
    places: TemplateFinder,
    /// Pages that were not learned from.
    held_back: Vec<Text>,
}

fn read(site: &str) -> std::io::Result<Site> {
    let all = pages(Path::new(site))?;
    let half = |odd: usize| {
        all.iter()
            .skip(odd)
            .step_by(2)
            .cloned()
            .collect::<Vec<Text>>()
    };
    let grouping = group(&half(0));
    Ok(Site {
        places: TemplateFinder::new(grouping.groups().iter().map(|group| &group.fingerprint)),
        held_back: half(1),
    })
}

fn likeness(places: &TemplateFinder, pages: &[Text]) -> Vec<f32> {
    pages
        .iter()
        .map(|page| places.nearest(page).map_or(0.0, |(_, alike)| alike))
        .collect()
}

/// The share of pages that are at least so alike, as a mean over sites.
fn placed(sites: &[Vec<f32>], threshold: f32) -> f64 {
    let share = |pages: &Vec<f32>| {
        pages.iter().filter(|alike| **alike >= threshold).count() as f64 / pages.len().max(1) as f64
    };
    sites.iter().map(share).sum::<f64>() / sites.len().max(1) as f64
}

fn main() -> ExitCode {
    let names: Vec<String> = env::args().skip(1).collect();
    let sites: Result<Vec<Site>, _> = names.iter().map(|site| read(site)).collect();
    let sites = match sites {
        Ok(sites) if !sites.is_empty() => sites,
        Ok(_) => {
            eprintln!("give folders of sites, each with pages/*.html");
            return ExitCode::from(2);
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let own: Vec<Vec<f32>> = sites
        .iter()
        .map(|site| likeness(&site.places, &site.held_back))
        .collect();
    let others: Vec<Vec<f32>> = sites
        .iter()
        .enumerate()
        .map(|(at, site)| {
            let others = sites.iter().enumerate().filter(|(other, _)| *other != at);
            others
                .flat_map(|(_, other)| {
                    likeness(
                        &site.places,
                        &other.held_back[..other.held_back.len().min(2)],
                    )
                })
                .collect()
        })
        .collect();
    let half = |sites: &[Vec<f32>], odd: usize| {
        sites
            .iter()
            .skip(odd)
            .step_by(2)
            .cloned()
            .collect::<Vec<_>>()
    };
    println!(
        "{} sites; share placed: own pages held back, pages of other sites",
        sites.len()
    );
    println!(
        "{:>9}  {:>15}  {:>15}  {:>15}",
        "threshold", "all", "first half", "second half"
    );
    for step in 2..=12 {
        let threshold = step as f32 * 0.05;
        let cell = |odd: Option<usize>| {
            let of = |all: &[Vec<f32>]| odd.map_or_else(|| all.to_vec(), |odd| half(all, odd));
            format!(
                "{:.3}  {:.3}",
                placed(&of(&own), threshold),
                placed(&of(&others), threshold)
            )
        };
        println!(
            "{threshold:>9.2}  {:>15}  {:>15}  {:>15}",
            cell(None),
            cell(Some(0)),
            cell(Some(1))
        );
    }
    ExitCode::SUCCESS
}
