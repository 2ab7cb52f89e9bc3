//! How much of their text do pages give, and which of them give none or little?
//!
//!   cargo run --release -p unmold-eval --bin lack -- FOLDER...
//!
//! A FOLDER has pages/*, which are cleaned together. Prints how many pages lack text, by reason;
//! how many have less than a share of their text outside of links as content, by share; and the
//! names of the pages that lack text. The thresholds in `unmold::reader::Coverage` were chosen by
//! these figures.

use std::{env, fs, path::Path, process::ExitCode};
use unmold::{
    Learner, Mold, Page, Text,
    reader::{Coverage, Lack},
};

const SHARES: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];

fn pages(folder: &Path) -> std::io::Result<Vec<Text>> {
    let mut files: Vec<_> = fs::read_dir(folder.join("pages"))?
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

/// How much of each page is content, learned from all of them.
fn measured(folder: &str) -> std::io::Result<Vec<(String, Coverage)>> {
    let pages = pages(Path::new(folder))?;
    let outcome = Learner::content_only().learn_with_outcome(&pages);
    let reader = outcome
        .map_or_else(|_| Mold::nothing(), |outcome| outcome.mold)
        .reader();
    let read = pages.iter().filter_map(|page| reader.read(page).ok());
    Ok(read
        .map(|found| (found.page().id().to_owned(), found.content().coverage()))
        .collect())
}

fn print(pages: &[(String, Coverage)]) {
    println!("{} pages", pages.len());
    for lack in [
        Lack::NoText,
        Lack::NeedsScripts,
        Lack::LeftOut,
        Lack::MostlyLeftOut,
    ] {
        println!(
            "{:6} {}",
            pages
                .iter()
                .filter(|(_, page)| page.lack() == Some(lack))
                .count(),
            lack.name()
        );
    }
    for share in SHARES {
        let below = pages
            .iter()
            .filter(|(_, page)| page.kept() > 0 && page.share() < share)
            .count();
        println!("{below:6} below {share}");
    }
    for (name, page) in pages {
        if let Some(lack) = page.lack() {
            println!(
                "{name}: {}, {} of {} bytes",
                lack.name(),
                page.kept(),
                page.seen()
            );
        }
    }
}

fn main() -> ExitCode {
    let folders: Vec<String> = env::args().skip(1).collect();
    let measured: Result<Vec<_>, _> = folders.iter().map(|folder| measured(folder)).collect();
    match measured {
        Ok(pages) if !pages.is_empty() => print(&pages.concat()),
        Ok(_) => {
            eprintln!("give folders, each with pages/*");
            return ExitCode::from(2);
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
