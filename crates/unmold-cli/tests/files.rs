//! What is written, what never is, and what is left when a run is cut off.
#![cfg(unix)]

use crate::common::{pages, stderr, unmold};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A copy of one of the project's own sites, its pages so many times.
fn site(name: &str, times: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for page in fs::read_dir(pages(name)).unwrap() {
        let page = page.unwrap();
        for number in 0..times {
            let copy = format!("{number}-{}", page.file_name().to_str().unwrap());
            fs::copy(page.path(), folder.path().join(copy)).unwrap();
        }
    }
    folder
}

/// The files of a folder with their contents, sorted; those that begin with a dot too.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        (
            entry.file_name().into_string().unwrap(),
            fs::read(entry.path()).unwrap(),
        )
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin("unmold"))
}

/// Runs the program from a shell that has set limits or closed files.
fn in_shell(script: &str, arguments: &[&Path]) -> Output {
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(script)
        .arg(assert_cmd::cargo::cargo_bin("unmold"))
        .args(arguments);
    shell.output().unwrap()
}

#[test]
fn inputs_are_never_replaced() {
    let site = site("shop-en", 1);
    let before = contents(site.path());
    let folder = site.path();
    let page = folder.join("0-0001.html");
    let outside = tempfile::tempdir().unwrap();
    let link = outside.path().join("link");
    symlink(folder, &link).unwrap();
    let new = |name: &str| folder.join(name);
    let commands: Vec<(&[&str], &Path, PathBuf)> = vec![
        (&["clean", "-f", "html", "-o"], folder, folder.to_owned()),
        (&["clean", "-f", "html", "-o"], &page, page.clone()),
        (&["clean", "-o"], folder, new("texts")),
        (&["clean", "-f", "html", "-o"], &page, folder.to_owned()),
        (
            &["clean", "-f", "jsonl", "-o"],
            folder,
            link.join("new.jsonl"),
        ),
        (&["learn", "-o"], &link, new("new.mold.json")),
        (&["extract", "-f", "csv", "-o"], folder, page.clone()),
        (&["extract", "--split-groups"], folder, link.clone()),
        (&["records", "-f", "csv", "-o"], &page, page.clone()),
        (&["group", "--save"], folder, page.clone()),
        (&["clean", "--errors"], folder, page.clone()),
    ];
    for (args, input, output) in commands {
        let assert = unmold(args)
            .arg(&output)
            .arg(input)
            .arg("--overwrite")
            .assert()
            .code(2);
        let said = stderr(&assert);
        assert!(
            said.contains("results are never written there"),
            "{args:?}: {said}"
        );
        assert!(!said.contains("read "), "no work was done: {said}");
        assert_eq!(contents(folder), before, "{args:?}");
    }
}

#[test]
fn what_exists_is_said_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out");
    fs::write(&file, "theirs").unwrap();
    for args in [
        &["learn", "-o"][..],
        &["extract", "-o"],
        &["clean", "-f", "jsonl", "-o"],
        &["records", "-o"],
        &["group", "-o"],
        &["group", "--save"],
        &["extract", "--errors"],
        &["debug", "index", "-o"],
    ] {
        let assert = unmold(args)
            .arg(&file)
            .arg(pages("shop-en"))
            .assert()
            .code(2);
        assert!(
            stderr(&assert).contains("exists already; --overwrite replaces it"),
            "{args:?}: {}",
            stderr(&assert)
        );
        assert!(
            !stderr(&assert).contains("read "),
            "{args:?}: {}",
            stderr(&assert)
        );
    }
    let assert = unmold(&["clean", "-o"])
        .arg(folder.path())
        .arg(pages("shop-en"))
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("not empty"), "{}", stderr(&assert));
    assert_eq!(
        contents(folder.path()),
        [("out".to_owned(), b"theirs".to_vec())]
    );
}

#[test]
fn a_folder_that_is_not_there_is_said_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        &["learn", "-o"][..],
        &["extract", "-o"],
        &["clean", "-f", "jsonl", "-o"],
        &["group", "--save"],
    ] {
        let assert = unmold(args)
            .arg(folder.path().join("none/out"))
            .arg(pages("shop-en"))
            .assert()
            .code(5);
        let said = stderr(&assert);
        assert!(
            said.contains("there is no folder") && !said.contains("read "),
            "{args:?}: {said}"
        );
        assert!(!said.contains(".part"), "{args:?}: {said}");
    }
    let file = folder.path().join("file");
    fs::write(&file, "theirs").unwrap();
    let assert = unmold(&["clean", "-o"])
        .arg(&file)
        .arg(pages("shop-en"))
        .assert()
        .code(2);
    assert!(
        stderr(&assert).contains("exists already"),
        "{}",
        stderr(&assert)
    );
    // A folder that files can be made in is made as late as the first file.
    unmold(&["clean", "-q", "-o"])
        .arg(folder.path().join("a/b"))
        .arg(pages("shop-en"))
        .assert()
        .success();
}

#[test]
fn links_and_devices_are_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "theirs").unwrap();
    symlink(&target, &link).unwrap();
    for (option, path) in [
        ("-o", link.as_path()),
        ("--errors", &link),
        ("-o", Path::new("/dev/null")),
    ] {
        let assert = unmold(&["extract", "--overwrite", option])
            .arg(path)
            .arg(pages("shop-en"))
            .assert()
            .code(2);
        assert!(
            stderr(&assert).contains("only regular files are replaced"),
            "{}",
            stderr(&assert)
        );
    }
    assert_eq!(fs::read(&target).unwrap(), b"theirs");
}

#[test]
fn one_page_is_one_file_if_it_is_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.md");
    let page = pages("news-de").join("0001.html");
    unmold(&["clean", "-q", "-f", "markdown", "-o"])
        .arg(&file)
        .arg(&page)
        .assert()
        .success();
    assert!(fs::read_to_string(&file).unwrap().contains("Brücke"));
    let several = folder.path().join("all.md");
    let assert = unmold(&["clean", "-f", "markdown", "-o"])
        .arg(&several)
        .arg(pages("news-de"))
        .assert()
        .code(2);
    assert!(
        stderr(&assert).contains("name a folder"),
        "{}",
        stderr(&assert)
    );
    assert!(!several.exists());
}

#[test]
fn pages_of_an_archive_are_called_by_their_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let lines = ["https://a.example/tea/1", "https://a.example/../../etc/x", "https://a.example/tea?1"].map(|url| {
        format!("{{\"url\": \"{url}\", \"html\": \"<p>All that can be said about a tea, said at length.\"}}\n")
    });
    let input = folder.path().join("pages.jsonl");
    fs::write(&input, lines.concat()).unwrap();
    let texts = folder.path().join("texts");
    unmold(&["clean", "-q", "-o"])
        .arg(&texts)
        .arg(&input)
        .assert()
        .success();
    let names: Vec<String> = contents(&texts).into_iter().map(|(name, _)| name).collect();
    let [up, hashed, plain] = &names[..] else {
        panic!("{names:?}")
    };
    assert_eq!(
        (up.as_str(), plain.as_str()),
        ("a.example-etc-x.txt", "a.example-tea-1.txt")
    );
    assert!(
        hashed.starts_with("a.example-tea-1-")
            && hashed.len() == "a.example-tea-1-01234567.txt".len(),
        "{hashed}"
    );
}

#[test]
fn a_standard_output_that_takes_nothing_is_an_error() {
    let shop = pages("shop-en");
    for command in [
        "extract -q -f csv",
        "clean -q -f jsonl",
        "group -q",
        "learn -q",
        "records -q",
    ] {
        let output = in_shell(
            &format!("exec \"$0\" {command} \"$1\" >/dev/full"),
            &[&shop],
        );
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{command}: {said}");
        assert!(
            said.contains("standard output") && said.contains("no room"),
            "{command}: {said}"
        );
        // Python and Node give a program that nobody listens to the null device, open both ways.
        let output = in_shell(
            &format!("exec \"$0\" {command} \"$1\" 1<>/dev/null"),
            &[&shop],
        );
        assert_eq!(
            output.status.code(),
            Some(0),
            "{command}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let output = in_shell(&format!("\"$0\" {command} \"$1\" | true; exit 0"), &[&shop]);
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "",
            "a reader that has seen enough: {command}"
        );
    }
}

#[test]
fn a_full_disk_and_a_folder_that_takes_nothing_leave_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let shop = pages("shop-en");
    for (command, name) in [
        ("learn -o", "mold.json"),
        ("extract -o", "rows.jsonl"),
        ("clean -f jsonl -o", "texts.jsonl"),
    ] {
        let out = folder.path().join(name);
        // Files may not be larger than a few blocks, and the signal about it is left out: writing
        // fails as on a full disk.
        let script = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" {command} \"$1\" \"$2\"");
        let output = in_shell(&script, &[&out, &shop]);
        assert_eq!(
            output.status.code(),
            Some(5),
            "{command}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(contents(folder.path()), [], "{command}");
        let output = in_shell(
            &format!("exec \"$0\" {command} \"$1\" \"$2\""),
            &[Path::new("/proc/none"), &shop],
        );
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{command}: {said}");
        assert!(
            !said.contains("read ") && !said.contains(".part"),
            "said before any work: {said}"
        );
    }
}

#[test]
fn few_open_files_are_enough_for_many_pages() {
    let site = site("shop-en", 100);
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts");
    let mold = folder.path().join("shop.mold.json");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(pages("shop-en"))
        .assert()
        .success();
    let script = "ulimit -n 64; exec \"$0\" clean -q --mold \"$1\" -o \"$2\" \"$3\"";
    let output = in_shell(script, &[&mold, &texts, site.path()]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(contents(&texts).len(), 2100);
}

/// A number that looks random, the same in every run.
fn next_random(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn killed_runs_leave_no_half_file_and_the_next_one_tidies_up() {
    let site = site("shop-en", 8);
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    unmold(&["clean", "-q", "-o"])
        .arg(&whole)
        .arg(site.path())
        .assert()
        .success();
    let expected = contents(&whole);
    let started = Instant::now();
    unmold(&["learn", "-q", "-o"])
        .arg(folder.path().join("whole.json"))
        .arg(site.path())
        .assert()
        .success();
    let (usual, mold) = (
        started.elapsed(),
        fs::read(folder.path().join("whole.json")).unwrap(),
    );
    let (texts, learned) = (folder.path().join("texts"), folder.path().join("mold"));
    let mut random = 7;
    for number in 0..30 {
        let mut command = program();
        match number % 3 {
            0 => command
                .args(["learn", "-q", "--overwrite", "-o"])
                .arg(learned.join("x.json")),
            _ => command.args(["clean", "-q", "--resume", "-o"]).arg(&texts),
        };
        fs::create_dir_all(&learned).unwrap();
        let mut child = command
            .arg(site.path())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(usual.mul_f64((next_random(&mut random) % 1200) as f64 / 1000.0));
        _ = child.kill();
        child.wait().unwrap();
        let is_part = |name: &str| name.starts_with(".unmold-") && name.ends_with(".part");
        for (name, content) in contents(&texts)
            .into_iter()
            .filter(|(name, _)| !is_part(name))
        {
            let whole = expected.iter().find(|(expected, _)| *expected == name);
            assert_eq!(whole.map(|(_, whole)| whole), Some(&content), "{name}");
        }
        for (name, content) in contents(&learned)
            .into_iter()
            .filter(|(name, _)| !is_part(name))
        {
            assert!(content == mold, "{name}");
        }
    }
    unmold(&["clean", "-q", "--resume", "-o"])
        .arg(&texts)
        .arg(site.path())
        .assert()
        .success();
    unmold(&["learn", "-q", "--overwrite", "-o"])
        .arg(learned.join("x.json"))
        .arg(site.path())
        .assert()
        .success();
    assert!(
        contents(&texts) == expected,
        "the files of a run that was not cut off, and nothing else"
    );
    assert_eq!(contents(&learned).len(), 1);
}

#[test]
fn an_interrupt_ends_cleanly() {
    let site = site("shop-en", 20);
    let folder = tempfile::tempdir().unwrap();
    let mut codes = Vec::new();
    for signal in ["INT", "TERM", "HUP"] {
        // One of its own, so that what stands in it says that the program has begun.
        let texts = folder.path().join(signal);
        let mut child = program()
            .args(["clean", "-o"])
            .arg(&texts)
            .arg("--resume")
            .arg(site.path())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while contents_or_none(&texts) == 0
            && Instant::now() < deadline
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(child.id().to_string())
            .status()
            .unwrap();
        codes.push(child.wait().unwrap().code());
        let left = fs::read_dir(&texts).unwrap().filter(|entry| {
            entry
                .as_ref()
                .unwrap()
                .file_name()
                .to_str()
                .unwrap()
                .starts_with('.')
        });
        assert_eq!(left.count(), 0, "{signal}");
    }
    // One that was done before the signal came has ended well.
    assert!(
        codes.contains(&Some(130)) && codes.iter().all(|code| matches!(code, Some(130 | 0))),
        "{codes:?}"
    );
}

fn contents_or_none(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn work_goes_on_when_nobody_reads_what_is_said_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("shop.mold.json");
    // The reader has gone before the first word is said.
    let script = "{ sleep 0.2; \"$0\" learn \"$1\" -o \"$2\" 2>&1; echo $? > \"$2.code\"; } | true";
    in_shell(script, &[&pages("shop-en"), &mold]);
    let code = folder.path().join("shop.mold.json.code");
    assert_eq!(fs::read_to_string(code).unwrap().trim(), "0");
    assert!(fs::read_to_string(&mold).unwrap().contains("Weight"));
}
