//! What is there to ask one registered domain, in which order, and how long is it left alone in
//! between?

use crate::{kinds::Kinds, report::DomainTally, sessions::Sessions};
use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};
use url::Url;

/// Something to ask for.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// The address with this key.
    Address(String),
    /// The rules of an origin, after so many redirects.
    Robots {
        origin: String,
        url: Url,
        redirects: u32,
    },
}

/// What is known of a registered domain.
#[derive(Default)]
pub(crate) struct Domain {
    /// What comes first: rules, redirects, sitemaps.
    urgent: VecDeque<Item>,
    /// Keys by source: where their links were found. Without kinds there is one source only.
    queues: BTreeMap<String, VecDeque<String>>,
    pub(crate) kinds: Option<Kinds>,
    pub(crate) crawl_delay: Option<Duration>,
    /// How many requests in a row had no answer.
    pub(crate) failures: u32,
    /// How many in a row were forbidden.
    pub(crate) forbidden: u32,
    /// How many addresses were taken up,
    pub(crate) known: usize,
    /// and how many of each shape.
    pub(crate) shapes: HashMap<String, usize>,
    pub(crate) sessions: Sessions,
    /// How many addresses were left out by a bound,
    pub(crate) left_out: usize,
    /// and which more, as hashes: they are not kept one by one.
    pub(crate) not_listed: HashSet<u64>,
    pub(crate) tally: DomainTally,
}

impl Domain {
    /// A domain of which so many pages of a kind are enough, if kinds are looked at.
    pub(crate) fn new(enough: Option<usize>) -> Self {
        Domain {
            kinds: enough.map(Kinds::new),
            ..Domain::default()
        }
    }

    /// Counts an address that is taken up.
    pub(crate) fn count(&mut self, shape: String) {
        self.known += 1;
        *self.shapes.entry(shape).or_default() += 1;
    }

    /// Counts an address that is left out and not kept.
    pub(crate) fn count_not_listed(&mut self, key: &str) {
        if self.not_listed.len() < MAX_NOT_LISTED {
            let mut hash = DefaultHasher::new();
            key.hash(&mut hash);
            self.not_listed.insert(hash.finish());
        }
    }

    /// Puts an address behind the others of its source.
    pub(crate) fn push(&mut self, source: &str, key: String) {
        let source = if self.kinds.is_some() { source } else { "" };
        self.queues
            .entry(source.to_owned())
            .or_default()
            .push_back(key);
    }

    /// Puts something before all others.
    pub(crate) fn push_urgent(&mut self, item: Item) {
        self.urgent.push_back(item);
    }

    /// Puts something before even those; also what was taken and could not be asked for.
    pub(crate) fn put_back(&mut self, item: Item) {
        self.urgent.push_front(item);
    }

    /// Takes what is to be asked for next; nothing if there is nothing that is wanted.
    pub(crate) fn take(&mut self) -> Option<Item> {
        if self.tally.stopped.is_some() {
            return None;
        }
        if let Some(item) = self.urgent.pop_front() {
            return Some(item);
        }
        let source = self.best_source()?.to_owned();
        let queue = self.queues.get_mut(&source)?;
        let key = queue.pop_front();
        if queue.is_empty() {
            self.queues.remove(&source);
        }
        key.map(Item::Address)
    }

    /// Whether there is something to take.
    pub(crate) fn has_more(&self) -> bool {
        self.tally.stopped.is_none() && (!self.urgent.is_empty() || self.best_source().is_some())
    }

    /// How many addresses wait, wanted or not.
    pub(crate) fn waiting(&self) -> usize {
        self.urgent.len() + self.queues.values().map(VecDeque::len).sum::<usize>()
    }

    /// How many addresses wait that are wanted.
    pub(crate) fn wanted(&self) -> usize {
        let wanted = self
            .queues
            .iter()
            .filter(|(source, _)| self.rank(source).is_some());
        self.urgent.len() + wanted.map(|(_, queue)| queue.len()).sum::<usize>()
    }

    fn best_source(&self) -> Option<&str> {
        let ranked = self
            .queues
            .keys()
            .filter_map(|source| Some((self.rank(source)?, source)));
        ranked
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, source)| source.as_str())
    }

    fn rank(&self, source: &str) -> Option<usize> {
        self.kinds
            .as_ref()
            .map_or(Some(0), |kinds| kinds.rank(source))
    }
}

/// Max. number of left-out URLs whose hashes are kept to count each once: 16 MB.
const MAX_NOT_LISTED: usize = 1_000_000;

/// A server that is slow is left alone longer: so many times as long as it took.
const PATIENCE: u32 = 5;
/// No server is left alone longer than this without having asked for it; and one that asks for more
/// is not asked at all.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long a domain is left alone behind an answer that took so long.
pub(crate) fn pause(latency: Duration, took: Duration, crawl_delay: Option<Duration>) -> Duration {
    latency
        .max((took * PATIENCE).min(LONGEST_PAUSE))
        .max(crawl_delay.unwrap_or_default().min(LONGEST_PAUSE))
}

/// How long to wait before something is tried again for the n-th time: twice as long each time, and
/// not all at once.
pub(crate) fn backoff(first: Duration, tries: u32, key: &str) -> Duration {
    let doubled = first * 2_u32.saturating_pow(tries.min(8));
    let spread = key.bytes().fold(tries, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    }) % 256;
    doubled + doubled * spread / 1024
}

/// The longest time that a server may ask to be left alone for.
pub(crate) const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// Reads `Retry-After`: seconds, or a date. A time that has passed is none; what cannot be read is
/// nothing.
pub(crate) fn retry_after(value: &str, now: std::time::SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    // More digits than a number has are still a number of seconds.
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::MAX);
    }
    httpdate::parse_http_date(value)
        .ok()
        .map(|then| then.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{SystemTime, UNIX_EPOCH};

    #[test]
    fn the_longest_of_all_reasons_to_wait_counts() {
        let ms = Duration::from_millis;
        assert_eq!(pause(ms(1000), ms(10), None), ms(1000));
        assert_eq!(pause(ms(1000), ms(400), None), ms(2000));
        assert_eq!(pause(ms(1000), ms(400), Some(ms(2500))), ms(2500));
        assert_eq!(pause(ms(1000), ms(60_000), None), LONGEST_PAUSE);
        assert_eq!(pause(ms(1000), ms(10), Some(ms(500))), ms(1000));
    }

    #[test]
    fn retries_wait_twice_as_long_each_time() {
        let first = Duration::from_secs(10);
        for tries in 0..4 {
            let wait = backoff(first, tries, "http://a.example/");
            assert!(
                wait >= first * 2_u32.pow(tries) && wait < first * 2_u32.pow(tries) * 5 / 4,
                "{wait:?}"
            );
        }
    }

    #[test]
    fn retry_after_is_read_in_all_its_forms() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
        let read = |value: &str| retry_after(value, now);
        assert_eq!(read("120"), Some(Duration::from_secs(120)));
        assert_eq!(
            read("Sun, 06 Nov 1994 08:49:47 GMT"),
            Some(Duration::from_secs(10))
        );
        assert_eq!(read("Sun, 06 Nov 1994 08:49:27 GMT"), Some(Duration::ZERO));
        assert_eq!(read("99999999999999999999999999"), Some(Duration::MAX));
        assert_eq!(read("-1"), None);
        assert_eq!(read("soon"), None);
        assert_eq!(retry_after("", SystemTime::now()), None);
    }

    #[test]
    fn urgent_things_come_first_and_a_stopped_domain_gives_nothing() {
        let mut domain = Domain::default();
        domain.push("x", "page".into());
        domain.push_urgent(Item::Address("redirect".into()));
        assert!(matches!(domain.take(), Some(Item::Address(key)) if key == "redirect"));
        assert!(domain.has_more());
        domain.tally.stopped = Some("enough".into());
        assert!(!domain.has_more() && domain.take().is_none());
    }
}
