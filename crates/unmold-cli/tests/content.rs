//! Main content from the command line.

use crate::common::{pages, rows, stderr, stdout, unmold};
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
        unmold(&["learn", "-q", "--overwrite", "-o"])
            .arg(&mold)
            .arg(pages(site))
            .assert()
            .success();
        let direct = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site)));
        assert_eq!(
            rows(
                unmold(&["clean", "-q", "-f", "jsonl", "--mold"])
                    .arg(&mold)
                    .arg(pages(site))
            ),
            direct,
            "{site}"
        );
        let with_fields = ["clean", "-q", "-f", "jsonl", "--with-fields", "--mold"];
        for mut row in rows(unmold(&with_fields).arg(&mold).arg(pages(site))) {
            let fields = row.as_object_mut().unwrap().remove("fields").unwrap();
            assert!(
                fields
                    .as_object()
                    .unwrap()
                    .values()
                    .any(|values| !values.is_null()),
                "{site}: {fields}"
            );
            assert!(direct.contains(&row), "{site}: {row}");
        }
    }
}

#[test]
fn a_sentence_that_ends_every_article_is_template() {
    let text = stdout(unmold(&["clean", "-q"]).arg(pages("news-de")));
    assert!(
        text.contains("Brücke über die Jarme bleibt bis 2027 gesperrt"),
        "{text}"
    );
    assert!(
        !text.contains("nimmt die Lokalredaktion gern entgegen"),
        "{text}"
    );
}

#[test]
fn a_page_alone_is_cleaned_and_that_is_said() {
    let output = unmold(&["clean"])
        .arg(pages("news-de").join("0001.html"))
        .assert()
        .success();
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        said.contains("the content of one page was judged by the page alone"),
        "{said}"
    );
}

#[test]
fn painted_pages_for_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let painted = folder.path().join("painted");
    unmold(&["clean", "-q", "-f", "html", "--paint", "-o"])
        .arg(&painted)
        .arg(pages("news-de"))
        .assert()
        .success();
    let page = fs::read_to_string(painted.join("0001.html")).unwrap();
    assert!(
        page.contains("<unmold-legend") && page.contains("Content-Security-Policy"),
        "{page}"
    );
    assert!(
        page.contains("<unmold-content id=unmold-first>Brücke über die Jarme")
            && page.contains("<unmold-template>Impressum"),
        "{page}"
    );
    let source = ["clean", "-q", "-f", "html", "--paint=source"];
    let source = stdout(unmold(&source).arg(pages("news-de").join("0001.html")));
    assert!(
        source.contains("<i>") && source.contains("Jarme"),
        "{source}"
    );
    unmold(&["clean", "-q", "--paint"])
        .arg(pages("news-de"))
        .assert()
        .code(2);
}

#[test]
fn comments_are_kept_where_they_are_asked_for() {
    let comment = "Bitte mehr solche Berichte und weniger";
    let page = pages("news-de").join("0001.html");
    let clean = |more: &[&str]| stdout(unmold(&["clean", "-q"]).args(more).arg(&page));
    assert!(!clean(&[]).contains(comment));
    let kept = clean(&["--keep", "comments"]);
    assert!(
        kept.contains(comment) && kept.contains("rechnet mit 54 Prozent weniger Kundschaft"),
        "{kept}"
    );
}

/// Dates by markup in German, behind the headline in Japanese; authors by markup only.
#[test]
fn jsonl_says_title_date_and_author() {
    for site in ["news-de", "news-ja"] {
        let truth = truth(site);
        for row in rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site))) {
            let page = row["page"]
                .as_str()
                .unwrap()
                .trim_end_matches(".html")
                .to_owned();
            let known = &truth["pages"][&page];
            assert_eq!(row["title"], known["title"][0], "{site} {page}");
            let date = row["date"].as_str().unwrap_or_default();
            assert_eq!(
                numbers(date)[..3],
                date_of(known["date"][0].as_str().unwrap()),
                "{site} {page}: {date}"
            );
            if site == "news-de" {
                assert_eq!(row["authors"], known["author"], "{page}");
            }
        }
    }
}

/// Year, month and day of a date in digits, or with a German month.
fn date_of(date: &str) -> [u32; 3] {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez",
    ];
    match (
        &numbers(date)[..],
        MONTHS.iter().position(|month| date.contains(month)),
    ) {
        (&[day, year, ..], Some(month)) => [year, month as u32 + 1, day],
        (&[year, month, day, ..], None) => [year, month, day],
        _ => panic!("{date}"),
    }
}

fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}

#[test]
fn markdown_has_headings_and_links() {
    let markdown =
        stdout(unmold(&["clean", "-q", "-f", "markdown"]).arg(pages("news-de").join("0001.html")));
    assert!(
        markdown.starts_with("# Brücke über die Jarme"),
        "{markdown}"
    );
}

#[test]
fn html_is_a_page_without_the_template() {
    let html =
        stdout(unmold(&["clean", "-q", "-f", "html"]).arg(pages("news-de").join("0001.html")));
    assert!(
        html.contains("<h1>Brücke über die Jarme") && !html.contains("Impressum"),
        "{html}"
    );
}

#[test]
fn the_source_is_shown_whole() {
    let page = pages("news-de").join("0001.html");
    let shown = stdout(unmold(&["clean", "-q", "--show", "--color", "never"]).arg(&page));
    assert!(
        shown.contains("==> 0001.html <==") && shown.ends_with("</html>\n\n"),
        "{shown}"
    );
    assert!(
        shown.contains("<h1 itemprop=\"headline\">Brücke") && shown.contains("Impressum"),
        "{shown}"
    );
    unmold(&["clean", "--show", "-f", "html"])
        .arg(&page)
        .assert()
        .code(2);
}

#[test]
fn files_are_not_replaced_unless_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let clean = |more: &[&str]| {
        let mut command = unmold(&["clean", "-q", "-o"]);
        command
            .arg(folder.path())
            .args(more)
            .arg(pages("library-ar"));
        command
    };
    clean(&[]).assert().success();
    clean(&[]).assert().code(2);
    clean(&["--overwrite"]).assert().success();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 18);
}

/// A page that has text and gives none, one without text, and one that is made by its scripts.
fn pages_that_lack_text() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, page: &str| fs::write(folder.path().join(name), page).unwrap();
    write(
        "empty.html",
        "<html><head><title>A map</title></head><body><img src=map.png></body></html>",
    );
    write(
        "links.html",
        "<html><body><nav><a href=a>First page</a> <a href=b>Second page</a></nav></body></html>",
    );
    write(
        "shell.html",
        "<html><body><div id=root></div><script src=app.js></script></body></html>",
    );
    folder
}

#[test]
fn pages_without_text_are_named_marked_and_strictly_an_error() {
    let folder = pages_that_lack_text();
    let assert = unmold(&["clean", "-f", "jsonl"])
        .arg(folder.path())
        .assert()
        .success();
    let said = stderr(&assert);
    assert!(
        said.contains("2 pages gave no text: empty.html, links.html (one has none)"),
        "{said}"
    );
    assert!(
        said.contains("1 page needs scripts to show its text: shell.html"),
        "{said}"
    );
    let lacks: Vec<Value> = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(folder.path()))
        .into_iter()
        .map(|row| row["lack"].clone())
        .collect();
    assert_eq!(lacks, ["no-text", "left-out", "needs-scripts"]);
    let assert = unmold(&["clean", "-q", "--strict-empty"])
        .arg(folder.path())
        .assert()
        .code(3);
    assert!(stderr(&assert).is_empty());
    fs::remove_file(folder.path().join("links.html")).unwrap();
    unmold(&["clean", "-q", "--strict-empty"])
        .arg(folder.path())
        .assert()
        .success();
}

#[test]
fn ordinary_pages_lack_nothing() {
    for site in [
        "news-de",
        "news-ja",
        "library-ar",
        "forum-ru",
        "shop-en",
        "search-zh",
    ] {
        let marked = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages(site)));
        assert!(
            marked.iter().all(|row| row.get("lack").is_none()),
            "{site}: {marked:?}"
        );
    }
}

#[test]
fn many_pages_without_text_are_counted_and_some_of_them_named() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..15 {
        let page = format!("<p><a href={number}>Number {number}</a></p>");
        fs::write(folder.path().join(format!("{number:02}\u{1b}.html")), page).unwrap();
    }
    let assert = unmold(&["clean", "--show"])
        .arg(folder.path())
        .assert()
        .success();
    let said = stderr(&assert);
    assert!(
        said.contains("15 pages gave no text: 00\\u{1b}.html, 01\\u{1b}.html"),
        "{said}"
    );
    assert!(said.contains("09\\u{1b}.html and 5 more\n"), "{said}");
}

#[test]
fn a_page_beyond_the_limit_is_cut_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (page, errors) = (
        folder.path().join("long.html"),
        folder.path().join("errors.jsonl"),
    );
    let paragraph = "<p>One sentence of a long page. And another one.</p>\n";
    fs::write(&page, paragraph.repeat(12_000_000 / paragraph.len())).unwrap();
    let assert = unmold(&["clean", "-f", "jsonl", "--errors"])
        .arg(&errors)
        .arg(&page)
        .assert()
        .code(3);
    let said = stderr(&assert);
    assert!(
        said.contains("long.html: page: the page has 119") && said.contains("limit of 10000000"),
        "{said}"
    );
    assert!(
        said.contains("read 1 page, 9.54 MiB; 1 cut short"),
        "{said}"
    );
    let row: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert!(row["text"].as_str().unwrap().starts_with("One sentence") && row["truncated"] == true);
    let error: Value = serde_json::from_str(&fs::read_to_string(&errors).unwrap()).unwrap();
    assert_eq!(
        (error["kind"].as_str(), error["stage"].as_str()),
        (Some("cut"), Some("page"))
    );
    unmold(&["clean", "-q", "--strict"])
        .arg(&page)
        .assert()
        .code(3)
        .stdout("");
}

#[test]
fn a_table_has_the_rows_of_the_json() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("clean.parquet");
    unmold(&["clean", "-q", "-f", "parquet", "-o"])
        .arg(&table)
        .arg(pages("news-de"))
        .assert()
        .success();
    unmold(&["clean", "-q", "-f", "parquet", "-o"])
        .arg(&table)
        .arg(pages("news-de"))
        .assert()
        .code(2);
    let assert = unmold(&["clean", "-q", "-f", "parquet"])
        .arg(pages("news-de"))
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("-o"));
    let settings = unmold_io::LoadSettings::default()
        .html_field("text")
        .url_field("title");
    let read = unmold_io::load([&table], &settings).read_all();
    let json = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(pages("news-de")));
    assert_eq!(read.pages.len(), json.len());
    for (page, row) in read.pages.iter().zip(&json) {
        assert_eq!(page.bytes(), row["text"].as_str().unwrap().as_bytes());
        assert_eq!(page.url(), row["title"].as_str());
    }
    for missing in [
        "authors.list.element",
        "tags.list.element",
        "canonical",
        "lack",
        "content_starts.list.element",
    ] {
        let settings = unmold_io::LoadSettings::default().html_field("?");
        let fault = unmold_io::load([&table], &settings).read_all().faults[0].to_string();
        assert!(fault.contains(missing), "{fault}");
    }
}

#[test]
fn what_is_shown_is_in_colour_in_a_pipe_unless_refused() {
    let page = pages("news-de").join("0001.html");
    let show = |more: &[&str], variables: &[(&str, &str)]| {
        let mut command = unmold(&["clean", "-q", "--show"]);
        stdout(
            command
                .args(more)
                .arg(&page)
                .env_remove("NO_COLOR")
                .envs(variables.iter().copied()),
        )
    };
    assert!(show(&[], &[]).contains("\u{1b}[2m"));
    assert!(!show(&[], &[("NO_COLOR", "1")]).contains('\u{1b}'));
    assert!(!show(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
    assert!(show(&["--color", "always"], &[("NO_COLOR", "1")]).contains('\u{1b}'));
    let source = fs::read_to_string(&page).unwrap();
    let plain = show(&["--color", "never"], &[]);
    assert_eq!(
        plain.split_once('\n').unwrap().1.trim_end(),
        source.trim_end()
    );
}

#[test]
fn a_pager_that_has_seen_enough_is_no_failure() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("unmold"));
    command
        .args(["clean", "--show"])
        .arg(pages("news-de"))
        .stdout(std::process::Stdio::piped());
    let mut child = command
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && !said.contains("unmold:"),
        "{said}"
    );
}

#[test]
fn content_is_where_an_example_says() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    std::fs::create_dir(&site).unwrap();
    let line = |name: &str, page: usize, at: usize| {
        format!(
            "{name} {} of page {page} says what {name} {at} has to say.",
            7 * at + page
        )
    };
    for page in 0..8 {
        let lines = |name: &str, count: usize| {
            (0..count)
                .map(|at| format!("<p>{}</p>", line(name, page, at)))
                .collect::<String>()
        };
        let html = format!(
            "<div class=top>Home News</div><h1>Page {page}</h1><div class=story>{}</div><div class=letters>{}</div>\
             <div class=foot>All rights reserved</div>",
            lines("Paragraph", 3),
            lines("Letter", 9)
        );
        std::fs::write(site.join(format!("{page}.html")), html).unwrap();
    }
    let text: Vec<String> = (0..9).map(|at| line("Letter", 2, at)).collect();
    let (examples, mold) = (
        folder.path().join("examples.json"),
        folder.path().join("mold.json"),
    );
    let learn = |content: &str| {
        std::fs::write(
            &examples,
            serde_json::json!({"page": "2.html", "content": content}).to_string(),
        )
        .unwrap();
        unmold(&["learn", "-q", "--overwrite"])
            .arg(&site)
            .arg("--example")
            .arg(&examples)
            .arg("-o")
            .arg(&mold)
            .assert()
    };
    learn(&text.join("\n")).success();
    let clean = stdout(
        unmold(&["clean", "-q", "--mold"])
            .arg(&mold)
            .arg(site.join("5.html")),
    );
    assert!(
        clean.contains(&line("Letter", 5, 3)) && !clean.contains("Paragraph"),
        "{clean}"
    );
    learn("Nobody has written this on any of these pages.").code(3);
}
