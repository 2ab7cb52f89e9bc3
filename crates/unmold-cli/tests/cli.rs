//! The command line as its users meet it.

use assert_cmd::Command;
use std::{fs, path::PathBuf};

fn unmold(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("unmold").unwrap();
    command.args(args);
    command
}

fn site(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites").join(name).join("pages");
    path.to_str().unwrap().to_owned()
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        &[][..],
        &["group"],
        &["debug", "amplify"],
        &["debug", "symbols"],
        &["debug", "index"],
        &["debug", "repeats"],
        &["completions"],
        &["man"],
    ] {
        let help = stdout(unmold(command).arg("--help"));
        assert!(help.contains("Example"), "{command:?}: {help}");
    }
}

#[test]
fn repeats_of_a_shipped_site() {
    let table = stdout(unmold(&["debug", "repeats", "--mutable", "--top", "12", "-q"]).arg(site("library-ar")));
    insta::assert_snapshot!(table);
}

#[test]
fn the_suffix_array_of_the_textbooks() {
    let mut command = unmold(&["debug", "index", "-e", "bytes", "-f", "jsonl", "-"]);
    let rows = stdout(command.write_stdin("KINGKONG"));
    let positions: Vec<u64> = rows
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()["position"].as_u64().unwrap())
        .collect();
    assert_eq!(positions, [7, 3, 1, 0, 4, 6, 2, 5]);
}

#[test]
fn symbols_with_patterns_of_ones_own() {
    let mut command =
        unmold(&["debug", "symbols", "-q", "--mutable", "--pattern", "part=[A-Z]{2}-[0-9]+", "-f", "jsonl", "-"]);
    let rows = stdout(command.write_stdin("<p>AB-12 of 2007-02-27</p>"));
    let names: Vec<String> = rows
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()["symbol"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["<p>", "{part}", "of", "{date}", "</p>"]);
}

#[test]
fn threads_do_not_change_the_output() {
    let with = |threads| {
        stdout(unmold(&["debug", "repeats", "-f", "jsonl", "--top", "500", "--threads", threads]).arg(site("forum-ru")))
    };
    assert_eq!(with("1"), with("5"));
}

#[test]
fn a_bad_input_is_reported_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let errors = folder.path().join("errors.jsonl");
    let mut command = unmold(&["debug", "repeats", "no-such-file.html", "--errors"]);
    let assert = command.arg(&errors).arg(site("news-de")).assert().code(3);
    assert!(stderr(&assert).contains("no-such-file.html"), "{}", stderr(&assert));
    assert!(stderr(&assert).contains("read 16 pages"), "{}", stderr(&assert));
    assert!(!assert.get_output().stdout.is_empty());
    assert_eq!(fs::read_to_string(&errors).unwrap().lines().count(), 1);
}

#[test]
fn with_strict_a_bad_input_ends_it() {
    let assert = unmold(&["debug", "repeats", "--strict", "no-such-file.html"]).arg(site("news-de")).assert().code(3);
    assert!(assert.get_output().stdout.is_empty());
    assert!(stderr(&assert).contains("no-such-file.html"));
}

#[test]
fn nothing_to_read_has_its_own_exit_code() {
    let empty = tempfile::tempdir().unwrap();
    let assert = unmold(&["debug", "index"]).arg(empty.path()).assert().code(4);
    assert!(stderr(&assert).contains("no page"), "{}", stderr(&assert));
}

#[test]
fn wrong_words_are_usage_errors() {
    unmold(&["debug", "index", "--no-such-option", "x"]).assert().code(2);
    let assert = unmold(&["debug", "symbols", "--pattern", "nameless", "-"]).write_stdin("x").assert().code(2);
    assert!(stderr(&assert).contains("NAME=REGEX"));
    let assert = unmold(&["debug", "symbols", "--token", "(", "-"]).write_stdin("x").assert().code(2);
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
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn an_output_that_cannot_be_written_has_its_own_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no-such-folder").join("out.jsonl");
    unmold(&["debug", "repeats", "-f", "jsonl", "-o"]).arg(missing).arg(site("shop-en")).assert().code(5);
}

#[test]
fn quiet_is_quiet() {
    let assert = unmold(&["debug", "index", "-q"]).arg(site("shop-en")).assert().success();
    assert_eq!(stderr(&assert), "");
}

#[test]
fn what_pages_say_cannot_command_the_terminal() {
    let mut command = unmold(&["debug", "symbols", "-q", "-"]);
    let table = stdout(command.write_stdin("<title>\u{1b}]0;owned\u{7}\u{202e}</title>"));
    assert!(!table.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{table:?}");
}

#[test]
fn completions_and_manual_pages_are_made() {
    assert!(stdout(&mut unmold(&["completions", "bash"])).contains("_unmold"));
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    unmold(&["man", "-o"]).arg(&man).assert().success();
    let names: Vec<String> =
        fs::read_dir(&man).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in ["unmold.1", "unmold-debug-repeats.1"] {
        assert!(names.iter().any(|made| made == name), "{name} in {names:?}");
    }
}

fn rows(jsonl: &str) -> Vec<serde_json::Value> {
    jsonl.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

#[test]
fn a_pile_is_sorted_by_template() {
    let mut command = unmold(&["group", "-q", "-f", "jsonl"]);
    let pile = rows(&stdout(command.arg(site("shop-en"))));
    assert_eq!(pile.len(), 21);
    assert!(pile[..18].iter().all(|row| row["group"] == 0), "{pile:?}");
    assert!(pile[18..20].iter().all(|row| row["group"] == 1), "{pile:?}");
    assert!(pile[20]["group"].is_null());
    assert!(pile[20]["why"].as_str().unwrap().starts_with("like no other page"));
}

#[test]
fn groups_of_a_shipped_site_to_read() {
    let table = stdout(unmold(&["group", "-q"]).arg(site("search-zh")));
    for part in ["0      12 pages", "1       6 pages", "like 0", "all say"] {
        assert!(table.contains(part), "{part} in {table}");
    }
}

#[test]
fn inputs_in_another_order_give_the_same_bytes() {
    let with = |first: &str, second: &str, threads: &str| {
        stdout(unmold(&["group", "-q", "-f", "jsonl", "--threads", threads]).arg(site(first)).arg(site(second)))
    };
    assert_eq!(with("forum-ru", "library-ar", "1"), with("library-ar", "forum-ru", "3"));
}

#[test]
fn later_pages_are_added_to_groups_on_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("groups.json");
    unmold(&["group", "-q", "--save"]).arg(&file).arg(site("news-de")).arg(site("forum-ru")).assert().success();
    let mut command = unmold(&["group", "-q", "-f", "jsonl", "--add"]);
    let added = rows(&stdout(command.arg(&file).arg(site("news-de")).args(["--limit", "3"])));
    assert!(added.iter().all(|row| row["group"] == 0), "{added:?}");
    let table = stdout(unmold(&["group", "-q", "--add"]).arg(&file).arg(site("library-ar")));
    assert!(table.contains("2      18 pages"), "{table}");
    fs::write(&file, "{}").unwrap();
    let assert = unmold(&["group", "--add"]).arg(&file).arg(site("news-de")).assert().code(2);
    assert!(stderr(&assert).contains("groups.json"), "{}", stderr(&assert));
}

#[test]
fn the_peaks_of_a_site_are_explained_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("peaks.svg");
    let mut command = unmold(&["debug", "amplify", "-q", "-e", "chars", "--delta", "5", "--svg"]);
    let table = stdout(command.arg(&svg).arg(site("news-ja")));
    for part in ["once on every page", "2 × 16", "█"] {
        assert!(table.contains(part), "{part} in {table}");
    }
    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("f=16"), "{svg}");
    let mut command = unmold(&["debug", "amplify", "-q", "-f", "jsonl"]);
    let masses = rows(&stdout(command.arg(site("news-ja"))));
    assert!(masses.iter().any(|row| row["frequency"] == 16 && row["peak"] == true));
    unmold(&["debug", "amplify", "--risk", "2"]).arg(site("news-ja")).assert().code(2);
}
