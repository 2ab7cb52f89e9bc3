//! What bad input, hostile molds and odd arguments get: docs/faults.md names these tests.

mod common;

use common::{pages, stderr, unmold};
use std::fs;

#[test]
fn quiet_runs_say_what_was_bad() {
    let assert = unmold(&["extract", "-q", "no-such-file.html"]).arg(pages("shop-en")).assert().code(3);
    assert_eq!(stderr(&assert), "bad input: no-such-file.html: open: no such file or folder\n");
}

#[test]
fn an_address_says_how_it_is_fetched() {
    let assert = unmold(&["clean", "https://a.example/x"]).assert().code(4);
    assert!(stderr(&assert).contains("unmold crawl https://a.example/x -o pages.warc.gz"), "{}", stderr(&assert));
}

#[test]
fn what_is_no_page_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let errors = folder.path().join("errors.jsonl");
    for (name, bytes, what) in [
        ("a.pdf", &b"%PDF-1.7\n"[..], "a PDF document"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        ("a.docx", b"PK\x03\x04\x14\0[Content_Types].xml word/document.xml", "a Word document"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let mut command = unmold(&["clean", "--overwrite", "--errors"]);
        let assert = command.arg(&errors).arg(&file).arg(pages("news-de")).assert().success();
        assert!(stderr(&assert).contains(&format!("skipped: {name}: not a page but {what}")), "{}", stderr(&assert));
        let rows = fs::read_to_string(&errors).unwrap();
        assert!(rows.contains(name) && rows.contains(what) && rows.contains("\"kind\":\"binary\""), "{rows}");
    }
}

#[test]
fn threads_are_bounded() {
    for threads in ["100000", "99999999999999999999", "-1"] {
        let assert = unmold(&["group", &format!("--threads={threads}")]).arg(pages("shop-en")).assert().code(2);
        assert!(stderr(&assert).contains("--threads"), "{}", stderr(&assert));
    }
    unmold(&["group", "-q", "--threads", "512"]).arg(pages("shop-en")).assert().success();
}

#[test]
fn hostile_molds_are_refused_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("hostile.mold.json");
    let view = r#"{"kind":"lr","left":"<b>","right":"</b>"}"#;
    let views = vec![view; 100_000].join(",");
    for (name, views, reason) in [
        ("a", views.as_str(), "groups[0].fields: a group has at most 2000 views by strings"),
        ("a\\u202eb", view, "groups[0].fields[0]: the name holds control characters"),
        ("\\u001b]0;x\\u0007", view, "groups[0].fields[0]: the name holds control characters"),
    ] {
        let json = format!(
            r#"{{"unmold":2,"learned":{{"method":"lr","pages":1,"bytes":1,"hash":""}},"contents":[],
                "groups":[{{"name":"g","pages":1,"fields":[{{"name":"{name}","fill":1,"views":[{views}]}}]}}]}}"#
        );
        fs::write(&mold, json).unwrap();
        let assert = unmold(&["extract", "--mold"]).arg(&mold).arg(pages("shop-en")).assert().code(2);
        assert!(stderr(&assert).contains(reason), "{}", stderr(&assert));
    }
}

#[test]
fn names_of_files_and_fields_cannot_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let odd = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{61c}";
    for page in 0..4 {
        let text = format!("<title>{odd} shop</title><h1>Thing {page}</h1><p>{odd}price: <b>{page}.50</b></p>");
        fs::write(folder.path().join(format!("{odd}{page}.html")), text).unwrap();
    }
    let missing = folder.path().join(format!("{odd}none.html"));
    for command in ["learn", "extract", "clean", "records", "group"] {
        let assert = unmold(&[command]).arg(folder.path()).arg(&missing).assert();
        let said = stderr(&assert);
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{61c}']), "{command}: {said:?}");
    }
    let mold = String::from_utf8(unmold(&["learn", "-q"]).arg(folder.path()).output().unwrap().stdout).unwrap();
    let names = mold.lines().filter(|line| line.trim_start().starts_with("\"name\""));
    assert!(names.clone().count() > 1 && !names.clone().any(|name| name.contains(['\u{9b}', '\u{202e}', '\u{61c}'])));
}

#[test]
fn broken_characters_are_counted() {
    let page = b"<meta charset=utf-8><p>\xe2\x80\x9criver\xe2\x80\x9d and caf\xe9".to_vec();
    let assert = unmold(&["clean", "-"]).write_stdin(page).assert().success();
    assert!(stderr(&assert).contains("1 with bytes that are no characters"), "{}", stderr(&assert));
    assert!(String::from_utf8_lossy(&assert.get_output().stdout).contains("“river” and caf\u{FFFD}"));
}

#[test]
fn a_data_set_that_is_none_costs_no_other_its_scores() {
    let (shop, empty) = (pages("shop-en"), tempfile::tempdir().unwrap());
    let assert = unmold(&["eval", "-f", "jsonl"]).arg(empty.path()).arg(shop.parent().unwrap()).assert().code(3);
    assert!(stderr(&assert).contains("no page was found"), "{}", stderr(&assert));
    assert_eq!(String::from_utf8_lossy(&assert.get_output().stdout).lines().count(), 1);
    unmold(&["eval"]).arg(empty.path()).assert().code(4);
}
