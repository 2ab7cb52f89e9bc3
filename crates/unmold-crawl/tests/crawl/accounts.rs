//! What was asked for and what was not: every address has a page or a reason, and counts add up.

use crate::{
    Crawled, Notes, begin, run,
    server::{Hit, Reply, Server},
    settings,
};
use std::{
    io::Write as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use unmold_crawl::{Failure, FailureKind, Progress, Report, Scope, Start, Watch, crawl};
use unmold_io::{LoadSettings, Pattern, load, save::Overwrite};

/// The reason of the address that ends so, and its kind.
fn row<'r>(report: &'r Report, end: &str) -> Option<(FailureKind, &'r str)> {
    let ends_so = |row: &&Failure| row.url.ends_with(end);
    let row = report.without_page.iter().find(ends_so)?;
    Some((row.kind, row.reason.as_str()))
}

fn assert_adds_up(report: &Report) {
    let counts = report.counts;
    assert_eq!(
        counts.known,
        counts.fetched + counts.failed + counts.refused + counts.left,
        "{counts:?}"
    );
}

#[test]
fn a_circle_of_redirects_is_a_failure_of_all_its_addresses() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/a" => Reply::redirect("/b"),
        "/b" => Reply::redirect("/c"),
        "/c" => Reply::redirect("/a"),
        "/x" => Reply::redirect("/y"),
        path => Reply::html(path),
    });
    let given = ["/a", "/x", "/y"].map(|path| server.url("a.example", path));
    let crawled = run(&settings(&["a.example"]), &given);
    for end in ["/a", "/b", "/c"] {
        let (kind, reason) = row(&crawled.report, end).expect(end);
        assert_eq!(kind, FailureKind::Redirect);
        assert_eq!(reason, "it redirects in a circle of 3 addresses");
    }
    assert_eq!(
        crawled.reason("/a"),
        "it redirects in a circle of 3 addresses"
    );
    assert_eq!(row(&crawled.report, "/x"), None, "it leads to a page");
    assert_eq!(crawled.pages(), [server.url("a.example", "/y")]);
    assert_eq!(crawled.report.counts.known, 5);
    assert_eq!(crawled.report.counts.failed, 3);
    assert_adds_up(&crawled.report);
}

#[test]
fn a_host_that_asks_for_a_minute_between_requests_is_given_up_alone() {
    let server = Server::start(|hit| match (hit.host.as_str(), hit.path.as_str()) {
        ("slow.a.example", "/robots.txt") => Reply::text("User-agent: *\nCrawl-delay: 60"),
        (_, "/robots.txt") => Reply::missing(),
        (_, path) => Reply::html(path),
    });
    let hosts = ["slow.a.example", "www.a.example"];
    let mut given = Vec::new();
    for host in hosts {
        for page in 0..3 {
            given.push(server.url(host, &format!("/{page}")));
        }
    }
    let crawled = run(&settings(&hosts), &given);
    assert_eq!(server.paths("www.a.example"), ["/0", "/1", "/2"]);
    assert!(server.paths("slow.a.example").is_empty());
    assert_eq!(crawled.report.pages, 3);
    assert_eq!(crawled.report.without_page.len(), 3, "each has a row");
    for row in &crawled.report.without_page {
        assert_eq!(row.kind, FailureKind::Robots);
        assert_eq!(row.reason, "robots.txt asks for 60 s between requests");
    }
    assert_eq!(crawled.report.counts.refused, 3);
    assert_adds_up(&crawled.report);
}

/// Stops as soon as somebody says so.
struct StopsWhen(Arc<AtomicBool>);

impl Watch for StopsWhen {
    fn progress(&mut self, _: &Progress) {}
    fn note(&mut self, _: &str) {}
    fn wants_to_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn a_server_that_asked_to_be_left_alone_is_left_alone_after_a_resume_too() {
    let is_asked = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_asked);
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/0" if !asked.swap(true, Ordering::Relaxed) => {
            Reply::new(503, "wait").with("Retry-After", "2")
        }
        path => Reply::html(path),
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let settings = settings(&["a.example"]);
    let given = [server.url("a.example", "/0"), server.url("a.example", "/1")];
    let first = unmold_crawl::crawl(
        &path,
        Start::Anew(Overwrite::Refuse),
        &settings,
        Vec::from(given).into_iter(),
        &mut StopsWhen(is_asked),
    );
    assert!(!first.unwrap().is_finished);
    let report = begin(&path, Start::Resume, &settings, &[], &mut Notes::default()).unwrap();
    assert_eq!(report.pages, 2);
    let times: Vec<Instant> = server
        .hits()
        .iter()
        .filter(|hit| hit.path != "/robots.txt")
        .map(|hit| hit.at)
        .collect();
    assert!(
        times[1] - times[0] >= Duration::from_secs(2),
        "{:?}",
        times[1] - times[0]
    );
}

#[test]
fn a_page_that_was_cut_is_no_bad_input_to_whoever_reads_the_archive() {
    // Words that hardly pack, and a page of twice the limit.
    let mut words = String::from("<title>Long</title><p>");
    let mut seed = 1_u64;
    while words.len() < 2 * LoadSettings::PAGE_BYTES {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        words += &format!("{:x} ", seed >> 32);
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(words.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/plain" => Reply::html(words.clone()),
        _ => Reply::html(packed.clone()).with("Content-Encoding", "gzip"),
    });
    let given = ["/plain", "/packed"].map(|path| server.url("a.example", path));
    let crawled = run(&settings(&["a.example"]), &given);
    let mut pages = load([&crawled.path], &LoadSettings::default()).pages();
    let mut lengths = Vec::new();
    for page in pages.by_ref() {
        let page = page.expect("no fault");
        assert!(page.is_truncated());
        lengths.push(page.bytes().len());
    }
    assert_eq!(pages.tally().faults(), 0);
    let limit = LoadSettings::PAGE_BYTES;
    assert_eq!(lengths[0], limit);
    assert!(
        (limit - limit / 500..=limit).contains(&lengths[1]),
        "{lengths:?}"
    );
}

#[test]
fn rules_that_lead_to_a_refused_address_forbid_everything() {
    let other = Server::start(|_| Reply::text("User-agent: *\nAllow: /"));
    let port = other.port;
    let server = Server::start(
        move |hit: &Hit| match (hit.host.as_str(), hit.path.as_str()) {
            ("a.example", "/robots.txt") => Reply::redirect("http://192.168.0.1/robots.txt"),
            ("b.example", "/robots.txt") => {
                Reply::redirect(format!("http://b.example:{port}/robots.txt"))
            }
            (_, path) => Reply::html(path),
        },
    );
    let hosts = ["a.example", "b.example"];
    let given = hosts.map(|host| server.url(host, "/0"));
    let crawled = run(&settings(&hosts), &given);
    assert_eq!(crawled.report.pages, 0);
    for host in hosts {
        assert!(server.paths(host).is_empty(), "{host}");
    }
    assert!(other.hits().is_empty(), "a port that nobody gave");
    for row in &crawled.report.without_page {
        assert_eq!(row.kind, FailureKind::Robots);
        assert!(row.reason.starts_with("robots.txt redirects to"), "{row:?}");
    }
    assert_eq!(crawled.report.without_page.len(), 2);
}

#[test]
fn no_link_and_no_redirect_leads_to_a_port_that_nobody_gave() {
    let other = Server::start(|_| Reply::html("a database"));
    let port = other.port;
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/" => Reply::html(format!(
            "<a href=http://a.example:{port}/link>x</a><a href=/r>y</a>"
        )),
        "/r" => Reply::redirect(format!("http://a.example:{port}/redirect")),
        _ => Reply::missing(),
    });
    let given = [server.url("a.example", "/")];
    let crawled = run(&settings(&["a.example"]).follow(true), &given);
    assert!(other.hits().is_empty());
    for end in ["/link", "/redirect"] {
        let (kind, reason) = row(&crawled.report, end).expect(end);
        assert_eq!(kind, FailureKind::Refused);
        assert!(reason.contains("neither 80 nor 443"), "{reason}");
    }
    assert_adds_up(&crawled.report);
}

#[test]
fn what_is_left_has_a_row_with_its_reason() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /no"),
        "/" => {
            let mut links = String::from("<a href=/no>no</a><a href=/gone>gone</a>");
            for page in 0..40 {
                links += &format!("<a href=/list?page={page}>{page}</a>");
            }
            Reply::html(links)
        }
        "/gone" => Reply::missing(),
        path => Reply::html(path),
    });
    let given = [server.url("a.example", "/"), "ftp://a.example/".into()];
    let limited = settings(&["a.example"])
        .follow(true)
        .per_shape(300)
        .limit(Some(11));
    let Crawled { report, .. } = run(&limited, &given);
    assert_eq!(report.counts.known, 1 + 1 + 2 + 40);
    assert_eq!(
        report.without_page.len(),
        report.counts.known - report.counts.fetched
    );
    let reason = |end: &str| row(&report, end).expect(end);
    assert_eq!(reason("ftp://a.example/").0, FailureKind::Refused);
    assert_eq!(reason("/no").0, FailureKind::Robots);
    assert_eq!(reason("/gone").0, FailureKind::Status);
    let over = reason("?page=35");
    assert_eq!(over.0, FailureKind::Left);
    assert!(
        over.1.contains("more than 30 addresses of this shape"),
        "{}",
        over.1
    );
    let left = reason("?page=25");
    assert_eq!(
        left,
        (
            FailureKind::Left,
            "there are as many pages as were asked for"
        )
    );
    assert_eq!(report.domains["a.example"].left, report.counts.left);
    assert_adds_up(&report);
}

#[test]
fn what_options_leave_out_has_a_row_with_its_reason() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/sitemap.xml" => Reply::text(
            "<urlset><url><loc>/old</loc><lastmod>2020-01-01</lastmod></url>\
             <url><loc>/both</loc><lastmod>2020-01-01</lastmod></url><url><loc>http://</loc></url></urlset>",
        ),
        "/" => Reply::html(
            "<a href=/far/1>1</a><a href=/private/x>x</a><a href=http://b.example/y>y</a>\
             <a href=http://www.a.example/z>z</a><a href=/both>both</a>",
        ),
        "/far/1" => Reply::html("<p>one<a href=/far/2>2</a>"),
        "/far/2" => Reply::html("<p>two<a href=/far/3>3</a>"),
        path => Reply::html(path),
    });
    let bounded = settings(&["a.example", "b.example", "www.a.example"])
        .follow(true)
        .sitemaps(true)
        .depth(1)
        .scope(Scope::Host)
        .since(Some("2026-01-01".into()))
        .exclude(vec![Pattern::new("*/private/*")]);
    let Crawled { report, .. } = run(&bounded, &[server.url("a.example", "/")]);
    let reason = |end: &str| row(&report, end).expect(end).1.to_owned();
    assert!(reason("/far/2").contains("--depth"));
    assert!(reason("/private/x").contains("--exclude"));
    assert!(reason("/z").contains("--scope"));
    assert!(reason("/old").contains("--since"));
    assert_eq!(row(&report, "http://").unwrap().0, FailureKind::Refused);
    assert!(row(&report, "/y").is_none(), "another site is not counted");
    // A sitemap says that it is old, but a page links to it.
    assert!(row(&report, "/both").is_none() && server.paths("a.example").contains(&"/both".into()));
    assert_adds_up(&report);
}

#[test]
fn what_was_left_out_and_is_then_given_is_fetched() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/" => Reply::html("<a href=/private/x>x</a>"),
        path => Reply::html(path),
    });
    let excluding = settings(&["a.example"])
        .follow(true)
        .latency(Duration::from_millis(50))
        .exclude(vec![Pattern::new("*/private/*")]);
    let given = ["/", "/b", "/c", "/private/x"].map(|path| server.url("a.example", path));
    // The last one comes when it was found already.
    let slowly = given.into_iter().enumerate().map(|(at, url)| {
        std::thread::sleep(Duration::from_millis(if at == 3 { 500 } else { 0 }));
        url
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let report = crawl(
        &path,
        Start::Resume,
        &excluding,
        slowly,
        &mut Notes::default(),
    )
    .unwrap();
    assert_eq!(report.pages, 4);
    assert_eq!((report.counts.known, report.counts.left), (4, 0));
    assert_eq!(report.domains["a.example"].left, 0);
}

#[test]
fn a_parameter_called_like_a_session_names_pages_where_it_does() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/" => {
            let stories = (1..=6).map(|story| format!("<a href=/article?sid={story}>{story}</a>"));
            Reply::html(stories.collect::<String>())
        }
        path => Reply::html(path),
    });
    let given = [1, 2].map(|story| server.url("a.example", &format!("/article?sid={story}")));
    let crawled = run(&settings(&["a.example"]), &given);
    assert_eq!(
        crawled.pages(),
        given,
        "named addresses are fetched as they are"
    );
    let home = [server.url("a.example", "/")];
    let crawled = run(&settings(&["a.example"]).follow(true), &home);
    assert_eq!(crawled.report.pages, 7);
}

/// Digits and letters that look like a session id.
fn session_id(number: usize) -> String {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{mixed:016x}{:016x}", mixed.rotate_left(21))
}

#[test]
fn sessions_in_links_lead_to_each_page_once() {
    // Each answer has a session of its own in all its links, under a name that no list has.
    let answers = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |hit| {
        let number = answers.fetch_add(1, Ordering::Relaxed);
        let page = hit.path.split(['?', '/']).nth(1).unwrap_or_default();
        let Ok(page) = page.parse::<usize>() else {
            return Reply::missing();
        };
        let mut links = format!(
            "<h1>Page {}</h1>",
            "abcdefghijklmnopqrst".get(page..=page).unwrap()
        );
        for other in 0..20 {
            links += &format!("<a href='/{other}?visitor={}'>x</a>", session_id(number));
        }
        Reply::html(links)
    });
    let crawled = run(
        &settings(&["a.example"]).follow(true),
        &[server.url("a.example", "/0")],
    );
    let mut apart: Vec<String> = server.paths("a.example");
    let requests = apart.len();
    apart
        .iter_mut()
        .for_each(|path| path.truncate(path.find('?').unwrap_or(path.len())));
    apart.sort();
    apart.dedup();
    assert_eq!(apart.len(), 20, "no page is missing");
    assert!(requests <= 23, "{requests} requests for 20 pages");
    assert!(
        crawled
            .notes
            .iter()
            .any(|note| note.contains("visitor names visitors"))
    );
    assert_adds_up(&crawled.report);
}

#[test]
fn random_looking_names_of_pages_are_no_sessions() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/" => {
            let links = (0..30).map(|page| format!("<a href='/doc?id={}'>x</a>", session_id(page)));
            Reply::html(links.collect::<String>())
        }
        path => Reply::html(format!("<h1>Document</h1><p>{path}")),
    });
    let home = [server.url("a.example", "/")];
    let crawled = run(&settings(&["a.example"]).follow(true), &home);
    assert_eq!(crawled.report.pages, 31);
    assert_adds_up(&crawled.report);
}
