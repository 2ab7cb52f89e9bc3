//! What is done with an answer?
//!
//! It is written to the archive, it may lead on, it may mean that the domain is to be left alone
//! for a while, and what became of its address is noted. Each function gives how long the domain is
//! left alone.

use crate::{
    body::Body,
    crawl::{Crawl, CrawlError, Done, Found, Origin, source_of},
    domain::{Item, LONGEST_PAUSE, LONGEST_RETRY_AFTER, backoff, pause, retry_after},
    fetch::{Answer, FetchError},
    links::{Asked, Link, Links},
    report::{FailureKind, Why},
    robots::{self, Rules, Said},
    sitemap::{self, Listed, Listing},
    state::{Entry, Role, Status, Visit},
    urls,
};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use unmold::{Page, Text};
use unmold_io::warc_file::{Profile, Record, digest, warc_date};
use url::Url;

/// A chain of redirects may be so long.
const MOST_HOPS: u32 = 10;
/// A domain that fails, or forbids, so often in a row is not asked any more.
const MOST_IN_A_ROW: u32 = 10;
/// A circle of redirects is looked for among this many addresses; a longer chain ends by its length.
const LONGEST_CIRCLE: usize = 100;
/// Sitemaps may lead to sitemaps so often.
const SITEMAP_LEVELS: u32 = 2;

impl Crawl<'_> {
    /// Takes an answer, and says how long its domain is left alone.
    pub(crate) fn answered(&mut self, done: Done) -> Result<Duration, CrawlError> {
        let took = done
            .answer
            .as_ref()
            .map_or(Duration::ZERO, |answer| answer.took);
        if let (Ok(answer), Some(domain)) = (&done.answer, self.domains.get_mut(&done.domain)) {
            domain.tally.bytes += answer.raw.len() as u64;
            domain.failures = 0;
            self.report.bytes += answer.raw.len() as u64;
        }
        let longer = match (done.item, done.answer) {
            (
                Item::Robots {
                    origin,
                    url,
                    redirects,
                },
                answer,
            ) => {
                self.robots_answered(&origin, &url, redirects, answer.as_ref())?;
                Duration::ZERO
            }
            (Item::Address(key), Ok(answer)) => {
                self.address_answered(&done.domain, &key, &answer)?
            }
            (Item::Address(key), Err(error)) => self.address_failed(&done.domain, &key, &error),
        };
        let crawl_delay = self
            .domains
            .get(&done.domain)
            .and_then(|domain| domain.crawl_delay);
        Ok(pause(self.settings.latency, took, crawl_delay).max(longer))
    }

    /// Takes the answer to a request for rules.
    fn robots_answered(
        &mut self,
        origin: &str,
        url: &Url,
        redirects: u32,
        answer: Result<&Answer, &FetchError>,
    ) -> Result<(), CrawlError> {
        let said = match answer {
            Ok(answer) => robots::said(
                answer.status,
                answer.header("location").as_deref(),
                &answer.body,
                redirects,
            ),
            Err(_) => Said::Unreachable,
        };
        match said {
            Said::Rules(rules) => self.know_rules(origin, rules),
            Said::MovedTo(location) => self.follow_rules(origin, url, &location, redirects),
            Said::Unreachable => self.try_rules_again(origin, answer)?,
        }
        Ok(())
    }

    fn follow_rules(&mut self, origin: &str, url: &Url, location: &str, redirects: u32) {
        let target = urls::normal(Some(url), location)
            .and_then(|target| self.check_found(&target).map(|()| target));
        match target {
            Ok(target) if self.domain(&target).tally.stopped.is_some() => {
                let why = format!("robots.txt is at {target}, which was given up");
                self.close_origin(origin, Why::new(FailureKind::Robots, why));
            }
            Ok(target) => {
                // It may be another domain, which has its own turn. Pages wait for their rules, so
                // the rules come first.
                let name = urls::domain(&target);
                let item = Item::Robots {
                    origin: origin.to_owned(),
                    url: target.clone(),
                    redirects: redirects + 1,
                };
                self.domain(&target).put_back(item);
                self.offer(&name);
            }
            // There are rules, and they cannot be read: nothing is known to be allowed.
            Err(refusal) => {
                let why = format!("robots.txt redirects to {location}, refused: {refusal}");
                self.close_origin(origin, Why::new(FailureKind::Robots, why));
            }
        }
    }

    fn know_rules(&mut self, origin: &str, rules: Rules) {
        let Ok(base) = Url::parse(origin) else { return };
        let name = urls::domain(&base);
        match rules.crawl_delay() {
            // Other hosts of the domain may have other rules.
            Some(delay) if delay > LONGEST_PAUSE => {
                let why = format!("robots.txt asks for {} s between requests", delay.as_secs());
                return self.close_origin(origin, Why::new(FailureKind::Robots, why));
            }
            Some(delay) => {
                let domain = self.domain(&base);
                domain.crawl_delay = domain.crawl_delay.max(Some(delay));
            }
            None => {}
        }
        if self.settings.sitemaps {
            self.add_sitemaps(&base, &rules);
        }
        let now = self.now();
        self.origins
            .insert(origin.to_owned(), Origin::Known(rules, now));
        self.offer(&name);
    }

    /// The sitemaps that the rules name, or else the usual one.
    fn add_sitemaps(&mut self, base: &Url, rules: &Rules) {
        let mut sitemaps: Vec<Url> = rules.sitemaps().cloned().collect();
        if sitemaps.is_empty() {
            sitemaps.extend(base.join("/sitemap.xml"));
        }
        for url in sitemaps {
            self.find(&url, None, "sitemap", 1, 0, Role::Listing(0));
        }
    }

    /// Rules that cannot be read forbid everything until they can.
    fn try_rules_again(
        &mut self,
        origin: &str,
        answer: Result<&Answer, &FetchError>,
    ) -> Result<(), CrawlError> {
        let tries = match self.origins.get(origin) {
            Some(Origin::Asked(tries)) => *tries,
            _ => 0,
        };
        let Ok(base) = Url::parse(origin) else {
            return Ok(());
        };
        let name = urls::domain(&base);
        let may_pass =
            tries < self.settings.retries && answer.err().is_none_or(FetchError::is_passing);
        match self
            .wanted_wait(answer.ok(), tries, origin)
            .filter(|_| may_pass)
        {
            Some(wait) => {
                self.origins
                    .insert(origin.to_owned(), Origin::Again(tries + 1));
                // The rules may have been asked for elsewhere; it is this domain that waits.
                let earliest = self.now() + wait;
                self.schedule.put_off(&name, earliest);
                self.keep_pause(&name, wait)?;
            }
            None => {
                // What kept the rules from being read is what keeps the page; a server that
                // answered keeps it by its rules.
                let Why { kind, reason } =
                    answer.map_or_else(FetchError::why, |answer| Why::status(answer.status));
                let kind = if answer.is_ok() {
                    FailureKind::Robots
                } else {
                    kind
                };
                self.close_origin(
                    origin,
                    Why::new(kind, format!("robots.txt cannot be read: {reason}")),
                );
            }
        }
        self.offer(&name);
        Ok(())
    }

    /// How long to wait before another try: as the server says, or twice as long each time; nothing
    /// if it says too long.
    fn wanted_wait(&self, answer: Option<&Answer>, tries: u32, key: &str) -> Option<Duration> {
        let said = answer
            .and_then(|answer| retry_after(&answer.header("retry-after")?, SystemTime::now()));
        match said {
            Some(said) if said > LONGEST_RETRY_AFTER => None,
            Some(said) => Some(said.max(self.settings.latency)),
            None => Some(backoff(self.settings.backoff, tries, key)),
        }
    }

    /// Takes it that an address had no answer.
    fn address_failed(&mut self, name: &str, key: &str, error: &FetchError) -> Duration {
        if error.is_of_server()
            && let Some(domain) = self.domains.get_mut(name)
        {
            domain.failures += 1;
            if domain.failures >= MOST_IN_A_ROW {
                self.stop_domain(
                    name,
                    &format!("{MOST_IN_A_ROW} requests in a row failed: {error}"),
                );
            }
        }
        match error.is_passing().then(|| self.retry(key)).flatten() {
            Some(tries) => backoff(self.settings.backoff, tries, key),
            None => {
                self.set_failed(key, error.why());
                Duration::ZERO
            }
        }
    }

    /// Puts an address back into its queue, if it was not tried too often; gives how often it was
    /// tried before.
    fn retry(&mut self, key: &str) -> Option<u32> {
        let mut entry = self
            .entries
            .get(key)
            .filter(|entry| entry.tries < self.settings.retries)?
            .clone();
        entry.tries += 1;
        let url = urls::normal(None, &entry.url).ok()?;
        self.queue(&url, key.to_owned(), &entry);
        let tries = entry.tries - 1;
        self.entries.insert(key.to_owned(), entry);
        Some(tries)
    }

    /// Takes the answer to a request for an address.
    fn address_answered(
        &mut self,
        name: &str,
        key: &str,
        answer: &Answer,
    ) -> Result<Duration, CrawlError> {
        let Some(entry) = self.entries.get(key).cloned() else {
            return Ok(Duration::ZERO);
        };
        let Ok(url) = urls::normal(None, &entry.url) else {
            return Ok(Duration::ZERO);
        };
        if let Some(domain) = self.domains.get_mut(name) {
            domain.forbidden = if answer.status == 403 {
                domain.forbidden + 1
            } else {
                0
            };
            if domain.forbidden >= MOST_IN_A_ROW {
                self.stop_domain(
                    name,
                    &format!("{MOST_IN_A_ROW} pages in a row were forbidden"),
                );
            }
        }
        match answer.status {
            429 | 500..=599 => return self.busy(name, key, &entry, answer),
            304 => self.store_unchanged(key, entry, answer)?,
            301 | 302 | 303 | 307 | 308 => self.redirected(key, &url, entry, answer)?,
            200..=299 => self.succeeded(key, &url, entry, answer)?,
            status => {
                self.store(&entry, answer, Asked::default())?;
                self.set_failed(key, Why::status(status));
            }
        }
        Ok(Duration::ZERO)
    }

    /// The server cannot or will not answer now.
    fn busy(
        &mut self,
        name: &str,
        key: &str,
        entry: &Entry,
        answer: &Answer,
    ) -> Result<Duration, CrawlError> {
        let Some(wait) = self.wanted_wait(Some(answer), entry.tries, key) else {
            self.stop_domain(name, "it asks to be left alone for more than an hour");
            self.set_failed(key, Why::status(answer.status));
            return Ok(Duration::ZERO);
        };
        if self.retry(key).is_none() {
            self.store(entry, answer, Asked::default())?;
            self.set_failed(key, Why::status(answer.status));
        }
        self.keep_pause(name, wait)?;
        Ok(wait)
    }

    fn redirected(
        &mut self,
        key: &str,
        url: &Url,
        entry: Entry,
        answer: &Answer,
    ) -> Result<(), CrawlError> {
        self.store(&entry, answer, Asked::default())?;
        let target = answer
            .header("location")
            .map(|location| urls::normal(Some(url), &location));
        let is_given = entry.depth == 0;
        let target = match target {
            Some(Ok(target)) => target,
            Some(Err(refusal)) => {
                return self.give_up(
                    key,
                    FailureKind::Redirect,
                    format!("its redirect is refused: {refusal}"),
                );
            }
            None => return self.give_up(key, FailureKind::Redirect, "a redirect to nowhere"),
        };
        let target_key = urls::key(&target);
        if target_key == key {
            return self.give_up(key, FailureKind::Redirect, "it redirects to itself");
        }
        if let Some(circle) = self.circle(key, &target_key) {
            let why = format!("it redirects in a circle of {} addresses", circle.len());
            for member in circle {
                self.set_failed(&member, Why::new(FailureKind::Redirect, why.clone()));
            }
            return Ok(());
        }
        if entry.hops >= MOST_HOPS {
            return self.give_up(
                key,
                FailureKind::Redirect,
                format!("more than {MOST_HOPS} redirects"),
            );
        }
        if let Err(refusal) = self.check_found(&target) {
            self.refuse(target.as_str(), &refusal, entry.depth);
            return self.give_up(
                key,
                FailureKind::Redirect,
                format!("its redirect is refused: {refusal}"),
            );
        }
        // The bare name of a site leads to its www, also where only one host is wanted.
        if is_given && urls::domain(&target) == urls::domain(url) {
            self.widen_scope(&target);
        }
        if !self.is_in_scope(&target) {
            return self.give_up(
                key,
                FailureKind::Redirect,
                format!("it redirects to another site: {target}"),
            );
        }
        self.find(
            &target,
            Some(url.as_str()),
            &entry.place,
            entry.depth,
            entry.hops + 1,
            entry.role,
        );
        let entry = Entry {
            leads_to: Some(target_key),
            ..entry
        };
        self.set_done(key, entry, None);
        self.take_shown(url, None);
        Ok(())
    }

    /// The keys of a circle of redirects that a redirect from one address to another closes.
    fn circle(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let (mut members, mut at) = (vec![from.to_owned()], to);
        while at != from {
            if members.len() > LONGEST_CIRCLE {
                return None;
            }
            members.push(at.to_owned());
            at = self.entries.get(at)?.leads_to.as_deref()?;
        }
        Some(members)
    }

    /// Takes a page, or a list of pages.
    fn succeeded(
        &mut self,
        key: &str,
        url: &Url,
        entry: Entry,
        answer: &Answer,
    ) -> Result<(), CrawlError> {
        let (media_type, charset) = answer.media_type();
        let is_html = media_type.contains("html");
        let body = match entry.role {
            Role::Page | Role::List => answer.body.clone(),
            Role::Listing(_) => self.unpacked(&answer.body),
        };
        let mut page = Page::new(url.as_str(), body)
            .with_url(url.as_str())
            .with_truncated(answer.cut.is_some());
        if let Some(charset) = charset {
            page = page.with_charset(charset);
        }
        let Ok(text) = Text::decode_guarded(page) else {
            self.store(&entry, answer, Asked::default())?;
            return self.give_up(key, FailureKind::Unreadable, "it cannot be read");
        };
        let listing = match entry.role {
            Role::List => None,
            Role::Page if is_html => None,
            Role::Page | Role::Listing(_) => sitemap::read(text.as_str()),
        };
        if let Some(listing) = listing {
            self.add_listing(url, &entry, listing);
            self.set_done(key, entry, None);
            self.take_shown(url, None);
            return Ok(());
        }
        if matches!(entry.role, Role::Listing(_)) {
            return self.give_up(
                key,
                FailureKind::Unreadable,
                "it is neither a sitemap nor a feed",
            );
        }
        self.take_page(key, url, entry, answer, &text)
    }

    /// A sitemap that was packed as a file, and not by HTTP.
    fn unpacked(&self, body: &[u8]) -> Vec<u8> {
        if !body.starts_with(&[0x1f, 0x8b]) {
            return body.to_vec();
        }
        let mut unpacking = Body::new("gzip", self.settings.limits.sitemap_bytes);
        // One that unpacks to too much is read as far as it may.
        _ = unpacking.push(body);
        unpacking.finish().plain
    }

    fn add_listing(&mut self, url: &Url, entry: &Entry, listing: Listing) {
        let level = match entry.role {
            Role::Listing(level) => level,
            Role::Page | Role::List => 0,
        };
        for page in listing.pages {
            let found = Found {
                url: match urls::normal(Some(url), &page.url) {
                    Ok(target) => target,
                    Err(refusal) => {
                        self.refuse(&page.url, &refusal, entry.depth + 1);
                        continue;
                    }
                },
                via: Some(url.as_str()),
                place: "sitemap",
                depth: entry.depth + 1,
                hops: 0,
                role: Role::Page,
            };
            if self.is_old(&page) {
                self.pass_over(&found, "it has not changed since then (--since)");
                continue;
            }
            let Found { url, depth, .. } = &found;
            self.find(url, found.via, found.place, *depth, 0, Role::Page);
        }
        for sitemap in listing.sitemaps {
            let Ok(target) = urls::normal(Some(url), &sitemap) else {
                continue;
            };
            let found = Found {
                url: target,
                via: Some(url.as_str()),
                place: "sitemap",
                depth: entry.depth,
                hops: 0,
                role: Role::Listing(level + 1),
            };
            if level < SITEMAP_LEVELS {
                self.find(
                    &found.url,
                    found.via,
                    found.place,
                    found.depth,
                    0,
                    found.role,
                );
            } else {
                self.pass_over(&found, "sitemaps led to it over too many sitemaps");
            }
        }
    }

    /// Whether a sitemap or feed says that a page was last changed before the pages that are wanted.
    fn is_old(&self, page: &Listed) -> bool {
        match (&self.settings.since, &page.changed) {
            // Days in ISO 8601 are in the order of their letters.
            (Some(since), Some(changed)) => changed.as_str() < since.as_str(),
            (None, _) | (_, None) => false,
        }
    }

    fn take_page(
        &mut self,
        key: &str,
        url: &Url,
        entry: Entry,
        answer: &Answer,
        text: &Text,
    ) -> Result<(), CrawlError> {
        let found = Links::of(text.as_str(), url);
        let asked = answer
            .headers("x-robots-tag")
            .map(|value| Asked::read(&value))
            .fold(found.asked, Asked::and);
        let is_new = self.store(&entry, answer, asked)?;
        // A page that is the same as another leads nowhere that the other did not lead to.
        let shape = urls::shape(url);
        if let Some(kinds) = &mut self.domain(url).kinds {
            let led = |link: &Link| (link.source(), link.url.to_string());
            let links: Vec<(String, String)> = found.links.iter().map(led).collect();
            kinds.add_links(&shape, &links);
        }
        if entry.role == Role::List {
            if self.settings.dry_run {
                self.report.planned.push(entry.url.clone());
            }
            self.take_list_page(url, text, entry.visits > 0);
        } else if self.settings.follow && is_new && !asked.nofollow {
            self.add_links(url, &entry, found);
        }
        let source = source_of(url, &entry);
        let is_first = entry.visits == 0;
        let domain = self.domain(url);
        domain.tally.noindex += u64::from(asked.noindex);
        if is_first {
            domain.tally.pages += 1;
            domain
                .kinds
                .iter_mut()
                .for_each(|kinds| kinds.add(&source, text.clone()));
            self.report.pages += 1;
        }
        self.set_done(key, entry, Some(answer));
        if is_first {
            self.take_shown(url, Some(text.as_str()));
        }
        Ok(())
    }

    fn add_links(&mut self, url: &Url, entry: &Entry, found: Links) {
        for link in found.links {
            self.find(
                &link.url,
                Some(url.as_str()),
                &link.place,
                entry.depth + 1,
                0,
                Role::Page,
            );
        }
        for feed in found.feeds {
            self.find(
                &feed,
                Some(url.as_str()),
                "feed",
                entry.depth + 1,
                0,
                Role::Listing(SITEMAP_LEVELS),
            );
        }
    }

    /// Adds an address that was found somewhere, if it is one that may be followed.
    pub(crate) fn find(
        &mut self,
        url: &Url,
        via: Option<&str>,
        place: &str,
        depth: u32,
        hops: u32,
        role: Role,
    ) {
        let found = Found {
            url: url.clone(),
            via,
            place,
            depth,
            hops,
            role,
        };
        let is_wanted = hops > 0 || role != Role::Page || self.settings.is_wanted(url.as_str());
        if !self.is_in_scope(url) {
            self.pass_over(&found, "it is outside the scope (--scope)");
        } else if !is_wanted {
            self.pass_over(&found, "--include or --exclude leaves it out");
        } else if depth > self.settings.depth {
            self.pass_over(&found, "it is too many links away (--depth)");
        } else if let Err(refusal) = self.check_found(url) {
            self.refuse(url.as_str(), &refusal, depth.max(1));
        } else {
            self.add(&found);
        }
    }

    /// Notes that an address is done; with what its page was like, if there was one.
    fn set_done(&mut self, key: &str, mut entry: Entry, answer: Option<&Answer>) {
        entry.status = Status::Done {
            is_page: answer.is_some(),
        };
        entry.tries = 0;
        if let Some(answer) = answer {
            entry.visits += 1;
            entry.last = Some(Visit {
                date: warc_date(answer.date),
                time: answer
                    .date
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default()
                    .as_secs(),
                digest: digest(&answer.raw),
                etag: answer.header("etag"),
                last_modified: answer.header("last-modified"),
            });
            self.plan_revisit(key, &entry);
        }
        self.entries.insert(key.to_owned(), entry);
        self.note_change(key.to_owned());
    }

    /// Notes that there is no page for an address, and that this is all there is to do about it.
    fn give_up(
        &mut self,
        key: &str,
        kind: FailureKind,
        reason: impl Into<String>,
    ) -> Result<(), CrawlError> {
        self.set_failed(key, Why::new(kind, reason));
        Ok(())
    }

    /// The page is as it was: the server says so.
    fn store_unchanged(
        &mut self,
        key: &str,
        mut entry: Entry,
        answer: &Answer,
    ) -> Result<(), CrawlError> {
        let Some(last) = entry.last.clone() else {
            return self.give_up(
                key,
                FailureKind::Status,
                "HTTP status 304, without having been asked for a change",
            );
        };
        let revisit = Record::revisit(
            &entry.url,
            answer.date,
            answer.head_bytes(),
            Profile::NotModified,
        )
        .with_field("WARC-Refers-To-Target-URI", &entry.url)
        .with_field("WARC-Refers-To-Date", &last.date)
        .with_field("WARC-Payload-Digest", &last.digest);
        self.append(&entry, answer, revisit, Asked::default())?;
        entry.visits += 1;
        entry.status = Status::Done { is_page: true };
        let time = answer
            .date
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        entry.last = Some(Visit { time, ..last });
        self.plan_revisit(key, &entry);
        self.entries.insert(key.to_owned(), entry);
        self.note_change(key.to_owned());
        Ok(())
    }

    /// Writes an answer to the archive; one whose payload is there already as a revisit. Says
    /// whether it was new.
    fn store(&mut self, entry: &Entry, answer: &Answer, asked: Asked) -> Result<bool, CrawlError> {
        let payload = digest(&answer.raw);
        let known = self
            .payloads
            .get(&payload)
            .filter(|_| answer.status == 200 && !answer.raw.is_empty());
        let (record, is_new) = match known {
            Some((url, date)) => {
                let revisit = Record::revisit(
                    &entry.url,
                    answer.date,
                    answer.head_bytes(),
                    Profile::IdenticalPayload,
                )
                .with_field("WARC-Refers-To-Target-URI", url)
                .with_field("WARC-Refers-To-Date", date)
                .with_field("WARC-Payload-Digest", &payload);
                (revisit, false)
            }
            None => (
                Record::response(
                    &entry.url,
                    answer.date,
                    [answer.head_bytes(), answer.raw.clone()].concat(),
                ),
                true,
            ),
        };
        let record = match answer.cut {
            Some(cut) => record.with_field("WARC-Truncated", cut.word()),
            None => record,
        };
        self.append(entry, answer, record, asked)?;
        if is_new && answer.status == 200 && answer.cut.is_none() {
            self.payloads
                .insert(payload, (entry.url.clone(), warc_date(answer.date)));
        }
        Ok(is_new)
    }

    /// Writes a record, the request that it answers, and how the address was found.
    fn append(
        &mut self,
        entry: &Entry,
        answer: &Answer,
        mut record: Record,
        asked: Asked,
    ) -> Result<(), CrawlError> {
        if let Some(ip) = answer.ip {
            record = record.with_field("WARC-IP-Address", ip.to_string());
        }
        if let Some(protocol) = answer.protocol() {
            record = record.with_field("WARC-Protocol", protocol);
        }
        let request =
            Record::request(&entry.url, answer.date, answer.request_bytes()).concurrent_to(&record);
        let hops = entry.depth.to_string();
        let mut lines = vec![("hopsFromSeed", hops.as_str())];
        lines.extend(entry.via.as_deref().map(|via| ("via", via)));
        lines.extend(asked.noindex.then_some(("robots", "noindex")));
        lines.extend(asked.nofollow.then_some(("robots", "nofollow")));
        let metadata = Record::metadata(&entry.url, answer.date, &lines).concurrent_to(&record);
        self.files.warc.append(&[record, request, metadata])?;
        Ok(())
    }
}
