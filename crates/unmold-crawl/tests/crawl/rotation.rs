//! An archive of several files: none too large, none missing, also where it was cut off in between.

use crate::{
    Notes, begin, pages_of,
    server::{Reply, Server},
    settings,
};
use std::{fs, path::Path, time::Duration};
use unmold_crawl::{CrawlError, Report, Settings, Start};
use unmold_io::save::Overwrite;

const PAGES: usize = 40;
const SIZE: u64 = 8_000;

/// Pages that do not pack well, each of which leads to two others.
fn site() -> Server {
    Server::start(
        |hit| match hit.path.trim_start_matches('/').parse::<u64>() {
            Ok(page) if page < PAGES as u64 => {
                let mut number = page + 1;
                let mut next = || {
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    number
                };
                let words: String = (0..100).map(|_| format!("{:x} ", next())).collect();
                Reply::html(format!(
                    "<p>{words}<a href=/{}>one</a> <a href=/{}>two</a>",
                    2 * page + 1,
                    2 * page + 2
                ))
            }
            _ => Reply::missing(),
        },
    )
}

fn rotating() -> Settings {
    settings(&["a.example"])
        .follow(true)
        .latency(Duration::from_millis(5))
        .rotate(Some(SIZE))
}

/// The files of a folder in the order of their names.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Checks that the files of a finished crawl hold every page once.
fn check(folder: &Path, report: &Report) {
    let expected: Vec<String> = (0..report.files.len())
        .map(|part| format!("site-{part:05}.warc.gz"))
        .collect();
    assert_eq!(files(folder), expected, "no other file is left");
    assert!(report.files.len() >= 4, "{:?}", report.files);
    let mut urls: Vec<String> = report
        .files
        .iter()
        .flat_map(|file| pages_of(file))
        .collect();
    assert_eq!(urls.len(), PAGES);
    urls.sort();
    urls.dedup();
    assert_eq!(urls.len(), PAGES, "no page is there twice");
    for file in &report.files[..report.files.len() - 1] {
        let length = fs::metadata(file).unwrap().len();
        // The last page of a file may take it over the size, and no page has as much.
        assert!((SIZE..2 * SIZE).contains(&length), "{length}");
    }
}

#[test]
fn a_large_archive_becomes_several_files_of_the_size_that_was_asked_for() {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let given = [server.url("a.example", "/0")];
    let anew = Start::Anew(Overwrite::Refuse);
    let report = begin(&path, anew, &rotating(), &given, &mut Notes::default()).unwrap();
    check(folder.path(), &report);
    let again = begin(&path, anew, &rotating(), &given, &mut Notes::default());
    assert!(
        matches!(again, Err(CrawlError::Save(_))),
        "it is not replaced by mistake"
    );
}

#[test]
fn a_crawl_of_several_files_goes_on_where_it_was_stopped() {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let given = [server.url("a.example", "/0")];
    for pages in [10, 20, 30] {
        let mut notes = Notes {
            stop_at: Some(pages),
            ..Notes::default()
        };
        let report = begin(&path, Start::Resume, &rotating(), &given, &mut notes).unwrap();
        let open = report.files.last().unwrap().to_string_lossy().into_owned();
        assert!(
            !report.is_finished && open.ends_with(".warc.gz.open"),
            "{open}"
        );
    }
    // The size is remembered, and nothing needs to be given again.
    let plain = settings(&["a.example"]).follow(true);
    let refused = begin(
        &path,
        Start::Anew(Overwrite::Refuse),
        &rotating(),
        &given,
        &mut Notes::default(),
    );
    assert!(matches!(refused, Err(CrawlError::Unfinished(_))));
    let report = begin(&path, Start::Resume, &plain, &[], &mut Notes::default()).unwrap();
    check(folder.path(), &report);
    assert_eq!(
        server.paths("a.example").len(),
        PAGES + PAGES + 1,
        "no page was asked for twice, nor a dead link"
    );
}

#[test]
fn a_crawl_that_was_begun_as_one_file_stays_one() {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let given = [server.url("a.example", "/0")];
    let plain = settings(&["a.example"])
        .follow(true)
        .latency(Duration::from_millis(5));
    let mut notes = Notes {
        stop_at: Some(3),
        ..Notes::default()
    };
    begin(&path, Start::Resume, &plain, &given, &mut notes).unwrap();
    let refused = begin(
        &path,
        Start::Resume,
        &rotating(),
        &[],
        &mut Notes::default(),
    );
    assert!(
        matches!(refused, Err(CrawlError::Rotation(_))),
        "{refused:?}"
    );
    assert_eq!(
        begin(&path, Start::Resume, &plain, &[], &mut Notes::default())
            .unwrap()
            .pages,
        PAGES as u64
    );
}
