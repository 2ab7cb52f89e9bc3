//! `eval` as people meet it: what it measures, how it shows it, and what it says where there is nothing to measure.

use crate::common::{pages, stdout, unmold};
use std::fs;

#[test]
fn the_report_has_pictures_and_opens_the_worst_pages_in_the_viewer() {
    let shop = pages("shop-en").parent().unwrap().to_owned();
    let html = stdout(unmold(&["eval", "-q", "-f", "html"]).arg(&shop).arg(shop.with_file_name("forum-ru")));
    assert!(html.contains("<svg viewBox") && html.contains("f1 of data sets, the lowest first"), "{html}");
    for measure in ["content", "fields", "examples", "records"] {
        assert!(html.contains(&format!("<h2>{measure}</h2>")), "{measure}: {html}");
    }
    assert!(html.contains("<a href=\"file://") && html.contains("/pages --page 00"), "{html}");
    for loading in ["<script", "<link", "src=", "http://", "https://", " style="] {
        assert!(!html.contains(loading), "{loading}: {html}");
    }
}

#[test]
fn the_viewer_refuses_a_page_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.html"), "<p>one").unwrap();
    let assert = unmold(&["view", "--no-open", "--page", "2.html"]).arg(folder.path()).assert().code(2);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("--page 2.html: no page is called so"), "{said}");
}
