//! May this page be asked for (RFC 9309)?
//!
//! | what `/robots.txt` gave | then |
//! |---|---|
//! | 2xx | its rules hold |
//! | a redirect | it is followed, up to five times; a sixth means that there are no rules |
//! | 4xx | there are no rules, everything may be asked for |
//! | 5xx, 429, no answer | nothing may be asked for until it is tried again |
//!
//! ```
//! use unmold_crawl::robots::Rules;
//! use url::Url;
//!
//! let rules = Rules::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2");
//! assert!(rules.allow(&Url::parse("https://example.org/private/open.html")?));
//! assert!(!rules.allow(&Url::parse("https://example.org/private/x")?));
//! assert_eq!(rules.crawl_delay(), Some(std::time::Duration::from_secs(2)));
//! # Ok::<(), url::ParseError>(())
//! ```

use robotxt::Robots;
use std::time::Duration;
use unmold::{Page, Text};
use url::Url;

/// What this crawler is called in `robots.txt`.
pub const AGENT: &str = "unmold";

/// How often a redirect of `robots.txt` is followed.
pub const MOST_REDIRECTS: u32 = 5;

/// The rules of a server for this crawler.
#[derive(Clone, Debug)]
pub struct Rules {
    robots: Robots,
}

/// What an answer to the request for `robots.txt` means.
#[derive(Debug)]
pub enum Said {
    /// These rules hold.
    Rules(Rules),
    /// They are elsewhere.
    MovedTo(String),
    /// They could not be read: nothing may be asked for until they can.
    Unreachable,
}

impl Rules {
    /// Reads the rules. Whatever the bytes are, lines that are no rules are not rules.
    pub fn parse(bytes: &[u8]) -> Self {
        let is_wide = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
        let text = if is_wide {
            Text::decode(Page::new("robots.txt", bytes.to_vec()))
                .as_str()
                .into()
        } else {
            bytes.to_vec()
        };
        Rules {
            robots: Robots::parse(&with_bare_names(&text), AGENT),
        }
    }

    /// No rules: everything is allowed.
    pub fn none() -> Self {
        Rules {
            robots: Robots::allow_all(),
        }
    }

    /// Nothing is allowed.
    pub fn forbid_all() -> Self {
        Rules {
            robots: Robots::disallow_all(),
        }
    }

    /// Whether a page may be asked for.
    pub fn allow(&self, url: &Url) -> bool {
        let query = url
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        // In rules these two are special unless they are escaped; in addresses they are always
        // meant as such.
        self.robots.is_allowed(
            &format!("{}{query}", url.path())
                .replace('*', "%2A")
                .replace('$', "%24"),
        )
    }

    /// How long the server wants to be left alone between requests.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.robots.crawl_delay()
    }

    /// The sitemaps that it names.
    pub fn sitemaps(&self) -> impl Iterator<Item = &Url> {
        self.robots.sitemaps().iter()
    }
}

/// The rules with the names of crawlers cut off where their versions begin: `unmold/2.0` is
/// `unmold`. The RFC knows no versions; whoever writes one means the crawler all the same.
fn with_bare_names(rules: &[u8]) -> Vec<u8> {
    let mut bare = Vec::with_capacity(rules.len());
    for line in rules.split_inclusive(|&byte| matches!(byte, b'\n' | b'\r')) {
        let is_agent = line
            .trim_ascii_start()
            .get(..10)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"user-agent"));
        match line
            .iter()
            .position(|&byte| byte == b'/')
            .filter(|_| is_agent)
        {
            Some(version) => {
                bare.extend_from_slice(&line[..version]);
                bare.push(b'\n');
            }
            None => bare.extend_from_slice(line),
        }
    }
    bare
}

/// What an answer means, after so many redirects.
pub fn said(status: u16, location: Option<&str>, body: &[u8], redirects: u32) -> Said {
    match status {
        200..=299 => Said::Rules(Rules::parse(body)),
        300..=399 => match location {
            Some(location) if redirects < MOST_REDIRECTS => Said::MovedTo(location.to_owned()),
            _ => Said::Rules(Rules::none()),
        },
        429 => Said::Unreachable,
        400..=499 => Said::Rules(Rules::none()),
        _ => Said::Unreachable,
    }
}
