//! Main content from the command line.

use assert_cmd::Command;
use std::{fs, path::PathBuf};

fn unmold(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("unmold").unwrap();
    command.args(args);
    command
}

fn pages(site: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites").join(site).join("pages")
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn a_mold_cleans_its_own_pages_as_learning_does() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    for site in ["news-de", "news-ja", "library-ar", "forum-ru"] {
        unmold(&["learn", "-q", "--overwrite", "-o"]).arg(&mold).arg(pages(site)).assert().success();
        let by_mold = stdout(unmold(&["clean", "-q", "-f", "jsonl", "--mold"]).arg(&mold).arg(pages(site)));
        assert_eq!(by_mold, stdout(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site))), "{site}");
    }
}

#[test]
fn a_sentence_that_ends_every_article_is_template() {
    let text = stdout(unmold(&["clean", "-q"]).arg(pages("news-de")));
    assert!(text.contains("Brücke über die Jarme bleibt bis 2027 gesperrt"), "{text}");
    assert!(!text.contains("nimmt die Lokalredaktion gern entgegen"), "{text}");
}

#[test]
fn a_page_alone_is_cleaned_and_that_is_said() {
    let output = unmold(&["clean"]).arg(pages("news-de").join("0001.html")).assert().success();
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(said.contains("one page like no other was judged on its own"), "{said}");
}

#[test]
fn painted_pages_for_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let painted = folder.path().join("painted");
    unmold(&["clean", "-q", "-f", "html", "--paint", "-o"]).arg(&painted).arg(pages("news-de")).assert().success();
    let page = fs::read_to_string(painted.join("0001.html")).unwrap();
    assert!(page.contains("<i>") && page.contains("Jarme"), "{page}");
}

#[test]
fn comments_are_kept_where_they_are_asked_for() {
    let comment = "Bitte mehr solche Berichte und weniger";
    let page = pages("news-de").join("0001.html");
    let clean = |more: &[&str]| stdout(unmold(&["clean", "-q"]).args(more).arg(&page));
    assert!(!clean(&[]).contains(comment));
    let kept = clean(&["--keep", "comments"]);
    assert!(kept.contains(comment) && kept.contains("rechnet mit 54 Prozent weniger Kundschaft"), "{kept}");
}
