//! A page that makes the program fail costs that page and no other, in every command. Programs with
//! debug assertions fail on purpose at pages that hold the text in `UNMOLD_FAIL_AT`.
#![cfg(debug_assertions)]

use crate::common::{pages, stderr, unmold};
use assert_cmd::Command;

/// Stands on one page of the site.
const ON_ONE_PAGE: &str = "The Gannet is spun from a single sheet";

fn failing(args: &[&str]) -> Command {
    let mut command = unmold(args);
    command
        .env("UNMOLD_FAIL_AT", ON_ONE_PAGE)
        .arg(pages("shop-en"));
    command
}

/// Runs a command on a site with one failing page; gives what it prints.
fn printed(args: &[&str]) -> String {
    let assert = failing(args).assert().code(3);
    let said = stderr(&assert);
    assert!(
        said.contains("bad input: ") && said.contains("0001.html"),
        "{args:?}: {said}"
    );
    assert!(
        said.contains("an error of this program, please report it: on purpose"),
        "{args:?}: {said}"
    );
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn the_text_stands_on_one_page() {
    let folder = pages("shop-en");
    let pages = std::fs::read_dir(folder)
        .unwrap()
        .map(|page| std::fs::read_to_string(page.unwrap().path()).unwrap());
    assert_eq!(pages.filter(|page| page.contains(ON_ONE_PAGE)).count(), 1);
}

#[test]
fn commands_that_learn() {
    assert!(printed(&["learn"]).contains("\"fields\""));
    for args in [
        &["extract"][..],
        &["extract", "--method", "lr"],
        &["clean", "-f", "jsonl"],
    ] {
        assert_eq!(printed(args).lines().count(), 20, "{args:?}");
    }
    assert!(!printed(&["clean"]).contains("0001.html"));
    assert!(printed(&["clean", "--method", "documents"]).contains("0002.html"));
}

#[test]
fn commands_that_apply_a_mold() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("shop.mold.json");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(pages("shop-en"))
        .assert()
        .success();
    let mold = mold.to_str().unwrap();
    for args in [
        &["extract", "--mold", mold][..],
        &["clean", "-f", "jsonl", "--mold", mold],
    ] {
        assert_eq!(printed(args).lines().count(), 20, "{args:?}");
    }
}

#[test]
fn commands_that_look_at_pages_one_by_one() {
    assert_eq!(printed(&["records", "-f", "jsonl"]).lines().count(), 20);
    let rows = printed(&["group", "-f", "jsonl"]);
    let failed = rows.lines().find(|row| row.contains("0001.html")).unwrap();
    assert!(
        failed.contains("\"group\":null") && failed.contains("an error of this program"),
        "{failed}"
    );
}

#[test]
fn strict_runs_end_at_the_first() {
    let assert = failing(&["extract", "--strict"]).assert();
    assert!(!assert.get_output().status.success());
    assert!(stderr(&assert).contains("on purpose"));
}
