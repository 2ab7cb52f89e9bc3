//! Options that one always types: `--config` and the environment; and the log.

use crate::common::{pages, stderr, stdout, unmold};
use std::fs;

#[test]
fn a_file_gives_defaults_and_what_is_typed_counts() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("unmold.json");
    fs::write(&config, r#"{"quiet": true, "limit": 3, "extract": {"format": "csv"}, "clean": {"format": "markdown"}}"#)
        .unwrap();
    let run = |more: &[&str]| {
        stdout(
            unmold(&["extract", "--config"])
                .arg(&config)
                .args(more)
                .arg(pages("shop-en")),
        )
    };
    let csv = run(&[]);
    assert!(csv.starts_with("page,"), "{csv}");
    assert_eq!(run(&["-f", "jsonl"]).lines().count(), 3);
    assert_eq!(run(&["-f", "jsonl", "--limit", "2"]).lines().count(), 2);
    let by_variable = stdout(
        unmold(&["extract"])
            .env("UNMOLD_CONFIG", &config)
            .arg(pages("shop-en")),
    );
    assert_eq!(by_variable, csv);
}

/// The words of the command line, in a file that is found by itself.
#[test]
fn the_nearest_file_above_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    fs::write(
        folder.path().join("unmold.toml"),
        "quiet = true\n[extract]\nformat = \"csv\"\nlimit = 3\n",
    )
    .unwrap();
    let run = |more: &[&str]| {
        let mut command = unmold(&["extract"]);
        stdout(command.args(more).arg(pages("shop-en")).current_dir(&below))
    };
    assert!(run(&[]).starts_with("page,"));
    assert_eq!(run(&["-f", "jsonl"]).lines().count(), 3);
    fs::write(
        folder.path().join("a/unmold.toml"),
        "[extract]\nformat = \"jsonl\"\nlimit = 2\n",
    )
    .unwrap();
    assert_eq!(run(&[]).lines().count(), 2);
    // An empty variable turns it off.
    let without = stdout(
        unmold(&["extract", "-q", "-f", "jsonl"])
            .arg(pages("shop-en"))
            .current_dir(&below)
            .env("UNMOLD_CONFIG", ""),
    );
    assert_eq!(without.lines().count(), 21);
}

#[test]
fn config_prints_what_is_in_force_and_who_sets_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("unmold.toml");
    let run = |words: &[&str]| {
        let mut command = unmold(&["config"]);
        stdout(
            command
                .args(words)
                .current_dir(folder.path())
                .env("UNMOLD_FORMAT", "table"),
        )
    };
    let empty = stdout(unmold(&["config"]).current_dir(folder.path()));
    assert!(empty.starts_with("No defaults are set"), "{empty}");
    fs::write(
        &file,
        "threads = 2\nlimit = 5\n[extract]\nformat = \"csv\"\n[clean]\nkeep = [\"comments\"]\n",
    )
    .unwrap();
    let rows: Vec<Vec<String>> = run(&["extract"])
        .lines()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    let path = fs::canonicalize(&file).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        rows,
        [
            vec!["command", "option", "value", "from"],
            vec!["(all)", "threads", "2", path],
            vec!["extract", "format", "table", "UNMOLD_FORMAT"],
            vec!["extract", "limit", "5", path],
        ]
    );
    let all = run(&["-f", "jsonl"]);
    assert!(
        all.contains(r#""command":"clean","from":""#) && all.contains(r#""value":"comments""#),
        "{all}"
    );
    let unknown = unmold(&["config", "extrakt"]).assert().code(2);
    assert!(stderr(&unknown).contains("no command named extrakt"));
}

/// A device or a file of gigabytes is not read to its end.
#[test]
fn what_cannot_be_a_file_of_defaults_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large.toml");
    fs::File::create(&large).unwrap().set_len(1 << 30).unwrap();
    for (file, reason) in [
        (large.to_str().unwrap(), "larger than"),
        ("/dev/zero", "not a regular file"),
    ] {
        let assert = unmold(&["clean", "--config", file])
            .arg(pages("news-de"))
            .assert()
            .code(2);
        assert!(stderr(&assert).contains(reason), "{}", stderr(&assert));
    }
}

#[test]
fn variables_count_more_than_the_file_and_less_than_what_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("unmold.json");
    fs::write(&config, r#"{"quiet": true, "limit": 5}"#).unwrap();
    let run = |more: &[&str]| {
        let mut command = unmold(&["extract", "-f", "jsonl", "--config"]);
        stdout(
            command
                .arg(&config)
                .args(more)
                .env("UNMOLD_LIMIT", "4")
                .arg(pages("shop-en")),
        )
        .lines()
        .count()
    };
    assert_eq!(run(&[]), 4);
    assert_eq!(run(&["--limit", "3"]), 3);
}

#[test]
fn a_file_that_makes_no_sense_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("unmold.json");
    for (file, reason) in [
        ("{\"colour\": 1}", "\"colour\" is no option of any command"),
        (
            "{\"clean\": {\"mold\": 1, \"rule\": 2}}",
            "\"rule\" is no option of clean",
        ),
        ("{\"quiet\": \"very\"}", "\"quiet\" is true or false"),
        ("[1]", "\"1\" is no option of any command"),
        ("quiet = maybe", "TOML parse error"),
        ("{", "EOF"),
    ] {
        fs::write(&config, file).unwrap();
        let assert = unmold(&["clean", "--config"])
            .arg(&config)
            .arg(pages("news-de"))
            .assert()
            .code(2);
        assert!(
            stderr(&assert).contains("unmold.json") && stderr(&assert).contains(reason),
            "{}",
            stderr(&assert)
        );
    }
    unmold(&["clean", "--config", "no-such-file"])
        .arg(pages("news-de"))
        .assert()
        .code(2);
}

#[test]
fn a_log_is_added_to_and_is_a_regular_file_outside_of_the_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    for _ in 0..2 {
        unmold(&["group", "-q", "--log"])
            .arg(&log)
            .arg(pages("news-de"))
            .assert()
            .success();
    }
    assert_eq!(
        fs::read_to_string(&log)
            .unwrap()
            .matches("\"event\":\"exit\"")
            .count(),
        2
    );
    unmold(&["group", "--log", "/dev/null"])
        .arg(pages("news-de"))
        .assert()
        .code(2);
    let inside = folder.path().join("site/log.jsonl");
    fs::create_dir(folder.path().join("site")).unwrap();
    fs::write(folder.path().join("site/1.html"), "<p>page").unwrap();
    unmold(&["group", "--log"])
        .arg(&inside)
        .arg(folder.path().join("site"))
        .assert()
        .code(2);
    assert!(!inside.exists());
}

/// A log adds to files in place: through a hard link it would add to a page, and a page that is
/// named by mistake would be spoilt.
#[test]
fn a_log_is_added_to_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let (page, link) = (
        folder.path().join("site/1.html"),
        folder.path().join("link"),
    );
    fs::create_dir(folder.path().join("site")).unwrap();
    fs::write(&page, "<p>page").unwrap();
    fs::hard_link(&page, &link).unwrap();
    let assert = unmold(&["group", "--log"])
        .arg(&link)
        .arg(pages("news-de"))
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("no log"), "{}", stderr(&assert));
    assert_eq!(fs::read(&page).unwrap(), b"<p>page");
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    unmold(&["group", "-q", "--log"])
        .arg(&empty)
        .arg(pages("news-de"))
        .assert()
        .success();
}
