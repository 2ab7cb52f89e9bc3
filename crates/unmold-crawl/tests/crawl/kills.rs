//! A crawl that is killed, again and again, loses nothing and does nothing twice.

use crate::{
    Notes, begin,
    server::{Reply, Server},
    settings,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use unmold_crawl::Start;
use unmold_io::{LoadSettings, load};

const PAGES: usize = 1000;

/// Pages of which each leads to two others.
fn site() -> Server {
    Server::start(
        |hit| match hit.path.trim_start_matches('/').parse::<usize>() {
            Ok(page) if page < PAGES => {
                let words: String = (0..300)
                    .map(|word| format!("word{} ", (page * 31 + word * word) % 997))
                    .collect();
                Reply::html(format!(
                    "<h1>{page}</h1><p>{words}<a href=/{}>one</a> <a href=/{}>two</a>",
                    2 * page + 1,
                    2 * page + 2
                ))
            }
            _ => Reply::missing(),
        },
    )
}

/// The crawl that is killed: it runs in a process of its own.
#[test]
#[ignore = "is run by another test"]
fn crawls() {
    let port = std::env::var("UNMOLD_TEST_PORT").unwrap();
    let path = PathBuf::from(std::env::var_os("UNMOLD_TEST_FILE").unwrap());
    let rotate = std::env::var("UNMOLD_TEST_ROTATE").unwrap().parse().ok();
    let settings = settings(&["a.example"]).follow(true).rotate(rotate);
    begin(
        &path,
        Start::Resume,
        &settings,
        &[format!("http://a.example:{port}/0")],
        &mut Notes::default(),
    )
    .unwrap();
}

fn crawl(server: &Server, path: &Path, rotate: Option<u64>) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "kills::crawls", "--ignored"])
        .env("UNMOLD_TEST_PORT", server.port.to_string());
    command.env(
        "UNMOLD_TEST_ROTATE",
        rotate.map(|size| size.to_string()).unwrap_or_default(),
    );
    command
        .env("UNMOLD_TEST_FILE", path)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The files of an archive: those with their names, and the one that is being written.
fn files(folder: &Path) -> Vec<PathBuf> {
    let names = |path: &PathBuf| {
        [".warc.gz", ".warc.gz.open"]
            .iter()
            .any(|end| path.to_string_lossy().ends_with(end))
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(names)
        .collect();
    files.sort();
    files
}

/// The addresses of an archive's pages, and whether all of it can be read.
fn read(archive: &[PathBuf]) -> (Vec<String>, bool) {
    let mut pages = load(archive, &LoadSettings::default()).pages();
    let urls = pages
        .by_ref()
        .flatten()
        .filter_map(|page| page.url().map(str::to_owned))
        .collect();
    (urls, pages.tally().faults() == 0)
}

/// Where `warcio` is, if it was installed there (`bench/crawl-kills` does).
fn warcio() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/warcio");
    path.exists().then_some(path)
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether `gzip -t` and `warcio check` find nothing wrong, where they are installed.
fn passes(archive: &PathBuf) -> bool {
    // `gzip` goes by the ending of the name.
    let copy = archive.with_file_name("copy");
    fs::create_dir_all(&copy).unwrap();
    let copy = copy.join("copy.warc.gz");
    fs::copy(archive, &copy).unwrap();
    let has_gzip = Command::new("gzip")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    let gzip = !has_gzip || succeeds(Command::new("gzip").arg("-t").arg(&copy));
    let warcio =
        warcio().is_none_or(|warcio| succeeds(Command::new(warcio).arg("check").arg(&copy)));
    fs::remove_file(copy).unwrap();
    gzip && warcio
}

#[test]
fn killed_thirty_times_no_page_is_lost_or_there_twice() {
    let files = killed(30, None);
    assert_eq!(files.len(), 1);
}

#[test]
fn killed_while_one_file_follows_another_no_page_is_lost_or_there_twice() {
    let files = killed(10, Some(200_000));
    assert!(files.len() > 5, "{files:?}");
}

/// A crawl is killed after at most so many milliseconds: thirty times, it takes about half of what
/// the whole crawl does.
const MOMENT: u64 = 400;

/// Crawls a site, is killed so often at random moments, and goes on; gives the names of the files.
fn killed(times: usize, rotate: Option<u64>) -> Vec<PathBuf> {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("site.warc.gz");
    let state = folder.path().join("site.warc.gz.state");
    let mut seed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_nanos() as u64;
    println!("seed {seed}, warcio {:?}", warcio());
    let (mut kills, mut left, mut whole) = (0, 0, 0);
    for _ in 0..times {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        if output.exists() && !state.exists() {
            break;
        }
        let mut child = crawl(&server, &output, rotate).spawn().unwrap();
        thread::sleep(Duration::from_millis(20 + (seed >> 33) % MOMENT));
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        kills += usize::from(state.exists());
        let files = files(folder.path());
        if files
            .iter()
            .any(|file| fs::metadata(file).unwrap().len() > 0)
        {
            let (urls, is_whole) = read(&files);
            assert_eq!(
                urls.iter().collect::<BTreeSet<_>>().len(),
                urls.len(),
                "no page twice behind kill {kills}"
            );
            left += 1;
            whole += usize::from(is_whole && files.iter().all(passes));
        }
    }
    assert!(
        kills > times / 2,
        "a crawl that ends before it is killed shows nothing: {kills} of {times}"
    );
    // Where the last one came when all was done, there is nothing left to go on with.
    assert!(!state.exists() || succeeds(&mut crawl(&server, &output, rotate)));
    let files = files(folder.path());
    let (urls, is_whole) = read(&files);
    let apart = urls.iter().collect::<BTreeSet<_>>().len();
    println!(
        "{kills} kills before the end, {left} left an archive, {whole} of these whole; {} files, {} pages, {apart} different",
        files.len(),
        urls.len()
    );
    assert!(is_whole && files.iter().all(passes));
    assert_eq!(
        (urls.len(), apart),
        (PAGES, PAGES),
        "none twice, none missing"
    );
    assert!(
        !state.exists()
            && files
                .iter()
                .all(|file| !file.to_string_lossy().ends_with(".open")),
        "all is finished"
    );
    files
}
