//! Main content from the command line.

mod common;

use common::{pages, rows, stdout, unmold};
use serde_json::Value;
use std::fs;

/// The fields of a site's pages, by page.
fn truth(site: &str) -> Value {
    serde_json::from_slice(&fs::read(pages(site).join("../truth.json")).unwrap()).unwrap()
}

#[test]
fn a_mold_cleans_its_own_pages_as_learning_does() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    for site in ["news-de", "news-ja", "library-ar", "forum-ru"] {
        unmold(&["learn", "-q", "--overwrite", "-o"]).arg(&mold).arg(pages(site)).assert().success();
        let direct = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site)));
        assert_eq!(
            rows(unmold(&["clean", "-q", "-f", "jsonl", "--mold"]).arg(&mold).arg(pages(site))),
            direct,
            "{site}"
        );
        let with_fields = ["clean", "-q", "-f", "jsonl", "--with-fields", "--mold"];
        for mut row in rows(unmold(&with_fields).arg(&mold).arg(pages(site))) {
            let fields = row.as_object_mut().unwrap().remove("fields").unwrap();
            assert!(fields.as_object().unwrap().values().any(|values| !values.is_null()), "{site}: {fields}");
            assert!(direct.contains(&row), "{site}: {row}");
        }
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

/// Dates by markup in German, behind the headline in Japanese; authors by markup only.
#[test]
fn jsonl_says_title_date_and_author() {
    for site in ["news-de", "news-ja"] {
        let truth = truth(site);
        for row in rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site))) {
            let page = row["page"].as_str().unwrap().trim_end_matches(".html").to_owned();
            let known = &truth["pages"][&page];
            assert_eq!(row["title"], known["title"][0], "{site} {page}");
            let date = row["date"].as_str().unwrap_or_default();
            assert_eq!(numbers(date)[..3], date_of(known["date"][0].as_str().unwrap()), "{site} {page}: {date}");
            if site == "news-de" {
                assert_eq!(row["author"], known["author"][0], "{page}");
            }
        }
    }
}

/// Year, month and day of a date in digits, or with a German month.
fn date_of(date: &str) -> [u32; 3] {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"];
    match (&numbers(date)[..], MONTHS.iter().position(|month| date.contains(month))) {
        (&[day, year, ..], Some(month)) => [year, month as u32 + 1, day],
        (&[year, month, day, ..], None) => [year, month, day],
        _ => panic!("{date}"),
    }
}

fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn markdown_has_headings_and_links() {
    let markdown = stdout(unmold(&["clean", "-q", "-f", "markdown"]).arg(pages("news-de").join("0001.html")));
    assert!(markdown.starts_with("# Brücke über die Jarme"), "{markdown}");
}

#[test]
fn html_is_a_page_without_the_template() {
    let html = stdout(unmold(&["clean", "-q", "-f", "html"]).arg(pages("news-de").join("0001.html")));
    assert!(html.contains("<h1>Brücke über die Jarme") && !html.contains("Impressum"), "{html}");
}

#[test]
fn the_source_is_shown_whole() {
    let page = pages("news-de").join("0001.html");
    let shown = stdout(unmold(&["clean", "-q", "--show"]).arg(&page));
    assert!(shown.contains("==> 0001.html <==") && shown.ends_with("</html>\n\n"), "{shown}");
    assert!(shown.contains("<h1 itemprop=\"headline\">Brücke") && shown.contains("Impressum"), "{shown}");
    unmold(&["clean", "--show", "-f", "html"]).arg(&page).assert().code(2);
}

#[test]
fn files_are_not_replaced_unless_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let clean = |more: &[&str]| {
        let mut command = unmold(&["clean", "-q", "-o"]);
        command.arg(folder.path()).args(more).arg(pages("library-ar"));
        command
    };
    clean(&[]).assert().success();
    clean(&[]).assert().code(2);
    clean(&["--overwrite"]).assert().success();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 18);
}
