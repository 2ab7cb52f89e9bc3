//! Every example that is shown runs: those of `--help`, of the manual pages, of the README and of
//! docs/. Where a page shows what is printed, that is what is printed.

use crate::common::{stdout, unmold};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page of the site that examples speak of.
fn page(name: &str, price: &str, weight: &str) -> String {
    let list: String = (1..8)
        .map(|n| format!("<li class=offer><b>{name} {n}</b> <i>{n}.50</i></li>\n"))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>{name} - Shop</title></head><body><div class=top><a href=/>Home</a></div>\n\
         <h1 class=title>{name}</h1>\n<table><tr><th>Weight:</th><td>{weight}</td></tr></table>\n<p><b class=price>{price}</b></p>\n\
         <!-- body --><div class=about><p>All that can be said about a {name}, said at length, at leisure and in earnest.</p>\n\
         <p>It weighs {weight}, which is what one would expect of it, and costs {price}.</p></div><!-- end -->\n\
         <ul>{list}</ul><div class=foot>All rights reserved by the shop</div></body></html>\n"
    )
}

const GOODS: [(&str, &str, &str); 6] = [
    ("Kettle", "£48.50", "1.2 kg"),
    ("Skillet", "£62.00", "2.6 kg"),
    ("Knife", "£19.90", "180 g"),
    ("Teapot", "£31.25", "640 g"),
    ("Ladle", "£7.40", "95 g"),
    ("Colander", "£22.10", "410 g"),
];

/// All that examples read.
struct Workshop {
    folder: TempDir,
    fields: String,
    strings: String,
}

impl Workshop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let pages: Vec<String> = GOODS
            .iter()
            .map(|(name, price, weight)| page(name, price, weight))
            .collect();
        for site in [
            "site", "old", "new", "crawl", "monday", "tuesday", "forum", "pages", "a", "list",
            "today",
        ] {
            fs::create_dir(here.join(site)).unwrap();
            pages.iter().enumerate().for_each(|(at, page)| {
                fs::write(here.join(site).join(format!("{at}.html")), page).unwrap();
            });
        }
        for name in ["page", "list", "a", "b", "1"] {
            fs::write(
                here.join(format!("{name}.html")),
                &pages[usize::from(name == "b")],
            )
            .unwrap();
        }
        let line = |page: &String| {
            serde_json::json!({"url": "https://a.example/", "html": page}).to_string() + "\n"
        };
        fs::write(
            here.join("pages.jsonl.zst"),
            pages.iter().map(line).collect::<String>(),
        )
        .unwrap();
        for archive in [
            "crawl.warc.gz",
            "offers.warc.gz",
            "site.warc.gz",
            "today.warc.gz",
        ] {
            fs::write(
                here.join(archive),
                pages.iter().map(|page| record(page)).collect::<String>(),
            )
            .unwrap();
        }
        fs::write(here.join("own.txt"), "part = [A-Z]{2}-\\d{4}\n").unwrap();
        fs::write(
            here.join("examples.json"),
            r#"{"page":"0.html","fields":{"price":"£48.50"}}"#,
        )
        .unwrap();
        fs::create_dir_all(here.join(".zfunc")).unwrap();
        std::os::unix::fs::symlink(
            project().join("testdata").canonicalize().unwrap(),
            here.join("testdata"),
        )
        .unwrap();
        let site = here.join("site");
        let learned =
            |method: &str| stdout(unmold(&["learn", "-q", "--method", method]).arg(&site));
        let (fields, strings) = (learned("fields"), learned("documents"));
        for other in ["a", "b", "old", "new"] {
            fs::write(here.join(format!("{other}.mold.json")), &strings).unwrap();
        }
        unmold(&["group", "-q", "--save"])
            .arg(here.join("groups.json"))
            .arg(&site)
            .assert()
            .success();
        unmold(&["records", "-q", "--learn-from"])
            .arg(here.join("1.html"))
            .arg("--save-rule")
            .arg(here.join("r.json"))
            .arg(here.join("1.html"))
            .assert()
            .success();
        Workshop {
            folder,
            fields,
            strings,
        }
    }

    /// Runs an example; what it writes is not there before. What asks the network or waits for a
    /// browser is not run here, but asked for help with all its options, which must be known: the
    /// tests of the crawler and of the viewer do the rest.
    fn run(&self, example: &str) {
        let asks_others = ["unmold crawl", "unmold view"]
            .iter()
            .any(|word| example.contains(word));
        let example = &if asks_others {
            helped(example)
        } else {
            example.to_owned()
        };
        let needs_strings = ["--to regex", "--across", "documents"]
            .iter()
            .any(|word| example.contains(word));
        let mold = if needs_strings {
            &self.strings
        } else {
            &self.fields
        };
        fs::write(self.folder.path().join("site.mold.json"), mold).unwrap();
        let words: Vec<&str> = example.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| {
            !asks_others
                && [
                    "-o",
                    "--save",
                    "--save-rule",
                    "--svg",
                    "--html",
                    "--split-groups",
                    "--repair",
                ]
                .contains(&pair[0])
        }) {
            let path = self.folder.path().join(pair[1]);
            _ = fs::remove_file(&path);
            _ = fs::remove_dir_all(&path);
        }
        let example = example
            .replace("curl -s https://a.example/", "cat page.html")
            .replace("less -R", "cat");
        let binary = assert_cmd::cargo::cargo_bin("unmold");
        let path = format!(
            "{}:{}",
            binary.parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let output = Command::new("bash")
            .args(["-o", "pipefail", "-c", &example])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .output()
            .unwrap();
        // Whoever reads the first line only ends the rest, and three commands say by 1 that something
        // is different.
        let says_1 = ["unmold check", "unmold diff", "unmold changes"]
            .iter()
            .any(|word| example.contains(word));
        let is_fine = match output.status.code() {
            Some(1) => says_1,
            Some(141) => example.contains("| head"),
            code => code == Some(0),
        };
        assert!(
            is_fine,
            "{example}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// The same command, asked for help: options it does not know are still refused.
fn helped(example: &str) -> String {
    let start = example.find("unmold ").unwrap_or_default();
    let command = example[start..].split(" < ").next().unwrap_or_default();
    format!("{command} --help")
}

/// A page as a record of an archive.
fn record(page: &str) -> String {
    let response =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
    let mut hash = DefaultHasher::new();
    page.hash(&mut hash);
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:example:{}>\r\nWARC-Date: 2026-11-19T10:00:00Z\r\n\
         WARC-Target-URI: https://a.example/{}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{response}\r\n\r\n",
        hash.finish(),
        page.len(),
        response.len()
    )
}

/// The examples of a command's help: a line each, or several of which all but the last end in a
/// backslash; notes are comments.
fn of_help(help: &str) -> Vec<String> {
    let lines: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Example"))
        .collect();
    let joined = lines.join("\n").replace("\\\n", "");
    let examples = joined
        .lines()
        .filter(|line| line.starts_with("  ") && line.contains("unmold "));
    examples
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.starts_with('#'))
        .collect()
}

/// Commands that are shown and not run here: how they begin, and why not.
const NOT_RUN: [(&str, &str); 12] = [
    (
        "cargo install --locked --path crates/unmold-cli",
        "takes minutes; release/build makes the same",
    ),
    ("cargo run ", "takes minutes; eval/links knows the programs"),
    ("cargo test ", "is a test itself"),
    (
        "bench/",
        "takes minutes; eval/links knows scripts and options",
    ),
    (
        "eval/",
        "takes minutes; eval/links knows scripts and options",
    ),
    ("./test", "runs this test"),
    (".ci/run", "runs this test"),
    (
        "pip install ",
        "takes minutes; the tests of the Python package install it",
    ),
    (
        "maturin build ",
        "takes minutes; the tests of the Python package do it",
    ),
    (
        "python -m unmold.spark ",
        "needs Spark; run by the tests of the Python package",
    ),
    ("spark-submit ", "needs a cluster"),
    ("#", "is said, not typed"),
];

/// The examples of a page of the manual, in blocks for a shell. What is neither run nor known not
/// to be is refused.
fn of_document(document: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    let mut is_console = false;
    let (mut is_shell, mut goes_on) = (false, false);
    for line in document.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
            is_shell = line == "```sh" || is_console;
            continue;
        }
        let command = line.strip_prefix("$ ").unwrap_or(line);
        let is_typed = line.starts_with("$ ")
            || command.starts_with("unmold ")
            || command.contains("| unmold ");
        if is_shell && goes_on {
            let last = examples.last_mut().unwrap();
            *last = format!("{} {}", last.trim_end_matches('\\'), line.trim());
        } else if is_shell && is_typed {
            examples.push(command.split(" # ").next().unwrap().trim().to_owned());
        } else if is_shell && !is_console && !line.trim().is_empty() {
            let is_known = NOT_RUN
                .iter()
                .any(|(begin, _)| line.trim_start().starts_with(begin));
            assert!(
                is_known,
                "no test runs {line:?}, and NOT_RUN has no reason why not"
            );
        }
        goes_on = is_shell && line.ends_with('\\');
    }
    examples
}

/// What a page shows of a terminal: each command with the lines below it.
struct Shown {
    command: String,
    lines: Vec<String>,
}

fn shown(document: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let (mut is_console, mut goes_on) = (false, false);
    for line in document.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if is_console && goes_on {
            let last = found.last_mut().unwrap();
            last.command = format!("{} {}", last.command.trim_end_matches('\\'), line.trim());
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            found.push(Shown {
                command: command.to_owned(),
                lines: Vec::new(),
            });
        } else if let Some(last) = found.last_mut().filter(|_| is_console) {
            last.lines.push(line.to_owned());
        }
        goes_on = is_console && line.ends_with('\\');
    }
    found
}

/// Is this what is shown? Times are not compared; `...` alone stands for any lines, at the end of a
/// line for its rest.
fn is_shown(shown: &[String], printed: &[String]) -> bool {
    let Some((first, rest)) = shown.split_first() else {
        return printed.is_empty();
    };
    if first.trim() == "..." {
        return (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]));
    }
    let Some(line) = printed.first() else {
        return false;
    };
    let is_same = match first.strip_suffix("...") {
        Some(begin) => line.starts_with(begin),
        None => line.trim_end() == first.trim_end(),
    };
    is_same && is_shown(rest, &printed[1..])
}

/// The same with every time as `0.0 s`.
fn without_times(line: &str) -> String {
    let words = line.split_inclusive(' ').collect::<Vec<_>>();
    let is_unit = |word: Option<&&str>| {
        word.is_some_and(|word| word.trim_end_matches([' ', ';', ',']) == "s")
    };
    let is_time = |at: usize| words[at].trim().parse::<f64>().is_ok() && is_unit(words.get(at + 1));
    (0..words.len())
        .map(|at| if is_time(at) { "0.0 " } else { words[at] })
        .collect()
}

/// Every command that has a manual page; `debug` alone only names those below it.
fn every_command() -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    unmold(&["man", "-o"]).arg(folder.path()).assert().success();
    let names = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut commands: Vec<Vec<String>> = names
        .map(|name| {
            let command = name
                .trim_end_matches(".1")
                .trim_start_matches("unmold")
                .trim_start_matches('-')
                .to_owned();
            match command.split_once('-') {
                Some((of @ ("debug" | "warc"), below)) => vec![of.to_owned(), below.to_owned()],
                _ => vec![command],
            }
        })
        .map(|command| {
            command
                .into_iter()
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
        })
        .filter(|command| *command != ["debug"])
        .collect();
    commands.sort();
    commands
}

/// All pages of the project that people read.
fn documents() -> Vec<PathBuf> {
    let mut folders = vec![project().join("docs"), project().join("eval")];
    let mut found = [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "testdata/README.md",
    ]
    .map(|name| project().join(name))
    .to_vec();
    while let Some(folder) = folders.pop() {
        let paths = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let (inner, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
        folders.extend(inner);
        found.extend(
            files
                .into_iter()
                .filter(|path| path.extension().is_some_and(|end| end == "md")),
        );
    }
    found.sort();
    found
}

#[test]
fn the_examples_of_every_help_text_run() {
    let workshop = Workshop::new();
    let mut count = 0;
    for command in every_command() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let examples = of_help(&stdout(unmold(&command).arg("--help")));
        assert!(!examples.is_empty(), "{command:?}");
        count += examples.len();
        examples.iter().for_each(|example| workshop.run(example));
    }
    assert!(count > 60, "{count}");
}

/// As wide as a terminal has always been, less what a manual page indents.
const WIDEST: usize = 75;

#[test]
fn examples_keep_their_lines_on_a_terminal_of_80_columns() {
    for command in every_command() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = |columns: &str| stdout(unmold(&command).arg("--help").env("COLUMNS", columns));
        let examples = |help: String| help[help.find("\nExample").unwrap()..].to_owned();
        let wide = examples(help("200"));
        assert!(
            wide.lines().all(|line| line.chars().count() <= WIDEST),
            "{wide}"
        );
        assert_eq!(examples(help("80")), wide);
    }
}

#[test]
fn the_examples_of_the_readme_and_of_the_manual_run() {
    let workshop = Workshop::new();
    let mut count = 0;
    for document in documents() {
        let examples = of_document(&fs::read_to_string(&document).unwrap());
        count += examples.len();
        examples.iter().for_each(|example| workshop.run(example));
    }
    assert!(count > 60, "{count}");
}

#[test]
fn what_pages_show_of_a_terminal_is_what_is_printed() {
    let binary = assert_cmd::cargo::cargo_bin("unmold");
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut different = Vec::new();
    for document in documents() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(
            project().join("testdata").canonicalize().unwrap(),
            folder.path().join("testdata"),
        )
        .unwrap();
        for Shown { command, lines } in shown(&fs::read_to_string(&document).unwrap()) {
            let together = format!("exec 2>&1; {command}");
            let mut run = Command::new("bash");
            run.args(["-c", &together])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("NO_COLOR", "1");
            let printed = String::from_utf8(run.output().unwrap().stdout).unwrap();
            let printed: Vec<String> = printed.lines().map(without_times).collect();
            let lines: Vec<String> = lines.iter().map(|line| without_times(line)).collect();
            if !is_shown(&lines, &printed) {
                let begin: Vec<String> = printed.into_iter().take(30).collect();
                different.push(format!(
                    "{}: {command}\n{}\n",
                    document.display(),
                    begin.join("\n")
                ));
            }
        }
    }
    assert!(
        different.is_empty(),
        "pages show something else than what is printed:\n{}",
        different.join("\n")
    );
}

#[test]
fn manual_pages_keep_the_lines_of_examples() {
    let folder = tempfile::tempdir().unwrap();
    unmold(&["man", "-o"]).arg(folder.path()).assert().success();
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let examples = of_help(&stdout(&mut unmold(&["clean", "--help"])));
    let clean = page("unmold-clean.1");
    let shown = clean
        .split(".nf\n")
        .nth(1)
        .and_then(|rest| rest.split(".fi\n").next())
        .unwrap();
    for example in examples {
        let line = format!("\\&{}", example.replace('-', "\\-"));
        assert!(
            shown.lines().any(|shown| shown.starts_with(&line)),
            "{line} in {shown}"
        );
    }
    assert!(Path::new(&folder.path().join("unmold-debug-index.1")).is_file());
}
