//! Which pages does a sitemap or a feed name?
//!
//! Sitemaps (`urlset`, `sitemapindex`), RSS, Atom and plain lists of addresses, told by what is in
//! them:
//!
//! ```
//! use unmold_crawl::sitemap::{Listing, read};
//!
//! let found = read("<?xml version='1.0'?><urlset><url><loc>https://a.example/?a=1&amp;b=2</loc></url></urlset>");
//! assert_eq!(found.unwrap().pages[0].url, "https://a.example/?a=1&b=2");
//! assert_eq!(read("<html><a href=/x>not a list</a></html>"), None);
//! ```
//!
//! They are read by the project's own tokeniser, which knows the five entities of XML and
//! characters by number, and nothing that a file declares: there is no entity to expand, and
//! nothing to fetch. Namespaces are not looked at.

use unmold::read::html::{Kind, Token, attribute, attribute_text, tokens, visible_text};

/// What a list names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Pages.
    pub pages: Vec<Listed>,
    /// Further sitemaps.
    pub sitemaps: Vec<String>,
}

/// A page that a sitemap or a feed names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Its address.
    pub url: String,
    /// The day on which it was last changed, `2026-11-19`, or its beginning (`2026`), if the list
    /// says so.
    pub changed: Option<String>,
}

/// No sitemap may have more (sitemaps.org).
pub const MOST_ADDRESSES: usize = 50_000;

/// Reads a list of addresses; nothing if the text is none.
pub fn read(text: &str) -> Option<Listing> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with('<') {
        return plain_list(text);
    }
    match root(text)?.to_ascii_lowercase().as_str() {
        "urlset" => Some(Listing {
            pages: entries(text, "url"),
            ..Listing::default()
        }),
        "sitemapindex" => Some(Listing {
            sitemaps: texts_of(text, "loc"),
            ..Listing::default()
        }),
        "rss" | "rdf" => Some(Listing {
            pages: entries(text, "item"),
            ..Listing::default()
        }),
        "feed" => Some(Listing {
            pages: entries(text, "entry"),
            ..Listing::default()
        }),
        _ => None,
    }
}

/// The name of the first element, without its namespace.
fn root(text: &str) -> Option<&str> {
    let first = tokens(text).find(|token| token.kind == Kind::Start)?;
    Some(local(first.name.of(text)))
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn is_tag(text: &str, token: Token, kind: Kind, name: &str) -> bool {
    token.kind == kind && local(token.name.of(text)).eq_ignore_ascii_case(name)
}

/// The texts of all elements of a name.
fn texts_of(text: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut begun: Option<String> = None;
    for token in tokens(text) {
        if is_tag(text, token, Kind::Start, name) {
            begun = Some(String::new());
        } else if is_tag(text, token, Kind::End, name) {
            found.extend(begun.take());
        } else if let Some(begun) = &mut begun {
            begun.push_str(&said(text, token));
        }
        if found.len() == MOST_ADDRESSES {
            break;
        }
    }
    found
}

/// What a token says: the text of a text or of a CDATA section.
fn said(text: &str, token: Token) -> String {
    let written = token.span.of(text);
    match token.kind {
        Kind::Text => visible_text(written),
        Kind::Cdata => written
            .trim_start_matches("<![CDATA[")
            .trim_end_matches("]]>")
            .trim()
            .to_owned(),
        _ => String::new(),
    }
}

/// The addresses of the entries of a sitemap or a feed, with the day of their last change:
/// `<loc>`, `<link>address</link>` or `<link href="address">`; `<lastmod>`, `<updated>` and so on.
fn entries(text: &str, entry: &str) -> Vec<Listed> {
    let mut found = Vec::new();
    let mut current: Option<Listed> = None;
    // What is being read: the name of its element, and its text so far.
    let mut reading: Option<(String, String)> = None;
    for token in tokens(text) {
        if is_tag(text, token, Kind::Start, entry) {
            current = Some(Listed::default());
            continue;
        }
        let Some(listed) = &mut current else { continue };
        if is_tag(text, token, Kind::End, entry) {
            found.extend(current.take().filter(|listed| !listed.url.is_empty()));
            if found.len() >= MOST_ADDRESSES {
                break;
            }
            continue;
        }
        let name = local(token.name.of(text)).to_ascii_lowercase();
        if token.kind == Kind::Start {
            if let Some(href) = attribute(text, token, "href").filter(|_| name == "link") {
                let rel = attribute(text, token, "rel").unwrap_or("alternate");
                if rel.eq_ignore_ascii_case("alternate") && listed.url.is_empty() {
                    listed.url = attribute_text(href).to_string();
                }
            } else if matches!(name.as_str(), "loc" | "link") || DAYS.contains(&name.as_str()) {
                reading = Some((name, String::new()));
            }
        } else if token.kind == Kind::End {
            let Some((read, said)) = reading.take_if(|(read, _)| *read == name) else {
                continue;
            };
            if !DAYS.contains(&read.as_str()) {
                if listed.url.is_empty() {
                    listed.url = said;
                }
            } else if let Some(day) = day_of(&said) {
                listed.changed = listed.changed.take().max(Some(day));
            }
        } else if let Some((_, begun)) = &mut reading {
            begun.push_str(&said(text, token));
        }
    }
    found
}

/// The elements that say when something was published or changed: sitemaps, RSS, Atom, Dublin
/// Core.
const DAYS: [&str; 6] = [
    "lastmod",
    "pubdate",
    "published",
    "updated",
    "date",
    "modified",
];

/// The day of a time in ISO 8601 (`2026-11-19T10:00:00Z`, or only its beginning) or in the form of
/// e-mails (`Thu, 19 Nov 2026 10:00:00 GMT`).
fn day_of(said: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let said = said.trim();
    if said.get(..4)?.bytes().all(|byte| byte.is_ascii_digit()) {
        let day = said.split(['T', ' ']).next()?;
        let is_day = day
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        return is_day.then(|| day.to_owned());
    }
    let mut words = said
        .split_once(',')
        .map_or(said, |(_, rest)| rest)
        .split_whitespace();
    let day: u32 = words.next()?.parse().ok()?;
    let month = words.next()?.get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let year: u32 = words.next()?.parse().ok()?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// A text whose lines are all addresses.
fn plain_list(text: &str) -> Option<Listing> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_address = |line: &str| line.starts_with("http://") || line.starts_with("https://");
    (lines().next().is_some() && lines().all(is_address)).then(|| Listing {
        pages: lines()
            .take(MOST_ADDRESSES)
            .map(|line| Listed {
                url: line.to_owned(),
                changed: None,
            })
            .collect(),
        ..Listing::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(text: &str) -> Vec<String> {
        let pages = read(text).unwrap().pages;
        pages.into_iter().map(|page| page.url).collect()
    }

    #[test]
    fn the_day_of_the_last_change_is_read_in_all_its_forms() {
        let changed = |text: &str| read(text).unwrap().pages[0].changed.clone();
        let sitemap = "<?xml version='1.0'?><urlset><url><loc>http://a/1</loc><lastmod>2026-11-19T10:00:00+01:00</lastmod></url></urlset>";
        assert_eq!(changed(sitemap).as_deref(), Some("2026-11-19"));
        let rss = "<?xml version='1.0'?><rss><item><pubDate>Thu, 5 Nov 2026 10:00:00 GMT</pubDate><link>http://a/1</link></item></rss>";
        assert_eq!(changed(rss).as_deref(), Some("2026-11-05"));
        let atom = "<?xml version='1.0'?><feed><updated>2027-01-01</updated><entry><published>2026-10-01T00:00:00Z</published>\
                    <updated>2026-10-02T00:00:00Z</updated><link href='http://a/1'/></entry></feed>";
        assert_eq!(
            changed(atom).as_deref(),
            Some("2026-10-02"),
            "the last of them"
        );
        let none = "<?xml version='1.0'?><urlset><url><loc>http://a/1</loc><lastmod>yesterday</lastmod></url></urlset>";
        assert_eq!(changed(none), None);
    }

    #[test]
    fn lists_of_all_kinds_are_read() {
        let index = read(
            "<?xml version='1.0'?><s:sitemapindex xmlns:s='x'><s:sitemap><s:loc> http://a/1.xml </s:loc></s:sitemap></s:sitemapindex>",
        );
        assert_eq!(index.unwrap().sitemaps, ["http://a/1.xml"]);
        let rss = "<?xml version='1.0'?><rss><channel><link>http://a/</link><item><link>http://a/1</link></item>\
                   <item><link><![CDATA[http://a/2?x&y]]></link></item></channel></rss>";
        assert_eq!(pages(rss), ["http://a/1", "http://a/2?x&y"]);
        let atom = "<?xml version='1.0'?><feed><link href='http://a/'/><entry><link rel='edit' href='http://a/e'/>\
                    <link href='http://a/1'/></entry></feed>";
        assert_eq!(pages(atom), ["http://a/1"]);
        assert_eq!(
            pages("http://a/1\r\nhttp://a/2\n\n"),
            ["http://a/1", "http://a/2"]
        );
        assert_eq!(read("plain words"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn entities_that_a_file_declares_are_not_expanded() {
        let bomb = "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>\
                    <!ENTITY f SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>http://a/&b;&f;</loc></url></urlset>";
        assert_eq!(pages(bomb), ["http://a/&b;&f;"]);
    }

    #[test]
    fn no_more_than_a_sitemap_may_have_is_read() {
        let many = format!(
            "<?xml version='1.0'?><urlset>{}</urlset>",
            "<url><loc>http://a/</loc></url>".repeat(60_000)
        );
        assert_eq!(pages(&many).len(), MOST_ADDRESSES);
    }

    #[test]
    fn a_list_that_is_cut_off_gives_what_is_whole() {
        assert_eq!(
            pages(
                "<?xml version='1.0'?><urlset><url><loc>http://a/1</loc></url><url><loc>http://a/"
            ),
            ["http://a/1"]
        );
    }
}
