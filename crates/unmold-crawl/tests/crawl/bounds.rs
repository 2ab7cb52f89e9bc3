//! Whatever a server does, it ends: in time, in memory, in pages; and it is told.

use crate::{
    run,
    server::{Reply, Server},
    settings,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{
    io::Write,
    time::{Duration, Instant},
};
use unmold_crawl::Limits;

/// 200 MB in 200 KB.
pub fn gzip_bomb() -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let block = vec![b'a'; 1 << 20];
    (0..200).for_each(|_| encoder.write_all(&block).unwrap());
    encoder.finish().unwrap()
}

/// The most memory that this process has used, where the system says it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

#[test]
fn bombs_and_endless_bodies_are_cut_at_the_limit() {
    let bomb = gzip_bomb();
    let packed = zstd::encode_all(&vec![b'a'; 50 << 20][..], 3).unwrap();
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/gzip" => Reply::html(bomb.clone()).with("Content-Encoding", "gzip"),
        "/zstd" => Reply::html(packed.clone()).with("Content-Encoding", "zstd"),
        "/endless" => Reply::html("<p>and on".repeat(1000)).endless(),
        "/chunks" => Reply::html("800\r\n".to_owned() + &"x".repeat(0x800) + "\r\n")
            .with("Transfer-Encoding", "chunked")
            .endless(),
        _ => Reply::missing(),
    });
    let given = ["/gzip", "/zstd", "/endless", "/chunks"].map(|path| server.url("a.example", path));
    let limits = Limits {
        body_bytes: 1 << 20,
        total: Duration::from_secs(20),
        ..crate::limits()
    };
    let crawled = run(&settings(&["a.example"]).limits(limits), &given);
    assert_eq!(crawled.report.pages, 4);
    assert_eq!(crawled.text().matches("WARC-Truncated: length").count(), 4);
    assert!(
        crawled.report.bytes < 5 << 20,
        "no more was taken than allowed"
    );
    // All tests of this process together; a bomb alone would be 200 MB, and endless bodies have no
    // size.
    if let Some(peak) = peak_memory() {
        assert!(peak < 900 << 20, "{} MB", peak >> 20);
    }
}

#[test]
fn slow_servers_are_given_up_in_time() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/silent" => Reply::silent(),
        "/dripping" => Reply::html("").dripping(Duration::from_millis(300)),
        // A header that does not end.
        "/header" => Reply::raw("").dripping(Duration::from_millis(300)),
        "/continue" => Reply::raw("HTTP/1.1 100 Continue\r\n\r\n").endless(),
        _ => Reply::html("<p>page"),
    });
    let given = ["/silent", "/dripping", "/header", "/continue", "/page"]
        .map(|path| server.url("a.example", path));
    let started = Instant::now();
    let crawled = run(&settings(&["a.example"]).retries(0), &given);
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
    assert!(
        crawled.reason("/silent").starts_with("no answer within"),
        "{:?}",
        crawled.report.failed
    );
    assert!(
        !crawled.reason("/continue").is_empty(),
        "{:?}",
        crawled.report.failed
    );
    // What came in time is kept, and said to be cut.
    assert!(crawled.text().contains("WARC-Truncated: time"));
    assert!(
        crawled.pages().contains(&server.url("a.example", "/page")),
        "other pages are fetched"
    );
}

#[test]
fn a_body_below_the_least_rate_is_given_up_before_the_time_is() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        _ => Reply::html("").dripping(Duration::from_secs(1)),
    });
    let limits = Limits {
        total: Duration::from_secs(60),
        ..crate::limits()
    };
    let started = Instant::now();
    let crawled = run(
        &settings(&["a.example"]).retries(0).limits(limits),
        &[server.url("a.example", "/slow")],
    );
    assert!(
        started.elapsed() < Duration::from_secs(40),
        "{:?}",
        started.elapsed()
    );
    assert!(
        crawled
            .reason("/slow")
            .starts_with("the answer came too slowly"),
        "{}",
        crawled.reason("/slow")
    );
}

#[test]
fn what_is_no_http_is_an_error_of_one_page() {
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n<p>x", "X-Y: z\r\n".repeat(5000));
    let long = format!(
        "HTTP/1.1 200 OK\r\nX-Y: {}\r\n\r\n<p>x",
        "z".repeat(300_000)
    );
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/0.9" => Reply::raw("<p>HTTP/0.9"),
        "/reset" => Reply::raw(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half",
        ),
        "/lines" => Reply::raw(many.clone()),
        "/long" => Reply::raw(long.clone()),
        "/chunks" => Reply::raw(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<p>",
        ),
        "/continue" => Reply::raw("HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
        "/lengths" => {
            Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n<p>")
        }
        "/folded" => {
            Reply::raw("HTTP/1.1 200 OK\r\nX-Y: one\r\n two\r\nContent-Length: 3\r\n\r\n<p>")
        }
        "/empty" => Reply::raw(""),
        "/picture" => Reply::new(200, "PNG").with("Content-Type", "image/png"),
        _ => Reply::html("<p>page"),
    });
    let paths = [
        "/0.9",
        "/reset",
        "/lines",
        "/long",
        "/chunks",
        "/continue",
        "/lengths",
        "/folded",
        "/empty",
        "/picture",
    ];
    let given: Vec<String> = paths
        .iter()
        .chain(&["/page"])
        .map(|path| server.url("a.example", path))
        .collect();
    let crawled = run(&settings(&["a.example"]).retries(1), &given);
    for path in paths {
        assert!(
            !crawled.reason(path).is_empty(),
            "{path} is told: {:?}",
            crawled.report.failed
        );
    }
    assert_eq!(crawled.pages(), [server.url("a.example", "/page")]);
    assert_eq!(
        server
            .paths("a.example")
            .iter()
            .filter(|path| *path == "/reset")
            .count(),
        2,
        "one retry"
    );
    assert_eq!(
        server
            .paths("a.example")
            .iter()
            .filter(|path| *path == "/picture")
            .count(),
        1
    );
}

#[test]
fn redirects_that_do_not_end_are_ended() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/loop" => Reply::redirect("/loop"),
        "/ping" => Reply::redirect("/pong"),
        "/pong" => Reply::redirect("/ping"),
        path => Reply::redirect(format!("{path}1")),
    });
    let given = ["/loop", "/ping", "/long"].map(|path| server.url("a.example", path));
    let crawled = run(&settings(&["a.example"]), &given);
    assert_eq!(crawled.reason("/loop"), "it redirects to itself");
    assert!(
        crawled
            .report
            .failed
            .iter()
            .any(|failed| failed.reason == "more than 10 redirects")
    );
    // One, two, and the first and its ten redirects.
    assert_eq!(server.paths("a.example").len(), 1 + 2 + 11);
}

#[test]
fn spider_traps_are_left_and_told() {
    static ANSWERS: AtomicU64 = AtomicU64::new(1);
    let server = Server::start(|hit| {
        let path = hit.path.trim_end_matches('/').to_owned();
        let number: u64 = path
            .rsplit(['/', '='])
            .next()
            .and_then(|end| end.parse().ok())
            .unwrap_or(0);
        match path.as_str() {
            "/robots.txt" => Reply::missing(),
            path if path.starts_with("/calendar") => Reply::html(format!(
                "<p>{number}<a href=/calendar/2026/{}>next</a><a href=/calendar/2027/{}>x</a>",
                number + 1,
                number + 1
            )),
            path if path.starts_with("/deep") => {
                Reply::html(format!("<p>{path}<a href='{path}/deep'>deeper</a>"))
            }
            path if path.starts_with("/sort") => Reply::html(format!(
                "<p>{path}<a href='/sort?b={0}&a={0}'>sort</a>",
                number + 1
            )),
            path if path.starts_with("/session") => Reply::html(format!(
                "<p>same<a href='/session;jsessionid={:016x}{:016x}'>again</a>",
                ANSWERS
                    .fetch_add(1, Ordering::Relaxed)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15),
                (hit.head.len() as u64).wrapping_mul(0x2545_f491_4f6c_dd1d)
            )),
            path => Reply::html(format!(
                "<p>{path}<a href=/calendar/2026/1>c</a><a href=/deep>d</a><a href='/sort?a=1&b=1'>s</a><a href=/session>x</a>"
            )),
        }
    });
    let crawled = run(
        &settings(&["a.example"])
            .follow(true)
            .depth(1000)
            .per_shape(100),
        &[server.url("a.example", "/")],
    );
    let paths = server.paths("a.example");
    let count = |start: &str| paths.iter().filter(|path| path.starts_with(start)).count();
    assert!(
        (90..=110).contains(&count("/calendar")),
        "{}",
        count("/calendar")
    );
    assert!(count("/deep") <= 2, "{}", count("/deep"));
    assert!((9..=11).contains(&count("/sort")), "{}", count("/sort"));
    assert!(count("/session") <= 3, "{}", count("/session"));
    assert!(crawled.report.domains["a.example"].trapped >= 3);
    assert!(!crawled.notes.is_empty());
}

#[test]
fn a_server_that_answers_everything_alike_leads_nowhere() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        _ => {
            Reply::html("<p>Nothing here, but see <a href='x/'>this</a> and <a href='y/z'>that</a>")
        }
    });
    let crawled = run(
        &settings(&["a.example"]).follow(true),
        &[server.url("a.example", "/")],
    );
    assert!(
        server.paths("a.example").len() <= 3,
        "{:?}",
        server.paths("a.example")
    );
    assert!(
        crawled.text().contains("WARC-Type: revisit"),
        "what is the same is kept once"
    );
}

#[test]
fn sitemaps_have_bounds_too() {
    let bomb = gzip_bomb();
    let server = Server::start(move |hit| {
        let base = format!(
            "http://a.example:{}",
            hit.head
                .split("host: a.example:")
                .nth(1)
                .unwrap()
                .split('\r')
                .next()
                .unwrap()
        );
        match hit.path.as_str() {
            "/robots.txt" => Reply::text(format!(
                "Sitemap: {base}/index.xml\nSitemap: {base}/bomb.xml.gz\nSitemap: {base}/pages.xml.gz"
            )),
            "/index.xml" => Reply::text(format!(
                "<?xml version='1.0'?><sitemapindex><sitemap><loc>{base}/index.xml</loc></sitemap>\
                 <sitemap><loc>{base}/1.xml</loc></sitemap></sitemapindex>"
            )),
            "/1.xml" | "/2.xml" | "/3.xml" | "/4.xml" => {
                let next = hit.path[1..2].parse::<u32>().unwrap() + 1;
                Reply::text(format!(
                    "<?xml version='1.0'?><sitemapindex><sitemap><loc>{base}/{next}.xml</loc></sitemap></sitemapindex>"
                ))
            }
            "/bomb.xml.gz" => {
                Reply::new(200, bomb.clone()).with("Content-Type", "application/gzip")
            }
            "/pages.xml.gz" => {
                let mut encoder =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                let list = format!(
                    "<?xml version='1.0'?><urlset><url><loc>{base}/listed</loc></url><url><loc>http://b.example/foreign</loc></url></urlset>"
                );
                encoder.write_all(list.as_bytes()).unwrap();
                Reply::new(200, encoder.finish().unwrap()).with("Content-Type", "application/gzip")
            }
            path => Reply::html(path),
        }
    });
    let limits = Limits {
        sitemap_bytes: 1 << 20,
        total: Duration::from_secs(20),
        ..crate::limits()
    };
    let crawled = run(
        &settings(&["a.example"]).sitemaps(true).limits(limits),
        &[server.url("a.example", "/")],
    );
    assert_eq!(
        crawled.pages(),
        [
            server.url("a.example", "/"),
            server.url("a.example", "/listed")
        ]
    );
    let paths = server.paths("a.example");
    assert!(
        paths.contains(&"/2.xml".to_owned()) && !paths.contains(&"/3.xml".to_owned()),
        "two levels: {paths:?}"
    );
    assert_eq!(paths.iter().filter(|path| *path == "/index.xml").count(), 1);
}

#[test]
fn feeds_lead_to_pages_and_are_none() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/" => Reply::html("<link rel=alternate type=application/rss+xml href=/rss><p>home"),
        "/rss" => Reply::new(
            200,
            "<?xml version='1.0'?><rss><channel><item><link>/story</link></item></channel></rss>",
        )
        .with("Content-Type", "application/rss+xml"),
        path => Reply::html(path),
    });
    let crawled = run(
        &settings(&["a.example"]).follow(true),
        &[server.url("a.example", "/")],
    );
    assert_eq!(
        crawled.pages(),
        [
            server.url("a.example", "/"),
            server.url("a.example", "/story")
        ]
    );
}
