//! Crawling for templates: enough pages of each kind, and no more.

use crate::{
    run,
    server::{Reply, Server},
    settings,
};
use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, sync::Arc};
use unmold::{Mold, Text};
use unmold_io::{LoadSettings, load};

/// The project's six sites, of 18 pages or so each, made into 2,000.
const PAGES: usize = 2000;

/// A page that a server has.
struct Made {
    bytes: Vec<u8>,
    group: Option<String>,
}

/// How the pages of a site lead to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lists {
    /// A list for the pages of each template, as sections and products have on a shop.
    Sorted,
    /// One list for pages of all templates: what a link leads to cannot be known.
    Mixed,
}

/// Six sites with 2,000 pages: copies of the project's own, in which all numbers are others, each
/// with links to some more pages of its site.
fn six_sites(lists: Lists) -> (BTreeMap<(String, String), Made>, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites");
    let groups: BTreeMap<String, Option<String>> =
        serde_json::from_str(&fs::read_to_string(folder.join("groups.json")).unwrap()).unwrap();
    let mut sites: BTreeMap<&str, Vec<(&str, &Option<String>)>> = BTreeMap::new();
    for (page, group) in &groups {
        let (site, name) = page.split_once('/').unwrap();
        sites.entry(site).or_default().push((name, group));
    }
    let per_site = PAGES / sites.len() + 1;
    let mut made = BTreeMap::new();
    for (homes, (site, pages)) in sites.iter().enumerate() {
        let host = format!("{site}.example");
        for number in 0..per_site.min(PAGES + homes - made.len()) {
            let (name, group) = pages[number % pages.len()];
            let bytes =
                fs::read(folder.join(site).join("pages").join(format!("{name}.html"))).unwrap();
            let links = links(number, per_site, pages, lists);
            made.insert(
                (host.clone(), format!("/{number}")),
                Made {
                    bytes: varied(&bytes, number, &links),
                    group: group.clone(),
                },
            );
        }
        let home = format!(
            "<html><head><title>{site}</title></head><body><div id=home>{}</div></body></html>",
            links(0, per_site, pages, lists)
        );
        made.insert(
            (host.clone(), "/".into()),
            Made {
                bytes: home.into_bytes(),
                group: None,
            },
        );
    }
    let hosts = sites.keys().map(|site| format!("{site}.example")).collect();
    (made, hosts)
}

/// Numbers that differ from page to page, and links before the end of the body.
fn varied(bytes: &[u8], number: usize, links: &str) -> Vec<u8> {
    let mut varied: Vec<u8> = Vec::with_capacity(bytes.len() + links.len());
    let is_utf16 = bytes.starts_with(&[0xFF, 0xFE]);
    assert!(!is_utf16);
    let mut in_text = false;
    for (at, &byte) in bytes.iter().enumerate() {
        in_text = match byte {
            b'>' => true,
            b'<' => false,
            _ => in_text,
        };
        // Bytes of two-byte letters may look like digits in no charset that the sites use, but for
        // GB18030's four-byte ones.
        let is_plain =
            byte.is_ascii_digit() && at > 0 && bytes[at - 1].is_ascii() && bytes[at + 1].is_ascii();
        varied.push(if in_text && is_plain {
            b'0' + (byte - b'0' + (number % 7) as u8) % 10
        } else {
            byte
        });
    }
    let end = varied
        .windows(7)
        .rposition(|tag| tag.eq_ignore_ascii_case(b"</body>"))
        .unwrap_or(varied.len());
    varied.splice(end..end, links.bytes());
    varied
}

fn links(number: usize, of: usize, pages: &[(&str, &Option<String>)], lists: Lists) -> String {
    let group = |page: usize| pages[page % pages.len()].1.as_deref();
    let mut groups: Vec<Option<&str>> = pages.iter().map(|(_, group)| group.as_deref()).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut links = String::from("<div class=more>");
    for (at, listed) in groups.iter().enumerate() {
        let is_listed = |page: &usize| lists == Lists::Mixed || group(*page) == *listed;
        _ = write!(
            links,
            "<ul class={}>",
            if lists == Lists::Mixed {
                "all"
            } else {
                ["first", "second", "third"][at]
            }
        );
        for page in (0..of)
            .map(|step| (number * 7 + step * 13 + 1) % of)
            .filter(is_listed)
            .take(8)
        {
            _ = write!(links, "<li><a href=/{page}>n</a>");
        }
        links += "</ul>";
    }
    _ = write!(
        links,
        "<p class=turn><a href=/{}>next</a></div>",
        (number + 1) % of
    );
    links
}

/// Crawls for templates with a budget of a tenth of the pages; gives how many pages of each
/// template it got.
fn found_with_a_tenth(lists: Lists) -> BTreeMap<String, usize> {
    let (made, hosts) = six_sites(lists);
    assert_eq!(made.len() - hosts.len(), PAGES);
    let made = Arc::new(made);
    let served = Arc::clone(&made);
    let server =
        Server::start(
            move |hit| match served.get(&(hit.host.clone(), hit.path.clone())) {
                Some(page) => Reply::new(200, page.bytes.clone()).with("Content-Type", "text/html"),
                None => Reply::missing(),
            },
        );
    let names: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let given: Vec<String> = hosts.iter().map(|host| server.url(host, "/")).collect();
    let budget = settings(&names)
        .follow(true)
        .sitemaps(true)
        .enough(Some(30))
        .limit(Some(PAGES as u64 / 10));
    let crawled = run(&budget, &given);
    let asked = server
        .hits()
        .iter()
        .filter(|hit| made.contains_key(&(hit.host.clone(), hit.path.clone())))
        .count();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for url in crawled.pages() {
        let url = url::Url::parse(&url).unwrap();
        let page = &made[&(url.host_str().unwrap().to_owned(), url.path().to_owned())];
        page.group
            .iter()
            .for_each(|group| *found.entry(group.clone()).or_default() += 1);
    }
    println!("{asked} of {PAGES} pages asked for, pages of each template: {found:?}");
    for (host, (kinds, alone)) in &crawled.report.kinds {
        println!(
            "{host}: kinds of {:?} pages, {alone} alone",
            kinds.iter().map(|kind| kind.pages).collect::<Vec<_>>()
        );
    }
    assert!(
        asked <= PAGES / 10,
        "{asked} of {PAGES} pages were asked for"
    );
    assert_eq!(found.len(), 8, "all templates: {found:?}");
    let told: usize = crawled
        .report
        .kinds
        .values()
        .map(|(kinds, _)| kinds.len())
        .sum();
    assert!(told >= 8, "{told} kinds are told");

    // And they can be learned from at once.
    let pages = load([&crawled.path], &LoadSettings::default()).pages();
    let texts: Vec<Text> = pages.map(|page| Text::decode(page.unwrap())).collect();
    let mold = Mold::learn(&texts).unwrap();
    assert!(mold.groups.len() >= 8, "{} groups", mold.groups.len());
    found
}

#[test]
fn all_templates_are_found_with_a_tenth_of_the_pages() {
    let found = found_with_a_tenth(Lists::Sorted);
    assert!(
        found.values().all(|&pages| pages >= 8),
        "enough of each to learn from: {found:?}"
    );
}

#[test]
fn all_templates_are_found_where_links_tell_nothing() {
    found_with_a_tenth(Lists::Mixed);
}

#[test]
fn a_kind_with_enough_pages_is_not_followed_any_further() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" | "/sitemap.xml" => Reply::missing(),
        "/" => {
            let items: String = (0..300)
                .map(|n| format!("<li><a href=/item/{n}>{n}</a>"))
                .collect();
            let talks: String = (0..5)
                .map(|n| format!("<td><a href=/talk/{n}>{n}</a>"))
                .collect();
            Reply::html(format!(
                "<ul class=items>{items}</ul><table class=talks><tr>{talks}</table>"
            ))
        }
        path if path.starts_with("/item") => Reply::html(format!(
            "<title>{path} - Shop</title><div class=item><h1>{path}</h1><b class=price>{path}</b><p class=text>{path}</div>"
        )),
        path => Reply::html(format!(
            "<title>{path} - Talk</title><table class=posts><tr><td class=who>{path}<td class=said>{path}</table>"
        )),
    });
    let crawled = run(
        &settings(&["a.example"])
            .follow(true)
            .sitemaps(true)
            .enough(Some(12)),
        &[server.url("a.example", "/")],
    );
    let paths = server.paths("a.example");
    let count = |start: &str| paths.iter().filter(|path| path.starts_with(start)).count();
    assert_eq!(count("/talk"), 5, "all of the rare kind");
    assert_eq!(count("/item"), 12, "enough of the frequent one");
    let (kinds, _) = &crawled.report.kinds["a.example"];
    assert_eq!(
        kinds.iter().map(|kind| kind.pages).collect::<Vec<_>>(),
        [12, 5]
    );
    assert_eq!(crawled.report.domains["a.example"].left, 288);
}
