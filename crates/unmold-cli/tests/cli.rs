//! The command line as its users meet it.

use crate::common::{pages, stderr, stdout, unmold};
use std::fs;

fn site(name: &str) -> String {
    pages(name).to_str().unwrap().to_owned()
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        &[][..],
        &["records"],
        &["debug", "symbols"],
        &["debug", "index"],
        &["debug", "repeats"],
        &["debug", "cut-point"],
        &["debug", "amplify"],
        &["group"],
        &["learn"],
        &["extract"],
        &["clean"],
        &["export"],
        &["check"],
        &["changes"],
        &["diff"],
        &["eval"],
        &["view"],
        &["mcp"],
        &["completions"],
        &["man"],
    ] {
        let help = stdout(unmold(command).arg("--help"));
        assert!(help.contains("Example"), "{command:?}: {help}");
    }
}

#[test]
fn tools_are_served_on_standard_input_and_output() {
    let asked = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
    ];
    let answers = stdout(
        unmold(&["mcp", &site("shop-en")])
            .write_stdin(asked.map(|line| line.to_owned() + "\n").concat()),
    );
    let answers: Vec<serde_json::Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "unmold");
    let tools = answers[1]["result"]["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["name"] == "extract"));
    // No question is no error, and an input that is not there is one.
    unmold(&["mcp", &site("shop-en")]).assert().success();
    let message = stderr(&unmold(&["mcp", "nowhere"]).assert().code(4));
    assert!(message.contains("nowhere cannot be read"), "{message}");
}

#[test]
fn repeats_of_a_shipped_site() {
    let table = stdout(
        unmold(&["debug", "repeats", "--mutable", "--top", "12", "-q"]).arg(site("library-ar")),
    );
    insta::assert_snapshot!(table);
}

#[test]
fn the_suffix_array_of_the_textbooks() {
    let mut command = unmold(&["debug", "index", "-e", "bytes", "-f", "jsonl", "-"]);
    let rows = stdout(command.write_stdin("KINGKONG"));
    let positions: Vec<u64> = rows
        .lines()
        .map(|row| {
            serde_json::from_str::<serde_json::Value>(row).unwrap()["position"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(positions, [7, 3, 1, 0, 4, 6, 2, 5]);
}

#[test]
fn symbols_with_patterns_of_ones_own() {
    let mut command = unmold(&[
        "debug",
        "symbols",
        "-q",
        "--mutable",
        "--pattern",
        "part=[A-Z]{2}-[0-9]+",
        "-f",
        "jsonl",
        "-",
    ]);
    let rows = stdout(command.write_stdin("<p>AB-12 of 2007-02-27</p>"));
    let names: Vec<String> = rows
        .lines()
        .map(|row| {
            serde_json::from_str::<serde_json::Value>(row).unwrap()["symbol"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(names, ["<p>", "{part}", "of", "{date}", "</p>"]);
}

#[test]
fn threads_do_not_change_the_output() {
    let with = |threads| {
        stdout(
            unmold(&[
                "debug",
                "repeats",
                "-f",
                "jsonl",
                "--top",
                "500",
                "--threads",
                threads,
            ])
            .arg(site("forum-ru")),
        )
    };
    assert_eq!(with("1"), with("5"));
}

#[test]
fn a_bad_input_is_reported_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let errors = folder.path().join("errors.jsonl");
    let mut command = unmold(&["debug", "repeats", "no-such-file.html", "--errors"]);
    let assert = command.arg(&errors).arg(site("news-de")).assert().code(3);
    assert!(
        stderr(&assert).contains("no-such-file.html"),
        "{}",
        stderr(&assert)
    );
    assert!(
        stderr(&assert).contains("read 16 pages"),
        "{}",
        stderr(&assert)
    );
    assert!(!assert.get_output().stdout.is_empty());
    assert_eq!(fs::read_to_string(&errors).unwrap().lines().count(), 1);
}

#[test]
fn with_strict_a_bad_input_ends_it() {
    let assert = unmold(&["debug", "repeats", "--strict", "no-such-file.html"])
        .arg(site("news-de"))
        .assert()
        .code(3);
    assert!(assert.get_output().stdout.is_empty());
    assert!(stderr(&assert).contains("no-such-file.html"));
}

#[test]
fn nothing_to_read_has_its_own_exit_code() {
    let empty = tempfile::tempdir().unwrap();
    let assert = unmold(&["debug", "index"])
        .arg(empty.path())
        .assert()
        .code(4);
    assert!(stderr(&assert).contains("no page"), "{}", stderr(&assert));
}

#[test]
fn wrong_words_are_usage_errors() {
    unmold(&["debug", "index", "--no-such-option", "x"])
        .assert()
        .code(2);
    let assert = unmold(&["debug", "symbols", "--pattern", "nameless", "-"])
        .write_stdin("x")
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("NAME=REGEX"));
    let assert = unmold(&["debug", "symbols", "--token", "(", "-"])
        .write_stdin("x")
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("--token"));
}

#[test]
fn an_output_file_is_whole_and_never_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("repeats.jsonl");
    let run = |more: &[&str]| {
        let mut command = unmold(&["debug", "repeats", "-f", "jsonl", "-o"]);
        command.arg(&file).arg(site("shop-en")).args(more);
        command
    };
    run(&[]).assert().success();
    let first = fs::read_to_string(&file).unwrap();
    assert_eq!(first.lines().count(), 30);
    let assert = run(&[]).assert().code(2);
    assert!(stderr(&assert).contains("exists"));
    run(&["--overwrite"]).assert().success();
    assert_eq!(fs::read_to_string(&file).unwrap(), first);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no temporary file is left"
    );
}

#[test]
fn an_output_that_cannot_be_written_has_its_own_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no-such-folder").join("out.jsonl");
    unmold(&["debug", "repeats", "-f", "jsonl", "-o"])
        .arg(missing)
        .arg(site("shop-en"))
        .assert()
        .code(5);
}

#[test]
fn quiet_is_quiet() {
    let assert = unmold(&["debug", "index", "-q"])
        .arg(site("shop-en"))
        .assert()
        .success();
    assert_eq!(stderr(&assert), "");
}

#[test]
fn what_pages_say_cannot_command_the_terminal() {
    let mut command = unmold(&["debug", "symbols", "-q", "-"]);
    let table = stdout(command.write_stdin("<title>\u{1b}]0;owned\u{7}\u{202e}</title>"));
    assert!(
        !table.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{table:?}"
    );
}

#[test]
fn completions_and_manual_pages_are_made() {
    assert!(stdout(&mut unmold(&["completions", "bash"])).contains("_unmold"));
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    unmold(&["man", "-o"]).arg(&man).assert().success();
    let names: Vec<String> = fs::read_dir(&man)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in ["unmold.1", "unmold-debug-repeats.1"] {
        assert!(names.iter().any(|made| made == name), "{name} in {names:?}");
    }
}

fn site_page(site_name: &str, page: &str) -> String {
    format!("{}/{page}", site(site_name))
}

#[test]
fn records_of_a_shipped_page_as_a_table() {
    let mut command = unmold(&["records", "-q", "--top", "5"]);
    insta::assert_snapshot!(stdout(command.arg(site_page("shop-en", "0019.html"))));
}

#[test]
fn records_as_json_have_patterns_records_and_fields() {
    let mut command = unmold(&["records", "-q", "-f", "jsonl"]);
    let row: serde_json::Value =
        serde_json::from_str(&stdout(command.arg(site_page("search-zh", "0013.html")))).unwrap();
    let best = &row["patterns"][0];
    assert_eq!(best["occurrences"].as_array().unwrap().len(), 12);
    for key in ["pattern", "regularity", "density", "coverage"] {
        assert!(!best[key].is_null(), "{key}");
    }
    let record = &best["occurrences"][0];
    assert!(record["text"].as_str().unwrap().contains("40米"));
    assert!(record["start"].as_u64() < record["end"].as_u64());
    let link = record["fields"]
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["attribute"] == "href")
        .unwrap();
    assert_eq!(link["value"], "/yp/57610133/");
}

#[test]
fn records_as_csv_have_a_row_each_and_no_formulas_on_request() {
    let page =
        "<ul><li><b>=1+1</b><i>a, b</i></li><li><b>@x</b><i>c</i></li><li><b>plain</b></li></ul>";
    let rows = |more: &[&str]| {
        let mut command = unmold(&["records", "-q", "-f", "csv", "-"]);
        let rows = stdout(command.args(more).write_stdin(page));
        rows.lines()
            .map(|row| row.split_once(',').unwrap().1.to_owned())
            .collect::<Vec<String>>()
    };
    assert_eq!(
        rows(&[]),
        ["url,record,b,i", ",1,=1+1,\"a, b\"", ",2,@x,c", ",3,plain,"]
    );
    let safe = [",1,'=1+1,\"a, b\"", ",2,'@x,c", ",3,plain,"];
    assert_eq!(rows(&["--spreadsheet-safe"])[1..], safe);
}

#[test]
fn a_rule_is_learned_saved_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rule.json");
    let (first, second) = (
        site_page("forum-ru", "0001.html"),
        site_page("forum-ru", "0002.html"),
    );
    let mut learning = unmold(&[
        "records",
        "-q",
        "-f",
        "jsonl",
        "--learn-from",
        &first,
        "--save-rule",
    ]);
    let learned = stdout(learning.arg(&file).arg(&second));
    let mut using = unmold(&["records", "-q", "-f", "jsonl", "--rule"]);
    assert_eq!(stdout(using.arg(&file).arg(&second)), learned);
    let row: serde_json::Value = serde_json::from_str(&learned).unwrap();
    assert_eq!(
        row["patterns"][0]["occurrences"].as_array().unwrap().len(),
        8
    );
}

#[test]
fn a_rule_that_is_none_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rule.json");
    for (rule, reason) in [
        ("", "EOF"),
        ("{\"unmold\": 7}", "version 7"),
        (
            "{\"unmold\": 1, \"records\": {\"method\": \"iepad\", \"level\": \"all\"}}",
            "pattern",
        ),
    ] {
        fs::write(&file, rule).unwrap();
        let assert = unmold(&["records", "--rule"])
            .arg(&file)
            .arg("-")
            .write_stdin("<p>")
            .assert()
            .code(2);
        assert!(stderr(&assert).contains(reason), "{}", stderr(&assert));
    }
}

#[test]
fn a_file_of_another_kind_is_called_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (mold, groups) = (file("mold.json"), file("groups.json"));
    let (pages, page) = (site("shop-en"), site_page("forum-ru", "0001.html"));
    unmold(&["learn", "-q", &pages, "-o", &mold])
        .assert()
        .success();
    unmold(&["group", "-q", &pages, "--save", &groups])
        .assert()
        .success();
    let cases: [(&[&str], &str); 4] = [
        (
            &["records", "--mold", &groups, &page],
            "groups.json is a file of known groups, not a mold",
        ),
        (
            &["check", "--mold", &groups, &pages],
            "groups.json is a file of known groups, not a mold",
        ),
        (
            &["group", "--add", &mold, &pages],
            "mold.json is a mold, not a file of known groups",
        ),
        (&["clean", "--mold", &page, &pages], "0001.html: not a mold"),
    ];
    for (words, said) in cases {
        let refused = stderr(&unmold(words).assert().code(2));
        assert!(refused.contains(said), "{words:?}: {refused}");
    }
}

#[test]
fn a_list_that_no_page_has_is_not_passed_over_in_silence() {
    let page = site_page("forum-ru", "0001.html");
    let said = stderr(
        &unmold(&["records", "--list", "99", "-f", "jsonl", &page])
            .assert()
            .success(),
    );
    assert!(said.contains("no page has a list 99"), "{said}");
    let said = stderr(
        &unmold(&["records", "--list", "99", "--learn-from", &page, &page])
            .assert()
            .code(4),
    );
    assert!(said.contains("there is no list 99 on"), "{said}");
    let mut by_rule = unmold(&["records", "--list", "1", "--learn-from", &page, "-"]);
    let said = stderr(&by_rule.write_stdin("<p>No list.").assert().success());
    assert!(
        said.contains("found 0 records"),
        "a rule was not asked for a list: {said}"
    );
}

#[test]
fn what_an_example_lacks_is_said() {
    let pages = site("shop-en");
    let cases = [
        ("price=", "--example price= has no value"),
        ("price", "--example price is neither NAME=VALUE nor a file"),
        (
            "page=0001.html",
            "--example page=NAME says where values are: give a value, too",
        ),
        ("price=£123,456.78", "£123,456.78"),
    ];
    for (example, said) in cases {
        let assert = unmold(&["extract", &pages, "--example", example])
            .assert()
            .failure();
        assert!(
            stderr(&assert).contains(said),
            "{example}: {}",
            stderr(&assert)
        );
    }
}

#[test]
fn one_of_a_thing_is_not_spoken_of_as_several() {
    let page = site_page("forum-ru", "0001.html");
    let said = stderr(&unmold(&["records", "--alone", &page]).assert().success());
    assert!(
        said.contains("read 1 page,") && said.contains(" on 1 page\n"),
        "{said}"
    );
}

#[test]
fn iepad_alone_reads_the_papers_page() {
    let mut command = unmold(&[
        "records",
        "-q",
        "--method",
        "iepad",
        "--level",
        "all",
        "--min-count",
        "2",
        "-",
    ]);
    let table =
        stdout(command.write_stdin("<B>Congo</B><I>242</I><BR>\n<B>Egypt</B><I>20</I><BR>"));
    assert!(
        table.contains("2 records, 2 fields, <b>Text(_)</b><i>Text(_)</i><br>"),
        "{table}"
    );
    assert!(table.contains("Egypt   20"), "{table}");
}
