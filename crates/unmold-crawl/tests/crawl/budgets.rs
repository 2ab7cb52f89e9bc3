//! What a run may use up, and what is looked at before anything is fetched.

use crate::{
    Notes, begin, pages_of, run,
    server::{Reply, Server},
    settings,
};
use std::time::{Duration, Instant};
use unmold_crawl::{Budget, Settings, Start, options_of};

/// Pages of 10 KB, each of which leads to the next one.
fn site(pages: usize) -> Server {
    Server::start(
        move |hit| match hit.path.trim_start_matches('/').parse::<usize>() {
            Ok(page) if page < pages => {
                let next = page + 1;
                let words = format!("word{page} ").repeat(1500);
                Reply::html(format!("<h1>{page}</h1><p>{words}<a href=/{next}>next</a>"))
            }
            _ => Reply::missing(),
        },
    )
}

/// Runs with a budget until it is used up, and then without one.
fn stopped_and_resumed(server: &Server, budget: &Settings) -> (Option<Budget>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let given = [server.url("a.example", "/0")];
    let first = begin(&path, Start::Resume, budget, &given, &mut Notes::default()).unwrap();
    assert!(!first.is_finished && !path.exists());
    let counts = first.counts;
    assert_eq!(
        counts.known,
        counts.fetched + counts.failed + counts.refused + counts.left
    );
    assert_eq!(options_of(&path).unwrap(), ["--follow"], "options are kept");
    let rest = settings(&["a.example"]).follow(true);
    let second = begin(&path, Start::Resume, &rest, &[], &mut Notes::default()).unwrap();
    assert!(second.is_finished);
    assert_eq!(pages_of(&path).len() as u64, second.pages);
    assert_eq!(options_of(&path).unwrap(), [""; 0]);
    (first.stopped, second.pages)
}

fn following() -> Settings {
    settings(&["a.example"])
        .follow(true)
        .depth(1000)
        .options(vec!["--follow".into()])
}

#[test]
fn a_crawl_stops_when_a_budget_is_used_up_and_goes_on_later() {
    let server = site(15);
    let bytes = following().max_bytes(Some(50_000));
    assert_eq!(
        stopped_and_resumed(&server, &bytes),
        (Some(Budget::Bytes), 15)
    );
    assert!(server.paths("a.example").len() < 2 * 15);

    let server = site(15);
    let started = Instant::now();
    let time = following()
        .latency(Duration::from_millis(100))
        .max_time(Some(Duration::from_millis(600)));
    assert_eq!(
        stopped_and_resumed(&server, &time),
        (Some(Budget::Time), 15)
    );
    assert!(started.elapsed() < Duration::from_secs(10));

    #[cfg(unix)]
    {
        let server = site(15);
        let disk = following().keep_free(u64::MAX);
        assert_eq!(
            stopped_and_resumed(&server, &disk),
            (Some(Budget::Disk), 15)
        );
    }
}

#[test]
fn a_dry_run_asks_for_rules_and_sitemaps_alone() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /no"),
        "/sitemap.xml" => Reply::text(
            "<?xml version='1.0'?><urlset><url><loc>/old</loc><lastmod>2026-01-01</lastmod></url>\
             <url><loc>/new</loc><lastmod>2026-11-18T09:00:00Z</lastmod></url>\
             <url><loc>/no</loc></url><url><loc>/undated</loc></url></urlset>",
        ),
        path => Reply::html(path),
    });
    let dry = settings(&["a.example"])
        .sitemaps(true)
        .since(Some("2026-11-01".into()))
        .dry_run(true);
    let crawled = run(&dry, &[server.url("a.example", "/")]);
    let planned = ["/", "/new", "/undated"].map(|path| server.url("a.example", path));
    assert_eq!(crawled.report.planned, planned);
    assert_eq!(server.paths("a.example"), ["/sitemap.xml"]);
    assert_eq!(crawled.report.pages, 0);
}

#[test]
fn a_calendar_without_end_takes_little_of_what_is_learned() {
    let server = Server::start(|hit| {
        let path = hit.path.as_str();
        let number = path
            .rsplit('/')
            .next()
            .and_then(|end| end.parse::<usize>().ok());
        let nav = "<nav><a href=/>home</a> <a href=/calendar/1000>calendar</a></nav>";
        match number {
            _ if path == "/robots.txt" || path == "/sitemap.xml" => Reply::missing(),
            Some(month) if path.starts_with("/calendar/") => Reply::html(format!(
                "<title>Calendar {month}</title>{nav}<div class=cal><a class=prev href=/calendar/{}>earlier</a><h2>Month {month}</h2>\
                 <table><tr><td>1<td>2<td>3</table><a class=next href=/calendar/{}>later</a></div>",
                month - 1,
                month + 1
            )),
            Some(item) if path.starts_with("/item/") => Reply::html(format!(
                "<title>Item {item}</title>{nav}<div class=item><h1>Item {item}</h1><b class=price>{item}</b><p class=text>Words of {item}</p></div>"
            )),
            _ => {
                let items: String = (0..200)
                    .map(|item| format!("<li><a href=/item/{item}>Item {item}</a>"))
                    .collect();
                Reply::html(format!(
                    "<title>Home</title>{nav}<ul class=items>{items}</ul>"
                ))
            }
        }
    });
    let learning = settings(&["a.example"])
        .follow(true)
        .sitemaps(true)
        .enough(Some(60));
    run(&learning, &[server.url("a.example", "/")]);
    let paths = server.paths("a.example");
    let calendar = paths
        .iter()
        .filter(|path| path.starts_with("/calendar"))
        .count();
    assert!(
        calendar * 10 <= paths.len(),
        "{calendar} of {} requests",
        paths.len()
    );
    assert!(calendar >= 3, "a template is learned of it all the same");
}
