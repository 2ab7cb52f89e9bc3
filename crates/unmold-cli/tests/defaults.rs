//! Options that one always types: `--config` and the environment; and the log.

use crate::common::{pages, stderr, stdout, unmold};
use std::fs;

#[test]
fn a_file_gives_defaults_and_what_is_typed_counts() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("unmold.json");
    fs::write(&config, r#"{"quiet": true, "limit": 3, "extract": {"format": "csv"}, "clean": {"format": "markdown"}}"#)
        .unwrap();
    let run = |more: &[&str]| {
        stdout(
            unmold(&["extract", "--config"])
                .arg(&config)
                .args(more)
                .arg(pages("shop-en")),
        )
    };
    let csv = run(&[]);
    assert!(csv.starts_with("page,"), "{csv}");
    assert_eq!(run(&["-f", "jsonl"]).lines().count(), 3);
    assert_eq!(run(&["-f", "jsonl", "--limit", "2"]).lines().count(), 2);
    let by_variable = stdout(
        unmold(&["extract"])
            .env("UNMOLD_CONFIG", &config)
            .arg(pages("shop-en")),
    );
    assert_eq!(by_variable, csv);
}

#[test]
fn variables_count_more_than_the_file_and_less_than_what_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("unmold.json");
    fs::write(&config, r#"{"quiet": true, "limit": 5}"#).unwrap();
    let run = |more: &[&str]| {
        let mut command = unmold(&["extract", "-f", "jsonl", "--config"]);
        stdout(
            command
                .arg(&config)
                .args(more)
                .env("UNMOLD_LIMIT", "4")
                .arg(pages("shop-en")),
        )
        .lines()
        .count()
    };
    assert_eq!(run(&[]), 4);
    assert_eq!(run(&["--limit", "3"]), 3);
}

#[test]
fn a_file_that_makes_no_sense_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("unmold.json");
    for (file, reason) in [
        ("{\"colour\": 1}", "\"colour\" is no option of any command"),
        (
            "{\"clean\": {\"mold\": 1, \"rule\": 2}}",
            "\"rule\" is no option of clean",
        ),
        ("{\"quiet\": \"very\"}", "\"quiet\" is true or false"),
        ("[1]", "invalid type"),
        ("{", "EOF"),
    ] {
        fs::write(&config, file).unwrap();
        let assert = unmold(&["clean", "--config"])
            .arg(&config)
            .arg(pages("news-de"))
            .assert()
            .code(2);
        assert!(
            stderr(&assert).contains("unmold.json") && stderr(&assert).contains(reason),
            "{}",
            stderr(&assert)
        );
    }
    unmold(&["clean", "--config", "no-such-file"])
        .arg(pages("news-de"))
        .assert()
        .code(2);
}

#[test]
fn a_log_is_added_to_and_is_a_regular_file_outside_of_the_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    for _ in 0..2 {
        unmold(&["group", "-q", "--log"])
            .arg(&log)
            .arg(pages("news-de"))
            .assert()
            .success();
    }
    assert_eq!(
        fs::read_to_string(&log)
            .unwrap()
            .matches("\"event\":\"exit\"")
            .count(),
        2
    );
    unmold(&["group", "--log", "/dev/null"])
        .arg(pages("news-de"))
        .assert()
        .code(2);
    let inside = folder.path().join("site/log.jsonl");
    fs::create_dir(folder.path().join("site")).unwrap();
    fs::write(folder.path().join("site/1.html"), "<p>page").unwrap();
    unmold(&["group", "--log"])
        .arg(&inside)
        .arg(folder.path().join("site"))
        .assert()
        .code(2);
    assert!(!inside.exists());
}

/// A log adds to files in place: through a hard link it would add to a page, and a page that is named by mistake would be
/// spoilt.
#[test]
fn a_log_is_added_to_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let (page, link) = (
        folder.path().join("site/1.html"),
        folder.path().join("link"),
    );
    fs::create_dir(folder.path().join("site")).unwrap();
    fs::write(&page, "<p>page").unwrap();
    fs::hard_link(&page, &link).unwrap();
    let assert = unmold(&["group", "--log"])
        .arg(&link)
        .arg(pages("news-de"))
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("no log"), "{}", stderr(&assert));
    assert_eq!(fs::read(&page).unwrap(), b"<p>page");
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    unmold(&["group", "-q", "--log"])
        .arg(&empty)
        .arg(pages("news-de"))
        .assert()
        .success();
}
