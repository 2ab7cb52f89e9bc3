//! `unmold crawl` as it is typed: what it says, and what it ends with.

use crate::common::{stderr, unmold};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};
use unmold_io::{LoadSettings, load};

/// A server on this machine with so many pages, each of which leads to two others. Gives its port.
fn site(pages: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream, pages));
        }
    });
    port
}

fn serve(mut stream: TcpStream, pages: usize) {
    stream.set_nodelay(true).ok();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        let head = String::from_utf8_lossy(&buffer[..read]).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default();
        let (status, body) = match path.trim_start_matches('/').parse::<usize>() {
            Ok(page) if page < pages => (200, page_text(page)),
            _ => (404, "nothing".into()),
        };
        let reply = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        if stream.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

fn page_text(page: usize) -> String {
    let words: String = (0..200)
        .map(|word| format!("word{} ", (page * 31 + word * word) % 997))
        .collect();
    format!(
        "<title>Page {page} - Site</title><div class=page><h1>Page {page}</h1><p class=text>{words}</p>\
         <a href=/{}>one</a> <a href=/{}>two</a></div>",
        2 * page + 1,
        2 * page + 2
    )
}

fn crawl(port: u16, output: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("unmold"));
    command
        .args([
            "crawl",
            "--resume",
            "--follow",
            "--contact",
            "test@a.example",
            "--allow-private",
            "127.0.0.1/32",
        ])
        .args(["--latency", "5ms", "-o"])
        .arg(output)
        .arg(format!("http://127.0.0.1:{port}/0"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The addresses of an archive's pages, and whether all of it can be read.
fn read(archive: &Path) -> (Vec<String>, bool) {
    let mut pages = load([archive], &LoadSettings::default()).pages();
    let urls = pages
        .by_ref()
        .flatten()
        .filter_map(|page| page.url().map(str::to_owned))
        .collect();
    (urls, pages.tally().faults() == 0)
}

fn here(port: u16) -> [String; 7] {
    let url = format!("http://127.0.0.1:{port}/0");
    [
        "crawl",
        &url,
        "--contact",
        "test@a.example",
        "--latency",
        "1ms",
        "--allow-private=127.0.0.1/32",
    ]
    .map(str::to_owned)
}

#[test]
fn what_was_crawled_is_learned_from_at_once() {
    let port = site(60);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("site.warc.gz");
    let assert = unmold(&[])
        .args(here(port))
        .args(["--until", "learned", "--enough", "12", "-o"])
        .arg(&output)
        .assert()
        .success();
    let said = stderr(&assert);
    assert!(said.contains("127.0.0.1: 1 kind of pages"), "{said}");
    let pages = read(&output).0.len();
    // Each page leads to pages of its own kind only: of such a kind a few are enough.
    assert!((5..=15).contains(&pages), "{pages}");
    let mold = folder.path().join("mold.json");
    unmold(&[])
        .arg("learn")
        .arg(&output)
        .arg("-o")
        .arg(&mold)
        .assert()
        .success();
    unmold(&[])
        .args(here(port))
        .arg("-o")
        .arg(&output)
        .assert()
        .code(2);
}

#[test]
fn addresses_come_from_standard_input() {
    let port = site(9);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("site.warc.gz");
    let lines: String = (0..3)
        .map(|page| format!("http://127.0.0.1:{port}/{page}\n"))
        .collect();
    let mut args = here(port);
    args[1] = "-".into();
    unmold(&[])
        .args(args)
        .arg("-o")
        .arg(&output)
        .write_stdin(lines)
        .assert()
        .success();
    assert_eq!(read(&output).0.len(), 3);
}

#[test]
fn who_crawls_must_say_who_it_is() {
    let assert = unmold(&[])
        .args(["crawl", "http://a.example/", "-o", "x.warc.gz"])
        .env_remove("UNMOLD_CONTACT")
        .assert()
        .code(2);
    assert!(stderr(&assert).contains("--contact"), "{}", stderr(&assert));
}

#[test]
fn private_addresses_need_to_be_allowed() {
    let port = site(1);
    let folder = tempfile::tempdir().unwrap();
    let args = here(port);
    let assert = unmold(&[])
        .args(&args[..6])
        .arg("-o")
        .arg(folder.path().join("x.warc.gz"))
        .assert()
        .code(4);
    let said = stderr(&assert);
    assert!(
        said.contains("127.0.0.1 is no public address (--allow-private 127.0.0.1 allows it)"),
        "{said}"
    );
}

#[test]
fn given_addresses_without_a_page_are_named() {
    let port = site(1);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let missing = format!("http://127.0.0.1:{port}/7");
    let assert = unmold(&[])
        .args(here(port))
        .arg(&missing)
        .arg("-o")
        .arg(&output)
        .assert()
        .code(3);
    assert!(
        stderr(&assert).contains(&format!("{missing}: HTTP status 404")),
        "{}",
        stderr(&assert)
    );
}

#[test]
fn every_address_without_a_page_is_a_row_of_errors() {
    let port = site(5);
    let folder = tempfile::tempdir().unwrap();
    let (output, errors) = (
        folder.path().join("x.warc.gz"),
        folder.path().join("errors.jsonl"),
    );
    let mut command = unmold(&[]);
    command
        .args(here(port))
        .args(["--follow", "ftp://a.example/", "-o"])
        .arg(&output)
        .arg("--errors")
        .arg(&errors);
    command.assert().code(3);
    let rows = std::fs::read_to_string(&errors).unwrap();
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let of_kind = |kind: &str| {
        rows.iter()
            .filter(|row| row["kind"] == kind && row["stage"] == "fetch")
            .count()
    };
    // Pages 2, 3 and 4 lead to six that are not there.
    assert_eq!(
        (of_kind("status"), of_kind("refused"), rows.len()),
        (6, 1, 7),
        "{rows:?}"
    );
    assert!(
        rows.iter()
            .all(|row| row["file"].is_string() && row["reason"].is_string())
    );
    // What exists is said before anything is fetched.
    let again = unmold(&[])
        .args(here(port))
        .arg("-o")
        .arg(folder.path().join("y.warc.gz"))
        .arg("--errors")
        .arg(&errors)
        .assert();
    let again = again.failure();
    assert!(
        stderr(&again).contains("exists already"),
        "{}",
        stderr(&again)
    );
    assert!(!folder.path().join("y.warc.gz.open").exists());
}

#[test]
fn a_large_archive_becomes_several_files() {
    let port = site(40);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let assert = unmold(&[])
        .args(here(port))
        .args(["--follow", "--rotate", "8K", "-o"])
        .arg(&output)
        .assert()
        .success();
    let files: Vec<_> = (0..)
        .map(|part| folder.path().join(format!("x-{part:05}.warc.gz")))
        .take_while(|path| path.exists())
        .collect();
    assert!(files.len() > 2 && !output.exists(), "{files:?}");
    assert_eq!(
        files.iter().map(|file| read(file).0.len()).sum::<usize>(),
        40
    );
    let said = stderr(&assert);
    assert!(
        said.contains("x-00000.warc.gz to ")
            && said.contains(files.last().unwrap().to_str().unwrap()),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn interrupted_once_it_ends_in_good_order() {
    let port = site(5000);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let mut child = crawl(port, &output).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(900));
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let status = child.wait().unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("unmold crawl --resume -o"), "{said}");
    let (urls, is_whole) = read(&folder.path().join("x.warc.gz.open"));
    assert!(is_whole && !urls.is_empty());
}

#[test]
fn a_resumed_crawl_has_the_options_it_was_begun_with() {
    let port = site(40);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let assert = unmold(&[])
        .args(here(port))
        .args(["--follow", "--max-bytes", "9K", "-o"])
        .arg(&output)
        .assert()
        .code(6);
    let said = stderr(&assert);
    assert!(said.contains("stopped by --max-bytes"), "{said}");
    let resume = || {
        let mut command = unmold(&["crawl", "--resume", "-o"]);
        command.arg(&output).env_remove("UNMOLD_CONTACT");
        command
    };
    let assert = resume().args(["--latency", "2ms"]).assert().code(2);
    let said = stderr(&assert);
    assert!(said.contains("was begun with --latency=1ms"), "{said}");
    let assert = resume().arg("--sitemaps").assert().code(2);
    let said = stderr(&assert);
    assert!(said.contains("was begun without --sitemaps"), "{said}");
    // Budgets may change, and nothing else has to be said again.
    let assert = resume().args(["--max-bytes", "1G"]).assert().success();
    let said = stderr(&assert);
    assert!(
        said.contains("going on with") && said.contains("--follow"),
        "{said}"
    );
    assert!(said.contains("left"), "{said}");
    assert_eq!(read(&output).0.len(), 40);
}

#[test]
fn a_disk_that_is_nearly_full_ends_it_in_good_order() {
    let port = site(5);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let assert = unmold(&[])
        .args(here(port))
        .args(["--follow", "--keep-free", "9000000000G", "-o"])
        .arg(&output)
        .assert()
        .code(if cfg!(unix) { 5 } else { 0 });
    if cfg!(unix) {
        assert!(
            stderr(&assert).contains("--keep-free"),
            "{}",
            stderr(&assert)
        );
        unmold(&["crawl", "--resume", "--keep-free", "0", "-o"])
            .arg(&output)
            .assert()
            .success();
    }
    assert_eq!(read(&output).0.len(), 5);
}

#[test]
fn a_dry_run_prints_what_would_be_fetched() {
    let port = site(5);
    let folder = tempfile::tempdir().unwrap();
    let assert = unmold(&[])
        .args(here(port))
        .arg("--dry-run")
        .current_dir(folder.path())
        .assert()
        .success();
    let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!(out, format!("http://127.0.0.1:{port}/0\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The items of the list that [`list_site`] has.
const ITEMS: usize = 60;

/// A server with a list of ten items a page, where one page of the list may be missing. Gives its
/// port.
fn list_site(missing: Option<usize>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = move |path: &str| {
        let number = |text: &str| text.parse::<usize>().ok();
        let page = match path {
            "/list" => Some(1),
            path => path.strip_prefix("/list?page=").and_then(number),
        };
        match (page, path.strip_prefix("/item/").and_then(number)) {
            (Some(page), _) if missing != Some(page) => Some(list_page(page)),
            (_, Some(item)) if item < ITEMS => Some(item_page(item)),
            _ => None,
        }
    };
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(read @ 1..) = stream.read(&mut buffer) {
                    let head = String::from_utf8_lossy(&buffer[..read]).into_owned();
                    let body = answer(head.split(' ').nth(1).unwrap_or_default());
                    let status = if body.is_some() { 200 } else { 404 };
                    let body = body.unwrap_or_default();
                    let reply = format!(
                        "HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    if stream.write_all(reply.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    port
}

const COLOURS: [&str; 7] = ["red", "blue", "green", "black", "white", "grey", "brown"];

fn list_page(page: usize) -> String {
    let items: String = (page * 10 - 10..ITEMS.min(page * 10))
        .map(|item| {
            format!(
                "<div class=offer><h3><a href=/item/{item}>Lamp {} {item}</a></h3><p class=price>€ {}.50</p></div>",
                COLOURS[item % 7],
                item * 3 + 7
            )
        })
        .collect();
    let arrow = format!("<a href='/list?page={}'>→</a>", page + 1);
    let arrow = if page * 10 < ITEMS {
        arrow
    } else {
        String::new()
    };
    format!(
        "<title>Lamps</title><nav><a href=/>home</a></nav><div class=offers>{items}</div><p>{arrow}</p>"
    )
}

fn item_page(item: usize) -> String {
    format!(
        "<title>Lamp {item}</title><nav><a href=/>home</a></nav><div class=lamp><h1>Lamp {} {item}</h1>\
         <dl><dt>Height</dt><dd>{} cm</dd><dt>Maker</dt><dd>{} works</dd></dl></div>",
        COLOURS[item % 7],
        20 + item * 7 % 90,
        COLOURS[item * 5 % 7]
    )
}

fn list_of(port: u16, output: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("unmold"));
    command
        .args(["crawl", "--resume", "--list", "--contact", "test@a.example"])
        .args(["--allow-private", "127.0.0.1/32", "--latency", "2ms", "-o"])
        .arg(output)
        .arg(format!("http://127.0.0.1:{port}/list"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The table of a list's pages and items, without the first column: where in the archive a page is.
fn table_of(archive: &Path) -> String {
    let assert = unmold(&["extract", "-f", "csv"])
        .arg(archive)
        .assert()
        .success();
    let table = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let rows = table.lines().filter_map(|row| row.split_once(','));
    rows.map(|(_, row)| format!("{row}\n")).collect()
}

#[test]
fn a_list_becomes_a_table_also_if_its_crawl_was_killed() {
    let port = list_site(None);
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (
        folder.path().join("whole.warc.gz"),
        folder.path().join("cut.warc.gz"),
    );
    assert!(list_of(port, &whole).status().unwrap().success());
    for kill in 0..4 {
        let mut child = list_of(port, &cut).spawn().unwrap();
        thread::sleep(Duration::from_millis(60 + kill * 90));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    if !cut.exists() {
        assert!(list_of(port, &cut).status().unwrap().success());
    }
    let table = table_of(&whole);
    assert_eq!(table.lines().count(), 1 + ITEMS + ITEMS / 10, "{table}");
    for item in 0..ITEMS {
        let height = format!("{} cm", 20 + item * 7 % 90);
        let name = format!("Lamp {} {item}", COLOURS[item % 7]);
        let row = table
            .lines()
            .find(|row| row.contains(&name) && row.contains(&height));
        assert!(row.is_some(), "{name}: {table}");
    }
    assert_eq!(table, table_of(&cut));
}

#[test]
fn a_list_of_which_a_page_is_missing_is_not_done() {
    let port = list_site(Some(4));
    let folder = tempfile::tempdir().unwrap();
    let mut command = list_of(port, &folder.path().join("x.warc.gz"));
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("/list?page=4: HTTP status 404"), "{said}");
}

#[test]
fn a_dry_run_of_a_list_prints_its_pages_and_items() {
    let port = list_site(None);
    let assert = unmold(&["crawl", "--list", "--dry-run", "--limit", "25"])
        .args(["--contact", "test@a.example", "--latency", "1ms"])
        .args(["--allow-private", "127.0.0.1/32"])
        .arg(format!("http://127.0.0.1:{port}/list"))
        .assert()
        .success();
    let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!(out.lines().count(), 25, "{out}");
    let lists = out.lines().filter(|line| line.contains("/list"));
    assert_eq!(lists.count(), 3, "{out}");
}

#[test]
fn an_archive_is_checked_and_its_torn_end_cut_off() {
    let port = site(5);
    let folder = tempfile::tempdir().unwrap();
    let (output, mended) = (
        folder.path().join("x.warc.gz"),
        folder.path().join("mended.warc.gz"),
    );
    unmold(&[])
        .args(here(port))
        .args(["--follow", "-o"])
        .arg(&output)
        .assert()
        .success();
    let check = |path: &Path| {
        let mut command = unmold(&["warc", "check"]);
        command.arg(path);
        command
    };
    let assert = check(&output).assert().success();
    let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(out.contains("11 response"), "{out}");
    assert!(out.trim_end().ends_with("whole"), "{out}");
    let bytes = std::fs::read(&output).unwrap();
    std::fs::write(&output, &bytes[..bytes.len() - 10]).unwrap();
    let assert = check(&output).arg("--repair").arg(&mended).assert().code(3);
    let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(out.contains("1 fault; whole up to byte"), "{out}");
    check(&mended).assert().success();
    check(&output).arg("--repair").arg(&mended).assert().code(2);
    check(&folder.path().join("missing")).assert().code(3);
    let assert = check(&mended).args(["-f", "jsonl"]).assert().success();
    let row: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(row["bytes"], row["whole_to"]);
}
