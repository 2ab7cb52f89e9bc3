//! The papers' methods, from the command line, on the project's own sites.

use crate::common::{pages, rows, stderr, stdout, unmold};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

fn site(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/sites")
        .join(name)
}

fn folded(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether some column gives exactly the true values of a field on every page that has it, and
/// nothing elsewhere.
fn is_separated(rows: &[Value], truth: &Value, field: &str) -> bool {
    let columns: BTreeSet<&String> = rows
        .iter()
        .flat_map(|row| row["fields"].as_object().unwrap().keys())
        .collect();
    columns.into_iter().any(|column| {
        rows.iter().all(|row| {
            let page = row["page"].as_str().unwrap().trim_end_matches(".html");
            let values = |value: &Value| -> Vec<String> {
                value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|value| folded(value.as_str().unwrap()))
                    .collect()
            };
            let (given, wanted) = (
                values(&row["fields"][column]),
                values(&truth["pages"][page][field]),
            );
            // List pages have several values; all that is given must be true, and something must be
            // given.
            given.is_empty() == wanted.is_empty()
                && given.iter().all(|value| wanted.contains(value))
        })
    })
}

/// The fields that LR wrappers separate on every page. `eval/lr-wrappers.md` says why the others
/// are out of reach.
#[test]
fn lr_wrappers_separate_what_the_method_can() {
    for (name, fields) in [
        ("news-de", &["title", "category"][..]),
        ("search-zh", &["price", "area", "phone"]),
        ("shop-en", &["name", "brand", "rating"]),
        ("library-ar", &["class"]),
    ] {
        let truth: Value =
            serde_json::from_str(&fs::read_to_string(site(name).join("truth.json")).unwrap())
                .unwrap();
        let rows = rows(unmold(&["extract", "--method", "lr", "-q"]).arg(site(name).join("pages")));
        for field in fields {
            assert!(is_separated(&rows, &truth, field), "{name}: {field}");
        }
    }
}

#[test]
fn a_mold_gives_on_its_own_pages_what_learning_gives() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    let pages = site("news-de").join("pages");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(&pages)
        .assert()
        .success();
    let by_mold = stdout(unmold(&["extract", "-q", "--mold"]).arg(&mold).arg(&pages));
    assert_eq!(by_mold, stdout(unmold(&["extract", "-q"]).arg(&pages)));
}

#[test]
fn rules_learned_on_some_pages_work_on_others() {
    let folder = tempfile::tempdir().unwrap();
    let (mold, pages) = (
        folder.path().join("site.mold.json"),
        site("library-ar").join("pages"),
    );
    let (seen, unseen) = (folder.path().join("seen"), folder.path().join("unseen"));
    for place in [&seen, &unseen] {
        fs::create_dir(place).unwrap();
    }
    for number in 1..=18 {
        let name = format!("{number:04}.html");
        fs::copy(
            pages.join(&name),
            if number % 4 == 0 { &unseen } else { &seen }.join(name),
        )
        .unwrap();
    }
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(&seen)
        .assert()
        .success();
    let rows = rows(unmold(&["extract", "-q", "--mold"]).arg(&mold).arg(&unseen));
    let truth: Value =
        serde_json::from_str(&fs::read_to_string(site("library-ar").join("truth.json")).unwrap())
            .unwrap();
    assert_eq!(rows.len(), 4);
    assert!(is_separated(&rows, &truth, "class"));
}

#[test]
fn a_site_with_several_templates_is_learned_template_by_template() {
    let rows = rows(unmold(&["extract", "-q"]).arg(site("search-zh").join("pages")));
    let group = |page: usize| rows[page]["group"].as_u64().unwrap();
    assert!((1..12).all(|page| group(page) == group(0)), "list pages");
    assert!((13..18).all(|page| group(page) == group(12)), "table pages");
    assert_ne!(group(0), group(12));
    let lists_records = |row: &Value| {
        let mut lists = row["records"].as_object().unwrap().values();
        lists.any(|list| list.as_array().unwrap().len() >= 8)
    };
    assert!(rows.iter().all(lists_records), "pages list records");
}

#[test]
fn amplification_takes_the_notices_out_of_pages() {
    let rows = rows(
        unmold(&["clean", "-q", "-f", "jsonl", "--method", "amplify"])
            .arg(site("news-ja").join("pages")),
    );
    let text = rows[0]["text"].as_str().unwrap();
    assert!(text.contains("台そろう"), "{text}");
    assert!(!text.contains("無断転載を禁じます"), "{text}");
}

#[test]
fn records_between_delimiters() {
    let rows = rows(
        unmold(&["records", "-q", "-f", "jsonl", "--method", "delimiters"])
            .arg(site("search-zh").join("pages")),
    );
    let records = |page: usize| {
        rows[page]["patterns"][0]["occurrences"]
            .as_array()
            .map_or(0, Vec::len)
    };
    assert!(
        (0..12).filter(|&page| records(page) >= 5).count() >= 6,
        "{:?}",
        (0..12).map(records).collect::<Vec<_>>()
    );
}

#[test]
fn rows_as_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("records.parquet");
    unmold(&["records", "-q", "-f", "parquet", "-o"])
        .arg(&file)
        .arg(site("search-zh").join("pages"))
        .assert()
        .success();
    assert!(fs::read(&file).unwrap().starts_with(b"PAR1"));
    let file = folder.path().join("fields.parquet");
    unmold(&["extract", "-q", "-f", "parquet", "-o"])
        .arg(&file)
        .arg(site("news-de").join("pages"))
        .assert()
        .success();
    assert!(fs::read(&file).unwrap().ends_with(b"PAR1"));
}

#[test]
fn exported_expressions_find_what_the_rules_find() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    let pages = site("news-de").join("pages");
    unmold(&["learn", "--method", "lr", "-q", "-o"])
        .arg(&mold)
        .arg(&pages)
        .assert()
        .success();
    let exported = stdout(unmold(&["export", "--to", "regex", "--mold"]).arg(&mold));
    let page = fs::read_to_string(pages.join("0001.html")).unwrap();
    let first = rows(
        unmold(&["extract", "-q", "--include", "0001.html", "--mold"])
            .arg(&mold)
            .arg(&pages),
    )
    .remove(0);
    let expressions: BTreeMap<&str, &str> = exported
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    let title = first["fields"]
        .as_object()
        .unwrap()
        .iter()
        .find(|(_, values)| {
            values.as_array().is_some_and(|values| {
                values.len() == 1 && values[0] == "Brücke über die Jarme bleibt bis 2027 gesperrt"
            })
        });
    let regex = regex::Regex::new(expressions[title.unwrap().0.as_str()]).unwrap();
    assert_eq!(
        &regex.captures(&page).unwrap()[1],
        "Brücke über die Jarme bleibt bis 2027 gesperrt"
    );
}

#[test]
fn values_as_a_table() {
    let table = stdout(
        unmold(&["extract", "--method", "lr", "-q", "-f", "csv"])
            .arg(site("news-de").join("pages")),
    );
    let mut lines = table.lines();
    assert!(lines.next().unwrap().starts_with("page,url,group,field_1,"));
    assert!(lines.next().unwrap().starts_with("0001.html,,"));
}

#[test]
fn cleaned_pages_as_files_and_as_rows() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts");
    let pages = site("news-de").join("pages");
    unmold(&["clean", "-q", "-o"])
        .arg(&texts)
        .arg(&pages)
        .assert()
        .success();
    let text = fs::read_to_string(texts.join("0001.txt")).unwrap();
    assert!(
        text.contains("Brücke über die Jarme bleibt bis 2027 gesperrt"),
        "{text}"
    );
    assert!(!text.contains("Cookies"), "{text}");
    assert_eq!(fs::read_dir(&texts).unwrap().count(), 16);
    unmold(&["clean", "-q", "-o"])
        .arg(&texts)
        .arg(&pages)
        .assert()
        .code(2);

    let rows = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(&pages));
    assert_eq!(rows[0]["text"].as_str().unwrap(), text);
    let spans = rows[0]["content"].as_array().unwrap();
    assert!(
        spans
            .windows(2)
            .all(|pair| pair[0][1].as_u64() < pair[1][0].as_u64())
    );
}

#[test]
fn a_page_is_shown_with_its_template_in_grey() {
    let shown = stdout(
        unmold(&["clean", "-q", "--show", "--color", "always"]).arg(site("news-de").join("pages")),
    );
    assert!(
        shown.contains("\u{1b}[2m<!doctype html>\u{1b}[0m"),
        "{}",
        &shown[..400]
    );
}

#[test]
fn the_landscape_in_all_its_forms() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, painted) = (
        folder.path().join("landscape.svg"),
        folder.path().join("painted"),
    );
    let mut command = unmold(&["debug", "cut-point", "-q", "--svg"]);
    let text = stdout(
        command
            .arg(&svg)
            .arg("--html")
            .arg(&painted)
            .arg(site("news-de").join("pages")),
    );
    assert!(text.contains("n =  2 *"), "{text}");
    assert!(text.contains('@'), "{text}");
    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<polyline"));
    let page = fs::read_to_string(painted.join("0001.html")).unwrap();
    assert!(page.contains("<i>&lt;!doctype html&gt;"), "{page}");
}

#[test]
fn the_measures_of_the_papers() {
    let scores = rows(
        unmold(&["eval", "-q", "-f", "jsonl", "--measure", "template"])
            .arg(site("news-de"))
            .arg(site("news-ja")),
    );
    for score in &scores {
        assert!(score["accuracy"].as_f64().unwrap() > 0.94, "{score}");
        assert!(score["recall"].as_f64().unwrap() > 0.88, "{score}");
        assert!(score["precision"].as_f64().unwrap() > 0.85, "{score}");
    }
    let by_delimiters = rows(
        unmold(&[
            "eval",
            "-q",
            "-f",
            "jsonl",
            "--between",
            "<h1 itemprop=\"headline\">",
            "</h1>",
        ])
        .arg(site("news-de").join("pages")),
    );
    assert!(
        by_delimiters[0]["recall"].as_f64().unwrap() > 0.9,
        "{}",
        by_delimiters[0]
    );
}

#[test]
fn nothing_to_learn_from_says_why() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.html"), "<p>one").unwrap();
    let alone = unmold(&["extract"]).arg(folder.path()).assert().code(4);
    assert!(String::from_utf8_lossy(&alone.get_output().stderr).contains("at least two"));
    fs::write(folder.path().join("2.html"), "<p>one").unwrap();
    let same = unmold(&["extract"]).arg(folder.path()).assert().code(4);
    assert!(String::from_utf8_lossy(&same.get_output().stderr).contains("nothing varies"));
}

#[test]
fn a_mold_that_cannot_be_used_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("bad.mold.json");
    fs::write(&mold, "{\"unmold\": 99}").unwrap();
    let refused = unmold(&["extract", "--mold"])
        .arg(&mold)
        .arg(site("news-de").join("pages"))
        .assert()
        .code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(
        message.contains("bad.mold.json") && message.contains("version 99"),
        "{message}"
    );
}

/// An option that nothing would use is a mistake, and said to be one.
#[test]
fn options_of_other_methods_are_refused() {
    let refused: [&[&str]; 8] = [
        &["learn", "--method", "lr", "--fold-space"],
        &["learn", "--ties", "split"],
        &["learn", "--method", "documents", "--search", "global"],
        &["extract", "--fold-space"],
        &["extract", "--method", "lr", "--fold-space"],
        &["clean", "--ties", "split"],
        &["clean", "--method", "documents", "--delimiters", "<>"],
        &["clean", "--method", "cut-point", "--shortest-word", "9"],
    ];
    for words in refused {
        let assert = unmold(words).arg(pages("news-de")).assert().code(2);
        assert!(
            stderr(&assert).contains("--"),
            "{words:?}: {}",
            stderr(&assert)
        );
    }
    unmold(&["clean", "--method", "cut-point", "--ties", "split", "-q"])
        .arg(pages("news-de"))
        .assert()
        .success();
}

#[test]
fn borders_are_numbers_above_zero() {
    for delta in ["nan", "-1", "0", "inf"] {
        unmold(&["debug", "amplify", &format!("--delta={delta}")])
            .arg(pages("news-de"))
            .assert()
            .code(2);
    }
}

/// The landscape has as many rows as were asked for, beyond those that the path needs.
#[test]
fn the_landscape_has_the_rows_that_were_asked_for() {
    let lines = |rows: &str| {
        let mut command = unmold(&["debug", "cut-point", "-q", "--rows", rows]);
        stdout(command.arg(pages("news-de"))).lines().count()
    };
    assert_eq!(lines("60"), lines("30") + 30);
}

/// A cut that leaves no content tells nothing apart.
#[test]
fn a_global_search_leaves_content() {
    for site in ["news-de", "shop-en", "forum-ru"] {
        let mut command = unmold(&["clean", "-q", "--method", "cut-point", "--search", "global"]);
        let given = rows(command.args(["-f", "jsonl"]).arg(pages(site)));
        assert!(
            given
                .iter()
                .any(|row| row["text"].as_str().is_some_and(|text| text.len() > 100)),
            "{site}"
        );
    }
}
