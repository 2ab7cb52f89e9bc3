//! Template strings from the command line.

use crate::common::{pages, stderr, stdout, unmold};
use assert_cmd::Command;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A mold of template strings, in a folder of its own.
fn learned(site: &Path, more: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    unmold(&["learn", "--method", "documents", "-q", "-o"])
        .arg(&mold)
        .arg(site)
        .args(more)
        .assert()
        .success();
    (folder, mold)
}

fn strings(mold: &Path) -> Vec<String> {
    let mold: Value = serde_json::from_str(&fs::read_to_string(mold).unwrap()).unwrap();
    let groups = mold["groups"].as_array().unwrap().iter();
    let strings = groups.flat_map(|group| group["template"]["strings"].as_array().unwrap());
    strings
        .map(|string| string["string"].as_str().unwrap().to_owned())
        .collect()
}

/// Pages of nothing but text, with a frame around words that differ.
fn text_pages(frame: impl Fn(&str) -> String) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let animals = [
        "badgers", "herons", "lizards", "otters", "sparrows", "voles", "weasels", "zebras",
    ];
    for (at, animal) in animals.iter().enumerate() {
        fs::write(folder.path().join(format!("{at}.html")), frame(animal)).unwrap();
    }
    folder
}

/// The bytes of a page that are left, by the rows of `clean -f jsonl`.
fn bytes_left(command: &mut Command) -> u64 {
    let rows = stdout(command);
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let spans: Vec<Value> = rows
        .flat_map(|row| row["content"].as_array().unwrap().clone())
        .collect();
    spans
        .iter()
        .map(|span| span[1].as_u64().unwrap() - span[0].as_u64().unwrap())
        .sum()
}

#[test]
fn a_mold_cleans_its_own_pages_as_learning_does() {
    for site in ["news-de", "library-ar"] {
        let (_folder, mold) = learned(&pages(site), &[]);
        let clean = ["clean", "--method", "documents", "-q", "-f", "jsonl"];
        let by_mold = stdout(unmold(&clean).arg("--mold").arg(&mold).arg(pages(site)));
        assert_eq!(by_mold, stdout(unmold(&clean).arg(pages(site))), "{site}");
        assert!(!by_mold.contains("Cookies"), "{by_mold}");
    }
}

#[test]
fn a_mold_without_template_strings_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(pages("news-de"))
        .assert()
        .success();
    let refused = unmold(&["clean", "--method", "documents", "--mold"])
        .arg(&mold)
        .arg(pages("news-de"))
        .assert()
        .code(2);
    assert!(
        stderr(&refused).contains("learn it with --method documents"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn patterns_of_ones_own() {
    let site = text_pages(|animal| {
        format!(
            "Shelf {}{} holds a book about {animal}",
            &animal[..1],
            &animal[1..2]
        )
    });
    let file = site.path().join("own.patterns");
    fs::write(&file, "# where books stand\nshelf = [a-z]{2}\n").unwrap();
    let (_folder, mold) = learned(
        site.path(),
        &["--include", "*.html", "--patterns", file.to_str().unwrap()],
    );
    assert!(
        strings(&mold).contains(&"Shelf {shelf} holds a book about".to_owned()),
        "{:?}",
        strings(&mold)
    );
}

#[test]
fn a_bad_pattern_is_refused_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.patterns");
    for (line, reason) in [
        ("part [A-Z]+", "not of the form NAME=REGEX"),
        ("{part}=x", "a name without curly brackets"),
        ("part=(", "part"),
        ("part=x*", "matches the empty string"),
    ] {
        fs::write(&file, format!("# first\nfine=x\n{line}\n")).unwrap();
        let refused = unmold(&[
            "learn",
            "--method",
            "documents",
            "-o",
            "never.json",
            "--patterns",
        ])
        .arg(&file)
        .arg(pages("news-de"))
        .assert()
        .code(2);
        let message = stderr(&refused);
        assert!(
            message.contains("own.patterns: line 3: ") && message.contains(reason),
            "{message}"
        );
    }
    let missing = unmold(&[
        "learn",
        "--method",
        "documents",
        "--patterns",
        "nowhere",
        "-o",
        "never.json",
    ])
    .arg(pages("news-de"))
    .assert()
    .code(2);
    assert!(stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
}

#[test]
fn what_other_sites_say_too_is_dropped() {
    let site = |frame: &'static str| {
        text_pages(move |animal| {
            format!("{frame} {animal} in the middle of the night {animal} {frame}")
        })
    };
    let (one, other) = (site("Printed in Harbour"), site("Kept by Corran"));
    let (_folder, other_mold) = learned(other.path(), &[]);
    let (_folder, alone) = learned(one.path(), &[]);
    let (_folder, across) = learned(one.path(), &["--across", other_mold.to_str().unwrap()]);
    let (alone, across) = (strings(&alone), strings(&across));
    let shared: Vec<String> = strings(&other_mold)
        .into_iter()
        .filter(|string| alone.contains(string))
        .collect();
    assert!(!shared.is_empty(), "{alone:?}");
    assert!(
        !across.is_empty() && across.iter().all(|string| !shared.contains(string)),
        "{across:?}"
    );
}

#[test]
fn gaps_and_islands_are_a_matter_of_options() {
    let (_folder, mold) = learned(&pages("shop-en"), &[]);
    let left = |options: &[&str]| {
        let clean = [
            "clean",
            "--method",
            "documents",
            "-q",
            "-f",
            "jsonl",
            "--mold",
        ];
        bytes_left(
            unmold(&clean)
                .arg(&mold)
                .args(options)
                .arg(pages("shop-en")),
        )
    };
    assert!(left(&["--merge-gap", "40"]) < left(&["--merge-gap", "0"]));
    assert!(left(&["--island", "40"]) > left(&["--island", "0"]));
    assert_eq!(left(&[]), left(&["--merge-gap", "3", "--island", "12"]));
}

#[test]
fn expressions_with_frequencies() {
    let (_folder, mold) = learned(&pages("news-de"), &[]);
    let rules: Value = serde_json::from_str(&stdout(
        unmold(&["export", "--to", "regex", "-f", "json", "--mold"]).arg(&mold),
    ))
    .unwrap();
    let rules = rules.as_array().unwrap();
    assert_eq!(rules.len(), strings(&mold).len());
    for rule in rules {
        assert_eq!(rule["kind"], "template");
        assert!(
            rule["tf"].as_u64() >= rule["df"].as_u64() && rule["df"].as_u64() >= Some(2),
            "{rule}"
        );
        regex::Regex::new(rule["expression"].as_str().unwrap()).unwrap();
    }
    let lines = stdout(unmold(&["export", "--to", "regex", "--mold"]).arg(&mold));
    assert!(lines.starts_with("# on 16 pages, "), "{lines}");
    assert_eq!(lines.lines().count(), 2 * rules.len());
}

#[test]
fn the_histogram_as_a_plot_as_rows_and_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("histogram.svg");
    let plot = stdout(
        unmold(&["debug", "histogram", "-q", "--svg"])
            .arg(&svg)
            .arg(pages("news-de")),
    );
    assert!(
        plot.contains('█') && plot.contains('^') && plot.contains("█ is template: on "),
        "{plot}"
    );
    let picture = fs::read_to_string(&svg).unwrap();
    assert!(
        picture.starts_with("<svg") && picture.matches("<rect").count() == 101,
        "{picture}"
    );
    unmold(&["debug", "histogram", "-q", "--svg"])
        .arg(&svg)
        .arg(pages("news-de"))
        .assert()
        .code(2);

    let rows = stdout(unmold(&["debug", "histogram", "-q", "-f", "jsonl"]).arg(pages("news-de")));
    let rows: Vec<Value> = rows
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        rows.iter().any(|row| row["template"] == true)
            && rows.iter().any(|row| row["template"] == false)
    );
    let lowest = |template: bool| {
        rows.iter()
            .filter(move |row| row["template"] == template)
            .map(|row| row["df"].as_u64())
    };
    assert!(
        lowest(true).min() > lowest(false).max(),
        "all above the cut are template, and none below"
    );
}
