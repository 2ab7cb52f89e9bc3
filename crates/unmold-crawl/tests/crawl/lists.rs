//! A whole list: its pages, the pages of its items, and nothing else.

use crate::{
    Crawled, Notes, begin, run,
    server::{Hit, Reply, Server},
    settings,
};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use unmold_crawl::Start;
use unmold_io::{LoadSettings, load};

/// How the pages of a list lead to each other.
#[derive(Clone, Copy, Debug)]
enum Pager {
    Numbers,
    Offsets,
    Paths,
    Arrow,
    Rel,
    Cursor,
}

/// A site with one list.
#[derive(Clone, Copy, Debug)]
struct Site {
    items: usize,
    per_page: usize,
    pager: Pager,
    /// What stands on its pages.
    words: [&'static str; 6],
    as_table: bool,
    /// Whether numbers and arrows that are not its own stand beside the list: filters, a calendar,
    /// the newest items.
    is_busy: bool,
}

/// A shop, a forum, a library, a search and two more, in seven languages.
const SITES: [Site; 7] = [
    Site {
        // The last page has one record.
        items: 61,
        per_page: 10,
        pager: Pager::Numbers,
        words: ["Kettle", "blue", "steel", "heavy", "small", "in stock"],
        as_table: false,
        is_busy: true,
    },
    Site {
        items: 48,
        per_page: 12,
        pager: Pager::Offsets,
        words: ["Frage", "gestern", "gelöst", "Antwort", "heute", "Beitrag"],
        as_table: true,
        is_busy: false,
    },
    Site {
        items: 30,
        per_page: 10,
        pager: Pager::Paths,
        words: ["книга", "автор", "город", "зима", "река", "том"],
        as_table: false,
        is_busy: false,
    },
    Site {
        items: 40,
        per_page: 8,
        pager: Pager::Arrow,
        words: ["結果", "東京", "写真", "新しい", "小さい", "記事"],
        as_table: false,
        is_busy: true,
    },
    Site {
        items: 36,
        per_page: 9,
        pager: Pager::Rel,
        words: ["كتاب", "جديد", "مدينة", "بيت", "قديم", "سوق"],
        as_table: false,
        is_busy: false,
    },
    Site {
        items: 10,
        per_page: 10,
        pager: Pager::Numbers,
        words: ["pomme", "rouge", "verte", "sucrée", "grande", "panier"],
        as_table: true,
        is_busy: true,
    },
    Site {
        items: 45,
        per_page: 15,
        pager: Pager::Cursor,
        words: ["tomo", "azul", "verde", "viejo", "nuevo", "libro"],
        as_table: false,
        is_busy: true,
    },
];

impl Site {
    fn pages(&self) -> usize {
        self.items.div_ceil(self.per_page)
    }

    /// The path of a page of the list, counted from zero.
    fn path(&self, page: usize) -> String {
        match (self.pager, page) {
            (_, 0) => "/list".into(),
            (Pager::Numbers | Pager::Arrow | Pager::Rel, _) => format!("/list?page={}", page + 1),
            (Pager::Offsets, _) => format!("/list?start={}", page * self.per_page),
            (Pager::Paths, _) => format!("/list/page/{}", page + 1),
            (Pager::Cursor, _) => format!("/list?after=ZXlKcFpD{page:04}STZJakV5"),
        }
    }

    fn words(&self, item: usize) -> String {
        let words = (0..5).map(|word| self.words[(item * 7 + word * word + item / 6) % 6]);
        words.collect::<Vec<_>>().join(" ")
    }

    fn list(&self, page: usize) -> String {
        let mut html = String::from(
            "<title>List</title><nav><a href=/>a</a><a href=/about>b</a><a href=/calendar/2026/1>c</a>\
             <a href='/list?sort=price'>d</a><a href='/list?sort=name'>e</a></nav><main>",
        );
        if self.is_busy {
            html += &self.beside();
        }
        let (open, close) = if self.as_table {
            ("<table class=rows>", "</table>")
        } else {
            ("<div class=rows>", "</div>")
        };
        html += open;
        for item in page * self.per_page..self.items.min((page + 1) * self.per_page) {
            let words = self.words(item);
            _ = if self.as_table {
                write!(
                    html,
                    "<tr class=row><td><a href=/item/{item}>{words} {item}</a></td><td><a href=/user/{}>u{0}</a></td><td>{}</td></tr>",
                    item % 4,
                    item * 13
                )
            } else {
                write!(
                    html,
                    "<div class=row><a class=pic href=/item/{item}><img src=/{item}.png alt=''></a><h3><a href=/item/{item}>{words} {item}</a></h3>\
                     <p class=from><a href=http://b.example/{item}>{words} {words} {words} {item}</a></p>\
                     <p class=by><a href=/user/{}>u{0}</a></p><p class=price>{}</p></div>",
                    item % 4,
                    item * 13
                )
            };
        }
        html += close;
        html += "<p class=pager>";
        let is_last = page + 1 == self.pages();
        match self.pager {
            Pager::Numbers | Pager::Offsets | Pager::Paths => {
                for other in 0..self.pages() {
                    if other == page {
                        _ = write!(html, "<b>{}</b> ", other + 1);
                    } else if other.abs_diff(page) < 3 || other + 1 == self.pages() {
                        _ = write!(html, "<a href='{}'>{}</a> ", self.path(other), other + 1);
                    }
                }
            }
            Pager::Arrow | Pager::Cursor if !is_last => {
                _ = write!(html, "<a href='{}'>→</a>", self.path(page + 1));
            }
            Pager::Rel if !is_last => {
                _ = write!(html, "<a rel=next href='{}'>»</a>", self.path(page + 1));
            }
            Pager::Arrow | Pager::Cursor | Pager::Rel => {}
        }
        html + "</p></main><footer><a href=/terms>f</a></footer>"
    }

    /// Filters, a calendar of a month, and the newest items.
    fn beside(&self) -> String {
        let mut html = String::from("<aside><ul class=filters>");
        for filter in 0..7 {
            let word = self.words[filter % 6];
            _ = write!(html, "<li><a href='/list?brand={filter}'>{word}</a>");
        }
        html += "</ul><table class=month>";
        for day in 1..29 {
            let open = if day % 7 == 1 { "<tr>" } else { "" };
            _ = write!(html, "{open}<td><a href=/calendar/2026/11/{day}>{day}</a>");
        }
        html += "</table><ul class=newest>";
        for item in 900..906 {
            _ = write!(
                html,
                "<li><a href=/item/{item}>{} {item}</a>",
                self.words(item)
            );
        }
        html + "</ul></aside>"
    }

    fn answer(&self, hit: &Hit) -> Reply {
        let path = hit.path.as_str();
        if path == "/robots.txt" {
            return Reply::text("User-agent: *\nDisallow: /user/");
        }
        if let Some(page) = (0..self.pages()).find(|page| self.path(*page) == path) {
            return Reply::html(self.list(page));
        }
        let number = path
            .rsplit('/')
            .next()
            .and_then(|end| end.parse::<usize>().ok());
        match number {
            // Some items have moved, and some answers are slow.
            Some(item) if path.starts_with("/item/") && item % 10 == 7 => {
                Reply::redirect(format!("/moved/{item}"))
            }
            Some(item) if path.starts_with("/item/") || path.starts_with("/moved/") => {
                if item % 20 == 3 {
                    thread::sleep(Duration::from_millis(30));
                }
                Reply::html(format!(
                    "<title>Item</title><nav><a href=/>a</a></nav><h1>{} {item}</h1><a href=/item/{}>next</a>",
                    self.words(item),
                    (item * 31 + 7) % 1000
                ))
            }
            Some(month) if path.starts_with("/calendar") => Reply::html(format!(
                "<title>Month</title><nav><a href=/>a</a><a href=/list>b</a></nav><div class=month><h1>{month}</h1>\
                 <a class=to href=/calendar/2026/{}>next</a><table><tr><td>1<td>2<td>3<tr><td>4<td>5<td>6</table></div>",
                month + 1
            )),
            _ => Reply::html(format!("<h1>{path}</h1>")),
        }
    }

    fn serve(self) -> Server {
        Server::start(move |hit| self.answer(hit))
    }

    fn is_of_list(&self, path: &str) -> bool {
        path.starts_with("/item/")
            || path.starts_with("/moved/")
            || (0..self.pages()).any(|page| self.path(page) == path)
    }

    /// How many of its items have moved.
    fn moved(&self) -> usize {
        (0..self.items).filter(|item| item % 10 == 7).count()
    }
}

#[test]
fn all_items_of_a_list_are_fetched_and_nothing_else() {
    for site in SITES {
        let server = site.serve();
        let given = [server.url("a.example", "/list")];
        let Crawled { report, .. } = run(&settings(&["a.example"]).list(true), &given);
        let paths = server.paths("a.example");
        for path in &paths {
            assert!(site.is_of_list(path), "{site:?} asked for {path}");
        }
        let wanted = site.items + site.pages();
        assert_eq!(report.pages as usize, wanted, "{site:?}: {paths:?}");
        assert_eq!(
            paths.len(),
            wanted + site.moved(),
            "{site:?}: a request for each"
        );
    }
}

#[test]
fn a_page_or_an_item_of_a_list_that_does_not_come_is_told() {
    let site = SITES[0];
    let server = Server::start(move |hit| match hit.path.as_str() {
        "/list?page=4" => Reply::missing(),
        "/item/5" => Reply::redirect("/nowhere"),
        "/nowhere" => Reply::missing(),
        _ => site.answer(hit),
    });
    let excluding = settings(&["a.example"])
        .list(true)
        .exclude(vec![unmold_io::Pattern::new("*/item/1?")]);
    let crawled = run(&excluding, &[server.url("a.example", "/list")]);
    let failed: Vec<&str> = crawled
        .report
        .failed
        .iter()
        .map(|failure| failure.url.rsplit_once(':').unwrap().1)
        .collect();
    assert!(
        failed.iter().any(|url| url.ends_with("/list?page=4")),
        "{failed:?}"
    );
    assert!(
        failed.iter().any(|url| url.ends_with("/nowhere")),
        "{failed:?}"
    );
    assert_eq!(failed.len(), 2, "{failed:?}");
    // A page of the list whose items are all left out is not its end.
    let left = &crawled.report.without_page;
    let left = left.iter().filter(|row| row.reason.contains("--exclude"));
    assert_eq!(left.count(), 10);
    assert!(
        server
            .paths("a.example")
            .contains(&"/list?page=3".to_owned())
    );
}

#[test]
fn a_dry_run_of_a_list_asks_for_its_pages_alone() {
    let site = SITES[1];
    let server = site.serve();
    let dry = settings(&["a.example"]).list(true).dry_run(true);
    let given = [server.url("a.example", "/list")];
    let report = run(&dry, &given).report;
    assert_eq!(report.planned.len(), site.items + site.pages());
    let paths = server.paths("a.example");
    assert_eq!(paths.len(), site.pages(), "{paths:?}");
    let report = run(&dry.limit(Some(7)), &given).report;
    assert_eq!(report.planned.len(), 7);
}

#[test]
fn a_list_that_is_asked_for_again_brings_what_is_new() {
    let (site, started) = (SITES[4], Instant::now());
    let server = Server::start(move |hit| {
        // Later there are nine items more, on a page of their own.
        let is_later = started.elapsed() > Duration::from_millis(1500);
        let items = site.items + if is_later { 9 } else { 0 };
        Site { items, ..site }.answer(hit)
    });
    let again = settings(&["a.example"])
        .list(true)
        .again(Some(Duration::from_millis(2500)))
        .visits(2);
    let crawled = run(&again, &[server.url("a.example", "/list")]);
    assert_eq!(crawled.report.pages as usize, 45 + 5);
    let revisits = crawled.text().matches("WARC-Type: revisit").count();
    assert!(revisits >= 36, "{revisits}");
}

#[test]
fn little_is_spent_on_a_calendar_beside_a_list() {
    for site in [SITES[1], SITES[2], SITES[4]] {
        let server = site.serve();
        let learning = settings(&["a.example"])
            .follow(true)
            .sitemaps(true)
            .enough(Some(30));
        run(&learning, &[server.url("a.example", "/list")]);
        let paths = server.paths("a.example");
        let is_month = |path: &&String| path.starts_with("/calendar");
        let months = paths.iter().filter(is_month).count();
        assert!(
            months <= 6,
            "{site:?}: {months} of {}: {paths:?}",
            paths.len()
        );
    }
}

#[test]
fn a_limit_leaves_whole_records() {
    let site = SITES[0];
    let server = site.serve();
    let given = [server.url("a.example", "/list")];
    let limited = settings(&["a.example"]).list(true).limit(Some(12));
    let crawled = run(&limited, &given);
    let lists = crawled
        .pages()
        .iter()
        .filter(|page| page.contains("/list"))
        .count();
    assert_eq!((crawled.report.pages, lists), (12, 2));
}

#[test]
fn a_page_without_a_list_is_told() {
    let server = Server::start(|hit| match hit.path.as_str() {
        "/robots.txt" => Reply::missing(),
        _ => Reply::html("<h1>Nothing</h1><p>listed <a href=/x>here</a>"),
    });
    let crawled = run(
        &settings(&["a.example"]).list(true),
        &[server.url("a.example", "/")],
    );
    assert_eq!(server.paths("a.example"), ["/"]);
    assert!(
        crawled.notes.iter().any(|note| note.contains("no list")),
        "{:?}",
        crawled.notes
    );
}

/// The crawl that is killed: it runs in a process of its own.
#[test]
#[ignore = "is run by another test"]
fn crawls_a_list() {
    let port = std::env::var("UNMOLD_TEST_PORT").unwrap();
    let path = PathBuf::from(std::env::var_os("UNMOLD_TEST_FILE").unwrap());
    let settings = settings(&["a.example"]).list(true);
    let given = [format!("http://a.example:{port}/list")];
    begin(
        &path,
        Start::Resume,
        &settings,
        &given,
        &mut Notes::default(),
    )
    .unwrap();
}

fn crawl_list(server: &Server, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "lists::crawls_a_list", "--ignored"])
        .env("UNMOLD_TEST_PORT", server.port.to_string())
        .env("UNMOLD_TEST_FILE", path)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The pages of an archive in its order.
fn contents(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut pages = load([path], &LoadSettings::default()).pages();
    let contents = pages
        .by_ref()
        .map(|page| page.unwrap())
        .map(|page| (page.url().unwrap().to_owned(), page.bytes().to_vec()))
        .collect();
    assert_eq!(pages.tally().faults(), 0);
    contents
}

#[test]
fn a_list_that_was_killed_twenty_times_is_the_same_byte_for_byte() {
    let site = Site {
        items: 400,
        per_page: 20,
        ..SITES[0]
    };
    let server = site.serve();
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (
        folder.path().join("whole.warc.gz"),
        folder.path().join("cut.warc.gz"),
    );
    assert!(crawl_list(&server, &whole).status().unwrap().success());
    let (mut seed, mut kills) = (u64::from(std::process::id()), 0);
    for _ in 0..20 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut child = crawl_list(&server, &cut).spawn().unwrap();
        thread::sleep(Duration::from_millis(20 + (seed >> 33) % 300));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += usize::from(!cut.exists());
        if cut.exists() {
            break;
        }
    }
    if !cut.exists() {
        assert!(crawl_list(&server, &cut).status().unwrap().success());
    }
    println!("killed {kills} times before the end");
    let (whole, cut) = (contents(&whole), contents(&cut));
    let apart: BTreeSet<&String> = cut.iter().map(|(url, _)| url).collect();
    assert_eq!(apart.len(), 400 + 20);
    assert!(whole == cut, "the same pages in the same order");
}
