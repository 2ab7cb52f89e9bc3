//! Addresses that are not asked: nothing is sent to them, whoever names them.

use crate::{
    run,
    server::{Reply, Server},
    settings,
};
use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use unmold_crawl::{Settings, address::Guard};

/// A port of this machine that counts who connects.
fn canary() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    thread::spawn(move || {
        listener
            .incoming()
            .for_each(|_| _ = counted.fetch_add(1, Ordering::Relaxed));
    });
    (port, count)
}

#[test]
fn no_spelling_of_a_private_address_gets_a_byte() {
    let (port, count) = canary();
    let hosts = [
        "127.0.0.1",
        "0",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:7f00:1::]",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "pinned.example",
        "10.0.0.1",
        "169.254.169.254",
    ];
    let given: Vec<String> = hosts
        .iter()
        .map(|host| format!("http://{host}:{port}/"))
        .collect();
    let strict = Settings::new("mailto:test@a.example")
        .guard(Guard::default().pin("pinned.example", "127.0.0.1".parse().unwrap()))
        .latency(std::time::Duration::from_millis(1))
        .retries(0)
        .limits(crate::limits());
    let crawled = run(&strict, &given);
    assert_eq!(count.load(Ordering::Relaxed), 0, "somebody connected");
    assert_eq!(crawled.report.pages, 0);
    for host in hosts {
        let failed = crawled
            .report
            .failed
            .iter()
            .find(|failed| failed.url.contains(&format!("/{host}:")));
        // Names are written in lower case and without their last dot.
        let failed = failed.or_else(|| {
            crawled
                .report
                .failed
                .iter()
                .find(|failed| failed.url.contains("localhost"))
        });
        assert!(
            failed.is_some_and(|failed| failed.reason.contains("refused")),
            "{host}: {:?}",
            crawled.report.failed
        );
    }
}

#[test]
fn proxies_of_the_environment_are_not_used() {
    let (port, count) = canary();
    let server = Server::start(|_| Reply::html("<p>page"));
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "refusals::asks_one_page", "--ignored"])
        .env("http_proxy", format!("http://127.0.0.1:{port}"))
        .env("all_proxy", format!("http://127.0.0.1:{port}"))
        .env("UNMOLD_TEST_PORT", server.port.to_string())
        .output()
        .unwrap();
    assert!(
        status.status.success(),
        "{}",
        String::from_utf8_lossy(&status.stdout)
    );
    assert_eq!(count.load(Ordering::Relaxed), 0);
    assert_eq!(server.paths("a.example"), ["/x"]);
}

/// Runs in a process of its own, with proxies in its environment.
#[test]
#[ignore = "is run by another test"]
fn asks_one_page() {
    let port = std::env::var("UNMOLD_TEST_PORT").unwrap();
    let crawled = run(
        &settings(&["a.example"]),
        &[format!("http://a.example:{port}/x")],
    );
    assert_eq!(crawled.report.pages, 1);
}

#[test]
fn redirects_sitemaps_rules_and_links_cannot_lead_to_private_addresses() {
    let (port, count) = canary();
    let secret = format!("http://127.0.0.2:{port}/secret");
    let listener = TcpListener::bind(("127.0.0.2", 0)).unwrap();
    let second = listener.local_addr().unwrap().port();
    let (named, counted) = (
        secret.replace(&port.to_string(), &second.to_string()),
        Arc::clone(&count),
    );
    thread::spawn(move || {
        listener
            .incoming()
            .for_each(|_| _ = counted.fetch_add(1, Ordering::Relaxed));
    });
    let link = named.clone();
    let server = Server::start(move |hit| match (hit.host.as_str(), hit.path.as_str()) {
        ("a.example", "/robots.txt") => Reply::text(format!("Sitemap: {named}\nSitemap: /s.xml")),
        ("b.example", "/robots.txt") => Reply::redirect(named.clone()),
        (_, "/robots.txt") => Reply::missing(),
        (_, "/sitemap.xml") => Reply::text(format!("{named}\n")),
        (_, "/redirect") => Reply::redirect(named.clone()),
        (_, "/name") => Reply::redirect(format!("http://private.example:{second}/")),
        (host, _) => Reply::html(format!("<p>{host}<a href='{named}'>secret</a>")),
    });
    let given: Vec<String> = [
        ("a.example", "/redirect"),
        ("a.example", "/name"),
        ("a.example", "/"),
        ("b.example", "/"),
    ]
    .iter()
    .map(|(host, path)| server.url(host, path))
    .collect();
    let base = settings(&["a.example", "b.example"])
        .follow(true)
        .sitemaps(true)
        .scope(unmold_crawl::Scope::Any);
    let guard = Guard::default()
        .allow("127.0.0.1/32".parse().unwrap())
        .pin("a.example", "127.0.0.1".parse().unwrap())
        .pin("b.example", "127.0.0.1".parse().unwrap())
        .pin("private.example", "127.0.0.2".parse().unwrap());
    let crawled = run(&base.guard(guard).retries(0), &given);
    assert_eq!(count.load(Ordering::Relaxed), 0, "somebody connected");
    assert!(
        crawled
            .reason("/redirect")
            .contains("127.0.0.2 is no public address"),
        "{:?}",
        crawled.report.failed
    );
    assert!(
        crawled
            .report
            .failed
            .iter()
            .any(|failed| failed.url == link)
    );
    // The rules of b.example cannot be read.
    assert_eq!(crawled.pages(), [server.url("a.example", "/")]);
}

#[test]
fn other_schemes_passwords_and_ports_are_refused() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        "/file" => Reply::redirect("file:///etc/passwd"),
        "/ftp" => Reply::redirect("ftp://a.example/"),
        "/data" => Reply::redirect("data:text/html,x"),
        "/script" => Reply::redirect("javascript:alert(1)"),
        "/password" => Reply::redirect("http://user:secret@a.example/"),
        "/mail" => Reply::redirect("http://a.example:25/"),
        "/shell" => Reply::redirect("http://a.example:22/"),
        _ => Reply::html(
            "<a href='file:///etc/passwd'>1</a><a href='ftp://a.example/'>2</a><a href='http://user@a.example/'>3</a>\
             <a href='http://a.example:22/'>4</a>",
        ),
    });
    let paths = [
        "/file",
        "/ftp",
        "/data",
        "/script",
        "/password",
        "/mail",
        "/shell",
        "/",
    ];
    let given: Vec<String> = paths
        .iter()
        .map(|path| server.url("a.example", path))
        .collect();
    let crawled = run(&settings(&["a.example"]).follow(true), &given);
    assert_eq!(
        server.paths("a.example").len(),
        paths.len(),
        "nothing else was asked for"
    );
    for path in &paths[..7] {
        assert!(
            crawled.reason(path).starts_with("its redirect is refused"),
            "{path}: {}",
            crawled.reason(path)
        );
    }
    let given = [
        "file:///etc/passwd",
        "ftp://a.example/",
        "http://user:secret@a.example/",
        "http://a.example:25/",
        "nonsense",
    ];
    let crawled = run(&settings(&["a.example"]), &given.map(str::to_owned));
    assert_eq!(crawled.report.failed.len(), 5);
    assert_eq!(crawled.report.requests, 0);
}

#[test]
fn other_sites_are_not_followed_unless_asked_for() {
    let server = Server::start(|hit| match (hit.host.as_str(), hit.path.as_str()) {
        (_, "/robots.txt") => Reply::missing(),
        ("www.a.example", "/") => Reply::html(format!(
            "<a href='http://b.example:{port}/'>b</a><a href='http://shop.a.example:{port}/'>shop</a><a href='/x/1'>x</a>",
            port = hit
                .head
                .split("host: www.a.example:")
                .nth(1)
                .unwrap()
                .split('\r')
                .next()
                .unwrap()
        )),
        (_, "/away") => Reply::redirect("http://b.example/"),
        (host, path) => Reply::html(format!("{host}{path}")),
    });
    let hosts = ["www.a.example", "shop.a.example", "b.example"];
    let given = [
        server.url("www.a.example", "/"),
        server.url("www.a.example", "/away"),
    ];
    let count = |scope| {
        let before = server.hits().len();
        let crawled = run(
            &settings(&hosts).follow(true).scope(scope).retries(0),
            &given,
        );
        let hits: Vec<String> = server.hits()[before..]
            .iter()
            .map(|hit| hit.host.clone())
            .collect();
        (crawled, hits)
    };
    let (crawled, hits) = count(unmold_crawl::Scope::Site);
    assert!(hits.contains(&"shop.a.example".to_owned()) && !hits.contains(&"b.example".to_owned()));
    assert!(
        crawled
            .reason("/away")
            .contains("redirects to another site")
    );
    let (_, hits) = count(unmold_crawl::Scope::Host);
    assert!(!hits.contains(&"shop.a.example".to_owned()));
    let (_, hits) = count(unmold_crawl::Scope::Any);
    assert!(hits.contains(&"b.example".to_owned()));
}
