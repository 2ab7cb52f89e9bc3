//! What the manual promises in so many words, and what inputs that its authors did not think of make of it.

use crate::common::{pages, rows, stderr, stdout, unmold};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

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

/// docs/fields.md: the mold then has exactly these fields, under these names.
#[test]
fn an_example_called_like_a_learned_field_gives_that_field_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("m.json");
    let mut learn = unmold(&["learn", "-q", "--example", "Colours=Slate", "-o"]);
    learn.arg(&mold).arg(pages("shop-en")).assert().success();
    let mut extract = unmold(&["extract", "-q", "-f", "csv", "--all-fields", "--mold"]);
    let table = stdout(extract.arg(&mold).arg(pages("shop-en")));
    assert_eq!(table.lines().next(), Some("page,url,group,Colours"));
    assert!(table.contains("0001.html,,0,Slate"), "{table}");
}

/// docs/fields.md: rows that `extract` wrote will do as examples, as JSON and as CSV.
#[test]
fn a_row_of_extract_will_do_as_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["jsonl", "csv"] {
        let written = stdout(unmold(&["extract", "-q", "-f", format]).arg(pages("shop-en")));
        // A row of the table may have several lines: the second page is where the first row ends.
        let end = if format == "csv" {
            written.find("\n0002.html,").unwrap()
        } else {
            written.find('\n').unwrap()
        };
        let row = folder.path().join(format!("row.{format}"));
        fs::write(&row, &written[..=end]).unwrap();
        let mold = folder.path().join(format!("{format}.mold.json"));
        let mut learn = unmold(&["learn", "-q", "--example"]);
        learn.arg(&row).arg("-o").arg(&mold);
        learn.arg(pages("shop-en")).assert().success();
        let mut extract = unmold(&["extract", "-q", "--mold"]);
        let found = rows(extract.arg(&mold).arg(pages("shop-en")));
        let fields = &found[0]["fields"];
        assert_eq!(fields["price"][0], "£48.50", "{format}");
        // What every page declares alike varies on none.
        assert_eq!(fields["priceCurrency"][0], "GBP", "{format}");
        assert_eq!(fields["availability"][0], "InStock", "{format}");
    }
}

/// docs/fields.md: what no page has costs that example, and the others are learned; exit code 3.
#[test]
fn an_example_that_no_page_has_costs_no_other() {
    let mut command = unmold(&["extract", "-q", "-f", "csv"]);
    command.args(["--example", "cost=£48.50", "--example", "n=zzzzz"]);
    let assert = command.arg(pages("shop-en")).assert().code(3);
    let said = stderr(&assert);
    assert!(
        said.contains(r#""n" is not learned from "zzzzz""#),
        "{said}"
    );
    let table = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(table.starts_with("page,url,group,cost\n0001.html,,0,£48.50\n"));
    // Where none is left, nothing is written.
    let mut alone = unmold(&["extract", "-q", "-f", "csv", "--example", "n=zzzzz"]);
    let assert = alone.arg(pages("shop-en")).assert().code(2);
    assert!(assert.get_output().stdout.is_empty());
}

/// docs/fields.md: a mold that `learn` writes is read back first, whatever its fields are called.
#[test]
fn names_of_any_length_give_a_mold_that_is_read_or_none() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "a".repeat(50_000).as_str(),
        " ",
        "a\u{202e}b",
        "\u{0}",
        "page",
        "a/b",
    ] {
        let mold = folder.path().join("m.json");
        let mut learn = unmold(&["learn", "-q", "--overwrite", "--example"]);
        let name = name.replace('\u{0}', "\u{1}");
        learn.arg(format!("{name}=£48.50")).arg("-o").arg(&mold);
        let assert = learn.arg(pages("shop-en")).assert();
        if assert.get_output().status.success() {
            let mut extract = unmold(&["extract", "-q", "--mold"]);
            let assert = extract.arg(&mold).arg(pages("shop-en")).assert();
            assert.success();
            fs::remove_file(&mold).unwrap();
        }
        assert!(!mold.exists(), "{name:.20}");
    }
}

/// A copy of the shop whose product pages have another label and other classes.
fn changed_products(folder: &Path) -> PathBuf {
    let changed = folder.join("changed");
    fs::create_dir(&changed).unwrap();
    for file in fs::read_dir(pages("shop-en")).unwrap() {
        let file = file.unwrap();
        let page = fs::read_to_string(file.path())
            .unwrap()
            .replace(r#"<p class="price">"#, r#"<p class="cash">"#)
            .replace(r#"<div class="description">"#, r#"<div class="about">"#)
            .replace("<th>Weight:", "<th>Mass:");
        fs::write(changed.join(file.file_name()), page).unwrap();
    }
    changed
}

/// docs/check.md: groups that are healthy stay as they are, to the last byte; the old mold is
/// never written to.
#[test]
fn a_repair_leaves_healthy_groups_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (
        folder.path().join("old.json"),
        folder.path().join("new.json"),
    );
    let mut learn = unmold(&["learn", "-q", "-o"]);
    learn.arg(&old).arg(pages("shop-en")).assert().success();
    let before = fs::read_to_string(&old).unwrap();
    let changed = changed_products(folder.path());
    let mut check = unmold(&["check", "-q", "--repair", "--mold"]);
    let check = check.arg(&old).arg("-o").arg(&new).arg(&changed);
    check.assert().success();
    assert_eq!(fs::read_to_string(&old).unwrap(), before);
    let group = |json: &str, at: usize| -> serde_json::Value {
        let mold: serde_json::Value = serde_json::from_str(json).unwrap();
        let content = mold["groups"][at]["looks"][0]["content"].as_u64().unwrap();
        json!([mold["groups"][at], mold["contents"][content as usize]])
    };
    let after = fs::read_to_string(&new).unwrap();
    assert_ne!(group(&after, 0), group(&before, 0));
    assert_eq!(group(&after, 1), group(&before, 1));
    // Nor may the mold that is checked be named as the new one.
    let mut check = unmold(&["check", "-q", "--repair", "--overwrite", "--mold"]);
    let check = check.arg(&old).arg("-o").arg(&old).arg(&changed);
    check.assert().code(2);
    assert_eq!(fs::read_to_string(&old).unwrap(), before);
}

/// docs/check.md: of a day that is not healthy, only the templates that are healthy are added.
#[test]
fn a_template_that_drifted_is_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("m.json");
    let mut learn = unmold(&["learn", "-q", "-o"]);
    learn.arg(&mold).arg(pages("shop-en")).assert().success();
    let changed = changed_products(folder.path());
    let remembered = |site: &Path, code: i32| -> serde_json::Value {
        let mut check = unmold(&["check", "-q", "--remember", "--mold"]);
        check.arg(&mold).arg(site).assert().code(code);
        let checks = fs::read_to_string(folder.path().join("m.json.checks")).unwrap();
        serde_json::from_str(&checks).unwrap()
    };
    let first = remembered(&pages("shop-en"), 0);
    let second = remembered(&changed, 1);
    assert_eq!(second["days"], first["days"]);
    let products = "Harbour & Pine";
    assert_eq!(second["groups"][products], first["groups"][products]);
}

/// docs/formats.md: `title` is the headline, also where a page stands among few others.
#[test]
fn the_title_of_a_page_is_its_headline() {
    for names in [&["0001.html"][..], &["0001.html", "0002.html"]] {
        let mut command = unmold(&["clean", "-q", "-f", "jsonl"]);
        command.args(names.iter().map(|name| pages("shop-en").join(name)));
        assert_eq!(
            rows(&mut command)[0]["title"],
            "Gannet Stovetop Kettle 1.8 L"
        );
    }
    // A page alone, with the name of the site in its title, and the headline in the content or before it.
    let story =
        "All you can say about a kettle, said at length and at leisure, and more. ".repeat(3);
    let headline = "<h1>A kettle sings</h1>";
    for (before, inside) in [("", headline), (headline, "")] {
        let page = format!(
            "<title>A kettle sings - The Harbour</title>{before}<main>{inside}<p>{story}<p>The end.</main>"
        );
        let mut command = unmold(&["clean", "-q", "-f", "jsonl", "-"]);
        let found = rows(command.write_stdin(page));
        assert_eq!(found[0]["title"], "A kettle sings", "{before}");
    }
}

/// docs/formats.md: no name stands twice, whatever pages call their columns.
#[test]
fn columns_of_the_program_are_its_own_in_both_commands() {
    let folder = tempfile::tempdir().unwrap();
    let labels = ["Page", "URL:", "GROUP", "Record:", "record", "Weight"];
    for number in 1..4 {
        let cells: String = labels
            .iter()
            .map(|label| format!("<tr><th>{label}<td>{label} {number}"))
            .collect();
        let page =
            format!("<title>t {number}</title><h1>Thing {number}</h1><table>{cells}</table>");
        fs::write(folder.path().join(format!("{number}.html")), page).unwrap();
    }
    let head: String = labels.iter().map(|label| format!("<th>{label}")).collect();
    let row = "<tr><td>a<td>b<td>c<td>d<td>e<td>f";
    let list = folder.path().join("list");
    fs::create_dir(&list).unwrap();
    let table = format!("<table><tr>{head}{}</table>", row.repeat(4));
    fs::write(list.join("list.html"), table).unwrap();
    for (command, input) in [("extract", folder.path()), ("records", list.as_path())] {
        let table = stdout(unmold(&[command, "-q", "-f", "csv"]).arg(input));
        let names: Vec<String> = table
            .lines()
            .next()
            .unwrap()
            .split(',')
            .map(str::to_lowercase)
            .collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len(), "{command}: {names:?}");
    }
}

/// docs/exit-codes.md: HTML cannot hold control characters: `clean -f html` writes U+FFFD for each,
/// and pipes get what other formats have as it is.
#[test]
fn control_characters_are_kept_where_a_format_can_hold_them() {
    let page = "<h1>A\u{7} head</h1><p>Some text with a bell, and long enough to stay on its own.";
    let cleaned = |format: &str| {
        let mut command = unmold(&["clean", "-q", "-f", format, "-"]);
        stdout(command.write_stdin(page))
    };
    assert!(cleaned("html").contains("A\u{fffd} head"));
    assert!(cleaned("text").contains("A\u{7} head"));
    assert!(cleaned("jsonl").contains("A\\u0007 head"));
}

/// docs/exit-codes.md: a table of `unmold.toml` holds for its command, before what the file has for
/// all; variables win over the file, and what is typed over both.
#[test]
fn defaults_of_a_command_win_over_those_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str], variable: Option<(&str, &str)>| {
        let mut command = unmold(words);
        command.current_dir(folder.path()).envs(variable);
        stdout(command.arg(pages("shop-en")))
    };
    let write = |text: &str| fs::write(folder.path().join("unmold.toml"), text).unwrap();
    // "clean" comes before "limit" in the alphabet, and must come after it here.
    write(
        "limit = 5\nquiet = true\ninclude = [\"0019\"]\n[clean]\nlimit = 2\nformat = \"jsonl\"\ninclude = \"000\"\n",
    );
    assert_eq!(run(&["clean"], None).lines().count(), 2);
    assert_eq!(
        run(&["clean"], Some(("UNMOLD_LIMIT", "3"))).lines().count(),
        3
    );
    assert_eq!(run(&["clean", "--limit", "1"], None).lines().count(), 1);
    // Of an option that may be given several times, too.
    let typed = run(&["records", "-f", "jsonl", "--include", "0020"], None);
    assert_eq!(typed.lines().count(), 1, "{typed}");
    // A switch can be turned off again.
    let assert = unmold(&["records"])
        .current_dir(folder.path())
        .env("UNMOLD_QUIET", "0")
        .arg(pages("shop-en"))
        .assert()
        .success();
    assert!(
        stderr(&assert).starts_with("read 1 page"),
        "{}",
        stderr(&assert)
    );
}

/// docs/exit-codes.md: `unmold config` prints every default in force and where it is from.
#[test]
fn config_tells_the_tables_of_commands_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = "threads = 1\n[extract]\nquiet = true\nthreads = 2\n";
    fs::write(folder.path().join("unmold.toml"), file).unwrap();
    let printed = stdout(unmold(&["config"]).current_dir(folder.path()));
    let of = |option: &str| -> Vec<Vec<&str>> {
        let words = printed
            .lines()
            .map(|line| line.split_whitespace().take(3).collect());
        words.filter(|row: &Vec<&str>| row[1] == option).collect()
    };
    assert_eq!(of("quiet"), [["extract", "quiet", "true"]]);
    assert!(of("threads").contains(&vec!["extract", "threads", "2"]));
    assert!(of("threads").contains(&vec!["clean", "threads", "1"]));
}

/// docs/formats.md: extensions say the format in every command that writes rows or tables.
#[test]
fn tables_to_read_are_written_into_no_file_that_promises_more() {
    let folder = tempfile::tempdir().unwrap();
    let site = pages("shop-en");
    let mold = folder.path().join("m.json");
    let mut learn = unmold(&["learn", "-q", "-o"]);
    learn.arg(&mold).arg(&site).assert().success();
    let commands = [
        vec!["group"],
        vec!["debug", "repeats"],
        vec!["eval"],
        vec!["changes", "--mold", mold.to_str().unwrap()],
    ];
    for command in commands {
        let input = if command[0] == "eval" {
            site.parent().unwrap()
        } else {
            &site
        };
        for (name, is_written) in [
            ("o.xlsx", false),
            ("o.jsonl.gz", false),
            ("o.txt", true),
            ("o.json", true),
        ] {
            let out = folder.path().join(name);
            let mut typed = unmold(&command);
            let assert = typed.arg("-q").arg(input).arg("-o").arg(&out).assert();
            assert_eq!(
                assert.get_output().status.success(),
                is_written,
                "{command:?} {name}"
            );
            assert_eq!(out.exists(), is_written, "{command:?} {name}");
            if is_written {
                let text = fs::read_to_string(&out).unwrap();
                let is_json = text.lines().all(|line| line.starts_with('{'));
                assert_eq!(
                    is_json && name != "o.txt",
                    name == "o.json",
                    "{command:?} {text}"
                );
                fs::remove_file(&out).unwrap();
            }
        }
    }
}

/// docs/exit-codes.md: no output is written into an input folder, in `eval` either, and none is
/// called `-`.
#[test]
fn outputs_lie_apart_and_are_no_dash() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    fs::create_dir_all(set.join("pages")).unwrap();
    fs::write(set.join("pages/a.html"), "<p>a").unwrap();
    let mut eval = unmold(&["eval", "-q", "-o"]);
    let assert = eval.arg(set.join("scores.html")).arg(&set).assert().code(2);
    assert!(stderr(&assert).contains("lies in the input"));
    assert!(!set.join("scores.html").exists());
    for command in ["extract", "clean", "records", "learn", "group"] {
        let mut typed = unmold(&[command, "-q", "-o", "-"]);
        typed.current_dir(folder.path()).arg(pages("shop-en"));
        let assert = typed.assert().code(2);
        assert!(stderr(&assert).contains("leave out -o"), "{command}");
        assert!(!folder.path().join("-").exists(), "{command}");
    }
}

/// docs/exit-codes.md: a full standard output is exit code 5, also of help.
#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_printed_is_a_failure() {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let status = std::process::Command::new(assert_cmd::cargo::cargo_bin("unmold"))
        .arg("--help")
        .stdout(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(5));
}

/// docs/inputs.md: no two ids are the same, however inputs are typed.
#[test]
fn ids_differ_however_inputs_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("a").join("site");
    fs::create_dir_all(&site).unwrap();
    fs::write(site.join("1.html"), "<p>one page").unwrap();
    for inputs in [
        &["a/site/", "a/site"][..],
        &["a/site", "a/site/1.html", "a"],
        &["a/site/1.html", "a/../a/site/1.html", "./a/site/1.html"],
    ] {
        let mut command = unmold(&["records", "-q", "-f", "jsonl"]);
        let found = rows(command.current_dir(folder.path()).args(inputs));
        let mut ids: Vec<&str> = found
            .iter()
            .filter_map(|row| row["page"].as_str())
            .collect();
        assert_eq!(ids.len(), inputs.len());
        assert!(ids.iter().all(|id| !id.contains("//")), "{ids:?}");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), inputs.len(), "{ids:?}");
    }
}

/// README.md: every command that reads pages accepts files, folders, archives, JSONL and standard
/// input. (Parquet: crates/unmold-io/tests/load/tables.rs.)
#[test]
fn every_command_reads_every_kind_of_input() {
    let folder = tempfile::tempdir().unwrap();
    let (mut lines, mut archive) = (String::new(), String::new());
    for number in 1..6 {
        let name = format!("{number:04}.html");
        let page = fs::read_to_string(pages("shop-en").join(name)).unwrap();
        let url = format!("https://a.example/p/{number}");
        lines += &format!("{}\n", json!({"url": url, "html": page}));
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
        archive += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http;msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        );
    }
    let wide: Vec<u8> = lines
        .encode_utf16()
        .flat_map(|unit| unit.to_le_bytes())
        .collect();
    let site = pages("shop-en");
    let kinds: [(&str, Vec<u8>); 3] = [
        ("pages.jsonl", lines.clone().into_bytes()),
        ("wide.jsonl", wide),
        ("pages.warc", archive.into_bytes()),
    ];
    let mut inputs = vec![site.clone(), site.join("0001.html")];
    for (name, bytes) in kinds {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        inputs.push(file);
    }
    let mold = folder.path().join("m.json");
    let mut learn = unmold(&["learn", "-q", "-o"]);
    learn.arg(&mold).arg(&site).assert().success();
    let mold = mold.to_str().unwrap();
    let commands = [
        &["learn"][..],
        &["extract"],
        &["clean"],
        &["records"],
        &["group"],
        &["check", "--mold", mold],
        &["export", "--to", "css", "--mold", mold],
        &["debug", "symbols", "--top", "1"],
        &["debug", "declared"],
    ];
    for command in commands {
        // Five pages of the shop are not all of it, which `check` says.
        let codes = if command[0] == "check" {
            &[0, 1][..]
        } else {
            &[0]
        };
        for input in &inputs {
            let assert = unmold(command).arg("-q").arg(input).assert();
            let assert = assert.code(codes.to_vec());
            assert!(
                !assert.get_output().stdout.is_empty(),
                "{command:?} {input:?}"
            );
        }
        let mut piped = unmold(command);
        let assert = piped.args(["-q", "-"]).write_stdin(lines.as_str()).assert();
        assert.code(codes.to_vec());
    }
}

/// docs/content.md: listings are kept to the byte, with their language, in Markdown and HTML.
#[test]
fn listings_are_kept_to_the_byte() {
    let listing =
        "fn main() {\n\tlet a  =  \"<b> & `c` ```\";\n\n    // 日本 \u{a0}\u{200b}x   \n}\n  end";
    let source = listing.replace('&', "&amp;").replace('<', "&lt;");
    let text = "A paragraph that says enough about the listing behind it to be content. ".repeat(3);
    let page = format!(
        "<h1>Listing</h1><p>{text}</p><pre><code class=language-rust>{source}</code></pre><p>{text}</p>"
    );
    let cleaned = |format: &str| {
        let mut command = unmold(&["clean", "-q", "-f", format, "-"]);
        stdout(command.write_stdin(page.as_str()))
    };
    let markdown = cleaned("markdown");
    assert!(
        markdown.contains(&format!("rust\n{listing}\n````")),
        "{markdown}"
    );
    let html = cleaned("html");
    let shown = html.split("<code class=\"language-rust\">").nth(1).unwrap();
    let shown = shown.split("</code>").next().unwrap();
    let shown = shown
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    assert_eq!(shown.replace("&amp;", "&"), listing, "{html}");
}

/// docs/fields.md: of the columns that are neither declared nor lists after headings, 12 are written, and up to 20.
#[test]
fn no_more_columns_are_wanted_than_the_manual_says() {
    let folder = tempfile::tempdir().unwrap();
    for site in ["shop-en", "news-de", "forum-ru", "library-ar", "search-zh"] {
        let mold = folder.path().join(site);
        let mut learn = unmold(&["learn", "-q", "-o"]);
        learn.arg(&mold).arg(pages(site)).assert().success();
        let json = fs::read_to_string(&mold).unwrap();
        let mold: serde_json::Value = serde_json::from_str(&json).unwrap();
        for group in mold["groups"].as_array().unwrap() {
            let Some(wanted) = group["wanted"].as_u64() else {
                continue;
            };
            let fields = group["fields"].as_array().unwrap();
            let is_besides = |field: &&serde_json::Value| {
                let views = field["views"].as_array().unwrap();
                let mut kinds = views.iter().map(|view| &view["kind"]);
                kinds.any(|kind| kind == "declared" || kind == "headed-list")
            };
            let besides = fields.iter().filter(is_besides).count();
            assert!(fields.len() - besides <= 120, "{site}");
            let written = &fields[..wanted as usize];
            let besides = written.iter().filter(is_besides).count();
            assert!(written.len() - besides <= 20, "{site}: {wanted}, {besides}");
        }
    }
}

/// docs/formats.md: a fingerprint has at most 400 paths, however many elements pages have.
#[test]
fn a_fingerprint_has_no_more_paths_than_the_manual_says() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    fs::create_dir(&site).unwrap();
    for number in 0..4 {
        let blocks: String = (0..1_000)
            .map(|at| format!("<div class=c{at}><b>Text {at} of {number}</b></div>"))
            .collect();
        let page = format!("<title>Page {number} - Site</title>{blocks}");
        fs::write(site.join(format!("{number}.html")), page).unwrap();
    }
    let json = stdout(unmold(&["learn", "-q"]).arg(&site));
    let mold: serde_json::Value = serde_json::from_str(&json).unwrap();
    let paths = mold["groups"][0]["looks"][0]["fingerprint"]["paths"]
        .as_str()
        .unwrap();
    let count = paths.split_whitespace().count();
    assert!((300..=400).contains(&count), "{count}");
}
