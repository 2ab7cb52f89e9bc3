//! For which tools can rules be written? The one list that the command line, Python and the viewer
//! go by.
//!
//! ```
//! use unmold::export::Target;
//!
//! assert_eq!("crawl4ai".parse(), Ok(Target::Crawl4ai));
//! assert_eq!(Target::ALL.map(Target::name).join(" "), "css xpath parsel scrapy crawl4ai ftr regex json-schema");
//! ```

use std::str::FromStr;

/// What rules are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// CSS selectors, one rule a line.
    Css,
    /// XPath 1.0 expressions, one rule a line.
    Xpath,
    /// Python code for parsel.
    Parsel,
    /// A Scrapy spider.
    Scrapy,
    /// A schema for crawl4ai's `JsonXPathExtractionStrategy`.
    Crawl4ai,
    /// A site file for full-text feed readers.
    Ftr,
    /// Regular expressions, one rule a line.
    Regex,
    /// A JSON Schema of the rows that `extract -f jsonl` writes.
    JsonSchema,
}

impl Target {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Target; 8] = [
        Target::Css,
        Target::Xpath,
        Target::Parsel,
        Target::Scrapy,
        Target::Crawl4ai,
        Target::Ftr,
        Target::Regex,
        Target::JsonSchema,
    ];

    /// What it is called where it is asked for.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// What a file of it is usually called.
    pub fn file_name(self) -> &'static str {
        self.words().1
    }

    /// What is written, in a sentence.
    pub fn about(self) -> &'static str {
        self.words().2
    }

    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Target::Css => (
                "css",
                "site.css.txt",
                "CSS selectors: a name, a selector and what of it is the value on a line",
            ),
            Target::Xpath => ("xpath", "site.xpath.txt", "XPath 1.0 expressions, likewise"),
            Target::Parsel => ("parsel", "site_parsel.py", "Python functions on parsel"),
            Target::Scrapy => ("scrapy", "site_spider.py", "A Scrapy spider"),
            Target::Crawl4ai => (
                "crawl4ai",
                "site.crawl4ai.json",
                "A schema for crawl4ai's JsonXPathExtractionStrategy",
            ),
            Target::Ftr => (
                "ftr",
                "site.ftr.txt",
                "A site file for full-text feed readers: where the content is, and what to strip",
            ),
            Target::Regex => (
                "regex",
                "site.regex.txt",
                "Regular expressions: for a field, behind its name and a tab, with the value as first group; for a \
                 template string, alone on its line",
            ),
            Target::JsonSchema => (
                "json-schema",
                "site.schema.json",
                "A JSON Schema of the rows that `extract -f jsonl` writes",
            ),
        }
    }
}

/// A tool that rules cannot be written for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rules can be written for {known}, not {0:?}", known = Target::ALL.map(Target::name).join(", "))]
pub struct UnknownTarget(String);

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, UnknownTarget> {
        let named = Target::ALL.into_iter().find(|target| target.name() == name);
        named.ok_or_else(|| UnknownTarget(name.to_owned()))
    }
}
