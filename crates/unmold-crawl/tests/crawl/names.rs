//! Names that are not found, take long, lead to very many addresses, or change their mind.

use crate::{
    run,
    server::{Reply, Server},
    settings,
};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use unmold_crawl::{FailureKind, Names, Settings, address::Guard};

/// Answers each name in its own way.
#[derive(Debug, Default)]
struct Resolver {
    asked: AtomicUsize,
}

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A thousand addresses, and the one where the server is at this place among them.
fn crowd(place: usize) -> Vec<IpAddr> {
    let elsewhere = |n: usize| IpAddr::V4(Ipv4Addr::new(127, 1, (n >> 8) as u8, (n & 255) as u8));
    (0..1000)
        .map(|n| if n == place { HERE } else { elsewhere(n) })
        .collect()
}

impl Names for Resolver {
    fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        match name {
            "missing.example" => Err(io::Error::new(io::ErrorKind::NotFound, "NXDOMAIN")),
            "failing.example" => Err(io::Error::other("SERVFAIL")),
            "empty.example" => Ok(Vec::new()),
            "slow.example" => {
                thread::sleep(Duration::from_secs(30));
                Ok(vec![HERE])
            }
            "soon.example" => Ok(crowd(9)),
            "late.example" => Ok(crowd(500)),
            "six.example" => Ok(vec![Ipv6Addr::LOCALHOST.into()]),
            // The first answer is an address that may be asked, all others are not.
            "rebinding.example" if asked > 0 => Ok(vec![Ipv4Addr::new(169, 254, 169, 254).into()]),
            _ => Ok(vec![HERE]),
        }
    }
}

fn with_names(resolver: &Arc<Resolver>) -> Settings {
    let guard = Guard::default().allow("127.0.0.0/8".parse().unwrap());
    settings(&[])
        .guard(guard)
        .names(Arc::clone(resolver) as Arc<dyn Names>)
        .retries(1)
}

#[test]
fn whatever_names_lead_to_is_bounded_and_told() {
    let server = Server::start(|hit| {
        if hit.path == "/robots.txt" {
            Reply::missing()
        } else {
            Reply::html(hit.host.as_str())
        }
    });
    let hosts = [
        "missing", "failing", "empty", "slow", "soon", "late", "six", "plain",
    ];
    let given = hosts.map(|host| server.url(&format!("{host}.example"), "/"));
    let started = Instant::now();
    let crawled = run(&with_names(&Arc::default()), &given);
    // Two tries of two seconds each, where thirty would have to be waited for.
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(
        crawled.pages(),
        [
            server.url("plain.example", "/"),
            server.url("soon.example", "/")
        ]
    );
    // What cannot be asked for its rules is not asked for its pages.
    for (host, kind, why) in [
        ("missing", FailureKind::Name, "NXDOMAIN"),
        ("failing", FailureKind::Name, "SERVFAIL"),
        ("empty", FailureKind::Name, "no address"),
        ("slow", FailureKind::Name, "not looked up in 1.8s"),
        (
            "late",
            FailureKind::Connection,
            "robots.txt cannot be read: no connection",
        ),
        ("six", FailureKind::Refused, "no public address"),
    ] {
        let failed = crawled
            .report
            .failed
            .iter()
            .find(|failed| failed.url.contains(host));
        let failed = failed.unwrap_or_else(|| panic!("{host}: {:?}", crawled.report.failed));
        assert!(failed.reason.contains(why), "{host}: {}", failed.reason);
        assert_eq!(failed.kind, kind, "{host}");
    }
}

#[test]
fn a_name_that_leads_elsewhere_the_second_time_is_not_followed_there() {
    let server = Server::start(|hit| match hit.path.as_str() {
        // The connection ends with the answer, so that the page needs another.
        "/robots.txt" => {
            Reply::raw("HTTP/1.1 404 None\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        _ => Reply::html("<p>page"),
    });
    let resolver = Arc::new(Resolver::default());
    let crawled = run(
        &with_names(&resolver),
        &[server.url("rebinding.example", "/")],
    );
    assert!(
        crawled
            .reason("/")
            .contains("169.254.169.254 is no public address"),
        "{:?}",
        crawled.report.failed
    );
    assert_eq!(crawled.report.failed[0].kind, FailureKind::Refused);
    assert_eq!(
        resolver.asked.load(Ordering::SeqCst),
        2,
        "looked up once for each connection"
    );
}
