//! A crawl that was cut off goes on, and what is asked for again is asked politely.

use crate::{
    Notes, begin, pages_of, run,
    server::{Reply, Server},
    settings,
};
use std::time::Duration;
use unmold_crawl::{CrawlError, Start, StateError};
use unmold_io::save::Overwrite;

fn site() -> Server {
    Server::start(
        |hit| match hit.path.trim_start_matches('/').parse::<usize>() {
            Ok(page) if page < 40 => Reply::html(format!(
                "<p>{page}<a href=/{}>next</a><a href=/{}>more</a>",
                page + 1,
                2 * page + 1
            )),
            _ => Reply::missing(),
        },
    )
}

#[test]
fn a_crawl_that_was_stopped_goes_on_where_it_was() {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let given = [server.url("a.example", "/0")];
    let settings = settings(&["a.example"])
        .follow(true)
        .latency(Duration::from_millis(20));
    let mut notes = Notes {
        stop_at: Some(5),
        ..Notes::default()
    };
    let report = begin(
        &path,
        Start::Anew(Overwrite::Refuse),
        &settings,
        &given,
        &mut notes,
    )
    .unwrap();
    assert!(!report.is_finished && !path.exists());

    let again = begin(
        &path,
        Start::Anew(Overwrite::Refuse),
        &settings,
        &given,
        &mut Notes::default(),
    );
    assert!(
        matches!(again, Err(CrawlError::Unfinished(_))),
        "it is not begun anew by mistake"
    );

    // Nothing needs to be given again.
    let report = begin(&path, Start::Resume, &settings, &[], &mut Notes::default()).unwrap();
    assert!(report.is_finished);
    assert_eq!(report.pages, 40);
    assert_eq!(pages_of(&path).len(), 40);
    let mut paths = server.paths("a.example");
    let asked = paths.len();
    paths.sort();
    paths.dedup();
    assert_eq!(asked, paths.len(), "nothing was asked for twice");
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "only the archive is left"
    );

    let third = begin(
        &path,
        Start::Resume,
        &settings,
        &given,
        &mut Notes::default(),
    );
    assert!(
        matches!(third, Err(CrawlError::Save(_))),
        "a finished archive is not touched"
    );
}

#[test]
fn an_archive_that_is_to_be_replaced_stays_until_the_new_one_is_there() {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    std::fs::write(&path, "old").unwrap();
    let given = [server.url("a.example", "/39")];
    let plain = settings(&["a.example"]);
    let refused = begin(
        &path,
        Start::Anew(Overwrite::Refuse),
        &plain,
        &given,
        &mut Notes::default(),
    );
    assert!(matches!(refused, Err(CrawlError::Save(_))));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    begin(
        &path,
        Start::Anew(Overwrite::Allow),
        &plain,
        &given,
        &mut Notes::default(),
    )
    .unwrap();
    assert_eq!(pages_of(&path), given);
}

#[test]
fn an_archive_without_its_state_is_not_thrown_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let open = folder.path().join("site.warc.gz.open");
    std::fs::write(&open, "pages").unwrap();
    let resumed = begin(
        &path,
        Start::Resume,
        &settings(&[]),
        &[],
        &mut Notes::default(),
    );
    assert!(matches!(resumed, Err(CrawlError::NoState(_))));
    assert_eq!(std::fs::read(open).unwrap(), b"pages");
}

#[test]
fn kinds_of_pages_are_known_again() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" | "/sitemap.xml" => Reply::missing(),
        path => {
            let links: String = (0..100)
                .map(|n| format!("<li><a href=/{n}>{n}</a>"))
                .collect();
            Reply::html(format!(
                "<title>{path} - Shop</title><div class=item><h1>{path}</h1><b class=price>{path}</b><ul>{links}</ul></div>"
            ))
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let settings = settings(&["a.example"])
        .follow(true)
        .enough(Some(20))
        .latency(Duration::from_millis(50));
    let mut notes = Notes {
        stop_at: Some(8),
        ..Notes::default()
    };
    let given = [server.url("a.example", "/0")];
    assert!(
        !begin(&path, Start::Resume, &settings, &given, &mut notes)
            .unwrap()
            .is_finished
    );
    let report = begin(&path, Start::Resume, &settings, &[], &mut Notes::default()).unwrap();
    assert_eq!(
        (report.pages, report.kinds["a.example"].0[0].pages),
        (20, 20)
    );
}

#[test]
fn two_crawls_do_not_write_the_same_file() {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let given = [server.url("a.example", "/0")];
    let settings = settings(&["a.example"])
        .follow(true)
        .latency(Duration::from_millis(50));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            begin(
                &path,
                Start::Resume,
                &settings,
                &given,
                &mut Notes::default(),
            )
            .unwrap()
        });
        while server.hits().is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        for start in [
            Start::Resume,
            Start::Anew(Overwrite::Refuse),
            Start::Anew(Overwrite::Allow),
        ] {
            let second = begin(&path, start, &settings, &given, &mut Notes::default());
            assert!(
                matches!(second, Err(CrawlError::State(StateError::Locked(_)))),
                "{start:?}: {second:?}"
            );
        }
        assert_eq!(first.join().unwrap().pages, 40);
    });
}

#[test]
fn pages_that_are_asked_for_again_are_stored_only_if_they_changed() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/tagged" if hit.head.contains("if-none-match: \"v1\"") => Reply::new(304, ""),
        "/tagged" => Reply::html("<p>tagged").with("ETag", "\"v1\""),
        "/dated" if hit.head.contains("if-modified-since: Sun, 06 Nov 1994") => Reply::new(304, ""),
        "/dated" => Reply::html("<p>dated").with("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
        "/changing" => Reply::html(format!("<p>{:?}", hit.at)),
        path => Reply::html(path),
    });
    let paths = ["/tagged", "/dated", "/changing", "/same"];
    let given = paths.map(|path| server.url("a.example", path));
    let crawled = run(
        &settings(&["a.example"])
            .again(Some(Duration::from_millis(300)))
            .visits(3),
        &given,
    );
    assert_eq!(server.paths("a.example").len(), 12, "each three times");
    let text = crawled.text();
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("revisit/server-not-modified"), 4);
    assert_eq!(count("revisit/identical-payload-digest"), 2);
    assert_eq!(count("WARC-Type: response"), 6);
    assert_eq!(crawled.report.pages, 4);
    assert_eq!(count("WARC-Refers-To-Date: "), 6);
}

#[test]
fn a_limit_ends_a_crawl_and_counts_pages() {
    let server = site();
    let crawled = run(
        &settings(&["a.example"]).follow(true).limit(Some(7)),
        &[server.url("a.example", "/0")],
    );
    assert_eq!((crawled.report.pages, crawled.pages().len()), (7, 7));
    assert!(crawled.report.domains["a.example"].left > 0);
}
