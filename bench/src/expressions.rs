//! Do exported expressions match the same in Rust, in Python and in PCRE?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-expressions -- [FOLDER [PAGES]]
//! ```
//!
//! Template strings are learned from all pages of a folder. Each is run as an expression over some
//! of the pages (100, evenly from all), by Rust's `regex`, by Python's `re` and by PCRE
//! (`grep -P`), and the spans of all matches are compared one by one. It fails if there is a
//! difference.

use anyhow::{Context, Result, ensure};
use regex::Regex;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use unmold::{Text, papers::documents::Settings, read::mutable::Mutables, strings};
use unmold_bench::{html_texts, own_pages};

/// Matches by page and expression: where they start and end.
type Matches = Vec<Vec<Vec<[usize; 2]>>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(own_pages, PathBuf::from);
    let pages: usize = arguments
        .next()
        .map_or(Ok(100), |pages| pages.parse())
        .context("PAGES is a number")?;
    let texts = html_texts(&folder)?;
    let template = strings::learn(&texts, &Mutables::common(), &Settings::default())?;
    let expressions = template.expressions()?;
    let sample: Vec<&str> = texts
        .iter()
        .step_by(texts.len().div_ceil(pages.max(1)))
        .map(Text::as_str)
        .collect();
    let rust = by_rust(&expressions, &sample)?;
    println!(
        "{} expressions of {} pages, on {} of them",
        expressions.len(),
        texts.len(),
        sample.len()
    );
    println!("Rust    {:>9} matches", all(&rust).count());
    for (engine, option) in [("Python", None), ("PCRE", Some("--pcre"))] {
        let other = by_script(&expressions, &sample, option)?;
        let differences = all(&rust)
            .zip(all(&other))
            .filter(|(rust, other)| rust != other)
            .count();
        println!(
            "{engine:<7} {:>9} matches, {differences} differences",
            all(&other).count()
        );
        ensure!(rust == other, "{engine} matches otherwise");
    }
    Ok(())
}

fn by_rust(expressions: &[String], pages: &[&str]) -> Result<Matches> {
    let compiled = expressions
        .iter()
        .map(|expression| Regex::new(expression))
        .collect::<Result<Vec<_>, _>>()?;
    let spans = |regex: &Regex, page: &str| {
        regex
            .find_iter(page)
            .map(|m| [m.start(), m.end()])
            .collect()
    };
    Ok(pages
        .iter()
        .map(|page| compiled.iter().map(|regex| spans(regex, page)).collect())
        .collect())
}

fn by_script(expressions: &[String], pages: &[&str], option: Option<&str>) -> Result<Matches> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("match-expressions");
    let mut run = Command::new("python3");
    let run = run
        .arg(script)
        .args(option)
        .env("PYTHONIOENCODING", "utf-8");
    let mut run = run
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("python3 is needed")?;
    let job = serde_json::json!({"pages": pages, "expressions": expressions}).to_string();
    run.stdin
        .take()
        .context("standard input is a pipe")?
        .write_all(job.as_bytes())?;
    let output = run.wait_with_output()?;
    ensure!(output.status.success(), "bench/match-expressions failed");
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn all(matches: &Matches) -> impl Iterator<Item = &[usize; 2]> {
    matches.iter().flatten().flatten()
}
