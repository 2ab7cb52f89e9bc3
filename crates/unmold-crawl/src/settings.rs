//! How is a site crawled? A default that is polite, and what can be changed about it.

use crate::{
    address::Guard,
    resolve::{Names, SystemNames},
};
use std::{sync::Arc, time::Duration};
use unmold_io::{LoadSettings, Pattern};

/// How to crawl. Settings are chained onto [`Settings::new`], which needs nothing but a contact.
///
/// ```
/// use std::time::Duration;
/// use unmold_crawl::{Scope, Settings};
///
/// let settings = Settings::new("mailto:me@example.org").follow(true).scope(Scope::Host).latency(Duration::from_secs(2));
/// assert_eq!(settings.user_agent(), concat!("unmold/", env!("CARGO_PKG_VERSION"), " (+mailto:me@example.org)"));
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    pub(crate) contact: String,
    pub(crate) latency: Duration,
    pub(crate) parallel: usize,
    pub(crate) follow: bool,
    pub(crate) sitemaps: bool,
    pub(crate) depth: u32,
    pub(crate) scope: Scope,
    pub(crate) include: Vec<Pattern>,
    pub(crate) exclude: Vec<Pattern>,
    pub(crate) limit: Option<u64>,
    pub(crate) per_domain: usize,
    pub(crate) per_shape: usize,
    pub(crate) enough: Option<usize>,
    pub(crate) again: Option<Duration>,
    pub(crate) visits: u32,
    pub(crate) retries: u32,
    pub(crate) backoff: Duration,
    pub(crate) insecure: bool,
    pub(crate) trust: Vec<Vec<u8>>,
    pub(crate) rotate: Option<u64>,
    pub(crate) max_bytes: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) keep_free: u64,
    pub(crate) list: bool,
    pub(crate) dry_run: bool,
    pub(crate) since: Option<String>,
    pub(crate) options: Vec<String>,
    pub(crate) names: Arc<dyn Names>,
    pub(crate) guard: Guard,
    pub(crate) limits: Limits,
}

/// Which links are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those to the registered domain of an address that was given: `www.example.org` leads to
    /// `shop.example.org`.
    #[default]
    Site,
    /// Those to the same host.
    Host,
    /// Those to the same folder, or below it.
    Folder,
    /// All. Only with other bounds is there an end to it.
    Any,
}

/// What an answer may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For a connection, and for looking up a name.
    pub connect: Duration,
    /// From the request to the first byte of the answer.
    pub first_byte: Duration,
    /// For the whole answer.
    pub total: Duration,
    /// The least rate in bytes a second, over twenty seconds.
    pub least_rate: usize,
    /// The most bytes of a page, packed or unpacked.
    pub body_bytes: usize,
    /// The most bytes of a sitemap or a feed.
    pub sitemap_bytes: usize,
    /// The most bytes of `robots.txt`.
    pub robots_bytes: usize,
    /// The most bytes of a header.
    pub header_bytes: usize,
    /// The most lines of a header.
    pub header_lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            total: Duration::from_secs(60),
            least_rate: 1000,
            body_bytes: LoadSettings::PAGE_BYTES,
            sitemap_bytes: 50 << 20,
            robots_bytes: 512 << 10,
            header_bytes: 64 << 10,
            header_lines: 200,
        }
    }
}

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        $($(#[$doc])* #[must_use] pub fn $name(mut self, $name: $type) -> Self { self.$name = $name; self })*
    };
}

impl Settings {
    /// The defaults. The contact, an e-mail address or the address of a page, is told to every
    /// server that is asked.
    pub fn new(contact: impl Into<String>) -> Self {
        Settings {
            contact: contact.into(),
            latency: Duration::from_secs(1),
            parallel: 16,
            follow: false,
            sitemaps: false,
            depth: 20,
            scope: Scope::Site,
            include: Vec::new(),
            exclude: Vec::new(),
            limit: None,
            per_domain: 20_000,
            per_shape: 5_000,
            enough: None,
            again: None,
            visits: u32::MAX,
            retries: 3,
            backoff: Duration::from_secs(10),
            insecure: false,
            trust: Vec::new(),
            rotate: None,
            max_bytes: None,
            max_time: None,
            keep_free: 0,
            list: false,
            dry_run: false,
            since: None,
            options: Vec::new(),
            names: Arc::new(SystemNames),
            guard: Guard::default(),
            limits: Limits::default(),
        }
    }

    setters! {
        /// The least time between an answer of a registered domain and the next request to it.
        latency: Duration;
        /// How many domains are asked at the same time.
        parallel: usize;
        /// Whether links and feeds are followed.
        follow: bool;
        /// Whether sitemaps are read.
        sitemaps: bool;
        /// How many links away from a given address pages are fetched.
        depth: u32;
        /// Which links are followed.
        scope: Scope;
        /// If there are any, only links are followed that match one of these patterns.
        include: Vec<Pattern>;
        /// Links that match one of these patterns are not followed.
        exclude: Vec<Pattern>;
        /// The most pages.
        limit: Option<u64>;
        /// The most pages of a registered domain.
        per_domain: usize;
        /// The most pages whose addresses have the same shape; a tenth of it where they have a
        /// query.
        per_shape: usize;
        /// Crawl for templates: kinds of pages are not followed any more when there are so many of
        /// them.
        enough: Option<usize>;
        /// Ask for every page again after this time.
        again: Option<Duration>;
        /// How often a page is asked for, if it is asked for again.
        visits: u32;
        /// How often something is tried again that went wrong.
        retries: u32;
        /// How long to wait before the first retry; each further one waits twice as long.
        backoff: Duration;
        /// Whether certificates are believed that nobody vouches for.
        insecure: bool;
        /// Files of certificates, in PEM form, of authorities that are believed beside the known
        /// ones.
        trust: Vec<Vec<u8>>;
        /// Begin another file of the archive when one has so many bytes.
        rotate: Option<u64>;
        /// Stop, so that it can be resumed, when a run has read this many bytes over the network.
        max_bytes: Option<u64>;
        /// Stop, so that it can be resumed, when a run has taken this long.
        max_time: Option<Duration>;
        /// Stop, so that it can be resumed, when the disk has fewer free bytes. It is looked at on
        /// Unix only.
        keep_free: u64;
        /// The given address is a list: fetch its further pages and the pages of its items, and
        /// nothing else.
        list: bool;
        /// Ask for no page: for `robots.txt` and sitemaps only.
        dry_run: bool;
        /// Leave out what sitemaps and feeds say was last changed before this day, `2026-11-19`.
        since: Option<String>;
        /// What was typed, kept in the state for whoever resumes ([`options_of`](crate::options_of)).
        options: Vec<String>;
        /// Who is asked where a name leads; what is answered is checked all the same.
        names: Arc<dyn Names>;
        /// Which addresses may be asked.
        guard: Guard;
        /// What an answer may cost.
        limits: Limits;
    }

    /// What servers are told who asks.
    pub fn user_agent(&self) -> String {
        let contact: String = self
            .contact
            .chars()
            .filter(|c| c.is_ascii_graphic() && !matches!(c, '(' | ')'))
            .collect();
        format!(
            "{}/{} (+{contact})",
            crate::robots::AGENT,
            env!("CARGO_PKG_VERSION")
        )
    }

    /// Whether an address is among those that are wanted.
    pub(crate) fn is_wanted(&self, url: &str) -> bool {
        let matches = |pattern: &Pattern| pattern.matches(url);
        (self.include.is_empty() || self.include.iter().any(matches))
            && !self.exclude.iter().any(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_to_servers_is_one_line() {
        assert!(
            !Settings::new("me@example.org)\r\nX: y (")
                .user_agent()
                .contains(['\r', '\n'])
        );
    }
}
