//! What does the user want loaded, and how much may one item cost?

use std::fmt;
use std::io::Read;
use std::sync::Arc;

/// How to load: which fields hold the page, which pages are wanted, and the limits that keep memory
/// flat.
///
/// ```
/// use unmold_io::LoadSettings;
///
/// let settings = LoadSettings::default().html_field("body").include("*/products/*").limit(1000);
/// ```
#[derive(Clone, Debug)]
pub struct LoadSettings {
    url_field: String,
    html_field: String,
    include: Vec<Pattern>,
    limit: Option<u64>,
    truncated: bool,
    page_bytes: usize,
    line_bytes: usize,
    header_bytes: usize,
    header_lines: usize,
    expansion: u64,
    standard_input: StandardInput,
}

/// Where `-` is read from.
#[derive(Clone)]
struct StandardInput(Arc<dyn Fn() -> Box<dyn Read + Send> + Send + Sync>);

impl fmt::Debug for StandardInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StandardInput")
    }
}

impl Default for LoadSettings {
    fn default() -> Self {
        LoadSettings {
            url_field: "url".to_owned(),
            html_field: "html".to_owned(),
            include: Vec::new(),
            limit: None,
            truncated: true,
            page_bytes: Self::PAGE_BYTES,
            line_bytes: 64 << 20,
            header_bytes: 64 << 10,
            header_lines: 200,
            expansion: 1000,
            standard_input: StandardInput(Arc::new(|| Box::new(std::io::stdin()))),
        }
    }
}

impl LoadSettings {
    /// The size at which a page is cut unless another is set, in bytes. The crawler cuts at the
    /// same, so that no page of an archive is cut a second time.
    pub const PAGE_BYTES: usize = 10_000_000;

    /// The JSONL field or Parquet column that holds the address (default `url`). It may be absent.
    #[must_use]
    pub fn url_field(mut self, name: impl Into<String>) -> Self {
        self.url_field = name.into();
        self
    }

    /// The JSONL field or Parquet column that holds the page (default `html`).
    #[must_use]
    pub fn html_field(mut self, name: impl Into<String>) -> Self {
        self.html_field = name.into();
        self
    }

    /// Gives only pages whose id or address matches.
    ///
    /// A pattern with `*` (any text) or `?` (any one character) must match the whole id or address;
    /// without them it must occur in it.
    #[must_use]
    pub fn include(mut self, pattern: impl Into<String>) -> Self {
        self.include.push(Pattern(pattern.into()));
        self
    }

    /// Stops after so many pages (default: none).
    #[must_use]
    pub fn limit(mut self, pages: u64) -> Self {
        self.limit = Some(pages);
        self
    }

    /// What is read for `-` (default: standard input): something that keeps it, say, for those who
    /// read it twice.
    #[must_use]
    pub fn standard_input(
        mut self,
        open: impl Fn() -> Box<dyn Read + Send> + Send + Sync + 'static,
    ) -> Self {
        self.standard_input = StandardInput(Arc::new(open));
        self
    }

    pub(crate) fn open_standard_input(&self) -> Box<dyn Read + Send> {
        (self.standard_input.0)()
    }

    /// Whether pages that are known to be cut short are given, flagged (the default), or skipped.
    #[must_use]
    pub fn truncated(mut self, given: bool) -> Self {
        self.truncated = given;
        self
    }

    /// The size at which a page is cut and flagged as cut short, after decompression (default 10
    /// MB).
    #[must_use]
    pub fn page_bytes(mut self, bytes: usize) -> Self {
        self.page_bytes = bytes.max(1);
        self
    }

    /// The length beyond which a line of JSONL is a fault (default 64 MiB).
    #[must_use]
    pub fn line_bytes(mut self, bytes: usize) -> Self {
        self.line_bytes = bytes.max(1);
        self
    }

    /// The size beyond which the header of a record or a response is a fault (default 64 KiB).
    #[must_use]
    pub fn header_bytes(mut self, bytes: usize) -> Self {
        self.header_bytes = bytes.max(1);
        self
    }

    /// The number of lines beyond which the header of a record or a response is a fault (default
    /// 200).
    #[must_use]
    pub fn header_lines(mut self, lines: usize) -> Self {
        self.header_lines = lines.max(1);
        self
    }

    /// How many times its size a compressed member may unpack to, once that is more than 64 MiB
    /// (default 1000).
    ///
    /// A site of nearly identical pages compresses a few hundred times; only a bomb compresses
    /// more.
    #[must_use]
    pub fn expansion(mut self, times: u64) -> Self {
        self.expansion = times.max(1);
        self
    }

    pub(crate) fn get_url_field(&self) -> &str {
        &self.url_field
    }

    pub(crate) fn get_html_field(&self) -> &str {
        &self.html_field
    }

    pub(crate) fn get_limit(&self) -> Option<u64> {
        self.limit
    }

    pub(crate) fn gives_truncated(&self) -> bool {
        self.truncated
    }

    pub(crate) fn get_page_bytes(&self) -> usize {
        self.page_bytes
    }

    pub(crate) fn get_line_bytes(&self) -> usize {
        self.line_bytes
    }

    pub(crate) fn get_header_bytes(&self) -> usize {
        self.header_bytes
    }

    pub(crate) fn get_header_lines(&self) -> usize {
        self.header_lines
    }

    pub(crate) fn get_expansion(&self) -> u64 {
        self.expansion
    }

    /// Whether an `include` pattern lets the page through, or there is none.
    pub(crate) fn wants(&self, id: &str, url: Option<&str>) -> bool {
        let is_matched =
            |pattern: &Pattern| pattern.matches(id) || url.is_some_and(|url| pattern.matches(url));
        self.include.is_empty() || self.include.iter().any(is_matched)
    }
}

/// A substring, or a glob where `*` stands for any text and `?` for any one character.
///
/// ```
/// use unmold_io::Pattern;
///
/// assert!(Pattern::new("/p/").matches("https://a.example/p/1"));
/// assert!(!Pattern::new("*/p/*.html").matches("https://a.example/p/1"));
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern as it is typed.
    pub fn new(pattern: impl Into<String>) -> Self {
        Pattern(pattern.into())
    }

    /// Whether a text is meant.
    pub fn matches(&self, text: &str) -> bool {
        if self.0.contains(['*', '?']) {
            glob(self.0.as_bytes(), text.as_bytes())
        } else {
            text.contains(&self.0)
        }
    }
}

/// Matches with one point of return, the last `*`: at most pattern length times text length steps.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                t += char_width(text[t]);
            }
            Some(&byte) if byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((after_star, start)) = retry else {
                    return false;
                };
                retry = Some((after_star, start + 1));
                (p, t) = (after_star, start + 1);
            }
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

fn char_width(first_byte: u8) -> usize {
    match first_byte {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern(pattern.to_owned()).matches(text)
    }

    #[test]
    fn pattern_without_wildcards_is_a_substring() {
        assert!(matches("/p/", "https://x/p/1"));
        assert!(!matches("/q/", "https://x/p/1"));
    }

    #[test]
    fn glob_matches_the_whole_text() {
        assert!(matches("*/p/*.html", "https://x/p/a/1.html"));
        assert!(!matches("*/p/*.html", "https://x/p/a/1.htm"));
        assert!(matches("00?1.html", "0001.html"));
        assert!(matches("?.html", "é.html"));
        assert!(matches("*", ""));
        assert!(!matches("?", ""));
    }

    #[test]
    fn question_mark_at_a_char_cut_short_does_not_overrun() {
        assert!(!matches("*?x", "é"));
    }
}
