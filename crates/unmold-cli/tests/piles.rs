//! Piles that are larger than what is held: a sample is learned from, and every page is worked on.

use crate::common::{pages, rows, stderr, stdout, unmold};
use std::{fs, path::Path, process::Command};

/// Less than the pages of the shop have.
const HOLD: [&str; 2] = ["--hold", "80K"];

fn shop_as_lines() -> String {
    let mut files: Vec<_> = fs::read_dir(pages("shop-en"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let line = |path: &std::path::PathBuf| {
        let url = format!(
            "https://a.example/{}",
            path.file_name().unwrap().to_str().unwrap()
        );
        serde_json::json!({"url": url, "html": fs::read_to_string(path).unwrap()}).to_string()
            + "\n"
    };
    files.iter().map(line).collect()
}

#[test]
fn a_sample_is_learned_from_and_that_is_said() {
    let assert = unmold(&["learn"])
        .args(HOLD)
        .arg(pages("shop-en"))
        .assert()
        .success();
    assert!(
        stderr(&assert).contains("of 21 pages are a sample to learn from, at most"),
        "{}",
        stderr(&assert)
    );
    let mold: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let learned_from = mold["learned"]["pages"].as_u64().unwrap();
    assert!((4..21).contains(&learned_from), "{learned_from}");
    assert!(mold["learned"]["bytes"].as_u64().unwrap() <= 80_000);
}

#[test]
fn every_page_has_its_row_whatever_the_number_of_threads() {
    for command in ["extract", "clean", "group"] {
        let run = |threads: &str| {
            stdout(
                unmold(&[command, "-q", "-f", "jsonl", "--threads", threads])
                    .args(HOLD)
                    .arg(pages("shop-en")),
            )
        };
        let one = run("1");
        assert_eq!(one, run("4"), "{command}");
        let ids: Vec<String> = one
            .lines()
            .map(|line| line.split('"').nth(3).unwrap().to_owned())
            .collect();
        assert_eq!(
            ids,
            (1..=21)
                .map(|number| format!("{number:04}.html"))
                .collect::<Vec<_>>(),
            "{command}"
        );
    }
}

#[test]
fn a_pile_that_fits_gives_what_it_gave() {
    for command in ["extract", "clean", "group", "learn"] {
        let run = |hold: &[&str]| stdout(unmold(&[command, "-q"]).args(hold).arg(pages("shop-en")));
        assert_eq!(run(&[]), run(&["--hold", "10M"]), "{command}");
    }
}

#[test]
fn standard_input_is_read_twice() {
    let run = |hold: &[&str]| {
        let mut command = unmold(&["extract", "-q", "-"]);
        rows(command.args(hold).write_stdin(shop_as_lines()))
    };
    let (sampled, whole) = (run(&HOLD), run(&[]));
    let ids = |rows: &[serde_json::Value]| {
        rows.iter()
            .map(|row| row["page"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&sampled), ids(&whole));
    assert_eq!(sampled.len(), 21);
}

#[test]
fn bad_inputs_are_said_once() {
    let assert = unmold(&["extract", "-q", "no-such-file.html"])
        .args(HOLD)
        .arg(pages("shop-en"))
        .assert()
        .code(3);
    assert_eq!(
        stderr(&assert).matches("bad input").count(),
        1,
        "{}",
        stderr(&assert)
    );
}

#[test]
fn known_groups_count_all_pages_and_not_the_sample() {
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("groups.json");
    unmold(&["group", "-q", "--save"])
        .arg(&known)
        .args(HOLD)
        .arg(pages("shop-en"))
        .assert()
        .success();
    let known: serde_json::Value = serde_json::from_slice(&fs::read(&known).unwrap()).unwrap();
    let counted: u64 = known["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group["pages"].as_u64().unwrap())
        .sum();
    assert!((18..=21).contains(&counted), "{counted}");
}

#[test]
fn methods_that_need_all_pages_refuse_more_than_is_allowed() {
    for args in [
        &["clean", "--method", "cut-point"][..],
        &["debug", "repeats"],
        &["group", "--method", "amplify"],
    ] {
        let assert = unmold(args)
            .args(HOLD)
            .arg(pages("shop-en"))
            .assert()
            .code(6);
        assert!(
            stderr(&assert).contains("--hold allows"),
            "{}",
            stderr(&assert)
        );
    }
    unmold(&["clean", "--hold", "much"])
        .arg(pages("shop-en"))
        .assert()
        .code(2);
}

/// Runs a command with so many kilobytes of address space.
fn within(kilobytes: usize, args: &[&str], pile: &Path) -> std::process::Output {
    Command::new("bash")
        .arg("-c")
        .arg(format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""))
        .arg(assert_cmd::cargo::cargo_bin("unmold"))
        .args(args)
        .arg(pile)
        .output()
        .unwrap()
}

/// Pages of forty megabytes, which take several times that in memory if all are held.
#[cfg(target_os = "linux")]
#[test]
fn a_pile_larger_than_memory_is_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let pile = folder.path().join("pile.jsonl");
    let words =
        "river stone lantern harbour meadow copper autumn whisper granite orchard velvet thunder "
            .repeat(100);
    let page = |n: usize| {
        let text: String = (0..10)
            .map(|part| {
                format!(
                    "<p>{n} {part} {}</p>",
                    &words[n % 97 * 7..n % 97 * 7 + 7_900]
                )
            })
            .collect();
        let html = format!(
            "<title>Item {n} - Shop</title><h1 class=name>Item {n}</h1><b class=price>{n}.50</b><div class=about>{text}</div>"
        );
        serde_json::json!({"html": html}).to_string() + "\n"
    };
    fs::write(&pile, (0..500).map(page).collect::<String>()).unwrap();
    for command in ["learn", "extract"] {
        let output = within(
            400_000,
            &[command, "-q", "--threads", "2", "--hold", "4M"],
            &pile,
        );
        assert!(
            output.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let lines = output.stdout.split(|&byte| byte == b'\n').count() - 1;
        assert!(command == "learn" || lines == 500, "{lines}");
    }
}
