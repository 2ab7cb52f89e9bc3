//! Rows of values as tables and JSON: what a user of `extract` and `records` gets.

use crate::common::{pages, rows, stderr, stdout, unmold};
use serde_json::{Value, json};
use std::{fs, path::Path};
use tempfile::TempDir;

/// Pages of a shop whose fields have names of the program's own columns, and values that look like
/// formulas.
fn shop() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (at, (name, change, made)) in [
        ("Kettle", "-1.5", "2024-02-29"),
        ("Skillet", "2.25", "2023-12-31"),
        ("Bread knife", "-0.5", "2024-01-01"),
        ("Ladder", "10", "2022-05-06"),
    ]
    .into_iter()
    .enumerate()
    {
        let shelf = ["Front window", "Cellar", "Back room", "Counter"][at];
        let colours: String = (0..=at % 3)
            .map(|n| format!("<li>colour {n} of {name}</li>"))
            .collect();
        let page = format!(
            "<title>{name} - Shop</title><body><h1>{name}</h1><table><tr><th>change:</th><td>{change}</td></tr>\
             <tr><th>made:</th><td>{made}</td></tr><tr><th>url:</th><td>{shelf}</td></tr>\
             <tr><th>group:</th><td>things {at}</td></tr></table><ul class=colours>{colours}</ul>"
        );
        fs::write(folder.path().join(format!("{at}.html")), page).unwrap();
    }
    folder
}

fn extract(shop: &TempDir, args: &[&str]) -> String {
    stdout(unmold(&["extract", "-q"]).args(args).arg(shop.path()))
}

/// The cells of a CSV whose values have no line breaks.
fn cells(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

fn column<'c>(rows: &[Vec<&'c str>], name: &str) -> Vec<&'c str> {
    let at = rows[0]
        .iter()
        .position(|column| *column == name)
        .unwrap_or_else(|| panic!("{name} in {:?}", rows[0]));
    rows[1..].iter().map(|row| row[at]).collect()
}

#[test]
fn csv_has_values_as_they_are_and_each_name_once() {
    let shop = shop();
    let csv = extract(&shop, &["-f", "csv", "--list-separator", "|"]);
    let rows = cells(&csv);
    assert_eq!(rows[0][..3], ["page", "url", "group"]);
    assert_eq!(column(&rows, "change"), ["-1.5", "2.25", "-0.5", "10"]);
    assert_eq!(column(&rows, "url_2")[1], "Cellar");
    assert_eq!(column(&rows, "group_2")[3], "things 3");
    assert!(
        csv.contains("colour 0 of Skillet|colour 1 of Skillet"),
        "{csv}"
    );
    let mut names = rows[0].clone();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows[0].len());
    let safe = extract(
        &shop,
        &["-f", "csv", "--list-separator", "|", "--spreadsheet-safe"],
    );
    assert_eq!(
        column(&cells(&safe), "change"),
        ["'-1.5", "2.25", "'-0.5", "10"]
    );
}

#[test]
fn json_has_types_on_request() {
    let shop = shop();
    let fields = |args: &[&str]| {
        let mut command = unmold(&["extract", "-q"]);
        let rows = rows(command.args(args).arg(shop.path()));
        let change = rows
            .iter()
            .map(|row| row["fields"]["change"][0].clone())
            .collect::<Vec<Value>>();
        (
            change,
            rows[0]["fields"]["made"][0].clone(),
            rows[0]["fields"]["url_2"][0].clone(),
        )
    };
    let (change, made, address) = fields(&["--typed"]);
    assert_eq!(change, [json!(-1.5), json!(2.25), json!(-0.5), json!(10.0)]);
    assert_eq!(
        (made, address),
        (json!("2024-02-29"), json!("Front window"))
    );
    assert_eq!(fields(&[]).0[3], json!("10"));
}

#[test]
fn typed_rows_are_the_others_but_for_the_types() {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let read = |args: &[&str]| rows(unmold(&["extract", "-q"]).args(args).arg(pages("forum-ru")));
    for (plain, typed) in read(&[]).iter().zip(read(&["--typed"])) {
        let keys = |row: &Value| {
            row["fields"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(plain), keys(&typed));
        assert_eq!(
            (&plain["page"], &plain["group"]),
            (&typed["page"], &typed["group"])
        );
        let counts = |row: &Value| {
            let lists = row["records"].as_object().unwrap().iter();
            lists
                .map(|(name, list)| (name.clone(), list.as_array().unwrap().len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(counts(plain), counts(&typed));
        assert!(!counts(plain).is_empty());
        let first = |row: &Value| row["fields"]["title"][0].clone();
        assert_eq!(text(&first(plain)), text(&first(&typed)));
    }
}

#[test]
fn a_parquet_file_has_types_lists_and_each_name_once() {
    let shop = shop();
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("shop.parquet");
    unmold(&["extract", "-q", "-f", "parquet", "-o"])
        .arg(&file)
        .arg(shop.path())
        .assert()
        .success();
    let table = parquet::file::reader::SerializedFileReader::try_from(file.as_path()).unwrap();
    let schema = parquet::file::reader::FileReader::metadata(&table)
        .file_metadata()
        .schema()
        .clone();
    let kind = |name: &str| {
        let mut columns = schema
            .get_fields()
            .iter()
            .filter(|column| column.name() == name);
        let column = columns.next().unwrap_or_else(|| panic!("{name}"));
        assert!(columns.next().is_none(), "{name} twice");
        if column.is_primitive() {
            format!("{}", column.get_physical_type())
        } else {
            "LIST".to_owned()
        }
    };
    assert_eq!(
        ["page", "url", "group", "change", "made"].map(kind),
        ["BYTE_ARRAY", "BYTE_ARRAY", "INT64", "DOUBLE", "INT32"]
    );
    assert!(
        schema
            .get_fields()
            .iter()
            .any(|column| !column.is_primitive()),
        "colours are a list"
    );
}

#[test]
fn templates_are_tables_of_their_own_on_request() {
    let out = tempfile::tempdir().unwrap();
    let tables = out.path().join("tables");
    let run = |format: &str, more: &[&str]| {
        let mut command = unmold(&["extract", "-q", "-f", format, "--split-groups"]);
        command.arg(&tables).arg(pages("shop-en")).args(more);
        command
    };
    run("csv", &[]).assert().success();
    let read = |name: &str| {
        fs::read_to_string(tables.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let products = read("0-Harbour-Pine.csv");
    assert!(products.starts_with("page,url,name,"), "{products}");
    assert!(
        !products.contains("0019.html"),
        "a page of another template"
    );
    assert!(read("0-Harbour-Pine.Specification.csv").starts_with("page,url,record,"));
    assert!(read("none.csv").contains("0021.html"));
    let assert = run("csv", &[]).assert().code(2);
    assert!(stderr(&assert).contains("not empty"), "{}", stderr(&assert));
    run("parquet", &["--overwrite"]).assert().success();
    assert!(
        tables
            .join("0-Harbour-Pine.Specification.parquet")
            .is_file()
    );
    run("table", &["--overwrite"]).assert().code(2);
}

/// Two pages of a shop, each with offers and reviews of its own and a menu that both have.
fn lamp_shop() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let page = |from: usize| {
        let entry = |at: usize| {
            format!("<div class=entry><h3>Part {at}</h3><p>What there is in part {at}</p></div>")
        };
        let offer = |at: usize| format!("<li class=offer><b>Lamp {at}</b> <i>{at} €</i>");
        let review = |at: usize| {
            format!("<div class=review><p>Lamp {at} is bright</p><u>{at}{at}</u></div>")
        };
        let all = |one: &dyn Fn(usize) -> String| (from..from + 3).map(one).collect::<String>();
        let menu: String = (1..9).map(entry).collect();
        let offers = format!(
            "<section><h2>On offer</h2><ul>{}</ul></section>",
            all(&offer)
        );
        format!(
            "<div>{menu}</div>{offers}<section><h2>Page {from}</h2><div id=all-reviews>{}</div></section>",
            all(&review)
        )
    };
    fs::write(folder.path().join("1.html"), page(10)).unwrap();
    fs::write(folder.path().join("2.html"), page(20)).unwrap();
    folder
}

#[test]
fn lists_are_tables_of_their_own_on_request() {
    let site = lamp_shop();
    let out = tempfile::tempdir().unwrap();
    let tables = out.path().join("tables");
    let run = |format: &str| {
        let mut command = unmold(&["records", "-q", "-f", format, "--split-lists"]);
        command.arg(&tables).arg(site.path());
        command
    };
    run("csv").assert().success();
    let read = |name: &str| {
        fs::read_to_string(tables.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert_eq!(
        read("On-offer.csv").lines().count(),
        7,
        "three offers of each page: {}",
        read("On-offer.csv")
    );
    assert!(
        read("On-offer.csv").starts_with("page,url,record,b,i\n1.html,,1,Lamp 10,10 €"),
        "{}",
        read("On-offer.csv")
    );
    assert!(
        read("all-reviews.csv").contains("Lamp 22 is bright"),
        "a heading that differs is no name"
    );
    run("jsonl").assert().code(2);
    run("csv").assert().code(2);
}

#[test]
fn what_pages_list_alike_comes_after_what_each_lists() {
    let site = lamp_shop();
    let first = |more: &[&str]| {
        let rows = rows(
            unmold(&["records", "-q", "-f", "jsonl"])
                .args(more)
                .arg(site.path()),
        );
        rows[0]["patterns"][0]["occurrences"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(first(&["--alone"]), "Part 1 What there is in part 1");
    assert_eq!(first(&[]), "Lamp 10 is bright 1010");
}

#[test]
fn a_table_for_people_says_what_it_leaves_out() {
    let table = stdout(unmold(&["extract", "-q", "-f", "table"]).arg(pages("shop-en")));
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 22, "a header, 20 rows, and what is left out");
    assert!(
        lines[0].starts_with("page       group  name"),
        "{}",
        lines[0]
    );
    assert!(
        lines[21].starts_with("... and 1 row more, ") && lines[21].contains("columns more"),
        "{}",
        lines[21]
    );
}

#[test]
fn options_that_say_nothing_about_the_format_are_refused() {
    for args in [
        &["--typed", "-f", "csv"][..],
        &["--list-separator", ";"],
        &["--spreadsheet-safe", "-f", "parquet"],
    ] {
        let assert = unmold(&["extract"])
            .args(args)
            .arg(pages("shop-en"))
            .assert()
            .code(2);
        assert!(stderr(&assert).contains("goes with"), "{}", stderr(&assert));
    }
}

#[test]
fn records_and_fields_are_written_alike() {
    let page = r#"{"url": "https://a.example/", "html": "<ul><li><b>one</b><i>1.5</i></li><li><b>two</b><i>2</i><i>3</i></li><li><b>x</b><i>7</i></li></ul>"}"#;
    let run = |args: &[&str]| stdout(unmold(&["records", "-q", "-"]).args(args).write_stdin(page));
    let csv = run(&["-f", "csv", "--list-separator", "; "]);
    assert_eq!(
        csv.lines()
            .next()
            .unwrap()
            .split(',')
            .take(3)
            .collect::<Vec<_>>(),
        ["page", "url", "record"]
    );
    assert!(csv.contains("-#1,https://a.example/,1,one,1.5"), "{csv}");
    let typed: Value = serde_json::from_str(&run(&["-f", "jsonl", "--typed"])).unwrap();
    let first = &typed["patterns"][0]["occurrences"][0]["fields"];
    assert_eq!(
        (&first[0]["value"], &first[1]["value"]),
        (&json!("one"), &json!(1.5))
    );
}

fn learn(mold: &Path, site: &str) {
    unmold(&["learn", "-q", "-o"])
        .arg(mold)
        .arg(pages(site))
        .assert()
        .success();
}

#[test]
fn a_mold_of_another_site_says_so() {
    let out = tempfile::tempdir().unwrap();
    let (mold, table) = (
        out.path().join("shop.mold.json"),
        out.path().join("news.csv"),
    );
    learn(&mold, "shop-en");
    let mut command = unmold(&["extract", "-f", "csv", "--mold"]);
    let assert = command
        .arg(&mold)
        .arg(pages("news-de"))
        .arg("-o")
        .arg(&table)
        .assert()
        .code(4);
    assert!(
        stderr(&assert).contains("no page fits a group of the mold"),
        "{}",
        stderr(&assert)
    );
    let mut command = unmold(&["extract", "-q", "--mold"]);
    command
        .arg(&mold)
        .arg(pages("news-de"))
        .arg(pages("shop-en").join("0001.html"));
    let assert = command.assert().success();
    assert!(
        stderr(&assert).contains("most pages fit no group of the mold"),
        "{}",
        stderr(&assert)
    );
}

#[test]
fn doubts_are_counted_and_a_column_on_request() {
    let (shop, later) = (shop(), tempfile::tempdir().unwrap());
    let (mold, strange) = (
        later.path().join("shop.mold.json"),
        later.path().join("strange.html"),
    );
    let page = fs::read_to_string(shop.path().join("0.html"))
        .unwrap()
        .replace("-1.5", "ask the owner");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(shop.path())
        .assert()
        .success();
    fs::write(&strange, page).unwrap();
    let mut extract = unmold(&[
        "extract",
        "-f",
        "csv",
        "--doubts",
        "--list-separator",
        "|",
        "--mold",
    ]);
    let assert = extract.arg(&mold).arg(&strange).assert().success();
    let csv = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let header = csv.lines().next().unwrap();
    assert!(header.ends_with(",doubts"), "{header}");
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .rsplit(',')
            .next()
            .unwrap()
            .contains("change"),
        "{csv}"
    );
    assert!(stderr(&assert).contains(" in doubt"), "{}", stderr(&assert));
    let assert = unmold(&["extract", "--doubts"])
        .arg(shop.path())
        .assert()
        .code(2);
    assert!(
        stderr(&assert).contains("JSONL has doubts anyway"),
        "{}",
        stderr(&assert)
    );
}

/// Two pages of a list and the pages of its items, of which one is missing; one page is linked by none.
fn linked_shop() -> String {
    let page = |url: String, html: String| json!({ "url": url, "html": html }).to_string();
    let menu = "<nav><a href=/>Home</a> <a href=/about>About</a></nav>";
    let mut lines = Vec::new();
    for number in 0..2 {
        let items: String = (1 + 6 * number..=6 + 6 * number)
            .map(|at| {
                format!("<li class=i><a href=/lamp/{at}#top>Lamp {at}</a> <i>{at}0 €</i> <a href=/maker/{}>its maker</a>", at % 2)
            })
            .collect();
        let html = format!(
            "{menu}<h1>All lamps</h1><ul class=l>{items}</ul><p class=pages><a href='/list?p=0'>1</a> <a href='/list?p=1'>2</a>"
        );
        lines.push(page(format!("http://shop.example/list?p={number}"), html));
    }
    for at in (1..=12).filter(|at| *at != 5) {
        let colour = ["red", "blue", "black", "green"][at % 4];
        let html = format!(
            "{menu}<h1>Lamp {at}</h1><p class=w>Weight: <b>{} g</b><p class=c>Colour: <b>{colour}</b>",
            37 * at
        );
        // A site that is asked by https calls its pages so.
        lines.push(page(format!("https://shop.example/lamp/{at}"), html));
    }
    lines.push(page(
        "http://shop.example/about".to_owned(),
        "<h1>About us</h1><p>We sell lamps and nothing else".to_owned(),
    ));
    lines.join("\n")
}

#[test]
fn records_are_joined_with_the_pages_they_link_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.jsonl");
    fs::write(&file, linked_shop()).unwrap();
    let output = unmold(&["extract", "--join", "-f", "jsonl"])
        .arg(&file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let rows: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 12, "{said}");
    for (at, row) in (1..).zip(&rows) {
        assert_eq!(row["list.i"], format!("{at}0 €"), "{row}");
        let weight = (at != 5).then(|| format!("{} g", 37 * at));
        assert_eq!(row["Weight"], json!(weight), "{row}");
    }
    assert!(said.contains("11 of 12 records joined"), "{said}");
    assert!(
        said.contains("1 linked page not in the input: http://shop.example/lamp/5#top"),
        "{said}"
    );
    assert!(
        said.contains("1 page not linked by any list: shop.jsonl#14"),
        "{said}"
    );

    // The same without URLs: names of files stand for them.
    let site = folder.path().join("site");
    fs::create_dir_all(site.join("lamp")).unwrap();
    for line in linked_shop().lines() {
        let page: Value = serde_json::from_str(line).unwrap();
        let name = page["url"].as_str().unwrap().replace("/list?p=", "/list-");
        let name = name.split("shop.example/").nth(1).unwrap();
        let html = page["html"].as_str().unwrap();
        let html = html
            .replace("href=/lamp/", "href=lamp/")
            .replace("#top", ".html");
        fs::write(site.join(format!("{name}.html")), html).unwrap();
    }
    let csv = stdout(unmold(&["extract", "-q", "--join", "-f", "csv"]).arg(&site));
    let rows = cells(&csv);
    let weights: Vec<&str> = column(&rows, "Weight");
    assert_eq!(weights.len(), 12);
    assert_eq!((weights[0], weights[4], weights[11]), ("37 g", "", "444 g"));
}
