//! What the manual promises in so many words, and what inputs that its authors did not think of make of it.

use crate::common::{pages, rows, stderr, stdout, unmold};
use std::fs;

/// docs/inputs.md: `--errors FILE` has each bad input.
#[test]
fn errors_are_written_when_there_is_no_page_and_when_the_first_is_fatal() {
    let folder = tempfile::tempdir().unwrap();
    for (strict, code) in [(false, 4), (true, 3)] {
        let errors = folder.path().join(format!("{strict}.jsonl"));
        let mut command = unmold(&["extract", "nothere", "--errors"]);
        command.arg(&errors);
        if strict {
            command.arg("--strict");
        }
        command.assert().code(code);
        let written = fs::read_to_string(&errors).unwrap();
        assert!(written.contains("\"kind\":\"not-found\""), "{written}");
    }
}

/// docs/looking-inside.md: nothing that exists is replaced unless asked.
#[test]
fn manual_pages_that_exist_are_replaced_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = folder.path().join("unmold.1");
    fs::write(&theirs, "theirs").unwrap();
    let man = |more: &[&str]| {
        let mut command = unmold(&["man", "-o"]);
        command.arg(folder.path()).args(more).assert()
    };
    man(&[]).failure();
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    man(&["--overwrite"]).success();
    assert!(fs::read_to_string(&theirs).unwrap().contains("unmold"));
}

/// docs/exit-codes.md: outputs appear whole or not at all.
#[test]
fn two_outputs_of_one_name_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("n.csv");
    let same = folder.path().join(".").join("n.csv");
    let mut command = unmold(&["extract", "-q", "-o"]);
    let assert = command.arg(&out).arg("--errors").arg(&same);
    let assert = assert.arg(pages("shop-en")).assert().code(2);
    assert!(stderr(&assert).contains("named for two outputs"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// docs/formats.md: the extension of an output says its format.
#[test]
fn extensions_that_promise_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (command, name) in [
        (&["extract"][..], "out.xlsx"),
        (&["extract"], "out.csv.gz"),
        (&["extract", "-f", "csv"], "out.csv.gz"),
        (&["extract", "-f", "csv"], "out.jsonl"),
        (&["records"], "out.txt"),
        (&["clean"], "out.jsonl.gz"),
        (&["clean", "-f", "html"], "pg.md"),
    ] {
        let out = folder.path().join(name);
        let mut typed = unmold(command);
        typed.arg("-q").arg(pages("shop-en")).arg("-o").arg(&out);
        let assert = typed.assert().code(2);
        assert!(stderr(&assert).contains(name), "{}", stderr(&assert));
        assert!(!out.exists(), "{command:?} {name}");
    }
    let mut command = unmold(&["clean", "-q", "-o"]);
    let texts = folder.path().join("texts.v2");
    command.arg(&texts).arg(pages("shop-en")).assert().success();
    assert!(texts.is_dir(), "a folder may be called as it likes");
}

/// docs/formats.md: a mold is JSON to read and edit; some editors write a byte order mark.
#[test]
fn a_mold_with_a_byte_order_mark_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("site.mold.json");
    let mut learn = unmold(&["learn", "-q", "-o"]);
    learn.arg(&mold).arg(pages("shop-en")).assert().success();
    let extract = || {
        let mut command = unmold(&["extract", "-q", "--mold"]);
        stdout(command.arg(&mold).arg(pages("shop-en")))
    };
    let before = extract();
    let json = fs::read_to_string(&mold).unwrap();
    fs::write(&mold, format!("\u{FEFF}{json}")).unwrap();
    assert_eq!(extract(), before);
}

/// SECURITY.md: molds, rules and examples are refused by size and kind before they are read.
#[test]
#[cfg(target_os = "linux")]
fn what_never_ends_is_no_mold() {
    let folder = tempfile::tempdir().unwrap();
    for (option, command) in [
        ("--mold", "extract"),
        ("--rule", "records"),
        ("--example", "learn"),
    ] {
        let mut typed = unmold(&[command, "-q", option, "/dev/zero"]);
        typed.arg(pages("shop-en"));
        if command == "learn" {
            typed.arg("-o").arg(folder.path().join("site.mold.json"));
        }
        let assert = typed.assert().code(2);
        assert!(stderr(&assert).contains("a device"), "{}", stderr(&assert));
    }
    let large = folder.path().join("large.json");
    fs::File::create(&large).unwrap().set_len(1 << 30).unwrap();
    let mut typed = unmold(&["extract", "-q", "--mold"]);
    let assert = typed.arg(&large).arg(pages("shop-en")).assert().code(2);
    assert!(
        stderr(&assert).contains("larger than"),
        "{}",
        stderr(&assert)
    );
}

/// docs/inputs.md: one match of several `--include` is enough.
#[test]
fn include_may_be_given_several_times() {
    let mut command = unmold(&["records", "-q", "-f", "jsonl"]);
    command.args(["--include", "0019", "--include", "0020"]);
    let found = rows(command.arg(pages("shop-en")));
    let names: Vec<&str> = found
        .iter()
        .filter_map(|row| row["page"].as_str())
        .collect();
    assert_eq!(names, ["0019.html", "0020.html"]);
}

/// README.md: every command has --help, with examples.
#[test]
fn help_of_every_command_has_examples() {
    let help = stdout(&mut unmold(&["--help"]));
    let commands = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next().filter(|name| !name.is_empty()));
    let mut seen = 0;
    for command in commands.filter(|name| *name != "help") {
        let help = stdout(&mut unmold(&[command, "--help"]));
        assert!(help.contains("Example"), "{command}");
        seen += 1;
    }
    assert!(seen > 10, "{seen} commands");
}

/// docs/inputs.md: a page with too many elements for its size is a bad input, in every command.
#[test]
fn a_page_that_is_too_complex_costs_that_page() {
    let folder = tempfile::tempdir().unwrap();
    let dense = folder.path().join("dense.html");
    fs::write(&dense, "<p>a".repeat(300_000)).unwrap();
    for command in ["learn", "extract", "clean", "records", "group"] {
        let mut typed = unmold(&[command, "-q"]);
        typed.arg(&dense).arg(pages("shop-en"));
        if command == "learn" || command == "clean" {
            typed.arg("-o").arg(folder.path().join(command));
        }
        let assert = typed.assert().code(3);
        let said = stderr(&assert);
        assert!(
            said.contains("page too complex: 600,000 elements"),
            "{command}: {said}"
        );
    }
}
