//! `eval` as people meet it: what it measures, how it shows it, and what it says where there is
//! nothing to measure.

use crate::common::{pages, rows, stderr, stdout, unmold};
use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn the_report_has_pictures_and_opens_the_worst_pages_in_the_viewer() {
    let html =
        stdout(unmold(&["eval", "-q", "-f", "html"]).args([site("shop-en"), site("forum-ru")]));
    assert!(
        html.contains("<svg viewBox") && html.contains("f1 of data sets, the lowest first"),
        "{html}"
    );
    for measure in ["content", "fields", "examples", "records"] {
        assert!(
            html.contains(&format!("<h2>{measure}</h2>")),
            "{measure}: {html}"
        );
    }
    assert!(
        html.contains("<a href=\"file://") && html.contains("/pages --page 00"),
        "{html}"
    );
    for loading in ["<script", "<link", "src=", "http://", "https://", " style="] {
        assert!(!html.contains(loading), "{loading}: {html}");
    }
}

#[test]
fn the_viewer_refuses_a_page_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.html"), "<p>one").unwrap();
    let assert = unmold(&["view", "--no-open", "--page", "2.html"])
        .arg(folder.path())
        .assert()
        .code(2);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        said.contains("--page 2.html: no page is called so"),
        "{said}"
    );
}

fn site(name: &str) -> PathBuf {
    pages(name).parent().unwrap().to_owned()
}

/// Pages of as many sites with what is on them, and a kind for each but the last.
fn kinds(folder: &Path) {
    for inner in ["pages", "truth"] {
        fs::create_dir(folder.join(inner)).unwrap();
    }
    for name in ["1", "2", "3"] {
        let text = format!(
            "All that can be said about number {name}, said at length and at leisure, and in earnest."
        );
        fs::write(
            folder.join("pages").join(format!("{name}.html")),
            format!("<h1>{name}</h1><p>{text}</p>"),
        )
        .unwrap();
        fs::write(folder.join("truth").join(format!("{name}.txt")), text).unwrap();
    }
    fs::write(
        folder.join("kinds.json"),
        r#"{"1": "recipe", "2": "alone"}"#,
    )
    .unwrap();
}

#[test]
fn every_kind_that_is_named_has_its_figure() {
    let folder = tempfile::tempdir().unwrap();
    kinds(folder.path());
    let scores = rows(unmold(&["eval", "-q", "-f", "jsonl"]).arg(folder.path()));
    assert!(
        scores[0]["recipe"].is_f64() && scores[0]["kind alone"].is_f64(),
        "{}",
        scores[0]
    );
    assert_eq!(scores[0].as_object().unwrap().len(), 8, "{}", scores[0]);
}

#[test]
fn floors_are_of_pages_and_truth_and_nothing_compared_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let (set, floors) = (
        folder.path().join("set"),
        folder.path().join("floors.jsonl"),
    );
    fs::create_dir(&set).unwrap();
    kinds(&set);
    let eval = || {
        let mut command = unmold(&["eval", "-q", "--floors"]);
        command.arg(&floors).arg(&set);
        command
    };
    eval().arg("--raise").assert().success();
    assert!(stderr(&eval().assert().success()).contains("floors: 1 compared, 0 skipped, 0 worse"));
    fs::write(set.join("truth/1.txt"), "something else").unwrap();
    let said = stderr(&eval().assert().code(1));
    assert!(
        said.contains("skipped set (content): its pages or its truth are others"),
        "{said}"
    );
    assert!(said.contains("nothing could be compared"), "{said}");
}

#[test]
fn sets_without_the_truth_that_is_asked_for_are_skipped_once_and_by_name() {
    let sets = [site("shop-en"), site("news-de")];
    let assert = unmold(&["eval", "-f", "jsonl", "--measure", "records"])
        .args(sets)
        .assert()
        .success();
    let said = stderr(&assert);
    assert!(
        said.contains("skipped, as there is no records/NAME.json or truth/NAME.json: news-de"),
        "{said}"
    );
    assert_eq!(said.matches("skipped").count(), 1, "{said}");
    assert_eq!(
        assert
            .get_output()
            .stdout
            .iter()
            .filter(|byte| **byte == b'\n')
            .count(),
        1
    );
}

#[test]
fn a_folder_too_high_is_looked_into_and_one_without_truth_says_what_was_sought() {
    let testdata = site("shop-en")
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned();
    let scores =
        rows(unmold(&["eval", "-q", "-f", "jsonl", "--measure", "records"]).arg(&testdata));
    assert_eq!(scores[0]["dataset"], "testdata/sites/forum-ru");
    let assert = unmold(&["eval", "--measure", "groups"])
        .arg(site("news-de"))
        .assert()
        .code(4);
    assert!(
        stderr(&assert).contains("looked for labels.json beside pages/ in"),
        "{}",
        stderr(&assert)
    );
}
