//! Which pages does a sitemap or a feed name?
//!
//! Sitemaps (`urlset`, `sitemapindex`), RSS, Atom and plain lists of addresses, told by what is in them:
//!
//! ```
//! use unmold_crawl::sitemap::{Listing, read};
//!
//! let found = read("<?xml version='1.0'?><urlset><url><loc>https://a.example/?a=1&amp;b=2</loc></url></urlset>");
//! assert_eq!(found, Some(Listing { pages: vec!["https://a.example/?a=1&b=2".into()], sitemaps: vec![] }));
//! assert_eq!(read("<html><a href=/x>not a list</a></html>"), None);
//! ```
//!
//! They are read by the project's own tokeniser, which knows the five entities of XML and characters by number, and
//! nothing that a file declares: there is no entity to expand, and nothing to fetch. Namespaces are not looked at.

use unmold::read::html::{Kind, Token, attribute, attribute_text, tokens, visible_text};

/// What a list names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Pages.
    pub pages: Vec<String>,
    /// Further sitemaps.
    pub sitemaps: Vec<String>,
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
            pages: texts_of(text, "loc"),
            ..Listing::default()
        }),
        "sitemapindex" => Some(Listing {
            sitemaps: texts_of(text, "loc"),
            ..Listing::default()
        }),
        "rss" | "rdf" => Some(Listing {
            pages: items(text, "item"),
            ..Listing::default()
        }),
        "feed" => Some(Listing {
            pages: items(text, "entry"),
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

/// The links of the items of a feed: `<link>address</link>`, or `<link href="address">`.
fn items(text: &str, item: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut is_inside, mut begun) = (false, None);
    for token in tokens(text) {
        if is_tag(text, token, Kind::Start, item) {
            is_inside = true;
        } else if is_tag(text, token, Kind::End, item) {
            is_inside = false;
        } else if is_inside && is_tag(text, token, Kind::Start, "link") {
            let rel = attribute(text, token, "rel").unwrap_or("alternate");
            let href = attribute(text, token, "href");
            begun = href.is_none().then(String::new);
            found.extend(
                href.filter(|_| rel.eq_ignore_ascii_case("alternate"))
                    .map(|href| attribute_text(href).to_string()),
            );
        } else if is_tag(text, token, Kind::End, "link") {
            found.extend(begun.take());
        } else if let Some(begun) = &mut begun {
            begun.push_str(&said(text, token));
        }
        if found.len() >= MOST_ADDRESSES {
            break;
        }
    }
    found.retain(|address| !address.is_empty());
    found
}

/// A text whose lines are all addresses.
fn plain_list(text: &str) -> Option<Listing> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_address = |line: &str| line.starts_with("http://") || line.starts_with("https://");
    (lines().next().is_some() && lines().all(is_address)).then(|| Listing {
        pages: lines().take(MOST_ADDRESSES).map(str::to_owned).collect(),
        ..Listing::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(text: &str) -> Vec<String> {
        read(text).unwrap().pages
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
