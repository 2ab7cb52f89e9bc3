//! `unmold crawl`.

use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use std::{net::IpAddr, path::PathBuf, time::Duration};
use unmold_crawl::{Scope, address::Network};
use unmold_io::LoadSettings;

pub const CRAWL_EXAMPLES: &str = "\
Examples:
  # about 30 pages of each kind, and which kinds there are
  unmold crawl --contact you@example.org https://a.example/ \\
    --until learned -o site.warc.gz
  # ... and learn from them
  unmold learn site.warc.gz -o site.mold.json
  # 500 pages, following links
  unmold crawl https://a.example/ --follow --limit 500 -o site.warc.gz
  # the news alone, at most three links away
  unmold crawl https://a.example/ --follow --include '*/news/*' \\
    --depth 3 -o news.warc.gz
  # exactly these pages, one address a line
  unmold crawl - -o pages.warc.gz < addresses.txt
  # go on where a crawl was cut off, with the same options
  unmold crawl --resume -o site.warc.gz
  # files of a gigabyte, and a list of what gave no page
  unmold crawl https://a.example/ --follow --rotate 1G \\
    --errors missing.jsonl -o site.warc.gz
  # a list, all its pages, and the pages of its items
  unmold crawl https://a.example/offers --list -o offers.warc.gz
  # no more than an hour or a gigabyte, and another hour tomorrow
  unmold crawl https://a.example/ --follow --max-time 1h \\
    --max-bytes 1G -o site.warc.gz
  unmold crawl --resume --max-time 1h -o site.warc.gz
  # which pages of the sitemaps were changed since Sunday
  unmold crawl https://a.example/ --sitemaps --since 2026-11-15 --dry-run
  # the same pages every six hours
  unmold crawl - --again 6h --visits 8 -o history.warc.gz < addresses.txt

UNMOLD_CONTACT may hold the contact. Servers are left alone for a second
between requests, robots.txt is obeyed, and addresses of private
networks are not asked.";

#[derive(Debug, ClapArgs)]
pub struct CrawlArgs {
    /// Addresses of pages, or - to read them from standard input, one a line, as they come.
    #[arg(value_name = "URL", required_unless_present = "resume", value_hint = ValueHint::Url)]
    pub urls: Vec<String>,
    /// The archive to write, which other commands read; until it is finished it is called
    /// FILE.open.
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Whom the operator of a server can ask about this crawl: an e-mail address or a web page.
    #[arg(long, value_name = "MAIL|URL")]
    pub contact: Option<String>,
    /// Go on where a crawl was cut off, with the options it was begun with. Only budgets can be
    /// changed: --limit, --max-bytes, --max-time, --keep-free.
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// List the pages that would be fetched, one URL a line, and fetch none: only robots.txt,
    /// sitemaps and, with --list, the pages of the list.
    #[arg(long, conflicts_with = "resume")]
    pub dry_run: bool,
    /// Replace the archive if it exists, and what is left of an unfinished crawl.
    #[arg(long)]
    pub overwrite: bool,
    /// Begin another file when one has this size, such as 1G: site-00000.warc.gz,
    /// site-00001.warc.gz and so on.
    #[arg(long, value_name = "SIZE", value_parser = super::size)]
    pub rotate: Option<usize>,
    /// Also write each address without a page and the reason to this file, one JSON object per
    /// line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub errors: Option<PathBuf>,
    #[command(flatten)]
    pub reach: Reach,
    #[command(flatten)]
    pub manners: Manners,
    #[command(flatten)]
    pub bounds: Bounds,
    /// What was typed, as it is kept for --resume.
    #[arg(skip)]
    pub words: Vec<String>,
}

/// Where a crawl goes.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Where it goes")]
pub struct Reach {
    /// Follow links and feeds.
    #[arg(long)]
    pub follow: bool,
    /// Read the sitemaps that robots.txt names, or /sitemap.xml.
    #[arg(long)]
    pub sitemaps: bool,
    /// The URL is a list: fetch all its pages and the pages its items link to, and nothing else.
    #[arg(long, conflicts_with_all = ["follow", "sitemaps", "until"])]
    pub list: bool,
    /// Leave out pages that sitemaps and feeds say were last changed before this day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub since: Option<String>,
    /// Stop when the templates of the site can be learned: follow links and sitemaps, but no kind
    /// of page any further of which there is enough.
    #[arg(long, value_enum, value_name = "WHEN")]
    pub until: Option<Until>,
    /// With --until learned: how many pages of a kind are enough.
    #[arg(long, default_value_t = 30, value_name = "N", requires = "until", value_parser = clap::value_parser!(u32).range(2..))]
    pub enough: u32,
    /// Which links are followed.
    #[arg(long, value_enum, default_value_t = ScopeName::Site)]
    pub scope: ScopeName,
    /// How many links away from a given address.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub depth: u32,
    /// Follow only addresses that match this pattern (* and ? as in a shell; without them, any
    /// part). May be given several times.
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Do not follow addresses that match this pattern.
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Ask for every page again after this time (6h, 30m, 7d).
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub again: Option<Duration>,
    /// With --again: how often a page is asked for in all; until interrupted, if not given.
    #[arg(long, value_name = "N", requires = "again")]
    pub visits: Option<u32>,
}

/// How it treats servers.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "How it treats servers")]
pub struct Manners {
    /// The least time between an answer of a site and the next request to it.
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = duration)]
    pub latency: Duration,
    /// How many sites are asked at the same time.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub parallel: u16,
    /// How often something is tried again that went wrong.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub retries: u32,
    /// How long to wait before the first retry; each further one waits twice as long.
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = duration)]
    pub backoff: Duration,
}

/// What it may cost, and what is let through.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Bounds")]
pub struct Bounds {
    /// Fetch no more than this many pages.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Stop when this run has read this much over the network, such as 500M. --resume goes on.
    #[arg(long, value_name = "SIZE", value_parser = super::size)]
    pub max_bytes: Option<usize>,
    /// Stop after this time (30m, 2h). --resume goes on.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,
    /// Stop when the disk has less room than this. --resume goes on.
    #[arg(long, default_value = "200M", value_name = "SIZE", value_parser = super::size)]
    pub keep_free: usize,
    /// Take up no more addresses of one site.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    pub per_site: usize,
    /// Take up no more addresses that look alike; a tenth of it where they have a query.
    #[arg(long, default_value_t = 5_000, value_name = "N")]
    pub per_shape: usize,
    /// The longest time for one answer.
    #[arg(long, default_value = "60s", value_name = "TIME", value_parser = duration)]
    pub timeout: Duration,
    /// The most bytes of a page, packed or unpacked.
    #[arg(long, default_value_t = LoadSettings::PAGE_BYTES, value_name = "BYTES")]
    pub page_bytes: usize,
    /// Also ask addresses of this private network: 127.0.0.1/32, fd00::/8. May be given several
    /// times.
    #[arg(long, value_name = "NETWORK")]
    pub allow_private: Vec<Network>,
    /// Where a name leads, instead of looking it up: a.example=192.0.2.1.
    #[arg(long, value_name = "NAME=IP", value_parser = pinned)]
    pub resolve: Vec<(String, IpAddr)>,
    /// Also believe the certificate authorities in this file (PEM). May be given several times.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub trust: Vec<PathBuf>,
    /// Believe certificates that nobody vouches for; the archive says so.
    #[arg(long)]
    pub insecure: bool,
}

/// When a crawl has enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Until {
    /// When there are enough pages of each kind to learn from.
    Learned,
}

/// Which links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeName {
    /// Those to the same registered domain.
    Site,
    /// Those to the same host.
    Host,
    /// Those to the same folder, or below it.
    Folder,
    /// All.
    Any,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::Site => Scope::Site,
            ScopeName::Host => Scope::Host,
            ScopeName::Folder => Scope::Folder,
            ScopeName::Any => Scope::Any,
        }
    }
}

/// Reads `500ms`, `1.5s`, `30m`, `6h`, `7d`; a bare number is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let end = text
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let seconds = match &text[end..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err("a time is a number and one of ms, s, m, h, d".into()),
    };
    let number: f64 = text[..end]
        .parse()
        .map_err(|_| "a time begins with a number".to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .map_err(|_| "a time is neither negative nor endless".into())
}

/// Reads a day, `2026-11-19`.
fn day(text: &str) -> Result<String, String> {
    let is_like_a_day = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if is_like_a_day {
        Ok(text.to_owned())
    } else {
        Err("write the day as YYYY-MM-DD".into())
    }
}

fn pinned(text: &str) -> Result<(String, IpAddr), String> {
    let (name, address) = text.split_once('=').ok_or("write NAME=IP")?;
    let address = address
        .parse()
        .map_err(|_| format!("{address} is no IP address"))?;
    Ok((name.to_owned(), address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("6h"), Ok(Duration::from_secs(21_600)));
        assert!(duration("-1s").is_err());
        assert!(duration("6 weeks").is_err());
        assert!(duration("").is_err());
    }
}
