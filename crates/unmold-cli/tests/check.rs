//! `unmold check`, `unmold diff` and `unmold export` from the outside.

use crate::common::{pages, stderr, stdout, unmold};
use serde_json::Value;
use std::{fs, path::Path};

/// A mold of the shop in a folder of its own.
fn shop(folder: &Path) -> std::path::PathBuf {
    let mold = folder.join("shop.mold.json");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(pages("shop-en"))
        .assert()
        .success();
    mold
}

/// The pages of the shop with other classes.
fn changed(folder: &Path) -> std::path::PathBuf {
    let changed = folder.join("changed");
    fs::create_dir(&changed).unwrap();
    for entry in fs::read_dir(pages("shop-en"))
        .unwrap()
        .map(|entry| entry.unwrap())
    {
        let page = fs::read_to_string(entry.path()).unwrap();
        fs::write(
            changed.join(entry.file_name()),
            page.replace("class=\"", "class=\"new-"),
        )
        .unwrap();
    }
    changed
}

#[test]
fn a_site_that_changed_is_told_by_the_exit_code_and_can_be_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (mold, changed) = (shop(folder.path()), changed(folder.path()));
    let same = stdout(
        unmold(&["check", "-q", "--mold"])
            .arg(&mold)
            .arg(pages("shop-en")),
    );
    assert!(same.starts_with("healthy: 21 pages"), "{same}");
    let report = unmold(&["check", "-q", "-f", "json", "--mold"])
        .arg(&mold)
        .arg(&changed)
        .assert()
        .code(1);
    let report: Value = serde_json::from_slice(&report.get_output().stdout).unwrap();
    assert_eq!(report["verdict"], "drifted");

    let new = folder.path().join("new.mold.json");
    let repaired = unmold(&["check", "-q", "--repair", "--mold"])
        .arg(&mold)
        .arg(&changed)
        .arg("-o")
        .arg(&new)
        .assert()
        .success();
    let said = String::from_utf8(repaired.get_output().stdout.clone()).unwrap();
    assert!(
        said.contains("broken   list buybox"),
        "a line for what broke: {said}"
    );
    unmold(&["check", "-q", "--mold"])
        .arg(&new)
        .arg(&changed)
        .assert()
        .success();
    let differences = unmold(&["diff"]).arg(&mold).arg(&new).assert().code(1);
    assert!(String::from_utf8_lossy(&differences.get_output().stdout).contains("is different"));
    assert_eq!(
        stdout(unmold(&["diff"]).arg(&new).arg(&new)),
        "nothing is different\n"
    );
}

#[test]
fn healthy_days_are_remembered_beside_the_mold() {
    let folder = tempfile::tempdir().unwrap();
    let mold = shop(folder.path());
    for day in 1..3 {
        unmold(&["check", "-q", "--remember", "--mold"])
            .arg(&mold)
            .arg(pages("shop-en"))
            .assert()
            .success();
        let checks = fs::read_to_string(folder.path().join("shop.mold.json.checks")).unwrap();
        let checks: Value = serde_json::from_str(&checks).unwrap();
        assert_eq!(checks["days"], day);
    }
    fs::write(folder.path().join("shop.mold.json.checks"), "{}").unwrap();
    unmold(&["check", "-q", "--remember", "--mold"])
        .arg(&mold)
        .arg(pages("shop-en"))
        .assert()
        .code(2);
}

#[test]
fn every_form_is_written_and_proofs_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let mold = shop(folder.path());
    for form in [
        "css",
        "xpath",
        "parsel",
        "scrapy",
        "crawl4ai",
        "ftr",
        "regex",
        "json-schema",
    ] {
        let proven = unmold(&["export", "--to", form, "--mold"])
            .arg(&mold)
            .arg(pages("shop-en"))
            .assert()
            .success();
        let said = String::from_utf8(proven.get_output().stderr.clone()).unwrap();
        assert!(
            said.contains("give what extract gives on every page"),
            "{form}: {said}"
        );
        assert!(!proven.get_output().stdout.is_empty());
    }
    let rules = stdout(
        unmold(&[
            "export", "-q", "--to", "css", "-f", "json", "--fields", "price", "--mold",
        ])
        .arg(&mold)
        .arg(pages("shop-en")),
    );
    let rules: Value = serde_json::from_str(&rules).unwrap();
    assert_eq!(
        (&rules[0]["name"], &rules[0]["state"]),
        (&"price".into(), &"exact".into())
    );
}

#[test]
fn a_mold_of_another_site_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mold = shop(folder.path());
    let new = folder.path().join("new.mold.json");
    let other = pages("news-de");
    let refused = unmold(&["check", "-q", "--repair", "--mold"])
        .arg(&mold)
        .arg(&other)
        .arg("-o")
        .arg(&new)
        .assert()
        .code(4);
    assert!(
        stderr(&refused).contains("learned from another site"),
        "{}",
        stderr(&refused)
    );
    assert!(!new.exists());
    let cleaned = unmold(&["clean", "--mold"])
        .arg(&mold)
        .arg(&other)
        .assert()
        .success();
    let said = stderr(&cleaned);
    assert!(
        said.contains("cleaned 16 pages; the content of 16 pages was judged")
            && said.contains("another site"),
        "{said}"
    );
    // A site that has changed its classes is the same site.
    let cleaned = unmold(&["clean", "--mold"])
        .arg(&mold)
        .arg(changed(folder.path()))
        .assert()
        .success();
    assert!(stderr(&cleaned).contains("cleaned 21 pages"));
}
