//! No server is asked too often, and nobody waits longer than that takes.

use crate::{
    run,
    server::{Hit, Reply, Server},
    settings,
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

const LATENCY: Duration = Duration::from_millis(200);

fn page(hit: &Hit) -> Reply {
    match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        path => Reply::html(format!("<title>{path}</title><p>{}{path}", hit.host)),
    }
}

/// When each registered domain was asked.
fn by_domain(hits: &[Hit]) -> BTreeMap<String, Vec<Instant>> {
    let mut times: BTreeMap<String, Vec<Instant>> = BTreeMap::new();
    for hit in hits {
        let labels: Vec<&str> = hit.host.rsplit('.').take(2).collect();
        times.entry(labels.join(".")).or_default().push(hit.at);
    }
    times
}

fn assert_polite(hits: &[Hit], latency: Duration) {
    for (domain, times) in by_domain(hits) {
        let least = times
            .windows(2)
            .map(|two| two[1] - two[0])
            .min()
            .unwrap_or(latency);
        assert!(least >= latency, "{domain} was asked again after {least:?}");
    }
}

#[test]
fn no_host_is_asked_within_its_latency_while_others_fill_the_gaps() {
    let server = Server::start(page);
    let hosts = [
        "a.example",
        "www.b.example",
        "shop.b.example",
        "c.example",
        "d.example",
    ];
    let pages = [10, 4, 4, 7, 2];
    let given: Vec<String> = hosts
        .iter()
        .zip(pages)
        .flat_map(|(host, pages)| {
            (0..pages)
                .map(|page| server.url(host, &format!("/{page}")))
                .collect::<Vec<_>>()
        })
        .collect();
    let started = Instant::now();
    let crawled = run(&settings(&hosts).latency(LATENCY), &given);
    let took = started.elapsed();
    assert_eq!(crawled.report.pages, 27);
    let hits = server.hits();
    assert_polite(&hits, LATENCY);

    // Each of the four domains is asked before any is asked for the third time.
    let domains = by_domain(&hits);
    assert_eq!(
        domains.len(),
        4,
        "two hosts of one registered domain share its latency"
    );
    let third = domains
        .values()
        .filter_map(|times| times.get(2))
        .min()
        .unwrap();
    assert!(
        domains.values().all(|times| times[0] < *third),
        "hosts interleave"
    );

    // The longest queue decides: a.example has 10 pages and its rules, so ten pauses.
    let bound = LATENCY * 10;
    println!("took {took:?}, the politest schedule takes {bound:?}");
    assert!(took >= bound && took < bound * 2, "{took:?} for {bound:?}");
}

#[test]
fn redirects_wait_their_turn_like_other_pages() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/0" => Reply::redirect("/1"),
        "/1" => Reply::redirect("/2"),
        path => Reply::html(path),
    });
    let crawled = run(
        &settings(&["a.example"]).latency(LATENCY),
        &[server.url("a.example", "/0")],
    );
    assert_eq!(server.paths("a.example"), ["/0", "/1", "/2"]);
    assert_eq!(crawled.pages(), [server.url("a.example", "/2")]);
    assert_polite(&server.hits(), LATENCY);
}

#[test]
fn a_crawl_delay_is_kept_and_one_of_a_day_is_too_much() {
    let server = Server::start(|hit| match (hit.host.as_str(), hit.path.as_str()) {
        ("a.example", "/robots.txt") => Reply::text("User-agent: *\nCrawl-delay: 0.3"),
        ("b.example", "/robots.txt") => Reply::text("User-agent: *\nCrawl-delay: 86400"),
        (_, "/robots.txt") => Reply::text("User-agent: *\nCrawl-delay: abc\nCrawl-delay: -1"),
        (host, path) => Reply::html(format!("{host}{path}")),
    });
    let hosts = ["a.example", "b.example", "c.example"];
    let given: Vec<String> = hosts
        .iter()
        .flat_map(|host| [server.url(host, "/0"), server.url(host, "/1")])
        .collect();
    let crawled = run(&settings(&hosts), &given);
    let a: Vec<Hit> = server
        .hits()
        .into_iter()
        .filter(|hit| hit.host == "a.example")
        .collect();
    assert_polite(&a, Duration::from_millis(300));
    assert_eq!(crawled.report.pages, 4);
    for page in ["/0", "/1"] {
        let url = server.url("b.example", page);
        let of_page = |failed: &&unmold_crawl::Failure| failed.url == url;
        let failed = crawled.report.failed.iter().find(of_page).unwrap();
        let reason = "robots.txt asks for 86400 s between requests";
        assert_eq!(failed.reason, reason);
    }
    assert!(server.paths("b.example").is_empty());
}

#[test]
fn retry_after_is_honoured_within_bounds() {
    let server = Server::start(|hit| match (hit.host.as_str(), hit.path.as_str()) {
        (_, "/robots.txt") => Reply::missing(),
        ("a.example", "/0") if !hit.head.contains("again") => {
            Reply::new(429, "wait").with("Retry-After", "1")
        }
        ("b.example", _) => Reply::new(503, "wait").with("Retry-After", "999999999"),
        (host, path) => Reply::html(format!("{host}{path}")),
    });
    let given = [
        server.url("a.example", "/0"),
        server.url("b.example", "/0"),
        server.url("b.example", "/1"),
    ];
    let crawled = run(&settings(&["a.example", "b.example"]).retries(1), &given);
    let a: Vec<Instant> = server
        .hits()
        .iter()
        .filter(|hit| hit.path == "/0" && hit.host == "a.example")
        .map(|hit| hit.at)
        .collect();
    assert_eq!(a.len(), 2);
    assert!(a[1] - a[0] >= Duration::from_secs(1));
    assert_eq!(crawled.reason("a.example:1/0"), "");
    assert!(
        crawled
            .report
            .failed
            .iter()
            .any(|failed| failed.reason == "HTTP status 429")
    );
    assert_eq!(server.paths("b.example"), ["/0"]);
    assert!(
        crawled.report.domains["b.example"]
            .stopped
            .as_deref()
            .unwrap()
            .contains("more than an hour")
    );
}

#[test]
fn a_server_that_forbids_everything_is_left_alone() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        _ => Reply::new(403, "no"),
    });
    let given: Vec<String> = (0..30)
        .map(|page| server.url("a.example", &format!("/{page}")))
        .collect();
    let crawled = run(&settings(&["a.example"]), &given);
    assert_eq!(server.paths("a.example").len(), 10);
    assert_eq!(
        crawled.report.domains["a.example"].stopped.as_deref(),
        Some("10 pages in a row were forbidden")
    );
    assert_eq!(crawled.report.domains["a.example"].left, 20);
}

#[test]
fn servers_are_told_who_asks_and_no_more() {
    let server = Server::start(page);
    run(
        &settings(&["a.example"]).follow(true),
        &[server.url("a.example", "/0")],
    );
    for hit in server.hits() {
        assert!(hit.head.contains("user-agent: unmold/"), "{}", hit.head);
        assert!(
            hit.head.contains("(+mailto:test@a.example)"),
            "{}",
            hit.head
        );
        for private in ["cookie", "referer", "authorization"] {
            assert!(
                !hit.head.to_ascii_lowercase().contains(private),
                "{}",
                hit.head
            );
        }
    }
}
