//! The rules of RFC 9309, each as the RFC says it, and what the crawler makes of answers to the
//! request for them.

use crate::{
    run,
    server::{Reply, Server},
    settings,
};
use std::time::Duration;
use unmold_crawl::robots::Rules;
use url::Url;

/// Whether rules allow a path.
fn allows(rules: &str, path: &str) -> bool {
    Rules::parse(rules.as_bytes())
        .allow(&Url::parse(&format!("https://example.com{path}")).unwrap())
}

/// Rules, a path, and whether it is allowed.
const EXPECTED: &[(&str, &str, bool, &str)] = &[
    // 2.2.1: the user-agent line.
    (
        "User-agent: unmold\nDisallow: /x",
        "/x",
        false,
        "a group for this crawler",
    ),
    (
        "user-AGENT: UnMold\ndisallow: /x",
        "/x",
        false,
        "names have no case",
    ),
    (
        "User-agent: other\nDisallow: /x",
        "/x",
        true,
        "a group for another crawler",
    ),
    (
        "User-agent: *\nDisallow: /x",
        "/x",
        false,
        "a group for all",
    ),
    (
        "User-agent: *\nDisallow: /\n\nUser-agent: unmold\nDisallow: /x",
        "/y",
        true,
        "its own group comes before the one for all",
    ),
    (
        "User-agent: unmold\nDisallow: /x\n\nUser-agent: unmold\nDisallow: /y",
        "/x",
        false,
        "groups of one name are combined (1)",
    ),
    (
        "User-agent: unmold\nDisallow: /x\n\nUser-agent: unmold\nDisallow: /y",
        "/y",
        false,
        "groups of one name are combined (2)",
    ),
    (
        "User-agent: a\nUser-agent: unmold\nDisallow: /x",
        "/x",
        false,
        "a group for several",
    ),
    (
        "User-agent: unmold/2.0\nDisallow: /x",
        "/x",
        false,
        "a version behind the name",
    ),
    (
        "User-agent: unmoldbot\nDisallow: /x",
        "/x",
        true,
        "a longer name is another name",
    ),
    ("Disallow: /x", "/x", true, "a rule outside of any group"),
    (
        "User-agent: *\nUser-agent: other\nDisallow: /x",
        "/x",
        false,
        "all, among others",
    ),
    // 2.2.2: allow and disallow.
    ("", "/", true, "no rules"),
    (
        "User-agent: *\nDisallow:",
        "/x",
        true,
        "an empty rule forbids nothing",
    ),
    ("User-agent: *\nDisallow: /", "/x", false, "everything"),
    (
        "User-agent: *\nDisallow: /",
        "/robots.txt",
        true,
        "the rules themselves are always allowed",
    ),
    ("User-agent: *\nDisallow: /x", "/X", true, "paths have case"),
    (
        "User-agent: *\nDisallow: /x",
        "/xy",
        false,
        "a rule is a beginning",
    ),
    ("User-agent: *\nDisallow: /x/", "/x", true, "but all of it"),
    (
        "User-agent: *\nAllow: /x/y\nDisallow: /x",
        "/x/y",
        true,
        "the longest match wins, allow",
    ),
    (
        "User-agent: *\nAllow: /x\nDisallow: /x/y",
        "/x/y",
        false,
        "the longest match wins, disallow",
    ),
    (
        "User-agent: *\nDisallow: /x\nAllow: /x/y",
        "/x/y",
        true,
        "the order does not matter",
    ),
    (
        "User-agent: *\nDisallow: /x\nAllow: /x",
        "/x",
        true,
        "of two that are equal, allow",
    ),
    (
        "User-agent: *\nDisallow: /x?y",
        "/x?y=1",
        false,
        "the query counts",
    ),
    // 2.2.2: characters beyond ASCII are compared percent-encoded, others not.
    (
        "User-agent: *\nDisallow: /foo/bar?baz=quz",
        "/foo/bar?baz=quz",
        false,
        "example, first row",
    ),
    (
        "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar",
        "/foo/bar?baz=https://foo.bar",
        false,
        "example, second row, plain",
    ),
    (
        "User-agent: *\nDisallow: /foo/bar/ツ",
        "/foo/bar/%E3%83%84",
        false,
        "example, third row",
    ),
    (
        "User-agent: *\nDisallow: /foo/bar/%E3%83%84",
        "/foo/bar/ツ",
        false,
        "example, fourth row",
    ),
    (
        "User-agent: *\nDisallow: /foo/bar/%62%61%7A",
        "/foo/bar/baz",
        false,
        "example, fifth row",
    ),
    // 2.2.3: special characters.
    (
        "User-agent: *\nAllow: /this/path/exactly$\nDisallow: /",
        "/this/path/exactly",
        true,
        "the end",
    ),
    (
        "User-agent: *\nAllow: /this/path/exactly$\nDisallow: /",
        "/this/path/exactly/not",
        false,
        "behind the end",
    ),
    (
        "User-agent: *\nDisallow: /this/*/exactly",
        "/this/a/b/exactly/x",
        false,
        "anything",
    ),
    (
        "User-agent: *\nDisallow: *.gif$",
        "/a/b.gif",
        false,
        "5.1: *.gif$",
    ),
    (
        "User-agent: *\nDisallow: *.gif$",
        "/a/b.gif?x",
        true,
        "5.1: not at the end",
    ),
    (
        "User-agent: *\nDisallow: /path/file-with-a-%2A.html",
        "/path/file-with-a-*.html",
        false,
        "an escaped star is a star (1)",
    ),
    (
        "User-agent: *\nDisallow: /path/file-with-a-%2A.html",
        "/path/file-with-a-x.html",
        true,
        "an escaped star is a star (2)",
    ),
    (
        "User-agent: * # all\nDisallow: /x # this",
        "/x",
        false,
        "comments",
    ),
    // 5.1: the simple example, and 5.2: the longest match.
    (
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/",
        "/example/x",
        false,
        "5.1 (1)",
    ),
    (
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/",
        "/publications/x",
        true,
        "5.1 (2)",
    ),
    (
        "User-Agent: foobot\nDisallow:/\nAllow:/example/page/\nAllow:/example/allowed.gif\n\nUser-agent: unmold\nDisallow:/",
        "/example/page/",
        false,
        "5.1 (3)",
    ),
    (
        "User-Agent: unmold\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif",
        "/example/page/x",
        true,
        "5.2 (1)",
    ),
    (
        "User-Agent: unmold\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif",
        "/example/page/disallowed.gif",
        false,
        "5.2 (2)",
    ),
    // 2.2.4 and beyond: other lines, other bytes.
    (
        "User-agent: *\nCrawl-delay: 1\nDisallow: /x",
        "/x",
        false,
        "other records do not end a group",
    ),
    (
        "Sitemap: https://example.com/s.xml\nUser-agent: *\nDisallow: /x",
        "/x",
        false,
        "a sitemap before a group",
    ),
    (
        "User-agent: *\r\nDisallow: /x\r\n",
        "/x",
        false,
        "line ends of Windows",
    ),
    (
        "User-agent: *\rDisallow: /x",
        "/x",
        false,
        "line ends of old",
    ),
    (
        "\u{feff}User-agent: *\nDisallow: /x",
        "/x",
        false,
        "a byte order mark",
    ),
    (
        "User-agent: *\nDisallow: /x",
        "/x",
        false,
        "no line end at the end",
    ),
    (
        "<!doctype html><title>Not found</title><p>Disallow: /",
        "/x",
        true,
        "a page instead of rules",
    ),
];

#[test]
fn rfc_9309() {
    let wrong: Vec<&str> = EXPECTED
        .iter()
        .filter(|(rules, path, is_allowed, _)| allows(rules, path) != *is_allowed)
        .map(|row| row.3)
        .collect();
    println!(
        "{} of {} expectations hold; not: {wrong:?}",
        EXPECTED.len() - wrong.len(),
        EXPECTED.len()
    );
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn rules_in_utf_16_and_with_nul_are_read() {
    let wide: Vec<u8> = "\u{feff}User-agent: *\nDisallow: /x"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert!(!Rules::parse(&wide).allow(&Url::parse("https://example.com/x").unwrap()));
    assert!(!allows("User-agent: *\n\0\nDisallow: /x\n", "/x"));
    let long = format!(
        "User-agent: *\nDisallow: /x\n{}Disallow: /y\n",
        "# filler\n".repeat(6_000_000)
    );
    assert!(!allows(&long, "/x"));
    assert!(allows(&long, "/y"), "what is beyond 500 KiB is not read");
}

/// Asks a server whose `robots.txt` is answered so for one page; gives whether it was asked for it,
/// and how often for rules.
fn asked(reply: impl Fn(usize) -> Reply + Send + Sync + 'static) -> (bool, usize) {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/page" => Reply::html("<p>page"),
        _ => reply(count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)),
    });
    let crawled = run(
        &settings(&["a.example"]).retries(2),
        &[server.url("a.example", "/page")],
    );
    let is_asked = server.hits().iter().any(|hit| hit.path == "/page");
    assert_eq!(crawled.report.pages == 1, is_asked);
    assert_eq!(
        crawled.report.failed.is_empty(),
        is_asked,
        "what is left out is told"
    );
    (is_asked, server.hits().len() - usize::from(is_asked))
}

#[test]
fn without_rules_everything_is_allowed_and_with_unreadable_ones_nothing() {
    assert_eq!(asked(|_| Reply::new(404, "")), (true, 1));
    assert_eq!(asked(|_| Reply::new(403, "")), (true, 1));
    assert_eq!(asked(|_| Reply::new(401, "")), (true, 1));
    assert_eq!(asked(|_| Reply::new(500, "")), (false, 3));
    assert_eq!(asked(|_| Reply::new(503, "")), (false, 3));
    assert_eq!(asked(|_| Reply::new(429, "")), (false, 3));
    assert_eq!(asked(|_| Reply::raw("")), (false, 3));
    // Tried again later, it may go better.
    assert_eq!(
        asked(|n| if n < 2 {
            Reply::new(500, "")
        } else {
            Reply::text("")
        }),
        (true, 3)
    );
    assert_eq!(
        asked(|n| if n < 2 {
            Reply::new(500, "")
        } else {
            Reply::text("User-agent: *\nDisallow: /no")
        }),
        (true, 3)
    );
}

#[test]
fn rules_that_never_come_forbid_everything() {
    let started = std::time::Instant::now();
    assert_eq!(asked(|_| Reply::silent()), (false, 3));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn five_redirects_of_rules_are_followed_and_a_sixth_means_none() {
    let five = |n: usize| {
        if n < 5 {
            Reply::redirect(format!("/r{n}"))
        } else {
            Reply::text("User-agent: *\nDisallow: /no")
        }
    };
    assert_eq!(asked(five), (true, 6));
    assert_eq!(asked(|n| Reply::redirect(format!("/r{n}"))), (true, 6));
}

#[test]
fn rules_that_were_moved_hold_where_they_were_asked_for() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" if hit.host == "a.example" => Reply::redirect("/rules/robots.txt"),
        "/rules/robots.txt" => Reply::text("User-agent: unmold\nDisallow: /secret"),
        _ => Reply::html("<p>page"),
    });
    let crawled = run(
        &settings(&["a.example"]),
        &[
            server.url("a.example", "/secret"),
            server.url("a.example", "/open"),
        ],
    );
    assert_eq!(crawled.pages(), [server.url("a.example", "/open")]);
    assert_eq!(crawled.reason("/secret"), "robots.txt does not allow it");
    assert!(!server.paths("a.example").contains(&"/secret".to_owned()));
}

#[test]
fn a_bomb_instead_of_rules_is_read_up_to_the_limit() {
    let bomb = std::sync::Arc::new(crate::bounds::gzip_bomb());
    let reply = move |_| Reply::text(bomb.to_vec()).with("Content-Encoding", "gzip");
    assert_eq!(asked(reply), (true, 1));
    assert_eq!(
        asked(|_| Reply::text("# filler\n".repeat(1000)).endless()),
        (true, 1)
    );
}

#[test]
fn what_pages_and_headers_ask_of_crawlers_is_heard_and_recorded() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/0" => Reply::html("<meta name=robots content='noindex, nofollow'><a href=/a>a</a>"),
        "/1" => Reply::html("<a href=/b>b</a>").with("X-Robots-Tag", "nofollow"),
        "/2" => Reply::html("<a href=/c>c</a>").with("X-Robots-Tag", "otherbot: nofollow"),
        path => Reply::html(path),
    });
    let given = ["/0", "/1", "/2"].map(|path| server.url("a.example", path));
    let crawled = run(&settings(&["a.example"]).follow(true), &given);
    let mut asked = server.paths("a.example");
    asked.sort();
    assert_eq!(asked, ["/0", "/1", "/2", "/c"]);
    assert_eq!(crawled.report.domains["a.example"].noindex, 1);
    assert!(crawled.text().contains("robots: noindex"));
}
