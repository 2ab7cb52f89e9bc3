//! Which part of an address names the visitor, and not the page?
//!
//! Servers that set no cookie may write a session id into every link. Then each visit finds new
//! addresses of the same pages, without end. No list of names tells such a parameter: `sid` is a
//! session on one site and a story on the next. What tells it is its value, and the pages:
//!
//! 1. A candidate has a long value that looks random.
//! 2. Addresses that differ from a known one in nothing but a candidate wait. One of them at a time
//!    is fetched, as a test.
//! 3. If it shows the same text as the page that is known, twice in a row, the parameter is a
//!    session id, and the others that wait are the pages that are known. If it shows another text,
//!    it names pages, and all that wait are fetched.
//!
//! ```
//! use unmold_crawl::sessions::candidates;
//! use url::Url;
//!
//! let url = Url::parse("http://a.example/news;jsessionid=8F3A90C1B2D4E5F60718?story=12")?;
//! let found = candidates(&url);
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].name, ";jsessionid");
//! assert_eq!(found[0].bare.as_str(), "http://a.example/news?story=12");
//! # Ok::<(), url::ParseError>(())
//! ```
//!
//! Addresses that a person named are never changed, and so are the targets of redirects, since a
//! redirect to a new session would lead back to itself.

use std::{
    collections::{HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
};
use unmold::read::html::{Kind, tokens, visible_text};
use url::Url;

/// A part of an address that may name the visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name of the parameter; with a semicolon before it where it is part of the path.
    pub name: String,
    /// The address without it.
    pub bare: Url,
}

/// A session id has at least this many characters. Those of common servers have 20 to 52; shorter
/// values are numbers and words that name pages.
const SHORTEST_ID: usize = 16;
/// A value looks random if it changes between letters and digits at least this often. Ids of 16
/// and more random characters change 5 times and more; titles with a number in them once or twice.
const FEWEST_CHANGES: usize = 4;
/// A parameter is a session id if this many tests in a row show the page that is known. One could
/// be two pages that both say that they are not to be had.
const TESTS: u32 = 2;

/// The parts of an address that may name the visitor.
pub fn candidates(url: &Url) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some((path, parameter)) = url.path().split_once(';')
        && let Some((name, value)) = parameter.split_once('=')
        && looks_random(value)
    {
        let mut bare = url.clone();
        bare.set_path(path);
        found.push(Candidate {
            name: format!(";{name}"),
            bare,
        });
    }
    let parts: Vec<&str> = url.query().unwrap_or_default().split('&').collect();
    for (at, part) in parts.iter().enumerate() {
        let Some((name, value)) = part.split_once('=') else {
            continue;
        };
        if !looks_random(value) {
            continue;
        }
        let mut kept = parts.clone();
        kept.remove(at);
        let mut bare = url.clone();
        bare.set_query(Some(kept.join("&").as_str()).filter(|query| !query.is_empty()));
        found.push(Candidate {
            name: name.to_owned(),
            bare,
        });
    }
    found
}

fn looks_random(value: &str) -> bool {
    if value.len() < SHORTEST_ID
        || !value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'!'))
    {
        return false;
    }
    let characters: Vec<u8> = value
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .collect();
    let changes = characters
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    changes.count() >= FEWEST_CHANGES
}

/// What is known of the session ids of one domain.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    parameters: HashMap<String, Parameter>,
    /// What the page at each address without candidates said; nothing while it was not fetched.
    said: HashMap<String, Option<u64>>,
}

/// What is known of a parameter.
#[derive(Debug, Default)]
struct Parameter {
    verdict: Verdict,
    /// The address that is fetched as a test.
    tested: Option<String>,
    /// Addresses that wait for the verdict.
    held: VecDeque<String>,
}

/// What a parameter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// That is not known; so many tests in a row showed a page that was known.
    Open(u32),
    /// Visitors.
    Session,
    /// Pages.
    Page,
}

impl Default for Verdict {
    fn default() -> Self {
        Verdict::Open(0)
    }
}

/// What to do with an address that was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It is one like all others.
    New,
    /// It waits for a test of another.
    Held,
}

/// What a test has shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Nothing yet.
    Nothing,
    /// These addresses are to be fetched now.
    Wanted(Vec<String>),
    /// The parameter of this name is a session id, and these addresses are pages that are known.
    Known(String, Vec<String>),
}

impl Sessions {
    /// The address without its session ids, if it has any.
    pub(crate) fn without_ids(&self, url: &Url) -> Option<Url> {
        let mut bare = self.session_of(url)?.bare;
        while let Some(candidate) = self.session_of(&bare) {
            bare = candidate.bare;
        }
        Some(bare)
    }

    /// Takes up an address that an earlier run asked for.
    pub(crate) fn remember(&mut self, url: &Url) {
        self.said.entry(url.to_string()).or_default();
        for candidate in candidates(url) {
            self.said.entry(candidate.bare.to_string()).or_default();
        }
    }

    /// Takes up an address that was found, and says what to do with it.
    pub(crate) fn find(&mut self, url: &Url) -> Found {
        let Some(candidate) = self.open_candidate(url) else {
            self.said.entry(url.to_string()).or_default();
            return Found::New;
        };
        let is_first = !self.said.contains_key(candidate.bare.as_str());
        self.said.entry(candidate.bare.to_string()).or_default();
        if is_first {
            return Found::New;
        }
        let parameter = self.parameters.entry(candidate.name).or_default();
        if parameter.tested.is_some() {
            parameter.held.push_back(url.to_string());
            return Found::Held;
        }
        parameter.tested = Some(url.to_string());
        Found::New
    }

    /// Takes what was fetched from an address: its text, or nothing if there is no page.
    pub(crate) fn fetched(&mut self, url: &Url, page: Option<&str>) -> Shown {
        let said = page.and_then(text_hash);
        let Some(candidate) = self.open_candidate(url) else {
            self.said.insert(url.to_string(), said);
            return Shown::Nothing;
        };
        let known = self.said.get(candidate.bare.as_str()).copied().flatten();
        if known.is_none() {
            self.said.insert(candidate.bare.to_string(), said);
        }
        let parameter = self.parameters.entry(candidate.name.clone()).or_default();
        let is_test = parameter.tested.as_deref() == Some(url.as_str());
        if is_test {
            parameter.tested = None;
        }
        if let (Some(known), Some(said)) = (known, said) {
            parameter.judge(known == said);
        }
        match parameter.verdict {
            Verdict::Session => Shown::Known(candidate.name, parameter.held.drain(..).collect()),
            Verdict::Page => Shown::Wanted(parameter.held.drain(..).collect()),
            Verdict::Open(_) if is_test => {
                parameter.tested = parameter.held.pop_front();
                Shown::Wanted(parameter.tested.iter().cloned().collect())
            }
            Verdict::Open(_) => Shown::Nothing,
        }
    }

    /// The first candidate of an address that is known to be a session id.
    fn session_of(&self, url: &Url) -> Option<Candidate> {
        let is_session = |candidate: &Candidate| {
            self.parameters
                .get(&candidate.name)
                .is_some_and(|parameter| parameter.verdict == Verdict::Session)
        };
        candidates(url).into_iter().find(is_session)
    }

    /// The first candidate of an address of which nothing is known yet.
    fn open_candidate(&self, url: &Url) -> Option<Candidate> {
        let is_open = |candidate: &Candidate| {
            self.parameters
                .get(&candidate.name)
                .is_none_or(|parameter| matches!(parameter.verdict, Verdict::Open(_)))
        };
        candidates(url).into_iter().find(is_open)
    }
}

impl Parameter {
    fn judge(&mut self, is_same: bool) {
        self.verdict = match self.verdict {
            Verdict::Open(same) if is_same && same + 1 >= TESTS => Verdict::Session,
            Verdict::Open(same) if is_same => Verdict::Open(same + 1),
            Verdict::Open(_) => Verdict::Page,
            decided => decided,
        };
    }
}

/// A hash of the letters that a reader of a page sees; nothing if there are none. Digits are left
/// out, since times and counters change from visit to visit.
fn text_hash(page: &str) -> Option<u64> {
    let mut hash = DefaultHasher::new();
    let mut letters = 0_usize;
    for token in tokens(page) {
        if token.kind != Kind::Text {
            continue;
        }
        for letter in visible_text(token.span.of(page)).chars() {
            if letter.is_alphabetic() {
                letter.hash(&mut hash);
                letters += 1;
            }
        }
    }
    (letters > 0).then(|| hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn id(number: u64) -> String {
        let mut mixed = number;
        let mut id = String::new();
        for _ in 0..2 {
            mixed = mixed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            id += &format!("{mixed:016x}");
        }
        id
    }

    #[test]
    fn only_long_random_values_are_candidates() {
        for text in [
            "http://a.example/article?sid=1",
            "http://a.example/article?sid=20261119",
            "http://a.example/?q=how-to-make-a-kettle-in-2026",
            "http://a.example/?name=internationalisation",
            "http://a.example/?number=123456789012345678901234567890",
        ] {
            assert_eq!(candidates(&url(text)), [], "{text}");
        }
        let found = candidates(&url(&format!("http://a.example/x?a=1&s={}&b=2", id(1))));
        assert_eq!(found[0].name, "s");
        assert_eq!(found[0].bare.as_str(), "http://a.example/x?a=1&b=2");
    }

    #[test]
    fn a_parameter_that_changes_nothing_is_a_session_id() {
        let mut sessions = Sessions::default();
        let page = |number| url(&format!("http://a.example/x?s={}", id(number)));
        assert_eq!(sessions.find(&url("http://a.example/x")), Found::New);
        sessions.fetched(&url("http://a.example/x"), Some("<p>Tea, 12:30"));
        assert_eq!(sessions.find(&page(1)), Found::New, "the first is a test");
        assert_eq!(sessions.find(&page(2)), Found::Held);
        assert_eq!(sessions.find(&page(3)), Found::Held);
        let shown = sessions.fetched(&page(1), Some("<p>Tea, 12:31"));
        assert_eq!(
            shown,
            Shown::Wanted(vec![page(2).to_string()]),
            "one more test"
        );
        let shown = sessions.fetched(&page(2), Some("<p>Tea, 12:32"));
        assert_eq!(shown, Shown::Known("s".into(), vec![page(3).to_string()]));
        let other = url(&format!("http://a.example/y?s={}", id(4)));
        let bare = Some(url("http://a.example/y"));
        assert_eq!(sessions.without_ids(&other), bare);
    }

    #[test]
    fn a_parameter_that_names_pages_is_none_and_no_page_is_lost() {
        let mut sessions = Sessions::default();
        let page = |number| url(&format!("http://a.example/x?s={}", id(number)));
        assert_eq!(sessions.find(&page(1)), Found::New);
        assert_eq!(sessions.find(&page(2)), Found::New);
        assert_eq!(sessions.find(&page(3)), Found::Held);
        sessions.fetched(&page(1), Some("<p>Tea"));
        let shown = sessions.fetched(&page(2), Some("<p>Salt"));
        assert_eq!(shown, Shown::Wanted(vec![page(3).to_string()]));
        assert_eq!(sessions.find(&page(4)), Found::New);
    }

    #[test]
    fn a_test_without_a_page_lets_the_next_one_go() {
        let mut sessions = Sessions::default();
        let page = |number| url(&format!("http://a.example/x?s={}", id(number)));
        for number in 1..5 {
            sessions.find(&page(number));
        }
        sessions.fetched(&page(1), None);
        for number in 2..4 {
            let shown = sessions.fetched(&page(number), None);
            assert_eq!(shown, Shown::Wanted(vec![page(number + 1).to_string()]));
        }
    }
}
